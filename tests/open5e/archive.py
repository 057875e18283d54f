"""The records that only version 1 has, and the parts of creatures, species and spells that version 2 lost."""

from __future__ import annotations

from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH
from tests.open5e import creatures, options, spells
from tests.open5e.books import names, pick, slug
from tests.open5e.parameters import Raw

RARITIES = ("Common", "Uncommon", "Rare", "Very Rare", "Legendary")
_V1_BOOKS = {"a5e-ag": "a5e", "deepm": "dmag", "toh": "toh"}
TITLES = {
    "a5e": "Level Up Advanced 5e",
    "toh": "Tome of Heroes",
    "vom": "Vault of Magic",
    "tob3": "Tome of Beasts 3",
    "wotc-srd": "5e Core Rules",
    "dmag": "Deep Magic",
}


def _of(document: str, name: str) -> Raw:
    return {
        "slug": f"{slug(name)}-{document}",
        "name": name,
        "document__slug": document,
        "document__title": TITLES[document],
        "document__url": "https://example.invalid/book",
    }


def _in_books(records: list[Raw], *books: str) -> list[Raw]:
    return [record for record in records if record["document"]["key"] in books]


def _monster(creature: Raw) -> Raw:
    name = str(creature["name"])
    return {
        **_of("tob3", name),
        "v2_converted_path": f"/v2/creatures/{creature['key']}/",
        "desc": f"A {name.lower()} is drawn to lamps.",
        "type": creature["type"]["name"],
        "subtype": "",
        "alignment": creature["alignment"],
        "actions": [{"name": "Claw", "desc": f"The {name.lower()} claws a creature for 3d6 slashing damage."}],
        "bonus_actions": None,
        "reactions": None,
        "legendary_desc": "",
        "legendary_actions": None,
    }


def _spell(number: int, spell: Raw) -> Raw:
    """A spell with a class more than version 2 names, in a spelling of its own, and an area behind some ranges."""
    document = str(spell["document"]["key"])
    slug_ = str(spell["key"]).removeprefix(f"{document}_")
    class_names = [str(class_["name"]) for class_ in spell["classes"]]
    return {
        **_of(_V1_BOOKS[document], str(spell["name"])),
        "slug": f"{slug_}-a5e" if document == "a5e-ag" else slug_,
        "level_int": spell["level"],
        "range": f"{spell['range_text']} (10-foot radius)" if number % 4 == 0 else spell["range_text"],
        "dnd_class": ", ".join([*class_names, "Sorceror"] if number % 3 else class_names),
    }


def _race(species: Raw) -> Raw:
    name = str(species["name"])
    return {
        **_of("toh", name),
        "slug": slug(name),
        "asi_desc": "***Ability Score Increase.*** Your Charisma score increases by 2.",
        "age": "***Age.*** They count tides, not years.",
        "alignment": "",
        "size": "***Size.*** Your size is Small.",
        "speed_desc": "***Speed.*** Your base walking speed is 25 feet.",
        "vision": "",
        "languages": "",
        "traits": f"***Lamp Eyes.*** A {name} sees in smoke.\n\n***Ebb Step.*** You leave no tracks in wet sand.",
    }


def endpoints() -> dict[str, list[Raw]]:
    """The lists of version 1 that are requested."""
    items = [
        {**_of(pick(("a5e", "toh"), number), name), "type": "Wondrous Item", "desc": f"The {name.lower()} hums."}
        | {"rarity": pick(RARITIES, number), "requires_attunement": "requires attunement" if number % 2 else ""}
        for number, name in enumerate(names(20, ("Locket", "Bell")))
    ]
    unlisted = str(BY_PATH["v1/magicitems"].lists[1]["slug__in"]).partition(",")[0]
    items.append({**items[0], **_of("vom", "Tide Sextant"), "slug": unlisted})
    spear = {**_of("toh", "Reed Spear"), "category": "Martial Melee Weapons", "cost": "25 gp", "weight": "4 lb."}
    spear |= {"damage_dice": "1d8", "damage_type": "piercing", "properties": ["versatile (1d10)"]}
    shell = {**_of("toh", "Shell Coat"), "category": "Light Armor", "base_ac": 12, "plus_dex_mod": True}
    shell |= {"plus_con_mod": False, "plus_wis_mod": False, "plus_flat_mod": 0, "plus_max": 0}
    shell |= {"ac_string": "12 + Dex modifier", "strength_requirement": None, "cost": "30 gp", "weight": "9 lb."}
    shell |= {"stealth_disadvantage": False}
    removed_creatures = _in_books(creatures.endpoints()["v2/creatures"], "tob3")
    old_spells = _in_books(spells.endpoints()["v2/spells"], *_V1_BOOKS)
    races = [_race(race) for race in _in_books(options.endpoints()["v2/species"], "toh") if not race["subspecies_of"]]
    backgrounds = [
        {**_of("a5e", str(background["name"])), "desc": "You left the barge behind."}
        for background in _in_books(options.endpoints()["v2/backgrounds"], "a5e-ag")
    ]
    feats = [
        {**_of("a5e", str(feat["name"])), "desc": "You learned it.", "effects_desc": ["x"]}
        for feat in _in_books(options.endpoints()["v2/feats"], "a5e-ag")
    ]
    path = {**_of("toh", "Path of Hellfire"), "slug": "path-of-hellfire"}
    path |= {"desc": "It burns.\n\n#####Ember\nAt 3rd level, you smoulder."}
    barbarian = {**_of("wotc-srd", "Barbarian"), "slug": "barbarian", "archetypes": [path]}
    plane = {**_of("wotc-srd", "Plane of Lamps"), "desc": "Every lamp that went out burns here.", "parent": "Beyond"}
    return {
        "v1/magicitems": items,
        "v1/weapons": [spear],
        "v1/armor": [shell],
        "v1/monsters": [_monster(creature) for creature in removed_creatures],
        "v1/planes": [plane],
        "v1/races": races,
        "v1/backgrounds": backgrounds,
        "v1/feats": feats,
        "v1/classes": [barbarian],
        "v1/spells": [_spell(number, spell) for number, spell in enumerate(old_spells)],
    }
