"""Search by words: SQLite's full-text index over names and texts, in memory, one table a family.

It is built from the store when a family is first ranked, and finds what has no embedding yet.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from lorekeeper_mcp.embedding.document_text import SEPARATOR
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.text import fold

NAME_WEIGHT = 6.0  # a word in the name says more than one in the text
PASSAGE_NAME_WEIGHT = 2.0  # but all passages of a record have it in common
_RARE = 0.08  # the share of a family's passages in which a word may stand that finds any
_AVERAGE_PASSAGES = 6  # of a record
_MOST_PASSAGES = 1024  # of a record, in the numbering of their rows
Words: TypeAlias = tuple[str, str, str]
# Words that questions are made of; they stand in every text and only cost time.
COMMON_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "could",
        "do",
        "does",
        "for",
        "from",
        "get",
        "give",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "make",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "so",
        "some",
        "that",
        "the",
        "their",
        "them",
        "they",
        "this",
        "to",
        "up",
        "us",
        "want",
        "was",
        "we",
        "what",
        "when",
        "where",
        "which",
        "who",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)


class FullTextIndex:
    """Names and texts of records and of their passages by id. Any thread may call it."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._lock = threading.Lock()
        self._rows: dict[Family, dict[str, int]] = {}
        self._frequencies: dict[Family, dict[str, int]] = {}

    def close(self) -> None:
        """Free the memory."""
        with self._lock:
            self._db.close()

    def holds(self, family: Family) -> bool:
        """Whether the family has been indexed."""
        return family in self._rows

    def build(self, family: Family, rows: Iterable[Words]) -> None:
        """Index a family from nothing: (id, name, words) of each record, the words as rows have them."""
        with self._lock:
            for table in (family, f"{family}_passages"):
                self._db.execute(f"DROP TABLE IF EXISTS {table}")
                self._db.execute(
                    f"CREATE VIRTUAL TABLE {table} USING fts5(id UNINDEXED, name, text, "
                    "tokenize = 'porter unicode61 remove_diacritics 2')"
                )
            self._rows[family] = {}
            self._insert(family, list(rows))

    def forget(self, family: Family) -> None:
        """Drop a family; it is indexed again when it is next searched."""
        with self._lock:
            self._rows.pop(family, None)

    def put(self, family: Family, rows: Iterable[Words]) -> None:
        """Add or replace records; nothing happens before the family has been built."""
        given = list(rows)
        with self._lock:
            if self.holds(family):
                self._delete(family, (id_ for id_, _, _ in given))
                self._insert(family, given)

    def drop(self, family: Family, ids: Iterable[str]) -> None:
        """Remove records."""
        with self._lock:
            if self.holds(family):
                self._delete(family, ids)

    def _insert(self, family: Family, rows: Sequence[Words]) -> None:
        known = self._rows[family]
        first = 1 + max(known.values(), default=0)
        numbered = [(first + place, *row) for place, row in enumerate(rows)]
        into = "INSERT INTO {} (rowid, id, name, text) VALUES (?, ?, ?, ?)"
        self._db.execute("BEGIN")
        self._db.executemany(into.format(family), numbered)
        self._db.executemany(into.format(f"{family}_passages"), _passages(numbered))
        self._db.execute("COMMIT")
        known.update((id_, number) for number, id_, _, _ in numbered)
        self._frequencies[family] = {}

    def _delete(self, family: Family, ids: Iterable[str]) -> None:
        # By number: to find an id SQLite would have to read the whole table.
        numbers = [number for id_ in ids if (number := self._rows[family].pop(id_, None)) is not None]
        of_passages = ((number * _MOST_PASSAGES, (number + 1) * _MOST_PASSAGES - 1) for number in numbers)
        self._db.execute("BEGIN")
        self._db.executemany(f"DELETE FROM {family} WHERE rowid = ?", ((n,) for n in numbers))  # noqa: S608 - an enum
        self._db.executemany(f"DELETE FROM {family}_passages WHERE rowid BETWEEN ? AND ?", of_passages)  # noqa: S608
        self._db.execute("COMMIT")
        self._frequencies[family] = {}

    def search(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Ids with BM25 scores, the higher the better, of records that share words with the text or hold phrases."""
        terms = [*query_terms(text), *(fold(phrase) for phrase in phrases)]
        if not terms or not self.holds(family):
            return []
        match = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))
        with self._lock:
            rows = self._db.execute(
                f"SELECT id, -bm25({family}, 0, ?, 1.0) AS score FROM {family} WHERE {family} MATCH ? "  # noqa: S608
                "ORDER BY score DESC, id LIMIT ?",
                (NAME_WEIGHT, match, limit),
            ).fetchall()
        return [(str(id_), float(score)) for id_, score in rows]

    def search_passages(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Ids and places of passages with BM25 scores, the higher the better, by the words that few passages share."""
        frequencies = self.frequencies(family, query_terms(text))
        rare = _RARE * _AVERAGE_PASSAGES * len(self._rows.get(family, ()))
        terms = [word for word, count in frequencies.items() if count <= rare] or list(frequencies)
        if not terms:
            return []
        table = f"{family}_passages"
        match = " OR ".join(f'"{term}"' for term in terms)
        with self._lock:
            rows = self._db.execute(
                f"SELECT rowid, id, -bm25({table}, 0, ?, 1.0) AS score FROM {table} WHERE {table} MATCH ? "  # noqa: S608
                "ORDER BY score DESC, rowid LIMIT ?",
                (PASSAGE_NAME_WEIGHT, match, limit),
            ).fetchall()
        return [(str(id_), rowid % _MOST_PASSAGES - 1, float(score)) for rowid, id_, score in rows]

    def frequencies(self, family: Family, words: Iterable[str]) -> dict[str, int]:
        """In how many of a family's passages, with the names above them, each word stands; left out where in none."""
        if not self.holds(family):
            return {}
        table = f"{family}_passages"
        with self._lock:
            known = self._frequencies.setdefault(family, {})
            for word in words:
                if word not in known:
                    count = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"  # noqa: S608 - an enum
                    known[word] = int(self._db.execute(count, (f'"{word}"',)).fetchone()[0])
            return {word: known[word] for word in words if known[word]}


def _passages(numbered: Iterable[tuple[int, str, str, str]]) -> Iterator[tuple[int, str, str, str]]:
    """Rows for the passages of records: what the record is comes first and has no place of its own."""
    for number, id_, name, words in numbered:
        for place, text in enumerate(words.split(SEPARATOR)[:_MOST_PASSAGES]):
            yield number * _MOST_PASSAGES + place, id_, name, text


def query_terms(text: str) -> list[str]:
    """The words of a question that tell something about its answer, each once, at most 32."""
    words = dict.fromkeys(re.findall(r"[a-z0-9]+", fold(text)))
    telling = [word for word in words if word not in COMMON_WORDS]
    return (telling or list(words))[:32]
