"""Lenient argument types that accept what models send: any case, lists as text, everyday forms.

Everyday forms are "rings", "a DEX save", "1,000 gp", "the third level" and "CG".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, TypeAdapter, WithJsonSchema

from lorekeeper_mcp.models.vocabulary import ABILITIES, GOLD
from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.text import slugify

Text = Annotated[str, StringConstraints(strip_whitespace=True)]
MAX_VALUES = 100  # of one argument
_MAX_KEY = 64  # characters; longer text cannot be a key and is rejected
_MIN_LETTERS = 3  # of an abbreviated key
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
NUMBERS = {word: number for number, word in enumerate(_NUMBERS.split())}
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split())}
FEET: Mapping[str, float] = {"feet": 1, "foot": 1, "ft": 1, "mile": 5280, "miles": 5280}
GP: Mapping[str, float] = GOLD | {"gold": 1, "gold pieces": 1, "silver": 0.1, "copper": 0.01, "platinum": 10}
POUNDS: Mapping[str, float] = {"lb": 1, "lbs": 1, "pound": 1, "pounds": 1}
POINTS: Mapping[str, float] = {"hp": 1, "hit points": 1, "ac": 1}
_AMOUNT = re.compile(r"(?:([a-z]+) )?(\d+(?:\.\d+)?)(?: ?([a-z][a-z ]*?)\.?)?")
_LEVELS = NUMBERS | ORDINALS | {"cantrip": 0, "cantrips": 0}
_LEVEL = re.compile(r"(?:level )?(?:(\d{1,2})(?:st|nd|rd|th)?|([a-z]+))(?:[ -]level)?(?: spells?)?")
_ALTERNATIVES = re.compile(r"\s*,\s*|\s+or\s+", re.IGNORECASE)
# Nouns that people add to a key: fire damage, DEX save, heavy armor.
_OF_KIND = re.compile(
    r"-(?:damage|saves?|saving-throws?|armou?r|schools?|conditions?|speed|feats?|skills?|score|creatures?|spells?)$"
)
_INFLECTED = "(?:ing|ed|es|s|d)"  # "flying", "poisoned"
_CASTING_UNITS = {"min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour"}
_LAWFULNESS = {"l": "lawful", "n": "neutral", "c": "chaotic"}
_GOODNESS = {"g": "good", "n": "neutral", "e": "evil"}

# -- one value


def text_reader(read: Callable[[str], object], limit: int = _MAX_KEY) -> BeforeValidator:
    """A validator that reads short texts with a function. Anything else is passed on unchanged."""
    return BeforeValidator(lambda value: read(value) if isinstance(value, str) and len(value) <= limit else value)


def normalized_by(form: Callable[[str], str], *, limit: int = 200) -> object:
    """A text that a function normalizes. The schema leaves out the limit."""
    return Annotated[str, text_reader(form, limit), Field(max_length=limit), WithJsonSchema({"type": "string"})]


def choice(*keys: str, unlisted: tuple[str, ...] = ()) -> Any:  # a type made at run time
    """One of the keys, in any case and in the forms that people use; an enum in the schema.

    The ``unlisted`` keys are accepted, too, but left out of the schema.
    """
    if unlisted:
        return Annotated[choice(*keys, *unlisted), WithJsonSchema(TypeAdapter(choice(*keys)).json_schema())]
    return Annotated[Literal[keys], text_reader(lambda text: match_key(text, keys) or text)]


def match_key(text: str, keys: Collection[str]) -> str | None:
    """Return the one key that a text means: in the other number, abbreviated, inflected, or followed by its kind."""
    slug = slugify(text.replace("_", "-"))  # "Very Rare" and "very_rare" are very-rare
    by_letters = {re.sub(r"[_-]", "", key.lower()): key for key in keys}
    for form in dict.fromkeys((slug, _OF_KIND.sub("", slug))):
        for spelling in (form, *singular_or_plural_forms(form.replace("-", " "))):
            if key := by_letters.get(re.sub(r"[ -]", "", spelling)):
                return key
        abbreviated = [key for key in keys if len(form) >= _MIN_LETTERS and key.startswith(form)]
        inflected = [key for key in keys if re.fullmatch(rf"{re.escape(key)}{key[-1:]}?{_INFLECTED}", form)]
        if len(abbreviated or inflected) == 1:
            return (abbreviated or inflected)[0]
    return None


def level(lowest: int, highest: int) -> Any:  # a type made at run time
    """A level within bounds: 3, ``3rd``, ``third``, ``level 3``, ``cantrip``."""

    def read(text: str) -> object:
        match = _LEVEL.fullmatch(text.strip().lower())
        if not match:
            return text
        return int(match[1]) if match[1] else _LEVELS.get(match[2], text)

    return Annotated[int, Field(ge=lowest, le=highest), text_reader(read, 32)]


def measure(units: Mapping[str, float], *, is_whole: bool = True) -> Any:  # a type made at run time
    """A number from 0 that may have a unit: ``1,000 gp``, ``60 ft.``"""

    def read(text: str) -> object:
        number = parse_amount(text, units)
        return text if number is None else number

    limits = Field(ge=0, le=100_000_000, allow_inf_nan=None if is_whole else False)
    schema = {"type": "integer" if is_whole else "number", "minimum": 0}  # the maximum is of no use to a caller
    return Annotated[int if is_whole else float, limits, text_reader(read), WithJsonSchema(schema)]


def parse_amount(text: str, units: Mapping[str, float]) -> float | None:
    """The number of ``1,000 gp``, ``60 ft.`` or ``AC 18`` in the first unit; None for more words: "under 50 gp"."""
    match = _AMOUNT.fullmatch(re.sub(r"(?<=\d),(?=\d{3})", "", text.strip().lower()))
    names = [unit for unit in (match[1], match[3]) if unit] if match else []
    if match is None or any(name not in units for name in names):
        return None
    return float(match[2]) * (units[names[0]] if names else 1)


def _as_challenge_rating(text: str) -> object:
    """``"1/4"`` -> 0.25; ``"CR 5"`` -> 5."""
    rating = text.strip().lower().removeprefix("cr").strip()
    fraction = re.fullmatch(r"(\d{1,3})\s*/\s*([1-9]\d{0,2})", rating)
    return int(fraction[1]) / int(fraction[2]) if fraction else rating


# The schema only has a number, since some client or checker rejects or drops each way to write two types.
ChallengeRating = Annotated[float, Field(ge=0, le=30, allow_inf_nan=False), text_reader(_as_challenge_rating, 16)]


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


def class_key(text: str) -> str:
    """``Blood Hunter`` -> ``blood-hunter``; a full key such as ``srd-2024_wizard`` is kept."""
    return re.sub(r"\s+", "-", text.strip().lower())


CLASS_KEY = normalized_by(class_key)


def dice(text: str) -> str:
    """``1D8`` and ``1 d8`` -> ``1d8``; a bare ``d8`` is one die."""
    plain = re.sub(r"\s+", "", text.lower())
    return f"1{plain}" if plain.startswith("d") else plain


def alignment_key(text: str) -> str:
    """``Chaotic Good`` and ``CG`` -> ``chaotic-good``, ``TN`` and ``N`` -> ``true-neutral``."""
    slug = slugify(text)
    if slug in ("n", "nn", "tn"):
        return "true-neutral"
    if len(slug) == 2 and slug[0] in _LAWFULNESS and slug[1] in _GOODNESS:
        return f"{_LAWFULNESS[slug[0]]}-{_GOODNESS[slug[1]]}"
    return "unaligned" if slug == "u" else slug


# -- several values


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


def _as_values(value: object) -> object:
    members = as_list(value)
    if not isinstance(members, list):
        return [members]
    return [
        value for member in members for value in (_ALTERNATIVES.split(member) if isinstance(member, str) else [member])
    ]


def one_or_more(annotation: Any) -> Any:  # a type made at run time
    """One or more values: a list, a JSON list, or values joined by commas or "or". The schema shows a single value."""
    schema = TypeAdapter(annotation).json_schema()
    length = Field(min_length=1, max_length=MAX_VALUES)
    return Annotated[list[annotation], BeforeValidator(_as_values), length, WithJsonSchema(schema)]


TextList = Annotated[
    list[Text],
    BeforeValidator(as_list),
    Field(max_length=MAX_VALUES),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]
Alternatives = Annotated[list[Text], BeforeValidator(_as_values), Field(max_length=MAX_VALUES)]  # "spells or feats"


def _as_abilities(value: object) -> object:
    """Read an object, an object as JSON text, or ``STR 16, dex 12`` as scores by ability."""
    if isinstance(value, str):
        pairs = re.findall(r"([a-z]+)\W*(\d+)\W*", value.lower())
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = {name: int(score) for name, score in pairs} or value
    if not isinstance(value, dict):
        return value
    return {match_key(str(key), ABILITIES) or str(key): score for key, score in value.items()}


_SCORES = {key: {"type": "integer", "minimum": 0, "maximum": 50} for key in ABILITIES}
AbilityScores = Annotated[
    dict[
        Literal["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"],
        Annotated[int, Field(ge=0, le=50)],
    ],
    BeforeValidator(_as_abilities),
    WithJsonSchema({"type": "object", "properties": _SCORES, "additionalProperties": False}),
]
