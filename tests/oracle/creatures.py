"""What each filter of ``search_creature`` selects."""

from __future__ import annotations

import functools
import re

from tests.oracle.cases import Raw, Test, cased, cases, fold, same
from tests.oracle.conditions import imposes
from tests.served_open5e import load

ABILITY = "ability_scores"


TYPES = frozenset(
    "aberration beast celestial construct dragon elemental fey fiend giant humanoid monstrosity ooze plant "
    "undead".split()
)
WEAPONS = {"bludgeoning", "piercing", "slashing"}


def defended(record: Raw, field: str, wanted: str) -> bool:
    """By the printed words, also of version 1; served keys count if none are printed, or only weapons in general."""
    served = record["resistances_and_immunities"]
    older = {} if record["document"]["key"].startswith("srd") else record["_v1"]
    printed = served[f"{field}_display"] or older.get(field) or ""
    text, keys = printed.lower(), [one["key"] for one in served[field]]
    if field == "condition_immunities":  # some books print them with damage
        with_damage = f"{served['damage_immunities_display']} {older.get('damage_immunities')}".lower()
        return wanted in keys or wanted in text or wanted in with_damage
    in_general = wanted in WEAPONS and not any(word in text for word in WEAPONS)
    if in_general and "b/p/s" in text:
        return True
    return wanted in keys if not text or (in_general and "weapon" in text) else wanted in re.split(r"\W+", text)


@functools.cache
def archive() -> dict[str, Raw]:
    """The version 1 data of creatures, by their keys in version 2."""
    return {str(r["v2_converted_path"]).strip("/").rpartition("/")[2]: r for r in load("v1/monsters")}


def subtypes(record: Raw) -> set[str]:
    """The words in brackets after the type, from version 1 if version 2 has none, and the group: "Devils" is devil."""
    printed = record["type"]["name"].partition("(")[2].rstrip(")")
    if not printed and not record["subcategory"]:
        printed = record["_v1"].get("subtype") or ""
    words = [fold(word) for text in (printed, record["subcategory"] or "") for word in re.split(", | or |,", text)]
    irregular = {"fungi": "fungus", "mummies": "mummy", "sphinxes": "sphinx"}
    return {irregular.get(word, word.removesuffix("s")) for word in words}


def aligned(record: Raw, wanted: str) -> bool:
    """Both words of a pair in sequence, or a single word on its own, which ``non-good`` is not."""
    said = (record["alignment"] or record["_v1"].get("alignment") or "").lower()
    if wanted == "true neutral":
        return said == "neutral"
    return re.search(rf"(?<![\w-]){wanted}\b", said) is not None


def speaks(record: Raw, wanted: str) -> bool:
    said = record["languages"]["as_string"].lower()
    return re.search(rf"\b{wanted}\b", said) is not None or wanted in [
        one["key"] for one in record["languages"]["data"]
    ]


def is_legendary(record: Raw) -> bool:
    types = [action["action_type"] for action in record["actions"]]
    older = record["_v1"]
    return "LEGENDARY_ACTION" in types or bool(older.get("legendary_desc") or older.get("legendary_actions"))


def casts(record: Raw, wanted: str) -> bool:
    """A trait lists the spell, an action is the spell, or a sentence casts it or has its effect."""
    parts = [*record["traits"], *record["actions"], *(record["_v1"].get("actions") or [])]
    sentences = [one for part in parts for one in re.split(r"(?<=\.)(?<!vs\.)\s|\n", part["desc"].lower())]
    is_it = any(p["name"].lower() == wanted and re.match(r"\((?:\d..-level|cantrip)", p["desc"].lower()) for p in parts)
    return is_it or is_listed(parts, wanted) or any(has_it_cast(sentence, wanted) for sentence in sentences)


def has_it_cast(sentence: str, wanted: str) -> bool:
    """The name follows the verb, and the words between do not give another purpose."""
    found = re.search(
        rf"\b(?:casts?|casting|effects? of|can use|or be affected by)\b(?P<between>[^.:]*?)\b{wanted}(?![a-z])",
        sentence,
    )
    if found is not None and not re.search(r"\b(?:with|on|against|such as)\b|immune", found["between"]):
        return True
    return works_like(sentence, wanted)


def works_like(sentence: str, wanted: str) -> bool:
    """Something works like the spell, or affects somebody with it; not if that is only a possibility."""
    likeness = r"(?:works?|functions?)(?: exactly)? like|\bas (?:if|though|per|by)\b.*?|identical to|similar to|\bas"
    option = r"(?:the [\w ]+ (?:aspect|option) of )?"
    spell = rf"(?:the |an? )?(?:(?:spell|cantrip) {wanted}|{wanted} (?:spell|cantrip))"
    affected = rf"(?:^|, )(?:(?!if|when)\w+ )*(?:(?<!that )is|are|becomes) affected by (?:either )?{spell}"
    return re.search(rf"(?:{likeness}) {option}{spell}|{affected}", sentence) is not None


def is_listed(parts: list[Raw], wanted: str) -> bool:
    """The name follows a colon or a comma of a list, unless these were lost."""
    told = [(part["name"], part["desc"].lower()) for part in parts]
    texts = [text for name, text in told if "pellcasting" in name or re.search(r"spellcast|\bspells\b", text)]
    lost = [text for text in texts if "," not in text and re.search(r"will:|/day", text)]
    return any(re.search(rf"[:,][*_ ]*{wanted}(?![a-z])", text) for text in texts) or any(
        re.search(rf" {wanted}(?![a-z])", text) for text in lost
    )


def entries(record: Raw) -> list[Raw]:
    return [*record["traits"], *record["actions"], *(record["_v1"].get("actions") or [])]


def causes(record: Raw, condition: str) -> bool:
    """Whether an entry imposes the condition; two blanks are a comma that one book has lost."""
    texts = (re.sub(r"(?<=\w)  (?=\w)", ", ", part["desc"]) for part in entries(record))
    return any(imposes(text, condition) for text in texts)


def has_trait(record: Raw, wanted: str) -> bool:
    return any(fold(re.sub(r"\(.*?\)", "", part["name"])) == wanted for part in entries(record))


CREATURE: dict[str, Test] = {
    "cr": lambda r, v: r["challenge_rating"] == v,
    "cr_min": lambda r, v: r["challenge_rating"] >= v,
    "cr_max": lambda r, v: r["challenge_rating"] <= v,
    "type": lambda r, v: r["type"]["key"] == v or (v not in TYPES and v in subtypes(r)),
    "size": lambda r, v: v in r.get("sizes", [r["size"]["key"]]),
    "armor_class_min": lambda r, v: r["armor_class"] >= v,
    "hit_points_min": lambda r, v: r["hit_points"] >= v,
    "environment": lambda r, v: any(e["key"] == v for e in r["environments"]),
    "ability_min": lambda r, v: all(r[ABILITY][name] >= score for name, score in v.items()),
    "ability_max": lambda r, v: all(r[ABILITY][name] <= score for name, score in v.items()),
    "speed": lambda r, v: bool(r["speed_all"]["hover"] if v == "hover" else r["speed"].get(v)),
    "speed_min": lambda r, v: max((f for m, f in r["speed"].items() if m != "unit" and f), default=-1) >= v,
    "sense": lambda r, v: bool(r[f"{v}_range"]),
    "damage_immunity": lambda r, v: defended(r, "damage_immunities", v),
    "damage_resistance": lambda r, v: defended(r, "damage_resistances", v),
    "damage_vulnerability": lambda r, v: defended(r, "damage_vulnerabilities", v),
    "condition_immunity": lambda r, v: defended(r, "condition_immunities", v),
    "subtype": lambda r, v: v in subtypes(r),
    "alignment": aligned,
    "language": speaks,
    "legendary": lambda r, v: is_legendary(r) is v,
    "casts": casts,
    "trait": has_trait,
    "condition": causes,
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
    *cases("speed", [("burrow", "burrow"), ("HOVER", "hover"), ("Fly", "fly"), ("swimming", "swim")]),
    *cases("speed_min", same([100, 150])),
    *cases("sense", cased(["tremorsense", "truesight", "blindsight"])),
    *cases("damage_immunity", cased(["force", "radiant", "poison"])),
    *cases("damage_resistance", cased(["force", "thunder", "piercing"])),
    *cases("damage_vulnerability", cased(["fire", "cold"])),
    *cases("condition_immunity", cased(["incapacitated", "stunned", "exhaustion", "poisoned"])),
    *cases("subtype", [("devil", "devil"), ("Shapechanger", "shapechanger"), ("any race", "any race")]),
    *cases("alignment", [("chaotic good", "chaotic good"), ("Evil", "evil"), ("unaligned", "unaligned")]),
    *cases("alignment", [("CG, lawful good", "(chaotic|lawful) good"), ("TN", "true neutral")]),
    *cases("language", [("telepathy", "telepathy")]),
    *cases("language", [("Deep Speech", "deep speech"), ("undercommon", "undercommon"), ("Draconic", "draconic")]),
    *cases("legendary", same([True, False])),
    *cases("casts", [("Fireball", "fireball"), ("srd_hold-person", "hold person"), ("Cure Wounds", "cure wounds")]),
    *cases(
        "trait", [("Magic Resistance", "magic resistance"), ("legendary resistance (3/Day)", "legendary resistance")]
    ),
    *cases("trait", [("multiattack", "multiattack")]),
    *cases("condition", cased(["petrified"])),
    *cases("casts", [("misty step", "misty step"), ("Geas", "geas")]),
    *cases("casts", same(["counterspell", "confusion", "control weather"])),
    *cases("ability_max", [({"constitution": 5}, {"constitution": 5}), ('{"dexterity": 3}', {"dexterity": 3})]),
]
