"""Blocks that extend another one: one of the same note, a record, or one stored with the note."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from lorekeeper_mcp.models import ActionType, Creature, Kind, Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_record
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.reading import listed, shown
from lorekeeper_mcp.sources.stat_block import printed_name
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
DISPLAY_FIELDS = frozenset(
    {"layout", "statblock", "statblock-link", "bestiary", "image", "dice", "render", "columns", "forceColumns",
     "columnHeight", "columnWidth", "cssclass", "cssclasses", "export", "path", "mtime", "tags", "publish",
     "permalink", "noteType", "obsidianUIMode", RECORD}
)  # fmt: skip
"""Fields on the display of the block, the note itself and the picture: no text of the creature."""
_LISTS = frozenset({"traits", "spells", *ACTIONS})
_REFERENCES = ("extends", "monster", "creature", "note")
_DEFENSES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
_DEEPEST = 30  # levels of inheritance
# A link as a note has it, and as the plugin stores it: <STATBLOCK-WIKI-LINK>Dusk Moth|the moth<STATBLOCK-WIKI-LINK>.
_LINK = re.compile(
    r"!?\[\[(?P<note>[^\[\]\n|]{1,300})(?:\|(?P<words>[^\[\]\n]{1,300}))?\]\]"
    r"|!?\[(?P<label>[^\[\]\n]{1,300})\]\((?!https?:)[^()\n]{1,300}\)"
    r"|<STATBLOCK-(?:WIKI|MARKDOWN)-LINK>(?P<path>[^<>|]{1,300})(?:\|(?P<alias>[^<>]{1,300}))?</?STATBLOCK-\w{4,8}-LINK>"
)
_DEPENDENT = {"ac": "ac_class", "cr": "xp"}
"""Fields of an original that depend on another one, and do not apply to a block that changes that one."""


class Extensions:
    """The blocks of one note, and the other sources of a block's original."""

    def __init__(self, blocks: Iterable[Block], originals: Originals) -> None:
        self._originals = originals
        self._own_blocks: dict[str, Block] = {}
        for block in blocks:
            if block.get("name"):
                self._own_blocks.setdefault(fold(shown(block["name"])), block)
        self._other_blocks: dict[str, Block | None] = {}
        self._in_progress: set[str] = set()

    def extended(self, block: Block, book: str, depth: int = 0) -> Block:
        """Return a block of a book with everything that it inherits. Raises ItemError if an original is not found.

        A field ending in ``+`` is added to the original's; one ending in ``-`` removes entries by name. Entries of
        its other lists replace the original's of the same names.
        """
        reference = next((field for field in _REFERENCES if block.get(field)), None)
        if reference is None or depth > _DEEPEST:
            return block
        names = dict.fromkeys(_note_name(shown(link)) for link in listed(block[reference]))
        if depth == 0 and block.keys() <= {*DISPLAY_FIELDS, *_REFERENCES, "source"}:
            raise ItemError(f'it only shows "{", ".join(names)[:60]}" and has no content of its own')
        inherited: Block = {}
        for name in names:
            original = self._original(name, block, book, depth)
            if original is None:
                if block.get("stats") or reference == "note":
                    return block  # complete except for values that it does not repeat, whose original it names
                raise ItemError(f'it refers to "{name[:60]}", which is not in these files, the SRD or the store')
            inherited = _merged(inherited, original)
        read = {field for field in _REFERENCES if field == reference or field != "note"}
        return _merged(inherited, {field: value for field, value in block.items() if field not in read})

    def _original(self, name: str, block: Block, book: str, depth: int) -> Block | None:
        """A block of that name with everything that it inherits: from the note, stored with it, or a record."""
        key = fold(name)
        original = self._own_blocks.get(key)
        if original is None or original is block:
            return self._other_block(key, name, block, book)
        if key not in self._in_progress and any(original.get(field) for field in _REFERENCES):
            self._in_progress.add(key)
            self._own_blocks[key] = original = self.extended(original, book, depth + 1)  # once for all its extensions
            self._in_progress.remove(key)
        return original

    def _other_block(self, key: str, name: str, block: Block, book: str) -> Block | None:
        if key not in self._other_blocks:
            stored = self._originals.kept.get(SECTION, ())
            named = (block for block in stored if fold(shown(block.get("name"))) == key)
            self._other_blocks[key] = next(named, None) or self._originals.find(
                SECTION, (Kind.CREATURE,), name, "", block_of
            )
        original = self._other_blocks[key]
        if original and original.get("source") == book and fold(shown(block.get("name", name))) == key:
            return None  # the block itself, from an earlier import
        return original


def block_of(record: Record) -> Block:
    """Return a creature as the fields of a block."""
    if not isinstance(record, Creature):
        return {"name": record.name}
    defenses = record.defenses
    scores = [getattr(record.abilities, name) for name in ABILITIES]
    ranges = {name: getattr(record.senses, name) for name in _SENSES}
    senses = record.senses.text or ", ".join(f"{name} {feet:g} ft." for name, feet in ranges.items() if feet)
    passive = record.senses.passive_perception
    speeds = [f"{mode} {feet:g} ft." for mode, feet in record.speed.items()]
    block: Block = {
        **{field.name: field.text for field in record.other if field.name},
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
        "senses": joined(senses, f"passive Perception {passive}" if passive is not None else ""),
        "languages": record.languages,
        "cr": str(Fraction(record.challenge_rating)) if record.challenge_rating is not None else None,
        "xp": record.experience_points,
        "traits": [{"name": trait.name, "desc": trait.text} for trait in record.traits],
        "legendary_description": record.legendary_text,
        "desc": record.text,
        **{
            field: [
                {"name": printed_name(action), "desc": action.text} for action in record.actions if action.type == type_
            ]
            for field, type_ in ACTIONS.items()
        },
    }
    return with_record({name: value for name, value in block.items() if value not in (None, "", [])}, record)


def _merged(original: Block, changes: Block) -> Block:
    """A block with the changes of another one."""
    outdated = {dependent for name, dependent in _DEPENDENT.items() if name in changes}
    merged = {name: value for name, value in original.items() if name not in outdated}
    for name, value in sorted(changes.items(), key=lambda change: change[0][-1:] in "+-"):
        base, operator = name[:-1], name[-1:]
        if operator == "+" and base:
            merged[base] = _added(merged.get(base), value, " " if base == "name" else ", ")
        elif operator == "-" and base in _LISTS:
            merged[base] = _without_entries(merged.get(base), value)
        elif name in _LISTS and name != "spells":
            merged[name] = [*_without_entries(merged.get(name), value), *listed(value)]
        else:
            merged[name] = value
    return merged


def _added(value: object, addition: object, separator: str) -> object:
    """Lists concatenated, texts joined with a separator."""
    if value in (None, "", []):
        return addition
    if isinstance(value, Mapping) and isinstance(addition, Mapping):
        return {**value, **addition}
    if isinstance(value, list) or isinstance(addition, list | Mapping):
        return [*listed(value), *listed(addition)]
    return f"{shown(value)}{separator}{shown(addition)}" if shown(addition) else value


def _without_entries(entries: object, others: object) -> list[object]:
    """The entries of a list whose names are not those of others."""
    names = {_entry_name(entry) for entry in listed(others)} - {""}
    return [entry for entry in listed(entries) if _entry_name(entry) not in names]


def _entry_name(entry: object) -> str:
    """The name of an entry of a list, in any layout."""
    if isinstance(entry, Mapping):
        entry = entry.get("name")
    elif isinstance(entry, list) and entry:
        entry = entry[0]
    return shown(entry).lower()


def without_links(block: Block) -> Block:
    """Return a block with the displayed words of its links: ``[[Dusk Moth|the moth]]`` is the moth."""
    return {_text_without_links(name): _value_without_links(value) for name, value in block.items()}


def _value_without_links(value: object) -> object:
    if isinstance(value, str):
        return _text_without_links(value)
    if isinstance(value, list):
        return [_value_without_links(entry) for entry in value]
    return without_links(value) if isinstance(value, dict) else value


def _text_without_links(text: str) -> str:
    return _LINK.sub(_words_of_link, text) if "[" in text or "<STATBLOCK-" in text else text


def _words_of_link(link: re.Match[str]) -> str:
    words = link["label"] or link["words"] or link["note"] or link["alias"]
    return words or link["path"].rpartition("/")[2].removesuffix(".md")


def _note_name(link: str) -> str:
    """The note that a link such as ``[[Moths/Dusk Moth|the moth]]`` or ``Moths/Dusk Moth.md`` leads to: Dusk Moth."""
    if link.startswith("<STATBLOCK-"):
        link = f"[[{link.partition('>')[2].partition('<')[0]}]]"
    path = link.strip("[]").partition("|")[0].strip()
    return path.rpartition("/")[2].removesuffix(".md") if path.endswith(".md") or link.startswith("[[") else path
