"""Gathers the signals of one family's records from the store's indexes."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Sequence

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.search.family_search import Candidates, FamilySearch, Reading, ResolvedQuestion, WordHits
from lorekeeper_mcp.search.intent import asks_for_rules
from lorekeeper_mcp.search.parser.parsed_query import ParsedQuery
from lorekeeper_mcp.search.scores import Signals
from lorekeeper_mcp.store.search_index import SearchIndex

_WINDOW = 80  # candidates by meaning, and as many by words
_PASSAGES = 60  # passages by words whose records become candidates
_OTHER_TEXTS = 0.95  # the weight of a part of the question relative to the whole


async def search_keywords(index: SearchIndex, family: Family, search: str, phrases: Sequence[str]) -> WordHits:
    """Search a family by keywords. Needs no vector, so it runs while the question is embedded."""
    records, passages = await asyncio.gather(
        index.by_words(family, search, phrases, 5 * _WINDOW), index.passages_by_words(family, search, 5 * _PASSAGES)
    )
    return WordHits(records, passages)


async def gather_signals(
    index: SearchIndex, family_search: FamilySearch, resolved: ResolvedQuestion, reading: Reading
) -> Signals:
    """Return the best candidates by words and by meaning, and the cosines of their passages."""
    candidates, entries, parsed = family_search.candidates, family_search.candidates.entries, reading.parsed
    restricted = family_search.query.is_restricted or bool(
        parsed.filters or parsed.exclusions
    )  # every candidate is wanted, however distant
    window = max(_WINDOW, len(entries)) if restricted else _WINDOW
    cosines, preferred = await _by_meaning(index, candidates, resolved.vectors, parsed, window)
    words = dict(_first((hit for hit in family_search.words.records if hit[0] in entries), _WINDOW))
    by_passages = ((id_, score) for id_, _, score in family_search.words.passages if id_ in entries)
    passage_words = dict(reversed(_first(by_passages, _PASSAGES)))  # each record's best passage
    near = dict(list(cosines.items())[:_WINDOW]) if restricted else cosines
    ids = {*near, *words, *passage_words, *reading.mentioned} & entries.keys()
    return Signals(
        reading.match,
        cosines,
        words,
        await _best_passages(index, candidates.family, resolved.vectors, ids),
        passage_words,
        {id_: share for id_, share in reading.mentioned.items() if id_ in entries},
        frozenset(id_ for id_ in ids if not entries[id_].has_vector),
        preferred | {id_ for id_ in ids if entries[id_].kind in reading.kinds},
        are_equal=parsed.filters_only and (resolved.is_only_family or parsed.unambiguous),
        asks_for_rules=not resolved.is_only_family and asks_for_rules(resolved.question.search),
    )


def _first(hits: Iterable[tuple[str, float]], count: int) -> list[tuple[str, float]]:
    """The first hits by score, and those that score as much as the last of them: two editions of one text tie."""
    ordered = list(hits)
    least = ordered[count - 1][1] if len(ordered) > count else -math.inf
    return [hit for hit in ordered if hit[1] >= least]


async def _by_meaning(
    index: SearchIndex, candidates: Candidates, vectors: Sequence[Vector], parsed: ParsedQuery, window: int
) -> tuple[dict[str, float], frozenset[str]]:
    """Cosines of the nearest matches, best first, and the ids among them that match the boosts."""
    if not vectors or not candidates.entries:
        return {}, frozenset()
    stricter = candidates.filter.and_also(parsed.boosts)
    having = index.nearest(stricter, vectors[0], _WINDOW) if parsed.boosts else _nothing()
    nearest = [index.nearest(candidates.filter, vector, window) for vector in vectors]
    *by_vector, preferred = await asyncio.gather(*nearest, having)
    if len(by_vector) == 1 and not preferred:  # they are in order, and may be a hundred thousand
        return {id_: cosine for id_, cosine in by_vector[0] if id_ in candidates.entries}, frozenset()
    cosines = dict(preferred)
    for number, near in enumerate(by_vector):
        for id_, cosine in near:
            cosines[id_] = max(cosines.get(id_, -1.0), cosine if number == 0 else _OTHER_TEXTS * cosine)
    # A record may have been stored a moment ago.
    stored = ((id_, cosine) for id_, cosine in cosines.items() if id_ in candidates.entries)
    ordered = dict(sorted(stored, key=lambda hit: (-hit[1], hit[0])))
    return ordered, frozenset(id_ for id_, _ in preferred)


async def _nothing() -> list[tuple[str, float]]:
    return []


async def _best_passages(
    index: SearchIndex, family: Family, vectors: Sequence[Vector], ids: set[str]
) -> dict[str, float]:
    """The cosine of each record's nearest passage."""
    if not vectors or not ids:
        return {}
    # A cosine with a shorter vector is lower in proportion.
    asked = [vectors[0], *([_OTHER_TEXTS * number for number in vector] for vector in vectors[1:])]
    near = await index.passage_cosines(family, asked, ids)
    return {id_: max(of_passages.values(), default=-1.0) for id_, of_passages in near.items()}
