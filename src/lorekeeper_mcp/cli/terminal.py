"""Tables and pages for a terminal, made from structured content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.markdown import Heading, Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lorekeeper_mcp.render.brief import Facts, phrases

_COLOURS = {
    "spell": "magenta",
    "creature": "red",
    "magic-item": "yellow",
    "weapon": "cyan",
    "armor": "cyan",
    "item": "cyan",
    "class": "green",
    "subclass": "green",
    "feature": "green",
    "species": "green",
    "background": "green",
    "feat": "green",
}
_OTHER = "blue"
_LONGEST_KEY = 34  # columns; longer keys wrap
_IDENTITY = frozenset({
    "kind", "key", "name", "document_key", "document_name", "document_source", "edition", "similarity_score", "also_in",
    "variants", "variant_count", "text", "passages",
})  # fmt: skip
Result = Mapping[str, object]


class _Left(Heading):
    """Markdown with headings at the left, not in a centred box."""

    def __rich_console__(self, *_: object) -> list[Text]:
        """Yield the heading with a blank line before it."""
        self.text.justify = "left"
        return [Text(""), Text.assemble((self.text.plain, "bold underline" if self.tag in {"h1", "h2"} else "bold"))]


class _Page(Markdown):
    elements = {**Markdown.elements, "heading_open": _Left}  # noqa: RUF012 - as rich declares it


def _colour(result: Result) -> str:
    return _COLOURS.get(str(result.get("kind")), _OTHER)


def _facts(result: Result) -> Facts:
    """Return a result's facts, without its identity and source."""
    return {
        name: value
        for name, value in result.items()
        if name not in _IDENTITY and isinstance(value, str | int | float | bool | list)
    }


def entity_page(result: Result, licenses: Mapping[str, str]) -> RenderableType:
    """Return an entry or its passages in a frame coloured by kind: name above, source below."""
    title = Text(str(result["name"]), style=f"bold {_colour(result)}")
    document = str(result["document_key"])
    parts = [str(result["key"]), str(result.get("edition") or ""), licenses.get(document, "")]
    text = str(result.get("text", "")).removeprefix(f"# {result['name']}").strip()
    return Panel(
        _Page("\n\n".join(part for part in [text, *_passages(result)] if part)),
        title=title,
        title_align="left",
        subtitle=Text(" · ".join(filter(None, parts)), style="dim"),
        subtitle_align="right",
        border_style=_colour(result),
        padding=(0, 1),
    )


def _passages(result: Result) -> list[str]:
    listed = result.get("passages")
    told = [(str(one["heading"]), str(one["text"])) for one in listed] if isinstance(listed, list) else []
    return [f"**{heading}**\n\n{text}" if heading else text for heading, text in told]


def names_line(results: Sequence[Result]) -> RenderableType:
    """Return a list of further entries by name and key."""
    told = [Text.assemble((str(one["name"]), _colour(one)), " ", (str(one["key"]), "dim")) for one in results]
    return Text.assemble("Also: ", Text(" · ").join(told))


def results_table(results: Sequence[Result]) -> RenderableType:
    """Return a table: facts of each entry, its summary below, its key at the right."""
    table = Table(box=box.SIMPLE_HEAD, expand=True, pad_edge=False)
    table.add_column("name", ratio=1)
    table.add_column("what it is", ratio=3)
    table.add_column("key, edition", max_width=_LONGEST_KEY, overflow="fold")
    for one in results:
        kind = Text(str(one["kind"]), style=_colour(one))
        facts = Text(" · ".join(phrases(_facts(one))))
        about = [Text.assemble(kind, " · ", facts) if facts else kind]
        about += [Text(str(one["summary"]), style="dim")] if one.get("summary") else []
        where = Text.assemble(str(one["key"]), "\n", (str(one.get("edition") or ""), "dim"), overflow="fold")
        table.add_row(Text(str(one["name"]), style=f"bold {_colour(one)}"), Group(*about), where)
    return table


def documents_table(answer: Mapping[str, object]) -> RenderableType:
    """Return a table of documents: key, name, edition, licence, number of entries."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("key", "name", "edition", "licence"):
        table.add_column(name, overflow="fold")
    table.add_column("entries", justify="right")
    listed = answer.get("documents")
    for one in listed if isinstance(listed, list) else []:
        told = [str(one.get(f"document_{name}") or "") for name in ("key", "name")]
        told += [str(one.get(name) or "") for name in ("edition", "license", "entity_count")]
        table.add_row(Text(told[0], style="bold cyan"), *map(Text, told[1:]))
    return table
