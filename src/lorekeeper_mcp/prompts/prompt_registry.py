"""The prompts of ``prompts.toml``, with their arguments checked, on a server."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources

from fastmcp import FastMCP
from fastmcp.exceptions import McpError
from fastmcp.prompts import Prompt, PromptResult
from fastmcp.prompts.base import PromptArgument
from mcp.types import INVALID_PARAMS
from pydantic import BaseModel, ConfigDict, TypeAdapter

from lorekeeper_mcp.models import Edition, Kind

_MAX_ARGUMENT = 4_000  # characters per argument


class Argument(BaseModel):
    """An argument of a prompt. ``names`` are the kinds whose names complete it, ``values`` its only allowed values.

    With ``several``, it is a comma-separated list, and each part is completed. With a ``label`` it is a line.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    help: str
    required: bool = True
    label: str = ""
    names: frozenset[Kind] = frozenset()
    values: tuple[str, ...] = ()
    several: bool = False


class TablePrompt(BaseModel):
    """A prompt as clients list it; its arguments go into ``template``."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    template: str


_EDITION = Argument(
    name="edition", help="2014, 2024 or a5e; the assistant asks if omitted", required=False, values=tuple(Edition)
)
_TABLE = tomllib.loads(resources.files(__package__).joinpath("prompts.toml").read_text(encoding="utf-8"))
PROMPTS = tuple(
    prompt.model_copy(update={"arguments": (*prompt.arguments, _EDITION)})
    for prompt in TypeAdapter(tuple[TablePrompt, ...]).validate_python(_TABLE["prompts"])
)


class _ServedPrompt(Prompt):
    """A prompt as FastMCP serves it, with plain text for arguments and sentences for errors."""

    source: TablePrompt

    async def render(self, arguments: Mapping[str, str] | None = None) -> PromptResult:
        """Return the text as one user message."""
        values = _check_values(self.source, arguments or {})
        texts = {
            argument.name: f"{argument.label}: {values[argument.name]}\n"
            for argument in self.source.arguments
            if argument.label and values[argument.name]
        }
        texts |= {"edition": _edition_advice(values["edition"]), "cite": _TABLE["cite"]}
        return PromptResult(self.source.template.format_map(values | texts), description=self.description)


def _edition_advice(edition: str) -> str:
    if edition:
        return f'The group plays by the {edition} rules: give edition="{edition}" in every call.'
    return (
        "No edition was given: ask whether the group plays by the 2014 or the 2024 rules. If nobody answers, give "
        'edition="2024" in every call and say so at the top.'
    )


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


def _check_values(prompt: TablePrompt, values: Mapping[str, str]) -> dict[str, str]:
    """Return every argument of the prompt, blank if omitted. Raises an error with a sentence."""
    names = [argument.name for argument in prompt.arguments]
    if unknown := [name for name in values if name not in names]:
        raise _refusal(f"{prompt.name} has no argument {unknown[0][:60]!r}; its arguments are {', '.join(names)}.")
    checked = {}
    for argument in prompt.arguments:
        value = " ".join(str(values.get(argument.name) or "").split())
        if argument.required and not value:
            raise _refusal(f"{prompt.name} needs {argument.name}: {argument.help}.")
        if len(value) > _MAX_ARGUMENT:
            raise _refusal(f"{argument.name} is longer than {_MAX_ARGUMENT} characters; shorten it.")
        if value and argument.values and value.lower() not in argument.values:
            allowed = ", ".join(argument.values)
            raise _refusal(f"{argument.name} cannot be {value[:60]!r}: allowed values are {allowed}.")
        checked[argument.name] = value.lower() if argument.values else value
    return checked


def _refusal(sentence: str) -> McpError:
    return McpError(INVALID_PARAMS, sentence)
