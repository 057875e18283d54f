"""Races and subraces, backgrounds, feats and optional features."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models import Background, Feat, Ref, Reference, Section, Species
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.codes import SIZES
from lorekeeper_mcp.sources.fivetools.context import Context
from lorekeeper_mcp.sources.fivetools.fields import Fields, texts, whole
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import block_text, inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.requirements import FEATS, required
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, referred, text_in
from lorekeeper_mcp.sources.fivetools.texts.values import choice_text, value_text, value_title
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import listed, mapping
from lorekeeper_mcp.sources.stat_block import sections_of

FEATURES = {
    "AF": "Alchemical Formula", "AI": "Artificer Infusion", "AS": "Arcane Shot", "AS:V1-UA": "Arcane Shot (V1)",
    "AS:V2-UA": "Arcane Shot (V2)", "ED": "Elemental Discipline", "EI": "Eldritch Invocation",
    "FS:B": "Fighting Style (Bard)", "FS:F": "Fighting Style (Fighter)", "FS:P": "Fighting Style (Paladin)",
    "FS:R": "Fighting Style (Ranger)", "MM": "Metamagic", "MV": "Maneuver",
    "MV:B": "Maneuver (Battle Master)", "MV:C2-UA": "Maneuver (Cavalier V2)", "OR": "Onomancy Resonant",
    "OTH": "Other", "PB": "Pact Boon", "RN": "Rune Knight Rune", "RP": "Renown Perk", "TT": "Traveler's Trick",
}  # fmt: skip
_OFTEN = {"daily": "per day", "limited": "in all", "rest": "per rest"}
_TIMES = {"pb": "proficiency bonus", "halfPb": "half proficiency bonus", "mod": "spellcasting modifier"} | {
    code: f"{name.capitalize()} modifier" for code, name in ABILITIES.items()
}
_LEVEL = {"_": "", "s": ", spell level ", "": ", level "}


def race(head: CommonFields, fields: Fields, context: Context) -> Species:
    """Return a race (species), or a subrace of one."""
    parent, parent_source = str(fields.take("raceName") or ""), str(fields.take("raceSource") or "")
    traits, age = _blocks(head, fields), mapping(fields.peek("age"))
    ages = (f"adult at {age['mature']}" if "mature" in age else "", f"up to {age['max']} years" if "max" in age else "")
    given = {
        "Ability Score Increase": choice_text(fields.take("ability")),
        "Age": ", ".join(filter(None, ages)) if age else inline(fields.peek("age")),
        "Darkvision": f"{feet} ft." if (feet := fields.line("darkvision")) else "",
        "Languages": choice_text(fields.take("languageProficiencies")),
        "Skills": choice_text(fields.take("skillProficiencies")),
        "Tools": choice_text(fields.take("toolProficiencies")),
        "Resistances": choice_text(fields.take("resist")),
    }
    fields.drop("age")
    printed = {trait.name.lower() for trait in traits}
    traits += sections_of({name: text for name, text in given.items() if name.lower() not in printed})
    sizes = [SIZES.get(str(one), str(one).lower()) for one in fields.entries("size")]
    return Species(
        **head,
        subspecies_of=Ref(name=parent, key=context.race_key(parent, parent_source)) if parent else None,
        is_subspecies=bool(parent),
        size=" or ".join(size.capitalize() for size in sizes),
        speed=_speed(fields.take("speed")),
        traits=(*traits, *additional_spells(fields)),
        other=fields.other(),
    )


def _speed(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(
            f"{mode} {f'{feet} ft.' if feet is not True else 'equal to its walking speed'}".removeprefix("walk ")
            for mode, feet in value.items()
        )
    return f"{value} ft." if isinstance(value, int | float) else inline(value)


def background(head: CommonFields, fields: Fields, _: Context) -> Background:
    """Return a background: its benefits, then the blocks of its text."""
    blocks = _blocks(head, fields)
    given = {
        "Prerequisite": required(fields.take("prerequisite")),
        "Skill Proficiencies": choice_text(fields.take("skillProficiencies")),
        "Tool Proficiencies": choice_text(fields.take("toolProficiencies")),
        "Languages": choice_text(fields.take("languageProficiencies")),
        "Ability Scores": choice_text(fields.take("ability")),
        "Feat": value_text(fields.take("feats")),
        "Equipment": starting_equipment(fields.take("startingEquipment")),
    }
    fields.drop("fromFeature")  # the feature that grants it
    named = (Section(name=one.name.removesuffix(":"), text=one.text) for one in blocks)
    benefits = (*sections_of(given), *named)
    return Background(**head, benefits=benefits, other=(*additional_spells(fields), *fields.other()))


def _blocks(head: CommonFields, fields: Fields) -> list[Section]:
    """The blocks of an option with names; the others are added to its text."""
    blocks = fields.entries("entries")
    loose = [one for one in blocks if not mapping(one).get("name")]
    head["text"] = "\n\n".join(filter(None, (head["text"], markdown(loose))))
    named = (one for one in map(mapping, blocks) if one.get("name"))
    return [Section(name=text_in(one, "name"), text=block_text(one)) for one in named]


def feat(head: CommonFields, fields: Fields, context: Context) -> Feat:
    """Return a feat."""
    kind = str(fields.take("category") or "").partition("|")[0]
    return _feat(head, fields, context.feat_categories.get(kind, FEATS.get(kind, kind)))


def optional_feature(head: CommonFields, fields: Fields, context: Context) -> Feat:
    """Return an option of a class feature: an invocation, a maneuver, a fighting style."""
    kinds = texts(fields.entries("featureType"))
    named = dict.fromkeys(context.feature_types.get(kind, FEATURES.get(kind, kind)) for kind in kinds)
    return _feat(head, fields, ", ".join(named))


def _feat(head: CommonFields, fields: Fields, type_: str) -> Feat:
    increase = sections_of({"Ability Score Increase": choice_text(fields.take("ability"))})
    needs = required(fields.take("prerequisite"))
    other = (*increase, *additional_spells(fields), *fields.other())
    return Feat(**head, type=type_, prerequisite=needs, other=other)


def reference(head: CommonFields, fields: Fields, _: Context) -> Reference:
    """Return a condition or a language."""
    script = fields.line("script")
    speakers = ", ".join(texts(fields.entries("typicalSpeakers")))
    kind = fields.line("type")
    return Reference(**head, type=kind, script=slug(script) if script else "", speakers=speakers, other=fields.other())


def additional_spells(fields: Fields) -> tuple[Section, ...]:
    """Return the spells of an option, by how they are gained and from which level."""
    found = []
    for one in map(mapping, fields.entries("additionalSpells")):
        lines = [
            f"{kind.capitalize()}{_from_level(level)}: {names}"
            for kind in ("innate", "known", "prepared", "expanded")
            for level, spells in mapping(one.get(kind)).items()
            if (names := ", ".join(_spell_names(spells)))
        ]
        by, resource = one.get("ability"), one.get("resourceName")
        lines += [f"Ability: {value_title(by) if isinstance(by, str) else choice_text(by)}"] if by else []
        lines += [f"Cast with: {plain_text(str(resource))}"] if resource else []
        name = str(one.get("name") or "Spells")
        if lines or one.get("name"):
            found.append(Section(name=name, text="\n".join(lines) or "no spells"))
    return tuple(found)


def _spell_names(value: object, often: str = "") -> list[str]:
    """Names of spells, each with its limit of use; a choice in words."""
    if isinstance(value, str):
        name = referred(plain_text(value))
        return [f"{name} ({often})" if often else name]
    spec = mapping(value)
    if "choose" in spec or "all" in spec:
        which = spec.get("choose", spec.get("all"))
        if isinstance(which, Mapping):
            return [value_text({"choose": which})]
        return [
            f"choose {spec.get('count', 1)} ({value_text(which)})" if "choose" in spec else f"all ({value_text(which)})"
        ]
    found = []
    for per, inner in spec.items() if spec else (("", one) for one in listed(value)):
        found += _spell_names(inner, _how_often(per, often))
    return found


def _from_level(level: str) -> str:
    kind, of = (level[:1], level[1:]) if level[:1] in ("_", "s") else ("", level)
    return f"{_LEVEL[kind]}{of}"


def _how_often(per: str, within: str) -> str:
    """``2 per day``, ``at will``, ``for 2``; the number is a key inside the word's object."""
    if per in ("", "_"):
        return within
    if per in ("daily", "rest", "limited", "resource"):
        return per
    if per == "will":
        return "at will"
    times = _TIMES.get(per.removesuffix("e"), per.removesuffix("e"))
    return f"for {times}" if within == "resource" else f"{times} {_OFTEN[within]}" if within in _OFTEN else times


def starting_equipment(value: object) -> str:
    """Return the starting equipment: ``10 torches, a cloak; (a) a staff``."""
    parts = []
    for one in value if isinstance(value, list) else []:
        for choice, things in mapping(one).items():
            names = [_starting_item(thing) for thing in (things if isinstance(things, list) else [things])]
            parts.append(f"{'' if choice == '_' else f'({choice}) '}{', '.join(filter(None, names))}")
    return "; ".join(parts)


def _starting_item(value: object) -> str:
    spec = mapping(value)
    if not spec:
        return plain_text(str(value)).partition("|")[0]
    kinds = [_equipment_type(one) for one in (*listed(spec.get("equipmentType")), *listed(spec.get("equipmentTypes")))]
    named = spec.get("displayName") or spec.get("item") or spec.get("special") or " or ".join(kinds)
    name = plain_text(str(named)).partition("|")[0]
    count = f"{spec['quantity']} " if spec.get("quantity") else ""
    coins = [
        f"{words}{amount / 100:g} gp"
        for field, words in (("value", ""), ("worthValue", "worth " if name else ""), ("containsValue", "containing "))
        if (amount := whole(spec.get(field))) is not None
    ]
    return f"{count}{name} ({', '.join(coins)})" if name and coins else f"{count}{name}{', '.join(coins)}"


def _equipment_type(code: object) -> str:
    """``weaponSimpleMelee`` is any simple melee weapon."""
    first, *others = re.findall(r"[A-Z]?[a-z]+", str(code)) or [str(code)]
    return f"any {' '.join([*map(str.lower, others), first])}"


def with_subraces(one: object) -> list[object]:
    """Return a race, and each of its nested subraces as a separate item."""
    if not isinstance(one, dict) or not isinstance(one.get("subraces"), list):
        return [one]
    race = {key: value for key, value in one.items() if key != "subraces"}
    of = {"source": one.get("source"), "raceName": one.get("name"), "raceSource": one.get("source"), "_subrace": True}
    parts = [of | part for part in one["subraces"] if isinstance(part, dict) and part.get("name")]
    return [race, *parts]


def subrace_name(item: Mapping[str, object]) -> str:
    """Return the name of a subrace with its race: ``Elf (Fen)``."""
    name, race = text_in(item, "name"), str(item.get("raceName") or "")
    return f"{race} ({name})" if name and race else name or race
