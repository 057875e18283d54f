"""The weapon or armor that a magic item is made of: which one it is, and what the item's text changes in it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import TypeVar

from lorekeeper_mcp.models import ArmorStats, Edition, Equipment, Kind, Record, WeaponProperty, WeaponStats
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.text import fold

R = TypeVar("R", bound=Record)
_SOURCE = "SRD 5.1"
_BOOKS = {Edition.E2014: ("srd-2014", _SOURCE), Edition.E2024: ("srd-2024", "SRD 5.2.1")}
_MADE_OF = ("armor", "weapon")  # categories; one with a plain name in brackets, "Weapon (longsword)", names its base
_BRACKETS = re.compile(r"\(([^()]*)\)")
_DEXTERITY = re.compile(
    r"maximum Dexterity modifier you can add to determine your Armor Class is (\d), instead of (\d)"
)
_NOT_HEAVY = re.compile(r"or has a Strength requirement, [^.]* version of the armor doesn.t")
_NOT_LOUD = re.compile(rf"{_NOT_HEAVY.pattern}|you don.t have disadvantage on Dexterity \(Stealth\) checks as a result")
_WEIGHT = re.compile(r"\b[Ii]t weighs only (\d+) pounds?\b")
# Of any weapon, but not "while it burns, it deals fire damage instead of ...".
_DAMAGE = re.compile(r"\b(?![Ii]t\b)\w+ deals (\w+) damage instead of (\w+) damage\b")
_PROPERTY = re.compile(
    r"\bhas the (finesse|light|reach|thrown) property\b"
    r"(?: with a normal range of (?P<near>\d+) feet and a long range of (?P<far>\d+) feet)?"
)
_NO_PROPERTY = re.compile(r"\bdoesn.t have the (\w+) property\b")


def with_base(record: R) -> R:
    """Return a magic item with the numbers of the weapon or armor that it is made of, as its own text changes them."""
    if not isinstance(record, Equipment) or record.kind is not Kind.MAGIC_ITEM:
        return record
    made = _weighed(_made(record))
    weapon, armor = made.weapon, made.armor
    changes: dict[str, object] = {
        "weapon": weapon and _with_own_damage(_with_own_properties(weapon, made.text), made.text),
        "armor": armor and _with_own_limits(armor, made.text),
    }
    if weight := _WEIGHT.search(made.text):
        changes["weight"] = float(weight[1])
    return made.model_copy(update=changes)  # type: ignore[return-value]  # Equipment, as given


def _made(record: Equipment) -> Equipment:
    """The item with the book's numbers of its base, if those are not served, or are of another base by mistake."""
    stats = record.weapon or record.armor
    if stats is not None:
        is_other = any(note.field in ("weapon.name", "armor.name") for note in record.corrections)
        base = _bases().get(fold(stats.name)) if is_other else None
        return record.model_copy(update={"weapon": base.weapon, "armor": base.armor}) if base else record
    base = _named(record)
    if base is None:
        return record
    field = "weapon" if base.weapon else "armor"
    made = record.amended({field: ("nothing", getattr(base, field))}, f"{_SOURCE}, by its name")
    return made.model_copy(update={"weight": base.weight if base.armor else record.weight or base.weight})


def _weighed(record: Equipment) -> Equipment:
    """The item with the weight of its base in the book of its edition, if none is served."""
    stats = record.weapon or record.armor
    edition = next(iter(record.editions), None)
    if record.weight or stats is None or edition not in _BOOKS:
        return record
    document, source = _BOOKS[edition]
    base = _bases(document).get(fold(stats.name))
    return record.amended({"weight": ("nothing", base.weight)}, source) if base and base.weight else record


def _named(record: Equipment) -> Equipment | None:
    """The only weapon or armor of the SRD 5.1 that an item of its edition is named after."""
    if record.editions != (Edition.E2014,) or record.category not in _MADE_OF:
        return None
    names = [fold(record.name), *(fold(bracketed) for bracketed in _BRACKETS.findall(record.category_text))]
    mentioned = [name for name in _bases() if f" {name} " in f" {names[0]} " or name in names[1:]]
    longest = [name for name in mentioned if not any(name != other and name in other for other in mentioned)]
    return _bases()[longest[0]] if len(longest) == 1 else None


@functools.cache
def _bases(document: str = "srd-2014") -> Mapping[str, Equipment]:
    """Folded name -> weapon or armor of an SRD."""
    items = (item for item in srd.records() if isinstance(item, Equipment) and item.document_key == document)
    return {fold(item.name): item for item in items if item.kind in (Kind.ARMOR, Kind.WEAPON)}


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
    types = (own for own, instead in _DAMAGE.findall(text) if instead == weapon.damage_type)
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
