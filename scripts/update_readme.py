"""Writes the README's tables of tools and settings from the code: ``uv run python scripts/update_readme.py``."""

from __future__ import annotations

from pathlib import Path

from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.settings import PREFIX, Settings
from lorekeeper_mcp.tools.catalog import KIND_TOOLS

README = Path(__file__).parents[1] / "README.md"


def tools_table() -> str:
    """A row for each tool."""
    rows = ["| tool | finds | its own filters |", "|---|---|---|"]
    for tool in KIND_TOOLS:
        own = [tool.selector] if tool.selector else []
        own += [row.argument for row in FILTERS[tool.family]]
        rows.append(
            f"| `{tool.name}` | {tool.title.removeprefix('Search ')} | {', '.join(f'`{name}`' for name in own)} |"
        )
    rows.append("| `search_all` | all of these at once | `content_types` |")
    rows.append("| `list_documents` | the books held in the cache | `source`, `format` |")
    return "\n".join(rows)


def settings_table() -> str:
    """A row for each setting."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = None if field.default_factory else field.default
        shown = "in the user's data folder" if field.default_factory else "" if default is None else f"`{default}`"
        rows.append(f"| `{PREFIX}{name.upper()}` | {shown} | {field.description} |")
    return "\n".join(rows)


def updated(text: str) -> str:
    """The README's text with its tables as they should be."""
    for mark, table in (("tools", tools_table()), ("settings", settings_table())):
        before, _, rest = text.partition(f"<!-- {mark} -->")
        _, _, after = rest.partition(f"<!-- /{mark} -->")
        text = f"{before}<!-- {mark} -->\n{table}\n<!-- /{mark} -->{after}"
    return text


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
