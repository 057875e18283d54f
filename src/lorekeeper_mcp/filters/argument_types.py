"""Lenient argument types that accept what models send: any case, numbers as text, lists as text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, TypeAdapter, WithJsonSchema

from lorekeeper_mcp.filters.everyday_values import NUMBERS, ORDINALS, match_key, parse_amount
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.text import slugify

Text = Annotated[str, StringConstraints(strip_whitespace=True)]
MAX_VALUES = 100  # of one argument
_MAX_KEY = 64  # characters; longer text cannot be a key and is rejected
_LEVELS = NUMBERS | ORDINALS | {"cantrip": 0, "cantrips": 0}
_LEVEL = re.compile(r"(?:level )?(?:(\d{1,2})(?:st|nd|rd|th)?|([a-z]+))(?:[ -]level)?(?: spells?)?")
_ALTERNATIVES = re.compile(r"\s*,\s*|\s+or\s+", re.IGNORECASE)


def text_reader(read: Callable[[str], object], limit: int = _MAX_KEY) -> BeforeValidator:
    """A validator that reads short texts with a function. Anything else is passed on unchanged."""
    return BeforeValidator(lambda value: read(value) if isinstance(value, str) and len(value) <= limit else value)


def _plain_key(text: str) -> str:
    """Normalize a key for comparison: ``Very Rare`` and ``very_rare`` -> ``very-rare``."""
    return slugify(text.replace("_", "-"))


def choice(*keys: str, unlisted: tuple[str, ...] = ()) -> Any:  # a type made at run time
    """One of the keys, in any case and in the forms that people use; an enum in the schema.

    The ``unlisted`` keys are accepted, too, but left out of the schema.
    """
    if unlisted:
        return Annotated[choice(*keys, *unlisted), WithJsonSchema(TypeAdapter(choice(*keys)).json_schema())]
    match_by_spelling = {_plain_key(key): str(key) for key in keys}

    def as_key(text: str) -> str:
        spelling = match_key(_plain_key(text), match_by_spelling)
        return str(text) if spelling is None else match_by_spelling[spelling]

    return Annotated[Literal[keys], text_reader(as_key)]


def one_or_more(annotation: Any) -> Any:  # a type made at run time
    """One or more values: a list, a JSON list, or values joined by commas or "or". The schema shows a single value."""
    schema = TypeAdapter(annotation).json_schema()
    length = Field(min_length=1, max_length=MAX_VALUES)
    return Annotated[list[annotation], BeforeValidator(_as_values), length, WithJsonSchema(schema)]


def _as_values(value: object) -> object:
    members = as_list(value)
    if not isinstance(members, list):
        return [members]
    values: list[object] = []
    for member in members:
        values += _ALTERNATIVES.split(member) if isinstance(member, str) else [member]
    return values


def _as_level(text: str) -> object:
    """``"3rd"``, ``"third"`` and ``"level 3"`` -> 3; ``"cantrip"`` -> 0."""
    match = _LEVEL.fullmatch(text.strip().lower())
    if not match:
        return text
    return int(match[1]) if match[1] else _LEVELS.get(match[2], text)


def level(lowest: int, highest: int) -> Any:  # a type made at run time
    """A level within bounds, as a number or in words."""
    return Annotated[int, Field(ge=lowest, le=highest), text_reader(_as_level, 32)]


def measure(annotation: Any, units: Mapping[str, float]) -> Any:  # a type made at run time
    """A number that may have a unit: ``1,000 gp``, ``60 ft.``"""

    def as_number(text: str) -> object:
        number = parse_amount(text, units)
        return text if number is None else number

    schema = TypeAdapter(annotation).json_schema()
    schema.pop("maximum", None)  # of no use to a caller
    return Annotated[annotation, text_reader(as_number), WithJsonSchema(schema)]


def _as_challenge_rating(text: str) -> object:
    """``"1/4"`` -> 0.25; ``"CR 5"`` -> 5."""
    rating = text.strip().lower().removeprefix("cr").strip()
    fraction = re.fullmatch(r"(\d{1,3})\s*/\s*(\d{1,3})", rating)
    if not fraction:
        return rating
    return int(fraction[1]) / int(fraction[2]) if int(fraction[2]) else text


# The schema only has a number, since some client or checker rejects or drops each way to write two types.
ChallengeRating = Annotated[float, Field(ge=0, le=30, allow_inf_nan=False), text_reader(_as_challenge_rating, 16)]


def as_list(value: object) -> object:
    """Read a list, a JSON list in a text, or comma-separated text as a list; None stays None."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value.strip().strip("[]").split(",")
    return [part.strip() for part in value.split(",") if part.strip()]


TextList = Annotated[
    list[Text],
    BeforeValidator(as_list),
    Field(max_length=MAX_VALUES),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]
Alternatives = Annotated[list[Text], BeforeValidator(_as_values), Field(max_length=MAX_VALUES)]  # "spells or feats"


def _as_object(value: object) -> object:
    """Read an object, an object as JSON text, or ``strength 16, dex 12``."""
    if not isinstance(value, str):
        return value
    if not value.lstrip().startswith("{"):
        pairs = re.findall(r"([a-z]+)\W*(\d+)\W*", value.lower())
        return {name: int(score) for name, score in pairs} if pairs else value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


_CASTING_UNITS = {"min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour"}


def casting_time_key(text: str) -> str:
    """Open5e's key of a casting time: ``1 bonus action`` -> ``bonus-action``, ``10 min`` -> ``10minutes``."""
    words = re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
    if words in ("ba", "bonus"):
        words = "bonus action"
    match = re.fullmatch(r"(\d+)?\s*(bonus action|reaction|action|turn|round)s?", words)
    if match:
        return match[2].replace(" ", "-") if match[1] in (None, "1") else f"{match[1]}{match[2]}s"
    match = re.fullmatch(r"(\d+)\s*([a-z]+)", words)
    if not match:
        return words.replace(" ", "-")
    unit = _CASTING_UNITS.get(match[2], match[2].removesuffix("s"))
    return f"{int(match[1])}{unit}{'' if int(match[1]) == 1 else 's'}"


def normalized_by(form: Callable[[str], str], *, limit: int = 200) -> object:
    """A text that a function normalizes. The schema leaves out the limit."""
    return Annotated[str, text_reader(form, limit), Field(max_length=limit), WithJsonSchema({"type": "string"})]


def class_key(text: str) -> str:
    """``Blood Hunter`` -> ``blood-hunter``; a full key such as ``srd-2024_wizard`` is kept."""
    return re.sub(r"\s+", "-", text.strip().lower())


CLASS_KEY = normalized_by(class_key)


def dice(text: str) -> str:
    """``1D8`` and ``1 d8`` -> ``1d8``; a bare ``d8`` is one die."""
    plain = re.sub(r"\s+", "", text.lower())
    return f"1{plain}" if plain.startswith("d") else plain


def _as_abilities(value: object) -> object:
    """``{"STR": 16}`` -> ``{"strength": 16}``."""
    scores = _as_object(value)
    if not isinstance(scores, dict):
        return scores
    return {match_key(_plain_key(str(key)), ABILITIES) or str(key): score for key, score in scores.items()}


_SCORES = {key: {"type": "integer", "minimum": 0, "maximum": 50} for key in ABILITIES}
AbilityScores = Annotated[
    dict[
        Literal["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"],
        Annotated[int, Field(ge=0, le=50)],
    ],
    BeforeValidator(_as_abilities),
    WithJsonSchema({"type": "object", "properties": _SCORES, "additionalProperties": False}),
]
