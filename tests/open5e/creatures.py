"""Invented creatures."""

from __future__ import annotations

from tests.open5e.books import key, links, named_ref, names, nested, pick
from tests.open5e.parameters import Raw

TYPES = ("undead", "dragon", "ooze", "beast", "fey")
SIZES = ("Tiny", "Medium", "Large", "Gargantuan", "Small", "Huge", "Titanic")
RATINGS = (0.0, 0.125, 0.25, 0.5, 1.0, 5.0, 8.0, 13.0, 17.0, 20.0, 30.0)
EXPERIENCE = (10, 25, 50, 100, 200, 1800, 3900, 10000, 18000, 25000, 155000)
HABITATS = ("forest", "caves", "laboratory")
ALIGNMENTS = ("chaotic evil", "lawful good", "unaligned", "neutral", "chaotic good")
DAMAGE = ("fire", "force", "radiant", "cold", "thunder")
CONDITIONS = ("stunned", "incapacitated", "charmed")
BOOKS = ("tob", "srd-2014", "tob3", "srd-2024")
NOUNS = ("Stalker", "Weaver", "Hulk", "Drake", "Wisp")
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
COUNT = 60


def _defenses(number: int) -> Raw:
    def defense(field: str, values: tuple[str, ...], interval: int) -> Raw:
        present = [pick(values, number)] if number % interval == 0 else []
        return {f"{field}_display": ", ".join(present), field: [named_ref(value.title()) for value in present]}

    return {
        **defense("damage_immunities", DAMAGE, 3),
        **defense("damage_resistances", DAMAGE[1:], 4),
        **defense("damage_vulnerabilities", DAMAGE[:4], 5),
        **defense("condition_immunities", CONDITIONS, 2),
    }


def _speeds(number: int) -> tuple[Raw, Raw]:
    fly = 25 * (number % 7)
    burrow = 10 if number % 6 == 1 else 0
    speed: Raw = {"walk": 30, "unit": "feet"}
    speed |= {mode: feet for mode, feet in (("fly", fly), ("burrow", burrow)) if feet}
    every = {"unit": "feet", "walk": 30, "crawl": 15, "hover": bool(fly) and number % 2 == 0}
    return speed, {**every, "fly": fly, "burrow": burrow, "climb": 15, "swim": 15}


def _creature(number: int, document: str, name: str) -> Raw:
    rating = number % len(RATINGS)
    scores = {ability: 3 + (number * (place + 3)) % 28 for place, ability in enumerate(ABILITIES)}
    modifiers = {ability: (score - 10) // 2 for ability, score in scores.items()}
    speed, every_speed = _speeds(number)
    bite = f"The {name.lower()} bites a creature within 5 feet, which takes 2d6 piercing damage."
    # Tome of Beasts 3 has lost its actions in version 2; version 1 has them.
    actions = [] if document == "tob3" else [_action("Bite", bite)]
    return {
        "key": key(document, name),
        "name": name,
        "document": nested(document),
        "type": named_ref(pick(TYPES, number).title()),
        "size": named_ref(pick(SIZES, number)),
        "challenge_rating": RATINGS[rating],
        "proficiency_bonus": None,
        "speed": speed,
        "speed_all": every_speed,
        "category": "Monsters",
        "subcategory": None,
        "alignment": pick(ALIGNMENTS, number),
        "languages": {"as_string": "Deep Speech" if number % 4 == 0 else "", "data": []},
        "armor_class": 8 + number % 15,
        "armor_detail": "",
        "hit_points": 5 + number * 11,
        "hit_dice": f"{number + 1}d8",
        "experience_points": EXPERIENCE[rating],
        "ability_scores": scores,
        "modifiers": modifiers,
        "initiative_bonus": modifiers["dexterity"],
        "saving_throws": {},
        "saving_throws_all": modifiers,
        "skill_bonuses": {},
        "skill_bonuses_all": {},
        "passive_perception": 10 + modifiers["wisdom"],
        "resistances_and_immunities": _defenses(number),
        "normal_sight_range": 10560,
        "darkvision_range": 60 if number % 2 else None,
        "blindsight_range": None,
        "tremorsense_range": 30 if number % 5 == 0 else None,
        "truesight_range": 120 if number % 7 == 0 else None,
        "actions": actions,
        "traits": [{"name": "Keen Nose", "desc": f"The {name.lower()} smells fear from a mile away."}],
        "creaturesets": [],
        "environments": [named_ref(pick(HABITATS, number).title())] if number % 2 else [],
        "illustration": None,
        "crossreferences": links(),
    }


def _action(name: str, text: str) -> Raw:
    return {
        "name": name,
        "desc": text,
        "attacks": [],
        "action_type": "ACTION",
        "order_in_statblock": 0,
        "legendary_action_cost": None,
        "limited_to_form": None,
        "usage_limits": None,
    }


def endpoints() -> dict[str, list[Raw]]:
    """Creatures, their types, sizes and sets."""
    creatures = [_creature(n, pick(BOOKS, n), name) for n, name in enumerate(names(COUNT, NOUNS))]
    types = [
        {**named_ref(name.title()), "descriptions": [], "document": "core"}
        for name in (*TYPES, "fiend", "giant", "construct", "humanoid")
    ]
    sizes = [
        {
            **named_ref(name),
            "document": nested("core"),
            "distance_unit": "feet",
            "rank": rank,
            "space_diameter": 5,
            "suggested_hit_dice": "d8",
        }
        for rank, name in enumerate(SIZES, 1)
    ]
    mounts = {**named_ref("Hulks to Ride", "hulks-to-ride"), "creatures": creatures[1:3], "document": "srd-2014"}
    return {"v2/creatures": creatures, "v2/creaturetypes": types, "v2/sizes": sizes, "v2/creaturesets": [mounts]}
