"""How people say the filters: rows of a pattern and the argument that it means, for each family.

What is said is the filter only where a question asks for things that have it. A thing that gives it to others, or
that lacks it, does not have it: "makes its targets vulnerable to fire", "not vulnerable to fire".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lorekeeper_mcp.filters import Scalar
from lorekeeper_mcp.filters.argument_types import casting_time_key
from lorekeeper_mcp.filters.creatures import habitat_key
from lorekeeper_mcp.filters.spells import duration_key
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.vocabulary import (
    ABILITIES,
    ABILITY_BY_ABBREVIATION,
    CONDITIONS,
    CREATURE_SUBTYPES,
    CREATURE_TYPES,
    DAMAGE_TYPES,
    FEAT_TYPES,
    SKILLS,
)
from lorekeeper_mcp.text import slugify


@dataclass(frozen=True)
class PlainWords:
    """A way to say an argument. ``value`` of the match; ``restricts`` where it can be meant in no other way."""

    argument: str
    pattern: re.Pattern[str]
    value: Callable[[re.Match[str]], Scalar]
    restricts: bool = False


# Before the words, in the same clause: somebody else is meant to have it, or nobody.
NOT_OF_IT = re.compile(
    r"\b(?:not|never|no|non|without|isn't|aren't|don't|doesn't|can't|cannot|lacks?|lose|loses|mak(?:e|es|ing)|becom(?:e|es)"
    r"|grants?|gives?|giving|bypass(?:es)?|ignor(?:e|es|ing)|overcomes?|against|protects?|protection)\b"
    r"[^,.;]{0,30}$"
)


def _one_of(*words: str) -> str:
    return "(" + "|".join(sorted((word.replace("-", "[ -]") for word in words), key=len, reverse=True)) + ")"


def _key(group: int = 1) -> Callable[[re.Match[str]], Scalar]:
    return lambda found: slugify(found[group])


def _row(
    argument: str,
    pattern: str,
    value: Callable[[re.Match[str]], Scalar] | Scalar | None = None,
    restricts: bool = False,
) -> PlainWords:
    read = _key() if value is None else value if callable(value) else lambda _: value
    return PlainWords(argument, re.compile(pattern), read, restricts)


_DAMAGE, _CONDITION, _ABILITY = _one_of(*DAMAGE_TYPES), _one_of(*CONDITIONS), _one_of(*ABILITIES)
_LANGUAGE = _one_of(
    *("abyssal", "aquan", "auran", "celestial", "common", "deep speech", "draconic", "druidic", "dwarvish", "elvish"),
    *("giant", "gnomish", "goblin", "halfling", "ignan", "infernal", "orc", "primordial", "sylvan", "terran"),
    *("thieves' cant", "undercommon"),
)
_PLACE = _one_of(
    *("arctic", "caves", "cave", "coast", "desert", "forests", "forest", "grassland", "hills", "jungle", "mountains"),
    *("mountain", "ocean", "plains", "ruins", "sea", "sewer", "swamps", "swamp", "tundra", "underdark", "underwater"),
    *("urban", "volcano", "woods"),
)
_MODES = {"fly": "fly", "flies": "fly", "flying": "fly", "swim": "swim", "swims": "swim", "swimming": "swim"}
_MODES |= {"climb": "climb", "climbs": "climb", "climbing": "climb", "burrow": "burrow", "burrows": "burrow"}
_MODES |= {"burrowing": "burrow", "hover": "hover", "hovers": "hover", "hovering": "hover"}
_MODE = _one_of(*_MODES)
_BEASTS = rf"(?:creatures?|monsters?|stat blocks?|(?:{'|'.join(CREATURE_TYPES)})s?)"
_SUBTYPES = {name: name for name in CREATURE_SUBTYPES} | {f"{name}s": name for name in CREATURE_SUBTYPES}
_SUBTYPES |= {"elves": "elf", "dwarves": "dwarf"}
_NUMBER = r"(\d[\d,]*)"
_LEAST = rf"(?:(over|above|more than|higher than|faster than|greater than)|at least|minimum|min|of)? ?{_NUMBER}\+?"
_BOUND = "(?:of |(?=over|at least|more than))"
_WORTH = r"\b(?:materials?|components?) (?:components? )?(?:that (?:are|is|costs?) )?(?:worth|costing|of)"
_SAVE = _one_of(*ABILITIES, *ABILITY_BY_ABBREVIATION)
_CAUSED = {
    "blind": "blinded", "charm": "charmed", "deafen": "deafened", "frighten": "frightened", "grapple": "grappled",
    "incapacitate": "incapacitated", "paralyze": "paralyzed", "petrify": "petrified", "poison": "poisoned",
    "restrain": "restrained", "stun": "stunned",
}  # fmt: skip


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _from(found: re.Match[str], over: int = 1, number: int = 2) -> int:
    """The least value of ``over 60`` (61) and ``at least 60`` (60)."""
    return _number(found[number]) + (1 if found[over] else 0)


def _price(found: re.Match[str]) -> float:
    return float(_number(found[1]))


def _least_speed(found: re.Match[str]) -> str:
    return f"{_MODES[found[1]]}={_from(found, 2, 3)}"


def _casting(found: re.Match[str]) -> Scalar:
    return slugify(re.sub(r"^(?:the )?(?:spell )?|(?: spell)?$", "", found[1].strip()))


def _feet(found: re.Match[str]) -> Scalar:
    return _from(found) * (5280 if found[3].startswith("mile") else 1)


def _having(name: str) -> tuple[tuple[str, bool], ...]:
    """Ways to say that weapons lack or have a property with a filter of its own; light armor is another thing."""
    between = r"(?: (?:finesse|light|simple|martial|magic|magical))*"
    lack = rf"\b(?:weapons? (?:that are )?)?(?:non-?|not |without (?:the )?){name}\b(?: property)?(?: weapons?)?"
    have = rf"\bweapons? (?:with|that have|that are)(?: the)? {name}\b(?: property)?"
    return (lack, False), (have, True), (rf"\b{name}{between} weapons?\b", True)


_CREATURES = (
    _row("damage_vulnerability", rf"\b(?:vulnerab\w+ to|weak (?:to|against)) {_DAMAGE}\b(?: damage)?"),
    _row("damage_vulnerability", rf"\b{_DAMAGE} vulnerability\b"),
    _row("damage_resistance", rf"\bresist(?:s|ant|ance|ances)?(?: to)? {_DAMAGE}\b(?: damage)?"),
    _row("damage_resistance", rf"\b{_DAMAGE} resistance\b"),
    _row("damage_immunity", rf"\bimmun(?:e|ity|ities) to {_DAMAGE}\b(?: damage)?"),
    _row("damage_immunity", rf"\b{_DAMAGE} immunity\b"),
    _row("condition_immunity", rf"\bimmun(?:e|ity) to (?:being |the )?{_CONDITION}\b(?: condition)?"),
    _row("condition_immunity", rf"\bthat (?:can't|cannot) be {_CONDITION}\b"),
    _row("language", rf"\b(?:speak|speaks|speaking|understands?|know|knows) (?:the )?{_LANGUAGE}\b(?: language)?"),
    _row("language", rf"\b{_LANGUAGE}[ -]speak(?:ers?|ing)\b"),
    _row("alignment", r"\b((?:lawful|chaotic|neutral) (?:good|evil|neutral)|unaligned)\b(?: alignment)?"),
    _row("alignment", rf"\b(good|evil|lawful|chaotic)[ -](?:aligned )?(?={_BEASTS}\b)"),
    _row(
        "subtype",
        rf"\b{_one_of(*_SUBTYPES)}\b(?=$| that\b| who\b| with\b| of\b| in\b| from\b| immune\b)",
        lambda found: _SUBTYPES[found[1]],
    ),
    _row(
        "speed_min",
        rf"\b{_MODE} speed (?:of )?{_LEAST}(?: ?(?:feet|foot|ft\.?))?(?: or (?:more|faster|higher))?",
        _least_speed,
        True,
    ),
    _row("speed_min", rf"\b(faster) than {_NUMBER}(?: ?(?:feet|foot|ft\.?))", _from, True),
    _row(
        "speed",
        rf"\b(?:can|that|who|which|with a|have a|has a) {_MODE}\b(?! speed (?:of )?(?:over|at|\d))(?: speed)?",
        lambda found: _MODES[found[1]],
    ),
    _row("speed", rf"\b(flying|swimming|climbing|burrowing|hovering) (?={_BEASTS}\b)", lambda found: _MODES[found[1]]),
    _row("sense", r"\b(?:with|have|has|that have) (blindsight|darkvision|tremorsense|truesight)\b"),
    _row(
        "environment",
        r"\b(?:live|lives|living|found|dwell|dwells|dwelling|lurk|lurks|native) (?:in|to|on|under|near) "
        rf"(?:the |a |an )?{_PLACE}\b",
        lambda found: habitat_key(found[1]),
    ),
    _row("environment", rf"\b{_PLACE}(?:[ -]dwelling)? (?={_BEASTS}\b)", lambda found: habitat_key(found[1])),
    _row("legendary", rf"\blegendary (?={_BEASTS}\b)|\bwith legendary actions\b", True),
    _row(
        "casts",
        r"\b(?:(?:can|who|that|which) (?:can )?casts?|casters? of) "
        r"([a-z][a-z'/ -]{2,40}?)(?=$|[?.,;]| and\b| or\b| at\b| with\b)",
        _casting,
    ),
    _row("hit_points_min", r"\b(?:(over|above|more than)|at least) (\d[\d,]*) (?:hp|hit points)\b", _from, True),
    _row("hit_points_min", r"\b()(\d[\d,]*)(?:\+| or more) (?:hp|hit points)\b", _from, True),
    _row(
        "ability_min",
        rf"\b{_ABILITY} (?:score )?(?:of )?(?:at least|over|above)? ?(\d\d?)(?:\+| or (?:more|higher|better))?"
        r"(?=$|[ ,.?])",
        lambda found: f"{found[1]}={found[2]}",
        True,
    ),
    _row(
        "ability_max",
        rf"\b{_ABILITY} (?:score )?(?:of )?(?:at most|under|below|up to) (\d\d?)\b",
        lambda found: f"{found[1]}={found[2]}",
        True,
    ),
)
_SPELLS = (
    _row(
        "material_cost_min",
        rf"{_WORTH} (?:(over|more than)|at least )? ?{_NUMBER}\+? ?(?:gp|gold)\b(?: or more)?",
        _from,
        True,
    ),
    _row("material_cost_max", rf"{_WORTH} (?:at most|up to|less than|under) {_NUMBER} ?(?:gp|gold)\b", _price, True),
    _row("verbal", r"\b(?:without|no|lack(?:s|ing)?) (?:an? |any )?verbal(?: components?)?", False),
    _row("somatic", r"\b(?:without|no|lack(?:s|ing)?) (?:an? |any )?somatic(?: components?)?", False),
    _row(
        "material", r"\b(?:without|no|lack(?:s|ing)?) (?:an? |any )?material(?: components?)?(?! worth| costing)", False
    ),
    _row(
        "duration",
        r"\b(?:lasts?|lasting|(?:with )?a? ?duration of) (?:for )?((?:\d+|an?|one) (?:round|minute|hour|day)s?)\b",
        lambda found: duration_key(re.sub(r"^(?:an?|one) ", "1 ", found[1])),
    ),
    _row("duration", r"\b(instantaneous)\b(?= spells?\b)", lambda found: duration_key(found[1])),
    _row("range_min", rf"\brange {_BOUND}{_LEAST} ?(feet|foot|ft\.?|miles?)\b(?: or more)?", _feet, True),
    _row("damage_type", rf"\b{_DAMAGE} (?:damage|dmg)\b"),
    _row(
        "saving_throw", rf"\b{_SAVE} (?:saves?|saving throws?)\b", lambda found: ABILITY_BY_ABBREVIATION[found[1][:3]]
    ),
    _row("casting_time", r"\b(?:(?:as an? )?bonus action|ba)\b", lambda _: "bonus-action"),
    _row("casting_time", r"\b(?:as an? )?reactions?\b", lambda _: "reaction"),
    _row("ritual", r"\b(?:as an? )?rituals?\b", True),
    _row("concentration", r"\b(?:no|non|without|not|don't|doesn't)[\s-](?:\w+ )?conc(?:entration)?\b", False),
    _row("condition", rf"\b(?:causes?|inflicts?|imposes?) (?:the )?{_CONDITION}\b(?: condition)?"),
    _row(
        "condition",
        rf"\b(?:that|which|to|can) {_one_of(*_CAUSED)}\b"
        r"(?= (?:a |an |the |your )?(?:target|enem|creature|foe|people|someone|them)|$|[?.])",
        lambda found: _CAUSED[found[1]],
    ),
    _row(
        "condition",
        rf"\b(?:leave|leaves|make|makes|render|renders|knock|knocks)(?: (?:a |an |the |your )?\w+)? {_CONDITION}\b",
    ),
    _row(
        "casting_time",
        r"\bcasting time of (\d+ (?:minute|hour|action)s?|an? (?:action|minute|hour|reaction))\b",
        lambda found: casting_time_key(re.sub(r"^an? ", "1 ", found[1])),
    ),
)
_EQUIPMENT = (
    *(_row(f"is_{name}", pattern, has) for name in ("finesse", "light") for pattern, has in _having(name)),
    _row("requires_attunement", r"\b(?:no|without|not|doesn't|don't)\b[\w ]{0,16}\battunement\b", False),
    _row("requires_attunement", r"\b(?:requires?|requiring|needs?|with) attunement\b", True),
    _row(
        "cost_min",
        rf"\b(?:worth|costs?|costing|priced?(?: at)?)? ?(?:(over|above|more than)|at least) {_NUMBER} ?(?:gp|gold)\b",
        _from,
        True,
    ),
    _row(
        "cost_max",
        rf"\b(?:under|below|at most|up to|less than|cheaper than|max) {_NUMBER} ?(?:gp|gold)\b",
        _price,
        True,
    ),
    _row(
        "weight_max",
        rf"\b(?:under|below|at most|up to|less than|no more than) {_NUMBER} ?(?:lbs?\.?|pounds?)(?![a-z])",
        _price,
        True,
    ),
    _row(
        "damage_dice",
        r"\bdeal(?:s|ing)? (\d?d\d+)\b(?: damage)?",
        lambda found: found[1] if found[1][0] != "d" else f"1{found[1]}",
    ),
    _row("damage_type", r"\b(slashing|piercing|bludgeoning)(?: damage)?(?= weapons?\b)"),
    _row("damage_type", r"\bdeal(?:s|ing)? (slashing|piercing|bludgeoning)(?: damage)?\b"),
    _row("is_magic", r"\b(?:non-?magical|mundane)\b", False),
    _row("is_magic", r"\bmagic(?:al)? (?=(?:weapon|armou?r|item|ring|shield|staff|wand|rod|thing)s?\b)", True),
)
_OPTIONS = (
    _row("feat_type", rf"\b{_one_of(*FEAT_TYPES)}(?: feats?\b|s\b(?= feats?)|s$)", _key()),
    _row(
        "level",
        r"\b(?:features?|gains?|gets?|receives?)(?: \w+){0,3} at (?:level )?(\d{1,2})(?:st|nd|rd|th)?(?: level)?\b",
        lambda found: int(found[1]),
        True,
    ),
    _row(
        "level",
        r"\b(?:level (\d{1,2})|(\d{1,2})(?:st|nd|rd|th)[ -]level)(?= (?:\w+ )?features?\b)",
        lambda found: int(found[1] or found[2]),
        True,
    ),
    _row(
        "skill",
        rf"\b(?:proficien\w+ (?:in|with)|grants?|gives?|teach(?:es)?) (?:the )?{_one_of(*SKILLS)}\b"
        r"(?: skill| proficiency)?",
    ),
    _row("skill", rf"\b{_one_of(*SKILLS)} (?:skill )?proficiency\b"),
    _row(
        "ability", rf"(?:\b(?:increase|raise|boost|improve)s?|(?<!\w)\+\d)(?: your| the| to)? {_ABILITY}\b(?: score)?"
    ),
)
_RULES = (_row("section", r"\b(?:(?:the )?rules? (?:of|in|from) )?the ([\w' ]{3,40}) (?:chapter|section)s?\b"),)
PLAIN_WORDS: Mapping[Family, tuple[PlainWords, ...]] = {
    Family.CREATURES: _CREATURES,
    Family.SPELLS: _SPELLS,
    Family.EQUIPMENT: _EQUIPMENT,
    Family.OPTIONS: _OPTIONS,
    Family.RULES: _RULES,
}
