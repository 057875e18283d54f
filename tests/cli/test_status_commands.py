"""``doctor`` on the packages that it runs with."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest

from lorekeeper_mcp.cli.status_commands import TESTED, doctor
from lorekeeper_mcp.settings import load_settings

PROJECT = Path(__file__).parents[2]


def test_tested_versions_equal_the_pinned_and_locked_ones() -> None:
    pinned = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["dependencies"]
    locked = {one["name"]: one["version"] for one in tomllib.loads((PROJECT / "uv.lock").read_text())["package"]}
    for name, minor in TESTED.items():
        requirement = next(line for line in pinned if re.match(rf"{name}[<>=]", line))
        major, second = minor.strip(".").split(".")
        assert locked[name].startswith(minor)
        assert f">={minor}" in requirement
        assert f"<{major}.{int(second) + 1}" in requirement


def test_every_requirement_has_an_upper_bound() -> None:
    pinned = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [line for line in pinned if not re.search(r"<|==", line)] == []


def test_doctor_reports_an_untested_version(monkeypatch: pytest.MonkeyPatch, seeded: Path) -> None:
    settings = load_settings(milvus_db_path=seeded, offline=True)
    assert next(check for check in doctor(settings) if check.what == "versions").state == "ok"
    real = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "3.9.0" if name == "milvus-lite" else real(name))
    check = next(check for check in doctor(settings) if check.what == "versions")
    assert check.state == "warning"
    assert "milvus-lite 3.9.0" in check.found
