"""Paths on the command line, expanded to files: limited in number and size, and never waiting for endless ones."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from lorekeeper_mcp.cli.import_paths import ImportPathError, find, load
from lorekeeper_mcp.sources.imported import LARGEST_FILE

BOOK = b'{"Vell" {:orcpub.dnd.e5/feats {:ash {:name "Ash"}}}}'


def test_a_folder_gives_every_file_that_may_hold_homebrew(tmp_path: Path) -> None:
    for name in ("a.orcbrew", "deep/b.json", "notes.md", "picture.png", "c.zip"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(BOOK)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "knot.json").symlink_to("knot.json")
    assert [Path(file).name for file in find([str(tmp_path)])] == ["a.orcbrew", "c.zip", "b.json", "notes.md"]


def test_an_archive_gives_the_files_inside(tmp_path: Path) -> None:
    file = tmp_path / "all.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("books/vell.orcbrew", BOOK)
        archive.writestr("books/cover.png", b"x")
        archive.writestr("../../up.json", b"{}")
    one, other = load(str(file))
    assert (one.shown, one.name, one.data, one.named) == (f"{file}/books/vell.orcbrew", "vell", BOOK, False)
    assert other.name == "up"


@pytest.mark.parametrize(
    "kind", ["fifo", "/dev/zero", "missing", "empty archive", "no archive", "cut archive", "folder"]
)
def test_what_cannot_be_read_is_a_sentence(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "x.zip"
    match kind:
        case "fifo":
            os.mkfifo(file)
        case "/dev/zero":
            file = Path("/dev/zero")
        case "empty archive":
            zipfile.ZipFile(file, "w").close()
        case "no archive":
            file.write_bytes(b"PK\x03\x04 and nothing else")
        case "cut archive":
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr("a.json", os.urandom(1000))
            file.write_bytes(file.read_bytes()[:-30])
        case "folder":
            file.mkdir()
    with pytest.raises(ImportPathError, match=r"\.$"):
        load(str(file))


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b"0" * 2_000_000)
        archive.infolist()[0].file_size = 1_000_000_000  # what the archive then claims
    assert file.stat().st_size < 10_000
    with pytest.raises(ImportPathError, match="more than"):
        load(str(file))


def test_a_file_is_read_no_further_than_the_largest(tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    with file.open("wb") as sparse:
        sparse.truncate(2 * LARGEST_FILE)
    assert len(load(str(file))[0].data) == LARGEST_FILE + 1
