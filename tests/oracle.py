"""What each filter must select, computed from the recorded JSON and the table of corrections, in words of its own.

Nothing here uses the code under test: a filter that the server maps wrongly is not mapped wrongly here too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.mended import mended

Raw = dict[str, Any]
Test = Callable[[Raw, Any], bool]


@dataclass(frozen=True)
class Case:
    """A value for an argument, and what it is compared with."""

    argument: str
    value: Any
    meant: Any


def fold(name: str) -> str:
    plain = unicodedata.normalize("NFKD", re.sub("['’]", "", name.casefold()))
    return re.sub(r"[\W_]+", " ", "".join(c for c in plain if not unicodedata.combining(c))).strip()


def document(record: Raw) -> str:
    found = record.get("document") or record.get("document__slug")
    key = str(found["key"]) if isinstance(found, dict) else str(found)
    return {"taldorei": "tdcs"}.get(key, key)


def same(values: list[Any]) -> list[tuple[Any, Any]]:
    return [(value, value) for value in values]


def cased(values: list[str]) -> list[tuple[Any, Any]]:
    """The same value as the key, in capitals, and as words."""
    forms = (str, str.upper, lambda key: key.replace("-", " ").title())
    return [(form(value), value) for value, form in zip(values, forms * len(values), strict=False)]


def cases(argument: str, values: list[tuple[Any, Any]]) -> list[Case]:
    return [Case(argument, given, meant) for given, meant in values]


def number(value: Any) -> float | None:
    return None if value is None else float(value)


def at_least(value: float | None, low: float) -> bool:
    return value is not None and value >= low


def at_most(value: float | None, high: float) -> bool:
    return value is not None and value <= high


def weapon(record: Raw) -> Raw | None:
    return record if "damage_dice" in record else record.get("weapon")


def properties(record: Raw) -> list[str]:
    return [p["property"]["name"].lower() for p in (weapon(record) or {}).get("properties", [])]


def in_class(record: Raw, wanted: str) -> bool:
    keys = [c["key"] for c in record["classes"]]
    return wanted in keys if "_" in wanted else any(key.partition("_")[2] == wanted for key in keys)


def feet(spell: Raw) -> float | None:
    """A range in feet; sight (served as 2020 feet) and what is special have none."""
    if spell["range"] is None or spell["range"] == 2020 or spell["range_text"] == "Special":
        return None
    return float(spell["range"]) * (5280 if spell["range_unit"] == "miles" else 1)


SPELL: dict[str, Test] = {
    "level": lambda r, v: r["level"] == v,
    "level_min": lambda r, v: r["level"] >= v,
    "level_max": lambda r, v: r["level"] <= v,
    "school": lambda r, v: r["school"]["key"] == v,
    "class_key": in_class,
    "concentration": lambda r, v: r["concentration"] is v,
    "ritual": lambda r, v: r["ritual"] is v,
    "casting_time": lambda r, v: r["casting_time"] == v,
    "damage_type": lambda r, v: v in r["damage_types"],
    "saving_throw": lambda r, v: r["saving_throw_ability"] == v,
    "verbal": lambda r, v: r["verbal"] is v,
    "somatic": lambda r, v: r["somatic"] is v,
    "material": lambda r, v: r["material"] is v,
    "material_cost_min": lambda r, v: at_least(number(r["material_cost"]), v),
    "material_cost_max": lambda r, v: at_most(number(r["material_cost"]), v),
    "duration": lambda r, v: bool(re.match(rf"(up to )?{v}(,| or |;|$)", r["duration"], re.IGNORECASE)),
    "range_min": lambda r, v: at_least(feet(r), v),
}
SPELL_CASES = [
    *cases("level", same([0, 3, 9])),
    *cases("level_min", same([7, 9])),
    *cases("level_max", same([0, 1])),
    *cases("school", cased(["evocation", "necromancy", "transformation"])),
    *cases(
        "class_key",
        [("wizard", "wizard"), ("Paladin", "paladin"), ("srd_druid", "srd_druid"), ("SRD-2024_Bard", "srd-2024_bard")],
    ),
    *cases("concentration", same([True, False])),
    *cases("ritual", same([True, False])),
    *cases(
        "casting_time",
        [
            ("bonus action", "bonus-action"),
            ("1 Reaction", "reaction"),
            ("1 minute", "1minute"),
            ("10 Minutes", "10minutes"),
            ("action", "action"),
            ("1 hour", "1hour"),
        ],
    ),
    *cases("damage_type", cased(["fire", "psychic", "thunder"])),
    *cases("saving_throw", cased(["dexterity", "charisma"])),
    *cases("verbal", same([False])),
    *cases("somatic", same([False, True])),
    *cases("material", same([True])),
    *cases("material_cost_min", same([1000, 5000])),
    *cases("material_cost_max", same([10])),
    *cases(
        "duration",
        [("1 minute", "1 minute"), ("Concentration, up to 8 hours", "8 hours"), ("instant", "instantaneous")],
    ),
    *cases("range_min", same([500, 5280])),
]

ABILITY = "ability_scores"


def defenses(record: Raw, field: str) -> list[str]:
    return [one["key"] for one in record["resistances_and_immunities"][field]]


CREATURE: dict[str, Test] = {
    "cr": lambda r, v: r["challenge_rating"] == v,
    "cr_min": lambda r, v: r["challenge_rating"] >= v,
    "cr_max": lambda r, v: r["challenge_rating"] <= v,
    "type": lambda r, v: r["type"]["key"] == v,
    "size": lambda r, v: v in r.get("sizes", [r["size"]["key"]]),
    "armor_class_min": lambda r, v: r["armor_class"] >= v,
    "hit_points_min": lambda r, v: r["hit_points"] >= v,
    "environment": lambda r, v: any(e["key"] == v for e in r["environments"]),
    "ability_min": lambda r, v: all(r[ABILITY][name] >= score for name, score in v.items()),
    "ability_max": lambda r, v: all(r[ABILITY][name] <= score for name, score in v.items()),
    "speed": lambda r, v: bool(r["speed_all"]["hover"] if v == "hover" else r["speed"].get(v)),
    "speed_min": lambda r, v: max((f for m, f in r["speed"].items() if m != "unit" and f), default=-1) >= v,
    "sense": lambda r, v: bool(r[f"{v}_range"]),
    "damage_immunity": lambda r, v: v in defenses(r, "damage_immunities"),
    "damage_resistance": lambda r, v: v in defenses(r, "damage_resistances"),
    "damage_vulnerability": lambda r, v: v in defenses(r, "damage_vulnerabilities"),
    "condition_immunity": lambda r, v: v in defenses(r, "condition_immunities"),
}
CREATURE_CASES = [
    *cases("cr", [(5, 5.0), ("1/4", 0.25), ("0.125", 0.125), (0, 0.0), (30, 30.0)]),
    *cases("cr_min", [(17, 17.0), ("20", 20.0)]),
    *cases("cr_max", [("1/2", 0.5), (0, 0.0)]),
    *cases("type", cased(["undead", "dragon", "ooze"])),
    *cases("size", cased(["gargantuan", "tiny", "titanic"])),
    *cases("armor_class_min", same([20, 22])),
    *cases("hit_points_min", same([300, 500])),
    *cases("environment", cased(["forest", "caves", "laboratory"])),
    *cases(
        "ability_min",
        [({"strength": 28}, {"strength": 28}), ({"INT": 20, "wisdom": 20}, {"intelligence": 20, "wisdom": 20})],
    ),
    *cases("speed", cased(["burrow", "hover"])),
    *cases("speed_min", same([100, 150])),
    *cases("sense", cased(["tremorsense", "truesight"])),
    *cases("damage_immunity", cased(["force", "radiant"])),
    *cases("damage_resistance", cased(["force", "thunder"])),
    *cases("damage_vulnerability", cased(["fire", "cold"])),
    *cases("condition_immunity", cased(["incapacitated", "stunned"])),
    *cases("ability_max", [({"constitution": 5}, {"constitution": 5}), ('{"dexterity": 3}', {"dexterity": 3})]),
]


def as_item(record: Raw) -> Raw | None:
    """The item that a weapon or an armor is; a few items have keys of their own (leather armor)."""
    items = mended("v2/items")
    part = "weapon" if "damage_dice" in record else "armor"
    same_key = (item for item in items if item["key"] == record["key"])
    holds = (item for item in items if (item[part] or {}).get("key") == record["key"])
    return next(same_key, None) or next(holds, None)


WORTH = {"common": 100, "uncommon": 400, "rare": 4000, "very-rare": 40_000, "legendary": 200_000}  # SRD 5.2


def cost_of(record: Raw, field: str = "cost") -> float | None:
    if "rarity" in record:  # Open5e writes 0.00 where it does not know what a magic item costs or weighs
        return number(record[field]) or (worth(record) if field == "cost" else None)
    if "damage_dice" in record or "ac_base" in record:
        item = as_item(record)
        return number(item[field]) if item else None
    return number(record[field])


def worth(record: Raw) -> float | None:
    """What the SRD 5.2 says that items of a single rarity are worth, potions half of it."""
    of_book = record["document"]["key"] == "srd-2024" and record["rarity"]
    value = WORTH.get(record["rarity"]["key"]) if of_book and not record.get("rarity_text") else None
    return value / 2 if value and record["category"]["key"] == "potion" else value


def weight_of(record: Raw) -> float | None:
    return cost_of(record, "weight")


def is_property(name: str) -> Test:
    return lambda r, v: weapon(r) is not None and (name in properties(r)) is v


EQUIPMENT: dict[str, Test] = {
    "category": lambda r, v: (r["category"]["key"] if isinstance(r.get("category"), dict) else r.get("category")) == v,
    "rarity": lambda r, v: bool(r.get("rarity")) and r["rarity"]["key"] == v,
    "requires_attunement": lambda r, v: r.get("requires_attunement") is v,
    "is_magic": lambda r, v: ("rarity" in r) is v,
    "damage_dice": lambda r, v: weapon(r) is not None and weapon(r)["damage_dice"] == v,  # type: ignore[index]
    "damage_type": lambda r, v: weapon(r) is not None and weapon(r)["damage_type"]["key"] == v,  # type: ignore[index]
    "property": lambda r, v: v in properties(r),
    "is_simple": lambda r, v: weapon(r) is not None and weapon(r)["is_simple"] is v,  # type: ignore[index]
    "is_finesse": is_property("finesse"),
    "is_light": is_property("light"),
    "cost_min": lambda r, v: at_least(cost_of(r), v),
    "cost_max": lambda r, v: at_most(cost_of(r), v),
    "weight_max": lambda r, v: at_most(weight_of(r), v),
}
EQUIPMENT_CASES = [
    *cases("category", cased(["ring", "potion", "wondrous-item"])),
    *cases("rarity", cased(["legendary", "artifact", "very-rare"])),
    *cases("requires_attunement", same([True, False])),
    *cases("is_magic", same([False, True])),
    *cases("damage_dice", [("2d6", "2d6"), ("1D12", "1d12")]),
    *cases("damage_type", cased(["slashing", "piercing"])),
    *cases("property", cased(["finesse", "two-handed", "vex"])),
    *cases("is_simple", same([True, False])),
    *cases("is_finesse", same([True, False])),
    *cases("is_light", same([True, False])),
    *cases("cost_min", same([500, 1000])),
    *cases("cost_max", same([0.05, 1])),
    *cases("weight_max", same([0, 0.5])),
]

OPTION: dict[str, Test] = {
    "type": lambda r, v: v == "all" or r["_type"] == v or (v == "subrace" and r.get("is_subspecies") is True),
    "class_key": lambda r, v: (
        bool(r.get("subclass_of"))
        and (r["subclass_of"]["key"] == v if "_" in v else r["subclass_of"]["key"].rpartition("_")[2] == v)
    ),
}
OPTION_CASES = [
    *cases(
        "type",
        [
            ("class", "class"),
            ("Subclass", "subclass"),
            ("race", "species"),
            ("species", "species"),
            ("subrace", "subrace"),
            ("background", "background"),
            ("FEAT", "feat"),
        ],
    ),
    *cases("class_key", [("wizard", "wizard"), ("Srd_Cleric", "srd_cleric"), ("Rogue", "rogue")]),
]
RULE: dict[str, Test] = {
    "rule_type": lambda r, v: r["_type"] == v,
    "section": lambda r, v: r["_type"] == "rule" and str(r.get("ruleset", "")).partition("_")[2] == v,
}
RULE_CASES = [
    *cases(
        "rule_type",
        cased(
            [
                "rule",
                "condition",
                "skill",
                "ability-score",
                "damage-type",
                "weapon-property",
                "magic-school",
                "language",
                "alignment",
                "environment",
            ]
        ),
    ),
    *cases(
        "section", [("combat", "combat"), ("Environment", "environment"), ("Damage and Healing", "damage-and-healing")]
    ),
]

TOOLS: dict[str, tuple[dict[str, str], dict[str, Test], list[Case]]] = {
    "search_spell": ({"v2/spells": "spell"}, SPELL, SPELL_CASES),
    "search_creature": ({"v2/creatures": "creature"}, CREATURE, CREATURE_CASES),
    "search_equipment": (
        {"v2/weapons": "weapon", "v2/armor": "armor", "v2/items": "item", "v2/magicitems": "magic-item"},
        EQUIPMENT,
        EQUIPMENT_CASES,
    ),
    "search_character_option": (
        {"v2/classes": "", "v2/species": "species", "v2/backgrounds": "background", "v2/feats": "feat"},
        OPTION,
        OPTION_CASES,
    ),
    "search_rule": (
        {
            "v2/rules": "rule",
            "v2/conditions": "condition",
            "v2/skills": "skill",
            "v2/abilities": "ability-score",
            "v2/damagetypes": "damage-type",
            "v2/weaponproperties": "weapon-property",
            "v2/spellschools": "magic-school",
            "v2/languages": "language",
            "v2/alignments": "alignment",
            "v2/environments": "environment",
        },
        RULE,
        RULE_CASES,
    ),
}


def records(tool: str) -> Iterator[Raw]:
    """Every recorded record that a tool may answer with, with its kind under ``_type``."""
    for endpoint, kind in TOOLS[tool][0].items():
        for record in mended(endpoint):
            yield {**record, "_type": kind or ("subclass" if record["subclass_of"] else "class")}


def expected(tool: str, *wanted: Case) -> set[tuple[str, str]]:
    """(kind, key) of every recorded record that all the cases select."""
    tests = TOOLS[tool][1]
    return {
        (record["_type"], record["key"])
        for record in records(tool)
        if all(tests[case.argument](record, case.meant) for case in wanted)
    }
