"""Rules, rule sets, documents, and the small reference lists: conditions, skills, languages, planes and the like."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.models import Document, Kind, Reference, Rule
from lorekeeper_mcp.sources.attribution import ATTRIBUTIONS, COPYRIGHTS
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served, integer, key, number, refs, text
from lorekeeper_mcp.sources.open5e.adapters.record_head import EDITIONS, Context, Open5eFields
from lorekeeper_mcp.sources.reading import flag, listed, objects

_LICENSES = {
    "open game license version 1.0a": "Open Game License 1.0a",
    "creative commons attribution 4.0": "CC-BY-4.0",
    "creative commons 0": "CC0-1.0",
}


def rule(head: Open5eFields, served: Served, _: Context) -> Rule:
    """Adapt a record of ``v2/rules``."""
    return Rule(**head, section=coercion.ref(served.get("ruleset")), order=coercion.integer(served.get("index")) or 0)


def rule_set(head: Open5eFields, served: Served, _: Context) -> Rule:
    """Adapt a record of ``v2/rulesets``, with references to its rules in order."""
    rules = sorted(
        objects(served.get("rules")), key=lambda served_rule: coercion.integer(served_rule.get("index")) or 0
    )
    return Rule(**head, rules=tuple(ref for served_rule in rules if (ref := coercion.ref(served_rule))))


def plane(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v1/planes``, whose paragraphs only a line break separates."""
    head["text"] = "\n\n".join(head["text"].split("\n"))
    return Reference(**head, parent=coercion.text(served.get("parent")).strip())


def document(head: Open5eFields, served: Served, _: Context) -> Document:
    """Adapt a record of ``v2/documents``, which is its own document."""
    system = coercion.key(served.get("gamesystem"))
    edition = EDITIONS.get(system)
    head["document_key"], head["document_name"], head["documents"] = head["key"], head["name"], (head["key"],)
    head["editions"] = (edition,) if edition else ()
    head["publisher"] = coercion.name(served.get("publisher"))
    head["license"] = _licenses(served.get("licenses"))
    return Document(
        **head,
        display_name=coercion.text(served.get("display_name")),
        type=coercion.text(served.get("type")),
        author=coercion.text(served.get("author")),
        published=_date(served.get("publication_date")),
        permalink=coercion.text(served.get("permalink")),
        attribution=ATTRIBUTIONS.get(head["key"], ""),
        copyright=COPYRIGHTS.get(head["key"], ""),
        game_system=system,
        distance_unit=coercion.text(served.get("distance_unit")),
        weight_unit=coercion.text(served.get("weight_unit")),
    )


def game_system(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/gamesystems``, which is an edition itself."""
    edition = EDITIONS.get(head["key"])
    head["editions"] = (edition,) if edition else ()
    return Reference(**head)


def _licenses(value: object) -> str:
    names = (coercion.name(entry) for entry in listed(value))
    return "; ".join(_LICENSES.get(name.lower(), name) for name in names if name)


def _date(value: object) -> datetime.date | None:
    """The day of a time such as 2021-11-01T00:00:00; one with an hour is when Open5e entered the document."""
    day, _, hour = coercion.text(value).partition("T")
    try:
        return datetime.date.fromisoformat(day) if hour.strip("0:") == "" else None
    except ValueError:
        return None


# --- Reference lists ---

_Source: TypeAlias = tuple[str, Callable[[object], object]]


def _lower(value: object) -> str:
    return text(value).lower()


# Field of a reference -> served field, and how that is read. The other kinds have only a name and perhaps a text.
_SOURCES: Mapping[Kind, Mapping[str, _Source]] = {
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
        "hit_die": ("suggested_hit_dice", _lower),
    },
    Kind.SKILL: {"ability": ("ability", key)},
    Kind.WEAPON_PROPERTY: {"type": ("type", text)},  # Mastery or empty
}


def reference(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of one of the lists."""
    values = {name: read(served.get(field)) for name, (field, read) in _SOURCES.get(head["kind"], {}).items()}
    return Reference.model_validate({**head, **values})
