"""An invented file with every known construct of the format."""

# ruff: noqa: E501 - an entry is one line

from __future__ import annotations

import json
from typing import Any

SOURCE = "FENS"
META = {
    "sources": [
        {
            "json": SOURCE,
            "abbreviation": "Fens",
            "full": "Lights of the Fens",
            "authors": ["A. Reed", "B. Moth"],
            "version": "1.0",
            "url": "https://example.org/fens",
            "dateReleased": "2024-03-01",
        },
        {"json": "BOG", "abbreviation": "Bog", "full": "The Bog", "version": "1", "edition": "one"},
    ],
    "spellSchools": {"LUM": {"full": "Lumomancy", "short": "Lum."}},
    "optionalFeatureTypes": {"WK": "Wick Trick"},
    "dateAdded": 0,
    "dateLastModified": 0,
}


def item(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "source": SOURCE, **fields}


MOTH = item(
    "Dusk Moth",
    page=12,
    size=["S", "M"], type={"type": "monstrosity", "tags": ["shapechanger", {"tag": "elf", "prefix": "Fen"}]}, alignment=["C", "N"],
    ac=[13, {"ac": 15, "condition": "with {@spell mage armor}"}], hp={"average": 37, "formula": "5d10 + 10"},
    speed={"walk": 20, "fly": {"number": 60, "condition": "(hover)"}, "canHover": True},
    str=8, dex=16, con=14, int=6, wis=12, cha=10, save={"dex": "+5"}, skill={"stealth": "+7", "sleight of hand": "+5"},
    senses=["darkvision 60 ft.", "blindsight 10 ft. (blind beyond this radius)"], passive=11,
    resist=["cold", {"resist": ["bludgeoning"], "note": "from nonmagical attacks", "cond": True}],
    immune=["poison"],
    vulnerable=["fire"],
    conditionImmune=["poisoned"],
    languages=["Common", "understands Elvish but can't speak it"],
    cr={"cr": "1/2", "lair": "1"},
    trait=[{"name": "Dust", "entries": ["It sheds {@i light}.", {"type": "list", "items": ["one", "two"]}]}],
    action=[
        {
            "name": "Bite",
            "entries": [
                "{@atk mw,rw} {@hit 5} to hit, reach 5 ft. {@h}7 ({@damage 1d8 + 3}) piercing damage, {@dc 12}."
            ],
        },
        {"name": "Blind {@recharge 5}", "entries": ["{@actSave con} {@actSaveFail} {@condition Blinded}."]},
    ],
    bonus=[{"name": "Flit", "entries": ["It flies."]}],
    reaction=[{"name": "Swerve", "entries": ["It turns."]}],
    legendary=[{"name": "Flare (Costs 2 Actions)", "entries": ["It flares."]}],
    legendaryHeader=["The moth can take 3 legendary actions."],
    legendaryGroup={"name": "Moth", "source": SOURCE},
    spellcasting=[
        {
            "name": "Spellcasting",
            "type": "spellcasting",
            "headerEntries": ["It casts, {@dc 11}."],
            "will": ["{@spell light}"],
            "daily": {"2e": ["{@spell sleep}", "{@spell blur}"]},
            "spells": {"0": {"spells": ["{@spell guidance}"]}, "1": {"slots": 2, "spells": ["{@spell bane}"]}},
            "footerEntries": ["No components."],
        },
        {"name": "Glow", "headerEntries": ["It glows."], "will": ["{@spell daylight}"], "displayAs": "action"},
    ],
    environment=["swamp"],
    group=["Moths"],
    treasure=["any"],
    traitTags=["Illumination"],
)  # fmt: skip
SPELL = item(
    "Lantern Rain",
    level=2,
    school="V",
    time=[{"number": 1, "unit": "bonus"}, {"number": 10, "unit": "minute"}],
    range={"type": "point", "distance": {"type": "feet", "amount": 60}},
    components={"v": True, "s": True, "m": {"text": "a paper lantern worth 50 gp", "cost": 5000, "consume": True}},
    duration=[{"type": "timed", "duration": {"type": "minute", "amount": 10}, "concentration": True}],
    meta={"ritual": True},
    entries=[
        "Each creature makes a {@skill Dexterity} save or takes {@damage 3d6} fire damage.",
        {"type": "entries", "name": "Embers", "entries": ["Who looks long is {@condition blinded}."]},
        {
            "type": "table",
            "caption": "Colours",
            "colLabels": ["d4", "Colour"],
            "rows": [[{"type": "cell", "roll": {"min": 1, "max": 2}}, "red"], ["3", "blue"]],
        },
        {"type": "quote", "entries": ["Light is patient."], "by": "Vell"},
        {"type": "inset", "name": "Note", "entries": ["Inset."]},
        {"type": "abilityDc", "name": "Spell", "attributes": ["int", "wis"]},
    ],
    entriesHigherLevel=[{"type": "entries", "name": "At Higher Levels", "entries": ["One more {@dice d6}."]}],
    classes={
        "fromClassList": [{"name": "Wizard", "source": "PHB"}, {"name": "Lamplighter", "source": SOURCE}],
        "fromSubclass": [{"class": {"name": "Cleric"}, "subclass": {"name": "Light"}}],
    },
    damageInflict=["fire"],
    savingThrow=["dexterity"],
    miscTags=["SGT"],
)
BASES = [
    item("Wick Knife", type="M|PHB", weaponCategory="martial", property=["F", "T", "V", "WK"], dmg1="1d4", dmg2="1d6", dmgType="P",
         range="20/60", weight=1, value=200, weapon=True, sword=True, rarity="none"),
    item("Wax Coat", type="MA", ac=14, strength="13", stealth=True, armor=True, weight=20, value=5000, rarity="none"),
    item("Reed Club", type="M", weaponCategory="simple", dmg1="1d6", dmgType="B", weapon=True, club=True, rarity="none"),
]  # fmt: skip
ITEMS = [
    item("Ever Candle", wondrous=True, rarity="very rare", reqAttune="by a wizard", charges=3, recharge="dawn", rechargeAmount="{@dice 1d3}",
         attachedSpells=["light", "daylight"], bonusAc="+1", entries=["It burns under water."]),
    item("Reed Oil", type="G", value=50, weight=0.5, entries=["Slippery."]),
]  # fmt: skip
VARIANT = {
    "name": "Glowing Sword",
    "type": "GV",
    "requires": [{"sword": True}],
    "excludes": {"name": "Net"},
    "inherits": {
        "nameSuffix": " of Glow",
        "source": SOURCE,
        "rarity": "rare",
        "reqAttune": True,
        "bonusWeapon": "+1",
        "entries": ["You have a {=bonusWeapon} bonus with it."],
    },
}
CLASS = item(
    "Lamplighter",
    hd={"number": 1, "faces": 8},
    proficiency=["dex", "int"],
    spellcastingAbility="int",
    casterProgression="1/2",
    startingProficiencies={
        "armor": ["light"],
        "weapons": ["simple"],
        "skills": [{"choose": {"from": ["arcana", "stealth"], "count": 2}}],
    },
    startingEquipment={"additionalFromBackground": True, "default": ["(a) {@item staff|phb} or (b) a club"]},
    multiclassing={"requirements": {"dex": 13}},
    classTableGroups=[{"colLabels": ["Wicks"], "rows": [["2"], ["3"]]}],
    classFeatures=[
        f"Wick|Lamplighter|{SOURCE}|1",
        {"classFeature": f"Guild|Lamplighter|{SOURCE}|3", "gainSubclassFeature": True},
    ],
    subclassTitle="Guild",
)
OF_CLASS = {"className": "Lamplighter", "classSource": SOURCE}
FEATURES = [
    item("Wick", **OF_CLASS, level=1, entries=["You light things.", {"type": "refClassFeature", "classFeature": f"Flame|Lamplighter|{SOURCE}|1"}]),
    item("Flame", **OF_CLASS, level=1, entries=["It burns blue."]),
    item("Guild", **OF_CLASS, level=3, entries=["Choose a guild."]),
    item("Ember", className="Wizard", classSource="PHB", level=2, entries=["An orphan."]),
]  # fmt: skip
SUBCLASS = item(
    "Green Guild", shortName="Green", **OF_CLASS, subclassFeatures=[f"Green Flame|Lamplighter|{SOURCE}|Green|{SOURCE}|3"],
    additionalSpells=[{"prepared": {"3": ["entangle", "spike growth"]}}],
)  # fmt: skip
SUBCLASS_FEATURES = [item("Green Flame", **OF_CLASS, subclassShortName="Green", subclassSource=SOURCE, level=3, entries=["It burns green."])]  # fmt: skip
RACE = item(
    "Mothfolk",
    size=["S"],
    speed={"walk": 25, "fly": 30},
    ability=[{"dex": 2, "choose": {"from": ["int", "wis"]}}],
    age={"mature": 5, "max": 40},
    darkvision=60,
    languageProficiencies=[{"common": True, "anyStandard": 1}],
    entries=["They come at dusk.", {"type": "entries", "name": "Dust", "entries": ["You shed dust."]}],
    subraces=[{"name": "Luna", "entries": [{"type": "entries", "name": "Moonlit", "entries": ["You glow."]}]}],
)
SUBRACE = item(
    "Fen",
    raceName="Gnome",
    raceSource="PHB",
    entries=[{"type": "entries", "name": "Mud", "entries": ["You sink not."]}],
)
BACKGROUND = item(
    "Lamp Keeper",
    skillProficiencies=[{"perception": True, "choose": {"from": ["arcana", "nature"], "count": 1}}],
    startingEquipment=[{"_": ["torch|phb", {"item": "pouch|phb", "containsValue": 1000}]}],
    feats=[{"alert|phb": True}],
    entries=[{"type": "entries", "name": "Feature: Night Watch", "entries": ["You are let in."]}],
)
FEAT = item(
    "Ash Walker",
    category="G",
    prerequisite=[{"level": 4, "ability": [{"dex": 13}], "spellcasting": True}],
    ability=[{"dex": 1}],
    entries=["You walk on ash.", {"type": "list", "items": ["quietly", "slowly"]}],
)
OPTION = item(
    "Long Wick",
    featureType=["WK"],
    prerequisite=[{"level": {"level": 5, "class": {"name": "Lamplighter"}}}],
    entries=["It lasts."],
)
FILE: dict[str, Any] = {
    "_meta": META,
    "monster": [
        MOTH,
        item("Elder Moth", _copy={"name": "Dusk Moth", "source": SOURCE, "_mod": {
            "action": [{"mode": "replaceArr", "replace": "Bite", "items": {"name": "Great Bite", "entries": ["{@hit 9}."]}},
                       {"mode": "appendArr", "items": {"name": "Roar", "entries": ["It roars."]}}],
            "*": {"mode": "replaceTxt", "replace": "\\bsheds\\b", "with": "pours"},
        }}, hp={"average": 99, "formula": "18d10"}),
        item("Lost Moth", _copy={"name": "Gnarl", "source": "MM"}),
    ],
    "legendaryGroup": [item("Moth", lairActions=["Dust falls."], regionalEffects=["It is dim."])],
    "monsterFluff": [item("Dusk Moth", entries=["Old songs tell of moths."])],
    "spell": [SPELL, item("Weigh Light", level=0, school="LUM", time=[], range={"type": "special"}, components={},
                          duration=[{"type": "instant"}], entries=["Light weighs."]),
              item("Lamp Sting", level=1, school="V", time=[{"number": 1, "unit": "action"}], components={"v": True},
                   range={"type": "cone", "distance": {"type": "feet", "amount": 30}}, duration=[{"type": "instant"}],
                   entries=["Make a ranged spell attack against each creature."])],
    "baseitem": BASES,
    "item": ITEMS,
    "itemProperty": [{"abbreviation": "WK", "source": SOURCE, "entries": [{"type": "entries", "name": "Wicked", "entries": ["It holds a wick."]}]}],
    "magicvariant": [VARIANT],
    "class": [CLASS],
    "classFeature": FEATURES,
    "subclass": [SUBCLASS],
    "subclassFeature": SUBCLASS_FEATURES,
    "race": [RACE],
    "subrace": [SUBRACE],
    "background": [BACKGROUND],
    "feat": [FEAT],
    "optionalfeature": [OPTION],
    "condition": [item("Sooted", entries=["You cough."])],
    "variantrule": [{"name": "Dim Light", "source": "BOG", "ruleType": "O", "entries": [{"type": "section", "name": "Dusk", "entries": ["It is dim."]}]}],
    "language": [item("Flicker", type="exotic", script="Lamp", typicalSpeakers=["moths"], entries=["Signals of light."])],
    "table": [item("Omens", colLabels=["d2", "Omen"], rows=[["1", "ash"], ["2", "rain"]])],
    "foundryMonster": [item("Dusk Moth")],
}  # fmt: skip


def data(**changes: Any) -> bytes:
    return json.dumps({**FILE, **changes}).encode()
