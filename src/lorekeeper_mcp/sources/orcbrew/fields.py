"""The fields of an item: what the model takes, and what is left over, so that nothing is lost on the way.

A reader takes a field only when it understands it whole; everything not taken ends up in ``rest``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.markup import scalar, selected_keys, to_text

_WHOLE = re.compile(r"\s*([+-]?\d{1,9})(?:st|nd|rd|th)?\s*")
_RATIO = re.compile(r"\s*(\d{1,6})\s*(?:/\s*(\d{1,6}))?\s*")
_DECIMAL = re.compile(r"\s*([+-]?\d{0,9}(?:\.\d{1,9})?)\s*")
_LONGEST_NUMBER = 50  # characters
_MOST = 10**9  # beyond it nothing in a game is meant
_GLYPHS = {"⅛": "1/8", "¼": "1/4", "½": "1/2", "⅓": "1/3"}


class Fields:
    """A map of fields. Every ``take`` removes what it could read; ``parts`` are maps inside the map."""

    def __init__(self, value: Mapping[str, Plain]) -> None:
        self._left = dict(value)
        self._parts: dict[str, Fields] = {}

    def has(self, *names: str) -> bool:
        """Whether one of the fields is there and not taken yet."""
        return any(self._left.get(name) is not None for name in names)

    def look(self, name: str) -> Plain:
        """A field's value, which stays."""
        return self._left.get(name)

    def drop(self, *names: str) -> None:
        """Take fields whose values are told elsewhere."""
        for name in names:
            self._left.pop(name, None)

    def take(self, name: str) -> Plain:
        """Any value; None where there is none."""
        return self._left.pop(name, None)

    def text(self, *names: str) -> str:
        """The first of the fields that is a text or a number, as text."""
        for name in names:
            value = self._left.get(name)
            if not isinstance(value, bool) and (found := scalar(value)):
                self.drop(name)
                return found.replace("\r\n", "\n")
        return ""

    def flag(self, *names: str) -> bool | None:
        """The first of the fields that says yes or no."""
        for name in names:
            value = self._left.get(name)
            word = {"true": True, "yes": True, "false": False, "no": False}.get(scalar(value).lower())
            if word is not None:
                self.drop(name)
                return word
        return None

    def integer(self, *names: str) -> int | None:
        """The first of the fields that is a whole number, also as text: ``3``, ``"3"``, ``"3rd"``."""
        for name in names:
            found = whole(self._left.get(name))
            if found is not None:
                self.drop(name)
                return found
        return None

    def number(self, *names: str) -> float | None:
        """The first of the fields that is a number, also as text and as ``1/4``."""
        for name in names:
            found = decimal(self._left.get(name))
            if found is not None:
                self.drop(name)
                return found
        return None

    def names(self, *names: str) -> list[str]:
        """What is chosen in the first of the fields that chooses anything: keys, texts or parts of a text."""
        for name in names:
            value = self._left.get(name)
            if isinstance(value, dict | list | str) and (found := selected_keys(value)) and _flat(value):
                self.drop(name)
                return found
        return []

    def part(self, name: str) -> Fields:
        """A map inside the map; what is left of it counts as left over here. Empty where there is no map."""
        value = self._left.get(name)
        if isinstance(value, dict):
            self._parts[name] = Fields(value)
            self.drop(name)
        return self._parts.get(name) or Fields({})

    def entries(self, name: str) -> list[Plain]:
        """The members of a list or the values of a map; nothing is taken from anything else."""
        value = self._left.get(name)
        if not isinstance(value, list | dict):
            return []
        self.drop(name)
        return list(value.values()) if isinstance(value, dict) else value

    def rest(self) -> dict[str, Plain]:
        """What nobody took, by name; absent values are none."""
        left: dict[str, Plain] = {name: value for name, value in self._left.items() if value not in (None, "", [], {})}
        return left | {name: inner for name, part in self._parts.items() if (inner := part.rest())}

    def other(self) -> tuple[Section, ...]:
        """What nobody took, as readable fields of the record."""
        return tuple(Section(name=name, text=to_text(value)) for name, value in self.rest().items())


def _flat(value: Plain) -> bool:
    """Whether a choice is all of it: its members have no parts of their own."""
    members = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    allowed = (bool, type(None)) if isinstance(value, dict) else (str, int, float)
    return all(isinstance(member, allowed) for member in members)


def whole(value: Plain) -> int | None:
    """A whole number, also one in text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if value == int(value) and abs(value) <= _MOST else None
    found = _WHOLE.fullmatch(value) if isinstance(value, str) and len(value) <= _LONGEST_NUMBER else None
    return int(found[1]) if found else None


def decimal(value: Plain) -> float | None:
    """A number, also in text: ``0.25``, ``1/4``, ``¼``."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) <= _MOST else None
    if not isinstance(value, str) or len(value) > _LONGEST_NUMBER:
        return None
    text = _GLYPHS.get(value.strip(), value)
    if found := _RATIO.fullmatch(text):
        return int(found[1]) / int(found[2] or 1) if int(found[2] or 1) else None
    found = _DECIMAL.fullmatch(text)
    return float(found[1]) if found and found[1].strip("+-") else None
