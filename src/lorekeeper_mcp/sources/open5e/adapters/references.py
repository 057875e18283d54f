"""The small reference lists: conditions, skills, languages, sizes and the like."""

from __future__ import annotations

from lorekeeper_mcp.models import Reference
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields


def plain(head: Open5eFields, _served: Served, _: Context) -> Reference:
    """Adapt a record with only a name and perhaps a text."""
    return Reference(**head)


def ability(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/abilities`` with its skills; the skills' own records have their texts."""
    return Reference(
        **head, detail=coercion.text(served.get("short_desc")), members=coercion.refs(served.get("skills"))
    )


def alignment(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/alignments``."""
    return Reference(
        **head,
        short_name=coercion.text(served.get("short_name")),
        morality=coercion.text(served.get("morality")),
        societal_attitude=coercion.text(served.get("societal_attitude")),
    )


def condition(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/conditions`` with its icon."""
    icon = coercion.fields(served.get("icon"))
    return Reference(
        **head, image=coercion.text(icon.get("file_url")), attribution=coercion.text(icon.get("attribution"))
    )


def creature_set(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/creaturesets``, with references to its creatures."""
    return Reference(**head, members=coercion.refs(served.get("creatures")))


def environment(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/environments``."""
    return Reference(
        **head,
        aquatic=coercion.flag(served.get("aquatic")),
        planar=coercion.flag(served.get("planar")),
        interior=coercion.flag(served.get("interior")),
    )


def image(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/images``; the address is relative to the site."""
    head["text"] = coercion.text(served.get("alt_text"))
    return Reference(
        **head, image=coercion.text(served.get("file_url")), attribution=coercion.text(served.get("attribution"))
    )


def item_rarity(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/itemrarities``; common has rank 1."""
    return Reference(**head, rank=coercion.integer(served.get("rank")))


def item_set(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/itemsets``."""
    return Reference(**head, members=coercion.refs(served.get("items")))


def language(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/languages``."""
    return Reference(
        **head,
        is_exotic=coercion.flag(served.get("is_exotic")),
        is_secret=coercion.flag(served.get("is_secret")),
        script=coercion.key(served.get("script_language")),
    )


def size(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/sizes``."""
    return Reference(
        **head,
        rank=coercion.integer(served.get("rank")),
        space=coercion.number(served.get("space_diameter")),
        hit_die=coercion.text(served.get("suggested_hit_dice")).lower(),
    )


def skill(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/skills``."""
    return Reference(**head, ability=coercion.key(served.get("ability")))


def weapon_property(head: Open5eFields, served: Served, _: Context) -> Reference:
    """Adapt a record of ``v2/weaponproperties``; the type is Mastery or empty."""
    return Reference(**head, type=coercion.text(served.get("type")))
