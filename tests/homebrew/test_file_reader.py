"""Files are read in a child process, which may be slow, hungry or dead without harm."""

from __future__ import annotations

import json
import time
from collections.abc import Collection

import pytest

from lorekeeper_mcp.homebrew import file_reader
from lorekeeper_mcp.homebrew.file_reader import FileReader
from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.originals import Originals

ORIGINAL = json.dumps({"monster": [{"name": "Moth", "source": "A", "hp": {"average": 37}}]}).encode()
COPY = {"name": "Elder Moth", "source": "B", "_copy": {"name": "Moth", "source": "A"}}
OWLBEAR = {"name": "Elder Owlbear", "source": "B", "_copy": {"name": "Owlbear", "source": "MM"}}


def test_a_file_is_read_as_in_this_process() -> None:
    data = json.dumps({"monster": [COPY, OWLBEAR, {**COPY, "_copy": {"name": "Nobody"}}]}).encode()
    in_child, here = Originals(), Originals(lambda: formats.fivetools_files([ORIGINAL]))
    with FileReader(lambda: [ORIGINAL]) as reader:
        assert reader.read(data, "x", in_child) == formats.read(data, "x", here)
        assert reader.read(b"nothing", "x", Originals()).fault
    assert (in_child.used, in_child.missing) == (here.used, here.missing)
    assert in_child.missing == ["Nobody"]


def test_a_reader_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        time.sleep(3)
        return None

    data = json.dumps({"monster": [OWLBEAR]}).encode()
    with FileReader() as reader:
        monkeypatch.setattr(file_reader, "SECONDS", 2.0)
        assert "more than" in reader.read(data, "x", Originals(record=slow)).fault
        monkeypatch.undo()
        assert reader.read(data, "x", Originals()).fault == "", "the next file has a process of its own"
