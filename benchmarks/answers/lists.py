"""Measures how often a list in plain words is the list that the filters give, over MCP.

    uv run python -m benchmarks.answers.lists [--misses] -- COMMAND [ARG ...]

COMMAND starts a server on stdio that already holds its data. Each line of ``lists.jsonl`` has a tool, a search, and the
filters that mean the same; the entries may also have to match other filters (``and``) or none of others (``not``). A
list is right if it has the same entries as the filters, over all pages. Of the others, a hint may say which words were
not read as filters. A hash of the search assigns each to the tuned or the untouched half. ``--from 101`` asks only for
the lists from that number.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from fastmcp import Client
from fastmcp.client.transports import ClientTransport, StdioTransport

LISTS = Path(__file__).parent / "lists.jsonl"
MAX_PAGES = 40


@dataclass(frozen=True)
class ListOutcome:
    """Whether a list in words equals that of its filters; the counts of both, and the hint."""

    id: str
    search: str
    is_untouched: bool
    is_equal: bool
    counts: tuple[int, int]
    hint: str

    @property
    def is_said(self) -> bool:
        """Whether the hint says which words were not read as filters, or which filters were ignored."""
        return "Not read as" in self.hint or "was ignored" in self.hint


async def entries(client: Client[ClientTransport], tool: str, arguments: dict[str, object]) -> tuple[set[str], str]:
    """The kinds and names of all results of a call, and the hint of its first page.

    The key depends on the filters: of the editions of an entry, the newest one that matches is shown.
    """
    names: set[str] = set()
    hint, cursor = "", None
    for page in range(MAX_PAGES):
        answer = await client.call_tool(tool, {**arguments, "cursor": cursor, "limit": 50, "detail": "brief"})
        content = answer.structured_content or {}
        names |= {f"{result['kind']} {result['name']}" for result in content["results"]}
        hint = hint if page else content.get("hint") or ""
        cursor = content.get("next_cursor")
        if not cursor:
            break
    return names, hint


async def ask(client: Client[ClientTransport], first: int) -> list[ListOutcome]:
    """Ask for each list in words and by filters, from a number on."""
    outcomes = []
    for row in map(json.loads, LISTS.read_text(encoding="utf-8").splitlines()[first - 1 :]):
        in_words, hint = await entries(client, row["tool"], {"search": row["search"]})
        by_filters, _ = await entries(client, row["tool"], row["filters"])
        if "and" in row:
            by_filters &= (await entries(client, row["tool"], row["and"]))[0]
        if "not" in row:
            by_filters -= (await entries(client, row["tool"], row["not"]))[0]
        half = hashlib.blake2b(row["search"].encode(), digest_size=1).digest()[0] % 2 == 1
        counts = len(in_words), len(by_filters)
        outcomes.append(ListOutcome(row["id"], row["search"], half, in_words == by_filters, counts, hint))
    return outcomes


def show(outcomes: list[ListOutcome], *, misses: bool) -> None:
    """Print both halves, and the misses of the tuned one if asked."""
    for untouched, name in ((False, "tuned"), (True, "untouched")):
        half = [one for one in outcomes if one.is_untouched is untouched]
        equal = sum(one.is_equal for one in half)
        said = sum(not one.is_equal and one.is_said for one in half)
        print(f"{name:10} {equal} of {len(half)} equal to the filters, {said} more say what was not read")
        for one in half if misses and not untouched else ():
            if not one.is_equal:
                print(f"  {one.id} {one.search!r}: {one.counts[0]} in words, {one.counts[1]} by filters; {one.hint}")


async def _main(command: list[str], *, misses: bool, first: int) -> None:
    async with Client(StdioTransport(command[0], command[1:], env=dict(os.environ)), init_timeout=120) as client:
        show(await ask(client, first), misses=misses)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="print the misses of the tuned half")
    parser.add_argument("--from", dest="first", type=int, default=1, metavar="N", help="ask from the Nth list on")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = [part for part in options.command if part != "--"] or parser.error("COMMAND is missing")
    asyncio.run(_main(command, misses=options.misses, first=options.first))


if __name__ == "__main__":
    main()
