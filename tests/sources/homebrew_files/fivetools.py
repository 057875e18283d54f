"""5etools files: every section in the public homebrew schema, entries of every type, tags, copies."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.sources.homebrew_files.words import MARK, fields, flags, names, prose, short_list, small, words

just = st.just
tagged = st.sampled_from(
    [
        f"{{@b {MARK}}} {{@i {{@note {MARK}}}}}", f"{{@spell {MARK}}} {{@spell x|PHB|{MARK}}} {{@creature {MARK}|MM}}", f"{{@damage 1d6|{MARK}}}",
        f"{{@dice 1d6|{MARK}}} {{@hit 5|{MARK}}} {{@dc 15|{MARK}}} {{@chance 20|{MARK}}}", f"{{@skill {MARK}}} {{@sense {MARK}}} {{@action {MARK}}}",
        f"{{@filter {MARK}|spells|level=1}} {{@link {MARK}|https://example.org}} {{@5etools {MARK}|x.html}}", f"{{@class Wizard|PHB|{MARK}}} {{@deity x||MTF|{MARK}}}",
        f"{{@footnote {MARK}|{MARK}}} {{@homebrew {MARK}|old}} {{@area {MARK}|1}} {{@book {MARK}|PHB}} {{@adventure {MARK}|X}}", f"{{@color {MARK}|f00}} {{@u {MARK}}} {{@sup {MARK}}}",
        f"{{@classFeature {MARK}|Wizard||1}} {{@subclassFeature a|b||c||3||{MARK}}} {{@card a|b||{MARK}}}", f"{{@unit 2|a|{MARK}}} {{@coinflip {MARK}}} {{@tip {MARK}|{MARK}}}",
        f"{{@sparkle {MARK}}} {{@quickref x||3||{MARK}}} {{@scaledamage 1d6|1-9|{MARK}}} {{@actSaveFail}} {{@h}}{MARK}", f"{{@help {MARK}|{MARK}}} {{@itemProperty V||{MARK}}}",
    ]
)  # fmt: skip
line = st.one_of(words, prose, tagged)
NAMED = {"name": names}


def _entries(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = short_list(inner)
    cell = st.one_of(line, fields({"type": just("cell")}, {"roll": just({"min": 1, "max": 2}), "entry": inner}))
    return st.one_of(
        fields({"type": st.sampled_from(["entries", "section", "inset", "insetReadaloud", "variant", "variantInner", "variantSub", "options", "actions", "patron", "entriesOtherSource", "flowBlock"]), "entries": several}, NAMED),
        fields({"type": st.sampled_from(["inline", "inlineBlock"]), "entries": several}),
        fields({"type": just("list"), "items": short_list(st.one_of(inner, fields({"type": st.sampled_from(["item", "itemSub", "itemSpell"]), "name": names}, {"entry": inner}), fields({"type": just("item"), "name": names, "entries": several})))}, NAMED),
        fields({"type": just("table"), "rows": short_list(st.one_of(st.lists(cell, min_size=1, max_size=3), fields({"type": just("row"), "row": short_list(cell)})))},
               {"caption": names, "colLabels": short_list(line), "footnotes": several, "intro": several, "outro": several, "colStyles": just(["col-1"])}),
        fields({"type": just("tableGroup"), "tables": short_list(fields({"type": just("table"), "rows": short_list(short_list(cell))}, {"caption": names}))}, NAMED),
        fields({"type": just("quote"), "entries": several}, {"by": words, "from": words}),
        fields({"type": just("optfeature"), "entries": several, "name": names}, {"prerequisite": line}),
        fields({"type": st.sampled_from(["abilityDc", "abilityAttackMod"]), "name": names, "attributes": just(["int"])}),
        fields({"type": just("abilityGeneric")}, {"name": names, "text": line, "attributes": just(["str"])}),
        fields({"type": just("link"), "text": line}), fields({"type": just("image")}, {"title": line, "altText": words, "credit": words}),
        fields({"type": just("gallery"), "images": short_list(fields({"type": just("image"), "title": words}))}, NAMED),
        fields({"type": just("attack"), "name": names, "attackEntries": several, "hitEntries": several}, {"attackType": just("MW")}),
        fields({"type": just("flowchart"), "blocks": short_list(fields({"type": just("flowBlock"), "name": names, "entries": several}))}, NAMED),
        fields({"type": just("ingredient"), "entry": line}, {"amount1": small}), fields({"type": just("code"), "preformatted": prose}, NAMED),
        fields({"type": just("homebrew"), "entries": several}, {"oldEntries": just([])}), fields({"type": just("homebrew")}, {"oldEntries": just(["x"]), "movedTo": words}),
        fields({"type": just("wrapper"), "wrapped": inner}, NAMED), fields({"type": just("statblock"), "name": names}, {"displayName": names, "tag": just("creature"), "source": just("X")}).filter(lambda item: "displayName" not in item),
        fields({"type": just("statblockInline"), "dataType": just("feat"), "data": fields({"name": names, "entries": several})}),
        fields({"type": just("refOptionalfeature"), "optionalfeature": words}), just({"type": "hr"}),
        fields({"type": just("sparkle")}, {"entries": several, "shine": words}),
    )  # fmt: skip


entry = st.recursive(line, _entries, max_leaves=5)
blocks = short_list(entry, 4)
named_block = st.one_of(
    fields({"name": names, "entries": blocks}, {"type": st.sampled_from(["entries", "inset", "section"])}), fields({"name": names, "type": just("list"), "items": short_list(line)}),
    fields({"name": names, "type": just("table"), "rows": short_list(short_list(line))}), fields({"name": names, "entry": line}), line,
)  # fmt: skip
chosen = short_list(st.one_of(
    fields({}, {"arcana": just(True), "choose": fields({"from": short_list(words)}, {"count": small}), "anyStandard": small, MARK: just(True), "other": just(True)}),
    fields({"choose": st.one_of(fields({"weighted": fields({"from": just(["str", "dex"]), "weights": just([2, 1])})}), fields({"fromFilter": words}, {"count": small}))}), just({"dex": 2}),
))  # fmt: skip
prerequisite = short_list(
    fields({}, {
        "level": st.one_of(small, fields({"level": small, "class": fields({"name": names})}, {"subclass": fields({"name": names})})), "race": short_list(fields({"name": names}, {"subrace": words})),
        "ability": just([{"str": 13}]), "other": prose, "otherSummary": fields({"entry": prose}, {"entrySummary": just("x")}), "spell": short_list(words), "feat": short_list(words), "background": short_list(fields({"name": names})),
        "spellcasting": just(True), "proficiency": just([{"armor": "medium"}]), "psionics": just(True), "campaign": short_list(words), "pact": words, "patron": words, "item": short_list(words), "alignment": just(["L"]),
    })
)  # fmt: skip
spells_given = short_list(
    fields({}, {
        "name": names, "ability": just("int"), "resourceName": words,
        "innate": st.one_of(just({"3": {"daily": {"1e": ["fog|x"]}}}), just({"_": [MARK]}), just({"1": {"rest": {"1": [f"{MARK}#c"]}}})), "known": just({"1": [{"choose": f"level=0|class={MARK}"}]}), "prepared": just({"1": [MARK, {"all": f"school={MARK}"}]}),
        "expanded": just({"s1": [MARK]}),
    }), 2,
)  # fmt: skip
SEEN: dict[str, Any] = {
    "page": small, "srd": flags, "otherSources": just([{"source": "X"}]), "hasFluff": flags, "entries": blocks, "edition": just("one"), "alias": short_list(words),
    "fluff": fields({}, {"entries": blocks, "images": short_list(fields({"type": just("image"), "title": words}))}), "homely": words, "nested": fields({"a": words}, {"b": short_list(words)}),
}  # fmt: skip
ac = short_list(st.one_of(small, fields({"ac": small}, {"from": short_list(line), "condition": line, "braces": flags}), fields({"special": line})))  # fmt: skip
defended = short_list(st.one_of(words, fields({"special": line}), fields({"resist": short_list(words)}, {"note": words, "preNote": words, "cond": flags})))  # fmt: skip
speed = st.one_of(small, fields({}, {
    "walk": st.one_of(small, fields({"number": small, "condition": line})), "fly": st.one_of(small, just(True)), "canHover": flags, "choose": just({"from": ["climb"], "amount": 20, "note": MARK}),
    "alternate": just({"walk": [{"number": 5, "condition": MARK}]}),
}))  # fmt: skip
casting = short_list(
    fields({"name": names}, {
        "type": just("spellcasting"), "headerEntries": blocks, "footerEntries": blocks, "will": short_list(line), "constant": short_list(line), "ritual": short_list(line), "displayAs": st.sampled_from(["trait", "action", "bonus"]), "ability": just("int"),
        "daily": fields({}, {"1": short_list(line), "2e": short_list(line)}), "rest": fields({}, {"1": short_list(line)}), "spells": fields({}, {"0": fields({"spells": short_list(line)}), "1": fields({"spells": short_list(line)}, {"slots": small, "lower": just(1)})}), "recharge": fields({}, {"5": short_list(line)}),
    }), 2,
)  # fmt: skip
MONSTER: dict[str, Any] = {
    **{key: value for key, value in SEEN.items() if key != "entries"},
    "size": just(["S", "M"]), "type": st.one_of(words, fields({"type": words}, {"tags": short_list(st.one_of(words, fields({"tag": words, "prefix": words}))), "note": words, "swarmSize": just("T")}), fields({"type": just({"choose": ["beast", MARK]})}), just({"type": "humanoid", "sidekickType": MARK, "sidekickTags": [MARK]})),
    "alignment": st.one_of(just(["C", "N"]), short_list(st.one_of(fields({"special": words}), fields({"alignment": just(["L"])}, {"chance": small, "note": words})))), "alignmentPrefix": words, "ac": ac,
    "hp": st.one_of(fields({"average": small, "formula": just("5d10")}), fields({"special": words}), small), "speed": speed, **dict.fromkeys(("str", "dex"), small),
    "save": fields({}, {"dex": just("+5"), "special": words}), "skill": fields({}, {"stealth": just("+7"), "other": just([{"oneOf": {"arcana": "+3"}}]), "special": words}), "senses": short_list(line), "passive": st.one_of(small, words), "languages": short_list(line),
    **dict.fromkeys(("resist", "immune", "vulnerable", "conditionImmune"), defended), "cr": st.one_of(just("1/2"), fields({"cr": just("3")}, {"lair": just("4"), "coven": just("5"), "xp": small, "xpLair": small}), words),
    **dict.fromkeys(("trait", "action", "bonus", "reaction", "legendary", "mythic"), short_list(named_block, 2)), **dict.fromkeys(("legendaryHeader", "mythicHeader", "actionHeader"), blocks), "spellcasting": casting,
    "legendaryGroup": just({"name": "Moths", "source": "FENS"}), "environment": short_list(words), "group": short_list(words), "treasure": short_list(words), "variant": short_list(fields({"type": just("variant"), "name": names, "entries": blocks})), "gear": short_list(words), "actionNote": words,
    "initiative": st.one_of(small, fields({"proficiency": small}, {"advantageMode": words})), "pbNote": words, "shortName": words, "summonedBySpell": words, "familiar": flags, "dragonCastingColor": words, "legendaryActions": small,
}  # fmt: skip
SPELL: dict[str, Any] = {
    **SEEN, "school": st.one_of(just("V"), words), "time": short_list(fields({"number": small, "unit": st.one_of(just("action"), words)}, {"condition": line, "note": line})),
    "range": st.one_of(fields({"type": just("point")}, {"distance": fields({"type": st.sampled_from(["feet", "self", MARK])}, {"amount": small})}), fields({"type": just("cone"), "distance": just({"type": "feet", "amount": 30})})),
    "components": fields({}, {"v": flags, "s": flags, "m": st.one_of(words, just(True), fields({"text": line}, {"cost": small, "consume": flags})), "r": flags}), "meta": fields({}, {"ritual": flags, "technomagic": flags}),
    "duration": short_list(fields({"type": st.sampled_from(["instant", "timed", "permanent", "special"])}, {"duration": fields({"type": just("minute")}, {"amount": small, "upTo": flags}), "concentration": flags, "ends": short_list(words), "condition": line})),
    "entriesHigherLevel": short_list(named_block), "damageInflict": just(["fire"]), "savingThrow": just(["dexterity"]), "spellAttack": just(["M"]), "areaTags": just(["S"]), "backgrounds": short_list(fields({"name": names, "source": just("X")})), "races": short_list(fields({"name": names, "source": just("X")})),
    "classes": fields({}, {"fromClassList": short_list(fields({"name": names, "source": just("X")})), "fromSubclass": short_list(fields({"class": fields({"name": names}), "subclass": fields({"name": names}, {"subSubclass": words})}))}), "groups": short_list(fields({"name": names, "source": just("X")})),
}  # fmt: skip
ITEM: dict[str, Any] = {
    **SEEN, "type": st.one_of(st.sampled_from(["M", "R", "HA", "S", "RG", "G|PHB", "SC"]), words), "typeAlt": st.one_of(just("M"), words), "rarity": st.one_of(st.sampled_from(["none", "rare", "unknown"]), words), "reqAttune": st.one_of(flags, line), "wondrous": flags, "value": small, "weight": small, "ac": st.one_of(small, words),
    "dmg1": st.one_of(just("1d6"), words), "dmg2": words, "dmgType": st.one_of(just("P"), words), "range": st.one_of(just("20/60"), words), "reach": small, "property": short_list(st.one_of(st.sampled_from(["F", "V"]), words, fields({"uid": words, "note": words}))), "mastery": short_list(words), "weaponCategory": st.one_of(just("martial"), words),
    "strength": just("13"), "stealth": flags, "dexterityMax": st.one_of(small, st.none()), "charges": st.one_of(small, words), "recharge": words, "rechargeAmount": st.one_of(small, line), "attachedSpells": st.one_of(short_list(words), fields({}, {"will": short_list(words), "daily": just({"1e": [MARK]}), "charges": just({"2": [MARK, MARK]}), "ability": just("int")})),
    **dict.fromkeys(("bonusAc", "bonusWeapon", "bonusSavingThrow"), st.one_of(just("+1"), words)), "curse": flags, "age": words, "tier": just("major"), "poison": flags, "poisonTypes": short_list(words), "resist": short_list(words), "sword": flags, "ammoType": words, "packContents": short_list(st.one_of(words, fields({"item": words, "quantity": small}))),
    "crew": words, "vehAc": small, "vehHp": small, "containerCapacity": just({"weight": [30]}), "focus": st.one_of(flags, short_list(words)), "spellScrollLevel": small, "light": just([{"bright": 20, "shape": MARK}]), "detail1": words, "detail2": words,
}  # fmt: skip
uses_feature = f"Ash{MARK}"
CLASS: dict[str, Any] = {
    **SEEN, "hd": just({"number": 1, "faces": 8}), "proficiency": just(["dex"]), "spellcastingAbility": st.one_of(just("int"), words), "casterProgression": st.one_of(just("1/2"), words), "subclassTitle": words,
    "startingProficiencies": fields({}, {"armor": short_list(words), "weapons": short_list(words), "tools": short_list(line), "skills": chosen, "toolProficiencies": just([{"any": 1}])}), "primaryAbility": just([{"dex": True}]),
    "startingEquipment": st.one_of(fields({"default": short_list(line)}, {"goldAlternative": line, "additionalFromBackground": flags, "defaultData": just([])}), fields({"entries": blocks}, {"defaultData": just([])}), fields({"defaultData": just([{"A": [MARK, {"special": MARK}], "B": [{"value": 5000}]}])}), blocks),
    "multiclassing": fields({}, {"requirements": just({"dex": 13}), "requirementsSpecial": words, "entries": blocks, "proficienciesGained": fields({"armor": short_list(words)})}),
    "classTableGroups": short_list(fields({"colLabels": short_list(line), "rows": short_list(st.lists(st.one_of(line, fields({"type": just("bonus"), "value": small})), max_size=3))}, {"title": words})), "additionalSpells": spells_given, "cantripProgression": just([1, 2]), "preparedSpells": words,
}  # fmt: skip
RACE: dict[str, Any] = {
    **SEEN, "entries": short_list(named_block), "size": just(["S", "M"]), "speed": speed.map(lambda speed: speed if isinstance(speed, int) else {mode: feet for mode, feet in speed.items() if mode in ("walk", "fly") and isinstance(feet, int)}), "ability": chosen, "age": st.one_of(fields({}, {"mature": small, "max": small}), words), "darkvision": small, "traitTags": just(["X"]),
    **dict.fromkeys(("languageProficiencies", "skillProficiencies", "toolProficiencies"), chosen), "resist": short_list(st.one_of(words, fields({"choose": fields({"from": short_list(words)})}))), "heightAndWeight": just({"baseHeight": 60, "heightMod": MARK}), "creatureTypes": short_list(words), "feats": just([{"any": 1}]), "additionalSpells": spells_given, "lineage": words,
    "subraces": short_list(fields({"name": names}, {"entries": short_list(named_block), "ability": chosen}), 2),
}  # fmt: skip
BACKGROUND: dict[str, Any] = {
    **SEEN, "entries": short_list(named_block), **dict.fromkeys(("skillProficiencies", "toolProficiencies", "languageProficiencies", "ability"), chosen), "feats": just([{f"{MARK}|phb": True}, {"anyFromCategory": {"category": [MARK], "count": 1}}]), "fromFeature": just({"feat": True}), "prerequisite": prerequisite,
    "startingEquipment": short_list(fields({}, {"_": short_list(st.one_of(words, fields({"item": words}, {"displayName": words, "quantity": small, "containsValue": small}).filter(lambda item: "displayName" not in item), fields({"special": words}))), "a": short_list(words), "b": just([{"value": 100}])})), "additionalSpells": spells_given,
}  # fmt: skip
FEAT: dict[str, Any] = {
    **SEEN, "category": st.one_of(just("G"), words), "prerequisite": prerequisite, "ability": chosen, "additionalSpells": spells_given, "repeatable": flags, "repeatableNote": words, "skillProficiencies": chosen,
}  # fmt: skip
OPTION: dict[str, Any] = {**SEEN, "featureType": short_list(st.one_of(just("EI"), words)), "prerequisite": prerequisite, "consumes": fields({"name": words}, {"amount": small}), "additionalSpells": spells_given}  # fmt: skip
RULES = (
    "variantrule vehicle object deity cult boon psionic reward trap hazard recipe deck card facility skill sense action"
    " charoption vehicleUpgrade disease monsterFluff raceFluff itemMastery citation encounterShape itemEntry"
    " itemTypeAdditionalEntries legendaryGroup subclassFluff".split()
)
RULE: dict[str, Any] = {
    **SEEN, "ruleType": words, "pantheon": words, "domains": short_list(words), "symbol": words, "goal": fields({"entry": line}), "cultists": fields({"entry": line}), "signatureSpells": fields({"entry": line}), "modes": short_list(fields({"name": names, "entries": blocks})), "focus": words, "ac": st.one_of(small, words), "hp": small,
    "actionEntries": blocks, "effect": blocks, "countermeasures": blocks, "trigger": blocks, "lairActions": blocks, "regionalEffects": blocks, "mythicEncounter": blocks, "hull": fields({"ac": small}, {"hp": small, "dt": words}), "weapon": short_list(fields({"name": names, "entries": blocks})), "title": words, "entriesTemplate": blocks, "ingredients": blocks,
    "instructions": blocks, "capCrew": small, "pace": just({"fly": 5}), "property": words,
}  # fmt: skip
TABLE = {"caption": names, "colLabels": short_list(line), "rows": short_list(short_list(line)), "intro": blocks, "footnotes": blocks, "fluff": words}  # fmt: skip
BOOK = {"id": words, "contents": short_list(fields({"name": names}, {"headers": short_list(words)})), "author": words, "data": short_list(entry)}  # fmt: skip


def items(more: dict[str, Any], **needed: Any) -> st.SearchStrategy[list[dict[str, Any]]]:
    """A section: its items with their required and optional fields."""
    return short_list(fields({"name": names, "source": just("FENS"), **needed}, more), 2)


features = items({"entries": blocks, "header": small, "page": small, "consumes": fields({"name": words})}, level=just(1), className=just("Wizard"), classSource=just("PHB"))  # fmt: skip
MOTH = {"name": "Moth", "source": "FENS", "trait": [{"name": f"Dust {MARK}", "entries": [MARK]}], "str": 12, "cr": "5", "environment": ["fen"]}  # fmt: skip
copies = short_list(
    fields({"name": names, "source": just("FENS"), "_copy": fields({"name": just("Moth"), "source": just("FENS")}, {
        "_mod": st.sampled_from([
            {"trait": {"mode": "appendArr", "items": {"name": MARK, "entries": [MARK]}}}, {"trait": [{"mode": "prependArr", "items": [{"name": MARK, "entries": [MARK]}]}]}, {"_": {"mode": "setProp", "prop": "x.y", "value": MARK}},
            {"*": {"mode": "replaceTxt", "replace": "nothing", "with": MARK.replace(MARK, "x")}}, {"_": [{"mode": "addSenses", "senses": {"type": "darkvision", "range": 60}}, {"mode": "addSkills", "skills": {"stealth": 2}}]},
            {"_": {"mode": "setProps", "props": {"group": [MARK]}}}, {"trait": {"mode": "appendArr", "items": {"name": "Aura", "entries": [f"{{@dc <$dc__str$>}} <$title_short_name$> {MARK}"]}}}, {"save": {"mode": "calculateProp", "prop": "str", "formula": "<$prof_bonus$> + 1"}},
        ])}),
    }, {"trait": short_list(named_block)}), 2,
)  # fmt: skip
SECTIONS: dict[str, st.SearchStrategy[Any]] = {
    "monster": st.builds(lambda creatures, copies: [*creatures, MOTH, *copies], items(MONSTER), copies), "spell": items(SPELL, level=st.integers(0, 9)), "item": items(ITEM), "baseitem": items(ITEM), "itemGroup": items({**ITEM, "items": short_list(words)}), "class": items(CLASS), "subclass": items({**CLASS, "shortName": just("S")}, className=words, classSource=just("FENS")),
    "magicvariant": items({"entries": blocks, "requires": just([{"sword": True}, {"type": "HA", "name": MARK}]), "excludes": just({"name": MARK}), "type": just("GV"), "charges": small}, inherits=fields({"rarity": just("rare")}, {"nameSuffix": just(" of Ash"), "entries": blocks, "bonusWeapon": just("+1"), "reqAttune": words, "propertyAdd": just(["F"])})),
    "classFeature": features, "subclassFeature": items({"entries": blocks}, level=just(1), className=words, subclassShortName=words), "race": items(RACE), "subrace": items({key: value for key, value in RACE.items() if key != "subraces"}, raceName=words, raceSource=just("X")), "background": items(BACKGROUND), "feat": items(FEAT),
    "optionalfeature": items(OPTION), "condition": items(SEEN), "language": items({**SEEN, "type": words, "script": words, "typicalSpeakers": short_list(line), "dialects": short_list(words)}), "table": items(TABLE), "itemProperty": items({"abbreviation": just("F"), "entries": short_list(named_block)}), "itemType": items({"abbreviation": just("M"), "entries": blocks}),
    **{name: items(RULE) for name in RULES}, "book": items(BOOK), "adventureData": items(BOOK), "foundryMonster": just([{"name": "x"}]),
}  # fmt: skip
sections = st.lists(st.sampled_from(list(SECTIONS)), min_size=1, max_size=3, unique=True)
meta = fields(
    {"sources": just([{"json": "FENS", "full": "Lights of the Fens", "authors": ["A. Reed"]}])},
    {"spellSchools": just({"V": {"full": "vox"}})},
)
files = sections.flatmap(lambda chosen_: fields({"_meta": meta, **{name: SECTIONS[name] for name in chosen_}}))
