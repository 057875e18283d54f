"""Spells, monsters, equipment, languages and encounters, and items of sections that the application does not know."""

from __future__ import annotations

from collections.abc import Callable

from lorekeeper_mcp.models import ActionType, Creature, Equipment, Kind, Ref, Reference, Rule, Spell
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION, SRD_CLASSES, WEAPON_PROPERTIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import book_key, parent_key, slug
from lorekeeper_mcp.sources.item_form import (
    ArmorForm,
    ItemForm,
    WeaponForm,
    named_properties,
    pounds,
    price,
    to_equipment,
)
from lorekeeper_mcp.sources.orcbrew.edn_values import Keys, titles
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.reading import Fields, integer, numbers, sections_of, text, titled
from lorekeeper_mcp.sources.spell_form import SpellForm, to_spell
from lorekeeper_mcp.sources.stat_block import StatBlock, ability_key, to_creature

_ACTIONS = {**{str(kind): kind for kind in ActionType}, "b-action": ActionType.BONUS_ACTION}
_ARMORS = ("light", "medium", "heavy", "shield")
_CATEGORIES = {"other-magic-item": "wondrous-item", "wondrous": "wondrous-item", "wondrous-items": "wondrous-item"}
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")


def spell(common: CommonFields, fields: Fields, book_classes: Keys) -> Spell:
    """Return a spell; false in ``:spell-lists`` means that it is not on the list. Raises ItemError without a level."""
    classes = fields.names("spell-lists", "classes", "class")
    form = SpellForm(
        level=fields.integer("level"),
        school=fields.text("school"),
        casting_time=fields.text("casting-time"),
        range=fields.text("range"),
        verbal=fields.flag("components.verbal") or False,
        somatic=fields.flag("components.somatic") or False,
        material=fields.flag("components.material") or False,
        material_text=fields.text("components.material-component", "material-component"),
        duration=fields.text("duration"),
        concentration=fields.flag("concentration") or False,
        ritual=fields.flag("ritual") or False,
        classes=tuple(Ref(name=titled(key), key=parent_key(key, book_classes, SRD_CLASSES)) for key in classes),
        attack_roll=fields.flag("attack-roll?") or False,
        other=fields.also(),
    )
    return to_spell(form, common)


def creature(common: CommonFields, fields: Fields, _book_classes: Keys) -> Creature:
    """Return a monster; values that it does not give stay absent. Its actions are traits with a type."""
    traits: list[tuple[str, str]] = []
    actions: list[tuple[ActionType, str, str]] = []
    for trait in fields.entries("traits", "description"):
        kind = _ACTIONS.get(text(trait.peek("type")).lower())
        if kind is not None or trait.peek("type") == "other":
            trait.drop("type")
        name, description = trait.text("name"), trait.with_unread(trait.text("description", "text"))
        if kind is None:
            traits.append((name, description))
        else:
            actions.append((kind, name, description))
    tags = titles(fields.names("subtypes", "subtype")).lower()
    hit_points, hit_dice = _hit_points(fields)
    speed, ranges = numbers(fields.peek("speed")), {name: fields.number(name) for name in _SENSES}
    passive = fields.text("passive-perception")
    block = StatBlock(
        name=common["name"],
        size=titled(fields.text("size")),
        type=joined(titled(fields.text("type")).lower(), f"({tags})" if tags else "", sep=" "),
        alignment=fields.text("alignment"),
        armor=joined(fields.text("armor-class"), fields.text("armor-notes"), sep=" "),
        hit_points=hit_points,
        hit_dice=hit_dice,
        speed=", ".join(f"{mode} {feet:g} ft." for mode, feet in speed.items()) or fields.text("speed"),
        abilities={
            ability: score
            for key, ability in ABILITY_BY_ABBREVIATION.items()
            if (score := fields.integer(key, ability)) is not None
        },
        saves={ability_key(key): bonus for key, bonus in fields.integers("saving-throws").items()},
        skills=fields.integers("skills"),
        senses=joined(
            fields.text("senses"),
            *(f"{name} {feet:g} ft." for name, feet in ranges.items() if feet),
            f"passive Perception {passive}" if passive else "",
        ),
        languages=titles(fields.names("props.language", "props.languages", "languages", "language")),
        challenge=fields.text("challenge", "challenge-rating"),
        traits=tuple(traits),
        actions=tuple(actions),
        legendary_text=fields.text("legendary-actions.description"),
        immunities=_defense(fields, "damage-immunity", "damage-immunities"),
        resistances=_defense(fields, "damage-resistance", "damage-resistances"),
        vulnerabilities=_defense(fields, "damage-vulnerability", "damage-vulnerabilities"),
        conditions=_defense(fields, "condition-immunity", "condition-immunities"),
    )
    for mode in speed:
        fields.drop(f"speed.{mode}")
    record = to_creature(block, common["document_name"], common)
    other = (*record.other, *sections_of({"traits": fields.text("traits")}), *fields.also())
    return record.model_copy(update={"other": other})


def _defense(fields: Fields, *names: str) -> str:
    """A resistance or an immunity, from the props or from a field of its own."""
    return ", ".join(fields.names(*(f"props.{name}" for name in names), *names))


def _hit_points(fields: Fields) -> tuple[str, str]:
    """The average and the dice: {:die 8 :die-count 3 :modifier 6} is 19 and 3d8+6; or hit points as written."""
    die, count = (integer(fields.peek(f"hit-points.{name}")) for name in ("die", "die-count"))
    if die is None or count is None:
        return fields.text("hit-points"), ""
    fields.drop("hit-points.die", "hit-points.die-count")
    modifier = fields.integer("hit-points.modifier") or 0
    return str(count * (die + 1) // 2 + modifier), f"{count}d{die}{f'{modifier:+d}' if modifier else ''}"


def equipment(common: CommonFields, fields: Fields, _book_classes: Keys) -> Equipment:
    """Return an item, a weapon, an armor or a magic item; the fields may say more than the section."""
    type_ = slug(written) if (written := text(fields.peek("type"))) else ""
    kind = common["kind"]
    if kind is Kind.MAGIC_ITEM or fields.has("rarity", "attunement", "magical?", "requires-attunement"):
        kind = Kind.MAGIC_ITEM
    elif kind is not Kind.WEAPON:
        kind = {"weapon": Kind.WEAPON, "armor": Kind.ARMOR}.get(type_, kind)
    common["kind"] = kind
    default = {Kind.WEAPON: "weapon", Kind.ARMOR: "armor"}.get(kind, "")
    # The type of a weapon is simple or martial, that of an armor light to heavy.
    category_text = fields.text("category", "item-type", *([] if default else ["type"]))
    category = slug(category_text) if category_text else ""
    is_weapon = kind is Kind.WEAPON or category == "weapon" or fields.has("damage-die")
    attunement = fields.flag("requires-attunement", "attunement")
    users = fields.names("attunement", "requires-attunement") if attunement is None else []
    classes = " or ".join(titled(key) for key in users if key.lower() != "any")
    form = ItemForm(
        category=default or _CATEGORIES.get(category, category),
        category_text=titled(category_text) if default and category != default else "",
        cost=fields.read(price, "cost", "value"),
        weight=fields.read(pounds, "weight"),
        rarity=fields.text("rarity"),
        attunement=True if users else attunement,
        attunement_text=f"requires attunement by a {classes}" if classes else "",
        weapon=_weapon(fields) if is_weapon else None,
        armor=_armor(fields) if kind is Kind.ARMOR or category in ("armor", "shield") else None,
        other=fields.also(),
    )
    return to_equipment(form, common)


def _weapon(fields: Fields) -> WeaponForm:
    """Dice and properties, from {:damage-die 8 :damage-die-count 1} or "1d8"; ranges from {:min 20 :max 60}."""
    properties = [titled(name) for name in fields.names("properties")]
    properties += [titled(name) for name in WEAPON_PROPERTIES if fields.flag(name)]
    training = ["type"] if fields.peek("type") in ("simple", "martial") else ["weapon-type", "proficiency"]
    ranged, melee = fields.flag("ranged?"), fields.flag("melee?")
    return WeaponForm(
        damage=_dice(fields) or fields.text("damage"),
        damage_type=fields.text("damage-type"),
        two_handed=_dice(fields.part("versatile")),
        range=fields.number("range.min", "range.normal"),
        long_range=fields.number("range.max", "range.long"),
        properties=named_properties(properties),
        training=fields.text(*training),
        is_ranged=ranged if melee is None else not melee,
    )


def _dice(fields: Fields) -> str:
    die, count = fields.integer("damage-die"), fields.integer("damage-die-count")
    return f"{count or 1}d{die}" if die else ""


def _armor(fields: Fields) -> ArmorForm:
    category = [name for name in ("armor-type", "subtype", "type") if text(fields.peek(name)).lower() in _ARMORS]
    return ArmorForm(
        category=fields.text(*category[:1]).lower(),
        base=fields.integer("base-ac", "armor-class", "ac"),
        cap=fields.integer("max-dex-mod"),
        strength=fields.integer("min-str", "strength"),
        hinders_stealth=fields.flag("stealth-disadvantage?") or False,
    )


def reference(common: CommonFields, fields: Fields, _book_classes: Keys) -> Reference:
    """Return a language, or a condition of a fork."""
    script, speakers = fields.text("script"), fields.text("speakers", "typical-speakers")
    return Reference(**common, script=slug(script) if script else "", speakers=speakers, other=fields.also())


def encounter(common: CommonFields, fields: Fields, book_classes: Keys) -> Rule:
    """Return an encounter: its creatures with their numbers, as an entry of the chapter Encounters."""
    lines = []
    for entry in fields.entries("creatures", "monster"):
        count = entry.integer("creature.num")
        name = entry.text("creature.monster", "creature.character", "creature.name", "monster", "name")
        kind = entry.peek("type")
        if kind == "monster" or (kind == "character" and name):
            entry.drop("type")
            name = name if kind == "monster" else f"character {name}"
        others = (f"{field.name}: {field.text}" for field in entry.also())
        lines.append("- " + joined(str(count or ""), titled(name), *others, sep=" "))
    common["text"] = joined(common["text"], "\n".join(lines), sep="\n\n")
    return rule_of("encounters")(common, fields, book_classes)


def rule_of(section: str) -> Callable[[CommonFields, Fields, Keys], Rule]:
    """Return a function for items of an unknown section: kept whole, in a chapter with the section's name."""

    def rule(common: CommonFields, fields: Fields, _book_classes: Keys) -> Rule:
        chapter = Ref(name=titled(section), key=f"orcbrew_{book_key(common['document_name'])}_{slug(section)}")
        return Rule(**common, section=chapter, other=fields.also())

    return rule
