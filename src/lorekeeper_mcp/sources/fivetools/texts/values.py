"""Values other than entries in the words of a book: grants and choices, references, numbers by name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import TYPES, markdown
from lorekeeper_mcp.sources.fivetools.texts.tags import displayed_reference, text_in
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import as_object, listed, mapping
from lorekeeper_mcp.sources.phrases import joined

_MAX_DEPTH = 20
# The fields with an object's name, and its fields that no reader needs.
_NAME_FIELDS = ("displayEntry", "displayName", "entry", "full", "proficiency", "name", "label", "item", "special",
                "uid", "className", "groupName", "category")  # fmt: skip
_IGNORED_FIELDS = frozenset(
    {"source", "classSource", "subclassSource", "groupSource", "baseSource", "definedInSource", "page", "hidden",
     "visible", "visibleStats", "visibleList", "entrySummary", "preserve", "subclassShortName"}
)  # fmt: skip
_CHOICE_FIELDS = frozenset({"from", "fromFilter", "count", "amount", "weighted", "type"})
_ANY_KINDS = {
    "any": "",
    "anyStandard": "standard language",
    "anyExotic": "exotic language",
    "anyRare": "rare language",
    "anyFromCategory": "feat",
}
_LOWER_CASE = frozenset({"of", "the", "and", "or"})
_SITE_FILTER = re.compile(r"[a-z][\w ]*=[^|=]*(?:\|[a-z&][\w ]*=[^|=]*)*")
_FORMULA = re.compile(r"<\$(\w+)\$>")
_WORD_BORDER = re.compile(r"(?<=[a-z])(?=[A-Z])")
_VARIABLES = {"pb": "proficiency bonus", "prof_bonus": "proficiency bonus"}


def value_text(value: object, depth: int = 0, *, signed: bool = False) -> str:
    """Return a value in words; ``signed`` if numbers of abilities are added to their scores. Raises ItemError."""
    if depth > _MAX_DEPTH:
        raise ItemError(f"it is nested deeper than {_MAX_DEPTH} levels")
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):  # JSON only has these; a check for Mapping is slower
        return markdown(value) if _is_entry(value) else _object_text(value, depth, signed)
    if isinstance(value, list):
        parts = [text for part in value if (text := value_text(part, depth + 1, signed=signed))]
        is_inline = all("\n" not in part and part[-1:] not in ".:!?" for part in parts)
        return (", " if is_inline else "\n").join(parts)
    return markdown(value)


def choice_text(value: object) -> str:
    """Return grants and choices: ``choose 2 from Arcana, History``, ``Strength +2``."""
    return "" if value is True else value_text(value, signed=True)


def value_title(name: str) -> str:
    """Return a skill, a tool or a language as a book prints it: Sleight of Hand for ``sleight of hand``."""
    if name.startswith("any") and name[3:4].isupper():
        return f"any {_any_kind(name)}"
    words = ABILITIES.get(name, _text(name)).split(" ")
    return " ".join(word if word in _LOWER_CASE else f"{word[:1].upper()}{word[1:]}" for word in words)


def _is_entry(value: Mapping[str, object]) -> bool:
    return "entries" in value or (isinstance(kind := value.get("type"), str) and kind in TYPES)


def _text(value: str) -> str:
    """A text; a reference such as ``torch|xphb`` as displayed, a filter of the site in words."""
    plain = value.strip()
    if "<$" in plain:
        plain = _FORMULA.sub(lambda variable: _variable_text(variable[1]), plain)
    if "=" in plain and _SITE_FILTER.fullmatch(plain):
        return ", ".join(part.replace("=", " ").replace(";", " or ") for part in plain.split("|"))
    return markdown(displayed_reference(plain))


def _variable_text(name: str) -> str:
    ability, _, suffix = name.partition("_")
    if ability in ABILITIES and suffix == "mod":
        return f"{ABILITIES[ability].capitalize()} modifier"
    return _VARIABLES.get(name, name)


def _object_text(values: Mapping[str, object], depth: int, signed: bool) -> str:
    """``Ki (amount 2)``, ``2 rope``, ``Strength +2, Dexterity +1``, ``choose 2 from Arcana, History``."""
    name_field = next((field for field in _NAME_FIELDS if isinstance(values.get(field), str)), "")
    if name_field == "full":
        return _text(str(values["full"]))
    hidden = _IGNORED_FIELDS | {name_field}
    if name_field.startswith("display"):
        hidden |= {"item", "name"}
    if name_field:
        hidden |= {"quantity"}
    parts = _field_texts({name: value for name, value in values.items() if name not in hidden}, depth, signed)
    details = ("; " if any(": " in part for part in parts) else ", ").join(parts)
    if not name_field:
        return details
    name = joined(value_text(values.get("quantity")), _text(str(values[name_field])), sep=" ")
    return f"{name} ({details})" if parts else name


def _field_texts(values: Mapping[str, object], depth: int, signed: bool) -> list[str]:
    parts = []
    for name, value in values.items():
        if value is False:
            continue
        if name == "choose":
            has_several = isinstance(value, list) and any(isinstance(choice, Mapping) for choice in value)
            parts += [_choice(choice, depth) for choice in (listed(value) if has_several else [value])]
        elif value is True:
            parts.append(value_title(name))
        elif name.startswith("any") and isinstance(value, int | Mapping):
            parts.append(_any_of_kind(name, value))
        elif signed and name in ABILITIES and isinstance(value, int):
            parts.append(f"{ABILITIES[name].capitalize()} {value:+d}")
        else:
            is_ability = name == "ability" and isinstance(value, str)
            text = value_title(str(value)) if is_ability else value_text(value, depth + 1)
            if not text:
                continue
            colon = ":" if isinstance(value, Mapping | list) or name.isdigit() else ""
            parts.append(text if name in ("_", "static") else f"{_field_label(name)}{colon} {text}")
    return parts


def _field_label(name: str) -> str:
    """The name of a value inside another, in words: ``amountMin`` is amount min."""
    if name in ABILITIES:
        return ABILITIES[name].capitalize()
    return _WORD_BORDER.sub(" ", name).lower() if name.isidentifier() else value_title(name)


def _any_kind(name: str) -> str:
    """``anyArtisansTool`` is an artisan's tool."""
    words = _WORD_BORDER.sub(" ", name[3:]).lower().replace("artisans", "artisan's")
    return _ANY_KINDS.get(name, words)


def _any_of_kind(name: str, value: object) -> str:
    """``2 skills of your choice``; with a category ``1 Origin feat of your choice``."""
    values = as_object(value, "count")
    count, kind = values.get("count", 1), _any_kind(name)
    plural = f"{kind}s" if kind and count != 1 else kind
    return joined(str(count), value_text(values.get("category")), plural, "of your choice", sep=" ")


def _choice(value: object, depth: int) -> str:
    """``choose 2 from Arcana, History``, ``choose +2, +1 from Strength, Dexterity``, ``choose 1 (level 0)``."""
    values = as_object(value, "from")
    weighted = mapping(values.get("weighted"))
    options = weighted.get("from", values.get("from", values.get("fromFilter")))
    is_filter = isinstance(options, str)
    names = [
        value_title(option) if isinstance(option, str) and not is_filter else value_text(option, depth + 1)
        for option in listed(options)
    ]
    weights = [f"{weight:+d}" if isinstance(weight, int) else str(weight) for weight in listed(weighted.get("weights"))]
    count = ", ".join(weights) or str(values.get("count", 1))
    subject = joined(count, text_in(values, "type"), sep=" ")
    among = ", ".join(filter(None, names))
    among = f" ({among})" if is_filter and among else f" from {among}" if among else ""
    amount = f" ({values['amount']:+d})" if isinstance(values.get("amount"), int) else ""
    others = {name: other for name, other in values.items() if name not in _CHOICE_FIELDS | _IGNORED_FIELDS}
    return "; ".join((f"choose {subject}{among}{amount}", *_field_texts(others, depth, False)))
