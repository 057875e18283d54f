"""``doctor`` on the packages that it runs with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from lorekeeper_mcp.cli.status_commands import TESTED, doctor
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
