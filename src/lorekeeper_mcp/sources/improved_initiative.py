"""Reads Improved Initiative's JSON: exports of all data, lists of items, and single ones."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from lorekeeper_mcp.models import ActionType, Kind, Record, Ref, Rule
from lorekeeper_mcp.models.vocabulary import ABILITIES, SRD_CLASSES
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    JsonObject,
    Printer,
    as_object,
    integers,
    joined,
    listed,
    mapping,
    objects,
    part,
    phrase,
    sections_of,
    shown,
    text_at,
)
from lorekeeper_mcp.sources.imported import BookBuilder, ImportedFile, book_key, parent_key
from lorekeeper_mcp.sources.spell_form import SpellForm, to_spell
from lorekeeper_mcp.sources.stat_block import StatBlock, ability_key, heading, split_sizes, to_creature, unread

Listing: TypeAlias = "tuple[str, str, object]"
"""A section (empty for a value that is not part of the format), the place in the file, and the value."""

_PAGE = re.compile(r"[,;]?\s+(?:p|pg|page|pages|pp)\.?\s*\d[\d, –-]*$", re.IGNORECASE)
_COMPONENTS = re.compile(r"[VS, ]*(?:M[, ]*(?:\([^()]*\))?)?\s*")
_RITUAL = re.compile(r"\s*\(ritual\)", re.IGNORECASE)
_UNNAMED = "Improved Initiative"
_STORAGE = "ImprovedInitiative."  # before each key of an export of the browser's storage
_CONTENT = ("Creatures", "Spells", "PersistentCharacters", "PlayerCharacters", "SavedEncounters", "AutoSavedEncounters")
_ACTIONS = {
    "Actions": ActionType.ACTION,
    "BonusActions": ActionType.BONUS_ACTION,
    "Reactions": ActionType.REACTION,
    "LegendaryActions": ActionType.LEGENDARY_ACTION,
    "MythicActions": ActionType.MYTHIC_ACTION,
}
# Lines of a stat block by the fields that have them.
_LINES = {
    "name": "Name", "speed": "Speed", "vulnerabilities": "DamageVulnerabilities", "resistances": "DamageResistances",
    "immunities": "DamageImmunities", "conditions": "ConditionImmunities", "senses": "Senses",
    "languages": "Languages", "challenge": "Challenge", "image": "ImageURL", "text": "Description",
}  # fmt: skip
_ALIGNMENTS = {
    "LG": "lawful good", "NG": "neutral good", "CG": "chaotic good", "LN": "lawful neutral", "N": "neutral",
    "CN": "chaotic neutral", "LE": "lawful evil", "NE": "neutral evil", "CE": "chaotic evil", "U": "unaligned",
}  # fmt: skip
# The application's data on an item, and the state of a character and of an encounter.
_OF_APPLICATION = frozenset({"Id", "Path", "Version", "LastUpdateMs", "Player", "Source", "SearchHint"})
_STATE = _OF_APPLICATION | frozenset(
    "StatBlock CharacterVersion ActiveCombatantId RoundCounter Combatants BackgroundImageUrl ElapsedSeconds"
    " PersistentCharacterId MaxHP CurrentHP TemporaryHP Initiative InitiativeGroup IndexLabel Hidden RevealedAC"
    " InterfaceVersion ImageURL Tags".split()
)
_PRINTER = Printer(skipped=_OF_APPLICATION)


def recognises(data: object) -> bool:
    """Whether parsed JSON has a creature, a spell, a character or an encounter in a place where an export has them."""
    return any(section for section, _, _ in _listings(data, "export"))


def read(data: object, name: str) -> ImportedFile:
    """Read parsed JSON. ``name`` is the book of items without a source. Never raises."""
    books = BookBuilder()
    # Creatures of encounters come last, each once.
    listings = sorted(_listings(data, "export"), key=lambda listing: listing[0] == "combatants")
    seen = set()
    for section, path, item in listings:
        if not isinstance(item, Mapping) or not section:
            books.skip(name or _UNNAMED, "other", path, "it is not a creature, spell, character or encounter")
            continue
        content = json.dumps({key: value for key, value in item.items() if key not in _OF_APPLICATION}, default=str)
        if section == "combatants" and content in seen:
            continue
        seen.add(content)
        book = _PAGE.sub("", shown(item.get("Source"))).strip() or name or _UNNAMED
        kind = section.replace("combatants", "monsters")
        books.adapt(book, kind, str(item.get("Name") or ""), partial(_READERS[kind], item, book))
    return ImportedFile(books.books(), invisible=books.invisible)


def _listings(data: object, path: str) -> Iterator[Listing]:
    """Everything in an export, a list or a single item."""
    if isinstance(data, list):
        for number, item in enumerate(data, 1):
            yield from _listings(item, f"{path} {number}")
        return
    item = mapping(data)
    block = part(item, "StatBlock")
    if isinstance(item.get("Combatants"), list):
        yield "encounters", path, item
        for block in filter(None, (part(combatant, "StatBlock") for combatant in objects(item["Combatants"]))):
            yield "combatants", path, block
    elif block:  # a character: its stat block, with its own name and notes
        own = {key: value for key, value in item.items() if key not in _STATE}
        yield "monsters", path, {**block, **own, "StatBlock": block.get("Name")}
    elif "Name" in item and not item.keys().isdisjoint({"HP", "Abilities", "Challenge"}):
        yield "monsters", path, item
    elif item.keys() >= {"Name", "School", "Level"}:
        yield "spells", path, item
    elif item and path == "export":
        for key, value in item.items():
            yield from _listings_of_key(str(key), value)
    else:
        yield "", path, data


def _listings_of_key(key: str, value: object) -> Iterator[Listing]:
    """The listings under one of an export's keys; in the browser's storage, values are JSON within a text."""
    is_storage, key = key.startswith(_STORAGE), key.removeprefix(_STORAGE)
    if key.partition(".")[0] not in _CONTENT:
        if key != "Settings" and not is_storage:  # the storage also has what the application remembers of its user
            yield "", key, value
        return
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            value = "invalid"
    if key in _CONTENT and isinstance(value, list):
        value = [item for item in value if not isinstance(item, str)]  # ids of entries elsewhere in the export
    if value is not None:  # nothing is stored under some keys
        yield from _listings(value, key)


def _creature(item: JsonObject, book: str) -> Record:
    fields = Fields(item, _PRINTER)
    line, _, alignment = fields.text("Type").rpartition(", ")
    sizes, type_ = split_sizes(line or alignment)
    saves, skills = _by_name(item.get("Saves")), _by_name(item.get("Skills"))
    abilities, save_bonuses = _by_ability(item.get("Abilities")), _by_ability(saves)
    extra = fields.integer("InitiativeModifier")  # beside Dexterity's modifier
    fields.drop("Abilities", "Saves", "Skills")
    if fields.peek("StatBlock") == fields.peek("Name"):
        fields.drop("StatBlock")
    block = StatBlock(
        **{name: fields.line(field) for name, field in _LINES.items()},
        size=sizes,
        type=type_,
        alignment=_ALIGNMENTS.get(alignment, alignment) if line else "",
        armor=_value_and_notes(fields.take("AC")),
        hit_points=_value_and_notes(fields.take("HP")),
        abilities=abilities,
        saves=save_bonuses,
        skills=integers(skills),
        experience=None,  # may be in the line of the challenge rating
        traits=tuple(_entries(fields.take("Traits"))),
        actions=tuple((kind, *entry) for field, kind in _ACTIONS.items() for entry in _entries(fields.take(field))),
        initiative=extra + (abilities.get("dexterity", 10) - 10) // 2 if extra else None,
        other=(
            *unread("Abilities", item.get("Abilities"), abilities, ABILITIES),
            *unread("Saves", saves, save_bonuses),
            *unread("Skills", skills, integers(skills)),
            *fields.also(),
        ),
    )
    return to_creature(block, book)


def _value_and_notes(value: object) -> str:
    number = as_object(value, "Value")
    return joined(shown(number.get("Value")), shown(number.get("Notes")), sep=" ")


def _by_name(value: object) -> object:
    """``[{"Name": "Dex", "Modifier": 5}]`` as ``[{"Dex": 5}]``, so that repeated names are kept."""
    if isinstance(value, list):
        return [{shown(row.get("Name")): row.get("Modifier")} if isinstance(row, dict) else row for row in value]
    return value


def _by_ability(value: object) -> dict[str, int]:
    return {ability_key(name): number for name, number in integers(value).items()}


def _entries(value: object) -> Iterator[tuple[str, str]]:
    for entry in filter(None, listed(value)):
        fields = Fields(as_object(entry, "Content"))
        fields.drop("Id")
        name, usage = fields.text("Name"), fields.line("Usage")
        yield name + phrase(" ({})", usage), fields.with_unread(fields.line("Content"))


def _spell(item: JsonObject, book: str) -> Record:
    fields = Fields(item, _PRINTER)
    name, description, components = fields.text("Name"), fields.line("Description"), fields.line("Components")
    letters, _, material = components.partition("(")
    form = SpellForm(
        level=fields.integer("Level"),
        school=_RITUAL.sub("", fields.line("School")),
        casting_time=fields.line("CastingTime"),
        range=fields.line("Range"),
        verbal="V" in letters,
        somatic="S" in letters,
        material="M" in letters,
        material_text=material.rstrip(") "),
        duration=fields.line("Duration"),
        ritual=fields.flag("Ritual") is True,
        classes=tuple(Ref(name=name, key=parent_key(name, {}, SRD_CLASSES)) for name in fields.names("Classes")),
        other=(*sections_of({"Components": "" if _COMPONENTS.fullmatch(components) else components}), *fields.also()),
    )
    return to_spell(form, heading(book, "spells", name, Kind.SPELL, description))


def _encounter(item: JsonObject, book: str) -> Record:
    """A prepared encounter: its creatures with their numbers. Its current state is ignored."""
    names = ((text_at(each, "Alias"), text_at(each, "StatBlock.Name")) for each in objects(item.get("Combatants")))
    counts = Counter(f"{alias} ({name})" if alias and name else alias or name for alias, name in names)
    text = "\n".join(f"- {f'{count} × ' if count > 1 else ''}{line}" for line, count in counts.items())
    chapter = Ref(name="Encounters", key=f"orcbrew_{book_key(book)}_encounters")
    other = Printer(skipped=_STATE | {"Name"}).sections(item)
    return Rule(**heading(book, "encounters", text_at(item, "Name"), Kind.RULE, text), section=chapter, other=other)


_READERS: Mapping[str, Callable[[JsonObject, str], Record]] = {
    "monsters": _creature,
    "spells": _spell,
    "encounters": _encounter,
}
