"""The subject of a question, and the texts that are embedded."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.search.question import parse_question


@pytest.mark.parametrize(
    ("search", "subject"),
    [
        ("I want a creature that can charm people", "charm people"),
        ("which monsters petrify?", "petrify"),
        ("Is there a spell to cross a river", "cross a river"),
        ("list all feats for archers", "archers"),
        ("what is the rule for jumping", "jumping"),
        ("can he hide behind a friend", "he hide behind a friend"),
        ("rust monster", "rust monster"),
        ("monsters", "monsters"),
        ("what", "what"),
    ],
)
def test_words_that_only_ask_are_not_searched_for(search: str, subject: str) -> None:
    question = parse_question(search)
    assert question.subject == subject
    assert question.texts[0] == subject
    assert question.search == search
