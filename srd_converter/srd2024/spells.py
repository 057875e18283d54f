"""Spells, cut from the official text: each begins with its name and a line of level, school and classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from lorekeeper_mcp.models import CastingOption, Kind, Spell
from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES
from lorekeeper_mcp.sources.saving_throws import saving_throw
from lorekeeper_mcp.sources.spell_components import material_consumed, material_cost
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.srd2024.document import COMMON, key_of, ref
from srd_converter.srd2024.inline_stat_blocks import with_stat_block

_PAGES = (107, 175)
_SCHOOLS = "Abjuration|Conjuration|Divination|Enchantment|Evocation|Illusion|Necromancy|Transmutation"
_RANK = re.compile(
    rf"^(?:Level (?P<level>\d) (?P<school>{_SCHOOLS})|(?P<cantrip>{_SCHOOLS}) Cantrip) \((?P<classes>[^)]*)"
)
_FACTS = ("Casting Time", "Range", "Components?", "Duration")
_FACT = re.compile(rf"^({'|'.join(_FACTS)}): ?")
_HIGHER = re.compile(r"\*\*(?:Using a Higher-Level Spell Slot|Cantrip Upgrade)\.\*\* ")
_LEAD_IN = re.compile(r"(Using a Higher-Level Spell Slot|Cantrip Upgrade)\.(?!\*)")
_MATERIAL = re.compile(r"\bM \((.*)\)$")
_DISTANCE = re.compile(r"(\d[\d,]*) (feet|miles?|mile)$")
_ACTION = re.compile(r"^(?:Bonus Action|Reaction|Action)")
_TIME = re.compile(r"^(\d+) (minute|hour)s?")
_TYPES = "|".join(DAMAGE_TYPES)
_DAMAGE = re.compile(
    rf"(\d+d\d+(?: ?\+ ?\d+)?)?(?: (?:extra )?)({_TYPES})(?=[ ,](?:or |damage|{_TYPES}))", re.IGNORECASE
)
_ROLL = re.compile(
    rf"(\d+d\d+(?: ?\+ ?\d+)?) (?:(?:{'|'.join(DAMAGE_TYPES)}|extra)\b[ ,]*(?:or )?)*damage", re.IGNORECASE
)
_SHAPE = re.compile(
    r"(\d+)-(foot|mile)(?:-(?:radius|long|diameter))?,? (?:\d+-foot-\w+ )*(Sphere|Cube|Cone|Line|Cylinder|Emanation)",
    re.IGNORECASE,
)
_PER_SLOT = re.compile(
    r"increases by (?P<more>\d+)d(?P<die>\d+) for (?:each|every) spell slot level above (?P<above>\d)"
)
_RANGES = {"Sight": (2020.0, "feet"), "Unlimited": (999999.0, "miles")}
_CONCENTRATION = re.compile(r"^Concentration,? (?:up to )?", re.IGNORECASE)
_STOP = re.compile(r"^Rules Glossary$")


@dataclass(frozen=True)
class _Entry:
    """The lines of one spell: its name, its rank, the lines of its facts and of its text."""

    name: str
    rank: re.Match[str]
    facts: dict[str, str]
    text: str


def spells(book: Book) -> list[Spell]:
    """Every spell, in the order of the book."""
    return [_spell(entry) for entry in _entries(book)]


def _entries(book: Book) -> Iterator[_Entry]:
    lines = book.between(*_PAGES)
    starts = [place - 1 for place, line in enumerate(lines) if _RANK.match(line.text)]
    end = next((place for place, line in enumerate(lines) if _STOP.match(line.text)), len(lines))
    for start, stop in pairwise([*starts, end]):
        yield _entry(book, lines[start:stop])


def _entry(book: Book, lines: tuple[Line, ...]) -> _Entry:
    place, rank = 2, lines[1].text
    while ")" not in rank:
        rank, place = joined([rank, lines[place].text], book.words), place + 1
    facts: dict[str, list[str]] = {}
    name = ""
    while found := _FACT.match(lines[place].text) or (name != "Duration" and name):
        if isinstance(found, re.Match):
            name = found[1].rstrip("s") if found[1].startswith("Component") else found[1]
            facts[name] = [lines[place].text[found.end() :]]
        else:
            facts[name].append(lines[place].text)
        place += 1
    matched = _RANK.match(rank)
    if not matched:
        raise ValueError(f"The spell {lines[0].text} has no level and school.")
    texts = {name: joined(parts, book.words) for name, parts in facts.items()}
    return _Entry(lines[0].text, matched, texts, book.prose(lines[place:]))


def _spell(entry: _Entry) -> Spell:
    text, higher = _halves(with_stat_block(entry.text))
    time, duration, components = entry.facts["Casting Time"], entry.facts["Duration"], entry.facts["Component"]
    material = found[1] if (found := _MATERIAL.search(components)) else ""
    distance, unit = _range(entry.facts["Range"])
    shape = _SHAPE.search(text)
    level = int(entry.rank["level"] or 0)
    roll = found[1].replace(" ", "") if (found := _ROLL.search(text)) else ""
    return Spell(
        kind=Kind.SPELL,
        key=key_of(entry.name),
        name=entry.name,
        text=text,
        level=level,
        school=(entry.rank["school"] or entry.rank["cantrip"]).lower(),
        casting_time=_time(time),
        casting_time_text=_in_words(time),
        reaction_condition=_trigger(time),
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
        damage_types=tuple(dict.fromkeys(match[2].lower() for match in _DAMAGE.finditer(text))),
        damage_roll=roll,
        saving_throw=saving_throw(text),
        attack_roll=bool(re.search(r"(?:ranged|melee) spell attack", text, re.IGNORECASE)),
        shape_type=shape[3].lower() if shape else "",
        shape_size=float(shape[1]) if shape else None,
        shape_unit=("feet" if shape[2] == "foot" else "miles") if shape else "",
        higher_level=higher,
        casting_options=_options(level, roll, higher),
        **COMMON,
    )


def _halves(text: str) -> tuple[str, str]:
    """The text, and the effect of a higher slot or level. A stat block after that belongs to the text."""
    marked = _LEAD_IN.sub(r"**\1.**", text) if not _HIGHER.search(text) else text
    found = _HIGHER.search(marked)
    if not found:
        return text, ""
    higher, _, rest = marked[found.end() :].partition("\n\n")
    return "\n\n".join(part for part in (marked[: found.start()].strip(), rest) if part), higher


def _time(text: str) -> str:
    """Open5e's key: ``action``, ``bonus-action``, ``reaction``, ``1minute``, ``8hours``."""
    if counted := _TIME.match(text):
        return f"{counted[1]}{counted[2]}{'s' if counted[1] != '1' else ''}"
    return next(key for key in ("bonus-action", "reaction", "action") if text.lower().startswith(key.replace("-", " ")))


def _in_words(text: str) -> str:
    """``Bonus Action, which you take ...`` -> 1 bonus action, ``1 minute or Ritual`` -> 1 minute."""
    time = text.partition(",")[0].removesuffix(" or Ritual")
    return time if time[0].isdigit() else f"1 {_ACTION.sub(_lower, time)}"


def _lower(found: re.Match[str]) -> str:
    return found[0].lower()


def _trigger(time: str) -> str:
    """The trigger of a reaction, or of a bonus action that follows a hit."""
    _, _, trigger = time.partition(", ")
    return trigger


def _range(text: str) -> tuple[float, str]:
    """Distance and unit as Open5e has them: Self, Touch and Special are 0 feet."""
    if found := _DISTANCE.match(text):
        return float(found[1].replace(",", "")), "miles" if found[2].startswith("mile") else "feet"
    return _RANGES.get(text, (0.0, "feet"))


def _options(level: int, roll: str, higher: str) -> tuple[CastingOption, ...]:
    """Damage with higher slots, or of a cantrip at higher levels, if it grows regularly."""
    dice = re.fullmatch(r"(\d+)d(\d+)((?:\+\d+)?)", roll)
    if not dice:
        return ()
    if not level:
        grown = re.findall(r"(\d+) \((\d+d\d+)\)", higher)
        return tuple(CastingOption(type=f"player_level_{at}", damage_roll=grows) for at, grows in grown)
    found = _PER_SLOT.search(higher)
    if higher.count(" increases by ") > 1:  # two rolls grow, each otherwise
        return ()
    if not found or found["die"] != dice[2] or "damage" not in higher.partition("increases")[0]:
        return ()
    return tuple(
        CastingOption(
            type=f"slot_level_{slot}",
            damage_roll=f"{int(dice[1]) + int(found['more']) * (slot - level)}d{dice[2]}{dice[3]}",
        )
        for slot in range(level + 1, 10)
    )
