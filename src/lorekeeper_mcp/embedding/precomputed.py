"""Precomputed embeddings, found by a hash of the model and the text.

Text that is unchanged since the file was made is never embedded on a user's machine; changed text is embedded as usual.
``scripts/build_vectors.py`` makes the file.
"""

from __future__ import annotations

import functools
import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from lorekeeper_mcp.embedding.vector import Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QuantizedVector: TypeAlias = "tuple[NDArray[np.uint8], np.float16]"

log = logging.getLogger(__name__)
FILE = Path(__file__).with_name("vectors.npz")


def text_hash(model: str, text: str) -> int:
    """The key of a text's vector: 64 bits of a hash over model and text."""
    return int.from_bytes(hashlib.blake2b(f"{model}\n{text}".encode(), digest_size=8).digest(), "big")


class PrecomputedEmbeddings:
    """The embeddings in a file, by sorted hashes: eight bits per number for records, four for passages."""

    def __init__(self, model: str, file: Path = FILE) -> None:
        self._model = model
        self._records, self._passages = _load(file)

    def __len__(self) -> int:
        return len(self._records.hashes)

    def find(self, texts: Sequence[str]) -> list[Vector | None]:
        """Return the vector of each record's text, of length 1, or None if the file has none."""
        import numpy as np  # noqa: PLC0415 - only when records are stored

        vectors: list[Vector | None] = []
        for row in self._records.find_rows(self._model, texts):
            vector = self._records.codes[row].astype(np.float32) * self._records.scales[row] if row >= 0 else None
            vectors.append(None if vector is None else (vector / np.linalg.norm(vector)).tolist())
        return vectors

    def find_passages(self, texts: Sequence[str]) -> list[QuantizedVector | None]:
        """Return the codes and scale of each passage's text, as from ``quantize``, or None if the file has none."""
        codes, scales = self._passages.codes, self._passages.scales
        return [(codes[row], scales[row]) if row >= 0 else None for row in self._passages.find_rows(self._model, texts)]


@dataclass(frozen=True)
class _Table:
    """Sorted hashes of texts, with the codes and one scale for each."""

    hashes: NDArray[np.uint64]
    codes: NDArray[np.int8] | NDArray[np.uint8]
    scales: NDArray[np.float32] | NDArray[np.float16]

    def find_rows(self, model: str, texts: Sequence[str]) -> list[int]:
        """The row of each text, or -1."""
        import numpy as np  # noqa: PLC0415

        if not len(self.hashes):
            return [-1] * len(texts)
        hashes = np.array([text_hash(model, text) for text in texts], dtype=np.uint64)
        nearest = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        rows: list[int] = np.where(self.hashes[nearest] == hashes, nearest, -1).tolist()
        return rows


@functools.lru_cache(1)
def _load(file: Path) -> tuple[_Table, _Table]:
    import numpy as np  # noqa: PLC0415 - only when records are stored

    try:
        with np.load(file) as arrays:
            names = ("hashes", "codes", "scales")
            records = _Table(*(arrays[name] for name in names))
            return records, _Table(*(arrays[f"passage_{name}"] for name in names))
    except (OSError, ValueError, KeyError):
        log.warning("The file with precomputed vectors is missing or damaged; texts are embedded here instead.")
        no_records = _Table(np.empty(0, np.uint64), np.empty((0, 384), np.int8), np.empty(0, np.float32))
        no_passages = _Table(np.empty(0, np.uint64), np.empty((0, 192), np.uint8), np.empty(0, np.float16))
        return no_records, no_passages
