"""Finds the stat blocks of a note, and parses their YAML to plain values."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from lorekeeper_mcp.sources.imported import ItemError

_FENCE = re.compile(
    r"^(?P<before>[ \t>]*)(?P<mark>`{3,}|~{3,})[ \t]*statblock\b[^\n]*\n(?P<yaml>.*?)(?:^[ \t>]*(?P=mark)[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)  # also in a list or a quotation; an unclosed fence ends with the note
_FRONT = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)^---[ \t]*$", re.MULTILINE | re.DOTALL)
_STATBLOCK_FIELD = re.compile(r"^[\"']?statblock[\"']?\s*:[ \t]*[\"']?(?P<value>[^\"'\n#]*)", re.MULTILINE)
_NO_BLOCK = frozenset({"", "false", "null", "~", "inline"})
# YAML reads a note's unquoted link as nested lists, or as a list followed by text.
_LINK = re.compile(r"\[\[([^\[\]\n,]{1,300})\]\]|\[([^\[\]\n]{0,300})\]\(([^()\n]{1,300})\)")
_MARKS = str.maketrans({"\ue000": "[[", "\ue001": "]]", "\ue002": "[", "\ue003": "]("})
_TABS = re.compile(r"^[ ]*\t[ \t]*", re.MULTILINE)
_DEEPEST = 30
_MAX_LENGTH = 500_000  # characters of a block; a stat block has a few thousand
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def recognises(text: str) -> bool:
    """Whether a text has a stat block."""
    return next(blocks(text), None) is not None


def blocks(text: str) -> Iterator[str]:
    """Yield the YAML of every stat block of a note, its front matter first.

    Front matter is a block if it says so, or if an empty block displays it.
    """
    front = _FRONT.match(text)
    field = _STATBLOCK_FIELD.search(front["yaml"]) if front else None
    front_is_block = bool(field and field["value"].strip().lower() not in _NO_BLOCK)
    if front and front_is_block:
        yield front["yaml"]
    for fence in _FENCE.finditer(text):
        if front and not fence["yaml"].strip(" \t\n>"):
            if not front_is_block:
                yield front["yaml"]
            front_is_block = True
            continue
        quote_depth = fence["before"].count(">")
        indent = rf"(?:[ \t]*> ?){{0,{quote_depth}}}" if quote_depth else rf"[ \t]{{0,{len(fence['before'])}}}"
        yield re.sub(f"^{indent}", "", fence["yaml"], flags=re.MULTILINE)


def parsed(block: str) -> object:
    """Parse a block to lists, dictionaries, texts, True, False and None. Raises ItemError and YAMLError.

    Numbers stay texts, so that none is misread. The value is built from the parser's events in one pass: composing
    nodes of unlimited depth overflows the stack of the C library.
    """
    if len(block) > _MAX_LENGTH:
        raise ItemError(f"it is longer than {_MAX_LENGTH:,} characters")
    if "](" in block or "[[" in block:
        block = _LINK.sub(_with_marked_brackets, block)
    if "\t" in block:
        block = _TABS.sub(lambda indent: indent[0].replace("\t", "  "), block)
    reader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)(block)
    try:
        return _document(iter(reader.get_event, None))
    finally:
        reader.dispose()


def _with_marked_brackets(link: re.Match[str]) -> str:
    """A link with its brackets replaced by characters that YAML treats as letters."""
    return f"\ue000{link[1]}\ue001" if link[1] else f"\ue002{link[2]}\ue003{link[3]})"


def _document(events: Iterator[object]) -> object:
    """The value of the only document; None if there is none."""
    next(events)  # the start of the stream
    if isinstance(next(events), yaml.StreamEndEvent):
        return None
    value = _value(next(events), events)
    next(events)  # the end of the document
    if isinstance(next(events), yaml.DocumentStartEvent):
        raise ItemError("it has a line of --- inside")
    return value


def _value(first: object, events: Iterator[object], depth: int = 0) -> object:
    """The value that begins with an event."""
    if isinstance(first, yaml.ScalarEvent):
        return _scalar(first)
    if isinstance(first, yaml.AliasEvent):  # a few lines of aliases can expand beyond any memory
        raise ItemError("it has YAML aliases, which are not supported; text that begins with * needs quotes")
    if depth >= _DEEPEST:
        raise ItemError(f"it is nested deeper than {_DEEPEST} levels")
    items: list[object] = []
    fields: dict[str, object] = {}
    is_list = isinstance(first, yaml.SequenceStartEvent)
    while not isinstance(event := next(events), yaml.CollectionEndEvent):
        value = _value(event, events, depth + 1)
        if is_list:
            items.append(value)
        elif isinstance(value, list | dict):
            raise ItemError("it has brackets where a field's name belongs; put the text in quotes")
        else:
            _add_field(fields, "" if value is None else str(value), _value(next(events), events, depth + 1))
    return items if is_list else fields


def _scalar(event: yaml.ScalarEvent) -> object:
    text = str(event.value)
    if event.implicit[0]:  # without quotes
        if text in _NULLS:
            return None
        if text in _BOOLEANS:
            return _BOOLEANS[text]
    return text.translate(_MARKS) if not text.isascii() else text


def _add_field(fields: dict[str, object], name: str, value: object) -> None:
    """Add a field; if it is repeated, the second value is kept, too."""
    first = fields.get(name)
    if first is None:
        fields[name] = value
    elif isinstance(first, list) and isinstance(value, list):
        first += value
    elif value is not None:
        repeated = fields.setdefault(f"{name} (again)", [])
        if isinstance(repeated, list):
            repeated.append(value)
