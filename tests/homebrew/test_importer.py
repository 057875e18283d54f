"""Copies of stored records, and a folder whose files are imported when they change."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from lorekeeper_mcp.homebrew.import_paths import ImportFile
from lorekeeper_mcp.homebrew.importer import FileReport, WatchedFolder, import_files, read_file, stored_originals
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.homebrew.reconciler import reconcile
from lorekeeper_mcp.models import Creature, Document, Edition, Kind, Source
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.sources.originals import Originals
from lorekeeper_mcp.store.cache import Cache

KEY = "tome-of-moths-2"
OF_BOOK = {
    "document_key": KEY,
    "document_name": "Tome of Moths 2",
    "document_source": Source.OPEN5E_V2,
    "documents": (KEY,),
    "editions": (Edition.E2014,),
}
BOOK = Document(kind=Kind.DOCUMENT, key=KEY, name="Tome of Moths 2", **OF_BOOK)
GNARL = Creature(
    kind=Kind.CREATURE, key="tom2_gnarl", name="Gnarl", size="huge", type="plant", armor_class=17, **OF_BOOK
)


@pytest_asyncio.fixture
async def cache(tmp_path: Path) -> AsyncIterator[Cache]:
    opened = await Cache.open(load_settings(milvus_db_path=tmp_path / "x.db"))
    yield opened
    await opened.aclose()


@pytest.fixture
def library(tmp_path: Path) -> HomebrewLibrary:
    return HomebrewLibrary(tmp_path / "homebrew")


def copy(source: str, name: str = "Gnarl") -> bytes:
    young = {"name": "Young Gnarl", "source": "VELL", "size": ["L"], "_copy": {"name": name, "source": source}}
    sources = [{"json": "VELL", "full": "Vell"}]
    return json.dumps({"_meta": {"sources": sources}, "monster": [young]}).encode()


async def import_copy(cache: Cache, library: HomebrewLibrary, data: bytes) -> FileReport:
    file = ImportFile("/x/vell.json", "vell", "/x/vell.json", data)
    originals = Originals(record=stored_originals(cache))
    [report] = await import_files(cache, library, [await asyncio.to_thread(read_file, file, originals)])
    return report


async def stored_copy(cache: Cache) -> Creature:
    records = await cache.records(entry for entry in cache.catalog if entry.name == "Young Gnarl")
    [record] = records.values()
    assert isinstance(record, Creature)
    return record


@pytest.mark.asyncio
async def test_a_copy_of_a_stored_record_stays_when_the_record_is_removed(
    cache: Cache, library: HomebrewLibrary
) -> None:
    report = await import_copy(cache, library, copy("TOM2"))
    assert 'a copy of "Gnarl" (TOM2)' in report.skips[0].reason, "nothing is stored yet"
    await cache.put([BOOK, GNARL])
    for source in ("TOM2", "Tome of Moths 2", KEY):
        report = await import_copy(cache, library, copy(source))
        assert report.skips == (), source
        young = await stored_copy(cache)
        assert (young.size, young.type, young.armor_class) == ("large", "plant", 17)
        assert (young.document_source, young.document_name) == (Source.HOMEBREW, "Vell")
    # The store is lost; Open5e is not fetched again before the library is reconciled.
    await cache.delete(list(cache.catalog))
    await cache.note({"orcbrew:vell": {}})
    await reconcile(cache, library)
    assert (await stored_copy(cache)).armor_class == 17


@pytest.mark.asyncio
async def test_a_record_of_another_book_is_no_original(cache: Cache, library: HomebrewLibrary) -> None:
    await cache.put([BOOK, GNARL])
    for data in (copy("MM"), copy("TOM"), copy("TOM2", "Gnarly")):
        report = await import_copy(cache, library, data)
        assert "which is not in these files, the SRD or the store" in report.skips[0].reason


@pytest.mark.asyncio
async def test_a_copy_of_an_imported_orcbrew_item_is_resolved(cache: Cache, library: HomebrewLibrary) -> None:
    data = b'{"Old Fens" {:orcpub.dnd.e5/monsters {:gnarl {:name "Gnarl" :type :plant :armor-class 15}}}}'
    await import_files(cache, library, [read_file(ImportFile("/x/old.orcbrew", "old", "/x/old.orcbrew", data))])
    report = await import_copy(cache, library, copy("Old Fens"))
    assert report.skips == ()
    assert (await stored_copy(cache)).armor_class == 15


@pytest.mark.asyncio
async def test_files_are_imported_when_they_change(cache: Cache, library: HomebrewLibrary, tmp_path: Path) -> None:
    folder = tmp_path / "watched"
    watched = WatchedFolder(folder)
    assert await watched.import_changes(cache, library) == 0, "the folder need not exist"
    folder.mkdir()
    file = folder / "vell.orcbrew"
    for text in ("first", "second"):
        file.write_text(f'{{"Vell" {{:orcpub.dnd.e5/feats {{:one {{:name "One" :description "{text}"}}}}}}}}')
        assert await watched.import_changes(cache, library) == 0, "it may still be written"
        os.utime(file, (1, len(text)))
        assert await watched.import_changes(cache, library) == 1
        [record] = (await cache.records(entry for entry in cache.catalog if entry.kind is Kind.FEAT)).values()
        assert text in record.model_dump_json()
        assert await watched.import_changes(cache, library) == 0
    assert await WatchedFolder(folder).import_changes(cache, library) == 0, "the library has it"
