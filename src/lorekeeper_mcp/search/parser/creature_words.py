"""Phrases that people use for the filters of creatures."""

from __future__ import annotations

import re

from lorekeeper_mcp.filters import Scalar
from lorekeeper_mcp.filters.creature_columns import subtype_key
from lorekeeper_mcp.filters.creatures import MODES, habitat_key
from lorekeeper_mcp.filters.everyday_values import match_key
from lorekeeper_mcp.models.vocabulary import CREATURE_SUBTYPES, CREATURE_TYPES, SIZES
from lorekeeper_mcp.search.names.lexicon import book_name
from lorekeeper_mcp.search.parser.filter_phrase import CONDITION, DAMAGE, one_of, row, some_of
from lorekeeper_mcp.text import fold, slugify

_LANGUAGE = some_of(
    *("abyssal", "aquan", "auran", "celestial", "common", "deep speech", "draconic", "druidic", "dwarvish", "elvish"),
    *("giant", "gnomish", "goblin", "halfling", "ignan", "infernal", "orc", "primordial", "sylvan", "terran"),
    *("thieves' cant", "undercommon"),
)
_PLACE = one_of(
    *("arctic", "caves", "cave", "coast", "desert", "forests", "forest", "grassland", "hills", "jungle", "mountains"),
    *("mountain", "ocean", "plains", "ruins", "sea", "sewer", "swamps", "swamp", "tundra", "underdark", "underwater"),
    *("urban", "volcano", "woods"),
)
_MODE = one_of(
    *("fly", "flies", "flying", "swim", "swims", "swimming", "climb", "climbs", "climbing"),
    *("burrow", "burrows", "burrowing", "hover", "hovers", "hovering"),
)
_CREATURES = (
    r"(?:creatures?|monsters?|stat blocks?|encounters?|enem(?:y|ies)|foes?|monstrosities"
    rf"|(?:{'|'.join(CREATURE_TYPES)})s?)"
)
_NORMAL_WEAPONS = r"(?:non-?magic(?:al)?|normal|mundane|ordinary|regular) (?:weapons?|weapon attacks?|attacks?)\b"
_SIZE = one_of(*SIZES)
_LARGER, _SMALLER = "larger|bigger|more|up|above", "smaller|less|below|under"
_SUBTYPE = one_of(*CREATURE_SUBTYPES, *(f"{name}s" for name in CREATURE_SUBTYPES), "elves", "dwarves")


def _subtypes(match: re.Match[str]) -> Scalar | tuple[str, ...]:
    keys = tuple(subtype_key(name) for name in match.groups() if name)
    return keys if len(keys) > 1 else keys[0]


def _sizes_beyond(match: re.Match[str]) -> tuple[str, ...]:
    """The sizes that are "smaller than large"."""
    place = SIZES.index(match[2])
    return SIZES[:place] if match[1] in _SMALLER else SIZES[place + 1 :]


def _sizes_from(match: re.Match[str]) -> tuple[str, ...]:
    """The sizes that are "large or smaller"."""
    place = SIZES.index(match[1])
    return SIZES[: place + 1] if match[2] and match[2] in _SMALLER else SIZES[place:]


def _mode(match: re.Match[str]) -> str:
    return match_key(match[1], MODES) or ""


def _casting(match: re.Match[str]) -> Scalar:
    return slugify(book_name(fold(re.sub(r"^(?:the )?(?:spell )?|(?: spell)?$", "", match[1].strip()))))


CREATURE_WORDS = (
    # Not after an article or a verb: "a Large or smaller creature" is what others swallow.
    row("size", rf"(?:^|, |\b(?:{_CREATURES}|and|are|is|size) )(smaller|larger|bigger) than {_SIZE}\b", _sizes_beyond),
    row(
        "size",
        rf"(?:^(?:(?!an? )\w+ ){{0,2}}|, |\b(?:{_CREATURES}|and|are|is|sized?|with) ){_SIZE}"
        rf"(?: or ({_LARGER}|{_SMALLER})\b|\+)(?: in size)?",
        _sizes_from,
    ),
    row("damage_vulnerability", rf"\b(?:vulnerab\w+ to|weak (?:to|against)) {DAMAGE}\b(?: damage)?"),
    row("damage_vulnerability", rf"\b{DAMAGE}[ -]vulnerab(?:le|ility)\b"),
    row("damage_resistance", rf"\bresist(?:s|ant|ance|ances)?(?: to)? {DAMAGE}\b(?: damage)?"),
    row("damage_resistance", rf"\b{DAMAGE}[ -]resist(?:ant|ance)\b"),
    row("damage_immunity", rf"\bimmun(?:e|ity|ities) to {DAMAGE}\b(?: damage)?"),
    row("damage_immunity", rf"\b{DAMAGE}[ -]immun(?:e|ity)\b"),
    # Most stat blocks have the three damage types of weapons together; oozes are immune to slashing alone.
    row("damage_immunity", rf"\bimmun(?:e|ity) to (?:damage (?:from|by) )?{_NORMAL_WEAPONS}", "bludgeoning"),
    row(
        "damage_immunity",
        rf"\b(?:can't|cannot) be (?:harmed|hurt|damaged|hit) (?:by|with) {_NORMAL_WEAPONS}",
        "bludgeoning",
    ),
    row(
        "damage_resistance",
        rf"\bresist(?:s|ant|ance)?(?: to)? (?:damage (?:from|by) )?{_NORMAL_WEAPONS}",
        "bludgeoning",
    ),
    row("condition_immunity", rf"\bimmun(?:e|ity) to (?:being |the )?{CONDITION}\b(?: condition)?"),
    row("condition_immunity", rf"\bthat (?:can't|cannot) be {CONDITION}\b"),
    row("language", rf"\b(?:speak|speaks|speaking|understands?|know|knows) (?:the )?{_LANGUAGE}\b(?: language)?"),
    row("language", rf"\b{_LANGUAGE}[ -]speak(?:ers?|ing)\b"),
    row("language", r"\b(telepath(?:y|ic))\b", "telepathy"),
    row("alignment", r"\b((?:lawful|chaotic|neutral) (?:good|evil|neutral)|unaligned)\b(?: alignment)?"),
    row("alignment", rf"\b(good|evil|lawful|chaotic)[ -](?:aligned )?(?={_CREATURES}\b(?! (?:for|to|against)\b))"),
    row(
        "subtype",
        rf"\b{_SUBTYPE}(?: or {_SUBTYPE})?\b"
        rf"(?=$| (?:that|who|with|of|in|from|immune|has|have)\b)",
        _subtypes,
    ),
    row("speed", rf"\b(?:can|that|who|which|with a|have a|has a) {_MODE}\b(?: speed)?", _mode),
    row("speed", rf"(?:(?<=can't )|(?<=cannot )){_MODE}\b", _mode),
    row("speed", rf"\b{_MODE} speed\b", _mode),
    row("speed", rf"\b(flying|swimming|climbing|burrowing|hovering) (?={_CREATURES}\b)", _mode),
    row("sense", r"(?:\b(?:with|have|has) |(?<=without )|(?<=no ))(blindsight|darkvision|tremorsense|truesight)\b"),
    row(
        "environment",
        r"\b(?:live|lives|living|found|dwell|dwells|dwelling|lurk|lurks|native) (?:in|to|on|under|near) "
        rf"(?:the |a |an )?{_PLACE}\b",
        lambda match: habitat_key(match[1]),
    ),
    row(
        "environment",
        rf"\b{_CREATURES} (?:in|of|from|on) (?:the |a |an )?{_PLACE}\b",
        lambda match: habitat_key(match[1]),
    ),
    row(
        "environment",
        r"\b(?:live|lives|living|found|dwell|dwells|dwelling) (underwater)\b",
        lambda match: habitat_key(match[1]),
    ),
    row("environment", rf"\b{_PLACE}(?:[ -]dwelling)? (?={_CREATURES}\b)", lambda match: habitat_key(match[1])),
    row("legendary", rf"\blegendary (?={_CREATURES}\b)|\bwith legendary actions\b", True),
    row(
        "casts",
        rf"\b(?:(?:can|who|that|which|{_CREATURES}) (?:can )?casts?|casters? of) "
        r"([a-z][a-z'/ -]{2,40}?)(?=$|[?.,;]| and\b| or\b| at\b| with\b)",
        _casting,
    ),
)
