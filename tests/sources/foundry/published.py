"""Invented creatures in the shapes of published packs: of the system's own of 2024, and of those before version 4.

The texts of the first refer to the items' activities; the second has the fields that the application wrote by default.
"""

# ruff: noqa: E501 - a text is one line

from __future__ import annotations

from typing import Any

_BASE = {"activation": {"type": "action", "override": False}, "consumption": {"scaling": {"allowed": False}}}


def activity(kind: str, **fields: Any) -> dict[str, Any]:
    """An activity with the fields that the application writes for every one."""
    return {
        **_BASE, "type": kind, "sort": 0, "name": "", "description": {"chatFlavor": ""}, "uses": {"max": "", "recovery": []},
        "duration": {"units": "inst", "concentration": False, "override": False},
        "range": {"override": False, "units": "self", "special": ""},
        "target": {"template": {"type": "", "units": "ft"}, "affects": {"type": "", "choice": False}, "override": False},
        "effects": [], "roll": {"prompt": False, "formula": "", "name": ""}, **fields,
    }  # fmt: skip


def dice(number: int | None, faces: int | None, *kinds: str) -> dict[str, Any]:
    """A part of damage."""
    return {
        "number": number, "denomination": faces, "bonus": "", "types": list(kinds),
        "custom": {"enabled": False, "formula": ""}, "scaling": {"mode": "", "number": 1},
    }  # fmt: skip


def item(id_: str, name: str, text: str, kind: str = "feat", **system: Any) -> dict[str, Any]:
    """An item of the creature."""
    return {
        "_id": id_, "name": name, "type": kind, "effects": [], "flags": {"dnd5e": {"riders": {"activity": []}}},
        "_stats": {"systemVersion": "5.1.0", "compendiumSource": None}, "ownership": {"default": 0},
        "system": {
            "description": {"value": text, "chat": ""}, "source": {"rules": "2024", "book": "Fens", "revision": 1},
            "type": {"value": "monster", "subtype": ""}, "uses": {"spent": 0, "max": "", "recovery": []},
            "activities": {}, "advancement": [], "cover": None, "crewed": False, "requirements": "",
            "prerequisites": {"level": None, "repeatable": False}, "properties": [], **system,
        },
    }  # fmt: skip


_ROLL = {"min": None, "max": None, "mode": 0}
WARDEN: dict[str, Any] = {
    "_id": "fnFenWarden00000", "name": "Fen Warden", "type": "npc", "img": None, "folder": None, "effects": [],
    "prototypeToken": {"name": "Fen Warden", "light": {"animation": {"type": None}}},
    "system": {
        "currency": {"gp": 0},
        "abilities": {
            code: {"value": value, "proficient": int(code in ("dex", "wis")), "max": None,
                   "bonuses": {"check": "", "save": ""}, "check": {"roll": _ROLL}, "save": {"roll": _ROLL}}
            for code, value in {"str": 21, "dex": 9, "con": 15, "int": 18, "wis": 15, "cha": 18}.items()
        },
        "bonuses": {"mwak": {"attack": "", "damage": ""}, "spell": {"dc": ""}, "abilities": {"save": ""}},
        "skills": {
            "his": {"ability": "int", "value": 2, "roll": _ROLL, "bonuses": {"check": "", "passive": ""}},
            "ath": {"ability": "str", "value": 0, "roll": _ROLL, "bonuses": {"check": "", "passive": ""}},
        },
        "tools": {}, "spells": {"spell1": {"value": 0, "override": None}, "pact": {"value": 0, "override": None}},
        "attributes": {
            "init": {"ability": "", "bonus": "@prof * 2", "roll": _ROLL}, "attunement": {"max": 3}, "exhaustion": 0,
            "movement": {"walk": "10", "swim": "40", "fly": None, "units": None, "hover": False},
            "senses": {"units": None, "special": "", "ranges": {"darkvision": 120, "blindsight": None}},
            "spellcasting": "cha", "concentration": {"limit": 1, "ability": ""}, "ac": {"flat": 17, "calc": "natural"},
            "hp": {"value": 150, "max": 150, "temp": None, "formula": "20d10 + 40"}, "death": {"success": 0},
            "loyalty": {"value": None}, "price": {"value": None, "denomination": "gp"}, "hd": {"spent": 0},
        },
        "details": {
            "biography": {"value": "", "public": ""}, "alignment": "Lawful Evil", "race": None, "cr": 10,
            "type": {"value": "aberration"}, "habitat": {"value": [{"type": "swamp"}], "custom": ""},
            "treasure": {"value": ["relics"]}, "xp": {"value": 10},
        },
        "resources": {"legact": {"max": 3, "spent": 0}, "legres": {"max": 3, "spent": 0},
                      "lair": {"value": False, "initiative": None, "inside": False}},
        "source": {"book": "Fens", "page": "12", "rules": "2024", "license": "CC-BY-4.0"},
        "traits": {"size": "lg", "di": {"value": [], "bypasses": [], "custom": ""}, "dm": {"amount": {}},
                   "languages": {"value": ["deep"], "custom": "telepathy 120 ft.", "communication": {}}},
    },
    "items": [
        item("fnLegendaryResis", "Legendary Resistance",
             "<p>If the [[lookup @name lowercase]]{monster} fails a saving throw, it can succeed instead.</p>",
             properties=["trait"], activities={"nLPRJi7ipeAet7ir": activity("utility", name="Expend Use")}),
        item("fnMucus000000000", "Mucus",
             '<p class="feature"><em>Constitution Saving Throw:</em> DC [[lookup @save.dc.value activity=clFFG8uDBSFzxIo8]],'
             " each [[lookup @target.affects.type activity=clFFG8uDBSFzxIo8]] in a [[lookup @target.template.size"
             " activity=clFFG8uDBSFzxIo8]]-[[lookup @target.template.units activity=clFFG8uDBSFzxIo8]] Emanation from the"
             " [[lookup\n          @name lowercase]].</p><p><em>Failure:</em> [[/damage average activity=JrxCVyCOsBAMVZS7]]"
             " damage, and the &amp;Reference[Poisoned apply=false] condition.</p>",
             properties=["trait"],
             activities={
                 "clFFG8uDBSFzxIo8": activity(
                     "save", save={"ability": ["con"], "dc": {"calculation": "con", "formula": ""}},
                     target={"template": {"type": "radius", "size": "5", "units": "ft"}, "affects": {"type": "creature"}},
                     damage={"parts": [], "onSave": "none"}),
                 "JrxCVyCOsBAMVZS7": activity("damage", name="Dry Skin", damage={"parts": [dice(1, 12, "acid")]}),
             }),
        item("fnTentacle000000", "Tentacle",
             "<p>[[/attack extended]]. [[/damage average extended]]. It is &amp;Reference[Grappled apply=false]{Grappled}"
             " (escape DC [[lookup @skills.ath.passive]]).</p>",
             "weapon", type={"value": "natural", "baseItem": ""}, quantity=1, price={"value": 0, "denomination": "gp"},
             damage={"base": dice(2, 6, "bludgeoning"), "versatile": dice(None, None)}, proficient=None, mastery="",
             range={"value": None, "long": None, "reach": 10, "units": "ft"},
             activities={
                 "EeiSFNs2NulOBg6i": activity(
                     "attack", damage={"includeBase": True, "parts": []}, range={"override": False},
                     attack={"ability": "", "bonus": "", "type": {"value": "melee", "classification": ""},
                             "critical": {"threshold": None}, "flat": False}),
                 "AXTWfIqBExpxSKly": activity(
                     "check", name="Escape Check",
                     check={"associated": ["acr", "ath"], "ability": "", "dc": {"formula": "@skills.ath.passive"}}),
             }),
        item("fnMultiattack000", "Multiattack",
             "<p>The [[lookup @name lowercase]] makes two [[/item .fnTentacle000000]] attacks and uses [[/item Gaze"
             " activity=Stare]].</p>", activities={"Ms63W7e3Mv2Margn": activity("utility", name="Use")}),
        item("fnGaze0000000000", "Gaze",
             "<p>[[/save activity=zdXAMnjaOcsVmLZP format=long]], one creature within [[lookup @range.value"
             " activity=zdXAMnjaOcsVmLZP]] feet: [[/damage]] damage.</p>",
             uses={"max": "2", "recovery": [{"period": "day", "type": "recoverAll"}]},
             activities={"zdXAMnjaOcsVmLZP": activity(
                 "save", range={"value": "30", "units": "ft", "override": False},
                 damage={"onSave": "half", "parts": [dice(3, 6, "psychic")]},
                 save={"ability": ["wis"], "dc": {"calculation": "spellcasting", "formula": ""}})}),
        item("fnLash0000000000", "Lash", "<p>The [[lookup @name lowercase]]{monster} makes one attack.</p>",
             activities={"legendaryaaaaaaa": activity("utility", activation={"type": "legendary", "value": 1})}),
        item("fnSpellcasting00", "Spellcasting",
             "<p>It casts (spell save DC [[lookup @attributes.spell.dc]]):</p><p><strong>At Will:</strong>"
             " <em>@UUID[Compendium.fens.spells.Item.fnsplFogWall0000]</em></p><p>@Embed[Compendium.fens.x.Item.fnMote0000000000"
             " inline]</p>",
             activities={"PUW703NwdwkuwC6U": activity("cast", spell={"uuid": "Compendium.fens.spells.Item.fnsplFogWall0000"})}),
        item("b1uBxAcirNnGh1ik", "Fog Wall", "<p>A wall. [[/save]] or [[/damage]].</p>", "spell", level=3, school="con",
             method="spell", prepared=0, properties=["vocal"], duration={"value": "10", "units": "minute"},
             range={"value": "60", "units": "ft"}, activation={"type": "action", "value": None, "condition": ""},
             target={"affects": {"type": ""}, "template": {"type": ""}},
             materials={"value": "", "consumed": False, "cost": 0},
             activities={"a": activity("save", save={"ability": ["dex"], "dc": {"calculation": "spellcasting"}},
                                       damage={"onSave": "half", "parts": [dice(4, 8, "cold")]})}),
    ],
}  # fmt: skip
MOTE = item("fnMote0000000000", "Mote", "<p>A <strong>mote</strong> of fog.</p>")


def older(kind: str, name: str, text: str, **system: Any) -> dict[str, Any]:
    """An item as versions before 4 wrote it."""
    return {
        "_id": name[:16].ljust(16, "0"), "name": name, "type": kind, "img": "x", "effects": [], "folder": None, "flags": {},
        "system": {
            "description": {"value": text, "chat": "", "unidentified": ""}, "source": "", "ability": "", "actionType": "",
            "activation": {"type": "", "cost": None, "condition": ""}, "duration": {"value": None, "units": ""},
            "target": {"value": None, "width": None, "units": "", "type": ""}, "attackBonus": 0, "chatFlavor": "",
            "range": {"value": None, "long": None, "units": ""}, "critical": {"threshold": None, "damage": ""},
            "uses": {"value": None, "max": "", "per": None, "recovery": ""}, "damage": {"parts": [], "versatile": ""},
            "consume": {"type": "", "target": None, "amount": None}, "recharge": {"value": None, "charged": False},
            "formula": "", "save": {"ability": "", "dc": None, "scaling": "spell"}, "requirements": "", **system,
        },
    }  # fmt: skip


_ACTION = {"activation": {"type": "action", "cost": 1, "condition": ""}}
_GEAR: dict[str, Any] = {
    "quantity": 1, "weight": 0, "price": {"value": 0, "denomination": "gp"}, "attunement": 0, "equipped": True,
    "rarity": "", "identified": True, "armor": {"value": 10}, "hp": {"value": 0, "max": 0, "dt": None, "conditions": ""},
    "weaponType": "natural", "baseItem": "", "properties": {"ada": False, "fin": False}, "proficient": True,
}  # fmt: skip
DRAKE: dict[str, Any] = {
    "name": "Reed Drake", "type": "npc", "img": "x", "prototypeToken": {}, "effects": [],
    "system": {
        "abilities": {
            code: {"value": value, "proficient": proficient, "bonuses": {"check": "", "save": ""}}
            for code, value, proficient in (("str", 18, 0), ("dex", 14, 1), ("con", 16, 1), ("int", 8, 0), ("wis", 12, 0), ("cha", 15, 0))
        },
        "attributes": {
            "ac": {"flat": 16, "calc": "natural", "formula": ""}, "hp": {"value": 9, "max": 95, "temp": 0, "formula": "10d10 + 40"},
            "init": {"value": 0, "bonus": 0}, "movement": {"burrow": 0, "fly": 60, "walk": 40, "units": "ft", "hover": False},
            "senses": {"darkvision": 60, "blindsight": 10, "truesight": 0, "units": "ft", "special": ""}, "prof": 3,
            "spellcasting": "cha", "death": {"success": 0}, "exhaustion": 0, "inspiration": False, "spelldc": 8,
        },
        "details": {
            "biography": {"value": "<p>Lives in reeds.</p>", "public": ""}, "alignment": "Neutral", "race": "", "cr": 5,
            "type": {"value": "dragon", "subtype": "", "swarm": "", "custom": ""}, "environment": "Swamp, Coast",
            "spellLevel": 0, "xp": {"value": 10}, "source": "Fens pg. 4",
        },
        "traits": {
            "size": "lg", "di": {"value": ["poison"], "bypasses": [], "custom": ""}, "ci": {"value": ["poisoned"], "custom": ""},
            "dr": {"value": ["bludgeoning", "slashing"], "bypasses": ["mgc"], "custom": ""},
            "languages": {"value": ["draconic"], "custom": ""},
        },
        "currency": {"gp": 0}, "skills": {"prc": {"value": 1, "ability": "wis", "bonuses": {"check": "", "passive": ""}}},
        "spells": {f"spell{level}": {"value": 0, "override": None} for level in range(1, 10)},
        "bonuses": {"mwak": {"attack": "", "damage": ""}, "spell": {"dc": ""}},
        "resources": {"legact": {"value": 0, "max": 0}, "legres": {"value": 0, "max": 0}, "lair": {"value": False}},
    },
    "items": [
        older("weapon", "Bite", "", **{
            **_GEAR, **_ACTION, "actionType": "mwak", "target": {"value": 1, "width": None, "units": "", "type": "creature"},
            "range": {"value": 10, "long": None, "units": "ft"},
            "damage": {"parts": [["2d10 + @mod", "piercing"], ["2d6", "poison"]], "versatile": ""}}),
        older("feat", "Sting", "", actionType="save", save={"ability": "con", "dc": None, "scaling": "con"},
              activation={"type": "reaction", "cost": 1, "condition": "when it is hit"},
              damage={"parts": [["2d6", "poison"]], "versatile": ""}),
        older("feat", "Breath", "<p>Each creature in a 30-foot cone: DC 14 Constitution saving throw, [[/r 6d8]] poison damage.</p>",
              **_ACTION, target={"value": 30, "width": None, "units": "ft", "type": "cone"}, actionType="save",
              save={"ability": "con", "dc": None, "scaling": "con"}, recharge={"value": 5, "charged": True},
              damage={"parts": [["6d8", "poison"]], "versatile": ""}),
        older("feat", "Amphibious", "<p>It breathes.</p>"),
        older("equipment", "Chain Shirt", "", **{**_GEAR, "armor": {"type": "medium", "value": 13, "dex": 2}}),
    ],
}  # fmt: skip
