"""Journals, tables to roll on, and groups of actors, as chapters of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Kind, Record, Ref, Rule
from lorekeeper_mcp.sources.foundry.html import markdown
from lorekeeper_mcp.sources.foundry.item_values import described, further_texts, part, rest, text, words
from lorekeeper_mcp.sources.imported import book_key
from lorekeeper_mcp.sources.stat_block import heading, shown


def journal(one: Mapping[str, object], _: Mapping[str, object], book: str) -> Record:
    """A journal: its pages under their headings."""
    pages = one.get("pages")
    listed = [page for page in (pages if isinstance(pages, list) else []) if isinstance(page, Mapping)]
    told = "\n\n".join(filter(None, map(_page, listed)))
    before = markdown(one.get("content"))  # before version 10
    return _rule(one, book, "journals", "Journal", "\n\n".join(filter(None, (before, told))))


def roll_table(one: Mapping[str, object], _: Mapping[str, object], book: str) -> Record:
    """A table to roll on: its results by their ranges."""
    results = one.get("results")
    rows = [_row(row) for row in (results if isinstance(results, list) else []) if isinstance(row, Mapping)]
    dice = shown(one.get("formula")) or "Roll"
    table = "\n".join([f"| {dice} | Result |", "|---|---|", *rows]) if rows else ""
    told = "\n\n".join(filter(None, (markdown(one.get("description")), table)))
    return _rule(one, book, "tables", "Table", told)


def group(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """A group or an encounter: its texts. Its members stand in it as ids of actors."""
    spec = part(system, "description")
    told = [markdown(spec.get(name)) for name in ("summary", "full", "value")]
    made = _rule(one, book, "groups", "Group", "\n\n".join(filter(None, dict.fromkeys([*told, described(system)]))))
    known = frozenset({"members", "details", "primaryVehicle"})
    details = rest(part(system, "details"), frozenset({"source"}))
    return made.model_copy(update={"other": (*details, *rest(system, known), *further_texts(one, system))})


def _rule(one: Mapping[str, object], book: str, section: str, chapter: str, told: str) -> Rule:
    head = heading(book, section, text(one, "name"), Kind.RULE, told)
    return Rule(**head, section=Ref(name=chapter, key=f"orcbrew_{book_key(book)}_{section}"))


def _page(page: Mapping[str, object]) -> str:
    """A page: of text, or of what a system keeps in its fields; of a picture the caption."""
    content = part(page, "text")
    plain, shown_as = text(content, "markdown"), markdown(content.get("content"))
    written = "\n\n".join(filter(None, dict.fromkeys((plain, shown_as)))) if plain != shown_as else plain
    picture = markdown(part(page, "image").get("caption"))
    fields = [f"**{one.name}.** {one.text}" for one in rest(part(page, "system"), frozenset())]
    told = "\n\n".join(filter(None, (written, picture, *fields, *_described(page))))
    name = text(page, "name")
    return "\n\n".join(filter(None, (f"## {name}" if name else "", told)))


def _described(page: Mapping[str, object]) -> Iterator[str]:
    """The description in the fields of a page, which is silent in those of items."""
    system = part(page, "system")
    spec = part(system, "description")
    yield from (
        markdown(value)
        for name, value in spec.items()
        if name in ("value", "additionalHitPoints", "additionalTraits", "additionalEquipment", "subclass", "chat")
    )
    yield markdown(system.get("description"))


def _row(row: Mapping[str, object]) -> str:
    span = row.get("range")
    low, high = (span[0], span[-1]) if isinstance(span, list) and span else ("", "")
    rolled = f"{low}" if low == high else f"{low}–{high}"
    parts = (text(row, "name"), markdown(row.get("description")), markdown(row.get("text")))
    told = " ".join(" ".join(dict.fromkeys(filter(None, parts))).split()).replace("|", "\\|")
    return f"| {rolled} | {told or words(row.get('documentId'))} |"
