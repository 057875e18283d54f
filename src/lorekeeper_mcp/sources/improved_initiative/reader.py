"""An export's creatures and spells to records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from lorekeeper_mcp.filters.argument_types import casting_time_key
from lorekeeper_mcp.models import ActionType, Kind, Ref, Section, Spell
from lorekeeper_mcp.models.vocabulary import ABILITIES, SRD_CLASSES
from lorekeeper_mcp.sources.book_builder import BookBuilder
from lorekeeper_mcp.sources.imported import ImportedFile, ItemError, parent_key, slug
from lorekeeper_mcp.sources.saving_throws import saving_throw
from lorekeeper_mcp.sources.spell_damage import damage_named
from lorekeeper_mcp.sources.stat_block import (
    StatBlock,
    ability_key,
    bonus,
    bonuses,
    heading,
    rest,
    shown,
    to_creature,
    unread,
)

_CONTENT = ("Creatures", "Spells", "PersistentCharacters", "PlayerCharacters")
_PAGE = re.compile(r"[,;]?\s+(?:p|pg|page|pages|pp)\.?\s*\d[\d, –-]*$", re.IGNORECASE)
_COMPONENTS = re.compile(r"[VS, ]*(?:M[, ]*(?:\([^()]*\))?)?\s*")
_SIZE = re.compile(r"\s*(tiny|small|medium|large|huge|gargantuan)\s+(?!or\b)", re.IGNORECASE)
_CONCENTRATION = re.compile(r"^\s*concentration\b[\s,:;(]*(?:up\s+to\s+)?", re.IGNORECASE)
_RITUAL = re.compile(r"\s*\(ritual\)", re.IGNORECASE)
_UNNAMED = "Improved Initiative"
_ACTIONS = {
    "Actions": ActionType.ACTION,
    "BonusActions": ActionType.BONUS_ACTION,
    "Reactions": ActionType.REACTION,
    "LegendaryActions": ActionType.LEGENDARY_ACTION,
    "MythicActions": ActionType.LEGENDARY_ACTION,
}
# ``Id`` and ``Version`` are the application's, ``Path`` is a folder of its library, and a picture no text.
_KNOWN = frozenset(
    {
        "Id", "Name", "Path", "Source", "Type", "HP", "AC", "Speed", "Abilities", "Saves", "Skills", "Senses",
        "Languages", "Challenge", "Traits", "Description", "DamageVulnerabilities", "DamageResistances",
        "DamageImmunities", "ConditionImmunities", "Version", "LastUpdateMs", "ImageURL", "Player", *_ACTIONS,
    }
)  # fmt: skip
_SPELL = frozenset(
    {
        "Id", "Name", "Path", "Source", "CastingTime", "Range", "Components", "Duration", "Classes", "Level", "School",
        "Ritual", "Description", "Version", "LastUpdateMs", "SearchHint",  # a hint is made of the other fields
    }
)  # fmt: skip


# Of a character that is kept from game to game: its stat block, and the hit points that it has at the moment.
_CHARACTER = frozenset({"StatBlock", "CurrentHP", "CharacterVersion", "Id", "LastUpdateMs", "Version", "Path"})


def recognises(data: object) -> bool:
    """Whether parsed JSON is an export, a list of creatures or one creature."""
    return any(section for section, _, _ in _items(data))


def _items(data: object, path: str = "export") -> Iterator[tuple[str, str, object]]:
    """Creatures and spells, told apart by their fields, wherever they stand, with their places; else no section."""
    if isinstance(data, list):
        for number, one in enumerate(data, 1):
            yield from _items(one, f"{path} {number}")
    elif not isinstance(data, Mapping):
        yield "", path, data
    elif "Name" in data and ("HP" in data or "Abilities" in data or "Challenge" in data):
        yield "monsters", path, data
    elif isinstance(data.get("StatBlock"), Mapping) and "Combatants" not in data:  # a character, kept from game to game
        own = {key: value for key, value in data.items() if key not in _CHARACTER}
        block = data["StatBlock"]
        named = {"StatBlock": block["Name"]} if block.get("Name") not in (None, data.get("Name")) else {}
        yield "monsters", path, {**block, **own, **named}
    elif "Name" in data and "School" in data and "Level" in data:
        yield "spells", path, data
    elif path == "export":
        for key, value in data.items():
            inner = _unpacked(value) if str(key).partition(".")[0] in _CONTENT else value
            if key in _CONTENT and isinstance(inner, list):
                inner = [one for one in inner if not isinstance(one, str)]  # without the ids of what stands elsewhere
            if str(key).partition(".")[0] in _CONTENT:
                yield from _items(inner, str(key))
            elif key != "Settings":
                yield "", str(key), value
    else:
        yield "", path, data


def _unpacked(value: object) -> object:
    """A value of the browser's storage, which is JSON in a text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def read(data: object, name: str) -> ImportedFile:
    """Read parsed JSON. ``name`` is the book of items without a source. Never raises."""
    books = BookBuilder()
    for section, path, item in _items(data):
        if not isinstance(item, Mapping) or not section:
            books.skip(name or _UNNAMED, "other", path, "it is neither a creature nor a spell")
            continue
        book = _PAGE.sub("", shown(item.get("Source"))).strip() or name or _UNNAMED
        called = str(item.get("Name") or "")
        try:
            record = to_creature(_block(item), book) if section == "monsters" else _spell(item, book)
        except ItemError as error:
            books.skip(book, section, called, str(error))
        except (ValidationError, TypeError, ValueError, AttributeError) as error:
            books.skip(book, section, called, f"its fields are not as the format has them ({type(error).__name__})")
        else:
            books.add(book, section, record)
    return ImportedFile(books.books(), invisible=books.invisible)


def _block(item: Mapping[str, object]) -> StatBlock:
    line, _, alignment = str(item.get("Type") or "").rpartition(", ")
    if not line:
        line, alignment = alignment, ""
    size = _SIZE.match(line)
    abilities, saves = _of_abilities(item.get("Abilities")), _of_abilities(item.get("Saves"))
    skills = bonuses(_named(item.get("Skills")))
    return StatBlock(
        name=str(item.get("Name") or ""),
        size=size[1] if size else line,
        type=line[size.end() :] if size else line,
        alignment=alignment,
        armor=_valued(item.get("AC")),
        hit_points=_valued(item.get("HP")),
        speed=shown(item.get("Speed")),
        abilities=abilities,
        saves=saves,
        skills=skills,
        vulnerabilities=shown(item.get("DamageVulnerabilities")),
        resistances=shown(item.get("DamageResistances")),
        immunities=shown(item.get("DamageImmunities")),
        conditions=shown(item.get("ConditionImmunities")),
        senses=shown(item.get("Senses")),
        languages=shown(item.get("Languages")),
        challenge=str(item.get("Challenge") or ""),
        traits=tuple(_entries(item.get("Traits"))),
        actions=tuple(
            (kind, name, text) for field, kind in _ACTIONS.items() for name, text in _entries(item.get(field))
        ),
        text=str(item.get("Description") or ""),
        other=(
            *unread("Abilities", item.get("Abilities"), abilities, ABILITIES),
            *unread("Saves", _named(item.get("Saves")), saves),
            *unread("Skills", _named(item.get("Skills")), skills),
            *rest(item, _KNOWN),
        ),
    )


def _valued(value: object) -> str:
    spec = value if isinstance(value, Mapping) else {"Value": value}
    return " ".join(filter(None, (shown(spec.get("Value")), shown(spec.get("Notes")))))


def _named(value: object) -> object:
    """``[{"Name": "Dex", "Modifier": 5}]`` as ``[{"Dex": 5}]``, of which no name hides another."""
    if isinstance(value, list):
        return [{one.get("Name"): one.get("Modifier")} if isinstance(one, Mapping) else one for one in value]
    return value


def _of_abilities(value: object) -> dict[str, int]:
    return {ability_key(name): number for name, number in bonuses(_named(value)).items()}


def _entries(value: object) -> Iterator[tuple[str, str]]:
    for one in value if isinstance(value, list) else []:
        if isinstance(one, Mapping):
            usage = f" ({one['Usage']})" if one.get("Usage") else ""
            more = (f"{field.name}: {field.text}" for field in rest(one, ("Name", "Content", "Usage", "Id")))
            told = "\n\n".join(filter(None, (str(one.get("Content") or ""), *more)))
            yield f"{one.get('Name') or ''}{usage}", told
        elif one:
            yield "", shown(one)


def _spell(item: Mapping[str, object], book: str) -> Spell:
    level = bonus(item.get("Level"))
    if level is None or not 0 <= level <= 20:
        raise ItemError("it has no level from 0 (cantrip) up")
    parts = shown(item.get("Components"))
    letters, _, material = parts.partition("(")
    duration, classes = shown(item.get("Duration")), item.get("Classes")
    description = str(item.get("Description") or "")
    damage = damage_named(description)
    school = _RITUAL.sub("", shown(item.get("School")))
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
            "duration": _CONCENTRATION.sub("", duration),
            "damage_types": tuple(dict.fromkeys(kind for _, kind in damage)),
            "damage_roll": next((dice for dice, _ in damage if dice), ""),
            "saving_throw": saving_throw(description),
            "concentration": duration.lower().startswith("concentration"),
            "ritual": item.get("Ritual") is True,
            "classes": tuple(Ref(name=str(one), key=parent_key(str(one), {}, SRD_CLASSES)) for one in classes if one)
            if isinstance(classes, list)
            else (),
            "other": (
                *([Section(name="Components", text=parts)] if parts and not _COMPONENTS.fullmatch(parts) else []),
                *rest(item, _SPELL),
            ),
        }
    )
