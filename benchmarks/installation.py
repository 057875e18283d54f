"""Measures an installation from nothing: ``uv run python benchmarks/installation.py [CHECKOUT]``.

Copies a checkout without its environment, then runs ``uv sync --no-dev`` and ``uv tool install`` with an empty cache,
each in folders of its own, and a first question. Prints seconds, packages, megabytes on the disk and megabytes that the
machine received meanwhile (of all processes, so let nothing else download). Needs Linux and a network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUESTION = "undead that drain life"


def received() -> int:
    """Bytes that the machine has received, except from itself."""
    lines = Path("/proc/net/dev").read_text().splitlines()[2:]
    return sum(int(line.split(":")[1].split()[0]) for line in lines if not line.strip().startswith("lo:"))


def megabytes(folder: Path) -> float:
    files = {(stat.st_dev, stat.st_ino): stat.st_size for path in folder.rglob("*") if (stat := path.lstat())}
    return sum(files.values()) / 1e6


def measured(title: str, command: list[str], folder: Path, environment: dict[str, str]) -> None:
    began, before = time.monotonic(), received()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    seconds, loaded = time.monotonic() - began, (received() - before) / 1e6
    if done.returncode:
        sys.exit(f"{title}: {done.stderr[-2000:]}")
    print(f"{title}: {seconds:.1f} s, {loaded:.0f} MB received")


def main() -> None:
    checkout = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    with tempfile.TemporaryDirectory(prefix="installation-") as name:
        work = Path(name)
        tree = work / "tree"
        ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".pytest_cache", "*.pyc", "records.jsonl.gz")
        shutil.copytree(checkout, tree, ignore=ignored)
        kept = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
        environment = kept | {
            "HOME": str(work),
            "XDG_DATA_HOME": str(work / "data"),
            "UV_CACHE_DIR": str(work / "cache"),
            "UV_TOOL_DIR": str(work / "tools"),
            "UV_TOOL_BIN_DIR": str(work / "bin"),
            "UV_LINK_MODE": "copy",
            "LOREKEEPER_OFFLINE": "true",
        }
        measured("uv sync --no-dev", ["uv", "sync", "--no-dev", "--frozen"], tree, environment)
        packages = len(list((tree / ".venv").glob("lib/python3*/site-packages/*.dist-info")))
        print(f"  {packages} packages, {megabytes(tree / '.venv'):.0f} MB on the disk")
        shutil.rmtree(work / "cache")
        measured("uv tool install", ["uv", "tool", "install", "./tree"], work, environment)
        print(f"  {megabytes(work / 'tools'):.0f} MB on the disk")
        command = str(work / "bin" / "lorekeeper-mcp")
        for title in ("first question", "second question"):
            measured(title, [command, "search", QUESTION], work, environment)
        offline = ["unshare", "--user", "--map-root-user", "--net", command, "search", QUESTION]
        if subprocess.run([*offline[:4], "true"], capture_output=True, check=False).returncode == 0:
            measured("without a network", offline, work, environment)
        measured("--version", [command, "--version"], work, environment)


if __name__ == "__main__":
    main()
