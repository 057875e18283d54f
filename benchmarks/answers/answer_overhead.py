"""Measures how much an answer to a name contains besides its record, over MCP.

    uv run python -m benchmarks.answers.answer_overhead [--each 8] -- COMMAND [ARG ...]

COMMAND starts a server on stdio with a filled store. Names of every kind are drawn, and each is searched in the
singular, in the plural, with its kind, and as a key, with its kind's tool and with search_all. What counts is the text
of the answer without the text of its records: the first line, titles, related names, books.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
from collections import defaultdict
from collections.abc import Iterator

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from benchmarks.answers.evaluate import WARM_UP_SECONDS

_SEED = 7
_INITIALS = "abcdefghilmnoprstw"
# Each kind with its tool, the argument that selects it, and the noun that people use.
_KINDS = {
    "spell": ("search_spell", "", "spell"),
    "creature": ("search_creature", "", "monster"),
    "magic-item": ("search_equipment", "type", "item"),
    "weapon": ("search_equipment", "type", "weapon"),
    "armor": ("search_equipment", "type", "armor"),
    "item": ("search_equipment", "type", "item"),
    "class": ("search_character_option", "type", "class"),
    "subclass": ("search_character_option", "type", "subclass"),
    "species": ("search_character_option", "type", "species"),
    "background": ("search_character_option", "type", "background"),
    "feat": ("search_character_option", "type", "feat"),
    "feature": ("search_character_option", "type", "feature"),
    "condition": ("search_rule", "rule_type", "condition"),
    "rule": ("search_rule", "rule_type", "rule"),
    "skill": ("search_rule", "rule_type", "skill"),
}


async def keys_of(client: Client[StdioTransport], kind: str) -> dict[str, str]:
    """Return names of a kind in the SRDs, each with a key."""
    tool, argument, _ = _KINDS[kind]
    found: dict[str, str] = {}
    for initial in _INITIALS:
        arguments = {"search": f"{initial}*", "documents": ["srd-2024", "srd-2014"], "detail": "brief", "limit": 50}
        answer = await client.call_tool(tool, arguments | ({argument: kind} if argument else {}), raise_on_error=False)
        results = (answer.structured_content or {}).get("results", [])
        found |= {one["name"]: one["key"] for one in results if one["kind"] == kind}
    return found


def forms(name: str, key: str, kind: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to search for a name."""
    yield "name", name
    yield "plural", f"{name}{'es' if name.endswith(('s', 'x', 'ch', 'sh')) else 's'}"
    yield "with its kind", f"{name} {_KINDS[kind][2]}"
    yield "key", key


async def measure(command: list[str], each: int) -> tuple[dict[str, list[int]], int]:
    """Return the characters besides the records for each way, and the number of answers without a whole record."""
    chance = random.Random(_SEED)
    beside: dict[str, list[int]] = defaultdict(list)
    missed = 0
    async with Client(StdioTransport(command[0], command[1:], env=dict(os.environ)), init_timeout=120) as client:
        await client.call_tool("search_spell", {"search": "a light in the dark"}, raise_on_error=False)
        await asyncio.sleep(WARM_UP_SECONDS)
        for kind, (tool, _, _) in _KINDS.items():
            keys = await keys_of(client, kind)
            for name in chance.sample(sorted(keys), min(each, len(keys))):
                for form, text in forms(name, keys[name], kind):
                    for asked, argument in ((tool, "search"), ("search_all", "query")):
                        answer = await client.call_tool(asked, {argument: text}, raise_on_error=False)
                        printed = "".join(getattr(part, "text", "") for part in answer.content)
                        results = (answer.structured_content or {}).get("results", [])
                        records = [str(one["text"]) for one in results if "text" in one]
                        missed += not records
                        if records:
                            beside[form].append(len(printed) - sum(map(len, records)))
    return beside, missed


def main() -> None:
    """Measure, and print one line per way of searching."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=8, help="how many names of every kind")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = [part for part in options.command if part != "--"] or parser.error("COMMAND is missing")
    beside, missed = asyncio.run(measure(command, options.each))
    for form, sizes in (*beside.items(), ("all", [size for of_form in beside.values() for size in of_form])):
        print(f"{form:14} {statistics.fmean(sizes):5.0f} characters beside the record, n={len(sizes)}")
    print(f"{missed} answers gave no record whole")


if __name__ == "__main__":
    main()
