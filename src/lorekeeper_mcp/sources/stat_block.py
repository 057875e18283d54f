"""The stat block that every homebrew reader produces, and its conversion to a creature.

A reader passes the lines of a stat block as printed; numbers, keys and ranges are read from them here, once. A line
with more than can be read from it stays on the page as written, under "Also". Lines in another language keep their
words: only numbers in feet are read from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from lorekeeper_mcp.models import Abilities, Action, ActionType, Creature, Defenses, Kind, Section, Senses
from lorekeeper_mcp.models.vocabulary import ABILITIES, CONDITIONS, CREATURE_TYPES, DAMAGE_TYPES, SKILLS
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import integer, leading_number, listed, mapping, sections_of, shown
from lorekeeper_mcp.sources.imported import common_fields, record_key, slug

_SIZES = "tiny|small|medium|large|huge|gargantuan"
_TYPE = re.compile(rf"\b({'|'.join(CREATURE_TYPES)}|monstrositie)(?:s|es)?\b", re.IGNORECASE)
_SIZE = re.compile(rf"\b({_SIZES})\b", re.IGNORECASE)
_LEADING_SIZES = re.compile(
    rf"\s*((?:{_SIZES})(?:(?:,| or|, or) (?:{_SIZES}))*)(?:\s+(.*))?", re.IGNORECASE | re.DOTALL
)
# A number without a unit is in feet; one in metres or miles is not read.
_FEET = r"(\d{1,4})(?!\d|[.,]\d)\s*(?:(?:feet|foot|ft|pies|pieds|fuß)\b\.?|'|(?=\s*(?:$|[,;.()])))"
SPEED = re.compile(
    rf"\s*(?:\b(walk|fly|swim|climb|burrow|crawl)m?(?:ing)?\s*(?:speed)?\s*:?\s*)?{_FEET}", re.IGNORECASE
)
_HOVER = re.compile(r"\(?\bhover\b\)?", re.IGNORECASE)
_SENSE = re.compile(rf"(darkvision|blindsight|tremorsense|truesight)[^\d,;]{{0,12}}{_FEET}", re.IGNORECASE)
PASSIVE = re.compile(r",?\s{0,4}passive perception\D{0,3}(\d{1,2})", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d{1,6}")
_DICE = re.compile(r"\d{1,4}\s*d\s*\d{1,4}(?:\s*[+−–-]\s*\d{1,5})?", re.IGNORECASE)
_POINTS = re.compile(rf"{_DICE.pattern}|[+-]?\d[\d,]{{0,8}}\s*(?:\(?\s*{_DICE.pattern}\s*\)?)?", re.IGNORECASE)
_RATING = re.compile(
    r"\s*(?:cr\s*)?(0,\d{1,3}|\d{1,3}(?:\.\d{1,3})?)(?!\d|,\d)(?:\s*/\s*(\d{1,2}))?(?:\s*\([\d,. ]{1,12}xp\))?",
    re.IGNORECASE,
)
_EXPERIENCE = re.compile(r"(\d[\d,. ]{0,12})\s*xp", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\(([^()]*)\)")
_WORD = re.compile(r"[^\W\d_]{2}")
# "and slashing from nonmagical attacks"
_DEFENSE = re.compile(rf"(?:(?:and|or)\s+)?({'|'.join((*DAMAGE_TYPES, *CONDITIONS))})\b", re.IGNORECASE)
_USES = re.compile(r"\((Recharge[^)]{0,60}|\d{1,3}/[^)]{0,60})\)$", re.IGNORECASE)
_COST = re.compile(r"\(costs (\d) actions?\)", re.IGNORECASE)
_LINES = ("size", "type", "armor", "hit_points", "hit_dice", "speed", "senses", "languages", "challenge")


@dataclass(frozen=True)
class StatBlock:
    """A creature as a program describes it; texts as printed. ``actions`` are a kind, a name and a text each."""

    name: str
    size: str = ""
    type: str = ""
    alignment: str = ""
    armor: str = ""
    hit_points: str = ""
    hit_dice: str = ""
    speed: str = ""
    abilities: Mapping[str, int] = field(default_factory=dict)
    saves: Mapping[str, int] = field(default_factory=dict)
    skills: Mapping[str, int] = field(default_factory=dict)
    vulnerabilities: str = ""
    resistances: str = ""
    immunities: str = ""
    conditions: str = ""
    senses: str = ""
    languages: str = ""
    challenge: str = ""
    experience: int | None = None
    traits: tuple[tuple[str, str], ...] = ()
    actions: tuple[tuple[ActionType, str, str], ...] = ()
    legendary_text: str = ""
    initiative: int | None = None
    image: str = ""
    text: str = ""
    other: tuple[Section, ...] = ()


def heading(book: str, section: str, name: str, kind: Kind, text: str = "") -> CommonFields:
    """Return the fields that every record of a book has. Raises ItemError if there is no name."""
    return common_fields(book, kind, record_key(book, section, name), name, text)


def to_creature(block: StatBlock, book: str, head: CommonFields | None = None) -> Creature:
    """Return the record of a stat block. Raises ItemError, and ValidationError if a value is out of bounds.

    ``head`` has the fields of any record, if the reader has made them itself.
    """
    # Without runs of blanks no pattern takes more than linear time.
    lines = {name: " ".join(line.split()) for name in _LINES if isinstance(line := getattr(block, name), str)}
    block = replace(block, **lines)  # type: ignore[arg-type]  # each reader returns its field's type
    dice = _DICE.search(block.hit_dice or block.hit_points)
    points = leading_number(_DICE.sub("", block.hit_points).strip(" ()"))
    return Creature.model_validate(
        {
            **(head or heading(book, "monsters", block.name, Kind.CREATURE, block.text)),
            "type": creature_type(block.type),
            "type_text": block.type,
            **_size(block),
            "alignment": block.alignment,
            "challenge_rating": challenge(block.challenge),
            "experience_points": block.experience if block.experience is not None else _experience(block.challenge),
            **_armor(block.armor),
            "hit_points": int(points) if points is not None else None,
            "hit_dice": dice[0].replace(" ", "") if dice else "",
            "speed": speeds(block.speed),
            "hover": bool(_HOVER.search(block.speed)),
            "abilities": Abilities(**{name: score for name, score in block.abilities.items() if name in ABILITIES}),
            "saving_throws": dict(block.saves),
            "skills": {_skill_key(name): bonus for name, bonus in block.skills.items()},
            "initiative_bonus": block.initiative,
            "senses": _senses(block.senses),
            "languages": block.languages,
            "language_keys": tuple(slug(name) for name in _parts(block.languages) if _is_language(name)),
            "defenses": _defenses(block),
            "traits": tuple(Section(name=name, text=text) for name, text in block.traits),
            "actions": tuple(_action(name, text, kind) for kind, name, text in block.actions),
            "legendary_text": block.legendary_text,
            "image": block.image,
            "other": (*_unread_lines(block), *block.other),
        }
    )


def creature_type(text: str) -> str:
    """Return the key of a type: a swarm of tiny beasts is of type beast; one that is not known is a key as it is."""
    match = _TYPE.search(text)
    if match:
        return match[1].lower().replace("monstrositie", "monstrosity")
    return slug(text) if text else ""


def split_sizes(line: str) -> tuple[str, str]:
    """Split ``Medium or Small humanoid`` into its sizes and the rest; a line without sizes is all rest."""
    match = _LEADING_SIZES.fullmatch(line)
    return (match[1], match[2] or "") if match else ("", line)


def _size(block: StatBlock) -> dict[str, str]:
    """The key of the size, which some files give with the type, and the printed sizes if they are a choice."""
    size = _SIZE.search(block.size or ("" if "swarm" in block.type.lower() else block.type))
    if size is None:
        return {"size": slug(block.size) if block.size else "", "size_text": block.size}
    sizes, _ = split_sizes(block.size)
    return {"size": size[1].lower(), "size_text": sizes if " " in sizes else ""}


def _armor(line: str) -> dict[str, object]:
    """The number, and the text after it without brackets around the whole or around its beginning."""
    number = _NUMBER.search(line)
    if number is None:
        return {"armor_class": None, "armor_text": line}
    text = line.replace(number[0], "", 1).strip(" ,;")
    if brackets := _IN_BRACKETS.match(text):
        text = f"{brackets[1]}{text[brackets.end() :]}".strip()
    return {"armor_class": int(number[0]), "armor_text": text}


def _senses(line: str) -> Senses:
    passive = PASSIVE.search(line)
    text = PASSIVE.sub("", line).strip(" ,;")
    return Senses(**sense_ranges(text), passive_perception=int(passive[1]) if passive else None, text=text)


def _skill_key(name: str) -> str:
    """The key of a skill; a name that is none of the game's keeps its accents: ``percepción``."""
    key = slug(name)
    return key if key in SKILLS else "-".join(name.lower().split())


def _is_language(part: str) -> bool:
    """Whether a part of the line is a name: not "telepathy 60 ft." or "understands Common but can't speak"."""
    words = part.split()
    return len(words) == 1 or (len(words) <= 3 and all(word[:1].isupper() for word in words))


def _unread_lines(block: StatBlock) -> tuple[Section, ...]:
    """Lines that contain more than the fields read from them: ``30 ft., 40 ft. in moth form``."""
    rests = {
        "size": (block.size, split_sizes(block.size)[1] if _SIZE.search(block.size) else ""),
        "hit points": (block.hit_points, _POINTS.sub("", block.hit_points, count=1)),
        "hit dice": (block.hit_dice, _DICE.sub("", block.hit_dice, count=1)),
        "speed": (block.speed, _HOVER.sub("", "".join(_speed_parts(block.speed)[1]))),
        "challenge": (block.challenge, _RATING.sub("", block.challenge, count=1)),
    }
    return sections_of(
        {name: line.strip() for name, (line, rest) in rests.items() if _WORD.search(rest) or re.search(r"\d", rest)}
    )


def speeds(text: str) -> dict[str, float]:
    """Return the speeds in feet by mode that a text gives; the first without a mode is the walking speed."""
    return _speed_parts(text)[0]


def _speed_parts(text: str) -> tuple[dict[str, float], list[str]]:
    """The speeds by mode, and the parts of the text that are none, or a second one of the same mode."""
    speed: dict[str, float] = {}
    rests: list[str] = []
    for part in re.split(r";|,(?!\d)", " ".join(text.split())):
        end = 0
        while match := SPEED.match(part, end):
            mode = (match[1] or "walk").lower()
            if mode in speed and speed[mode] != float(match[2]):
                break
            speed[mode] = float(match[2])
            end = match.end()
        rests.append(part[end:])
    return speed, rests


def challenge(text: str) -> float | None:
    """Return a challenge rating as a decimal, from ``1/4``, ``0.25`` or ``CR 5 (1,800 XP)``."""
    match = _RATING.match(text)
    if not match or (match[2] and int(match[2]) == 0):
        return None
    rating = float(match[1].replace(",", ".")) / int(match[2] or 1)
    return rating if rating <= 100 else None


def _experience(text: str) -> int | None:
    """The experience points after a challenge rating, if any: 1800 in ``5 (1,800 XP)``."""
    match = _EXPERIENCE.search(text)
    return int(re.sub(r"\D", "", match[1])) if match else None


def _parts(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,;]", text) if part.strip()]


def _defenses(block: StatBlock) -> Defenses:
    """The damage types and conditions that the entries begin with; a line with a condition is also kept as printed."""
    lines = {
        "damage_vulnerabilities": block.vulnerabilities,
        "damage_resistances": block.resistances,
        "damage_immunities": block.immunities,
        "condition_immunities": block.conditions,
    }
    values: dict[str, object] = {}
    for name, line in lines.items():
        parts = _parts(line)
        known = ((part, _DEFENSE.match(part)) for part in parts)
        keys = [slug(match[1] if match else part) for part, match in known if match or " " not in part]
        values[name] = tuple(dict.fromkeys(keys))
        if keys != [part.lower() for part in parts]:
            values[f"{name}_text"] = line
    return Defenses.model_validate(values)


def sense_ranges(text: str) -> dict[str, float]:
    """Return ranges in feet by sense, as far as the text gives them."""
    return {match[1].lower(): float(match[2]) for match in _SENSE.finditer(text)}


def _action(name: str, text: str, kind: ActionType) -> Action:
    """An action, whose name may include its limit of use and its cost."""
    uses, cost = _USES.search(name), _COST.search(name)
    return Action(
        name=name, text=text, type=kind, uses=uses[1] if uses else "", legendary_cost=int(cost[1]) if cost else None
    )


def printed_name(action: Action) -> str:
    """Return the name of an action with its limit of use, its form and its cost."""
    cost = f"Costs {action.legendary_cost} Actions" if (action.legendary_cost or 1) > 1 else ""
    notes = [note for note in (action.uses, action.limited_to_form, cost) if note.lower() not in action.name.lower()]
    return " ".join((action.name, *(f"({note})" for note in notes if note)))


def ability_key(name: str) -> str:
    """Return dexterity for ``Dex`` and ``dexterity``; any other name stays as it is."""
    folded = name.strip().lower()
    return next((full for full in ABILITIES if len(folded) > 2 and full.startswith(folded)), folded)


def unread(
    name: str, value: object, bonuses: Mapping[str, int], known: Iterable[str] | None = None
) -> tuple[Section, ...]:
    """Return the part of a field of bonuses that is not numbers; all of it if names are repeated or unknown."""
    pairs = [pair for part in listed(value) for pair in (mapping(part).items() or [("", part)])]
    words = [{key: word} if key else word for key, word in pairs if integer(word) is None]
    is_read = len(pairs) - len(words) == len(bonuses) and (known is None or frozenset(known) >= bonuses.keys())
    return sections_of({name: shown(words if is_read else value)})
