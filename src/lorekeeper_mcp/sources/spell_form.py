"""The spell that every homebrew reader produces, and its conversion; values that only a spell's text has."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lorekeeper_mcp.filters.argument_types import casting_time_key
from lorekeeper_mcp.models import Ref, Section, Spell
from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import ItemError, slug

_TIME = re.compile(
    r"\s*(\d{1,4})?\s*(bonus[\s-]*action|reaction|action|minute|min|hour|hr|round|turn|day|week)s?\b", re.I
)
_DISTANCE = re.compile(
    r"(\d[\d,]{0,9}(?:\.\d{1,2})?)[\s-]*(feet|foot|ft|miles?|mi|yards?|kilomet(?:er|re)s?|km|met(?:er|re)s?|m)\b", re.I
)
_UNITS = {"mi": ("miles", 1.0), "ya": ("feet", 3.0), "ki": ("miles", 0.625), "km": ("miles", 0.625),
          "me": ("feet", 10 / 3), "m": ("feet", 10 / 3)}  # fmt: skip
_AREA = re.compile(
    r"\b(\d{1,4})[- ](?:foot|feet|ft)[- ]?(?:radius[- ,])?\s?(cone|cube|cylinder|emanation|hemisphere"
    r"|line|radius|sphere)",
    re.I,
)
_HIGHER = re.compile(r"\n[ \t*]{0,8}at higher levels?[ \t.:*]{0,8}", re.I)
_CONCENTRATION = re.compile(r"^\s*concentration\b[\s,:;(]*(?:up\s+to\s+)?", re.I)
_COST = re.compile(r"(\d[\d,]{0,11})\+? ?gp\b", re.I)
_CONSUMED = re.compile(r"\bconsume[sd]?\b", re.I)
_DAMAGE = re.compile(
    r"\b(?:(\d{1,4}d\d{1,4}(?: ?[+-] ?\d{1,4})?)|\d{1,4}) (?:extra |points of )?"
    rf"({'|'.join(DAMAGE_TYPES)})\b[^.]{{0,60}}?\bdamage",
    re.I,
)
# Not "when you are the target of a ranged spell attack".
_ATTACK = re.compile(
    r"\b(?:mak(?:e|es|ing) an? (?:single |successful )?|successful |succeed on an? |requir(?:e|es|ing) an? (?:new )?)"
    r"(?:melee |ranged )?spell attack\b",
    re.I,
)

_ABILITY = "|".join(ABILITIES)
_NAMED = re.compile(rf"\b({_ABILITY})(?:,? (?:or|and) ({_ABILITY}))?\)? sav(?:e|es|ing throws?)\b", re.IGNORECASE)
# Words in the same clause before a saving throw that is only made easier or harder.
_MODIFIED = re.compile(
    r"\b(?:advantage|disadvantage|bonus|penalty|proficien\w+|resistance|add\w*|subtract\w*|reroll|benefit\w*)\b"
    r"(?:(?!\b(?:make|makes|making|made|must|succeed\w*|fail\w*|repeat\w*|attempt\w*)\b)[^.;:])*$",
    re.IGNORECASE,
)
_UNNAMED = re.compile(
    r"\b(?:failed|fails (?:a|the|its|this)|successful|succeeds on (?:a|the|its)|makes? a) sav(?:e|ing throw)\b",
    re.IGNORECASE,
)
_CLAUSE = 120  # characters before the ability to search


@dataclass(frozen=True)
class SpellForm:
    """A spell as a program describes it; texts as printed. What a format does not say is read from the text."""

    level: int | None
    school: str = ""  # a name or a key
    casting_time: str = ""  # "1 reaction, which you take when you fall"
    range: str = ""  # "60 feet", "Self (15-foot cone)"
    area: str = ""  # "20-foot sphere", if the range does not say it
    verbal: bool = False
    somatic: bool = False
    material: bool = False
    material_text: str = ""
    material_cost: float | None = None  # gp
    material_consumed: bool | None = None
    duration: str = ""  # "Concentration, up to 1 minute"
    concentration: bool = False
    ritual: bool = False
    classes: tuple[Ref, ...] = ()
    subclasses: tuple[Ref, ...] = ()
    damage_types: tuple[str, ...] = ()
    damage_roll: str = ""
    saving_throw: str = ""  # ability in full
    attack_roll: bool = False
    higher_level: str = ""
    other: tuple[Section, ...] = ()


def to_spell(form: SpellForm, head: CommonFields) -> Spell:
    """Return the record of a spell. Raises ItemError if its level is not known, ValidationError for an odd value."""
    if form.level is None or not 0 <= form.level <= 20:
        raise ItemError("it has no spell level (0 for a cantrip)")
    text, higher_level, material = head["text"], form.higher_level, form.material_text
    if not higher_level and (found := _HIGHER.search(text)):
        text, higher_level = text[: found.start()].rstrip(), text[found.end() :].strip()
    key, time_text, condition = _casting_time(form.casting_time)
    distance, unit = _distance(form.range)
    area = _AREA.search(form.area or form.range)
    damage_types, damage_roll = _damage(text)
    concentration = form.concentration or "concentration" in form.duration.lower()
    duration = _CONCENTRATION.sub("", form.duration).removesuffix(")").strip() if concentration else form.duration
    return Spell.model_validate(
        {
            **head,
            "text": text,
            "level": form.level,
            "school": slug(form.school) if form.school else "",
            "casting_time": key,
            "casting_time_text": time_text,
            "reaction_condition": condition,
            "range": distance,
            "range_unit": unit,
            "range_text": form.range[:1].upper() + form.range[1:],
            "verbal": form.verbal,
            "somatic": form.somatic,
            "material": form.material or bool(material),
            "material_text": material,
            "material_cost": material_cost(material) if form.material_cost is None else form.material_cost,
            "material_consumed": (
                material_consumed(material) if form.material_consumed is None else form.material_consumed
            ),
            "duration": duration,
            "concentration": concentration,
            "ritual": form.ritual,
            "classes": form.classes,
            "subclasses": form.subclasses,
            "damage_types": form.damage_types or damage_types,
            "damage_roll": form.damage_roll or damage_roll,
            "saving_throw": form.saving_throw or saving_throw(text),
            "attack_roll": form.attack_roll or needs_attack_roll(text),
            **({"shape_type": area[2].lower(), "shape_size": float(area[1]), "shape_unit": "feet"} if area else {}),
            "higher_level": higher_level,
            "other": form.other,
        }
    )


def _casting_time(text: str) -> tuple[str, str, str]:
    """The key of a casting time, the time as printed, and the trigger of a reaction, which is printed after a comma."""
    match = _TIME.match(text[:200])
    if not match:
        return slug(text) if text else "", text, ""
    key = casting_time_key(match[0] if match[1] else f"1 {match[0]}")
    rest = text[match.end() :].strip(" ,;:(")
    if match[2].lower() == "reaction" and rest:
        return key, match[0].strip(), rest.removesuffix(")")
    is_singular = not rest and int(match[1] or 1) > 1 and not text.endswith(("s", "."))
    return key, f"{text}s" if is_singular else text, ""


def _distance(text: str) -> tuple[float | None, str]:
    """The distance in feet or miles; self and touch are 0 feet, anything unclear is None."""
    if text.strip().lower().startswith(("self", "touch")):
        return 0.0, "feet"
    match = _DISTANCE.search(text)
    if not match:
        return None, ""
    unit, factor = _UNITS.get(match[2].lower()[:2], ("feet", 1.0))
    return round(float(match[1].replace(",", "")) * factor, 2), unit


def material_cost(text: str) -> float | None:
    """Return the first price in gp in the text; None if there is none."""
    match = _COST.search(text)
    return float(match[1].replace(",", "")) if match else None


def material_consumed(text: str) -> bool:
    """Whether casting consumes the material, according to the text."""
    return bool(_CONSUMED.search(text))


def _damage(text: str) -> tuple[tuple[str, ...], str]:
    """The types of damage in a text, each once, and its first dice, such as ``8d6``, if any."""
    matches = list(_DAMAGE.finditer(text))
    dice = next((match[1].replace(" ", "") for match in matches if match[1]), "")
    return tuple(dict.fromkeys(match[2].lower() for match in matches)), dice


def needs_attack_roll(text: str) -> bool:
    """Whether casting the spell needs an attack roll, according to the text."""
    return bool(_ATTACK.search(text))


def saving_throw(text: str, served: str = "") -> str:
    """Return the ability of a spell's saving throw, in lower case, empty if the text requires none.

    The ``served`` value is kept if the text requires it among others, or requires a saving throw without naming one.
    A program filled Open5e's field with the first ability named in the text: Haste, which gives advantage on Dexterity
    saving throws, is served as requiring one (30 such spells of 1,955, recorded in 2026).
    """
    required = [
        ability.lower()
        for match in _NAMED.finditer(text)
        if not _MODIFIED.search(text[max(0, match.start() - _CLAUSE) : match.start()])
        for ability in match.groups()
        if ability
    ]
    if served in required or (not required and _UNNAMED.search(text)):
        return served
    return required[0] if required else ""
