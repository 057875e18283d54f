"""Parses EDN, the notation of OrcBrew files, to Python values; errors have line and column.

Real files are written by hand and by tools that know EDN only roughly. Anything unambiguous is read: unknown
tags, apostrophes in keywords, no-break spaces, a ``#`` separated from its ``{``, ``007``, repeated keys.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TypeAlias

_MAX_VALUES = 4_000_000  # values, seconds to read; the largest known library has about half a million
DEEPEST = 100  # nested brackets; files of the application reach about 12
Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"
Value: TypeAlias = "bool | int | float | str | list[Value] | Map | None"

_TOKEN = re.compile(
    r"""
      (?P<string>"[^"\\]*(?:\\.[^"\\]*)*")
    | (?P<blank>[\s,\ufeff\u200b\u2060]+)
    | (?P<keyword>:[^\s,;"()\[\]{}\\^@`~]*)
    | (?P<open>\#\s*\{ | \#:{1,2}[^\s,;"()\[\]{}#]*\s*\{ | [(\[{])
    | (?P<close>[)\]}])
    | (?P<comment>;[^\n]*)
    | (?P<discard>\#_|\^)
    | (?P<symbolic>\#\#[A-Za-z-]+)
    | (?P<tag>\#[^\W\d_][^\s,;"()\[\]{}\\^@`~]*)
    | (?P<character>\\(?:u[0-9A-Fa-f]{4}|[A-Za-z]+|[^\s]))
    | (?P<atom>[^\s,;"()\[\]{}\\^@`~\#][^\s,;"()\[\]{}\\^@`~]*)
    """,
    re.VERBOSE | re.DOTALL,
)
_SILENT = frozenset({"blank", "comment", "tag"})  # a tag gives the type of a value; only the value matters
_INTEGER = re.compile(r"([+-]?(?:0|[1-9]\d{0,300}))N?", re.ASCII)
_DECIMAL = re.compile(r"([+-]?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?)M?", re.ASCII)
_LEADING_ZERO = re.compile(r"[+-]?0\d", re.ASCII)
_RATIO = re.compile(r"(-?\d{1,300})/(0*[1-9]\d{0,300})", re.ASCII)
_ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|(["\\/nrtbf]))')
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_CHARACTERS = {"newline": "\n", "return": "\r", "space": " ", "tab": "\t", "formfeed": "", "backspace": ""}
_WORDS = {"nil": None, "true": True, "false": False}
_PAIRS = {"(": ")", "[": "]", "{": "}"}


class EdnError(ValueError):
    """The text is not EDN; the message is one sentence, with line and column."""


class Keyword(str):
    """A keyword without its colon, with its namespace: ``orcpub.dnd.e5/spells``."""

    __slots__ = ()


@dataclass(frozen=True)
class Map:
    """A map as pairs in the order of the file. A key may be repeated; ``nil nil`` is left out."""

    pairs: list[tuple[Value, Value]]


@dataclass
class _Frame:
    """An open bracket. ``skipped`` is the number of values that ``#_`` and ``^`` still drop."""

    bracket: str = ""
    values: list[Value] = field(default_factory=list)
    skipped: int = 0


def parse(text: str) -> list[Value]:
    """Return every form of a text. Sets are sorted lists, ratios floats; NaN and infinities are None.

    Raises EdnError.
    """
    stack = [_Frame()]
    end = count = 0
    while match := _TOKEN.match(text, end):
        kind, token, start, end = match.lastgroup or "", match[0], match.start(), match.end()
        frame = stack[-1]
        count += 1
        if count > _MAX_VALUES:
            raise _error(f"The file has more than {_MAX_VALUES:,} values; no homebrew is that large", text, end)
        if kind in _SILENT:
            continue
        if kind == "discard":
            frame.skipped += 1
            continue
        if kind == "open":
            if len(stack) > DEEPEST:
                raise _error(f"Brackets are nested more than {DEEPEST} deep", text, start)
            stack.append(_Frame(token))
            continue
        if kind == "close":
            value = _collection(text, stack.pop(), token, start)
            frame = stack[-1]
        else:
            value = _scalar(kind, token)
        if frame.skipped:
            frame.skipped -= 1
        else:
            frame.values.append(value)
    if end < len(text):
        is_text = text[end] == '"'
        reason = (
            "A text has no closing quote; the file may be cut off" if is_text else f"There is a stray {text[end]!r}"
        )
        raise _error(reason, text, end)
    if len(stack) > 1 or stack[0].skipped:
        raise _error(f"The file ends with {len(stack) - 1} open brackets and may be cut off", text, end)
    return stack[0].values


def _error(reason: str, text: str, offset: int) -> EdnError:
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    return EdnError(f"{reason} (line {line}, column {column}).")


def _collection(text: str, frame: _Frame, token: str, end: int) -> Value:
    """The value of a closed bracket. Raises EdnError if the brackets do not match, or a value is missing."""
    bracket = frame.bracket
    if not bracket or token != _PAIRS[bracket[-1]] or frame.skipped:
        raise _error(f"There is an unexpected {token}", text, end)
    if bracket[-1] != "{":
        return frame.values
    if bracket[0] == "#" and ":" not in bracket:  # also "# {", which other programs write for "#{"
        return sorted(frame.values, key=repr)
    if len(frame.values) % 2:
        raise _error("A map ends with a key without a value", text, end)
    pairs = zip(frame.values[::2], frame.values[1::2], strict=True)
    present = [(key, value) for key, value in pairs if key is not None or value is not None]
    return Map(present if bracket == "{" else [(_in_namespace(key, bracket), value) for key, value in present])


def _in_namespace(key: Value, bracket: str) -> Value:
    """A key of a map such as ``#:ns{:a 1 :_/b 2}``: a keyword without a namespace gets that of the map."""
    namespace = re.sub(r"[^\w.*+!?$%&=<>-]", "", bracket[:-1].lstrip("#:"))
    return Keyword(f"{namespace}/{key}") if namespace and isinstance(key, Keyword) and "/" not in key else key


def _scalar(kind: str, token: str) -> Value:
    match kind:
        case "string":
            return _string(token[1:-1])
        case "keyword":
            return Keyword(token.lstrip(":"))
        case "character":
            name = token[1:]
            return chr(int(name[1:], 16)) if len(name) == 5 and name[0] == "u" else _CHARACTERS.get(name, name)
        case "symbolic":
            return None
        case _:
            return _WORDS[token] if token in _WORDS else _number(token)


def _number(token: str) -> int | float | str | None:
    """A number; ``007``, ``3d6`` and bare words are texts."""
    if match := _INTEGER.fullmatch(token):
        return int(match[1])
    if match := _RATIO.fullmatch(token):
        try:
            return int(match[1]) / int(match[2])
        except OverflowError:
            return None
    match = _DECIMAL.fullmatch(token)
    if not match or _LEADING_ZERO.match(token):
        return token
    number = float(match[1])
    return number if math.isfinite(number) else None


def _string(text: str) -> str:
    """A text with its escapes resolved; any other backslash stays, as in ``C:\\Users``."""
    if "\\" in text:
        text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else _ESCAPED.get(match[2], match[2]), text)
        if not text.isascii():  # halves of surrogate pairs, as Java escapes them
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def local_name(name: str) -> str:
    """Return a keyword's name without its namespace: ``orcpub.dnd.e5/spells`` is ``spells``."""
    return name.partition("/")[2] or name


def plain(value: Value) -> Plain:
    """Return a value with local names of keywords and with maps as dictionaries; repeated keys are all kept."""
    if isinstance(value, Map):
        fields: dict[str, Plain] = {}
        for key, member in value.pairs:
            fields[_free(_key(key), fields)] = plain(member)
        return fields
    if isinstance(value, list):
        return [plain(member) for member in value]
    if value == "nil":  # some programs write it as a text or a keyword
        return None
    return Keyword(local_name(value)) if isinstance(value, Keyword) else value


def _key(value: Value) -> str:
    if isinstance(value, str):
        return local_name(value) if isinstance(value, Keyword) else value
    return "nil" if value is None else str(value).lower() if isinstance(value, bool) else str(plain(value))


def _free(name: str, taken: dict[str, Plain]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name} ({number})", number + 1
    return free
