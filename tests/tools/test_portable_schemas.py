"""The schemas are the part of JSON Schema that every client compiles: llama.cpp's grammars, RE2, OpenAI, Gemini."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import re2
from llguidance import LLMatcher, LLTokenizer

from lorekeeper_mcp.tools.arguments import given
from lorekeeper_mcp.tools.tool_registry import tools

TOOLS = {tool.name: tool.parameters for tool in tools().values()}
KEYS = {
    *("type", "properties", "required", "additionalProperties", "items", "enum"),
    *("minimum", "maximum", "maxLength", "maxItems", "description", "default", "examples", "title"),
}


def schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from schemas(inner)


@pytest.mark.unit
@pytest.mark.parametrize("tool", TOOLS)
def test_a_schema_has_only_what_every_client_compiles(tool: str) -> None:
    for schema in schemas(TOOLS[tool]):
        assert schema.keys() <= KEYS, "no patterns, references or alternatives of types"
        assert isinstance(schema["type"], str)
        assert schema.get("maxLength", 0) <= 2000, "llama.cpp repeats a rule that often"
        assert (schema["type"] == "object") == ("properties" in schema), "no map with free names"
        assert schema.get("additionalProperties", False) is False
        assert (schema["type"] == "array") == ("items" in schema)
        assert all(isinstance(value, str) for value in schema.get("enum", [])), "Gemini has enums of strings alone"
        assert schema.get("default", 0) is not None


@pytest.mark.unit
@pytest.mark.parametrize("tool", TOOLS)
def test_names_and_enums_are_within_the_limits_of_openai_and_gemini(tool: str) -> None:
    every = list(schemas(TOOLS[tool]))
    names = [tool, *(name for schema in every for name in schema.get("properties", {}))]
    assert all(re2.fullmatch("[a-z][a-z0-9_]{0,63}", name) for name in names)
    enums = [schema["enum"] for schema in every if "enum" in schema]
    assert sum(map(len, enums)) <= 500, "OpenAI's strict mode allows as many values, and 100 arguments"
    assert len(names) <= 100
    assert all(len(set(enum)) == len(enum) and "" not in enum for enum in enums)
    required = TOOLS[tool].get("required", [])
    assert set(required) <= TOOLS[tool]["properties"].keys()


CALLS: dict[str, dict[str, Any]] = {
    "search_spell": {"search": "wall of *", "level": 3, "school": "evocation", "concentration": True},
    "search_creature": {"cr_min": 0.25, "size": "huge", "ability_min": {"strength": 16}, "documents": ["srd-2014"]},
    "search_equipment": {"rarity": "very-rare", "cost_max": 10.5, "sort": "-cost"},
    "search_character_option": {"type": "feat", "skill": "sleight-of-hand", "edition": "2024"},
    "search_rule": {"search": "Grappled", "rule_type": "condition", "limit": 5},
    "search_all": {"query": "who can fly?", "content_types": ["Spell", "Feat"]},
    "list_documents": {"source": "srd", "format": "text"},
}


def accepts(tool: str, arguments: dict[str, Any]) -> bool:
    """Whether the tool's schema, compiled to a grammar as llama.cpp, vLLM and OpenAI do, lets a model write a call."""
    grammar = LLMatcher.grammar_from_json_schema(TOOLS[tool])
    is_refused, messages = LLMatcher.validate_grammar_with_warnings(grammar, None)
    assert (is_refused, messages) == (False, []), messages
    written = list(json.dumps(arguments).encode())
    matcher = LLMatcher(LLTokenizer("byte"), grammar)
    return bool(matcher.try_consume_tokens(written) == len(written) and matcher.is_accepting())


@pytest.mark.unit
@pytest.mark.parametrize("tool", TOOLS)
def test_a_schema_compiles_to_a_grammar_that_allows_calls(tool: str) -> None:
    assert accepts(tool, CALLS[tool])
    assert not accepts(tool, {**CALLS[tool], "invented": "argument"})


@pytest.mark.unit
@pytest.mark.parametrize("tool", TOOLS)
def test_numbers_have_bounds_that_a_grammar_can_spell(tool: str) -> None:
    """llama.cpp spells the bounds of integers digit by digit; those of other numbers it ignores."""
    for schema in schemas(TOOLS[tool]):
        low, high = schema.get("minimum", 0), schema.get("maximum", 0)
        assert schema["type"] != "integer" or (isinstance(low, int) and isinstance(high, int))
        assert low <= high or "maximum" not in schema


def test_an_argument_without_a_value_is_not_given() -> None:
    nothing = {"search": None, "level": "", "school": "null", "sort": " NULL ", "documents": [None, "null"]}
    assert given(nothing) == {}
    assert given({"level": 0, "ritual": False, "documents": [], "edition": ["2014", ""]}) == {
        "level": 0,
        "ritual": False,
        "documents": [],
        "edition": ["2014"],
    }
    assert given({"query": None}) == {"query": ""}
