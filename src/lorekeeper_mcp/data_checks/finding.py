"""A finding of a check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One thing in a record that looks wrong: which check says so, and a clause with the values that disagree."""

    record: str
    check: str
    finding: str
