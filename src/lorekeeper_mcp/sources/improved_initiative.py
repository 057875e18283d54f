"""Reads Improved Initiative's JSON: exports of all data, lists of items, and single ones."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from lorekeeper_mcp.filters.argument_types import casting_time_key
from lorekeeper_mcp.models import ActionType, Kind, Record, Ref, Rule, Section, Spell
from lorekeeper_mcp.models.vocabulary import ABILITIES, SRD_CLASSES
from lorekeeper_mcp.sources.imported import BookBuilder, ImportedFile, book_key, parent_key, slug
from lorekeeper_mcp.sources.json_values import listed, mapping
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.saving_throws import saving_throw
from lorekeeper_mcp.sources.spell_texts import damage, needs_attack_roll, spell_level, without_concentration
from lorekeeper_mcp.sources.stat_block import (
    StatBlock,
    ability_key,
    bonus,
    bonuses,
    heading,
    sections_of,
    shown,
    split_sizes,
    to_creature,
    unread,
    unread_fields,
)

Listing: TypeAlias = "tuple[str, str, object]"
"""A section (empty for a value that is not part of the format), the place in the file, and the value."""

_PAGE = re.compile(r"[,;]?\s+(?:p|pg|page|pages|pp)\.?\s*\d[\d, –-]*$", re.IGNORECASE)
_COMPONENTS = re.compile(r"[VS, ]*(?:M[, ]*(?:\([^()]*\))?)?\s*")
_RITUAL = re.compile(r"\s*\(ritual\)", re.IGNORECASE)
_ROLLS = {"advantage": "with advantage", "disadvantage": "with disadvantage", "take-ten": "10 and the bonus"}
_UNNAMED = "Improved Initiative"
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
    "speed": "Speed", "vulnerabilities": "DamageVulnerabilities", "resistances": "DamageResistances",
    "immunities": "DamageImmunities", "conditions": "ConditionImmunities", "senses": "Senses",
    "languages": "Languages", "image": "ImageURL",
}  # fmt: skip
# The application's data on an item; a difference in these does not make another one.
_OF_APPLICATION = frozenset({"Id", "Path", "Version", "LastUpdateMs"})
_OF_CREATURE = _OF_APPLICATION | {
    "Name", "Source", "Type", "HP", "AC", "Abilities", "Saves", "Skills", "Challenge", "Traits", "Description",
    "Player", "InitiativeModifier", "InitiativeSpecialRoll", "InitiativeAdvantage", *_LINES.values(), *_ACTIONS,
}  # fmt: skip
_OF_SPELL = _OF_APPLICATION | {
    "Name", "Source", "CastingTime", "Range", "Components", "Duration", "Classes", "Level", "School", "Ritual",
    "Description", "SearchHint",  # a hint is derived from the other fields
}  # fmt: skip
# A persistent character: its stat block, and its current hit points.
_OF_CHARACTER = _OF_APPLICATION | {"StatBlock", "CurrentHP", "CharacterVersion"}
# A creature's current state in an encounter.
_OF_COMBATANT = frozenset(
    {"Id", "StatBlock", "PersistentCharacterId", "MaxHP", "CurrentHP", "TemporaryHP", "Initiative", "InitiativeGroup",
     "IndexLabel", "Hidden", "RevealedAC", "RoundCounter", "ElapsedSeconds", "InterfaceVersion", "ImageURL", "Alias",
     "Tags"}
)  # fmt: skip
_OF_ENTRY = frozenset({"Name", "Content", "Usage", "Id"})
_OF_ENCOUNTER = _OF_APPLICATION | {
    "Name", "ActiveCombatantId", "RoundCounter", "Combatants", "BackgroundImageUrl", "ElapsedSeconds",
}  # fmt: skip


def recognises(data: object) -> bool:
    """Whether parsed JSON has a creature, a spell, a character or an encounter in a place where an export has them."""
    return any(section for section, _, _ in _listings(data, "export", []))


def read(data: object, name: str) -> ImportedFile:
    """Read parsed JSON. ``name`` is the book of items without a source. Never raises."""
    books = BookBuilder()
    for section, path, item in _unique_listings(data):
        if not isinstance(item, Mapping) or not section:
            books.skip(name or _UNNAMED, "other", path, "it is not a creature, spell, character or encounter")
            continue
        book = _PAGE.sub("", shown(item.get("Source"))).strip() or name or _UNNAMED
        books.adapt(book, section, str(item.get("Name") or ""), partial(_READERS[section], item, book))
    return ImportedFile(books.books(), invisible=books.invisible)


def _unique_listings(data: object) -> list[Listing]:
    """Everything in an export, a list or a single item. Creatures of encounters come last, each once."""
    combatants: list[Listing] = []
    listings = list(_listings(data, "export", combatants))
    seen = {_content(value) for section, _, value in listings if section == "monsters"} if combatants else set()
    for listing in combatants:
        if (content := _content(listing[2])) not in seen:
            seen.add(content)
            listings.append(listing)
    return listings


def _listings(data: object, path: str, combatants: list[Listing]) -> Iterator[Listing]:
    """The listings of a value at a path; the creatures of encounters go to ``combatants``."""
    if isinstance(data, list):
        for number, item in enumerate(data, 1):
            yield from _listings(item, f"{path} {number}", combatants)
    elif not isinstance(data, Mapping):
        yield "", path, data
    elif "Name" in data and isinstance(data.get("Combatants"), list):
        yield "encounters", path, data
        blocks = (mapping(combatant).get("StatBlock") for combatant in data["Combatants"])
        combatants += [("monsters", path, block) for block in blocks if mapping(block).get("Name")]
    elif "Name" in data and ("HP" in data or "Abilities" in data or "Challenge" in data):
        yield "monsters", path, data
    elif isinstance(data.get("StatBlock"), Mapping):
        yield "monsters", path, _character(data, data["StatBlock"])
    elif "Name" in data and "School" in data and "Level" in data:
        yield "spells", path, data
    elif path == "export":
        for key, value in data.items():
            yield from _listings_of_key(str(key), value, combatants)
    else:
        yield "", path, data


def _character(data: Mapping[str, object], block: Mapping[str, object]) -> dict[str, object]:
    """The stat block of a character with the character's name and notes."""
    fields = {key: value for key, value in data.items() if key not in _OF_CHARACTER}
    block_name = block.get("Name")
    return {**block, **fields, **({} if block_name in (None, data.get("Name")) else {"StatBlock": block_name})}


def _listings_of_key(key: str, value: object, combatants: list[Listing]) -> Iterator[Listing]:
    """The listings under one of an export's keys."""
    if key.partition(".")[0] in _CONTENT:
        content = _unpacked(value)
        if key in _CONTENT and isinstance(content, list):
            content = [item for item in content if not isinstance(item, str)]  # ids of entries elsewhere in the export
        yield from _listings(content, key, combatants)
    elif key != "Settings":
        yield "", key, value


def _unpacked(value: object) -> object:
    """A value of the browser's storage, which is JSON within a text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _content(block: object) -> str:
    """The content of a stat block, to detect duplicates."""
    content = {key: value for key, value in mapping(block).items() if key not in _OF_APPLICATION}
    return json.dumps(content, sort_keys=True, default=str)


def _block(item: Mapping[str, object]) -> StatBlock:
    line, _, alignment = str(item.get("Type") or "").rpartition(", ")
    if not line:
        line, alignment = alignment, ""
    sizes, type_ = split_sizes(line)
    abilities, saves = _by_ability(item.get("Abilities")), _by_ability(item.get("Saves"))
    skills = bonuses(_by_name(item.get("Skills")))
    initiative, initiative_notes = _initiative(item, abilities.get("dexterity"))
    return StatBlock(
        **{name: shown(item.get(field)) for name, field in _LINES.items()},
        name=str(item.get("Name") or ""),
        size=sizes,
        type=type_,
        alignment=alignment,
        armor=_value_and_notes(item.get("AC")),
        hit_points=_value_and_notes(item.get("HP")),
        abilities=abilities,
        saves=saves,
        skills=skills,
        challenge=str(item.get("Challenge") or ""),
        experience=None,  # may be in the line of the challenge rating
        traits=tuple(_entries(item.get("Traits"))),
        actions=tuple(
            (kind, name, text) for field, kind in _ACTIONS.items() for name, text in _entries(item.get(field))
        ),
        initiative=initiative,
        text=str(item.get("Description") or ""),
        other=(
            *initiative_notes,
            *unread("Abilities", item.get("Abilities"), abilities, ABILITIES),
            *unread("Saves", _by_name(item.get("Saves")), saves),
            *unread("Skills", _by_name(item.get("Skills")), skills),
            *unread_fields(item, _OF_CREATURE),
        ),
    )


def _initiative(item: Mapping[str, object], dexterity: int | None) -> tuple[int | None, tuple[Section, ...]]:
    """The initiative bonus that the application adds to Dexterity's, if any, and how initiative is rolled."""
    modifier, roll = item.get("InitiativeModifier"), shown(item.get("InitiativeSpecialRoll"))
    roll = roll or ("advantage" if item.get("InitiativeAdvantage") is True else "")
    notes, extra = _ROLLS.get(roll, roll), bonus(modifier)
    if extra is None:
        notes = f"{shown(modifier)} {notes}".strip()
    dexterity_modifier = ((dexterity if dexterity is not None else 10) - 10) // 2
    return dexterity_modifier + extra if extra else None, sections_of({"Initiative": notes})


def _encounter(item: Mapping[str, object], book: str) -> Record:
    """A prepared encounter: its creatures with their numbers. Its current state is ignored."""
    counts = Counter(map(_combatant, listed(item.get("Combatants"))))
    text = "\n".join(f"- {f'{count} × ' if count > 1 else ''}{line}" for line, count in counts.items())
    head = heading(book, "encounters", str(item.get("Name") or ""), Kind.RULE, text)
    chapter = Ref(name="Encounters", key=f"orcbrew_{book_key(book)}_encounters")
    return Rule(**head, section=chapter, other=unread_fields(item, _OF_ENCOUNTER))


def _combatant(value: object) -> str:
    """A line on a creature of an encounter: its alias, its name, its tags."""
    combatant = value if isinstance(value, Mapping) else {"Alias": value}
    kind, alias = shown(mapping(combatant.get("StatBlock")).get("Name")), shown(combatant.get("Alias"))
    name = f"{alias} ({kind})" if alias and kind else alias or kind or "somebody without a name"
    tags = (shown(tag.get("Text") if isinstance(tag, Mapping) else tag) for tag in listed(combatant.get("Tags")))
    unread = (f"{field.name}: {field.text}" for field in unread_fields(combatant, _OF_COMBATANT))
    return joined(name, *tags, *unread, sep="; ")


def _value_and_notes(value: object) -> str:
    number = value if isinstance(value, Mapping) else {"Value": value}
    return f"{shown(number.get('Value'))} {shown(number.get('Notes'))}".strip()


def _by_name(value: object) -> object:
    """``[{"Name": "Dex", "Modifier": 5}]`` as ``[{"Dex": 5}]``, so that repeated names are kept."""
    if isinstance(value, list):
        return [{shown(row.get("Name")): row.get("Modifier")} if isinstance(row, Mapping) else row for row in value]
    return value


def _by_ability(value: object) -> dict[str, int]:
    return {ability_key(name): number for name, number in bonuses(_by_name(value)).items()}


def _entries(value: object) -> Iterator[tuple[str, str]]:
    for entry in listed(value):
        if isinstance(entry, Mapping):
            usage = f" ({entry['Usage']})" if entry.get("Usage") else ""
            unread = (f"{field.name}: {field.text}" for field in unread_fields(entry, _OF_ENTRY))
            text = joined(str(entry.get("Content") or ""), *unread, sep="\n\n")
            yield f"{entry.get('Name') or ''}{usage}", text
        elif entry:
            yield "", shown(entry)


def _spell(item: Mapping[str, object], book: str) -> Spell:
    components = shown(item.get("Components"))
    letters, _, material = components.partition("(")
    duration, classes = shown(item.get("Duration")), re.split(r"\s*,\s*", shown(item.get("Classes")))
    description = str(item.get("Description") or "")
    school = _RITUAL.sub("", shown(item.get("School")))
    damage_types, damage_roll = damage(description)
    return Spell.model_validate(
        {
            **heading(book, "spells", str(item.get("Name") or ""), Kind.SPELL, description),
            "level": spell_level(bonus(item.get("Level"))),
            "school": slug(school) if school else "",
            "casting_time": casting_time_key(time) if (time := shown(item.get("CastingTime"))) else "",
            "casting_time_text": time,
            "range_text": shown(item.get("Range")),
            "verbal": "V" in letters,
            "somatic": "S" in letters,
            "material": "M" in letters,
            "material_text": material.rstrip(") "),
            "duration": without_concentration(duration),
            "damage_types": damage_types,
            "damage_roll": damage_roll,
            "saving_throw": saving_throw(description),
            "attack_roll": needs_attack_roll(description),
            "concentration": duration.lower().startswith("concentration"),
            "ritual": item.get("Ritual") is True,
            "classes": [{"name": name, "key": parent_key(name, {}, SRD_CLASSES)} for name in classes if name],
            "other": (
                *sections_of({"Components": "" if _COMPONENTS.fullmatch(components) else components}),
                *unread_fields(item, _OF_SPELL),
            ),
        }
    )


_READERS: Mapping[str, Callable[[Mapping[str, object], str], Record]] = {
    "monsters": lambda item, book: to_creature(_block(item), book),
    "spells": _spell,
    "encounters": _encounter,
}
