"""What an actor holds: features, attacks, spells and things, as the parts of a stat block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models import ActionType, Section
from lorekeeper_mcp.sources.foundry.actor_numbers import ActorNumbers
from lorekeeper_mcp.sources.foundry.html import markdown
from lorekeeper_mcp.sources.foundry.item_values import (
    activities,
    damages,
    described,
    further_texts,
    part,
    rest,
    text,
    uses,
    versatile,
    words,
)
from lorekeeper_mcp.sources.foundry.mechanics import PARTS, has_dice, mechanics, own_rolls
from lorekeeper_mcp.sources.stat_block import bonus

_ACTIONS = {
    "action": ActionType.ACTION,
    "bonus": ActionType.BONUS_ACTION,
    "reaction": ActionType.REACTION,
    "legendary": ActionType.LEGENDARY_ACTION,
    "mythic": ActionType.MYTHIC_ACTION,
    "lair": ActionType.LAIR_ACTION,
}
_ORDINALS = ("Cantrips", "1st level", "2nd level", "3rd level")
_WAYS = {"atwill": "At will", "innate": "Innate", "pact": "Pact magic", "ritual": "Rituals"}
# Of a spell what the list of an actor says.
_OF_A_LIST = frozenset({"level", "school", "preparation", "method", "prepared", "identifier", "source", "uses"})
_HIGHEST = 20  # level of a spell
_SRD_PACK = "Compendium.dnd5e."
# Numbers of a thing that no stat block prints: what it weighs, costs and protects.
_OF_A_THING = frozenset(
    {"type", "price", "weight", "rarity", "attunement", "armor", "hp", "strength", "stealth", "capacity", "level",
     "school", "weaponType", "mastery", "magicalBonus", "levels", "hd", "hitDice", "advancement", "saves", "skills",
     "spellcasting", "startingEquipment", "senses", "movement", "classIdentifier"}
)  # fmt: skip


@dataclass
class Held:
    """The items of an actor: named texts, actions, and the names of what it casts, carries and is."""

    traits: list[tuple[str, str]] = field(default_factory=list)
    actions: list[tuple[ActionType, str, str]] = field(default_factory=list)
    spells: dict[str, list[str]] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)
    armor: list[Mapping[str, object]] = field(default_factory=list)


def held_by(actor: Mapping[str, object]) -> Held:
    """Sort an actor's items."""
    found = Held()
    numbers = ActorNumbers.of(actor)
    for item in _items(actor):
        given, name = part(item, "system") or part(item, "data"), text(item, "name")
        system = numbers.with_modifier(given) if item.get("type") == "weapon" else given
        if item.get("type") == "spell":
            found.spells.setdefault(_list_of(system), []).append(_spell_name(system, name))
            if not _is_spell(system) and (told := _text(item, system, name)):
                found.traits.append((name, told))
            continue
        if item.get("type") == "equipment" and system.get("equipped") is not False:
            found.armor.append(system)
        _sort(found, item, system, name, numbers)
    return found


def own_spells(actor: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """The spells that only this actor has: more than a name, and no copies of the system's SRD."""
    for item in _items(actor):
        system = part(item, "system") or part(item, "data")
        copied = text(part(item, "_stats"), "compendiumSource") or text(part(part(item, "flags"), "core"), "sourceId")
        says = any(value for name, value in system.items() if name not in _OF_A_LIST) or item.get("effects")
        if item.get("type") == "spell" and says and _is_spell(system) and not copied.startswith(_SRD_PACK):
            yield item


def _is_spell(system: Mapping[str, object]) -> bool:
    """Whether a spell of an actor has what a record of its own needs."""
    return 0 <= (bonus(system.get("level")) or 0) <= _HIGHEST and bonus(system.get("level")) is not None


def _items(actor: Mapping[str, object]) -> list[Mapping[str, object]]:
    items = actor.get("items")
    return [one for one in items if isinstance(one, Mapping)] if isinstance(items, list) else []


def _sort(
    found: Held, item: Mapping[str, object], system: Mapping[str, object], name: str, numbers: ActorNumbers
) -> None:
    kind = str(item.get("type"))
    told = numbers.filled(_text(item, system, name, numbers), system)
    often = uses(system) or next(filter(None, map(uses, activities(system))), "")
    if often and "(" not in name:
        name = f"{name} ({often})"
    elif often and "(" in name and often.lower().replace("–", "-") not in name.lower().replace("–", "-"):
        told = f"{told} ({often})".strip()
    when = _ACTIONS.get(_activation(system))
    if when is None and kind == "weapon":
        when = ActionType.ACTION
    if when is not None:
        found.actions.append((when, name, told))
    elif told or kind == "feat":
        found.traits.append((name, told))
    elif name:
        amount = words(system.get("quantity")) if system.get("quantity") not in (0, 1, "1") else ""
        level = f" {words(system.get('levels'))}" if kind == "class" else ""
        found.carried.append(f"{name}{level}{f' ({amount})' if amount else ''}".strip())


def _text(
    item: Mapping[str, object], system: Mapping[str, object], name: str, actor: ActorNumbers | None = None
) -> str:
    """The description, and behind it what it leaves out."""
    rolls, hits = own_rolls(system, name), actor.to_hit(system) if actor and item.get("type") == "weapon" else ""
    if hits:
        rolls["attack"] = f"*{rolls.get('attack', 'attack').title()}:* {hits}"
    told = described(system, rolls)
    harm = _harm(system) if item.get("type") == "weapon" and not told else ""
    harm = f"{rolls['attack']}. {harm}" if harm and hits else harm
    said = ("damage", "attack") if item.get("type") == "weapon" and not told else ()
    numbers = PARTS if has_dice(described(system, own_rolls(system, name))) else ()  # which the description says then
    when = markdown(part(system, "activation").get("condition"))
    elsewhere = f"{told} {harm} {when}"
    more = list(mechanics(system, "activation", "ability", *said, *numbers, rolled=numbers, elsewhere=elsewhere))
    more += [Section(name="Condition", text=when)] if when and when not in told else []
    further = (*more, *rest(system, _OF_A_THING), *further_texts(item, system))
    lines = [f"**{one.name}.** {one.text}".replace("** - ", "**\n\n- ") for one in further]
    return "\n\n".join(filter(None, (told, harm, *lines)))


def _harm(system: Mapping[str, object]) -> str:
    """The damage of a weapon without a description: ``Hit: 1d8 + 3 piercing damage.``"""
    harm = damages(part(system, "damage")) or [one for of in activities(system) for one in damages(part(of, "damage"))]
    told = " plus ".join(f"{dice} {kind}".strip() for dice, kind in harm if dice)
    two = versatile(part(system, "damage"))
    both = filter(None, (told and f"{told} damage", two and f"{two} with two hands"))
    return f"*Hit:* {said}." if (said := ", or ".join(both)) else ""


def _activation(system: Mapping[str, object]) -> str:
    """What using an item takes: in the item before version 4, in its activities since."""
    own = text(part(system, "activation"), "type")
    return own or next((kind for one in activities(system) if (kind := text(part(one, "activation"), "type"))), "")


def _list_of(system: Mapping[str, object]) -> str:
    """Under which heading a spell is listed: the way it is cast, or its level."""
    way = text(part(system, "preparation"), "mode") or text(system, "method")
    level = bonus(system.get("level"))
    if way in _WAYS:
        return _WAYS[way]
    if level is None:
        return ""
    return _ORDINALS[level] if 0 <= level < len(_ORDINALS) else f"{level}th level"


def _spell_name(system: Mapping[str, object], name: str) -> str:
    often = uses(system)
    return f"{name} ({often})" if often else name


def spell_lines(found: Held, slots: Mapping[str, object]) -> str:
    """Spells by how they are cast; of a level with slots, how many."""
    lines = []
    for number, listed in sorted(found.spells.items(), key=lambda one: (_place(one[0]), one[0])):
        spec = part(slots, f"spell{_place(number)}")
        count = bonus(spec.get("override")) or bonus(spec.get("max")) or bonus(spec.get("value"))
        told = f" ({count} slot{'s' if count != 1 else ''})" if count and _place(number) else ""
        lines.append(f"{number}{told}: {', '.join(listed)}" if number else ", ".join(listed))
    return lines[0] if len(lines) == 1 and not lines[0].count(":") else "\n".join(f"- {line}" for line in lines)


def _place(heading: str) -> int:
    """The level of a heading; 0 for any other."""
    return int(heading[0]) if heading[:1].isdigit() else 0


def worn(found: Held, dexterity: int) -> str:
    """The armor class that the armor of an actor gives, which the application reckons itself: ``15``."""
    base, shield = 10 + dexterity, 0
    for system in found.armor:
        spec, kind = part(system, "armor"), text(part(system, "type"), "value")
        value, most = bonus(spec.get("value")), bonus(spec.get("dex"))
        if value is None:
            continue
        if kind == "shield":
            shield = max(shield, value)
        elif kind in ("light", "medium", "heavy"):
            most = most if most is not None else {"medium": 2, "heavy": 0}.get(kind, dexterity)
            base = value + min(dexterity, most)
    return str(base + shield)
