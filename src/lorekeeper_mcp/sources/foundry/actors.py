"""Actors: creatures, vehicles and characters, with their features, attacks and spells as items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models import ActionType, Record, Ref
from lorekeeper_mcp.models.vocabulary import ABILITIES, ABILITY_BY_ABBREVIATION, EXPERIENCE
from lorekeeper_mcp.sources.foundry import formulas, names
from lorekeeper_mcp.sources.foundry.enrichers import Rolls, average, markdown
from lorekeeper_mcp.sources.foundry.items import distances, senses_text
from lorekeeper_mcp.sources.foundry.mechanics import (
    ItemRolls,
    activation_count,
    activities,
    attack_text,
    damage_text,
    damages,
    effect_sections,
    further_sections,
    item_fields,
    modern,
    printer,
    properties_of,
    system_of,
    two_handed,
    uses_text,
)
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.phrases import counted, joined, phrase
from lorekeeper_mcp.sources.reading import (
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
_LEVELS = ("Cantrips", "1st level", "2nd level", "3rd level")
_METHODS = {"atwill": "At will", "innate": "Innate", "pact": "Pact magic", "ritual": "Rituals"}
_CARRIED = frozenset({"equipment", "consumable", "tool", "loot", "container", "backpack"})
_ORIGINS = frozenset({"class", "subclass", "race", "background"})
_ATTACK_BONUSES = {"melee weapon": "mwak", "ranged weapon": "rwak", "melee spell": "msak", "ranged spell": "rsak"}
_NUMBERS = re.compile(r"\d\s?d\s?\d|to hit|\bDC \d")  # of an attack, in a description
_MAX_SCORE = 10_000
_MAX_LEVEL = 20
# Paths of an actor's fields that ``creature`` reads; what is left of them is listed.
_READ = (
    "attributes.ac attributes.hp.value attributes.hp.max attributes.hp.formula attributes.movement"
    " attributes.senses attributes.hd attributes.init.ability attributes.prof attributes.spellcasting"
    " attributes.spelldc attributes.spell details.cr details.alignment details.type details.biography"
    " details.source details.xp details.habitat details.environment source traits.size traits.dv traits.dr"
    " traits.di traits.ci traits.languages resources.legact resources.legres resources.lair spells vehicleType"
    " bonuses.abilities.save bonuses.spell.dc description".split()
)
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
    system = formulas.filled(raw_system, numbers.known)
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    scores = {name: value for name in ABILITIES if (value := numbers.scores.get(name[:3])) is not None}
    items, hit_points = _read_items(actor, numbers), part(attributes, "hp")
    skills = {names.skill(code).lower(): bonus for code, bonus in numbers.skills.items()}
    legendary_actions = integer(value_at(system, "resources.legact.max"))
    rating = number(details.get("cr"))
    fields = Fields(system, printer)
    fields.drop(*_READ, *_in_numbers(system, numbers))
    biography = markdown(value_at(details, "biography.value")) or markdown(value_at(system, "description.value"))
    public = markdown(value_at(details, "biography.public"))
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
        skills=skills,
        vulnerabilities=_defense(traits, "dv"),
        resistances=_defense(traits, "dr"),
        immunities=_defense(traits, "di"),
        conditions=_defense(traits, "ci"),
        senses=joined(senses_text(part(attributes, "senses")), _passive_perception(numbers)),
        languages=_languages(traits),
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
        legendary_text=phrase("It can take {} legendary actions.", legendary_actions),
        other=(
            *sections_of({"Public biography": public if public != biography else ""}),
            *fields.also(),
            *effect_sections(actor, "", numbers),
        ),
    )
    record = to_creature(block, book)
    places = _places(details)
    environments = tuple(Ref(name=label(name), key=slug(key)) for name, key in places.items())
    return record.model_copy(update={"environments": environments}) if environments else record


def _has_level(spell: JsonObject) -> bool:
    level = integer(spell.get("level"))
    return level is not None and 0 <= level <= _MAX_LEVEL


def _initiative(initiative: JsonObject, numbers: ActorNumbers) -> int | None:
    """The bonus, which only stat blocks of 2024 print, unless the file gives one of its own."""
    extra = integer(initiative.get("bonus") or 0)
    modifier = numbers.modifiers.get(text_at(initiative, "ability") or "dex")
    if modifier is None or extra is None or not (numbers.is_2024 or extra):
        return None
    return modifier + extra


def _in_numbers(system: JsonObject, numbers: ActorNumbers) -> Iterator[str]:
    """The paths of the fields that are in the numbers of the stat block."""
    if integer(value_at(system, "attributes.init.bonus")) is not None:
        yield "attributes.init.bonus"
    if not value_at(system, "attributes.price.value"):
        yield "attributes.price"
    abilities = numbers.scores.keys() & ABILITY_BY_ABBREVIATION.keys()
    for path in (*(f"abilities.{code}" for code in abilities), *(f"skills.{code}" for code in names.SKILLS)):
        yield from (f"{path}.{name}" for name in ("value", "ability", "proficient"))
        bonuses = part(system, f"{path}.bonuses")
        yield from (f"{path}.bonuses.{name}" for name, bonus in bonuses.items() if integer(bonus) is not None)


def own_spells(actor: JsonObject) -> Iterator[JsonObject]:
    """Yield the spells among an actor's items that have more than a name."""
    for item in objects(actor.get("items")):
        system = system_of(item)
        has_more = any(value for name, value in system.items() if name not in _IN_A_SPELL_LIST)
        if item.get("type") == "spell" and has_more and _has_level(system):
            yield item


@dataclass(frozen=True)
class ActorNumbers(Rolls):
    """An actor's numbers, which the application derives: by ability or skill code, and by their paths in formulas."""

    name: str
    proficiency: int
    scores: Mapping[str, int]
    modifiers: Mapping[str, int]
    spellcasting: str
    is_2024: bool
    bonuses: JsonObject
    saves: dict[str, int] = field(default_factory=dict)  # those in which it is proficient
    skills: dict[str, int] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, actor: JsonObject) -> ActorNumbers:
        """Return the numbers of an actor; an ability without a score has none."""
        system = system_of(actor)
        levels = (integer(system_of(item).get("levels")) or 0 for item in objects(actor.get("items")))
        scores = {
            code: score
            for code, ability in part(system, "abilities").items()
            if (score := integer(mapping(ability).get("value"))) is not None and 0 <= score < _MAX_SCORE
        }
        level = sum(value for value in levels if 0 < value <= _MAX_LEVEL)
        rating = int(number(value_at(system, "details.cr")) or level)
        proficiency = integer(part(system, "attributes.prof").get("value", value_at(system, "attributes.prof")))
        numbers = cls(
            name=text_at(actor, "name"),
            proficiency=2 + max(0, rating - 1) // 4 if proficiency is None else proficiency,
            scores=scores,
            modifiers={code: (score - 10) // 2 for code, score in scores.items()},
            spellcasting=text_at(system, "attributes.spellcasting"),
            is_2024=rules_of(system) == "2024",
            bonuses=part(system, "bonuses"),
        )
        numbers.values.update({"details.level": str(level)} if level else {})
        numbers.values.update(dict(numbers._derived(system)))
        return numbers

    def known(self, path: str) -> str | None:
        """Return a value of the actor by its path."""
        return self.name if path == "name" else self.values.get(path)

    def _derived(self, system: JsonObject) -> Iterator[tuple[str, str]]:
        yield from dict.fromkeys(("prof", "attributes.prof"), str(self.proficiency)).items()
        dc_bonus = integer(value_at(self.bonuses, "spell.dc")) or 0
        for code, modifier in self.modifiers.items():
            ability = part(system, f"abilities.{code}")
            dc = 8 + self.proficiency + modifier
            yield f"abilities.{code}.value", str(self.scores[code])
            yield f"abilities.{code}.mod", str(modifier)
            yield f"abilities.{code}.dc", str(dc)
            if code == self.spellcasting:
                yield from dict.fromkeys(("attributes.spellmod", "attributes.spell.mod"), str(modifier)).items()
                yield from dict.fromkeys(("attributes.spelldc", "attributes.spell.dc"), str(dc + dc_bonus)).items()
                yield "attributes.spell.attack", str(self.proficiency + modifier)
            if level := number(ability.get("proficient")):
                extra = (value_at(ability, "bonuses.save"), value_at(self.bonuses, "abilities.save"))
                self.saves[code] = modifier + int(level * self.proficiency) + sum(map(self._bonus, extra))
            yield f"abilities.{code}.save", str(self.saves.get(code, modifier))
        for code, (_, usual) in names.SKILLS.items():
            skill = part(system, f"skills.{code}")
            modifier = self.modifiers.get(text_at(skill, "ability") or usual, 0)
            level = number(skill.get("value")) or 0
            total = modifier + int(level * self.proficiency) + self._bonus(value_at(skill, "bonuses.check"))
            if level > 0:
                self.skills[code] = total
            yield from dict.fromkeys((f"skills.{code}.total", f"skills.{code}.mod"), str(total)).items()
            yield f"skills.{code}.passive", str(10 + total + self._bonus(value_at(skill, "bonuses.passive")))
        for path in ("attributes.hp.max", "attributes.movement.walk", "details.cr"):
            if (measure := number(value_at(system, path))) is not None:
                yield path, f"{measure:g}"
        kind = part(system, "details.type")
        if printed := text(kind.get("custom")) or text(kind.get("value")):
            yield "details.type.config.label", printed

    def _bonus(self, formula: object) -> int:
        """A bonus that is a number, once the proficiency bonus and the modifiers are filled in; else 0."""
        values = {
            "prof": self.proficiency,
            **{f"abilities.{code}.mod": value for code, value in self.modifiers.items()},
        }
        filled = formulas.filled_formula(text(formula), lambda path: str(values[path]) if path in values else None)
        return integer(filled) or 0

    def ability_modifier(self, item: JsonObject, activity: JsonObject) -> int | None:
        """The ability modifier of an attack: Strength's, or Dexterity's for ranged and finesse weapons."""
        attack = part(activity, "attack")
        ability = text_at(attack, "ability") or text_at(item, "ability")
        is_spell = text_at(attack, "type.classification") == "spell" or "school" in item
        if ability == "spellcasting" or (not ability and is_spell):
            ability = self.spellcasting
        if ability:
            return 0 if ability == "none" else self.modifiers.get(ability)
        kind = text_at(item, "type.value") or text_at(item, "weaponType")
        if kind.endswith("R") or (text_at(attack, "type.value") == "ranged" and kind in ("", "siege")):
            return self.modifiers.get("dex")
        able = ("str", "dex") if "fin" in properties_of(item) else ("str",)
        return max((self.modifiers[code] for code in able if code in self.modifiers), default=None)

    def modifier_of(self, item: JsonObject) -> str | None:
        """Return the ability modifier of an item's first activity."""
        modifier = next((self.ability_modifier(item, activity) for activity in activities(item).values()), None)
        return None if modifier is None else str(modifier)

    def to_hit(self, item: JsonObject, activity: JsonObject) -> str:
        """Return the bonus of an attack, such as ``+5``; empty if a formula or a missing score prevents it."""
        attack = part(activity, "attack")
        is_flat = attack.get("flat") is True
        modifier = 0 if is_flat else self.ability_modifier(item, activity)
        way = f"{text_at(attack, 'type.value')} {text_at(attack, 'type.classification') or 'weapon'}"
        of_actor = value_at(self.bonuses, f"{_ATTACK_BONUSES.get(way, '')}.attack")
        bonuses = [
            number(value) for value in (attack.get("bonus"), of_actor, _magic(item)) if value not in (None, "", 0)
        ]
        if modifier is None or None in bonuses:
            return ""
        is_proficient = not is_flat and item.get("proficient") not in (0, False)
        total = modifier + (self.proficiency if is_proficient else 0) + int(sum(filter(None, bonuses)))
        return f"{total:+d}"

    def resolved(self, item: JsonObject, *, is_weapon: bool) -> JsonObject:
        """Return a modern item with the actor's numbers in its formulas, its DCs and a weapon's damage."""
        modifier = self.modifier_of(item)

        def known(path: str) -> str | None:
            return modifier if path == "mod" else self.known(path)

        filled = dict(formulas.filled(item, known))
        filled["activities"] = {
            id_: self._with_difficulties(activity, filled) for id_, activity in activities(filled).items()
        }
        damage = dict(part(filled, "damage"))
        for name in ("base", "versatile") if is_weapon else ():
            entry = part(damage, name)
            if entry.get("number") and entry.get("denomination"):  # versions before 4 write the modifier out
                extra = [value for value in (modifier or "", text(_magic(item))) if value not in ("", "0")]
                total = joined(text(entry.get("bonus")), *extra, sep=" + ")
                damage[name] = {**entry, "bonus": formulas.simplified(total)}
        return {**filled, "damage": damage} if damage else filled

    def _with_difficulties(self, activity: JsonObject, item: JsonObject) -> JsonObject:
        """An activity with DCs in place of their calculations."""
        for roll in ("save", "check"):
            spec = part(activity, roll)
            calculation = text_at(spec, "dc.calculation")
            if calculation == "initial" and "school" in item:
                calculation = "spellcasting"
            is_spell = calculation in ("spellcasting", "spell")
            dc = self.values.get("attributes.spell.dc" if is_spell else f"abilities.{calculation}.dc")
            if dc and not value_at(spec, "dc.formula"):
                activity = {**activity, roll: {**spec, "dc": {"formula": dc}}}
        return activity


def _magic(item: JsonObject) -> object:
    """The bonus of a magic weapon to its attacks and its damage."""
    return item.get("magicalBonus") if "mgc" in properties_of(item) else None


def rules_of(system: JsonObject) -> str:
    """Return the rules that a document is for, such as ``2024``; empty if it does not say."""
    return text(value_at(system, "source.rules") or value_at(system, "details.source.rules"))


@dataclass
class _Items:
    """The items of an actor: named texts, actions, and the names of its spells, equipment, classes and species."""

    traits: list[tuple[str, str]] = field(default_factory=list)
    actions: list[tuple[ActionType, str, str]] = field(default_factory=list)
    spells: dict[str, list[str]] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    armor: list[tuple[str, JsonObject]] = field(default_factory=list)

    def lists(self, numbers: ActorNumbers, slots: JsonObject) -> Iterator[tuple[str, str]]:
        """The names that no text of the stat block has, as traits."""
        for name, entries in (("Class and origin", self.origins), ("Equipment", self.carried)):
            if entries:
                yield name, ", ".join(entries)
        parts = (*self.traits, *((name, text) for _, name, text in self.actions))
        known = "\n".join(text for name, text in parts if "cast" in name.lower()).lower()
        lines = []
        for heading, spells in sorted(self.spells.items(), key=lambda pair: (pair[0][:1].isdigit(), pair[0])):
            if unnamed := [spell for spell in spells if spell.partition(" (")[0].lower() not in known]:
                lines.append(f"- {phrase('{}: ', heading + _slots(heading, slots))}{', '.join(unnamed)}")
        dc, to_hit = numbers.known("attributes.spell.dc"), numbers.known("attributes.spell.attack")
        if lines and dc and to_hit:
            lines.insert(0, f"{names.ability(numbers.spellcasting)}, spell save DC {dc}, {int(to_hit):+d} to hit")
        if lines:
            yield "Spells", "\n".join(lines)


def _slots(heading: str, slots: JsonObject) -> str:
    """`` (2 slots)`` of a level of spells."""
    slot = part(slots, "pact" if heading == _METHODS["pact"] else f"spell{heading[:1]}")
    counts = (integer(slot.get(name)) for name in ("override", "max", "value"))
    count = next(filter(None, counts), 0)
    return f" ({counted(str(count), 'slot')})" if count else ""


def _read_items(actor: JsonObject, numbers: ActorNumbers) -> _Items:
    """Sort an actor's items."""
    items = _Items()
    item_names = {text_at(item, "_id"): text_at(item, "name") for item in objects(actor.get("items"))}
    for item in objects(actor.get("items")):
        name, kind = text_at(item, "name"), text_at(item, "type")
        system = numbers.resolved(modern(system_of(item)), is_weapon=kind == "weapon")
        rolls = ItemRolls(system, numbers, numbers.is_2024 or rules_of(system) == "2024", item_names)
        if kind == "spell":
            items.spells.setdefault(_spell_heading(system), []).append(name + phrase(" ({})", uses_text(system)))
            if not _has_level(system) and (description := _item_text(item, rolls)):
                items.traits.append((name, description))
            continue
        if kind == "equipment" and system.get("equipped") is not False:
            items.armor.append((name, system))
        _add(items, item, system, _item_text(item, rolls))
    return items


def _add(items: _Items, item: JsonObject, system: JsonObject, description: str) -> None:
    """Add an item as an action or a trait, and to the lists of names."""
    kind, quantity = text_at(item, "type"), integer(system.get("quantity")) or 1
    activation = _activation(system)
    action = _ACTIONS.get(text_at(activation, "type")) or (ActionType.ACTION if kind == "weapon" else None)
    if kind in _CARRIED or "trait" in properties_of(system):
        action = None
    cost = activation_count(activation) if action is ActionType.LEGENDARY_ACTION else 1
    name = _named(text_at(item, "name"), _uses(system, kind), cost)
    if action is not None:
        items.actions.append((action, name, description))
    elif description or kind == "feat":
        items.traits.append((name, description))
    if kind in _CARRIED or (kind == "weapon" and quantity > 1):
        items.carried.append(f"{text_at(item, 'name')}{f' ({quantity})' if quantity > 1 else ''}")
    elif kind in _ORIGINS:
        items.origins.append(f"{text_at(item, 'name')} {text(system.get('levels'))}".strip())


def _activation(system: JsonObject) -> JsonObject:
    """The activation of an item or of its first activity with one."""
    sources = (part(source, "activation") for source in (system, *activities(system).values()))
    return next((activation for activation in sources if text_at(activation, "type")), {})


def _uses(system: JsonObject, kind: str) -> str:
    """The limit of use of an item or of its first activity with one; a consumable is simply used up."""
    if kind == "consumable" and not value_at(system, "uses.recovery"):
        return ""
    return next(filter(None, map(uses_text, (system, *activities(system).values()))), "")


def _named(name: str, uses: str, cost: int) -> str:
    """``Breath (Recharge 5–6)``, ``Sweep (Costs 2 Actions)``, unless the name says it itself."""
    if uses and uses.lower().replace("–", "-") not in name.lower().replace("–", "-"):
        name = f"{name} ({uses})"
    return f"{name} (Costs {cost} Actions)" if cost > 1 and "cost" not in name.lower() else name


def _item_text(item: JsonObject, rolls: ItemRolls) -> str:
    """The description, and what the item does beside it; a bare attack begins with its attack and hit lines."""
    system, is_weapon = rolls.system, item.get("type") == "weapon"
    description = markdown(part(system, "description").get("value", system.get("description")), rolls)
    has_numbers, lead = bool(_NUMBERS.search(description)), ""
    own = list(activities(system).values())
    attack_activity = next((activity for activity in own if activity.get("type") == "attack"), None)
    if not has_numbers and (attack_activity or is_weapon):
        attack = attack_text(system, attack_activity, rolls, extended=True) if attack_activity else ""
        attack = attack if attack.startswith("*") else ""
        first = attack_activity or next((activity for activity in own if damages(system, activity)), {"type": "attack"})
        damage = damage_text(system, first, averaged=True)
        versatile = phrase("{} damage with two hands", average(two_handed(system)))
        hit = joined(phrase("{} damage", damage), versatile, sep=", or ")
        lead = joined(phrase("{}.", attack.rstrip(".")), phrase("*Hit:* {}.", hit), sep=" ")
    known = f"{description} {lead} {text_at(item, 'name')}"
    omit = "activation attack damage range target" if lead or (is_weapon and has_numbers) else "activation"
    sections = further_sections(item, rolls, known, item_fields(system, _READ_IN_ITEM), omit)
    paragraphs = (f"**{label(section.name)}.** {section.text}" for section in sections)
    return joined(lead, description, *paragraphs, sep="\n\n")


def _spell_heading(system: JsonObject) -> str:
    """The heading of a spell in the list: how it is cast, or its level."""
    method = text_at(system, "preparation.mode") or text_at(system, "method")
    level = integer(system.get("level"))
    if level is None or method in _METHODS:
        return _METHODS.get(method, "")
    return _LEVELS[level] if 0 <= level < len(_LEVELS) else f"{level}th level"


def _type(details: JsonObject, vehicle_type: str) -> str:
    """``swarm of Tiny beasts``, ``humanoid (elf)``, ``water vehicle``."""
    type_ = part(details, "type") or {"value": details.get("type")}
    name, custom, swarm = text(type_.get("value")), text(type_.get("custom")), text(type_.get("swarm"))
    if custom and name in ("", "custom"):
        name, custom = custom, ""
    if vehicle_type or name in ("air", "land", "water", "space"):
        name = f"{name or vehicle_type} vehicle"
    if swarm:
        name = f"swarm of {names.SIZES.get(swarm, swarm)} {_PLURALS.get(name, f'{name}s')}"
    return f"{name}{phrase(' ({})', joined(text(type_.get('subtype')), custom))}"


def _armor(armor_class: JsonObject, items: _Items, numbers: ActorNumbers) -> str:
    """The armor class and its source. The application computes it at run time, except for natural armor."""
    calculation, formula = text_at(armor_class, "calc"), text(armor_class.get("formula"))
    source, base, second_ability = _ARMOR.get(calculation, ("", 0, ""))
    worn = [name.lower() for name, system in items.armor if _armor_kind(system) and value_at(system, "armor.value")]
    computed = ""
    if base:
        computed = str(base + numbers.modifiers.get("dex", 0) + numbers.modifiers.get(second_ability, 0))
    elif calculation == "default":
        computed, source = str(_worn_armor_class(items, numbers.modifiers.get("dex", 0))), ", ".join(worn)
    elif calculation == "custom" and formula.isdigit():
        computed, formula = formula, ""
    value, note = text(armor_class.get("flat") or armor_class.get("value")) or computed, joined(source, formula)
    return f"{value} ({note})" if note and value else value or note


def _armor_kind(system: JsonObject) -> str:
    kind = text_at(system, "type.value") or text_at(system, "armor.type")
    return kind if kind in ("light", "medium", "heavy", "shield") else ""


def _worn_armor_class(items: _Items, dexterity: int) -> int:
    """The armor class from an actor's armor, which the application computes itself."""
    base, shield = 10 + dexterity, 0
    for _, system in items.armor:
        kind, value = _armor_kind(system), integer(value_at(system, "armor.value"))
        if value is not None:
            value += integer(value_at(system, "armor.magicalBonus")) or 0
        if value is not None and kind == "shield":
            shield = max(shield, value)
        elif value is not None and kind:
            cap = integer(value_at(system, "armor.dex"))
            cap = _DEXTERITY_CAPS[kind] if cap is None else cap
            base = value + (dexterity if cap is None else min(dexterity, cap))
    return base + shield


def _with_resources(traits: list[tuple[str, str]], resources: JsonObject) -> Iterator[tuple[str, str]]:
    """The traits with the number of legendary resistances in the name of the trait, and the lair."""
    count, is_named = integer(value_at(resources, "legres.max")), False
    for name, line in traits:
        is_resistance = count and name.lower().startswith("legendary resistance")
        is_named = is_named or bool(is_resistance)
        yield f"{name} ({count}/Day)" if is_resistance and "/" not in name else name, line
    if count and not is_named:
        yield f"Legendary Resistance ({count}/Day)", ""
    if value_at(resources, "lair.value") is True:
        start = phrase(", which acts on initiative count {}", text(value_at(resources, "lair.initiative")))
        yield "Lair", f"It has a lair{start}."


def _speed(movement: JsonObject) -> str:
    modes = {mode: value for mode, value in movement.items() if mode not in _NOT_MODES}
    odd = [
        f"{mode} {value}"
        for mode, value in modes.items()
        if isinstance(value, str) and number(value) is None and value.strip()
    ]
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
    if bypasses and (physical or others):
        conditional = f"{', '.join(physical or others)} (not from {bypasses} attacks)"
        others = [*(others if physical else []), conditional]
    return joined(", ".join(others), custom, sep="; " if bypasses else ", ")


def _languages(traits: JsonObject) -> str:
    """Languages, and other communication with its range: ``telepathy 60 ft.``"""
    languages = part(traits, "languages")
    ways = []
    for way, reach in part(languages, "communication").items():
        if feet := text(mapping(reach).get("value")):
            ways.append(f"{way} {feet} {text(mapping(reach).get('units')) or 'ft'}.")
    custom = text(languages.get("custom")).replace(";", ",")
    return joined(*map(names.language, texts(languages.get("value"))), custom, *ways)


def _passive_perception(numbers: ActorNumbers) -> str:
    """``passive Perception 14``, which the application computes at run time."""
    return phrase("passive Perception {}", numbers.known("skills.prc.passive") if "wis" in numbers.modifiers else "")


def _places(details: JsonObject) -> dict[str, str]:
    """The environments of a creature by name: in a list of objects, or in a text of the versions before 4."""
    habitat = part(details, "habitat")
    older = re.split(r"[,;]", joined(text(habitat.get("custom")), text(details.get("environment")), sep=","))
    places = {place.strip(): place.strip() for place in older if place.strip()}
    for place in objects(habitat.get("value")):
        kind, plane = text_at(place, "type"), text_at(place, "subtype")
        places |= {f"{kind} ({plane})" if plane else kind: kind} if kind else {}
    return places
