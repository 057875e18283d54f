"""Names in a question: several, one, or one that is only the subject."""

from __future__ import annotations

import dataclasses

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.grammar import asks_for_things
from lorekeeper_mcp.search.names.mentions import find_mentions
from lorekeeper_mcp.search.question import find_names
from tests.search.entries import entry, indexed

OWNED = [
    entry("Marshal", kind=Kind.CLASS),
    dataclasses.replace(entry("Rally", kind=Kind.FEATURE), id="feature:srd-2024_marshal_rally"),
]
NAMES = ("Healing Word", "Cure Wounds", "Heal", "Wound", "Misty Step", "Counterspell")
ENTRIES = [entry("Restrained", kind=Kind.CONDITION), *(entry(name, kind=Kind.SPELL) for name in NAMES)]
KNOWN = [indexed(ENTRIES)]


def names_in(question: str) -> list[str]:
    return [mention.name for mention in find_mentions(question, KNOWN)]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("healing word vs cure wounds", ["healing word", "cure wounds"]),
        ("May she cast Misty Step while restrained?", ["misty step", "restrained"]),
        ("how does a lantern work", []),
    ],
)
def test_every_name_in_a_question_is_found_in_its_order(question: str, names: list[str]) -> None:
    assert names_in(question) == names


@pytest.mark.parametrize(
    ("question", "has_only_names"),
    [
        ("healing word vs cure wounds", True),
        ("what does the restrained condition do", True),
        ("counterspell or a healing word", True),
        ("counterspell a healing word", False),  # one is done to the other
        ("spells that heal wounds", False),
        ("restrained spells", False),
        ("can counterspell stop a 5th level spell", False),
        ("does misty step need concentration", True),
        ("duration of misty step", True),
        ("does misty step need a guard", False),
    ],
)
def test_a_question_of_names_alone_is_recognised(question: str, has_only_names: bool) -> None:
    assert find_names(question, KNOWN, lambda _: 0).has_only_names is has_only_names


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("3rd level evocation spells", True),
        ("can it stop a 5th level spell", False),
        ("is there a level 2 ritual", True),
    ],
)
def test_a_number_is_a_filter_only_in_questions_for_things(question: str, asks: bool) -> None:
    assert asks_for_things(question) is asks


def test_a_class_beside_its_feature_qualifies_the_feature() -> None:
    indexes = [indexed(OWNED)]
    assert [mention.name for mention in find_names("marshal rally", indexes, lambda _: 0).mentions] == ["rally"]
    assert [mention.name for mention in find_names("marshal", indexes, lambda _: 0).mentions] == ["marshal"]


def test_a_verb_mentions_its_rule_in_a_question_for_a_ruling() -> None:
    rules = [entry("Wrestling", kind=Kind.RULE), entry("Restrained", kind=Kind.CONDITION)]
    indexes = [indexed(rules)]
    question = "can a creature wrestle a heron"
    assert [mention.ids for mention in find_mentions(question, indexes, with_verbs=True)] == [frozenset({rules[0].id})]
    assert find_mentions(question, indexes) == []
    assert [mention.name for mention in find_names(question, indexes, lambda _: 1).mentions] == ["wrestle"]


def test_editions_that_are_compared_are_no_part_of_the_name() -> None:
    compared = find_names("what changed about restrained between 2014 and 2024", KNOWN, lambda _: 1)
    assert compared.has_only_names
    assert find_names("restrained, old vs new rules", KNOWN, lambda _: 1).has_only_names
    assert not find_names("restrained 2014", KNOWN, lambda _: 1).has_only_names


def test_an_everyday_word_with_its_kind_is_a_name() -> None:
    book = [entry("Human", kind=Kind.SPECIES), entry("Light", kind=Kind.SPELL), entry("Poison", kind=Kind.RULE_SET)]
    book += [entry("Ally", kind=Kind.RULE), entry("Rolling Reed", kind=Kind.RULE), entry("Trap", kind=Kind.RULE)]
    names = [indexed(book)]
    questions = ("does a human need light", "human species", "light spells", "poison condition")
    mentions = [find_mentions(question, names) for question in questions]
    assert [[mention.name for mention in found] for found in mentions] == [[], ["human"], ["light"], []]
    mentions = [find_mentions(question, names) for question in ("may my ally row", "rolling reed trap", "trap")]
    assert [[mention.name for mention in found] for found in mentions] == [[], ["rolling reed"], ["trap"]]
    assert find_names("what do I get as a human species", names, lambda _: 0).has_only_names
