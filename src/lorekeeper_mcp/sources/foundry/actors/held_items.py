"""The items of an actor (features, attacks, spells and equipment) as the parts of a stat block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lorekeeper_mcp.models import ActionType
from lorekeeper_mcp.sources.foundry.actors.actor_numbers import ActorNumbers
from lorekeeper_mcp.sources.foundry.item_values import (
    activities,
    coins,
    damage_parts,
    description_of,
    further_texts,
    range_text,
    system_of,
    two_handed_damage,
    unread_fields,
    uses_text,
    words,
)
from lorekeeper_mcp.sources.foundry.mechanics import PARTS, activation_count, mechanics, own_rolls
from lorekeeper_mcp.sources.foundry.texts.enrichers import average
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, mapping, objects, part, text, value_at
from lorekeeper_mcp.sources.phrases import counted, joined, phrase
from lorekeeper_mcp.sources.stat_block import bonus, sections_of
from lorekeeper_mcp.text import label

_ACTIONS = {kind.removesuffix("-action"): kind for kind in ActionType}
_LEVELS = ("Cantrips", "1st level", "2nd level", "3rd level")
_PREPARATION_MODES = {"atwill": "At will", "innate": "Innate", "pact": "Pact magic", "ritual": "Rituals"}
_CARRIED = frozenset({"equipment", "consumable", "tool", "loot", "container", "backpack"})
_SEPARATE_RECORDS = frozenset({"feat", "weapon", "spell"})
# Fields of a spell that an actor's spell list already expresses.
_IN_A_SPELL_LIST = frozenset({"level", "school", "preparation", "method", "prepared", "identifier", "source", "uses"})
_MAX_SPELL_LEVEL = 20
_NUMBERS = re.compile(r"\d\s?d\s?\d|to hit|\bDC \d")  # of an attack, in a description
_LEGENDARY = re.compile("legact|legres")
_SRD_PACK = "Compendium.dnd5e."
# Numbers of an item that no stat block prints: its weight, price and armor.
_NOT_PRINTED = frozenset(
    "type price weight rarity rarities attunement armor hp strength stealth capacity currency level school weaponType"
    " mastery magicalBonus levels hd hitDice advancement saves skills spellcasting startingEquipment senses movement"
    " classIdentifier ammunition primaryAbility".split()
)


@dataclass
class HeldItems:
    """The items of an actor: named texts, actions, and the names of its spells, equipment, classes and species."""

    traits: list[tuple[str, str]] = field(default_factory=list)
    actions: list[tuple[ActionType, str, str]] = field(default_factory=list)
    spells: dict[str, list[str]] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    armor: list[tuple[str, JsonObject]] = field(default_factory=list)

    @property
    def worn_names(self) -> str:
        """Return the armor that a stat block names after the armor class."""
        kinds = ("light", "medium", "heavy", "shield")
        return ", ".join(
            name.lower()
            for name, system in self.armor
            if text(system, "type.value") in kinds and value_at(system, "armor.value")
        )


def read_held_items(actor: JsonObject, numbers: ActorNumbers) -> HeldItems:
    """Sort an actor's items."""
    items = HeldItems()
    for item in objects(actor.get("items")):
        name, kind = text(item, "name"), item.get("type")
        system = numbers.resolved(system_of(item), is_weapon=kind == "weapon")
        if kind == "spell":
            items.spells.setdefault(_spell_heading(system), []).append(name + phrase(" ({})", uses_text(system)))
            if not _is_spell(system) and (description := _item_text(item, system, name, numbers)):
                items.traits.append((name, description))
            continue
        if kind == "equipment" and system.get("equipped") is not False:
            items.armor.append((name, system))
        _add(items, item, system, _item_text(item, system, name, numbers, text(actor, "name")))
    return items


def own_spells(actor: JsonObject) -> Iterator[JsonObject]:
    """Yield the spells that only this actor has: with more than a name, and not copied from the system's SRD."""
    for item in objects(actor.get("items")):
        system = system_of(item)
        source = text(item, "_stats.compendiumSource") or text(item, "flags.core.sourceId")
        has_more = any(value for name, value in system.items() if name not in _IN_A_SPELL_LIST) or item.get("effects")
        if item.get("type") == "spell" and has_more and _is_spell(system) and not source.startswith(_SRD_PACK):
            yield item


def _is_spell(system: JsonObject) -> bool:
    """Whether a spell of an actor has all that a separate record needs."""
    level = bonus(system.get("level"))
    return level is not None and 0 <= level <= _MAX_SPELL_LEVEL


def _add(items: HeldItems, item: JsonObject, system: JsonObject, description: str) -> None:
    """Add an item as an action or a trait, and to the lists of names."""
    kind, name = str(item.get("type")), text(item, "name")
    action = _ACTIONS.get(_activation_type(system)) or (ActionType.ACTION if kind == "weapon" else None)
    uses = _uses(system, kind)
    if uses and "(" not in name:
        name = f"{name} ({uses})"
    elif uses.lower().replace("–", "-") not in name.lower().replace("–", "-"):
        description = f"{description} ({uses})".strip()
    cost = _legendary_cost(system) if action is ActionType.LEGENDARY_ACTION and "cost" not in name.lower() else 1
    if cost > 1:
        name = f"{name} (Costs {cost} Actions)"
    if action is not None:
        items.actions.append((action, name, description))
        quantity = bonus(system.get("quantity")) or 1
        if kind == "weapon" and quantity > 1:
            items.carried.append(f"{text(item, 'name')} ({quantity})")
        return
    if description or kind == "feat":
        items.traits.append((name, description))
    is_carried = kind in _CARRIED
    if name and kind not in _SEPARATE_RECORDS and (is_carried or not description):
        quantity_text = words(system.get("quantity")) if system.get("quantity") not in (0, 1, "1") else ""
        level = f" {words(system.get('levels'))}" if kind == "class" else ""
        notes = joined(quantity_text, coins(part(system, "currency")))
        line = f"{name}{level}{phrase(' ({})', notes)}".strip()
        (items.carried if is_carried else items.origins).append(line)


def _uses(system: JsonObject, kind: str) -> str:
    """The limit of use of an item or of its first activity with one; a consumable is simply used up."""
    if kind == "consumable" and not value_at(system, "uses.recovery"):
        return ""
    return next(filter(None, map(uses_text, (system, *activities(system)))), "")


def _item_text(item: JsonObject, system: JsonObject, name: str, numbers: ActorNumbers, actor_name: str = "") -> str:
    """The description followed by the parts that it omits; an attack begins with its attack and hit lines."""
    is_weapon = item.get("type") == "weapon"
    to_hit, damage = numbers.to_hit(system), _damage(system)
    attack, hit = _attack_lines(system, to_hit, damage, is_weapon=is_weapon)
    rolls = {**own_rolls(system, name), "@name": actor_name or name}
    rolls |= {"attack": attack, "to hit": to_hit} if attack else {}
    rolls |= {"damage": damage} if damage else {}
    description = description_of(system, rolls)
    has_numbers = bool(_NUMBERS.search(description))
    lead = "" if has_numbers else joined(attack.rstrip("."), hit, sep=". ")
    if lead and not lead.endswith("."):
        lead += "."
    omit = frozenset(PARTS if has_numbers else ("damage", "attack", "range", "target") if lead else ())
    condition = markdown(value_at(system, "activation.condition"))
    sections = [
        *mechanics(
            _without_activation(system),
            omit=omit | {"ability"},
            omit_in_activities=omit,
            record_text=f"{description} {lead} {condition}",
        ),
        *sections_of({"Condition": condition if condition not in description else ""}),
        *unread_fields(system, _NOT_PRINTED),
        *further_texts(item, system),
    ]
    if not description and not lead and [section.name for section in sections] == ["Activities"]:
        activity_list = sections[0].text
        return activity_list if "\n" in activity_list else activity_list.removeprefix("- ")
    paragraphs = [f"**{label(section.name)}.** {section.text}".replace("** - ", "**\n\n- ") for section in sections]
    return joined(lead, description, *paragraphs, sep="\n\n")


def _without_activation(system: JsonObject) -> JsonObject:
    """An item without the activation that its heading in the stat block expresses: action, reaction and so on."""
    changed = {
        id_: _without_own_activation(activity) if isinstance(activity, dict) else activity
        for id_, activity in part(system, "activities").items()
    }
    return {**_without_own_activation(system), **({"activities": changed} if changed else {})}


def _without_own_activation(source: JsonObject) -> dict[str, object]:
    item = dict(source)
    if activation := part(source, "activation"):
        kind = text(activation, "type")
        is_single = kind in ("legendary", "mythic") or activation_count(activation) == 1
        if kind == "special" or (kind in _ACTIONS and is_single):
            item["activation"] = {**activation, "type": ""}
    targets = value_at(source, "consumption.targets")
    if isinstance(targets, list):  # the name has the cost of a legendary action
        others = [target for target in targets if not _LEGENDARY.search(text(mapping(target), "target"))]
        item["consumption"] = {**part(source, "consumption"), "targets": others}
    return item


def _legendary_cost(system: JsonObject) -> int:
    """The number of legendary actions that it costs."""
    activations = [part(source, "activation") for source in (system, *activities(system))]
    legendary = (activation for activation in activations if text(activation, "type") == "legendary")
    return max([1, *map(activation_count, legendary)])


def _attack_lines(system: JsonObject, to_hit: str, damage: str, *, is_weapon: bool) -> tuple[str, str]:
    """``*Melee Weapon Attack:* +5 to hit, reach 5 ft.`` and ``*Hit:* 4 (1d6 + 1) piercing damage.``"""
    if not to_hit and not (is_weapon and damage):
        return "", ""
    activity_ranges = (part(activity, "range") for activity in activities(system))
    ranges = [part(system, "range"), *(reach for reach in activity_ranges if reach.get("override"))]
    distances = [range_text(reach) for reach in ranges if reach.get("value") or reach.get("reach")]
    distance = distances[-1].replace(" feet", " ft.").replace(" foot", " ft.") if distances else ""
    if distance and "reach" not in distance and not distance.startswith("range"):
        distance = f"range {distance}"
    kind = (own_rolls(system, "").get("attack") or "attack").partition(",")[0].title()
    attack = f"*{kind}:* {joined(to_hit, distance)}" if to_hit else ""
    return attack, phrase("*Hit:* {}.", damage)


def _damage(system: JsonObject) -> str:
    """The damage of a hit, with averages: ``4 (1d6 + 1) piercing plus 3 (1d6) fire``."""
    item_damage = part(system, "damage")
    damages = [
        part(activity, "damage") for activity in activities(system) if activity.get("type") in ("attack", "damage")
    ]
    includes_base = not damages or any(damage.get("includeBase") is not False for damage in damages)
    parts = damage_parts(item_damage) if includes_base else []
    parts += damage_parts({"parts": damages[0].get("parts")}) if damages else []
    line = " plus ".join(f"{average(dice)} {kind}".strip() for dice, kind in parts if dice)
    two_handed = phrase("{} damage with two hands", average(two_handed_damage(item_damage)))
    return joined(phrase("{} damage", line), two_handed, sep=", or ")


def _activation_type(system: JsonObject) -> str:
    """The activation of an item: in the item before version 4, in its activities since."""
    types = (text(source, "activation.type") for source in (system, *activities(system)))
    return next(filter(None, types), "")


def _spell_heading(system: JsonObject) -> str:
    """The heading of a spell in the list: how it is cast, or its level."""
    method = text(system, "preparation.mode") or text(system, "method")
    level = bonus(system.get("level"))
    return _PREPARATION_MODES.get(method) or ("" if level is None else _level_heading(level))


def spell_lines(items: HeldItems, slots: JsonObject) -> str:
    """Return lines of spells by how they are cast, with the number of slots of a level."""
    spells: dict[str, list[str]] = {}
    for code, spec in slots.items():
        if code.startswith("spell") and bonus(mapping(spec).get("override")):
            spells[_level_heading(bonus(code[5:]) or 0)] = []
    spells |= items.spells
    if bonus(value_at(slots, "pact.override")):
        spells.setdefault(_PREPARATION_MODES["pact"], [])
    lines = []
    for heading in sorted(spells, key=lambda heading: (_spell_level(heading), heading)):
        title = joined(heading, _slot_note(heading, slots), sep=" ") if heading else ""
        colon = ": " if title and spells[heading] else ""
        lines.append(f"{title}{colon}{', '.join(spells[heading])}")
    return lines[0] if len(lines) == 1 and ":" not in lines[0] else "\n".join(f"- {line}" for line in lines)


def _slot_note(heading: str, slots: JsonObject) -> str:
    """``(2 slots)``, ``(1 slot of level 3)``."""
    is_pact, spell_level = heading == _PREPARATION_MODES["pact"], _spell_level(heading)
    spec = part(slots, "pact" if is_pact else f"spell{spell_level}")
    count = bonus(spec.get("override")) or bonus(spec.get("max")) or bonus(spec.get("value"))
    if not count or not (spell_level or is_pact):
        return ""
    slot_level = phrase(" of level {}", is_pact and bonus(spec.get("level")))
    return f"({counted(str(count), 'slot')}{slot_level})"


def _level_heading(level: int) -> str:
    return _LEVELS[level] if 0 <= level < len(_LEVELS) else f"{level}th level"


def _spell_level(heading: str) -> int:
    """The level in a heading, else 0."""
    return int(heading[0]) if heading[:1].isdigit() else 0
