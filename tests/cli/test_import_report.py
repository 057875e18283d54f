"""The report of an import."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.cli import import_report
from lorekeeper_mcp.homebrew.importer import FileReport, SectionReport


def test_only_unknown_sections_imported_as_rules_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    rows = (
        SectionReport("Fens", "lights", read=2, imported=1, skipped=1, known=False),
        SectionReport("Fens", "macros", read=1, skipped=1, known=False),
    )
    import_report.show([FileReport("fens.json", rows=rows)], dry_run=False, as_json=False)
    printed = " ".join(capsys.readouterr().err.split())
    assert 'The section "lights" is unknown; its items were imported as rules in a chapter of that name.' in printed
    assert '"macros" is unknown' not in printed
