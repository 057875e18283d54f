"""Every kind of record is reached through its tool: by its key, by its name, and in a listing."""

from __future__ import annotations

import pytest
from fastmcp import Client

from lorekeeper_mcp.models import Equipment, Kind, family_of
from lorekeeper_mcp.sources import features
from lorekeeper_mcp.tools.kind_tools import KIND_TOOLS, KindTool
from tests.end_to_end.clients import ask, every_result
from tests.srd import srd_records

# Not a weapon or armor that Open5e also lists among the items: it is listed as what it is.
SAMPLES = {
    record.kind: record
    for record in reversed(features.with_features(srd_records()))
    if record.kind is not Kind.ITEM or not isinstance(record, Equipment) or not (record.weapon or record.armor)
}
TOOLS = {tool.family: tool for tool in KIND_TOOLS}


def selected(tool: KindTool, kind: Kind) -> dict[str, str]:
    """The argument that selects a kind, if the tool has several."""
    if tool.selector is None or tool.choices is None:
        return {}
    return {tool.selector: next(name for name, chosen in tool.choices.items() if chosen is kind)}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("kind", SAMPLES)
async def test_a_record_is_found_by_key_by_name_and_in_a_listing(embedded: Client, kind: Kind) -> None:
    record, tool = SAMPLES[kind], TOOLS[family_of(kind)]
    chosen = selected(tool, kind)
    by_key = await ask(embedded, tool.name, search=record.key, **chosen)
    assert (by_key["results"][0]["kind"], by_key["results"][0]["key"]) == (kind, record.key)
    by_name = await ask(embedded, tool.name, search=record.name, documents=[record.document_key], limit=50, **chosen)
    assert record.key in [result["key"] for result in by_name["results"]]
    listed = await every_result(embedded, tool.name, documents=[record.document_key], **chosen)
    assert (kind, record.key) in {(result["kind"], result["key"]) for result in listed}


def test_each_kind_has_a_tool() -> None:
    for kind in Kind:
        tool = TOOLS[family_of(kind)]
        assert tool.choices is None or kind in tool.choices.values(), kind


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("search", "edition", "name"),
    [
        ("surprise", "2014", "Surprise"),
        ("breaking your oath", "2014", "Breaking Your Oath"),
        ("movement and position", "2014", "Movement and Position"),
        ("one spell with a spell slot per turn", "2024", "One Spell with a Spell Slot per Turn"),
        ("cover", "2014", "Cover"),
        ("race", "2024", "Character Species"),
        ("racial traits", "2024", "Parts of a Species"),
    ],
)
async def test_rules_and_rule_sets_are_found_by_their_headings(
    embedded: Client, search: str, edition: str, name: str
) -> None:
    answer = await ask(embedded, "search_rule", search=search, edition=edition)
    assert answer["results"][0]["name"] == name


@pytest.mark.asyncio(loop_scope="module")
async def test_a_named_rule_is_followed_by_its_subsections_in_order(embedded: Client) -> None:
    (rule, *_) = (await ask(embedded, "search_rule", search="underwater combat", edition="2024"))["results"]
    assert "## Impeded Weapons\n\n" in rule["text"]
    assert rule["text"].index("## Impeded Weapons") < rule["text"].index("## Fire Resistance")
    assert "Resistance to Fire damage" in rule["text"]


@pytest.mark.asyncio(loop_scope="module")
async def test_subsections_below_subsections_have_lower_headings(embedded: Client) -> None:
    answer = await ask(embedded, "search_rule", search="Magical Contagions", edition="2024", detail="full")
    text = answer["results"][0]["text"]
    headings = [line for line in text.splitlines() if line.startswith("##")]
    assert headings == [
        "## Rest and Recuperation",
        "## Example Contagions",
        "### Cackle Fever",
        "### Sewer Plague",
        "### Sight Rot",
    ]


@pytest.mark.asyncio(loop_scope="module")
async def test_subsections_that_do_not_fit_are_named(embedded: Client) -> None:
    answer = await ask(embedded, "search_rule", search="Example Traps", edition="2024")
    text = answer["results"][0]["text"]
    assert "## Collapsing Roof" in text
    assert "Left out for length: " in text
    assert "Spiked Pit" in text.partition("Left out for length: ")[2]
    assert len(text) <= 5000
