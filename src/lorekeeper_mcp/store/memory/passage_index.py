"""Embeddings of passages in memory, four bits a number: those of all of Open5e take ten megabytes.

They are compared with a question only for records that are candidates already, a few thousand passages at most.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from lorekeeper_mcp.embedding.quantization import PASSAGE_BYTES, cosines, from_text
from lorekeeper_mcp.models import Family

PassageCosines = dict[str, dict[int, float]]
"""For each record's id the cosine similarity of each of its passages, by the passage's place."""


class PassageIndex:
    """Packed embeddings of each record's passages by the record's id. Any thread may call it."""

    def __init__(self) -> None:
        self._held: dict[Family, dict[str, bytes]] = {}

    def holds(self, family: Family) -> bool:
        """Whether the family's passages are here."""
        return family in self._held

    def build(self, family: Family, rows: Iterable[tuple[str, str]]) -> None:
        """Hold a family from nothing: (id, passages as the row has them) of each record."""
        self._held[family] = {id_: from_text(text) for id_, text in rows if text}

    def forget(self, family: Family) -> None:
        """Have a family's passages read from the store until they are rebuilt."""
        self._held.pop(family, None)

    def put(self, family: Family, rows: Iterable[tuple[str, str]]) -> None:
        """Add or replace records; nothing happens before the family has been built."""
        if (held := self._held.get(family)) is not None:
            for id_, text in rows:
                if text:
                    held[id_] = from_text(text)
                else:
                    held.pop(id_, None)

    def drop(self, family: Family, ids: Iterable[str]) -> None:
        """Remove records; ids that are not there are passed over."""
        if (held := self._held.get(family)) is not None:
            for id_ in ids:
                held.pop(id_, None)

    def cosines(self, family: Family, vector: Sequence[float], ids: Collection[str]) -> PassageCosines | None:
        """How near the passages of some records are to a vector; None where the family is not held."""
        if (held := self._held.get(family)) is None:
            return None
        return passage_cosines({id_: packed for id_ in ids if (packed := held.get(id_))}, vector)


def passage_cosines(packed: dict[str, bytes], vector: Sequence[float]) -> PassageCosines:
    """How near packed passages are to a vector, by record and place."""
    places, near = cosines(b"".join(packed.values()), vector)
    all_places, all_near = places.tolist(), near.tolist()
    found: PassageCosines = {}
    start = 0
    for id_, one in packed.items():
        stop = start + len(one) // PASSAGE_BYTES
        found[id_] = dict(zip(all_places[start:stop], all_near[start:stop], strict=True))
        start = stop
    return found
