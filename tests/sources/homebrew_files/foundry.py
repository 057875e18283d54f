"""Exports of Foundry VTT: actors, items, journals and tables of the dnd5e system, of all its versions."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.sources.homebrew_files.words import MARK, fields, flags, names, prose, short_list, small, words

# fmt: off
ids = st.sampled_from(["aB3dE5gH7jK9mN1p", "Compendium.dnd5e.items.Item.aB3dE5gH7jK9mN1p"])
html = st.one_of(prose, st.sampled_from([
    f"<p>{MARK}</p><p>two {MARK}</p>",
    f"<h2>{MARK}</h2><ul><li>{MARK}</li><li><strong>{MARK}</strong> x</li></ul>",
    f"<table><thead><tr><th>{MARK}</th></tr></thead><tbody><tr><td><p>{MARK}</p></td></tr></tbody></table>",
    f"<p>[[/r 1d6]]{{{MARK}}} @UUID[Compendium.x.y]{{{MARK}}} &amp;Reference[prone]{{{MARK}}}</p>",
    f"[[/damage 2d6 type=fire]] [[/save dex 15]] [[/attack extended]] [[lookup @name]] @Check[{MARK}]",
    f"<p>a < b & c {MARK}</p><br><blockquote>{MARK}</blockquote><hr><em>{MARK}</em> &amp; &lt;{MARK}",
]))
description = st.one_of(fields({"value": html}, {"chat": html, "unidentified": html}), html)
source = st.one_of(words, fields({"book": words}, {"page": st.just("12"), "license": words, "rules": st.just("2024")}))
ability = st.sampled_from(["str", "dex", "con", "int", "wis", "cha"])
formula = st.sampled_from(["1d6 + @mod", "@prof", "2", MARK])
part = st.one_of(
    st.tuples(st.sampled_from(["1d6 + @mod", "2d8"]), st.sampled_from(["fire", ""])).map(list),
    fields({"number": small, "denomination": small}, {"bonus": formula, "types": st.just(["cold", "fire"])}),
    st.just({"custom": {"enabled": True, "formula": MARK}, "types": ["acid"]}),
)
damage = fields({}, {"parts": short_list(part), "versatile": st.one_of(formula, part), "base": part})
activation = fields({"type": st.sampled_from(["action", "bonus", "legendary", "minute", "special", "", None])}, {"value": small, "cost": small, "condition": prose})
units = st.sampled_from(["ft", "m", "self", "touch", "spec", "", None])
reach = fields({"units": units}, {"value": st.one_of(st.none(), small), "long": small, "reach": small, "special": words})
template = fields({"type": st.sampled_from(["sphere", "cone", "line", ""])}, {"size": small, "width": small, "units": units})
target = st.one_of(
    fields({"type": st.sampled_from(["creature", "sphere", "self", ""])}, {"value": small, "units": units}),
    fields({"affects": fields({}, {"type": st.just("creature"), "count": small, "special": prose})}, {"template": template}),
)
duration = fields({"units": st.sampled_from(["inst", "minute", "perm", "spec", ""])}, {"value": small, "special": words})
save = fields({}, {"ability": st.one_of(ability, st.just(["dex", "con"])), "dc": st.one_of(small, st.none(), fields({}, {"calculation": ability, "formula": formula}))})
recovery = fields({"period": st.sampled_from(["lr", "recharge", "dawn"])}, {"formula": formula, "type": st.just("recoverAll")})
uses = fields({"max": st.one_of(small, formula, st.none())}, {"per": st.sampled_from(["lr", "charges", None]), "recovery": st.one_of(formula, short_list(recovery))})


def in_force(part: dict[str, Any]) -> dict[str, Any]:
    """A part of an activity that takes the place of the item's."""
    return {**part, "override": True}


activity = fields(
    {"type": st.sampled_from(["attack", "save", "damage", "heal", "utility", "check", "summon"])},
    {
        "name": st.just("Burn"), "description": fields({}, {"chatFlavor": prose}), "activation": activation, "range": reach.map(in_force),
        "target": target.map(in_force), "duration": duration.map(in_force), "damage": fields({}, {"parts": short_list(part)}), "save": save,
        "uses": fields({"max": formula}, {"recovery": short_list(recovery)}), "healing": part,
        "attack": fields({}, {"bonus": formula, "type": st.just({"value": "melee", "classification": "weapon"})}),
        "check": fields({}, {"associated": st.just(["ath"]), "ability": ability, "dc": st.just({"formula": "12"})}),
        "roll": fields({"formula": formula}, {"name": words, "prompt": flags}), "_id": ids, "img": st.just("x.svg"),
        "profiles": short_list(fields({"name": words}, {"count": formula, "uuid": ids})),
    },
)
effect = fields({"name": st.just("Glow")}, {"description": html, "changes": short_list(fields({"key": st.just("system.light")})), "_id": ids})
COMMON: dict[str, Any] = {
    "description": description, "source": source, "identifier": st.just("x"), "uses": uses, "activation": activation,
    "activities": st.dictionaries(ids, activity, max_size=2), "unidentified": fields({}, {"description": html}),
    "custom": prose, "nested": fields({"one": words}, {"two": short_list(words)}),
}
HEAD: dict[str, Any] = {
    "_id": ids, "img": st.just("icons/x.webp"), "effects": short_list(effect, 2), "flags": st.just({"x": {"y": 1}}), "sort": small,
}
OLDER = {
    "range": reach, "target": target, "duration": duration, "damage": damage, "save": save, "formula": formula, "ability": ability,
    "attackBonus": formula, "actionType": st.sampled_from(["mwak", "rsak", "other", ""]), "critical": fields({}, {"threshold": small, "damage": formula}),
}
SYSTEMS: dict[str, dict[str, Any]] = {
    "spell": {
        **OLDER, "school": st.sampled_from(["evo", "psi"]), "scaling": fields({"mode": st.just("level")}, {"formula": formula}),
        "materials": fields({}, {"value": words, "cost": small, "consumed": flags}), "sourceClass": words,
        "properties": st.one_of(st.just(["vocal", "material"]), short_list(words)), "components": fields({}, {"vocal": flags, "material": flags}),
    },
    "feat": {
        **OLDER, "requirements": words, "type": fields({"value": words}, {"subtype": words}), "recharge": st.just({"value": 5, "charged": True}),
        "properties": short_list(words),
    },
    "class": {
        "hitDice": st.just("d8"), "hd": fields({"denomination": st.just("d8")}, {"additional": words}), "saves": short_list(ability),
        "spellcasting": fields({}, {"progression": st.sampled_from(["full", "none"]), "ability": ability}), "wealth": words,
        "advancement": short_list(fields({"type": st.sampled_from(["ItemGrant", "Trait", "ScaleValue"])}, {
            "title": words, "level": small, "hint": html,
            "configuration": fields({}, {"hint": prose, "grants": short_list(words), "scale": st.just({"1": {"value": MARK}})}),
        })),
    },
    "background": {"startingEquipment": short_list(fields({"type": words}, {"key": words, "count": small})), "wealth": words},
    "race": {"movement": fields({"walk": small}, {"fly": small, "units": st.just("ft")}), "senses": st.just({"darkvision": 60}), "type": fields({"value": words}, {"subtype": words})},
    "facility": {"level": small, "size": words, "order": words},
    "weapon": {
        "type": st.one_of(fields({"value": st.just("martialM")}, {"baseItem": words}), st.none()), "damage": damage, "range": reach,
        "price": st.one_of(small, fields({"value": st.just(0.5)}, {"denomination": st.just("sp")}), words), "mastery": words, "rarity": words,
        "weight": st.one_of(small, fields({"value": small}, {"units": st.just("kg")}), words), "properties": short_list(words),
        "attunement": st.sampled_from(["", "required", 1]), "attackBonus": formula, "quantity": small, "magicalBonus": small,
    },
    "equipment": {
        "type": fields({"value": st.sampled_from(["medium", "shield", "trinket"])}, {"baseItem": words}), "armor": fields({"value": small}, {"dex": small}),
        "strength": small, "properties": short_list(words), "rarity": words, "speed": fields({"value": small}, {"conditions": prose}),
    },
}
KINDS = {**SYSTEMS, **dict.fromkeys(("consumable", "tool", "loot", "backpack", "container"), SYSTEMS["weapon"])}


def item(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """An item of a kind."""
    needed = {"level": st.integers(0, 9)} if kind == "spell" else {}
    common = {name: value for name, value in COMMON.items() if kind != "facility" or name != "activities"}
    return fields({"name": names, "type": st.just(kind), "system": fields(needed, {**common, **KINDS[kind]})}, HEAD)


items = st.sampled_from(list(KINDS)).flatmap(item)
actor_item = fields(
    {"name": names, "type": st.sampled_from(["feat", "weapon", "equipment", "spell", "loot"]),
     "system": fields({"description": description}, {"level": small, "uses": uses, "activities": COMMON["activities"], "damage": damage, "custom": prose})},
    HEAD,
)
subclasses = fields({"name": names, "type": st.just("subclass"), "system": fields({"classIdentifier": words}, {**COMMON, **SYSTEMS["class"]})}, HEAD)
listed = fields({"value": short_list(words)}, {"custom": words, "bypasses": st.just(["mgc"]), "communication": st.just({"telepathy": {"value": 60}})})
score = fields({"value": small}, {"proficient": st.sampled_from([0, 1]), "bonuses": fields({}, {"save": formula, "check": formula})})
actor_system = fields({}, {
    "abilities": st.dictionaries(ability, score),
    "attributes": fields({}, {
        "ac": fields({}, {"flat": small, "calc": st.sampled_from(["natural", "default", "custom"]), "formula": formula}),
        "hp": fields({}, {"value": small, "max": small, "formula": st.sampled_from(["2d8 + 2", MARK])}),
        "movement": fields({"walk": small}, {"fly": small, "hover": flags, "units": st.sampled_from(["ft", "m"]), "special": words, "burrow": words}),
        "senses": fields({}, {"darkvision": small, "special": words, "ranges": st.just({"blindsight": 30})}),
        "init": fields({}, {"bonus": formula, "ability": ability}), "spellcasting": ability, "capacity": fields({}, {"cargo": words}),
    }),
    "details": fields({}, {
        "biography": fields({}, {"value": html, "public": html}), "cr": st.sampled_from([0, 0.5, 12, None]), "alignment": words, "race": words,
        "type": st.one_of(words, fields({"value": st.sampled_from(["beast", "custom"])}, {"subtype": words, "custom": words, "swarm": st.just("tiny")})),
        "source": source, "xp": fields({"value": small}, {}), "environment": words, "ideal": prose,
        "habitat": fields({"value": short_list(fields({"type": words}, {"subtype": words}))}, {"custom": words}),
    }),
    "traits": fields({}, {"size": st.sampled_from(["sm", "lg"]), **dict.fromkeys(("dr", "di", "dv", "ci", "languages", "dm"), listed)}),
    "skills": st.dictionaries(st.sampled_from(["ste", "prc", "xyz"]), fields({"value": st.sampled_from([0, 0.5, 1, 2])}, {"ability": ability, "bonuses": fields({}, {"check": formula})})),
    "resources": fields({}, {"legact": fields({"max": small}, {}), "legres": fields({"max": small}, {}), "primary": fields({"label": words}, {"value": small})}),
    "custom": prose,
})
actors = fields({"name": names, "type": st.sampled_from(["npc", "character", "vehicle"]), "system": actor_system}, {**HEAD, "items": short_list(actor_item)})
groups = fields(
    {"name": names, "type": st.sampled_from(["group", "encounter"]),
     "system": fields({}, {"description": fields({}, {"full": html, "summary": html}), "xp": small})},
    HEAD,
)
pages = fields(
    {"name": names, "type": st.sampled_from(["text", "rule", "image"])},
    {"text": st.one_of(fields({}, {"content": html}), fields({}, {"markdown": prose})), "image": fields({}, {"caption": prose}),
     "system": fields({}, {"tooltip": html, "description": fields({"value": html}, {"additionalTraits": html})})},
)
journals = fields({"name": names, "_id": ids, "pages": short_list(pages)}, {"content": html})
tables = fields(
    {"name": names, "_id": ids, "results": short_list(fields({"range": st.just([1, 2])}, {"text": html, "name": words, "description": html}))},
    {"formula": st.just("1d4"), "description": html},
)
documents = st.one_of(items, items, actors, actors, subclasses, groups, journals, tables)
adventures = fields({"name": names, "_id": ids, "actors": short_list(actors, 2)}, {"description": html, "items": short_list(items, 2), "journal": short_list(journals, 2)})
files = st.one_of(short_list(documents, 4).filter(bool), documents)
# fmt: on
