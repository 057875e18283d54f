"""Every value in a schema's enum is accepted by the tool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastmcp import Client

pytestmark = pytest.mark.asyncio(loop_scope="module")


def enums(schema: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Arguments and the values in their enums."""
    for name, argument in schema["properties"].items():
        for form in (argument, argument.get("items", {})):
            for value in form.get("enum", ()):
                yield name, value


@pytest.mark.chaos
async def test_every_value_of_every_enum_is_accepted(embedded: Client) -> None:
    tried = 0
    for tool in await embedded.list_tools():
        needed = {"query": "fire"} if tool.name == "search_all" else {}
        for argument, value in enums(tool.input_schema):
            for spelled in (value, value.upper(), value.replace("-", "_")):
                answer = await embedded.call_tool(tool.name, {**needed, argument: spelled}, raise_on_error=False)
                assert not answer.is_error, (tool.name, argument, spelled, answer.content)
                tried += 1
    assert tried > 300


@pytest.mark.parametrize("source", ["open5e_v2", "Open5e V2", "OPEN5E-V1", "orcbrew", "srd"])
async def test_a_source_is_accepted_in_any_spelling(embedded: Client, source: str) -> None:
    answer = await embedded.call_tool("list_documents", {"source": source})
    assert answer.structured_content["hint"]
