"""Values of homebrew in words: keys as names, maps and lists as readable text that leaves nothing out."""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.orcbrew.edn import Plain

_SMALL_WORDS = frozenset(["a", "an", "and", "in", "of", "on", "or", "the", "to"])


def titled(key: str) -> str:
    """A readable name of a key: ``sleight-of-hand`` is Sleight of Hand."""
    if key != key.lower() or not key.strip("-_"):
        return key
    words = key.replace("_", "-").replace(" ", "-").split("-")
    return " ".join(word if i and word in _SMALL_WORDS else word[:1].upper() + word[1:] for i, word in enumerate(words))


def ability(key: str) -> str:
    """The whole name of an ability's key: ``con`` is constitution; anything else stays as it is."""
    lowered = key.strip().lower()
    return ABILITY_BY_ABBREVIATION.get(lowered, lowered)


def ability_title(key: str) -> str:
    """``con`` is Constitution, any other key is titled."""
    return ABILITY_BY_ABBREVIATION.get(key.lower(), "").capitalize() or titled(key)


def listed(names: Iterable[str]) -> str:
    """Names with commas between them."""
    return ", ".join(name for name in names if name)


def selected_keys(value: Plain) -> list[str]:
    """The keys that are on: of a map those whose value is not false, of a list its texts, of a text its parts."""
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
    """A text, number or flag in words; empty for what has parts."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value)
    return value.strip() if isinstance(value, str) else ""


def brief(value: Plain) -> str:
    """The same of what is short enough for a pattern; a field that is longer says something else than its name."""
    text = scalar(value)
    return text if len(text) <= 200 else ""


def to_text(value: Plain) -> str:
    """Any value on as many lines as it needs: fields with their names, entries as bullets."""
    match value:
        case dict():
            return _told_map(value)
        case list():
            plain = [text for member in value if (text := scalar(member))]
            if len(plain) == len(value) and all(len(text) < 60 for text in plain):
                return ", ".join(plain)
            texts = [text for member in value if (text := to_text(member))]
            return texts[0] if len(texts) == 1 else "\n".join(map(_bullet, texts))
        case _:
            return scalar(value)


def _told_map(fields: dict[str, Plain]) -> str:
    if scalar(fields.get("name")) or scalar(fields.get("description")):
        return _told_entry(fields)
    if all(isinstance(value, str | int | float | bool) for value in fields.values()):
        return ", ".join(key if value is True else f"{key}: {scalar(value)}" for key, value in fields.items())
    parts = [(key, to_text(value)) for key, value in fields.items()]
    if all("\n" not in text and ";" not in text for _, text in parts) and sum(len(text) for _, text in parts) < 100:
        return "; ".join(f"{key}: {text}" if text else key for key, text in parts)
    return "\n".join(
        _bullet(f"{key}:\n{text}" if "\n" in text else f"{key}: {text}" if text else key) for key, text in parts
    )


def _told_entry(fields: dict[str, Plain]) -> str:
    """A thing with a name and a description: Name. Description (what else there is)."""
    name, text = scalar(fields.get("name")), scalar(fields.get("description"))
    rest: dict[str, Plain] = {key: value for key, value in fields.items() if value is not None}
    rest = {key: value for key, value in rest.items() if key not in ("name", "description") or not scalar(value)}
    more = to_text(rest) if rest else ""
    head = f"{name}. {text}".strip() if name and text else name or text
    return f"{head}\n{more}" if "\n" in more else f"{head} ({more})" if more else head


def _bullet(text: str) -> str:
    return "- " + text.replace("\n", "\n  ")
