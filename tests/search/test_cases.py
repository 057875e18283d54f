"""Cases: which questions describe a situation, and what these ask for; stems of words."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.names.lexicon import stem, stems
from lorekeeper_mcp.search.question import is_case, kinds_mentioned


@pytest.mark.parametrize(
    ("search", "is_a_case"),
    [
        ("She wades into the fen. May the warden strike?", True),
        ("The warden is muddied and wants to wade up to an eel. May he?", True),
        ("fen gate vs. reed wall", False),
        ("does Fen Gate end a strike", False),
        ("I am a warden of the fens. Which spells stop an eel?", False),
        ("Our group is in the fens. List eels that fly.", False),
        ("The warden found a reed. What does it cost him?", False),
        ("eel is muddied by a warden, how do my strikes fare", True),
        ("my horse is pushed over in a river, do I fall", True),
        ("the wand of herons, how many charges does it have", False),
    ],
)
def test_a_case_describes_a_situation_and_asks_for_a_ruling(search: str, is_a_case: bool) -> None:
    assert is_case(search) is is_a_case


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
