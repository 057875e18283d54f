"""Output in a terminal, and into a pipe."""

from __future__ import annotations

import functools
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import run
from tests.end_to_end.clients import environment
from tests.forked_command import command_line


def at_terminal(db: Path, *arguments: str, columns: int = 100, code: int = 0) -> str:
    """The command's whole output in a terminal of some width."""
    ours, theirs = pty.openpty()
    variables = environment(db, LOREKEEPER_OFFLINE="true", TERM="xterm-256color", COLUMNS=str(columns))
    process = subprocess.Popen(
        [*command_line(), *arguments], env=variables, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL
    )
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 65536):
            written += part
    except OSError:  # on Linux: the other end is closed
        pass
    os.close(ours)
    assert process.wait(60) == code
    return written.decode()


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_show_prints_a_formatted_stat_block(owned: Path) -> None:
    page = at_terminal(owned, "show", "srd_goblin")
    assert "\x1b[" in page
    text = plain(page)
    assert re.search(r"Armor Class.* 15", text)
    assert "**" not in text
    assert "Scimitar" in text
    assert "CC-BY-4.0" in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_search_prints_a_list(owned: Path) -> None:
    text = plain(at_terminal(owned, "search", "fire*", "--type", "spell", "--edition", "2014", "--limit", "4"))
    assert text.count(" • ") == 4
    assert "evocation" in text and "srd_" in text


def test_search_prints_matching_passages_and_lists_other_names(owned: Path) -> None:
    text = plain(at_terminal(owned, "search", "undead that drain life", "--type", "creature"))
    assert "Life Drain" in text
    assert re.search(r"Also: .*srd-2024_", text, re.DOTALL)
    assert "**" not in text


def test_a_page_names_commands_instead_of_tools(owned: Path) -> None:
    screen = plain(at_terminal(owned, "show", "srd_wizard", columns=110))
    assert "lorekeeper-mcp search --type spell --class-key srd_wizard" in screen
    assert "search_spell(" not in screen
    listed = json.loads(run(owned, "search", "--type", "spell", "--class-key", "srd_wizard", "--json").stdout)
    assert f"{listed['total']} on its list" in screen


def test_show_of_a_misspelt_key_names_the_nearest(owned: Path) -> None:
    done = run(owned, "show", "srd_firebal", "--json")
    assert done.returncode == 1
    assert re.search(r"similar: Fireball \(\S*fireball\)", done.stderr)
    assert "similar" not in run(owned, "show", "silver", "moth", "dance").stderr
    answer = json.loads(done.stdout)
    assert (answer["results"], answer["total"], answer["next_cursor"]) == ([], 0, None)
    assert answer["nearest"][0]["name"] == "Fireball"


def test_show_heeds_the_other_options(owned: Path) -> None:
    done = run(owned, "show", "fireball", "--type", "creature")
    assert done.returncode == 1
    assert "has the key or name 'fireball' and matches the other options" in done.stderr


def test_a_repeated_option_adds_a_value_or_is_refused(owned: Path) -> None:
    repeated, listed = (
        json.loads(run(owned, "search", "--type", "spell", *options, "--limit", "50", "--json").stdout)
        for options in (("--level", "3", "--level", "4"), ("--level", "3,4"))
    )
    assert repeated == listed
    assert {result["level"] for result in listed["results"]} == {3, 4}
    refused = run(owned, "search", "--level-min", "3", "--level-min", "4")
    assert refused.returncode == 2
    assert "--level-min can be given only once" in refused.stderr


BOOK = """{"Moor" {:orcpub.dnd.e5/spells {:fen-fire {:key :fen-fire, :name "Extraordinarily Long-Winded Conflagration",
:level 1, :school "evocation", :description "Reeds burn."}}}}"""


SCREENS: list[tuple[int, tuple[str, ...]]] = [
    (80, ("search", "fire*")),
    (140, ("search", "fire*")),
    (80, ("search", "undead", "that", "drain", "life")),
    (80, ("search", "--type", "undead", "--cr-min", "5")),
    (80, ("show", "srd-2024_wizard")),
    (80, ("documents",)),
    (80, ("status", "-v")),
    (80, ("sync",)),
    (80, ("import", "--dry-run", "moor.orcbrew")),
]


@functools.cache  # several widths are compared with it
def words_on_a_wide_screen(db: Path, arguments: tuple[str, ...], code: int) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", plain(at_terminal(db, *arguments, columns=400, code=code))))


@pytest.mark.parametrize(("columns", "arguments"), SCREENS, ids=str)
def test_no_word_is_cut_and_no_line_is_too_long(
    request: pytest.FixtureRequest, columns: int, arguments: tuple[str, ...]
) -> None:
    # An owner's background tasks change the output of status. An offline sync changes nothing.
    db: Path = request.getfixturevalue("own" if arguments[0] == "status" else "owned")
    file = db.parent / "moor.orcbrew"
    file.write_text(BOOK, encoding="utf-8")
    arguments = tuple(str(file) if argument == file.name else argument for argument in arguments)
    code = int(arguments[0] == "sync")  # it may not fetch from Open5e here
    screen = plain(at_terminal(db, *arguments, columns=columns, code=code))
    assert all(len(line) <= columns for line in screen.splitlines())
    wide = words_on_a_wide_screen(db, arguments, code)
    paths = set(re.findall(r"\w+", str(file)))  # a path is one long word, which does not fit in any terminal
    cut = set(re.findall(r"\w+", screen)) - wide
    # The size of a store changes between two commands.
    assert not {word for word in cut if not (word.isdecimal() or any(word in part for part in paths))}


def test_filters_are_options_of_search_and_show(owned: Path) -> None:
    listed = json.loads(run(owned, "search", "--level", "3", "--school", "evocation", "-n", "50", "--json").stdout)
    names = {result["name"] for result in listed["results"]}
    assert {"Fireball", "Lightning Bolt"} <= names
    assert "Fly" not in names
    weapons = json.loads(run(owned, "search", "-t", "weapon", "--property", "reach", "--json").stdout)
    assert {result["kind"] for result in weapons["results"]} == {"weapon"}
    undead = json.loads(run(owned, "search", "-t", "undead", "--cr-max", "1/4", "--no-legendary", "--json").stdout)
    assert {"Skeleton", "Zombie"} <= {result["name"] for result in undead["results"]}
    acid = run(owned, "show", "acid", "arrow", "--school", "evocation", "-e", "2014")
    assert acid.stdout.startswith("# Acid Arrow")


def test_option_combinations_that_no_tool_accepts_are_refused(owned: Path) -> None:
    done = run(owned, "search", "--school", "evocation", "--cr", "5")
    assert done.returncode == 2
    assert "cannot be combined" in done.stderr
    assert "--type spell" in run(owned, "search", "--level", "3").stderr
    assert run(owned, "search").returncode == 2
    assert run(owned, "search", "x", "-t", "nonsense").returncode == 2
    assert run(owned, "doctor", "--all").returncode == 2


def test_a_book_or_several_kinds_can_be_listed_without_words(owned: Path) -> None:
    listed = json.loads(run(owned, "search", "-d", "srd-2014", "-n", "50", "--json").stdout)
    assert {result["document_key"] for result in listed["results"]} == {"srd-2014"}
    listed = json.loads(run(owned, "search", "-t", "skill", "-t", "condition", "-n", "50", "--json").stdout)
    assert {result["kind"] for result in listed["results"]} == {"skill", "condition"}


def test_an_ability_is_given_as_in_a_sum(owned: Path) -> None:
    strong = json.loads(run(owned, "search", "--ability-min", "strength=28", "-n", "50", "--json").stdout)
    names = {result["name"] for result in strong["results"]}
    assert "Tarrasque" in names and "Goblin" not in names


def test_several_keys_are_shown_and_errors_differ_from_no_match(owned: Path) -> None:
    both = json.loads(run(owned, "show", "srd_fireball", "srd_goblin", "--json").stdout)
    assert [answer["results"][0]["key"] for answer in both] == ["srd_fireball", "srd_goblin"]
    lost = json.loads(run(owned, "show", "srd_firebal", "--json").stdout)
    assert lost["results"] == [] and "error" not in lost
    wrong = run(owned, "search", "-t", "spell", "--level", "99", "--json")
    assert wrong.returncode == 2 and list(json.loads(wrong.stdout)) == ["error"]


def test_a_shell_completes_options_and_clients(owned: Path) -> None:
    for words, expected in (("config cu", "cursor"), ("search --school ev --conc", "--concentration")):
        asked = {"_LOREKEEPER_MCP_COMPLETE": "complete_bash", "COMP_WORDS": f"lorekeeper-mcp {words}"}
        done = subprocess.run(
            [str(Path(sys.executable).with_name("lorekeeper-mcp"))],
            env=environment(owned, **asked, COMP_CWORD=str(len(words.split()))),
            capture_output=True,
            text=True,
            check=True,
        )
        assert expected in done.stdout.split()
