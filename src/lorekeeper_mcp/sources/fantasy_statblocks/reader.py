"""Adapts a note's stat blocks to creatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeGuard

import yaml

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.fantasy_statblocks.extensions import ACTIONS, SHOWING, Block, Extensions, without_links
from lorekeeper_mcp.sources.fantasy_statblocks.note_blocks import blocks, parsed
from lorekeeper_mcp.sources.imported import MOST_ITEMS, BookBuilder, ImportedFile, ItemError
from lorekeeper_mcp.sources.json_values import listed
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_inheritance
from lorekeeper_mcp.sources.stat_block import (
    StatBlock,
    ability_key,
    bonus,
    bonuses,
    sections_of,
    shown,
    to_creature,
    unread,
    unread_fields,
)

_NO_FIELDS = "it is not a list of fields"
_UNNAMED = "Fantasy Statblocks"
_HEADERS = {"mythic_actions": "mythic_description"}
_TEXTS = ("desc", "text", "entries", "traits")
_FAGE = (
    "Accuracy", "Communication", "Constitution", "Dexterity", "Fighting", "Intelligence", "Perception", "Strength",
    "Willpower",
)  # fmt: skip
_SPELL_LINE = re.compile(r"[^:.]{1,60}:\s*\S")
_OF_PLUGIN = frozenset({"skillsaves", "ac_class", "statblock", "bestiary", "forceColumns", "columnWidth"})
_NUMBERS = frozenset({"attack_bonus", "damage_dice", "damage_bonus"})
_OF_ENTRY = frozenset({"name", "spells", *_TEXTS})
# Lines of a stat block by the fields that have them.
_LINES = {
    "size": "size", "alignment": "alignment", "hit_points": "hp", "hit_dice": "hit_dice", "speed": "speed",
    "vulnerabilities": "damage_vulnerabilities", "resistances": "damage_resistances",
    "immunities": "damage_immunities", "conditions": "condition_immunities", "senses": "senses",
    "languages": "languages", "challenge": "cr", "legendary_text": "legendary_description",
}  # fmt: skip
_KNOWN = frozenset(
    {"name", "type", "subtype", "ac", "ac_class", "stats", "saves", "skillsaves", "fage_stats", "source", "spells",
     "spellsNotes", "traits", "mythic_description", "desc", "description", *_LINES.values(), *ACTIONS}
)  # fmt: skip


def read(text: str, name: str, originals: Originals) -> ImportedFile:
    """Read a note. ``name`` is the book of blocks without a source. Never raises."""
    return _read_all([_values(block) for block in islice(blocks(text), MOST_ITEMS + 1)], name, originals)


def bestiary(data: object) -> list[Block | str]:
    """Return the blocks of parsed JSON: the plugin's data (pairs of name and monster), a list, or one block."""
    monsters = data.get("monsters") if isinstance(data, Mapping) else None
    given = monsters if isinstance(monsters, list) else data if isinstance(data, list) else [data]
    values = [one[1] if _is_pair(one) else one for one in given]
    is_known = any(_is_pair(one) if isinstance(one, list) else _is_block(one) for one in given)
    return [one if isinstance(one, dict) else _NO_FIELDS for one in values] if is_known else []


def _is_pair(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


def _is_block(value: object) -> bool:
    if not isinstance(value, dict) or not value.get("name"):
        return False
    return isinstance(value.get("stats"), list) or not _OF_PLUGIN.isdisjoint(value)


def read_bestiary(data: object, name: str, originals: Originals) -> ImportedFile:
    """Read parsed JSON of the plugin. ``name`` is the book of blocks without a source. Never raises."""
    return _read_all(bestiary(data), name, originals)


def _read_all(found: Sequence[Block | str], name: str, originals: Originals) -> ImportedFile:
    """Read blocks; an unparsable one yields the reason."""
    books = BookBuilder()
    book = name or _UNNAMED
    extensions = Extensions([one for one in found if isinstance(one, Mapping)], originals)
    for number, values in enumerate(found, 1):
        path = f"block {number}"
        if number > MOST_ITEMS:
            books.skip(book, "monsters", path, f"the note has more than {MOST_ITEMS:,} blocks; the rest is not read")
        elif isinstance(values, str):
            books.skip(book, "monsters", path, values)
        else:
            _read_one(books, extensions, values, path, name)
    return ImportedFile(books.books(), invisible=books.invisible)


def _values(block: str) -> Block | str:
    """A block's fields, or the reason for their absence."""
    try:
        values = parsed(block)
    except ItemError as error:
        return str(error)
    except yaml.YAMLError as error:
        return f"it is not valid YAML: {_fault(error)}"
    return values if isinstance(values, dict) else _NO_FIELDS


def _fault(error: yaml.YAMLError) -> str:
    """The error in a block's YAML, with its place in the block."""
    problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
    if not problem or mark is None:
        return " ".join(str(error).split())[:120]
    quotes = "; a text that begins with * needs quotes" if "alias" in (getattr(error, "context", None) or "") else ""
    return f"{problem} at line {mark.line + 1}, column {mark.column + 1} of the block{quotes}"


def _read_one(books: BookBuilder, extensions: Extensions, values: Block, path: str, name: str) -> None:
    path = shown(values.get("name")) or path
    book = shown(values.get("source")) or name or _UNNAMED

    def creature() -> Record:
        whole = extensions.extended(values, book)
        made = to_creature(_block(without_links(whole), name), book)
        return with_inheritance(
            made, whole.get(RECORD), lambda one: to_creature(_block({**one, "name": made.name}, name), book)
        )

    books.adapt(book, "monsters", path, creature)


def _block(values: Mapping[str, object], note: str) -> StatBlock:
    subtype = shown(values.get("subtype"))
    stats = values.get("stats")
    scores = [bonus(one) for one in stats] if isinstance(stats, list) else []
    spells = "\n\n".join(filter(None, (_spells(values.get("spells")), shown(values.get("spellsNotes")))))
    points = bonus(values.get("xp"))
    initiative, fage = bonus(values.get("modifier")), values.get("fage_stats")
    read = _KNOWN | SHOWING | {name for name, one in (("xp", points), ("modifier", initiative)) if one is not None}
    image = shown(values.get("image"))
    abilities = {name: score for name, score in zip(ABILITIES, scores, strict=False) if score is not None}
    saves = {ability_key(name): number for name, number in bonuses(values.get("saves")).items()}
    skills = bonuses(values.get("skillsaves"))
    return StatBlock(
        **{name: shown(values.get(field)) for name, field in _LINES.items()},
        name=shown(values.get("name")) or note,
        type=f"{shown(values.get('type'))}{f' ({subtype})' if subtype else ''}",
        armor=" ".join(filter(None, (shown(values.get("ac")), shown(values.get("ac_class"))))),
        abilities=abilities,
        saves=saves,
        skills=skills,
        experience=points,
        traits=(*_entries(values.get("traits")), *([("Spellcasting", spells)] if spells else [])),
        actions=tuple(
            (kind, name, text)
            for field, kind in ACTIONS.items()
            for name, text in _entries([values.get(_HEADERS.get(field, "")), *listed(values.get(field))])
        ),
        initiative=initiative,
        image=image if image.startswith(("http://", "https://")) else "",
        text="\n\n".join(dict.fromkeys(filter(None, (shown(values.get("desc")), shown(values.get("description")))))),
        other=(
            *unread("stats", stats, abilities),
            *unread("saving throws", values.get("saves"), saves),
            *unread("skills", values.get("skillsaves"), skills),
            *sections_of({"abilities": _scores(fage)}),
            *sections_of({name: _more(value) for name, value in values.items() if name not in read}),
        ),
    )


def _scores(value: object) -> str:
    """The nine abilities of Fantasy AGE."""
    if not isinstance(value, list) or len(value) != len(_FAGE):
        return shown(value)
    return ", ".join(f"{name} {text}" for name, one in zip(_FAGE, value, strict=True) if (text := shown(one)))


def _more(value: object) -> str:
    """A field unknown to the plugin, in words; entries of a custom layout stay entries."""
    if isinstance(value, list) and any(isinstance(one, Mapping) and "desc" in one for one in value):
        return _paragraphs(value)
    return shown(value)


def _entries(value: object) -> Iterator[tuple[str, str]]:
    """The names and texts of ``[{name: Bite, desc: …}]`` or ``[[Bite, …]]``."""
    for one in listed(value):
        if isinstance(one, Mapping):
            texts = [_paragraphs(one[field]) for field in _TEXTS if one.get(field)]
            casts = _spells(one.get("spells"))
            more = (
                f"{field.name}: {field.text}".removeprefix(": ")
                for field in unread_fields(one, _OF_ENTRY)
                if field.name not in _NUMBERS or not _has(field.text, *texts)
            )
            yield shown(one.get("name")).removesuffix("."), "\n\n".join(filter(None, (*texts, casts, *more)))
        elif isinstance(one, list) and one:
            yield shown(one[0]), shown(one[1:])
        elif one:
            yield "", shown(one)


def _has(number: str, *texts: str) -> bool:
    """Whether a number for dice rollers is in a text, or is missing."""
    wanted = re.compile(rf"(?<!\d){re.escape(number.lstrip('+'))}(?!\d)")
    return number == "0" or any(wanted.search(text) for text in texts)


def _paragraphs(text: object) -> str:
    """A text, or paragraphs, some with names of their own."""
    if isinstance(text, list):
        return "\n\n".join(map(_paragraphs, text))
    if isinstance(text, Mapping):
        return "\n\n".join(f"**{name}.** {content}" if name else content for name, content in _entries([text]))
    return shown(text)


def _spells(value: object) -> str:
    """Lines of spells: a sentence, then lists by uses or by level, and perhaps another sentence."""
    lines: list[str] = []
    for one in listed(value):
        for name, spells in one.items() if isinstance(one, Mapping) else [("", one)]:
            names = shown(spells)
            is_line = bool(name and names) or bool(_SPELL_LINE.match(names))
            line = ": ".join(filter(None, (name, names))) if names else f"{name}:" if name else ""
            if line and not is_line and lines:
                lines.append("")
            lines += [f"- {line}" if is_line else line] if line else []
    return "\n".join(lines)
