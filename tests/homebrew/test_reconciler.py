"""The cache follows the library, wherever an import was interrupted."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from lorekeeper_mcp.homebrew.import_paths import ImportFile
from lorekeeper_mcp.homebrew.importer import FileReport, import_files, preview, read_file, remove
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, StoredFile
from lorekeeper_mcp.homebrew.reconciler import entries_by_book, reconcile
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models import Source as Origin
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry

pytestmark = pytest.mark.asyncio(loop_scope="module")


def book(*items: str, name: str = "Vell") -> bytes:
    return f'{{"{name}" {{:orcpub.dnd.e5/feats {{{" ".join(items)}}}}}}}'.encode()


def feat(key: str, text: str = "A text.") -> str:
    return f':{key} {{:name "{key.title()}" :description "{text}"}}'


def source(data: bytes, path: str = "/x/vell.orcbrew") -> ImportFile:
    return ImportFile(path, Path(path).stem, path, data)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cache(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cache]:
    opened = await Cache.open(load_settings(milvus_db_path=tmp_path_factory.mktemp("reconciler") / "x.db"))
    yield opened
    await opened.aclose()


@pytest_asyncio.fixture(loop_scope="module")
async def library(cache: Cache, tmp_path: Path) -> HomebrewLibrary:
    """A library of its own, and a cache without homebrew."""
    await cache.delete([entry for entry in cache.catalog if entry.source is Origin.HOMEBREW])
    await cache.note({id_: {"source": "", "library": ""} for id_ in await cache.ledger() if id_.startswith("orcbrew:")})
    return HomebrewLibrary(tmp_path / "homebrew")


async def import_data(
    cache: Cache, library: HomebrewLibrary, data: bytes, path: str = "/x/vell.orcbrew", *, strict: bool = False
) -> FileReport:
    [report] = await import_files(cache, library, [read_file(source(data, path))], strict=strict)
    return report


def counts(report: FileReport) -> tuple[int, int, int, int, int]:
    [row] = report.rows
    return row.imported, row.updated, row.unchanged, row.skipped, row.removed


def entries(cache: Cache, key: str = "vell") -> Mapping[str, Entry]:
    return entries_by_book(cache).get(key, {})


def names(cache: Cache, key: str = "vell") -> list[str]:
    return sorted(entry.name for entry in entries(cache, key).values())


async def test_a_file_imported_again_updates_its_records(cache: Cache, library: HomebrewLibrary) -> None:
    data = book(feat("ash"), feat("birch"), feat("cedar"))
    assert counts(await import_data(cache, library, data)) == (3, 0, 0, 0, 0)
    assert counts(await import_data(cache, library, data)) == (0, 0, 3, 0, 0)
    data = book(feat("ash"), feat("birch", "Another text."), feat("dogwood"), ":bad 5")
    assert counts(await import_data(cache, library, data)) == (1, 1, 1, 1, 1)
    assert names(cache) == ["Ash", "Birch", "Dogwood", "Vell"]


async def test_unchanged_records_are_not_embedded_again(cache: Cache, library: HomebrewLibrary) -> None:
    await import_data(cache, library, book(feat("ash"), feat("birch")))
    while await cache.embed_pending(Family.OPTIONS):
        pass
    await import_data(cache, library, book(feat("ash"), feat("birch", "Another text.")))
    waiting = [entry.name for entry in entries(cache).values() if entry.kind == "feat" and not entry.has_vector]
    assert waiting == ["Birch"]
    await import_files(cache, library, [read_file(source(book(feat("ash"))))], force=True)
    assert entries(cache)["feat:orcbrew_vell_feats_ash"].has_vector


async def test_a_preview_writes_nothing(cache: Cache, library: HomebrewLibrary) -> None:
    prepared = read_file(source(book(feat("ash"))))
    for reports in (await preview(cache, library, [prepared]), await preview(None, library, [prepared])):
        assert [counts(report) for report in reports] == [(1, 0, 0, 0, 0)]
    assert entries(cache) == {}
    assert not library.folder.exists()


@pytest.mark.parametrize("stored", [0, 1, 2])
async def test_an_import_killed_half_way_is_finished_by_the_next_start(
    cache: Cache, library: HomebrewLibrary, stored: int
) -> None:
    await import_data(cache, library, book(feat("ash"), feat("birch"), feat("cedar")))
    data = book(feat("ash", "New."), feat("dogwood"))
    prepared = read_file(source(data))
    card = StoredFile.of(data, "vell", ["vell"], time.time_ns(), "/x/vell.orcbrew")
    library.write(card, data)  # the import is committed; then the process dies
    await cache.put(list(prepared.books[0].records()[:stored]))
    await reconcile(cache, library)
    assert names(cache) == ["Ash", "Dogwood", "Vell"]
    assert await reconcile(cache, library) == {}


async def test_a_removal_killed_half_way_is_finished_by_the_next_start(cache: Cache, library: HomebrewLibrary) -> None:
    await import_data(cache, library, book(feat("ash"), feat("birch")))
    library.remove("vell")
    await cache.delete(list(entries(cache).values())[:1])
    await reconcile(cache, library)
    assert entries(cache) == {}


async def test_books_with_one_name_are_merged_and_differences_reported(cache: Cache, library: HomebrewLibrary) -> None:
    await import_data(cache, library, book(feat("ash"), feat("birch"), feat("cedar")), "/x/one.orcbrew")
    data = book(feat("birch", "Mine."), feat("cedar"), feat("dogwood"))
    [planned] = await preview(cache, library, [read_file(source(data, "/x/two.orcbrew"))])
    report = await import_data(cache, library, data, "/x/two.orcbrew")
    assert planned == report
    assert counts(report) == (1, 2, 0, 0, 0)  # an item that is the same names the newer file
    assert [(conflict.path, conflict.other) for conflict in report.conflicts] == [
        ("Vell › feats › Birch", "/x/one.orcbrew")
    ]
    assert names(cache) == ["Ash", "Birch", "Cedar", "Dogwood", "Vell"]
    records = await cache.records(entries(cache).values())
    texts = {record.name: record.text for record in records.values()}
    assert texts["Birch"] == "Mine."
    await cache.delete(entries(cache).values())
    await cache.note({"orcbrew:vell": {}})
    await reconcile(cache, library)
    assert names(cache) == ["Ash", "Birch", "Cedar", "Dogwood", "Vell"]
    assert await remove(cache, library, "vell") == 5
    assert names(cache) == []


async def test_another_file_with_the_same_path_removes_no_book(cache: Cache, library: HomebrewLibrary) -> None:
    await import_data(cache, library, book(feat("ash")), "/x/export.orcbrew")
    report = await import_data(cache, library, book(feat("birch"), name="Orn"), "/x/export.orcbrew")
    assert report.missing == ("vell",)
    assert (names(cache), names(cache, "orn")) == (["Ash", "Vell"], ["Birch", "Orn"])


async def test_removals_are_named_and_refused_with_strict(cache: Cache, library: HomebrewLibrary) -> None:
    await import_data(cache, library, book(feat("ash"), feat("birch")))
    data = book(feat("ash"))
    refused = await import_data(cache, library, data, strict=True)
    assert "--strict forbids" in refused.fault
    assert names(cache) == ["Ash", "Birch", "Vell"]
    report = await import_data(cache, library, data)
    assert report.removed == refused.removed == ("Vell › Birch",)
    assert names(cache) == ["Ash", "Vell"]
    other = book(feat("ash", "Other."))
    assert "--strict forbids" in (await import_data(cache, library, other, "/x/other.orcbrew", strict=True)).fault


async def test_files_of_one_import_are_merged_in_their_order(cache: Cache, library: HomebrewLibrary) -> None:
    files = {
        "/x/fens.orcbrew": book(feat("ash"), feat("birch")),
        "/y/fens 2.orcbrew": book(feat("ash", "New."), feat("birch", "New."), feat("cedar")),
        "/x/more.orcbrew": book(feat("cedar", "Other.")),
        "/x/broken.orcbrew": b"{",
    }
    prepared = [read_file(source(data, path)) for path, data in files.items()]
    reports = await import_files(cache, library, prepared)
    assert [report.fault != "" for report in reports] == [False, False, False, True]
    assert [conflict.other for conflict in reports[2].conflicts] == ["/y/fens 2.orcbrew"]
    records = await cache.records(entries(cache).values())
    texts = {record.name: record.text for record in records.values() if record.name != "Vell"}
    assert texts == {"Ash": "New.", "Birch": "New.", "Cedar": "Other."}
    assert len(library.files()) == 2


async def test_a_book_of_which_a_file_is_unreadable_takes_further_files(cache: Cache, library: HomebrewLibrary) -> None:
    await import_data(cache, library, book(feat("ash"), feat("birch")), "/x/one.orcbrew")
    await import_data(cache, library, book(feat("birch", "New.")), "/x/two.orcbrew")
    damaged = library.current()["vell"][-1].id
    (library.folder / f"{damaged}.orcbrew").write_bytes(b"")
    await import_data(cache, library, book(feat("cedar")), "/x/three.orcbrew")
    records = await cache.records(entries(cache).values())
    texts = {record.name: record.text for record in records.values() if record.name != "Vell"}
    assert texts == {"Ash": "A text.", "Birch": "New.", "Cedar": "A text."}


async def test_an_item_too_large_to_store_is_skipped_and_the_rest_imported(
    cache: Cache, library: HomebrewLibrary
) -> None:
    noise = "".join(chr(0x4E00 + (i * 7919) % 20000) for i in range(60_000))
    report = await import_data(cache, library, book(feat("ash"), feat("huge", noise)))
    assert counts(report) == (1, 0, 0, 1, 0)
    assert "too large" in report.skips[0].reason
    assert names(cache) == ["Ash", "Vell"]


async def test_a_lost_library_removes_no_records(cache: Cache, library: HomebrewLibrary) -> None:
    await import_data(cache, library, book(feat("ash")))
    await asyncio.to_thread(shutil.rmtree, library.folder)
    await reconcile(cache, library)
    other = HomebrewLibrary(library.folder.with_name("other"))
    await import_data(cache, other, book(feat("birch"), name="Orn"))
    assert (names(cache), names(cache, "orn")) == (["Ash", "Vell"], ["Birch", "Orn"])
    assert await remove(cache, other, "vell") == 2


async def test_a_file_that_cannot_be_read_changes_nothing(cache: Cache, library: HomebrewLibrary) -> None:
    await import_data(cache, library, book(feat("ash")))
    report = await import_data(cache, library, b'{"Vell" {')
    assert "line 1" in report.fault
    assert names(cache) == ["Ash", "Vell"]


async def test_features_are_added_and_removed_with_their_class(cache: Cache, library: HomebrewLibrary) -> None:
    def lamplighter(*traits: str) -> bytes:
        features = " ".join(f'{{:name "{name}" :level 2 :description "A text."}}' for name in traits)
        return f'{{"Vell" {{:orcpub.dnd.e5/classes {{:lamp {{:name "Lamp" :traits [{features}]}}}}}}}}'.encode()

    assert counts(await import_data(cache, library, lamplighter("Wick", "Snuff"))) == (1, 0, 0, 0, 0)
    assert names(cache) == ["Lamp", "Snuff", "Vell", "Wick"]
    await import_data(cache, library, lamplighter("Wick", "Spark"))
    assert names(cache) == ["Lamp", "Spark", "Vell", "Wick"]
    await remove(cache, library, "vell")
    assert names(cache) == []


async def test_an_update_from_another_folder_replaces_the_book(cache: Cache, library: HomebrewLibrary) -> None:
    await import_data(cache, library, book(feat("ash"), feat("birch"), feat("cedar")), "/downloads/vell.orcbrew")
    report = await import_data(cache, library, book(feat("ash"), feat("birch", "New.")), "/books/vell (1).orcbrew")
    assert (report.removed, report.conflicts) == (("Vell › Cedar",), ())
    assert names(cache) == ["Ash", "Birch", "Vell"]
    assert len(library.files()) == 1
    await import_data(cache, library, book(feat("dogwood")), "/other/vell.orcbrew")
    assert names(cache) == ["Ash", "Birch", "Dogwood", "Vell"], "another part of the book"


def damage(file: Path, way: str) -> None:
    data = file.read_bytes()
    match way:
        case "deleted" | "folder":
            file.unlink()
            if way == "folder":
                file.mkdir()
        case "emptied":
            file.write_bytes(b"")
        case "cut":
            file.write_bytes(data[: len(data) // 2])
        case _:
            file.write_bytes(bytes([data[0] ^ 1]) + data[1:])


@pytest.mark.parametrize("way", ["deleted", "folder", "emptied", "cut", "flipped"])
@pytest.mark.parametrize("suffixes", [(".json",), (".orcbrew",), (".id",), (".json", ".id"), (".json", ".orcbrew")])
async def test_a_damaged_library_loses_nothing(
    cache: Cache, library: HomebrewLibrary, way: str, suffixes: tuple[str, ...]
) -> None:
    await import_data(cache, library, book(feat("ash"), feat("birch")))
    originals = [file for file in library.folder.glob("*.orcbrew") if ".orcbrew" not in suffixes]
    for suffix in suffixes:
        for file in list(library.folder.glob(f"*{suffix}")):
            damage(file, way)
    for _ in range(2):
        with_old_files = [file for file in library.folder.glob("*.orcbrew") if file.is_file()]
        for file in with_old_files:
            os.utime(file, (0, 0))
        await reconcile(cache, library)
        assert names(cache) == ["Ash", "Birch", "Vell"]
    report = await import_data(cache, library, book(feat("dogwood"), name="Orn"), "/x/orn.orcbrew")
    assert report.fault == ""
    assert (names(cache), names(cache, "orn")) == (["Ash", "Birch", "Vell"], ["Dogwood", "Orn"])
    assert all(file.is_file() for file in originals)
    if ".orcbrew" not in suffixes:
        assert library.faults() == {}
        assert sorted(library.current()) == ["orn", "vell"]
    elif ".json" not in suffixes:
        assert list(library.faults()) == ["vell"]
    else:
        assert "vell" in library.faults(["vell", "orn"])
    await remove(cache, library, "vell")
    assert names(cache) == []
