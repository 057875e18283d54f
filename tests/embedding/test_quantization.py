"""Embeddings in four bits per number: their precision, and how many fit in a row."""

from __future__ import annotations

import base64

import numpy as np

from lorekeeper_mcp.embedding.quantization import PASSAGE_BYTES, cosines, pack, quantize, to_text
from lorekeeper_mcp.embedding.vector import DIMENSION

VECTORS = np.random.default_rng(5).normal(size=(300, DIMENSION)).astype(np.float32)
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)


def packed(vectors: np.ndarray, indexes: list[int]) -> bytes:
    return pack(*quantize(vectors), indexes)


def test_cosines_change_by_about_a_hundredth() -> None:
    vectors = VECTORS[:50]
    indexes, similarities = cosines(packed(vectors, list(range(50))), [vectors[7].tolist()])
    assert indexes.tolist() == list(range(50))
    assert np.abs(similarities - vectors @ vectors[7]).max() < 0.03
    assert int(similarities.argmax()) == 7


def test_more_than_255_positions_are_kept() -> None:
    indexes, _ = cosines(packed(VECTORS[:3], [0, 255, 1023]), [VECTORS[0].tolist()])
    assert indexes.tolist() == [0, 255, 1023]


def test_a_row_holds_250_passages_and_round_trips_as_text() -> None:
    data = packed(VECTORS, list(range(len(VECTORS))))
    text = to_text(data)
    assert len(data) == 250 * PASSAGE_BYTES
    assert len(text) <= 65_535
    assert base64.b64decode(text) == data


def test_a_vector_of_zeros_is_near_nothing() -> None:
    _, similarities = cosines(packed(np.zeros((1, DIMENSION), np.float32), [0]), [VECTORS[0].tolist()])
    assert similarities.tolist() == [0.0]
