"""Times searches against plain vector search, over stdio: ``uv run python -m benchmarks.retrieval.speed STORE``.

STORE is a folder with everything in it (``lorekeeper-mcp sync`` fills one). One server process answers all calls: its
own tools, and ``plain_search``, which embeds the question, queries the store for the twenty nearest records under the
same filters, reads them, and returns them in the same form. Both get the same questions in turn, each question once per
round and embedded each time. Besides the ratio it prints the times of other calls. Times are medians and 95th
percentiles in milliseconds, as the client sees them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.tools import ToolResult

from benchmarks.retrieval.judged_questions import Question, load
from benchmarks.retrieval.open_store import Opened, opened, query_of
from lorekeeper_mcp.answer import Answer, CacheState, Hit, ListForm
from lorekeeper_mcp.runtime import configure_environment, configure_logging
from lorekeeper_mcp.server import make_server
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.tools.answer_layout import AnswerOptions
from lorekeeper_mcp.tools.envelope import result

_SEMANTIC = frozenset({"paraphrase", "jargon"})
_AT_ONCE = 20
_WARMING_SECONDS = 10.0  # without a call, so that the server can finish its warm-up
Call = tuple[str, dict[str, object]]
# Other calls, each with several values so that none is answered from a cache.
_LEVELS, _TYPES = range(10), ("undead", "dragon", "fiend", "beast", "fey", "giant", "ooze", "plant")
_THEMES = ("a ward against fire", "something that hides", "a swift runner", "it drains life", "cold and dark")
_OTHERS: dict[str, list[Call]] = {
    "structured filter": [
        *(("search_spell", {"level": level, "school": "evocation"}) for level in _LEVELS),
        *(("search_creature", {"type": type_, "cr_min": 2}) for type_ in _TYPES),
    ],
    "meaning and filter": [
        ("search_creature", {"search": text, "type": type_}) for text, type_ in itertools.product(_THEMES, _TYPES)
    ],
    "the same in documents": [
        ("search_creature", {"search": text, "type": type_, "documents": ["srd-2014", "tob"]})
        for text, type_ in itertools.product(_THEMES, _TYPES)
    ],
    "a name": [("search_creature", {"search": name}) for name in ("Lich", "adult red dragon", "goblin", "owlbaer")],
    "search_all": [("search_all", {"query": f"{text} {type_}"}) for text, type_ in itertools.product(_THEMES, _TYPES)],
    "list_documents": [("list_documents", {})] * 10,
}


async def plain(store: Opened, tool: str, search: str, filters: dict[str, object]) -> ToolResult:
    """Embed, search, read; nothing else."""
    query = query_of(tool, search, filters)
    vector = (await store.cache.embed_question(search))[0]
    nearest = await store.cache.index.nearest(query.record_filter(), vector, _AT_ONCE)
    records = await store.cache.records(e for id_, _ in nearest if (e := store.cache.catalog.of(query.family).get(id_)))
    hits = tuple(Hit(records[id_], score) for id_, score in nearest if id_ in records)
    answer = Answer(hits, ListForm(), len(hits), True, CacheState.FRESH, None)
    return result(answer, AnswerOptions(), offset=0, question="")


async def serve(folder: Path) -> None:
    """Serve the plain tool beside the server's own."""
    configure_logging("ERROR")
    settings = load_settings(milvus_db_path=folder, offline=True)
    server = make_server(settings)
    async with contextlib.AsyncExitStack() as stack:
        copy = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "x.db"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("LOCK"))  # one process at a time opens a store
        store = await stack.enter_async_context(opened(copy))

        async def plain_search(tool: str, search: str, filters: dict[str, object]) -> ToolResult:
            return await plain(store, tool, search, filters)

        server.tool(output_schema=None)(plain_search)
        await server.run_async(transport="stdio", show_banner=False)


@contextlib.asynccontextmanager
async def client_of(folder: Path) -> AsyncIterator[Client]:
    """Start that server and yield a client of it."""
    command = ["-m", "benchmarks.retrieval.speed", str(folder), "--serve"]
    transport = StdioTransport(sys.executable, command, env=dict(os.environ), keep_alive=False)
    async with Client(transport, init_timeout=60) as client:
        yield client


async def timed(client: Client, call: Call) -> float:
    """Return the milliseconds that a call takes."""
    start = time.perf_counter()
    await client.call_tool(*call)
    return 1000 * (time.perf_counter() - start)


def pairs(questions: Sequence[Question], again: int) -> Iterator[tuple[Call, Call]]:
    """The plain and the shipped call of each question; a later round uses new words."""
    for question in questions:
        text = question.text + "?" * again
        plainly = {"tool": question.tool, "search": text, "filters": question.filters}
        yield ("plain_search", plainly), (question.tool, {"search": text, **question.filters})


async def compare(folder: Path, rounds: int) -> None:
    """Print the ratio of the medians, then the times of other calls."""
    questions = [question for question in load() if question.tag in _SEMANTIC and question.tool != "search_all"]
    async with client_of(folder) as client:
        for tool in {question.tool: question for question in questions}.values():  # loads the model, words and names
            for call in next(pairs([tool], 99)):
                await timed(client, call)
        await asyncio.sleep(_WARMING_SECONDS)
        plainly: list[float] = []
        shipped: list[float] = []
        for again in range(rounds):
            for first, second in pairs(questions, again):
                plainly.append(await timed(client, first))
                shipped.append(await timed(client, second))
        print(f"{len(questions)} questions, {rounds} round(s)")
        print(_line("plain vector search", plainly))
        print(_line("shipped", shipped))
        print(f"the median search takes {statistics.median(shipped) / statistics.median(plainly):.2f} times as long")
        for label, calls in _OTHERS.items():
            await timed(client, calls[0])
            print(_line(label, [await timed(client, call) for call in calls]))


def _line(label: str, times: Sequence[float]) -> str:
    late = statistics.quantiles(times, n=20)[-1]
    return f"{label:22} {len(times):5} calls  median {statistics.median(times):6.1f}  95 % {late:6.1f}"


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--serve", action="store_true", help="be the server that is measured")
    options = parser.parse_args()
    configure_environment()
    asyncio.run(serve(options.store) if options.serve else compare(options.store, options.rounds))


if __name__ == "__main__":
    main()
