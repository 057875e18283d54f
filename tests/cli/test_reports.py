"""The report of ``import``, and the versions that are installed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from lorekeeper_mcp.cli.reports import print_import
from lorekeeper_mcp.homebrew.importer import FileReport, SectionReport

PROJECT = Path(__file__).parents[2]


def test_every_requirement_has_an_upper_bound() -> None:
    pinned = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [line for line in pinned if not re.search(r"<|==", line)] == []


def test_only_unknown_sections_imported_as_rules_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    rows = (
        SectionReport("Fens", "lights", read=2, imported=1, skipped=1, known=False),
        SectionReport("Fens", "macros", read=1, skipped=1, known=False),
    )
    print_import([FileReport("fens.json", rows=rows)], dry_run=False, as_json=False)
    printed = " ".join(capsys.readouterr().err.split())
    assert 'The section "lights" is unknown; its items were imported as rules in a chapter of that name.' in printed
    assert '"macros" is unknown' not in printed
