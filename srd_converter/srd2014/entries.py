"""Typed reading of the package's objects, whose nested values are plain JSON.

Every reader returns an empty value if a field is missing or of another type, so that one odd field never costs a
record.
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
        return str(value).strip() if isinstance(value, str | int | float) else ""

    def number(self, key: str) -> float | None:
        """A number, None if absent."""
        value = self.fields.get(key)
        return float(value) if isinstance(value, int | float) else None

    def integer(self, key: str) -> int | None:
        """A whole number, None if absent."""
        value = self.fields.get(key)
        return int(value) if isinstance(value, int | float) else None

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
        return tuple(Entry(one) for one in value if isinstance(one, dict)) if isinstance(value, list) else ()

    def strings(self, key: str) -> tuple[str, ...]:
        """The texts of a list; a single text counts as a list of one."""
        value = self.fields.get(key)
        if isinstance(value, str):
            return (value,)
        return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()

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

    The module is imported here and not at the top: all of them take 0.4 s and 70 MB, which only the seeding of a fresh
    cache should pay. Attributes that are Python keywords end in an underscore.
    """
    values = vars(importlib.import_module(f"tinys_srd.{module}")).values()
    objects = [value for value in values if type(value).__name__ == "entry_builder"]
    return tuple(Entry({name.rstrip("_"): value for name, value in vars(one).items()}) for one in objects)


def paragraphs(lines: Iterable[str]) -> str:
    """Join paragraphs to Markdown: blank lines between them, but not inside a table, a list or a sentence."""
    text, previous = "", ""
    stripped = [line for raw in lines if (line := raw.strip())]
    for line in (_formatted(line, after) for line, after in pairwise([*stripped, ""])):
        together = any(line.startswith(mark) and previous.startswith(mark) for mark in ("|", "- "))
        continues = line[0].islower() and previous[-1:].isalnum() and not previous.startswith(("|", "- ", "#"))
        text += f"{'' if not text else ' ' if continues else chr(10) if together else chr(10) * 2}{line}"
        previous = line
    return text


def _formatted(line: str, after: str) -> str:
    """A line with the last mark of a row, or as the caption of the table after it."""
    if line.startswith("|"):
        return line if line.endswith("|") else f"{line} |"
    return _CAPTION.sub(r"**\1**", line) if after.startswith("|") else line


def listed(names: Sequence[str], last: str = "or") -> str:
    """``a, b or c``."""
    return ", ".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def refs(entries: Iterable[Entry], prefix: str = "srd_") -> tuple[Ref, ...]:
    """References to things whose Open5e key is a prefix and their index."""
    return tuple(Ref(name=entry.name, key=f"{prefix}{entry.index}") for entry in entries)
