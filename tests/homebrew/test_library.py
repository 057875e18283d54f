from __future__ import annotations

from pathlib import Path

import pytest

from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.settings import load_settings


@pytest.fixture
def shelf(tmp_path: Path) -> HomebrewLibrary:
    return HomebrewLibrary(tmp_path / "homebrew")


def files(shelf: HomebrewLibrary) -> list[str]:
    return sorted(file.suffix for file in shelf.folder.iterdir() if file.name != "shelf.id")


def test_a_stored_file_is_returned_byte_for_byte(shelf: HomebrewLibrary) -> None:
    data = b"\xef\xbb\xbf{} \r\n \xff"
    kept = shelf.keep(data, "vell", ["a", "b"], "/x/vell.orcbrew")
    again = HomebrewLibrary(shelf.folder)
    assert again.current() == {"a": (kept,), "b": (kept,)}
    assert again.data(kept) == data
    assert again.id == shelf.id != ""


def test_a_missing_library_is_empty(shelf: HomebrewLibrary) -> None:
    assert (shelf.id, shelf.kept(), shelf.current(), shelf.remove("a")) == ("", [], {}, False)
    assert not shelf.folder.exists()


def test_a_book_is_listed_in_every_file_that_has_it(shelf: HomebrewLibrary) -> None:
    first = shelf.keep(b"1", "one", ["a", "b"])
    second = shelf.keep(b"2", "two", ["b", "c"], "/x/two.orcbrew")
    assert shelf.current() == {"a": (first,), "b": (first, second), "c": (second,)}
    third = shelf.keep(b"1", "one", ["a", "b"])
    assert shelf.current()["b"] == (second, third), "the same file again is the newest"
    assert len(files(shelf)) == 4


def test_a_file_from_the_same_path_replaces_the_books_that_it_has(shelf: HomebrewLibrary) -> None:
    first = shelf.keep(b"1", "one", ["a", "b"], "/x/one.orcbrew")
    second = shelf.keep(b"2", "one", ["a"], "/x/one.orcbrew")
    assert shelf.current() == {"a": (second,), "b": (first,)}
    third = shelf.keep(b"3", "one", ["b"], "/x/one.orcbrew")
    assert shelf.current() == {"a": (second,), "b": (third,)}
    assert len(files(shelf)) == 4  # the first file has no current book any more


def test_several_caches_in_a_folder_have_separate_libraries(tmp_path: Path) -> None:
    caches = ("lorekeeper.db", "one.db", "two.db")
    own = [HomebrewLibrary.of(load_settings(milvus_db_path=tmp_path / db)).folder for db in caches]
    assert [folder.name for folder in own] == ["homebrew", "one.homebrew", "two.homebrew"]


def test_a_removed_book_does_not_reveal_an_older_version(shelf: HomebrewLibrary) -> None:
    shelf.keep(b"1", "one", ["a", "b"])
    shelf.keep(b"2", "two", ["a", "c"])
    assert shelf.remove("a")
    assert sorted(shelf.current()) == ["b", "c"]
    assert shelf.remove("b")
    assert shelf.remove("c")
    assert files(shelf) == []


def test_an_import_interrupted_before_its_card_changes_nothing(shelf: HomebrewLibrary) -> None:
    first = shelf.keep(b"1", "one", ["a"])
    (shelf.folder / "0123.orcbrew").write_bytes(b"half")
    (shelf.folder / ".0123.json.77.abcdef01").write_bytes(b'{"name": "x"')
    assert shelf.current() == {"a": (first,)}


def test_a_damaged_file_is_recognised(shelf: HomebrewLibrary, caplog: pytest.LogCaptureFixture) -> None:
    kept = shelf.keep(b"1", "one", ["a"])
    (shelf.folder / f"{kept.id}.orcbrew").write_bytes(b"2")
    with pytest.raises(ValueError, match="not the file that was imported"):
        shelf.data(kept)
    (shelf.folder / f"{kept.id}.json").write_text("{", encoding="utf-8")
    assert shelf.current() == {}
    assert "cannot be read" in caplog.text
