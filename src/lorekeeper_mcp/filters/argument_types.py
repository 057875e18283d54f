"""Lenient argument types for what models send: other case, numbers as text, lists as text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, TypeAdapter, WithJsonSchema

from lorekeeper_mcp.filters.everyday_values import NUMBERS, ORDINALS, match_key, parse_amount
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.text import slugify

Text = Annotated[str, StringConstraints(strip_whitespace=True)]
_LONGEST_KEY = 64  # characters; longer text is not a key and is refused unchanged
_LEVELS = NUMBERS | ORDINALS | {"cantrip": 0, "cantrips": 0}
_ALTERNATIVES = re.compile(r"\s*,\s*|\s+or\s+", re.IGNORECASE)


def _plain_key(text: str) -> str:
    """Normalise a key for comparison: ``Very Rare`` and ``very_rare`` -> ``very-rare``."""
    return slugify(text.replace("_", "-"))


def choice(*keys: str, unlisted: tuple[str, ...] = ()) -> Any:  # a type made at run time
    """One of the keys, in any case and in the forms that people use; an enum in the schema.

    The ``unlisted`` keys are accepted, too, but left out of the schema.
    """
    if unlisted:
        return Annotated[choice(*keys, *unlisted), WithJsonSchema(TypeAdapter(choice(*keys)).json_schema())]
    by_spelling = {_plain_key(key): str(key) for key in keys}

    def as_key(value: object) -> object:
        if not isinstance(value, str) or len(value) > _LONGEST_KEY:
            return value
        text = value.value if isinstance(value, StrEnum) else value
        meant = match_key(_plain_key(text), by_spelling)
        return text if meant is None else by_spelling[meant]

    return Annotated[Literal[keys], BeforeValidator(as_key)]


def one_or_more(annotation: Any) -> Any:  # a type made at run time
    """One value or several: a list, a JSON list, or values joined by commas or "or". The schema shows a single one."""
    schema = TypeAdapter(annotation).json_schema()
    return Annotated[
        list[annotation], BeforeValidator(_as_values), Field(min_length=1, max_length=100), WithJsonSchema(schema)
    ]


def _as_values(value: object) -> object:
    listed = as_list(value)
    if not isinstance(listed, list):
        return [listed]
    return [part for one in listed for part in (_ALTERNATIVES.split(one) if isinstance(one, str) else [one])]


def _as_level(value: object) -> object:
    """``"3rd"``, ``"third"`` and ``"level 3"`` -> 3; ``"cantrip"`` -> 0."""
    if not isinstance(value, str) or len(value) > 32:
        return value
    found = re.fullmatch(
        r"(?:level )?(?:(\d{1,2})(?:st|nd|rd|th)?|([a-z]+))(?:[ -]level)?(?: spells?)?", value.strip().lower()
    )
    if not found:
        return value
    return int(found[1]) if found[1] else _LEVELS.get(found[2], value)


def level(lowest: int, highest: int) -> Any:  # a type made at run time
    """A level within bounds, as a number or in words."""
    return Annotated[int, Field(ge=lowest, le=highest), BeforeValidator(_as_level)]


def measure(annotation: Any, units: Mapping[str, float]) -> Any:  # a type made at run time
    """A number that may have a unit: ``1,000 gp``, ``60 ft.``"""

    def as_number(value: object) -> object:
        if not isinstance(value, str) or len(value) > _LONGEST_KEY:
            return value
        number = parse_amount(value, units)
        return value if number is None else number

    return Annotated[annotation, BeforeValidator(as_number)]


def _as_challenge_rating(value: object) -> object:
    """``"1/4"`` -> 0.25; ``"CR 5"`` -> 5."""
    if isinstance(value, str) and len(value) <= 16:
        text = value.strip().lower().removeprefix("cr").strip()
        if re.fullmatch(r"\d{1,3}\s*/\s*\d{1,3}", text):
            over, under = (int(part) for part in text.split("/"))
            return float(Fraction(over, under)) if under else value
        return text
    return value


# The schema has a number alone: every way to write two types is refused or dropped by some client or checker.
ChallengeRating = Annotated[float, Field(ge=0, le=30, allow_inf_nan=False), BeforeValidator(_as_challenge_rating)]


def as_list(value: object) -> object:
    """Read a list, a JSON list in a text, or comma-separated text as a list; None stays None."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except ValueError:
            return value.strip().strip("[]").split(",")
    return [part.strip() for part in value.split(",") if part.strip()]


TextList = Annotated[list[Text], BeforeValidator(as_list), Field(max_length=100)]


def _as_object(value: object) -> object:
    """Read an object, an object as JSON text, or ``strength 16, dex 12``."""
    if not isinstance(value, str):
        return value
    if not value.lstrip().startswith("{"):
        pairs = re.findall(r"([a-z]+)\W*(\d+)\W*", value.lower())
        return {name: int(score) for name, score in pairs} if pairs else value
    try:
        return json.loads(value)
    except ValueError:
        return value


_CASTING_UNITS = {"min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour"}


def casting_time_key(text: str) -> str:
    """Open5e's key of a casting time: ``1 bonus action`` -> ``bonus-action``, ``10 min`` -> ``10minutes``."""
    words = re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
    if words in ("ba", "bonus"):
        words = "bonus action"
    found = re.fullmatch(r"(\d+)?\s*(bonus action|reaction|action|turn|round)s?", words)
    if found:
        return found[2].replace(" ", "-") if found[1] in (None, "1") else f"{found[1]}{found[2]}s"
    found = re.fullmatch(r"(\d+)\s*([a-z]+)", words)
    if not found:
        return words.replace(" ", "-")
    unit = _CASTING_UNITS.get(found[2], found[2].removesuffix("s"))
    return f"{int(found[1])}{unit}{'' if int(found[1]) == 1 else 's'}"


def normalised_by(form: Callable[[str], str], *, limit: int = 200, pattern: str | None = None) -> object:
    """A text that a function brings into canonical form. The pattern is only for the schema and refuses nothing."""
    return Annotated[
        str,
        BeforeValidator(lambda value: form(value) if isinstance(value, str) and len(value) <= limit else value),
        Field(max_length=limit, json_schema_extra={"pattern": pattern} if pattern else None),
    ]


def class_key(text: str) -> str:
    """``Blood Hunter`` -> ``blood-hunter``; a full key such as ``srd-2024_wizard`` is kept."""
    return re.sub(r"\s+", "-", text.strip().lower())


ANY_TEXT = r"^[^\u0000]*$"  # for schemas alone: checkers require a pattern if tools share an argument
CLASS_KEY = normalised_by(class_key, pattern=ANY_TEXT)


def dice(text: str) -> str:
    """``1D8`` and ``1 d8`` -> ``1d8``; a bare ``d8`` is one die."""
    plain = re.sub(r"\s+", "", text.lower())
    return f"1{plain}" if plain.startswith("d") else plain


def _as_abilities(value: object) -> object:
    """``{"STR": 16}`` -> ``{"strength": 16}``."""
    value = _as_object(value)
    if not isinstance(value, dict):
        return value
    return {match_key(_plain_key(str(key)), ABILITIES) or str(key): score for key, score in value.items()}


AbilityScores = Annotated[
    dict[
        Literal["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"],
        Annotated[int, Field(ge=0, le=50)],
    ],
    BeforeValidator(_as_abilities, json_schema_input_type=dict[str, int]),
]
