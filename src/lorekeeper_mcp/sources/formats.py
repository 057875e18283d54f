"""The homebrew formats, detected by a file's content, with one reader function each."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

import yaml

from lorekeeper_mcp.sources import fantasy_statblocks, fivetools, foundry, improved_initiative, orcbrew
from lorekeeper_mcp.sources.field_reader import with_texts
from lorekeeper_mcp.sources.imported import MAX_FILE, MAX_ITEMS, TOO_MANY, ImportedFile
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.originals import Originals

VERSION = 25
"""Increment it when the same file yields other records: every store then imports its homebrew again."""

_JSON = re.compile(rb"^(?:\xef\xbb\xbf)?\s*[\[{]\s*(?:\"(?:[^\"\\]|\\.){0,200}\"\s*:[\s\[{\"]|[\[{]\s*\")", re.DOTALL)
_EDN = re.compile(rb":orcpub|\{\s*[:\"]")
_JSON_FORMATS: tuple[tuple[Callable[[object], object], Callable[[object, str, Originals], ImportedFile]], ...] = (
    (fivetools.recognises, fivetools.read),
    (foundry.recognises, lambda data, name, _: foundry.read(data, name)),
    (improved_initiative.recognises, lambda data, name, _: improved_initiative.read(data, name)),
    (fantasy_statblocks.bestiary, fantasy_statblocks.read_bestiary),
)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?")
_MAX_VALUES = 4_000_000  # values of a JSON file; each takes some hundred bytes once parsed
_HTML_VALUES = 4  # values that an HTML tag or reference counts as, by the time it takes to read
_YAML = re.compile(r"(?:---\s|#[^\n]*\n|\s)*[\w\"'-][^\n:]{0,80}:(?:\s|$)|- \w")
_KNOWN = (
    "OrcBrew (EDN), 5etools (JSON), Foundry's dnd5e system (JSON, YAML), Improved Initiative (JSON), "
    "stat blocks of Fantasy Statblocks (notes, JSON)"
)
_TOO_DEEP = "The file is nested too deeply to be homebrew."


class _FaultError(ValueError):
    """The file cannot be read; the message is the sentence that says why."""


def read(data: bytes, name: str, originals: Originals | None = None, folder: str = "") -> ImportedFile:
    """Read a file of any known format. ``name`` is its name without the ending. Never raises.

    ``originals`` are those of copies outside the file, see ``fivetools_files``. The documents of Foundry and the notes
    of a ``folder`` are one book, which has its name.
    """
    name, folder = str(visible(name)[0]), str(visible(folder)[0])
    try:
        file = _read(data, name, originals or Originals(), folder)
    except _FaultError as error:
        file = ImportedFile(fault=str(error))
    return replace(file, books=tuple(replace(book, file=file.name or name) for book in file.books))


def _read(data: bytes, name: str, originals: Originals, folder: str) -> ImportedFile:
    if len(data) > MAX_FILE:
        raise _FaultError(f"The file is larger than {MAX_FILE // 1024 // 1024} MB.")
    start = data[:4].removeprefix(b"\xef\xbb\xbf").lstrip() or data.lstrip()[:1]
    if start[:1] in (b"{", b"["):
        parsed = _parse_braces(data)
        # {} is an empty file of either language.
        return _read_parsed(parsed, name, originals, folder) if parsed else orcbrew.read(data, name)
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if fantasy_statblocks.recognises(text):
        clean, invisible = visible(text)
        file = fantasy_statblocks.read(str(clean), folder or name, originals)
        return replace(file, invisible=file.invisible + invisible, name=folder)
    if foundry.recognises_source(text):
        return _read_parsed(_parse_source(text), name, originals, folder)
    file = orcbrew.read(data, name)
    if not file.fault or _EDN.search(data[:100_000]):
        return file
    return _foreign("YAML" if _YAML.match(text[:2000]) else "text")


def _read_parsed(parsed: object, name: str, originals: Originals, folder: str) -> ImportedFile:
    try:
        clean, invisible = visible(parsed)
    except RecursionError:
        raise _FaultError(_TOO_DEEP) from None
    lists = clean.values() if isinstance(clean, dict) else [clean]
    if sum(len(value) if isinstance(value, list) else 1 for value in lists) > MAX_ITEMS:
        raise _FaultError(TOO_MANY)
    for recognises, read_parsed in _JSON_FORMATS:
        if recognises(clean):
            title = folder if recognises is foundry.recognises else ""
            file = read_parsed(clean, title or name, originals)
            return replace(file, invisible=file.invisible + invisible, name=title)
    return _foreign("JSON")


def fivetools_files(files: Iterable[bytes]) -> list[object]:
    """Parse the files that are 5etools JSON; skip the others."""
    parsed_files = []
    for data in filter(_is_json, files):
        with contextlib.suppress(ValueError, RecursionError):
            parsed, _ = visible(_parse_json(data))
            if fivetools.recognises(parsed):
                parsed_files.append(parsed)
    return parsed_files


def foundry_document(data: bytes) -> object | None:
    """Return the single document of Foundry in a file, JSON or YAML; None for any other file."""
    with contextlib.suppress(ValueError, RecursionError):
        if len(data) <= MAX_FILE and _is_json(data) and _count_values(data) <= _MAX_VALUES:
            parsed = _parse_json(data)
        elif foundry.recognises_source(text := data[: MAX_FILE + 1].decode("utf-8-sig", "replace")):
            parsed = _parse_source(text)
        else:
            return None
        return parsed if isinstance(parsed, dict) and foundry.recognises(parsed) else None
    return None


def _parse_source(text: str) -> object:
    """Parse YAML, with numbers."""
    try:
        parsed = fantasy_statblocks.parsed(text)
        return with_texts(parsed, lambda text: json.loads(text) if _NUMBER.fullmatch(text) else text)
    except yaml.YAMLError:
        raise _FaultError("The file is not valid YAML.") from None
    except (ValueError, RecursionError) as error:
        raise _FaultError(f"The file's YAML cannot be read: {str(error)[:120]}.") from error


def _parse_braces(data: bytes) -> object | None:
    """Parse JSON, or a document of JSON in each line; None for EDN, which also begins with a brace."""
    if _is_json(data) and _count_values(data) > _MAX_VALUES:
        raise _FaultError(f"The file has more than {_MAX_VALUES:,} parts; no homebrew is that large.")
    try:
        return _parse_json(data)
    except RecursionError:
        raise _FaultError(_TOO_DEEP) from None
    except ValueError as error:
        if (documents := _documents_by_line(data, error)) is not None:
            return documents
        if not _is_json(data):
            return None
        reason = str(error)[:120]
        if isinstance(error, json.JSONDecodeError):
            reason = f"{error.msg} at line {error.lineno}, column {error.colno}. It may be cut off"
        raise _FaultError(f"The file is not JSON: {reason}.") from error


def _is_json(data: bytes) -> bool:
    return bool(_JSON.match(data[:1000]))


def _parse_json(data: bytes) -> object:
    return json.loads(data, parse_constant=lambda _: None)  # NaN and the like are no numbers


def _count_values(data: bytes) -> int:
    """The approximate number of values to parse."""
    return sum(map(data.count, (b",", b"{", b"["))) + _HTML_VALUES * (data.count(b"<") + data.count(b"&"))


def _documents_by_line(data: bytes, error: ValueError) -> list[object] | None:
    """The documents of a file with one per line, like Foundry's old packs; None for any other file."""
    if not (isinstance(error, json.JSONDecodeError) and error.msg == "Extra data" and b"\n" in data.strip()):
        return None
    documents: list[object] = []
    for line in filter(None, map(bytes.strip, data.splitlines())):
        try:
            documents.append(_parse_json(line))
        except (ValueError, RecursionError):
            documents.append(None)  # the reader reports it
    return documents if foundry.recognises(documents) else None


def _foreign(kind: str) -> ImportedFile:
    """A file in no known format."""
    return ImportedFile(fault=f"The file is {kind}, but not in a known homebrew format: {_KNOWN}.", foreign=True)
