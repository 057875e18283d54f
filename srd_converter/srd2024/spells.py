"""Spells, cut from the official text: each begins with its name and a line of level, school and classes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.models import CastingOption, Kind, Spell
from lorekeeper_mcp.models.printed_values import damage_in, damage_types_in
from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES
from lorekeeper_mcp.sources.spell_form import material_consumed, material_cost, saving_throw
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.sections import split_at
from srd_converter.spell_facts import spell_range
from srd_converter.srd2024.document import COMMON, key_of, ref
from srd_converter.srd2024.inline_stat_blocks import with_stat_block

_PAGES = (107, 175)
_SCHOOLS = "Abjuration|Conjuration|Divination|Enchantment|Evocation|Illusion|Necromancy|Transmutation"
_RANK = re.compile(
    rf"^(?:Level (?P<level>\d) (?P<school>{_SCHOOLS})|(?P<cantrip>{_SCHOOLS}) Cantrip) \((?P<classes>[^)]*)"
)
_FACT = re.compile(r"^(Casting Time|Range|Component|Duration)s?: ?")
_HIGHER = re.compile(r"\*\*(?:Using a Higher-Level Spell Slot|Cantrip Upgrade)\.\*\* ")
_MATERIAL = re.compile(r"\bM \((.*)\)$")
_TYPES = "|".join(DAMAGE_TYPES)
_DAMAGE = re.compile(rf" ({_TYPES})(?=[ ,](?:or (?:{_TYPES})|damage|{_TYPES}))", re.IGNORECASE)
_RESISTED = re.compile(r"\b(?:resistance|immunity|vulnerability|immune) to\b", re.IGNORECASE)
_ROLL = re.compile(rf"(\d+d\d+(?: ?\+ ?\d+)?) (?:(?:{_TYPES}|extra)\b[ ,]*(?:or )?)*damage", re.IGNORECASE)
_SHAPE = re.compile(
    r"(\d+)-foot(?:-(?:radius|long|diameter))?,? (?:\d+-foot-\w+ )*(Sphere|Cube|Cone|Line|Cylinder|Emanation)",
    re.IGNORECASE,
)
_PER_SLOT = re.compile(r"increases by (\d+)d(\d+) for (?:each|every) spell slot level above \d")
_ACTION = re.compile(r"Bonus Action|Reaction|Action")
_DICE = re.compile(r"(?P<count>\d+)d(?P<sides>\d+)(?P<bonus>(?:\+\d+)?)")
_CONCENTRATION = re.compile(r"^Concentration,? (?:up to )?", re.IGNORECASE)


@dataclass(frozen=True)
class _Entry:
    """A spell as printed: its name, its line of level, school and classes, its facts by label, and its text."""

    name: str
    rank: re.Match[str]
    facts: dict[str, str]
    text: str


def spells(book: Book) -> list[Spell]:
    """Every spell, in the order of the book."""
    lines = book.between(*_PAGES)
    starts = [index - 1 for index, line in enumerate(lines) if _RANK.match(line.text)]
    return [_spell(_entry(book, own)) for own in split_at(lines, starts)]


def _entry(book: Book, lines: Sequence[Line]) -> _Entry:
    name = lines[0].text
    first_fact = next(index for index, line in enumerate(lines) if line.text.startswith("Casting Time:"))
    rank = _RANK.match(joined([line.text for line in lines[1:first_fact]], book.words))
    if not rank:
        raise ValueError(f"The spell {name} has no level and school.")
    facts: dict[str, list[str]] = {}
    label, end = "", first_fact
    while label != "Duration":  # which is the last and takes one line
        text = lines[end].text
        if fact := _FACT.match(text):
            label = fact[1]
            facts[label] = [text[fact.end() :]]
        else:
            facts[label].append(text)
        end += 1
    texts = {label: joined(parts, book.words) for label, parts in facts.items()}
    return _Entry(name, rank, texts, book.prose(lines[end:]))


def _spell(entry: _Entry) -> Spell:
    text, higher = _halves(with_stat_block(entry.text))
    time, duration, components = entry.facts["Casting Time"], entry.facts["Duration"], entry.facts["Component"]
    material = _first(_MATERIAL, components)
    casting_time, casting_time_text = _casting_time(time)
    distance, unit = spell_range(entry.facts["Range"])
    shape = _SHAPE.search(text)
    level = int(entry.rank["level"] or 0)
    roll = _first(_ROLL, text).replace(" ", "")
    return Spell(
        kind=Kind.SPELL,
        key=key_of(entry.name),
        name=entry.name,
        text=text,
        level=level,
        school=(entry.rank["school"] or entry.rank["cantrip"]).lower(),
        casting_time=casting_time,
        casting_time_text=casting_time_text,
        # Also the hit that a bonus action follows.
        reaction_condition=time.partition(", ")[2],
        range=distance,
        range_unit=unit,
        range_text=entry.facts["Range"],
        verbal="V" in components.split(" (")[0],
        somatic="S" in components.split(" (")[0],
        material=bool(re.search(r"\bM\b", components)),
        material_text=material,
        material_cost=material_cost(material),
        material_consumed=material_consumed(material),
        duration=_CONCENTRATION.sub("", duration).lower(),
        concentration=duration.startswith("Concentration"),
        ritual="Ritual" in time,
        classes=tuple(ref(name.strip()) for name in entry.rank["classes"].split(",")),
        damage_types=_damage_types(text),
        damage_roll=roll,
        saving_throw=saving_throw(text),
        attack_roll=bool(re.search(r"(?:ranged|melee) spell attack", text, re.IGNORECASE)),
        shape_type=shape[2].lower() if shape else "",
        shape_size=float(shape[1]) if shape else None,
        shape_unit="feet" if shape else "",
        higher_level=higher,
        casting_options=tuple(_options(level, roll, higher)),
        **COMMON,
    )


def _damage_types(text: str) -> tuple[str, ...]:
    """The types of damage that a spell deals, not those that it only gives or has resistance to."""
    dealt = [
        type_
        for clause in re.split(r"[.;]\s", text)
        if not _RESISTED.search(clause)
        for type_ in _DAMAGE.findall(clause)
    ]
    rolled = [type_ for _, phrase in damage_in(text.lower()) for type_ in damage_types_in(phrase)]
    return tuple(dict.fromkeys([*(type_.lower() for type_ in dealt), *rolled]))


def _first(pattern: re.Pattern[str], text: str) -> str:
    """The first group of the first match; "" if there is none."""
    match = pattern.search(text)
    return match[1] if match else ""


def _halves(text: str) -> tuple[str, str]:
    """The text, and the effect of a higher slot or level. A stat block after that belongs to the text."""
    heading = _HIGHER.search(text)
    if not heading:
        return text, ""
    higher, _, rest = text[heading.end() :].partition("\n\n")
    before = text[: heading.start()].strip()
    return f"{before}\n\n{rest}" if rest else before, higher


def _casting_time(text: str) -> tuple[str, str]:
    """Open5e's key and words: ``bonus-action`` and ``1 bonus action``, ``1minute`` and ``1 minute``."""
    time = text.partition(",")[0].removesuffix(" or Ritual")
    printed = _ACTION.match(time)
    if not printed:
        return time.replace(" ", ""), time
    action = printed[0].lower()
    return action.replace(" ", "-"), f"1 {action}{time[printed.end() :]}"


def _options(level: int, roll: str, higher: str) -> Iterator[CastingOption]:
    """Damage with higher slots, or of a cantrip at higher levels, if it grows regularly."""
    dice = _DICE.fullmatch(roll)
    if dice and not level:
        for character_level, upgraded in re.findall(r"(\d+) \((\d+d\d+)\)", higher):
            yield CastingOption(type=f"player_level_{character_level}", damage_roll=upgraded)
    increases = _PER_SLOT.findall(higher)
    if dice and higher.count(" increases by ") == 1 and increases and increases[0][1] == dice["sides"]:
        for slot in range(level + 1, 10):
            count = int(dice["count"]) + int(increases[0][0]) * (slot - level)
            yield CastingOption(type=f"slot_level_{slot}", damage_roll=f"{count}d{dice['sides']}{dice['bonus']}")
