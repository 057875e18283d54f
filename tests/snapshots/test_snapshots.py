"""What clients see is what was last reviewed: ``uv run python -m tests.snapshots.update`` rewrites the files."""

from __future__ import annotations

import json

from lorekeeper_mcp.models import Kind
from tests.snapshots.invented_records import records
from tests.snapshots.update import FOLDER, all_snapshots, to_text


def test_schemas_prompts_and_answers_equal_their_snapshots() -> None:
    now = {name: to_text(snapshot) for name, snapshot in all_snapshots().items()}
    kept = {
        str(file.relative_to(FOLDER).as_posix()): file.read_text(encoding="utf-8") for file in FOLDER.rglob("*.json")
    }
    assert sorted(now) == sorted(kept)
    changed = {name for name in now if now[name] != kept[name]}
    assert changed == set()


def test_every_argument_has_one_type() -> None:
    """Some clients drop an argument with several types, or refuse its tool, however the schema expresses them."""
    for file in (FOLDER / "schemas" / "tools").glob("*.json"):
        properties = json.loads(file.read_text(encoding="utf-8"))["inputSchema"]["properties"]
        assert {name for name, schema in properties.items() if not isinstance(schema.get("type"), str)} == set(), file


def test_snapshots_cover_every_kind_of_a_book() -> None:
    kinds = [record.kind for record in records()]
    assert len(kinds) == len(set(kinds)) >= 16
    assert set(Kind) - set(kinds) <= {
        Kind.ABILITY_SCORE, Kind.DAMAGE_TYPE, Kind.WEAPON_PROPERTY, Kind.MAGIC_SCHOOL, Kind.ALIGNMENT, Kind.ENVIRONMENT,
        Kind.PLANE, Kind.PROFICIENCY, Kind.SIZE, Kind.CREATURE_TYPE, Kind.CREATURE_SET, Kind.ITEM_SET, Kind.SERVICE,
        Kind.ITEM_CATEGORY, Kind.ITEM_RARITY, Kind.IMAGE, Kind.LICENSE, Kind.PUBLISHER, Kind.GAME_SYSTEM,
    }  # fmt: skip
