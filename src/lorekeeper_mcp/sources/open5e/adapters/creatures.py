"""Creatures of version 2, and the fields of them that only version 1 has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from lorekeeper_mcp.models import Abilities, Action, ActionType, Creature, Defenses, Section, Senses
from lorekeeper_mcp.models.printed_values import proficiency_bonus
from lorekeeper_mcp.models.vocabulary import ABILITIES, SKILLS
from lorekeeper_mcp.sources.field_reader import Table, flag, integer, integers, mapping, number, numbers, objects, text
from lorekeeper_mcp.sources.open5e.adapters.served import (
    Context,
    Open5eFields,
    Served,
    key,
    keys,
    lower,
    name,
    prose,
    read,
    refs,
)

P = TypeVar("P", Action, Section)
DEFENSES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
_NOT_MODES = frozenset(["unit", "hover"])
_MAX_ENVIRONMENTS = 20  # of 31: a creature with all of them was never assigned any
_SIGN = re.compile(r"\s*([+−-])\s*")
_RANK = {action_type: rank for rank, action_type in enumerate(ActionType)}
_LAST = 1_000_000  # if the place in the stat block is not served
_MAX_ROLL = 6
# Paragraphs and rows of a table that are served as entries, with the first sentence or the row's number as the name.
_SMALL = frozenset("a an and as at by for from in into of on or per the to with".split())
_ROW = re.compile(r"\d+(?:[-–:. ]|$)|at will$|\d/day\b", re.IGNORECASE)
_INTRODUCTION = re.compile(r"The .+?(?: can take|has) (?:\d|one) legendary actions?\b")


# --- The lines above the traits ---


def _modes(value: object) -> dict[str, float]:
    """Speeds by mode, in feet."""
    return {mode: feet for mode, feet in numbers(value).items() if mode not in _NOT_MODES}


def _abilities(value: object) -> Abilities:
    scores = integers(value)
    return Abilities(**{ability: scores.get(ability) for ability in ABILITIES})


def _skills(value: object) -> dict[str, int]:
    """Bonuses by the keys of the skills: sleight-of-hand."""
    return {skill.lower().replace("_", "-").replace(" ", "-"): bonus for skill, bonus in integers(value).items()}


def _defenses(value: object) -> Defenses:
    served = mapping(value)
    lines = {f"{defense}_text": text(served.get(f"{defense}_display")) for defense in DEFENSES}
    return Defenses.model_validate(lines | {defense: keys(served.get(defense)) for defense in DEFENSES})


_FIELDS: Table = {
    "type": ("type", lambda value: key(value).lower()),
    "type_text": ("type", name),
    "size": ("size", lambda value: key(value).lower()),
    "category": ("category", text),
    "subcategory": ("subcategory", text),
    "alignment": ("alignment", lower),
    "challenge_rating": ("challenge_rating", number),
    "experience_points": ("experience_points", integer),
    "armor_class": ("armor_class", integer),
    "armor_text": ("armor_detail", text),
    "hit_points": ("hit_points", integer),
    "hit_dice": ("hit_dice", lambda value: _SIGN.sub(r" \1 ", text(value))),
    "speed": ("speed", _modes),
    "hover": ("speed_all.hover", flag),
    "abilities": ("ability_scores", _abilities),
    "ability_modifiers": ("modifiers", _abilities),
    "saving_throws": ("saving_throws", integers),
    "skills": ("skill_bonuses", _skills),
    "initiative_bonus": ("initiative_bonus", integer),
    "languages": ("languages.as_string", lambda value: text(value).strip("-—–") and text(value)),
    "language_keys": ("languages.data", keys),
    "defenses": ("resistances_and_immunities", _defenses),
    "creature_sets": ("creaturesets", keys),
}


def creature(head: Open5eFields, served: Served, _: Context) -> Creature:
    """Adapt a record of ``v2/creatures``."""
    head["name"] = re.sub(r"^npc: ", "", head["name"], flags=re.IGNORECASE)  # of people
    passive, environments = integer(served.get("passive_perception")), refs(served.get("environments"))
    ranges = {sense: number(served.get(f"{sense}_range")) for sense in (*_SENSES, "normal_sight")}
    record = Creature.model_validate({**head, "traits": traits(served.get("traits")), **read(served, _FIELDS)})
    parts = actions(served.get("actions"))
    introductions = [part for part in parts if _INTRODUCTION.match(part.name)]
    rating = record.challenge_rating
    return record.model_copy(
        update={
            "proficiency_bonus": None
            if rating is None
            else proficiency_bonus(rating),  # no creature is served with one
            "skills": _with_proficiency(record.skills, record.ability_modifiers.wisdom, passive),
            "senses": Senses.model_validate({**ranges, "passive_perception": passive}),
            "actions": tuple(part for part in parts if part not in introductions),
            "legendary_text": "\n\n".join(_paragraph(part.name, part.text) for part in introductions),
            "environments": () if len(environments) > _MAX_ENVIRONMENTS else environments,
        }
    )


def _with_proficiency(skills: dict[str, int], wisdom: int | None, passive: int | None) -> dict[str, int]:
    """The skills; Perception without proficiency is that of the passive score, or none: a book lists only others."""
    if wisdom is None or skills.get("perception") != wisdom:
        return skills
    others = {skill: bonus for skill, bonus in skills.items() if skill != "perception"}
    return others | {"perception": passive - 10} if passive is not None and passive - 10 > wisdom else others


# --- Traits and actions ---


def traits(value: object) -> tuple[Section, ...]:
    """Return traits in the order served."""
    return joined([Section(name=text(trait.get("name")), text=prose(trait.get("desc"))) for trait in objects(value)])


def actions(value: object) -> tuple[Action, ...]:
    """Return the actions by type, in the order of the book; they are served sorted by name."""
    placed = [(integer(served.get("order_in_statblock")), action(served)) for served in objects(value)]
    # Sorting is stable: actions with the same place stay in the served order.
    placed.sort(key=lambda pair: (_RANK[pair[1].type], _LAST if pair[0] is None else pair[0]))
    return joined([action for _, action in placed])


def action(served: Served) -> Action:
    """Return one action of a stat block."""
    served_type = lower(served.get("action_type")).replace("_", "-")
    type_ = ActionType(served_type) if served_type in set(ActionType) else ActionType.ACTION
    return Action(
        name=text(served.get("name")),
        text=prose(served.get("desc")),
        type=type_,
        # Ordinary actions are served with a cost of 1, too.
        legendary_cost=integer(served.get("legendary_action_cost")) if type_ is ActionType.LEGENDARY_ACTION else None,
        limited_to_form=text(served.get("limited_to_form")),
        uses=uses(served.get("usage_limits")),
    )


def uses(value: object) -> str:
    """Return an action's limit of use: ``Recharge 5–6``, ``3/Day``; any other limit in its own words."""
    if not isinstance(value, dict):
        return text(value)
    limit, param = text(value.get("type")).upper(), integer(value.get("param"))
    match limit:
        case "PER_DAY" if param is not None:
            return f"{param}/Day"
        case "RECHARGE_AFTER_REST":
            return "Recharges after a Short or Long Rest"
        case "RECHARGE_ON_ROLL" | "RECHARGE" if param is not None:
            return f"Recharge {param}–{_MAX_ROLL}" if param < _MAX_ROLL else f"Recharge {param}"
    words = limit.replace("_", " ").capitalize()
    return f"{words} {param}".strip() if param is not None else words


def joined(parts: Sequence[P]) -> tuple[P, ...]:
    """Return each entry whole, a legendary action once.

    An entry that has a sentence for its name, or begins a row of a table, belongs to the one before.
    """
    whole: list[P] = []
    for part in parts:
        if whole and type_of(whole[-1]) == type_of(part) and continues(part.name):
            text = f"{whole[-1].text}\n\n{_paragraph(part.name, part.text)}".strip()
            whole[-1] = whole[-1].model_copy(update={"text": text})
        else:
            whole.append(part.model_copy(update={"name": part.name.rstrip(" .")}))
    legendary = {(one.name, one.text) for one in whole if type_of(one) == ActionType.LEGENDARY_ACTION}
    return tuple(
        one for one in whole if type_of(one) == ActionType.LEGENDARY_ACTION or (one.name, one.text) not in legendary
    )


def type_of(part: Action | Section) -> str:
    """Return the type of an action; "" for a trait."""
    return part.type if isinstance(part, Action) else ""


def continues(name: str) -> bool:
    """Whether an entry belongs to the one before it: its name is a sentence, or begins a row of a table."""
    words = name.partition("(")[0].split()
    lower_words = [word for word in words[1:] if word[0].islower() and word not in _SMALL]
    is_sentence = len(words) > 3 and bool(lower_words) and not re.match(r"As an? |Potion\b|.*\w!", name)
    return bool(_ROW.match(name)) or (is_sentence and not _INTRODUCTION.match(name) and ":" not in name[:32])


def _paragraph(name: str, words: str) -> str:
    return f"{name.rstrip('. ')}. {words}".strip()


# --- Version 1 ---

_SKILLS = frozenset({*SKILLS, "culture", "engineering"})  # the last two are of Level Up
_ATTACK = re.compile(r"(?:Melee|Ranged)(?: or Ranged)? (?:Weapon|Spell) Attack\b")
_FOOT = "Open Game License"  # 138 descriptions stop in mid-sentence at the next page's footer
_CUT_OFF = "*The source's text ends here.*"
_LAST_SENTENCE = re.compile(r"^.*[.!?…][_*\"”’)]*(?=\s|$)", re.DOTALL)
_BARE_LEAD_IN = re.compile(r"\s*[*_]{2,}[^*_\n]+[*_]{2,}\s*$")
# "minor illusion3/day ea: goodberry": where a list of spells begins
_SPELL_LIST = re.compile(r"\s*•?\s*(At will|\d/day(?: ea)?):", re.IGNORECASE)
_LISTS: Mapping[str, ActionType] = {
    "actions": ActionType.ACTION,
    "bonus_actions": ActionType.BONUS_ACTION,
    "reactions": ActionType.REACTION,
    "legendary_actions": ActionType.LEGENDARY_ACTION,
}


def archived_creature(head: Open5eFields, served: Served, _: Context) -> Creature:
    """Adapt a record of ``v1/monsters`` under its key in version 2, with only the fields that complete that record."""
    head["key"] = text(served.get("v2_converted_path")).strip("/").rpartition("/")[2] or head["key"]
    head["text"] = "" if head["text"] == "False" else _whole_sentences(head["text"])  # 500 of one book
    traits_, parts = _archived_parts(served)
    # Perception is a plain modifier on all creatures of one book.
    skills = {n: bonus for n, bonus in _skills(served.get("skills")).items() if bonus and n in _SKILLS - {"perception"}}
    return Creature(
        **head,
        page=integer(served.get("page_no")) or None,
        type_text=_archived_type(served),
        legendary_text=prose(served.get("legendary_desc")),
        armor_text=text(served.get("armor_desc")),
        speed={mode: feet for mode, feet in _modes(served.get("speed")).items() if mode.isalpha()},
        skills=skills,
        senses=Senses(text=_line(served, "senses"), passive_perception=integer(served.get("perception"))),
        defenses=Defenses.model_validate({f"{defense}_text": _line(served, defense) for defense in DEFENSES}),
        traits=traits_,
        actions=tuple(part for part in parts if part.name and not _INTRODUCTION.match(part.name)),
    )


def _archived_type(served: Served) -> str:
    """``Humanoid (elf)``; of a swarm, version 2 has the type of its members."""
    type_, subtype = text(served.get("type")), text(served.get("subtype"))
    subtype = subtype or ("Swarm" if type_ == "Swarm" else "")
    return f"{type_} ({subtype})" if type_ and subtype else ""


def _archived_parts(served: Served) -> tuple[tuple[Section, ...], tuple[Action, ...]]:
    """The traits and the actions of version 1; an action among the traits is one, and so is all after it."""
    own = objects(served.get("special_abilities"))
    first = next((place for place, trait in enumerate(own) if _is_action(trait)), len(own))
    entries = [(one, kind) for field, kind in _LISTS.items() for one in objects(served.get(field))]
    entries += [(one, ActionType.ACTION) for one in own[first:]]
    entries.sort(key=lambda entry: _RANK[entry[1]])
    return traits(own[:first]), joined([_archived_action(one, kind) for one, kind in entries])


def _is_action(trait: Served) -> bool:
    return trait.get("name") == "Multiattack" or bool(_ATTACK.match(prose(trait.get("desc"))))


def _archived_action(served: Served, type_: ActionType) -> Action:
    title, words = text(served.get("name")), prose(served.get("desc"))
    return Action(
        name=title,
        text=_SPELL_LIST.sub(r"\n- **\1:**", words) if title.startswith("Spellcasting") else words,
        type=type_,
    )


def _line(served: Served, field: str) -> str:
    line = text(served.get(field))
    return "" if line == "False" else line


def _whole_sentences(words: str) -> str:
    """The text without a cut-off last sentence or the name of a paragraph that is then empty, and a note on the cut."""
    kept, foot, _ = words.partition(_FOOT)
    match = _LAST_SENTENCE.match(kept) if foot else None
    return f"{_BARE_LEAD_IN.sub('', match[0]).strip()}\n\n{_CUT_OFF}" if match else "" if foot else words
