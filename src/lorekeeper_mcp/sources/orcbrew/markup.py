"""Homebrew values in words: keys as names, maps and lists as readable text without omissions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION, GOLD
from lorekeeper_mcp.sources.orcbrew.edn import Keyword, Plain

_OWNED = re.compile(r"\b([A-Z]\w+?)s (Tools?|Supplies|Kit|Pack|Utensils)\b")
_HALF = re.compile(r"\bHalf (?=Elf\b|Orc\b)")
_SMALL_WORDS = frozenset(["a", "an", "and", "in", "of", "on", "or", "the", "to"])


def titled(key: str) -> str:
    """Return a readable name for a key: Sleight of Hand for ``sleight-of-hand``."""
    if key != key.lower() or not key.strip("-_"):
        return key
    words = key.replace("_", "-").replace(" ", "-").split("-")
    name = " ".join(word if i and word in _SMALL_WORDS else word[:1].upper() + word[1:] for i, word in enumerate(words))
    return _HALF.sub("Half-", _OWNED.sub(_owned, name)) if len(words) > 1 else name


def _owned(match: re.Match[str]) -> str:
    """Restore the apostrophe that keys cannot have: ``explorers-pack`` is Explorer's Pack."""
    return f"{match[1]}s' {match[2]}" if match[1] == "Thieve" else f"{match[1]}'s {match[2]}"


def ability(key: str) -> str:
    """Return the full name of an ability's key: ``con`` is constitution; anything else stays as it is."""
    lowered = key.strip().lower()
    return ABILITY_BY_ABBREVIATION.get(lowered, lowered)


def ability_title(key: str) -> str:
    """Return Constitution for ``con``; any other key is titled."""
    return ABILITY_BY_ABBREVIATION.get(key.lower(), "").capitalize() or titled(key)


def listed(names: Iterable[str]) -> str:
    """Return names separated by commas."""
    return ", ".join(name for name in names if name)


def selected_keys(value: Plain) -> list[str]:
    """Return the selected keys: a map's with a value other than false, a list's texts, or a text's parts."""
    match value:
        case dict():
            return [key for key, flag in value.items() if flag is not False and flag is not None]
        case list():
            return [text for member in value if (text := scalar(member))]
        case str():
            return [part.strip() for part in value.split(",") if part.strip()]
        case _:
            return []


def scalar(value: Plain) -> str:
    """Return a text, number or flag in words; empty for a value with parts."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value)
    return value.strip() if isinstance(value, str) else ""


def short_text(value: Plain) -> str:
    """Return a scalar that is short enough for a pattern; a longer field is not what its name says."""
    text = scalar(value)
    return text if len(text) <= 200 else ""


def counted(item: str, count: int) -> str:
    """Torch, or 2 Torch."""
    if item in GOLD:
        return f"{count} {item}"
    return titled(item) if count == 1 else f"{count} {titled(item)}"


def to_text(value: Plain) -> str:
    """Return any value as a book would print it, on one or more lines: fields with their names, entries as bullets."""
    match value:
        case dict():
            return _map_text(value) if value else ""
        case list():
            names = [_printed(member) for member in value]
            if all(0 < len(name) < 60 for name in names):
                return ", ".join(names)
            texts = [text for text in map(to_text, value) if text]
            return texts[0] if len(texts) == 1 else "\n".join(map(_bullet, texts))
        case _:
            return _printed(value)


def _printed(value: Plain) -> str:
    """A scalar; a keyword as its name."""
    return ability_title(value) if isinstance(value, Keyword) else scalar(value)


def _map_text(fields: dict[str, Plain]) -> str:
    if scalar(fields.get("name")) or scalar(fields.get("description")):
        return _entry_text(fields)
    if "choose" in fields:
        return _choice_text(fields)
    if isinstance(fields.get("key"), str) and fields.keys() <= {"key", "level", "ability", "class"}:
        return _spell_text(fields)
    return _fields_text(fields)


def _fields_text(fields: dict[str, Plain]) -> str:
    if fields and all(isinstance(flag, bool) for flag in fields.values()):
        return listed(map(_label, selected_keys(fields))) or "none"
    if all(isinstance(value, str | int | float) for value in fields.values()):
        return ", ".join(_labelled(key, _printed(value)) for key, value in fields.items())
    parts = [(key, to_text(value)) for key, value in fields.items()]
    if all("\n" not in text and ";" not in text for _, text in parts) and sum(len(text) for _, text in parts) < 100:
        return "; ".join(_labelled(key, text) for key, text in parts)
    return "\n".join(_bullet(_labelled(key, text)) for key, text in parts)


def _label(key: str) -> str:
    return ability_title(key.removesuffix("?"))


def _labelled(key: str, text: str) -> str:
    """A field with its name; for ``:value`` only the text."""
    if not text or key == "value":
        return text or _label(key)
    if text.isdigit() and key.lower() in ABILITY_BY_ABBREVIATION:
        return f"{_label(key)} {text}"
    return f"{_label(key)}:\n{text}" if "\n" in text else f"{_label(key)}: {text}"


def _choice_text(fields: dict[str, Plain]) -> str:
    """{:choose 2 :options {:arcana true}} is choose 2 of Arcana."""
    options = fields.get("options")
    are_flags = isinstance(options, dict) and all(isinstance(flag, bool) for flag in options.values())
    names = listed(map(_label, selected_keys(options))) if are_flags or isinstance(options, list) else ""
    if not names and not are_flags:
        names = to_text(options)
    others = {key: value for key, value in fields.items() if key not in ("choose", "options")}
    suffix = f" ({to_text(others)})" if others else ""
    return f"choose {to_text(fields['choose'])}{f' of {names}' if names else ''}{suffix}"


def level_name(level: int) -> str:
    """Return 3rd level, or cantrip for 0."""
    return f"{ordinal(level)} level" if level else "cantrip"


def _spell_text(fields: dict[str, Plain]) -> str:
    """{:key :light :level 0 :ability :wis} is Light (cantrip, Wisdom)."""
    level = fields.get("level")
    level_text = level_name(level) if isinstance(level, int) and not isinstance(level, bool) else scalar(level)
    details = listed([level_text, ability_title(scalar(fields.get("ability"))), titled(scalar(fields.get("class")))])
    return f"{titled(scalar(fields.get('key')))}{f' ({details})' if details else ''}"


def _entry_text(fields: dict[str, Plain]) -> str:
    """An entry with a name and a description: Name. Description (other fields)."""
    name, text = scalar(fields.get("name")), scalar(fields.get("description"))
    others: dict[str, Plain] = {
        key: value
        for key, value in fields.items()
        if value not in (None, "") and not (key in ("name", "description") and scalar(value))
    }
    options = counts(others.get("options"))
    if name and not text and others.keys() == {"options"} and options:
        return f"{name}: {' or '.join(counted(item, count) for item, count in options)}"
    details = to_text(others)
    head = f"{name}. {text}" if name and text else name or text
    if "\n" in details:
        return f"{head}\n{details}"
    return f"{head} ({details})" if details else head


def counts(value: Plain) -> list[tuple[str, int]]:
    """Return the items and numbers of a map that has nothing but whole numbers."""
    items = value if isinstance(value, dict) else {}
    numbers = [(name, count) for name, count in items.items() if isinstance(count, int) and not isinstance(count, bool)]
    return numbers if len(numbers) == len(items) else []


def _bullet(text: str) -> str:
    return "- " + text.replace("\n", "\n  ")
