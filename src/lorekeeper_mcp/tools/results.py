"""One result in both channels of an answer: as a line, a full record, passages, or just its name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from itertools import groupby

from lorekeeper_mcp.answer import Hit
from lorekeeper_mcp.models import CharacterFeature, Edition, Kind, Record
from lorekeeper_mcp.models.printed_values import words
from lorekeeper_mcp.passages import Passage, join_passages
from lorekeeper_mcp.render.edition_differences import EditionNote, compare_editions
from lorekeeper_mcp.render.index_lines import facts, index_line
from lorekeeper_mcp.render.pages import corrections, record_page
from lorekeeper_mcp.render.parts import shorten
from lorekeeper_mcp.render.spell_links import FULL, SHORT, spell_lines
from lorekeeper_mcp.search.excerpts import Excerpt

Structured = dict[str, object]
_MAX_VARIANTS = 40  # names of variants in a whole record; the rest are counted
_FEW_VARIANTS = 6  # in a line if the caller set no limit, and for a named record
_MAX_PASSAGES = 3  # passages of a record whose sentences are considered for its line
_NOTES = 3_600  # characters of what other editions rule otherwise
_MIN_PAGE = 0.5  # the share of the space that a page keeps, however much another edition differs


class Extent(Enum):
    """How much of a record to print.

    ``FULL`` is the record with all names of its variants and links. The others name a few of these, and print the
    newest edition of a named record: ``COMPARED`` with the differences of the others, ``ALONE`` without.
    """

    FULL = auto()
    COMPARED = auto()
    ALONE = auto()


@dataclass(frozen=True)
class RenderedHit:
    """One result in both forms. ``books`` are the records whose documents the answer has to list."""

    text: str
    structured: Structured
    books: tuple[Record, ...]

    @property
    def sizes(self) -> tuple[int, int]:
        """Characters of the text and of the structured form."""
        return len(self.text) + 2, len(json.dumps(self.structured, ensure_ascii=False)) + 2

    @property
    def page_length(self) -> int:
        """Characters of a whole record's page."""
        return len(str(self.structured.get("text", "")))


def identity(hit: Hit, edition: Edition | None, variants: int = 0) -> Structured:
    """Return the fields that every result has, with the names of at most ``variants`` variants."""
    record = hit.record
    editions = [edition] if edition in record.editions else record.editions
    fields: Structured = {
        "kind": str(record.kind),
        "key": record.key,
        "name": record.name,
        "document_key": record.document_key,
        "document_name": record.document_name,
        "document_source": str(record.document_source),
        "edition": ", ".join(map(str, editions)) or None,
    }
    if record.page is not None:
        fields["page"] = record.page
    if hit.score is not None:
        fields["similarity_score"] = round(hit.score, 4)
    if hit.also_in:
        fields["also_in"] = list(hit.also_in)
    if hit.variants and variants:
        fields["variants"] = list(hit.variants[:variants])
        fields["variant_count"] = len(hit.variants)
    return fields


def bracket(hit: Hit) -> str:
    """``[srd-2024_wight, p. 290; also 2014]``: the key, the document unless the key names it, the page, the others."""
    record = hit.record
    document = "" if record.key.startswith(f"{record.document_key}_") else f" of {record.document_key}"
    others = ", ".join(key.removeprefix("srd-") for key in hit.also_in)
    page = f", p. {record.page}" if record.page is not None else ""
    return f"[{record.key}{document}{page}{f'; also {others}' if others else ''}]"


def as_line(hit: Hit, edition: Edition | None, question: str, *, is_short: bool) -> RenderedHit:
    """An index entry; a short one names only a few variants."""
    editions = (None, *hit.record.editions)
    texts = [scored.passage.text for scored in hit.passages if scored.passage.edition in editions]
    shown_facts = facts(hit.record, question, texts[:_MAX_PASSAGES])
    count = _FEW_VARIANTS if is_short else len(hit.variants)
    variants = _variants_phrase(hit, count)
    text = f"- {index_line(hit.record, shown_facts)}{f' · {variants}' if variants else ''} {bracket(hit)}"
    return RenderedHit(text, {**identity(hit, edition, count), **shown_facts}, (hit.record,))


def as_name(hit: Hit, edition: Edition | None) -> RenderedHit:
    """A result that is only mentioned by name."""
    named_only = replace(hit, also_in=(), record=hit.record.model_copy(update={"page": None}))
    return RenderedHit(f"{hit.record.name} {bracket(named_only)}", identity(named_only, edition), (hit.record,))


def as_record(
    hit: Hit, edition: Edition | None, room: int, extent: Extent, preferred: Sequence[str] = ()
) -> RenderedHit:
    """A full record, shortened to ``room`` characters; the ``preferred`` texts have priority."""
    is_full = extent is Extent.FULL
    hit, others = (hit, []) if is_full else _by_edition(hit)
    record = hit.record
    full_page = record_page(record, edition)
    links = spell_lines(record, hit.links, FULL if is_full else SHORT)
    notes = _notes(record, others, room, len(full_page)) if extent is Extent.COMPARED else {}
    room -= sum(len(note) + 2 for note in notes.values())
    links = links if len(full_page) + len(links) <= room else ""
    page = _joined(shorten(full_page, room - len(links), preferred), links, *notes.values())
    variants = _variants_phrase(hit, _MAX_VARIANTS if is_full else _FEW_VARIANTS)
    text = _joined(_title(hit), page.partition("\n\n")[2], variants and f"*{variants}*")
    structured = {**identity(hit, edition, _MAX_VARIANTS), **facts(record), "text": page}
    structured.pop("summary", None)
    if noted := corrections(record):
        structured["corrections"] = noted.strip("*").removeprefix("Corrected: ")
    quoted = (other for other in others if notes.get(other.id, "").startswith("##"))
    return RenderedHit(text, structured, (record, *quoted))


def _by_edition(hit: Hit) -> tuple[Hit, list[Record]]:
    """The hit with its newest edition, and the others; not that of a game of its own, which is based on the rules."""
    record, *others = hit.editions or (hit.record,)
    others = [other for other in others if other.editions != (Edition.A5E,)]
    also_in = dict.fromkeys([*(other.document_key for other in others), *hit.also_in])
    return replace(hit, record=record, also_in=tuple(key for key in also_in if key != record.document_key)), others


def _notes(record: Record, others: Sequence[Record], room: int, page_length: int) -> dict[str, str]:
    """What the other editions rule, by id, in the space that the page leaves, or in its half."""
    room_of_each = min(_NOTES, max(room - page_length, int((1 - _MIN_PAGE) * room))) // max(1, len(others))
    return {other.id: _note(record, other, compare_editions(record, other, room_of_each)) for other in others}


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def as_excerpt(excerpt: Excerpt, edition: Edition | None) -> RenderedHit:
    """The passages that answer a question, each under its heading."""
    hit = excerpt.hit
    passages = [
        (heading, join_passages(group))
        for heading, group in groupby(excerpt.passages, key=partial(_heading, hit.record, edition))
    ]
    if excerpt.note:
        other = hit.editions[1]
        name = f" ({other.name})" if other.name != hit.record.name else ""
        passages.append((f"{' and '.join(other.editions)} rules{name} {_reference(other)}", excerpt.note))
    lines = [_title(hit, level=2), *(_passage(heading, text) for heading, text in passages)]
    structured = {
        **identity(hit, edition),
        "passages": [{"heading": heading, "text": text} for heading, text in passages],
    }
    return RenderedHit("\n".join(lines), structured, (hit.record, *(hit.editions[1:2] if excerpt.note else ())))


def _heading(record: Record, edition: Edition | None, passage: Passage) -> str:
    """A passage's headings, after its edition unless the caller chose one, or after a feature's class and level."""
    rules = (f"{passage.edition} rules",) if edition is None and passage.edition is not None else ()
    return " › ".join([*rules, *_class_and_level(record), *passage.heading])


def _class_and_level(record: Record) -> tuple[str, ...]:
    if not isinstance(record, CharacterFeature):
        return ()
    levels = ", ".join(map(str, record.levels))
    name = record.parent.name or words(record.parent.key)
    return (f"{name} level {levels}" if levels else name,)


def _title(hit: Hit, level: int = 1) -> str:
    return f"{'#' * level} {hit.record.name} ({words(hit.record.kind)}) {bracket(hit)}"


def _passage(heading: str, text: str) -> str:
    if not heading:
        return text
    return f"**{heading}**{chr(10) if text.startswith(('|', '- ', chr(10))) else ': '}{text.lstrip()}"


def _variants_phrase(hit: Hit, count: int) -> str:
    """A phrase with the names of the variants; "" if there are none."""
    if not hit.variants:
        return ""
    omitted = len(hit.variants) - count
    more = f" and {omitted} more" if omitted > 0 else ""
    label = "variants" if hit.record.kind is Kind.MAGIC_ITEM else "also called"
    return f"{label}: {'; '.join(hit.variants[:count])}{more}"


def _note(record: Record, other: Record, note: EditionNote) -> str:
    """What another edition rules, below its heading; one line if it rules the same."""
    name = f" ({other.name})" if other.name != record.name else ""
    edition = f"{' and '.join(other.editions)} edition{name}"
    if not note.text:
        return f"*{edition}: the same rules {_reference(other)}*"
    return f"## {edition}, {'whole' if note.is_whole else 'where it differs'} {_reference(other)}\n\n{note.text}"


def _reference(record: Record) -> str:
    """``[srd_wight, p. 355]``."""
    return f"[{record.key}{'' if record.page is None else f', p. {record.page}'}]"
