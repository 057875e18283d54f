"""Splits a record into passages, in the order of its book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from lorekeeper_mcp.models import (
    ActionType,
    Background,
    CharacterClass,
    CharacterFeature,
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
from lorekeeper_mcp.models.printed_values import ACTION_HEADINGS, action_name, words
from lorekeeper_mcp.passages.facts import fact_lines, higher_slots
from lorekeeper_mcp.passages.markdown_blocks import MAX_BLOCK, Block, blocks
from lorekeeper_mcp.passages.passage import Passage, PassageKind
from lorekeeper_mcp.text import label, letters


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
    if isinstance(record, CharacterClass):
        yield from ((None, row) for row in _table(record))
    entries = entries_of(record) if not isinstance(record, CharacterFeature) else ()  # its class has the numbers
    others = (Entry("", label(part.name), part.text, PassageKind.PARAGRAPH) for part in record.other)
    for entry in (*entries, *others):
        yield from ((None, block) for block in _entry_blocks(entry))
    if isinstance(record, Spell) and (line := higher_slots(record)):
        yield None, Block((), line, PassageKind.FACTS)


def _text(record: Record) -> str:
    """The description; for a feat followed by its benefits as a list."""
    if not isinstance(record, Feat):
        return record.text
    return "\n".join([record.text, "", *(f"- {benefit.strip()}" for benefit in record.benefits)])


@dataclass(frozen=True)
class Entry:
    """A named part of a record that a book prints below its description, under a ``section`` heading if it has one."""

    section: str
    name: str
    text: str
    kind: PassageKind


def entries_of(record: Record) -> Iterator[Entry]:
    """Yield the named parts of a record, in the order of its book."""
    match record:
        case Spell() if record.higher_level:
            yield Entry("", "At Higher Levels", record.higher_level, PassageKind.PARAGRAPH)
        case Creature():
            yield from _creature(record)
        case Equipment() if record.weapon:
            for prop in record.weapon.properties:
                if letters(prop.text) not in letters(record.text):  # as that of a net is
                    yield Entry("", prop.name, prop.text, PassageKind.TRAIT)
        case CharacterClass():
            yield from (Entry(title, "", text, PassageKind.PARAGRAPH) for title, text in record.extra_texts())
            for feature in record.features:
                yield from _feature(feature)
            yield from (Entry("", part.name, part.text, PassageKind.PARAGRAPH) for part in record.spells)
        case CharacterFeature():
            yield from _changes(record.details)
        case Species():
            yield from _sections(record.traits)
        case Background():
            yield from _sections(record.benefits)


def _creature(record: Creature) -> Iterator[Entry]:
    yield from _sections(record.traits)
    for type_, heading in ACTION_HEADINGS.items():
        if type_ is ActionType.LEGENDARY_ACTION and record.legendary_text:
            yield Entry(heading, "", record.legendary_text, PassageKind.PARAGRAPH)
        for action in record.actions:
            if action.type is type_:
                yield Entry(heading, action_name(action), action.text, PassageKind.ACTION)


def _sections(sections: Iterable[Section]) -> Iterator[Entry]:
    for section in sections:
        yield Entry("", _with_action(section), section.text, PassageKind.TRAIT)


def _feature(feature: Feature) -> Iterator[Entry]:
    levels = ", ".join(map(str, feature.levels))
    name = _with_action(feature)
    heading = f"Level {levels}: {name}" if levels else name
    changes = list(_changes(feature.details, heading))
    if feature.text.strip() or not changes:
        yield Entry(heading, "", feature.text, PassageKind.FEATURE)
    yield from changes


def _with_action(part: Feature | Section) -> str:
    """The name of a feature or trait, with the action that it takes if its type says so."""
    return f"{part.name} ({words(part.type)})" if part.type in tuple(ActionType) else part.name


def _changes(details: Mapping[int, str], heading: str = "") -> Iterator[Entry]:
    lines = [f"- Level {level}: {detail}" for level, detail in sorted(details.items()) if detail]
    if lines:
        yield Entry(heading, "", "\n".join(lines), PassageKind.FEATURE)


def _entry_blocks(entry: Entry) -> Iterator[Block]:
    """A short entry with its name as a run-in heading; a longer one, or one without a name, in its parts."""
    heading = (entry.section,) if entry.section else ()
    is_short = len(entry.text) <= MAX_BLOCK and "\n#" not in entry.text and "|--" not in entry.text
    if entry.name and is_short:
        yield Block(heading, f"***{entry.name}.*** {entry.text.strip()}".strip(), entry.kind)
        return
    for block in blocks(entry.text or entry.section.partition(": ")[2] or entry.section):
        is_part = entry.kind is PassageKind.FEATURE and block.kind is PassageKind.PARAGRAPH
        name = (entry.name,) if entry.name else ()
        kind = entry.kind if is_part else block.kind
        yield Block((*heading, *name, *block.heading), block.text, kind, block.head)


def _table(record: CharacterClass) -> Iterator[Block]:
    """One row per level, with the gained features and the columns of the class."""
    columns, rows = record.level_table()
    names = ["Level", *columns]
    head = f"{_row(names)}\n|{'---|' * len(names)}"
    for level, cells in rows:
        yield Block((f"{record.name} table",), _row([str(level), *cells]), PassageKind.TABLE_ROW, head)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
