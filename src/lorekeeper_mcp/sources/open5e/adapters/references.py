"""The small reference lists: conditions, skills, languages, sizes and the like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Reference
from lorekeeper_mcp.sources.json_values import mapping
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served, flag, integer, key, number, refs, text
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields

_Source: TypeAlias = tuple[str, Callable[[object], object]]


def _address(icon: object) -> str:
    return text(mapping(icon).get("file_url"))


def _attribution(icon: object) -> str:
    return text(mapping(icon).get("attribution"))


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
    Kind.CONDITION: {"image": ("icon", _address), "attribution": ("icon", _attribution)},
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
