"""Stat blocks of the SRD 5.1 as printed, for what the data package lacks, retells or has wrong."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple, TypeVar

from lorekeeper_mcp.models import Action, ActionType, Creature, Defenses, Section
from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES
from lorekeeper_mcp.text import fold, letters, slugify
from srd_converter.book2014.pages import Line, read
from srd_converter.book2014.proofreading import joined, proofread, sentences
from srd_converter.book_prose import lead_in, split_lead_in
from srd_converter.creature_facts import language_keys, senses
from srd_converter.sections import split_at
from srd_converter.text_repairs import tight_lists

R = TypeVar("R", Action, Section)
_PAGES = (254, 403)
_TRAITS = ""  # have no heading
_VARIANTS = {
    "Giant Rat (Diseased)": "Giant Rat",
    **{f"Swarm of {name}": "Swarm of Insects" for name in ("Beetles", "Centipedes", "Spiders", "Wasps")},
}
"""Creatures that the book describes by how they differ from another."""
_NAMES = {"Deep Gnome (Svirfneblin)": "Gnome, Deep (Svirfneblin)", "Drow": "Elf, Drow", **_VARIANTS}
_TYPES = {
    "Actions": ActionType.ACTION,
    "Reactions": ActionType.REACTION,
    "Legendary Actions": ActionType.LEGENDARY_ACTION,
}
# The line under a creature's name, which may span two: Medium humanoid (human, shapechanger), chaotic evil.
_KIND = re.compile(
    r"^(?:Tiny|Small|Medium|Large|Huge|Gargantuan) (?P<type>[\w ]+(?:\([^)]*\))?), ?(?P<alignment>[^.]+?) Armor Class\b"
)
_FACTS = re.compile(
    r"\b(Armor Class|Hit Points|Speed|STR|Saving Throws|Skills|Damage Vulnerabilities|Damage Resistances?"
    r"|Damage Immunities|Condition Immunities|Senses|Languages|Challenge) "
)
_DAMAGE_TYPE = "|".join(DAMAGE_TYPES)
_LIMITS = re.compile(r" \([^)]*\)$")
_SKILL = re.compile(r"([A-Z][a-z]+(?: of Hand| Handling)?) (\+\d+)")
_SPELLS = re.compile(r"(?:At will|\d/day(?: each)?): ")
_COMPACT = str.maketrans({" ": None, "−": "-"})
_TELLING = 40  # letters that tell one text from another
_MISPRINTED = {("srd_giant-sea-horse", "Charge")}  # page 376: "It the target is a creature"
_LEGENDARY = re.compile(
    r"The ([a-z ]+?) can take \d legendary actions, choosing from the options below\. .*?"
    r"regains spent legendary actions at the start of its turn\."
)


class Entry(NamedTuple):
    """A trait or an action: the heading that it stands under, its name with the limits in brackets, and its text."""

    section: str
    name: str
    text: str

    @property
    def plain_name(self) -> str:
        """The name without limits."""
        return _LIMITS.sub("", self.name)


@dataclass(frozen=True)
class StatBlock:
    """A stat block: type and alignment from the line under its name, facts by label, entries, and the whole text."""

    type_text: str
    alignment: str
    facts: Mapping[str, str]
    entries: tuple[Entry, ...]
    text: str


def with_printed_stat_block(record: Creature) -> Creature:
    """The creature with the book's facts, names of traits and actions, and texts."""
    texts = {
        "text": proofread(record.text),
        "traits": tuple(map(_proofread, record.traits)),
        "actions": tuple(map(_proofread, record.actions)),
        "legendary_text": _legendary_text(record),
    }
    record = record.model_copy(update=texts)
    block = _stat_blocks()[fold(_NAMES.get(record.name, record.name))]
    if record.name in _VARIANTS:
        block = replace(block, entries=())
    return record.model_copy(update=_printed(record, block))


def _printed(record: Creature, block: StatBlock) -> dict[str, object]:
    """The fields that are as printed: those above the traits, and the names of traits and actions."""
    armor = block.facts["Armor Class"]
    armor_class, _, armor_source = re.sub("[()]", "", armor).partition(" ")
    languages = block.facts["Languages"].removeprefix("—")
    # The package has lost two of the skills.
    skills = {slugify(name): int(bonus) for name, bonus in _SKILL.findall(block.facts.get("Skills", ""))}
    return {
        "text": record.text or _introduction(record, block),
        "type_text": block.type_text,
        "alignment": block.alignment,
        "hit_dice": block.facts["Hit Points"].partition("(")[2].rstrip(")").translate(_COMPACT),
        "armor_class": int(armor_class),
        # The armor class of each form of a lycanthrope is printed with it.
        "armor_text": armor if " form" in armor else armor_source,
        "skills": record.skills | skills,
        "defenses": _defenses(block.facts),
        "senses": senses(block.facts["Senses"]),
        "languages": languages,
        "language_keys": language_keys(languages),
        "traits": tuple(_traits(record, block)),
        "actions": tuple(_actions(record, block)),
    }


def _defenses(facts: Mapping[str, str]) -> Defenses:
    vulnerabilities = facts.get("Damage Vulnerabilities", "")
    resistances = facts.get("Damage Resistances", "") or facts.get("Damage Resistance", "")  # of one block
    immunities = facts.get("Damage Immunities", "")
    conditions = facts.get("Condition Immunities", "")
    return Defenses(
        damage_vulnerabilities_text=vulnerabilities,
        damage_vulnerabilities=_damages(vulnerabilities),
        damage_resistances_text=resistances,
        damage_resistances=_damages(resistances),
        damage_immunities_text=immunities,
        damage_immunities=_damages(immunities),
        condition_immunities_text=conditions,
        condition_immunities=tuple(conditions.split(", ")) if conditions else (),
    )


def _damages(damages: str) -> tuple[str, ...]:
    """The damage types, also those with a condition: ``slashing from nonmagical attacks``."""
    return tuple(re.findall(_DAMAGE_TYPE, damages))


def _traits(record: Creature, block: StatBlock) -> Iterator[Section]:
    """The traits as printed; their names say when and how often they can be used. First the speeds of other forms."""
    if " form" in block.facts["Speed"]:
        yield Section(name="Speed", text=block.facts["Speed"])
    entries = [entry for entry in block.entries if entry.section == _TRAITS]
    for trait in record.traits:
        entry = _entry_of(_LIMITS.sub("", trait.name), trait.text, entries)
        if entry:
            yield trait.model_copy(update={"name": entry.name, "text": _text(record, trait, entry)})
        else:
            yield trait


def _actions(record: Creature, block: StatBlock) -> Iterator[Action]:
    """The actions as printed, with those that the package lacks."""
    known = letters(" ".join(action.text for action in record.actions))
    for section, type_ in _TYPES.items():
        entries = [entry for entry in block.entries if entry.section == section]
        actions = [_action(record, action, entries) for action in record.actions if action.type is type_]
        names = {fold(action.name) for action in actions}
        for index, entry in enumerate(entries):
            if fold(entry.plain_name) not in names and letters(entry.text)[:_TELLING] not in known:
                actions.insert(index, Action(name=entry.name, text=entry.text, type=type_))
        yield from actions


def _action(record: Creature, action: Action, entries: Iterable[Entry]) -> Action:
    entry = _entry_of(action.name, action.text, entries)
    if entry is None:
        return action
    text = _text(record, action, entry)
    changes = {"name": entry.plain_name, "text": text}
    limit = entry.name.removeprefix(entry.plain_name).strip(" ()")
    if limit.endswith("Form Only"):
        changes["limited_to_form"] = limit
    elif limit.endswith("Form"):
        changes["name"] = entry.name
    return action.model_copy(update=changes)


def _entry_of(name: str, text: str, entries: Iterable[Entry]) -> Entry | None:
    """The entry with a name, or with the same text under another one."""
    by_text = None
    for entry in entries:
        if fold(entry.plain_name) == fold(name):
            return entry
        if letters(entry.text) == letters(text):
            by_text = entry
    return by_text


def _text(record: Creature, section: Section | Action, entry: Entry) -> str:
    """The text of the package, which has paragraphs and lists, or the book's if its words are different."""
    is_retold = "\n" not in section.text and letters(section.text) not in letters(entry.text)
    return entry.text if is_retold and (record.key, section.name) not in _MISPRINTED else section.text


def _proofread(section: R) -> R:
    """The section with the book's sentences, each line a paragraph or an item of a list of spells."""
    lines = (lead_in(line) for line in proofread(section.text).split("\n") if line)
    text = "\n\n".join(f"- {line}" if _SPELLS.match(line) else line for line in lines)
    return section.model_copy(update={"text": tight_lists(text)})


@functools.cache
def _lines() -> tuple[Line, ...]:
    first, last = _PAGES
    return tuple(line for line in read() if first <= line.page <= last)


@functools.cache
def _stat_blocks() -> Mapping[str, StatBlock]:
    """Folded name -> the stat block, whose text goes up to the next one or a heading."""
    lines = _lines()
    texts = [line.text for line in lines]
    heads = {index: head for index in range(1, len(texts)) if (head := _KIND.match(" ".join(texts[index : index + 3])))}
    sections = split_at(lines, [index - 1 for index in heads])
    return {
        fold(name.text): _stat_block(head, list(takewhile(lambda line: not line.is_heading, below)))
        for head, (name, *below) in zip(heads.values(), sections, strict=True)
    }


def _stat_block(head: re.Match[str], lines: Sequence[Line]) -> StatBlock:
    text = joined(lines)
    return StatBlock(head["type"], head["alignment"], _facts(text), tuple(_entries(lines)), text)


def _facts(text: str) -> dict[str, str]:
    """The facts by label; each stands once, and the challenge rating last."""
    _, *pieces = _FACTS.split(text)
    facts: dict[str, str] = {}
    for label, fact in zip(pieces[::2], pieces[1::2], strict=True):
        facts.setdefault(label, fact.strip())
        if label == "Challenge":
            break
    return facts


def _entries(lines: Sequence[Line]) -> Iterator[Entry]:
    """Each trait and action. One begins after a sentence or a heading, or is indented."""
    section, name, above = _TRAITS, "", ""
    entry_lines: list[Line] = []
    for line in lines:
        lead, rest = split_lead_in(line.text)
        is_first = bool(lead) and (line.opens or not above or above.endswith((".", ")")))
        if name and (is_first or line.text in _TYPES):
            yield Entry(section, name, joined(entry_lines))
            name = ""
        if line.text in _TYPES:
            section, above = line.text, ""
            continue
        if is_first:
            name, entry_lines = lead, [replace(line, cells=(rest,))]
        else:
            entry_lines.append(line)
        above = line.text
    yield Entry(section, name, joined(entry_lines))


def _introduction(record: Creature, block: StatBlock) -> str:
    """The text below a stat block, after the last sentence of its actions."""
    last_sentences = [action.text.split(". ")[-1] for action in record.actions]
    ends = [block.text.rfind(last) + len(last) for last in last_sentences if last in block.text]
    text = block.text[max(ends, default=len(block.text)) :].strip()
    is_action, _ = split_lead_in(text)  # the package's wording differs so much that it is not found
    return text if sentences(text) and not is_action else ""


def _legendary_text(record: Creature) -> str:
    """The introduction of the legendary actions, which dragons of all ages share; "" if the creature has none."""
    if not any(action.type is ActionType.LEGENDARY_ACTION for action in record.actions):
        return ""
    return next(text for name, text in _legendary_texts().items() if name in record.name.lower())


@functools.cache
def _legendary_texts() -> Mapping[str, str]:
    """The short name of a creature -> the introduction of its legendary actions."""
    return {printed[1]: printed[0] for printed in _LEGENDARY.finditer(joined(_lines()))}
