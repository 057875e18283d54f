"""Classes and subclasses, backgrounds, species, feats, and the facilities of bastions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models import Background, CharacterClass, Feat, Kind, Record, Ref, Rule, Section, Species
from lorekeeper_mcp.models.vocabulary import GOLD, SRD_CLASSES
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.activity_texts import consumed
from lorekeeper_mcp.sources.foundry.advancements import granted, levels
from lorekeeper_mcp.sources.foundry.item_values import (
    cover,
    description_of,
    further_texts,
    property_codes,
    unread_fields,
    uses_text,
    words,
)
from lorekeeper_mcp.sources.foundry.mechanics import head, mechanics
from lorekeeper_mcp.sources.imported import ItemError, book_key, parent_key
from lorekeeper_mcp.sources.json_values import JsonObject, number, objects, part, text, texts, value_at
from lorekeeper_mcp.sources.stat_block import ability_key, sections_of, shown

_FEATURES = {
    "class": "Class Feature", "race": "Species Feature", "background": "Background Feature", "feat": "Feat",
    "monster": "Monster Feature", "vehicle": "Vehicle Feature", "enchantment": "Enchantment",
}  # fmt: skip
_FOCUSES = {"arcane": "arcane focus", "druidic": "druidic focus", "holy": "holy symbol"}
_OF_AN_ENTRY = frozenset({"_id", "group", "sort", "type", "key", "count", "name", "requiresProficiency"})
_OF_TRADE = frozenset({"creatures", "profit", "stock", "pending"})
_DEEPEST = 4
_CASTERS = {"full": "full", "half": "half", "third": "third", "pact": "pact", "artificer": "half", "none": "", "": ""}


def feat(one: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a feat, or a feature of a class, a species or a monster."""
    before, value, subtype = part(system, "prerequisites"), text(system, "type.value"), text(system, "type.subtype")
    named = _FEATURES.get(value, names.titled(value))
    needed = (
        text(system, "requirements"),
        names.phrase("level {}", words(before.get("level"))),
        ", ".join(map(words, texts(before.get("items")))),
    )
    facts = {
        "Kind": named if subtype else "",
        "Repeatable": "yes" if before.get("repeatable") is True else "",
        "Enchantment": _enchantment(part(system, "enchant")),
        "Cover": cover(system),
    }
    known = frozenset({"requirements", "type", "prerequisites", "enchant", "cover"})
    return Feat(
        **head(one, system, book, "feats", Kind.FEAT),
        type="Pact Boon" if subtype == "pact" else names.titled(subtype) or named,
        prerequisite=names.joined(*dict.fromkeys(needed), sep="; "),
        other=(*_other(one, system, known, facts), *unread_fields(before, frozenset({"level", "repeatable", "items"}))),
    )


def _enchantment(spec: JsonObject) -> str:
    most, period = words(spec.get("max")), text(spec, "period")
    again = names.phrase("changed after each {}", names.period(period))
    return names.joined(names.phrase("at most {} item" if most == "1" else "at most {} items", most), again)


def character_class(one: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a class or a subclass."""
    subclass = one["type"] == "subclass"
    parent = text(system, "classIdentifier")
    if subclass and not parent:
        raise ItemError("it does not name its class")
    section, kind = ("subclasses", Kind.SUBCLASS) if subclass else ("classes", Kind.CLASS)
    casting = text(system, "spellcasting.progression")
    known = frozenset("classIdentifier spellcasting hitDice hd saves levels primaryAbility skills wealth".split())
    primary = texts(value_at(system, "primaryAbility.value"))
    needed = "all" if value_at(system, "primaryAbility.all") is True else "one"
    saves = texts(system.get("saves")) or [
        code.removeprefix("saves:") for code in granted(system, "Trait", "grants") if code.startswith("saves:")
    ]
    facts = {
        "Spellcasting": casting if casting not in _CASTERS else "",
        "Spells prepared": words(value_at(system, "spellcasting.preparation.formula")),
        "Additional Hit Dice": words(value_at(system, "hd.additional")),
        "Multiclassing": f"needs {needed} of them" if len(primary) > 1 else "",
    }
    return CharacterClass(
        **head(one, system, book, section, kind),
        subclass_of=Ref(name=parent.title(), key=parent_key(parent, {}, SRD_CLASSES)) if subclass else None,
        hit_dice=text(system, "hitDice") or shown(value_at(system, "hd.denomination")),
        saving_throws=tuple(ability_key(one).capitalize() for one in saves),
        caster_type=_CASTERS.get(casting, ""),
        spellcasting=names.phrase("Spellcasting Ability: {}", names.ability(text(system, "spellcasting.ability"))),
        proficiencies=_skills(part(system, "skills")),
        equipment=_equipment(system),
        primary_abilities=tuple(ability_key(one).capitalize() for one in primary),
        other=_other(one, system, known, facts),
    )


def _skills(spec: JsonObject) -> str:
    """Skills of versions before 3: ``Skills: choose 2 from Athletics, Stealth``."""
    among, count = ", ".join(map(names.skill, texts(spec.get("choices")))), words(spec.get("number"))
    fixed = ", ".join(map(names.skill, texts(spec.get("value"))))
    chosen = f"choose {count or 1}{names.phrase(' from {}', among)}" if among or count else ""
    return names.phrase("Skills: {}", names.joined(fixed, chosen, sep="; "))


def _equipment(system: JsonObject) -> str:
    """The starting equipment: each entry of a group, then the gold alternative."""
    listed = objects(system.get("startingEquipment"))
    own = {text(one, "_id") for one in listed} - {""}
    entries = [_entry(one, listed) for one in sorted(listed, key=_place) if text(one, "group") not in own]
    wealth = words(system.get("wealth"))
    coins = wealth if not wealth or re.search("[a-z]{2}", wealth) else f"{wealth.replace('*', ' × ')} gp"
    return names.joined(*entries, f"Or {coins}" if coins and any(entries) else coins, sep="\n")


def _place(one: JsonObject) -> float:
    return number(one.get("sort")) or 0


def _entry(one: JsonObject, listed: list[JsonObject], depth: int = 0) -> str:
    """``(a) 2 Lantern, any martial weapon, or (b) 50 gp``."""
    kind, key, count = text(one, "type"), text(one, "key"), words(one.get("count"))
    if kind in ("AND", "OR"):
        inner = [each for each in sorted(listed, key=_place) if text(each, "group") == text(one, "_id") != ""]
        choices = list(filter(None, (_entry(each, listed, depth + 1) for each in inner))) if depth < _DEEPEST else []
        if kind == "AND" or len(choices) < 2:
            return ", ".join(choices)
        return ", or ".join(f"({chr(ord('a') + at % 26)}) {text_}" for at, text_ in enumerate(choices))
    if kind == "linked":
        several = "items" if count not in ("", "1") else "an item"
        named = text(one, "name") or f"{several} that this file does not contain"
    elif kind == "currency" or key in GOLD:
        return f"{count or 1} {key}"
    else:
        of_kind = {"focus": _FOCUSES.get(key, f"{key} focus"), "tool": names.tool(key)}
        known = kind in ("focus", "tool", "armor", "weapon")
        named = of_kind.get(kind) or names.gear(key).removesuffix("s") or kind
        named = f"any {named}" if known else " ".join(dict.fromkeys((kind, named)))
    trained = " (if proficient)" if one.get("requiresProficiency") is True else ""
    more = names.phrase(" ({})", words({name: value for name, value in one.items() if name not in _OF_AN_ENTRY}))
    return f"{count + ' ' if count not in ('', '1') else ''}{named}{trained}{more}"


def background(one: JsonObject, system: JsonObject, book: str) -> Record:
    """A background."""
    equipment = _equipment(system)
    return Background(
        **head(one, system, book, "backgrounds", Kind.BACKGROUND),
        benefits=(Section(name="Equipment", text=equipment, type="equipment"),) if equipment else (),
        other=_other(one, system, frozenset({"wealth"})),
    )


def species(one: JsonObject, system: JsonObject, book: str) -> Record:
    """A species."""
    movement, kind = part(system, "movement"), part(system, "type")
    walking = {"walk": movement["walk"]} if "walk" in movement else {}
    speed = ", ".join(distances({**walking, **movement}, movement.get("units"))).removeprefix("walk ")
    hover = " (hover)" if movement.get("hover") is True else ""
    in_speed = ("units", "hover", "special")
    left = {mode: value for mode, value in movement.items() if mode not in in_speed and not number(value)}
    value = text(kind, "custom") or text(kind, "value")
    type_ = f"{value}{names.phrase(' ({})', text(kind, 'subtype'))}" if kind else words(system.get("type"))
    type_ = "" if value == "custom" and not text(kind, "custom") else type_.capitalize()
    facts = {"Senses": senses_text(part(system, "senses")), "Movement": words(left)}
    return Species(
        **head(one, system, book, "races", Kind.SPECIES),
        speed=names.joined(f"{speed}{hover}" if speed else "", words(movement.get("special"))),
        size=" or ".join(names.size(size) for size in granted(system, "Size", "sizes")),
        traits=sections_of({"Creature Type": type_}),
        other=_other(one, system, frozenset({"movement", "senses", "type"}), facts),
    )


def senses_text(senses: JsonObject) -> str:
    """``darkvision 60 ft.``"""
    return names.joined(
        *distances({**senses, **part(senses, "ranges")}, senses.get("units")), words(senses.get("special"))
    )


def distances(by_name: JsonObject, units: object) -> list[str]:
    """Return distances in feet, also if they are in metres: ``walk 30 ft.``"""
    times = 10 / 3 if units == "m" else 1
    return [f"{name} {feet * times:g} ft." for name, value in by_name.items() if (feet := number(value))]


def facility(one: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a bastion facility, without the current state of a character's own."""
    trade = part(system, "trade")
    goods = (
        names.phrase("profit {}%", words(trade.get("profit"))),
        names.phrase("stock worth up to {} gp", words(value_at(trade, "stock.max"))),
        names.phrase("up to {} creatures", words(value_at(trade, "creatures.max"))),
        *(f"{one.name} {one.text}" for one in unread_fields(trade, _OF_TRADE)),
    )
    facts = {
        "Kind": names.joined(*(names.readable(text(system, f"type.{of}")) for of in ("value", "subtype")), sep=" "),
        "Level": words(system.get("level")),
        "Size": words(system.get("size")),
        "Order": words(system.get("order")),
        "Defenders": names.phrase("up to {}", words(value_at(system, "defenders.max"))),
        "Hirelings": names.phrase("up to {}", words(value_at(system, "hirelings.max"))),
        "Enlargeable": "yes" if system.get("enlargeable") is True else "",
        "Free": "yes" if system.get("free") is True else "",
        "Trade": names.joined(*goods),
    }
    known = frozenset("type level size order defenders hirelings enlargeable free trade building craft".split())
    return Rule(
        **head(one, system, book, "facilities", Kind.RULE),
        section=Ref(name="Facility", key=f"orcbrew_{book_key(book)}_facilities"),
        other=_other(one, system, known, facts),
    )


def _other(
    one: JsonObject, system: JsonObject, known: frozenset[str], facts: Mapping[str, str] | None = None
) -> tuple[Section, ...]:
    """Some texts, then all else of a document that is not in the ``known`` fields."""
    shared = {
        "Uses": uses_text(system),
        "Properties": ", ".join(map(names.readable, sorted(property_codes(system) - {"mgc", "trait"}))),
        "Cost": consumed(part(system, "consume")),
    }
    return (
        *sections_of({**(facts or {}), **shared}),
        *mechanics(system, record_text=description_of(system)),
        *unread_fields(system, known | {"advancement", "startingEquipment", "consume"}),
        *sections_of({"Advancement": "\n".join(levels(system))}),
        *further_texts(one, system),
    )
