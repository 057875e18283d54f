"""Exact vector search in memory, over the embeddings of one family of a local store. Imports numpy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from lorekeeper_mcp.embedding.vector import DIMENSION
from lorekeeper_mcp.store.rows import batches

_ROOM = 256  # initial rows, doubled when they are full


class VectorMatrix:
    """Unit vectors by record id. The row of a removed vector stays unused."""

    def __init__(self, vectors: Iterable[tuple[str, bytes]]) -> None:
        """``vectors`` are 32-bit floats."""
        self._rows: dict[str, int] = {}
        self._used = 0
        self._matrix = np.zeros((_ROOM, DIMENSION), dtype=np.float32)
        for batch in batches(vectors):
            self.put([(id_, np.frombuffer(vector, np.float32)) for id_, vector in batch])

    def put(self, vectors: Sequence[tuple[str, Sequence[float] | NDArray[np.float32]]]) -> None:
        """Add or replace vectors."""
        if not vectors:
            return
        for id_, _ in vectors:
            if id_ not in self._rows:
                self._rows[id_] = self._used
                self._used += 1
        if self._used > len(self._matrix):
            larger = np.zeros((max(2 * len(self._matrix), self._used), DIMENSION), dtype=np.float32)
            larger[: len(self._matrix)] = self._matrix
            self._matrix = larger
        new = np.asarray([vector for _, vector in vectors], dtype=np.float32)
        lengths = np.linalg.norm(new, axis=1, keepdims=True)
        self._matrix[[self._rows[id_] for id_, _ in vectors]] = new / np.where(lengths > 0, lengths, 1)

    def drop(self, ids: Iterable[str]) -> None:
        """Remove vectors. Unknown ids are skipped."""
        for id_ in ids:
            self._rows.pop(id_, None)

    def nearest(self, vector: Sequence[float], among: Collection[str], limit: int) -> list[tuple[str, float]]:
        """Return the ids nearest to a vector among some ids with their cosine similarities, best first, ties by id.

        Ids without a vector have a similarity of 0.
        """
        ids = sorted(among)
        query = np.asarray(vector, dtype=np.float32)
        query /= np.linalg.norm(query) or 1
        rows = np.fromiter(map(self._rows.get, ids, repeat(-1)), dtype=np.intp, count=len(ids))
        if 2 * len(ids) > self._used:  # selecting rows copies them, which costs more than multiplying a few more
            cosines = (self._matrix[: max(self._used, 1)] @ query)[rows]
        else:
            cosines = self._matrix[rows] @ query
        cosines[rows < 0] = 0.0
        nearest = np.arange(len(ids))
        if 0 < limit < len(ids):
            nearest = np.flatnonzero(cosines >= np.partition(cosines, -limit)[-limit])  # with ties of the last one
        best = nearest[np.argsort(-cosines[nearest], kind="stable")][:limit]
        return list(zip(map(ids.__getitem__, best.tolist()), cosines[best].tolist(), strict=True))
