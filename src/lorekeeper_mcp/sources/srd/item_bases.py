"""The weapon or armor that a magic item is made of: which one it is, and what the item's text changes in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeVar

from lorekeeper_mcp.models import ArmorStats, Edition, Equipment, Kind, Record, WeaponProperty, WeaponStats
from lorekeeper_mcp.text import fold

R = TypeVar("R", bound=Record)
Bases: TypeAlias = Mapping[str, Mapping[str, Equipment]]
"""Key of an SRD -> folded name -> its weapon or armor."""

_BOOKS = {Edition.E2014: ("srd-2014", "SRD 5.1"), Edition.E2024: ("srd-2024", "SRD 5.2.1")}
# Categories; one with a plain name in brackets, "Weapon (longsword)", names its base.
_MADE_OF = ("armor", "shield", "weapon")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_DEXTERITY = re.compile(
    r"maximum Dexterity modifier you can add to determine your Armor Class is (\d), instead of (\d)"
)
_NOT_HEAVY = re.compile(r"or has a Strength requirement, [^.]* version of the armor doesn.t")
_NOT_LOUD = re.compile(rf"{_NOT_HEAVY.pattern}|you don.t have disadvantage on Dexterity \(Stealth\) checks as a result")
_WEIGHT = re.compile(r"\b[Ii]t weighs only (\d+) pounds?\b")
# Of any weapon, but not "while it burns, it deals fire damage instead of ...".
_DAMAGE = re.compile(r"\b(?![Ii]t\b)\w+ deals (\w+) [Dd]amage instead of (\w+) [Dd]amage\b")
_PROPERTY = re.compile(
    r"\bhas the (finesse|light|reach|thrown) property\b"
    r"(?: with a normal range of (?P<near>\d+) feet and a long range of (?P<far>\d+) feet)?"
)
_NO_PROPERTY = re.compile(r"\bdoesn.t have the (\w+) property\b")


def bases_of(records: Iterable[Record]) -> Bases:
    """Return the weapons and armor of the SRDs among some records."""
    bases: dict[str, dict[str, Equipment]] = defaultdict(dict)
    for item in records:
        if isinstance(item, Equipment) and item.kind in (Kind.ARMOR, Kind.WEAPON):
            bases[item.document_key][fold(item.name)] = item
    return bases


def with_base(record: R, bases: Bases) -> R:
    """Return a magic item with the numbers of the weapon or armor that it is made of, as its own text changes them."""
    if not isinstance(record, Equipment) or record.kind is not Kind.MAGIC_ITEM:
        return record
    document, source = _BOOKS.get(next(iter(record.editions), Edition.A5E), ("", ""))
    made = _weighed(_made(record, bases, source), bases.get(document, {}), source)
    weapon, armor = made.weapon, made.armor
    changes: dict[str, object] = {
        "weapon": weapon and _with_own_damage(_with_own_properties(weapon, made.text), made.text),
        "armor": armor and _with_own_limits(armor, made.text),
    }
    if weight := _WEIGHT.search(made.text):
        changes["weight"] = float(weight[1])
    return made.model_copy(update=changes)  # type: ignore[return-value]  # Equipment, as given


def _made(record: Equipment, bases: Bases, source: str) -> Equipment:
    """The item with the book's numbers of its base, if those are not served."""
    base = None if record.weapon or record.armor else _named(record, bases)
    if base is None:
        return record
    field = "weapon" if base.weapon else "armor"
    made = record.amended({field: ("nothing", getattr(base, field))}, f"{source}, by its name")
    return made.model_copy(update={"weight": base.weight if base.armor else record.weight or base.weight})


def _weighed(record: Equipment, bases: Mapping[str, Equipment], source: str) -> Equipment:
    """The item with the weight of its base in the book of its edition, if none is served."""
    stats = record.weapon or record.armor
    if record.weight or stats is None:
        return record
    base = bases.get(fold(stats.name))
    is_known = base is not None and base.weight is not None
    return record.amended({"weight": ("nothing", base.weight)}, source) if base and is_known else record


def _named(record: Equipment, bases: Bases) -> Equipment | None:
    """The only weapon or armor that an item of one edition is named after, in the SRD of that edition."""
    if len(record.editions) != 1 or record.editions[0] not in _BOOKS or record.category not in _MADE_OF:
        return None
    by_name = bases.get(_BOOKS[record.editions[0]][0], {})
    brackets = [fold(bracketed) for bracketed in _BRACKETS.findall(record.category_text)]
    if any(len(_mentioned(bracketed, by_name)) > 1 for bracketed in brackets):
        return None  # "Longbow or Shortbow"
    names = _longest([*_mentioned(fold(record.name), by_name), *(name for name in brackets if name in by_name)])
    return by_name[names[0]] if len(names) == 1 else None


def _mentioned(text: str, names: Iterable[str]) -> list[str]:
    """The names in a folded text."""
    return _longest([name for name in names if f" {name} " in f" {text} "])


def _longest(names: Iterable[str]) -> list[str]:
    """The names without those that are a part of another: half plate, plate."""
    distinct = list(dict.fromkeys(names))
    return [name for name in distinct if not any(name != other and name in other for other in distinct)]


def _with_own_limits(armor: ArmorStats, text: str) -> ArmorStats:
    """The armor without the drawbacks that the text removes, as of mithral, and with its limit for Dexterity."""
    changes: dict[str, object] = {}
    if _NOT_LOUD.search(text):
        changes["stealth_disadvantage"] = False
    if _NOT_HEAVY.search(text):
        changes["strength_required"] = None
    usual = armor.dexterity_cap if armor.adds_dexterity else 0
    cap = next((int(most) for most, instead in _DEXTERITY.findall(text) if int(instead) == usual), None)
    if cap is not None:
        formula = f"{armor.ac_base} + Dex modifier (max {cap})"
        changes |= {"adds_dexterity": True, "dexterity_cap": cap, "ac_text": formula}
    return armor.model_copy(update=changes)


def _with_own_damage(weapon: WeaponStats, text: str) -> WeaponStats:
    types = (own.lower() for own, instead in _DAMAGE.findall(text) if instead.lower() == weapon.damage_type)
    return weapon.model_copy(update={"damage_type": next(types, weapon.damage_type)})


def _with_own_properties(weapon: WeaponStats, text: str) -> WeaponStats:
    """The weapon with a property that the text adds, and without one that it takes away."""
    properties = [prop for prop in weapon.properties if prop.name.lower() not in _NO_PROPERTY.findall(text)]
    changes: dict[str, object] = {}
    for added in _PROPERTY.finditer(text):
        if added["near"]:
            changes |= {"range": float(added["near"]), "long_range": float(added["far"])}
        if added[1] not in {prop.name.lower() for prop in properties}:
            detail = f"range {added['near']}/{added['far']}" if added["near"] else ""
            properties = sorted(
                [*properties, WeaponProperty(name=added[1].title(), detail=detail)], key=lambda prop: prop.name
            )
    return weapon.model_copy(update={**changes, "properties": tuple(properties)})
