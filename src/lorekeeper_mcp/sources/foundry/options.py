"""Classes and subclasses, backgrounds, species, feats, and the facilities of bastions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models import Background, CharacterClass, Feat, Kind, Record, Ref, Rule, Section, Species
from lorekeeper_mcp.models.vocabulary import GOLD, SRD_CLASSES
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.activity_texts import consumed
from lorekeeper_mcp.sources.foundry.advancements import advancement_lines, granted_codes
from lorekeeper_mcp.sources.foundry.item_values import (
    cover,
    description_of,
    further_texts,
    phrases,
    property_codes,
    unread_fields,
    unread_words,
    uses_text,
    words,
)
from lorekeeper_mcp.sources.foundry.mechanics import head, mechanics
from lorekeeper_mcp.sources.imported import ItemError, book_key, parent_key
from lorekeeper_mcp.sources.json_values import JsonObject, decimal, objects, part, text, texts, value_at
from lorekeeper_mcp.sources.phrases import joined, phrase
from lorekeeper_mcp.sources.stat_block import ability_key, sections_of, shown

_FEATURES = {
    "class": "Class Feature", "race": "Species Feature", "background": "Background Feature", "feat": "Feat",
    "monster": "Monster Feature", "vehicle": "Vehicle Feature", "enchantment": "Enchantment",
}  # fmt: skip
_FOCUSES = {"arcane": "arcane focus", "druidic": "druidic focus", "holy": "holy symbol"}
_READ_IN_ENTRY = frozenset({"_id", "group", "sort", "type", "key", "count", "name", "requiresProficiency"})
_TRADE = {"profit": "profit {}%", "stock.max": "stock worth up to {} gp", "creatures.max": "up to {} creatures"}
_READ_IN_TRADE = frozenset({"creatures", "profit", "stock", "pending"})
_DEEPEST = 4
_CASTERS = {"full": "full", "half": "half", "third": "third", "pact": "pact", "artificer": "half", "none": "", "": ""}


def feat(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a feat, or a feature of a class, a species or a monster."""
    prerequisites = part(system, "prerequisites")
    value, subtype = text(system, "type.value"), text(system, "type.subtype")
    kind = _FEATURES.get(value, names.titled(value))
    prerequisite_texts = (
        text(system, "requirements"),
        phrase("level {}", words(prerequisites.get("level"))),
        ", ".join(map(words, texts(prerequisites.get("items")))),
    )
    facts = {
        "Kind": kind if subtype else "",
        "Repeatable": "yes" if prerequisites.get("repeatable") is True else "",
        "Enchantment": _enchantment(part(system, "enchant")),
        "Cover": cover(system),
    }
    read_fields = frozenset({"requirements", "type", "prerequisites", "enchant", "cover"})
    return Feat(
        **head(document, system, book, "feats", Kind.FEAT),
        type="Pact Boon" if subtype == "pact" else names.titled(subtype) or kind,
        prerequisite=joined(*dict.fromkeys(prerequisite_texts), sep="; "),
        other=(
            *_other(document, system, read_fields, facts),
            *unread_fields(prerequisites, frozenset({"level", "repeatable", "items"})),
        ),
    )


def _enchantment(enchant: JsonObject) -> str:
    most, period = words(enchant.get("max")), names.period(text(enchant, "period"))
    items = phrase("at most {}", most and f"{most} {'item' if most == '1' else 'items'}")
    return joined(items, phrase("changed after each {}", period))


def character_class(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a class or a subclass."""
    is_subclass, parent = document["type"] == "subclass", text(system, "classIdentifier")
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    section, kind = ("subclasses", Kind.SUBCLASS) if is_subclass else ("classes", Kind.CLASS)
    casting = text(system, "spellcasting.progression")
    primary = texts(value_at(system, "primaryAbility.value"))
    needed = "all" if value_at(system, "primaryAbility.all") is True else "one"
    granted_saves = (code for code in granted_codes(system, "Trait", "grants") if code.startswith("saves:"))
    saves = texts(system.get("saves")) or [code.removeprefix("saves:") for code in granted_saves]
    facts = {
        "Spellcasting": casting if casting not in _CASTERS else "",
        "Spells prepared": words(value_at(system, "spellcasting.preparation.formula")),
        "Additional Hit Dice": words(value_at(system, "hd.additional")),
        "Multiclassing": f"needs {needed} of them" if len(primary) > 1 else "",
    }
    read_fields = frozenset("classIdentifier spellcasting hitDice hd saves levels primaryAbility skills wealth".split())
    return CharacterClass(
        **head(document, system, book, section, kind),
        subclass_of=Ref(name=parent.title(), key=parent_key(parent, {}, SRD_CLASSES)) if is_subclass else None,
        hit_dice=text(system, "hitDice") or shown(value_at(system, "hd.denomination")),
        saving_throws=tuple(ability_key(code).capitalize() for code in saves),
        caster_type=_CASTERS.get(casting, ""),
        spellcasting=phrase("Spellcasting Ability: {}", names.ability(text(system, "spellcasting.ability"))),
        proficiencies=_skills(part(system, "skills")),
        equipment=_equipment(system),
        primary_abilities=tuple(ability_key(code).capitalize() for code in primary),
        other=_other(document, system, read_fields, facts),
    )


def _skills(skills: JsonObject) -> str:
    """Skills of versions before 3: ``Skills: choose 2 from Athletics, Stealth``."""
    fixed, choices = (", ".join(map(names.skill, texts(skills.get(field)))) for field in ("value", "choices"))
    count = words(skills.get("number"))
    chosen = f"choose {count or 1}{phrase(' from {}', choices)}" if choices or count else ""
    return phrase("Skills: {}", joined(fixed, chosen, sep="; "))


def _equipment(system: JsonObject) -> str:
    """The starting equipment: each entry of a group, then the gold alternative."""
    entries = sorted(objects(system.get("startingEquipment")), key=lambda entry: decimal(entry.get("sort")) or 0)
    ids = {text(entry, "_id") for entry in entries} - {""}
    lines = [_entry(entry, entries) for entry in entries if text(entry, "group") not in ids]
    wealth = words(system.get("wealth"))
    if wealth and not re.search("[a-z]{2}", wealth):
        wealth = f"{wealth.replace('*', ' × ')} gp"
    return joined(*lines, f"Or {wealth}" if wealth and any(lines) else wealth, sep="\n")


def _entry(entry: JsonObject, entries: list[JsonObject], depth: int = 0) -> str:
    """``(a) 2 Lantern, any martial weapon, or (b) 50 gp``."""
    kind, count = text(entry, "type"), words(entry.get("count"))
    if kind in ("AND", "OR"):
        own_id = text(entry, "_id")
        if depth == _DEEPEST or not own_id:
            return ""
        inner = (_entry(other, entries, depth + 1) for other in entries if text(other, "group") == own_id)
        choices = list(filter(None, inner))
        if kind == "AND" or len(choices) < 2:
            return ", ".join(choices)
        return ", or ".join(f"({chr(ord('a') + place % 26)}) {choice}" for place, choice in enumerate(choices))
    key = text(entry, "key")
    if kind == "currency" or (kind != "linked" and key in GOLD):
        return f"{count or 1} {key}"
    name = _entry_name(entry, kind, key, count)
    several = f"{count} " if count not in ("", "1") else ""
    trained = " (if proficient)" if entry.get("requiresProficiency") is True else ""
    unread = phrase(" ({})", unread_words(entry, _READ_IN_ENTRY))
    return f"{several}{name}{trained}{unread}"


def _entry_name(entry: JsonObject, kind: str, key: str, count: str) -> str:
    if kind == "linked":
        items = "an item" if count in ("", "1") else "items"
        return text(entry, "name") or f"{items} that this file does not contain"
    if kind == "focus":
        return f"any {_FOCUSES.get(key, f'{key} focus')}"
    if kind == "tool":
        return f"any {names.tool(key)}"
    gear = names.gear(key).removesuffix("s") or kind
    return f"any {gear}" if kind in ("armor", "weapon") else " ".join(dict.fromkeys((kind, gear)))


def background(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a background."""
    equipment = _equipment(system)
    return Background(
        **head(document, system, book, "backgrounds", Kind.BACKGROUND),
        benefits=(Section(name="Equipment", text=equipment, type="equipment"),) if equipment else (),
        other=_other(document, system, frozenset({"wealth"})),
    )


def species(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a species."""
    movement = part(system, "movement")
    walking = {"walk": movement["walk"]} if "walk" in movement else {}
    speed = ", ".join(distances({**walking, **movement}, movement.get("units"))).removeprefix("walk ")
    hover = " (hover)" if movement.get("hover") is True else ""
    read_modes = ("units", "hover", "special")
    other_modes = {mode: value for mode, value in movement.items() if mode not in read_modes and not decimal(value)}
    facts = {"Senses": senses_text(part(system, "senses")), "Movement": words(other_modes)}
    return Species(
        **head(document, system, book, "races", Kind.SPECIES),
        speed=joined(f"{speed}{hover}" if speed else "", words(movement.get("special"))),
        size=" or ".join(map(names.size, granted_codes(system, "Size", "sizes"))),
        traits=sections_of({"Creature Type": _creature_type(system).capitalize()}),
        other=_other(document, system, frozenset({"movement", "senses", "type"}), facts),
    )


def _creature_type(system: JsonObject) -> str:
    type_ = part(system, "type")
    if not type_:
        return words(system.get("type"))
    custom, value = text(type_, "custom"), text(type_, "value")
    if value == "custom" and not custom:
        return ""
    return f"{custom or value}{phrase(' ({})', text(type_, 'subtype'))}"


def senses_text(senses: JsonObject) -> str:
    """``darkvision 60 ft.``"""
    ranges = distances({**senses, **part(senses, "ranges")}, senses.get("units"))
    return joined(*ranges, words(senses.get("special")))


def distances(by_name: JsonObject, units: object) -> list[str]:
    """Return distances in feet, also if they are in metres: ``walk 30 ft.``"""
    factor = 10 / 3 if units == "m" else 1
    return [f"{name} {feet * factor:g} ft." for name, value in by_name.items() if (feet := decimal(value))]


def facility(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a bastion facility, without the current state of a character's own."""
    trade = part(system, "trade")
    other_goods = (f"{field.name} {field.text}" for field in unread_fields(trade, _READ_IN_TRADE))
    type_, subtype = (names.readable(text(system, f"type.{field}")) for field in ("value", "subtype"))
    facts = {
        "Kind": joined(type_, subtype, sep=" "),
        "Level": words(system.get("level")),
        "Size": words(system.get("size")),
        "Order": words(system.get("order")),
        "Defenders": phrases(system, {"defenders.max": "up to {}"}),
        "Hirelings": phrases(system, {"hirelings.max": "up to {}"}),
        "Enlargeable": "yes" if system.get("enlargeable") is True else "",
        "Free": "yes" if system.get("free") is True else "",
        "Trade": joined(phrases(trade, _TRADE), *other_goods),
    }
    read_fields = frozenset("type level size order defenders hirelings enlargeable free trade building craft".split())
    return Rule(
        **head(document, system, book, "facilities", Kind.RULE),
        section=Ref(name="Facility", key=f"orcbrew_{book_key(book)}_facilities"),
        other=_other(document, system, read_fields, facts),
    )


def _other(
    document: JsonObject, system: JsonObject, read_fields: frozenset[str], facts: Mapping[str, str] | None = None
) -> tuple[Section, ...]:
    """The facts of a kind of document, then everything else that is not in the fields read."""
    shared_facts = {
        "Uses": uses_text(system),
        "Properties": ", ".join(map(names.readable, sorted(property_codes(system) - {"mgc", "trait"}))),
        "Cost": consumed(part(system, "consume")),
    }
    return (
        *sections_of({**(facts or {}), **shared_facts}),
        *mechanics(system, record_text=description_of(system)),
        *unread_fields(system, read_fields | {"advancement", "startingEquipment", "consume"}),
        *sections_of({"Advancement": "\n".join(advancement_lines(system))}),
        *further_texts(document, system),
    )
