"""The reports of ``doctor`` and ``import``."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from lorekeeper_mcp.cli.reports import TESTED, doctor, print_import
from lorekeeper_mcp.homebrew.importer import FileReport, SectionReport
from lorekeeper_mcp.settings import load_settings

PROJECT = Path(__file__).parents[2]


def test_tested_versions_equal_the_pinned_and_locked_ones() -> None:
    pinned = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["dependencies"]
    locked = {
        package["name"]: package["version"] for package in tomllib.loads((PROJECT / "uv.lock").read_text())["package"]
    }
    for name, minor in TESTED.items():
        requirement = next(line for line in pinned if re.match(rf"{name}(\[\w+\])?[<>=]", line))
        major, second = minor.strip(".").split(".")
        assert locked[name].startswith(minor)
        assert f">={minor}" in requirement
        assert f"<{major}.{int(second) + 1}" in requirement


def test_every_requirement_has_an_upper_bound() -> None:
    pinned = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [line for line in pinned if not re.search(r"<|==", line)] == []


def test_doctor_reports_an_untested_version(monkeypatch: pytest.MonkeyPatch, seeded: Path, tmp_path: Path) -> None:
    settings = load_settings(milvus_db_path=seeded, offline=True)
    assert next(check for check in doctor(settings) if check.what == "versions").state == "ok"
    installed = tmp_path / "milvus_lite-3.9.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: milvus-lite\nVersion: 3.9.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    check = next(check for check in doctor(settings) if check.what == "versions")
    assert check.state == "warning"
    assert "milvus-lite 3.9.0" in check.found


def test_only_unknown_sections_imported_as_rules_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    rows = (
        SectionReport("Fens", "lights", read=2, imported=1, skipped=1, known=False),
        SectionReport("Fens", "macros", read=1, skipped=1, known=False),
    )
    print_import([FileReport("fens.json", rows=rows)], dry_run=False, as_json=False)
    printed = " ".join(capsys.readouterr().err.split())
    assert 'The section "lights" is unknown; its items were imported as rules in a chapter of that name.' in printed
    assert '"macros" is unknown' not in printed
