"""Hostile values in every argument: they select nothing, give a sentence, and the next call works."""

from __future__ import annotations

from typing import Any

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ask, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

VALUES = [
    '" or 1 == 1 or name == "',
    "' OR '1'='1",
    "\\",
    'x\\"',
    '") or (id != "',
    "%",
    "_",
    "__",
    "*",
    "|",
    "|wizard|",
    "~",
    "\x00",
    "fire\x00ball",
    "\x01\x02\x1b[31m",
    "\n\r\t",
    "龍の炎",
    "Огненный шар",
    "عربى",
    "😀",
    "\ud7ff\ufffd",
    "a" * 100_000,
    "fire " * 20_000,
    "in [",
    "like",
    "{}",
    "[]",
    '["',
    "../../etc/passwd",
    "<script>",
    "${jndi}",
    "%s%n",
    "0x10",
]
TEXT_ARGUMENTS = [
    ("search_spell", "class_key"),
    ("search_spell", "casting_time"),
    ("search_creature", "environment"),
    ("search_equipment", "property"),
    ("search_equipment", "damage_dice"),
    ("search_character_option", "class_key"),
    ("search_rule", "section"),
]
SEARCHES = [
    ("search_spell", "search"),
    ("search_creature", "search"),
    ("search_equipment", "search"),
    ("search_character_option", "search"),
    ("search_rule", "search"),
    ("search_all", "query"),
]


async def answer_or_sentence(client: Client, tool: str, **arguments: Any) -> dict[str, Any] | None:
    answer = await client.call_tool(tool, arguments, raise_on_error=False)
    if not answer.is_error:
        assert answer.structured_content is not None
        return answer.structured_content
    sentence = answer.content[0].text
    assert 10 < len(sentence) <= 600
    for inside in ("Traceback", "pydantic", "milvus", "Milvus", "sqlite", "httpx", "validation error"):
        assert inside not in sentence
    return None


@pytest.mark.parametrize(("tool", "argument"), TEXT_ARGUMENTS)
async def test_a_filter_with_a_hostile_value_selects_nothing(embedded: Client, tool: str, argument: str) -> None:
    for value in filter(str.strip, VALUES):  # a blank value counts as not given
        answer = await answer_or_sentence(embedded, tool, **{argument: value})
        assert answer is None or answer["total"] == 0, value[:40]
    assert (await ask(embedded, "search_spell", class_key="wizard"))["total"] > 0


@pytest.mark.parametrize(("tool", "argument"), SEARCHES)
async def test_a_hostile_search_stays_within_its_filters(embedded: Client, tool: str, argument: str) -> None:
    for value in VALUES:
        answer = await answer_or_sentence(embedded, tool, **{argument: value, "documents": ["srd-2014"], "limit": 3})
        assert answer is None or all(r["document_key"] == "srd-2014" for r in answer["results"])


@pytest.mark.parametrize("tool", ["search_spell", "search_rule", "search_all"])
async def test_hostile_documents_and_cursors(embedded: Client, tool: str) -> None:
    needed = {"query": "fire"} if tool == "search_all" else {}
    for value in filter(str.strip, VALUES):
        answer = await answer_or_sentence(embedded, tool, documents=[value], **needed)
        assert answer is None or answer["total"] == 0, value[:40]
        if value.strip("\x00"):
            assert await answer_or_sentence(embedded, tool, cursor=value, **needed) is None, value[:40]


async def test_a_long_search_is_cut_and_says_so(embedded: Client) -> None:
    answer = await ask(embedded, "search_spell", search="fire damage " * 100)
    assert "512" in answer["hint"]


ENUMS = [
    ("search_spell", "school"),
    ("search_spell", "damage_type"),
    ("search_creature", "type"),
    ("search_creature", "size"),
    ("search_equipment", "category"),
    ("search_equipment", "rarity"),
    ("search_rule", "rule_type"),
    ("search_spell", "edition"),
    ("list_documents", "source"),
]


@pytest.mark.parametrize(("tool", "argument"), ENUMS)
async def test_a_value_outside_an_enumeration_gets_a_sentence_with_the_allowed_ones(
    embedded: Client, tool: str, argument: str
) -> None:
    for value in VALUES:
        if value.strip() and (argument, value) != ("rule_type", "*"):
            sentence = await refused(embedded, tool, **{argument: value})
            assert argument in sentence
            assert len(sentence) <= 600


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("search_spell", {"level": 12}, "level cannot be 12: it must be a whole number from 0 to 9"),
        ("search_spell", {"level": "many"}, 'level cannot be "many": it must be a whole number from 0 to 9'),
        ("search_spell", {"level": True}, "level cannot be true: it must be a whole number"),
        ("search_spell", {"school": "1/0"}, 'school cannot be "1/0": allowed values are abjuration'),
        ("search_spell", {"school": "necromanzy"}, "did you mean necromancy? Allowed values are abjuration"),
        ("search_spell", {"": 1}, 'search_spell has no argument ""; its arguments are search, level'),
        ("search_all", {"query": "x", "Search": "y"}, "names and questions go in query"),
        ("search_rule", {"documents": ["x"] * 120}, "a list of at most 100 strings"),
        ("search_spell", {"class_key": ["x"] * 120}, "class_key takes at most 100 values."),
        ("search_creature", {"ability_min": '{"a":' * 9_000}, "ability_min cannot be"),
        ("search_spell", {"level": 3, "level_min": 5}, ", so nothing can match"),
        ("search_spell", {"level_min": 5, "level_max": 2}, ", so nothing can match"),
        ("search_creature", {"cr": "x/y"}, "cr"),
        ("search_creature", {"cr": "1/0"}, "cr"),
        ("search_creature", {"cr_min": 4, "cr_max": "1/2"}, ", so nothing can match"),
        ("search_creature", {"ability_min": {"luck": 3}}, 'cannot be {"luck": 3}: it must be an object of strength'),
        ("search_creature", {"ability_min": {"wisdom": 99}}, 'cannot be {"wisdom": 99}: it must be an object of'),
        (
            "search_creature",
            {"ability_min": {"strength": 20}, "ability_max": {"strength": 3}},
            ", so nothing can match",
        ),
        ("search_creature", {"ability_min": "strong"}, "it must be an object of strength, dexterity"),
        ("search_equipment", {"cost_max": -1}, "cost_max"),
        ("search_spell", {"limit": 0}, "limit"),
        ("search_spell", {"limit": 51}, "from 1 to 50"),
        ("search_spell", {"name": "Fireball"}, "search"),
        ("search_spell", {"semantic_query": "fire"}, "search"),
        ("search_spell", {"document_keys": ["srd"]}, "documents"),
        ("search_spell", {"concentration": "maybe"}, "concentration"),
        ("search_spell", {"documents": {"a": 1}}, "documents"),
        ("search_all", {}, "query"),
        ("search_all", {"query": "x", "content_types": ["Spel"]}, "spell"),
        ("search_spells", {}, "search_spell"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_wrong_call_gets_a_sentence_that_says_what_is_allowed(
    embedded: Client, tool: str, arguments: dict[str, Any], says: str
) -> None:
    sentence = await refused(embedded, tool, **arguments)
    assert says in sentence
    assert len(sentence) <= 600
    assert "validation error" not in sentence
    assert (await ask(embedded, "search_spell", search="Fireball", limit=1))["results"]


async def test_endlessly_nested_lists_as_text_name_no_document(embedded: Client) -> None:
    answer = await ask(embedded, "search_spell", documents="[" * 50_000)
    assert answer["total"] == 0
    assert "is not known" in answer["hint"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"level": "3"},
        {"level": 3.0},
        {"concentration": "true"},
        {"documents": "srd-2014"},
        {"documents": '["srd-2014"]'},
        {"documents": "srd-2014, toh"},
        {"edition": 2014},
        {"school": "Evocation"},
        {"limit": "5"},
        {"search": None},
        {"class_key": "Wizard"},
        {"casting_time": "1 Action"},
        {"detail": "BRIEF"},
    ],
    ids=str,
)
async def test_arguments_as_models_send_them_are_understood(embedded: Client, arguments: dict[str, Any]) -> None:
    assert (await ask(embedded, "search_spell", **arguments))["total"] > 0
