"""Splits a record into passages, in the order of its book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from lorekeeper_mcp.models import (
    ActionType,
    Background,
    CharacterClass,
    Creature,
    Edition,
    Equipment,
    Feat,
    Feature,
    Record,
    Section,
    Species,
    Spell,
)
from lorekeeper_mcp.models.printed_values import ACTION_HEADINGS, action_name
from lorekeeper_mcp.passages.facts import fact_lines, higher_slots
from lorekeeper_mcp.passages.markdown_blocks import MAX_BLOCK, Block, blocks
from lorekeeper_mcp.passages.passage import Passage, PassageKind
from lorekeeper_mcp.text import label


def passages_of(record: Record, edition: Edition | None = None) -> tuple[Passage, ...]:
    """Return every passage of a record; with an ``edition``, only those that apply to it.

    A passage has the same ``index`` whichever edition is requested.
    """
    indexes = count()
    passages = [
        Passage(next(indexes), block.heading, block.text, block.kind, block.head, edition_of_text)
        for edition_of_text, block in _blocks_by_edition(record)
        if block.text.strip()
    ]
    return tuple(passage for passage in passages if edition is None or passage.edition in (None, edition))


def _blocks_by_edition(record: Record) -> Iterator[tuple[Edition | None, Block]]:
    for line in fact_lines(record):
        yield None, Block((), line, PassageKind.FACTS)
    has_several_texts = len(record.texts) > 1
    if not has_several_texts or not any(text.text == record.text for text in record.texts):
        for block in blocks(_text(record)):
            yield None, block
    for text in record.texts:
        if has_several_texts or text.text != record.text:
            for block in blocks(text.text):
                yield text.edition, block
    for block in _model_blocks(record):
        yield None, block
    for part in record.other:
        yield from ((None, block) for block in _entry((), label(part.name), part.text, PassageKind.PARAGRAPH))


def _text(record: Record) -> str:
    """The description; for a feat followed by its benefits as a list."""
    if not isinstance(record, Feat):
        return record.text
    return "\n".join([record.text, "", *(f"- {benefit.strip()}" for benefit in record.benefits)])


def _model_blocks(record: Record) -> Iterator[Block]:
    """The blocks from the fields that only this model has."""
    match record:
        case Spell():
            if record.higher_level:
                yield from _entry((), "At Higher Levels", record.higher_level, PassageKind.PARAGRAPH)
            if line := higher_slots(record):
                yield Block((), line, PassageKind.FACTS)
        case Creature():
            yield from _creature(record)
        case Equipment():
            for prop in record.weapon.properties if record.weapon else ():
                if prop.text:
                    yield from _entry((), prop.name, prop.text, PassageKind.TRAIT)
        case CharacterClass():
            yield from _class(record)
        case Species():
            yield from _sections(record.traits, PassageKind.TRAIT)
        case Background():
            yield from _sections(record.benefits, PassageKind.TRAIT)


def _creature(record: Creature) -> Iterator[Block]:
    yield from _sections(record.traits, PassageKind.TRAIT)
    for type_, heading in ACTION_HEADINGS.items():
        if type_ is ActionType.LEGENDARY_ACTION and record.legendary_text:
            yield from (_under_heading((heading,), block) for block in blocks(record.legendary_text))
        for action in record.actions:
            if action.type is type_:
                yield from _entry((heading,), action_name(action), action.text, PassageKind.ACTION)


def _sections(sections: Iterable[Section], kind: PassageKind) -> Iterator[Block]:
    for section in sections:
        yield from _entry((), section.name, section.text, kind)


def _entry(heading: tuple[str, ...], name: str, text: str, kind: PassageKind) -> Iterator[Block]:
    """A trait or action with its name as a run-in heading. A long one is split into parts under its name."""
    if not text.strip() and not name:
        return
    if len(text) <= MAX_BLOCK and "\n#" not in text and "|--" not in text:
        yield Block(heading, f"***{name}.*** {text.strip()}".strip() if name else text.strip(), kind)
        return
    yield from (_under_heading((*heading, name) if name else heading, block) for block in blocks(text))


def _under_heading(heading: tuple[str, ...], block: Block) -> Block:
    return Block((*heading, *block.heading), block.text, block.kind, block.head)


def _class(record: CharacterClass) -> Iterator[Block]:
    yield from _table(record)
    for title, text in record.extra_texts():
        yield from (_under_heading((title,), block) for block in blocks(text))
    for feature in record.features:
        yield from _feature(feature)
    for section in record.spells:
        yield from _entry((), section.name, section.text, PassageKind.PARAGRAPH)


def _feature(feature: Feature) -> Iterator[Block]:
    levels = ", ".join(map(str, feature.levels))
    heading = (f"Level {levels}: {feature.name}" if levels else feature.name,)
    for block in blocks(feature.text):
        kind = PassageKind.FEATURE if block.kind is PassageKind.PARAGRAPH else block.kind
        yield Block((*heading, *block.heading), block.text, kind, block.head)
    changes = [f"- Level {level}: {detail}" for level, detail in sorted(feature.details.items()) if detail]
    if changes:
        yield Block(heading, "\n".join(changes), PassageKind.FEATURE)
    elif not feature.text.strip():
        yield Block(heading, feature.name, PassageKind.FEATURE)


def _table(record: CharacterClass) -> Iterator[Block]:
    """One row per level, with the gained features and the columns of the class."""
    columns, rows = record.level_table()
    names = ["Level", *columns]
    head = f"{_row(names)}\n|{'---|' * len(names)}"
    for level, cells in rows:
        yield Block((f"{record.name} table",), _row([str(level), *cells]), PassageKind.TABLE_ROW, head)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
