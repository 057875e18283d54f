"""Players' terms, by the reviewed table."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.search.names.lexicon import book_name, expand_shorthand, lexicon, shorthand_meanings
from lorekeeper_mcp.text import fold


@pytest.mark.parametrize(
    ("players_name", "name"),
    [
        ("pwt", "pass without trace"),
        ("hm", "hunters mark"),
        ("aoo", "opportunity attack"),
        ("Tasha's Hideous Laughter", "hideous laughter"),
        ("Bigby's Hand", "arcane hand"),
        ("Heward's Handy Haversack", "handy haversack"),
        ("nat 20", "rolling 20 or 1"),
        ("Fireball", "fireball"),
        ("Tasha's", "tashas"),
    ],
)
def test_a_players_name_is_translated_to_the_name_in_the_books(players_name: str, name: str) -> None:
    assert book_name(fold(players_name)) == name


def test_shorthand_is_spelled_out_word_by_word() -> None:
    assert expand_shorthand("ba heal") == "bonus action heal"
    assert shorthand_meanings("aoo and thp after aoo") == ("opportunity attack", "temporary hit points")
    assert expand_shorthand("a banner") == "a banner"


def test_a_word_may_mean_a_rule_only_of_somebody() -> None:
    assert expand_shorthand("can she shoot while riding a horse") == "can she shoot while mounted combat a horse"
    assert expand_shorthand("price of a riding horse") == "price of a riding horse"


def test_shorthand_may_have_several_words() -> None:
    assert expand_shorthand("turn him to stone") == "turn him petrified"
    assert shorthand_meanings("turned into stone not to stones") == ("petrified",)


@pytest.mark.parametrize("question", ["step into stone", "a sling that hurls ash to stone", "to stone it turns"])
def test_shorthand_with_a_context_means_nothing_elsewhere(question: str) -> None:
    assert (expand_shorthand(question), shorthand_meanings(question)) == (question, ())


def test_every_group_of_rows_has_a_source_and_no_word_two_meanings() -> None:
    table = lexicon()
    assert all(group.source for group in (*table.shorthand, table.inventors, table.changed))
    assert len(table.words) == sum(len(group.words) for group in table.shorthand)
    after = [word for group in table.shorthand for word in group.after]
    folded = [*after, *table.words, *table.inventors.names, *table.changed.names, *table.changed.names.values()]
    assert [text for text in folded if fold(text) != text] == []
