"""Creatures of version 2, and the fields of them that only version 1 has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from lorekeeper_mcp.models import Abilities, Action, ActionType, Creature, Defenses, Section, Senses
from lorekeeper_mcp.models.vocabulary import ABILITIES, SKILLS
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields
from lorekeeper_mcp.sources.reading import flag, mapping, objects

P = TypeVar("P", Action, Section)
DEFENSES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
_NOT_MODES = frozenset(["unit", "hover"])
_MAX_ENVIRONMENTS = 20  # of 31: a creature with all of them was never assigned any
_SIGN = re.compile(r"\s*([+−-])\s*")
_RANK = {action_type: rank for rank, action_type in enumerate(ActionType)}
_TYPES = {action_type.name: action_type for action_type in ActionType}
_LAST = 1_000_000  # if the place in the stat block is not served
_MAX_ROLL = 6
_BARE_DAMAGE = re.compile(r"(Attack Roll: [^:]*?(?:ft|feet)\.) (?=[A-Z0-9])")
# Paragraphs and rows of a table that are served as entries, with the first sentence or the row's number as the name.
_SMALL = frozenset("a an and as at by for from in into of on or per the to with".split())
_ROW = re.compile(r"\d+(?:[-–:. ]|$)|at will$|\d/day\b", re.IGNORECASE)
_INTRODUCTION = re.compile(r"The .+?(?: can take|has) (?:\d|one) legendary actions?\b")
_GLUED = re.compile(
    r"(?<=[.!?]) ([A-Z][\w'’-]+(?: (?:of|the|[A-Z][\w'’-]+)){0,5}"
    r" \((?:[^()]* Only|Costs? \d Actions?|Recharges? [^()]+|\d/Day)\))\. (?=[A-Z])"
)
_NO_NUMBERS: Mapping[type, dict[str, object]] = {Action: {"uses": "", "limited_to_form": ""}}
_REST_OF_NAME = re.compile(r"\[\+\](.+?)\[/\+\] ")  # in small capitals
_NAME_AND_SENTENCE = re.compile(r"([A-Z][\w'’ -]{2,30}): ([A-Z]\S*(?: \S+){3}.*)", re.DOTALL)


def creature(head: Open5eFields, served: Served, _: Context) -> Creature:
    """Adapt a record of ``v2/creatures``."""
    head["name"] = re.sub(r"^npc: ", "", head["name"], flags=re.IGNORECASE)  # of people
    rating = coercion.number(served.get("challenge_rating", served.get("challenge_rating_decimal")))  # before 2.0.0
    languages, type_ = mapping(served.get("languages")), served.get("type")
    printed = coercion.text(languages.get("as_string") if languages else served.get("languages")).strip()
    environments = coercion.refs(served.get("environments"))
    modifiers = _abilities(served.get("modifiers"))
    passive = coercion.integer(served.get("passive_perception"))
    parts = actions(served.get("actions"))
    introductions = [part for part in parts if _INTRODUCTION.match(part.name)]
    bonus = coercion.integer(served.get("proficiency_bonus"))  # no creature is served with one
    return Creature(
        **head,
        type=coercion.key(type_).lower(),
        type_text=coercion.name(type_),
        size=coercion.key(served.get("size")).lower(),
        category=coercion.text(served.get("category")),
        subcategory=coercion.text(served.get("subcategory")),
        alignment=coercion.text(served.get("alignment")).lower(),
        challenge_rating=rating,
        experience_points=coercion.integer(served.get("experience_points")),
        proficiency_bonus=2 + max(0, int(rating) - 1) // 4 if bonus is None and rating is not None else bonus,
        armor_class=coercion.integer(served.get("armor_class")),
        armor_text=coercion.text(served.get("armor_detail")),
        hit_points=coercion.integer(served.get("hit_points")),
        hit_dice=_SIGN.sub(r" \1 ", coercion.text(served.get("hit_dice"))),
        speed=_modes(served.get("speed")),
        hover=any(flag(mapping(served.get(field)).get("hover")) for field in ("speed", "speed_all")),
        abilities=_abilities(served.get("ability_scores")),
        ability_modifiers=modifiers,
        saving_throws=coercion.integers(served.get("saving_throws")),
        skills=_with_proficiency(_skills(served.get("skill_bonuses")), modifiers.wisdom, passive),
        initiative_bonus=coercion.integer(served.get("initiative_bonus")),
        senses=Senses(
            **{name: coercion.number(served.get(f"{name}_range")) for name in _SENSES},  # type: ignore[arg-type]
            normal_sight=coercion.number(served.get("normal_sight_range")),
            passive_perception=passive,
        ),
        languages="" if printed in ("-", "—", "–") else printed,
        language_keys=coercion.keys(languages.get("data")),
        defenses=_defenses(mapping(served.get("resistances_and_immunities"))),
        traits=traits(served.get("traits")),
        actions=tuple(part for part in parts if part not in introductions),
        legendary_text="\n\n".join(_paragraph(part.name, part.text) for part in introductions),
        environments=() if len(environments) > _MAX_ENVIRONMENTS else environments,
        creature_sets=coercion.keys(served.get("creaturesets")),
    )


def archived_creature(head: Open5eFields, served: Served, _: Context) -> Creature:
    """Adapt a record of ``v1/monsters`` under its key in version 2, with only the fields that complete that record."""
    head["key"] = coercion.text(served.get("v2_converted_path")).strip("/").rpartition("/")[2] or head["key"]
    head["text"] = "" if head["text"].strip() == "False" else _whole_sentences(head["text"])  # 500 of one book
    type_, subtype = coercion.text(served.get("type")).strip(), coercion.text(served.get("subtype")).strip()
    subtype = subtype or ("Swarm" if type_ == "Swarm" else "")  # version 2 has the type of its members
    traits_, parts = _archived_parts(served)
    return Creature(
        **head,
        type_text=f"{type_} ({subtype})" if type_ and subtype else "",
        alignment=coercion.text(served.get("alignment")).lower(),
        legendary_text=coercion.prose(served.get("legendary_desc")),
        armor_text=coercion.text(served.get("armor_desc")),
        speed={mode: feet for mode, feet in _modes(served.get("speed")).items() if mode.isalpha()},
        skills={
            name: bonus
            for name, bonus in _skills(served.get("skills")).items()
            if bonus and name in _SKILLS and name != "perception"  # a plain modifier on all creatures of one book
        },
        senses=Senses(text=_line(served, "senses"), passive_perception=coercion.integer(served.get("perception"))),
        defenses=Defenses.model_validate({f"{name}_text": _line(served, name) for name in DEFENSES}),
        traits=traits_,
        actions=tuple(part for part in parts if part.name and not _INTRODUCTION.match(part.name)),
    )


_SKILLS = frozenset({*SKILLS, "culture", "engineering"})  # the last two are of Level Up
_ATTACK = re.compile(r"(?:Melee|Ranged)(?: or Ranged)? (?:Weapon|Spell) Attack\b")
_FOOT = "Open Game License"  # 138 descriptions stop in mid-sentence at the next page's footer
_CUT_OFF = "*The source's text ends here.*"
_LAST_SENTENCE = re.compile(r"^.*[.!?…][_*\"”’)]*(?=\s|$)", re.DOTALL)
_BARE_LEAD_IN = re.compile(r"\s*[*_]{2,}[^*_\n]+[*_]{2,}\s*$")
# "minor illusion3/day ea: goodberry": where a list of spells begins
_SPELL_LIST = re.compile(r"\s*•?\s*(At will|\d/day(?: ea)?):", re.IGNORECASE)


def _archived_parts(served: Served) -> tuple[tuple[Section, ...], tuple[Action, ...]]:
    """The traits and the actions of version 1; an action among the traits is one, and so is all after it."""
    own = objects(served.get("special_abilities"))
    first = next((place for place, trait in enumerate(own) if _is_action(trait)), len(own))
    lists = {
        ActionType.ACTION: [*objects(served.get("actions")), *own[first:]],
        ActionType.BONUS_ACTION: objects(served.get("bonus_actions")),
        ActionType.REACTION: objects(served.get("reactions")),
        ActionType.LEGENDARY_ACTION: objects(served.get("legendary_actions")),
    }
    parts = joined([_archived_action(one, kind) for kind, entries in lists.items() for one in entries])
    return traits(own[:first]), parts


def _is_action(trait: Served) -> bool:
    """Whether an entry among the traits is an action; all after it are actions, too."""
    return trait.get("name") == "Multiattack" or bool(_ATTACK.match(coercion.prose(trait.get("desc"))))


def _archived_action(served: Served, type_: ActionType) -> Action:
    name, text = coercion.text(served.get("name")).strip(), coercion.prose(served.get("desc"))
    if name.startswith("Spellcasting"):
        text = _SPELL_LIST.sub(r"\n- **\1:**", text)
    return Action(name=name, text=text, type=type_)


def _line(served: Served, field: str) -> str:
    line = coercion.text(served.get(field)).strip()
    return "" if line == "False" else line


def _whole_sentences(text: str) -> str:
    """The text without a cut-off last sentence or the name of a paragraph that is then empty, and a note on the cut."""
    kept, foot, _ = text.partition(_FOOT)
    match = _LAST_SENTENCE.match(kept) if foot else None
    return f"{_BARE_LEAD_IN.sub('', match[0]).strip()}\n\n{_CUT_OFF}" if match else "" if foot else text


def _modes(value: object) -> dict[str, float]:
    """Speeds by mode, in feet."""
    return {mode: speed for mode, speed in coercion.numbers(value).items() if mode not in _NOT_MODES}


def _abilities(value: object) -> Abilities:
    scores = coercion.integers(value)
    return Abilities(**{name: scores.get(name) for name in ABILITIES})


def _skills(value: object) -> dict[str, int]:
    """Bonuses by the keys of the skills: sleight-of-hand."""
    names = (
        (name.lower().replace("_", "-").replace(" ", "-"), bonus) for name, bonus in coercion.integers(value).items()
    )
    return dict(names)


def _with_proficiency(skills: dict[str, int], wisdom: int | None, passive: int | None) -> dict[str, int]:
    """The skills; Perception without proficiency is that of the passive score, or none: a book lists only others."""
    if wisdom is None or skills.get("perception") != wisdom:
        return skills
    others = {name: bonus for name, bonus in skills.items() if name != "perception"}
    return others | {"perception": passive - 10} if passive is not None and passive - 10 > wisdom else others


def _defenses(served: Served) -> Defenses:
    lines = {f"{name}_text": coercion.text(served.get(f"{name}_display")) for name in DEFENSES}
    keys = {name: coercion.keys(served.get(name)) for name in DEFENSES}
    return Defenses.model_validate(lines | keys)


# --- Traits and actions ---


def traits(value: object) -> tuple[Section, ...]:
    """Return traits in the order served."""
    return joined(
        [
            Section(name=coercion.text(trait.get("name")).strip(), text=coercion.prose(trait.get("desc")))
            for trait in objects(value)
        ]
    )


def actions(value: object) -> tuple[Action, ...]:
    """Return the actions by type, in the order of the book; they are served sorted by name."""
    placed = [(coercion.integer(served.get("order_in_statblock")), action(served)) for served in objects(value)]
    # Sorting is stable: actions with the same place stay in the served order.
    placed.sort(key=lambda pair: (_RANK[pair[1].type], _LAST if pair[0] is None else pair[0]))
    return joined([action for _, action in placed])


def joined(parts: Sequence[P]) -> tuple[P, ...]:
    """Return each entry by itself and whole.

    An entry that has a sentence for its name, or begins a row of a table, goes on with the one before; one that stands
    at the end of another's text, with a limit after its name, is an entry.
    """
    whole: list[P] = []
    for part in parts:
        if whole and getattr(whole[-1], "type", "") == getattr(part, "type", "") and continues(part.name):
            text = f"{whole[-1].text}\n\n{_paragraph(part.name, part.text)}".strip()
            whole[-1] = whole[-1].model_copy(update={"text": text})
            continue
        name, text = part.name.rstrip(" ."), part.text
        if rest := _REST_OF_NAME.match(text):
            name, text = f"{name} {rest[1]}", text[rest.end() :]
        elif named := _NAME_AND_SENTENCE.fullmatch(name):
            name, text = named[1], _paragraph(named[2], text)
        text, *glued = _GLUED.split(text)
        whole.append(part.model_copy(update={"name": name, "text": text}))
        for other, own in zip(glued[::2], glued[1::2], strict=True):
            whole.append(part.model_copy(update={"name": other, "text": own, **_NO_NUMBERS.get(type(part), {})}))
    legendary = {(one.name, one.text) for one in whole if getattr(one, "type", "") == ActionType.LEGENDARY_ACTION}
    return tuple(
        one
        for one in whole
        if (one.name, one.text) not in legendary or getattr(one, "type", "") == ActionType.LEGENDARY_ACTION
    )


def continues(name: str) -> bool:
    """Whether an entry goes on with the one before it: its name is a sentence, or begins a row of a table."""
    words = name.partition("(")[0].split()
    lower = [word for word in words[1:] if word[0].islower() and word not in _SMALL]
    is_sentence = len(words) > 3 and bool(lower) and not re.match(r"As an? |Potion\b|.*\w!", name)
    return bool(_ROW.match(name)) or (is_sentence and not _INTRODUCTION.match(name) and ":" not in name[:32])


def _paragraph(name: str, text: str) -> str:
    return f"{name.rstrip('. ')}. {text}".strip()


def action(served: Served) -> Action:
    """Return one action of a stat block."""
    type_ = _TYPES.get(coercion.text(served.get("action_type")).strip().upper().replace("-", "_"), ActionType.ACTION)
    # Ordinary actions are served with a cost of 1, too.
    cost = coercion.integer(served.get("legendary_action_cost")) if type_ is ActionType.LEGENDARY_ACTION else None
    text = coercion.prose(served.get("desc")).replace("HitomThe", "Hit or Miss: The")
    # The SRD 5.2's attacks are served without the word before the damage.
    text = text if "Hit:" in text else _BARE_DAMAGE.sub(r"\1 Hit: ", text, count=1)
    return Action(
        name=coercion.text(served.get("name")).strip(),
        text=text,
        type=type_,
        legendary_cost=cost,
        limited_to_form=coercion.text(served.get("limited_to_form")),
        uses=uses(served.get("usage_limits")),
    )


def uses(value: object) -> str:
    """Return an action's limit of use: ``Recharge 5–6``, ``3/Day``; any other limit in its own words."""
    if not isinstance(value, dict):
        return coercion.text(value)
    limit, param = coercion.text(value.get("type")).strip().upper(), coercion.integer(value.get("param"))
    match limit:
        case "PER_DAY" if param is not None:
            return f"{param}/Day"
        case "RECHARGE_AFTER_REST":
            return "Recharges after a Short or Long Rest"
        case "RECHARGE_ON_ROLL" | "RECHARGE" if param is not None:
            return f"Recharge {param}–{_MAX_ROLL}" if param < _MAX_ROLL else f"Recharge {param}"
    words = limit.replace("_", " ").capitalize()
    return f"{words} {param}".strip() if param is not None else words
