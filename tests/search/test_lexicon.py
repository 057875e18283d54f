"""Players' terms, by the reviewed table."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.search.names.lexicon import book_name, expand_shorthand, shorthand, shorthand_meanings, table
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


def test_every_group_of_rows_has_a_source_and_no_word_two_meanings() -> None:
    lexicon = table("lexicon")
    assert all(group["source"] for group in (*lexicon["shorthand"], lexicon["inventors"], lexicon["changed"]))
    assert len(shorthand()) == sum(len(group["words"]) for group in lexicon["shorthand"])
    changed = lexicon["changed"]["names"]
    folded = [*shorthand(), *lexicon["inventors"]["names"], *changed, *changed.values()]
    assert [text for text in folded if fold(text) != text] == []
