"""A folder whose files are imported when they change."""

from __future__ import annotations

import os
from pathlib import Path

from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.homebrew.watched_folder import WatchedFolder
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache


async def test_files_are_imported_when_they_change(tmp_path: Path) -> None:
    cache = await Cache.open(load_settings(milvus_db_path=tmp_path / "x.db"))
    library = HomebrewLibrary(tmp_path / "library")
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
    await cache.aclose()
