"""Embeddings computed beforehand, found by a hash of the model and the text.

Text that is unchanged since the file was made is never embedded on a user's machine; changed text is
embedded as usual. ``scripts/build_vectors.py`` makes the file.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lorekeeper_mcp.embedding.vector import Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)
FILE = Path(__file__).with_name("vectors.npz")


def text_hash(model: str, text: str) -> int:
    """What a text's vector is filed under: 64 bits of a hash over model and text."""
    return int.from_bytes(hashlib.blake2b(f"{model}\n{text}".encode(), digest_size=8).digest(), "big")


class PrecomputedEmbeddings:
    """The vectors in a file: sorted hashes, and for each eight-bit codes with one scale."""

    def __init__(self, model: str, file: Path = FILE) -> None:
        self._model = model
        self._hashes, self._codes, self._scales = _load(file)

    def __len__(self) -> int:
        return len(self._hashes)

    def find(self, texts: Sequence[str]) -> list[Vector | None]:
        """The vector of each text, of length 1, or None where the file has none."""
        import numpy as np  # noqa: PLC0415 - only when records are stored

        wanted = np.array([text_hash(self._model, text) for text in texts], dtype=np.uint64)
        places = np.searchsorted(self._hashes, wanted)
        found: list[Vector | None] = []
        for place, hash_ in zip(places, wanted, strict=True):
            if place < len(self._hashes) and self._hashes[place] == hash_:
                vector = self._codes[place].astype(np.float32) * self._scales[place]
                found.append((vector / np.linalg.norm(vector)).tolist())
            else:
                found.append(None)
        return found


def _load(file: Path) -> tuple[NDArray[np.uint64], NDArray[np.int8], NDArray[np.float32]]:
    import numpy as np  # noqa: PLC0415 - only when records are stored

    try:
        with np.load(file) as arrays:
            return arrays["hashes"], arrays["codes"], arrays["scales"]
    except (OSError, ValueError, KeyError):
        log.warning("The file with vectors made beforehand is absent or damaged; texts are embedded here instead.")
        return np.empty(0, np.uint64), np.empty((0, 384), np.int8), np.empty(0, np.float32)
