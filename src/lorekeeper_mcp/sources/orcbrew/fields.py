"""The fields of an item, taken one by one, with the ones left over, so that nothing is lost.

A reader takes a field only if it understands all of it; everything else ends up in ``unread``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.json_values import decimal, whole_number
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.markup import scalar, selected_keys, to_text
from lorekeeper_mcp.sources.phrases import joined

_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
T = TypeVar("T")
Keys: TypeAlias = Mapping[str, str]
"""Keys of the classes or races of the same book, by the slugs of their names."""


class Fields:
    """A map of fields. Every method that takes fields removes them; ``part`` is a map inside the map."""

    def __init__(self, values: Mapping[str, Plain]) -> None:
        self._values = dict(values)
        self._parts: dict[str, Fields] = {}

    def has(self, *names: str) -> bool:
        """Whether one of the fields is present and not taken yet."""
        return any(self._values.get(name) is not None for name in names)

    def peek(self, name: str) -> Plain:
        """Return a field's value without taking it."""
        return self._values.get(name)

    def drop(self, *names: str) -> None:
        """Drop fields whose values are elsewhere in the record."""
        for name in names:
            self._values.pop(name, None)

    def take(self, name: str) -> Plain:
        """Take any value; None if there is none."""
        return self._values.pop(name, None)

    def text(self, *names: str) -> str:
        """Take the first of the fields that is a text or a number, as text."""
        text = self._first(names, lambda value: "" if isinstance(value, bool) else scalar(value))
        return (text or "").replace("\r\n", "\n")

    def flag(self, *names: str) -> bool | None:
        """Take the first of the fields that is a flag."""
        return self._first(names, lambda value: _FLAGS.get(scalar(value).lower()))

    def integer(self, *names: str) -> int | None:
        """Take the first of the fields that is a whole number, also as text: ``3``, ``"3"``, ``"3rd"``."""
        return self._first(names, whole_number)

    def integers(self) -> list[tuple[str, int]]:
        """Take every field that is a whole number."""
        return [(name, number) for name in list(self._values) if (number := self.integer(name)) is not None]

    def counts(self, name: str) -> list[tuple[str, int]]:
        """Take a map of whole numbers; nothing is taken from any other value."""
        value = self._values.get(name)
        if not isinstance(value, dict):
            return []
        counts = Fields(value).integers()
        if len(counts) < len(value):
            return []
        self.drop(name)
        return counts

    def number(self, *names: str) -> float | None:
        """Take the first of the fields that is a number, also as text and as ``1/4``."""
        return self._first(names, decimal)

    def names(self, *names: str) -> list[str]:
        """Take the choices of the first of the fields that has any: keys, texts or parts of a text."""
        return self._first(names, lambda value: selected_keys(value) if value and is_choice(value) else []) or []

    def _first(self, names: Iterable[str], read: Callable[[Plain], T | None]) -> T | None:
        """Take the first of the fields that a function reads to anything; an empty value is nothing."""
        for name in names:
            value = read(self._values.get(name))
            if value not in (None, "", []):
                self.drop(name)
                return value
        return None

    def part(self, name: str) -> Fields:
        """Return a map inside the map; its leftover fields count as left over here. Empty if there is no map."""
        value = self._values.get(name)
        if isinstance(value, dict):
            self._parts[name] = Fields(value)
            self.drop(name)
        return self._parts.get(name) or Fields({})

    def entries(self, name: str) -> list[Plain]:
        """Take the members of a list or the values of a map; nothing is taken from any other value."""
        value = self._values.get(name)
        if not isinstance(value, list | dict):
            return []
        self.drop(name)
        return list(value.values()) if isinstance(value, dict) else value

    def entry_fields(self, name: str, bare: str) -> list[Fields]:
        """Take the members of a list, each as fields; one that is no map is the field ``bare``."""
        return [Fields(entry if isinstance(entry, dict) else {bare: entry}) for entry in self.entries(name)]

    def traits(self) -> list[Fields]:
        """Take the traits, each as fields; one that is no map has only a description."""
        entries = self.entries("traits")
        return [Fields(entry if isinstance(entry, dict) else {"description": to_text(entry)}) for entry in entries]

    def unread(self) -> dict[str, Plain]:
        """Return the fields not taken, by name, without absent values."""
        unread = self._values | {name: part.unread() for name, part in self._parts.items()}
        return {name: value for name, value in unread.items() if value not in (None, "", [], {})}

    def other(self) -> tuple[Section, ...]:
        """Return the fields not taken, as readable fields of the record."""
        return tuple(Section(name=name, text=to_text(value)) for name, value in self.unread().items())

    def with_unread(self, *texts: str) -> str:
        """Return texts followed by the fields not taken, line by line."""
        return joined(*texts, to_text(self.unread()), sep="\n")


def is_choice(value: Plain, member_types: tuple[type, ...] = (str, int, float)) -> bool:
    """Whether it is only a choice: a list of keys, or a map of flags, whose members have no parts of their own."""
    if isinstance(value, dict):
        return all(isinstance(member, bool | None) for member in value.values())
    return not isinstance(value, list) or all(isinstance(member, member_types) for member in value)
