"""Records of the items of a 5etools file, one function a section.

An adapter takes the common fields of a record, the item's fields, and what the file says of all its items. A field
without a place in the record is listed by its name under "Also".
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import (
    ActionType,
    Background,
    CharacterClass,
    Creature,
    Equipment,
    Feat,
    Feature,
    Kind,
    Ref,
    Reference,
    Section,
    Species,
    Spell,
    TableColumn,
    WeaponProperty,
)
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    as_object,
    counted,
    integer,
    joined,
    listed,
    mapping,
    members,
    number,
    objects,
    phrase,
    sections_of,
    texts,
)
from lorekeeper_mcp.sources.fivetools.context import (
    ALIGNMENT,
    Context,
    ability_name,
    additional_spells,
    code,
    feature_reference,
    grants,
    identity,
    item_fields,
    plain_texts,
    prerequisite_text,
    print_value,
)
from lorekeeper_mcp.sources.fivetools.entries import (
    PROPERTIES,
    block_text,
    fill,
    inline,
    markdown,
    plain_text,
    referenced_name,
    spell_list_text,
    text_in,
    with_replaced,
)
from lorekeeper_mcp.sources.imported import ItemError, slug
from lorekeeper_mcp.sources.item_form import ArmorForm, ItemForm, WeaponForm, to_equipment
from lorekeeper_mcp.sources.spell_form import SpellForm, to_spell
from lorekeeper_mcp.sources.stat_block import StatBlock, creature_type, to_creature

# --- Creatures ---

SIZES = {
    "F": "fine", "D": "diminutive", "T": "tiny", "S": "small", "M": "medium", "L": "large", "H": "huge",
    "G": "gargantuan", "C": "colossal", "V": "varies",
}  # fmt: skip
DEFENSES = {
    "damage_resistances": "resist", "damage_immunities": "immune", "damage_vulnerabilities": "vulnerable",
    "condition_immunities": "conditionImmune",
}  # fmt: skip
ACTIONS = {
    "action": ActionType.ACTION, "bonus": ActionType.BONUS_ACTION, "reaction": ActionType.REACTION,
    "legendary": ActionType.LEGENDARY_ACTION, "mythic": ActionType.MYTHIC_ACTION,
}  # fmt: skip
_OPPOSITES = {"G": "E", "E": "G", "L": "C", "C": "L"}


def creature(head: CommonFields, fields: Fields, context: Context) -> Creature:
    """Return a monster; values that it does not give stay absent."""
    type_, type_text, tags = _type(fields)
    abilities = {ability: fields.integer(code) for code, ability in ABILITIES.items()}
    traits, actions = _traits_and_actions(fields)
    environments = plain_texts(fields.take("environment"))
    block = StatBlock(
        name=head["name"],
        size=size_text(fields.take("size")),
        type=type_text,
        alignment=_alignment(fields),
        armor=fields.read(_armor, "ac") or "",
        hit_points=str(fields.read(integer, "hp.average", "hp.special", "hp") or ""),
        hit_dice=fields.text("hp.formula"),
        speed=_speed(fields),
        abilities={ability: score for ability, score in abilities.items() if score is not None},
        saves={ABILITIES.get(code, code): bonus for code, bonus in fields.integers("save").items()},
        skills=fields.integers("skill"),
        senses=joined(fields.line("senses"), phrase("passive Perception {}", fields.integer("passive"))),
        languages=fields.line("languages"),
        challenge=fields.text("cr.cr", "cr"),
        experience=fields.integer("cr.xp"),
        initiative=_initiative(fields),
        resistances=_defenses(fields.take("resist")),
        immunities=_defenses(fields.take("immune")),
        vulnerabilities=_defenses(fields.take("vulnerable")),
        conditions=_defenses(fields.take("conditionImmune")),
        traits=traits,
        actions=actions,
        legendary_text=markdown(fields.take("legendaryHeader")),
    )
    record = to_creature(block, head["document_name"], head)
    fields_of_ours = {
        "type": type_,
        "category": tags,
        "environments": tuple(Ref(name=name.title(), key=slug(name)) for name in environments),
        "creature_sets": tuple(plain_texts(fields.take("group"))),
    }
    other = (*record.other, *_lair(fields, context), *fields.also())
    return record.model_copy(update={**fields_of_ours, "other": other})


def size_text(value: object) -> str:
    """Return sizes as printed: ``Small or Medium`` for S and M."""
    return " or ".join(SIZES.get(str(size), str(size)).capitalize() for size in listed(value))


def _type(fields: Fields) -> tuple[str, str, str]:
    """The key, the line as printed, and the tags: ``humanoid``, ``humanoid (elf)``, ``elf``."""
    spec = fields.part("type")
    value = spec.take("type") or fields.take("type")
    kind = " or ".join(plain_texts(value.get("choose") if isinstance(value, Mapping) else value))
    tag_specs = (as_object(tag, "tag") for tag in listed(spec.take("tags")))
    tags = ", ".join(f"{tag.get('prefix', '')} {tag.get('tag', '')}".strip() for tag in tag_specs)
    swarm = SIZES.get(spec.text("swarmSize"), "")
    line = f"swarm of {swarm.capitalize()} {kind}s" if swarm else kind
    return creature_type(kind), joined(line, phrase("({})", tags), spec.line("note"), sep=" "), tags


def _alignment(fields: Fields) -> str:
    values, prefix = listed(fields.take("alignment")), fields.line("alignmentPrefix")
    if all(isinstance(value, str) for value in values):
        return joined(prefix, _letters(values), sep=" ")
    alternatives = []
    for value in map(mapping, values):
        words = text_in(value, "special") or _letters(members(value.get("alignment")))
        chance = phrase("({}%)", value.get("chance"))
        alternatives.append(joined(words, chance, text_in(value, "note"), sep=" "))
    return joined(prefix, " or ".join(alternatives), sep=" ")


def _letters(values: list[object]) -> str:
    """The words of an alignment; L, NX, C, E is any evil alignment, and L, NX, C, NY, E any non-good one."""
    letters = [str(value) for value in values]
    missing = [letter for letter in _OPPOSITES if letter not in letters]
    if len(letters) <= 3:
        return " ".join(dict.fromkeys(ALIGNMENT.get(letter, letter) for letter in letters))
    if len(missing) != 1:
        return "any alignment"
    any_of = ALIGNMENT[_OPPOSITES[missing[0]]] if len(letters) == 4 else f"non-{ALIGNMENT[missing[0]]}"
    return f"any {any_of} alignment"


def _armor(value: object) -> str:
    """``13 natural armor; 15 with mage armor``; nothing if the first is no number."""
    classes = [as_object(entry, "ac") for entry in listed(value)]
    if not classes or integer(classes[0].get("ac")) is None:
        return ""
    lines = (
        joined(str(spec.get("ac", "")), print_value(spec.get("from")), text_in(spec, "condition"),
               text_in(spec, "special"), sep=" ")
        for spec in classes
    )  # fmt: skip
    return "; ".join(filter(None, lines))


def _speed(fields: Fields) -> str:
    """``walk 20 ft., fly 60 ft. (hover)``; conditions and choices are left over."""
    modes, speed = mapping(fields.peek("speed")), fields.part("speed")
    hovers = speed.flag("canHover") is True or "(hover)" in str(modes)
    walking = number(as_object(modes.get("walk"), "number").get("number"))
    lines = []
    for mode, value in modes.items():
        feet, spec = speed.number(f"{mode}.number", mode), as_object(value, "number")
        if feet is None and spec.get("number") is True and mode != "canHover":
            feet = walking  # it is as fast as it walks
            speed.drop(mode if value is True else f"{mode}.number")
        if spec.get("condition") == "(hover)":
            speed.drop(f"{mode}.condition")
        if feet is not None:
            lines.append(f"{mode} {feet:g} ft.")
    return joined(", ".join(lines) or fields.text("speed"), "(hover)" if hovers else "", sep=" ")


def _initiative(fields: Fields) -> int | None:
    """The initiative bonus; a number of proficiency bonuses is added to Dexterity's."""
    dexterity, rating = integer(fields.peek("dex")), number(fields.peek("cr.cr", "cr"))
    if dexterity is None or rating is None or fields.has("initiative.initiative"):
        return fields.integer("initiative.initiative", "initiative")
    times = fields.integer("initiative.proficiency")
    bonus = None if times is None else (dexterity - 10) // 2 + times * (2 + max(0, math.ceil(rating) - 1) // 4)
    return fields.integer("initiative") if bonus is None else bonus


def _defenses(value: object) -> str:
    """``cold, acid; bludgeoning from nonmagical attacks``."""
    simple = ", ".join(plain_texts(value))
    return joined(simple, *map(_conditional, objects(value)), sep="; ")


def _conditional(spec: Mapping[str, object]) -> str:
    inner = next((spec[field] for field in DEFENSES.values() if isinstance(spec.get(field), list)), None)
    notes = text_in(spec, "special"), text_in(spec, "preNote"), text_in(spec, "note")
    return joined(notes[0], notes[1], _defenses(inner), notes[2], sep=" ")


def _traits_and_actions(fields: Fields) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[ActionType, str, str], ...]]:
    """The paragraphs of a stat block. A spell list is among the traits, or the last of its kind of actions."""
    traits = _named_blocks(fields.take("trait"))
    lists: dict[ActionType, list[tuple[str, str]]] = {}
    for spells in map(mapping, listed(fields.take("spellcasting"))):
        kind, block = ACTIONS.get(str(spells.get("displayAs"))), (text_in(spells, "name"), spell_list_text(spells))
        (lists.setdefault(kind, []) if kind else traits).append((block[0] or "Spellcasting", block[1]))
    actions: list[tuple[ActionType, str, str]] = []
    for field, kind in ACTIONS.items():
        intro = [("", markdown(fields.take("mythicHeader")))] if field == "mythic" else []
        blocks = (*intro, *_named_blocks(fields.take(field)), *lists.get(kind, ()))
        actions += [(kind, name, text) for name, text in blocks if name or text]
    return tuple(traits), tuple(actions)


def _named_blocks(value: object) -> list[tuple[str, str]]:
    return [
        (text_in(entry, "name"), block_text(entry)) if isinstance(entry, dict) else ("", markdown(entry))
        for entry in listed(value)
        if entry
    ]


def _lair(fields: Fields, context: Context) -> tuple[Section, ...]:
    reference = mapping(fields.peek("legendaryGroup"))
    group = context.dependents.find("legendaryGroup", identity(reference)) if reference else None
    if group is None:
        return ()
    fields.drop("legendaryGroup")
    parts = item_fields(group)
    parts.drop("name", "source")
    return parts.also()


def _gold(cents: object) -> float | None:
    """A price in gp of one in copper pieces, as the format has them."""
    amount = number(cents)
    return None if amount is None else amount / 100


# --- Spells ---

SCHOOLS = {
    "A": "abjuration", "C": "conjuration", "D": "divination", "E": "enchantment", "I": "illusion", "N": "necromancy",
    "P": "psionic", "T": "transmutation", "V": "evocation",
}  # fmt: skip
_DAMAGE_TAG = re.compile(r"\{@(?:damage|dice|scaledamage) ([^}|;]+)")
_SPELL_LEVEL = re.compile(r"(\d)(?:st|nd|rd|th)?[ -]level", re.IGNORECASE)
_SHAPES = ("cone", "cube", "cylinder", "line", "sphere", "radius", "emanation", "hemisphere", "wall")
_FEET = {"feet": ("foot", 1), "miles": ("mile", 5280), "yards": ("yard", 3)}  # the singular, and how many feet it has
_ENDS = {"dispel": "dispelled", "trigger": "triggered", "discharge": "discharged"}


def spell(head: CommonFields, fields: Fields, context: Context) -> Spell:
    """Return a spell. Raises ItemError if its level is not known."""
    school, roll = fields.text("school"), _DAMAGE_TAG.search(str(fields.peek("entries")))
    components, classes = fields.part("components"), fields.part("classes")
    material = components.peek("m")
    range_, area = _range(mapping(fields.take("range")))
    durations = [as_object(duration, "type") for duration in listed(fields.take("duration"))]
    # The site's filter lists, computed from the texts; the record keeps the first entry of some.
    damage_types, saves = texts(fields.take("damageInflict")), texts(fields.take("savingThrow"))
    has_attack = fields.take("spellAttack") is not None
    fields.drop("affectsCreatureType", "abilityCheck")
    form = SpellForm(
        level=fields.read(_spell_level, "level"),
        school=SCHOOLS.get(school, context.schools.get(school, school)),
        casting_time=" or ".join(map(_time, listed(fields.take("time")))),
        range=range_,
        area=area,
        verbal=bool(components.take("v")),
        somatic=bool(components.take("s")),
        material=bool(components.flag("m") or material),
        material_text="" if isinstance(material, bool) else components.line("m.text", "m"),
        material_cost=components.read(_gold, "m.cost"),
        material_consumed=components.flag("m.consume") or False,
        duration=" or ".join(map(_duration, durations)),
        concentration=any(duration.get("concentration") is True for duration in durations),
        ritual=fields.flag("meta.ritual") or False,
        classes=_classes(
            (*listed(classes.take("fromClassList")), *listed(classes.take("fromClassListVariant"))), context
        ),
        subclasses=_subclasses(listed(classes.take("fromSubclass"))),
        damage_types=tuple(damage_types),
        damage_roll=roll[1].strip() if roll else "",
        saving_throw=saves[0] if saves else "",
        attack_roll=has_attack,
        higher_level=_without_title(fields.take("entriesHigherLevel")),
        other=fields.also(),
    )
    return to_spell(form, head)


def _spell_level(value: object) -> int | None:
    """A level, also from ``1st-level`` and ``Cantrip``."""
    if isinstance(value, str) and (match := _SPELL_LEVEL.match(value.strip())):
        return int(match[1])
    return 0 if str(value).strip().lower() == "cantrip" else integer(value)


def _time(value: object) -> str:
    spec = as_object(value, "unit")
    unit = "bonus action" if spec.get("unit") == "bonus" else str(spec.get("unit") or "")
    time = unit if unit == "special" else counted(str(spec.get("number", 1)), unit)
    return joined(time, joined(text_in(spec, "condition"), phrase("({})", text_in(spec, "note")), sep=" "))


def _range(spec: Mapping[str, object]) -> tuple[str, str]:
    """``60 feet`` or ``Touch``; for an area that begins at the caster, ``Self (15-foot cone)`` and the area in feet."""
    kind, distance = str(spec.get("type") or ""), mapping(spec.get("distance"))
    unit, amount = str(distance.get("type") or kind), number(distance.get("amount"))
    if unit not in _FEET or amount is None:
        words = "unlimited on the same plane" if unit == "plane" else unit
        return f"{amount:g} {words}" if amount else words, ""
    singular, feet = _FEET[unit]
    if kind not in _SHAPES:
        return f"{amount:g} {unit if amount != 1 else singular}", ""
    height, height_unit = distance.get("amountSecondary"), str(distance.get("typeSecondary") or unit)
    high = phrase("-radius, {}-high", height and f"{height}-{_FEET.get(height_unit, (height_unit, 1))[0]}")
    return f"Self ({amount:g}-{singular}{high} {kind})", f"{amount * feet:g}-foot {kind}"


def _duration(spec: Mapping[str, object]) -> str:
    kind, time = str(spec.get("type") or "special"), mapping(spec.get("duration"))
    ends = " or ".join(_ENDS.get(str(end), str(end)) for end in members(spec.get("ends")))
    words = "Instantaneous" if kind == "instant" else kind.capitalize()
    if kind == "timed":
        up_to = "up to" if time.get("upTo") or spec.get("concentration") else ""
        words = joined(up_to, counted(str(time.get("amount", 1)), str(time.get("type") or "")), sep=" ")
    if ends:
        words = f"Until {ends}" if kind == "permanent" else f"{words}, until {ends}"
    return joined(words, text_in(spec, "condition"))


def _classes(values: Sequence[object], context: Context) -> tuple[Ref, ...]:
    specs = [(text_in(spec, "name"), str(spec.get("source") or "")) for spec in map(mapping, values)]
    return tuple(
        dict.fromkeys(Ref(name=name, key=context.parent_key("class", name, source)) for name, source in specs if name)
    )


def _subclasses(values: Sequence[object]) -> tuple[Ref, ...]:
    """The subclasses whose lists have a spell: ``Light (Cleric)``."""
    refs = []
    for spec in map(mapping, values):
        class_name, subclass = text_in(mapping(spec.get("class")), "name"), mapping(spec.get("subclass"))
        if name := text_in(subclass, "name"):
            title = joined(name, text_in(subclass, "subSubclass"))
            refs.append(Ref(name=joined(title, phrase("({})", class_name), sep=" "), key=slug(name)))
    return tuple(dict.fromkeys(refs))


def _without_title(entries: object) -> str:
    """The text on higher slots, without its heading."""
    lines = []
    for entry in listed(entries):
        title = str(mapping(entry).get("name") or "").lower()
        has_title = "higher" in title or "cantrip upgrade" in title
        lines.append(markdown(mapping(entry).get("entries") if has_title else entry))
    return "\n\n".join(filter(None, lines))


# --- Equipment ---

CATEGORIES = {
    "A": "ammunition", "AF": "ammunition", "AIR": "airborne-vehicle", "AT": "tools", "EXP": "adventuring-gear",
    "FD": "food", "G": "adventuring-gear", "GS": "tools", "HA": "armor", "INS": "tools", "LA": "armor", "M": "weapon",
    "MA": "armor", "MNT": "mount", "P": "potion", "R": "weapon", "RD": "rod", "RG": "ring", "S": "shield",
    "SC": "scroll", "SCF": "spellcasting-focus", "SHP": "waterborne-vehicle", "ST": "staff", "T": "tools",
    "TAH": "adventuring-gear", "TG": "trade-good", "VEH": "land-vehicle", "WD": "wand",
}  # fmt: skip
ARMORS = {"LA": "light", "MA": "medium", "HA": "heavy", "S": "shield"}
DAMAGE = {
    "A": "acid", "B": "bludgeoning", "C": "cold", "F": "fire", "I": "poison", "L": "lightning", "N": "necrotic",
    "O": "force", "P": "piercing", "R": "radiant", "S": "slashing", "T": "thunder", "Y": "psychic",
}  # fmt: skip
KIND_FLAGS = ("staff", "rod", "wand", "shield", "wondrous", "weapon", "armor")
"""Flags that say what an item is, as its type does; the first that is set decides."""
# Types without a category of their own.
_TYPE_NAMES = {
    "$": "treasure", "$A": "art object", "$C": "coinage", "$G": "gemstone", "EXP": "explosive", "GV": "generic variant",
    "IDG": "illegal drug", "OTH": "other", "SPC": "space vehicle", "TB": "trade bar",
}  # fmt: skip
_NONMAGICAL = frozenset({"", "none", "unknown"})


def equipment(head: CommonFields, fields: Fields, context: Context) -> Equipment:
    """Return an item of any kind; the kind is in its head."""
    uid = fields.take("type")
    type_ = code(uid)
    category = _category(fields, type_)
    fields.drop(*(name for name in KIND_FLAGS if fields.peek(name) is True))
    attunement = fields.take("reqAttune")  # true, "optional", or "by a wizard"
    users = plain_text(attunement) if isinstance(attunement, str) and attunement != "optional" else ""
    weapon = _weapon(fields, type_, context)
    base = fields.integer("ac")
    armor = ArmorForm(
        category=ARMORS.get(type_, ""),
        base=base,
        cap=fields.integer("dexterityMax"),
        strength=fields.integer("strength"),
        hinders_stealth=fields.flag("stealth") or False,
    )
    named = context.item_type(uid) or _TYPE_NAMES.get(type_, "" if type_ in CATEGORIES else type_)
    form = ItemForm(
        category=category,
        category_text=named if slug(named or "-") != category else "",
        cost=fields.read(_gold, "value"),
        weight=fields.number("weight"),
        rarity="" if fields.peek("rarity") in _NONMAGICAL else fields.text("rarity"),
        attunement=None if attunement is None else bool(attunement),
        attunement_text=f"requires attunement {users}" if users.startswith("by ") else users,
        weapon=weapon,
        armor=armor if type_ in ARMORS or base is not None else None,
    )
    fields.drop("rarity")
    return to_equipment(form, head).model_copy(update={"other": fields.also()})


def kind_of(fields: Fields) -> Kind:
    """Return the kind: a magic item if it has a rarity, requires attunement or is wondrous; else by its type."""
    rarity = str(fields.peek("rarity") or "").lower()
    if rarity not in _NONMAGICAL or fields.peek("reqAttune") or fields.peek("wondrous") is True:
        return Kind.MAGIC_ITEM
    type_ = code(fields.peek("type"))
    if type_ in ARMORS or fields.peek("armor") is True:
        return Kind.ARMOR
    is_weapon = type_ in ("M", "R") or fields.peek("weaponCategory") or fields.peek("weapon") is True
    return Kind.WEAPON if is_weapon else Kind.ITEM


def _category(fields: Fields, type_: str) -> str:
    flags = [name for name in KIND_FLAGS if fields.peek(name) is True]
    if fields.peek("weaponCategory"):
        flags.append("weapon")
    if type_ in CATEGORIES and not set(flags) & {"staff", "rod", "wand", "shield"}:
        return CATEGORIES[type_]
    return "wondrous-item" if flags[:1] == ["wondrous"] else flags[0] if flags else slug(type_) if type_ else ""


def _weapon(fields: Fields, type_: str, context: Context) -> WeaponForm | None:
    if type_ not in ("M", "R") and not fields.has("weaponCategory", "dmg1"):
        return None
    training = fields.read(
        lambda value: str(value).lower() if value in ("simple", "martial") else None, "weaponCategory"
    )
    ranges = fields.read(_ranges, "range")
    damage = code(fields.take("dmgType"))
    properties = [_property(value, fields, context) for value in listed(fields.take("property"))]
    for spec in (as_object(value, "uid") for value in listed(fields.take("mastery"))):
        name = referenced_name(str(spec.get("uid", "")))
        properties.append(WeaponProperty(name=name, detail=text_in(spec, "note"), type="Mastery"))
    return WeaponForm(
        damage=fields.text("dmg1"),
        damage_type=DAMAGE.get(damage, damage),
        two_handed=fields.text("dmg2"),
        range=ranges[0] if ranges else fields.number("reach"),
        long_range=ranges[1] if ranges else None,
        properties=tuple(properties),
        training=training or "",
        is_ranged={"R": True, "M": False}.get(type_),
    )


def _ranges(value: object) -> tuple[float, float | None] | None:
    """The normal and the long range of ``20/60``; None for any other text."""
    near, _, far = str(value).partition("/")
    normal, long = number(near), number(far)
    return (normal, long) if normal is not None and (long is not None or not far) else None


def _property(value: object, fields: Fields, context: Context) -> WeaponProperty:
    spec = as_object(value, "uid")
    uid = spec.get("uid")
    name, text = context.property_of(uid) or (PROPERTIES.get(code(uid), code(uid)), "")
    detail = text_in(spec, "note") or (str(fields.peek("dmg2") or "") if name == "Versatile" else "")
    return WeaponProperty(name=name, detail=detail, text=str(fill(text, fields.peek)))


# --- Classes ---

# The identity of a feature, and the site's display settings.
_FEATURE_FIELDS = ("name", "source", "className", "classSource", "subclassShortName", "subclassSource", "level",
                   "entries", "header", "type")  # fmt: skip
_CASTERS = {"full": "full", "1/2": "half", "1/3": "third", "artificer": "half", "pact": "pact"}


def character_class(head: CommonFields, fields: Fields, context: Context) -> CharacterClass:
    """Return a class or, by the kind in its head, a subclass. Raises ItemError for one that does not name its class."""
    is_subclass = head["kind"] is Kind.SUBCLASS
    section = "subclass" if is_subclass else "class"
    parent, parent_source = (fields.text("className"), fields.text("classSource")) if is_subclass else ("", "")
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    fields.drop("shortName")  # the name that references in the file use
    dice, faces = fields.integer("hd.number"), fields.integer("hd.faces")
    primary = [name for spec in listed(fields.take("primaryAbility")) for name in mapping(spec)]
    table, titles = _table(listed(fields.take(f"{section}TableGroups")))
    return CharacterClass(
        **head,
        subclass_of=Ref(name=parent, key=context.parent_key("class", parent, parent_source)) if parent else None,
        flavor=fields.line("subclassTitle"),
        hit_dice=f"{'' if dice in (None, 1) else dice}d{faces}" if faces else "",
        caster_type=fields.read(lambda value: _CASTERS.get(str(value)), "casterProgression") or "",
        primary_abilities=tuple(map(ability_name, primary)),
        saving_throws=tuple(map(ability_name, plain_texts(fields.take("proficiency")))),
        proficiencies=_proficiencies(fields.part("startingProficiencies")),
        equipment=_class_equipment(fields),
        spellcasting=ability_name(fields.line("spellcastingAbility")),
        features=_features(listed(fields.take(f"{section}Features")), f"{section}Feature", context),
        table=table,
        spells=additional_spells(fields),
        other=(*sections_of({"Table": titles}), *fields.also()),
    )


def _proficiencies(values: Fields) -> str:
    """A line for each kind: ``Armor: Light``. The site has some of them a second time, for programs."""
    for name in ("tool", "weapon", "armor"):
        if values.has(f"{name}s", name):
            values.drop(f"{name}Proficiencies")
    lines = {name: grants(value) for name, value in values.unread().items()}
    values.drop(*lines)
    return "\n".join(f"{name.capitalize()}: {line}" for name, line in lines.items() if line)


def _class_equipment(fields: Fields) -> str:
    if isinstance(fields.peek("startingEquipment"), list):
        return markdown(fields.take("startingEquipment"))
    equipment = fields.part("startingEquipment")
    lines = [f"- {line}" for line in plain_texts(equipment.take("default"))]
    if text := joined(*lines, markdown(equipment.take("entries")), sep="\n"):
        equipment.drop("defaultData", "additionalFromBackground")  # the same for programs
    return text


def _features(references: Sequence[object], section: str, context: Context) -> tuple[Feature, ...]:
    """Features in the order of the class; one that is not in the file is named without a text."""

    def feature_of(reference: object) -> tuple[str, int | None, list[object] | None]:
        """The name, the level and the entries of a feature: its text, and a line for each of its other fields."""
        name, key, source = feature_reference(reference, section)
        item = context.dependents.find(section, key, source)
        if item is None:
            return name, integer(key[-1]), None
        fields = item_fields(item)
        fields.drop(*_FEATURE_FIELDS)
        return name, integer(key[-1]), [*listed(item.get("entries")), fields.with_unread()]

    def referenced(entry: object) -> object:
        if mapping(entry).get("type") != f"ref{section[0].upper()}{section[1:]}":
            return None
        name, _, entries = feature_of(entry)
        return entries and {"type": "entries", "name": name, "entries": entries}

    features = []
    for name, level, entries in map(feature_of, references):
        text = markdown(with_replaced(entries, referenced))
        features.append(Feature(name=plain_text(name), text=text, levels=(level,) if level else ()))
    return tuple(features)


def _table(groups: list[object]) -> tuple[tuple[TableColumn, ...], str]:
    """The columns of the class table, level by level; and the titles of groups and of columns without cells."""
    columns, titles = [], []
    for group in map(mapping, groups):
        titles.append(text_in(group, "title"))
        labels = [inline(label) for label in listed(group.get("colLabels"))]
        rows = [listed(row) for row in members(group.get("rows") or group.get("rowsSpellProgression"))]
        for at in range(max([len(labels), *map(len, rows)])):
            name = labels[at] if at < len(labels) else ""
            cells = {level: inline(row[at]) for level, row in enumerate(rows, 1) if at < len(row)}
            if cells:
                columns.append(TableColumn(name=name, cells=cells))
            else:
                titles.append(name)
    return tuple(columns), joined(*titles)


# --- Races, backgrounds, feats ---

_FEATS = {
    "D": "Dragonmark", "DG": "Dark Gift", "EB": "Epic Boon", "FS": "Fighting Style", "FS:P": "Fighting Style (Paladin)",
    "FS:R": "Fighting Style (Ranger)", "G": "General", "O": "Origin",
}  # fmt: skip
_FEATURES = {
    "AF": "Alchemical Formula", "AI": "Artificer Infusion", "AS": "Arcane Shot", "AS:V1-UA": "Arcane Shot (V1)",
    "AS:V2-UA": "Arcane Shot (V2)", "ED": "Elemental Discipline", "EI": "Eldritch Invocation",
    "FS:B": "Fighting Style (Bard)", "FS:F": "Fighting Style (Fighter)", "FS:P": "Fighting Style (Paladin)",
    "FS:R": "Fighting Style (Ranger)", "MM": "Metamagic", "MV": "Maneuver",
    "MV:B": "Maneuver (Battle Master)", "MV:C2-UA": "Maneuver (Cavalier V2)", "OR": "Onomancy Resonant",
    "OTH": "Other", "PB": "Pact Boon", "RN": "Rune Knight Rune", "RP": "Renown Perk", "TT": "Traveler's Trick",
}  # fmt: skip
_PRICES = ("value", "worthValue", "containsValue")  # fields in copper pieces


def race(head: CommonFields, fields: Fields, context: Context) -> Species:
    """Return a race (species), or a subrace of one."""
    parent, parent_source = fields.text("raceName"), fields.text("raceSource")
    blocks = _blocks(head, fields)
    values = {
        "Ability Score Increase": grants(fields.take("ability")),
        "Age": fields.line("age"),
        "Darkvision": phrase("{:g} ft.", fields.number("darkvision")),
        "Languages": grants(fields.take("languageProficiencies")),
        "Skills": grants(fields.take("skillProficiencies")),
        "Tools": grants(fields.take("toolProficiencies")),
        "Resistances": grants(fields.take("resist")),
    }
    printed = {block.name.lower() for block in blocks}
    traits = sections_of({name: text for name, text in values.items() if name.lower() not in printed})
    speed = fields.number("speed")
    return Species(
        **head,
        subspecies_of=Ref(name=parent, key=context.parent_key("race", parent, parent_source)) if parent else None,
        is_subspecies=bool(parent),
        size=size_text(fields.take("size")),
        speed=_speed(fields).removeprefix("walk ") if speed is None else f"{speed:g} ft.",
        traits=(*blocks, *traits, *additional_spells(fields)),
        other=fields.also(),
    )


def background(head: CommonFields, fields: Fields, _: Context) -> Background:
    """Return a background: its benefits, then the blocks of its text."""
    blocks = _blocks(head, fields)
    values = {
        "Prerequisite": prerequisite_text(fields.take("prerequisite")),
        "Skill Proficiencies": grants(fields.take("skillProficiencies")),
        "Tool Proficiencies": grants(fields.take("toolProficiencies")),
        "Languages": grants(fields.take("languageProficiencies")),
        "Ability Scores": grants(fields.take("ability")),
        "Feat": grants(fields.take("feats")),
        "Equipment": _equipment(fields.take("startingEquipment")),
    }
    fields.drop("fromFeature")  # the feature that grants it
    features = (Section(name=block.name.removesuffix(":"), text=block.text) for block in blocks)
    other = (*additional_spells(fields), *fields.also())
    return Background(**head, benefits=(*sections_of(values), *features), other=other)


def _equipment(value: object) -> str:
    """``torch, pouch (contains value: 10 gp); (a) staff``."""

    def priced(item: object) -> object:
        prices = {name: f"{gold:g} gp" for name in _PRICES if (gold := _gold(mapping(item).get(name)))}
        return {**item, **prices} if isinstance(item, dict) else item

    choices = [pair for spec in listed(value) for pair in as_object(spec, "_").items()]
    lines = [(choice, print_value(list(map(priced, listed(items))))) for choice, items in choices]
    return "; ".join(line if choice == "_" else f"({choice}) {line}" for choice, line in lines if line)


def _blocks(head: CommonFields, fields: Fields) -> list[Section]:
    """The blocks of an option with names; the others are added to its text."""
    entries = listed(fields.take("entries"))
    unnamed = markdown([entry for entry in entries if not mapping(entry).get("name")])
    head["text"] = joined(head["text"], unnamed, sep="\n\n")
    named = [block for block in objects(entries) if block.get("name")]
    return [Section(name=text_in(block, "name"), text=block_text(block)) for block in named]


def feat(head: CommonFields, fields: Fields, context: Context) -> Feat:
    """Return a feat, or an option of a class feature: an invocation, a maneuver, a fighting style."""
    category = code(fields.take("category") or "")
    types = [context.feat_categories.get(category, _FEATS.get(category, category))]
    types += [
        context.feature_types.get(code, _FEATURES.get(code, code)) for code in plain_texts(fields.take("featureType"))
    ]
    increase = phrase("Ability Score Increase: {}", grants(fields.take("ability")))
    return Feat(
        **head,
        type=joined(*dict.fromkeys(types)),
        prerequisite=prerequisite_text(fields.take("prerequisite")),
        benefits=(increase,) if increase else (),
        other=(*additional_spells(fields), *fields.also()),
    )


def reference(head: CommonFields, fields: Fields, _: Context) -> Reference:
    """Return a condition or a language."""
    script, speakers = fields.line("script"), fields.line("typicalSpeakers")
    type_ = fields.line("type")
    return Reference(**head, type=type_, script=slug(script) if script else "", speakers=speakers, other=fields.also())
