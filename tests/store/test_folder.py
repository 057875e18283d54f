"""Files that this program did not create are not moved, written or deleted."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import ForeignPathError
from lorekeeper_mcp.store.folder import quarantine, quarantined_stores
from tests.end_to_end.clients import environment
from tests.forked_command import command_line
from tests.own_records import spell


def database(path: Path) -> None:
    """A database of the user's own."""
    with sqlite3.connect(path) as own:
        own.execute("CREATE TABLE spent (what TEXT)")
    own.close()


def empty_file(path: Path) -> None:
    path.touch()


def documents(path: Path) -> None:
    path.mkdir()
    (path / "letter.txt").write_text("Dear all")


def other_collections(path: Path) -> None:
    """The files of another program that uses Milvus Lite."""
    (path / "collections" / "photos_of_cats").mkdir(parents=True)
    (path / "LOCK").touch()


FOREIGN = [database, empty_file, documents, other_collections]


def content(folder: Path) -> dict[str, bytes | None]:
    return {f.relative_to(folder).as_posix(): f.read_bytes() if f.is_file() else None for f in folder.rglob("*")}


@pytest.mark.parametrize("make", FOREIGN)
async def test_a_foreign_path_is_refused_and_unchanged(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "finance.db")
    before = content(tmp_path)
    for _ in range(4):
        with pytest.raises(ForeignPathError, match="did not create"):
            await Cache.open(load_settings(milvus_db_path=tmp_path / "finance.db"))
    assert content(tmp_path) == before


@pytest.mark.parametrize("command", [["status"], ["search", "fireball"], ["serve"], ["import", "x.orcbrew"], []])
def test_every_command_refuses_a_foreign_path_with_exit_code_2(command: list[str], tmp_path: Path) -> None:
    database(tmp_path / "finance.db")
    before = content(tmp_path)
    done = subprocess.run(
        [*command_line(), "--db-path", str(tmp_path / "finance.db"), *command],
        env=environment(tmp_path / "unused.db"),
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "finance.db is a file that LoreKeeper did not create." in done.stderr
    assert content(tmp_path) == before


async def test_an_empty_folder_can_become_a_store(tmp_path: Path) -> None:
    (tmp_path / "x.db").mkdir()
    cache = await Cache.open(load_settings(milvus_db_path=tmp_path / "x.db"))
    assert not cache.notice
    await cache.aclose()
    assert (tmp_path / "x.db" / ".lorekeeper").is_file()


async def test_a_store_without_a_marker_is_recognised_and_marked(tmp_path: Path) -> None:
    settings = load_settings(milvus_db_path=tmp_path / "x.db")
    cache = await Cache.open(settings)
    await cache.put([spell(1)])
    await cache.aclose()
    (tmp_path / "x.db" / ".lorekeeper").unlink()
    again = await Cache.open(settings)
    assert not again.notice
    assert [entry.key for entry in again.catalog] == ["own_1"]
    await again.aclose()
    assert (tmp_path / "x.db" / ".lorekeeper").is_file()


def test_only_our_own_quarantined_store_is_replaced(tmp_path: Path) -> None:
    for name in ("x.db", "y.db"):
        (tmp_path / name).mkdir()
    documents(tmp_path / "y.aside.db")
    with pytest.raises(ForeignPathError):
        quarantine(tmp_path / "y.db")
    assert not quarantined_stores(tmp_path / "y.db")
    for number in range(3):
        (tmp_path / "x.db" / "rows").write_text(str(number))
        assert quarantine(tmp_path / "x.db") == tmp_path / "x.aside.db"
    assert (tmp_path / "x.aside.db" / "rows").read_text() == "2"
    assert quarantined_stores(tmp_path / "x.db") == [tmp_path / "x.aside.db"]


async def test_a_foreign_collection_in_our_store_is_not_deleted(tmp_path: Path) -> None:
    settings = load_settings(milvus_db_path=tmp_path / "x.db")
    cache = await Cache.open(settings)
    await cache.open_milvus()
    await cache.aclose()
    theirs = tmp_path / "x.db" / "collections" / "photos_of_cats"
    ours = next(path for path in theirs.parent.iterdir())
    shutil.copytree(ours, theirs)
    await (await Cache.open(settings)).aclose()
    assert theirs.is_dir()
    assert any(theirs.iterdir())
