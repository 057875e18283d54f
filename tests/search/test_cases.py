"""Cases of several sentences: which questions are cases, the rules they name, and their participants."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.names.name_index import build_name_index
from lorekeeper_mcp.search.names.stems import stem, stems
from lorekeeper_mcp.search.question import find_names, is_case, kinds_mentioned
from tests.search.entries import by_id, entry

BOOK = [
    entry("Wading", kind=Kind.RULE),
    entry("Opportunity Strikes", kind=Kind.RULE),
    entry("Muddied", kind=Kind.CONDITION),
    entry("Damage", kind=Kind.RULE),
    entry("Enemy", kind=Kind.RULE),
    entry("Reed Warden", kind=Kind.CLASS),
    entry("Muddied Eel", kind=Kind.CREATURE),
    entry("Fen Gate", kind=Kind.SPELL),
]


def rules_named(search: str) -> list[tuple[str, set[str]]]:
    entries = by_id(BOOK)
    mentions = find_names(search, [(build_name_index(BOOK), entries)], lambda _: 0).mentions
    return [(mention.name, {entries[id_].name for id_ in mention.ids}) for mention in mentions]


@pytest.mark.parametrize(
    ("search", "is_a_case"),
    [
        ("She wades into the fen. May the warden strike?", True),
        ("The eel is muddied, says the warden. He is wrong, says she.", True),
        ("The warden is muddied and wants to wade up to an eel. May he?", True),
        ("The warden holds a gate open. An eel bites him. What DC is the save?", True),
        ("fen gate vs. reed wall", False),
        ("does Fen Gate end a strike", False),
        ("I am a warden of the fens. Which spells stop an eel?", False),
        ("Our group is in the fens. List eels that fly.", False),
        ("The warden found a reed. What does it cost him?", True),
        ("eel is muddied by a warden, how do my strikes fare", True),
        ("eel is muddied by a warden, how big is it", False),
    ],
)
def test_a_case_describes_a_situation_and_asks_for_no_list(search: str, is_a_case: bool) -> None:
    assert is_case(search) is is_a_case


def test_rule_terms_are_found_in_any_inflection() -> None:
    assert rules_named("She waded off. Is that an opportunity strike against a muddied heron?") == [
        ("waded", {"Wading"}),
        ("opportunity strike", {"Opportunity Strikes"}),
        ("muddied", {"Muddied"}),
    ]


def test_participants_and_common_words_are_no_terms() -> None:
    assert rules_named("The reed warden takes damage from an enemy. She casts Fen Gate.") == [
        ("fen gate", {"Fen Gate"})
    ]


def test_a_condition_within_a_creatures_name_is_also_found() -> None:
    assert rules_named("A muddied eel bites her. May she strike back?") == [
        ("muddied eel", {"Muddied Eel"}),
        ("muddied", {"Muddied"}),
    ]


def test_a_situation_prefers_rules_and_a_question_the_kinds_it_mentions() -> None:
    assert kinds_mentioned("A creature wades off at once. May she strike?") == {Kind.RULE, Kind.CONDITION}
    assert kinds_mentioned("a feat for waders") == {Kind.FEAT}


@pytest.mark.parametrize(
    "forms",
    [
        "hide hides hiding hidden",
        "ready readies readied readying",
        "grappled grappler grappling grapples",
        "stun stunned stuns",
        "concentrating concentration concentrates",
        "attuned attunement attunes",
        "teleport teleports teleportation",
        "fall falls falling fell",
        "5th fifth 5",
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len(set(map(stem, forms.split()))) == 1, stems(forms)


def test_other_words_have_other_stems() -> None:
    words = "ready read stable stab save safe during duration"
    assert len(set(stems(words).split())) == len(words.split())


@pytest.mark.parametrize(
    ("search", "describes"),
    [
        ("my horse is pushed over in a river, do I fall", True),
        ("She swims past a guard, behind a hedge, can he strike her?", True),
        ("the ferryman is grabbed, can he still row with one hand", True),
        ("a heron or a stork, which of them flies farther", False),
        ("the wand of herons, how many charges does it have", False),
        ("I need a boat for six people, what is there", False),
        ("a punt sinks in a river, how much does a new one cost", False),
    ],
)
def test_a_situation_and_its_question_may_share_a_sentence(search: str, describes: bool) -> None:
    assert is_case(search) is describes
