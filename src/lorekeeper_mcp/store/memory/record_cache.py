"""Full records in memory: the payloads of a local store's rows.

To read the ten records of a page Milvus Lite takes 3 to 6 ms, since each goes through a socket and twice through
protobuf; to decode their payloads takes a third of one. All of Open5e is 25 MB of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lorekeeper_mcp.models import Family, Kind, Record, family_of
from lorekeeper_mcp.store.rows import decode_payload


class RecordCache:
    """Payloads by id. Any thread may call it."""

    def __init__(self) -> None:
        self._held: dict[Family, dict[str, bytes]] = {}

    def holds(self, family: Family) -> bool:
        """Whether the family's payloads are here."""
        return family in self._held

    def build(self, family: Family, payloads: Iterable[tuple[str, str]]) -> None:
        """Hold a family from nothing: (id, payload) of each record."""
        self._held[family] = {id_: payload.encode() for id_, payload in payloads}

    def forget(self, family: Family) -> None:
        """Have a family's records read from the store until it is rebuilt."""
        self._held.pop(family, None)

    def put(self, family: Family, payloads: Iterable[tuple[str, str]]) -> None:
        """Add or replace records; nothing happens before the family has been built."""
        if (held := self._held.get(family)) is not None:
            held.update((id_, payload.encode()) for id_, payload in payloads)

    def drop(self, family: Family, ids: Iterable[str]) -> None:
        """Remove records; ids that are not there are passed over."""
        if (held := self._held.get(family)) is not None:
            for id_ in ids:
                held.pop(id_, None)

    def records(self, kind_of_id: Mapping[str, Kind]) -> dict[str, Record] | None:
        """The whole records of some ids, those that are gone left out; None where a family of theirs is not held."""
        found: dict[str, Record] = {}
        for id_, kind in kind_of_id.items():
            if (held := self._held.get(family_of(kind))) is None:
                return None
            if (payload := held.get(id_)) is not None:
                found[id_] = decode_payload(kind, payload.decode())
        return found
