"""Blocks that extend another one: one of the same note, a record, or one stored with the note."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from lorekeeper_mcp.models import ActionType, Creature, Kind, Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import listed
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_record
from lorekeeper_mcp.sources.stat_block import printed_name, shown
from lorekeeper_mcp.text import fold

Block: TypeAlias = "dict[str, object]"
SECTION = "statblock"
ACTIONS = {
    "actions": ActionType.ACTION,
    "bonus_actions": ActionType.BONUS_ACTION,
    "reactions": ActionType.REACTION,
    "legendary_actions": ActionType.LEGENDARY_ACTION,
    "mythic_actions": ActionType.MYTHIC_ACTION,
    "lair_actions": ActionType.LAIR_ACTION,
}
SHOWING = frozenset(
    {"layout", "statblock", "statblock-link", "bestiary", "image", "dice", "render", "columns", "forceColumns",
     "columnHeight", "columnWidth", "cssclass", "cssclasses", "export", "path", "mtime", "tags", "publish",
     "permalink", "noteType", "obsidianUIMode", RECORD}
)  # fmt: skip
"""Fields on the display of the block, the note itself and the picture: no text of the creature."""
_LISTS = frozenset({"traits", "spells", *ACTIONS})
_TAKING = ("extends", "monster", "creature", "note")
_DEFENSES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")
_DEEPEST = 30  # levels of inheritance
_LINK = re.compile(
    r"!?\[\[(?P<note>[^\[\]\n|]{1,300})(?:\|(?P<words>[^\[\]\n]{1,300}))?\]\]"
    r"|!?\[(?P<label>[^\[\]\n]{1,300})\]\((?!https?:)[^()\n]{1,300}\)"
)
_DEPENDENT = {"ac": "ac_class", "cr": "xp"}
"""Fields of an original that depend on another one, and do not apply to a block that changes that one."""


class Extensions:
    """The blocks of one note, and the other sources of a block's original."""

    def __init__(self, blocks: Iterable[Block], outside: Originals) -> None:
        self._outside = outside
        self._own: dict[str, Block] = {}
        for block in blocks:
            if block.get("name"):
                self._own.setdefault(fold(shown(block["name"])), block)
        self._outside_blocks: dict[str, Block | None] = {}
        self._under_way: set[str] = set()

    def extended(self, values: Block, book: str, depth: int = 0) -> Block:
        """Return a block of a book with everything that it inherits. Raises ItemError if an original is not found.

        A field ending in ``+`` is added to the original's; one ending in ``-`` removes entries by name. Entries of
        its other lists replace the original's of the same names.
        """
        field = next((name for name in _TAKING if values.get(name)), None)
        if field is None or depth > _DEEPEST:
            return values
        names = dict.fromkeys(_linked(shown(one)) for one in listed(values[field]))
        if depth == 0 and not any(name not in SHOWING and name not in (*_TAKING, "source") for name in values):
            raise ItemError(f'it only shows "{", ".join(names)[:60]}" and has no content of its own')
        made: Block = {}
        for name in names:
            original = self._original(name, values, book, depth)
            if original is None:
                if values.get("stats") or field == "note":
                    return values  # complete except for values that it does not repeat, whose original it names
                raise ItemError(f'it refers to "{name[:60]}", which is not in these files, the SRD or the store')
            made = _changed(made, original)
        taking = [one for one in _TAKING if one == field or one != "note"]
        return _changed(made, {name: value for name, value in values.items() if name not in taking})

    def _original(self, name: str, values: Block, book: str, depth: int) -> Block | None:
        """A block of that name with everything that it inherits: from the note, stored with it, or a record."""
        key = fold(name)
        found = self._own.get(key)
        if found is None or found is values:
            return self._elsewhere(key, name, values, book)
        if key not in self._under_way and any(found.get(field) for field in _TAKING):
            self._under_way.add(key)
            self._own[key] = found = self.extended(found, book, depth + 1)  # once for all blocks that extend it
            self._under_way.remove(key)
        return found

    def _elsewhere(self, key: str, name: str, values: Block, book: str) -> Block | None:
        if key not in self._outside_blocks:
            named = (one for one in self._outside.kept.get(SECTION, ()) if fold(shown(one.get("name"))) == key)
            found = next(named, None) or next(
                iter(self._outside.found(SECTION, (Kind.CREATURE,), name, "", block_of)), None
            )
            self._outside_blocks[key] = found
        found = self._outside_blocks[key]
        is_itself = found is not None and found.get("source") == book and fold(shown(values.get("name", name))) == key
        return None if is_itself else found  # from an earlier import


def block_of(record: Record) -> Block:
    """Return a creature as the fields of a block."""
    if not isinstance(record, Creature):
        return {"name": record.name}
    defenses = record.defenses
    scores = [getattr(record.abilities, name) for name in ABILITIES]
    ranges = record.senses.model_dump(include={"darkvision", "blindsight", "tremorsense", "truesight"})
    senses = record.senses.text or ", ".join(f"{name} {feet:g} ft." for name, feet in ranges.items() if feet)
    passive = record.senses.passive_perception
    speeds = [f"{mode} {feet:g} ft." for mode, feet in record.speed.items()]
    made: Block = {
        **{one.name: one.text for one in record.other if one.name},
        "name": record.name,
        "source": record.document_name,
        "size": record.size_text or record.size,
        "type": record.type_text or record.type,
        "alignment": record.alignment,
        "ac": record.armor_class,
        "ac_class": record.armor_text,
        "hp": record.hit_points,
        "hit_dice": record.hit_dice,
        "speed": ", ".join([*speeds, *(["hover"] if record.hover else [])]),
        "stats": scores if any(score is not None for score in scores) else None,
        "saves": [dict(record.saving_throws)] if record.saving_throws else None,
        "skillsaves": [{name.replace("-", " "): bonus} for name, bonus in record.skills.items()],
        **{name: getattr(defenses, f"{name}_text") or ", ".join(getattr(defenses, name)) for name in _DEFENSES},
        "senses": ", ".join(filter(None, (senses, f"passive Perception {passive}" if passive is not None else ""))),
        "languages": record.languages,
        "cr": str(Fraction(record.challenge_rating)) if record.challenge_rating is not None else None,
        "xp": record.experience_points,
        "traits": [{"name": one.name, "desc": one.text} for one in record.traits],
        "legendary_description": record.legendary_text,
        "desc": record.text,
    }
    fields = {kind: field for field, kind in reversed(ACTIONS.items())}
    for action in record.actions:
        of_kind = made.setdefault(fields[action.type], [])
        if isinstance(of_kind, list):
            of_kind.append({"name": printed_name(action), "desc": action.text})
    return with_record({name: value for name, value in made.items() if value not in (None, "", [])}, record)


def _changed(made: Block, values: Block) -> Block:
    """A block with the changes of another one."""
    outdated = {dependent for name, dependent in _DEPENDENT.items() if name in values}
    found = {name: value for name, value in made.items() if name not in outdated}
    for name, value in sorted(values.items(), key=lambda one: one[0][-1:] in "+-"):
        base, change = name[:-1], name[-1:]
        if change == "+" and base:
            found[base] = _added(found.get(base), value, " " if base == "name" else ", ")
        elif change == "-" and base in _LISTS:
            found[base] = [one for one in listed(found.get(base)) if not _names([one]) & _names(value)]
        elif name in _LISTS and name != "spells":
            kept = [one for one in listed(found.get(name)) if not _names([one]) & _names(value)]
            found[name] = [*kept, *listed(value)]
        else:
            found[name] = value
    return found


def _added(first: object, more: object, between: str) -> object:
    """Lists concatenated, texts joined with a separator."""
    if first in (None, "", []):
        return more
    if isinstance(first, Mapping) and isinstance(more, Mapping):
        return {**first, **more}
    if isinstance(first, list) or isinstance(more, list | Mapping):
        return [*listed(first), *listed(more)]
    return f"{shown(first)}{between}{shown(more)}" if shown(more) else first


def without_links(block: Block) -> Block:
    """Return a block with the displayed words of its links: ``[[Dusk Moth|the moth]]`` is the moth."""
    return {_LINK.sub(_words, name): _without_links(value) for name, value in block.items()}


def _without_links(value: object) -> object:
    if isinstance(value, str):
        return _LINK.sub(_words, value) if "[" in value else value
    if isinstance(value, list):
        return [_without_links(one) for one in value]
    return without_links(value) if isinstance(value, dict) else value


def _words(link: re.Match[str]) -> str:
    return link["label"] or link["words"] or link["note"]


def _names(value: object) -> set[str]:
    """The names of the entries of a list, in any layout."""
    found = set()
    for one in listed(value):
        named = one.get("name") if isinstance(one, Mapping) else one[0] if isinstance(one, list) and one else one
        found.add(shown(named).lower())
    return found - {""}


def _linked(name: str) -> str:
    """The note that a link such as ``[[Moths/Dusk Moth|the moth]]`` or ``Moths/Dusk Moth.md`` leads to: Dusk Moth."""
    path = name.strip("[]").partition("|")[0].strip()
    return path.rpartition("/")[2].removesuffix(".md") if path.endswith(".md") or name.startswith("[[") else path
