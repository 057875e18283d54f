"""Actors and items to records. Both layouts of the dnd5e system are read: that before version 3 and that since."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeGuard

from pydantic import ValidationError

from lorekeeper_mcp.models import Background, CharacterClass, Equipment, Feat, Kind, Record, Section, Species, Spell
from lorekeeper_mcp.sources.foundry.actors import creature
from lorekeeper_mcp.sources.foundry.html import markdown
from lorekeeper_mcp.sources.foundry.item_values import part, text, texts
from lorekeeper_mcp.sources.imported import ImportedFile, ItemError, slug
from lorekeeper_mcp.sources.stat_block import BookBuilder, ability_key, bonus, heading, shown

_UNNAMED = "Foundry"
_SCHOOLS = {
    "abj": "abjuration",
    "con": "conjuration",
    "div": "divination",
    "enc": "enchantment",
    "evo": "evocation",
    "ill": "illusion",
    "nec": "necromancy",
    "trs": "transmutation",
}
_RARITIES = {"veryRare": "very-rare"}
_PROPERTIES = {
    "amm": "Ammunition", "fin": "Finesse", "fir": "Firearm", "foc": "Focus", "hvy": "Heavy", "lgt": "Light",
    "lod": "Loading", "rch": "Reach", "rel": "Reload", "ret": "Returning", "spc": "Special", "thr": "Thrown",
    "two": "Two-Handed", "ver": "Versatile",
}  # fmt: skip
_TIMES = {"action": "action", "bonus": "bonus-action", "reaction": "reaction"}
_COINS = {"pp": 10.0, "gp": 1.0, "ep": 0.5, "sp": 0.1, "cp": 0.01}
_ACTORS = frozenset({"npc", "vehicle", "character"})


def recognises(data: object) -> bool:
    """Whether parsed JSON is an exported document or a list of them."""
    return any(map(_is_document, _listed(data)))


def _listed(data: object) -> list[object]:
    return data if isinstance(data, list) else [data]


def _is_document(one: object) -> TypeGuard[Mapping[str, object]]:
    if not isinstance(one, Mapping) or not isinstance(one.get("system", one.get("data")), Mapping):
        return False
    kind = one.get("type")
    return "name" in one and isinstance(kind, str) and (kind in _ITEMS or kind in _ACTORS or "_stats" in one)


def read(data: object, name: str) -> ImportedFile:
    """Read parsed JSON. ``name`` is the book of documents without a source. Never raises."""
    books = BookBuilder()
    for number, one in enumerate(_listed(data), 1):
        if not _is_document(one):
            books.skip(name or _UNNAMED, "foundry", f"document {number}", "it is no actor or item of the dnd5e system")
            continue
        system = part(one, "system") or part(one, "data")
        book = _book(system) or name or _UNNAMED
        kind, called = str(one["type"]), text(one, "name")
        section, adapter = ("monsters", creature) if kind in _ACTORS else _ITEMS.get(kind, ("foundry", _unknown))
        try:
            record = adapter(one, system, book)
        except ItemError as error:
            books.skip(book, section, called, str(error))
        except (ValidationError, TypeError, ValueError, AttributeError, KeyError) as error:
            books.skip(book, section, called, f"its fields are not as the format has them ({type(error).__name__})")
        else:
            books.add(book, section, record)
    return ImportedFile(books.books(), invisible=books.invisible)


def _book(system: Mapping[str, object]) -> str:
    source = system.get("source") or part(system, "details").get("source")
    if isinstance(source, Mapping):
        source = source.get("book") or source.get("custom")
    return " ".join(source.split()) if isinstance(source, str) else ""


def _described(system: Mapping[str, object]) -> str:
    return markdown(part(system, "description").get("value", system.get("description")))


def _spell(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    level = bonus(system.get("level"))
    if level is None or not 0 <= level <= 20:
        raise ItemError("it has no level from 0 (cantrip) up")
    marks = _marks(system)
    activation, spec = part(system, "activation"), part(system, "duration")
    unit, cost = str(activation.get("type") or ""), bonus(activation.get("value", activation.get("cost"))) or 1
    span, distance = part(system, "range"), bonus(part(system, "range").get("value"))
    material = part(system, "materials")
    school = str(system.get("school") or "")
    reach = str(span.get("units") or "")
    activities = [part({"x": value}, "x") for value in part(system, "activities").values()]
    saves = [ability for value in activities for ability in texts(part(value, "save").get("ability"))]
    damages = [shape for value in activities for shape in _damages(part(value, "damage"))] or _damages(
        part(system, "damage")
    )
    lasting = str(spec.get("units") or "")
    return Spell.model_validate(
        {
            **heading(book, "spells", text(one, "name"), Kind.SPELL, _described(system)),
            "level": level,
            "school": _SCHOOLS.get(school, slug(school) if school else ""),
            "casting_time": _TIMES.get(unit, f"{cost}{unit}{'s' if cost != 1 else ''}" if unit else ""),
            "casting_time_text": f"{cost} {'bonus action' if unit == 'bonus' else unit}" if unit else "",
            "reaction_condition": text(activation, "condition"),
            "range": float(distance)
            if reach == "ft" and distance is not None
            else 0.0
            if reach in ("self", "touch")
            else None,
            "range_unit": "feet" if reach in ("ft", "self", "touch") else "",
            "range_text": f"{distance} {reach}" if distance is not None else reach.capitalize(),
            "verbal": "vocal" in marks,
            "somatic": "somatic" in marks,
            "material": "material" in marks,
            "material_text": text(material, "value"),
            "material_cost": float(worth) if (worth := bonus(material.get("cost"))) else None,
            "material_consumed": material.get("consumed") is True,
            "duration": "Instantaneous" if lasting == "inst" else f"{shown(spec.get('value'))} {lasting}".strip(),
            "concentration": "concentration" in marks,
            "ritual": "ritual" in marks,
            "saving_throw": ability_key(next(iter(saves), str(part(system, "save").get("ability") or ""))),
            "damage_roll": next((dice for dice, _ in damages if dice), ""),
            "damage_types": tuple(dict.fromkeys(kind for _, kind in damages if kind)),
        }
    )


def _marks(system: Mapping[str, object]) -> frozenset[str]:
    """Components and properties: a list since version 3, flags before."""
    names = texts(system.get("properties"))
    flags = {**part(system, "components"), **part(system, "properties")}
    return frozenset(names) | {name for name, on in flags.items() if on is True}


def _damages(spec: Mapping[str, object]) -> list[tuple[str, str]]:
    """Dice and type of each part: pairs before version 4, objects since."""
    found = []
    parts = spec.get("parts")
    listed = parts if isinstance(parts, list) else []
    for one in [*listed, *([spec["base"]] if isinstance(spec.get("base"), Mapping) else [])]:
        if isinstance(one, list) and one:
            found.append((str(one[0]), str(one[1]) if len(one) > 1 else ""))
        elif isinstance(one, Mapping):
            number, faces, more = bonus(one.get("number")), bonus(one.get("denomination")), shown(one.get("bonus"))
            dice = f"{number}d{faces}{f' + {more}' if more else ''}" if number and faces else more
            found += [(dice, kind) for kind in texts(one.get("types")) or [""]]
    return found


def _thing(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    rarity = str(system.get("rarity") or "")
    attunement = system.get("attunement")
    marks = _marks(system)
    magical = bool(rarity and rarity != "common") or "mgc" in marks or attunement in (1, 2, "required")
    type_ = system.get("type") if isinstance(system.get("type"), Mapping) else {}
    category = text(type_, "value") if isinstance(type_, Mapping) else ""
    armor = part(system, "armor")
    kind = str(one["type"])
    is_armor = (
        kind == "equipment"
        and bonus(armor.get("value")) is not None
        and category in ("light", "medium", "heavy", "shield", "")
    )
    made = Kind.MAGIC_ITEM if magical else Kind.WEAPON if kind == "weapon" else Kind.ARMOR if is_armor else Kind.ITEM
    head = heading(book, "items", text(one, "name"), made, _described(system))
    price, weight = part(system, "price"), system.get("weight")
    worth = bonus(price.get("value", system.get("price")))
    heavy = weight.get("value") if isinstance(weight, Mapping) else weight
    return Equipment.model_validate(
        {
            **head,
            "category": "weapon" if kind == "weapon" else "armor" if is_armor else slug(category or kind),
            "cost": worth * _COINS.get(str(price.get("denomination") or "gp"), 1.0) if worth is not None else None,
            "weight": float(heavy) if isinstance(heavy, int | float) and not isinstance(heavy, bool) else None,
            "rarity": _RARITIES.get(rarity, slug(rarity) if rarity else ""),
            "requires_attunement": bool(attunement in (1, 2, "required")) if magical else None,
            "weapon": _weapon(one, system, head, marks, category) if kind == "weapon" else None,
            "armor": {
                "name": head["name"],
                "key": head["key"],
                "category": category,
                "ac_text": shown(armor.get("value")),
                "ac_base": bonus(armor.get("value")),
                "adds_dexterity": category in ("light", "medium"),
                "dexterity_cap": bonus(armor.get("dex")),
                "strength_required": bonus(system.get("strength")),
                "stealth_disadvantage": system.get("stealth") is True or "stealthDisadvantage" in marks,
            }
            if is_armor
            else None,
            "other": _uses(system),
        }
    )


def _weapon(
    one: Mapping[str, object],
    system: Mapping[str, object],
    head: Mapping[str, object],
    marks: frozenset[str],
    category: str,
) -> dict[str, object]:
    kind = category or str(system.get("weaponType") or "")
    dice, damage = next(iter(_damages(part(system, "damage"))), ("", ""))
    span = part(system, "range")
    return {
        "name": text(one, "name"),
        "key": head["key"],
        "damage_dice": dice.replace(" + @mod", "").replace(" ", ""),
        "damage_type": damage,
        "two_handed_damage": shown(part(system, "damage").get("versatile"))
        if isinstance(part(system, "damage").get("versatile"), str)
        else "",
        "range": float(near) if (near := bonus(span.get("value"))) else None,
        "long_range": float(far) if (far := bonus(span.get("long"))) else None,
        "properties": [{"name": _PROPERTIES[mark]} for mark in sorted(marks) if mark in _PROPERTIES],
        "is_simple": True if kind.startswith("simple") else False if kind.startswith("martial") else None,
    }


def _uses(system: Mapping[str, object]) -> list[Section]:
    uses = part(system, "uses")
    return (
        [Section(name="Uses", text=f"{shown(uses['max'])} {shown(uses.get('per'))}".strip())] if uses.get("max") else []
    )


def _feat(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    required = text(system, "requirements")
    kind = part(system, "type")
    return Feat.model_validate(
        {
            **heading(book, "feats", text(one, "name"), Kind.FEAT, _described(system)),
            "type": text(kind, "subtype") or text(kind, "value"),
            "prerequisite": required,
            "other": _uses(system),
        }
    )


def _class(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    subclass = one["type"] == "subclass"
    parent = text(system, "classIdentifier")
    if subclass and not parent:
        raise ItemError("it does not say of which class it is")
    section, kind = ("subclasses", Kind.SUBCLASS) if subclass else ("classes", Kind.CLASS)
    casting = text(part(system, "spellcasting"), "progression")
    return CharacterClass.model_validate(
        {
            **heading(book, section, text(one, "name"), kind, _described(system)),
            "subclass_of": {"name": parent.title(), "key": slug(parent)} if subclass else None,
            "hit_dice": text(system, "hitDice") or shown(part(system, "hd").get("denomination")),
            "saving_throws": tuple(ability_key(one).capitalize() for one in texts(system.get("saves"))),
            "caster_type": {"artificer": "half"}.get(casting, casting),
        }
    )


def _background(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    return Background.model_validate(
        heading(book, "backgrounds", text(one, "name"), Kind.BACKGROUND, _described(system))
    )


def _species(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    speed = ", ".join(
        f"{mode} {feet} ft.".removeprefix("walk ") for mode, feet in part(system, "movement").items() if bonus(feet)
    )
    return Species.model_validate(
        {**heading(book, "races", text(one, "name"), Kind.SPECIES, _described(system)), "speed": speed}
    )


def _unknown(one: Mapping[str, object], _system: Mapping[str, object], _book: str) -> Record:
    raise ItemError(f'documents of the type "{str(one["type"])[:40]}" are not known')


_ITEMS: Mapping[str, tuple[str, Callable[[Mapping[str, object], Mapping[str, object], str], Record]]] = {
    "spell": ("spells", _spell),
    "feat": ("feats", _feat),
    "class": ("classes", _class),
    "subclass": ("subclasses", _class),
    "background": ("backgrounds", _background),
    "race": ("races", _species),
    **dict.fromkeys(("weapon", "equipment", "consumable", "tool", "loot", "backpack", "container"), ("items", _thing)),
}
