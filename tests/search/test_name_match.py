"""Matching of whole questions with names."""

from __future__ import annotations

import dataclasses

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.names.name_index import build_name_index, match_name, misspelt_word, similar_names
from lorekeeper_mcp.search.question import find_names
from tests.search.entries import entry, indexed

NAMES = [
    "Lizard",
    "Adult Boreal Wyrm",
    "Young Boreal Wyrm",
    "Arcane Hand",
    "Tiny Hut",
    "Hobble",
    "Will-o'-Wisp",
    "Ring of Spell Hoarding",
    "Ring of Spell Mourning",
]
KNOWN = [entry(name, kind=Kind.SPELL) for name in NAMES]


def best(search: str) -> str:
    match = match_name(search, *indexed(KNOWN))
    if match.exact:
        return next(spell.name for spell in KNOWN if spell.id in match.exact)
    best_id = max(match.fuzzy, key=lambda id_: match.fuzzy[id_], default="")
    return next((spell.name for spell in KNOWN if spell.id == best_id), "")


@pytest.mark.parametrize(
    ("search", "name"),
    [
        ("lziard", "Lizard"),  # swapped
        ("lizardd", "Lizard"),  # doubled
        ("lizad", "Lizard"),  # dropped
        ("lizzrd", "Lizard"),  # changed
        ("hobbel", "Hobble"),
        ("wyrm boreal adult", "Adult Boreal Wyrm"),
        ("adult wyrm", "Adult Boreal Wyrm"),
        ("will o wisp", "Will-o'-Wisp"),
        ("bigby's hand", "Arcane Hand"),
        ("Leomund's tiny hut", "Tiny Hut"),
        ("hobbles", "Hobble"),
        ("ring of spell hhoarding", "Ring of Spell Hoarding"),  # although "spell" is also a word that people add
    ],
)
def test_a_name_is_recognised(search: str, name: str) -> None:
    assert best(search) == name


@pytest.mark.parametrize(
    ("search", "name"),
    [
        ("hoarding ring", "Ring of Hoarding"),
        ("reed knights lance", "Lance of the Reed Knights"),
        ("ratcatcher whistle", "Ratcatcher's Whistle"),
        ("rowing boots", "Boots of Rowing"),
        ("hoarding rings", ""),  # asks for several if there is one ring of it
    ],
)
def test_a_thing_is_recognised_by_its_name_turned_around_or_shortened(search: str, name: str) -> None:
    names = ("Ring of Hoarding", "Lance of the Reed Knights", "Ratcatcher's Whistle", "Boots of Rowing")
    things = [entry(thing, kind=Kind.MAGIC_ITEM) for thing in names]
    assert [thing.name for thing in things if thing.id in match_name(search, *indexed(things)).exact] == [name] * bool(
        name
    )
    spells = [entry(thing, kind=Kind.SPELL) for thing in names if " of " in thing]
    assert not match_name(search, *indexed(spells)).exact


@pytest.mark.parametrize(
    ("search", "names"),
    [
        ("wardz", ["Wards"]),
        ("wardd", ["Ward", "Wards"]),  # typed twice, or with a neighbouring key
    ],
)
def test_a_wrong_letter_scores_higher_than_an_extra_letter(search: str, names: list[str]) -> None:
    rules = [entry(name, kind=Kind.RULE) for name in ("Ward", "Wards")]
    close = match_name(search, *indexed(rules)).fuzzy
    assert [rule.name for rule in rules if close.get(rule.id) == max(close.values())] == names


@pytest.mark.parametrize(
    "search", ["?!", "something that flies", "hut", "boreal", "arcane head", "AoE", "ring of spell warnings"]
)
def test_questions_are_not_recognised_as_names(search: str) -> None:
    match = match_name(search, *indexed(KNOWN))
    assert not match.exact
    assert not match.is_confident


def test_a_record_with_the_name_ranks_before_one_with_the_slug() -> None:
    bearing = entry("Ward", kind=Kind.RULE)
    slugged = dataclasses.replace(entry("Old Ward", kind=Kind.RULE), key="srd-2024_magic_ward")
    match = match_name("ward", *indexed([slugged, bearing]))
    assert match.exact == {bearing.id}


@pytest.mark.parametrize(("search", "names"), [("lissard", {"Lizard"}), ("xqzzt vvrpk", set()), ("hbbly", set())])
def test_unknown_text_may_resemble_a_name(search: str, names: set[str]) -> None:
    ids = similar_names(search, *indexed(KNOWN))
    assert {spell.name for spell in KNOWN if spell.id in ids} == names


REEDS = [
    entry("Reed", kind=Kind.ARMOR),
    entry("Reed", kind=Kind.SPELL),
    entry("Reed Wolf", kind=Kind.CREATURE),
    entry("Potion of Marsh Light", kind=Kind.MAGIC_ITEM),
    entry("Marsh Tongues", kind=Kind.FEAT),
    entry("Wade", kind=Kind.RULE),
    entry("Soaked", kind=Kind.CONDITION),
    entry("Muddied", kind=Kind.RULE),
    entry("Ford", kind=Kind.LANGUAGE),
]


def exact_matches(search: str) -> set[str]:
    return set(match_name(search, *indexed(REEDS)).exact)


@pytest.mark.parametrize(
    ("search", "kinds"),
    [
        ("reed", {Kind.ARMOR, Kind.SPELL}),
        ("reed spell", {Kind.SPELL}),
        ("the spell reed", {Kind.SPELL}),
        ("reed stats", {Kind.ARMOR, Kind.SPELL}),
        ("soaked condition", {Kind.CONDITION}),
    ],
)
def test_a_kind_beside_a_name_selects_that_kind(search: str, kinds: set[Kind]) -> None:
    names = find_names(search, [indexed(REEDS)], lambda _: 0)
    assert names.has_only_names
    assert {Kind(kind) for mention in names.mentions for kind in mention.kinds} == kinds


@pytest.mark.parametrize(
    ("search", "place"),
    [("reed wolves", 2), ("potions of marsh light", 3), ("marsh tongue", 4), ("wading", 5), ("muddying", 7)],
)
def test_plurals_of_names_and_inflected_rule_names_match(search: str, place: int) -> None:
    assert exact_matches(search) == {REEDS[place].id}


def test_a_rule_name_matches_in_any_inflection() -> None:
    entries = [entry("Bending a Long Reed", kind=Kind.RULE), entry("Bend Reeds", kind=Kind.SPELL)]
    assert match_name("bend a long reed", *indexed(entries)).exact == {entries[0].id}


def test_a_language_name_has_no_plural() -> None:
    assert not exact_matches("fords")


def test_a_record_with_the_name_ranks_before_a_renamed_one() -> None:
    bearing = entry("Half-Dragon", kind=Kind.CREATURE)
    renamed = entry("Half-Red Dragon Veteran", "srd-2014", Kind.CREATURE)
    match = match_name("half-dragon", *indexed([renamed, bearing]))
    assert match.exact == {bearing.id}
    assert renamed.id in match.fuzzy
    assert match_name("half-dragon", build_name_index([renamed, bearing]), {renamed.id}).exact == {renamed.id}


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [("Utilize", "Use an Object", Kind.RULE), ("Light", "Two-Weapon Fighting", Kind.WEAPON_PROPERTY)],
)
def test_a_rule_is_found_by_its_name_in_either_edition(new: str, old: str, kind: Kind) -> None:
    entries = [entry(new, kind=kind), entry(old, "srd-2014", Kind.RULE)]
    assert match_name(old, *indexed(entries)).exact == {record.id for record in entries}


def test_a_bonus_may_precede_the_name_of_a_thing() -> None:
    things = [entry("Longsword (+1)"), entry("Longsword (+2)")]
    assert match_name("+2 longsword", *indexed(things)).exact == {things[1].id}


@pytest.mark.parametrize("search", ["+2 glaive", "glaive +2"])
def test_a_bonus_and_a_base_name_the_item_of_every_base(search: str) -> None:
    things = [entry("Weapon, +1, +2, or +3"), entry("Armor, +1, +2, or +3"), entry("Glaive", kind=Kind.WEAPON)]
    assert match_name(search, *indexed(things)).exact == {things[0].id}
    assert not match_name("+2 reed", *indexed(things)).exact


@pytest.mark.parametrize(("word", "meant"), [("hoardding", "hoarding"), ("boreel", "boreel")])
def test_a_long_word_may_have_a_typing_error(word: str, meant: str) -> None:
    assert misspelt_word(word, [build_name_index(KNOWN)]) == meant
