"""The row file: a local store in an SQLite file, which Milvus follows. Every row has a checksum."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from array import array
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeAlias, cast

from lorekeeper_mcp.embedding.quantization import from_text, to_text
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.memory.fulltext_index import delete_words, insert_words
from lorekeeper_mcp.store.memory.sqlite_connection import SEARCH_CACHE_KB, Connection, RowFileDamagedError
from lorekeeper_mcp.store.rows import HAS_VECTOR, NO_VECTOR, Row, brief_fields

AnyRow: TypeAlias = Mapping[str, object]
_TABLES = """
CREATE TABLE IF NOT EXISTS {0}_rows (number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, brief TEXT, checksum INTEGER);
CREATE TABLE IF NOT EXISTS {0}_payloads (number INTEGER PRIMARY KEY, data BLOB, checksum INTEGER);
CREATE TABLE IF NOT EXISTS {0}_vectors (number INTEGER PRIMARY KEY, data BLOB, checksum INTEGER);
CREATE TABLE IF NOT EXISTS {0}_packed (number INTEGER PRIMARY KEY, data BLOB, checksum INTEGER);
CREATE VIRTUAL TABLE IF NOT EXISTS {0} USING fts5(id UNINDEXED, name, text, tokenize = '{1}');
CREATE VIRTUAL TABLE IF NOT EXISTS {0}_passages USING fts5(id UNINDEXED, name, text, tokenize = '{1}');
"""
_LEDGER = """
CREATE TABLE IF NOT EXISTS ledger (id TEXT PRIMARY KEY, entry TEXT);
CREATE TABLE IF NOT EXISTS versions (name TEXT PRIMARY KEY, version INTEGER);
"""
_TOKENS = "porter unicode61 remove_diacritics 2"
_shared_float = lru_cache(maxsize=4096)(float)  # most numbers of the catalog are in many rows
_CHUNK = 1 << 20  # bytes
_DATA_TABLES = ("payloads", "vectors", "packed")  # of each family
_AMONG = "IN (SELECT value FROM json_each(?))"


class RowFile:
    """All columns of all rows, by family and id. Any thread may read, one at a time may write."""

    def __init__(self, path: Path | None = None, *, alone: bool = False) -> None:
        """Open or create the file. Without a ``path`` it is in memory and has only words. Raises StoreError.

        ``alone`` opens it on a full disk: with one connection, which is all that SQLite has room for there.
        """
        self.path, self.alone = path, alone
        with contextlib.ExitStack() as opened:
            if path is not None:
                path.touch(mode=0o600)
                self._content = opened.enter_context(path.open("rb"))
            self._writer = opened.enter_context(contextlib.closing(Connection(path, alone=alone)))
            self._reader = self.searcher = self._writer
            _prepare(self._writer)
            if path is not None and not alone:
                # Separate ones, so that reads of rows, full-text searches and writes do not wait for each other.
                self._reader = opened.enter_context(contextlib.closing(Connection(path)))
                self.searcher = opened.enter_context(contextlib.closing(Connection(path, SEARCH_CACHE_KB)))
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close the file."""
        self._opened.close()

    def settle(self) -> bool:
        """Move all changes from the write-ahead log into the file. False if it is being read. Raises StoreError."""
        with self._writer.use() as db:
            busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not busy

    def content(self) -> Iterator[bytes]:
        """Yield the bytes of the file, without its write-ahead log.

        Through one descriptor that stays open: closing any other would end this process's POSIX locks on the file
        (https://sqlite.org/howtocorrupt.html, section 2.2).
        """
        self._content.seek(0)
        yield from iter(partial(self._content.read, _CHUNK), b"")

    # -- reading

    def briefs(self, family: Family) -> Iterator[AnyRow]:
        """The catalog's columns of every row."""
        columns = brief_fields(family)
        with self._reader.use() as db:
            cursor = db.execute(f"SELECT brief, checksum FROM {family}_rows ORDER BY number")  # noqa: S608 - an enum
            while rows := cursor.fetchmany(1000):
                if any(zlib.crc32(str(brief).encode()) != checksum for brief, checksum in rows):
                    raise RowFileDamagedError(f"A row of {family} does not match its checksum.")
                together = f"[{','.join(brief for brief, _ in rows)}]"
                for values in json.loads(together, parse_float=_shared_float):
                    yield dict(zip(columns, values, strict=True))

    def payloads(self, family: Family, ids: Iterable[str]) -> dict[str, str]:
        """Return the payloads of some ids; deleted ones are left out."""
        return {id_: zlib.decompress(data).decode() for id_, data in self._data("payloads", family, ids)}

    def passages(self, family: Family, ids: Iterable[str]) -> dict[str, bytes]:
        """Return the packed embeddings of some records' passages. Records without any are skipped."""
        return dict(self._data("packed", family, ids))

    def vectors(self, family: Family, ids: Iterable[str] | None = None) -> Iterator[tuple[str, bytes]]:
        """Yield the embeddings of some rows or of all, as 32-bit floats. Rows without one are skipped."""
        return self._data("vectors", family, ids)

    def _data(self, table: str, family: Family, ids: Iterable[str] | None = None) -> Iterator[tuple[str, bytes]]:
        query = f"SELECT r.id, t.data, t.checksum FROM {family}_rows r JOIN {family}_{table} t USING (number)"  # noqa: S608
        with self._reader.use() as db:
            rows = db.execute(query) if ids is None else db.execute(f"{query} WHERE r.id {_AMONG}", (_listed(ids),))
            for id_, data, checksum in rows:
                if not isinstance(data, bytes) or zlib.crc32(data) != checksum:
                    raise RowFileDamagedError(f"A row of {family} does not match its checksum.")
                yield id_, data

    def rows(self, family: Family, ids: Collection[str]) -> list[Row]:
        """Return all columns of some rows. Unknown ids are skipped."""
        payloads, passages = self.payloads(family, ids), self.passages(family, ids)
        vectors = dict(self.vectors(family, ids))
        texts = f"SELECT r.brief, t.text FROM {family}_rows r JOIN {family} t ON t.rowid = r.number"  # noqa: S608 - an enum
        with self._reader.use() as db:
            briefs = db.execute(f"{texts} WHERE r.id {_AMONG}", (_listed(ids),)).fetchall()
        rows: list[Row] = []
        for brief, words in briefs:
            row: Row = dict(zip(brief_fields(family), json.loads(brief), strict=True))
            id_ = str(row["id"])
            row |= {"payload": payloads[id_], "words": words, "passages": to_text(passages.get(id_, b""))}
            row["embedding"] = list(array("f", vectors[id_])) if id_ in vectors else NO_VECTOR
            rows.append(row)
        return rows

    def check(self) -> None:
        """Read every row. Raises RowFileDamagedError if a checksum is wrong."""
        for family in Family:
            deque(self.briefs(family), maxlen=0)
            for table in _DATA_TABLES:
                deque(self._data(table, family), maxlen=0)

    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        with self._reader.use() as db:
            return {id_: json.loads(entry) for id_, entry in db.execute("SELECT id, entry FROM ledger")}

    @property
    def in_milvus(self) -> bool:
        """Whether Milvus has been filled since the last change."""
        return self._version("in_milvus") == 1

    @in_milvus.setter
    def in_milvus(self, is_filled: bool) -> None:
        with self._writer.transaction() as db:
            _set_version(db, "in_milvus", int(is_filled))

    def _version(self, name: str) -> int | None:
        with self._reader.use() as db:
            row = db.execute("SELECT version FROM versions WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    # -- writing

    @contextlib.contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection in a transaction, after which Milvus has yet to follow."""
        with self._writer.transaction() as db:
            _set_version(db, "in_milvus", 0)
            yield db

    def has_encoder(self, encoder: str) -> bool:
        """Whether the embeddings are of this model. ``encoder`` is empty if there is no model."""
        return encoder == "" or self._version("encoder") == zlib.crc32(encoder.encode())

    def use_encoder(self, encoder: str) -> None:
        """Note the model of the embeddings, and drop those of another one."""
        is_noted = self._version("encoder") is not None
        with self._change() as db:
            for family in Family if is_noted else ():
                rows = [{**row, HAS_VECTOR: 0} for row in self.briefs(family)]
                _put_embeddings(db, family, rows, _numbers(db, family, [str(row["id"]) for row in rows]))
            _set_version(db, "encoder", zlib.crc32(encoder.encode()))

    def put(self, family: Family, rows: Sequence[AnyRow], removed: Collection[str] = ()) -> None:
        """Store whole rows under their ids, in memory only their words, and delete those in ``removed``."""
        with self._change() as db:
            _drop(db, family, removed)
            numbers = _put_words(db, family, rows)
            if self.path is not None:
                payloads = {numbers[str(row["id"])]: zlib.compress(str(row["payload"]).encode(), 1) for row in rows}
                _put_data(db, f"{family}_payloads", payloads)
                _put_embeddings(db, family, rows, numbers)

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries."""
        with self._change() as db:
            noted = ((id_, json.dumps(entry)) for id_, entry in entries.items())
            db.executemany("INSERT OR REPLACE INTO ledger VALUES (?, ?)", noted)


def _prepare(connection: Connection) -> None:
    """Create the tables of a new file."""
    with connection.use() as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            tables = "".join(_TABLES.format(family, _TOKENS) for family in Family)
            db.executescript(f"BEGIN; {_LEDGER} {tables} COMMIT;")


def _set_version(db: sqlite3.Connection, name: str, version: int) -> None:
    db.execute("INSERT OR REPLACE INTO versions VALUES (?, ?)", (name, version))


def _drop(db: sqlite3.Connection, family: Family, ids: Collection[str]) -> None:
    numbers = _numbers(db, family, ids).values()
    delete_words(db, family, numbers)
    for table in ("rows", *_DATA_TABLES):
        _delete(db, f"{family}_{table}", numbers)


def _numbers(db: sqlite3.Connection, family: Family, ids: Iterable[str]) -> dict[str, int]:
    query = f"SELECT id, number FROM {family}_rows WHERE id {_AMONG}"  # noqa: S608 - an enum
    return dict(db.execute(query, (_listed(ids),)))


def _listed(ids: Iterable[str]) -> str:
    """The parameter of ``_AMONG``."""
    return json.dumps(list(ids))


def _put_words(db: sqlite3.Connection, family: Family, rows: Sequence[AnyRow]) -> dict[str, int]:
    """Index the words of rows, and return the number of each id."""
    ids = [str(row["id"]) for row in rows]
    delete_words(db, family, _numbers(db, family, ids).values())
    db.executemany(f"INSERT OR IGNORE INTO {family}_rows (id) VALUES (?)", ((id_,) for id_ in ids))  # noqa: S608
    numbers = _numbers(db, family, ids)
    words = [(numbers[id_], id_, str(row["name"]), str(row["words"])) for id_, row in zip(ids, rows, strict=True)]
    insert_words(db, family, words)
    return numbers


def _put_embeddings(db: sqlite3.Connection, family: Family, rows: Sequence[AnyRow], numbers: Mapping[str, int]) -> None:
    """Store the columns that change when rows are embedded: catalog entry, vector, passages."""
    by_number = {numbers[str(row["id"])]: row for row in rows}
    briefs = {n: json.dumps([row[name] for name in brief_fields(family)]) for n, row in by_number.items()}
    update = f"UPDATE {family}_rows SET brief = ?, checksum = ? WHERE number = ?"  # noqa: S608 - an enum
    db.executemany(update, ((brief, zlib.crc32(brief.encode()), number) for number, brief in briefs.items()))
    for table in ("vectors", "packed"):
        _delete(db, f"{family}_{table}", by_number)
    embedded = {number: row for number, row in by_number.items() if row[HAS_VECTOR]}
    vectors = {n: array("f", cast(Sequence[float], row["embedding"])).tobytes() for n, row in embedded.items()}
    _put_data(db, f"{family}_vectors", vectors)
    packed = {n: from_text(str(row["passages"])) for n, row in embedded.items() if row["passages"]}
    _put_data(db, f"{family}_packed", packed)


def _put_data(db: sqlite3.Connection, table: str, data_by_number: Mapping[int, bytes]) -> None:
    rows = ((number, data, zlib.crc32(data)) for number, data in data_by_number.items())
    db.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", rows)  # noqa: S608 - an enum


def _delete(db: sqlite3.Connection, table: str, numbers: Iterable[int]) -> None:
    db.executemany(f"DELETE FROM {table} WHERE number = ?", ((number,) for number in numbers))  # noqa: S608 - an enum
