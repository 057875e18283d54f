"""One result per entity in several documents, and per family of variants."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lorekeeper_mcp.models import Family, Kind, Source
from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.family_index import group_keys_of
from lorekeeper_mcp.search.names.lexicon import name_changes
from lorekeeper_mcp.search.names.name_index import build_name_index
from lorekeeper_mcp.search.ranking import Group, group_entries, sorted_groups
from lorekeeper_mcp.sources.features import with_features
from lorekeeper_mcp.store.catalog import Entry, places
from lorekeeper_mcp.text import fold
from tests.search.entries import by_id, entry
from tests.srd import srd_records

BASES = [
    *(entry(name, kind=Kind.WEAPON) for name in ("Longsword", "Rapier", "Whip", "Dagger", "Hand Crossbow", "Glaive")),
    *(entry(f"{name} Armor", kind=Kind.ARMOR) for name in ("Hide", "Plate", "Half Plate", "Leather")),
    entry("Chain Shirt", kind=Kind.ARMOR),
]


def groups(*entries: Entry, scores: dict[str, float] | None = None, separately: bool = False) -> list[Group]:
    bases = [base for base in BASES if base.id not in by_id(entries)]
    keys = {} if separately else group_keys_of([*bases, *entries])
    return group_entries(entries, scores or {}, keys)[0]


@pytest.mark.parametrize(
    "names",
    [
        ["Gale Brand (Longsword)", "Gale Brand (Rapier)"],
        ["Longsword (+1)", "Longsword (+2)", "Whip, +1", "Weapon +3"],
        ["Hide Armor (+1)", "Armor, +1, +2, or +3", "Plate Armor (+2)"],
        ["Gloaming Whip", "Gloaming Dagger", "Gloaming Hand Crossbow", "Gloaming Sword (Rapier)"],
        ["Gloaming Armor", "Gloaming Chain Shirt", "Gloaming Half Plate Armor", "Gloaming Leather Armor"],
        ["Glaive of Mirth", "Longsword of Mirth", "Sword of Mirth (Rapier)", "Sword of Mirth"],
    ],
)
def test_variants_are_one_result_that_names_them(names: list[str]) -> None:
    (group,) = groups(*map(entry, names))
    assert {group.entry.name, *group.variants} == set(names)


@pytest.mark.parametrize(
    "names",
    [
        ["Mace of Mirth", "Mace of Gloom"],
        ["Gloaming Whip", "Gloaming Dagger"],
        ["Longsword (+1)", "Plate Armor (+1)", "Shield (+1)"],
    ],
)
def test_things_with_similar_names_stay_separate(names: list[str]) -> None:
    assert sorted(group.entry.name for group in groups(*map(entry, names))) == sorted(names)


def test_only_magic_items_have_variants() -> None:
    creatures = [entry(f"Gnarl ({kind})", kind=Kind.CREATURE) for kind in ("Young", "Old")]
    assert len(groups(*creatures)) == 2


def test_an_inverted_name_is_the_same_result() -> None:
    (group,) = groups(
        entry("Crossbow, light", "srd-2014", Kind.WEAPON), entry("Light Crossbow", "srd-2024", Kind.WEAPON)
    )
    assert (group.entry.name, group.also_in, group.variants) == ("Light Crossbow", ("srd-2014",), ())


@pytest.mark.parametrize("item", ["Plate", "Plate Armor"])
def test_an_armor_is_one_result_under_both_names_and_as_an_item(item: str) -> None:
    (group,) = groups(
        entry("Plate Armor", "srd-2024", Kind.ARMOR),
        entry("Plate", "srd-2014", Kind.ARMOR),
        entry(item, "srd-2014", Kind.ITEM),
    )
    assert (group.entry.name, group.also_in) == ("Plate Armor", ("srd-2014",))


def test_the_requested_variant_represents_its_family() -> None:
    longsword, rapier = entry("Gale Brand (Longsword)"), entry("Gale Brand (Rapier)", "vom")
    (group,) = groups(longsword, rapier, scores={longsword.id: 0.95, rapier.id: 1.0})
    assert (group.entry, group.score, group.variants) == (rapier, 1.0, ("Gale Brand (Longsword)",))


def test_without_group_keys_every_record_is_its_own_result() -> None:
    assert len(groups(*map(entry, ["Longsword (+1)", "Longsword (+2)"]), separately=True)) == 2


def test_the_newest_srd_represents_an_entity() -> None:
    (group,) = groups(entry("Glimmer", "vom"), entry("Glimmer", "srd-2014"), entry("Glimmer", "srd-2024"))
    assert (group.entry.document_key, group.also_in) == ("srd-2024", ("srd-2014", "vom"))


@pytest.mark.parametrize("scored", [0, 1, 3, 4, 8])
def test_a_limit_returns_the_first_of_all_groups(scored: int) -> None:
    books = ("srd-2014", "srd-2024", "vom")
    entries = [
        entry(f"{name} Brand ({kind})", book) for book in books for name in "gale" for kind in ("Rapier", "Whip")
    ]
    entries += [entry(f"Thing {number}", books[number % 3]) for number in range(8)]
    # Two members of the first group have a score, and neighbouring groups have equal scores.
    scores = {brand.id: 0.5 - 0.1 * (number // 3) for number, brand in enumerate(entries[::2][:scored])}
    same = group_keys_of(entries)
    all_groups, total = group_entries(entries, scores, same)
    assert len(all_groups) == total == 12
    for first in range(1, total + 2):
        assert group_entries(entries, scores, same, first) == (all_groups[:first], total)


def test_an_entry_whose_name_changed_is_one_result_the_newest_first() -> None:
    thug = entry("Thug", kind=Kind.CREATURE, document="srd-2014")
    tough = entry("Tough", kind=Kind.CREATURE, document="srd-2024")
    (group,) = groups(thug, tough)
    assert (group.entry.name, group.also_in, group.variants) == ("Tough", ("srd-2014",), ("Thug",))


def test_a_book_with_both_names_has_two_entries() -> None:
    pair = [entry(name, kind=Kind.CREATURE, document="tob") for name in ("Goblin", "Goblin Warrior")]
    assert len(groups(*pair)) == 2


def test_every_changed_name_belongs_to_a_record() -> None:
    records = with_features(srd_records())
    names = {(Kind.RULE if r.kind is Kind.RULE_SET else r.kind, r.document_key, fold(r.name)) for r in records}
    for row in (row for row in name_changes() if row.same):
        assert (row.kind, "srd-2014", fold(row.old)) in names, row
        assert (row.kind, "srd-2024", fold(row.new)) in names, row


def test_each_of_two_names_leads_to_both_entries() -> None:
    index = build_name_index([
        entry("Thug", kind=Kind.CREATURE, document="srd-2014"), entry("Tough", kind=Kind.CREATURE, document="srd-2024"),
        entry("Tough", kind=Kind.CREATURE, document="tob"),
    ])  # fmt: skip
    assert len(index.by_name["thug"]) == 2
    assert len(index.by_name["tough"]) == 3


def test_a_rule_ranks_before_an_environment_with_its_name() -> None:
    place = entry("Feywild", kind=Kind.ENVIRONMENT, document="srd-2024")
    rule = entry("Feywild", kind=Kind.RULE, document="srd-2014")
    result = groups(place, rule, scores={place.id: 1.0, rule.id: 1.0})
    assert [group.entry.kind for group in result] == [Kind.RULE, Kind.ENVIRONMENT]


def test_variants_of_one_book_are_one_result_and_books_are_separate() -> None:
    entries = [entry(f"Gale Brand ({kind})", book) for book in ("srd-2014", "vom") for kind in ("Rapier", "Whip")]
    result, total = group_entries(entries, {}, group_keys_of(entries), by_document=True)
    assert total == 2
    assert [(group.entry.document_key, len(group.variants), group.also_in) for group in result] == [
        ("srd-2014", 1, ()),
        ("vom", 1, ()),
    ]


def test_an_entity_links_to_its_entry_in_another_edition() -> None:
    books = {"srd-2024": "2024", "srd-2014": "2014", "vom": "2014"}
    entries = [replace(entry("Glimmer", book), editions=(edition,)) for book, edition in books.items()]
    (group,) = groups(*entries)
    assert (group.entry, group.others) == (entries[0], (entries[1],))


def test_equal_results_of_an_srd_come_first() -> None:
    ours, theirs = entry("Zeal Brand"), entry("Ardor Brand", "fens")
    scores = {ours.id: 1.0, theirs.id: 1.0}
    assert [group.entry for group in groups(theirs, ours, scores=scores)] == [ours, theirs]


def test_the_glossarys_rule_ranks_first_among_equal_names() -> None:
    sections = ("multiclassing", "rules-glossary", "combat", "parts-of-a-stat-block")
    rules = [entry("Initiative", kind=Kind.RULE, section=section) for section in sections]
    ordered = groups(*rules, scores=dict.fromkeys((rule.id for rule in rules), 1.0))
    assert [group.entry.key.split("_")[1] for group in ordered] == [sections[place] for place in (1, 2, 0, 3)]


def test_equal_rule_names_in_one_document_are_two_results() -> None:
    served = entry("Cover", kind=Kind.RULE)
    own = replace(served, id="rule:srd-2024_glossary_cover", key="srd-2024_glossary_cover", source=Source.SRD)
    assert len(groups(served, own)) == 2


def test_on_equal_values_official_and_mundane_things_come_first() -> None:
    plates = [
        entry("Able Plate", "vault"),
        entry("Bold Plate"),
        entry("Plate", kind=Kind.ARMOR),
        entry("Zeal Plate", "vault", Kind.ARMOR),
    ]
    weights = places(Family.EQUIPMENT)["weight"]
    heavy = [replace(plate, values=(None,) * weights + (65,)) for plate in plates]
    result, total = sorted_groups(heavy, group_keys_of(heavy), Sort("weight", is_descending=True), 9)
    assert [group.entry.name for group in result] == ["Plate", "Bold Plate", "Zeal Plate", "Able Plate"]
    assert total == 4


def test_features_sort_by_their_first_level() -> None:
    features = [entry("Wading"), entry("Rowing"), entry("Lore")]
    columns = dict.fromkeys(places(Family.OPTIONS), "")
    gained = [
        replace(feature, kind=Kind.FEATURE, values=tuple((columns | {"levels": levels}).values()))
        for feature, levels in zip(features, ("|9|13|", "|2|", "|"), strict=True)
    ]
    result, _ = sorted_groups(gained, group_keys_of(gained), Sort("levels"), 9)
    assert [group.entry.name for group in result] == ["Rowing", "Wading", "Lore"]


def test_an_order_of_prices_in_words_puts_things_that_are_valued_by_rarity_last() -> None:
    costs = places(Family.EQUIPMENT)["cost"]
    things = [entry("Able Plate", kind=Kind.MAGIC_ITEM), entry("Plate", kind=Kind.ARMOR)]
    priced = [
        replace(thing, values=(None,) * costs + (cost,)) for thing, cost in zip(things, (4000, 1500), strict=True)
    ]
    order = Sort("cost", is_descending=True)
    as_argument, _ = sorted_groups(priced, group_keys_of(priced), order, 9)
    in_words, _ = sorted_groups(priced, group_keys_of(priced), order, 9, is_asked_in_words=True)
    assert [group.entry.name for group in as_argument] == ["Able Plate", "Plate"]
    assert [group.entry.name for group in in_words] == ["Plate", "Able Plate"]
