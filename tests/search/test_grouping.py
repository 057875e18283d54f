"""One result for an entity in several documents and for a family of variants."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.grouping import Group, group_keys_of, grouped
from lorekeeper_mcp.store.memory.catalog import Entry
from tests.search.entries import entry


def groups(*entries: Entry, scores: dict[str, float] | None = None, apart: bool = False) -> list[Group]:
    return grouped(entries, scores or {}, None if apart else group_keys_of(entries))[0]


@pytest.mark.parametrize(
    "names",
    [
        ["Gale Brand (Longsword)", "Gale Brand (Rapier)"],
        ["Longsword (+1)", "Longsword (+2)", "Whip, +1", "Weapon +3"],
        ["Hide Armor (+1)", "Armor, +1, +2, or +3", "Plate Armor (+2)"],
        ["Gloaming Whip", "Gloaming Dagger", "Gloaming Hand Crossbow", "Gloaming Sword (Rapier)"],
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
def test_things_with_like_names_stay_apart(names: list[str]) -> None:
    assert sorted(group.entry.name for group in groups(*map(entry, names))) == sorted(names)


def test_only_magic_items_have_variants() -> None:
    creatures = [entry(f"Gnarl ({kind})", kind=Kind.CREATURE) for kind in ("Young", "Old")]
    assert len(groups(*creatures)) == 2


def test_an_inverted_name_is_the_same_thing_and_no_variant() -> None:
    (group,) = groups(
        entry("Crossbow, light", "srd-2014", Kind.WEAPON), entry("Light Crossbow", "srd-2024", Kind.WEAPON)
    )
    assert (group.entry.name, group.also_in, group.variants) == ("Light Crossbow", ("srd-2014",), ())


def test_the_variant_that_was_asked_for_stands_for_its_family() -> None:
    longsword, rapier = entry("Gale Brand (Longsword)"), entry("Gale Brand (Rapier)", "vom")
    (group,) = groups(longsword, rapier, scores={longsword.id: 0.95, rapier.id: 1.0})
    assert (group.entry, group.score, group.variants) == (rapier, 1.0, ("Gale Brand (Longsword)",))


def test_apart_lifts_all_grouping() -> None:
    assert len(groups(*map(entry, ["Longsword (+1)", "Longsword (+2)"]), apart=True)) == 2


def test_the_newest_srd_stands_for_an_entity() -> None:
    (group,) = groups(entry("Glimmer", "vom"), entry("Glimmer", "srd-2014"), entry("Glimmer", "srd-2024"))
    assert (group.entry.document_key, group.also_in) == ("srd-2024", ("srd-2014", "vom"))


@pytest.mark.parametrize("scored", [0, 1, 3, 4, 8])
def test_the_first_few_are_the_beginning_of_all(scored: int) -> None:
    books = ("srd-2014", "srd-2024", "vom")
    entries = [
        entry(f"{name} Brand ({kind})", book) for book in books for name in "gale" for kind in ("Rapier", "Whip")
    ]
    entries += [entry(f"Thing {number}", books[number % 3]) for number in range(8)]
    # Two members of the first thing have a score, and things next to each other have the same.
    scores = {one.id: 0.5 - 0.1 * (number // 3) for number, one in enumerate(entries[::2][:scored])}
    same = group_keys_of(entries)
    every, total = grouped(entries, scores, same)
    assert len(every) == total == 12
    for first in range(1, total + 2):
        assert grouped(entries, scores, same, first) == (every[:first], total)
