"""The reading kit of every foreign format: values of parsed JSON, YAML or EDN, and the fields that nobody reads.

A reader takes the fields that have a place in our models and lists the others by name, so that nothing is lost:

    fields = Fields(item, Printer(text=markdown, skipped=frozenset({"img", "_id"})))
    Spell.model_validate({
        **heading,
        "level": fields.integer("level", "lvl"),
        "range_text": fields.text("range.value"),
        "other": fields.also(),
    })

The functions on values accept anything and return a plain value of the wanted type, or its empty form. They are strict:
``number("30 ft.")`` is None, so that a field with more than a number is not taken and stays on the page as written.
``Record.other`` holds the fields left over, a ``Section`` each; the page prints them at its end, under "Also".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION

JsonObject: TypeAlias = "Mapping[str, object]"
Table: TypeAlias = "Mapping[str, tuple[str, Callable[[object], object]]]"
"""A field of ours -> where the format has it, and how that is read. Alternatives are separated by ``|``."""
T = TypeVar("T")

_NUMBER = re.compile(r"([+-]?(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,9})(?:\.\d{1,9})?|[+-]?\.\d{1,9})(?:\s*/\s*(\d{1,6}))?")
_WHOLE_NUMBER = re.compile(r"([+-]?\d{1,9})(?:st|nd|rd|th)?")
_GLYPHS = {"⅛": 0.125, "¼": 0.25, "½": 0.5, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_MAX_NUMBER = 1_000_000_000  # more than any number of the game, less than any that the store refuses
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_SMALL_WORDS = frozenset(["a", "an", "and", "in", "of", "on", "or", "the", "to"])
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_OWNED = re.compile(r"\b([A-Z]\w+?)s (Tools?|Supplies|Kit|Pack|Utensils)\b")
_HALF = re.compile(r"\bHalf (?=Elf\b|Orc\b)")
_SAME_KEY = str.maketrans("", "", "-_ ?")
_EMPTY: tuple[object, ...] = (None, "", [], {})
_DESCRIPTIONS = ("description", "desc", "text", "entries", "content", "value")
_DEEPEST = 12  # levels of a value that is printed
_LONGEST = 20_000  # characters of a value that is printed
_MOST_FIELDS = 200  # fields of an item that are listed


# --- Values ---


def mapping(value: object) -> JsonObject:
    """Return an object; empty for any other value."""
    return value if isinstance(value, dict) else {}  # parsers only return these; a check for Mapping is slower


def as_object(value: object, field: str) -> JsonObject:
    """Return an object; any other value as the only field of one."""
    return value if isinstance(value, dict) else {field: value}


def listed(value: object) -> list[object]:
    """Return a list; a single value counts as a list of one."""
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def members(value: object) -> list[object]:
    """Return a list; empty for any other value."""
    return value if isinstance(value, list) else []


def objects(value: object) -> list[JsonObject]:
    """Return the objects of a list; none for any other value."""
    return [element for element in members(value) if isinstance(element, dict)]


def value_at(values: JsonObject, path: str) -> object:
    """Return the value at a path such as ``details.xp.value``; None if there is none."""
    *outer, last = path.split(".")
    for name in outer:
        values = mapping(values.get(name))
    return values.get(last)


def part(values: JsonObject, path: str) -> JsonObject:
    """Return an object inside an object; empty for any other value."""
    return mapping(value_at(values, path))


def text(value: object) -> str:
    """Return a text or a number as text, with plain line ends; empty for any other value."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").strip()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value)


def text_at(values: JsonObject, path: str) -> str:
    """Return the text at a path inside an object; empty for any other value, a number included."""
    value = value_at(values, path)
    return value.strip() if isinstance(value, str) else ""


def texts(value: object) -> list[str]:
    """Return the texts of a list; a single text counts as a list of one."""
    return [entry for entry in listed(value) if isinstance(entry, str) and entry]


def number(value: object) -> float | None:
    """Return a number below a billion, also from a text such as ``0.5``, ``+5``, ``2,000``, ``1/4`` and ``¼``."""
    if isinstance(value, str):
        plain = value.strip()
        match = _NUMBER.fullmatch(plain)
        return _quotient(match) if match else _GLYPHS.get(plain)
    # Not written as ">=", so that NaN becomes None, too.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _MAX_NUMBER:
        return None
    return float(value)


def leading_number(value: object) -> float | None:
    """Return a number, also the one at the beginning of a text: ``15.00``, ``2,000 gp``, ``1/4 lb.``."""
    match = _NUMBER.match(value.lstrip()) if isinstance(value, str) else None
    return _quotient(match) if match else number(value)


def _quotient(match: re.Match[str]) -> float | None:
    divisor = float(match[2] or 1)
    quotient = float(match[1].replace(",", "")) / divisor if divisor else None
    return quotient if quotient is not None and abs(quotient) < _MAX_NUMBER else None


def integer(value: object) -> int | None:
    """Return a whole number below a billion, also from a text such as ``+5`` and ``3rd``."""
    if isinstance(value, str):
        match = _WHOLE_NUMBER.fullmatch(value.strip())
        return int(match[1]) if match else None
    amount = number(value)
    return int(amount) if amount is not None and amount == int(amount) else None


def integers(value: object) -> dict[str, int]:
    """Return the whole numbers by name of an object, or of a list of objects: ``[{"dex": 5}, {"con": "+7"}]``."""
    pairs = [pair for entry in listed(value) for pair in mapping(entry).items()]
    return {str(name): amount for name, entry in pairs if (amount := integer(entry)) is not None}


def numbers(value: object) -> dict[str, float]:
    """Return the numbers by name of an object."""
    return {str(name): amount for name, entry in mapping(value).items() if (amount := number(entry)) is not None}


def flag(value: object) -> bool | None:
    """Return a boolean, also from ``yes``, ``no``, 1 and 0; None for any other value."""
    return value if isinstance(value, bool) else _FLAGS.get(text(value).lower())


def names(value: object) -> list[str]:
    """Return what a value names: the keys of a map that are set, the texts of a list, or the parts of a text."""
    match value:
        case dict():
            return [str(key) for key, is_set in value.items() if is_set is not False and is_set is not None]
        case list():
            return [name for entry in value if (name := text(entry))]
        case str():
            return [name for entry in value.split(",") if (name := entry.strip())]
        case _:
            return []


def with_texts(value: object, change: Callable[[str], str]) -> object:
    """Return a value with each of its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [with_texts(element, change) for element in value]
    if isinstance(value, dict):
        return {name: with_texts(element, change) for name, element in value.items()}
    return value


def titled(key: str) -> str:
    """Return the printed name of a key: Sleight of Hand for ``sleight-of-hand``, Fighting Style for ``fightingStyle``.

    A key that is not in one of these forms is a name already. Keys have no apostrophes: ``explorers-pack`` is
    Explorer's Pack.
    """
    plain = _CAMEL.sub("-", key) if key.isalpha() and key[:1].islower() else key
    if (plain is key and key != key.lower()) or not key.strip("-_"):
        return key
    words = plain.lower().replace("_", "-").replace(" ", "-").split("-")
    name = " ".join(word if i and word in _SMALL_WORDS else word[:1].upper() + word[1:] for i, word in enumerate(words))
    return _HALF.sub("Half-", _OWNED.sub(r"\1's \2", name).replace("Thieve's", "Thieves'")) if len(words) > 1 else name


def readable(name: str) -> str:
    """Return the name of a field in words: ``damageBonus`` is damage bonus, ``str`` Strength."""
    if name in ABILITY_BY_ABBREVIATION:
        return ABILITY_BY_ABBREVIATION[name].capitalize()
    words = _CAMEL.sub(" ", name) if name[:1].islower() else name
    words = words.replace("_", " ").replace("-", " ").strip(" ?:")
    return words.lower() if name[:1].islower() else words or name


# --- Values that no reader knows ---


@dataclass(frozen=True)
class Printer:
    """Prints values that have no place in our models, compactly: ``weapon: Bow; damage: (dice: 1d8; type: piercing)``.

    ``text`` turns a text of the format to Markdown. ``skipped`` are names of fields, at any level, that are of no use
    to a reader, such as ids and pictures. With ``hides_zero``, 0 counts as an empty value.
    """

    text: Callable[[str], str] = str.strip
    skipped: frozenset[str] = frozenset()
    hides_zero: bool = False

    def __call__(self, value: object, depth: int = 0) -> str:
        """Return a value as text; empty for nothing, and for a flag that is not set."""
        if value is None or value is False or (value == 0 and self.hides_zero):
            line = ""
        elif isinstance(value, bool):
            line = "yes"
        elif isinstance(value, int | float):
            line = text(value)
        elif not isinstance(value, Mapping | list | tuple | set | frozenset):
            line = self.text(value if isinstance(value, str) else str(value))
        elif depth >= _DEEPEST:
            line = "…"
        else:
            line = self._fields(value, depth) if isinstance(value, Mapping) else self._list(value, depth)
        if len(line) <= _LONGEST:
            return line
        return f"{line[:_LONGEST]}… ({len(line) - _LONGEST:,} more characters are only in the file)"

    def _list(self, values: Iterable[object], depth: int) -> str:
        lines = [(isinstance(entry, Mapping), line) for entry in values if (line := self(entry, depth + 1))]
        parts = [f"({line})" if is_object and "; " in line and ": " in line else line for is_object, line in lines]
        if any("\n" in entry for entry in parts):
            return "\n".join(parts)
        return ("; " if any(", " in entry or ": " in entry for entry in parts) else ", ").join(parts)

    def _fields(self, values: Mapping[object, object], depth: int) -> str:
        """``arcana, history`` for flags; ``Bite. A text (reach: 5)`` for an entry with a name or a description."""
        fields = {str(key): value for key, value in values.items() if str(key) not in self.skipped}
        if fields and _is_choice(fields):
            return ", ".join(titled(key.removesuffix("?")) for key in names(fields) if fields[key])
        printed = {key: line for key, value in fields.items() if (line := self(value, depth + 1))}
        name = printed.pop("name", "") if isinstance(fields.get("name"), str) else ""
        key = next(filter(printed.__contains__, _DESCRIPTIONS), "")
        head = ". ".join(filter(None, (name.removesuffix("."), printed.pop(key, ""))))
        details = "; ".join(_labelled(key, line) for key, line in printed.items())
        return f"{head} ({details})" if head and details else head or details

    def sections(self, values: Mapping[str, object]) -> tuple[Section, ...]:
        """Return the fields that have any content, each under its own name."""
        printed = ((str(name), self(value)) for name, value in values.items() if str(name) not in self.skipped)
        sections = [Section(name=name, text=line) for name, line in printed if line]
        if (further := len(sections) - _MOST_FIELDS) > 0:
            sections[_MOST_FIELDS:] = [Section(name="Further fields", text=f"{further:,} more are only in the file")]
        return tuple(sections)


shown = Printer()
"""Prints values whose texts are plain or Markdown."""


def _labelled(key: str, line: str) -> str:
    if line == "yes":
        return readable(key)
    return f"{readable(key)}: ({line})" if ": " in line and "\n" not in line else f"{readable(key)}: {line}"


def sections_of(lines: Mapping[str, str]) -> tuple[Section, ...]:
    """Return a section under its name for each text that is not empty."""
    return tuple(Section(name=name, text=line) for name, line in lines.items() if line)


# --- Fields ---


class Fields:
    """The fields of an item, and which of them nobody has taken.

    Names match whatever their case, hyphens and underscores: ``hit_points`` finds ``Hit Points`` and ``hit-points?``.
    A name may be a path: ``details.xp.value``; what is left of an object on the way is left over under its name. Every
    method that takes fields accepts several names and takes the first that it can read; a value that it cannot read,
    or that is empty, is not taken. A field that has been taken may be read again.
    """

    def __init__(self, values: object, printer: Printer = shown) -> None:
        self._values = mapping(values)
        self._printer = printer
        self._keys: dict[str, str] = {}
        self._taken: set[str] = set()
        self._parts: dict[str, Fields] = {}
        for key in self._values:
            self._keys.setdefault(str(key).casefold().translate(_SAME_KEY), key)

    def _key(self, name: str) -> str:
        return name if name in self._values else self._keys.get(name.casefold().translate(_SAME_KEY), "")

    def _place(self, name: str) -> tuple[Fields, str]:
        """The object that a path leads to, and the key of its last step there."""
        outer, _, last = name.rpartition(".")
        if not outer or self._key(name):
            return self, self._key(name)
        inner = self.part(outer)
        return inner, inner._key(last)

    def peek(self, *names: str) -> object:
        """Return the value of the first of the fields that is not empty, without taking it."""
        for name in names:
            fields, key = self._place(name)
            if (value := fields._values.get(key)) not in _EMPTY:
                return value
        return None

    def has(self, *names: str) -> bool:
        """Whether one of the fields is not empty."""
        return self.peek(*names) is not None

    def drop(self, *names: str) -> None:
        """Count fields as taken, whatever they hold."""
        for name in names:
            fields, key = self._place(name)
            fields._taken.add(key)

    def read(self, read: Callable[[object], T | None], *names: str) -> T | None:
        """Take the first of the fields from which a function reads anything."""
        for name in names:
            fields, key = self._place(name)
            if (value := fields._values.get(key)) not in _EMPTY and (found := read(value)) not in _EMPTY:
                fields._taken.add(key)
                return found
        return None

    def take(self, *names: str) -> object:
        """Take any value; None if there is none."""
        return self.read(lambda value: value, *names)

    def text(self, *names: str) -> str:
        """Take a text or a number, as text."""
        return self.read(text, *names) or ""

    def line(self, *names: str) -> str:
        """Take any value, as printed."""
        return self.read(self._printer, *names) or ""

    def integer(self, *names: str) -> int | None:
        """Take a whole number, also one in a text: ``3``, ``"+3"``, ``"3rd"``."""
        return self.read(integer, *names)

    def number(self, *names: str) -> float | None:
        """Take a number, also one in a text: ``"1/4"``."""
        return self.read(number, *names)

    def flag(self, *names: str) -> bool | None:
        """Take a flag."""
        return self.read(flag, *names)

    def names(self, *names_: str) -> list[str]:
        """Take what a field names: keys that are set, texts of a list, parts of a text; not parts with fields."""
        return self.read(lambda value: names(value) if _is_choice(value) else [], *names_) or []

    def integers(self, *names: str) -> dict[str, int]:
        """Take whole numbers by name; what is no number in the object is left over."""
        for name in names:
            fields = self.part(name)
            if found := {key: amount for key in fields._values if (amount := fields.integer(key)) is not None}:
                return found
        return {}

    def part(self, name: str) -> Fields:
        """Return an object inside the object, whose fields left over are left over here; empty if there is none."""
        fields, key = self._place(name)
        if not isinstance(fields._values.get(key), dict):
            return Fields({}, self._printer)
        return fields._parts.setdefault(key, Fields(fields._values[key], self._printer))

    def entries(self, name: str, bare: str = "name") -> list[Fields]:
        """Take the members of a list or of a map, each as fields; one that is no object is the field ``bare``."""
        value = self.read(lambda value: value if isinstance(value, list | dict) else None, name)
        entries = list(value.values()) if isinstance(value, dict) else members(value)
        return [Fields(as_object(entry, bare), self._printer) for entry in entries]

    def unread(self) -> dict[str, object]:
        """Return the fields that nobody has taken and that are not empty, by their names in the file."""
        left = {
            key: self._parts[key].unread() if key in self._parts else value
            for key, value in self._values.items()
            if key not in self._taken
        }
        return {key: value for key, value in left.items() if value not in _EMPTY}

    def also(self) -> tuple[Section, ...]:
        """Return the fields that nobody has taken, printed, for ``Record.other``."""
        return self._printer.sections(self.unread())

    def with_unread(self, *parts: str) -> str:
        """Return texts, followed by the fields that nobody has taken, a line each: for an entry within a record."""
        lines = [f"{readable(field.name)}: {field.text}" for field in self.also()]
        return "\n".join(filter(None, (*parts, *lines)))


def _is_choice(value: object) -> bool:
    """Whether a value only names things: a text, a list of texts and numbers, or a map of flags."""
    if isinstance(value, dict):
        return all(isinstance(entry, bool | None) for entry in value.values())
    return not isinstance(value, list) or all(isinstance(entry, str | int | float) for entry in value)


def counted(count: str, noun: str) -> str:
    """``3 rounds``, ``1 round``; the noun alone without a count."""
    return f"{count} {noun}{'s' if noun and count not in ('', '1') else ''}".strip()


def phrase(template: str, value: object) -> str:
    """Return ``up to {}`` with a value; empty without one."""
    return template.format(value) if value else ""


def joined(*parts: str, sep: str = ", ") -> str:
    """Return the parts that are not empty, separated."""
    return sep.join(filter(None, parts))


def either(alternatives: Iterable[str]) -> str:
    """``a, b or c``."""
    *others, last = [*alternatives] or [""]
    return joined(", ".join(others), last, sep=" or ")
