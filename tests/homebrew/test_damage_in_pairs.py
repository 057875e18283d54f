"""A file of the store and one of the library damaged together: the imported records stay, or come back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lorekeeper_mcp.homebrew.import_paths import ImportFile
from lorekeeper_mcp.homebrew.importer import import_files, read_file
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.homebrew.reconciler import reconcile_on_open
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from tests.store.damaged_stores import HARMS, files_of, restore, write_store

NAMES = ["Ash", "Birch", "Vell"]
BOOK = (
    b'{"Vell" {:orcpub.dnd.e5/feats {'
    b':ash {:name "Ash" :description "A text."} :birch {:name "Birch" :description "A text."}}}}'
)


def imported_names(cache: Cache) -> list[str]:
    return sorted(entry.name for entry in cache.catalog if entry.document_key == "vell")


@pytest.fixture
async def undamaged_with_book(tmp_path: Path) -> Path:
    """A closed store that has a book, with its library."""
    folder = tmp_path / "undamaged"
    folder.mkdir()
    settings = load_settings(milvus_db_path=folder / "x.db")
    await write_store(folder / "x.db")
    cache = await Cache.open(settings)
    file = read_file(ImportFile("vell.orcbrew", "vell", "/x/vell.orcbrew", BOOK))
    await import_files(cache, HomebrewLibrary.of(settings), [file])
    await cache.aclose()
    return folder


@pytest.mark.chaos
@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("suffix", [".json", ".id"])
async def test_a_book_survives_damage_to_the_store_and_to_the_library(
    undamaged_with_book: Path, tmp_path: Path, suffix: str, harm: Callable[[Path], None]
) -> None:
    folder = tmp_path / "damaged"
    folder.mkdir()
    settings = load_settings(milvus_db_path=folder / "x.db")
    library = HomebrewLibrary.of(settings)
    for name in files_of(undamaged_with_book):
        restore(undamaged_with_book, folder)
        harm(folder / name)
        for file in library.folder.glob(f"*{suffix}"):
            harm(file)
        originals = list(library.folder.glob("*.orcbrew"))
        for original in originals:
            os.utime(original, (0, 0))  # no import that is still running
        cache = await Cache.open(settings)
        await cache.open_milvus()
        await reconcile_on_open(cache, settings)
        assert imported_names(cache) == NAMES, name
        assert all(original.is_file() for original in originals)
        assert library.faults() == {}
        await cache.aclose()
