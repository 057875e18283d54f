"""With an edition given, every line, passage and page belongs to it: tested with the questions of the benchmarks."""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks.answers.evaluate import QUESTIONS, Question, load
from fastmcp import Client

from tests.end_to_end.clients import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")
OTHER = {"2014": "2024", "2024": "2014"}
ASKED = [question for file in ("facts", "disputes", "assistant") for question in load(QUESTIONS / f"{file}.jsonl")][::5]


def faults(answer: dict[str, Any], edition: str) -> list[str]:
    """The parts of an answer that belong to another edition."""
    wrong = [
        f"{result['key']} is of {result['edition']}" for result in answer["results"] if result["edition"] != edition
    ]
    wrong += [f"{book['document_key']} named" for book in answer["documents"] if OTHER[edition] in book["edition"]]
    for result in answer["results"]:
        wrong += [f"{result['key']} also in {key}" for key in result.get("also_in", []) if OTHER[edition] in key]
        texts = [result.get("text", ""), *(passage["heading"] for passage in result.get("passages", []))]
        wrong += [
            f"{result['key']} compared" for text in texts if f"{OTHER[edition]} rules" in text or "differs [" in text
        ]
    return wrong


@pytest.mark.parametrize("edition", OTHER)
async def test_every_answer_and_its_next_page_are_of_the_edition_asked_for(embedded: Client, edition: str) -> None:
    count = 0
    for question in ASKED:
        answer = await ask_in_edition(embedded, question, edition)
        assert not faults(answer, edition), question.arguments
        count += len(answer["results"])
        if answer["next_cursor"]:
            assert not faults(await ask_in_edition(embedded, question, edition, answer["next_cursor"]), edition)
    assert count > 3 * len(ASKED)


@pytest.mark.parametrize(
    ("edition", "present", "absent"),
    [("2014", "A poisoned creature", "Ability Checks and Attacks"), ("2024", "Disadvantage on", "A poisoned creature")],
)
@pytest.mark.parametrize("detail", ["auto", "full", "brief"])
async def test_a_condition_has_the_text_of_the_edition_in_every_detail(
    embedded: Client, edition: str, present: str, absent: str, detail: str
) -> None:
    answer = await ask(
        embedded, "search_rule", search="poisoned", edition=edition, rule_type="condition", detail=detail
    )
    results = str(answer["results"])
    assert absent not in results
    assert present.lower() in results.lower() or detail == "brief"


async def ask_in_edition(client: Client, question: Question, edition: str, cursor: str | None = None) -> dict[str, Any]:
    return await ask(client, question.tool, **{**question.arguments, "edition": edition, "cursor": cursor})
