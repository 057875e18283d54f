"""Finds texts that address an assistant instead of players. They are stored unchanged, and reported to the user."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.invisible import lookalike

# A word without which no pattern matches: testing for these first takes a twentieth of the time.
_WORDS = re.compile(
    r"instruction|prompt|guideline|previous message|call|invoke| tool| function|system|assistant|developer|<|"
    r"language model|ai |chat|llm|the user|your rules"
)
_ADDRESSES = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.]{0,40}\b(?:instructions?|prompts?|guidelines|previous messages?)\b"
    r"|\byou (?:must|should|have to|need to) (?:now |always |first )?(?:call|invoke)\b"
    r"|\b(?:call|invoke|use|run) (?:the )?[`\"']?\w{1,40}[`\"']? (?:tool|function)\b"
    r"|^[\s>*_#-]{0,8}(?:system|assistant|developer)\s*(?:prompt|message)?\s*[:>]"
    r"|</?\s*(?:system|assistant|instructions?|tool_call|function_calls?|antml)\b"
    r"|\b(?:language model|ai (?:assistant|model|agent)|chat\s?bot|llm|chatgpt|system prompt)\b"
    r"|\b(?:do not|don't|never) (?:tell|inform|warn|mention (?:this|it) to) the user\b"
    r"|\b(?:reveal|print|repeat) your (?:instructions|prompt|rules)\b",
    re.MULTILINE,
)


def addresses_assistant(record: Record) -> bool:
    """Whether a text of the record looks like an instruction to an assistant."""
    fields = record.model_dump(exclude_defaults=True, exclude={"document_name"})  # reported for the book
    text = lookalike("\n".join(_texts(fields))).lower()
    return bool(_WORDS.search(text) and _ADDRESSES.search(text))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for inner in values for text in _texts(inner)]
