"""Texts that speak to an assistant instead of to players. They are kept as they are, and the user is told."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Record

_ADDRESSED = re.compile(
    r"""
    \b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:instructions?|prompts?|guidelines|previous\ messages?)\b
    | \byou\ (?:must|should|have\ to|need\ to)\ (?:now\ |always\ |first\ )?(?:call|invoke)\b
    | \b(?:call|invoke|use|run)\ (?:the\ )?[`"']?\w{1,40}[`"']?\ (?:tool|function)\b
    | ^[\s>*_\#-]{0,8}(?:system|assistant|developer)\s*(?:prompt|message)?\s*[:>]
    | </?\s*(?:system|assistant|instructions?|tool_call|function_calls?|antml)\b
    | \b(?:language\ model|ai\ (?:assistant|model|agent)|chat\s?bot|llm|chatgpt|system\ prompt)\b
    | \b(?:do\ not|don't|never)\ (?:tell|inform|warn|mention\ (?:this|it)\ to)\ the\ user\b
    | \b(?:reveal|print|repeat)\ your\ (?:instructions|prompt|rules)\b
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


def addresses_assistant(record: Record) -> bool:
    """Whether a text of the record reads like an instruction to an assistant."""
    return any(_ADDRESSED.search(text) for text in _texts(record.model_dump(mode="json", exclude_defaults=True)))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _texts(one)]
