"""Every filter on homebrew: one value that selects an invented entry, and one that does not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from fastmcp import Client

from tests.cached_stores import copy_store
from tests.end_to_end.clients import every_result, in_process
from tests.end_to_end.homebrew_commands import command
from tests.sources.fivetools.invented import data

C, S, E, P = "search_creature", "search_spell", "search_equipment", "search_character_option"
ROWS: list[tuple[str, str, str, object, object]] = [
    (C, "Dusk Moth", "cr", "1/2", 3),
    (C, "Dusk Moth", "cr_min", 0.5, 1),
    (C, "Dusk Moth", "cr_max", 0.5, 0.25),
    (C, "Dusk Moth", "type", ["ooze", "monstrosity"], "ooze"),
    (C, "Dusk Moth", "subtype", "shapechanger", "devil"),
    (C, "Dusk Moth", "size", "small", "huge"),
    (C, "Dusk Moth", "size", "Medium", "tiny"),
    (C, "Dusk Moth", "alignment", "chaotic neutral", "evil"),
    (C, "Dusk Moth", "armor_class_min", 13, 14),
    (C, "Dusk Moth", "hit_points_min", 37, 38),
    (C, "Dusk Moth", "environment", "swamp", "forest"),
    (C, "Dusk Moth", "ability_min", {"dex": 16}, {"dex": 17}),
    (C, "Dusk Moth", "ability_max", {"int": 6}, {"int": 5}),
    (C, "Dusk Moth", "speed", "fly", "burrow"),
    (C, "Dusk Moth", "speed", "hover", "swim"),
    (C, "Dusk Moth", "speed_min", 60, 65),
    (C, "Dusk Moth", "sense", "blindsight", "tremorsense"),
    (C, "Dusk Moth", "language", "Elvish", "Draconic"),
    (C, "Dusk Moth", "damage_immunity", "poison", "fire"),
    (C, "Dusk Moth", "damage_resistance", "bludgeoning", "piercing"),
    (C, "Dusk Moth", "damage_vulnerability", "fire", "cold"),
    (C, "Dusk Moth", "condition_immunity", "poisoned", "stunned"),
    (C, "Dusk Moth", "condition", "blinded", "stunned"),
    (C, "Dusk Moth", "trait", "Dust", "Pack Tactics"),
    (C, "Dusk Moth", "trait", "swerve", "Parry"),
    (C, "Dusk Moth", "legendary", True, False),
    (C, "Dusk Moth", "casts", "Sleep", "Fireball"),
    (S, "Lantern Rain", "level", [1, 2], 3),
    (S, "Lantern Rain", "level_min", 2, 3),
    (S, "Lantern Rain", "level_max", 2, 1),
    (S, "Lantern Rain", "school", "evocation", "illusion"),
    (S, "Lantern Rain", "class_key", "wizard", "bard"),
    (S, "Lantern Rain", "class_key", "light", "life"),
    (S, "Lantern Rain", "concentration", True, False),
    (S, "Lantern Rain", "ritual", True, False),
    (S, "Lantern Rain", "casting_time", "bonus action", "reaction"),
    (S, "Lantern Rain", "damage_type", "fire", "cold"),
    (S, "Lantern Rain", "saving_throw", "dexterity", "wisdom"),
    (S, "Lantern Rain", "condition", "blinded", "stunned"),
    (S, "Lantern Rain", "duration", "10 minutes", "1 hour"),
    (S, "Lantern Rain", "verbal", True, False),
    (S, "Lantern Rain", "somatic", True, False),
    (S, "Lantern Rain", "material", True, False),
    (S, "Lantern Rain", "material_cost_min", 50, 51),
    (S, "Lantern Rain", "material_cost_max", 50, 49),
    (S, "Lantern Rain", "range_min", 60, 61),
    (S, "Lamp Sting", "range", "self", "touch"),
    (S, "Lamp Sting", "area", "cone", "line"),
    (S, "Lamp Sting", "attack_roll", True, False),
    (E, "Wick Knife", "category", "weapon", "ring"),
    (E, "Wick Knife", "property", "finesse", "reach"),
    (E, "Wick Knife", "damage_dice", "1d4", "1d8"),
    (E, "Wick Knife", "damage_type", "piercing", "slashing"),
    (E, "Wick Knife", "is_simple", False, True),
    (E, "Wick Knife", "is_ranged", False, True),
    (E, "Wax Coat", "stealth_disadvantage", True, False),
    (E, "Wick Knife", "is_finesse", True, False),
    (E, "Wick Knife", "is_light", False, True),
    (E, "Wick Knife", "is_magic", False, True),
    (E, "Wick Knife", "cost_min", 2, 3),
    (E, "Wick Knife", "cost_max", 2, 1),
    (E, "Wick Knife", "weight_max", 1, 0.5),
    (E, "Ever Candle", "rarity", "very rare", "rare"),
    (E, "Ever Candle", "requires_attunement", True, False),
    (E, "Ever Candle", "is_magic", True, False),
    (P, "Green Guild", "class_key", "lamplighter", "wizard"),
    (P, "Wick", "level", 1, 3),
    (P, "Ash Walker", "feat_type", "general", "origin"),
    (P, "Lamp Keeper", "skill", "perception", "stealth"),
    (P, "Ash Walker", "ability", "dexterity", "strength"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def brewed(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    folder = tmp_path_factory.mktemp("brewed")
    db = copy_store(seeded, folder / "own.db")
    (folder / "fens.json").write_bytes(data())
    done = command(db, "import", str(folder / "fens.json"))
    assert done.returncode == 0, done.stderr
    async with in_process(db, offline=True) as client:
        yield client


async def names(client: Client, tool: str, argument: str, value: object) -> set[str]:
    results = await every_result(client, tool, documents=["Lights of the Fens"], **{argument: value})
    return {result["name"] for result in results}


@pytest.mark.asyncio(loop_scope="module")
async def test_every_filter_selects_homebrew(brewed: Client) -> None:
    wrong = []
    for tool, name, argument, has, lacks in ROWS:
        if name not in await names(brewed, tool, argument, has):
            wrong.append(f"{argument}={has} leaves out {name}")
        if name in await names(brewed, tool, argument, lacks):
            wrong.append(f"{argument}={lacks} selects {name}")
    assert wrong == []


@pytest.mark.asyncio(loop_scope="module")
async def test_the_list_of_an_imported_subclass_leads_to_spells_of_other_books(brewed: Client) -> None:
    by_filter = await every_result(brewed, "search_spell", class_key="Green Guild")
    by_text = await every_result(brewed, "search_spell", search="Green Guild spells")
    assert {r["key"] for r in by_text} == {r["key"] for r in by_filter}
    assert {result["name"] for result in by_filter} == {"Entangle", "Spike Growth"}
    of_both = await every_result(brewed, "search_spell", class_key=["Green Guild", "wizard"], level=2, edition="2024")
    assert {"Spike Growth", "Misty Step"} <= {result["name"] for result in of_both}
    assert not await every_result(brewed, "search_spell", class_key="Green Guild", level=3)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_question_can_deny_a_filter(brewed: Client) -> None:
    lacks = {"monstrosities without tremorsense", "monstrosities that cannot swim", "small or smaller monstrosities"}
    has = {"monstrosities without blindsight", "monstrosities that can't fly", "monstrosities not immune to poison"}
    assert [search for search in lacks if "Dusk Moth" not in await names(brewed, C, "search", search)] == []
    for search in has:
        assert "Dusk Moth" not in {result["name"] for result in await every_result(brewed, C, search=search)}, search
