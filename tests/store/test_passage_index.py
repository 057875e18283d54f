"""Passages in memory: found by meaning, and gone or renewed with their record."""

from __future__ import annotations

import numpy as np

from lorekeeper_mcp.embedding.quantization import pack, quantize, to_text
from lorekeeper_mcp.embedding.vector import DIMENSION
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.memory.passage_index import PassageIndex

AXES = np.eye(DIMENSION, dtype=np.float32)


def row(id_: str, *axes: int) -> tuple[str, str]:
    """A record whose passages point along some axes; its places are counted by tens."""
    return id_, to_text(pack(*quantize(AXES[list(axes)]), [10 * n for n in range(len(axes))])) if axes else ""


def near(index: PassageIndex, axis: int, *ids: str) -> dict[str, dict[int, float]]:
    found = index.cosines(Family.RULES, AXES[axis].tolist(), ids)
    assert found is not None
    return {id_: {place: round(cosine, 2) for place, cosine in of.items()} for id_, of in found.items()}


def built(*rows: tuple[str, str]) -> PassageIndex:
    index = PassageIndex()
    index.build(Family.RULES, rows)
    return index


def test_the_passages_of_the_records_asked_for_are_compared_by_their_places() -> None:
    index = built(row("fen", 1, 2), row("moor", 2), row("heath", 3))
    assert near(index, 2, "moor", "fen") == {"moor": {0: 1.0}, "fen": {0: 0.0, 10: 1.0}}


def test_what_is_not_here_or_has_no_passages_is_left_out() -> None:
    assert near(built(row("fen"), row("moor", 2)), 2, "fen", "moor", "unknown") == {"moor": {0: 1.0}}
    assert near(built(), 2, "fen") == {}


def test_a_renewed_record_has_its_new_passages_and_a_removed_one_none() -> None:
    index = built(row("fen", 1, 2), row("moor", 2), row("heath", 2))
    index.put(Family.RULES, [row("fen", 2), row("moor")])
    index.drop(Family.RULES, ["heath", "unknown"])
    assert near(index, 2, "fen", "moor", "heath") == {"fen": {0: 1.0}}


def test_a_family_that_was_never_built_or_is_forgotten_is_read_from_the_store() -> None:
    index = built(row("fen", 1))
    index.put(Family.SPELLS, [row("gate", 1)])
    index.forget(Family.RULES)
    assert not index.holds(Family.SPELLS)
    assert index.cosines(Family.RULES, AXES[1].tolist(), ["fen"]) is None
