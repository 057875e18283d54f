"""What a person at a terminal sees, and what a pipe gets."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

from tests.cli.test_commands import run
from tests.end_to_end.clients import environment


def at_terminal(db: Path, *arguments: str) -> str:
    """All that the command writes to a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    variables = environment(db, LOREKEEPER_OFFLINE="true", TERM="xterm-256color", COLUMNS="100")
    process = subprocess.Popen(
        [sys.executable, "-m", "lorekeeper_mcp", *arguments],
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 65536):
            written += part
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    assert process.wait(60) == 0
    return written.decode()


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_show_sets_a_stat_block(seeded: Path) -> None:
    page = at_terminal(seeded, "show", "srd_goblin")
    assert "\x1b[" in page
    text = plain(page)
    assert re.search(r"Armor Class.* 15", text)
    assert "**" not in text
    assert "Scimitar" in text
    assert "CC-BY-4.0" in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_search_sets_a_table(seeded: Path) -> None:
    text = plain(at_terminal(seeded, "search", "fire*", "--type", "spell", "--edition", "2014", "--limit", "4"))
    assert "srd_" in text
    assert re.search(r"level \d · evocation", text)
    assert "4 of " in text


def test_search_sets_the_passages_that_answer_and_names_the_rest(seeded: Path) -> None:
    text = plain(at_terminal(seeded, "search", "undead that drain life", "--type", "creature"))
    assert "Life Drain" in text
    assert re.search(r"Also: .*srd-2024_", text, re.DOTALL)
    assert "**" not in text


def test_json_has_the_record_and_its_page(seeded: Path) -> None:
    found = json.loads(run(seeded, "show", "srd_goblin", "--json").stdout)
    assert [one["key"] for one in found["results"]] == ["srd_goblin"]
    assert found["results"][0]["text"].startswith("# Goblin\n")


def test_show_of_a_misspelt_key_names_the_nearest(seeded: Path) -> None:
    done = run(seeded, "show", "srd_firebal", "--json")
    assert done.returncode == 1
    assert re.search(r"nearest: Fireball \(\S*fireball\)", done.stderr)
    found = json.loads(done.stdout)
    assert found["results"] == []
    assert found["nearest"][0]["name"] == "Fireball"
