"""Adapts a note's stat blocks to creatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeGuard

import yaml

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.fantasy_statblocks.extensions import (
    ACTIONS,
    DISPLAY_FIELDS,
    Block,
    Extensions,
    without_links,
)
from lorekeeper_mcp.sources.fantasy_statblocks.note_blocks import blocks, parsed
from lorekeeper_mcp.sources.imported import MAX_ITEMS, BookBuilder, ImportedFile, ItemError
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_inheritance
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.reading import Fields, Printer, integer, integers, listed, members, shown
from lorekeeper_mcp.sources.stat_block import StatBlock, ability_key, to_creature, unread

_NO_FIELDS = "it is not a list of fields"
_UNNAMED = "Fantasy Statblocks"
_HEADERS = {"mythic_actions": "mythic_description"}
_TEXTS = ("desc", "text", "entries", "traits")
_SPELL_LINE = re.compile(r"[^:.]{1,60}:\s*\S")
_PLUGIN_FIELDS = frozenset({"skillsaves", "ac_class", "statblock", "bestiary", "forceColumns", "columnWidth"})
_NUMBERS = frozenset({"attack_bonus", "damage_dice", "damage_bonus"})
# Lines of a stat block by the fields that have them.
_LINES = {
    "size": "size", "alignment": "alignment", "hit_points": "hp", "hit_dice": "hit_dice", "speed": "speed",
    "vulnerabilities": "damage_vulnerabilities", "resistances": "damage_resistances",
    "immunities": "damage_immunities", "conditions": "condition_immunities", "senses": "senses",
    "languages": "languages", "challenge": "cr", "legendary_text": "legendary_description",
}  # fmt: skip
_BLOCK = Printer(skipped=DISPLAY_FIELDS)


def read(text: str, name: str, originals: Originals) -> ImportedFile:
    """Read a note. ``name`` is the book of blocks without a source. Never raises."""
    return _read_blocks([_parsed_block(block) for block in islice(blocks(text), MAX_ITEMS + 1)], name, originals)


def bestiary(data: object) -> list[Block | str]:
    """Return the blocks of parsed JSON: the plugin's data (pairs of name and monster), a list, or one block."""
    monsters = data.get("monsters") if isinstance(data, Mapping) else None
    entries = monsters if isinstance(monsters, list) else data if isinstance(data, list) else [data]
    if not any(_is_pair(entry) or _is_block(entry) for entry in entries):
        return []
    blocks = (entry[1] if _is_pair(entry) else entry for entry in entries)
    return [block if isinstance(block, dict) else _NO_FIELDS for block in blocks]


def _is_pair(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


def _is_block(value: object) -> bool:
    if not isinstance(value, dict) or not value.get("name"):
        return False
    return isinstance(value.get("stats"), list) or not _PLUGIN_FIELDS.isdisjoint(value)


def read_bestiary(data: object, name: str, originals: Originals) -> ImportedFile:
    """Read parsed JSON of the plugin. ``name`` is the book of blocks without a source. Never raises."""
    return _read_blocks(bestiary(data), name, originals)


def _read_blocks(note_blocks: Sequence[Block | str], name: str, originals: Originals, folder: str = "") -> ImportedFile:
    """Read blocks; an unparsable one is the reason for its absence."""
    books = BookBuilder()
    book = name or _UNNAMED
    extensions = Extensions([block for block in note_blocks if isinstance(block, Mapping)], originals)
    for number, block in enumerate(note_blocks, 1):
        path = f"block {number}"
        if number > MAX_ITEMS:
            books.skip(book, "monsters", path, f"the note has more than {MAX_ITEMS:,} blocks; the rest is not read")
        elif isinstance(block, str):
            books.skip(book, "monsters", path, block)
        else:
            _read_block(books, extensions, block, path, name)
    return ImportedFile(books.books(), invisible=books.invisible)


def _parsed_block(text: str) -> Block | str:
    """A block's fields, or the reason for their absence."""
    try:
        block = parsed(text)
    except ItemError as error:
        return str(error)
    except yaml.YAMLError as error:
        return f"it is not valid YAML: {_yaml_fault(error)}"
    return block if isinstance(block, dict) else _NO_FIELDS


def _yaml_fault(error: yaml.YAMLError) -> str:
    """The error in a block's YAML, with its place in the block."""
    problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
    if not problem or mark is None:
        return " ".join(str(error).split())[:120]
    quotes = "; text that begins with * needs quotes" if "alias" in (getattr(error, "context", None) or "") else ""
    return f"{problem} at line {mark.line + 1}, column {mark.column + 1} of the block{quotes}"


def _read_block(books: BookBuilder, extensions: Extensions, block: Block, path: str, name: str) -> None:
    book = shown(block.get("source")) or name or _UNNAMED

    def creature() -> Record:
        extended = {**extensions.extended(block, book), "source": block.get("source")}
        record = to_creature(_stat_block(without_links(extended), name, book), book)
        return with_inheritance(
            record,
            extended.get(RECORD),
            lambda original: to_creature(_stat_block({**original, "name": record.name}, name, book), book),
        )

    books.adapt(book, "monsters", shown(block.get("name")) or path, creature)


def _stat_block(block: Mapping[str, object], note_name: str, book: str) -> StatBlock:
    fields = Fields(block, _BLOCK)
    if shown(block.get("source")) == book:
        fields.drop("source")
    subtype, image = fields.line("subtype"), shown(block.get("image"))
    stats = block.get("stats")
    scores = dict(zip(ABILITIES, map(integer, members(stats)), strict=False))
    abilities = {ability: score for ability, score in scores.items() if score is not None}
    saves = {ability_key(name): number for name, number in integers(block.get("saves")).items()}
    skills = integers(block.get("skillsaves"))
    spells = joined(_spells(fields.take("spells")), fields.line("spellsNotes"), sep="\n\n")
    fields.drop("stats", "saves", "skillsaves")
    return StatBlock(
        **{name: fields.line(field) for name, field in _LINES.items()},
        name=fields.line("name") or note_name,
        type=f"{fields.line('type')}{f' ({subtype})' if subtype else ''}",
        armor=joined(fields.line("ac"), fields.line("ac_class"), sep=" "),
        abilities=abilities,
        saves=saves,
        skills=skills,
        experience=fields.integer("xp"),
        traits=(*_entries(fields.take("traits")), *([("Spellcasting", spells)] if spells else [])),
        actions=tuple(
            (kind, name, text)
            for field, kind in ACTIONS.items()
            for name, text in _entries([fields.take(_HEADERS.get(field, "")), *listed(fields.take(field))])
        ),
        initiative=fields.integer("modifier"),
        image=image if image.startswith(("http://", "https://")) else "",
        text="\n\n".join(dict.fromkeys(filter(None, (fields.line("desc"), fields.line("description"))))),
        other=(
            *unread("stats", stats, abilities),
            *unread("saving throws", block.get("saves"), saves),
            *unread("skills", block.get("skillsaves"), skills),
            *_BLOCK.sections({name: _unread_field(value) for name, value in fields.unread().items()}),
        ),
    )


def _unread_field(value: object) -> object:
    """A field unknown to the plugin; entries of a custom layout stay entries."""
    has_entries = any(isinstance(entry, Mapping) and "desc" in entry for entry in members(value))
    return _paragraphs(value) if has_entries else value


def _entries(value: object) -> Iterator[tuple[str, str]]:
    """The names and texts of ``[{name: Bite, desc: …}]`` or ``[[Bite, …]]``."""
    for entry in listed(value):
        if isinstance(entry, Mapping):
            fields = Fields(entry)
            name, texts = fields.line("name"), [_paragraphs(part) for field in _TEXTS if (part := fields.take(field))]
            spells = _spells(fields.take("spells"))
            unread_fields = (
                f"{field.name}: {field.text}".removeprefix(": ")
                for field in fields.also()
                if field.name not in _NUMBERS or not _is_in_texts(field.text, texts)
            )
            yield name.removesuffix("."), joined(*texts, spells, *unread_fields, sep="\n\n")
        elif isinstance(entry, list) and entry:
            yield shown(entry[0]), shown(entry[1:])
        elif entry:
            yield "", shown(entry)


def _is_in_texts(number: str, texts: list[str]) -> bool:
    """Whether a number for dice rollers is zero or in a text."""
    pattern = re.compile(rf"(?<!\d){re.escape(number.lstrip('+'))}(?!\d)")
    return number == "0" or any(map(pattern.search, texts))


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
    for entry in listed(value):
        for heading, spells in entry.items() if isinstance(entry, Mapping) else [("", entry)]:
            names = shown(spells)
            is_list = bool(heading and names) or bool(_SPELL_LINE.match(names))
            line = f"{heading}: {names}".strip() if heading else names
            if not line:
                continue
            if lines and not is_list:
                lines.append("")
            lines.append(f"- {line}" if is_list else line)
    return "\n".join(lines)
