"""Journals, roll tables, and groups of actors, as chapters of rules."""

from __future__ import annotations

from lorekeeper_mcp.models import Kind, Record, Ref, Rule, Section
from lorekeeper_mcp.sources.foundry.actors.details import travel
from lorekeeper_mcp.sources.foundry.item_values import coins, description_of, further_texts, unread_fields, words
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.imported import book_key
from lorekeeper_mcp.sources.json_values import JsonObject, decimal, mapping, members, objects, part, text, value_at
from lorekeeper_mcp.sources.phrases import joined, phrase
from lorekeeper_mcp.sources.stat_block import heading, sections_of, shown

_READ_DETAILS = frozenset({"source", "xp"})
_READ_ATTRIBUTES = frozenset({"travel", "movement"})
_READ_FIELDS = frozenset({"members", "details", "primaryVehicle", "attributes", "currency"})
# The texts of a journal page's system; those of items are read elsewhere.
_PAGE_TEXTS = ("value", "additionalHitPoints", "additionalTraits", "additionalEquipment", "subclass", "chat")


def journal(document: JsonObject, _: JsonObject, book: str) -> Record:
    """Return a journal: its pages under their headings."""
    content = markdown(document.get("content"))  # before version 10
    return _rule(document, book, "journals", "Journal", content, *map(_page, objects(document.get("pages"))))


def roll_table(document: JsonObject, _: JsonObject, book: str) -> Record:
    """Return a roll table: its results by range."""
    rows = list(map(_row, objects(document.get("results"))))
    dice = shown(document.get("formula")) or "Roll"
    table = "\n".join([f"| {dice} | Result |", "|---|---|", *rows]) if rows else ""
    return _rule(document, book, "tables", "Table", markdown(document.get("description")), table)


def group(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a group or an encounter with its texts. Its members are ids of actors."""
    texts = [markdown(value_at(system, f"description.{name}")) for name in ("summary", "full", "value")]
    details, attributes = part(system, "details"), part(system, "attributes")
    movement = part(attributes, "movement")
    facts = {
        "Members": _members(system.get("members")),
        "Experience points": words(value_at(details, "xp.value")),
        "Travel": travel(part(attributes, "travel")),
        "Movement": words(movement) if len(movement) > 1 else "",
        "Currency": coins(part(system, "currency")),
    }
    other = (
        *sections_of(facts),
        *unread_fields(details, _READ_DETAILS),
        *unread_fields(attributes, _READ_ATTRIBUTES),
        *unread_fields(system, _READ_FIELDS),
        *further_texts(document, system),
    )
    return _rule(document, book, "groups", "Group", *dict.fromkeys([*texts, description_of(system)]), other=other)


def _members(members_value: object) -> str:
    """``3 Marsh Moth (1d4)``, by name if they are in the file; others are only counted."""
    named, unnamed_count = [], 0
    for member in map(mapping, members(members_value)):
        quantity = part(member, "quantity")
        count, formula = words(quantity.get("value")), words(quantity.get("formula"))
        if name := text(member, "name"):
            rolled = f"({formula})" if formula and formula != count else ""
            named.append(joined("" if count == "1" else count, name, rolled, sep=" "))
        else:
            unnamed_count += int(decimal(quantity.get("value")) or 1)
    return joined(*named, phrase("{} that this file does not contain", unnamed_count))


def _rule(
    document: JsonObject, book: str, section: str, chapter: str, *blocks: str, other: tuple[Section, ...] = ()
) -> Rule:
    head = heading(book, section, text(document, "name"), Kind.RULE, joined(*blocks, sep="\n\n"))
    return Rule(**head, section=Ref(name=chapter, key=f"orcbrew_{book_key(book)}_{section}"), other=other)


def _page(page: JsonObject) -> str:
    """A page: its text, the fields of a system, or the caption of a picture."""
    fields = unread_fields(part(page, "system"), frozenset())
    descriptions = part(page, "system.description")
    return joined(
        phrase("## {}", text(page, "name")),
        *dict.fromkeys((text(page, "text.markdown"), markdown(value_at(page, "text.content")))),
        markdown(value_at(page, "image.caption")),
        *(f"**{field.name}.** {field.text}" for field in fields),
        *(markdown(value) for name, value in descriptions.items() if name in _PAGE_TEXTS),
        markdown(value_at(page, "system.description")),
        sep="\n\n",
    )


def _row(row: JsonObject) -> str:
    numbers = members(row.get("range")) or [""]
    rolled = f"{numbers[0]}" if numbers[0] == numbers[-1] else f"{numbers[0]}–{numbers[-1]}"
    texts = (text(row, "name"), markdown(row.get("description")), markdown(row.get("text")))
    result = " ".join(joined(*dict.fromkeys(texts), sep=" ").split()).replace("|", "\\|")
    return f"| {rolled} | {result or words(row.get('documentId'))} |"
