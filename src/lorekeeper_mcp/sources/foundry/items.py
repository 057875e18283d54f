"""Items outside actors: spells, equipment, classes, species, backgrounds and feats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import (
    ArmorStats,
    Background,
    CharacterClass,
    Equipment,
    Feat,
    Kind,
    Record,
    Ref,
    Section,
    Species,
    Spell,
)
from lorekeeper_mcp.models.vocabulary import GOLD, SRD_CLASSES
from lorekeeper_mcp.sources.common_fields import CommonFields, armor_stats
from lorekeeper_mcp.sources.foundry import formulas, names
from lorekeeper_mcp.sources.foundry.enrichers import markdown
from lorekeeper_mcp.sources.foundry.mechanics import (
    ITEM_FIELDS,
    MODIFIER,
    ItemRolls,
    activation_count,
    activation_text,
    activities,
    damages,
    descriptions,
    dice,
    duration_text,
    effect_sections,
    kinds_of,
    mechanics,
    modern,
    printer,
    range_text,
    two_handed,
    unread,
    uses_text,
)
from lorekeeper_mcp.sources.imported import ItemError, parent_key, slug
from lorekeeper_mcp.sources.phrases import either, joined, phrase
from lorekeeper_mcp.sources.reading import (
    JsonObject,
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
from lorekeeper_mcp.sources.spell_texts import spell_level
from lorekeeper_mcp.sources.stat_block import ability_key, heading

_READ_IN_SPELLS = "level school materials activation range target duration"
_READ_IN_EQUIPMENT = (
    "range.value range.long range.reach range.units rarity rarities attunement type.value consumableType toolType"
    " price weight armor strength stealth weaponType mastery magicalBonus armor.magicalBonus quantity"
    " unidentified.description"
)
_READ_IN_CLASSES = "classIdentifier hitDice hd.denomination saves levels primaryAbility skills wealth spellcasting"
_TIMES = {"action": "action", "bonus": "bonus-action", "reaction": "reaction"}
_COMPONENTS = frozenset({"vocal", "somatic", "material", "concentration", "ritual", "mgc"})
_RANGES = {"ft": ("feet", 1.0), "mi": ("miles", 1.0), "m": ("feet", 10 / 3), "km": ("miles", 0.625)}
_AREAS = frozenset({"cone", "cube", "cylinder", "line", "sphere", "radius", "square", "wall"})
_RARITIES = {"veryRare": "very-rare"}
_PROPERTIES = {
    "amm": "Ammunition", "fin": "Finesse", "fir": "Firearm", "foc": "Focus", "hvy": "Heavy", "lgt": "Light",
    "lod": "Loading", "rch": "Reach", "rel": "Reload", "ret": "Returning", "spc": "Special", "thr": "Thrown",
    "two": "Two-Handed", "ver": "Versatile", "ada": "Adamantine", "sil": "Silvered",
    "weightlessContents": "its contents weigh nothing", "mgc": "", "stealthDisadvantage": "", "trait": "",
}  # fmt: skip
_WEAPON_PROPERTIES = frozenset("amm fin fir foc hvy lgt lod rch rel ret spc thr two ver".split())
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
_TITLES = {"AbilityScoreImprovement": "Ability Score Improvement", "HitPoints": "", "ItemChoice": "Choice",
           "ItemGrant": "Grant", "ScaleValue": "", "Trait": ""}  # fmt: skip
_DEEPEST = 4


class _Item:
    """A document of an item: the parts that records of every kind have."""

    def __init__(self, document: JsonObject, system: JsonObject, book: str, section: str, kind: Kind) -> None:
        self.document = document
        self.system = formulas.filled(modern(system), lambda _: None)
        self.rolls = ItemRolls(self.system)
        description = part(self.system, "description")
        own_text = markdown(description.get("value", self.system.get("description")), self.rolls)
        self.head: CommonFields = heading(book, section, text_at(document, "name"), kind, own_text)

    @property
    def properties(self) -> frozenset[str]:
        """Components and properties: a list since version 3, flags before."""
        flags = {**part(self.system, "components"), **part(self.system, "properties")}
        return frozenset(texts(self.system.get("properties"))) | {
            code for code, is_set in flags.items() if is_set is True
        }

    def other(
        self, read_fields: str, facts: Mapping[str, str], *, fields: object = "", omit: frozenset[str] = frozenset()
    ) -> tuple[Section, ...]:
        """What has no field in the record, whose text and ``fields`` count as known."""
        known = f"{self.head['name']} {self.head['text']} {fields}"
        lines = "\n".join(_advancement_lines(self.system))
        return (
            *sections_of({**facts, "Uses": uses_text(self.system)}),
            *descriptions(self.rolls, known),
            *mechanics(self.rolls, known, omit=omit),
            *sections_of({"Advancement": lines}),
            *unread(self.system, f"{ITEM_FIELDS} {read_fields}"),
            *effect_sections(self.document, known, self.rolls),
        )


def spell(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a spell. Raises ItemError if its level is not known."""
    item = _Item(document, system, book, "spells", Kind.SPELL)
    system, properties, own = item.system, item.properties, list(activities(item.system).values())
    activation, material, reach = part(system, "activation"), part(system, "materials"), part(system, "range")
    saves = [code for activity in own for code in texts(value_at(activity, "save.ability"))]
    parts = [entry for activity in own for entry in damages(system, activity)]
    distance, unit = _distance(reach)
    shape, size = _shape(system, own)
    school, time = text_at(system, "school"), text_at(activation, "type")
    count = activation_count(activation)
    fields = {
        **item.head,
        "level": spell_level(integer(system.get("level"))),
        "school": names.SCHOOLS.get(school, slug(school) if school else ""),
        "casting_time": _TIMES.get(time, f"{count}{time}{'s' if count != 1 else ''}" if time else ""),
        "casting_time_text": activation_text(activation),
        "reaction_condition": markdown(activation.get("condition"), item.rolls),
        "range": distance,
        "range_unit": unit,
        "range_text": range_text(reach),
        "verbal": "vocal" in properties,
        "somatic": "somatic" in properties,
        "material": "material" in properties or bool(text_at(material, "value")),
        "material_text": markdown(material.get("value")),
        "material_cost": number(material.get("cost")) or None,
        "material_consumed": material.get("consumed") is True,
        "duration": duration_text(part(system, "duration")),
        "concentration": "concentration" in properties,
        "ritual": "ritual" in properties,
        "saving_throw": ability_key(saves[0]) if saves else "",
        "damage_roll": next((dice(entry).replace(MODIFIER, "") for entry in parts), ""),
        "damage_types": tuple(dict.fromkeys(kind for entry in parts for kind in kinds_of(entry))),
        "attack_roll": any(activity.get("type") == "attack" for activity in own),
        "shape_type": shape,
        "shape_size": size,
        "shape_unit": "feet" if shape and size is not None else "",
        "classes": _classes(system),
    }
    facts = {"Properties": ", ".join(sorted(properties - _COMPONENTS))}
    omit = frozenset({"activation", "condition", "range", "duration"})
    return Spell.model_validate({**fields, "other": item.other(_READ_IN_SPELLS, facts, fields=fields, omit=omit)})


def _distance(reach: JsonObject) -> tuple[float | None, str]:
    """The range of a spell, in feet or miles."""
    units, value = text_at(reach, "units"), number(reach.get("value"))
    if units in ("self", "touch"):
        return 0.0, "feet"
    if value is None or units not in _RANGES:
        return None, ""
    unit, factor = _RANGES[units]
    return value * factor, unit


def _shape(system: JsonObject, own: list[JsonObject]) -> tuple[str, float | None]:
    """The shape of a spell's area and its size in feet."""
    for target in (part(system, "target"), *(part(activity, "target") for activity in own)):
        template = part(target, "template")
        if (shape := text_at(template, "type")) in _AREAS:
            return shape, number(template.get("size"))
    return "", None


def _classes(system: JsonObject) -> list[dict[str, str]]:
    """The class that a character's spell comes from; the application has no class spell lists."""
    kind, _, source = text_at(system, "sourceItem").partition(":")
    name = text_at(system, "sourceClass") or (source if kind == "class" else "")
    return [{"name": name.title(), "key": parent_key(name, {}, SRD_CLASSES)}] if name else []


def equipment(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a weapon, armor, another item, or a magic item."""
    rarities = texts(system.get("rarities"))
    rarity = text_at(system, "rarity") or next(iter(rarities), "")
    armor, type_ = part(system, "armor"), str(document["type"])
    needs_attunement = system.get("attunement") in (1, 2, "required")
    category = next(filter(None, (text_at(system, path) for path in _CATEGORY_PATHS)), "")
    is_weapon = type_ == "weapon"
    is_worn = category in ("light", "medium", "heavy", "shield", "")
    is_armor = type_ == "equipment" and integer(armor.get("value")) is not None and is_worn
    flags = part(system, "properties")
    is_magic = rarity not in ("", "common") or needs_attunement or "mgc" in texts(system.get("properties"))
    is_magic = is_magic or flags.get("mgc") is True
    plain_kind = Kind.WEAPON if is_weapon else Kind.ARMOR if is_armor else Kind.ITEM
    item = _Item(document, system, book, "items", Kind.MAGIC_ITEM if is_magic else plain_kind)
    usual_category = "wondrous-item" if is_magic and type_ == "equipment" else "adventuring-gear"
    cost, weight = _measure(system, "price"), _measure(system, "weight")
    fields = {
        **item.head,
        "category": "armor" if is_armor else _CATEGORIES.get(category) or _CATEGORIES.get(type_, usual_category),
        "category_text": _WEAPONS.get(category, "") if is_weapon else "",
        "cost": cost * GOLD.get(text_at(system, "price.denomination"), 1.0) if cost is not None else None,
        "weight": weight * _POUNDS.get(text_at(system, "weight.units"), 1.0) if weight is not None else None,
        "rarity": _RARITIES.get(rarity, slug(rarity) if rarity else ""),
        "rarity_text": either(map(names.readable, rarities)) if len(rarities) > 1 else "",
        "requires_attunement": needs_attunement if is_magic else None,
        "attunement_text": "optional" if system.get("attunement") == "optional" else "",
        "weapon": _weapon(item, category) if is_weapon else None,
        "armor": _armor(item, category) if is_armor else None,
    }
    magic = integer(system.get("magicalBonus", armor.get("magicalBonus")))
    properties = item.properties - (_WEAPON_PROPERTIES if is_weapon else frozenset())
    quantity = text(system.get("quantity"))
    is_said = not category or is_weapon or is_armor or category in _CATEGORIES
    facts = {
        "Category": "" if is_said else names.readable(category),
        "Bonus": f"{magic:+d}" if magic else "",
        "Properties": joined(*(_PROPERTIES.get(code, code) for code in sorted(properties))),
        "Quantity": quantity if quantity not in ("", "0", "1") else "",
        "Armor": phrase("AC {}", not is_armor and integer(armor.get("value"))),
        "Price": printer(system.get("price")) if cost is None else "",
        "Weight": printer(system.get("weight")) if weight is None else "",
        "Mastery": "" if is_weapon else printer(system.get("mastery")),
        "Strength": phrase("{} required", not is_armor and integer(system.get("strength"))),
    }
    omit = frozenset({"activation"} if is_weapon else ())
    return Equipment.model_validate(
        {**fields, "other": item.other(_READ_IN_EQUIPMENT, facts, fields=fields, omit=omit)}
    )


def _armor(item: _Item, category: str) -> ArmorStats:
    system = item.system
    base, cap = integer(value_at(system, "armor.value")), integer(value_at(system, "armor.dex"))
    if cap and category in ("heavy", "shield"):  # left over from another type: the application ignores it
        cap = 0
    hinders_stealth = system.get("stealth") is True or "stealthDisadvantage" in item.properties
    strength = integer(system.get("strength"))
    return armor_stats(item.head, category, base, cap, strength, hinders_stealth=hinders_stealth)


def _weapon(item: _Item, category: str) -> dict[str, object]:
    system, kind = item.system, category or text_at(item.system, "weaponType")
    attacks = [activity for activity in activities(system).values() if activity.get("type") == "attack"]
    base = next(iter(damages(system, attacks[0] if attacks else {"type": "attack"})), {})
    reach = part(system, "range")
    return {
        "name": item.head["name"],
        "key": item.head["key"],
        "damage_dice": dice(base).replace(MODIFIER, "").replace(" ", ""),
        "damage_type": next(iter(kinds_of(base)), ""),
        "two_handed_damage": two_handed(system),
        "range": _feet(reach, "value") or _feet(reach, "reach") or None,
        "long_range": _feet(reach, "long") or None,
        "properties": [
            *({"name": _PROPERTIES[code]} for code in sorted(item.properties & _WEAPON_PROPERTIES)),
            *({"name": mastery.title(), "type": "Mastery"} for mastery in texts(system.get("mastery"))),
        ],
        "is_simple": True if kind.startswith("simple") else False if kind.startswith("martial") else None,
        "is_ranged": {"simpleR": True, "martialR": True, "simpleM": False, "martialM": False}.get(kind),
    }


def _feet(reach: JsonObject, name: str) -> float | None:
    """A weapon's range in feet, converted as in the rules."""
    value, factor = number(reach.get(name)), _FEET.get(text_at(reach, "units"), 1.0)
    return round(value * factor, 1) if value is not None else None


def _measure(system: JsonObject, name: str) -> float | None:
    """A price or a weight: a number before version 3, an object with a unit since."""
    return number(part(system, name).get("value", system.get(name)))


def feat(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a feat, or a feature of a class, a species or a monster."""
    item = _Item(document, system, book, "feats", Kind.FEAT)
    value, subtype = text_at(system, "type.value"), text_at(system, "type.subtype")
    kind = _FEATURES.get(value, names.titled(value))
    level = text(value_at(system, "prerequisites.level"))
    prerequisites = (text_at(system, "requirements"), phrase("level {}", level))
    is_repeatable = value_at(system, "prerequisites.repeatable") is True
    facts = {
        "Kind": kind if subtype else "",
        "Repeatable": "yes" if is_repeatable else "",
        "Properties": joined(*(_PROPERTIES.get(code, names.readable(code)) for code in sorted(item.properties))),
    }
    return Feat(
        **item.head,
        type="Pact Boon" if subtype == "pact" else names.titled(subtype) or kind,
        prerequisite=joined(*dict.fromkeys(prerequisites), sep="; "),
        other=item.other("requirements type.value type.subtype prerequisites.level prerequisites.repeatable", facts),
    )


def character_class(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a class or a subclass."""
    is_subclass, parent = document["type"] == "subclass", text_at(system, "classIdentifier")
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    section, kind = ("subclasses", Kind.SUBCLASS) if is_subclass else ("classes", Kind.CLASS)
    item = _Item(document, system, book, section, kind)
    casting = text_at(system, "spellcasting.progression")
    granted = (code for code in _granted_codes(system, "Trait", "grants") if code.startswith("saves:"))
    saves = texts(system.get("saves")) or [code.removeprefix("saves:") for code in granted]
    primary = texts(value_at(system, "primaryAbility.value"))
    skills = part(system, "skills")  # before version 3
    fixed, choices = (", ".join(map(names.skill, texts(skills.get(name)))) for name in ("value", "choices"))
    chosen = f"choose {text(skills.get('number')) or 1} from {choices}" if choices else ""
    facts = {
        "Spellcasting": casting if casting not in ("", "none", *_CASTERS) else "",
        "Spells prepared": text(value_at(item.system, "spellcasting.preparation.formula")),
    }
    return CharacterClass(
        **item.head,
        subclass_of=Ref(name=parent.title(), key=parent_key(parent, {}, SRD_CLASSES)) if is_subclass else None,
        hit_dice=text_at(system, "hitDice") or text(value_at(system, "hd.denomination")),
        saving_throws=tuple(ability_key(code).capitalize() for code in saves),
        caster_type=_CASTERS.get(casting, ""),
        spellcasting=phrase("Spellcasting Ability: {}", names.ability(text_at(system, "spellcasting.ability"))),
        proficiencies=phrase("Skills: {}", joined(fixed, chosen, sep="; ")),
        equipment=_starting_equipment(item.system),
        primary_abilities=tuple(ability_key(code).capitalize() for code in primary),
        other=item.other(_READ_IN_CLASSES, facts),
    )


def background(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a background."""
    item = _Item(document, system, book, "backgrounds", Kind.BACKGROUND)
    benefits = tuple(
        section.model_copy(update={"type": "equipment"})
        for section in sections_of({"Equipment": _starting_equipment(item.system)})
    )
    return Background(**item.head, benefits=benefits, other=item.other("wealth", {}))


def species(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a species."""
    item = _Item(document, system, book, "races", Kind.SPECIES)
    movement = part(system, "movement")
    walking = {"walk": movement["walk"]} if "walk" in movement else {}
    speed = ", ".join(distances({**walking, **movement}, movement.get("units"))).removeprefix("walk ")
    hover = " (hover)" if movement.get("hover") is True else ""
    type_ = part(system, "type")
    creature_type = text(type_.get("custom")) or text_at(type_, "value").replace("custom", "")
    subtype = phrase(" ({})", text_at(type_, "subtype"))
    return Species(
        **item.head,
        speed=joined(f"{speed}{hover}" if speed else "", text(movement.get("special"))),
        size=" or ".join(names.SIZES.get(code, code) for code in _granted_codes(system, "Size", "sizes")),
        traits=sections_of({"Creature Type": f"{creature_type}{subtype}".capitalize()}),
        other=item.other("movement senses type", {"Senses": senses_text(part(system, "senses"))}),
    )


def senses_text(senses: JsonObject) -> str:
    """Return ``darkvision 60 ft.``"""
    return joined(*distances({**senses, **part(senses, "ranges")}, senses.get("units")), text(senses.get("special")))


def distances(by_name: JsonObject, units: object) -> list[str]:
    """Return distances in feet, also if they are in metres: ``walk 30 ft.``"""
    factor = 10 / 3 if units == "m" else 1
    return [f"{name} {feet * factor:g} ft." for name, value in by_name.items() if (feet := number(value))]


# --- Starting equipment and advancements ---


def _starting_equipment(system: JsonObject) -> str:
    """The starting equipment: each entry of a group, then the gold alternative."""
    entries = sorted(objects(system.get("startingEquipment")), key=lambda entry: number(entry.get("sort")) or 0)
    ids = {text_at(entry, "_id") for entry in entries} - {""}
    lines = [_entry(entry, entries) for entry in entries if text_at(entry, "group") not in ids]
    wealth = text(system.get("wealth"))
    gold = wealth if any(map(str.isalpha, wealth.replace("d", ""))) else phrase("{} gp", wealth.replace("*", " × "))
    return joined(*lines, f"Or {gold}" if gold and any(lines) else gold, sep="\n")


def _entry(entry: JsonObject, entries: list[JsonObject], depth: int = 0) -> str:
    """``(a) 2 Lantern, any martial weapon, or (b) 50 gp``."""
    kind, count, key, own_id = (
        text_at(entry, "type"),
        text(entry.get("count")),
        text_at(entry, "key"),
        text_at(entry, "_id"),
    )
    if kind in ("AND", "OR"):
        if depth == _DEEPEST or not own_id:
            return ""
        inner = [_entry(other, entries, depth + 1) for other in entries if text_at(other, "group") == own_id]
        choices = list(filter(None, inner))
        if kind == "AND" or len(choices) < 2:
            return ", ".join(choices)
        return ", or ".join(f"({chr(ord('a') + place % 26)}) {choice}" for place, choice in enumerate(choices))
    if kind == "currency" or (kind != "linked" and key in GOLD):
        return f"{count or 1} {key}"
    name = text_at(entry, "name") or (
        "an item that this file does not contain" if kind == "linked" else names.trait(f"{kind}:{key}")
    )
    wanted = name if kind == "linked" else f"any {joined('' if kind in name else kind, name, sep=' ')}"
    trained = " (if proficient)" if entry.get("requiresProficiency") is True else ""
    return f"{count} {wanted}{trained}" if count not in ("", "1") else f"{wanted}{trained}"


def advancements(system: JsonObject) -> list[JsonObject]:
    """Return the advancements of a document: a list, or since version 5.2 an object by id."""
    entries = system.get("advancement")
    return objects(list(entries.values()) if isinstance(entries, dict) else entries)


def _granted_codes(system: JsonObject, kind: str, name: str) -> Iterator[str]:
    """The codes in a field of one kind of advancements, except those for multiclassing."""
    for advancement in advancements(system):
        if advancement.get("type") == kind and advancement.get("classRestriction") != "secondary":
            yield from texts(part(advancement, "configuration").get(name))


def _advancement_lines(system: JsonObject) -> Iterator[str]:
    """One line per benefit in the order of levels: ``- Level 3: Guild: Green Guild``."""
    for advancement in sorted(advancements(system), key=lambda entry: integer(entry.get("level")) or 0):
        kind, settings, level = (
            text_at(advancement, "type"),
            part(advancement, "configuration"),
            integer(advancement.get("level")),
        )
        identifier = text_at(settings, "identifier").replace("-", " ").title() if kind == "ScaleValue" else ""
        title = (
            text_at(advancement, "title")
            or text_at(advancement, "name")
            or identifier
            or _TITLES.get(kind, names.titled(kind))
        )
        hints = dict.fromkeys((markdown(advancement.get("hint")), markdown(settings.get("hint"))))
        line = joined(joined(title, joined(*_benefits(settings), sep="; "), sep=": "), *hints, sep=". ")
        if line:
            yield f"- Level {level}: {line}" if level else f"- {line}"


def _benefits(settings: JsonObject) -> Iterator[str]:
    """Grants, choices, sizes, values by level and ability scores."""
    mode = text_at(settings, "mode").replace("forcedExpertise", "expertise").replace("default", "")
    if grants := ", ".join(map(names.trait, texts(settings.get("grants")))):
        yield f"{mode}: {grants}" if mode else grants
    items = settings.get("items")
    yield ", ".join(filter(None, (text_at(entry, "name") for entry in objects(items))))
    yield " or ".join(names.SIZES.get(code, code) for code in texts(settings.get("sizes")))
    pool = ", ".join(filter(None, (text_at(entry, "name") for entry in objects(settings.get("pool")))))
    choices = settings.get("choices")
    by_level = choices.items() if isinstance(choices, dict) else (("", choice) for choice in objects(choices))
    for level, choice in by_level:
        offered = ", ".join(map(names.trait, texts(mapping(choice).get("pool")))) or pool
        if count := text(mapping(choice).get("count")) or text(choice):
            chosen = joined(f"choose {count}", phrase("from {}", offered), phrase("at level {}", level), sep=" ")
            yield joined(mode, chosen, sep=": ")
    steps = {level: mapping(step) for level, step in part(settings, "scale").items()}
    printed = {
        level: dice({**step, "denomination": step.get("faces")}) or text(step.get("value"))
        for level, step in steps.items()
    }
    yield ", ".join(f"{value} at level {level}" for level, value in printed.items() if value)
    points = text(settings.get("points"))
    yield phrase("{} points", points if points != "0" else "")
    increases = ((names.ability(code), integer(value)) for code, value in part(settings, "fixed").items())
    yield joined(*(f"{ability} {increase:+d}" for ability, increase in increases if increase))
