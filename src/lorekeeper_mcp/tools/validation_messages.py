"""Sentences about wrong arguments of a call: what was given, what is allowed, what is similar."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import pydantic
from rapidfuzz import fuzz, process, utils

from lorekeeper_mcp.filters.argument_types import MAX_VALUES, as_list

MAX_MESSAGE = 600  # characters of an error
Schema: TypeAlias = Mapping[str, object]
Properties: TypeAlias = Mapping[str, Schema]  # a tool's arguments by name

_MAX_VALUE = 60  # characters of a value in a sentence
_MIN_SIMILARITY = 50  # of 100
_UNKNOWN = frozenset({"unexpected_keyword_argument", "extra_forbidden"})
_MISSING = frozenset({"missing", "missing_argument", "missing_keyword_only_argument"})
# Names of the search argument in other servers and in earlier versions.
_SEARCH_NAMES = frozenset({"name", "query", "search", "semantic_query", "q", "text", "keyword", "keywords", "term"})
# Pydantic's names of steps inside a type, which mean nothing to callers.
_STEPS = re.compile(r"^(function-|constrained-|literal\[|\[key\]|bool$|int$|float$|str$|list\[|dict\[)")
_QUOTED = re.compile(r"'([^']*)'")


def explain(tool: str, error: pydantic.ValidationError, arguments: Mapping[str, object], properties: Properties) -> str:
    """Return sentences about up to three errors, as many as fit in a message."""
    faults = [fault for fault in error.errors(include_url=False) if fault["type"] != "none_required"]
    return join_within_limit(
        _describe_fault(tool, fault["type"], fault["loc"], fault["msg"], arguments, properties) for fault in faults[:3]
    )


def refuse_bools_for_numbers(arguments: Mapping[str, object], properties: Properties) -> str:
    """A sentence about ``true`` given for a number, which Python treats as 1; "" if there is none."""
    numbers = {name for name, schema in properties.items() if schema.get("type") in ("integer", "number")}
    wrong = [name for name, value in arguments.items() if isinstance(value, bool) and name in numbers]
    return join_within_limit(_refuse_value(name, arguments[name], properties[name]) for name in wrong)


def join_within_limit(sentences: Iterable[str], limit: int = MAX_MESSAGE) -> str:
    """Return as many complete sentences as fit in a message. If the first one is longer, it is cut between words."""
    text = ""
    for sentence in dict.fromkeys(sentences):
        longer = f"{text} {sentence}".strip()
        if len(longer) > limit:
            return text or f"{sentence[: limit - 2].rpartition(' ')[0]} …"
        text = longer
    return text


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """``did you mean …?`` for similar names, ignoring case; "" if there are none."""
    matches = process.extract(word[:_MAX_VALUE], list(names), limit=2, score_cutoff=72, processor=utils.default_process)
    # A few shared letters do not make a long name similar: "gem" does not mean wondrous item.
    similar = [
        name
        for name, _, _ in matches
        if name in word or word in name or fuzz.ratio(word.lower(), name) > _MIN_SIMILARITY
    ]
    return f"did you mean {' or '.join(similar)}?" if similar else ""


def _describe_fault(
    tool: str,
    kind: str,
    path: Sequence[int | str],
    message: str,
    arguments: Mapping[str, object],
    properties: Properties,
) -> str:
    name = str(path[0]) if path else ""
    schema = properties.get(name)
    if kind in _UNKNOWN or schema is None:
        return f"{tool} has no argument {_quote(name)}; {_suggest_argument(name, properties)}"
    if kind in _MISSING:
        return f"{tool} needs {name}: {_describe_allowed(schema)}."
    if kind == "too_long" and schema.get("type") != "array":  # its schema shows one value
        return f"{name} takes at most {MAX_VALUES} values."
    value = arguments.get(name)
    inner_path = [str(step) for step in path[1:] if not _STEPS.match(str(step))]
    if schema.get("type") != "object" or not inner_path:
        sentence = _refuse_value(name, _value_at(value, path[1:]), schema)
        return f"{sentence} For a range, use {name}_min and {name}_max." if f"{name}_max" in properties else sentence
    if kind == "literal_error":
        return (
            f"{name} does not accept {_quote(inner_path[0])}: allowed values are {', '.join(_QUOTED.findall(message))}."
        )
    inner = value.get(inner_path[0]) if isinstance(value, Mapping) else value
    return f"{name} does not accept {_quote({inner_path[0]: inner})}: scores are whole numbers from 0 to 50."


def _value_at(value: object, path: Sequence[int | str]) -> object:
    """The value at a path, if there are several values."""
    values = as_list(value)
    index = next((step for step in path if isinstance(step, int)), None)
    return values[index] if isinstance(values, list) and index is not None and index < len(values) else value


def _refuse_value(name: str, value: object, schema: Schema) -> str:
    choices = schema.get("enum")
    if not isinstance(choices, list):
        return f"{name} cannot be {_quote(value)}: it must be {_describe_allowed(schema)}."
    similar = did_you_mean(value, choices) if isinstance(value, str) and len(value) > 2 else ""
    allowed = ", ".join(str(choice) for choice in choices)
    return f"{name} cannot be {_quote(value)}: {f'{similar} Allowed' if similar else 'allowed'} values are {allowed}."


def _suggest_argument(name: str, properties: Properties) -> str:
    search = next((argument for argument in ("search", "query") if argument in properties), None)
    if search and name.lower() in _SEARCH_NAMES:
        return f"names and questions go in {search}."
    if name == "document_keys" and "documents" in properties:
        return "use documents instead."
    return did_you_mean(name, properties) or f"its arguments are {', '.join(properties)}."


def _describe_allowed(schema: Schema) -> str:
    """``a whole number from 0 to 9 (spell level; 0 = cantrip)``."""
    most = schema.get("maxLength")
    allowed = {
        "integer": f"a whole number{_describe_range(schema)}",
        "number": f"a number{_describe_range(schema)}",
        "boolean": "true or false",
        "string": f"text of at most {most:,} characters" if isinstance(most, int) else "text",
        "array": f"a list of at most {MAX_VALUES} strings",
    }.get(str(schema.get("type")), "an object")
    help_ = str(schema.get("description", ""))
    return f"{allowed} ({help_[:1].lower()}{help_[1:]})" if help_ else allowed


def _describe_range(schema: Schema) -> str:
    """`` from 0 to 9`` with a leading space; "" for a number without limits."""
    low, high = schema.get("minimum"), schema.get("maximum")
    return f" from {low:,} to {high:,}" if isinstance(low, int) and isinstance(high, int) else ""


def _quote(value: object) -> str:
    """A caller's value as JSON, shortened if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):  # too deeply nested for JSON
        return "that"
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= _MAX_VALUE else f"{text[: _MAX_VALUE - 1]}…"
