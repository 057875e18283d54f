"""The yardstick of the answers: plain search over passages, with no filter, no name and no rule.

    uv run python -m benchmarks.answers.plain_search STORE [--file FILE ...] [--characters 2600]

STORE is a folder that holds all of Open5e. For each question, every passage of the tool's family is scored by BM25 and
by cosine, summed, the SRDs a little higher; the best are printed until the characters are used up. What ``evaluate``
settles beyond this is what the rest of ``search`` is good for.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from pathlib import Path

from benchmarks.answers.evaluate import QUESTIONS, Question, load, missing_facts
from benchmarks.retrieval.open_store import Opened, opened, queries_of
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.passages import passages_of

FILES = ("facts", "disputes", "table", "options", "lookups", "assistant", "finds")
WORDS, SRD = 0.5, 0.05  # the weight of the best BM25 score beside a cosine, and the bonus of an SRD
BEST = 60  # passages of which the answer is printed


async def answer(store: Opened, question: Question, characters: int) -> str:
    """The text of the best passages, each below its record's name."""
    search = str(question.arguments.get("search") or question.arguments.get("query") or "")
    index, catalog = store.cache.index, store.cache.catalog
    vectors = await store.cache.embed_question(search)
    scores: dict[tuple[Family, str, int], float] = {}
    for query in queries_of(question.tool, search, {}):
        family = query.family
        by_words = await index.passages_by_words(family, search, 500)
        highest = max((score for _, _, score in by_words), default=1.0)
        for id_, cosines in (await index.passage_cosines(family, vectors, list(catalog.of(family)))).items():
            bonus = SRD * catalog.of(family)[id_].document_key.startswith("srd")
            scores |= {(family, id_, place): cosine + bonus for place, cosine in cosines.items()}
        for id_, place, score in by_words:
            scores[family, id_, place] = scores.get((family, id_, place), 0.0) + WORDS * score / highest
    best = sorted(scores, key=lambda place: -scores[place])[:BEST]
    records = await index.records(catalog.of(family)[id_] for family, id_, _ in best)
    text = ""
    for _, id_, place in best:
        record = records[id_]
        passage = next((one for one in passages_of(record) if one.index == place), None)
        part = f"{record.name}: {passage.markdown}\n\n" if passage else ""
        if len(text) + len(part) > characters:
            break
        text += part
    return text


async def measure(folder: Path, files: list[str], characters: int) -> None:
    """Print the share of the questions of each file that plain search settles, for both halves."""
    async with opened(folder) as store:
        for file in files:
            questions = load(QUESTIONS / f"{file}.jsonl")
            settled = [not missing_facts(one, await answer(store, one, characters)) for one in questions]
            pairs = list(zip(questions, settled, strict=True))
            halves = [
                statistics.fmean(is_settled for one, is_settled in pairs if one.is_untouched is half)
                for half in (False, True)
            ]
            print(f"{file:10} plain search: {halves[0]:.3f} tuned, {halves[1]:.3f} untouched, n={len(questions)}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--file", action="append", choices=FILES)
    parser.add_argument("--characters", type=int, default=2600)
    options = parser.parse_args()
    asyncio.run(measure(options.store, options.file or list(FILES), options.characters))


if __name__ == "__main__":
    main()
