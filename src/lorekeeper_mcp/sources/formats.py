"""The formats of homebrew, told apart by what a file holds, and read by one function each."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from lorekeeper_mcp.sources import fivetools, orcbrew
from lorekeeper_mcp.sources.imported import ImportedFile
from lorekeeper_mcp.sources.invisible import visible

VERSION = 3
"""Raise it whenever the same file makes other records: every store then takes its homebrew in anew."""

LARGEST = 64 * 1024 * 1024  # bytes
_JSON = re.compile(rb"^(?:\xef\xbb\xbf)?\s*[\[{]\s*(?:\"(?:[^\"\\]|\\.){0,200}\"\s*:\s|[\[{]\s*\")", re.DOTALL)
_TOO_DEEP = "The file is nested deeper than any homebrew."


def read(data: bytes, name: str) -> ImportedFile:
    """Read a file of any known format. ``name`` is its name without the ending. Never raises."""
    if len(data) > LARGEST:
        return ImportedFile(fault=f"The file is larger than {LARGEST // 1024 // 1024} MB.")
    if data.lstrip()[:1] not in (b"{", b"[", b"\xef"):
        return orcbrew.read(data, name)
    try:
        parsed = json.loads(data, parse_constant=lambda _: None)
    except (ValueError, UnicodeDecodeError) as error:
        return ImportedFile(fault=_json_fault(error)) if _JSON.match(data[:1000]) else orcbrew.read(data, name)
    except RecursionError:
        return ImportedFile(fault=_TOO_DEEP)
    return _read_json(parsed, data, name)


def _json_fault(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"The file is no JSON: {error.msg} at line {error.lineno}, column {error.colno}. It may be cut off."
    return f"The file is no JSON: {str(error)[:120]}."


def _read_json(parsed: object, data: bytes, name: str) -> ImportedFile:
    try:
        clean, invisible = visible(parsed)
    except RecursionError:
        return ImportedFile(fault=_TOO_DEEP)
    if isinstance(clean, dict) and fivetools.recognises(clean):
        return replace(fivetools.read(clean, name), invisible=invisible)
    if not clean:  # {} is an empty file of either language
        return orcbrew.read(data, name)
    return ImportedFile(fault="The file is JSON, but none of a format of homebrew that is known here.", foreign=True)
