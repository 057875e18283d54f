"""Served JSON corrected with independent code: the values that filters have to use.

The reviewed corrections are applied, and values that Open5e fills in where a book has none are removed.
"""

from __future__ import annotations

import copy
import functools
import re
from typing import Any

from lorekeeper_mcp.corrections import CorrectionRow, rows
from tests.served_open5e import load
from tests.srd import srd_records

Raw = dict[str, Any]
KINDS = {
    "v2/weapons": "weapon",
    "v2/armor": "armor",
    "v2/spells": "spell",
    "v2/creatures": "creature",
    "v2/items": "item",
    "v2/magicitems": "magic-item",
    "v2/rules": "rule",
}


@functools.cache
def _rows() -> dict[str, list[CorrectionRow]]:
    rows_by_record: dict[str, list[CorrectionRow]] = {}
    for row in rows():
        for name in row.records:
            rows_by_record.setdefault(name, []).append(row)
    return rows_by_record


@functools.cache
def corrected(endpoint: str) -> list[Raw]:
    """Every record of an endpoint; fields without filters stay as served. Do not change the returned list."""
    return [_corrected(endpoint, record) for record in load(endpoint)]


_ABILITY = "(strength|dexterity|constitution|intelligence|wisdom|charisma)"
_SAVE = re.compile(rf"\b{_ABILITY}(?:,? (?:or|and) {_ABILITY})?\)? sav")
_BARE_SAVE = re.compile(r"(failed|fails (a|the|its|this)|successful|makes? a) sav")
_MADE_EASIER = ("advantage", "bonus", "proficien", "add", "benefit")
_BEFORE_A_SAVE = re.compile("|".join((*_MADE_EASIER, "must", "mak", "succe", "fail", "repeat")))

MAX_ENVIRONMENTS = 20  # of 31; tob has 140 creatures with all of them
ALL_CHAOTIC_EVIL = ("a5e-mm", "bfrd")  # every creature of these books is served so


def _emptied(record: Raw) -> Raw:
    """A creature without filled-in values, and without the "NPC" that tob3 puts before the names of people."""
    filled = record["document"]["key"] in ALL_CHAOTIC_EVIL and record["alignment"] == "chaotic evil"
    return {
        **record,
        "name": re.sub(r"^NPC: ", "", record["name"], flags=re.IGNORECASE),
        "alignment": "" if filled else record["alignment"] or "",
        "environments": record["environments"] if len(record["environments"]) <= MAX_ENVIRONMENTS else [],
    }


def _priced(record: Raw) -> Raw:
    """An item without the zeros that are served for an unknown price or weight."""
    return record | {name: record[name] if float(record[name] or 0) else None for name in ("cost", "weight")}


def _with_saving_throw(record: Raw) -> Raw:
    """A spell with the saving throw that its text requires: Open5e serves the first ability in the text."""
    served, text = record["saving_throw_ability"] or "", record["desc"].lower()
    abilities = [ability for clause in re.split(r"[.;:]", text) for ability in _saves(clause)]
    if abilities and served not in abilities:
        served = abilities[0]
    elif not abilities and not _BARE_SAVE.search(text):
        served = ""
    return {**record, "saving_throw_ability": served}


def _with_dealt_damage(record: Raw) -> Raw:
    """A spell with the damage types that its text rolls for others.

    Without those that it only resists or, outside the SRDs, does not have.
    """
    text = f"{record['desc']} {record['higher_level']}".lower()
    sentences = re.split(r"(?<=[.;])\s", text)

    def is_resisted(type_: str) -> bool:
        sentences_of_type = [sentence for sentence in sentences if type_ in sentence]
        words = ("resistance to", "immunity to")
        return bool(sentences_of_type) and all(
            any(word in sentence for word in words) for sentence in sentences_of_type
        )

    types = [type_ for type_ in record["damage_types"] if record["damage_roll"] or not is_resisted(type_)]
    if not record["document"]["key"].startswith("srd"):
        rolled = [type_ for sentence in sentences for type_ in _rolled(sentence)]
        types = list(dict.fromkeys([*(type_ for type_ in types if type_ in text), *rolled])) or types
    return {**record, "damage_types": types}


_TYPES = "acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder"
_OF_CASTER = re.compile(r"\byou (?:must .*? or |\w+ )?(?:take|suffer|inflict)\b[^,;:]*$|\byour (?:own|hand)\b")


def _rolled(sentence: str) -> list[str]:
    """The damage types behind dice in a sentence, unless it is the caster who takes the damage."""
    found = re.finditer(rf"\dd\d+(?: ?\+ ?[\w' ]+?)? ((?:(?:{_TYPES})(?:, |,? or |,? and )?)+) ?damage", sentence)
    return [
        one for hit in found if not _OF_CASTER.search(sentence[: hit.start()]) for one in re.findall(_TYPES, hit[1])
    ]


def _saves(clause: str) -> list[str]:
    """The abilities of the saving throws that a clause requires, not those that it only makes easier or harder."""
    abilities: list[str] = []
    for match in _SAVE.finditer(clause):
        before = _BEFORE_A_SAVE.findall(clause[: match.start()])
        if not before or before[-1] not in _MADE_EASIER:
            abilities += filter(None, match.groups())
    return abilities


def _corrected(endpoint: str, record: Raw) -> Raw:
    record = _emptied(record) if endpoint == "v2/creatures" else record
    record = _with_dealt_damage(_with_saving_throw(record)) if endpoint == "v2/spells" else record
    record = _priced(record) if endpoint in ("v2/items", "v2/magicitems") else record
    id_ = f"{KINDS.get(endpoint, '')}:{record['key']}"
    book = _books().get(id_)
    weapon = _books().get(f"weapon:{(record.get('weapon') or {}).get('key')}")
    record_rows = [*_rows().get(id_, []), *_rows().get(f"{id_.partition('_')[0]}_*", [])] if book is None else []
    if not record_rows and book is None and weapon is None:
        return record
    new = copy.deepcopy(record)
    if book is not None:
        _put_book(new, book)
    elif weapon is not None:
        _put_book(new["weapon"], weapon["weapon"])
    for row in record_rows:
        _put(new, row)
    return new


@functools.cache
def _books() -> dict[str, Raw]:
    return {record.id: record.model_dump(mode="json") for record in srd_records()}


def _put_book(new: Raw, book: Raw) -> None:
    """Put the embedded book's values in the shapes of Open5e: its records stand for Open5e's copies."""
    for name in new.keys() & book.keys() - {"document", "environments", "subcategory", "features", "benefits", "image"}:
        value = book[name]
        if isinstance(new[name], dict) and isinstance(value, str):
            value = {"key": value, "name": value}
        if name == "weapon" and value:
            properties = [{"property": {"name": one["name"]}, "detail": one["detail"]} for one in value["properties"]]
            value = {**value, "damage_type": {"key": value["damage_type"]}, "properties": properties}
        if name == "armor" and value:
            value = {**value, "grants_stealth_disadvantage": value["stealth_disadvantage"]}
        new[name] = value
    if isinstance(new.get("category"), str) and book.get("armor"):
        new["category"] = book["armor"]["category"]
    if "rarity" in new:
        new["rarity_text"] = book["rarity_text"]
    own = book.get("weapon") or book
    if "properties" in new:
        new["properties"] = [{"property": {"name": one["name"]}, "detail": one["detail"]} for one in own["properties"]]
    if "damage_dice" in new:
        new |= {name: own[name] for name in ("damage_dice", "is_simple")}
        new["damage_type"] = {"key": own["damage_type"]}
    if "desc" in new and "text" in book:
        new["desc"] = book["text"] or new["desc"]
    if "saving_throw_ability" in new:
        new |= {"saving_throw_ability": book["saving_throw"], "material_specified": book["material_text"]}
    if "resistances_and_immunities" not in new:
        return
    new["type"] = {"key": book["type"], "name": book["type_text"]}
    new["sizes"] = (book["size_text"] or book["size"]).lower().split(" or ")
    new["speed"] = {**book["speed"], "hover": book["hover"]}
    new["speed_all"] = {**new["speed_all"], "hover": book["hover"]}
    new["languages"] = {"as_string": book["languages"], "data": [{"key": key} for key in book["language_keys"]]}
    new["ability_scores"] = book["abilities"]
    for sense in ("darkvision", "blindsight", "tremorsense", "truesight"):
        new[f"{sense}_range"] = book["senses"][sense]
    for name in ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities"):
        new["resistances_and_immunities"][f"{name}_display"] = book["defenses"][f"{name}_text"]
        new["resistances_and_immunities"][name] = [{"key": key} for key in book["defenses"][name]]
    new["traits"] = [{"name": part["name"], "desc": part["text"]} for part in book["traits"]]
    new["actions"] = [
        {"name": part["name"], "desc": part["text"], "action_type": part["type"].upper().replace("-", "_")}
        for part in book["actions"]
    ]


def _put(new: Raw, row: CorrectionRow) -> None:
    right: Any = row.right
    match row.field:
        case "classes":
            new["classes"] = [{"key": key} for key in right]
        case "school":
            new["school"] = {"key": right}
        case "duration":
            new["duration"] = right
            new["concentration"] = row.also.get("concentration", new["concentration"])
        case "size":
            new["size"] = {"key": right}
            new["sizes"] = str(row.also.get("size_text", right)).lower().split(" or ")
        case "name" if row.words:
            new["name"] = new["name"].replace(row.words, right)
        case "saving_throw":
            new["saving_throw_ability"] = right
        case "material_text":
            new["material_specified"] = right
            new["material"] = row.also.get("material", new["material"])
        case "rarity" | "category":
            new[row.field] = {"key": right}
            new["rarity_text"] = row.also.get("rarity_text", new.get("rarity_text"))
        case "rarity_text":
            new["rarity_text"] = right
        case (
            "challenge_rating" | "armor_class" | "hit_points" | "weight" | "name" | "casting_time" | "damage_types"
            | "damage_roll" | "attack_roll" | "alignment" | "material_consumed" | "requires_attunement" | "cost"
        ):  # fmt: skip
            new[row.field] = right
        case "speed":
            new["speed"] = {**right, "hover": row.also.get("hover", new["speed_all"]["hover"])}
            new["speed_all"] = {**new["speed_all"], "hover": new["speed"]["hover"]}
        case "shape_size":
            new["shape_type"] = row.also["shape_type"]
        case "weapon.name" | "armor.name":
            part = row.field.partition(".")[0]
            endpoint = "v2/weapons" if part == "weapon" else "v2/armor"
            bases = (one for one in corrected(endpoint) if one["key"] == row.also[f"{part}.key"])
            new |= {part: next(bases), "weight": row.also.get("weight", new["weight"])}
        case "range_text":
            new |= {"range_text": right, "range": row.also["range"], "range_unit": row.also["range_unit"]}
        case "text" if row.words and "desc" in new:
            new["desc"] = new["desc"].replace(row.words, right)
        case "type_text":
            new["type"] = {**new["type"], "name": right}
        case "languages":
            text = new["languages"]["as_string"].replace(row.words, right) if row.words else right
            new["languages"] = {**new["languages"], "as_string": text}
        case field if "." in field:
            _put_part(new, row)


def _put_part(new: Raw, row: CorrectionRow) -> None:
    field, _, part = row.field.partition(".")
    match field:
        case "abilities":
            new["ability_scores"][part] = row.right
        case "senses" if part != "passive_perception":
            new[f"{part}_range"] = row.right
        case "speed":
            new["speed"][part] = row.right
        case "defenses":
            name = part.removesuffix("_text")
            new["resistances_and_immunities"][f"{name}_display"] = row.right or ""
            if (keys := row.also.get(f"defenses.{name}")) is not None:
                assert isinstance(keys, list)
                new["resistances_and_immunities"][name] = [{"key": key} for key in keys]
