"""Actors: creatures, vehicles and characters, with their features, attacks and spells as items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import ActionType, Record, Ref
from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.models.vocabulary import ABILITIES, ABILITY_BY_ABBREVIATION, EXPERIENCE
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    JsonObject,
    flag,
    integer,
    joined,
    mapping,
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
from lorekeeper_mcp.sources.foundry.enrichers import markdown
from lorekeeper_mcp.sources.foundry.formulas import ActorNumbers, average, dice, filled, system_of
from lorekeeper_mcp.sources.foundry.items import distances, senses_text
from lorekeeper_mcp.sources.foundry.mechanics import Item, activation_count, effect_sections, printer, uses_text
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.stat_block import StatBlock, to_creature
from lorekeeper_mcp.text import label

# Ways to calculate an armor class: the words for it, its base if it is not worn, and a second ability.
_ARMOR: Mapping[str, tuple[str, int, str]] = {
    "natural": ("natural armor", 0, ""),
    "mage": ("mage armor", 13, ""),
    "draconic": ("draconic resilience", 13, ""),
    "unarmoredMonk": ("unarmored defense", 10, "wis"),
    "unarmoredBarb": ("unarmored defense", 10, "con"),
    "unarmoredBard": ("unarmored defense", 10, "cha"),
}
_DEXTERITY_CAPS: Mapping[str, int | None] = {"light": None, "medium": 2, "heavy": 0}
_PLURALS = {"undead": "undead", "fey": "fey", "monstrosity": "monstrosities"}
_PHYSICAL = {"physical": "nonmagical bludgeoning, piercing, and slashing"}
_BYPASSES = {"mgc": "magical", "ada": "adamantine", "sil": "silvered"}
_NOT_MODES = frozenset("units hover special bonus multiplier ignoredDifficultTerrain fromSpecies".split())
_ACTIONS = {kind.removesuffix("-action"): kind for kind in ActionType}
_METHODS = {"atwill": "At will", "innate": "Innate", "pact": "Pact magic", "ritual": "Rituals"}
_CARRIED = frozenset({"equipment", "consumable", "tool", "loot", "container", "backpack"})
_ORIGINS = frozenset({"class", "subclass", "race", "background"})
_NUMBERS = re.compile(r"\d\s?d\s?\d|to hit|\bDC \d")  # of an attack, in a description
# Paths of an actor's fields that ``creature`` reads; what is left of them is listed.
_READ = (
    "attributes.ac attributes.hp.value attributes.hp.max attributes.hp.formula attributes.movement"
    " attributes.senses attributes.hd attributes.init.ability attributes.prof attributes.spellcasting"
    " attributes.spelldc attributes.spell details.cr details.alignment details.type details.biography"
    " details.source details.xp details.habitat details.environment source traits.size traits.dv traits.dr"
    " traits.di traits.ci traits.languages resources.legact resources.legres resources.lair spells"
    " bonuses.abilities.save bonuses.spell.dc description".split()
)
# Of an ability or a skill; the application once stored the numbers that it derives.
_DERIVED = "value ability proficient min mod prof save dc total passive bonus saveBonus checkBonus".split()
# Numbers of an item that a stat block does not print: its weight, price and armor.
_READ_IN_ITEM = (
    "range.value range.long range.reach range.units type price weight rarity rarities attunement armor hp"
    " strength stealth capacity level school weaponType mastery magicalBonus levels hitDice saves skills"
    " spellcasting senses movement classIdentifier ammunition primaryAbility quantity cover requirements"
    " prerequisites materials unidentified enchant recharge".split()
)
_IN_A_SPELL_LIST = frozenset({"level", "school", "preparation", "method", "prepared", "identifier", "source", "uses"})


def creature(actor: JsonObject, book: str) -> Record:
    """Return the creature of an actor."""
    numbers = ActorNumbers(actor)
    system = filled(system_of(actor), numbers.known)
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    resources, rating = part(system, "resources"), number(details.get("cr"))
    scores = {name: numbers.scores[name[:3]] for name in ABILITIES if name[:3] in numbers.scores}
    items, hit_points = _Items(actor, numbers), part(attributes, "hp")
    passive = numbers.known("skills.prc.passive") if "wis" in numbers.modifiers else ""
    biography = markdown(value_at(details, "biography.value")) or markdown(value_at(system, "description.value"))
    public = markdown(value_at(details, "biography.public"))
    fields = Fields(system, printer)
    fields.drop(*_READ, *_in_numbers(system, numbers))
    block = StatBlock(
        name=text_at(actor, "name"),
        size=names.SIZES.get(text_at(traits, "size"), text(traits.get("size"))),
        type=_type(details),
        alignment=text(details.get("alignment")),
        armor=_armor(part(attributes, "ac"), items, numbers),
        hit_points=text(hit_points.get("max") or hit_points.get("value")),
        hit_dice=text(hit_points.get("formula")),
        speed=_speed(part(attributes, "movement")),
        abilities=scores,
        saves={name: numbers.saves[name[:3]] for name in scores if name[:3] in numbers.saves},
        skills={names.skill(code).lower(): bonus for code, bonus in numbers.skills.items()},
        vulnerabilities=_defense(part(traits, "dv")),
        resistances=_defense(part(traits, "dr")),
        immunities=_defense(part(traits, "di")),
        conditions=_defense(part(traits, "ci")),
        senses=joined(senses_text(part(attributes, "senses")), phrase("passive Perception {}", passive)),
        languages=_languages(part(traits, "languages")),
        challenge=text(details.get("cr")),
        # As the application computes it; what the file has beside a challenge rating is a stored default.
        experience=integer(value_at(details, "xp.value")) if rating is None else EXPERIENCE.get(rating),
        initiative=_initiative(part(attributes, "init"), numbers),
        traits=(*_with_resources(items.traits, resources), *items.lists(numbers, part(system, "spells"))),
        actions=tuple(items.actions),
        text=biography,
        legendary_text=phrase("It can take {} legendary actions.", integer(value_at(resources, "legact.max"))),
        other=(
            *sections_of({"Public biography": public if public != biography else ""}),
            *fields.also(),
            *effect_sections(actor, "", Item({}, numbers)),
        ),
    )
    environments = tuple(Ref(name=label(name), key=slug(key)) for name, key in _places(details).items())
    return to_creature(block, book).model_copy(update={"environments": environments})


def _in_numbers(system: JsonObject, numbers: ActorNumbers) -> Iterator[str]:
    """The paths of the fields that are in the numbers of the stat block."""
    if integer(value_at(system, "attributes.init.bonus")) is not None:
        yield "attributes.init.bonus"
    if not value_at(system, "attributes.price.value"):
        yield "attributes.price"
    abilities = numbers.scores.keys() & ABILITY_BY_ABBREVIATION.keys()
    for path in (*(f"abilities.{code}" for code in abilities), *(f"skills.{code}" for code in names.SKILLS)):
        yield from (f"{path}.{name}" for name in _DERIVED)
        bonuses = part(system, f"{path}.bonuses")
        yield from (f"{path}.bonuses.{name}" for name, bonus in bonuses.items() if integer(bonus) is not None)


# --- Lines of the stat block ---


def _initiative(initiative: JsonObject, numbers: ActorNumbers) -> int | None:
    """The bonus, which only stat blocks of 2024 print, unless the file gives one of its own."""
    extra = integer(initiative.get("bonus") or 0)
    modifier = numbers.modifiers.get(text_at(initiative, "ability") or "dex")
    if modifier is None or extra is None or not (numbers.is_2024 or extra):
        return None
    return modifier + extra


def _type(details: JsonObject) -> str:
    """``swarm of Tiny beasts``, ``humanoid (elf)``."""
    type_ = part(details, "type") or {"value": details.get("type")}
    name, custom, swarm = (text(type_.get(field)) for field in ("value", "custom", "swarm"))
    if custom and name in ("", "custom"):
        name, custom = custom, ""
    if swarm:
        name = f"swarm of {names.SIZES.get(swarm, swarm)} {_PLURALS.get(name, f'{name}s')}"
    return name + phrase(" ({})", joined(text(type_.get("subtype")), custom))


def _armor(armor_class: JsonObject, items: _Items, numbers: ActorNumbers) -> str:
    """The armor class and its source. The application computes it at run time, except for natural armor."""
    calculation, formula = text_at(armor_class, "calc"), text(armor_class.get("formula"))
    source, base, second_ability = _ARMOR.get(calculation, ("", 0, ""))
    dexterity, computed = numbers.modifiers.get("dex", 0), ""
    if base:
        computed = str(base + dexterity + numbers.modifiers.get(second_ability, 0))
    elif calculation == "default":
        computed, source = items.worn_armor(dexterity)
    elif calculation == "custom" and formula.isdigit():
        computed, formula = formula, ""
    value, note = text(armor_class.get("flat") or armor_class.get("value")) or computed, joined(source, formula)
    return f"{value} ({note})" if note and value else value or note


def _speed(movement: JsonObject) -> str:
    modes = {mode: value for mode, value in movement.items() if mode not in _NOT_MODES}
    odd = (f"{mode} {text(value)}" for mode, value in modes.items() if text(value) and number(value) is None)
    line = joined(*distances(modes, movement.get("units")), *odd, text(movement.get("special")))
    return f"{line} (hover)" if flag(movement.get("hover")) else line


def _defense(defense: JsonObject) -> str:
    """The listed types, and the attacks that bypass them: ``bludgeoning (not from magical attacks)``."""
    kinds, custom = texts(defense.get("value")), text(defense.get("custom"))
    bypasses = " or ".join(_BYPASSES.get(code, code) for code in texts(defense.get("bypasses")))
    physical = [kind for kind in kinds if bypasses and kind in ("bludgeoning", "piercing", "slashing")]
    others = [_PHYSICAL.get(kind, kind) for kind in kinds if kind not in physical]
    if not bypasses or not kinds:
        return joined(*others, custom)
    conditional = f"{', '.join(physical or others)} (not from {bypasses} attacks)"
    return joined(", ".join([*(others if physical else []), conditional]), custom, sep="; ")


def _languages(languages: JsonObject) -> str:
    """Languages, and other communication with its range: ``telepathy 60 ft.``"""
    ways = [
        f"{way} {feet} {text_at(mapping(reach), 'units') or 'ft'}."
        for way, reach in part(languages, "communication").items()
        if (feet := text(mapping(reach).get("value")))
    ]
    custom = text(languages.get("custom")).replace(";", ",")
    return joined(*map(names.language, texts(languages.get("value"))), custom, *ways)


def _places(details: JsonObject) -> dict[str, str]:
    """The environments of a creature by name: in a list of objects, or in a text of the versions before 4."""
    habitat = part(details, "habitat")
    older = re.split(r"[,;]", joined(text(habitat.get("custom")), text(details.get("environment")), sep=","))
    places = {place.strip(): place.strip() for place in older if place.strip()}
    for place in objects(habitat.get("value")):
        kind, plane = text_at(place, "type"), text_at(place, "subtype")
        places |= {kind + phrase(" ({})", plane): kind} if kind else {}
    return places


def _with_resources(traits: list[tuple[str, str]], resources: JsonObject) -> Iterator[tuple[str, str]]:
    """The traits with the number of legendary resistances in the name of the trait, and the lair."""
    count = integer(value_at(resources, "legres.max"))
    is_named = any(name.lower().startswith("legendary resistance") for name, _ in traits)
    for name, line in traits if is_named or not count else [*traits, ("Legendary Resistance", "")]:
        is_resistance = count and name.lower().startswith("legendary resistance") and "/" not in name
        yield f"{name} ({count}/Day)" if is_resistance else name, line
    if value_at(resources, "lair.value") is True:
        start = phrase(", which acts on initiative count {}", text(value_at(resources, "lair.initiative")))
        yield "Lair", f"It has a lair{start}."


# --- Items of an actor ---


class _Items:
    """The items of an actor: named texts, actions, and the names of its spells, equipment, classes and species."""

    def __init__(self, actor: JsonObject, numbers: ActorNumbers) -> None:
        self.traits: list[tuple[str, str]] = []
        self.actions: list[tuple[ActionType, str, str]] = []
        self.spells: dict[str, list[str]] = {}
        self.carried: list[str] = []
        self.origins: list[str] = []
        self.armor: list[Item] = []
        documents = objects(actor.get("items"))
        item_names = {text_at(document, "_id"): text_at(document, "name") for document in documents}
        for document in documents:
            item = Item(document, numbers, item_names)
            if item.type == "spell":
                self._add_spell(item)
            else:
                self._add(item)

    def _add_spell(self, item: Item) -> None:
        """Add a spell to the lists; one without a level is a text."""
        limited = item.name + phrase(" ({})", uses_text(item.system))
        self.spells.setdefault(_spell_heading(item.system), []).append(limited)
        if not _has_level(item.system) and (text := _item_text(item)):
            self.traits.append((item.name, text))

    def _add(self, item: Item) -> None:
        """Add an item as an action or a trait, and to the lists of names."""
        name, quantity = item.name, integer(item.system.get("quantity")) or 1
        several = phrase(" ({})", quantity if quantity > 1 else 0)
        action, title = _action(item)
        description = _item_text(item)
        if action is not None:
            self.actions.append((action, title, description))
        elif description or item.type == "feat":
            self.traits.append((title, description))
        if item.type in _CARRIED or (item.type == "weapon" and several):
            self.carried.append(name + several)
        if item.type in _ORIGINS:
            self.origins.append(joined(name, text(item.system.get("levels")), sep=" "))
        if item.type == "equipment" and item.system.get("equipped") is not False:
            self.armor.append(item)

    def lists(self, numbers: ActorNumbers, slots: JsonObject) -> Iterator[tuple[str, str]]:
        """The names that no text of the stat block has, as traits."""
        for name, entries in (("Class and origin", self.origins), ("Equipment", self.carried)):
            if entries:
                yield name, ", ".join(entries)
        parts = (*self.traits, *((name, text) for _, name, text in self.actions))
        known = "\n".join(text for name, text in parts if "cast" in name.lower()).lower()
        lines = []
        for heading, spells in sorted(self.spells.items(), key=lambda pair: (pair[0][:1].isdigit(), pair[0])):
            unnamed = ", ".join(spell for spell in spells if spell.partition(" (")[0].lower() not in known)
            lines += [f"- {joined(heading + _slots(heading, slots), unnamed, sep=': ')}"] if unnamed else []
        dc, to_hit = numbers.known("attributes.spell.dc"), numbers.known("attributes.spell.attack")
        if lines and dc and to_hit:
            lines.insert(0, f"{names.ability(numbers.spellcasting)}, spell save DC {dc}, {int(to_hit):+d} to hit")
        if lines:
            yield "Spells", "\n".join(lines)

    def worn_armor(self, dexterity: int) -> tuple[str, str]:
        """The armor class with the armor that is worn, which the application computes itself, and its name."""
        base, shield, worn = 10 + dexterity, 0, []
        for item in self.armor:
            kind = item.kind or text_at(item.system, "armor.type")
            value = integer(value_at(item.system, "armor.value"))
            if not value or kind not in (*_DEXTERITY_CAPS, "shield"):
                continue
            worn.append(item.name.lower())
            value += integer(value_at(item.system, "armor.magicalBonus")) or 0
            if kind == "shield":
                shield = max(shield, value)
            else:
                own_cap = integer(value_at(item.system, "armor.dex"))
                cap = _DEXTERITY_CAPS[kind] if own_cap is None else own_cap
                base = value + (dexterity if cap is None else min(dexterity, cap))
        return str(base + shield), ", ".join(worn)


def own_spells(actor: JsonObject) -> Iterator[JsonObject]:
    """Yield the spells among an actor's items that have more than a name."""
    for item in objects(actor.get("items")):
        system = system_of(item)
        has_more = any(value for name, value in system.items() if name not in _IN_A_SPELL_LIST)
        if item.get("type") == "spell" and has_more and _has_level(system):
            yield item


def _has_level(spell: JsonObject) -> bool:
    level = integer(spell.get("level"))
    return level is not None and 0 <= level <= 20


def _spell_heading(system: JsonObject) -> str:
    """The heading of a spell in the list: how it is cast, or its level."""
    method, level = text_at(system, "preparation.mode") or text_at(system, "method"), integer(system.get("level"))
    if level is None or method in _METHODS:
        return _METHODS.get(method, "")
    return f"{ordinal(level)} level" if level else "Cantrips"


def _slots(heading: str, slots: JsonObject) -> str:
    """`` (2 slots)`` of a level of spells."""
    slot = part(slots, "pact" if heading == _METHODS["pact"] else f"spell{heading[:1]}")
    counts = (integer(slot.get(name)) for name in ("override", "max", "value"))
    return phrase(" ({} slots)", next(filter(None, counts), 0))


def _action(item: Item) -> tuple[ActionType | None, str]:
    """The kind of action of an item, None for a trait, and its name: ``Breath (Recharge 5–6)``."""
    name, sources = item.name, (item.system, *item.activities.values())
    activation = next((part(each, "activation") for each in sources if text_at(each, "activation.type")), {})
    action = _ACTIONS.get(text_at(activation, "type"), ActionType.ACTION if item.type == "weapon" else None)
    if item.type in _CARRIED or "trait" in item.properties:
        action = None
    # What is used up when it is used needs no limit.
    limited = sources if item.type != "consumable" or value_at(item.system, "uses.recovery") else ()
    uses = next(filter(None, map(uses_text, limited)), "")
    if uses.lower().replace("–", "-") not in name.lower().replace("–", "-"):
        name = f"{name} ({uses})"
    cost = activation_count(activation) if action is ActionType.LEGENDARY_ACTION else 1
    return action, f"{name} (Costs {cost} Actions)" if cost > 1 and "cost" not in name.lower() else name


def _item_text(item: Item) -> str:
    """The description, and what the item does beside it; a bare attack begins with its attack and hit lines."""
    attack = next((each for each in item.activities.values() if each.get("type") == "attack"), None)
    has_numbers, lead = bool(_NUMBERS.search(item.description)), ""
    if not has_numbers and (attack or item.type == "weapon"):
        to_hit = item.attack_text(attack or {}, extended=True)
        to_hit = to_hit.rstrip(".") if to_hit.startswith("*") else ""
        first = attack or next(filter(item.damages, item.activities.values()), {"type": "attack"})
        damage = phrase("{} damage", item.damage_text(first, averaged=True))
        versatile = phrase("{} damage with two hands", average(dice(item.base_damage("versatile"))))
        lead = joined(phrase("{}.", to_hit), phrase("*Hit:* {}.", joined(damage, versatile, sep=", or ")), sep=" ")
    item.fields.drop(*_READ_IN_ITEM)
    known = f"{item.description} {lead} {item.name}"
    with_attacks = not lead and not (item.type == "weapon" and has_numbers)
    sections = item.further_sections(known, with_attacks=with_attacks)
    return joined(lead, item.description, *(f"**{label(each.name)}.** {each.text}" for each in sections), sep="\n\n")
