"""Errors that a caller can fix, as sentences: what was given, what is allowed, what is similar."""

from __future__ import annotations

import json
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
_MISSING = frozenset({"missing", "missing_argument", "missing_keyword_only_argument"})
# Names of the search argument in other servers and in earlier versions.
_SEARCH_NAMES = frozenset({"name", "query", "search", "semantic_query", "q", "text", "keyword", "keywords", "term"})


class CallerError(RuntimeError):
    """The caller has to change the call; the message is a sentence."""


def explain(tool: str, error: pydantic.ValidationError, arguments: Mapping[str, object], properties: Properties) -> str:
    """Return sentences about the wrong arguments of a call, as many as fit in a message."""
    faults = [fault for fault in error.errors(include_url=False) if fault["type"] != "none_required"]
    sentences = []
    for fault in faults:
        name = str(fault["loc"][0]) if fault["loc"] else ""
        schema = properties.get(name)
        if schema is None:
            sentences.append(f"{tool} has no argument {_quote(name)}; {_suggest_argument(name, properties)}")
        elif fault["type"] in _MISSING:
            sentences.append(f"{tool} needs {name}: {_allowed(schema)}.")
        elif fault["type"] == "too_long" and schema.get("type") != "array":  # its schema shows one value
            sentences.append(f"{name} takes at most {MAX_VALUES} values.")
        else:
            sentences.append(_refusal(name, _wrong_part(arguments.get(name), fault["loc"]), properties))
    return join_within_limit(sentences)


def _wrong_part(value: object, path: Sequence[int | str]) -> object:
    """The member of several values that a path names, or the whole value."""
    values = as_list(value)
    index = next((step for step in path if isinstance(step, int)), None)
    return values[index] if isinstance(values, list) and index is not None and index < len(values) else value


def refuse_bools_for_numbers(arguments: Mapping[str, object], properties: Properties) -> str:
    """A sentence about ``true`` given for a number, which Python treats as 1; "" if there is none."""
    numbers = {name for name, schema in properties.items() if schema.get("type") in ("integer", "number")}
    wrong = [name for name, value in arguments.items() if isinstance(value, bool) and name in numbers]
    return join_within_limit(_refusal(name, arguments[name], properties) for name in wrong)


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


def _refusal(name: str, value: object, properties: Properties) -> str:
    """What an argument cannot be, what it must be, and the arguments for a range."""
    schema = properties[name]
    choices = schema.get("enum")
    if isinstance(choices, list):
        similar = did_you_mean(value, choices) if isinstance(value, str) and len(value) > 2 else ""
        allowed = f"{similar} Allowed" if similar else "allowed"
        sentence = f"{name} cannot be {_quote(value)}: {allowed} values are {', '.join(map(str, choices))}."
    else:
        sentence = f"{name} cannot be {_quote(value)}: it must be {_allowed(schema)}."
    return f"{sentence} For a range, use {name}_min and {name}_max." if f"{name}_max" in properties else sentence


def _suggest_argument(name: str, properties: Properties) -> str:
    search = next((argument for argument in ("search", "query") if argument in properties), None)
    if search and name.lower() in _SEARCH_NAMES:
        return f"names and questions go in {search}."
    return did_you_mean(name, properties) or f"its arguments are {', '.join(properties)}."


def _allowed(schema: Schema) -> str:
    """``a whole number from 0 to 9 (spell level; 0 = cantrip)``."""
    low, high, most = (schema.get(limit) for limit in ("minimum", "maximum", "maxLength"))
    within = f" from {low:,} to {high:,}" if isinstance(low, int) and isinstance(high, int) else ""
    members = schema.get("properties")
    if isinstance(members, Mapping):
        return f"an object of {', '.join(members)}, each {_allowed(next(iter(members.values())))}"
    allowed = {
        "integer": f"a whole number{within}",
        "number": f"a number{within}",
        "boolean": "true or false",
        "string": f"text of at most {most:,} characters" if isinstance(most, int) else "text",
        "array": f"a list of at most {MAX_VALUES} strings",
    }[str(schema.get("type"))]
    help_ = str(schema.get("description", ""))
    return f"{allowed} ({help_[:1].lower()}{help_[1:]})" if help_ else allowed


def _quote(value: object) -> str:
    """A caller's value as JSON, shortened if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):  # too deeply nested for JSON
        return "that"
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= _MAX_VALUE else f"{text[: _MAX_VALUE - 1]}…"
