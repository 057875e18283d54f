"""Spell lists in words: the limit of use, or the level of the slots."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, referred
from lorekeeper_mcp.sources.json_values import mapping

_OFTEN = {"daily": "day", "rest": "rest", "restLong": "long rest", "weekly": "week", "monthly": "month",
          "yearly": "year"}  # fmt: skip
CAST = frozenset(_OFTEN) | {
    "charges", "chargesItem", "constant", "footerEntries", "headerEntries", "hidden", "legendary", "name", "recharge",
    "ritual", "spells", "type", "will",
}  # fmt: skip
"""The fields that become lines."""


def text(one: Mapping[str, object], markdown: Callable[[object], str]) -> str:
    """Return the paragraph and the lines of a spell list, without its hidden parts."""
    hidden = one.get("hidden")
    one = {name: value for name, value in one.items() if not (isinstance(hidden, list) and name in hidden)}
    lines = [_line("Constant", one.get("constant")), _line("At will", one.get("will"))]
    for field, per in _OFTEN.items():
        lines += [_times(times, per, spells) for times, spells in mapping(one.get(field)).items()]
    for actions, spells in mapping(one.get("legendary")).items():
        lines.append(_line(f"{actions} legendary action{'s' if actions != '1' else ''}", spells))
    item = str(one.get("chargesItem") or "").partition("|")[0]
    for charges, spells in mapping(one.get("charges")).items():
        number = charges.removesuffix("e")
        each = " each" if number != charges else ""
        of = f" of the {item}" if item else ""
        lines.append(_line(f"{number} charge{'s' if number != '1' else ''}{of}{each}", spells))
    for low, spells in mapping(one.get("recharge")).items():
        lines.append(_line("Recharge 6" if low == "6" else f"Recharge {low}–6", spells))
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
    return ordinal(int(level)) if level.isdigit() else f"{level}th"


def _line(what: str, spells: object) -> str:
    names = [
        referred(plain_text(str(spell.get("entry") if isinstance(spell, Mapping) else spell)))
        for spell in (spells if isinstance(spells, list) else [])
        if not (isinstance(spell, Mapping) and spell.get("hidden"))
    ]
    return f"{what}: {', '.join(names)}" if names else ""
