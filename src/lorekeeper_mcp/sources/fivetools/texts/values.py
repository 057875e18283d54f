"""Values other than entries in the words of a book: grants and choices, references, numbers by name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import TYPES, markdown
from lorekeeper_mcp.sources.fivetools.texts.tags import referred, text_in
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import listed

_DEEPEST = 20
# The fields with an object's name, and its fields that no reader needs.
_NAMES = ("displayEntry", "displayName", "entry", "full", "proficiency", "name", "label", "item", "special", "uid",
          "className", "groupName", "category")  # fmt: skip
_IGNORED = frozenset(
    {"source", "classSource", "subclassSource", "groupSource", "baseSource", "definedInSource", "page", "hidden",
     "visible", "visibleStats", "visibleList", "entrySummary", "preserve", "subclassShortName"}
)  # fmt: skip
_ANY = {
    "any": "",
    "anyStandard": "standard language",
    "anyExotic": "exotic language",
    "anyRare": "rare language",
    "anyFromCategory": "feat",
}
_SMALL = frozenset({"of", "the", "and", "or"})
_FILTER = re.compile(r"[a-z][\w ]*=[^|=]*(?:\|[a-z&][\w ]*=[^|=]*)*")
_FORMULA = re.compile(r"<\$(\w+)\$>")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_VARIABLES = {"pb": "proficiency bonus", "prof_bonus": "proficiency bonus"}


def value_text(value: object, depth: int = 0, *, signed: bool = False) -> str:
    """Return a value in words; ``signed`` if numbers of abilities are added to their scores. Raises ItemError."""
    if depth > _DEEPEST:
        raise ItemError(f"it is nested deeper than {_DEEPEST} levels")
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):  # JSON only has these; a check for Mapping is slower
        return markdown(value) if _is_entry(value) else _object(value, depth, signed)
    if isinstance(value, list):
        parts = [part for one in value if (part := value_text(one, depth + 1, signed=signed))]
        in_line = all("\n" not in part and part[-1:] not in ".:!?" for part in parts)
        return (", " if in_line else "\n").join(parts)
    return markdown(value)


def choice_text(value: object) -> str:
    """Return grants and choices: ``choose 2 from Arcana, History``, ``Strength +2``."""
    return "" if value is True else value_text(value, signed=True)


def value_title(name: str) -> str:
    """Return a skill, a tool or a language as a book prints it: Sleight of Hand for ``sleight of hand``."""
    if name.startswith("any") and name[3:4].isupper():
        return f"any {_kind(name)}"
    words = ABILITIES.get(name, _text(name)).split(" ")
    return " ".join(word if word in _SMALL else f"{word[:1].upper()}{word[1:]}" for word in words)


def _is_entry(value: Mapping[str, object]) -> bool:
    return "entries" in value or (isinstance(kind := value.get("type"), str) and kind in TYPES)


def _text(value: str) -> str:
    """A text; a reference such as ``torch|xphb`` as displayed, a filter of the site in words."""
    plain = value.strip()
    if "<$" in plain:
        plain = _FORMULA.sub(lambda hit: _variable(hit[1]), plain)
    if "=" in plain and _FILTER.fullmatch(plain):
        return ", ".join(part.replace("=", " ").replace(";", " or ") for part in plain.split("|"))
    return markdown(referred(plain))


def _variable(name: str) -> str:
    ability, _, rest = name.partition("_")
    return _VARIABLES.get(name) or (
        f"{ABILITIES[ability].capitalize()} modifier" if ability in ABILITIES and rest == "mod" else name
    )


def _object(spec: Mapping[str, object], depth: int, signed: bool) -> str:
    """``Ki (amount 2)``, ``2 rope``, ``Strength +2, Dexterity +1``, ``choose 2 from Arcana, History``."""
    named = next((name for name in _NAMES if isinstance(spec.get(name), str)), "")
    others = {"item", "name"} if named.startswith("display") else set()
    rest = {name: one for name, one in spec.items() if name != named and name not in _IGNORED | others}
    if named == "full":
        return _text(str(spec["full"]))
    count = rest.pop("quantity", None) if named else None
    parts = _pairs(rest, depth, signed)
    between = "; " if any(": " in part for part in parts) else ", "
    if not named:
        return between.join(parts)
    name = " ".join(filter(None, (value_text(count) if count is not None else "", _text(str(spec[named])))))
    return f"{name} ({between.join(parts)})" if parts else name


def _pairs(spec: Mapping[str, object], depth: int, signed: bool) -> list[str]:
    parts = []
    for name, one in spec.items():
        if one is False:
            continue
        if name == "choose":
            several = isinstance(one, list) and any(isinstance(choice, Mapping) for choice in one)
            parts += [_choice(choice, depth) for choice in (listed(one) if several else [one])]
        elif one is True:
            parts.append(value_title(name))
        elif name.startswith("any") and isinstance(one, int | Mapping):
            parts.append(_any(name, one))
        elif signed and name in ABILITIES and isinstance(one, int):
            parts.append(f"{ABILITIES[name].capitalize()} {one:+d}")
        elif text := value_title(one) if name == "ability" and isinstance(one, str) else value_text(one, depth + 1):
            colon = ":" if isinstance(one, Mapping | list) or name.isdigit() else ""
            parts.append(text if name in ("_", "static") else f"{_key(name)}{colon} {text}")
    return parts


def _key(name: str) -> str:
    """The name of a value inside another, in words: ``amountMin`` is amount min."""
    if name in ABILITIES:
        return ABILITIES[name].capitalize()
    return _CAMEL.sub(" ", name).lower() if name.isidentifier() else value_title(name)


def _kind(name: str) -> str:
    """``anyArtisansTool`` is an artisan's tool."""
    return _ANY[name] if name in _ANY else _CAMEL.sub(" ", name[3:]).lower().replace("artisans", "artisan's")


def _any(name: str, given: object) -> str:
    """``2 skills of your choice``; with a category ``1 Origin feat of your choice``."""
    spec = given if isinstance(given, Mapping) else {"count": given}
    count, kind = spec.get("count", 1), _kind(name)
    of = value_text(spec.get("category"))
    several = "s" if kind and count != 1 else ""
    return " ".join(filter(None, (str(count), of, f"{kind}{several}", "of your choice")))


def _choice(given: object, depth: int) -> str:
    """``choose 2 from Arcana, History``, ``choose +2, +1 from Strength, Dexterity``, ``choose 1 (level 0)``."""
    spec = given if isinstance(given, Mapping) else {"from": given}
    weighted = spec.get("weighted")
    inner = weighted if isinstance(weighted, Mapping) else {}
    options = inner.get("from", spec.get("from", spec.get("fromFilter")))
    is_filter = isinstance(options, str)
    names = [
        value_title(one) if isinstance(one, str) and not is_filter else value_text(one, depth + 1)
        for one in listed(options)
    ]
    weights = ", ".join(f"{by:+d}" if isinstance(by, int) else str(by) for by in listed(inner.get("weights")))
    amount = spec.get("amount")
    count = weights or str(spec.get("count", 1))
    what = " ".join(filter(None, (count, text_in(spec, "type"))))
    known = ("from", "fromFilter", "count", "amount", "weighted", "type")
    rest = _pairs({name: one for name, one in spec.items() if name not in known and name not in _IGNORED}, depth, False)
    among = ", ".join(filter(None, names))
    more = f" ({among})" if is_filter and among else f" from {among}" if among else ""
    by = f" ({amount:+d})" if isinstance(amount, int) else ""
    return "; ".join((f"choose {what}{more}{by}", *rest))
