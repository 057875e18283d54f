"""Items outside actors: spells, equipment, classes, species, backgrounds and feats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Background, CharacterClass, Feat, Kind, Record, Ref, Section, Species, WeaponProperty
from lorekeeper_mcp.models.vocabulary import GOLD, SRD_CLASSES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    JsonObject,
    Printer,
    integer,
    mapping,
    number,
    objects,
    part,
    sections_of,
    text,
    text_at,
    texts,
    value_at,
)
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.enrichers import id_name, markdown
from lorekeeper_mcp.sources.foundry.formulas import activities, filled, properties_of
from lorekeeper_mcp.sources.foundry.mechanics import (
    MODIFIER,
    TABLETOP_FIELDS,
    ItemRolls,
    activation_text,
    area_text,
    damages,
    dice,
    duration_text,
    further_sections,
    item_fields,
    kinds_of,
    modern,
    range_text,
    two_handed,
    uses_text,
)
from lorekeeper_mcp.sources.imported import ItemError, parent_key
from lorekeeper_mcp.sources.item_form import ArmorForm, ItemForm, WeaponForm, to_equipment
from lorekeeper_mcp.sources.phrases import joined, phrase
from lorekeeper_mcp.sources.spell_form import SpellForm, to_spell
from lorekeeper_mcp.sources.stat_block import ability_key, heading

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
_TITLES = {"AbilityScoreImprovement": "Ability Score Improvement", "ItemChoice": "Choice",
           **dict.fromkeys(("HitPoints", "ScaleValue", "Trait", "ItemGrant"), "")}  # fmt: skip
_DEEPEST = 4


class _Item:
    """A document of an item: the parts that records of every kind have, and the fields that no reader has taken."""

    def __init__(self, document: JsonObject, system: JsonObject, book: str, section: str, kind: Kind) -> None:
        self.document = document
        self.system = filled(modern(system), lambda _: None)
        self.rolls = ItemRolls(self.system)
        self.fields = item_fields(self.system)
        description = part(self.system, "description")
        own_text = markdown(description.get("value", self.system.get("description")), self.rolls)
        self.head: CommonFields = heading(book, section, text_at(document, "name"), kind, own_text)
        self.properties = set(properties_of(self.system))

    def took(self, property_: str) -> bool:
        """Take a property or a component: whether the item has it."""
        has = property_ in self.properties
        self.properties.discard(property_)
        return has

    def other(self, form: object = "", omit: str = "") -> tuple[Section, ...]:
        """What no reader has taken; the record's text and its ``form`` count as known."""
        known = f"{self.head['name']} {self.head['text']} {form}"
        properties = {_PROPERTIES.get(code, names.readable(code)) for code in self.properties}
        uses = uses_text(self.system)
        lines = {"Uses": uses if uses != "1" else "", "Properties": joined(*sorted(properties - {""}))}
        lines["Advancement"] = "\n".join(_advancement_lines(self.system))
        return (*sections_of(lines), *further_sections(self.document, self.rolls, known, self.fields, omit))


def spell(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a spell. Raises ItemError if its level is not known."""
    item = _Item(document, system, book, "spells", Kind.SPELL)
    fields, own = item.fields, list(activities(item.system).values())
    fields.drop("activation", "range", "target", "duration", "materials.supply")
    activation = part(item.system, "activation")
    saves = [code for activity in own for code in texts(value_at(activity, "save.ability"))]
    parts = [entry for activity in own for entry in damages(item.system, activity)]
    areas = (area_text(part(source, "target")) for source in (item.system, *own))
    school, material, supply = fields.text("school"), fields.text("materials.value"), item.took("material")
    values = {
        "level": fields.integer("level"),
        "school": names.SCHOOLS.get(school, school),
        "casting_time": joined(activation_text(activation), markdown(activation.get("condition"), item.rolls)),
        "range": range_text(part(item.system, "range")),
        "area": next(filter(None, areas), ""),
        "verbal": item.took("vocal"),
        "somatic": item.took("somatic"),
        "material": supply or bool(material),
        "material_text": markdown(material),
        "material_cost": fields.number("materials.cost") or None,
        "material_consumed": fields.flag("materials.consumed") or False,
        "duration": duration_text(part(item.system, "duration")),
        "concentration": item.took("concentration"),
        "ritual": item.took("ritual"),
        "saving_throw": ability_key(saves[0]) if saves else "",
        "damage_roll": next((dice(entry).replace(MODIFIER, "") for entry in parts), ""),
        "damage_types": tuple(dict.fromkeys(kind for entry in parts for kind in kinds_of(entry))),
        "attack_roll": any(activity.get("type") == "attack" for activity in own),
        "classes": _classes(item.system),
    }
    other = item.other(values, omit="activation condition range duration")
    return to_spell(SpellForm(**values, other=other), item.head)  # type: ignore[arg-type]  # each reader returns its type


def _classes(system: JsonObject) -> tuple[Ref, ...]:
    """The class that a character's spell comes from; the application has no class spell lists."""
    kind, _, source = text_at(system, "sourceItem").partition(":")
    name = text_at(system, "sourceClass") or (source if kind == "class" else "")
    return (Ref(name=name.title(), key=parent_key(name, {}, SRD_CLASSES)),) if name else ()


def equipment(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a weapon, armor, another item, or a magic item."""
    type_, attunement = str(document["type"]), system.get("attunement")
    needs_attunement = attunement in (1, 2, "required")
    rarities = list(map(names.readable, texts(system.get("rarities")) or texts(system.get("rarity"))))
    category = next(filter(None, (text_at(system, path) for path in _CATEGORY_PATHS)), "")
    plain_kind, default = _plain_kind(type_, system, category), _CATEGORIES.get(type_, "adventuring-gear")
    kind = plain_kind
    if needs_attunement or "mgc" in properties_of(system) or rarities[:1] not in ([], ["common"]):
        kind, default = Kind.MAGIC_ITEM, "wondrous-item" if type_ == "equipment" else default
    item = _Item(document, system, book, "items", kind)
    fields = item.fields
    fields.drop("rarity", "rarities", "attunement", "range.units")
    own_category = fields.read(lambda value: _CATEGORIES.get(str(value)), *_CATEGORY_PATHS)
    fields.read(lambda value: True if value in (0, 1, "1") else None, "quantity")
    form = ItemForm(
        category="armor" if plain_kind is Kind.ARMOR else own_category or default,
        category_text=_WEAPONS.get(category, "") if plain_kind is Kind.WEAPON else "",
        cost=_measure(fields, "price", "denomination", GOLD),
        weight=_measure(fields, "weight", "units", _POUNDS),
        rarity=joined(*rarities[:1], phrase("(or {})", joined(*rarities[1:])), sep=" "),
        attunement=needs_attunement if kind is Kind.MAGIC_ITEM else None,
        attunement_text=phrase("optional", attunement == "optional"),
        weapon=_weapon(item, category) if plain_kind is Kind.WEAPON else None,
        armor=_armor(item, category) if plain_kind is Kind.ARMOR else None,
    )
    other = item.other(form, omit="activation" if plain_kind is Kind.WEAPON else "")
    return to_equipment(form, item.head).model_copy(update={"other": other})


def _plain_kind(type_: str, system: JsonObject, category: str) -> Kind:
    """What an item is but for its magic; a part of a vehicle has an armor class, too."""
    has_armor_class = integer(value_at(system, "armor.value")) is not None
    if type_ == "equipment" and has_armor_class and category in ("", "light", "medium", "heavy", "shield"):
        return Kind.ARMOR
    return Kind.WEAPON if type_ == "weapon" else Kind.ITEM


def _measure(fields: Fields, name: str, unit: str, factors: Mapping[str, float]) -> float | None:
    """A price or a weight: a number before version 3, an object with a unit since."""
    value, factor = fields.number(f"{name}.value", name), factors.get(str(fields.peek(f"{name}.{unit}")), 1.0)
    fields.drop(f"{name}.{unit}")
    return None if value is None else value * factor


def _armor(item: _Item, category: str) -> ArmorForm:
    fields = item.fields
    fields.drop("type.value", "armor.type")
    base, cap = fields.integer("armor.value"), fields.integer("armor.dex")
    if cap and category in ("heavy", "shield"):  # left over from another type: the application ignores it
        cap = 0
    hinders_stealth = item.took("stealthDisadvantage") or fields.flag("stealth") is True
    return ArmorForm(category, base, cap, fields.integer("strength"), hinders_stealth)


def _weapon(item: _Item, category: str) -> WeaponForm:
    system, fields, kind = item.system, item.fields, category or text_at(item.system, "weaponType")
    fields.drop("type.value", "weaponType", "armor", "range.reach")
    attack = next((each for each in activities(system).values() if each.get("type") == "attack"), {"type": "attack"})
    base = next(iter(damages(system, attack)), {})
    properties = sorted(name for code, name in _WEAPON_PROPERTIES.items() if item.took(code))
    near, far = _feet(fields, "value"), _feet(fields, "long")
    is_thrown = far or "Thrown" in properties or kind.endswith("R")
    return WeaponForm(
        damage=dice(base).replace(MODIFIER, ""),
        damage_type=next(iter(kinds_of(base)), ""),
        two_handed=two_handed(system),
        range=near
        if is_thrown or not kind.endswith("M")
        else None,  # before version 4, that of a melee weapon is its reach
        long_range=far,
        properties=(
            *(WeaponProperty(name=name) for name in properties),
            *(WeaponProperty(name=mastery.title(), type="Mastery") for mastery in fields.names("mastery")),
        ),
        training=next((training for training in ("simple", "martial") if kind.startswith(training)), ""),
        is_ranged={"simpleR": True, "martialR": True, "simpleM": False, "martialM": False}.get(kind),
    )


def _feet(fields: Fields, name: str) -> float | None:
    """A weapon's range in feet, converted as in the rules."""
    value, factor = fields.number(f"range.{name}"), _FEET.get(str(fields.peek("range.units")), 1.0)
    return round(value * factor, 1) if value else None


def feat(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a feat, or a feature of a class, a species or a monster."""
    item = _Item(document, system, book, "feats", Kind.FEAT)
    value, subtype = item.fields.text("type.value"), item.fields.text("type.subtype")
    kind = _FEATURES.get(value, names.titled(value))
    requirements, level = item.fields.text("requirements"), item.fields.text("prerequisites.level")
    return Feat(
        **item.head,
        type="Pact Boon" if subtype == "pact" else names.titled(subtype) or kind,
        prerequisite=joined(requirements, phrase("level {}", level if level not in requirements else ""), sep="; "),
        other=(*sections_of({"Kind": kind if subtype else ""}), *item.other()),
    )


def character_class(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a class or a subclass."""
    is_subclass, parent = document["type"] == "subclass", text_at(system, "classIdentifier")
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    section, kind = ("subclasses", Kind.SUBCLASS) if is_subclass else ("classes", Kind.CLASS)
    item = _Item(document, system, book, section, kind)
    fields = item.fields
    fields.drop("classIdentifier", "levels")
    granted = (code for code in _granted_codes(system, "Trait", "grants") if code.startswith("saves:"))
    saves = fields.names("saves") or [code.removeprefix("saves:") for code in granted]
    # Before version 3; since then, an advancement.
    fixed, choices = (", ".join(map(names.skill, fields.names(f"skills.{name}"))) for name in ("value", "choices"))
    chosen = phrase(f"choose {fields.text('skills.number') or 1} from {{}}", choices)
    return CharacterClass(
        **item.head,
        subclass_of=Ref(name=parent.title(), key=parent_key(parent, {}, SRD_CLASSES)) if is_subclass else None,
        hit_dice=fields.text("hitDice", "hd.denomination"),
        saving_throws=tuple(map(names.ability, saves)),
        caster_type=fields.read(lambda value: _CASTERS.get(str(value)), "spellcasting.progression") or "",
        spellcasting=phrase("Spellcasting Ability: {}", names.ability(fields.text("spellcasting.ability"))),
        proficiencies=phrase("Skills: {}", joined(fixed, chosen, sep="; ")),
        equipment=_starting_equipment(item),
        primary_abilities=tuple(map(names.ability, fields.names("primaryAbility.value"))),
        other=item.other(),
    )


def background(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a background."""
    item = _Item(document, system, book, "backgrounds", Kind.BACKGROUND)
    equipment_text = _starting_equipment(item)
    benefits = (Section(name="Equipment", text=equipment_text, type="equipment"),) if equipment_text else ()
    return Background(**item.head, benefits=benefits, other=item.other())


def species(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a species."""
    item = _Item(document, system, book, "races", Kind.SPECIES)
    item.fields.drop("movement", "senses", "type")
    movement, type_ = part(item.system, "movement"), part(item.system, "type")
    walking = {"walk": movement["walk"]} if "walk" in movement else {}
    speed = ", ".join(distances({**walking, **movement}, movement.get("units"))).removeprefix("walk ")
    hover = " (hover)" if speed and movement.get("hover") is True else ""
    creature_type = text(type_.get("custom")) or text_at(type_, "value").replace("custom", "")
    subtype = phrase(" ({})", text_at(type_, "subtype"))
    return Species(
        **item.head,
        speed=joined(speed + hover, text(movement.get("special"))),
        size=" or ".join(names.SIZES.get(code, code) for code in _granted_codes(system, "Size", "sizes")),
        traits=sections_of({"Creature Type": f"{creature_type}{subtype}".capitalize()}),
        other=(*sections_of({"Senses": senses_text(part(item.system, "senses"))}), *item.other()),
    )


def senses_text(senses: JsonObject) -> str:
    """Return ``darkvision 60 ft.``"""
    return joined(*distances({**senses, **part(senses, "ranges")}, senses.get("units")), text(senses.get("special")))


def distances(by_name: JsonObject, units: object) -> list[str]:
    """Return distances in feet, also if they are in metres: ``walk 30 ft.``"""
    factor = 10 / 3 if units == "m" else 1
    return [f"{name} {feet * factor:g} ft." for name, value in by_name.items() if (feet := number(value))]


# --- Starting equipment and advancements ---


def _starting_equipment(item: _Item) -> str:
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
    name = text_at(entry, "name")
    if kind == "linked":
        name = name or id_name(key, "an item that this file does not contain")
    elif key not in GOLD:
        name = joined("any", names.trait(f"{kind}:{key}") if key else kind, sep=" ")
    return joined("" if count == "1" and key not in GOLD else count, name or key, sep=" ")


def _advancements(system: JsonObject) -> list[JsonObject]:
    """Return the advancements of a document: a list, or since version 5.2 an object by id."""
    entries = system.get("advancement")
    return objects(list(entries.values()) if isinstance(entries, dict) else entries)


def _granted_codes(system: JsonObject, kind: str, name: str) -> Iterator[str]:
    """The codes in a field of one kind of advancements, except those for multiclassing."""
    for advancement in _advancements(system):
        if advancement.get("type") == kind and advancement.get("classRestriction") != "secondary":
            yield from texts(part(advancement, "configuration").get(name))


def _code(value: str) -> str:
    """A text of an advancement: ``skills:sur``, ``sm``."""
    if ":" in value and " " not in value:
        return names.trait(value)
    return "" if value == "default" else names.SIZES.get(value, markdown(value))


_OF_ADVANCEMENTS = frozenset({"hint", "type", "restriction", "allowReplacements", "optional", "scale"})
_PRINTER = Printer(text=_code, hides_zero=True, skipped=TABLETOP_FIELDS | _OF_ADVANCEMENTS)


def _advancement_lines(system: JsonObject) -> Iterator[str]:
    """One line per benefit in the order of levels: ``- Level 3: Guild: Green Guild``."""
    for advancement in sorted(_advancements(system), key=lambda entry: integer(entry.get("level")) or 0):
        kind, settings = text_at(advancement, "type"), part(advancement, "configuration")
        granted = next((settings[name] for name in ("items", "grants", "sizes") if settings.get(name)), None)
        others = {name: value for name, value in settings.items() if name not in ("items", "grants", "sizes")}
        title = text_at(advancement, "title") or text_at(advancement, "name") or _TITLES.get(kind, names.titled(kind))
        steps = {level: mapping(step) for level, step in part(settings, "scale").items()}
        dice_steps = {level: dice({**step, "denomination": step.get("faces")}) for level, step in steps.items()}
        scale = (f"{dice_steps[level] or text(step.get('value'))} at level {level}" for level, step in steps.items())
        benefits = joined(*scale, _PRINTER({"value": granted, **others}))
        hints = dict.fromkeys((markdown(advancement.get("hint")), markdown(settings.get("hint"))))
        if line := joined(joined(title, benefits, sep=": "), *hints, sep=". "):
            level = integer(advancement.get("level"))
            yield f"- Level {level}: {line}" if level else f"- {line}"
