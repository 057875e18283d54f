"""Documents as clients see them: each listed once, and found under every name that a result shows."""

from __future__ import annotations

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ask, every_result
from tests.recorded import needs_recorded

pytestmark = [pytest.mark.asyncio(loop_scope="module"), needs_recorded]


async def test_every_document_is_listed_once(warm: Client) -> None:
    keys = [document["document_key"] for document in (await ask(warm, "list_documents"))["documents"]]
    assert len(keys) == len(set(keys)) > 20


async def test_every_name_that_a_result_shows_can_be_asked_for(warm: Client) -> None:
    keys = set()
    for tool in ("search_equipment", "search_character_option", "search_rule"):
        results = await every_result(warm, tool)
        keys |= {(result["document_name"], result["document_key"]) for result in results}
    assert len(keys) > 10
    for name, key in sorted(keys):
        answer = await ask(warm, "search_all", query="", documents=[name], limit=1)
        assert "No stored document is called" not in (answer["hint"] or ""), (name, key)
        by_key = await ask(warm, "search_all", query="", documents=[key], limit=1)
        assert by_key["total"] <= answer["total"], (name, key)


async def test_level_up_is_listed_with_name_publisher_license_and_edition(warm: Client) -> None:
    await ask(warm, "search_equipment", documents=["a5e"], limit=1)
    listed = {document["document_key"]: document for document in (await ask(warm, "list_documents"))["documents"]}
    row = listed["a5e"]
    assert (row["document_name"], row["publisher"], row["edition"]) == ("Level Up Advanced 5e", "EN Publishing", "a5e")
    assert "CC-BY-4.0" in row["license"]


async def test_two_documents_of_one_name_are_both_searched(warm: Client) -> None:
    answer = await ask(warm, "search_all", query="", documents=["Open5e Originals"], limit=1)
    by_key = [await ask(warm, "search_all", query="", documents=[key], limit=1) for key in ("open5e", "open5e-2024")]
    assert answer["total"] == sum(part["total"] for part in by_key)
    assert "open5e and open5e-2024" in answer["hint"]
