"""Renders the page of a spell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby

from lorekeeper_mcp.models import CastingOption, Edition, Ref, Spell
from lorekeeper_mcp.models.printed_values import (
    casting_changes,
    components,
    damage_in,
    damage_types_in,
    gold,
    number,
    ordinal,
    saves_in,
    what_is_rolled,
    words,
)
from lorekeeper_mcp.render.format import title
from lorekeeper_mcp.render.markdown import body, entry, labels, page
from lorekeeper_mcp.text import fold


def spell(record: Spell) -> str:
    """The header, the labelled lines, the text, higher levels, then facts that may be missing in the text."""
    return page(
        f"*{_header(record)}*",
        labels(
            ("Casting Time", _casting_time(record)),
            ("Range", record.range_text),
            ("Components", _components(record)),
            ("Duration", _duration(record)),
            ("Classes", _names(record.classes) or ("" if record.subclasses else "none listed")),
            ("Subclasses", _names(record.subclasses)),
        ),
        body(record.text),
        entry(_higher_level_heading(record), record.higher_level) if record.higher_level else "",
        "\n".join(_options(record.casting_options, what_is_rolled(record))),
        labels(*_facts(record)),
    )


def _names(refs: Sequence[Ref]) -> str:
    return ", ".join(dict.fromkeys(ref.name for ref in refs))


def _header(record: Spell) -> str:
    """``3rd-level evocation (ritual)``; in books of the 2024 rules ``Level 3 evocation (ritual)``."""
    school = words(record.school)
    if not record.level:
        head = f"{school.capitalize()} cantrip"
    elif _is_revised(record):
        head = f"Level {record.level} {school}"
    else:
        head = f"{ordinal(record.level)}-level {school}"
    return f"{head} (ritual)" if record.ritual else head


def _higher_level_heading(record: Spell) -> str:
    if not _is_revised(record):
        return "At Higher Levels"
    return "Using a Higher-Level Spell Slot" if record.level else "Cantrip Upgrade"


def _is_revised(record: Spell) -> bool:
    return record.editions == (Edition.E2024,)


def _casting_time(record: Spell) -> str:
    time = record.casting_time_text or words(record.casting_time)
    return f"{time}, {record.reaction_condition}" if record.reaction_condition else time


def _components(record: Spell) -> str:
    letters = components(record)
    notes, printed = [record.material_text], fold(record.material_text)
    if record.material_cost is not None and fold(gold(record.material_cost)) not in printed:
        notes.append(f"worth {gold(record.material_cost)}")
    if record.material_consumed and "consume" not in printed:
        notes.append("consumed")
    suffix = "; ".join(filter(None, notes)) or ("material not given" if record.material else "")
    return f"{letters} ({suffix})" if suffix else letters


def _duration(record: Spell) -> str:
    if record.concentration:
        lasting = record.duration.removeprefix("up to ")
        return f"Concentration, up to {lasting}" if lasting else "Concentration"
    return record.duration[:1].upper() + record.duration[1:]


def _options(options: Sequence[CastingOption], rolled: str) -> Iterator[str]:
    """``- Slot Level 4: damage 9d6``; levels that change the same thing share one line."""
    for changes, same_options in groupby(options, key=partial(casting_changes, rolled=rolled)):
        types = [title(option.type) for option in same_options]
        if changes:
            last = f"–{types[-1].rpartition(' ')[2]}" if len(types) > 1 else ""
            yield f"- {types[0]}{last}: {changes}"


def _facts(record: Spell) -> list[tuple[str, str]]:
    size = number(record.shape_size) if record.shape_size is not None else ""
    unit = "-foot" if size and record.shape_unit == "feet" else f" {record.shape_unit}"
    area = f"{size}{unit} {record.shape_type}".strip()
    return [
        (what_is_rolled(record).capitalize(), _damage(record)),
        ("Saving Throw", ", ".join(title(name) for name in _saves(record))),
        ("Attack Roll", "yes" if record.attack_roll else ""),
        ("Area", area if record.shape_type else ""),
        ("Targets", _targets(record)),
    ]


def _damage(record: Spell) -> str:
    """The dice and types. Each of several types has its own dice if the text gives every type once."""
    rolls = list(dict.fromkeys(damage_in(f"{record.text} {record.higher_level}".lower())))
    rolled_types = [type_ for _, phrase in rolls for type_ in damage_types_in(phrase)]
    if len(record.damage_types) > 1 and sorted(rolled_types) == sorted(record.damage_types):
        listed = ", ".join(f"{roll} {phrase}" for roll, phrase in rolls)
        return listed if record.damage_roll in listed else f"{record.damage_roll} ({listed})"
    return f"{record.damage_roll} {', '.join(record.damage_types)}".strip()


def _saves(record: Spell) -> list[str]:
    """The ability of the first saving throw, for which sources have a field, and of others in the text."""
    return [name for name in dict.fromkeys((record.saving_throw, *saves_in(record.text))) if name]


def _targets(record: Spell) -> str:
    """The number and kind of targets; "" if the source does not count them."""
    if record.target_count is None:
        return ""
    plural = "s" if record.target_type and record.target_count != 1 else ""
    return f"{record.target_count} {record.target_type}{plural}".strip()
