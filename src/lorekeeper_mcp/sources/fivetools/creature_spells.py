"""A creature's spells, as the paragraph and the lines of a stat block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lorekeeper_mcp.models import Action, ActionType, Section
from lorekeeper_mcp.sources.fivetools.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.fields import Fields, mapping
from lorekeeper_mcp.sources.fivetools.tags import plain_text

_OFTEN = {
    "daily": "day",
    "rest": "rest",
    "restLong": "long rest",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "legendary": "legendary actions",
    "charges": "charges",
}
_ORDINALS = {"1": "1st", "2": "2nd", "3": "3rd"}
_SHOWN_AS = {"action": ActionType.ACTION, "bonus": ActionType.BONUS_ACTION, "reaction": ActionType.REACTION}


@dataclass(frozen=True)
class Casting:
    """Where a creature's spells stand: among its traits, or among its actions."""

    traits: tuple[Section, ...]
    actions: tuple[Action, ...]


def spellcasting(fields: Fields) -> Casting:
    """Every list of spells of a creature."""
    traits: list[Section] = []
    actions: list[Action] = []
    for one in map(mapping, fields.entries("spellcasting")):
        name = plain_text(str(one.get("name") or "Spellcasting"))
        kind = _SHOWN_AS.get(str(one.get("displayAs")))
        if kind is None:
            traits.append(Section(name=name, text=_text(one)))
        else:
            actions.append(Action(name=name, text=_text(one), type=kind))
    return Casting(tuple(traits), tuple(actions))


def _text(one: Mapping[str, object]) -> str:
    lines = [_line("Constant", one.get("constant")), _line("At will", one.get("will"))]
    for field, per in _OFTEN.items():
        lines += [_times(times, per, spells) for times, spells in mapping(one.get(field)).items()]
    lines += [_level(level, mapping(spec)) for level, spec in mapping(one.get("spells")).items()]
    lines.append(_line("Rituals", one.get("ritual")))
    listed = "\n".join(f"- {line}" for line in lines if line)
    parts = (markdown(one.get("headerEntries", [])), listed, markdown(one.get("footerEntries", [])))
    return "\n\n".join(part for part in parts if part)


def _times(times: str, per: str, spells: object) -> str:
    each = " each" if times.endswith("e") else ""
    return _line(f"{times.removesuffix('e')}/{per}{each}", spells)


def _level(level: str, spec: Mapping[str, object]) -> str:
    if level == "0":
        return _line("Cantrips (at will)", spec.get("spells"))
    slots = spec.get("slots")
    lower = f"{_ordinal(str(spec['lower']))}–" if spec.get("lower") else ""
    told = f" ({slots} slot{'s' if slots != 1 else ''})" if slots else " (at will)" if slots == 0 else ""
    return _line(f"{lower}{_ordinal(level)} level{told}", spec.get("spells"))


def _ordinal(level: str) -> str:
    return _ORDINALS.get(level, f"{level}th")


def _line(what: str, spells: object) -> str:
    names = [
        plain_text(str(spell.get("entry") if isinstance(spell, Mapping) else spell))
        for spell in (spells if isinstance(spells, list) else [])
        if not (isinstance(spell, Mapping) and spell.get("hidden"))
    ]
    return f"{what}: {', '.join(names)}" if names else ""
