"""Paths on the command line, expanded to files: limited in number and size, and never waiting for endless ones."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from lorekeeper_mcp.homebrew import import_paths
from lorekeeper_mcp.homebrew.import_paths import find, load, load_files
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.imported import MAX_FILE

BOOK = b'{"Vell" {:orcpub.dnd.e5/feats {:ash {:name "Ash"}}}}'


def fault(file: str) -> str:
    [loaded] = load(file)
    return loaded.fault


def test_a_folder_gives_every_file_that_may_hold_homebrew(tmp_path: Path) -> None:
    for name in ("a.orcbrew", "deep/b.json", "notes.md", "picture.png", "c.zip"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(BOOK)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "knot.json").symlink_to("knot.json")
    os.mkfifo(tmp_path / "pipe.md")
    found = find([str(tmp_path)])
    assert [Path(file).name for file in found] == ["a.orcbrew", "c.zip", "b.json", "knot.json", "notes.md", "pipe.md"]
    assert set(found.values()) == {str(tmp_path)}
    assert [bool(fault(file)) for file in found] == [False, True, False, True, False, True]


def test_a_folder_of_too_many_files_gives_the_first_and_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_paths, "MAX_FILES", 2)
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_bytes(BOOK)
    *files, folder = find([str(tmp_path)])
    assert (len(files), folder) == (2, str(tmp_path))
    assert "more than 2 files" in fault(folder)


def test_an_archive_gives_the_files_inside(tmp_path: Path) -> None:
    file = tmp_path / "all.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("books/vell.orcbrew", BOOK)
        archive.writestr("books/cover.png", b"x")
        archive.writestr("../../up.json", b"{}")
    first, second = load(str(file))
    assert (first.shown, first.name, first.data, first.named) == (f"{file}/books/vell.orcbrew", "vell", BOOK, False)
    assert second.name == "up"


@pytest.mark.parametrize(
    "kind", ["fifo", "/dev/zero", "missing", "empty archive", "no archive", "cut archive", "folder", "long"]
)
def test_an_unreadable_file_is_reported_in_a_sentence(tmp_path: Path, kind: str) -> None:
    file = tmp_path / ("long.json" if kind == "long" else "x.zip")
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
        case "long":
            with file.open("wb") as sparse:
                sparse.truncate(2 * MAX_FILE)
    assert fault(str(file)).endswith(".")


def test_files_beside_a_zip_bomb_are_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_paths, "MAX_FILE", 1_000_000)
    monkeypatch.setattr(import_paths, "MAX_ARCHIVE", 2_500_000)
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b"0" * 2_000_000)
        archive.writestr("b.zip", b"PK")
        archive.writestr("books/vell.orcbrew", BOOK)
        for name in ("c.json", "d.json", "e.json"):
            archive.writestr(name, b"0" * 900_000)
        archive.writestr("locked.json", b"{}")
        archive.writestr("broken.json", os.urandom(1000))
        archive.infolist()[-1].CRC = 7
        archive.infolist()[-2].flag_bits |= 1
    loaded = list(load(str(file)))
    assert [(Path(file.shown).name, file.fault) for file in loaded if file.fault] == [
        ("a.json", "it unpacks to more than 0 MB."),
        ("b.zip", "it is an archive inside an archive, which is not opened."),
        ("e.json", "with it the archive unpacks to more than 2 MB."),
        ("locked.json", "it is encrypted."),
        ("broken.json", "Bad CRC-32 for file 'broken.json'."),
    ]
    assert [file.name for file in loaded if not file.fault] == ["vell", "c", "d"]


def test_an_archive_in_a_folder_may_hold_no_homebrew(tmp_path: Path) -> None:
    file = tmp_path / "pictures.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("moth.png", b"x")
    [loaded] = load(str(file), folder=str(tmp_path))
    assert (loaded.fault, loaded.named) == ("", False)
    assert formats.read(loaded.data, loaded.name).foreign


MODULE = {"id": "fens", "title": "Lights of the Fens", "compatibility": {"minimum": 12}, "packs": [{"name": "mobs"}]}
SYSTEM = {
    **MODULE,
    "initiative": "1d20",
    "packs": [{"name": "mobs", "label": "Mobs of the Fens", "path": "packs/mobs"}],
}
MOTH = {"name": "Moth", "type": "npc", "system": {"source": {"book": "MM", "page": "12"}}}


@pytest.mark.parametrize(("manifest", "content", "title"), [
    ("module.json", MODULE, "Lights of the Fens"), ("system.json", SYSTEM, "Mobs of the Fens"),
    ("system.json", {"title": "No manifest"}, "packs"), ("none.json", {}, "packs"),
])  # fmt: skip
def test_a_pack_has_the_title_in_its_manifest_else_that_of_the_folder(
    tmp_path: Path, manifest: str, content: dict[str, Any], title: str
) -> None:
    (tmp_path / manifest).write_text(json.dumps(content))
    pack = tmp_path / "packs" / "mobs.db"
    pack.parent.mkdir()
    pack.write_text(json.dumps(MOTH))
    [loaded] = load(str(pack), folder=str(pack.parent))
    assert loaded.folder == title
    [book] = formats.read(loaded.data, loaded.name, None, loaded.folder).books
    assert book.document.name == title
    with zipfile.ZipFile(tmp_path / "fens.zip", "w") as archive:
        archive.write(tmp_path / manifest, f"x/{manifest}")
        archive.write(pack, "x/packs/mobs.db")
    [*_, packed] = load(str(tmp_path / "fens.zip"))
    assert packed.folder == (title if title != "packs" else "fens")


def test_the_documents_of_a_folder_are_one_file(tmp_path: Path) -> None:
    (tmp_path / "moth.yml").write_text("_key: '!actors!x'\nname: Ash Moth\ntype: npc\nsystem:\n  details: {cr: 2}\n")
    (tmp_path / "toad.json").write_text(json.dumps({**MOTH, "name": "Toad"}))
    (tmp_path / "book.orcbrew").write_bytes(BOOK)
    [orcbrew, pack] = load_files([str(tmp_path)])
    assert (orcbrew.name, pack.path, pack.name) == ("book", str(tmp_path), tmp_path.name)
    [book] = formats.read(pack.data, pack.name, None, pack.folder).books
    assert {item.record.name for item in book.items if item.record} == {"Ash Moth", "Toad"}
