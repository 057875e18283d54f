"""Spell lists in words: the limit of use, or the level of the slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.sources.fivetools.texts.tags import displayed_reference, plain_text
from lorekeeper_mcp.sources.json_values import mapping, members

_PERIODS = {"daily": "day", "rest": "rest", "restLong": "long rest", "weekly": "week", "monthly": "month",
            "yearly": "year"}  # fmt: skip
SPELL_LIST_FIELDS = frozenset(_PERIODS) | {
    "charges", "chargesItem", "constant", "footerEntries", "headerEntries", "hidden", "legendary", "name", "recharge",
    "ritual", "spells", "type", "will",
}  # fmt: skip
"""The fields that become lines."""


def spell_list_text(values: Mapping[str, object], markdown: Callable[[object], str]) -> str:
    """Return the paragraphs and the lines of a spell list, without its hidden parts."""
    hidden = members(values.get("hidden"))
    shown = {name: value for name, value in values.items() if name not in hidden}
    lines = (f"- {limit}: {', '.join(names)}" for limit, spells in _spells_by_limit(shown) if (names := _names(spells)))
    parts = (markdown(shown.get("headerEntries")), "\n".join(lines), markdown(shown.get("footerEntries")))
    return "\n\n".join(filter(None, parts))


def _spells_by_limit(values: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The lists, each with how often its spells can be cast."""
    yield "Constant", values.get("constant")
    yield "At will", values.get("will")
    for field, period in _PERIODS.items():
        for uses, spells in mapping(values.get(field)).items():
            number, each = _uses(uses)
            yield f"{number}/{period}{each}", spells
    for actions, spells in mapping(values.get("legendary")).items():
        yield f"{actions} legendary action{'s' if actions != '1' else ''}", spells
    item = str(values.get("chargesItem") or "").partition("|")[0]
    for cost, spells in mapping(values.get("charges")).items():
        number, each = _uses(cost)
        yield f"{number} charge{'s' if number != '1' else ''}{f' of the {item}' if item else ''}{each}", spells
    for lowest, spells in mapping(values.get("recharge")).items():
        yield "Recharge 6" if lowest == "6" else f"Recharge {lowest}–6", spells
    for level, spells in mapping(values.get("spells")).items():
        yield _slots(level, mapping(spells)), mapping(spells).get("spells")
    yield "Rituals", values.get("ritual")


def _uses(number: str) -> tuple[str, str]:
    """A number of uses, and whether each spell has its own: ``2e`` is 2 each."""
    return number.removesuffix("e"), " each" if number.endswith("e") else ""


def _slots(level: str, values: Mapping[str, object]) -> str:
    if level == "0":
        return "Cantrips (at will)"
    slots = values.get("slots")
    lowest = f"{_ordinal(str(values['lower']))}–" if values.get("lower") else ""
    count = f" ({slots} slot{'s' if slots != 1 else ''})" if slots else " (at will)" if slots == 0 else ""
    return f"{lowest}{_ordinal(level)} level{count}"


def _ordinal(level: str) -> str:
    return ordinal(int(level)) if level.isdigit() else f"{level}th"


def _names(spells: object) -> list[str]:
    return [
        displayed_reference(plain_text(str(spell.get("entry") if isinstance(spell, Mapping) else spell)))
        for spell in members(spells)
        if not mapping(spell).get("hidden")
    ]
