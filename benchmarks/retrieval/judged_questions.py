"""Judged questions, and how well a list of names answers one.

Each line of a file: id, tool, query, filters, relevant [{name, grade 1..3}], tag. A hit counts for a relevant entity
when their folded names are equal; unjudged hits count as irrelevant, so the figures are lower bounds.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lorekeeper_mcp.text import fold

OWN = Path(__file__).with_name("questions.jsonl")


@dataclass(frozen=True)
class Question:
    """A question to a tool, and the grade (1 to 3) of each entity, by its folded name, that answers it."""

    id: str
    tool: str
    text: str
    filters: dict[str, object]
    grades: dict[str, int]
    tag: str

    @property
    def untouched(self) -> bool:
        """Whether it belongs to the half that is never used for tuning: drawn by a hash of the text."""
        return hashlib.blake2b(self.text.encode(), digest_size=1).digest()[0] % 2 == 1


@dataclass(frozen=True)
class Measures:
    """Quality of one answer: nDCG of the first ten, reciprocal rank and recall of entities with a grade of 2 or 3."""

    ndcg: float
    mrr: float
    recall: float


def load(file: Path = OWN) -> list[Question]:
    """Read the questions of a file."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Question(
            row["id"],
            row["tool"],
            row["query"],
            row["filters"],
            {fold(judgment["name"]): int(judgment["grade"]) for judgment in row["relevant"]},
            row["tag"],
        )
        for row in rows
    ]


def measure(names: Sequence[str], question: Question) -> Measures:
    """Measure names, best first; a repeated name does not count again."""
    grades = question.grades
    folded_names = list(dict.fromkeys(map(fold, names)))
    good = [name for name, grade in grades.items() if grade >= 2] or list(grades)
    first = next((place for place, name in enumerate(folded_names) if name in good), None)
    return Measures(
        _dcg([grades.get(name, 0) for name in folded_names[:10]]) / _dcg(sorted(grades.values(), reverse=True)[:10]),
        0.0 if first is None else 1 / (first + 1),
        sum(name in folded_names[:20] for name in good) / len(good),
    )


def _dcg(gains: Sequence[int]) -> float:
    return sum((float(2**gain) - 1) / math.log2(place + 2) for place, gain in enumerate(gains))
