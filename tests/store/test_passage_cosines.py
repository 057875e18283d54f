"""Cosines of passages with a question, by record and index."""

from __future__ import annotations

import numpy as np

from lorekeeper_mcp.embedding.quantization import pack, quantize
from lorekeeper_mcp.embedding.vector import DIMENSION
from lorekeeper_mcp.store.open_store import passage_cosines

AXES = np.eye(DIMENSION, dtype=np.float32)


def packed(*axes: int) -> bytes:
    """The passages of a record, as unit vectors along some axes; its indexes are multiples of ten."""
    return pack(*quantize(AXES[list(axes)]), [10 * n for n in range(len(axes))])


def near(axis: int, **records: bytes) -> dict[str, dict[int, float]]:
    cosines = passage_cosines(records, [AXES[axis].tolist()])
    return {id_: {place: round(cosine, 2) for place, cosine in by_place.items()} for id_, by_place in cosines.items()}


def test_passages_are_compared_under_their_record_and_place() -> None:
    cosines = near(2, moor=packed(2), fen=packed(1, 2), heath=b"")
    assert cosines == {"moor": {0: 1.0}, "fen": {0: 0.0, 10: 1.0}, "heath": {}}
    assert near(2) == {}


def test_the_nearest_of_several_vectors_counts() -> None:
    cosines = passage_cosines({"moor": packed(2, 3)}, [AXES[2].tolist(), (AXES[3] / 2).tolist()])
    assert {place: round(cosine, 2) for place, cosine in cosines["moor"].items()} == {0: 1.0, 10: 0.5}
