"""Full-text search by words in names and texts, with SQLite. Finds records without an embedding, too."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from lorekeeper_mcp.embedding.document_text import SEPARATOR
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.memory.sqlite_connection import Connection
from lorekeeper_mcp.store.query_terms import query_terms
from lorekeeper_mcp.text import fold

NAME_WEIGHT = 6.0  # a word in the name is worth more than one in the text
PASSAGE_NAME_WEIGHT = 2.0  # less, since all passages of a record share the name
_RARE = 0.08  # a word in a larger share of a family's passages is not searched for
_AVERAGE_PASSAGES = 6  # per record
MAX_PASSAGES = 1024  # per record, for numbering their rows
_RECORDS = ""  # in place of a word: the count of records
NumberedWords: TypeAlias = tuple[int, str, str, str]  # the number of a record, its id, name and words


class FullTextIndex:
    """Full-text search of records and of their passages. Any thread may call it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._frequencies: dict[Family, dict[str, int]] = {}

    def forget(self, family: Family) -> None:
        """Drop cached counts of a family that has changed."""
        self._frequencies.pop(family, None)

    def search(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return ids and BM25 scores (higher is better) of records that share words with a text or contain a phrase."""
        terms = [*query_terms(text), *(fold(phrase) for phrase in phrases)]
        if not terms:
            return []
        match = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))
        hits = self._best(family, family, "number", NAME_WEIGHT, match, limit)
        return sorted(((id_, score) for _, id_, score in hits), key=lambda hit: (-hit[1], hit[0]))

    def search_passages(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Return ids, indexes and BM25 scores (higher is better) of passages, by words that few passages have."""
        frequencies = self.frequencies(family, query_terms(text))
        rare = _RARE * _AVERAGE_PASSAGES * self._counted(family, _RECORDS)
        terms = [word for word, count in frequencies.items() if count <= rare] or list(frequencies)
        if not terms:
            return []
        match = " OR ".join(f'"{term}"' for term in terms)
        number = f"number / {MAX_PASSAGES}"
        hits = self._best(family, f"{family}_passages", number, PASSAGE_NAME_WEIGHT, match, limit)
        return [(id_, row_number % MAX_PASSAGES - 1, score) for row_number, id_, score in hits]

    def _best(
        self, family: Family, table: str, number: str, name_weight: float, match: str, limit: int
    ) -> list[tuple[int, str, float]]:
        """Return numbers, record ids and BM25 scores of the best rows of a full-text table, best first.

        ``number`` is the SQL expression for a record's number. Ids are looked up for the best rows only: reading them
        from every matching row takes longer than everything else.
        """
        best = (
            f"SELECT rowid AS number, -bm25({table}, 0, ?, 1.0) AS score FROM {table} WHERE {table} MATCH ? "  # noqa: S608 - an enum
            "ORDER BY score DESC, rowid LIMIT ?"
        )
        with self._connection.use() as db:
            return db.execute(
                f"SELECT best.number, r.id, score FROM ({best}) best JOIN {family}_rows r ON r.number = best.{number} "  # noqa: S608
                "ORDER BY score DESC, best.number",
                (name_weight, match, limit),
            ).fetchall()

    def frequencies(self, family: Family, words: Iterable[str]) -> dict[str, int]:
        """Return the number of a family's passages or their names that contain each word, without zeros."""
        return {word: count for word in words if (count := self._counted(family, word))}

    def _counted(self, family: Family, word: str) -> int:
        """The number of passages with a word, or the number of records."""
        counts = self._frequencies.setdefault(family, {})
        if word not in counts:
            table = f"{family}_passages"
            with self._connection.use() as db:
                if word == _RECORDS:
                    cursor = db.execute(f"SELECT count(*) FROM {family}_rows")  # noqa: S608 - an enum
                else:
                    cursor = db.execute(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (f'"{word}"',))  # noqa: S608
                counts[word] = int(cursor.fetchone()[0])
        return counts[word]


def insert_words(db: sqlite3.Connection, family: Family, numbered: Sequence[NumberedWords]) -> None:
    """Index records that are not in the index."""
    into = "INSERT INTO {} (rowid, id, name, text) VALUES (?, ?, ?, ?)"
    db.executemany(into.format(family), numbered)
    db.executemany(into.format(f"{family}_passages"), _passages(numbered))


def delete_words(db: sqlite3.Connection, family: Family, numbers: Collection[int]) -> None:
    """Remove records from the index by number: finding an id would make SQLite read the whole table."""
    passage_rows = ((number * MAX_PASSAGES, (number + 1) * MAX_PASSAGES - 1) for number in numbers)
    db.executemany(f"DELETE FROM {family} WHERE rowid = ?", ((number,) for number in numbers))  # noqa: S608 - an enum
    db.executemany(f"DELETE FROM {family}_passages WHERE rowid BETWEEN ? AND ?", passage_rows)  # noqa: S608


def _passages(numbered: Iterable[NumberedWords]) -> Iterator[NumberedWords]:
    """Rows of records' passages. The record's name and kind come first, without a place."""
    for number, id_, name, words in numbered:
        for place, text in enumerate(words.split(SEPARATOR)[:MAX_PASSAGES]):
            yield number * MAX_PASSAGES + place, id_, name, text
