"""What each filter of ``search_character_option`` and ``search_rule`` selects."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from lorekeeper_mcp.models import CharacterClass
from tests.oracle.cases import Raw, Test, cased, cases, fold
from tests.served_open5e import load
from tests.srd import srd_records

# The texts of a species in version 1.
OF_RACES = ("asi_desc", "age", "alignment", "size", "speed_desc", "languages", "vision", "traits")


@functools.cache
def older_species() -> dict[str, Raw]:
    """The version 1 data of the species of Tome of Heroes, by their keys in version 2."""
    return {f"toh_{r['slug']}": r for r in load("v1/races") if r["document__slug"] == "toh"}


def trait_texts(record: Raw, word: str) -> Iterator[str]:
    """The traits of a species with a word in them; those of version 1 where version 2 has none."""
    traits = [f"{trait['name']}. {trait['desc']}" for trait in record["traits"]]
    older = older_species().get(record["key"], {}) if not traits else {}
    traits += [older[field] for field in OF_RACES if older]
    yield from (text for text in traits if word in text.lower())


def core_trait(record: Raw, row: str) -> str:
    """A row of the table that begins a class of 2024, from the book if it has it; "" for other classes."""
    texts = [f["desc"] for f in record["features"] if f["feature_type"] == "CORE_TRAITS_TABLE"]
    book = next((r for r in srd_records() if isinstance(r, CharacterClass) and r.key == record["key"]), None)
    texts += [book.proficiencies] if book and texts else []
    lines = [line for text in texts for line in text.splitlines() if row in line]
    return " ".join(lines)


def skill_texts(record: Raw) -> Iterator[str]:
    """The texts in which an option says which skills it gives or offers."""
    match record["_type"]:
        case "background":
            yield from (b["desc"] for b in record["benefits"] if b["type"] == "skill_proficiency")
        case "species":
            yield from trait_texts(record, "proficien")
        case "feat":
            texts = [record["desc"], *(b["desc"] for b in record["benefits"])]
            yield from (text for text in texts if "proficien" in text)
        case _:
            yield from (f["desc"] for f in record["features"] if "roficienc" in f["name"])
            yield core_trait(record, "Skill Proficiencies")


def ability_texts(record: Raw) -> Iterator[str]:
    """The texts in which an option says which abilities it raises, or which are a class's primary ones."""
    match record["_type"]:
        case "background":
            yield from (b["desc"] for b in record["benefits"] if b["type"] == "ability_score")
        case "species":
            yield from (text for text in trait_texts(record, "ability") if "ability" in text.lower().partition(".")[0])
        case "feat":
            texts = [record["desc"], *(b["desc"] for b in record["benefits"])]
            yield from (t for t in texts if re.search(r"\+\d|increase|ability score", t, re.IGNORECASE))
            yield BOOK_NAMES.get(record["key"], "")
        case _:
            yield from (record["primary_abilities"] or [core_trait(record, "Primary Ability")])


# For the feats, the SRD 5.2's text where Open5e has "one ability score of your choice".
BOOK_NAMES = {
    "srd-2024_boon-of-irresistible-offense": "strength dexterity",
    "srd-2024_boon-of-spell-recall": "intelligence wisdom charisma",
}


def names(texts: Iterator[str], wanted: str) -> bool:
    return any(re.search(rf"\b{wanted}\b", fold(text)) for text in texts)


def chooses_ability(record: Raw) -> bool:
    """Whether the player chooses among all abilities."""
    if record["_type"] in ("class", "subclass") or record["key"] in BOOK_NAMES:
        return False
    texts = ability_texts(record)
    chosen = re.compile(
        r"\b(?:one|two|any|other|different|chosen) ability scores?\b|abilit\w+(?: scores?)? of your choice"
    )
    return any(chosen.search(fold(text)) or "other abilit" in text for text in texts)


OPTION: dict[str, Test] = {
    "type": lambda r, v: v == "all" or r["_type"] == v or (v == "subrace" and r.get("is_subspecies") is True),
    "class_key": lambda r, v: (
        bool(r.get("subclass_of"))
        and (r["subclass_of"]["key"] == v if "_" in v else r["subclass_of"]["key"].rpartition("_")[2] == v)
    ),
}
OPTION |= {
    # Only the SRD 5.2 sorts feats; those of other books are all served as general ones.
    "feat_type": lambda r, v: r["_type"] == "feat" and r["document"]["key"] == "srd-2024" and fold(r["type"]) == v,
    "skill": lambda r, v: names(skill_texts(r), v),
    "ability": lambda r, v: names(ability_texts(r), v) or chooses_ability(r),
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
    *cases("feat_type", [("origin", "origin"), ("Fighting Style", "fighting style"), ("epic_boon", "epic boon")]),
    *cases("skill", [("stealth", "stealth"), ("Sleight of Hand", "sleight of hand"), ("ARCANA", "arcana")]),
    *cases("ability", cased(["strength", "charisma"])),
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
