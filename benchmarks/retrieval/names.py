"""Counts how often a name finds its entity: ``uv run python -m benchmarks.retrieval.names STORE [--every N]``.

STORE is a folder with everything in it (``lorekeeper-mcp sync`` fills one). Every name of every record is searched with
its kind's tool as it is, with one typing error, with its words reordered, and with one word left out. A name counts as
found if the first result (for the last two: one of the first three) has it as its name or as a variant.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.retrieval.open_store import Opened, ask, opened, queries_of
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Kind, family_of
from lorekeeper_mcp.search.engine import PendingQuestion, SearchEngine
from lorekeeper_mcp.search.names.lexicon import natural_order
from lorekeeper_mcp.search.question import Question
from lorekeeper_mcp.search.scoring import MIN_NAME_SCORE
from lorekeeper_mcp.text import fold
from lorekeeper_mcp.tools.content_types import EVERYTHING
from lorekeeper_mcp.tools.kind_tools import KIND_TOOLS

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SEED = 20


def find_mistyped(name: str, chance: random.Random) -> str | None:
    """The name with one letter dropped, swapped with its neighbor, doubled or changed; None below six letters."""
    places = [place for place, letter in enumerate(name) if letter.isalpha()]
    if len(places) < 6:
        return None
    place = chance.choice(places)
    letter = name[place]
    match chance.randrange(4):
        case 0:
            return name[:place] + name[place + 1 :]
        case 1 if place + 1 < len(name) and name[place + 1].isalpha() and name[place + 1] != letter:
            return name[:place] + name[place + 1] + letter + name[place + 2 :]
        case 2:
            return name[:place] + letter + name[place:]
        case _:
            other = chance.choice([other for other in _LETTERS if other != letter.lower()])
            return name[:place] + other + name[place + 1 :]


def reordered(name: str, chance: random.Random) -> str | None:
    """The words in another order; None for a single word."""
    words = name.split()
    if len(set(words)) < 2:
        return None
    while (order := chance.sample(words, len(words))) == words:
        pass
    return " ".join(order)


def shortened(name: str, chance: random.Random) -> str | None:
    """The name without one of its words; None below three words."""
    words = name.split()
    if len(words) < 3:
        return None
    del words[chance.randrange(len(words))]
    return " ".join(words)


# The changes to a name, and how many of the first results may be the entity.
_CHANGES: dict[str, tuple[Callable[[str, random.Random], str | None], int]] = {
    "as it is": (lambda name, _: name, 1),
    "one typing error": (find_mistyped, 1),
    "words reordered": (reordered, 3),
    "one word dropped": (shortened, 3),
}


def tool_of(kind: Kind) -> str:
    """The kind's tool; kinds without one are found by ``search_all``."""
    for tool in KIND_TOOLS:
        if tool.family is family_of(kind) and kind in tool.kinds({}):
            return tool.name
    return "search_all"


def names(store: Opened) -> Iterator[tuple[str, str]]:
    """Yield every name with its tool, each once, in order."""
    yield from sorted({(tool_of(entry.kind), entry.name) for entry in store.cache.catalog if entry.kind in EVERYTHING})


async def first_names(engine: SearchEngine, tool: str, text: str, places: int) -> list[set[str]]:
    """The folded names, with those of their variants, of the first results ranked by name: at most ``places``.

    They rank above everything found by meaning, so the question need not be embedded.
    """
    parts = queries_of(tool, text, {})
    without: asyncio.Future[tuple[Vector, ...]] = asyncio.get_running_loop().create_future()
    without.set_result(())
    pending = PendingQuestion(Question(text, text, (text,)), without)
    ranking = await engine.search(parts, pending, replace(parts[0], limit=places))
    named = [group for group in ranking.groups if (group.score or 0.0) >= MIN_NAME_SCORE]
    return [_plain(group.entry.name, *group.variants) for group in named[:places]]


async def all_names(store: Opened, tool: str, text: str, places: int) -> list[set[str]]:
    """The same for the first results, however they were ranked."""
    hits = (await ask(store, tool, text, {}, limit=places)).hits
    return [_plain(hit.record.name, *hit.variants) for hit in hits]


def _plain(*names: str) -> set[str]:
    """Names normalised as by the program: "Octopus, Giant" is the giant octopus."""
    return {fold(name) for name in names} | set(map(natural_order, names))


async def count(folder: Path, every: int, changes: list[str], shown: int) -> None:
    """Search, count, and print each change's share with the first names that were not found."""
    async with opened(folder) as store:
        engine = SearchEngine(store.cache)
        sample = list(names(store))[::every]
        for change in changes:
            alter, places = _CHANGES[change]
            chance = random.Random(_SEED)
            count_asked, missed = 0, []
            for tool, name in sample:
                if (text := alter(name, chance)) is None:
                    continue
                count_asked += 1
                results = await first_names(engine, tool, text, places)
                if len(results) < places and not any(_plain(name) & result for result in results):
                    results = await all_names(store, tool, text, places)
                if not any(_plain(name) & result for result in results):
                    missed.append((tool, name, text, [min(result) for result in results]))
            print(
                f"{change:20} {count_asked:6} asked  {100 * (1 - len(missed) / max(1, count_asked)):7.2f} %", flush=True
            )
            for tool, name, text, answer_names in missed[:shown]:
                print(f"    {tool} {name!r} as {text!r}: {answer_names}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--every", type=int, default=1, help="ask only one name in so many")
    parser.add_argument("--change", choices=_CHANGES, action="append", help="only this way; may be given again")
    parser.add_argument("--missed", type=int, default=20, help="how many of the names not found to print")
    options = parser.parse_args()
    asyncio.run(count(options.store, options.every, options.change or list(_CHANGES), options.missed))


if __name__ == "__main__":
    main()
