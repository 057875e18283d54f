"""Open5e's lists of what a spell does with each higher slot, and of a cantrip at higher levels.

A program filled them from the sentence on higher slots, which stands beside them. What the sentence contradicts, and
what repeats the spell's own values, is removed.
"""

from __future__ import annotations

import re
from itertools import pairwise

from lorekeeper_mcp.models import CastingOption, Spell

_LEVELS, _SLOTS = "player_level_", "slot_level_"
_STEP = r"(?:(?:for (?:each|every)|per) (?:(?P<two>two|2) )?(?:spell )?slots?(?: levels?)? (?:above|beyond|higher))"
_EACH_SLOT = re.compile(_STEP, re.IGNORECASE)
_ABOVE = re.compile(rf"{_STEP}(?: the)? (?P<above>\d)", re.IGNORECASE)
_GROWTH = re.compile(
    rf"(?:damage|healing|hit points?|roll|extra)[^.]*? increases? by (?:an additional )?(\d+)?d(\d+)[^.]*?{_STEP}",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:duration|lasts?)\b[^.]*?(?:increase[sd]?|extended) by (?P<more>\d+) (?P<unit>round|minute|hour|day)s?\b"
    rf"[^.,]*?{_STEP}(?: the)? (?P<above>\d)",
    re.IGNORECASE,
)
_TIME = re.compile(r"(\d+) (round|minute|hour|day)s?")
_ROUNDS = {"round": 1, "minute": 10, "hour": 600, "day": 14400}
_DICE = re.compile(r"(\d+)d(\d+)")
_CONSTANT = re.compile(r" ?\+ ?\d+$")
# The number of targets grows, not of rays or ropes; a spell may also have several without a higher slot.
_MORE_TARGETS = re.compile(r"\b(?:target|affect|choose|animate)[^.]*? additional\b", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:two|three|four|five|six|ten) (?:[a-z-]+ ){0,2}(?:creatures|targets|objects)\b", re.IGNORECASE
)
_NAMED_LEVEL = re.compile(r"\b(\d)(?:st|nd|rd|th)\b|\b(?:level|or) (\d)\b|\b(\d)(?:\+|[–-]\d)|, (\d) \(", re.IGNORECASE)
_CHANGED = ("damage_roll", "target_count", "duration", "range", "concentration", "shape_size", "text")


def changed_options(record: Spell) -> tuple[CastingOption, ...]:
    """Return the options of a spell that change something, slots before levels, without contradictions."""
    others = [option for option in record.casting_options if not option.type.startswith((_LEVELS, _SLOTS))]
    by_slot = sorted((one for one in record.casting_options if one.type.startswith(_SLOTS)), key=_number)
    by_level = sorted((one for one in record.casting_options if one.type.startswith(_LEVELS)), key=_number)
    kept = [*_uncontradicted(record, by_slot), *_first_changes(record, by_level)]
    return (*others, *(option for option in kept if option.model_dump(exclude_defaults=True).keys() > {"type"}))


def _number(option: CastingOption) -> int:
    number = option.type.rpartition("_")[2]
    return int(number) if number.isdigit() else 0


def _uncontradicted(record: Spell, options: list[CastingOption]) -> list[CastingOption]:
    """The options by slot without those that the spell's own sentence on slots explains or contradicts."""
    text = f"{record.text} {record.higher_level}"
    dropped: dict[str, object] = {}
    if _EACH_SLOT.search(text):
        dropped["text"] = ""
        if not _grows_as_printed(record, text, options):
            dropped["damage_roll"] = ""
        if not _MORE_TARGETS.search(text) or (record.target_count in (None, 1) and _SEVERAL.search(record.text)):
            dropped["target_count"] = None
        if not _lasts_as_printed(record, text, options):
            dropped["duration"] = ""
    else:
        named = {int(next(filter(None, levels))) for levels in _NAMED_LEVEL.findall(record.higher_level)}
        dropped = {
            field: CastingOption.model_fields[field].default
            for field in ("damage_roll", "target_count")
            if named and not _levels_of_changes(field, options) <= named
        }
    return [_changed(record, option.model_copy(update=dropped)) for option in options]


def _levels_of_changes(field: str, options: list[CastingOption]) -> set[int]:
    """The slots at which a value differs from that of the slot before."""
    values = [CastingOption.model_fields[field].default, *(getattr(option, field) for option in options)]
    return {_number(option) for option, (before, now) in zip(options, pairwise(values), strict=True) if before != now}


def _changed(record: Spell, option: CastingOption) -> CastingOption:
    """The option without the spell's own values; its damage has the constant of the spell's: 13d6 + 40."""
    roll, constant = option.damage_roll, _CONSTANT.search(record.damage_roll)
    if roll and constant and not _CONSTANT.search(roll):
        roll = f"{roll}{constant[0]}"
    is_damage = roll != record.damage_roll and (record.damage_roll or "d" in roll)
    return option.model_copy(
        update={
            "damage_roll": roll if is_damage else "",
            "target_count": None if option.target_count in (1, record.target_count) else option.target_count,
            "duration": "" if option.duration == record.duration else option.duration,
            "concentration": None if option.concentration == record.concentration else option.concentration,
        }
    )


def _grows_as_printed(record: Spell, text: str, options: list[CastingOption]) -> bool:
    """Whether the rolls grow by the dice that the sentence gives, at the slots that it gives."""
    match = _GROWTH.search(text)
    if not match:
        return True
    more, die = int(match[1] or 1), int(match[2])
    given = [(_number(option), _rolled(option.damage_roll)) for option in options if option.damage_roll]
    if match["two"]:
        above = _ABOVE.search(text, match.start())
        first = {size: count for count, size in _rolled(record.damage_roll)}.get(die)
        return not (above and first) or all(
            first + (level - int(above["above"])) // 2 * more in [count for count, other in rolls if other == die]
            for level, rolls in given
        )
    rolls = [roll for _, roll in given]
    own = _rolled(record.damage_roll)
    return all(_is_step(before, after, (more, die)) for before, after in pairwise([own, *rolls] if own else rolls))


def _rolled(roll: str) -> list[tuple[int, int]]:
    return [(int(count), int(die)) for count, die in _DICE.findall(roll)]


def _is_step(before: list[tuple[int, int]], after: list[tuple[int, int]], increase: tuple[int, int]) -> bool:
    if [die for _, die in before] != [die for _, die in after]:
        return False
    grown = {(now - was, die) for (was, die), (now, _) in zip(before, after, strict=True) if now != was}
    return grown == {increase}


def _lasts_as_printed(record: Spell, text: str, options: list[CastingOption]) -> bool:
    """Whether the durations grow by the time that the sentence gives."""
    match, own = _LASTING.search(text), _rounds(record.duration)
    if not match or own is None:
        return True
    step, every = int(match["more"]) * _ROUNDS[match["unit"].lower()], 2 if match["two"] else 1
    given = [(_number(option), _rounds(option.duration)) for option in options if option.duration]
    return all(
        rounds is None or rounds == own + (level - int(match["above"])) // every * step for level, rounds in given
    )


def _rounds(duration: str) -> int | None:
    match = _TIME.fullmatch(duration)
    return int(match[1]) * _ROUNDS[match[2]] if match else None


def _first_changes(record: Spell, options: list[CastingOption]) -> list[CastingOption]:
    """The options by character level that change a value."""
    now: dict[str, object] = {"damage_roll": record.damage_roll}
    kept = []
    for option in options:
        own = {name: value for name in _CHANGED if (value := getattr(option, name)) not in (None, "")}
        if any(now.get(name) != value for name, value in own.items()):
            kept.append(option)
            now |= own
    return kept
