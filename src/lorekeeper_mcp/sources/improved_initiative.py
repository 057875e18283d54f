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
from lorekeeper_mcp.sources.saving_throws import saving_throw
from lorekeeper_mcp.sources.spell_texts import damage, spell_level, without_concentration
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
_OF_ENCOUNTER = _OF_APPLICATION | {
    "Name", "ActiveCombatantId", "RoundCounter", "Combatants", "BackgroundImageUrl", "ElapsedSeconds",
}  # fmt: skip


def recognises(data: object) -> bool:
    """Whether parsed JSON has a creature, a spell, a character or an encounter in a place where an export has them."""
    return any(section for section, _, _ in _listed(data, "export", []))


def read(data: object, name: str) -> ImportedFile:
    """Read parsed JSON. ``name`` is the book of items without a source. Never raises."""
    books = BookBuilder()
    for section, path, item in _listings(data):
        if not isinstance(item, Mapping) or not section:
            books.skip(name or _UNNAMED, "other", path, "it is no creature, spell, character or encounter")
            continue
        book = _PAGE.sub("", shown(item.get("Source"))).strip() or name or _UNNAMED
        books.adapt(book, section, str(item.get("Name") or ""), partial(_READERS[section], item, book))
    return ImportedFile(books.books(), invisible=books.invisible)


def _listings(data: object) -> list[Listing]:
    """Everything in an export, a list or a single item. Creatures of encounters come last, each once."""
    fighters: list[Listing] = []
    found = list(_listed(data, "export", fighters))
    seen = {_content(value) for section, _, value in found if section == "monsters"} if fighters else set()
    for section, path, block in fighters:
        if (content := _content(block)) not in seen:
            seen.add(content)
            found.append((section, path, block))
    return found


def _listed(data: object, path: str, fighters: list[Listing]) -> Iterator[Listing]:
    """The listings of a value at a path; the creatures of encounters go to ``fighters``."""
    if isinstance(data, list):
        for number, one in enumerate(data, 1):
            yield from _listed(one, f"{path} {number}", fighters)
    elif not isinstance(data, Mapping):
        yield "", path, data
    elif "Name" in data and isinstance(data.get("Combatants"), list):
        yield "encounters", path, data
        blocks = (one.get("StatBlock") for one in data["Combatants"] if isinstance(one, Mapping))
        fighters += [("monsters", path, block) for block in blocks if isinstance(block, Mapping) and block.get("Name")]
    elif "Name" in data and ("HP" in data or "Abilities" in data or "Challenge" in data):
        yield "monsters", path, data
    elif isinstance(data.get("StatBlock"), Mapping):
        own = {key: value for key, value in data.items() if key not in _OF_CHARACTER}
        block = data["StatBlock"]
        named = {"StatBlock": block["Name"]} if block.get("Name") not in (None, data.get("Name")) else {}
        yield "monsters", path, {**block, **own, **named}
    elif "Name" in data and "School" in data and "Level" in data:
        yield "spells", path, data
    elif path == "export":
        for key, value in data.items():
            yield from _listings_of(str(key), value, fighters)
    else:
        yield "", path, data


def _listings_of(key: str, value: object, fighters: list[Listing]) -> Iterator[Listing]:
    """The listings under one of an export's keys."""
    if key.partition(".")[0] in _CONTENT:
        inner = _unpacked(value)
        if key in _CONTENT and isinstance(inner, list):
            inner = [one for one in inner if not isinstance(one, str)]  # ids of entries elsewhere in the export
        yield from _listed(inner, key, fighters)
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
    abilities, saves = _of_abilities(item.get("Abilities")), _of_abilities(item.get("Saves"))
    skills = bonuses(_named(item.get("Skills")))
    initiative, initiative_notes = _initiative(item, abilities.get("dexterity"))
    return StatBlock(
        **{name: shown(item.get(field)) for name, field in _LINES.items()},
        name=str(item.get("Name") or ""),
        size=sizes,
        type=type_,
        alignment=alignment,
        armor=_valued(item.get("AC")),
        hit_points=_valued(item.get("HP")),
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
            *unread("Saves", _named(item.get("Saves")), saves),
            *unread("Skills", _named(item.get("Skills")), skills),
            *unread_fields(item, _OF_CREATURE),
        ),
    )


def _initiative(item: Mapping[str, object], dexterity: int | None) -> tuple[int | None, tuple[Section, ...]]:
    """The initiative bonus that the application adds to Dexterity's, if any, and how initiative is rolled."""
    given, rolled = item.get("InitiativeModifier"), shown(item.get("InitiativeSpecialRoll"))
    more = bonus(given)
    rolled = rolled or ("advantage" if item.get("InitiativeAdvantage") is True else "")
    text = _ROLLS.get(rolled, rolled)
    if more is None and shown(given):
        text = " ".join(filter(None, (shown(given), text)))
    total = (((dexterity if dexterity is not None else 10) - 10) // 2 + more) if more else None
    return total, sections_of({"Initiative": text})


def _encounter(item: Mapping[str, object], book: str) -> Record:
    """A prepared encounter: its creatures with their numbers. Its current state is ignored."""
    lines: Counter[str] = Counter()
    for one in listed(item.get("Combatants")):
        spec = one if isinstance(one, Mapping) else {"Alias": one}
        kind, alias = shown(mapping(spec.get("StatBlock")).get("Name")), shown(spec.get("Alias"))
        tags = listed(spec.get("Tags"))
        noted = [shown(tag.get("Text") if isinstance(tag, Mapping) else tag) for tag in tags]
        noted += [f"{field.name}: {field.text}" for field in unread_fields(spec, _OF_COMBATANT)]
        named = f"{alias} ({kind})" if alias and kind else alias or kind or "somebody without a name"
        lines["; ".join(filter(None, (named, *noted)))] += 1
    text = "\n".join(f"- {f'{count} × ' if count > 1 else ''}{line}" for line, count in lines.items())
    head = heading(book, "encounters", str(item.get("Name") or ""), Kind.RULE, text)
    chapter = Ref(name="Encounters", key=f"orcbrew_{book_key(book)}_encounters")
    return Rule(**head, section=chapter, other=unread_fields(item, _OF_ENCOUNTER))


def _valued(value: object) -> str:
    spec = value if isinstance(value, Mapping) else {"Value": value}
    return " ".join(filter(None, (shown(spec.get("Value")), shown(spec.get("Notes")))))


def _named(value: object) -> object:
    """``[{"Name": "Dex", "Modifier": 5}]`` as ``[{"Dex": 5}]``, so that repeated names are kept."""
    if isinstance(value, list):
        return [{one.get("Name"): one.get("Modifier")} if isinstance(one, Mapping) else one for one in value]
    return value


def _of_abilities(value: object) -> dict[str, int]:
    return {ability_key(name): number for name, number in bonuses(_named(value)).items()}


def _entries(value: object) -> Iterator[tuple[str, str]]:
    for one in value if isinstance(value, list) else []:
        if isinstance(one, Mapping):
            usage = f" ({one['Usage']})" if one.get("Usage") else ""
            more = (f"{field.name}: {field.text}" for field in unread_fields(one, ("Name", "Content", "Usage", "Id")))
            text = "\n\n".join(filter(None, (str(one.get("Content") or ""), *more)))
            yield f"{one.get('Name') or ''}{usage}", text
        elif one:
            yield "", shown(one)


def _spell(item: Mapping[str, object], book: str) -> Spell:
    level = spell_level(bonus(item.get("Level")))
    parts = shown(item.get("Components"))
    letters, _, material = parts.partition("(")
    duration, classes = shown(item.get("Duration")), item.get("Classes")
    classes = [str(one) for one in classes if one] if isinstance(classes, list) else []
    description = str(item.get("Description") or "")
    school = _RITUAL.sub("", shown(item.get("School")))
    damage_types, damage_roll = damage(description)
    return Spell.model_validate(
        {
            **heading(book, "spells", str(item.get("Name") or ""), Kind.SPELL, description),
            "level": level,
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
            "concentration": duration.lower().startswith("concentration"),
            "ritual": item.get("Ritual") is True,
            "classes": [{"name": one, "key": parent_key(one, {}, SRD_CLASSES)} for one in classes],
            "other": (
                *sections_of({"Components": "" if _COMPONENTS.fullmatch(parts) else parts}),
                *unread_fields(item, _OF_SPELL),
            ),
        }
    )


_READERS: Mapping[str, Callable[[Mapping[str, object], str], Record]] = {
    "monsters": lambda item, book: to_creature(_block(item), book),
    "spells": _spell,
    "encounters": _encounter,
}
