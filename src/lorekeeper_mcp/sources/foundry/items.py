"""Items outside actors: spells, equipment, classes, species, backgrounds and feats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Background, CharacterClass, Feat, Kind, Record, Ref, Section, Species, WeaponProperty
from lorekeeper_mcp.models.vocabulary import GOLD, SRD_CLASSES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import (
    JsonObject,
    flag,
    integer,
    joined,
    number,
    objects,
    part,
    phrase,
    sections_of,
    text,
    text_at,
    texts,
    value_at,
)
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.enrichers import id_name, markdown
from lorekeeper_mcp.sources.foundry.formulas import plain_dice
from lorekeeper_mcp.sources.foundry.mechanics import (
    Item,
    activation_text,
    area_text,
    duration_text,
    printer,
    range_text,
    uses_text,
)
from lorekeeper_mcp.sources.imported import ItemError, parent_key
from lorekeeper_mcp.sources.item_form import ArmorForm, ItemForm, WeaponForm, named_properties, to_equipment
from lorekeeper_mcp.sources.spell_form import SpellForm, to_spell
from lorekeeper_mcp.sources.stat_block import ability_key, heading
from lorekeeper_mcp.text import label

_WEAPON_PROPERTIES = {
    "amm": "Ammunition", "fin": "Finesse", "fir": "Firearm", "foc": "Focus", "hvy": "Heavy", "lgt": "Light",
    "lod": "Loading", "rch": "Reach", "rel": "Reload", "ret": "Returning", "spc": "Special", "thr": "Thrown",
    "two": "Two-Handed", "ver": "Versatile",
}  # fmt: skip
_PROPERTIES = {**_WEAPON_PROPERTIES, "ada": "Adamantine", "sil": "Silvered", "mgc": "", "trait": ""}
_CATEGORY_PATHS = ("type.value", "consumableType", "toolType", "armor.type")  # the first since version 3
# Categories of ours by the type of an item, and by the kind of document if the type says nothing.
_CATEGORIES = {
    "ammo": "ammunition", "wondrous": "wondrous-item", "trade": "trade-good", "tool": "tools", "potion": "potion",
    "poison": "poison", "ring": "ring", "rod": "rod", "scroll": "scroll", "staff": "staff", "wand": "wand",
    "weapon": "weapon",
}  # fmt: skip
_WEAPONS = {"natural": "natural weapon", "improv": "improvised weapon", "siege": "siege weapon"}
_FEET = {"m": 10 / 3, "km": 10_000 / 3, "mi": 5280.0}
_POUNDS = {"kg": 2.0, "Mg": 2000.0, "tn": 2000.0}  # converted as in the rules
_FEATURES = {
    "class": "Class Feature", "race": "Species Feature", "background": "Background Feature", "feat": "Feat",
    "monster": "Monster Feature", "vehicle": "Vehicle Feature",
}  # fmt: skip
_CASTERS = {"full": "full", "half": "half", "third": "third", "pact": "pact", "artificer": "half"}
_DEEPEST = 4


def _head(item: Item, book: str, section: str, kind: Kind) -> CommonFields:
    return heading(book, section, item.name, kind, item.description)


def _other(item: Item, form: object = "") -> tuple[Section, ...]:
    """What no reader has taken of an item; the item's text and its ``form`` count as known."""
    properties = {_PROPERTIES.get(code, names.readable(code)) for code in item.properties} - {""}
    uses = uses_text(item.system)
    lines = {
        "Uses": uses if uses != "1" else "",
        "Properties": joined(*sorted(properties)),
        "Advancement": "\n".join(_advancement_lines(item.system)),
    }
    return (*sections_of(lines), *item.further_sections(f"{item.name} {item.description} {form}"))


def spell(document: JsonObject, book: str) -> Record:
    """Return a spell. Raises ItemError if its level is not known."""
    item = Item(document)
    system, fields, own = item.system, item.fields, list(item.activities.values())
    fields.drop("activation", "range", "target", "duration", "materials.supply")
    activation = part(system, "activation")
    saves = [code for activity in own for code in texts(value_at(activity, "save.ability"))]
    parts = [entry for activity in own for entry in item.damages(activity)]
    areas = (area_text(part(source, "target")) for source in (system, *own))
    school, material, needs_material = fields.text("school"), fields.text("materials.value"), item.took("material")
    values = {
        "level": fields.integer("level"),
        "school": names.SCHOOLS.get(school, school),
        "casting_time": joined(activation_text(activation), item.text(activation.get("condition"))),
        "range": range_text(part(system, "range")),
        "area": next(filter(None, areas), ""),
        "verbal": item.took("vocal"),
        "somatic": item.took("somatic"),
        "material": needs_material or bool(material),
        "material_text": markdown(material),
        "material_cost": fields.number("materials.cost") or None,
        "material_consumed": fields.flag("materials.consumed") or False,
        "duration": duration_text(part(system, "duration")),
        "concentration": item.took("concentration"),
        "ritual": item.took("ritual"),
        "saving_throw": ability_key(saves[0]) if saves else "",
        "damage_roll": next(map(plain_dice, parts), ""),
        "damage_types": tuple(dict.fromkeys(kind for entry in parts for kind in texts(entry.get("types")))),
        "attack_roll": any(activity.get("type") == "attack" for activity in own),
    }
    form = SpellForm(**values, other=_other(item, values))  # type: ignore[arg-type]  # each reader returns its type
    return to_spell(form, _head(item, book, "spells", Kind.SPELL))


def equipment(document: JsonObject, book: str) -> Record:
    """Return a weapon, armor, another item, or a magic item."""
    item = Item(document)
    system, fields = item.system, item.fields
    attunement = system.get("attunement")
    needs_attunement = attunement in (1, 2, "required")
    rarities = list(map(names.readable, texts(system.get("rarities")) or texts(system.get("rarity"))))
    category = next(filter(None, (text_at(system, path) for path in _CATEGORY_PATHS)), "")
    kind, default = _plain_kind(item, category), _CATEGORIES.get(item.type, "adventuring-gear")
    is_armor, is_weapon = kind is Kind.ARMOR, kind is Kind.WEAPON
    if needs_attunement or "mgc" in item.properties or rarities[:1] not in ([], ["common"]):
        kind, default = Kind.MAGIC_ITEM, "wondrous-item" if item.type == "equipment" else default
    fields.drop("rarity", "rarities", "attunement", "range.units")
    own_category = fields.read(lambda value: _CATEGORIES.get(str(value)), *_CATEGORY_PATHS)
    fields.read(lambda value: True if value in (0, 1, "1") else None, "quantity")
    form = ItemForm(
        category="armor" if is_armor else own_category or default,
        category_text=_WEAPONS.get(category, "") if is_weapon else "",
        cost=_measure(item, "price", "price.denomination", GOLD),
        weight=_measure(item, "weight", "weight.units", _POUNDS),
        rarity=joined(*rarities[:1], phrase("(or {})", joined(*rarities[1:])), sep=" "),
        attunement=needs_attunement if kind is Kind.MAGIC_ITEM else None,
        attunement_text=phrase("optional", attunement == "optional"),
        weapon=_weapon(item) if is_weapon else None,
        armor=_armor(item, category) if is_armor else None,
    )
    head = _head(item, book, "items", kind)
    return to_equipment(form, head).model_copy(update={"other": _other(item, form)})


def _plain_kind(item: Item, category: str) -> Kind:
    """What an item is but for its magic; a part of a vehicle has an armor class, too."""
    has_armor_class = integer(value_at(item.system, "armor.value")) is not None
    if item.type == "equipment" and has_armor_class and category in ("", "light", "medium", "heavy", "shield"):
        return Kind.ARMOR
    return Kind.WEAPON if item.type == "weapon" else Kind.ITEM


def _measure(item: Item, name: str, unit: str, factors: Mapping[str, float]) -> float | None:
    """A price, a weight or a distance: a number before version 3, an object with a unit since."""
    value, factor = item.fields.number(f"{name}.value", name), factors.get(str(item.fields.peek(unit)), 1.0)
    item.fields.drop(unit)
    return None if value is None else round(value * factor, 4)


def _armor(item: Item, category: str) -> ArmorForm:
    fields = item.fields
    fields.drop("type.value", "armor.type")
    base, cap = fields.integer("armor.value"), fields.integer("armor.dex")
    if cap and category in ("heavy", "shield"):  # left over from another type: the application ignores it
        cap = 0
    hinders_stealth = item.took("stealthDisadvantage") or fields.flag("stealth") is True
    return ArmorForm(category, base, cap, fields.integer("strength"), hinders_stealth)


def _weapon(item: Item) -> WeaponForm:
    fields, kind = item.fields, item.kind
    fields.drop("type.value", "weaponType", "armor", "range.reach")
    attacks = (each for each in item.activities.values() if each.get("type") == "attack")
    base = next(iter(item.damages(next(attacks, {"type": "attack"}))), {})
    properties = sorted(name for code, name in _WEAPON_PROPERTIES.items() if item.took(code))
    near, far = (_measure(item, f"range.{name}", "range.units", _FEET) or None for name in ("value", "long"))
    # Before version 4, the range of a melee weapon is its reach.
    has_range = far or "Thrown" in properties or not kind.endswith("M")
    masteries = (WeaponProperty(name=mastery.title(), type="Mastery") for mastery in fields.names("mastery"))
    return WeaponForm(
        damage=plain_dice(base),
        damage_type=next(iter(texts(base.get("types"))), ""),
        two_handed=plain_dice(item.base_damage("versatile")),
        range=near if has_range else None,
        long_range=far,
        properties=(*named_properties(properties), *masteries),
        training=next((training for training in ("simple", "martial") if kind.startswith(training)), ""),
        is_ranged={"simpleR": True, "martialR": True, "simpleM": False, "martialM": False}.get(kind),
    )


def feat(document: JsonObject, book: str) -> Record:
    """Return a feat, or a feature of a class, a species or a monster."""
    item = Item(document)
    value, subtype = item.fields.text("type.value"), item.fields.text("type.subtype")
    kind = _FEATURES.get(value, label(value))
    requirements, level = item.fields.text("requirements"), item.fields.text("prerequisites.level")
    return Feat(
        **_head(item, book, "feats", Kind.FEAT),
        type="Pact Boon" if subtype == "pact" else label(subtype) or kind,
        prerequisite=joined(requirements, phrase("level {}", level if level not in requirements else ""), sep="; "),
        other=(*sections_of({"Kind": kind if subtype else ""}), *_other(item)),
    )


def character_class(document: JsonObject, book: str) -> Record:
    """Return a class or a subclass."""
    item = Item(document)
    fields, system, parent = item.fields, item.system, text_at(item.system, "classIdentifier")
    is_subclass = item.type == "subclass"
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    section, kind = ("subclasses", Kind.SUBCLASS) if is_subclass else ("classes", Kind.CLASS)
    fields.drop("classIdentifier", "levels")
    granted = (code for code in _granted_codes(system, "Trait", "grants") if code.startswith("saves:"))
    saves = fields.names("saves") or [code.removeprefix("saves:") for code in granted]
    # Before version 3; since then, an advancement.
    fixed, choices = (", ".join(map(names.skill, fields.names(f"skills.{name}"))) for name in ("value", "choices"))
    chosen = phrase(f"choose {fields.text('skills.number') or 1} from {{}}", choices)
    return CharacterClass(
        **_head(item, book, section, kind),
        subclass_of=Ref(name=parent.title(), key=parent_key(parent, {}, SRD_CLASSES)) if is_subclass else None,
        hit_dice=fields.text("hitDice", "hd.denomination"),
        saving_throws=tuple(map(names.ability, saves)),
        caster_type=fields.read(lambda value: _CASTERS.get(str(value)), "spellcasting.progression") or "",
        spellcasting=phrase("Spellcasting Ability: {}", names.ability(fields.text("spellcasting.ability"))),
        proficiencies=phrase("Skills: {}", joined(fixed, chosen, sep="; ")),
        equipment=_starting_equipment(item),
        primary_abilities=tuple(map(names.ability, fields.names("primaryAbility.value"))),
        other=_other(item),
    )


def background(document: JsonObject, book: str) -> Record:
    """Return a background."""
    item = Item(document)
    equipment_text = _starting_equipment(item)
    benefits = (Section(name="Equipment", text=equipment_text, type="equipment"),) if equipment_text else ()
    return Background(**_head(item, book, "backgrounds", Kind.BACKGROUND), benefits=benefits, other=_other(item))


def species(document: JsonObject, book: str) -> Record:
    """Return a species."""
    item = Item(document)
    item.fields.drop("movement", "senses", "type")
    movement, type_ = part(item.system, "movement"), part(item.system, "type")
    walking = {"walk": movement["walk"]} if "walk" in movement else {}
    speed = ", ".join(distances({**walking, **movement}, movement.get("units"))).removeprefix("walk ")
    hover = " (hover)" if speed and flag(movement.get("hover")) else ""
    creature_type = text(type_.get("custom")) or text_at(type_, "value").replace("custom", "")
    creature_type += phrase(" ({})", text_at(type_, "subtype"))
    return Species(
        **_head(item, book, "races", Kind.SPECIES),
        speed=joined(speed + hover, text(movement.get("special"))),
        size=" or ".join(names.SIZES.get(code, code) for code in _granted_codes(item.system, "Size", "sizes")),
        traits=sections_of({"Creature Type": creature_type.capitalize()}),
        other=(*sections_of({"Senses": senses_text(part(item.system, "senses"))}), *_other(item)),
    )


def senses_text(senses: JsonObject) -> str:
    """Return ``darkvision 60 ft.``"""
    return joined(*distances({**senses, **part(senses, "ranges")}, senses.get("units")), text(senses.get("special")))


def distances(by_name: JsonObject, units: object) -> list[str]:
    """Return distances in feet, also if they are in metres: ``walk 30 ft.``"""
    factor = 10 / 3 if units == "m" else 1
    return [f"{name} {feet * factor:g} ft." for name, value in by_name.items() if (feet := number(value))]


# --- Starting equipment and advancements ---


def _starting_equipment(item: Item) -> str:
    """The starting equipment: a line for each entry outside a group, then the gold instead."""
    entries = sorted(objects(item.system.get("startingEquipment")), key=lambda entry: number(entry.get("sort")) or 0)
    ids = {text_at(entry, "_id") for entry in entries} - {""}
    lines = [_entry(entry, entries) for entry in entries if text_at(entry, "group") not in ids]
    wealth = item.fields.text("wealth")
    gold = wealth if wealth.isalpha() else phrase("{} gp", wealth.replace("*", " × "))
    return joined(*lines, phrase("Or {}", gold) if any(lines) else gold, sep="\n")


def _entry(entry: JsonObject, entries: list[JsonObject], depth: int = 0) -> str:
    """``2 Lantern, or 50 gp``; the members of a group have its id."""
    kind, count, key = text_at(entry, "type"), text(entry.get("count")), text_at(entry, "key")
    if kind in ("AND", "OR"):
        inner = [member for member in entries if depth < _DEEPEST and text_at(member, "group") == entry.get("_id")]
        return joined(*(_entry(member, entries, depth + 1) for member in inner), sep=", or " if kind == "OR" else ", ")
    if key in GOLD:
        return f"{count} {key}"
    if kind == "linked":
        name = text_at(entry, "name") or id_name(key, "an item that this file does not contain")
    else:
        name = f"any {names.trait(f'{kind}:{key}') if key else kind}"
    return joined("" if count == "1" else count, name, sep=" ")


def _advancements(system: JsonObject) -> list[JsonObject]:
    """The advancements of a document: a list, or since version 5.2 an object by id."""
    entries = system.get("advancement")
    return objects(list(entries.values()) if isinstance(entries, dict) else entries)


def _granted_codes(system: JsonObject, kind: str, name: str) -> Iterator[str]:
    """The codes in a field of one kind of advancements, except those for multiclassing."""
    for advancement in _advancements(system):
        if advancement.get("type") == kind and advancement.get("classRestriction") != "secondary":
            yield from texts(part(advancement, "configuration").get(name))


def _advancement_lines(system: JsonObject) -> Iterator[str]:
    """A line per benefit in the order of levels, as the printer has it: ``- Level 3: Guild. You join one.``"""
    for advancement in sorted(_advancements(system), key=lambda entry: integer(entry.get("level")) or 0):
        kind, level = text_at(advancement, "type"), integer(advancement.get("level"))
        settings = {"description": advancement.get("hint"), **part(advancement, "configuration")}
        title = text_at(advancement, "title") or text_at(advancement, "name")
        title = title or (label(kind[:1].lower() + kind[1:]) if printer(settings) else "")
        if line := printer({"name": title, **settings}):
            yield f"- Level {level}: {line}" if level else f"- {line}"
