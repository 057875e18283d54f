"""The yardstick of the answers: plain search over passages, with no filter, no name and no rule.

For each question, every passage of the tool's family is scored by BM25 and by cosine, summed, the SRDs a little higher;
the best are printed until the characters are used up. What ``evaluate`` settles beyond this is what the rest of
``search`` is good for.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmarks.retrieval.open_store import Opened, opened, queries_of
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.passages import passages_of

WORDS, SRD = 0.5, 0.05  # the weight of the best BM25 score beside a cosine, and the bonus of an SRD
BEST = 60  # passages of which the answer is printed


async def plain_answers(folder: Path, asked: Iterable[tuple[str, str]], characters: int) -> list[str]:
    """Return the answers to questions, each a tool and a text, from the store in a folder that nobody has open."""
    async with opened(folder) as store:
        return [await _answer(store, tool, search, characters) for tool, search in asked]


async def _answer(store: Opened, tool: str, search: str, characters: int) -> str:
    """The text of the best passages, each below its record's name."""
    index, catalog = store.cache.index, store.cache.catalog
    vectors = await store.cache.embed_question(search)
    scores: dict[tuple[Family, str, int], float] = {}
    for query in queries_of(tool, search, {}):
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
