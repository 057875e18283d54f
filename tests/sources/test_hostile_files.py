"""Files of any format that are broken, too large or nested too deeply: one sentence, in time."""

from __future__ import annotations

import json

import pytest

from lorekeeper_mcp.sources import fantasy_statblocks, formats
from lorekeeper_mcp.sources.imported import TOO_MANY
from lorekeeper_mcp.sources.orcbrew import edn
from lorekeeper_mcp.sources.orcbrew import reader as reader_of_orcbrew
from tests.sources.imported_items import read_file, read_items

BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


@pytest.mark.parametrize(
    "block",
    [
        BOMB,
        "[" * 400_000,
        "{a: " * 100_000,
        "- " * 200_000,
        "x" * 600_000,
        "name: [1, {2: 3}]\nstats: strong\nhp: {a: b}",
    ],
    ids=["aliases", "nested lists", "nested maps", "nested items", "long", "odd values"],
)
def test_a_bomb_is_reported_in_a_sentence_and_the_rest_imported(block: str) -> None:
    items = read_items(f"```statblock\n{block}\n```\n\n```statblock\nname: Fen Toad\n```\n")
    assert [item.record.name for item in items if item.record][-1:] == ["Fen Toad"]
    assert len(items) == 2


@pytest.mark.parametrize("text", [b"# Notes\n\nNothing here.", b'{"version": 1}', b"plain words"])
def test_files_without_homebrew_are_recognised(text: bytes) -> None:
    assert read_file(text).foreign


@pytest.mark.parametrize(
    "data",
    [
        b"{" * 600_000,
        b'{"feat": [' + b"{}," * 2_000_000 + b"{}]}",
        b'{"feat": [' + b"0," * 4_000_000 + b"0]}",
        b"{:orcpub.dnd.e5/feats [" + b"0 " * 300_000 + b"]}",
        b"#{" * 1_000_000,
        b'[{"type":"feat","name":"A","system":{"description":{"value":"' + b"<p>" * 1_000_000 + b'"}}}]',
        b'{"a" "' + b"x" * 6_000_000,
        b"x" * 100_000_000,
    ],
    ids=["nested", "objects", "numbers", "EDN numbers", "EDN sets", "HTML", "no closing quote", "large"],
)
def test_a_file_of_too_many_parts_is_one_sentence(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edn, "_MAX_VALUES", 40_000)  # a hundredth of the limit, which takes seconds to read
    file = read_file(data)
    assert file.books == ()
    assert file.fault.endswith(".")
    assert len(file.fault) < 200


@pytest.mark.parametrize(
    "data",
    [
        json.dumps({"feat": [{"name": "A", "source": "B"}] * 4}),
        json.dumps([{"Name": "A", "HP": {"Value": 1}}] * 4),
        json.dumps({f"Creatures.{number}": {"Name": "A", "HP": {"Value": 1}} for number in range(4)}),
        json.dumps([{"name": "A", "type": "feat", "system": {}}] * 4),
        '{"B" {:orcpub.dnd.e5/feats {:a {} :b {} :c {} :d {}}}}',
    ],
)
def test_a_file_of_too_many_items_is_one_sentence(data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (formats, reader_of_orcbrew):
        monkeypatch.setattr(module, "MAX_ITEMS", 4)
    assert read_file(data).fault == ""
    for module in (formats, reader_of_orcbrew):
        monkeypatch.setattr(module, "MAX_ITEMS", 3)
    assert read_file(data).fault == TOO_MANY


def test_only_the_first_blocks_of_a_large_note_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fantasy_statblocks, "MAX_ITEMS", 2)
    *read, rest = [item.reason for item in read_items(b"```statblock\nname: A\n```\n" * 3)]
    assert (read, rest) == (["", ""], "the note has more than 2 blocks; the rest is not read")


def test_circular_extensions_are_named_quickly() -> None:
    circle = "```statblock\nname: A\nextends: B\n```\n```statblock\nname: B\nextends: A\n```\n"
    doubling = "".join(f"```statblock\nname: C{i}\nextends: [C{i + 1}, '[[C{i + 1}]]']\n```\n" for i in range(60))
    items = read_items(circle + doubling)
    assert len(items) == 62
    assert all(item.record or item.reason for item in items)


def test_a_broken_file_of_compact_json_is_reported_as_json() -> None:
    assert read_file(b'{"monster":[{"name":"A"').fault.startswith("The file is not JSON")
    assert read_file(b'{"B":[1' + b"0" * 5000).fault.startswith("The file is not JSON")
