"""Commands for homebrew, run against a store, and their reports."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from tests.end_to_end.clients import environment
from tests.forked_command import command_line

TOOLS = {
    Family.SPELLS: "search_spell",
    Family.CREATURES: "search_creature",
    Family.EQUIPMENT: "search_equipment",
    Family.OPTIONS: "search_character_option",
    Family.RULES: "search_rule",
}


def command(db: Path, *arguments: str, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*command_line(), *arguments],
        env=environment(db, LOREKEEPER_OFFLINE="true", **variables),
        cwd=db.parent,
        capture_output=True,
        timeout=120,
        check=False,
        input=stdin,
    )


def report_of(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(done.stdout)
    return report


async def embed(db: Path) -> None:
    """Do a server's embedding after an import."""
    cache = await Cache.open(load_settings(milvus_db_path=db))
    for family in Family:
        while await cache.embed_pending(family):
            pass
    await cache.aclose()
