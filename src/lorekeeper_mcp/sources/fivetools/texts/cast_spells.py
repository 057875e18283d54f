"""Spell lists in words: the limit of use, or the level of the slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

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
    lines = (f"- {when}: {', '.join(names)}" for when, spells in _lists(one) if (names := _names(spells)))
    parts = (markdown(one.get("headerEntries", [])), "\n".join(lines), markdown(one.get("footerEntries", [])))
    return "\n\n".join(part for part in parts if part)


def _lists(one: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """When spells can be cast, and which."""
    yield "Constant", one.get("constant")
    yield "At will", one.get("will")
    for field, per in _OFTEN.items():
        for often, spells in mapping(one.get(field)).items():
            times, each = _each(often)
            yield f"{times}/{per}{each}", spells
    for actions, spells in mapping(one.get("legendary")).items():
        yield f"{actions} legendary action{'s' if actions != '1' else ''}", spells
    item = str(one.get("chargesItem") or "").partition("|")[0]
    for cost, spells in mapping(one.get("charges")).items():
        charges, each = _each(cost)
        yield f"{charges} charge{'s' if charges != '1' else ''}{f' of the {item}' if item else ''}{each}", spells
    for low, spells in mapping(one.get("recharge")).items():
        yield "Recharge 6" if low == "6" else f"Recharge {low}–6", spells
    for level, spec in mapping(one.get("spells")).items():
        yield _slots(level, mapping(spec)), mapping(spec).get("spells")
    yield "Rituals", one.get("ritual")


def _each(number: str) -> tuple[str, str]:
    """A number of uses, and whether each spell has its own: ``2e`` is 2 each."""
    return number.removesuffix("e"), " each" if number.endswith("e") else ""


def _slots(level: str, spec: Mapping[str, object]) -> str:
    if level == "0":
        return "Cantrips (at will)"
    slots = spec.get("slots")
    lower = f"{_ordinal(str(spec['lower']))}–" if spec.get("lower") else ""
    count = f" ({slots} slot{'s' if slots != 1 else ''})" if slots else " (at will)" if slots == 0 else ""
    return f"{lower}{_ordinal(level)} level{count}"


def _ordinal(level: str) -> str:
    return ordinal(int(level)) if level.isdigit() else f"{level}th"


def _names(spells: object) -> list[str]:
    return [
        referred(plain_text(str(spell.get("entry") if isinstance(spell, Mapping) else spell)))
        for spell in (spells if isinstance(spells, list) else [])
        if not (isinstance(spell, Mapping) and spell.get("hidden"))
    ]
