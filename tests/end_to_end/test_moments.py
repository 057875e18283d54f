"""The answer to a name is the same in the first second of a new home as once everything of Open5e is stored."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fastmcp import Client

from tests.end_to_end.clients import ask, over_stdio, refused, until_complete
from tests.replay import Replay
from tests.served_open5e import load


def third_party_name(endpoint: str) -> str:
    """A name that no book of the package has."""
    served = (record for record in load(endpoint) if "srd" not in record["document"]["key"])
    return next(record["name"] for record in served if "’" not in record["name"])


NAMES = [
    ("search_spell", "Fireball"),
    ("search_spell", "hunters mark"),
    ("search_spell", "healing word vs cure wounds"),
    ("search_spell", third_party_name("v2/spells")),
    ("search_creature", "Thug"),
    ("search_creature", "adult red dragon creature"),
    ("search_creature", third_party_name("v2/creatures")),
    ("search_equipment", "Longsword"),
    ("search_equipment", "Potion of Healing"),
    ("search_equipment", third_party_name("v2/magicitems")),
    ("search_character_option", "Wizard"),
    ("search_character_option", third_party_name("v2/feats")),
    ("search_rule", "Grappled"),
    ("search_rule", "Stealth"),
    ("search_all", "Bless"),
    ("search_all", third_party_name("v2/creatures")),
]


async def answers(client: Client) -> dict[tuple[str, str], tuple[str, object]]:
    found = {}
    for tool, name in NAMES:
        arguments = {"query" if tool == "search_all" else "search": name}
        await until_complete(client, tool, **arguments)  # an answer that is not says so, and is not final
        answer = await client.call_tool(tool, arguments)
        found[tool, name] = answer.content[0].text, answer.structured_content
    return found


async def test_the_answer_to_a_name_does_not_depend_on_what_is_loaded(tmp_path: Path, replay: Replay) -> None:
    new = tmp_path / "new.db"
    async with over_stdio(new, replay.url) as client:
        first = await answers(client)
        await until_complete(client, "search_creature", armor_class_min=10)
        some = await answers(client)
        page = await ask(client, "search_all", query="*a*", limit=1)
        await until_complete(client, "search_all", query="*a*")
        everything = await answers(client)
        for key, answer in first.items():
            for later in (some[key], everything[key]):
                assert answer[0] == later[0], key
                assert answer == later, key
        if not page["complete"]:
            sentence = await refused(client, "search_all", query="*a*", limit=1, cursor=page["next_cursor"])
            assert "start again without cursor" in sentence
    async with over_stdio(new, replay.url) as client:
        assert await answers(client) == first, "nor on whether the model is loaded"
        await asyncio.sleep(6)
        assert await answers(client) == first
