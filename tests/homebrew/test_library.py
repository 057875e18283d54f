"""The folder of imported files, whose cards say which file has which book."""

from __future__ import annotations

from pathlib import Path

import pytest

from lorekeeper_mcp.homebrew.library import HomebrewLibrary, StoredFile
from lorekeeper_mcp.settings import load_settings


@pytest.fixture
def library(tmp_path: Path) -> HomebrewLibrary:
    return HomebrewLibrary(tmp_path / "homebrew")


def add(library: HomebrewLibrary, data: bytes, name: str, books: list[str], path: str = "") -> StoredFile:
    at = max((stored.at for stored in library.files()), default=0) + 1
    stored = StoredFile.of(data, name, books, at, path)
    library.write(stored, data)
    return stored


def files(library: HomebrewLibrary) -> list[str]:
    return sorted(file.suffix for file in library.folder.iterdir() if file.suffix in (".json", ".orcbrew"))


def test_a_stored_file_is_returned_byte_for_byte(library: HomebrewLibrary) -> None:
    data = b"\xef\xbb\xbf{} \r\n \xff"
    stored = add(library, data, "vell", ["a", "b"], "/x/vell.orcbrew")
    reopened = HomebrewLibrary(library.folder)
    assert reopened.current() == {"a": (stored,), "b": (stored,)}
    assert reopened.read(stored) == data
    assert reopened.id == library.id != ""


def test_a_missing_library_is_empty(library: HomebrewLibrary) -> None:
    library.remove("a")
    assert (library.id, library.files(), library.current()) == ("", [], {})
    assert not library.folder.exists()


def test_a_book_is_merged_from_the_newest_file_of_each_path(library: HomebrewLibrary) -> None:
    first = add(library, b"1", "one", ["a", "b"], "/x/one.orcbrew")
    second = add(library, b"2", "two", ["b", "c"], "/x/two.orcbrew")
    assert library.current() == {"a": (first,), "b": (first, second), "c": (second,)}
    third = add(library, b"1", "one", ["a", "b"], "/x/one.orcbrew")
    assert library.current()["b"] == (second, third), "the same file again is the newest"
    fourth = add(library, b"3", "one", ["a"], "/x/one.orcbrew")
    assert library.current()["a"] == (fourth,)
    library.write(second.without("b"))
    assert library.current()["b"] == (third,)
    add(library, b"4", "one", ["b"], "/x/one.orcbrew")
    library.prune()
    assert third.id not in {stored.id for stored in library.files()}
    assert len(files(library)) == 6


def test_several_caches_in_a_folder_have_separate_libraries(tmp_path: Path) -> None:
    caches = ("lorekeeper.db", "one.db", "two.db")
    own = [HomebrewLibrary.of(load_settings(milvus_db_path=tmp_path / db)).folder for db in caches]
    assert [folder.name for folder in own] == ["homebrew", "one.homebrew", "two.homebrew"]


def test_a_removed_book_does_not_reveal_an_older_version(library: HomebrewLibrary) -> None:
    add(library, b"1", "one", ["a", "b"])
    add(library, b"2", "two", ["a", "c"])
    library.remove("a")
    assert sorted(library.current()) == ["b", "c"]
    library.remove("b")
    library.remove("c")
    assert files(library) == []


@pytest.mark.parametrize("card", ["{", "[]", "5", '{"name": 1}'])
def test_a_damaged_file_is_recognised(library: HomebrewLibrary, card: str) -> None:
    stored = add(library, b"1", "one", ["a"])
    (library.folder / f"{stored.id}.orcbrew").write_bytes(b"2")
    with pytest.raises(ValueError, match="not the file that was imported"):
        library.read(stored)
    (library.folder / f"{stored.id}.json").write_text(card, encoding="utf-8")
    assert library.current() == {}
    assert [orphan.stem for orphan in library.orphans()] == [stored.id]
