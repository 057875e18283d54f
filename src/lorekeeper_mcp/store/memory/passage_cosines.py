"""Cosines of passages with a question. Their embeddings have four bits per number.

They are computed only for records that are candidates already, a few thousand passages at most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lorekeeper_mcp.embedding.quantization import PASSAGE_BYTES, cosines

PassageCosines = dict[str, dict[int, float]]
"""Cosine similarities of passages, by record id and the passage's place."""


def passage_cosines(packed: Mapping[str, bytes], vectors: Sequence[Sequence[float]]) -> PassageCosines:
    """Return the similarity of packed passages to the nearest of some vectors, by record and place."""
    places, near = cosines(b"".join(packed.values()), vectors)
    all_places, all_near = places.tolist(), near.tolist()
    found: PassageCosines = {}
    start = 0
    for id_, one in packed.items():
        stop = start + len(one) // PASSAGE_BYTES
        found[id_] = dict(zip(all_places[start:stop], all_near[start:stop], strict=True))
        start = stop
    return found
