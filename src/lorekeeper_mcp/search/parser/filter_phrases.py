"""Phrases for filters: rows of a pattern and the argument that it means, for each family.

They count only if the question asks for things that have the property, not for things that give it to others or lack
it: "makes its targets vulnerable to fire", "not vulnerable to fire".
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.filters.argument_types import casting_time_key
from lorekeeper_mcp.filters.spells import SHAPES, duration_key
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES, FEAT_TYPES, MASTERIES, SKILLS, SRD_CLASSES, WEAPON_PROPERTIES
from lorekeeper_mcp.search.parser.creature_words import CREATURE_WORDS
from lorekeeper_mcp.search.parser.filter_phrase import ABILITY, CONDITION, DAMAGE, FilterPhrase, one_of, row, some_of

# Before the phrase, in the same clause: nobody has the property, or somebody else does.
_LACKS = (
    r"not|never|no|non|without|isn't|aren't|don't|doesn't|can't|cannot|lacks?|lose|loses|bypass(?:es)?|ignor(?:e|es|ing)"
    r"|overcomes?|against|protects?|protection|remov(?:es?|ing)|negat(?:es?|ing)|stops?|blocks?"
)
_GIVES = r"mak(?:e|es|ing)|becom(?:e|es)|grants?|gives?|giving|rais(?:es?|ing)|boosts?|improves?|bonus to|advantage on"
_OF_ANOTHER = re.compile(rf"\b(?:{_LACKS}|{_GIVES})\b[^,.;]{{0,30}}$")
_LACKED = re.compile(rf"\b(?:{_LACKS})\b[^,.;]{{0,30}}$")


def is_of_another(before: str, family: Family) -> bool:
    """Whether the words before a value say that the thing lacks it, or gives it to others."""
    return (_LACKED if family is Family.OPTIONS else _OF_ANOTHER).search(before) is not None


_COMPONENTS = r"(?:materials?|components?)"
_PARTS = ("verbal", "somatic", "material")
_WITHOUT = (
    r"\b(?:without|non|no|lack(?:s|ing)?|(?:don't|doesn't|not) (?:have|need|require|use))[ -]"
    r"(?:an? |any |need(?:ing)? |requir(?:e|ing) )*"
)
_ATTACK = r"(?:(?:melee|ranged) )?(?:spell )?attack"
_TIME = r"(\d+ (?:minute|hour|action)s?|an? (?:action|minute|hour|reaction))"
_CAUSED = {
    "blind": "blinded", "charm": "charmed", "deafen": "deafened", "frighten": "frightened", "grapple": "grappled",
    "incapacitate": "incapacitated", "paralyze": "paralyzed", "petrify": "petrified", "poison": "poisoned",
    "restrain": "restrained", "stun": "stunned",
}  # fmt: skip
_STATES = {"fear": "frightened", "paralysis": "paralyzed", "blindness": "blinded", "deafness": "deafened"}


def _property_phrases(name: str) -> tuple[tuple[str, bool], ...]:
    """Phrases for weapons with or without a property that has its own filter; "light armor" is not one."""
    between = r"(?: (?:finesse|light|simple|martial|magic|magical))*"
    negation = r"(?:weapons? (?:that are )?)?(?:non-?|not |aren't |isn't |without (?:the )?)"
    without = rf"\b{negation}{name}\b(?: property)?(?: weapons?)?"
    with_it = rf"\bweapons? (?:with|that have|that are)(?: the)?(?: [\w-]+ and)? {name}\b(?: property)?"
    return (without, False), (with_it, True), (rf"\b{name}{between} weapons?\b", True)


_SPELLS = (
    row("verbal", rf"{_WITHOUT}verbal(?: components?)?", False, True),
    row("somatic", rf"{_WITHOUT}somatic(?: components?)?", False, True),
    row("material", rf"{_WITHOUT}material(?: components?)?(?! worth| costing)", False, True),
    *(
        row(name, rf"\b(?:only|just) (?:an? |the )?(?!{name}){one_of(*_PARTS)}\b(?! (?:and|or)\b)", False, True)
        for name in _PARTS
    ),
    row("material_cost_min", rf"\b(?<!most )(?:costly|expensive)(?: material)? {_COMPONENTS}\b", 1, True),
    row(
        "duration",
        r"\b(?:lasts?|lasting|(?:with )?a? ?duration of) (?:for )?((?:\d+|an?|one) (?:round|minute|hour|day)s?)\b",
        lambda match: duration_key(re.sub(r"^(?:an?|one) ", "1 ", match[1])),
    ),
    row(
        "duration",
        r"\b(\d+|an?|one)[ -](round|minute|hour|day)s?[ -](?:long )?duration\b",
        lambda match: duration_key(f"{match[1] if match[1].isdigit() else 1} {match[2]}"),
    ),
    row("duration", r"\b(instantaneous)\b(?= spells?\b)", lambda match: duration_key(match[1])),
    row("damage_type", rf"\b(?:do|does|deals?|dealing|inflicts?) {DAMAGE}\b(?: damage)?"),
    row("damage_type", rf"\b{DAMAGE} (?=(?:spell|cantrip)s\b)"),
    row(
        "damage_type",
        r"(?<!resist )(?<!resists )(?<!resisting )(?<!resistant to )(?<!resistance to )(?<!immune to )(?<!immunity to )"
        rf"\b{DAMAGE} damage\b",
    ),
    row("damage_type", r"\bdamag(?:e|ing) (?=(?:spell|cantrip)s\b)", lambda _: DAMAGE_TYPES),
    row("damage_type", r"\b(?:spells|cantrips) that (?:do|deal) damage\b", lambda _: DAMAGE_TYPES),
    row("area", rf"\b{one_of(*SHAPES)}(?:[ -]shaped)?(?= (?:(?:spell|cantrip|area)s?|area of effect)\b)"),
    row("area", rf"\b(?:shaped like|shape of|area is|in|hits?|with) an? {one_of(*SHAPES)}\b(?: area)?"),
    row("attack_roll", rf"\b(?:needs?|requires?|uses?|using|with|calls? for|makes?) an? {_ATTACK}(?: roll)?\b", True),
    row("attack_roll", rf"\b{_ATTACK}(?: roll)?(?= (?:spell|cantrip)s?\b)", True),
    row("attack_roll", rf"(?:(?<=no )|(?<=without )|(?<=without an )){_ATTACK} rolls?\b", True),
    row("attack_roll", r"\b(?:(?:melee|ranged) )?spell attacks?(?: rolls?)?\b", True),
    row("range", r"\b(touch|self)(?:[ -](?:range|only))?(?= (?:spell|cantrip|buff)s?\b)"),
    row("range", r"\brange (?:of |is )?(touch|self)\b"),
    row("saving_throw", rf"\b{ABILITY} (?:saves?|saving throws?)\b"),
    row("casting_time", r"\bbonus action(?= (?:spell|cantrip)s?\b)", lambda _: "bonus-action", True),
    row("casting_time", r"\breaction(?= (?:spell|cantrip)s?\b)", lambda _: "reaction", True),
    row("casting_time", r"\b(?:as an? )?bonus action\b", lambda _: "bonus-action"),
    row("casting_time", r"\b(?:as an? )?reactions?\b", lambda _: "reaction"),
    row("ritual", r"(?<!about )\b(?:as an? )?rituals?\b", True),
    row(
        "concentration",
        r"\b(?:no|non|without|not|don't|doesn't|aren't|isn't)[\s-](?:\w+ )?concentration\b",
        False,
        True,
    ),
    row("concentration", r"\bconcentration(?= (?:spell|cantrip)s?\b)", True),
    row("concentration", r"\b(?:are|is|needs?|requires?|takes?|uses?|with) (?:a )?concentration\b", True, True),
    row("condition", rf"\b(?:causes?|inflicts?|imposes?) (?:the )?{CONDITION}\b(?: condition)?"),
    row("condition", rf"\b(?:causes?|inflicts?) {one_of(*_STATES)}\b", lambda match: _STATES[match[1]]),
    row(
        "condition",
        rf"\b(?:that|which|to|can) {one_of(*_CAUSED)}\b"
        r"(?= (?:a |an |the |your )?(?:target|enem|creature|foe|people|someone|them)|$|[?.])",
        lambda match: _CAUSED[match[1]],
    ),
    row(
        "condition",
        rf"\b(?:leave|leaves|make|makes|render|renders|knock|knocks)(?: (?:a |an |the |your )?\w+)? {CONDITION}\b",
    ),
    *(
        row("casting_time", pattern, lambda match: casting_time_key(re.sub(r"^an? ", "1 ", match[1])))
        for pattern in (rf"\bcasting time of {_TIME}", rf"\b(?:takes?|taking|needs?) {_TIME} to cast\b")
    ),
)
_STEALTH_DISADVANTAGE = r"(?:stealth disadvantage|disadvantage (?:on|to|for|with|in) (?:dexterity )?\(?stealth\b)"
_PROPERTY = one_of(*(set(WEAPON_PROPERTIES) - {"finesse", "light"}), *MASTERIES)
_EQUIPMENT = (
    *(row(f"is_{name}", pattern, has) for name in ("finesse", "light") for pattern, has in _property_phrases(name)),
    row(
        "requires_attunement",
        r"\b(?:no|non|without|not|doesn't|don't)\b[\w -]{0,16}\battun(?:ement|ing|ed?)\b",
        False,
        True,
    ),
    row("requires_attunement", r"\b(?:requires?|requiring|needs?|with) attunement\b", True),
    row(
        "stealth_disadvantage",
        rf"\b(?:no|not|without|doesn't|don't)\b[\w ]{{0,20}}?{_STEALTH_DISADVANTAGE}",
        False,
        True,
    ),
    row(
        "stealth_disadvantage",
        rf"\b(?:(?:gives?|has|have|imposes?|causes?|with) )?(?:a )?{_STEALTH_DISADVANTAGE}",
        True,
        True,
    ),
    row(
        "damage_dice",
        r"(?:\b(?:do|does|doing|deals?|dealing) |\b(?=\d?d\d+ weapons?\b))(\d?d\d+)\b(?: damage)?",
        lambda match: match[1] if match[1][0] != "d" else f"1{match[1]}",
    ),
    row("damage_type", r"\b(slashing|piercing|bludgeoning)(?: damage)?(?= weapons?\b)"),
    row("damage_type", r"\b(?:deal(?:s|ing)?|weapons? with) (slashing|piercing|bludgeoning)(?: damage)?\b"),
    row("property", rf"\bweapons? (?:with|that (?:are|can be|have))(?: the)? {_PROPERTY}\b(?: mastery)?(?: property)?"),
    row("property", rf"\bweapons? (?:with|that (?:are|have))(?: the)? [\w-]+ and {_PROPERTY}\b"),
    row("property", rf"(?:(?<=aren't )|(?<=isn't )|(?<=not )|(?<=non-)){_PROPERTY}\b"),
    row("property", r"\b(?:throwable|throwing|(?:can|that|to) (?:be )?throw(?:n|s)?)\b", "thrown"),
    row("property", rf"\b{one_of(*MASTERIES)}(?: mastery)?(?: property)? (?=weapons?\b)"),
    row("is_magic", r"\b(?:non-?magical|mundane|(?:not|aren't|isn't) magic(?:al)?)\b", False),
    row("is_magic", r"\bmagic(?:al)? (?=(?:weapon|armou?r|item|ring|shield|staff|wand|rod|thing)s?\b)", True),
)
_LEVEL = r"(?:level (\d{1,2})|(\d{1,2})(?:st|nd|rd|th)[ -]level)"
_CLASS = one_of("artificer", *SRD_CLASSES)
_OPTIONS = (
    row("feat_type", rf"\b{one_of(*FEAT_TYPES)}(?: feats?\b|s\b(?= feats?| list$|$))"),
    row(
        "level",
        r"\b(?:features?|gains?|gets?|receives?)(?: \w+){0,3} at (?:level )?(\d{1,2})(?:st|nd|rd|th)?(?: level)?\b",
        lambda match: int(match[1]),
        True,
    ),
    row("level", rf"\b{_LEVEL}(?= (?:\w+ )?features?\b)", lambda match: int(match[1] or match[2]), True),
    row(
        "level",
        rf"\b(?:gain|get|learn|receive)s?\b[^.?]*\b(?:as|becom\w+|reach\w*) (?:an? |the )?{_LEVEL}\b",
        lambda match: int(match[1] or match[2]),
        True,
    ),
    row(
        "level",
        rf"\b{_LEVEL}(?= {_CLASS}s? (?:gets?|gains?|receives?|learns?|features?)\b)",
        lambda match: int(match[1] or match[2]),
    ),
    row("class_key", rf"\b(?:level \d+|\d+(?:st|nd|rd|th)[ -]level) {_CLASS}\b"),
    row("class_key", rf"\b{_CLASS}s?(?= (?:gets?|gains?|receives?|learns?|(?:class )?features?)\b)"),
    row("class_key", rf"\b(?:subclass(?:es)?|archetypes?) (?:of|for|does|do|has|have) (?:an? |the )?{_CLASS}s?\b"),
    row(
        "skill",
        rf"\b(?:proficien\w+ (?:in|with)|grants?|gives?|teach(?:es)?) (?:the )?{some_of(*SKILLS)}\b"
        r"(?: skill| proficiency)?",
    ),
    row(
        "skill", rf"\b(?:backgrounds?|feats?|species|races?|class(?:es)?) with (?:the )?{some_of(*SKILLS)}\b(?: skill)?"
    ),
    row("skill", rf"\b{some_of(*SKILLS)} (?:skill )?proficiency\b"),
    row(
        "has_prerequisite",
        r"\b(?:without|no|(?:don't|doesn't|not) (?:have|need|require))(?: an?| any)? (?:prerequisites?|prereqs?)\b",
        False,
        True,
    ),
    row("hit_die", r"\bd(6|8|10|12) (?:as )?(?:an? |the )?hit (?:die|dice)\b", lambda match: int(match[1]), True),
    row(
        "ability",
        r"\b(?:backgrounds?|class(?:es)?|feats?|races?|species) (?:based on|for|(?:that )?uses?|with) (?:high )?"
        rf"{ABILITY}\b(?: score)?(?! sav)",
    ),
    row("ability", rf"(?:\b(?:increase|raise|boost|improve)s?|(?<!\w)\+\d)(?: your| the| to)? {ABILITY}\b(?: score)?"),
)
_RULES = (row("section", r"\b(?:(?:the )?rules? (?:of|in|from) )?the ([\w' ]{3,40}) (?:chapter|section)s?\b"),)
FILTER_PHRASES: Mapping[Family, tuple[FilterPhrase, ...]] = {
    Family.CREATURES: CREATURE_WORDS,
    Family.SPELLS: _SPELLS,
    Family.EQUIPMENT: _EQUIPMENT,
    Family.OPTIONS: _OPTIONS,
    Family.RULES: _RULES,
}
