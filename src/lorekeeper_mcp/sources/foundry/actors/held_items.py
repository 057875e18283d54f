"""The items of an actor (features, attacks, spells and equipment) as the parts of a stat block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lorekeeper_mcp.models import ActionType, Section
from lorekeeper_mcp.sources.foundry import names
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
from lorekeeper_mcp.sources.foundry.mechanics import PARTS, mechanics, own_rolls
from lorekeeper_mcp.sources.foundry.texts.enrichers import average
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, mapping, objects, part, text, value_at
from lorekeeper_mcp.sources.stat_block import bonus
from lorekeeper_mcp.text import label

_ACTIONS = {kind.removesuffix("-action"): kind for kind in ActionType}
_LEVELS = ("Cantrips", "1st level", "2nd level", "3rd level")
_PREPARATION_MODES = {"atwill": "At will", "innate": "Innate", "pact": "Pact magic", "ritual": "Rituals"}
_CARRIED = frozenset({"equipment", "consumable", "tool", "loot", "container", "backpack"})
_SEPARATE_RECORDS = frozenset({"feat", "weapon", "spell"})
# Fields of a spell that an actor's spell list already expresses.
_IN_A_SPELL_LIST = frozenset({"level", "school", "preparation", "method", "prepared", "identifier", "source", "uses"})
_HIGHEST = 20  # spell level
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
            for name, one in self.armor
            if text(one, "type.value") in kinds and value_at(one, "armor.value")
        )


def read_held_items(actor: JsonObject, numbers: ActorNumbers) -> HeldItems:
    """Sort an actor's items."""
    found = HeldItems()
    for item in objects(actor.get("items")):
        given, name = system_of(item), text(item, "name")
        system = numbers.resolved(given, is_weapon=item.get("type") == "weapon")
        if item.get("type") == "spell":
            found.spells.setdefault(_list_of(system), []).append(name + names.phrase(" ({})", uses_text(system)))
            if not _is_spell(system) and (description := _text(item, system, name, numbers)):
                found.traits.append((name, description))
            continue
        if item.get("type") == "equipment" and system.get("equipped") is not False:
            found.armor.append((name, system))
        _add(found, item, system, name, numbers, text(actor, "name"))
    return found


def own_spells(actor: JsonObject) -> Iterator[JsonObject]:
    """Yield the spells that only this actor has: with more than a name, and not copied from the system's SRD."""
    for item in objects(actor.get("items")):
        system = system_of(item)
        copied = text(item, "_stats.compendiumSource") or text(item, "flags.core.sourceId")
        has_more = any(value for name, value in system.items() if name not in _IN_A_SPELL_LIST) or item.get("effects")
        if item.get("type") == "spell" and has_more and _is_spell(system) and not copied.startswith(_SRD_PACK):
            yield item


def _is_spell(system: JsonObject) -> bool:
    """Whether a spell of an actor has all that a separate record needs."""
    level = bonus(system.get("level"))
    return level is not None and 0 <= level <= _HIGHEST


def _add(found: HeldItems, item: JsonObject, system: JsonObject, name: str, numbers: ActorNumbers, actor: str) -> None:
    kind = str(item.get("type"))
    started = _activation(system)
    when = _ACTIONS.get(started) or (ActionType.ACTION if kind == "weapon" else None)
    description = _text(item, system, name, numbers, actor)
    once = kind == "consumable" and not value_at(system, "uses.recovery")
    often = "" if once else uses_text(system) or next(filter(None, map(uses_text, activities(system))), "")
    if often and "(" not in name:
        name = f"{name} ({often})"
    elif often and often.lower().replace("–", "-") not in name.lower().replace("–", "-"):
        description = f"{description} ({often})".strip()
    cost = _legendary_cost(system) if when is ActionType.LEGENDARY_ACTION and "cost" not in name.lower() else 1
    name = f"{name} (Costs {cost} Actions)" if cost > 1 else name
    if when is not None:
        found.actions.append((when, name, description))
        if kind == "weapon" and (bonus(system.get("quantity")) or 1) > 1:
            found.carried.append(f"{text(item, 'name')} ({bonus(system.get('quantity'))})")
        return
    if description or kind == "feat":
        found.traits.append((name, description))
    if name and kind not in _SEPARATE_RECORDS and not (description and kind not in _CARRIED):
        amount = words(system.get("quantity")) if system.get("quantity") not in (0, 1, "1") else ""
        level = f" {words(system.get('levels'))}" if kind == "class" else ""
        amount = names.phrase(" ({})", names.joined(amount, coins(part(system, "currency"))))
        listed = found.carried if kind in _CARRIED else found.origins
        listed.append(f"{name}{level}{amount}".strip())


def _text(item: JsonObject, system: JsonObject, name: str, numbers: ActorNumbers, actor: str = "") -> str:
    """The description followed by the parts that it omits; an attack begins with its attack and hit lines."""
    weapon = item.get("type") == "weapon"
    hits, harm = numbers.to_hit(system), _harms(system)
    attack, hit = _attack_lines(system, hits, harm, weapon=weapon)
    rolls = {**own_rolls(system, name), "@name": actor or name}
    rolls |= {"attack": attack, "to hit": hits} if attack else {}
    rolls |= {"damage": harm} if harm else {}
    description = description_of(system, rolls)
    has_numbers = bool(_NUMBERS.search(description))
    lead = "" if has_numbers else names.joined(attack.rstrip("."), hit, sep=". ")
    lead = f"{lead}." if lead and not lead.endswith(".") else lead
    parts = ("damage", "attack", "range", "target", "ability") if lead or (weapon and has_numbers) else ()
    rolled = PARTS if has_numbers else ("damage", "attack", "range", "target") if lead else ()
    when = markdown(value_at(system, "activation.condition"))
    elsewhere = f"{description} {lead} {when}"
    bare = _without_start(system)
    more = list(
        mechanics(
            bare,
            omit=("ability", *parts, *(PARTS if has_numbers else ())),
            omit_in_activities=rolled,
            record_text=elsewhere,
        )
    )
    more += [Section(name="Condition", text=when)] if when and when not in description else []
    further = (*more, *unread_fields(system, _NOT_PRINTED), *further_texts(item, system))
    if not description and not lead and [one.name for one in further] == ["Activities"]:
        only = further[0].text
        return only if "\n" in only else only.removeprefix("- ")
    lines = [f"**{label(one.name)}.** {one.text}".replace("** - ", "**\n\n- ") for one in further]
    return names.joined(lead, description, *lines, sep="\n\n")


def _without_start(system: JsonObject) -> JsonObject:
    """An item without the activation that its heading in the stat block expresses: action, reaction and so on."""

    def bare(one: JsonObject) -> dict[str, object]:
        started = part(one, "activation")
        kind = text(started, "type")
        takes_one = kind in ("legendary", "mythic") or (bonus(started.get("value", started.get("cost"))) or 1) == 1
        is_in_heading = kind == "special" or (kind in _ACTIONS and takes_one)
        changed = {"activation": {**started, "type": ""} if is_in_heading else started} if started else {}
        targets = value_at(one, "consumption.targets")
        if isinstance(targets, list):  # the name has the cost of a legendary action
            own = [each for each in targets if not _LEGENDARY.search(text(mapping(each), "target"))]
            changed["consumption"] = {**part(one, "consumption"), "targets": own}
        return {**one, **changed}

    doing = {name: bare(one) if isinstance(one, dict) else one for name, one in part(system, "activities").items()}
    return {**bare(system), **({"activities": doing} if doing else {})}


def _legendary_cost(system: JsonObject) -> int:
    """The number of legendary actions that it costs."""
    started = [part(one, "activation") for one in (system, *activities(system))]
    costs = (bonus(one.get("value", one.get("cost"))) for one in started if text(one, "type") == "legendary")
    return max([1, *(cost or 1 for cost in costs)])


def _attack_lines(system: JsonObject, hits: str, harm: str, *, weapon: bool) -> tuple[str, str]:
    """``*Melee Weapon Attack:* +5 to hit, reach 5 ft.`` and ``*Hit:* 4 (1d6 + 1) piercing damage.``"""
    kind = own_rolls(system, "").get("attack", "")
    if not hits and not (weapon and harm):
        return "", ""
    of_activities = (part(one, "range") for one in activities(system))
    ranged = [part(system, "range"), *(one for one in of_activities if one.get("override"))]
    far = next((range_text(one) for one in reversed(ranged) if one.get("value") or one.get("reach")), "")
    far = far.replace(" feet", " ft.").replace(" foot", " ft.")
    far = f"range {far}" if far and "reach" not in far and not far.startswith("range") else far
    called = (kind or "attack").partition(",")[0].title()
    attack = f"*{called}:* {names.joined(hits, far)}" if hits else ""
    return attack, names.phrase("*Hit:* {}.", harm)


def _harms(system: JsonObject) -> str:
    """The damage of a hit, with averages: ``4 (1d6 + 1) piercing plus 3 (1d6) fire``."""
    own = part(system, "damage")
    attacks = [part(one, "damage") for one in activities(system) if one.get("type") in ("attack", "damage")]
    base = damage_parts(own) if not attacks or any(one.get("includeBase") is not False for one in attacks) else []
    harm = [*base, *(each for one in attacks[:1] for each in damage_parts({"parts": one.get("parts")}))]
    dealt = " plus ".join(f"{average(dice)} {kind}".strip() for dice, kind in harm if dice)
    with_two = names.phrase("{} damage with two hands", average(two_handed_damage(own)))
    return names.joined(names.phrase("{} damage", dealt), with_two, sep=", or ")


def _activation(system: JsonObject) -> str:
    """The activation of an item: in the item before version 4, in its activities since."""
    own = text(system, "activation.type")
    return own or next((kind for one in activities(system) if (kind := text(one, "activation.type"))), "")


def _list_of(system: JsonObject) -> str:
    """The heading of a spell in the list: how it is cast, or its level."""
    way = text(system, "preparation.mode") or text(system, "method")
    level = bonus(system.get("level"))
    return _PREPARATION_MODES.get(way) or ("" if level is None else _level_heading(level))


def spell_lines(found: HeldItems, slots: JsonObject) -> str:
    """Return lines of spells by how they are cast, with the number of slots of a level."""
    lines = []
    given = [code for code, spec in slots.items() if code[:5] == "spell" and bonus(mapping(spec).get("override"))]
    listed_ways: dict[str, list[str]] = {_level_heading(bonus(code[5:]) or 0): [] for code in given} | found.spells
    if bonus(value_at(slots, "pact.override")):
        listed_ways.setdefault(_PREPARATION_MODES["pact"], [])
    for heading, listed in sorted(listed_ways.items(), key=lambda one: (_place(one[0]), one[0])):
        pact = heading == _PREPARATION_MODES["pact"]
        spec = part(slots, "pact" if pact else f"spell{_place(heading)}")
        count = bonus(spec.get("override")) or bonus(spec.get("max")) or bonus(spec.get("value"))
        level = names.phrase(" of level {}", pact and bonus(spec.get("level")))
        note = f" ({count} slot{'s' if count != 1 else ''}{level})" if count and (_place(heading) or pact) else ""
        lines.append(f"{heading}{note}{': ' if listed else ''}{', '.join(listed)}" if heading else ", ".join(listed))
    return lines[0] if len(lines) == 1 and not lines[0].count(":") else "\n".join(f"- {line}" for line in lines)


def _level_heading(level: int) -> str:
    return _LEVELS[level] if 0 <= level < len(_LEVELS) else f"{level}th level"


def _place(heading: str) -> int:
    """The level in a heading, else 0."""
    return int(heading[0]) if heading[:1].isdigit() else 0
