"""Journals, roll tables, and groups of actors, as chapters of rules."""

from __future__ import annotations

from collections.abc import Iterator

from lorekeeper_mcp.models import Kind, Record, Ref, Rule
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.actors.details import travel
from lorekeeper_mcp.sources.foundry.item_values import coins, description_of, further_texts, unread_fields, words
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.imported import book_key
from lorekeeper_mcp.sources.json_values import JsonObject, mapping, members, number, objects, part, text, value_at
from lorekeeper_mcp.sources.stat_block import heading, sections_of, shown


def journal(one: JsonObject, _: JsonObject, book: str) -> Record:
    """Return a journal: its pages under their headings."""
    before = markdown(one.get("content"))  # before version 10
    return _rule(one, book, "journals", "Journal", _blocks(before, *map(_page, objects(one.get("pages")))))


def roll_table(one: JsonObject, _: JsonObject, book: str) -> Record:
    """Return a roll table: its results by range."""
    rows = list(map(_row, objects(one.get("results"))))
    dice = shown(one.get("formula")) or "Roll"
    table = "\n".join([f"| {dice} | Result |", "|---|---|", *rows]) if rows else ""
    return _rule(one, book, "tables", "Table", _blocks(markdown(one.get("description")), table))


def group(one: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a group or an encounter with its texts. Its members are ids of actors."""
    texts = [markdown(value_at(system, f"description.{name}")) for name in ("summary", "full", "value")]
    made = _rule(one, book, "groups", "Group", _blocks(*dict.fromkeys([*texts, description_of(system)])))
    movement = part(system, "attributes.movement")
    facts = {
        "Members": _members(system.get("members")),
        "Experience points": words(value_at(system, "details.xp.value")),
        "Travel": travel(part(system, "attributes.travel")),
        "Movement": words(movement) if len(movement) > 1 else "",
        "Currency": coins(part(system, "currency")),
    }
    other = (
        *sections_of(facts),
        *unread_fields(part(system, "details"), frozenset({"source", "xp"})),
        *unread_fields(part(system, "attributes"), frozenset({"travel", "movement"})),
        *unread_fields(system, frozenset({"members", "details", "primaryVehicle", "attributes", "currency"})),
        *further_texts(one, system),
    )
    return made.model_copy(update={"other": other})


def _members(given: object) -> str:
    """``3 Marsh Moth (1d4)``, by name if they are in the file; others are only counted."""
    named, others = [], 0
    for spec in map(mapping, members(given)):
        amount = part(spec, "quantity")
        count, formula = words(amount.get("value")), words(amount.get("formula"))
        if name := text(spec, "name"):
            rolled = f" ({formula})" if formula and formula != count else ""
            named.append(f"{f'{count} ' if count not in ('', '1') else ''}{name}{rolled}")
        else:
            others += int(number(amount.get("value")) or 1)
    return names.joined(*named, names.phrase("{} that this file does not contain", others))


def _rule(one: JsonObject, book: str, section: str, chapter: str, body: str) -> Rule:
    head = heading(book, section, text(one, "name"), Kind.RULE, body)
    return Rule(**head, section=Ref(name=chapter, key=f"orcbrew_{book_key(book)}_{section}"))


def _page(page: JsonObject) -> str:
    """A page: its text, the fields of a system, or the caption of a picture."""
    written = dict.fromkeys((text(page, "text.markdown"), markdown(value_at(page, "text.content"))))
    picture = markdown(value_at(page, "image.caption"))
    fields = (f"**{one.name}.** {one.text}" for one in unread_fields(part(page, "system"), frozenset()))
    return _blocks(names.phrase("## {}", text(page, "name")), *written, picture, *fields, *_described(page))


def _described(page: JsonObject) -> Iterator[str]:
    """The description in the fields of a page; for items it is read elsewhere."""
    known = ("value", "additionalHitPoints", "additionalTraits", "additionalEquipment", "subclass", "chat")
    spec = part(page, "system.description")
    yield from (markdown(value) for name, value in spec.items() if name in known)
    yield markdown(value_at(page, "system.description"))


def _blocks(*parts: str) -> str:
    return names.joined(*parts, sep="\n\n")


def _row(row: JsonObject) -> str:
    span = members(row.get("range")) or [""]
    rolled = f"{span[0]}" if span[0] == span[-1] else f"{span[0]}–{span[-1]}"
    parts = (text(row, "name"), markdown(row.get("description")), markdown(row.get("text")))
    result = " ".join(" ".join(dict.fromkeys(filter(None, parts))).split()).replace("|", "\\|")
    return f"| {rolled} | {result or words(row.get('documentId'))} |"
