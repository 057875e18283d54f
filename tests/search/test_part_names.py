"""Names of parts: traits, actions, stat blocks inside other records."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.passages import Passage, PassageKind
from lorekeeper_mcp.search.names.mentions import Mention, find_mentions
from lorekeeper_mcp.search.names.part_names import (
    NamedPart,
    find_parts,
    holders_hint,
    index_part_names,
    owners_hint,
    part_names,
    passages_named,
)
from lorekeeper_mcp.store.catalog import Entry, places
from tests.search.entries import by_id, entry, indexed

CREATURES = [
    entry("Marsh Hound", kind=Kind.CREATURE),
    entry("Marsh Hound", "srd-2014", kind=Kind.CREATURE),
    entry("Bog Hound", kind=Kind.CREATURE),
    entry("Ash Hound", "embers", kind=Kind.CREATURE),
]
TITLES = [(one.id, "Hunting Song. The hound howls for its pack.") for one in CREATURES]
SPELL = entry("Leap", kind=Kind.SPELL)
THIRD_PARTY = entry("Hunting Song", "embers", kind=Kind.FEATURE)
PARTS = index_part_names([*TITLES, (CREATURES[2].id, "Actions. Leap (Recharge 5-6). It leaps.")])


def parts_in(question: str) -> tuple[list[NamedPart], bool]:
    mentions = find_mentions(question, [indexed([*CREATURES, SPELL, THIRD_PARTY])])
    return find_parts(question, mentions, [(PARTS, by_id(CREATURES))])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hunting Song. The hound howls.", ["hunting song"]),
        ("Actions. Ember Breath (Recharge 5-6). It exhales embers.", ["ember breath"]),
        ("Level 3: Song of the Marsh. You sing.", ["song of the marsh"]),
        ("Marsh Spirit", ["marsh spirit"]),
        ("You sing. Others listen.", []),
    ],
)
def test_the_titles_of_a_passage_are_its_names(text: str, names: list[str]) -> None:
    assert [name for name in part_names(text) if name != "you sing"] == names


@pytest.mark.parametrize(
    ("question", "is_alone"),
    [("How does Hunting Song work?", True), ("hunting song trait", True), ("does hunting song need sight", False)],
)
def test_a_part_is_found_in_a_question(question: str, is_alone: bool) -> None:
    (part,), has_only_parts = parts_in(question)
    assert part.mention.name == "hunting song"
    assert has_only_parts is is_alone
    assert holders_hint(part) == '3 creatures have Hunting Song: search_creature(trait="Hunting Song").'


def test_the_holder_that_the_question_names_comes_first_then_what_both_editions_have() -> None:
    assert parts_in("hunting song")[0][0].shown == CREATURES[0]
    assert parts_in("the bog hound uses its hunting song")[0][0].shown == CREATURES[2]


def test_a_record_of_an_srd_precedes_a_part_of_the_same_name() -> None:
    assert parts_in("leap") == ([], False)


def test_a_title_alone_names_what_follows_it() -> None:
    texts = (
        "A spirit comes.",
        "**Marsh Spirit**",
        "*Tiny undead*",
        "**Traits**",
        "***Wet.*** It drips.",
        "**Table**" * 200,
    )
    passages = [Passage(place, (), text, PassageKind.PARAGRAPH, "", None) for place, text in enumerate(texts)]
    assert passages_named(passages, "marsh spirit") == {1, 2, 3, 4}


def test_a_feature_of_several_classes_names_them_with_their_levels() -> None:
    def gained(name: str, levels: str) -> Entry:
        values = dict.fromkeys(places(Family.OPTIONS), "") | {"levels": levels, "feature_of": f"class {name}"}
        feature = entry("Wading", kind=Kind.FEATURE)
        return replace(feature, id=f"feature:srd-2024_{name}_wading", values=tuple(values.values()))

    features = by_id([gained("warden", "|5|"), gained("rower", "|3|11|")])
    wading = Mention("wading", 0, 1, frozenset(features))
    assert owners_hint(wading, features) == "Wading: Rower level 3, 11; Warden level 5."
    assert owners_hint(replace(wading, ids=frozenset(list(features)[:1])), features) == ""
