"""Homebrew from the command line to the tools' answers, beside the embedded SRD."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fastmcp import Client

from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.models import Family, Kind, Record, Spell, family_of
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from tests.cached_stores import copy_store
from tests.end_to_end.clients import ask, environment, every_result, in_process, names, over_stdio
from tests.forked_command import command_line
from tests.owner_process import running_owner
from tests.sources.orcbrew.fixture_files import FOLDER, WHOLE, fixture, records, skips, stored

TOOLS = {
    Family.SPELLS: "search_spell",
    Family.CREATURES: "search_creature",
    Family.EQUIPMENT: "search_equipment",
    Family.OPTIONS: "search_character_option",
    Family.RULES: "search_rule",
}
RECORDS = {key: record for name in WHOLE for key, record in records(name).items()}
LARGE = 3_000  # spells of a book that takes seconds to store
STORED = [record for name in WHOLE for record in stored(name)]


def command(db: Path, *arguments: str, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*command_line(), *arguments],
        env=environment(db, LOREKEEPER_OFFLINE="true", **variables),
        cwd=db.parent,
        capture_output=True,
        timeout=120,
        check=False,
        input=stdin,
    )


def told(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def filters(record: Record) -> dict[str, object]:
    """Arguments of the record's tool, besides documents, that match it."""
    match record.kind:
        case Kind.SPELL:
            assert isinstance(record, Spell)
            return {"level": record.level}
        case Kind.CREATURE:
            return {"size": record.model_dump()["size"]}
        case Kind.RULE | Kind.LANGUAGE:
            return {"rule_type": str(record.kind)}
        case Kind.SPECIES:
            return {"type": "race"}
        case _:
            return {"type": str(record.kind)}


@pytest.fixture(scope="module")
def imported(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the embedded SRD into which the command imported our files: a folder of them, one of them bad."""
    db = copy_store(seeded, tmp_path_factory.mktemp("homebrew") / "own.db")
    done = command(db, "import", str(FOLDER), "--json")
    report = told(done)
    assert done.returncode == 1  # because of the truncated file alone
    faults = {Path(file["file"]).stem: file["fault"] for file in report["files"]}
    assert "line" in faults.pop("truncated")
    assert set(faults.values()) == {""}
    rows = [row for file in report["files"] for row in file["rows"]]
    assert sum(row["imported"] for row in rows) == len(RECORDS)
    assert sum(row["read"] for row in rows) == len(RECORDS) + len(skips("wrapped"))
    assert b"by meaning after a server has run" in done.stderr
    asyncio.run(embed(db))
    return db


async def embed(db: Path) -> None:
    """Do a server's embedding after an import."""
    cache = await Cache.open(load_settings(milvus_db_path=db))
    for family in Family:
        while await cache.embed_pending(family):
            pass
    await cache.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def brewed(imported: Path) -> AsyncIterator[Client]:
    async with in_process(imported, offline=True) as client:
        yield client


@pytest.mark.asyncio(loop_scope="module")
async def test_every_item_is_found_by_book_by_filter_and_by_name_with_its_text(brewed: Client) -> None:
    for record in RECORDS.values():
        tool = TOOLS[family_of(record.kind)]
        page = await ask(brewed, tool, documents=[record.document_name], search=record.name, detail="full")
        found = {result["key"]: result for result in page["results"]}
        assert record.key in found, record.key
        result = found[record.key]
        assert (result["document_name"], result["document_key"]) == (record.document_name, record.document_key)
        assert (result["document_source"], result["edition"]) == ("orcbrew", "2014")
        assert record.text.strip() in result["text"]
        assert all(field.text in result["text"] for field in record.other)
        named = await ask(brewed, tool, search=record.name)
        tops = [
            result["key"] == record.key or record.document_key in result.get("also_in", [])
            for result in named["results"][:4]
        ]
        assert any(tops), record.key
    filtered = {(TOOLS[family_of(r.kind)], json.dumps(filters(r))) for r in RECORDS.values()}
    for tool, arguments in filtered:
        wanted = {
            r.key for r in RECORDS.values() if (TOOLS[family_of(r.kind)], json.dumps(filters(r))) == (tool, arguments)
        }
        books = sorted({r.document_key for r in RECORDS.values()})
        results = await every_result(brewed, tool, documents=books, **json.loads(arguments))
        assert {result["key"] for result in results} == wanted, arguments


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("tool", "search", "name"),
    [
        ("search_spell", "floating paper lantern that hurts those beneath it with radiant light", "Bigby's Lantern"),
        ("search_creature", "moth with powdered wings that put watchers to sleep", "Dusk Moth"),
        ("search_character_option", "people with insect wings who feel fire nearby", "Mothfolk"),
        ("search_character_option", "read omens in fire", "Lamp Reader"),
        ("search_equipment", "candle that stays lit below the sea", "Ever Candle"),
        ("search_rule", "language made of light signals", "Flicker"),
    ],
)
async def test_items_are_found_by_meaning_among_the_srd(brewed: Client, tool: str, search: str, name: str) -> None:
    results = (await ask(brewed, tool, search=search))["results"]
    whole = [result["name"] for result in results if result["kind"] != "feature"]  # traits may come before them
    assert name in whole[:3]


@pytest.mark.asyncio(loop_scope="module")
async def test_filters_select_homebrew_by_their_meaning(brewed: Client) -> None:
    book = ["Moths of Amberfen"]
    for tool, arguments, wanted in (
        ("search_spell", {"concentration": True}, {"Bigby's Lantern"}),
        ("search_spell", {"class_key": "wizard"}, {"Bigby's Lantern", "Fireball"}),
        ("search_spell", {"class_key": "bard"}, set()),
        ("search_spell", {"class_key": "srd_wizard", "saving_throw": "wisdom"}, {"Bigby's Lantern"}),
        ("search_spell", {"casting_time": "bonus action", "ritual": True}, {"Bigby's Lantern"}),
        ("search_creature", {"cr": "1/4", "type": "monstrosity"}, {"Dusk Moth"}),
        ("search_creature", {"hit_points_min": 30, "ability_min": {"strength": 16}}, {"Dusk Moth"}),
        ("search_character_option", {"type": "subrace"}, {"Luna", "Fen Gnome"}),
        ("search_character_option", {"type": "subclass", "class_key": "cleric"}, {"Lantern Domain"}),
        ("search_character_option", {"type": "subclass", "class_key": "lamplighter"}, {"Green Wick"}),
        ("search_equipment", {"is_finesse": True, "damage_type": "piercing"}, {"Wick Knife"}),
        ("search_equipment", {"rarity": "very rare", "requires_attunement": True}, {"Ever Candle"}),
        ("search_equipment", {"category": "medium"}, {"Wax Coat"}),
        ("search_rule", {"section": "encounters"}, {"Fen Ambush"}),
    ):
        found = await ask(brewed, tool, documents=book, **arguments)
        assert set(names(found)) == wanted, arguments


@pytest.mark.asyncio(loop_scope="module")
async def test_names_shared_by_the_srd_and_two_books_stay_separate(brewed: Client) -> None:
    together = await ask(brewed, "search_spell", search="Fireball")
    assert together["results"][0]["document_key"] == "srd-2024"
    assert set(together["results"][0]["also_in"]) == {"srd-2014", "moths-of-amberfen", "unnamed-content"}
    books = ["srd-2014", "Moths of Amberfen", "unnamed-content"]
    apart = await ask(brewed, "search_spell", search="Fireball", documents=books)
    assert [result["document_key"] for result in apart["results"] if result["name"] == "Fireball"] == [
        "srd-2014",
        "moths-of-amberfen",
        "unnamed-content",
    ]
    assert {r["key"] for r in (await ask(brewed, "search_spell", search="srd_fireball"))["results"]} == {"srd_fireball"}


@pytest.mark.asyncio(loop_scope="module")
async def test_books_are_listed_as_documents(brewed: Client) -> None:
    listed = (await ask(brewed, "list_documents", source="orcbrew"))["documents"]
    counts = {one["document_name"]: one["entity_count"] for one in listed}
    books = {record.document_name for record in RECORDS.values()}
    assert counts == {book: sum(r.document_name == book for r in STORED) for book in books}


def test_a_dry_run_reports_all_and_writes_nothing(tmp_path: Path) -> None:
    done = command(tmp_path / "new.db", "import", "--dry-run", "--json", str(fixture("wrapped")))
    assert sum(row["imported"] for row in told(done)["files"][0]["rows"]) == len(records("wrapped"))
    assert list(tmp_path.iterdir()) == []


def test_import_handles_strict_globs_stdin_and_missing_files(tmp_path: Path) -> None:
    db = tmp_path / "new.db"
    for stem in ("forms", "torn"):
        shutil.copy(fixture(stem), tmp_path)
    done = command(db, "import", "--dry-run", "--strict", "*.orcbrew")
    assert (done.returncode, b"Torn Page" in done.stdout, b"torn" in done.stdout) == (0, False, True)
    assert command(db, "import", "--dry-run", "--strict", str(fixture("wrapped"))).returncode == 1
    done = command(db, "import", "--dry-run", "--json", "-", stdin=fixture("lanterns-of-vell").read_bytes())
    assert told(done)["files"][0]["rows"][0]["book"] == "Vell"
    done = command(db, "import", "nothing.orcbrew")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.count(b"\n") == 1
    done = command(db, "import", "--dry-run", "nothing.orcbrew", "forms.orcbrew")
    assert (done.returncode, b"forms" in done.stdout, b"nothing.orcbrew: " in done.stderr) == (1, True, True)
    assert not db.exists()


def test_a_book_exported_in_another_format_can_be_imported_again(seeded: Path, tmp_path: Path) -> None:
    first, second = (copy_store(seeded, tmp_path / name) for name in ("first.db", "second.db"))
    with running_owner(first), running_owner(second):
        assert command(first, "import", str(fixture("lanterns-of-vell"))).returncode == 0
        done = command(first, "export", "lanterns of vell", "--format", "5etools", "-o", str(tmp_path / "vell.json"))
        assert (done.returncode, done.stdout) == (0, b""), done.stderr
        assert b"items exported" in done.stderr
        again = command(second, "import", "--json", str(tmp_path / "vell.json"))
        assert again.returncode == 0, again.stderr
        rows = told(again)["files"][0]["rows"]
        assert sum(row["imported"] for row in rows) == len(records("lanterns-of-vell"))
        piped = command(first, "export", "lanterns-of-vell", "--format", "orcbrew")
        assert b":orcpub.dnd.e5/" in piped.stdout
        missing = command(first, "export", "no such book", "--format", "orcbrew")
        assert (missing.returncode, missing.stdout, missing.stderr.count(b"\n")) == (1, b"", 1)


def test_a_copy_is_resolved_from_an_imported_file(seeded: Path, tmp_path: Path) -> None:
    db, other = (copy_store(seeded, tmp_path / name) for name in ("new.db", "other.db"))
    copy, original = tmp_path / "copy.json", tmp_path / "original.json"
    moth = {"name": "Dusk Moth", "source": "FENS", "hp": {"average": 37}, "cr": "1/2"}
    original.write_text(json.dumps({"monster": [moth]}))
    copied = {"name": "Pale Moth", "source": "BOG", "_copy": {"name": "Dusk Moth", "source": "FENS"}}
    copy.write_text(json.dumps({"monster": [copied]}))
    with running_owner(db):
        alone = told(command(db, "import", "--json", str(copy)))["files"][0]
        assert "not in these files" in alone["skips"][0]["reason"]
        assert told(command(db, "import", "--json", str(original)))["files"][0]["skips"] == []
        again = told(command(db, "import", "--json", str(copy)))["files"][0]
        assert (again["skips"], again["rows"][0]["imported"]) == ([], 1)
    together = told(command(other, "import", "--json", str(copy), str(original)))
    assert [file["skips"] for file in together["files"]] == [[], []]


def test_a_stat_block_extends_records_of_other_files_and_the_store(seeded: Path, tmp_path: Path) -> None:
    db, folder = copy_store(seeded, tmp_path / "new.db"), tmp_path / "vault"
    folder.mkdir()
    # In the order of their names, each but the last copies from one that is read after it.
    blocks = {
        "a.md": "name: Elder Toad\nextends: Old Toad\nhp: 40",
        "b.md": "name: Old Toad\nextends: Fen Toad\nhp: 20\ntraits+:\n  - [Old, It is old.]",
        "c.md": "name: Pale Moth\nextends: Dusk Moth\nhp: 4",
        "e.md": "name: Fen Toad\nac: 11\nhp: 9\ntraits:\n  - [Croak, It croaks.]",
    }
    for name, text in blocks.items():
        (folder / name).write_text(f"```statblock\nsource: Fens\n{text}\n```\n")
    moth = {"name": "Dusk Moth", "source": "MOTHS", "ac": [13], "cr": "1/2"}
    (folder / "d.json").write_text(json.dumps({"monster": [moth]}))
    with running_owner(db):
        together = told(command(db, "import", "--json", str(folder)))["files"]
        assert [file["skips"] for file in together] == [[]] * 5
        page = command(db, "show", "Elder Toad", "--document", "Fens").stdout.decode()
        assert ("11" in page, "40" in page, "It croaks." in page, "It is old." in page) == (True,) * 4
        again = told(command(db, "import", "--json", str(folder)))["files"]
        assert {row["unchanged"] for file in again for row in file["rows"]} == {1}
        # A stored original is enough, and an item of a removed book stays as it was made.
        (folder / "f.md").write_text("```statblock\nname: Last Toad\nextends: Elder Toad\n'hp': 1\n```\n")
        assert told(command(db, "import", "--json", str(folder / "f.md")))["files"][0]["skips"] == []
        assert command(db, "remove", "Fens").returncode == 0
        forced = command(db, "import", "--json", str(folder / "d.json"), "--force")
        assert forced.returncode == 0, forced.stderr
        assert b"It croaks." in command(db, "show", "Last Toad").stdout


def kill_while_importing(db: Path, file: Path) -> None:
    """Import a file, and kill the process as soon as the file is stored."""
    before = len(list(db.with_suffix(".homebrew").glob("*.json")))
    with subprocess.Popen(
        [sys.executable, "-m", "lorekeeper_mcp", "import", str(file)],
        env=environment(db, LOREKEEPER_OFFLINE="true"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while len(list(db.with_suffix(".homebrew").glob("*.json"))) == before and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)


@pytest.mark.chaos
async def test_imports_work_beside_a_server_and_after_a_kill(own: Path) -> None:
    async with over_stdio(own, LOREKEEPER_OFFLINE="true") as client:
        assert (await ask(client, "search_creature", type="undead", documents=["srd-2014"]))["total"] == 18
        # Without a model everything is imported, and found by meaning later.
        done = command(own, "import", "--json", str(fixture("forms")), LOREKEEPER_EMBEDDING_MODEL="/no/such/model")
        assert done.returncode == 0, done.stderr
        assert b"by meaning" in done.stderr
        listed = (await ask(client, "list_documents", source="orcbrew"))["documents"]
        assert sum(one["entity_count"] for one in listed) == len(stored("forms")), "the server sees it at once"
        assert (await ask(client, "search_creature", type="undead", documents=["srd-2014"]))["total"] == 18
    kill_while_importing(own, fixture("wrapped"))
    async with over_stdio(own, LOREKEEPER_OFFLINE="true") as client:
        listed = (await ask(client, "list_documents", source="orcbrew"))["documents"]
        assert sum(one["entity_count"] for one in listed) == len(stored("wrapped") + stored("forms"))
    done = command(own, "remove", "moths of amberfen", "First")
    assert done.returncode == 0, done.stderr
    assert command(own, "remove", "First").returncode == 1
    async with in_process(own, offline=True) as client:
        listed = (await ask(client, "list_documents", source="orcbrew"))["documents"]
        assert {one["document_key"] for one in listed} == {"second", "forms", "unnamed-content"}


@pytest.mark.chaos
async def test_the_owner_finishes_an_import_whose_command_is_killed(own: Path, tmp_path: Path) -> None:
    spells = (
        f':zap-{n} {{:option-pack "Large Book" :name "Zap {n}" :key :zap-{n} :school "evocation" :level 1}}'
        for n in range(LARGE)
    )
    file = tmp_path / "large.orcbrew"
    file.write_text(f"{{:orcpub.dnd.e5/spells {{{' '.join(spells)}}}}}")
    library = HomebrewLibrary.of(load_settings(milvus_db_path=own))
    async with in_process(own, offline=True) as client:
        await ask(client, "list_documents")
        importing = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "lorekeeper_mcp", "import", str(file)),
            env=environment(own, LOREKEEPER_OFFLINE="true"),
            stderr=subprocess.DEVNULL,
        )
        while not library.current():
            assert importing.returncode is None
            await asyncio.sleep(0.01)
        importing.kill()
        await importing.wait()
        for _ in range(600):
            listed = (await ask(client, "list_documents", source="orcbrew"))["documents"]
            if sum(one["entity_count"] for one in listed) == LARGE:
                return
            await asyncio.sleep(0.1)
    raise AssertionError(listed)
