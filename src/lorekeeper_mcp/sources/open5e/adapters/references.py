"""The small reference lists: conditions, skills, languages, sizes and the like."""

from __future__ import annotations

from lorekeeper_mcp.models import Reference
from lorekeeper_mcp.sources.open5e.adapters import reading
from lorekeeper_mcp.sources.open5e.adapters.heading import Context, Head
from lorekeeper_mcp.sources.open5e.adapters.reading import Served


def plain(head: Head, _served: Served, _: Context) -> Reference:
    """A record with nothing but a name and perhaps a text."""
    return Reference(**head)


def ability(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/abilities`` with its skills; their own records hold their texts."""
    return Reference(**head, detail=reading.text(served.get("short_desc")), members=reading.refs(served.get("skills")))


def alignment(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/alignments``."""
    return Reference(
        **head,
        short_name=reading.text(served.get("short_name")),
        morality=reading.text(served.get("morality")),
        societal_attitude=reading.text(served.get("societal_attitude")),
    )


def condition(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/conditions`` with its icon."""
    icon = reading.fields(served.get("icon"))
    return Reference(
        **head, image=reading.text(icon.get("file_url")), attribution=reading.text(icon.get("attribution"))
    )


def creature_set(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/creaturesets``; of its creatures only which."""
    return Reference(**head, members=reading.refs(served.get("creatures")))


def environment(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/environments``."""
    return Reference(
        **head,
        aquatic=reading.flag(served.get("aquatic")),
        planar=reading.flag(served.get("planar")),
        interior=reading.flag(served.get("interior")),
    )


def image(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/images``; the address is relative to the site's."""
    head["text"] = reading.text(served.get("alt_text"))
    return Reference(
        **head, image=reading.text(served.get("file_url")), attribution=reading.text(served.get("attribution"))
    )


def item_rarity(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/itemrarities``; common has rank 1."""
    return Reference(**head, rank=reading.integer(served.get("rank")))


def item_set(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/itemsets``."""
    return Reference(**head, members=reading.refs(served.get("items")))


def language(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/languages``."""
    return Reference(
        **head,
        is_exotic=reading.flag(served.get("is_exotic")),
        is_secret=reading.flag(served.get("is_secret")),
        script=reading.key(served.get("script_language")),
    )


def service(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/services``; the detail says what the cost is for: per day, per mile."""
    return Reference(**head, cost=reading.number(served.get("cost")), detail=reading.text(served.get("detail")))


def size(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/sizes``."""
    return Reference(
        **head,
        rank=reading.integer(served.get("rank")),
        space=reading.number(served.get("space_diameter")),
        hit_die=reading.text(served.get("suggested_hit_dice")).lower(),
    )


def skill(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/skills``."""
    return Reference(**head, ability=reading.key(served.get("ability")))


def weapon_property(head: Head, served: Served, _: Context) -> Reference:
    """A record of ``v2/weaponproperties``; the type is Mastery or empty."""
    return Reference(**head, type=reading.text(served.get("type")))
