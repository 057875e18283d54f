"""Gathers the signals of one family's records from the store's indexes."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Sequence

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.search.family_search import Candidates, FamilySearch, Reading, ResolvedQuestion, WordHits
from lorekeeper_mcp.search.grammar import ParsedQuery
from lorekeeper_mcp.search.intent import asks_for_rules
from lorekeeper_mcp.search.scores import Signals
from lorekeeper_mcp.store.cache import SearchIndex

# How many candidates a search retrieves by meaning, and as many by keyword. It ranks their union; further matches of
# its filters follow in a fixed order.
NEAREST = 80
_PASSAGES = 60  # passages by keyword whose records become candidates
_OTHER_TEXTS = 0.95  # the weight of a part of the question relative to the whole question


async def search_keywords(index: SearchIndex, family: Family, search: str, phrases: Sequence[str]) -> WordHits:
    """Search a family by keywords. Needs no vector, so it runs while the question is embedded."""
    records, passages = await asyncio.gather(
        index.by_words(family, search, phrases, 5 * NEAREST), index.passages_by_words(family, search, 5 * _PASSAGES)
    )
    return WordHits(records, passages)


async def gather_signals(
    index: SearchIndex, family_search: FamilySearch, resolved: ResolvedQuestion, reading: Reading
) -> Signals:
    """Return the best candidates by words and by meaning, and the cosines of their passages."""
    candidates, entries, parsed = family_search.candidates, family_search.candidates.entries, reading.parsed
    cosines, preferred = await _search_vectors(index, candidates, resolved.vectors, parsed)
    words = dict(_top_hits((hit for hit in family_search.words.records if hit[0] in entries), NEAREST))
    passage_hits = ((id_, score) for id_, _, score in family_search.words.passages if id_ in entries)
    passage_words = dict(reversed(_top_hits(passage_hits, _PASSAGES)))  # each record's best passage
    ids = {*cosines, *words, *passage_words, *reading.mentioned} & entries.keys()
    return Signals(
        reading.match,
        cosines,
        words,
        await _best_passages(index, candidates.family, resolved.vectors, ids),
        passage_words,
        {id_: share for id_, share in reading.mentioned.items() if id_ in entries},
        frozenset(id_ for id_ in ids if not entries[id_].has_vector),
        preferred | {id_ for id_ in ids if entries[id_].kind in reading.kinds},
        are_equal=parsed.filters_only and (resolved.is_only_family or parsed.is_unambiguous),
        asks_for_rules=not resolved.is_only_family and asks_for_rules(resolved.question.search),
    )


def _top_hits(hits: Iterable[tuple[str, float]], count: int) -> list[tuple[str, float]]:
    """The first hits by score, and those that score as much as the last of them, since editions of one text tie."""
    ordered = list(hits)
    min_score = ordered[count - 1][1] if len(ordered) > count else -math.inf
    return [hit for hit in ordered if hit[1] >= min_score]


async def _search_vectors(
    index: SearchIndex, candidates: Candidates, vectors: Sequence[Vector], parsed: ParsedQuery
) -> tuple[dict[str, float], frozenset[str]]:
    """Cosines of the nearest matches, best first, and the ids among them that match the boosts."""
    if not vectors or not candidates.entries:
        return {}, frozenset()
    boosted_filter = candidates.filter.and_also(parsed.boosts)
    boosted = index.nearest(boosted_filter, vectors[0], NEAREST) if parsed.boosts else _no_hits()
    nearest = [index.nearest(candidates.filter, vector, NEAREST) for vector in vectors]
    *by_vector, preferred = await asyncio.gather(*nearest, boosted)
    cosines = dict(preferred)
    for number, hits in enumerate(by_vector):
        for id_, cosine in hits:
            cosines[id_] = max(cosines.get(id_, -1.0), cosine if number == 0 else _OTHER_TEXTS * cosine)
    # The index may have a record that was stored after the candidates were selected.
    stored = ((id_, cosine) for id_, cosine in cosines.items() if id_ in candidates.entries)
    ordered = dict(sorted(stored, key=lambda hit: (-hit[1], hit[0])))
    return ordered, frozenset(id_ for id_, _ in preferred)


async def _no_hits() -> list[tuple[str, float]]:
    return []


async def _best_passages(
    index: SearchIndex, family: Family, vectors: Sequence[Vector], ids: set[str]
) -> dict[str, float]:
    """The cosine of each record's nearest passage."""
    if not vectors or not ids:
        return {}
    # A cosine with a shorter vector is proportionally lower.
    weighted_vectors = [vectors[0], *([_OTHER_TEXTS * number for number in vector] for vector in vectors[1:])]
    hits = await index.passage_cosines(family, weighted_vectors, ids)
    return {id_: max(of_passages.values(), default=-1.0) for id_, of_passages in hits.items()}
