"""Monsters: their numbers, and the paragraphs of their stat blocks."""

from __future__ import annotations

import math
from collections.abc import Mapping

from lorekeeper_mcp.models import Abilities, Action, ActionType, Creature, Defenses, Ref, Section, Senses
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    as_object,
    integer,
    integers,
    listed,
    mapping,
    members,
    number,
    sections_of,
)
from lorekeeper_mcp.sources.fivetools.context import Context, identity
from lorekeeper_mcp.sources.fivetools.entries import block_text, inline, markdown, spell_list_text
from lorekeeper_mcp.sources.fivetools.tags import plain_text, text_in
from lorekeeper_mcp.sources.fivetools.values import ALIGNMENT, item_fields, plain_texts, print_value
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.stat_block import sense_ranges, to_action

SIZES = {
    "F": "fine", "D": "diminutive", "T": "tiny", "S": "small", "M": "medium", "L": "large", "H": "huge",
    "G": "gargantuan", "C": "colossal", "V": "varies",
}  # fmt: skip
DEFENSES = {
    "damage_resistances": "resist",
    "damage_immunities": "immune",
    "damage_vulnerabilities": "vulnerable",
    "condition_immunities": "conditionImmune",
}
ACTIONS = {
    "action": ActionType.ACTION,
    "bonus": ActionType.BONUS_ACTION,
    "reaction": ActionType.REACTION,
    "legendary": ActionType.LEGENDARY_ACTION,
    "mythic": ActionType.MYTHIC_ACTION,
}
_GROUP_TITLES = {
    "lairActions": "Lair Actions", "regionalEffects": "Regional Effects", "mythicEncounter": "Mythic Encounter",
}  # fmt: skip
_RATING_PLACES = {"lair": "in its lair", "coven": "in a coven", "xpLair": "XP in its lair"}
_OPPOSITES = {"G": "E", "E": "G", "L": "C", "C": "L"}


def creature(head: CommonFields, fields: Fields, context: Context) -> Creature:
    """Return a monster; values that it does not give stay absent."""
    sidekick = mapping(fields.peek("type"))
    armor_class, armor_text = _armor(fields)
    hit_points, hit_dice, hit_points_note = _hit_points(fields.take("hp"))
    rating, experience, rating_note = _rating(fields.take("cr"))
    speed, hover, speed_note = _speed(fields.take("speed"))
    senses = ", ".join(plain_texts(fields.take("senses")))
    languages = plain_texts(fields.take("languages"))
    sizes = size_names(fields.take("size"))
    saves, saves_note = _bonuses(fields.take("save"))
    skills, skills_note = _bonuses(fields.take("skill"))
    type_, type_text, category = _type(fields)
    spell_traits, spell_actions = _spellcasting(fields)
    notes = {
        "hit points": hit_points_note,
        "challenge": rating_note,
        "speed": speed_note,
        "saving throws": saves_note,
        "skills": skills_note,
        "sidekick": print_value([sidekick.get("sidekickType"), sidekick.get("sidekickTags")]),
    }
    return Creature(
        **head,
        type=type_,
        type_text=type_text,
        size=sizes[0] if sizes else "",
        size_text=" or ".join(size.capitalize() for size in sizes) if len(sizes) > 1 else "",
        category=category,
        alignment=_alignment(fields),
        challenge_rating=rating,
        experience_points=experience,
        armor_class=armor_class,
        armor_text=armor_text,
        hit_points=hit_points,
        hit_dice=hit_dice,
        speed=speed,
        hover=hover,
        abilities=Abilities(**{ability: fields.integer(code) for code, ability in ABILITIES.items()}),
        saving_throws={ABILITIES.get(code, code): bonus for code, bonus in saves.items()},
        skills={slug(skill): bonus for skill, bonus in skills.items()},
        initiative_bonus=_initiative(fields, rating),
        senses=Senses(**sense_ranges(senses), passive_perception=fields.integer("passive"), text=senses),
        languages=", ".join(languages),
        language_keys=tuple(dict.fromkeys(slug(name) for name in languages if " " not in name.strip())),
        defenses=_defenses(fields),
        traits=(*_sections(fields.take("trait")), *spell_traits),
        actions=_actions(fields, spell_actions),
        legendary_text=joined(_legendary_uses(fields), markdown(fields.take("legendaryHeader")), sep="\n\n"),
        environments=tuple(Ref(name=name.title(), key=slug(name)) for name in plain_texts(fields.take("environment"))),
        creature_sets=tuple(plain_texts(fields.take("group"))),
        other=(*sections_of(notes), *_lair(fields, context), *fields.also()),
    )


def size_names(value: object) -> list[str]:
    """Return the names of sizes: small and medium for ``S`` and ``M``."""
    return [SIZES.get(str(size), str(size).lower()) for size in listed(value)]


def _type(fields: Fields) -> tuple[str, str, str]:
    """The key, the line as printed, and the tags: ``humanoid``, ``humanoid (elf)``, ``elf``."""
    value = fields.take("type")
    spec = mapping(value)
    type_ = spec.get("type", "") if spec else value
    kinds = [str(kind) for kind in listed(type_.get("choose") if isinstance(type_, Mapping) else type_)]
    kind = " or ".join(kinds)
    tag_specs = (as_object(tag, "tag") for tag in listed(spec.get("tags")))
    tags = ", ".join(f"{tag.get('prefix', '')} {tag.get('tag', '')}".strip() for tag in tag_specs)
    swarm = SIZES.get(str(spec.get("swarmSize")), "")
    text = f"swarm of {swarm.capitalize()} {kind}s" if swarm else kind
    text = joined(text, f"({tags})" if tags else "", text_in(spec, "note"), sep=" ")
    return slug(kind) if kind and " or " not in kind else kind.partition(" or ")[0], text, tags


def _alignment(fields: Fields) -> str:
    value = fields.take("alignment")
    prefix = inline(fields.take("alignmentPrefix"))
    prefix += " " if prefix else ""
    alignments = listed(value)
    if alignments and all(isinstance(alignment, str) for alignment in alignments):
        return f"{prefix}{_letters(alignments)}".strip()
    texts = []
    for alignment in map(mapping, alignments):
        text = str(alignment.get("special") or "") or _letters(members(alignment.get("alignment")))
        chance, note = alignment.get("chance"), alignment.get("note")
        texts.append(f"{text}{f' ({chance}%)' if chance else ''}{f' {note}' if note else ''}")
    return f"{prefix}{' or '.join(texts)}".strip()


def _letters(values: list[object]) -> str:
    """The words of an alignment; L, NX, C, E, a set of more than three letters, is any evil alignment."""
    letters = [str(value) for value in values]
    if len(letters) <= 3:
        return " ".join(dict.fromkeys(ALIGNMENT.get(letter, letter) for letter in letters))
    if len(letters) == 4:
        for letter, opposite in _OPPOSITES.items():
            if letter in letters and opposite not in letters:
                return f"any {ALIGNMENT[letter]} alignment"
    return "any alignment"


def _armor(fields: Fields) -> tuple[int | None, str]:
    """The first armor class, and all else in the field."""
    first, parts = None, []
    for value in listed(fields.take("ac")):
        spec = mapping(value)
        armor_class = integer(spec.get("ac") if spec else value)
        sources = ", ".join(plain_texts(members(spec.get("from"))))
        text = joined(sources, text_in(spec, "condition"), text_in(spec, "special"), sep=" ")
        if first is None and armor_class is not None:
            first = armor_class
        elif armor_class:
            text = joined(str(armor_class), text, sep=" ")
        parts.append(text)
    return first, "; ".join(filter(None, parts))


def _hit_points(value: object) -> tuple[int | None, str, str]:
    """The average, the dice, and a text in their place."""
    spec = mapping(value)
    special = spec.get("special") if spec else value
    numbers = (integer(spec.get("average")), integer(special))
    average = next((points for points in numbers if points is not None), None)
    note = plain_text(str(special)) if special is not None and numbers[1] is None else ""
    return average, str(spec.get("formula") or "").replace(" ", ""), note


def _rating(value: object) -> tuple[float | None, int | None, str]:
    """The challenge rating, the experience points, and ratings in other places."""
    spec = mapping(value)
    rating = number(spec.get("cr") if spec else value)
    notes = [f"{spec[name]} {place}" for name, place in _RATING_PLACES.items() if name in spec]
    if rating is None and value is not None:
        notes.append(str(spec.get("cr", value)))
    return rating if rating is None or 0 <= rating <= 100 else None, integer(spec.get("xp")), ", ".join(notes)


def _speed(value: object) -> tuple[dict[str, float], bool, str]:
    """The speeds by mode, whether it hovers, and the rest of the field."""
    feet_by_mode: dict[str, float] = {}
    notes = []
    for mode, speed in as_object(value, "walk").items():
        spec = as_object(speed, "number")
        feet, condition = number(spec.get("number")), text_in(spec, "condition")
        if mode in ("canHover", "hidden") or speed is None:
            continue
        if mode == "choose":
            modes, note = " or ".join(plain_texts(spec.get("from"))), text_in(spec, "note")
            notes.append(joined(modes, f"{print_value(spec.get('amount'))} ft.", f"({note})" if note else "", sep=" "))
        elif feet is not None and mode != "alternate":
            feet_by_mode[mode] = feet
        elif spec.get("number") is True and "walk" in feet_by_mode:
            feet_by_mode[mode] = feet_by_mode["walk"]  # equal to the walking speed
        else:
            notes.append(inline(speed) if not isinstance(value, Mapping) else print_value({mode: speed}))
        if condition and condition != "(hover)":
            notes.append(f"{mode} {condition}")
    return feet_by_mode, mapping(value).get("canHover") is True or "(hover)" in str(value), "; ".join(notes)


def _bonuses(value: object) -> tuple[dict[str, int], str]:
    """Bonuses by name, and the rest of the field: a choice (``oneOf``), or a sentence."""
    if not isinstance(value, Mapping):
        return {}, inline(value)
    bonuses = integers(value)
    rest = {name: part for name, part in value.items() if name not in bonuses}
    choices = [f"one of {print_value(mapping(part).get('oneOf', part))}" for part in listed(rest.pop("other", None))]
    return bonuses, "; ".join(filter(None, (*choices, *map(print_value, rest.values()))))


def _legendary_uses(fields: Fields) -> str:
    """The number of legendary actions, as 2024 stat blocks print it; a heading that has it comes below."""
    uses, in_lair = print_value(fields.take("legendaryActions")), print_value(fields.take("legendaryActionsLair"))
    if not (uses or in_lair):
        return ""
    return f"Legendary Action Uses: {uses or in_lair}{f' ({in_lair} in Lair)' if uses and in_lair else ''}."


def _initiative(fields: Fields, rating: float | None) -> int | None:
    """The initiative bonus; a number of proficiency bonuses is added to Dexterity's."""
    value = fields.peek("initiative")
    if isinstance(value, int):
        return fields.integer("initiative")
    spec, dexterity = mapping(value), integer(fields.peek("dex"))
    proficiency = integer(spec.get("proficiency"))
    if proficiency is None or dexterity is None or rating is None or len(spec) > 1:
        return integer(spec.get("initiative"))
    fields.drop("initiative")
    return (dexterity - 10) // 2 + proficiency * (2 + max(0, math.ceil(rating) - 1) // 4)


def _defenses(fields: Fields) -> Defenses:
    values: dict[str, object] = {}
    for name, field in DEFENSES.items():
        keys: list[str] = []
        texts = [text for defense in listed(fields.take(field)) if (text := _defense(defense, keys))]
        values[name] = tuple(dict.fromkeys(keys))
        if texts != keys:
            values[f"{name}_text"] = "; ".join(texts)
    return Defenses.model_validate(values)


def _defense(value: object, keys: list[str]) -> str:
    """A defense in words; its keys go into a list, except those of a special one, which is only in words."""
    if isinstance(value, str):
        keys.append(slug(value))
        return slug(value)
    spec = mapping(value)
    if spec.get("special"):
        return text_in(spec, "special")
    inner = next((spec[field] for field in DEFENSES.values() if isinstance(spec.get(field), list)), None)
    texts = ", ".join(_defense(defense, keys) for defense in members(inner))
    return joined(text_in(spec, "preNote"), plain_text(texts), text_in(spec, "note"), sep=" ")


# --- Paragraphs ---


def _spellcasting(fields: Fields) -> tuple[list[Section], list[Action]]:
    """A creature's spell lists by place: among its traits, or among its actions."""
    traits: list[Section] = []
    actions: list[Action] = []
    for spells in map(mapping, listed(fields.take("spellcasting"))):
        name, text = text_in(spells, "name") or "Spellcasting", spell_list_text(spells)
        if kind := ACTIONS.get(str(spells.get("displayAs"))):
            actions.append(Action(name=name, text=text, type=kind))
        else:
            traits.append(Section(name=name, text=text))
    return traits, actions


def _sections(value: object) -> list[Section]:
    """Blocks with names, such as traits."""
    blocks = [(entry, mapping(entry)) for entry in listed(value) if entry]
    return [
        Section(name=text_in(block, "name"), text=block_text(block)) if block else Section(text=markdown(entry))
        for entry, block in blocks
    ]


def _actions(fields: Fields, spell_actions: list[Action]) -> tuple[Action, ...]:
    """Every action of a creature by kind; within a kind, spellcasting comes last."""
    actions: list[Action] = []
    for field, kind in ACTIONS.items():
        parts = [Section(text=markdown(fields.take("mythicHeader")))] if field == "mythic" else []
        parts += _sections(fields.take(field))
        parts += [Section(name=action.name, text=action.text) for action in spell_actions if action.type is kind]
        actions += [to_action(part.name, part.text, kind) for part in parts if part.name or part.text]
    return tuple(actions)


def _lair(fields: Fields, context: Context) -> tuple[Section, ...]:
    """Lair actions and regional effects of the creature's legendary group, if it is in the file."""
    reference = mapping(fields.peek("legendaryGroup"))
    group = context.dependents.find("legendaryGroup", identity(reference)) if reference else None
    if group is None:
        return ()
    fields.drop("legendaryGroup")
    parts = item_fields({_GROUP_TITLES.get(name, name): part for name, part in group.items()})
    parts.drop("name", "source")
    return parts.also()
