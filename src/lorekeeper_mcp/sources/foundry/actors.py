"""Actors: creatures, vehicles and characters, with their features, attacks and spells as items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models import ActionType, Record, Ref
from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.models.vocabulary import ABILITIES, ABILITY_BY_ABBREVIATION, EXPERIENCE
from lorekeeper_mcp.sources.field_reader import (
    Fields,
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
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.enrichers import average, markdown
from lorekeeper_mcp.sources.foundry.formulas import (
    ActorNumbers,
    activities,
    filled,
    magic_bonus,
    properties_of,
    rules_of,
    simplified,
    system_of,
)
from lorekeeper_mcp.sources.foundry.items import distances, senses_text
from lorekeeper_mcp.sources.foundry.mechanics import (
    ItemRolls,
    activation_count,
    attack_text,
    damage_text,
    damages,
    effect_sections,
    further_sections,
    item_fields,
    modern,
    printer,
    two_handed,
    uses_text,
)
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.phrases import joined, phrase
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
    " traits.di traits.ci traits.languages resources.legact resources.legres resources.lair spells vehicleType"
    " bonuses.abilities.save bonuses.spell.dc description".split()
)
# Of an ability or a skill; the application once stored the numbers that it derives.
_DERIVED = "value ability proficient min mod prof save dc total passive bonus saveBonus checkBonus".split()
# Numbers of a held item that no stat block prints: its weight, price and armor.
_READ_IN_ITEM = (
    "range.value range.long range.reach range.units type price weight rarity rarities attunement armor hp"
    " strength stealth capacity level school weaponType mastery magicalBonus levels hitDice saves skills"
    " spellcasting senses movement classIdentifier ammunition primaryAbility quantity cover requirements"
    " prerequisites materials unidentified enchant recharge"
)
_IN_A_SPELL_LIST = frozenset({"level", "school", "preparation", "method", "prepared", "identifier", "source", "uses"})


def creature(actor: JsonObject, raw_system: JsonObject, book: str) -> Record:
    """Return the creature of an actor. ``raw_system`` has its formulas as written."""
    numbers = ActorNumbers.of(actor)
    system = filled(raw_system, numbers.known)
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    scores = {name: value for name in ABILITIES if (value := numbers.scores.get(name[:3])) is not None}
    items, hit_points = _Items.of(actor, numbers), part(attributes, "hp")
    rating = number(details.get("cr"))
    passive = numbers.known("skills.prc.passive") if "wis" in numbers.modifiers else ""
    biography = markdown(value_at(details, "biography.value")) or markdown(value_at(system, "description.value"))
    public = markdown(value_at(details, "biography.public"))
    fields = Fields(system, printer)
    fields.drop(*_READ, *_in_numbers(system, numbers))
    block = StatBlock(
        name=text_at(actor, "name"),
        size=names.SIZES.get(text_at(traits, "size"), text(traits.get("size"))),
        type=_type(details, text(system.get("vehicleType")) if actor.get("type") == "vehicle" else ""),
        alignment=text(details.get("alignment")),
        armor=_armor(part(attributes, "ac"), items, numbers),
        hit_points=text(hit_points.get("max") or hit_points.get("value")),
        hit_dice=text(hit_points.get("formula")),
        speed=_speed(part(attributes, "movement")),
        abilities=scores,
        saves={name: numbers.saves[name[:3]] for name in scores if name[:3] in numbers.saves},
        skills={names.skill(code).lower(): bonus for code, bonus in numbers.skills.items()},
        vulnerabilities=_defense(traits, "dv"),
        resistances=_defense(traits, "dr"),
        immunities=_defense(traits, "di"),
        conditions=_defense(traits, "ci"),
        senses=joined(senses_text(part(attributes, "senses")), phrase("passive Perception {}", passive)),
        languages=_languages(part(traits, "languages")),
        challenge=text(details.get("cr")),
        # As the application computes it; what the file has beside a challenge rating is a stored default.
        experience=integer(value_at(details, "xp.value")) if rating is None else EXPERIENCE.get(rating),
        initiative=_initiative(part(attributes, "init"), numbers),
        traits=(
            *_with_resources(items.traits, part(system, "resources")),
            *items.lists(numbers, part(system, "spells")),
        ),
        actions=tuple(items.actions),
        text=biography,
        legendary_text=phrase("It can take {} legendary actions.", integer(value_at(system, "resources.legact.max"))),
        other=(
            *sections_of({"Public biography": public if public != biography else ""}),
            *fields.also(),
            *effect_sections(actor, "", ItemRolls({}, numbers)),
        ),
    )
    places = _places(details)
    environments = tuple(Ref(name=label(name), key=slug(key)) for name, key in places.items())
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


def _type(details: JsonObject, vehicle_type: str) -> str:
    """``swarm of Tiny beasts``, ``humanoid (elf)``, ``water vehicle``."""
    type_ = part(details, "type") or {"value": details.get("type")}
    name, custom, swarm = (text(type_.get(field)) for field in ("value", "custom", "swarm"))
    if custom and name in ("", "custom"):
        name, custom = custom, ""
    if vehicle_type or name in ("air", "land", "water", "space"):
        name = f"{name or vehicle_type} vehicle"
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
    terrain = ", ".join(map(names.readable, texts(movement.get("ignoredDifficultTerrain"))))
    line = joined(
        *distances(modes, movement.get("units")), *odd, text(movement.get("special")),
        phrase("ignoring difficult terrain of {}", terrain),
    )  # fmt: skip
    return f"{line} (hover)" if movement.get("hover") is True else line


def _defense(traits: JsonObject, name: str) -> str:
    """The listed types, and the attacks that bypass them: ``bludgeoning (not from magical attacks)``."""
    defense = part(traits, name)
    kinds, custom = texts(defense.get("value")), text(defense.get("custom"))
    bypasses = " or ".join(map(names.bypass, texts(defense.get("bypasses"))))
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


@dataclass
class _Items:
    """The items of an actor: named texts, actions, and the names of its spells, equipment, classes and species."""

    traits: list[tuple[str, str]] = field(default_factory=list)
    actions: list[tuple[ActionType, str, str]] = field(default_factory=list)
    spells: dict[str, list[str]] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    armor: list[tuple[str, JsonObject]] = field(default_factory=list)

    @classmethod
    def of(cls, actor: JsonObject, numbers: ActorNumbers) -> _Items:
        """Sort an actor's items."""
        items = cls()
        item_names = {text_at(item, "_id"): text_at(item, "name") for item in objects(actor.get("items"))}
        for item in objects(actor.get("items")):
            name, kind = text_at(item, "name"), text_at(item, "type")
            system = _resolved(modern(system_of(item)), numbers, is_weapon=kind == "weapon")
            rolls = ItemRolls(system, numbers, numbers.is_2024 or rules_of(system) == "2024", item_names)
            description = "" if kind == "spell" and _has_level(system) else _item_text(item, rolls)
            if kind == "equipment" and system.get("equipped") is not False:
                items.armor.append((name, system))
            if kind == "spell":
                items.spells.setdefault(_spell_heading(system), []).append(name + phrase(" ({})", uses_text(system)))
                items.traits += [(name, description)] if description else []
            else:
                items.add(item, system, description)
        return items

    def add(self, item: JsonObject, system: JsonObject, description: str) -> None:
        """Add an item other than a spell as an action or a trait, and to the lists of names."""
        name, kind, quantity = text_at(item, "name"), text_at(item, "type"), integer(system.get("quantity")) or 1
        several = phrase(" ({})", quantity if quantity > 1 else 0)
        action, title = _action(item, system)
        if action is not None:
            self.actions.append((action, title, description))
        elif description or kind == "feat":
            self.traits.append((title, description))
        if kind in _CARRIED or (kind == "weapon" and several):
            self.carried.append(name + several)
        elif kind in _ORIGINS:
            self.origins.append(joined(name, text(system.get("levels")), sep=" "))

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
        for name, system in self.armor:
            kind = text_at(system, "type.value") or text_at(system, "armor.type")
            value = integer(value_at(system, "armor.value"))
            if not value or kind not in (*_DEXTERITY_CAPS, "shield"):
                continue
            worn.append(name.lower())
            value += integer(value_at(system, "armor.magicalBonus")) or 0
            if kind == "shield":
                shield = max(shield, value)
            else:
                own_cap = integer(value_at(system, "armor.dex"))
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


def _action(item: JsonObject, system: JsonObject) -> tuple[ActionType | None, str]:
    """The kind of action of an item, None for a trait, and its name: ``Breath (Recharge 5–6)``."""
    name, kind = text_at(item, "name"), text_at(item, "type")
    sources = (system, *activities(system).values())
    activation = next((part(each, "activation") for each in sources if text_at(each, "activation.type")), {})
    action = _ACTIONS.get(text_at(activation, "type"), ActionType.ACTION if kind == "weapon" else None)
    if kind in _CARRIED or "trait" in properties_of(system):
        action = None
    # What is used up when it is used needs no limit.
    limited = sources if kind != "consumable" or value_at(system, "uses.recovery") else ()
    uses = next(filter(None, map(uses_text, limited)), "")
    if uses.lower().replace("–", "-") not in name.lower().replace("–", "-"):
        name = f"{name} ({uses})"
    cost = activation_count(activation) if action is ActionType.LEGENDARY_ACTION else 1
    return action, f"{name} (Costs {cost} Actions)" if cost > 1 and "cost" not in name.lower() else name


def _resolved(item: JsonObject, numbers: ActorNumbers, *, is_weapon: bool) -> JsonObject:
    """A modern item with the actor's numbers in its formulas, its DCs and a weapon's damage."""
    modifier = numbers.modifier_of(item)
    resolved = dict(filled(item, lambda path: modifier if path == "mod" else numbers.known(path)))
    own = activities(resolved)
    for id_, activity in own.items():
        for roll in ("save", "check"):
            spec = part(activity, roll)
            dc = numbers.difficulty(spec, of_spell="school" in item)
            if dc and not value_at(spec, "dc.formula"):
                own[id_] = {**own[id_], roll: {**spec, "dc": {"formula": dc}}}
    damage = dict(part(resolved, "damage"))
    for name in ("base", "versatile") if is_weapon else ():
        entry = part(damage, name)
        if entry.get("number") and entry.get("denomination"):  # versions before 4 write the modifier out
            extra = [value for value in (modifier or "", text(magic_bonus(item))) if value not in ("", "0")]
            total = joined(text(entry.get("bonus")), *extra, sep=" + ")
            damage[name] = {**entry, "bonus": simplified(total)}
    return {**resolved, "activities": own, "damage": damage}


def _item_text(item: JsonObject, rolls: ItemRolls) -> str:
    """The description, and what the item does beside it; a bare attack begins with its attack and hit lines."""
    system, is_weapon = rolls.system, item.get("type") == "weapon"
    description = markdown(part(system, "description").get("value", system.get("description")), rolls)
    has_numbers, lead = bool(_NUMBERS.search(description)), ""
    own = list(activities(system).values())
    attack_activity = next((activity for activity in own if activity.get("type") == "attack"), None)
    if not has_numbers and (attack_activity or is_weapon):
        attack = attack_text(system, attack_activity or {}, rolls, extended=True)
        attack = attack.rstrip(".") if attack.startswith("*") else ""
        first = attack_activity or next((activity for activity in own if damages(system, activity)), {"type": "attack"})
        damage = phrase("{} damage", damage_text(system, first, averaged=True))
        versatile = phrase("{} damage with two hands", average(two_handed(system)))
        hit = joined(damage, versatile, sep=", or ")
        lead = joined(phrase("{}.", attack), phrase("*Hit:* {}.", hit), sep=" ")
    known = f"{description} {lead} {text_at(item, 'name')}"
    omit = "activation attack damage range target" if lead or (is_weapon and has_numbers) else "activation"
    sections = further_sections(item, rolls, known, item_fields(system, _READ_IN_ITEM), omit)
    return joined(lead, description, *(f"**{label(each.name)}.** {each.text}" for each in sections), sep="\n\n")
