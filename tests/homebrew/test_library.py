from __future__ import annotations

from pathlib import Path

import pytest

from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.settings import load_settings


@pytest.fixture
def library(tmp_path: Path) -> HomebrewLibrary:
    return HomebrewLibrary(tmp_path / "homebrew")


def files(library: HomebrewLibrary) -> list[str]:
    return sorted(file.suffix for file in library.folder.iterdir() if file.suffix in (".json", ".orcbrew"))


def test_a_stored_file_is_returned_byte_for_byte(library: HomebrewLibrary) -> None:
    data = b"\xef\xbb\xbf{} \r\n \xff"
    stored = library.add(data, "vell", ["a", "b"], "/x/vell.orcbrew")
    reopened = HomebrewLibrary(library.folder)
    assert reopened.current() == {"a": (stored,), "b": (stored,)}
    assert reopened.read(stored) == data
    assert reopened.id == library.id != ""


def test_a_missing_library_is_empty(library: HomebrewLibrary) -> None:
    assert (library.id, library.stored_files(), library.current(), library.remove("a")) == ("", [], {}, False)
    assert not library.folder.exists()


def test_a_book_is_listed_in_every_file_that_has_it(library: HomebrewLibrary) -> None:
    first = library.add(b"1", "one", ["a", "b"])
    second = library.add(b"2", "two", ["b", "c"], "/x/two.orcbrew")
    assert library.current() == {"a": (first,), "b": (first, second), "c": (second,)}
    third = library.add(b"1", "one", ["a", "b"])
    assert library.current()["b"] == (second, third), "the same file again is the newest"
    assert len(files(library)) == 4


def test_a_file_from_the_same_path_replaces_the_books_that_it_has(library: HomebrewLibrary) -> None:
    first = library.add(b"1", "one", ["a", "b"], "/x/one.orcbrew")
    second = library.add(b"2", "one", ["a"], "/x/one.orcbrew")
    assert library.current() == {"a": (second,), "b": (first,)}
    third = library.add(b"3", "one", ["b"], "/x/one.orcbrew")
    library.prune()
    assert library.current() == {"a": (second,), "b": (third,)}
    assert len(files(library)) == 4  # the first file has no current book any more


def test_several_caches_in_a_folder_have_separate_libraries(tmp_path: Path) -> None:
    caches = ("lorekeeper.db", "one.db", "two.db")
    own = [HomebrewLibrary.of(load_settings(milvus_db_path=tmp_path / db)).folder for db in caches]
    assert [folder.name for folder in own] == ["homebrew", "one.homebrew", "two.homebrew"]


def test_a_removed_book_does_not_reveal_an_older_version(library: HomebrewLibrary) -> None:
    library.add(b"1", "one", ["a", "b"])
    library.add(b"2", "two", ["a", "c"])
    assert library.remove("a")
    assert sorted(library.current()) == ["b", "c"]
    assert library.remove("b")
    assert library.remove("c")
    assert files(library) == []


def test_an_import_interrupted_before_its_card_changes_nothing(library: HomebrewLibrary) -> None:
    first = library.add(b"1", "one", ["a"])
    (library.folder / "0123.orcbrew").write_bytes(b"half")
    (library.folder / ".0123.json.77.abcdef01").write_bytes(b'{"name": "x"')
    assert library.current() == {"a": (first,)}


def test_a_damaged_file_is_recognised(library: HomebrewLibrary, caplog: pytest.LogCaptureFixture) -> None:
    stored = library.add(b"1", "one", ["a"])
    (library.folder / f"{stored.id}.orcbrew").write_bytes(b"2")
    with pytest.raises(ValueError, match="not the file that was imported"):
        library.read(stored)
    (library.folder / f"{stored.id}.json").write_text("{", encoding="utf-8")
    assert library.current() == {}
    assert "cannot be read" in caplog.text
    assert library.orphans() == [stored.id]
