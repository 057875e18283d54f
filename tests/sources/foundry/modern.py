"""An invented creature in the shape of the system's own packs of 2024, whose texts refer to the items' activities."""

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
