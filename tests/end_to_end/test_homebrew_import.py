"""The import and export commands: what they read, what they write, and what they report."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.cached_stores import copy_store
from tests.end_to_end.homebrew_commands import command, report_of
from tests.owner_process import running_owner
from tests.sources.orcbrew.fixture_files import fixture, records


def test_a_dry_run_reports_all_and_writes_nothing(tmp_path: Path) -> None:
    done = command(tmp_path / "new.db", "import", "--dry-run", "--json", str(fixture("wrapped")))
    assert sum(row["imported"] for row in report_of(done)["files"][0]["rows"]) == len(records("wrapped"))
    assert list(tmp_path.iterdir()) == []


def test_import_handles_strict_globs_stdin_and_missing_files(tmp_path: Path) -> None:
    db = tmp_path / "new.db"
    for stem in ("forms", "torn"):
        shutil.copy(fixture(stem), tmp_path)
    done = command(db, "import", "--dry-run", "--strict", "*.orcbrew")
    assert (done.returncode, b"Torn Page" in done.stdout, b"torn" in done.stdout) == (0, False, True)
    assert command(db, "import", "--dry-run", "--strict", str(fixture("wrapped"))).returncode == 1
    done = command(db, "import", "--dry-run", "--json", "-", stdin=fixture("lanterns-of-vell").read_bytes())
    assert report_of(done)["files"][0]["rows"][0]["book"] == "Vell"
    done = command(db, "import", "nothing.orcbrew")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.count(b"\n") == 1
    done = command(db, "import", "--dry-run", "nothing.orcbrew", "forms.orcbrew")
    assert (done.returncode, b"forms" in done.stdout, b"nothing.orcbrew: " in done.stderr) == (1, True, True)
    assert not db.exists()


def test_an_export_is_the_imported_file(seeded: Path, tmp_path: Path) -> None:
    db, target = copy_store(seeded, tmp_path / "first.db"), tmp_path / "vell.copy"
    original = fixture("lanterns-of-vell").read_bytes()
    with running_owner(db):
        report = report_of(command(db, "import", "--json", str(fixture("lanterns-of-vell"))))
        title = report["files"][0]["rows"][0]["book"]
        done = command(db, "export", title, str(target))
        assert (done.returncode, done.stdout, target.read_bytes()) == (0, b"", original), done.stderr
        assert command(db, "export", title.lower()).stdout == original
        missing = command(db, "export", "no such book")
        assert (missing.returncode, missing.stdout, missing.stderr.count(b"\n")) == (1, b"", 1)


def test_a_stat_block_extends_records_of_other_files_and_the_store(seeded: Path, tmp_path: Path) -> None:
    db, folder = copy_store(seeded, tmp_path / "new.db"), tmp_path / "vault"
    folder.mkdir()
    # In the order of their names, each but the last copies from one that is read after it.
    blocks = {
        "a.md": "name: Elder Toad\nextends: Old Toad\nhp: 40",
        "b.md": "name: Old Toad\nextends: Fen Toad\nhp: 20\ntraits+:\n  - [Old, It is old.]",
        "c.md": "name: Pale Moth\nextends: Dusk Moth\nhp: 4",
        "e.md": "name: Fen Toad\nac: 11\nhp: 9\ntraits:\n  - [Croak, It croaks.]",
    }
    for name, text in blocks.items():
        (folder / name).write_text(f"```statblock\nsource: Fens\n{text}\n```\n")
    moth = {"name": "Dusk Moth", "source": "MOTHS", "ac": [13], "cr": "1/2"}
    (folder / "d.json").write_text(json.dumps({"monster": [moth]}))
    with running_owner(db):
        reports = report_of(command(db, "import", "--json", str(folder)))["files"]
        assert [file["skips"] for file in reports] == [[]] * 5
        page = command(db, "show", "Elder Toad", "--document", "Fens").stdout.decode()
        assert ("11" in page, "40" in page, "It croaks." in page, "It is old." in page) == (True,) * 4
        again = report_of(command(db, "import", "--json", str(folder)))["files"]
        assert {row["unchanged"] for file in again for row in file["rows"]} == {1}
        # A stored original is enough, and an item of a removed book stays as it was made.
        (folder / "f.md").write_text("```statblock\nname: Last Toad\nextends: Elder Toad\n'hp': 1\n```\n")
        assert report_of(command(db, "import", "--json", str(folder / "f.md")))["files"][0]["skips"] == []
        assert command(db, "remove", "Fens").returncode == 0
        forced = command(db, "import", "--json", str(folder / "d.json"), "--force")
        assert forced.returncode == 0, forced.stderr
        assert b"It croaks." in command(db, "show", "Last Toad").stdout
