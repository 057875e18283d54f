"""For each filter, a question in plain words that is parsed as it, and one that has the words but is not."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.search.grammar import asks_for_things, parse_query

C, S, E, P, R = Family.CREATURES, Family.SPELLS, Family.EQUIPMENT, Family.OPTIONS, Family.RULES
# argument, a question and the parsed value, a question with the words
ROWS: list[tuple[Family, str, str, object, str]] = [
    (C, "cr", "monsters of CR 5", 5, "crown 5"),
    (C, "cr_min", "CR 20 and up", 20, "a crew of 20 and up"),
    (C, "cr_max", "at most challenge rating 3", 3, "a challenge with 3 ratings"),
    (C, "type", "undead", "undead", "monsters that hunt undead"),
    (C, "subtype", "devils", "devil", "a dish of devils food cake"),
    (C, "size", "huge giants", "huge", "something that guards a huge hall"),
    (C, "alignment", "chaotic good creatures", "chaotic-good", "protection against chaotic good"),
    (C, "armor_class_min", "AC 18 or higher", 18, "bypass 18 wards"),
    (C, "hit_points_min", "monsters with more than 200 hit points", 201, "heals 200 hit points"),
    (C, "environment", "monsters that live in the swamp", "swamp", "turns the ground to swamp"),
    (C, "ability_min", "creatures with strength of at least 25", "strength=25", "drains its strength"),
    (C, "ability_max", "beasts with intelligence under 4", "intelligence=3", "intelligence of the enemy"),
    (C, "speed", "creatures that can burrow", "burrow", "a burrow with badgers"),
    (C, "speed_min", "creatures with a fly speed over 60 feet", "fly=61", "pushes a fly 60 feet"),
    (C, "sense", "monsters with tremorsense", "tremorsense", "hides against tremorsense"),
    (C, "language", "who speaks Deep Speech", "deep-speech", "a deep speech about the common good"),
    (C, "damage_immunity", "monsters immune to fire", "fire", "an aura that makes allies immune to fire"),
    (C, "damage_resistance", "creatures resistant to cold damage", "cold", "ignores creatures' resistance to cold"),
    (C, "damage_vulnerability", "vulnerable to fire", "fire", "makes its targets vulnerable to fire"),
    (C, "condition_immunity", "undead immune to being frightened", "frightened", "gives immunity to being frightened"),
    (C, "legendary", "legendary dragons", True, "a sword with a legendary name"),
    (C, "condition", "creatures that can paralyze", "paralyzed", "creatures to paralyze"),
    (C, "casts", "who can cast fireball", "fireball", "a trap like the spell fireball"),
    (S, "level", "3rd level spells", 3, "fireball at 5th level"),
    (S, "level_min", "spells of level 7 or higher", 7, "higher than 7 feet"),
    (S, "level_max", "third-level spells or lower", 3, "lower a rope 3 feet"),
    (S, "school", "necromancy spells", "necromancy", "something that undoes necromancy"),
    (S, "class_key", "all cantrips for druids", "druid", "a trick about the druid"),
    (S, "concentration", "concentration spells of level 1", True, "a spell that breaks concentration"),
    (S, "ritual", "ritual spells", True, "interrupt a dark spiritualist"),
    (S, "casting_time", "spells with a casting time of 10 minutes", "10minutes", "finds a time 10 minutes ago"),
    (S, "damage_type", "fire damage cantrips", "fire", "protection against fire damage"),
    (S, "saving_throw", "spells with a charisma saving throw", "charisma", "raise my charisma save"),
    (S, "area", "cone spells", "cone", "a cone full of sand"),
    (S, "attack_roll", "cantrips that need an attack roll", True, "advantage on attack rolls"),
    (S, "condition", "spells that cause paralyzed", "paralyzed", "protects against being paralyzed"),
    (S, "duration", "spells that last 8 hours", "8-hours", "sleep 8 hours"),
    (S, "verbal", "spells without verbal components", False, "forbids verbal abuse"),
    (S, "somatic", "spells with no somatic component", False, "a somatic illness"),
    (S, "material", "spells without material components", False, "shapes material"),
    (S, "material_cost_min", "material component worth 1,000 gp", 1000, "steal 1,000 gp"),
    (S, "material_cost_max", "material components worth at most 50 gp", 50, "worth at most 50 gp"),
    (S, "range", "touch spells", "touch", "a touch of frost"),
    (S, "range_min", "spells with a range of at least 500 feet", 500, "a mountain range 500 feet away"),
    (E, "category", "legendary ring", "ring", "ring of protection"),
    (E, "rarity", "very rare staves", "very-rare", "a staff that is not very rarely used"),
    (E, "requires_attunement", "magic items that require attunement", True, "attunement"),
    (E, "is_magic", "rare magic weapons", True, "detects magic"),
    (E, "damage_dice", "weapons that deal 2d6", "2d6", "roll 2d6"),
    (E, "damage_type", "slashing weapons", "slashing", "slashing prices"),
    (E, "property", "reach weapons", "reach", "reach the other side"),
    (E, "is_simple", "simple weapons", True, "a simple lock"),
    (E, "is_ranged", "ranged weapons under 30 gp", True, "ranged weapon attacks"),
    (E, "stealth_disadvantage", "armor that gives disadvantage on stealth", True, "stealth when armor is left behind"),
    (E, "is_finesse", "finesse weapons", True, "cards that need finesse"),
    (E, "is_light", "light weapons", True, "a light that burns under water"),
    (E, "cost_min", "items worth more than 500 gp", 500.01, "a bag for 500 gp"),
    (E, "cost_max", "weapons under 10 gp", 9.99, "10 gp"),
    (E, "weight_max", "armor under 20 pounds", 19.99, "carries 20 pounds"),
    (P, "class_key", "what does a monk get at level 6", "monk", "get a monk to level with me"),
    (P, "level", "features that a wizard gets at 3rd level", 3, "reach 3rd level"),
    (P, "feat_type", "origin feats", "origin", "my origin"),
    (P, "skill", "proficiency in stealth", "stealth", "stealth in the dark"),
    (P, "ability", "feats that increase charisma", "charisma", "a test of charisma"),
    (R, "section", "rules in the spellcasting chapter", "spellcasting", "a chapter of knights in the city"),
]


@pytest.mark.parametrize(("family", "argument", "question", "value", "unrelated"), ROWS, ids=[row[1] for row in ROWS])
def test_plain_words_are_parsed_as_the_filter(
    family: Family, argument: str, question: str, value: object, unrelated: str
) -> None:
    parsed = parse_query(question, family)
    assert asks_for_things(question)
    assert {applied.filter.argument: applied.value for applied in parsed.filters}.get(argument) == value, parsed
    passing = parse_query(unrelated, family)
    assert argument not in [applied.filter.argument for applied in (*passing.filters, *passing.boosts)], passing


def test_every_filter_has_plain_words() -> None:
    arguments = {(family, argument) for family, argument, *_ in ROWS}
    arguments.add((C, "trait"))  # read from the traits that creatures have
    assert arguments == {(family, row.argument) for family, rows in FILTERS.items() for row in rows}


@pytest.mark.parametrize(
    ("family", "question"), [(P, "features that heal allies for a cleric"), (S, "spells that hide people for a rogue")]
)
def test_words_within_a_filter_phrase_are_not_part_of_it(family: Family, question: str) -> None:
    assert not parse_query(question, family).filters_only


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("light finesse weapons", {"is_light": True, "is_finesse": True}),
        ("simple weapons that are not light", {"is_simple": True, "is_light": False}),
        ("simple melee weapons", {"is_simple": True, "is_ranged": False}),
        ("martial weapons with the finesse property", {"is_simple": False, "is_finesse": True}),
        ("weapons without finesse", {"is_finesse": False}),
        ("weapons with vex and finesse", {"is_finesse": True, "property": "vex"}),
        ("weapons with finesse and vex", {"is_finesse": True, "property": "vex"}),
    ],
)
def test_properties_that_have_filters_of_their_own_are_read_together(question: str, filters: dict[str, object]) -> None:
    assert {applied.filter.argument: applied.value for applied in parse_query(question, E).filters} == filters


@pytest.mark.parametrize(
    ("family", "question", "filters"),
    [
        (C, "swamp monsters vulnerable to fire with a fly speed over 60 feet", {"speed_min": "fly=61"}),
        (C, "fiends that speak Abyssal and are immune to poison", {}),
        (S, "bonus action spells that heal", {"casting_time": "bonus-action"}),
        (S, "spells of 2nd or 3rd level", {"level": (2, 3)}),
        (S, "level 1, 2 and 4 spells", {"level": (1, 2, 4)}),
        (C, "CR 5 or CR 6 undead", {"cr": (5.0, 6.0)}),
        (C, "CR 1/4 and 1/2 beasts", {"cr": (0.25, 0.5)}),
        (C, "between CR 5 and 8", {"cr_min": 5.0, "cr_max": 8.0}),
        (C, "CR 5 and 200 hit points", {"cr": 5.0}),
        (S, "spells that heal as a bonus action", {}),
    ],
)
def test_among_other_words_only_numbers_and_times_become_filters(
    family: Family, question: str, filters: dict[str, object]
) -> None:
    parsed = parse_query(f"{question} gnarled", family)
    assert {applied.filter.argument: applied.value for applied in parsed.filters} == filters
    assert parsed.has_filters


@pytest.mark.parametrize(
    ("family", "question", "argument", "values"),
    [
        (C, "monsters immune to fire or cold", "damage_immunity", ("fire", "cold")),
        (C, "resistant to fire, cold or acid damage", "damage_resistance", ("fire", "cold", "acid")),
        (C, "who speaks Abyssal or Deep Speech", "language", ("abyssal", "deep-speech")),
        (C, "creatures with a swim speed", "speed", "swim"),
        (S, "spells that deal fire or cold damage", "damage_type", ("fire", "cold")),
        (S, "spells that cause fear", "condition", "frightened"),
        (P, "backgrounds that give stealth or arcana", "skill", ("stealth", "arcana")),
        (P, "fighter features at level 3", "class_key", "fighter"),
        (P, "what do I get at level 5 as a wizard", "class_key", "wizard"),
    ],
)
def test_several_values_are_read_as_either(family: Family, question: str, argument: str, values: object) -> None:
    assert {applied.filter.argument: applied.value for applied in parse_query(question, family).filters}[
        argument
    ] == values


def test_a_good_monster_for_a_purpose_has_no_alignment_filter() -> None:
    assert not parse_query("a good monster for level 3 characters", C).boosts
    assert [applied.value for applied in parse_query("good monsters", C).filters] == ["good"]
