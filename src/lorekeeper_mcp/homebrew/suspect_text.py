"""Finds texts that address an assistant instead of players. They are stored unchanged, and reported to the user."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.invisible import lookalike

# Words that a pattern needs to match, and the pattern: testing for words first takes a twentieth of the time.
_ADDRESSES: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (words, re.compile(pattern, re.MULTILINE))
    for words, pattern in (
        (
            ("ignore", "disregard", "forget", "override"),
            r"\b(?:ignore|disregard|forget|override)\b[^.]{0,40}"
            r"\b(?:instructions?|prompts?|guidelines|previous messages?)\b",
        ),
        (("call", "invoke"), r"\byou (?:must|should|have to|need to) (?:now |always |first )?(?:call|invoke)\b"),
        ((" tool", " function"), r"\b(?:call|invoke|use|run) (?:the )?[`\"']?\w{1,40}[`\"']? (?:tool|function)\b"),
        (
            ("system", "assistant", "developer"),
            r"^[\s>*_#-]{0,8}(?:system|assistant|developer)\s*(?:prompt|message)?\s*[:>]",
        ),
        (("<",), r"</?\s*(?:system|assistant|instructions?|tool_call|function_calls?|antml)\b"),
        (
            ("language model", "ai ", "chat", "llm", "system prompt"),
            r"\b(?:language model|ai (?:assistant|model|agent)|chat\s?bot|llm|chatgpt|system prompt)\b",
        ),
        (("the user",), r"\b(?:do not|don't|never) (?:tell|inform|warn|mention (?:this|it) to) the user\b"),
        (("your ",), r"\b(?:reveal|print|repeat) your (?:instructions|prompt|rules)\b"),
    )
)


def addresses_assistant(record: Record) -> bool:
    """Whether a text of the record looks like an instruction to an assistant."""
    fields = record.model_dump(exclude_defaults=True, exclude={"document_name"})  # reported for the book
    text = lookalike("\n".join(_texts(fields))).lower()
    return any(pattern.search(text) for words, pattern in _ADDRESSES if any(word in text for word in words))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for inner in values for text in _texts(inner)]
