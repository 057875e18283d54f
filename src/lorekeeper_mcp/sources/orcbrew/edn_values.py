"""Values of OrcBrew files: keys as names, choices, counts of things, references to spells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION, GOLD
from lorekeeper_mcp.sources.orcbrew.edn import Keyword
from lorekeeper_mcp.sources.reading import Printer, integer, mapping, members, names, text, titled

Keys: TypeAlias = Mapping[str, str]
"""Keys of the classes or races of the same book, by the slugs of their names."""


def ability_title(key: str) -> str:
    """Return Constitution for ``con``; any other key is titled."""
    return ABILITY_BY_ABBREVIATION.get(key.strip().lower(), "").capitalize() or titled(key)


def _leaf(value: str) -> str:
    """A text as written, a keyword as a name."""
    return ability_title(value) if isinstance(value, Keyword) else value.replace("\r\n", "\n").strip()


shown = Printer(text=_leaf)
"""Prints values that have no place in our models."""


def listed(parts: Iterable[str]) -> str:
    """Return the parts that are not empty, separated by commas."""
    return ", ".join(part for part in parts if part)


def titles(keys: Iterable[str]) -> str:
    """Return keys as printed names, separated by commas."""
    return listed(map(ability_title, keys))


def counts(value: object) -> list[str]:
    """Return the things of a map that has nothing but whole numbers: 2 Torch, Pouch, 15 gp."""
    things = mapping(value)
    numbers = {name: count for name, count in things.items() if isinstance(count, int) and not isinstance(count, bool)}
    if len(numbers) < len(things):
        return []
    return [
        f"{count} {name}" if name in GOLD else titled(name) if count == 1 else f"{count} {titled(name)}"
        for name, count in numbers.items()
    ]


def chosen(value: object) -> str:
    """Return a choice in words: ``choose 2 of Arcana, History``, ``choose any 2``, ``choose 1 Gaming Set``."""
    fields = mapping(value)
    if "choose" not in fields:
        numbers = {name: count for name, count in fields.items() if integer(count) is not None}
        if fields and numbers.keys() == fields.keys():
            return f"choose {listed(f'{text(count)} {titled(name)}' for name, count in numbers.items())}"
        return shown(value)
    options = names(fields.get("options"))
    others = {name: part for name, part in fields.items() if name not in ("choose", "options")}
    suffix = f" ({shown(others)})" if others else ""
    if not others and options == ["any"]:
        return f"choose any {text(fields['choose'])}"
    return f"choose {shown(fields['choose'])}{f' of {titles(options)}' if options else ''}{suffix}"


def level_name(level: int) -> str:
    """Return 3rd level, or cantrip for 0."""
    return f"{ordinal(level)} level" if level else "cantrip"


def spell_reference(value: object) -> str:
    """Return Light (cantrip, Wisdom) for ``{:key :light :level 0 :ability :wis}``; any other value as printed."""
    fields = mapping(value)
    if not fields.get("key") or fields.keys() - {"key", "level", "ability", "class"}:
        return shown(value)
    level = integer(fields.get("level"))
    details = [
        "" if level is None else level_name(level),
        *(ability_title(text(fields.get(n))) for n in ("ability", "class")),
    ]
    return f"{titled(text(fields['key']))}{f' ({listed(details)})' if any(details) else ''}"


def spell_names(value: object) -> str:
    """Return the names of the spells of a list, or of a map by position: ``{0 :bless 1 :bane}``."""
    spells = list(mapping(value).values()) or members(value)
    return listed(titled(text(spell)) or shown(spell) for spell in spells)


def by_level(value: object) -> str:
    """Return 3 (1st level), 1 (4th level) for ``{1 3 4 1}``, Bless (1st level) for ``{1 #{:bless}}``."""
    fields = mapping(value)
    levels = [level_name(level) for key in fields if (level := integer(key)) is not None]
    if not fields or len(levels) < len(fields):
        return shown(value)
    parts = (spell_names(part) or shown(part) for part in fields.values())
    return ", ".join(f"{part} ({level})" for part, level in zip(parts, levels, strict=True))
