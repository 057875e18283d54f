"""Items of Foundry's actors with the numbers of the actor."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import Creature, Spell
from tests.corpus.entries import parsed
from tests.sources.imported_items import read_file, read_records

MODERN, MOTE = parsed("foundry/fens-2024")
[DRAKE] = parsed("foundry/fens-2014")
WARDEN: dict[str, Any] = {
    "name": "Marsh Warden",
    "type": "npc",
    "system": {
        "abilities": {"str": {"value": 16}, "dex": {"value": 18}, "cha": {"value": 8}},
        "details": {"cr": 5},
    },
    "items": [
        {
            "name": "Reed Spear",
            "type": "weapon",
            "system": {
                "actionType": "mwak", "weaponType": "simpleM", "proficient": True,
                "damage": {"parts": [["1d6 + @mod", "piercing"]], "versatile": "1d8 + @mod"},
            },
        },
        {
            "name": "Beak",
            "type": "weapon",
            "system": {
                "description": {"value": "<p>[[/attack extended]]. [[/damage extended]]</p>"}, "properties": ["fin", "mgc"],
                "magicalBonus": 1, "damage": {"base": {"number": 2, "denomination": 8, "types": ["piercing"]}},
                "range": {"reach": 10, "units": "ft"},
                "activities": {"a": {"type": "attack", "damage": {"parts": [{"number": 1, "denomination": 6, "types": ["necrotic"]}]}, "attack": {"type": {"value": "melee", "classification": "weapon"}},
                                     "activation": {"type": "action"},
                                     "range": {"value": 99, "units": "ft", "override": False}}},
            },
        },
        {"name": "Charm", "type": "feat", "system": {"description": {"value": "DC [[8 + @prof + @abilities.cha.mod]], or @abilities.dex.dc."}}},
        {"name": "Odd", "type": "weapon", "system": {"actionType": "mwak", "attackBonus": "1d4", "ability": "wis",
                                                     "damage": {"parts": [["1d6 + @mod", "fire"]]}}},
    ],
}  # fmt: skip


def test_items_of_an_actor_have_its_numbers() -> None:
    [warden] = read_records(WARDEN).values()
    assert isinstance(warden, Creature)
    texts = {part.name: part.text for part in (*warden.actions, *warden.traits)}
    assert texts["Reed Spear"].startswith(
        "*Melee Weapon Attack:* +6 to hit. *Hit:* 6 (1d6 + 3) piercing damage, or 7 (1d8 + 3) damage with"
    )
    assert texts["Beak"].startswith("*Melee Weapon Attack:* +8 to hit, reach 10 ft. *Hit:* 14 (2d8 + 5) piercing")
    assert "(1d6) necrotic" in texts["Beak"]
    assert "99" not in texts["Beak"]  # the item's own range applies if an activity does not override it
    assert texts["Charm"] == "DC 10, or 15."
    assert texts["Odd"].startswith("*Hit:* 1d6 + ability modifier fire")  # an item without known numbers


MODERN_TEXTS = {
    "Legendary Resistance (3/Day)": "If the fen warden fails a saving throw, it can succeed instead.",
    "Mucus": "*Constitution Saving Throw:* DC 14, each creature in a 5-foot Emanation from the fen warden.\n\n"
    "*Failure:* 6 (1d12) acid damage, and the Poisoned condition.",
    "Tentacle": "*Melee Attack Roll:* +9, reach 10 ft. *Hit:* 12 (2d6 + 5) bludgeoning damage. It is Grappled "
    "(escape DC 15).\n\n**Escape Check.** DC 15 Acrobatics or Athletics check",
    "Multiattack": "The fen warden makes two Tentacle attacks and uses Gaze.",
    "Gaze (2/Day)": "DC 16 Wisdom saving throw, one creature within 30 feet: 3d6 psychic damage.",
    "Spellcasting": "It casts (spell save DC 16):\n\n**At Will:** *Fog Wall*\n\nA **mote** of fog.",
}


def test_enrichers_are_resolved_from_the_activity_that_they_name() -> None:
    warden = read_records([MODERN, MOTE])["Fen Warden"]
    assert isinstance(warden, Creature)
    texts = {part.name: part.text for part in (*warden.actions, *warden.traits)}
    assert {name: texts[name] for name in MODERN_TEXTS} == MODERN_TEXTS
    assert (warden.challenge_rating, warden.experience_points, warden.initiative_bonus) == (10, 5900, 7)
    assert (warden.saving_throws, warden.skills) == ({"dexterity": 3, "wisdom": 6}, {"history": 12})


def test_a_creature_of_a_version_before_4_has_its_numbers() -> None:
    [drake] = read_records(DRAKE).values()
    assert isinstance(drake, Creature)
    assert {part.name: part.text for part in (*drake.actions, *drake.traits)} == {
        "Bite": "*Melee Weapon Attack:* +7 to hit, reach 10 ft. *Hit:* 15 (2d10 + 4) piercing plus 7 (2d6) poison damage.",
        "Sting": "**Save.** when it is hit; 2d6 poison; DC 14 Constitution saving throw",
        "Breath (Recharge 5–6)": "Each creature in a 30-foot cone: DC 14 Constitution saving throw, 6d8 poison damage.",
        "Amphibious": "It breathes.",
        "Equipment": "Chain Shirt",
    }
    assert (drake.hit_points, drake.experience_points, drake.skills) == (95, 1800, {"perception": 4})
    assert drake.saving_throws == {"dexterity": 5, "constitution": 6}
    assert [(section.name, section.text) for section in drake.other] == [("Source", "Fens, page 4")]


def test_spells_that_no_book_has_become_spells() -> None:
    records = read_records([MODERN, MOTE], "fens")
    fog = records["Fog Wall"]
    assert isinstance(fog, Spell)
    assert (fog.level, fog.school, fog.saving_throw) == (3, "conjuration", "dexterity")
    assert (fog.damage_roll, fog.range, fog.editions) == ("4d8", 60.0, ("2024",))
    light = {"name": "Light", "type": "spell", "system": {"level": 0, "description": "The SRD's."}}
    assert list(read_records({**MODERN, "items": [light]})) == ["Fen Warden"]


def test_a_number_that_the_file_does_not_say_is_not_on_the_page() -> None:
    trait = {"name": "Hum", "type": "feat", "system": {
        "description": {"value": "It hums."}, "save": {"ability": "", "dc": None, "scaling": "spell"},
        "actionType": "", "activation": {"type": "", "cost": 0}, "damage": {"parts": [], "versatile": ""}, "uses": {"value": None, "max": "", "per": ""},
        "target": {"value": None, "units": "", "type": ""}, "range": {"value": None, "units": ""}, "recharge": {"value": None, "charged": False},
    }}  # fmt: skip
    hummer = {"name": "Hummer", "type": "npc", "system": {
        "details": {"cr": 7, "xp": {"value": 10}}, "attributes": {"spellcasting": "int", "spelldc": 8},
        "abilities": {"int": {"value": 6}},
    }, "items": [trait]}  # fmt: skip
    record = read_records(hummer)["Hummer"]
    assert isinstance(record, Creature)
    assert (record.experience_points, record.traits[0].text, record.other) == (2900, "It hums.", ())


def test_a_file_is_one_book_and_a_folder_of_a_pack_is_no_entry() -> None:
    def moth(number: int) -> dict[str, Any]:
        return {"name": f"Moth {number}", "type": "npc", "system": {"details": {"source": f"MC pg. {number}"}}}

    folder = {"name": "#[CF_tempEntity]", "type": "npc", "system": {}}
    [book] = read_file([moth(1), folder, moth(2)], "Moths of the Fens").books
    assert book.document.name == "Moths of the Fens"
    assert [item.record.other[-1].text for item in book.items if item.record] == ["MC, page 1", "MC, page 2"]
    [exported] = read_file(moth(3), "fvtt-Actor-moth-3-aB3dE5gH7jK9mN1p").books
    assert exported.document.name == "MC"
