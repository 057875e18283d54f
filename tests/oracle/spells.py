"""What each filter of ``search_spell`` selects."""

from __future__ import annotations

import functools
import re

from tests.oracle.cases import Raw, Test, at_least, at_most, cased, cases, document, fold, same
from tests.oracle.conditions import imposes
from tests.served_open5e import IS_RECORDED, load

# A subclass of a third-party book whose list is in a table of its text.
LISTING = ("Wind Domain", "toh_wind-domain") if IS_RECORDED else ("Wick Guild", "toh_wick-guild")


BOOKS_OF_VERSION_1 = {
    "a5e": "a5e-ag", "dmag": "deepm", "dmag-e": "deepmx", "kp": "kp", "o5e": "open5e", "toh": "toh", "warlock": "wz",
}  # fmt: skip


@functools.cache
def older_spells() -> dict[str, Raw]:
    """The version 1 data of spells outside the SRDs, by their keys in version 2."""
    return {
        f"{book}_{r['slug'].removesuffix('-a5e')}": r
        for r in load("v1/spells")
        if (book := BOOKS_OF_VERSION_1.get(r["document__slug"]))
    }


def in_class(record: Raw, wanted: str) -> bool:
    keys = [c["key"] for c in record["classes"]]
    lower = str(record["_v1"].get("dnd_class") or "").lower().replace("sorceror", "sorcerer")
    keys += [f"srd_{name.strip()}" for name in lower.split(",") if name.strip()]
    if wanted == LISTING[1]:
        return record["key"] in on_list(wanted)
    return wanted in keys if "_" in wanted else any(key.partition("_")[2] == wanted for key in keys)


@functools.cache
def on_list(subclass: str) -> frozenset[str]:
    """Keys of the spells in the last column of a subclass's table: those of its own book, or of the SRD 5.1."""
    (found,) = (one for one in load("v2/classes") if one["key"] == subclass)
    (text,) = (one["desc"] for one in found["features"] if one["name"].endswith("Spells"))
    rows = re.findall(r"^\|\s*\d\w\w\s*\|(.+)\|\s*$", text, re.MULTILINE)
    spells = {(fold(one["name"]), document(one)): one["key"] for one in load("v2/spells")}
    names = [fold(re.sub(r"\(.*?\)", "", name)) for row in rows for name in row.split(",")]
    books = (document(found), "srd-2014")
    return frozenset(next(key for book in books if (key := spells.get((name, book)))) for name in names)


def feet(spell: Raw) -> float | None:
    """A range in feet; None for sight (served as 2020 feet) and special ranges."""
    if spell["range"] is None or spell["range"] == 2020 or spell["range_text"] == "Special":
        return None
    return float(spell["range"]) * (5280 if spell["range_unit"] == "miles" else 1)


def material_cost(spell: Raw) -> float | None:
    """As served, or the first price in the text; 0.00 is served if nobody looked it up."""
    if spell["material_cost"] and float(spell["material_cost"]):
        return float(spell["material_cost"])
    price = re.search(r"([\d,]*\d)\+? ?gp", (spell["material_specified"] or "").lower())
    return float(price[1].replace(",", "")) if price else None


def area(spell: Raw) -> str:
    """The shape as served, unless the text has one other with a size in feet before it, or the first in the text.

    Version 1's range may have it in brackets.
    """
    older = re.match(r"[^(]*\((\d+[^)]*)\)", str(spell["_v1"].get("range") or ""))
    printed = older[1] if older and "(" not in spell["range_text"] else spell["range_text"]
    text = re.sub("[\u2010\u2011]", "-", f"{printed}. {spell['desc']}".lower())
    sized = re.findall(
        r"\b(\d+)[- ](?:foot|feet|ft\.?)(?:[- ](?!or\b|and\b|in\b)[\w-]+,?){0,4}[- ]"
        r"(cone|cube|cylinder|emanation|line|sphere)\b",
        text,
    )
    served = spell["shape_type"] or ""
    if not served:
        return sized[0][1] if sized else ""
    in_text = {shape for feet_, shape in sized if spell["shape_size"] and float(feet_) == float(spell["shape_size"])}
    return in_text.pop() if len(in_text) == 1 else served


def needs_attack_roll(text: str) -> bool:
    """Whether a spell attack, or an attack with the caster's modifier for it, is made as a part of casting."""
    plain = text.lower()
    made = r"\b(?:makes?|making|require[sd]?|requiring|succeeds? on|successful) (?:an? )?(?:\w+ )?"
    return re.search(rf"{made}(?:ranged |melee )?spell attack\b", plain) is not None


ABILITY = "strength|dexterity|constitution|intelligence|wisdom|charisma"


def asks_for_save(text: str, ability: str) -> bool:
    """Whether a save is made, one at a time, alone or as one of two; or several, as the object of a verb."""
    plain = text.lower()
    saves = rf"((?:(?:{ABILITY})(?: or | and |, or |, and )(?:an? )?)?(?:{ABILITY})) sav(?:e|ing throw)(s?)\b"
    for save in re.finditer(saves, plain):
        *_, last = before = ["", *plain[: save.start()].split()[-4:]]
        is_led = re.fullmatch(r"an?|another|the|failed|successful", last.strip("*(")) or before[-2] == "dc"
        is_made = "must" in before if save[2] else bool(is_led) or plain[: save.start()].endswith("** ")
        if is_made and ability in save[1]:
            return True
    return False


# The book's conditions where Open5e has no text, lacks the stat block or says "dazed".
FROM_THE_BOOK = {
    "srd-2024_greater-invisibility": "invisible",
    "srd-2024_giant-insect": "poisoned",
    "srd_divine-word": "stunned",
}

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
    "area": lambda r, v: area(r) == v,
    "attack_roll": lambda r, v: (r["attack_roll"] or needs_attack_roll(r["desc"])) is v,
    "saving_throw": lambda r, v: r["saving_throw_ability"] == v or asks_for_save(r["desc"], v),
    "condition": lambda r, v: imposes(r["desc"], v) or v == FROM_THE_BOOK.get(r["key"]),
    "verbal": lambda r, v: r["verbal"] is v,
    "somatic": lambda r, v: r["somatic"] is v,
    "material": lambda r, v: r["material"] is v,
    "material_cost_min": lambda r, v: at_least(material_cost(r), v),
    "material_cost_max": lambda r, v: at_most(material_cost(r), v),
    "duration": lambda r, v: bool(re.match(rf"(up to )?{v}(,| or |;|$)", r["duration"], re.IGNORECASE)),
    "range": lambda r, v: re.match(r"\w*", r["range_text"])[0].lower() == v,
    "range_min": lambda r, v: at_least(feet(r), v),
}
SPELL_CASES = [
    *cases("level", same([0, 3, 9])),
    *cases("level_min", same([7, 9])),
    *cases("level_max", same([0, 1])),
    *cases("school", cased(["evocation", "necromancy", "transformation"])),
    *cases(
        "class_key",
        [
            ("wizard", "wizard"),
            ("Paladin", "paladin"),
            ("sorcerer", "sorcerer"),
            ("srd_druid", "srd_druid"),
            ("SRD-2024_Bard", "srd-2024_bard"),
            LISTING,
        ],
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
    *cases("area", cased(["cone", "line", "cube", "emanation"])),
    *cases("attack_roll", same([True, False])),
    *cases("saving_throw", cased(["strength", "charisma", "wisdom"])),
    *cases("condition", [("Blind", "blinded"), ("charmed", "charmed"), ("PRONE", "prone"), ("stun", "stunned")]),
    *cases("condition", same(["poisoned", "exhaustion", "invisible"])),
    *cases("verbal", same([False, True])),
    *cases("somatic", same([False, True])),
    *cases("material", same([True, False])),
    *cases("material_cost_min", same([1000, 5000])),
    *cases("material_cost_max", same([10, 100])),
    *cases(
        "duration",
        [("1 minute", "1 minute"), ("Concentration, up to 8 hours", "8 hours"), ("instant", "instantaneous")],
    ),
    *cases("range", cased(["touch", "self"])),
    *cases("range_min", same([500, 5280])),
]
