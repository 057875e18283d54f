"""Invented spells."""

from __future__ import annotations

from tests.open5e.books import key, links, named_ref, names, nested, pick
from tests.open5e.parameters import Raw

SCHOOLS = ("evocation", "necromancy", "illusion", "abjuration", "conjuration", "divination", "transmutation")
CASTING = ("action", "bonus-action", "reaction", "1minute", "10minutes", "1hour")
DURATIONS = ("instantaneous", "1 minute", "8 hours", "1 hour", "until dispelled")
DAMAGE = ("fire", "psychic", "thunder", "necrotic")
SAVES = ("dexterity", "charisma", "", "wisdom", "constitution")
CLASSES = ("wizard", "paladin", "druid", "bard", "cleric")
RANGES = (0, 30, 60, 150, 500, 5280)
BOOKS = ("deepm", "srd-2014", "deepm", "srd-2024", "a5e-ag", "toh", "deepm")
NOUNS = ("Ward", "Lash", "Veil", "Chorus", "Snare", "Beacon", "Bolt")
COSTS = (1000, 10, 5000, 50)
COUNT = 80
# One spell in three books under one name, and a name with an apostrophe that is curly in one of them.
CAUSED = ("blinded", "charmed", "poisoned")
NAMESAKES = (("deepm", "Moon's Breath"), ("toh", "Moon’s Breath"), ("a5e-ag", "Moon's Breath"))


def _classes(document: str, number: int) -> list[Raw]:
    prefix = "srd-2024" if document == "srd-2024" else "srd"
    chosen = {pick(CLASSES, number), pick(CLASSES, number, 3)}
    return [named_ref(name.title(), f"{prefix}_{name}") for name in sorted(chosen)]


def _spell(number: int, document: str, name: str) -> Raw:
    level = number % 10
    dice = f"{level + 1}d8"
    damage = pick(DAMAGE, number) if number % 3 else None
    save = pick(SAVES, number) if damage else ""
    school = pick(SCHOOLS, number)
    if document == "a5e-ag" and number % 2 == 0:
        school = "transformation"
    feet = pick(RANGES, number)
    cost = pick(COSTS, number // 11) if number % 11 == 0 else None
    words = f"and takes {dice} {damage} damage" if damage else "and is lulled by a distant choir"
    state = f" and is {pick(CAUSED, number)}" if number % 7 == 0 else ""
    saving = f" unless it succeeds on a {save.title()} saving throw" if save else ""
    return {
        "key": key(document, name.replace("’", "'")),
        "document": nested(document),
        "casting_options": [{"type": "default", "damage_roll": None, "desc": None}],
        "school": named_ref(school.title()),
        "classes": _classes(document, number),
        "range_unit": "feet",
        "shape_size_unit": "feet",
        "name": name,
        "desc": f"A creature that you can see feels the {name.lower()} close around it {words}{state}{saving}.",
        "level": level,
        "higher_level": "The damage increases by 1d8 for each higher slot level." if damage and level else "",
        "target_type": "creature",
        "range_text": f"{feet} feet" if feet else "Self",
        "range": feet,
        "ritual": number % 5 == 0,
        "casting_time": pick(CASTING, number),
        "reaction_condition": "when a door is closed on you" if pick(CASTING, number) == "reaction" else None,
        "verbal": number % 4 != 1,
        "somatic": number % 6 != 2,
        "material": cost is not None or number % 3 == 0,
        "material_specified": f"A pearl worth at least {cost:,} gp." if cost else "A pinch of salt.",
        "material_cost": f"{cost}.00" if cost else None,
        "material_consumed": bool(cost),
        "target_count": 1,
        "saving_throw_ability": save,
        "attack_roll": False,
        "damage_roll": dice if damage else "",
        "damage_types": [damage] if damage else [],
        "duration": pick(DURATIONS, number),
        "shape_type": None,
        "shape_size": None,
        "concentration": pick(DURATIONS, number) in ("1 minute", "1 hour"),
        "crossreferences": links(),
    }


def endpoints() -> dict[str, list[Raw]]:
    """Spells, and the schools that they belong to."""
    rows = [(pick(BOOKS, number), name) for number, name in enumerate(names(COUNT, NOUNS))] + list(NAMESAKES)
    schools = [
        {**named_ref(name.title()), "desc": f"Spells of {name}.", "document": "core", "crossreferences": links()}
        for name in (*SCHOOLS, "enchantment")
    ]
    schools.append(
        {**named_ref("Transformation"), "desc": "Spells that change.", "document": "a5e-ag", "crossreferences": links()}
    )
    return {
        "v2/spells": [_spell(number, document, name) for number, (document, name) in enumerate(rows)],
        "v2/spellschools": schools,
    }
