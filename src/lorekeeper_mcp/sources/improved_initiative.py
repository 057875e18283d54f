"""Reads Improved Initiative's JSON: exports of all data, lists of items, and single ones."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from lorekeeper_mcp.models import ActionType, Kind, Record, Ref, Rule, Section
from lorekeeper_mcp.models.vocabulary import ABILITIES, SRD_CLASSES
from lorekeeper_mcp.sources.imported import BookBuilder, ImportedFile, book_key, parent_key
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.reading import Fields, Printer, integer, integers, listed, mapping, sections_of, shown
from lorekeeper_mcp.sources.spell_form import SpellForm, to_spell
from lorekeeper_mcp.sources.stat_block import StatBlock, ability_key, heading, split_sizes, to_creature, unread

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
_ALIGNMENTS = {
    "LG": "lawful good", "NG": "neutral good", "CG": "chaotic good", "LN": "lawful neutral", "N": "neutral",
    "CN": "chaotic neutral", "LE": "lawful evil", "NE": "neutral evil", "CE": "chaotic evil", "U": "unaligned",
}  # fmt: skip
_STORAGE = "ImprovedInitiative."  # before each key of an export of the browser's storage
# The application's data on an item; a difference in these does not make another one.
_OF_APPLICATION = frozenset({"Id", "Path", "Version", "LastUpdateMs"})
# A persistent character: its stat block, and its current hit points.
_OF_CHARACTER = _OF_APPLICATION | {"StatBlock", "CurrentHP", "CharacterVersion"}
# The current state of an encounter and of its creatures.
_OF_ENCOUNTER = _OF_APPLICATION | {
    "ActiveCombatantId", "RoundCounter", "Combatants", "BackgroundImageUrl", "ElapsedSeconds", "StatBlock",
    "PersistentCharacterId", "MaxHP", "CurrentHP", "TemporaryHP", "Initiative", "InitiativeGroup", "IndexLabel",
    "Hidden", "RevealedAC", "InterfaceVersion", "ImageURL", "Alias", "Tags",
}  # fmt: skip
_CREATURE = Printer(skipped=_OF_APPLICATION | {"Player", "Source"})
_SPELL = Printer(skipped=_OF_APPLICATION | {"Source", "SearchHint"})  # a hint is derived from the other fields
_ENCOUNTER = Printer(skipped=_OF_ENCOUNTER)


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
    if key.startswith(_STORAGE):
        key = key.removeprefix(_STORAGE)
        if key.partition(".")[0] not in _CONTENT:
            return  # settings, and what the application remembers of its user
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
    fields = Fields(item, _CREATURE)
    line, _, alignment = fields.text("Type").rpartition(", ")
    if not line:
        line, alignment = alignment, ""
    sizes, type_ = split_sizes(line)
    abilities, saves = _by_ability(item.get("Abilities")), _by_ability(item.get("Saves"))
    skills = integers(_by_name(item.get("Skills")))
    initiative, initiative_notes = _initiative(fields, abilities.get("dexterity"))
    fields.drop("Abilities", "Saves", "Skills")
    return StatBlock(
        **{name: fields.line(field) for name, field in _LINES.items()},
        name=fields.text("Name"),
        size=sizes,
        type=type_,
        alignment=_ALIGNMENTS.get(alignment, alignment),
        armor=_value_and_notes(fields.take("AC")),
        hit_points=_value_and_notes(fields.take("HP")),
        abilities=abilities,
        saves=saves,
        skills=skills,
        challenge=fields.line("Challenge"),
        experience=None,  # may be in the line of the challenge rating
        traits=tuple(_entries(fields.take("Traits"))),
        actions=tuple(
            (kind, name, text) for field, kind in _ACTIONS.items() for name, text in _entries(fields.take(field))
        ),
        initiative=initiative,
        text=fields.line("Description"),
        other=(
            *initiative_notes,
            *unread("Abilities", item.get("Abilities"), abilities, ABILITIES),
            *unread("Saves", _by_name(item.get("Saves")), saves),
            *unread("Skills", _by_name(item.get("Skills")), skills),
            *fields.also(),
        ),
    )


def _initiative(fields: Fields, dexterity: int | None) -> tuple[int | None, tuple[Section, ...]]:
    """The initiative bonus that the application adds to Dexterity's, if any, and how initiative is rolled."""
    modifier, roll = fields.take("InitiativeModifier"), fields.line("InitiativeSpecialRoll")
    roll = roll or ("advantage" if fields.flag("InitiativeAdvantage") else "")
    notes, extra = _ROLLS.get(roll, roll), integer(modifier)
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
    return Rule(**head, section=chapter, other=_ENCOUNTER.sections({**item, "Name": ""}))


def _combatant(value: object) -> str:
    """A line on a creature of an encounter: its alias, its name, its tags."""
    combatant = value if isinstance(value, Mapping) else {"Alias": value}
    kind, alias = shown(mapping(combatant.get("StatBlock")).get("Name")), shown(combatant.get("Alias"))
    name = f"{alias} ({kind})" if alias and kind else alias or kind or "somebody without a name"
    tags = (shown(tag.get("Text") if isinstance(tag, Mapping) else tag) for tag in listed(combatant.get("Tags")))
    unread = (f"{field.name}: {field.text}" for field in _ENCOUNTER.sections(combatant))
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
    return {ability_key(name): number for name, number in integers(_by_name(value)).items()}


def _entries(value: object) -> Iterator[tuple[str, str]]:
    for entry in listed(value):
        if isinstance(entry, Mapping):
            fields = Fields(entry)
            fields.drop("Id")
            name, usage, content = fields.text("Name"), fields.line("Usage"), fields.line("Content")
            unread_fields = (f"{field.name}: {field.text}" for field in fields.also())
            yield f"{name} ({usage})" if usage else name, joined(content, *unread_fields, sep="\n\n")
        elif entry:
            yield "", shown(entry)


def _spell(item: Mapping[str, object], book: str) -> Record:
    fields = Fields(item, _SPELL)
    name, description, components = fields.text("Name"), fields.line("Description"), fields.line("Components")
    letters, _, material = components.partition("(")
    classes = fields.names("Classes")
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
        classes=tuple(Ref(name=name, key=parent_key(name, {}, SRD_CLASSES)) for name in classes),
        other=(*sections_of({"Components": "" if _COMPONENTS.fullmatch(components) else components}), *fields.also()),
    )
    return to_spell(form, heading(book, "spells", name, Kind.SPELL, description))


_READERS: Mapping[str, Callable[[Mapping[str, object], str], Record]] = {
    "monsters": lambda item, book: to_creature(_block(item), book),
    "spells": _spell,
    "encounters": _encounter,
}
