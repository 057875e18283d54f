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


def _owned(hit: re.Match[str]) -> str:
    """Restore the apostrophe that keys cannot have: ``explorers-pack`` is Explorer's Pack."""
    return f"{hit[1]}s' {hit[2]}" if hit[1] == "Thieve" else f"{hit[1]}'s {hit[2]}"


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
            return [key for key, on in value.items() if on is not False and on is not None]
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


def brief(value: Plain) -> str:
    """Return a scalar that is short enough for a pattern; a longer field is not what its name says."""
    text = scalar(value)
    return text if len(text) <= 200 else ""


def counted(thing: str, count: int) -> str:
    """Torch, or 2 Torch."""
    if thing in GOLD:
        return f"{count} {thing}"
    return titled(thing) if count == 1 else f"{count} {titled(thing)}"


def to_text(value: Plain) -> str:
    """Return any value as a book would print it, on one or more lines: fields with their names, entries as bullets."""
    match value:
        case dict():
            return _map_text(value) if value else ""
        case list():
            plain = [text for member in value if (text := _printed(member))]
            if len(plain) == len(value) and all(len(text) < 60 for text in plain):
                return ", ".join(plain)
            texts = [text for member in value if (text := to_text(member))]
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
        return spell_text(fields)
    return _fields_text(fields)


def _fields_text(fields: dict[str, Plain]) -> str:
    if fields and all(isinstance(on, bool) for on in fields.values()):
        return listed(_label(key) for key, on in fields.items() if on) or "none"
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
    rest = {key: value for key, value in fields.items() if key not in ("choose", "options")}
    flags = isinstance(options, dict) and all(isinstance(on, bool) for on in options.values())
    of = listed(_label(key) for key in selected_keys(options)) if flags or isinstance(options, list) else ""
    of = of or ("" if flags or options is None else to_text(options))
    more = f" ({to_text(rest)})" if rest else ""
    return f"choose {to_text(fields['choose'])}{f' of {of}' if of else ''}{more}"


def spell_text(fields: dict[str, Plain]) -> str:
    """{:key :light :level 0 :ability :wis} is Light (cantrip, Wisdom)."""
    level = fields.get("level")
    known = isinstance(level, int) and not isinstance(level, bool)
    at = "cantrip" if level == 0 and known else f"{ordinal(level)} level" if known and isinstance(level, int) else ""
    using, of = ability_title(scalar(fields.get("ability"))), titled(scalar(fields.get("class")))
    more = listed([at or scalar(level), using, of])
    return f"{titled(scalar(fields.get('key')))}{f' ({more})' if more else ''}"


def _entry_text(fields: dict[str, Plain]) -> str:
    """An entry with a name and a description: Name. Description (other fields)."""
    name, text = scalar(fields.get("name")), scalar(fields.get("description"))
    rest: dict[str, Plain] = {key: value for key, value in fields.items() if value not in (None, "")}
    rest = {key: value for key, value in rest.items() if key not in ("name", "description") or not scalar(value)}
    options = rest.get("options")
    if name and not text and rest.keys() == {"options"} and isinstance(options, dict) and counts(options):
        return f"{name}: {' or '.join(counted(thing, count) for thing, count in counts(options))}"
    more = to_text(rest)
    head = f"{name}. {text}".strip() if name and text else name or text
    return f"{head}\n{more}" if "\n" in more else f"{head} ({more})" if more else head


def counts(things: Plain) -> list[tuple[str, int]]:
    """Return items with their numbers, if they have nothing else."""
    held = things if isinstance(things, dict) else {}
    found = [(thing, count) for thing, count in held.items() if isinstance(count, int) and not isinstance(count, bool)]
    return found if len(found) == len(held) else []


def _bullet(text: str) -> str:
    return "- " + text.replace("\n", "\n  ")
