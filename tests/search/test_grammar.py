"""The grammar of questions: restrictions, boosts, and phrases that are neither."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.filters import FILTERS, ActiveFilter
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES, SIZES
from lorekeeper_mcp.search.grammar import asks_for_things, parse_query

CREATURES, SPELLS, EQUIPMENT, OPTIONS = Family.CREATURES, Family.SPELLS, Family.EQUIPMENT, Family.OPTIONS


def values_of(applied: tuple[ActiveFilter, ...]) -> dict[str, object]:
    return {value.filter.argument: value.value for value in applied}


@pytest.mark.parametrize(
    ("family", "search", "only"),
    [
        (CREATURES, "undead between CR 5 and 8", {"cr_min": 5, "cr_max": 8, "type": "undead"}),
        (CREATURES, "from CR 3 to CR 5", {"cr_min": 3, "cr_max": 5}),
        (CREATURES, "CR 20 and up", {"cr_min": 20}),
        (CREATURES, "CR 20+", {"cr_min": 20}),
        (CREATURES, "beasts below CR 1", {"cr_max": 0.5, "type": "beast"}),
        (CREATURES, "humanoids of CR 1/4", {"cr": 0.25, "type": "humanoid"}),
        (CREATURES, "a fiend around CR 5", {"cr_min": 4, "cr_max": 6, "type": "fiend"}),
        (CREATURES, "AC 18 or higher", {"armor_class_min": 18}),
        (CREATURES, "what plant creatures are there", {"type": "plant"}),
        (CREATURES, "which oozes exist", {"type": "ooze"}),
        (SPELLS, "third-level spells or lower", {"level_max": 3}),
        (SPELLS, "1st to 3rd level wizard spells", {"level_min": 1, "level_max": 3, "class_key": "wizard"}),
        (SPELLS, "2nd level spells that deal fire damage", {"level": 2, "damage_type": "fire"}),
        (EQUIPMENT, "legendary ring", {"rarity": "legendary", "category": "ring"}),
        (EQUIPMENT, "reach weapons", {"property": "reach"}),
        (EQUIPMENT, "rare magic weapons", {"rarity": "rare", "category": "weapon", "is_magic": True}),
        (OPTIONS, "what does a level 3 wizard get", {"level": 3, "class_key": "wizard"}),
        (OPTIONS, "all feats for strength", {"ability": "strength"}),
        (OPTIONS, "which classes have a d10 hit die", {"hit_die": 10}),
        (OPTIONS, "rogue subclasses", {"class_key": "rogue"}),
    ],
)
def test_a_question_of_filters_alone_restricts(family: Family, search: str, only: dict[str, object]) -> None:
    reading = parse_query(search, family)
    assert values_of(reading.filters) == only
    assert not reading.boosts
    assert all(argument in " ".join(reading.hints()) for argument in only)


@pytest.mark.parametrize(
    ("family", "search", "only", "rather"),
    [
        (CREATURES, "undead wizard who hides his soul", {}, {"type": "undead"}),
        (CREATURES, "constructs a party can beat, CR 2 or lower", {"cr_max": 2}, {"type": "construct"}),
        (SPELLS, "wis save or paralyzed humanoids", {}, {"saving_throw": "wisdom"}),
        (SPELLS, "BA teleport 30 ft", {}, {"casting_time": "bonus-action"}),
        (EQUIPMENT, "ring to see through walls", {}, {"category": "ring"}),
    ],
)
def test_a_value_mentioned_in_passing_only_boosts(
    family: Family, search: str, only: dict[str, object], rather: dict[str, object]
) -> None:
    reading = parse_query(search, family)
    assert values_of(reading.filters) == only
    assert values_of(reading.boosts) == rather


@pytest.mark.parametrize(
    ("family", "search"),
    [
        (CREATURES, "giant worm that swallows people"),
        (CREATURES, "monsters that hunt undead"),
        (CREATURES, "crown 5"),
        (CREATURES, "CR 99"),
        (SPELLS, "fireball at 5th level"),
        (SPELLS, "something better than a cantrip"),
        (SPELLS, "upcast with a 4th level slot"),
        (EQUIPMENT, "ring of protection"),
        (Family.RULES, "level 3"),
    ],
)
def test_ambiguous_phrases_are_not_parsed(family: Family, search: str) -> None:
    reading = parse_query(search, family)
    assert (reading.filters, reading.boosts, reading.hints()) == ((), (), [])


def test_a_character_level_is_not_a_spell_level() -> None:
    assert "level" not in values_of(parse_query("what can a level 5 wizard cast", SPELLS).filters)


def test_an_argument_that_was_given_is_not_read_again() -> None:
    highest = next(row for row in FILTERS[CREATURES] if row.argument == "cr_max")
    reading = parse_query("undead of CR 5", CREATURES, [ActiveFilter(highest, 3.0)])
    assert values_of(reading.filters) == {"type": "undead"}


def test_words_after_a_comma_describe_the_thing() -> None:
    reading = parse_query("magic weapons for a paladin, uncommon", EQUIPMENT)
    assert values_of(reading.boosts)["rarity"] == "uncommon"
    assert not reading.filters


def test_a_level_may_be_that_of_characters() -> None:
    assert parse_query("an ambush for level 3", SPELLS).may_mean_characters(frozenset())
    assert not parse_query("level 3", SPELLS).may_mean_characters(frozenset())
    casters = parse_query("who can cast Wish", CREATURES)
    assert casters.may_mean_characters(frozenset())
    assert not casters.may_mean_characters(frozenset({Kind.CREATURE}))
    assert not parse_query("party of 4 level 3 against an owlbear", SPELLS).filters[1:]
    assert values_of(parse_query("party of 4 level 3 against an owlbear", SPELLS).filters) == {"level": 3}


@pytest.mark.parametrize(
    ("family", "search", "only", "excluded"),
    [
        (CREATURES, "humanoids without darkvision", {"type": "humanoid"}, {"sense": "darkvision"}),
        (CREATURES, "dragons that can not fly", {"type": "dragon"}, {"speed": "fly"}),
        (CREATURES, "fiends that aren't demons or devils", {"type": "fiend"}, {"subtype": ("demon", "devil")}),
        (CREATURES, "non-evil dragons", {"type": "dragon"}, {"alignment": "evil"}),
        (CREATURES, "monsters of CR 2, not undead", {"cr": 2}, {"type": "undead"}),
        (SPELLS, "cantrips that aren't evocation", {"level": 0}, {"school": "evocation"}),
        (
            SPELLS,
            "druid rituals without a saving throw",
            {"class_key": "druid", "ritual": True},
            {"saving_throw": ABILITIES},
        ),
        (
            SPELLS,
            "druid spells that are not rituals and need no concentration",
            {"class_key": "druid", "concentration": False, "ritual": False},
            {},
        ),
        (
            SPELLS,
            "wizard spells of level 3 that dont need a save",
            {"level": 3, "class_key": "wizard"},
            {"saving_throw": ABILITIES},
        ),
        (SPELLS, "spells with no costly components", {}, {"material_cost_min": 1}),
        (CREATURES, "undead with AC under 12", {"type": "undead", "armor_class_max": 11}, {}),
        (CREATURES, "beasts with less than 10 hp", {"type": "beast", "hit_points_max": 9}, {}),
        (
            SPELLS,
            "verbal-only bard spells",
            {"class_key": "bard", "verbal": True, "somatic": False, "material": False},
            {},
        ),
        (EQUIPMENT, "rings that arent rare", {"category": "ring"}, {"rarity": "rare"}),
        (EQUIPMENT, "non-attunement rings", {"category": "ring", "requires_attunement": False}, {}),
        (EQUIPMENT, "shields that are not magic", {"category": "shield", "is_magic": False}, {}),
    ],
)
def test_what_a_question_denies_is_excluded(
    family: Family, search: str, only: dict[str, object], excluded: dict[str, object]
) -> None:
    reading = parse_query(search, family)
    assert (values_of(reading.filters), values_of(reading.exclusions), reading.filters_only) == (only, excluded, True)
    assert any("Excluded" in hint for hint in reading.hints()) == bool(excluded)


def test_a_denied_value_further_away_is_no_exclusion() -> None:
    assert not parse_query("does not give resistance to fire", CREATURES).exclusions
    assert not parse_query("not a wizard but somebody who can fly", CREATURES).exclusions


def test_every_property_that_a_question_names_restricts() -> None:
    reading = parse_query("heavy weapons with reach", EQUIPMENT)
    assert [(applied.filter.argument, applied.value) for applied in reading.filters] == [
        ("property", "heavy"),
        ("property", "reach"),
    ]


@pytest.mark.parametrize(
    "search",
    ["level 3 spells on both the wizard and the warlock list", "level 3 spells that wizards and warlocks share"],
)
def test_a_spell_of_both_classes_is_on_either_list(search: str) -> None:
    filters = [(applied.filter.argument, applied.value) for applied in parse_query(search, SPELLS).filters]
    assert filters == [("level", 3), ("class_key", "wizard"), ("class_key", "warlock")]


@pytest.mark.parametrize("search", ["how many level 9 cleric spells are there", "do any druid cantrips need a save"])
def test_asking_whether_or_how_many_there_are_asks_for_things(search: str) -> None:
    assert asks_for_things(search)


@pytest.mark.parametrize("search", ["how many darts does magic missile have", "do familiars need a save"])
def test_asking_how_one_thing_works_does_not(search: str) -> None:
    assert not asks_for_things(search)


def test_thieves_cant_is_no_denial() -> None:
    assert values_of(parse_query("who speaks thieves' cant", CREATURES).filters) == {"language": "thieves-cant"}


@pytest.mark.parametrize(
    ("search", "sizes"),
    [
        ("beasts smaller than medium", ("tiny", "small")),
        ("beasts bigger than huge", ("gargantuan", "titanic")),
        ("small or smaller beasts", ("tiny", "small")),
        ("huge or larger beasts", ("huge", "gargantuan", "titanic")),
    ],
)
def test_a_comparison_of_sizes_means_several(search: str, sizes: tuple[str, ...]) -> None:
    assert values_of(parse_query(search, CREATURES).filters) == {"type": "beast", "size": sizes}


def test_the_size_of_prey_is_not_that_of_the_hunter() -> None:
    reading = parse_query("beasts that swallow a large or smaller creature", CREATURES)
    assert "size" not in values_of(reading.filters) | values_of(reading.boosts)


def test_stronger_and_weaker_compare_challenge_ratings() -> None:
    assert values_of(parse_query("giants weaker than CR 8", CREATURES).filters) == {"cr_max": 7, "type": "giant"}
    assert values_of(parse_query("stronger than CR 20", CREATURES).filters) == {"cr_min": 21}


@pytest.mark.parametrize(
    "search", ["what do I gain as a 5th level bard", "what does a bard learn when they reach level 5"]
)
def test_a_level_that_somebody_reaches_is_that_of_features(search: str) -> None:
    assert values_of(parse_query(search, OPTIONS).filters)["level"] == 5


@pytest.mark.parametrize(
    ("family", "search", "only"),
    [
        (CREATURES, "AC 18 or better, large or bigger", {"armor_class_min": 18, "size": SIZES[3:]}),
        (CREATURES, "18+ AC, huge+", {"armor_class_min": 18, "size": SIZES[4:]}),
        (CREATURES, "60+ ft fly speed", {"speed_min": "fly=60"}),
        (CREATURES, "speed of 50 feet or more", {"speed_min": 50}),
        (CREATURES, "STR 20+, cr 5 or less", {"ability_min": "strength=20", "cr_max": 5}),
        (CREATURES, "fire resistant dragons", {"type": "dragon", "damage_resistance": "fire"}),
        (CREATURES, "undead w/ telepathy", {"type": "undead", "language": "telepathy"}),
        (CREATURES, "legendary dragons", {"type": "dragon", "legendary": True}),
        (SPELLS, "spells lvl 3 wizard", {"level": 3, "class_key": "wizard"}),
        (SPELLS, "sorc cantrips w/ dex saves", {"level": 0, "class_key": "sorcerer", "saving_throw": "dexterity"}),
        (SPELLS, "range of a mile or more", {"range_min": 5280}),
        (SPELLS, "damage cantrips", {"level": 0, "damage_type": DAMAGE_TYPES}),
        (EQUIPMENT, "adventuring gear for 5 sp or less", {"cost_max": 0.5, "category": "adventuring-gear"}),
        (EQUIPMENT, "2h weapons under 30gp", {"cost_max": 29.99, "property": "two-handed"}),
        (EQUIPMENT, "weapons worth 10 gp to 50 gp", {"cost_min": 10, "cost_max": 50, "category": "weapon"}),
        (EQUIPMENT, "d12 weapons", {"damage_dice": "1d12"}),
    ],
)
def test_sloppy_filters_alone_restrict(family: Family, search: str, only: dict[str, object]) -> None:
    reading = parse_query(search, family)
    assert values_of(reading.filters) == only
    assert reading.filters_only


def test_both_bounds_of_every_measure_are_read() -> None:
    bounds = {"hit_points_min": 100, "hit_points_max": 150}
    assert values_of(parse_query("giants with 100 to 150 hp", CREATURES).filters) == {"type": "giant"} | bounds
    assert values_of(parse_query("armor heavier than 20 lb", EQUIPMENT).filters)["weight_min"] == 20.01


@pytest.mark.parametrize(
    ("search", "argument", "values"),
    [
        ("res to fire AND cold", "damage_resistance", ["fire", "cold"]),
        ("immune to charmed and frightened", "condition_immunity", ["charmed", "frightened"]),
    ],
)
def test_values_joined_by_and_all_hold(search: str, argument: str, values: list[str]) -> None:
    filters = [(applied.filter.argument, applied.value) for applied in parse_query(search, CREATURES).filters]
    assert filters == [(argument, value) for value in values]


def test_a_rarity_before_a_noun_restricts() -> None:
    assert values_of(parse_query("rare sword", EQUIPMENT).filters) == {"rarity": "rare"}
    assert not parse_query("legendary actions", EQUIPMENT).filters
    assert not parse_query("common sense", EQUIPMENT).filters


def test_the_price_of_something_else_is_no_component() -> None:
    assert not parse_query("a wall worth more than 50 gp", SPELLS).filters


def test_traits_that_creatures_have_are_read() -> None:
    reading = parse_query("demons with Magic Resistance and a strong arm", CREATURES, (), {"magic-resistance"})
    assert ("trait", "magic-resistance") in [(one.filter.argument, one.value) for one in reading.boosts]
    assert not parse_query("monsters with a strong arm", CREATURES, (), {"magic-resistance"}).boosts
    assert values_of(parse_query("monsters without pack tactics", CREATURES, (), {"pack-tactics"}).exclusions) == {
        "trait": "pack-tactics"
    }


def test_bounds_are_strict_and_words_that_were_not_read_are_said() -> None:
    reading = parse_query("weapons under 10 gp for a pirate", EQUIPMENT)
    assert values_of(reading.filters) == {"cost_max": 9.99}
    assert "Not read as filters: pirate." in reading.hints()
    assert values_of(parse_query("rarities, uncommon or rarer", EQUIPMENT).boosts)["rarity"][0] == "uncommon"
