"""Renders the page of a weapon, an armor, an item or a magic item."""

from __future__ import annotations

from collections.abc import Sequence

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Ref, Source, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.printed_values import number, words
from lorekeeper_mcp.render.format import pounds
from lorekeeper_mcp.render.index_lines import category, cost, damage, value
from lorekeeper_mcp.render.markdown import body, entry, labels, page
from lorekeeper_mcp.text import letters


def equipment(record: Equipment) -> str:
    """The header with rarity and attunement or cost and weight, then statistics, text, contents and variants.

    Books print no statistics for magic items, so those of the base item are added below the text.
    """
    is_magic = record.kind is Kind.MAGIC_ITEM
    worth = labels(("Worth", _worth(record)), ("Weight", _weight(record))) if is_magic else ""
    statistics = labels(*_weapon(record), *_armor(record.armor, record), ("Size", _size(record)))
    return page(
        f"*{_header(record)}*",
        *((body(record.text), statistics, worth) if is_magic else (statistics, body(record.text))),
        *(_property(prop, record) for prop in (record.weapon.properties if record.weapon else ())),
        labels(("Contents", _names(record.contents)), ("Variants", _names(record.variants))),
    )


def _names(refs: Sequence[Ref]) -> str:
    """The names in one line, separated by semicolons if one has a comma: Weapon, +1; Weapon, +2."""
    names = [ref.name for ref in refs]
    return ("; " if any("," in name for name in names) else ", ").join(names)


def _header(record: Equipment) -> str:
    kind = record.category_text or category(record) or words(record.kind)
    rarity = record.rarity_text.lower() or words(record.rarity)
    parts = [part for part in (kind[:1].upper() + kind[1:], rarity) if part]
    if attunement := record.attunement_text or ("requires attunement" if record.requires_attunement else ""):
        parts[-1] += f" ({attunement})"
    if record.kind is not Kind.MAGIC_ITEM:
        parts += [_worth(record), _weight(record)]
    return ", ".join(filter(None, parts))


def _worth(record: Equipment) -> str:
    return cost(record) or value(record)


def _weight(record: Equipment) -> str:
    return pounds(record.weight) if record.weight else ""


def _size(record: Equipment) -> str:
    """The size of a mount or vehicle. It is left out for other items, since Open5e calls every magic item tiny."""
    return words(record.size) if record.size not in ("", "tiny") and record.kind is Kind.ITEM else ""


def _weapon(record: Equipment) -> list[tuple[str, str]]:
    weapon = record.weapon
    if weapon is None:
        return []
    two_handed = f" (two hands: {weapon.two_handed_damage})" if weapon.two_handed_damage else ""
    return [
        ("Weapon", _training(weapon, record)),
        ("Damage", f"{damage(record)}{two_handed}"),
        ("Range", _range(weapon)),
        ("Properties", ", ".join(_with_detail(prop, record) for prop in weapon.properties if prop.type != "Mastery")),
        ("Mastery", ", ".join(_with_detail(prop, record) for prop in weapon.properties if prop.type == "Mastery")),
    ]


def _training(weapon: WeaponStats, record: Equipment) -> str:
    kind = "" if weapon.proficiency in category(record) else weapon.proficiency
    base = weapon.name if weapon.name and weapon.name != record.name else ""
    improvised = "improvised" if weapon.is_improvised else ""
    return ", ".join(filter(None, (kind, improvised, base)))


def _range(weapon: WeaponStats) -> str:
    if weapon.range is None:
        return ""
    long_range = f"/{number(weapon.long_range)}" if weapon.long_range else ""
    return f"{number(weapon.range)}{long_range} ft."


def _with_detail(prop: WeaponProperty, record: Equipment) -> str:
    """The name with its numbers. Open5e has the rules of all properties, except those of one book."""
    is_lacking = not prop.text and record.document_source in (Source.OPEN5E_V1, Source.OPEN5E_V2)
    detail = prop.detail or ("rule not given" if is_lacking else "")
    return f"{prop.name} ({detail})" if detail else prop.name


def _property(prop: WeaponProperty, record: Equipment) -> str:
    is_in_text = letters(prop.text) in letters(record.text)  # as with a net, whose special property is its text
    return "" if is_in_text else entry(prop.name, prop.text, 1)


def _armor(armor: ArmorStats | None, record: Equipment) -> list[tuple[str, str]]:
    if armor is None:
        return []
    base = armor.name if armor.name and armor.name != record.name else ""
    worn = f"{armor.category} armor" if armor.category and armor.category != "shield" else armor.category
    kind = "" if worn == category(record) else worn
    formula = armor.ac_text or (str(armor.ac_base) if armor.ac_base is not None else "")
    return [
        ("Armor", ", ".join(filter(None, (kind, base)))),
        ("Armor Class", formula),
        ("Strength", f"{armor.strength_required} required" if armor.strength_required else ""),
        ("Stealth", "disadvantage" if armor.stealth_disadvantage else ""),
    ]
