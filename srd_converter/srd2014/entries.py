"""Typed reading of the package's objects, whose nested values are plain JSON.

Readers return an empty value if a field is absent, except ``integer``.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from lorekeeper_mcp.models import Ref

_CAPTION = re.compile(r"^([A-Z][\w' ]{,60}?)(?: \(table\))?$")  # above a table: "Spell Scroll (table)"


@dataclass(frozen=True)
class Entry:
    """One object of the package, or one nested in another."""

    fields: Mapping[str, object] = field(default_factory=dict)

    def has(self, key: str) -> bool:
        """Whether the field exists and is not empty."""
        return bool(self.fields.get(key))

    def text(self, key: str) -> str:
        """A text, or a number as text; "" if absent."""
        value = self.fields.get(key)
        return str(value) if isinstance(value, str | int | float) else ""

    def number(self, key: str) -> float | None:
        """A number, None if absent."""
        value = self.fields.get(key)
        return float(value) if isinstance(value, int | float) else None

    def optional_integer(self, key: str) -> int | None:
        """A whole number, None if absent."""
        number = self.number(key)
        return None if number is None else int(number)

    def integer(self, key: str) -> int:
        """A whole number. Raises ValueError if it is absent."""
        number = self.optional_integer(key)
        if number is None:
            raise ValueError(f"{self.name} of the SRD 5.1 has no {key}.")
        return number

    def flag(self, key: str) -> bool:
        """Whether the field is true."""
        return self.fields.get(key) is True

    def entry(self, key: str) -> Entry:
        """A nested object, empty if absent."""
        value = self.fields.get(key)
        return Entry(value) if isinstance(value, dict) else Entry()

    def entries(self, key: str) -> tuple[Entry, ...]:
        """The objects of a list."""
        value = self.fields.get(key)
        return tuple(map(Entry, value)) if isinstance(value, list) else ()

    def strings(self, key: str) -> tuple[str, ...]:
        """The texts of a list; a single text counts as a list of one."""
        value = self.fields.get(key)
        if isinstance(value, str):
            return (value,)
        return tuple(value) if isinstance(value, list) else ()

    @property
    def index(self) -> str:
        """The package's key."""
        return self.text("index")

    @property
    def name(self) -> str:
        """The name as the package prints it."""
        return self.text("name")

    @property
    def description(self) -> str:
        """The paragraphs of ``desc`` as Markdown."""
        return paragraphs(self.strings("desc"))


def read(module: str) -> tuple[Entry, ...]:
    """Every object of a module of the package, in its order.

    Attributes that are Python keywords end in an underscore.
    """
    values = vars(importlib.import_module(f"tinys_srd.{module}")).values()
    objects = [value for value in values if type(value).__name__ == "entry_builder"]
    return tuple(Entry({name.rstrip("_"): field for name, field in vars(value).items()}) for value in objects)


def paragraphs(lines: Iterable[str]) -> str:
    """Join paragraphs to Markdown: blank lines between them, but not inside a table, a list or a sentence."""
    text, previous = "", ""
    stripped = [stripped for line in lines if (stripped := line.strip())]
    for raw_line, next_line in pairwise([*stripped, ""]):
        line = _formatted(raw_line, next_line)
        text += f"{_separator(previous, line)}{line}"
        previous = line
    return text


def _separator(previous: str, line: str) -> str:
    if not previous:
        return ""
    if line[0].islower() and previous[-1].isalnum():
        return " "
    return "\n" if any(line.startswith(mark) and previous.startswith(mark) for mark in ("|", "- ")) else "\n\n"


def _formatted(line: str, next_line: str) -> str:
    """A line with the last mark of a row, or as the caption of the table after it."""
    if line.startswith("|"):
        return line if line.endswith("|") else f"{line} |"
    return _CAPTION.sub(r"**\1**", line) if next_line.startswith("|") else line


def listed(names: Sequence[str], last: str = "or") -> str:
    """``a, b or c``."""
    return ", ".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def refs(entries: Iterable[Entry], prefix: str = "srd_") -> tuple[Ref, ...]:
    """References to things whose Open5e key is a prefix and their index."""
    return tuple(Ref(name=entry.name, key=f"{prefix}{entry.index}") for entry in entries)
