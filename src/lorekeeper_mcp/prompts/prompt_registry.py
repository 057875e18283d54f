"""Registers the prompts on a server."""

from __future__ import annotations

import asyncio

from fastmcp import FastMCP
from fastmcp.exceptions import McpError
from fastmcp.prompts import Prompt, PromptResult
from fastmcp.prompts.base import PromptArgument
from mcp.types import INVALID_PARAMS

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.prompts.table_prompts import PROMPTS, Argument, TablePrompt, Values

_MAX_ARGUMENT = 4_000  # characters per argument


class _ServedPrompt(Prompt):
    """A prompt as FastMCP serves it, with plain text for arguments and sentences for errors."""

    source: TablePrompt

    async def render(self, arguments: Values | None = None) -> PromptResult:
        """Return the text as one user message."""
        values = _check_values(self.source, arguments or {})
        if self.source.rule:
            values["rule_text"] = await _rule_text(self.source.rule)
        return PromptResult(self.source.write(values), description=self.description)


async def _rule_text(key: str) -> str:
    """The text of a rule of the embedded SRDs; "" if their file is unreadable."""
    from lorekeeper_mcp.sources.srd.records_file import RecordsFileError, record_of  # noqa: PLC0415 - for one prompt

    try:
        rule = await asyncio.to_thread(record_of, f"{Kind.RULE}:{key}")
    except RecordsFileError:
        return ""
    return rule.text if rule else ""


def register_prompts(server: FastMCP) -> tuple[str, ...]:
    """Register every prompt and return their names, for error messages."""
    for prompt in PROMPTS:
        arguments = [PromptArgument(name=a.name, description=a.help, required=a.required) for a in prompt.arguments]
        server.add_prompt(
            _ServedPrompt(
                name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments, source=prompt
            )
        )
    return tuple(prompt.name for prompt in PROMPTS)


def _check_values(prompt: TablePrompt, values: Values) -> dict[str, str]:
    """Return every argument of the prompt, blank if omitted. Raises an error with a sentence."""
    names = [argument.name for argument in prompt.arguments]
    if unknown := [name for name in values if name not in names]:
        raise _refusal(f"{prompt.name} has no argument {unknown[0][:60]!r}; its arguments are {', '.join(names)}.")
    return {
        argument.name: _check_value(prompt, argument, str(values.get(argument.name) or ""))
        for argument in prompt.arguments
    }


def _check_value(prompt: TablePrompt, argument: Argument, text: str) -> str:
    value = " ".join(text.split())
    if argument.required and not value:
        raise _refusal(f"{prompt.name} needs {argument.name}: {argument.help}.")
    if len(value) > _MAX_ARGUMENT:
        raise _refusal(f"{argument.name} is longer than {_MAX_ARGUMENT} characters; shorten it.")
    if value and argument.values and value.lower() not in argument.values:
        raise _refusal(f"{argument.name} cannot be {value[:60]!r}: allowed values are {', '.join(argument.values)}.")
    return value.lower() if argument.values else value


def _refusal(sentence: str) -> McpError:
    return McpError(INVALID_PARAMS, sentence)
