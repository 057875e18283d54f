"""Writes the generated parts of the README and `docs/`: clients, tools, prompts, resources, settings.

uv run python scripts/update_readme.py
"""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from urllib.parse import quote

from lorekeeper_mcp.runtime import configure_environment

configure_environment()

from lorekeeper_mcp.cli import clients  # noqa: E402 - after FastMCP's environment is settled
from lorekeeper_mcp.filters import FILTERS  # noqa: E402
from lorekeeper_mcp.server import make_server  # noqa: E402
from lorekeeper_mcp.settings import PREFIX, Settings, load_settings  # noqa: E402
from lorekeeper_mcp.tools.kind_tools import KIND_TOOLS  # noqa: E402

ROOT = Path(__file__).parents[1]
START = [clients.COMMAND]  # as installed by ``uv tool install``
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


def client_table() -> str:
    """A row for each client: the file for its snippet, or the command that adds it."""
    rows = ["| client | macOS | Windows | Linux |", "|---|---|---|---|"]
    for client in clients.CLIENTS:
        command = clients.add_server_command(client, START)
        places = dict.fromkeys(client.files, command) if command else client.files
        rows.append(f"| {client.title} | {' | '.join(f'`{places[name]}`' for name in ('macOS', 'Windows', 'Linux'))} |")
    return "\n".join(rows)


def client_blocks() -> str:
    """A collapsed block for each client."""
    return "\n\n".join(_client_block(client) for client in clients.CLIENTS)


def _client_block(client: clients.McpClient) -> str:
    if len(set(client.files.values())) == 1:
        files = f"File on every system: `{client.files['Linux']}`"
    else:
        files = "\n".join(f"- {system}: `{path}`" for system, path in client.files.items())
    parts = [
        f"<details>\n<summary>{client.title}</summary>",
        files,
        f"```{client.form.replace('argv', 'json')}\n{clients.snippet(client, START)}\n```",
    ]
    if command := clients.add_server_command(client, START):
        parts.append(f"Or with its own command:\n\n```sh\n{command}\n```")
    parts += [client.note] if client.note else []
    parts.append(f"Source: <{client.source}>")
    return "\n\n".join([*parts, "</details>"])


def install_buttons() -> str:
    """A button for each client that a link adds the server to."""
    badge = "https://img.shields.io/badge/Add_to-{}-2b6cb0"
    config = json.dumps({"command": START[0], "args": START[1:]}, separators=(",", ":"))
    encoded = base64.b64encode(config.encode()).decode()
    links = {
        "VS Code": f"https://insiders.vscode.dev/redirect/mcp/install?name={clients.NAME}&config={quote(config)}",
        "Cursor": f"https://cursor.com/en/install-mcp?name={clients.NAME}&config={encoded}",
    }
    return "\n".join(
        f"[![Add to {title}]({badge.format(title.replace(' ', '_'))})]({link})" for title, link in links.items()
    )


def tools_table() -> str:
    """A row for each tool."""
    rows = ["| tool | finds | filters |", "|---|---|---|"]
    for tool in KIND_TOOLS:
        own = [tool.selector] if tool.selector else []
        own += [row.argument for row in FILTERS[tool.family]]
        rows.append(
            f"| `{tool.name}` | {tool.title.removeprefix('Search ')} | {', '.join(f'`{name}`' for name in own)} |"
        )
    rows.append("| `search_all` | all of these at once | `content_types` |")
    rows.append("| `list_documents` | the books in the cache | `source`, `format` |")
    return "\n".join(rows)


def attachments_table() -> str:
    """A row for each prompt, resource and template that the server offers."""
    prompts, resources, templates = asyncio.run(_offered())
    rows = ["| | what it gives |", "|---|---|"]
    rows += [f"| prompt `{name}` | {about} |" for name, about in prompts]
    rows += [f"| resource `{uri}` | {about} |" for uri, about in (*resources, *templates)]
    return "\n".join(rows)


_Pairs = list[tuple[str, str]]


async def _offered() -> tuple[_Pairs, _Pairs, _Pairs]:
    server = make_server(load_settings())
    return (
        [(prompt.name, prompt.description or "") for prompt in await server.list_prompts()],
        [(str(resource.uri), resource.description or "") for resource in await server.list_resources()],
        [(template.uri_template, template.description or "") for template in await server.list_resource_templates()],
    )


def settings_table() -> str:
    """A row for each setting."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = None if field.default_factory else field.default
        shown = "in the user's data folder" if field.default_factory else "" if default is None else f"`{default}`"
        rows.append(f"| `{PREFIX}{name.upper()}` | {shown} | {field.description} |")
    return "\n".join(rows)


def updated(text: str) -> str:
    """Return a page's text with its generated parts up to date."""
    parts = {
        "buttons": install_buttons(),
        "client table": client_table(),
        "clients": client_blocks(),
        "tools": tools_table(),
        "attachments": attachments_table(),
        "settings": settings_table(),
    }
    for mark, made in parts.items():
        if f"<!-- {mark} -->" not in text:
            continue
        before, _, rest = text.partition(f"<!-- {mark} -->")
        _, _, after = rest.partition(f"<!-- /{mark} -->")
        text = f"{before}<!-- {mark} -->\n{made}\n<!-- /{mark} -->{after}"
    return text


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(updated(page.read_text(encoding="utf-8")), encoding="utf-8")
