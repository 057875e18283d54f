"""The text and the structured content of real answers of every kind hold the same, compared both ways.

Clients show the model one of them: whatever stands in one only is lost to half of the users.
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
from tests.recorded import needs_recorded

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
# Told in the text in other words: a rating as printed, yes and no by a word or by none, how many names follow.
SAID_OTHERWISE = {"challenge_rating", "requires_attunement", "concentration", "ritual", "level", "variant_count"}
# Words of ours between the facts.
FRAME = words(
    "also in and more variants score level cantrip CR HP AC for of with die hit caster skills feat requires subclass "
    "lineage given or concentration ritual attunement spell script"
)


@pytest.fixture(scope="module", params=["embedded", pytest.param("warm", marks=needs_recorded)])
def client(request: pytest.FixtureRequest) -> Client:
    found: Client = request.getfixturevalue(request.param)
    return found


def parts(text: str, keys: list[str]) -> list[str]:
    """The text of each result: it ends with the bracket that holds its key."""
    found = []
    rest = text
    for key in keys:
        bracket = re.search(rf"\[[a-z-]+ `{re.escape(key)}`[^\n]*\]", rest)
        assert bracket, key
        found.append(rest[: bracket.end()])
        rest = rest[bracket.end() :]
    assert not re.search(r"\[[a-z-]+ `", rest)
    return found


def leaves(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    elif value not in (None, "", False) and name not in SAID_OTHERWISE:
        yield name, str(value)


def compare(answer: Any) -> int:
    """Everything in one half stands in the other; how many results there were."""
    text, structured = answer.content[0].text, answer.structured_content
    results = structured["results"]
    head, _, listed = text.partition("\n\n")
    assert str(structured["total"]) in head
    assert ("NOT complete" in head) != structured["complete"]
    assert structured["cache"] in head
    assert structured["as_of"] is None or structured["as_of"] in head
    assert (structured["hint"] or "") in head
    assert ("Hint:" in head) == (structured["hint"] is not None)
    more = re.search(r"^More: call again with cursor=(\S+)$", listed, re.MULTILINE)
    assert (more[1] if more else None) == structured["next_cursor"]
    for result, part in zip(results, parts(listed, [r["key"] for r in results]), strict=True):
        told = fold(part)
        for name, value in leaves(result):
            if name in ("summary", "edition") and "text" in result:  # a page may set their words apart
                assert words(value) <= words(part), (result["key"], value)
            else:
                assert fold(value) in told, (result["key"], name, value)
        assert result.get("level", 1) == 0 or "level" not in result or str(result["level"]) in part
        # and back: every word and number of the text stands in the structured half
        known = words(" ".join([*(value for _, value in leaves(result)), *map(str, result.values())]))
        assert words(part) - known - FRAME == set(), result["key"]
    return len(results)


@pytest.mark.parametrize("detail", ["auto", "brief", "full"])
async def test_both_halves_of_an_answer_hold_the_same(
    request: pytest.FixtureRequest, client: Client, detail: str
) -> None:
    shown = 0
    by_meaning = BY_MEANING if "warm" in request.node.name else []  # loading the model once is enough
    for tool, arguments in [*SEARCHES, *by_meaning]:
        shown += compare(await client.call_tool(tool, {**arguments, "detail": detail, "limit": 12}))
    assert shown > 60


@pytest.mark.parametrize("detail", ["brief", "full"])
async def test_both_halves_hold_the_same_for_every_kind(client: Client, detail: str) -> None:
    seen = set()
    for kind in KINDS:
        asked = {"query": "", "content_types": [kind], "detail": detail, "limit": 12}
        answer = await client.call_tool("search_all", asked)
        compare(answer)
        seen |= {result["kind"] for result in answer.structured_content["results"]}
    assert len(seen) >= 20
    assert seen <= {str(kind) for kind in Kind}


async def test_both_halves_hold_the_same_documents(client: Client) -> None:
    answer = await client.call_tool("list_documents", {"format": "json"})
    assert json.loads(answer.content[0].text) == answer.structured_content
    answer = await client.call_tool("list_documents", {"format": "text"})
    text, structured = answer.content[0].text, answer.structured_content
    lines = text.splitlines()
    for document in structured["documents"]:
        key, source = document["document_key"], document["document_source"]
        (line,) = [one for one in lines if f"({key}, {source})" in one]
        for name in ("document_name", "publisher", "license", "edition", "entity_count"):
            assert str(document[name]) in line, (key, name)
        for kind, count in document["entity_types"].items():
            assert f"{count} {kind}" in line
        assert document["attribution"] in text
    assert structured["hint"] in text


@pytest.mark.parametrize("mode", ERAS)
async def test_both_halves_come_whole_in_either_era(mode: Era, seeded: Any) -> None:
    async with in_process(seeded, mode=mode, offline=True) as client:
        assert compare(await client.call_tool("search_all", {"query": "Goblin", "documents": ["srd-2014"]})) > 5
