"""A question by meaning is answered by Milvus, with its filters inside the vector query."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.end_to_end.clients import ask, over_stdio

SPY = """
import json, os
from pymilvus import MilvusClient

search = MilvusClient.search

def spied(self, collection_name, *arguments, **options):
    with open(os.environ["SPIED"], "a") as file:
        file.write(json.dumps([collection_name, options["filter"], options["limit"]]) + chr(10))
    return [[]] if os.environ["BLIND"] else search(self, collection_name, *arguments, **options)

MilvusClient.search = spied
from lorekeeper_mcp.__main__ import main
main()
"""
QUESTION = {"search": "undead that drain life", "cr_max": 5, "type": "undead"}


async def asked(db: Path, log: Path, *, blind: bool = False) -> tuple[dict[str, Any], list[list[Any]]]:
    """The answer over stdio with the default settings, and the vector queries that Milvus's client was given."""
    log.write_text("")
    variables = {"SPIED": str(log), "BLIND": "yes" if blind else ""}
    async with over_stdio(db, start=[sys.executable, "-c", SPY], LOREKEEPER_OFFLINE="true", **variables) as client:
        await client.list_tools()
        answer = await ask(client, "search_creature", **QUESTION)
    return answer, [json.loads(line) for line in log.read_text().splitlines()]


async def test_a_question_with_filters_is_one_vector_query_that_has_them(own: Path, tmp_path: Path) -> None:
    answer, queries = await asked(own, tmp_path / "log")
    assert answer["results"]
    assert 1 <= len(queries) <= 2  # the second for a boost
    for collection, expression, limit in queries:
        assert collection.startswith("lorekeeper_creatures_")
        assert "challenge_rating <= 5" in expression
        assert 'type in ["undead"]' in expression
        assert limit <= 200
    without, _ = await asked(own, tmp_path / "log", blind=True)
    assert answer["results"] != without["results"], "the same could be answered without Milvus"
