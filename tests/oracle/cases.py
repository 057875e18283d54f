"""Cases of filters, and how values compare."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.srd import srd_records

Raw = dict[str, Any]
Test = Callable[[Raw, Any], bool]


@dataclass(frozen=True, eq=False)  # what a case selects is remembered by its identity: a value may be a list
class Case:
    """A value for an argument, and the value it is compared with."""

    argument: str
    value: Any
    meant: Any


def fold(name: str) -> str:
    plain = unicodedata.normalize("NFKD", re.sub("['’]", "", name.casefold()))
    return re.sub(r"[\W_]+", " ", "".join(c for c in plain if not unicodedata.combining(c))).strip()


def document(record: Raw) -> str:
    found = record.get("document") or record.get("document__slug")
    key = str(found["key"]) if isinstance(found, dict) else str(found)
    if key == "core":  # vocabulary of every edition: a book's own entry stands for it
        key = _book_documents().get((str(record.get("_type")), str(record.get("key"))), key)
    return {"taldorei": "tdcs"}.get(key, key)


@functools.cache
def _book_documents() -> dict[tuple[str, str], str]:
    return {(str(record.kind), record.key): record.document_key for record in srd_records()}


def same(values: list[Any]) -> list[tuple[Any, Any]]:
    return [(value, value) for value in values]


def cased(values: list[str]) -> list[tuple[Any, Any]]:
    """The same value as the key, in capitals, and as words."""
    forms = (str, str.upper, lambda key: key.replace("-", " ").title())
    return [(form(value), value) for value, form in zip(values, forms * len(values), strict=False)]


def cases(argument: str, values: list[tuple[Any, Any]]) -> list[Case]:
    return [Case(argument, given, meant) for given, meant in values]


def number(value: Any) -> float | None:
    return None if value is None else float(value)


def at_least(value: float | None, low: float) -> bool:
    return value is not None and value >= low


def at_most(value: float | None, high: float) -> bool:
    return value is not None and value <= high
