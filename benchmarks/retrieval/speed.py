"""Times a search against plain vector search: ``uv run python -m benchmarks.retrieval.speed STORE``.

Both answer the same questions on the same store, in turn, in one run: plain search embeds the question, asks Milvus for
the twenty nearest records under the filters and reads them; nothing is kept from one to the other.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from pathlib import Path

from benchmarks.retrieval.judged import Question, load
from benchmarks.retrieval.opened import Opened, ask, opened, queries_of
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.repository.restricting import restriction

_SEMANTIC = frozenset({"paraphrase", "jargon"})


async def plain(store: Opened, question: Question) -> None:
    """Embed, search, read."""
    vector = await store.cache.embed_query(question.text)
    for query in queries_of(question.tool, question.text, question.filters):
        hits = await store.cache.nearest(query.family, vector, restriction(query, frozenset(Kind)).expression, 20)
        entries = [entry for id_, _ in hits if (entry := store.cache.catalog.get(query.family, id_))]
        await store.cache.records(entries)


async def compare(folder: Path, rounds: int) -> None:
    """Print both medians in milliseconds and how they relate."""
    questions = [one for one in load() if one.tag in _SEMANTIC and one.tool != "search_all"]
    taken: dict[str, list[float]] = {"plain": [], "shipped": []}
    async with opened(folder) as store:
        for tool in {question.tool: question for question in questions}.values():
            await ask(store, tool.tool, tool.text, tool.filters)
        for _ in range(rounds):
            for question in questions:
                for name, times in taken.items():
                    store.cache.embedder.query.cache_clear()
                    began = time.perf_counter()
                    await (plain(store, question) if name == "plain" else _shipped(store, question))
                    times.append(1000 * (time.perf_counter() - began))
    medians = {name: statistics.median(times) for name, times in taken.items()}
    print(f"{len(questions)} questions, median ms: plain {medians['plain']:.0f}, shipped {medians['shipped']:.0f}")
    print(f"shipped takes {medians['shipped'] / medians['plain']:.2f} times as long")


async def _shipped(store: Opened, question: Question) -> None:
    await ask(store, question.tool, question.text, question.filters)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    asyncio.run(compare(options.store, options.rounds))


if __name__ == "__main__":
    main()
