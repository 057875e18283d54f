"""The options of ``search`` and ``show``: one for each argument of the kind tools, from the filter tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import typer

from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.vocabulary import CREATURE_SUBTYPES, CREATURE_TYPES
from lorekeeper_mcp.text import slugify

_TYPE = "type"  # set by --type, which also chooses the kind
_PANELS = {
    Family.SPELLS: "Spells",
    Family.CREATURES: "Creatures",
    Family.EQUIPMENT: "Equipment",
    Family.OPTIONS: "Character options",
    Family.RULES: "Rules",
}
_BODIES = {*CREATURE_TYPES, *CREATURE_SUBTYPES}
Given: TypeAlias = Mapping[str, object]


@dataclass(frozen=True)
class Call:
    """The tool to call, and its arguments."""

    tool: str
    arguments: Given


def with_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each filter to the command; the values arrive as its keyword arguments."""
    own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.kind is not p.VAR_KEYWORD]
    shape = inspect.Signature([*own, *_filter_options()])
    command.__signature__ = shape  # type: ignore[attr-defined]  # inspect reads it; typeshed's functions do not have it
    command.__annotations__ = {p.name: p.annotation for p in shape.parameters.values()}
    return command


def _filter_options() -> list[inspect.Parameter]:
    """One option per name; filters of several tools with the same name share it."""
    found: dict[str, inspect.Parameter] = {}
    names = [row.argument for rows in FILTERS.values() for row in rows]
    for family, panel in _PANELS.items():
        for row in FILTERS[family]:
            if row.argument != _TYPE and row.argument not in found:
                flag = row.argument.replace("_", "-")
                is_flag = row.annotation is bool
                declared = f"--{flag}/--no-{flag.removeprefix('is-')}" if is_flag else f"--{flag}"
                panel_name = panel if names.count(row.argument) == 1 else f"{panel} and others"
                option = typer.Option(declared, help=row.help, rich_help_panel=panel_name, show_default=False)
                annotation: object = Annotated[bool | None, option] if is_flag else Annotated[str | None, option]
                found[row.argument] = inspect.Parameter(
                    row.argument, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
                )
    return list(found.values())


def tool_call(search: str, types: Sequence[str], filters: Given, shared: Given) -> Call:
    """Return the call of the tool that accepts all given options, or of ``search_all``. Raises BadParameter."""
    given = {name: value for name, value in filters.items() if value is not None}
    bodies = [name for name in types if slugify(name) in _BODIES]
    kinds = [name for name in types if name not in bodies]
    given |= {_TYPE: bodies} if bodies else {}
    choices = _choices(kinds)
    fitting = [family for family in choices if given.keys() <= {row.argument for row in FILTERS[family]}]
    needs_tool = given or not search or str(shared.get("sort") or "relevance") != "relevance"
    if not needs_tool:
        only = {"content_types": list(types)} if types else {}
        rest = {name: value for name, value in shared.items() if name != "sort"}
        return Call("search_all", {"query": search, **only, **rest})
    if not search and not given and not types:
        raise typer.BadParameter("Enter words, a name, or options such as --level 3 --type spell.")
    if len(fitting) != 1:
        raise typer.BadParameter(_unfitting(given, fitting, types))
    tool, selected = choices[fitting[0]]
    return Call(tool, {**({"search": search} if search else {}), **given, **selected, **shared})


def _choices(kinds: Sequence[str]) -> dict[Family, tuple[str, Given]]:
    """The tools that have all of some kinds, each with the argument that selects these. Raises BadParameter."""
    from lorekeeper_mcp.tools import content_types  # noqa: PLC0415 - imports every argument of the tools
    from lorekeeper_mcp.tools.kind_tools import KIND_TOOLS  # noqa: PLC0415

    try:
        wanted = content_types.kinds(kinds)
    except content_types.UnknownKindError as error:
        raise typer.BadParameter(str(error)) from None
    found: dict[Family, tuple[str, Given]] = {}
    for tool in KIND_TOOLS:
        every = tool.kinds({})
        if not kinds or wanted == every or (wanted <= every and tool.selector is None):
            found[tool.family] = tool.name, {}
        elif wanted <= every and tool.selector is not None and tool.choices is not None:
            named = [choice for choice in tool.choices if choice in map(slugify, kinds)]
            chosen = named or [choice for choice, kind in tool.choices.items() if kind in wanted]
            found |= {tool.family: (tool.name, {tool.selector: chosen[0]})} if len(kinds) == 1 else {}
    return found


def _unfitting(given: Given, fitting: Sequence[Family], types: Sequence[str]) -> str:
    options = ", ".join(f"--{name.replace('_', '-')}" for name in given) or "These options"
    if fitting:
        among = " or ".join(_PANELS[family].lower() for family in fitting)
        return f"{options} may be meant for {among}: say which with --type, such as --type spell."
    chosen = f" with --type {' --type '.join(types)}" if types else ""
    return f"{options} do not go together{chosen}: each belongs to another kind of entry, see --help."
