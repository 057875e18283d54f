"""Resources and prompts as clients get them, in both eras: listed, read, completed and refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.exceptions import McpError
from mcp.types import INVALID_PARAMS, PromptReference, ResourceTemplateReference

from lorekeeper_mcp.cards import CARD
from lorekeeper_mcp.models import Kind
from tests.cached_stores import copy_store
from tests.end_to_end.clients import ERAS, Era, ask, in_process, over_stdio
from tests.recorded import needs_recorded
from tests.replay import Replay
from tests.served_open5e import load

pytestmark = pytest.mark.asyncio(loop_scope="module")

RECORD = ResourceTemplateReference(uri="lorekeeper://{kind}/{key}")


async def read(client: Client, uri: str) -> str:
    (content,) = await client.read_resource(uri)
    assert content.mime_type == "text/markdown"
    return str(content.text)


async def no_such(client: Client, uri: str) -> str:
    with pytest.raises(McpError) as caught:
        await client.read_resource(uri)
    assert caught.value.error.code == INVALID_PARAMS
    assert caught.value.error.data["uri"]
    assert len(caught.value.error.message) <= 600
    return str(caught.value.error.message)


async def keys(client: Client, typed: str, **arguments: str) -> list[str]:
    return (await client.complete(RECORD, {"name": "key", "value": typed}, arguments)).values


async def meant(client: Client, prompt: str, argument: str, typed: str) -> list[str]:
    completion = await client.complete(PromptReference(name=prompt), {"name": argument, "value": typed})
    return list(completion.values)


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.chaos)])
async def test_a_client_finds_reads_and_completes_over_stdio(mode: Era, seeded: Path) -> None:
    async with over_stdio(seeded, mode=mode, LOREKEEPER_OFFLINE="true") as client:
        assert [str(resource.uri) for resource in await client.list_resources()] == ["lorekeeper://documents", CARD]
        assert [template.uri_template for template in await client.list_resource_templates()] == [RECORD.uri]
        assert "srd-2014" in await read(client, "lorekeeper://documents")
        assert (await read(client, "lorekeeper://spell/srd_fireball")).startswith("# Fireball\n")
        assert "srd_goblin" in await keys(client, "gobl", kind="creature")
        assert "(Fireball)" in await no_such(client, "lorekeeper://spell/firebal")
        prompts = await client.list_prompts()
        assert len(prompts) == 5
        for prompt in prompts:
            required = {argument.name: "Grappled" for argument in prompt.arguments or [] if argument.required}
            (message,) = (await client.get_prompt(prompt.name, required)).messages
            assert message.role == "user"
            assert "Grappled" in message.content.text


def without_links(page: str) -> str:
    """A page up to the links below it, which are URIs in a resource and keys in an answer."""
    return re.split(r"\n\n(?:\*\*(?:Gives spells|Given by)\*\*|\*This list may be incomplete)", page)[0]


async def test_a_record_of_every_kind_is_the_page_that_a_tool_gives(embedded: Client) -> None:
    keys_by_kind = {
        str(kind): completions[-1] for kind in Kind if (completions := await keys(embedded, "", kind=str(kind)))
    }
    assert len(keys_by_kind) >= 20
    for kind, key in keys_by_kind.items():
        resource = await read(embedded, f"lorekeeper://{kind}/{key}")
        answer = await ask(embedded, "search_all", query=key, content_types=[kind], detail="full", limit=1)
        page, _, source = re.sub(r"\n\n\*Corrected: [^\n]*", "", resource).rpartition("\n\n")
        assert (without_links(answer["results"][0]["text"]), source[:8]) == (without_links(page), "*Source:"), (
            kind,
            key,
        )


@pytest.mark.parametrize(
    ("kind", "key", "part"),
    [
        ("rule", "srd-2024_combat_underwater-combat", "## Impeded Weapons\n\n"),
        ("rule-set", "srd_inspiration", "## Using Inspiration\n\n"),
        ("rule-set", "srd-2024_combat", "- Underwater Combat (`"),  # a long chapter lists its rules
    ],
)
async def test_a_rule_has_its_subsections_in_a_resource_as_in_an_answer(
    embedded: Client, kind: str, key: str, part: str
) -> None:
    resource = await read(embedded, f"lorekeeper://{kind}/{key}")
    answer = await ask(embedded, "search_rule", search=key)
    assert part in resource
    assert answer["results"][0]["text"] == resource.rpartition("\n\n*Source:")[0]


async def test_an_address_accepts_names_in_any_case(embedded: Client) -> None:
    by_key = await read(embedded, "lorekeeper://spell/srd-2024_fireball")
    assert await read(embedded, "lorekeeper://Spells/Fireball") == by_key
    assert "# Wand of Magic Missiles" in await read(embedded, "lorekeeper://magic-item/Wand%20of%20Magic%20Missiles")
    assert await read(embedded, "lorekeeper://condition/Blinded") == await read(
        embedded, "lorekeeper://condition/blinded"
    )


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("lorekeeper://spell/firebal", "lorekeeper://spell/srd-2024_fireball (Fireball)"),
        ("lorekeeper://spell/%20", "search_all finds keys"),
        ("lorekeeper://spel/fireball", "did you mean spell"),
        ("lorekeeper://item/srd_goblin", "lorekeeper://creature/srd_goblin (Goblin)"),
        ("lorekeeper://spells", "lorekeeper://documents and lorekeeper://{kind}/{key}"),
        ("lorekeeper://spell/" + "a" * 5000, "but Open5e may have one"),
        ("lorekeeper://spell/%00", "lorekeeper://spell/srd_fireball"),
        ("lorekeeper://spell/..%2F..%2Fetc%2Fpasswd", "lorekeeper://spell/srd_fireball"),
        ("file:///etc/passwd", "lorekeeper://documents and lorekeeper://{kind}/{key}"),
    ],
)
async def test_an_unknown_address_gets_the_nearest_names(embedded: Client, uri: str, says: str) -> None:
    assert says in await no_such(embedded, uri)
    assert await read(embedded, "lorekeeper://spell/srd_fireball")


@needs_recorded
async def test_a_record_that_is_not_stored_is_fetched(replay: Replay, seeded: Path, tmp_path: Path) -> None:
    own = copy_store(seeded, tmp_path / "own.db")
    feat = next(record for record in load("v2/feats") if record["document"]["key"] == "toh")
    async with in_process(own, replay.url) as client:
        assert feat["name"] in await read(client, f"lorekeeper://feat/{feat['name']}")
        assert [request["path"] for request in replay.log() if "feats" in request["path"]]


async def test_kinds_keys_and_names_are_completed(embedded: Client) -> None:
    kinds = await embedded.complete(RECORD, {"name": "kind", "value": "s"})
    assert kinds.values == sorted(str(kind) for kind in Kind if kind.startswith("s"))
    assert await keys(embedded, "fireb", kind="spell") == [
        "srd-2024_fireball", "srd_fireball", "srd-2024_delayed-blast-fireball", "srd_delayed-blast-fireball",
    ]  # fmt: skip
    assert (await keys(embedded, "srd_fireb", kind="spell"))[0] == "srd_fireball"
    assert await keys(embedded, "fireb", kind="creature") == []
    assert await keys(embedded, "fireb", kind="nonsense") == []
    assert await keys(embedded, "zzzz") == []
    everything = await embedded.complete(RECORD, {"name": "key", "value": ""})
    assert len(everything.values) == 100
    assert everything.total is not None
    assert everything.total > 1000
    assert everything.has_more is True


async def test_completed_addresses_can_be_read(embedded: Client) -> None:
    for kind in ("weapon", "subclass", "rule", "magic-item"):
        for key in (await keys(embedded, "", kind=kind))[:5]:
            assert (await read(embedded, f"lorekeeper://{kind}/{key}")).startswith("# ")


async def test_arguments_of_prompts_are_completed(embedded: Client) -> None:
    assert await meant(embedded, "explain_rule", "edition", "20") == ["2014", "2024"]
    assert (await meant(embedded, "explain_rule", "rule", "grap"))[0] == "Grappled"
    assert "Alert, Grappler" in await meant(embedded, "compare_options", "options", "Alert, grap")
    assert await meant(embedded, "compare_options", "character", "wiz") == ["Wizard"]
    assert await meant(embedded, "prepare_session", "party", "four") == []
    assert await meant(embedded, "nonsense", "rule", "grap") == []


@pytest.mark.parametrize(
    ("prompt", "arguments", "says"),
    [
        ("explain_rule", {}, "explain_rule needs rule"),
        ("explain_rule", {"rule": "   "}, "explain_rule needs rule"),
        ("explain_rule", {"rule": "cover", "edition": "2041"}, "allowed values are 2014, 2024, a5e"),
        ("explain_rule", {"rule": "cover", "name": "x"}, "its arguments are rule, edition"),
        ("explain_rule", {"rule": "x" * 5000}, "4000 characters"),
        ("explain_rules", {"rule": "cover"}, "did you mean explain_rule?"),
        ("nonsense", {}, "the prompts are prepare_session, explain_rule"),
    ],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.parametrize("mode", ERAS)
async def test_a_prompt_that_cannot_be_written_says_why(
    mode: Era, prompt: str, arguments: dict[str, Any], says: str, seeded: Path
) -> None:
    async with in_process(seeded, mode=mode, offline=True) as client:
        with pytest.raises(McpError) as caught:
            await client.get_prompt(prompt, arguments)
        assert caught.value.error.code == INVALID_PARAMS
        assert says in caught.value.error.message
        assert len(caught.value.error.message) <= 600


async def test_a_prompt_keeps_to_the_edition_and_names_tools_that_there_are(embedded: Client) -> None:
    tools = {tool.name: tool for tool in await embedded.list_tools()}
    for prompt in await embedded.list_prompts():
        arguments = {argument.name: "something" for argument in prompt.arguments or [] if argument.required}
        text = (await embedded.get_prompt(prompt.name, {**arguments, "edition": "2014"})).messages[0].content.text
        assert 'edition="2014" in every call' in text
        text_without_edition = (await embedded.get_prompt(prompt.name, arguments)).messages[0].content.text
        assert "ask whether the group plays by" in text_without_edition
        assert "document, edition and license" in text
        tools_in_text = set(re.findall(r"\b(?:search|list)_\w+", text))
        assert tools_in_text
        assert tools_in_text <= tools.keys()
