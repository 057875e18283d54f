"""Journals, roll tables, facilities, and groups of actors, as chapters of rules."""

from __future__ import annotations

from lorekeeper_mcp.models import Kind, Record, Ref, Rule, Section
from lorekeeper_mcp.sources.foundry.enrichers import id_name, markdown
from lorekeeper_mcp.sources.foundry.mechanics import effect_sections, printer
from lorekeeper_mcp.sources.imported import book_key
from lorekeeper_mcp.sources.phrases import joined, phrase
from lorekeeper_mcp.sources.reading import Fields, JsonObject, members, objects, part, text, text_at, value_at
from lorekeeper_mcp.sources.stat_block import heading

_TEXTS = ("summary", "full", "value")  # of a group's description


def journal(document: JsonObject, _: JsonObject, book: str) -> Record:
    """Return a journal: its pages under their headings."""
    content = markdown(document.get("content"))  # before version 10
    return _rule(document, book, "journals", "Journal", content, *map(_page, objects(document.get("pages"))))


def roll_table(document: JsonObject, _: JsonObject, book: str) -> Record:
    """Return a roll table: its results by range."""
    rows = list(map(_row, objects(document.get("results"))))
    dice = text(document.get("formula")) or "Roll"
    table = "\n".join([f"| {dice} | Result |", "|---|---|", *rows]) if rows else ""
    return _rule(document, book, "tables", "Table", markdown(document.get("description")), table)


def group(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a group of actors, or an encounter."""
    return _other(document, system, book, "groups", "Group")


def facility(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a bastion's facility."""
    return _other(document, system, book, "facilities", "Facility")


def _other(document: JsonObject, system: JsonObject, book: str, section: str, chapter: str) -> Record:
    """Texts, then every field by its name."""
    description = part(system, "description")
    paragraphs = [markdown(description.get(name)) for name in _TEXTS]
    paragraphs.append(markdown(system.get("description")))
    read_fields = [f"description.{name}" for name in _TEXTS] if description else ["description"]
    other = (*_unread(system, "source", *read_fields), *effect_sections(document, "\n".join(paragraphs)))
    return _rule(document, book, section, chapter, *dict.fromkeys(paragraphs), other=other)


def _rule(
    document: JsonObject, book: str, section: str, chapter: str, *blocks: str, other: tuple[Section, ...] = ()
) -> Rule:
    head = heading(book, section, text_at(document, "name"), Kind.RULE, joined(*blocks, sep="\n\n"))
    return Rule(**head, section=Ref(name=chapter, key=f"orcbrew_{book_key(book)}_{section}"), other=other)


def _page(page: JsonObject) -> str:
    """A page: its text, the fields of a system, or the caption of a picture."""
    descriptions = part(page, "system.description")
    return joined(
        phrase("## {}", text_at(page, "name")),
        markdown(value_at(page, "text.content")) or text_at(page, "text.markdown"),
        markdown(value_at(page, "image.caption")),
        *(markdown(value) for value in descriptions.values()),
        markdown(value_at(page, "system.description")),
        *(f"**{field.name}.** {field.text}" for field in _unread(part(page, "system"), "description")),
        sep="\n\n",
    )


def _row(row: JsonObject) -> str:
    numbers = members(row.get("range")) or [""]
    rolled = f"{numbers[0]}" if numbers[0] == numbers[-1] else f"{numbers[0]}–{numbers[-1]}"
    texts = (text_at(row, "name"), markdown(row.get("description")), markdown(row.get("text")))
    result = " ".join(joined(*dict.fromkeys(texts), sep=" ").split()).replace("|", "\\|")
    return f"| {rolled} | {result or id_name(text_at(row, 'documentUuid') or text_at(row, 'documentId'))} |"


def _unread(system: JsonObject, *read_fields: str) -> tuple[Section, ...]:
    fields = Fields(system, printer)
    fields.drop(*read_fields)
    return fields.also()
