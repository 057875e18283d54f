"""Quantizes passages' embeddings to four bits: 384 numbers in 192 bytes, an eighth of a record's vector.

A record's passages are packed one after the other: two bytes for the index of the passage in its record, two for the
scale of its codes, 192 for the codes. This changes a cosine by about 0.01.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lorekeeper_mcp.embedding.vector import DIMENSION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HALF = DIMENSION // 2
_ZERO = 8  # the code of 0; codes are 1 to 15, symmetric around it
_HEAD = 4  # bytes before the codes
PASSAGE_BYTES = _HEAD + _HALF
_MAX_PASSAGES = 65_535 * 3 // 4 // PASSAGE_BYTES  # passages that fit in a text column


def quantize(vectors: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Return codes of shape (n, 192), two numbers per byte, and the scale of each vector, of shape (n,)."""
    import numpy as np  # noqa: PLC0415 - a tenth of a second that start-up does not have

    scales = (np.abs(vectors).max(axis=1) / (_ZERO - 1)).astype(np.float16)
    divisors = np.where(scales > 0, scales, 1).astype(np.float32)[:, None]
    codes = (np.clip(np.round(vectors / divisors), 1 - _ZERO, _ZERO - 1) + _ZERO).astype(np.uint8)
    packed: NDArray[np.uint8] = (codes[:, :_HALF] << np.uint8(4)) | codes[:, _HALF:]
    return packed, scales


def pack(codes: NDArray[np.uint8], scales: NDArray[np.float16], indexes: Sequence[int]) -> bytes:
    """Pack a record's passages; those beyond the 250th do not fit in a row and are left out."""
    import numpy as np  # noqa: PLC0415

    packed = np.empty((len(indexes), PASSAGE_BYTES), np.uint8)
    packed[:, 0:2] = np.array(indexes, "<u2").view(np.uint8).reshape(-1, 2)
    packed[:, 2:4] = scales.astype("<f2").view(np.uint8).reshape(-1, 2)
    packed[:, _HEAD:] = codes
    return packed[:_MAX_PASSAGES].tobytes()


def to_text(packed: bytes) -> str:
    """Encode packed passages for a text column."""
    return base64.b64encode(packed).decode()


def cosines(packed: bytes, vectors: Sequence[Sequence[float]]) -> tuple[NDArray[np.uint16], NDArray[np.float32]]:
    """Return the indexes of packed passages, and their cosines with the nearest of some vectors of length 1."""
    import numpy as np  # noqa: PLC0415

    rows = np.frombuffer(packed, np.uint8).reshape(-1, PASSAGE_BYTES)
    indexes = rows[:, 0:2].copy().view("<u2").ravel()
    scales = rows[:, 2:4].copy().view("<f2").ravel().astype(np.float32)
    codes = rows[:, _HEAD:]
    queries = np.asarray(vectors, np.float32).T
    high = (codes >> 4).astype(np.float32) @ queries[:_HALF]
    low = (codes & 15).astype(np.float32) @ queries[_HALF:]
    nearest: NDArray[np.float32] = (high + low - _ZERO * queries.sum(axis=0)).max(axis=1) * scales
    return indexes, nearest
