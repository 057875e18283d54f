"""The item that every homebrew reader produces: weapons, armor, gear and magic items."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Section, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.vocabulary import GOLD, RARITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import mapping, number, text
from lorekeeper_mcp.sources.imported import slug

_PRICE = re.compile(r"([\d,]{1,12}(?:\.\d{1,4})?)\s*(cp|sp|ep|gp|pp)?", re.I)
_WEIGHT = re.compile(r"(\d{1,6}(?:\.\d{1,4})?|½|¼|\d{1,3}/\d{1,3})\s*(?:lbs?\.?|pounds?)?", re.I)
_NONMAGICAL = frozenset({"", "none", "unknown", "mundane"})


@dataclass(frozen=True)
class WeaponForm:
    """The numbers of a weapon. Ranges in feet; ``training`` is simple, martial, or empty."""

    damage: str = ""  # 1d8
    damage_type: str = ""
    two_handed: str = ""  # 1d10
    range: float | None = None
    long_range: float | None = None
    properties: tuple[WeaponProperty, ...] = ()
    training: str = ""
    is_ranged: bool | None = None


@dataclass(frozen=True)
class ArmorForm:
    """The numbers of an armor. ``category`` is light, medium, heavy or shield; ``cap`` limits Dexterity's modifier."""

    category: str = ""
    base: int | None = None
    cap: int | None = None
    strength: int | None = None
    hinders_stealth: bool = False


@dataclass(frozen=True)
class ItemForm:
    """An item as a program describes it. ``cost`` is in gp, ``weight`` in pounds."""

    category: str = ""  # a name or a key
    category_text: str = ""  # as printed, if it is more specific
    cost: float | None = None
    weight: float | None = None
    rarity: str = ""  # as printed: "uncommon (+1) or rare (+2)"
    attunement: bool | None = None
    attunement_text: str = ""
    weapon: WeaponForm | None = None
    armor: ArmorForm | None = None
    image: str = ""
    other: tuple[Section, ...] = ()


def to_equipment(form: ItemForm, head: CommonFields) -> Equipment:
    """Return the record of an item, of the kind that its head has. Raises ValidationError for an odd value."""
    rarity = form.rarity.strip().lower()
    first, _, note = rarity.partition(" (")
    key = "" if rarity in _NONMAGICAL else slug(first)
    return Equipment.model_validate(
        {
            **head,
            "category": slug(form.category) if form.category else "",
            "category_text": form.category_text,
            "cost": form.cost,
            "weight": form.weight,
            "rarity": key if key in RARITIES else "",
            "rarity_text": form.rarity if key and (note or key not in RARITIES) else "",
            "requires_attunement": (
                False if form.attunement is None and head["kind"] is Kind.MAGIC_ITEM else form.attunement
            ),
            "attunement_text": form.attunement_text,
            "weapon": _weapon(form.weapon, head) if form.weapon else None,
            "armor": _armor(form.armor, head) if form.armor else None,
            "image": form.image,
            "other": form.other,
        }
    )


def _weapon(form: WeaponForm, head: CommonFields) -> WeaponStats:
    properties = form.properties
    if form.two_handed and not any(prop.name == "Versatile" for prop in properties):
        properties = (*properties, WeaponProperty(name="Versatile"))
    return WeaponStats(
        name=head["name"],
        key=head["key"],
        damage_dice=form.damage.lower().replace(" ", ""),
        damage_type=slug(form.damage_type) if form.damage_type else "",
        two_handed_damage=form.two_handed.replace(" ", ""),
        range=form.range,
        long_range=form.long_range,
        properties=properties,
        is_simple={"simple": True, "martial": False}.get(form.training.lower()),
        is_ranged=form.is_ranged,
    )


def _armor(form: ArmorForm, head: CommonFields) -> ArmorStats:
    """The numbers of an armor; medium armor without a limit of Dexterity's modifier adds at most 2."""
    cap = 2 if form.cap is None and form.category == "medium" else form.cap
    adds_dexterity = cap != 0 and (form.category in ("light", "medium") or cap is not None)
    limit = f" (max {cap})" if cap is not None else ""
    dexterity = f" + Dex modifier{limit}" if adds_dexterity else ""
    sign = "+" if form.category == "shield" else ""
    return ArmorStats(
        name=head["name"],
        key=head["key"],
        category=form.category,
        ac_text=f"{sign}{form.base}{dexterity}" if form.base is not None else "",
        ac_base=form.base,
        adds_dexterity=adds_dexterity,
        dexterity_cap=cap,
        strength_required=form.strength,
        stealth_disadvantage=form.hinders_stealth,
    )


def named_properties(names: Iterable[str]) -> tuple[WeaponProperty, ...]:
    """Return the properties of a weapon, each once, by their printed names."""
    return tuple(WeaponProperty(name=name) for name in dict.fromkeys(names) if name)


def price(value: object, coin: str = "gp") -> float | None:
    """Return a price in gp from 15, ``15 gp``, ``2,000`` or ``{"amount": 15, "coin": "gp"}`` in any format's words."""
    amount: float | None
    if isinstance(value, dict):
        coin = next((found for part in mapping(value).values() if (found := text(part).lower()) in GOLD), coin)
        amounts = [number(part) for part in mapping(value).values()]
        amount = next((found for found in amounts if found is not None), None) if len(value) <= 2 else None
    elif match := _PRICE.fullmatch(text(value)):
        amount, coin = number(match[1]), (match[2] or coin).lower()
    else:
        amount = None
    return round(amount * GOLD[coin], 4) if amount is not None and coin in GOLD else None


def pounds(value: object) -> float | None:
    """Return a weight in pounds from 3, ``3 lb.`` or ``1/2 pound``."""
    match = _WEIGHT.fullmatch(text(value))
    return number(match[1]) if match else None
