"""Search by words: SQLite's full-text index over names and texts, in memory, one table a family.

It is built from the store when a family is first ranked, and finds what has no embedding yet.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable, Sequence

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.text import fold

NAME_WEIGHT = 6.0  # a word in the name says more than one in the text
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
    """Names and texts by id. Any thread may call it."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._lock = threading.Lock()
        self._rows: dict[Family, dict[str, int]] = {}

    def close(self) -> None:
        """Free the memory."""
        with self._lock:
            self._db.close()

    def holds(self, family: Family) -> bool:
        """Whether the family has been indexed."""
        return family in self._rows

    def build(self, family: Family, rows: Iterable[tuple[str, str, str]]) -> None:
        """Index a family from nothing: (id, name, text) of each record."""
        with self._lock:
            self._db.execute(f"DROP TABLE IF EXISTS {family}")
            self._db.execute(
                f"CREATE VIRTUAL TABLE {family} USING fts5(id UNINDEXED, name, text, "
                "tokenize = 'porter unicode61 remove_diacritics 2')"
            )
            self._rows[family] = {}
            self._insert(family, list(rows))

    def forget(self, family: Family) -> None:
        """Have a family indexed anew when it is next asked for."""
        with self._lock:
            self._rows.pop(family, None)

    def put(self, family: Family, rows: Iterable[tuple[str, str, str]]) -> None:
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

    def _insert(self, family: Family, rows: Sequence[tuple[str, str, str]]) -> None:
        known = self._rows[family]
        first = 1 + max(known.values(), default=0)
        numbered = [(first + place, *row) for place, row in enumerate(rows)]
        self._db.execute("BEGIN")
        into = f"INSERT INTO {family} (rowid, id, name, text) VALUES (?, ?, ?, ?)"  # noqa: S608 - an enum
        self._db.executemany(into, numbered)
        self._db.execute("COMMIT")
        known.update((id_, number) for number, id_, _, _ in numbered)

    def _delete(self, family: Family, ids: Iterable[str]) -> None:
        # By number: to find an id SQLite would have to read the whole table.
        numbers = [number for id_ in ids if (number := self._rows[family].pop(id_, None)) is not None]
        self._db.execute("BEGIN")
        self._db.executemany(f"DELETE FROM {family} WHERE rowid = ?", ((n,) for n in numbers))  # noqa: S608 - an enum
        self._db.execute("COMMIT")

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

    def known(self, family: Family, words: Iterable[str]) -> set[str]:
        """Those of some words, one ``telling_words`` each, that stand in any name or text of a family."""
        if not self.holds(family):
            return set()
        found = f"SELECT 1 FROM {family} WHERE {family} MATCH ? LIMIT 1"  # noqa: S608 - an enum
        with self._lock:
            return {word for word in words if self._db.execute(found, (f'"{word}"',)).fetchone()}


def query_terms(text: str) -> list[str]:
    """The words of a question that tell something about its answer, each once, at most 32."""
    words = dict.fromkeys(re.findall(r"[a-z0-9]+", fold(text)))
    telling = [word for word in words if word not in COMMON_WORDS]
    return (telling or list(words))[:32]
