"""Rules, rule sets, documents, and the small reference lists: conditions, skills, languages, planes and the like."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from lorekeeper_mcp.models import Document, Kind, Reference, Rule
from lorekeeper_mcp.sources.attribution import ATTRIBUTIONS, COPYRIGHTS
from lorekeeper_mcp.sources.field_reader import Table, flag, integer, listed, number, objects, text
from lorekeeper_mcp.sources.open5e.adapters.served import (
    EDITIONS,
    Context,
    Open5eFields,
    Served,
    key,
    lower,
    name,
    read,
    ref,
    refs,
)

_LICENSES = {
    "open game license version 1.0a": "Open Game License 1.0a",
    "creative commons attribution 4.0": "CC-BY-4.0",
    "creative commons 0": "CC0-1.0",
}


def rule(head: Open5eFields, served: Served, _: Context) -> Rule:
    """Adapt a record of ``v2/rules``."""
    return Rule(**head, section=ref(served.get("ruleset")), order=integer(served.get("index")) or 0)


def rule_set(head: Open5eFields, served: Served, _: Context) -> Rule:
    """Adapt a record of ``v2/rulesets``, with references to its rules in order."""
    rules = sorted(objects(served.get("rules")), key=lambda served_rule: integer(served_rule.get("index")) or 0)
    return Rule(**head, rules=refs(rules))


def plane(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v1/planes``, whose paragraphs only a line break separates."""
    head["text"] = "\n\n".join(head["text"].split("\n"))
    return Reference(**head, parent=text(served.get("parent")))


def document(head: Open5eFields, served: Served, _: Context) -> Document:
    """Adapt a record of ``v2/documents``, which is its own document."""
    edition = EDITIONS.get(key(served.get("gamesystem")))
    head["document_key"], head["document_name"], head["documents"] = head["key"], head["name"], (head["key"],)
    head["editions"] = (edition,) if edition else ()
    head["publisher"] = name(served.get("publisher"))
    head["license"] = _licenses(served.get("licenses"))
    notices = {"attribution": ATTRIBUTIONS.get(head["key"], ""), "copyright": COPYRIGHTS.get(head["key"], "")}
    return Document.model_validate({**head, **notices, **read(served, _DOCUMENT)})


def game_system(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/gamesystems``, which is an edition itself."""
    edition = EDITIONS.get(head["key"])
    head["editions"] = (edition,) if edition else ()
    return Reference(**head)


def _licenses(value: object) -> str:
    names = (name(entry) for entry in listed(value))
    return "; ".join(_LICENSES.get(printed.lower(), printed) for printed in names if printed)


def _date(value: object) -> datetime.date | None:
    """The day of a time such as 2021-11-01T00:00:00; one with an hour is when Open5e entered the document."""
    day, _, hour = text(value).partition("T")
    try:
        return datetime.date.fromisoformat(day) if hour.strip("0:") == "" else None
    except ValueError:
        return None


_DOCUMENT: Table = {
    "display_name": ("display_name", text),
    "type": ("type", text),
    "author": ("author", text),
    "published": ("publication_date", _date),
    "permalink": ("permalink", text),
    "game_system": ("gamesystem", key),
    "distance_unit": ("distance_unit", text),
    "weight_unit": ("weight_unit", text),
}

# --- Reference lists ---

# Field of a reference -> served field, and how that is read. The other kinds have only a name and perhaps a text.
_REFERENCES: Mapping[Kind, Table] = {
    # The skills' own records have their texts.
    Kind.ABILITY_SCORE: {"detail": ("short_desc", text), "members": ("skills", refs)},
    Kind.ALIGNMENT: {
        "short_name": ("short_name", text),
        "morality": ("morality", text),
        "societal_attitude": ("societal_attitude", text),
    },
    Kind.CREATURE_SET: {"members": ("creatures", refs)},
    Kind.ENVIRONMENT: {"aquatic": ("aquatic", flag), "planar": ("planar", flag), "interior": ("interior", flag)},
    # The address is relative to the site.
    Kind.IMAGE: {"text": ("alt_text", text), "image": ("file_url", text), "attribution": ("attribution", text)},
    Kind.ITEM_RARITY: {"rank": ("rank", integer)},  # common has rank 1
    Kind.ITEM_SET: {"members": ("items", refs)},
    Kind.LANGUAGE: {
        "is_exotic": ("is_exotic", flag),
        "is_secret": ("is_secret", flag),
        "script": ("script_language", key),
    },
    Kind.SIZE: {
        "rank": ("rank", integer),
        "space": ("space_diameter", number),
        "hit_die": ("suggested_hit_dice", lower),
    },
    Kind.SKILL: {"ability": ("ability", key)},
    Kind.WEAPON_PROPERTY: {"type": ("type", text)},  # Mastery or empty
}


def reference(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of one of the lists."""
    return Reference.model_validate({**head, **read(served, _REFERENCES.get(head["kind"], {}))})
