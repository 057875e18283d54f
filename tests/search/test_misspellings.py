"""Correction of misspelt words and names."""

from __future__ import annotations

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.names.misspellings import correct_spelling, misspelt_name, split_joined_names
from lorekeeper_mcp.search.names.name_index import build_name_index
from tests.search.entries import entry
from tests.search.test_name_match import KNOWN


def test_unknown_words_are_corrected_to_words_of_names() -> None:
    assert (
        correct_spelling("Adlut boreel wyrm's lair", ["adlut", "boreel", "lair"], build_name_index(KNOWN))
        == "adult boreal wyrms lair"
    )


def test_a_superlative_of_a_known_word_is_not_a_typo() -> None:
    names = build_name_index(
        [entry(name, kind=Kind.SPELL) for name in ("Lights of the Fen", "Light", "Big Hut", "Forest")]
    )
    assert correct_spelling("lightest and biggest forset", ["lightest", "biggest", "forset"], names) == (
        "lightest and biggest forest"
    )


def test_a_name_written_as_one_word_is_split() -> None:
    names = [
        build_name_index([entry("Reed Shape", kind=Kind.FEATURE)]),
        build_name_index([entry("Reed", kind=Kind.SPELL)]),
    ]
    assert split_joined_names("May she reedshape in a fight?", names) == "may she reed shape in a fight"
    assert split_joined_names("May she Reed in a fight?", names) == "May she Reed in a fight?"
    assert (
        split_joined_names("reedshape", [*names, build_name_index([entry("Reedshape", kind=Kind.SPELL)])])
        == "reedshape"
    )


def test_a_name_that_is_misspelt_alone_is_that_name() -> None:
    names = [build_name_index([entry(name, kind=Kind.SPELL) for name in ("Reed Shape", "Reed Shade", "Marsh Light")])]
    assert misspelt_name("marhs light", names) == "marsh light"
    assert misspelt_name("reed shave", names) == "", "two names are equally near"
    assert misspelt_name("a light over the marsh", names) == ""


def test_a_contraction_is_not_a_typo() -> None:
    names = build_name_index([entry("Haunt", kind=Kind.CREATURE)])
    assert correct_spelling("she hasn't slept", ["hasnt"], names) == "she hasnt slept"
    assert correct_spelling("a hauntt", ["hauntt"], names) == "a haunt"


def test_an_abbreviation_is_no_misspelling() -> None:
    names = build_name_index([entry("Summon Ally", kind=Kind.SPELL)])
    assert correct_spelling("pally spells to summun", ["pally", "summun"], names) == "pally spells to summon"
