"""Removes meaningless and duplicate content from Open5e's records."""

from __future__ import annotations

import re
from typing import TypeVar

from lorekeeper_mcp.models import (
    CharacterClass,
    Creature,
    Defenses,
    Equipment,
    Feat,
    Feature,
    Kind,
    Record,
    Reference,
    Spell,
    Value,
)
from lorekeeper_mcp.sources.open5e.spell_repairs import spell_changes
from lorekeeper_mcp.sources.open5e.stat_blocks.action_repairs import with_whole_actions
from lorekeeper_mcp.sources.open5e.stat_blocks.apostrophes import contracted, with_apostrophes
from lorekeeper_mcp.sources.open5e.stat_blocks.number_repairs import with_bonuses, with_speeds
from lorekeeper_mcp.sources.open5e.text_repairs import clean_text
from lorekeeper_mcp.text import fold

R = TypeVar("R", bound=Record)
V = TypeVar("V", bound=Value)
_CLEANED = frozenset(
    {
        "actions", "armor", "armor_text", "attacks", "attunement_text", "benefits", "condition_immunities_text",
        "damage_immunities_text", "damage_resistances_text", "damage_vulnerabilities_text", "defenses", "equipment",
        "features", "higher_level", "languages", "legendary_text", "material_text", "name", "prerequisite",
        "proficiencies", "properties", "reaction_condition", "senses", "spellcasting", "text", "texts", "traits",
        "weapon",
    }
)  # fmt: skip
# Every creature of these books is served as chaotic evil, even the unicorn. Version 1 has no alignment for them.
_ONE_ALIGNMENT = frozenset({"a5e-mm", "bfrd"})
# A subclass has its class's hit points and magic; three of the SRD 5.2 are served with their own.
_OF_CLASS = {"caster_type": "", "hit_dice": "", "hit_points_at_1st_level": "", "hit_points_at_higher_levels": ""}
# toh: a feature below another's text, "#### Covered in Ash\nAt 6th level, ..."
_WITHIN = re.compile(r"^#+ *(\S.*)\n+(?=(?:At|Beginning at|Starting at) (\d+)(?:st|nd|rd|th) level\b)", re.MULTILINE)
_SAVES = re.compile(r"\*\*Saving Throws:\*\* ([A-Z][a-z]{4,}), ([A-Z][a-z]{4,})$", re.MULTILINE)
_NO_ARMOR = frozenset({"srd-2024"})  # the book prints only a number; "natural armor" was filled in
_HALF = re.compile(r"[^(]+\)")  # tob-2023: the end of "Humanoid (..., Shapechanger)"
_CUT_ARMOR = re.compile(r"(n humanoid form, .* for)")  # bfrd: what was in brackets, without its ends
_SIGN = re.compile(r"\s*([+−-])\s*")
_NO_NAME_ENDS = " .:,;"  # "Multiattack."
# srd-2014: the weapons and armor that magic ones are made of, as in "Light-Hammer (+1)"
_CROSSBOW = re.compile(r"\bCrossbow-(Hand|Heavy|Light)\b")
_HYPHENATED = re.compile(r"\b(Light|War|Studded)-(Hammer|Pick|Leather)\b|(?<=\()(Chain|Half|Ring|Scale)-(?=[A-Z]\w+\))")
_MAX_ENVIRONMENTS = 20  # of 31: a creature with all of them was never assigned any
# The name of a property within the paragraph of the one before, as most of vom's are.
_RUN_IN = re.compile(
    r"(?<=[.!?])(?: | ?\n)"
    r"([A-Z][\w'’-]+(?: (?:of|the|and|to|with|in|[A-Z][\w'’-]+)){0,7}(?: \([^()]{3,30}\))?)\. (?=[A-Z\"“])"
)
# Words without which a text does not say what a magic item does.
_EFFECT = re.compile(
    r"(?<![a-z])(?:acts?|actions?|advantage|allows?|always|as though|attuned|becomes?|bonus|can't|cast|charges?"
    r"|contains?|counts?|damage|days?|detect|disadvantage|doubled|each|feet|functions?|gains?|glows?|grants?|holds?|hours?"
    r"|if|light|immun\w+|never|once|pounds|provides?|regains?|resistan\w+|restores?|sav(?:e|ing)|until|watches|when"
    r"|whenever|while|works?)(?![a-z])",
    re.IGNORECASE,
)
_NO_EFFECT = "*The source's text ends here, without what the item does.*"
_SHOWN = re.compile(r"\bicon representing the (.+?) condition\b")
_SECOND_HALF = re.compile(r"^([^()]+) - ([A-Z][^()]*)$")  # "Lodging - Poor"
_EMPHASIS = re.compile(r"[*_]+")
_UNENDED = re.compile(r"(?m)^(?![-*|>#\d])[^\n|]{40,}[a-z]\Z")  # a last paragraph without a full stop


def clean_record(record: R) -> R:
    """Return the record with clean texts, and without values that Open5e filled in and no book has."""
    record = _cleaned(record, record.document_key)
    if record.see_also:  # links from words of the text: "swirling wisps flicker like spinning coins"
        text = fold(record.text)
        others = tuple(ref for ref in record.see_also if fold(ref.name) not in text)
        record = record.model_copy(update={"see_also": others})
    changes: dict[str, object] = {}
    match record:
        case Reference() if record.kind is not Kind.IMAGE and not record.image.startswith("http"):
            changes = {"image": "", "attribution": ""}  # a path on Open5e's own site
        case Reference() if record.kind is Kind.IMAGE:  # "Exhaustion4" shows "the Exhaustion (four levels) condition"
            shown = _SHOWN.search(record.text)
            changes = {"name": shown[1][0].upper() + shown[1][1:] if shown else record.name}
        case Creature():
            record = with_speeds(with_bonuses(with_whole_actions(record)))
            changes = _creature(record) | with_apostrophes(record)
        case CharacterClass():
            changes = _class(record)
        case Feat():
            changes = _feat(record)
        case Equipment():
            changes = _equipment(record)
        case Spell():
            changes = {"text": _ended(record.text)} | spell_changes(record)
    return record.model_copy(update=changes) if changes else record


def _cleaned(value: V, document: str) -> V:
    """The value with every text in it cleaned; the same object if nothing changed."""
    changes: dict[str, object] = {}
    for field in type(value).model_fields:
        if field in _CLEANED:
            before = getattr(value, field)
            after = _clean(before, document)
            if field == "name" and isinstance(after, str):
                after = _SECOND_HALF.sub(r"\1 (\2)", after.rstrip(_NO_NAME_ENDS))
            if after != before:
                changes[field] = after
    return value.model_copy(update=changes) if changes else value


def _clean(value: object, document: str) -> object:
    if isinstance(value, str):
        return clean_text(value, document) if value else value
    if isinstance(value, Value):
        return _cleaned(value, document)
    if isinstance(value, tuple):
        return tuple(_clean(entry, document) for entry in value)
    return value


def _creature(record: Creature) -> dict[str, object]:
    filled = record.document_key in _ONE_ALIGNMENT and record.alignment == "chaotic evil"
    return {
        "name": re.sub(r"^npc: ", "", record.name, flags=re.IGNORECASE),  # tob3, of people
        "alignment": "" if filled or _HALF.fullmatch(record.alignment) else record.alignment.lower(),
        "armor_text": "" if record.document_key in _NO_ARMOR else _armor(record.armor_text, record.armor_class),
        "defenses": _defenses(record.defenses),
        "image": record.image if record.image.startswith("http") else "",
        "environments": () if len(record.environments) > _MAX_ENVIRONMENTS else record.environments,
        "hit_dice": _SIGN.sub(r" \1 ", record.hit_dice),
        "languages": "" if record.languages.strip() in ("-", "—", "–") else contracted(record.languages),
        "proficiency_bonus": _proficiency_bonus(record),
    }


def _defenses(defenses: Defenses) -> Defenses:
    """The defenses without the next line of the block in one of them (tob2), and with a note on one cut off (tob)."""
    changes: dict[str, object] = {}
    for name in ("damage_resistances_text", "damage_immunities_text", "damage_vulnerabilities_text"):
        text, _, conditions = getattr(defenses, name).partition(" Condition Immunities ")
        if conditions and not defenses.condition_immunities_text:
            changes["condition_immunities_text"] = conditions
        changes[name] = f"{text} (the source's text ends here)" if text.endswith(" from") else text
    return defenses.model_copy(update=changes)


def _armor(armor: str, armor_class: int | None) -> str:
    """``14 (natural armor), 11 while prone`` after armor class 14 becomes ``natural armor, 11 while prone``."""
    if cut := _CUT_ARMOR.fullmatch(armor):
        return f"i{cut[1]}m"
    shown = re.fullmatch(rf"(?:{armor_class} \()?([^(]*?)\)(.*)", armor)
    return f"{shown[1]}{shown[2]}" if shown else armor


def _proficiency_bonus(record: Creature) -> int | None:
    """The proficiency bonus, which no creature is served with, derived from the challenge rating."""
    rating = record.challenge_rating
    if record.proficiency_bonus is not None or rating is None:
        return record.proficiency_bonus
    return 2 + max(0, int(rating) - 1) // 4


def _class(record: CharacterClass) -> dict[str, object]:
    """Part features; remove values that a subclass has from its class; take saving throws from the class's text."""
    features = tuple(part for feature in record.features for part in _parted(feature))
    changes: dict[str, object] = {"features": features} if features != record.features else {}
    if record.kind is Kind.SUBCLASS:
        return changes | (_OF_CLASS if record.document_key == "srd-2024" else {})
    saves = _SAVES.search(record.proficiencies)
    return changes | ({"saving_throws": saves.groups()} if saves else {})


def _parted(feature: Feature) -> list[Feature]:
    """The feature, and those that its text has below it, each gained at another level."""
    heads = [head for head in _WITHIN.finditer(feature.text) if feature.levels and int(head[2]) not in feature.levels]
    if not heads:
        return [feature]
    ends = [*(head.start() for head in heads), len(feature.text)]
    parts = [
        Feature(
            name=head[1].strip(), text=feature.text[head.end() : end].strip(), type=feature.type, levels=(int(head[2]),)
        )
        for head, end in zip(heads, ends[1:], strict=True)
    ]
    return [feature.model_copy(update={"text": feature.text[: ends[0]].rstrip()}), *parts]


def _feat(record: Feat) -> dict[str, object]:
    """Remove the emphasis of a prerequisite (toh has it in italics) and what is both the text and a benefit."""
    text, benefits = fold(record.text), fold(" ".join(record.benefits))
    return {
        "prerequisite": _EMPHASIS.sub("", record.prerequisite),
        "text": "" if text in benefits else record.text,
        "benefits": record.benefits if text in benefits else tuple(b for b in record.benefits if fold(b) not in text),
    }


def _equipment(record: Equipment) -> dict[str, object]:
    """Remove a price of 0 gp, and a paragraph that is only the name, such as "A halberd"; say what is lacking."""
    first, _, others = record.text.partition("\n\n")
    words = fold(first).split()  # "A hand crossbow." is the text of "Crossbow, hand"
    own, name = words[words[:1] in (["a"], ["an"]) :], fold(record.name).split()
    is_name = sorted(own) == sorted(name) or "".join(own) == "".join(name)  # "A great sword."
    text = others if is_name else _RUN_IN.sub(r"\n\n**\1.** ", record.text)
    if record.kind is Kind.MAGIC_ITEM and text and not _EFFECT.search(text):
        text = f"{text}\n\n{_NO_EFFECT}"
    return {
        "name": _CROSSBOW.sub(r"\1 Crossbow", _HYPHENATED.sub(lambda name: name[0].replace("-", " "), record.name)),
        "cost": record.cost or None,
        "text": _ended(text),
    }


def _ended(text: str) -> str:
    return f"{text}." if _UNENDED.search(text) else text
