"""The setting for the channels of an answer, for every tool, in both protocol versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lorekeeper_mcp.settings import ConfigurationError, load_settings
from tests.end_to_end.clients import ERAS, Era, in_process, over_stdio

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_spell", {"level": 3}),
    ("search_creature", {"search": "srd_goblin"}),
    ("search_equipment", {"type": "armor"}),
    ("search_character_option", {"type": "feat"}),
    ("search_rule", {"search": "Grappled"}),
    ("search_all", {"query": "Goblin"}),
    ("list_documents", {}),
]


@pytest.mark.parametrize("mode", ERAS)
async def test_an_answer_has_the_configured_channels(mode: Era, seeded: Path) -> None:
    answers = {}
    for output in ("auto", "text", "structured", "both"):
        async with in_process(seeded, mode=mode, offline=True, output=output) as client:
            declared = {tool.name: tool.output_schema for tool in await client.list_tools()}
            assert all((schema is None) == (output == "text") for schema in declared.values())
            answers[output] = [await client.call_tool(tool, arguments) for tool, arguments in CALLS]
            for (tool, _), answer in zip(CALLS, answers[output], strict=True):
                assert output == "text" or set(declared[tool]["properties"]) == set(answer.structured_content)
    for auto, text, structured, both in zip(*answers.values(), strict=True):
        assert auto.structured_content == structured.structured_content == both.structured_content
        assert auto.content[0].text == text.content[0].text == both.content[0].text
        assert text.structured_content is None
        assert len(structured.content[0].text) < 100
        assert str(structured.structured_content["total"]) in structured.content[0].text


@pytest.mark.parametrize("mode", ERAS)
async def test_an_error_is_a_sentence_in_every_channel_setting(mode: Era, seeded: Path) -> None:
    for output in ("text", "structured"):
        async with in_process(seeded, mode=mode, offline=True, output=output) as client:
            answer = await client.call_tool("search_spell", {"level": 12}, raise_on_error=False)
            assert answer.is_error
            assert "level" in answer.content[0].text


async def test_the_channels_are_set_by_an_environment_variable(seeded: Path) -> None:
    async with over_stdio(seeded, LOREKEEPER_OFFLINE="true", LOREKEEPER_OUTPUT="Text") as client:
        answer = await client.call_tool("search_spell", {"level": 3, "limit": 1})
        assert answer.structured_content is None
        assert "(spell)" in answer.content[0].text
    with pytest.raises(
        ConfigurationError, match=r"LOREKEEPER_OUTPUT is 'json'.*'auto', 'text', 'structured' or 'both'"
    ):
        load_settings(output="json")


@pytest.mark.parametrize("mode", ERAS)
async def test_tools_have_titles_hints_and_examples(mode: Era, seeded: Path) -> None:
    async with in_process(seeded, mode=mode, offline=True) as client:
        tools = await client.list_tools()
        for tool in tools:
            hints = tool.annotations
            assert tool.title
            assert hints is not None
            assert (hints.read_only_hint, hints.destructive_hint) == (True, False)
            assert hints.open_world_hint is False
            for name, property_ in tool.input_schema["properties"].items():
                assert property_["description"], name
                assert property_.get("default", "") is not None, name
            if tool.name.startswith("search"):
                first = tool.input_schema["properties"].get("search") or tool.input_schema["properties"]["query"]
                assert first["examples"]
        assert [tool.name for tool in tools] == [tool.name for tool in await client.list_tools()]
