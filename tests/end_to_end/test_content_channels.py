"""The text and the structured content of real answers of every kind are the same, compared both ways.

Clients show the model one of them: anything in only one half is lost for half of the users.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastmcp import Client

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.text import fold
from lorekeeper_mcp.tools.content_types import EVERYTHING
from tests.end_to_end.clients import ERAS, Era, in_process

pytestmark = pytest.mark.asyncio(loop_scope="module")


def words(text: str) -> set[str]:
    return set(fold(text).split())


SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("search_spell", {"search": "wall of fire"}),
    ("search_spell", {"class_key": "wizard", "level": 3}),
    ("search_creature", {"cr": "1/4"}),
    ("search_equipment", {"search": "Flame Tongue"}),
    ("search_equipment", {"search": "*weapon*"}),
    ("search_equipment", {"type": "weapon"}),
    ("search_equipment", {"rarity": "legendary"}),
    ("search_character_option", {"type": "background"}),
    ("search_character_option", {"type": "species"}),
    ("search_rule", {"search": "Grappled"}),
    ("search_all", {"query": "Goblin", "documents": ["srd-2014"]}),
    ("search_spell", {"search": "*qqxzzy*"}),
]
BY_MEANING = [("search_creature", {"search": "undead that drain life"}), ("search_all", {"query": "fire"})]
KINDS = [str(kind) for kind in sorted(EVERYTHING)]
# In the text these have other words: a rating as printed, flags as a word or nothing, a count of further names, the
# documents of a page once at its end; the order replaces the score.
SAID_OTHERWISE = {
    "challenge_rating", "requires_attunement", "concentration", "ritual", "level", "variant_count", "similarity_score",
    "document_name", "document_source", "document_key", "edition", "also_in", "corrections",
}  # fmt: skip
# Words of ours between the facts.
FRAME = words(
    "also in and more variants level cantrip CR HP AC for of with die hit caster skills feat requires subclass lineage "
    "given or concentration ritual attunement spell script results result complete not fresh stale partial offline "
    "p data from hint call again cursor related called worth"
)


@pytest.fixture(scope="module", params=["embedded", "warm"])
def client(request: pytest.FixtureRequest) -> Client:
    client: Client = request.getfixturevalue(request.param)
    return client


def leaves(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    elif value not in (None, "", False) and name not in SAID_OTHERWISE:
        yield name, str(value)


NO_KEYS = {"hover"}  # brackets of a record's own text


def compare(answer: Any) -> int:
    """Compare the two channels; return the number of results."""
    text, structured = answer.content[0].text, answer.structured_content
    results, head = structured["results"], text.partition("\n\n")[0]
    assert str(structured["total"]) in head
    assert ("NOT complete" in head) != structured["complete"]
    assert structured["cache"] in head
    assert structured["as_of"] is None or structured["as_of"] in head
    assert (structured["hint"] or "") in head
    assert ("Hint:" in head) == (structured["hint"] is not None)
    cursor_line = re.search(r"^More: call again with cursor=(\S+)$", text, re.MULTILINE)
    assert (cursor_line[1] if cursor_line else None) == structured["next_cursor"]
    in_brackets = re.findall(r"\[([\w-]+)(?: of [\w-]+)?(?:, p\. \d+)?(?:; also [^\]]+)?\]", text)
    assert [key for key in in_brackets if key not in NO_KEYS] == keys_in_order(results)
    text_words = words(text)
    for result in results:
        document = next(
            document for document in structured["documents"] if document["document_key"] == result["document_key"]
        )
        line = next(line for line in text.splitlines() if line.startswith(f"{document['document_key']}: "))
        for name in ("document_name", "edition", "license", "publisher", "document_source"):
            assert document[name] in line
        editions = (
            set(str(result["edition"]).split(", ")) if result["edition"] else set()
        )  # none: it is of every edition
        assert editions <= set(document["edition"].split(", "))
        for name, value in leaves(result):
            if name == "kind" and not set(result) & {"text", "passages", "summary"}:
                continue  # further names are on one line, without their kinds
            assert words(value) <= text_words, (result["key"], name, value)
        assert words(" ".join(key.removeprefix("srd-") for key in result.get("also_in", []))) <= text_words
        if "text" not in result and "passages" not in result and (facts := result.get("summary")):
            key = re.compile(rf"\[{re.escape(result['key'])}[\]; ,]")
            assert sum(bool(key.search(line)) and facts in line for line in text.splitlines()) == 1
    # and back: every word and number of the text is in the structured content
    structured_words = words(" ".join(value for _, value in every_leaf(structured))) | words(
        " ".join(every_name(structured))
    )
    assert text_words - structured_words - FRAME - {str(len(results))} == set()
    return len(results)


_KEY_AT_END = re.compile(r"\[([\w-]+)(?:, p\. \d+)?\]\*?$")


def keys_in_order(results: list[dict[str, Any]]) -> list[str]:
    """The keys in brackets: each result's, followed by those of its other editions; names alone come last."""
    with_content = [result for result in results if set(result) & {"text", "passages"}]
    names_alone = [result for result in results if result not in with_content]
    keys = []
    for result in [*with_content, *names_alone]:
        headings = [passage["heading"] for passage in result.get("passages", [])]
        headings += [line for line in result.get("text", "").splitlines() if line.startswith(("## ", "*"))]
        keys += [result["key"], *(key for one in headings for key in _KEY_AT_END.findall(one))]
    return keys


def every_leaf(value: object) -> Iterator[tuple[str, str]]:
    """All values in structured content."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from ((name, text) for _, text in every_leaf(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from every_leaf(inner)
    else:
        yield "", str(value)


def every_name(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from map(str, value)
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from every_name(inner)


@pytest.mark.parametrize("detail", ["auto", "brief", "full"])
async def test_text_and_structured_content_have_the_same_results(
    request: pytest.FixtureRequest, client: Client, detail: str
) -> None:
    count = 0
    by_meaning = BY_MEANING if "warm" in request.node.name else []  # loading the model once is enough
    for tool, arguments in [*SEARCHES, *by_meaning]:
        count += compare(await client.call_tool(tool, {**arguments, "detail": detail, "limit": 12}))
    assert count > 60


@pytest.mark.parametrize("detail", ["brief", "full"])
async def test_text_and_structured_content_have_the_same_facts_for_every_kind(client: Client, detail: str) -> None:
    kinds = set()
    for kind in KINDS:
        arguments = {"query": "", "content_types": [kind], "detail": detail, "limit": 12}
        answer = await client.call_tool("search_all", arguments)
        compare(answer)
        kinds |= {result["kind"] for result in answer.structured_content["results"]}
    assert len(kinds) >= 20
    assert kinds <= {str(kind) for kind in Kind}


async def test_text_and_structured_content_have_the_same_documents(client: Client) -> None:
    answer = await client.call_tool("list_documents", {"format": "json"})
    assert json.loads(answer.content[0].text) == answer.structured_content
    answer = await client.call_tool("list_documents", {"format": "text"})
    text, structured = answer.content[0].text, answer.structured_content
    lines = text.splitlines()
    for document in structured["documents"]:
        key, source = document["document_key"], document["document_source"]
        (line,) = [line for line in lines if f"({key}, {source})" in line]
        for name in ("document_name", "publisher", "license", "edition", "entity_count"):
            assert str(document[name]) in line, (key, name)
        for kind, count in document["entity_types"].items():
            assert f"{count} {kind}" in line
        assert document["attribution"] in text
    assert structured["hint"] in text


@pytest.mark.parametrize("mode", ERAS)
async def test_text_and_structured_content_are_whole_in_both_protocol_versions(mode: Era, seeded: Any) -> None:
    async with in_process(seeded, mode=mode, offline=True) as client:
        assert compare(await client.call_tool("search_all", {"query": "Goblin", "documents": ["srd-2014"]})) > 1
