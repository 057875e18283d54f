"""Builds ``dist/lorekeeper-mcp-VERSION.mcpb``, a bundle that clients install with one click, and ``dist/server.json``.

    uv run python scripts/build_mcpb.py [--out dist]

The bundle is of type ``uv``: it contains the sources and the lock file, and the client's uv installs the dependencies
at the first start. ``dist/server.json`` is the repository's with the bundle's checksum, as the registry requires. The
same sources produce the same bytes: files are sorted and their dates fixed.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

from lorekeeper_mcp.runtime import configure_environment

configure_environment()

from lorekeeper_mcp.server import make_server  # noqa: E402 - after FastMCP's environment is settled
from lorekeeper_mcp.settings import load_settings  # noqa: E402

ROOT = Path(__file__).parents[1]
FILES = ("pyproject.toml", "uv.lock", "hatch_build.py", "README.md", "LICENSE", "CHANGELOG.md")
FOLDERS = ("src", "srd_converter")
RECORDS = ROOT / "src/lorekeeper_mcp/sources/srd/records.jsonl.gz"  # written where the bundle is installed
_DATE = (2026, 1, 1, 0, 0, 0)
_LONG = """\
Spells, creatures, equipment, character options and rules from the System Reference Documents 5.1 (2014) and 5.2 \
(2024), the open books on Open5e, and your own homebrew. Every answer names its source and license. The first start \
installs about half a gigabyte with uv and needs the network; after that it works offline."""


def project() -> dict[str, object]:
    """The table ``project`` of pyproject.toml."""
    table: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


async def tools() -> list[dict[str, str]]:
    """The tools in the manifest. Prompts are left out: their texts, which it would need, are generated on request."""
    listed = await make_server(load_settings()).list_tools()
    tools = [{"name": tool.name, "description": tool.title or tool.name} for tool in listed]
    return sorted(tools, key=lambda tool: tool["name"])


def manifest() -> dict[str, object]:
    """The bundle's manifest, of the specification's version 0.4."""
    about = project()
    return {
        "manifest_version": "0.4",
        "name": about["name"],
        "display_name": "LoreKeeper: D&D 5e reference",
        "version": about["version"],
        "description": about["description"],
        "long_description": _LONG,
        "author": {"name": "The LoreKeeper developers"},
        "license": about["license"],
        "keywords": about["keywords"],
        "server": {
            "type": "uv",
            "entry_point": "src/lorekeeper_mcp/__main__.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "--no-dev", "--frozen", "lorekeeper-mcp"],
                "env": {
                    "LOREKEEPER_OFFLINE": "${user_config.offline}",
                    "LOREKEEPER_HOMEBREW_DIR": "${user_config.homebrew_dir}",
                },
            },
        },
        "tools": asyncio.run(tools()),
        "prompts_generated": True,
        "user_config": {
            "offline": {
                "type": "boolean",
                "title": "Offline",
                "description": "Never contact Open5e; answer from built-in and stored data.",
                "default": False,
                "required": False,
            },
            "homebrew_dir": {
                "type": "directory",
                "title": "Homebrew folder",
                "description": "Files in it (OrcBrew, 5etools, Foundry and others) are imported when they change.",
                "default": "",
                "required": False,
            },
        },
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": str(about["requires-python"])},
        },
    }


def bundled() -> Iterator[Path]:
    """The files of the bundle, sorted."""
    yield from (ROOT / name for name in FILES)
    sources = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    yield from (path for path in sources if path.is_file() and "__pycache__" not in path.parts and path != RECORDS)


def build(out: Path) -> Path:
    """Write the bundle and return its path."""
    out.mkdir(parents=True, exist_ok=True)
    bundle = out / f"lorekeeper-mcp-{project()['version']}.mcpb"
    with zipfile.ZipFile(bundle, "w") as archive:
        _add(archive, "manifest.json", json.dumps(manifest(), ensure_ascii=False, indent=2).encode())
        for path in bundled():
            _add(archive, path.relative_to(ROOT).as_posix(), path.read_bytes())
    return bundle


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.external_attr = 0o644 << 16
    is_compressed = name.endswith(".npz")
    archive.writestr(entry, content, zipfile.ZIP_STORED if is_compressed else zipfile.ZIP_DEFLATED, 9)


def registry_entry(bundle: Path) -> dict[str, object]:
    """The repository's server.json with this version and the bundle's checksum."""
    version = str(project()["version"])
    entry: dict[str, object] = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    packages = entry["packages"]
    assert isinstance(packages, list)
    checksum = hashlib.sha256(bundle.read_bytes()).hexdigest()
    return {**entry, "version": version, "packages": [{**package, "fileSha256": checksum} for package in packages]}


def main() -> None:
    """Build both and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    out = parser.parse_args().out
    bundle = build(out)
    (out / "server.json").write_text(json.dumps(registry_entry(bundle), ensure_ascii=False, indent=2) + "\n")
    print(f"{bundle} ({bundle.stat().st_size / 1e6:.1f} MB)\n{out / 'server.json'}")


if __name__ == "__main__":
    main()
