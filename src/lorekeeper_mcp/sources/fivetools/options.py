"""Races and subraces, backgrounds, feats and optional features."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models import Background, Feat, Ref, Reference, Section, Species
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.codes import code, size_names
from lorekeeper_mcp.sources.fivetools.context import Context
from lorekeeper_mcp.sources.fivetools.fields import Fields, plain_texts
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import block_text, inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.requirements import FEATS, prerequisite_text
from lorekeeper_mcp.sources.fivetools.texts.tags import displayed_reference, plain_text, text_in
from lorekeeper_mcp.sources.fivetools.texts.values import choice_text, value_text, value_title
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import as_object, listed, mapping, members, objects, whole_number
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.stat_block import sections_of

FEATURES = {
    "AF": "Alchemical Formula", "AI": "Artificer Infusion", "AS": "Arcane Shot", "AS:V1-UA": "Arcane Shot (V1)",
    "AS:V2-UA": "Arcane Shot (V2)", "ED": "Elemental Discipline", "EI": "Eldritch Invocation",
    "FS:B": "Fighting Style (Bard)", "FS:F": "Fighting Style (Fighter)", "FS:P": "Fighting Style (Paladin)",
    "FS:R": "Fighting Style (Ranger)", "MM": "Metamagic", "MV": "Maneuver",
    "MV:B": "Maneuver (Battle Master)", "MV:C2-UA": "Maneuver (Cavalier V2)", "OR": "Onomancy Resonant",
    "OTH": "Other", "PB": "Pact Boon", "RN": "Rune Knight Rune", "RP": "Renown Perk", "TT": "Traveler's Trick",
}  # fmt: skip
_WAYS = ("innate", "known", "prepared", "expanded")  # to gain spells
_LIMITS = {"daily": "per day", "limited": "in all", "rest": "per rest"}
_AMOUNTS = {"pb": "proficiency bonus", "halfPb": "half proficiency bonus", "mod": "spellcasting modifier"} | {
    code: f"{name.capitalize()} modifier" for code, name in ABILITIES.items()
}
_WORTHS = {"value": "", "worthValue": "worth ", "containsValue": "containing "}


def race(head: CommonFields, fields: Fields, context: Context) -> Species:
    """Return a race (species), or a subrace of one."""
    parent, parent_source = str(fields.take("raceName") or ""), str(fields.take("raceSource") or "")
    blocks = _blocks(head, fields)
    darkvision = fields.line("darkvision")
    values = {
        "Ability Score Increase": choice_text(fields.take("ability")),
        "Age": _age(fields.take("age")),
        "Darkvision": f"{darkvision} ft." if darkvision else "",
        "Languages": choice_text(fields.take("languageProficiencies")),
        "Skills": choice_text(fields.take("skillProficiencies")),
        "Tools": choice_text(fields.take("toolProficiencies")),
        "Resistances": choice_text(fields.take("resist")),
    }
    printed = {block.name.lower() for block in blocks}
    traits = sections_of({name: text for name, text in values.items() if name.lower() not in printed})
    sizes = size_names(fields.take_list("size"))
    return Species(
        **head,
        subspecies_of=Ref(name=parent, key=context.race_key(parent, parent_source)) if parent else None,
        is_subspecies=bool(parent),
        size=" or ".join(size.capitalize() for size in sizes),
        speed=_speed(fields.take("speed")),
        traits=(*blocks, *traits, *additional_spells(fields)),
        other=fields.other(),
    )


def _age(value: object) -> str:
    age = mapping(value)
    if not age:
        return inline(value)
    mature = f"adult at {age['mature']}" if "mature" in age else ""
    return joined(mature, f"up to {age['max']} years" if "max" in age else "")


def _speed(value: object) -> str:
    if not isinstance(value, Mapping):
        return f"{value} ft." if isinstance(value, int | float) else inline(value)
    speeds = {mode: "equal to its walking speed" if feet is True else f"{feet} ft." for mode, feet in value.items()}
    return ", ".join(f"{mode} {speed}".removeprefix("walk ") for mode, speed in speeds.items())


def background(head: CommonFields, fields: Fields, _: Context) -> Background:
    """Return a background: its benefits, then the blocks of its text."""
    blocks = _blocks(head, fields)
    values = {
        "Prerequisite": prerequisite_text(fields.take("prerequisite")),
        "Skill Proficiencies": choice_text(fields.take("skillProficiencies")),
        "Tool Proficiencies": choice_text(fields.take("toolProficiencies")),
        "Languages": choice_text(fields.take("languageProficiencies")),
        "Ability Scores": choice_text(fields.take("ability")),
        "Feat": value_text(fields.take("feats")),
        "Equipment": starting_equipment(fields.take("startingEquipment")),
    }
    fields.drop("fromFeature")  # the feature that grants it
    features = (Section(name=block.name.removesuffix(":"), text=block.text) for block in blocks)
    other = (*additional_spells(fields), *fields.other())
    return Background(**head, benefits=(*sections_of(values), *features), other=other)


def _blocks(head: CommonFields, fields: Fields) -> list[Section]:
    """The blocks of an option with names; the others are added to its text."""
    entries = fields.take_list("entries")
    unnamed = markdown([entry for entry in entries if not mapping(entry).get("name")])
    head["text"] = joined(head["text"], unnamed, sep="\n\n")
    named = [block for block in objects(entries) if block.get("name")]
    return [Section(name=text_in(block, "name"), text=block_text(block)) for block in named]


def feat(head: CommonFields, fields: Fields, context: Context) -> Feat:
    """Return a feat."""
    category = code(fields.take("category") or "")
    return _feat(head, fields, context.feat_categories.get(category, FEATS.get(category, category)))


def optional_feature(head: CommonFields, fields: Fields, context: Context) -> Feat:
    """Return an option of a class feature: an invocation, a maneuver, a fighting style."""
    codes = plain_texts(fields.take("featureType"))
    types = dict.fromkeys(context.feature_types.get(code, FEATURES.get(code, code)) for code in codes)
    return _feat(head, fields, ", ".join(types))


def _feat(head: CommonFields, fields: Fields, type_: str) -> Feat:
    increase = sections_of({"Ability Score Increase": choice_text(fields.take("ability"))})
    prerequisite = prerequisite_text(fields.take("prerequisite"))
    other = (*increase, *additional_spells(fields), *fields.other())
    return Feat(**head, type=type_, prerequisite=prerequisite, other=other)


def reference(head: CommonFields, fields: Fields, _: Context) -> Reference:
    """Return a condition or a language."""
    script, type_ = fields.line("script"), fields.line("type")
    speakers = ", ".join(plain_texts(fields.take("typicalSpeakers")))
    return Reference(**head, type=type_, script=slug(script) if script else "", speakers=speakers, other=fields.other())


def additional_spells(fields: Fields) -> tuple[Section, ...]:
    """Return the spells of an option, by how they are gained and from which level."""
    sections = []
    for value in fields.take_list("additionalSpells"):
        spec = as_object(value, "spells")
        lines = [
            f"{way.capitalize()}{_from_level(level)}: {names}"
            for way in _WAYS
            for level, spells in mapping(spec.get(way)).items()
            if (names := ", ".join(_spell_names(spells)))
        ]
        read_fields = {"ability", "name", "resourceName", *(way for way in _WAYS if isinstance(spec.get(way), Mapping))}
        if others := value_text({name: part for name, part in spec.items() if name not in read_fields}):
            lines.append(others)
        if ability := spec.get("ability"):
            lines.append(f"Ability: {value_title(ability) if isinstance(ability, str) else choice_text(ability)}")
        if resource := text_in(spec, "resourceName"):
            lines.append(f"Cast with: {resource}")
        if lines or spec.get("name"):
            sections.append(Section(name=str(spec.get("name") or "Spells"), text="\n".join(lines) or "no spells"))
    return tuple(sections)


def _spell_names(value: object, limit: str = "") -> list[str]:
    """Names of spells, each with its limit of use; a choice in words."""
    if isinstance(value, list):
        return [name for spell in value for name in _spell_names(spell, limit)]
    if not isinstance(value, Mapping):
        name = displayed_reference(plain_text(value)) if isinstance(value, str) else value_text(value)
        return [f"{name} ({limit})" if limit else name] if name else []
    spec = value
    if "choose" in spec or "all" in spec:
        spells = spec.get("choose", spec.get("all"))
        if isinstance(spells, Mapping):
            return [value_text({"choose": spells})]
        quantity = f"choose {spec.get('count', 1)}" if "choose" in spec else "all"
        return [f"{quantity} ({value_text(spells)})"]
    return [name for inner, spells in spec.items() for name in _spell_names(spells, _limit(inner, limit))]


def _from_level(level: str) -> str:
    """``, level 3`` for 3, ``, spell level 2`` for s2, nothing for _."""
    if level.startswith("_"):
        return level[1:]
    return f", spell level {level[1:]}" if level.startswith("s") else f", level {level}"


def _limit(key: str, outer: str) -> str:
    """``2 per day``, ``at will``, ``for 2``; the number is a key inside the word's object."""
    if key in ("", "_"):
        return outer
    if key in ("daily", "rest", "limited", "resource"):
        return key
    if key == "will":
        return "at will"
    number = key.removesuffix("e")
    amount = _AMOUNTS.get(number, number)
    if outer == "resource":
        return f"for {amount}"
    return f"{amount} {_LIMITS[outer]}" if outer in _LIMITS else amount


def starting_equipment(value: object) -> str:
    """Return the starting equipment: ``10 torches, a cloak; (a) a staff``."""
    texts = []
    for choices in map(mapping, members(value)):
        for choice, items in choices.items():
            names = ", ".join(filter(None, map(_starting_item, items if isinstance(items, list) else [items])))
            texts.append(names if choice == "_" else f"({choice}) {names}")
    return "; ".join(texts)


def _starting_item(value: object) -> str:
    spec = mapping(value)
    if not spec:
        return plain_text(str(value)).partition("|")[0]
    types = map(_equipment_type, (*listed(spec.get("equipmentType")), *listed(spec.get("equipmentTypes"))))
    named = spec.get("displayName") or spec.get("item") or spec.get("special") or " or ".join(types)
    name = plain_text(str(named)).partition("|")[0]
    quantity = f"{spec['quantity']} " if spec.get("quantity") else ""
    coins = ", ".join(
        f"{'' if field == 'worthValue' and not name else word}{amount / 100:g} gp"
        for field, word in _WORTHS.items()
        if (amount := whole_number(spec.get(field))) is not None
    )
    return f"{quantity}{name} ({coins})" if name and coins else f"{quantity}{name}{coins}"


def _equipment_type(code: object) -> str:
    """``weaponSimpleMelee`` is any simple melee weapon."""
    first, *others = re.findall(r"[A-Z]?[a-z]+", str(code)) or [str(code)]
    return f"any {' '.join([*map(str.lower, others), first])}"


def with_subraces(value: object) -> list[object]:
    """Return a race, and each of its nested subraces as a separate item."""
    if not isinstance(value, dict) or not isinstance(value.get("subraces"), list):
        return [value]
    name, source = value.get("name"), value.get("source")
    race = {field: part for field, part in value.items() if field != "subraces"}
    parent = {"source": source, "raceName": name, "raceSource": source, "_subrace": True}
    return [race, *({**parent, **subrace} for subrace in objects(value["subraces"]) if subrace.get("name"))]


def subrace_name(item: Mapping[str, object]) -> str:
    """Return the name of a subrace with its race: ``Elf (Fen)``."""
    name, race = text_in(item, "name"), str(item.get("raceName") or "")
    return f"{race} ({name})" if name and race else name or race
