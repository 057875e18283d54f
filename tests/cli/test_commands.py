from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.clients import environment
from tests.forked_command import command_line


def run(db: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command_line(), *arguments],
        env=environment(db, LOREKEEPER_OFFLINE="true"),
        cwd=db.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_search_answers_from_the_embedded_data_on_a_fresh_machine(tmp_path: Path) -> None:
    done = run(tmp_path / "new.db", "search", "undead that drain life", "--type", "creature")
    assert done.returncode == 0, done.stderr
    assert "Wraith" in done.stdout
    assert "CC-BY-4.0" in done.stdout
    assert "Traceback" not in done.stderr


def test_show_without_a_match_prints_a_sentence_and_exits_with_1(owned: Path) -> None:
    done = run(owned, "show", "no-such-thing")
    assert (done.returncode, done.stdout) == (1, "")
    assert "No stored entry has the key or name 'no-such-thing'" in done.stderr
    assert "Offline" in done.stderr, "nobody could be asked, so it cannot be told"


def test_documents_lists_stored_documents(owned: Path) -> None:
    done = run(owned, "documents")
    assert "srd-2014" in done.stdout
    assert "Creative Commons Attribution 4.0" in done.stdout
    listed = json.loads(run(owned, "documents", "--json", "--source", "orcbrew").stdout)
    assert listed["documents"] == []


@pytest.mark.parametrize("command", [["search"], ["show"]])
def test_a_wrong_value_is_a_sentence_and_exit_code_2(owned: Path, command: list[str]) -> None:
    done = run(owned, *command, "fire", "--edition", "1999")
    assert (done.returncode, done.stdout) == (2, "")
    assert "2014" in done.stderr


def test_wrong_usage_is_exit_code_2_without_an_owner_too(own: Path) -> None:
    assert run(own, "search", "--nonsense", "x").returncode == run(own, "nonsense").returncode == 2
    done = run(own, "documents", "--source", "nobody")
    assert (done.returncode, done.stdout) == (2, "")
    assert "orcbrew" in done.stderr


def test_the_store_folder_can_be_set(own: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "x.db", "--db-path", str(own), "documents")
    assert done.returncode == 0
    assert "srd-2014" in done.stdout
    assert not (tmp_path / "x.db").exists()


def test_an_answer_is_written_as_a_page(owned: Path, tmp_path: Path) -> None:
    file = tmp_path / "fireball.html"
    done = run(owned, "show", "srd-2024_fireball", "--html", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert "srd-2024_fireball" in file.read_text(encoding="utf-8")
    lost = run(owned, "show", "srd-2024_fireball", "--html", str(tmp_path / "no" / "folder.html"))
    assert lost.returncode == 1 and "could not be written" in lost.stderr
