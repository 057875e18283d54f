"""The index beside Milvus: one SQLite file with what names, filters, lists and words need, and a copy of the ledger.

It is derived, so it may be deleted at any time: it is made again from Milvus. It never repairs Milvus.
"""

from __future__ import annotations

import base64
import contextlib
import json
import sqlite3
import threading
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from lorekeeper_mcp.embedding.document_text import SEPARATOR
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import StoreBusyError, StoreError, StoreFullError
from lorekeeper_mcp.store.query_terms import query_terms
from lorekeeper_mcp.store.rows import DATA, Row, absent_values, brief_fields
from lorekeeper_mcp.text import fold

_FORMAT = 4  # increase it when the tables change
_TABLES = """
CREATE TABLE {0}_rows (number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, brief TEXT, derived TEXT NOT NULL);
CREATE TABLE {0}_stored (number INTEGER PRIMARY KEY, payload BLOB, passages BLOB);
CREATE VIRTUAL TABLE {0} USING fts5(name, text, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE {0}_passages USING fts5(name, text, tokenize = 'porter unicode61 remove_diacritics 2');
"""
_LEDGER = "CREATE TABLE ledger (id TEXT PRIMARY KEY, entry TEXT);"
_CACHE_KB = 8_000  # per connection; the pages themselves stay in the system's cache
# Measured: the pages that full-text searches of all of Open5e read. With them it is as fast as in memory.
_SEARCH_CACHE_KB = 48_000
_BUSY_SECONDS = 60.0
_NO_ROOM = "SQLITE_IOERR_SHMSIZE"  # for the index of the write-ahead log
_AMONG = "IN (SELECT value FROM json_each(?))"
_CHUNK = 1 << 20  # bytes
_shared_float = lru_cache(maxsize=4096)(float)  # most numbers of the catalog are in many rows

NAME_WEIGHT = 6.0  # a word in the name is worth more than one in the text
PASSAGE_NAME_WEIGHT = 2.0  # less, since all passages of a record share the name
_RARE = 0.08  # a word in a larger share of a family's passages is not searched for
_AVERAGE_PASSAGES = 6  # per record
MAX_PASSAGES = 1024  # per record, for numbering their rows
_RECORDS = ""  # in place of a word: the count of records
NOT_DERIVED = ""  # in place of a version: the words are not indexed yet


class IndexDamagedError(StoreError):
    """The index has to be made again."""


class IndexFile:
    """The rows of every family without their vectors, their words, and the ledger. Any thread may use it.

    Every method raises StoreError if SQLite fails.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open or create the file; with ``read_only``, another process may be writing to it.

        Raises IndexDamagedError, another StoreError, or OSError.
        """
        self._frequencies: dict[tuple[Family, str], int] = {}
        with contextlib.ExitStack() as opened:
            if not read_only:
                path.touch(mode=0o600)
            self._file = opened.enter_context(path.open("rb"))
            uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
            # Three, so that reads of rows, full-text searches and writes do not wait for each other.
            self._writer, self._reader, self._searcher = (
                opened.enter_context(contextlib.closing(_Connection(uri, cache_kb)))
                for cache_kb in (_CACHE_KB, _CACHE_KB, _SEARCH_CACHE_KB)
            )
            _prepare(self._writer, read_only=read_only)
            self.close = opened.pop_all().close

    def settle(self) -> bool:
        """Move all changes from the write-ahead log into the file. False if it is being read."""
        with self._writer.use() as db:
            busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not busy

    def content(self) -> Iterator[bytes]:
        """Yield the bytes of the file, without its write-ahead log.

        Through one descriptor that stays open: closing any other would end this process's POSIX locks on the file
        (https://sqlite.org/howtocorrupt.html, section 2.2).
        """
        self._file.seek(0)
        yield from iter(partial(self._file.read, _CHUNK), b"")

    # -- reading

    def briefs(self, family: Family) -> Iterator[Row]:
        """Yield the catalog's columns of every row."""
        with self._reader.use() as db:
            cursor = db.execute(f"SELECT brief FROM {family}_rows ORDER BY number")  # noqa: S608 - an enum
            while rows := cursor.fetchmany(1000):
                together = f"[{','.join(text for (text,) in rows)}]"
                for values in json.loads(together, parse_float=_shared_float):
                    yield absent_values(family) | values

    def payloads(self, family: Family, ids: Iterable[str]) -> dict[str, str]:
        """Return the payloads of some rows; those of deleted ones are left out."""
        return {id_: base64.b64encode(data).decode() for id_, data in self._data("payload", family, ids)}

    def passages(self, family: Family, ids: Iterable[str]) -> dict[str, bytes]:
        """Return the packed embeddings of some records' passages. Records without any are skipped."""
        return {id_: data for id_, data in self._data("passages", family, ids) if data}

    def _data(self, column: str, family: Family, ids: Iterable[str]) -> list[tuple[str, bytes]]:
        query = f"SELECT id, {column} FROM {family}_rows JOIN {family}_stored USING (number) WHERE id {_AMONG}"  # noqa: S608
        return self._reader.all(query, json.dumps(list(ids)))

    def outdated(self, version: str, limit: int) -> tuple[Family, list[str]]:
        """Return ids of rows of a family that were derived by another version; none if there are no such rows."""
        for family in Family:
            query = f"SELECT id FROM {family}_rows WHERE derived != ? LIMIT ?"  # noqa: S608 - an enum
            if ids := [id_ for (id_,) in self._reader.all(query, version, limit)]:
                return family, ids
        return Family.RULES, []

    def lacks_words(self) -> bool:
        """Whether the words of some rows are not indexed yet."""
        query = "SELECT 1 FROM {}_rows WHERE derived = ? LIMIT 1"
        return any(self._reader.all(query.format(family), NOT_DERIVED) for family in Family)

    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        with self._reader.use() as db:
            return {id_: json.loads(entry) for id_, entry in db.execute("SELECT id, entry FROM ledger")}

    # -- writing

    def put(
        self, family: Family, rows: Sequence[tuple[Row, str]], removed: Collection[str] = (), version: str = NOT_DERIVED
    ) -> None:
        """Store rows with their words, derived by a version, and forget removed ones, in one transaction."""
        by_id = {str(row["id"]): row for row, _ in rows}
        with self._writer.transaction() as db:
            for number in _numbers(db, family, [*by_id, *removed]).values():
                _delete_content(db, family, number)
            db.executemany(f"DELETE FROM {family}_rows WHERE id = ?", ((id_,) for id_ in removed))  # noqa: S608 - an enum
            db.executemany(
                f"INSERT INTO {family}_rows (id, brief, derived) VALUES (?, ?, ?) "  # noqa: S608 - an enum
                "ON CONFLICT (id) DO UPDATE SET brief = excluded.brief, derived = excluded.derived",
                ((id_, json.dumps(_brief(family, row)), version) for id_, row in by_id.items()),
            )
            numbers = _numbers(db, family, by_id)
            data = ((numbers[id_], *(base64.b64decode(str(row[name])) for name in DATA)) for id_, row in by_id.items())
            db.executemany(f"INSERT INTO {family}_stored VALUES (?, ?, ?)", data)  # noqa: S608 - an enum
            if version != NOT_DERIVED:
                words = [(numbers[str(row["id"])], str(row["name"]), text) for row, text in rows]
                into = "INSERT INTO {} (rowid, name, text) VALUES (?, ?, ?)"
                db.executemany(into.format(family), words)
                # The record's name and kind come first, without a place.
                passages = (
                    (number * MAX_PASSAGES + place, name, passage)
                    for number, name, text in words
                    for place, passage in enumerate(text.split(SEPARATOR)[:MAX_PASSAGES])
                )
                db.executemany(into.format(f"{family}_passages"), passages)
        self._frequencies = {}

    def note(self, entries: Mapping[str, Mapping[str, object]], *, replacing: bool = False) -> None:
        """Copy entries of the ledger; with ``replacing``, all others are forgotten."""
        with self._writer.transaction() as db:
            if replacing:
                db.execute("DELETE FROM ledger")
            noted = ((id_, json.dumps(entry)) for id_, entry in entries.items())
            db.executemany("INSERT OR REPLACE INTO ledger VALUES (?, ?)", noted)

    # -- words

    def search(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return ids and BM25 scores (higher is better) of records that share words with a text or contain a phrase."""
        terms = [*query_terms(text), *map(fold, phrases)]
        hits = self._best(family, family, "number", NAME_WEIGHT, terms, limit)
        return sorted(((id_, score) for _, id_, score in hits), key=lambda hit: (-hit[1], hit[0]))

    def search_passages(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Return ids, indexes and BM25 scores (higher is better) of passages, by words that few passages have."""
        counts = {word: count for word, count in self.frequencies(family, text).items() if count}
        rare = _RARE * _AVERAGE_PASSAGES * self._counted(family, _RECORDS)
        terms = [word for word, count in counts.items() if count <= rare] or counts
        number = f"number / {MAX_PASSAGES}"
        hits = self._best(family, f"{family}_passages", number, PASSAGE_NAME_WEIGHT, terms, limit)
        return [(id_, row_number % MAX_PASSAGES - 1, score) for row_number, id_, score in hits]

    def _best(
        self, family: Family, table: str, number: str, name_weight: float, terms: Iterable[str], limit: int
    ) -> list[tuple[int, str, float]]:
        """Return numbers, record ids and BM25 scores of the best rows of a full-text table, best first.

        ``number`` is the SQL expression for a record's number. Ids are looked up for the best rows only: reading them
        from every matching row takes longer than everything else.
        """
        match = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))
        best = (
            f"SELECT rowid AS number, -bm25({table}, ?, 1.0) AS score FROM {table} WHERE {table} MATCH ? "  # noqa: S608 - an enum
            "ORDER BY score DESC, rowid LIMIT ?"
        )
        query = (
            f"SELECT best.number, r.id, score FROM ({best}) best JOIN {family}_rows r ON r.number = best.{number} "  # noqa: S608
            "ORDER BY score DESC, best.number"
        )
        return self._searcher.all(query, name_weight, match, limit) if match else []

    def passage_beginnings(self, family: Family, characters: int) -> list[tuple[str, str]]:
        """Return the first characters of every passage, each with its record's id."""
        query = (
            f"SELECT r.id, substr(p.text, 1, ?) FROM {family}_passages p JOIN {family}_rows r "  # noqa: S608 - an enum
            f"ON r.number = p.rowid / {MAX_PASSAGES} WHERE p.rowid % {MAX_PASSAGES} > 0"
        )
        return self._searcher.all(query, characters)

    def frequencies(self, family: Family, text: str) -> dict[str, int]:
        """Return the number of a family's passages that contain each significant word of a text."""
        return {word: self._counted(family, word) for word in query_terms(text)}

    def _counted(self, family: Family, word: str) -> int:
        """The number of passages with a word, or the number of records."""
        counts, key = self._frequencies, (family, word)
        if key not in counts:
            passages = f"{family}_passages"
            where, values = (f"{passages} WHERE {passages} MATCH ?", [f'"{word}"']) if word else (f"{family}_rows", [])
            ((counts[key],),) = self._searcher.all(f"SELECT count(*) FROM {where}", *values)  # noqa: S608 - an enum
        return counts[key]


class _Connection:
    """A connection that threads share in turn. Raises StoreError if SQLite fails."""

    def __init__(self, uri: str, cache_kb: int) -> None:
        with _translated():
            self._db = sqlite3.connect(
                uri, uri=True, check_same_thread=False, isolation_level="IMMEDIATE", timeout=_BUSY_SECONDS
            )
            self._db.execute(f"PRAGMA cache_size = -{cache_kb}")
        self._lock = threading.RLock()

    @contextlib.contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection, locked against other threads."""
        with self._lock, _translated():
            yield self._db

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection; what the block writes is committed after it, and rolled back if it raises."""
        with self.use() as db, db:
            yield db

    def all(self, query: str, *values: object) -> list[Any]:  # rows, whose types the query decides
        """Return all rows of a query."""
        with self.use() as db:
            return db.execute(query, values).fetchall()

    def close(self) -> None:
        with self._lock:
            self._db.close()


def _prepare(connection: _Connection, *, read_only: bool) -> None:
    """Create the tables of a new file. Raises IndexDamagedError if they are of another version."""
    with connection.use() as db:
        if not read_only:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                tables = "".join(map(_TABLES.format, Family))
                db.executescript(f"BEGIN; {_LEDGER} {tables} PRAGMA user_version = {_FORMAT}; COMMIT;")
        if db.execute("PRAGMA user_version").fetchone()[0] != _FORMAT:
            raise IndexDamagedError("It is of another version.")


def _brief(family: Family, row: Row) -> Row:
    """The columns of a row that the catalog needs, without absent values: whichever version reads them adds its own."""
    absent = absent_values(family)
    return {name: value for name in brief_fields(family) if (value := row[name]) != absent.get(name)}


def _numbers(db: sqlite3.Connection, family: Family, ids: Iterable[str]) -> dict[str, int]:
    query = f"SELECT id, number FROM {family}_rows WHERE id {_AMONG}"  # noqa: S608 - an enum
    return dict(db.execute(query, (json.dumps(list(ids)),)))


def _delete_content(db: sqlite3.Connection, family: Family, number: int) -> None:
    """Delete what the other tables have of a row."""
    db.execute(f"DELETE FROM {family}_stored WHERE number = ?", (number,))  # noqa: S608 - an enum
    db.execute(f"DELETE FROM {family} WHERE rowid = ?", (number,))  # noqa: S608
    passages = number * MAX_PASSAGES, (number + 1) * MAX_PASSAGES - 1
    db.execute(f"DELETE FROM {family}_passages WHERE rowid BETWEEN ? AND ?", passages)  # noqa: S608


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Convert SQLite's errors to ours."""
    try:
        yield
    except (sqlite3.Error, zlib.error, UnicodeDecodeError, json.JSONDecodeError) as error:
        text = f"{type(error).__name__}: {error}"
        if "full" in text or "too large" in text or getattr(error, "sqlite_errorname", "") == _NO_ROOM:
            raise StoreFullError(text) from error
        if isinstance(error, sqlite3.OperationalError | sqlite3.ProgrammingError) and "decode" not in text:
            raise StoreBusyError(text) from error  # locked, or closed while it is made again
        raise IndexDamagedError(text) from error
