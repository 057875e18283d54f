"""How to add this server to each MCP client: config files, their format, and the client's own command.

``clients.toml`` has a table for each client; the command ``config``, the documentation and the tests follow from it.
"""

from __future__ import annotations

import importlib.metadata
import json
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit
from urllib.request import url2pathname

import typer

NAME = "lorekeeper"
COMMAND = "lorekeeper-mcp"  # also the name of the distribution
System = Literal["macOS", "Windows", "Linux"]


@dataclass(frozen=True)
class McpClient:
    """A client. ``source`` documents it, ``files`` is its config file on each system, ``table`` the key for servers.

    ``extra`` are further fields of its configuration; in form ``argv``, its JSON has program and arguments in one list.
    ``adding`` is the client's own command, up to the server's name and the separator before the server's command.
    """

    key: str
    title: str
    source: str
    files: Mapping[System, str]
    table: str = "mcpServers"
    extra: Mapping[str, str | int | bool] = field(default_factory=dict)
    form: Literal["json", "argv", "toml", "yaml"] = "json"
    adding: str = ""
    note: str = ""


def _clients() -> Iterator[McpClient]:
    tables = tomllib.loads(Path(__file__).with_name("clients.toml").read_text(encoding="utf-8"))
    for key, row in tables.items():
        menu, below, file = (row.pop(name, "") for name in ("menu", "application", "file"))
        windows = (f"%APPDATA%/{below}" if below else file.replace("~/", "%USERPROFILE%/")).replace("/", "\\")
        files: dict[System, str] = {
            "macOS": menu or file or f"~/Library/Application Support/{below}",
            "Windows": menu or row.pop("windows", windows),
            "Linux": menu or file or f"~/.config/{below}",
        }
        yield McpClient(key, files=files, **row)


CLIENTS = tuple(_clients())


def find(name: str) -> McpClient:
    """Return the client of that name. Raises BadParameter, which lists the known ones."""
    for client in CLIENTS:
        if name.lower().replace(" ", "-") in {client.key, client.title.lower().replace(" ", "-")}:
            return client
    raise typer.BadParameter(f"There is no client {name!r}; the clients are {', '.join(c.key for c in CLIENTS)}.")


def start_command(source: str | None = None) -> list[str]:
    """Return the command that a client runs: the installed program by its full path, which needs no network.

    With a ``source`` (clone, wheel or git URL), and for a program that ``uvx`` installed only into its cache, it is
    ``uvx --from``, which asks the package index at each start.
    """
    program = Path(sys.argv[0]).absolute()
    if program.stem != COMMAND:  # run as a module
        program = Path(sys.executable).with_name(COMMAND + (".exe" if sys.platform == "win32" else ""))
    is_cached = any(part.startswith(("archive-v", "environments-v")) for part in program.parts)
    if source is None and program.exists() and not is_cached:
        return [str(program)]
    return [shutil.which("uvx") or "uvx", "--from", source or installation_source() or "lorekeeper-mcp", COMMAND]


def snippet(client: McpClient, start: Sequence[str]) -> str:
    """Return the text for the client's file."""
    program, arguments = start[0], list(start[1:])
    if client.form == "toml":
        values = {"command": program, "args": arguments, **client.extra}
        # A JSON string or list of strings is valid TOML, and valid YAML.
        lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]
        return "\n".join([f"[{client.table}.{NAME}]", *lines])
    if client.form == "yaml":
        values = {**client.extra, "cmd": program, "args": arguments}
        lines = [f"    {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]
        return "\n".join([f"{client.table}:", f"  {NAME}:", *lines])
    command = {"command": list(start)} if client.form == "argv" else {"command": program, "args": arguments}
    return json.dumps({client.table: {NAME: {**client.extra, **command}}}, ensure_ascii=False, indent=2)


def add_server_command(client: McpClient, start: Sequence[str], system: System = "Linux") -> str:
    """Return the client's own command, quoted for the system's shell; "" if it has none."""
    if not client.adding:
        return ""
    words = [*client.adding.split(), *start]
    return subprocess.list2cmdline(words) if system == "Windows" else shlex.join(words)


def this_system() -> System:
    """Return the system that this process runs on."""
    return "macOS" if sys.platform == "darwin" else "Windows" if sys.platform == "win32" else "Linux"


def installation_source() -> str | None:
    """Return the clone, wheel or git URL that this was installed from, if the installer recorded it (PEP 610)."""
    direct_url = importlib.metadata.distribution(COMMAND).read_text("direct_url.json")
    if direct_url is None:
        return None
    origin = json.loads(direct_url)
    url = str(origin["url"])
    if url.startswith("file:"):
        path = url2pathname(urlsplit(url).path)
        return path if Path(path).exists() else None
    return f"{origin['vcs_info']['vcs']}+{url}" if "vcs_info" in origin else url


def show(name: str | None, *, source: str | None) -> None:
    """Print a client's snippet to stdout and where it belongs to stderr, or list all clients."""
    if name is None:
        lines = [f"{client.key:<15} {client.title:<23} {client.files[this_system()]}" for client in CLIENTS]
        sys.stdout.write("\n".join(lines) + "\n")
        return
    client, start = find(name), start_command(source)
    sys.stderr.write(f"{client.title}: add this to {client.files[this_system()]}\n\n")
    sys.stderr.flush()
    sys.stdout.write(snippet(client, start) + "\n")
    sys.stdout.flush()
    command = add_server_command(client, start, this_system())
    notes = [f"Or run: {command}" if command else "", client.note]
    if len(start) > 1:
        notes.append("uvx asks the package index at each start; `uv tool install` works without a network.")
    sys.stderr.write("".join(f"\n{note}\n" for note in notes if note))
