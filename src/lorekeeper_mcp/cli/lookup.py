"""``search``, ``show`` and ``documents``: an option for each argument of the kind tools, and printed answers."""

from __future__ import annotations

import inspect
import json
import shutil
import sys
import textwrap
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.filters import FILTERS, Filter
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.vocabulary import CREATURE_SUBTYPES, CREATURE_TYPES
from lorekeeper_mcp.runtime import end_with_the_reader
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.lookup_command import Lookup, LookupAnswer
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
Arguments: TypeAlias = Mapping[str, object]


def with_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each filter to the command; the values arrive as its keyword arguments.

    Filters of several tools with the same name share an option.
    """
    own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.kind is not p.VAR_KEYWORD]
    names = [row.argument for rows in FILTERS.values() for row in rows]
    options: dict[str, inspect.Parameter] = {}
    for family, panel in _PANELS.items():
        for row in FILTERS[family]:
            if row.argument != _TYPE and row.argument not in options:
                is_shared = names.count(row.argument) > 1
                options[row.argument] = _filter_option(row, f"{panel} and others" if is_shared else panel)
    shape = inspect.Signature([*own, *options.values()])
    command.__signature__ = shape  # type: ignore[attr-defined]  # inspect reads it; typeshed's functions do not have it
    command.__annotations__ = {p.name: p.annotation for p in shape.parameters.values()}
    return command


def _filter_option(row: Filter, panel: str) -> inspect.Parameter:
    is_flag = row.annotation is bool
    name = row.argument.replace("_", "-")
    declaration = f"--{name}/--no-{name.removeprefix('is-')}" if is_flag else f"--{name}"
    metavar = None if is_flag else "VALUE"
    option = typer.Option(declaration, help=row.help, rich_help_panel=panel, show_default=False, metavar=metavar)
    annotation: object = Annotated[bool | None, option] if is_flag else Annotated[list[str] | None, option]
    return inspect.Parameter(row.argument, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def tool_call(search: str, types: Sequence[str], filters: Arguments, shared: Arguments) -> Lookup:
    """Return the call of the tool that accepts all given options, or of ``search_all``. Raises BadParameter."""
    given = {name: _joined(name, value) for name, value in filters.items() if value not in (None, [])}
    bodies = [name for name in types if slugify(name) in _BODIES]  # undead is a type of creatures, no kind of entries
    tools = _tools_for([name for name in types if name not in bodies])
    has_sort = str(shared.get("sort") or "relevance") != "relevance"
    if not (given or bodies or has_sort) and _suits_all(search, types, shared):
        others = dict(shared)
        others.pop("sort", None)
        return Lookup(tool="search_all", arguments={"query": search, "content_types": list(types) or None, **others})
    if not (search or given or types):
        raise typer.BadParameter("Enter words, a name, or options such as --level 3 --type spell.")
    arguments = {**given, _TYPE: bodies} if bodies else given
    named = [*given, *(f"type {name}" for name in types), *["sort"] * has_sort]
    tool, selected = _only_tool(tools, arguments, " and ".join(map(_option, named)))
    return Lookup(tool=tool, arguments={"search": search or None, **arguments, **selected, **shared})


def _suits_all(search: str, types: Sequence[str], shared: Arguments) -> bool:
    """Whether ``search_all`` answers: words, a list of several kinds, or one of a book or edition."""
    selects_books = bool(shared.get("documents") or shared.get("edition"))
    return bool(search) or len(types) > 1 or (selects_books and not types)


def _only_tool(tools: Mapping[Family, tuple[str, Arguments]], needed: Arguments, options: str) -> tuple[str, Arguments]:
    """The one tool that has all arguments. Raises BadParameter, which names the ``options``."""
    families = [family for family in tools if {row.argument for row in FILTERS[family]}.issuperset(needed)]
    if len(families) == 1:
        return tools[families[0]]
    if families:
        among = " or ".join(_PANELS[family].lower() for family in families)
        raise typer.BadParameter(f"{options} could mean {among}: choose with --type, such as --type spell.")
    raise typer.BadParameter(f"{options} cannot be combined: they belong to different kinds of entries, see --help.")


def _option(argument: str) -> str:
    return f"--{argument.replace('_', '-')}"


def _joined(name: str, value: object) -> object:
    """One value for an option that was given once or more. Raises BadParameter if it takes only one."""
    if not isinstance(value, list):
        return value
    rows = (row for rows in FILTERS.values() for row in rows if row.argument == name)
    if len(value) > 1 and not any(row.takes_several for row in rows):
        raise typer.BadParameter(f"{_option(name)} can be given only once.")
    return ",".join(value)


def _tools_for(kinds: Sequence[str]) -> dict[Family, tuple[str, Arguments]]:
    """The tools that have all of some kinds, each with the argument that selects these. Raises BadParameter."""
    from lorekeeper_mcp.tools import content_types  # noqa: PLC0415 - imports every argument of the tools
    from lorekeeper_mcp.tools.error_messages import CallerError  # noqa: PLC0415
    from lorekeeper_mcp.tools.kind_tools import KIND_TOOLS  # noqa: PLC0415

    try:
        chosen = content_types.kinds(kinds)
    except CallerError as error:
        raise typer.BadParameter(str(error)) from None
    tools: dict[Family, tuple[str, Arguments]] = {}
    for tool in KIND_TOOLS:
        every = tool.kinds({})
        if not kinds or chosen == every or (chosen <= every and tool.selector is None):
            tools[tool.family] = tool.name, {}
        elif len(kinds) == 1 and chosen <= every and tool.selector is not None and tool.choices is not None:
            names = [name for name in tool.choices if name == slugify(kinds[0])]
            names += [name for name, kind in tool.choices.items() if kind in chosen]
            tools[tool.family] = tool.name, {tool.selector: names[0]}
    return tools


def look_up(
    settings: Settings, commands: Sequence[Lookup], *, as_json: bool, html: Path | None = None, opens: bool = False
) -> int:
    """Print the answers of lookups, and errors to stderr; return the highest exit code.

    As JSON, an error is ``{"error": sentence}``, which an answer without results is not; several answers are a list.
    With ``html``, write the answers to that file instead, as a page to read or print, which ``opens`` shows.
    """
    answers = [run_command(settings, command) for command in commands]
    end_with_the_reader()
    code = max(answer.exit_code for answer in answers)
    for answer in answers:
        if answer.exit_code:
            print_message(answer.text)
        elif not (as_json or html):
            _print_text(answer.text)
    if as_json:
        shown = [answer.structured or {"error": answer.text} for answer in answers]
        print_json(shown if len(shown) > 1 else shown[0])
    if html is not None and not code:
        return _write_page(answers, html, opens=opens)
    return code


def _print_text(text: str) -> None:
    """Print the text of an answer, formatted in a terminal."""
    if not sys.stdout.isatty():
        sys.stdout.write(f"{text}\n")
        return
    # Only a terminal needs this module: importing it takes longer than asking the owner.
    from lorekeeper_mcp.cli.terminal import print_page  # noqa: PLC0415

    print_page(text)


def _write_page(answers: Sequence[LookupAnswer], file: Path, *, opens: bool) -> int:
    from lorekeeper_mcp.cards import page_with_answers  # noqa: PLC0415 - imports FastMCP

    page = page_with_answers([{"structuredContent": dict(answer.structured)} for answer in answers])
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        print_message(f"{file} could not be written: {error.strerror}.")
        return 1
    if opens:
        webbrowser.open(file.absolute().as_uri())
    return 0


def print_message(sentences: str) -> None:
    """Write to stderr; in a terminal, break lines between words."""
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else len(sentences) + 1
    lines = textwrap.wrap(sentences, width, break_long_words=False, break_on_hyphens=False)
    sys.stderr.write("\n".join(lines) + "\n")


def print_json(value: object) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
