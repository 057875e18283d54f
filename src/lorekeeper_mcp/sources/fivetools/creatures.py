"""Monsters."""

from __future__ import annotations

import math
from collections.abc import Mapping

from lorekeeper_mcp.models import Abilities, Creature, Defenses, Ref, Senses
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.codes import SIZES, size_names
from lorekeeper_mcp.sources.fivetools.context import Context
from lorekeeper_mcp.sources.fivetools.creature_actions import actions, lair, sections, spellcasting
from lorekeeper_mcp.sources.fivetools.fields import Fields, plain_texts
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline
from lorekeeper_mcp.sources.fivetools.texts.requirements import ALIGNMENT
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, text_in
from lorekeeper_mcp.sources.fivetools.texts.values import value_text
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import as_object, decimal, listed, mapping, members, whole_number
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.stat_block import sections_of, sense_ranges

DEFENSES = {
    "damage_resistances": "resist",
    "damage_immunities": "immune",
    "damage_vulnerabilities": "vulnerable",
    "condition_immunities": "conditionImmune",
}


_RATING_PLACES = {"lair": "in its lair", "coven": "in a coven", "xpLair": "XP in its lair"}
_OPPOSITES = {"G": "E", "E": "G", "L": "C", "C": "L"}


def creature(head: CommonFields, fields: Fields, context: Context) -> Creature:
    """Return a monster; values that it does not give stay absent."""
    sidekick = _sidekick(mapping(fields.peek("type")))
    type_, type_text, category = _type(fields)
    armor_class, armor_text = _armor(fields)
    hit_points, hit_dice, hit_points_note = _hit_points(fields.take("hp"))
    rating, experience, rating_note = _rating(fields.take("cr"))
    speed, hover, speed_note = _speed(fields.take("speed"))
    senses = ", ".join(plain_texts(fields.take("senses")))
    languages = plain_texts(fields.take("languages"))
    sizes = size_names(fields.take_list("size"))
    spell_traits, spell_actions = spellcasting(fields)
    saves, saves_note = _bonuses(fields.take("save"))
    skills, skills_note = _bonuses(fields.take("skill"))
    notes = {
        "hit points": hit_points_note,
        "challenge": rating_note,
        "speed": speed_note,
        "saving throws": saves_note,
        "skills": skills_note,
        "sidekick": sidekick,
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
        abilities=Abilities(**{ability: fields.whole_number(code) for code, ability in ABILITIES.items()}),
        saving_throws={ABILITIES.get(code, code): bonus for code, bonus in saves.items()},
        skills={slug(skill): bonus for skill, bonus in skills.items()},
        initiative_bonus=_initiative(fields, rating),
        senses=Senses(**sense_ranges(senses), passive_perception=fields.whole_number("passive"), text=senses),
        languages=", ".join(languages),
        language_keys=tuple(dict.fromkeys(slug(name) for name in languages if _is_language(name))),
        defenses=_defenses(fields),
        traits=(*sections(fields.take_list("trait")), *spell_traits),
        actions=actions(fields, spell_actions),
        legendary_text=joined(_legendary_uses(fields), fields.text("legendaryHeader"), sep="\n\n"),
        environments=tuple(Ref(name=name.title(), key=slug(name)) for name in plain_texts(fields.take("environment"))),
        creature_sets=tuple(plain_texts(fields.take("group"))),
        other=(*sections_of(notes), *lair(fields, context), *fields.other()),
    )


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
    text = f"{text}{f' ({tags})' if tags else ''} {text_in(spec, 'note')}".strip()
    return slug(kind) if kind and " or " not in kind else kind.partition(" or ")[0], text, tags


def _alignment(fields: Fields) -> str:
    prefix = fields.line("alignmentPrefix")
    value = fields.take("alignment")
    alignments = value if isinstance(value, list) else [value] if value else []
    if alignments and all(isinstance(alignment, str) for alignment in alignments):
        return f"{prefix}{_letters(alignments)}"
    texts = []
    for alignment in map(mapping, alignments):
        text = str(alignment.get("special") or "") or _letters(members(alignment.get("alignment")))
        chance, note = alignment.get("chance"), alignment.get("note")
        texts.append(f"{text}{f' ({chance}%)' if chance else ''}{f' {note}' if note else ''}")
    return f"{prefix}{' or '.join(texts)}"


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
    number, parts = None, []
    for value in fields.take_list("ac"):
        spec = mapping(value)
        armor_class = whole_number(spec.get("ac") if spec else value)
        sources = ", ".join(plain_texts(members(spec.get("from"))))
        text = joined(sources, text_in(spec, "condition"), text_in(spec, "special"), sep=" ")
        if number is None and armor_class is not None:
            number = armor_class
        elif armor_class:
            text = joined(str(armor_class), text, sep=" ")
        parts.append(text)
    return number, "; ".join(filter(None, parts))


def _hit_points(value: object) -> tuple[int | None, str, str]:
    """The average, the dice, and a text in their place."""
    spec = mapping(value)
    special = spec.get("special") if isinstance(value, Mapping) else value
    numbers = [whole_number(number) for number in (spec.get("average"), special)]
    average = next((number for number in numbers if number is not None), None)
    note = plain_text(str(special)) if special is not None and whole_number(special) is None else ""
    return average, str(spec.get("formula") or "").replace(" ", ""), note


def _rating(value: object) -> tuple[float | None, int | None, str]:
    """The challenge rating, the experience points, and ratings in other places."""
    spec = mapping(value)
    rating = decimal(spec.get("cr") if spec else value)
    notes = [f"{spec[name]} {place}" for name, place in _RATING_PLACES.items() if name in spec]
    if rating is None and value is not None:
        notes.append(str(spec.get("cr", value)))
    return rating if rating is None or 0 <= rating <= 100 else None, whole_number(spec.get("xp")), ", ".join(notes)


def _speed(value: object) -> tuple[dict[str, float], bool, str]:
    """The speeds by mode, whether it hovers, and the rest of the field."""
    if not isinstance(value, Mapping):
        feet = decimal(value)
        return ({}, False, inline(value)) if feet is None else ({"walk": feet}, False, "")
    feet_by_mode: dict[str, float] = {}
    notes = []
    for mode, speed in value.items():
        if mode in ("canHover", "hidden"):
            continue
        feet = decimal(speed.get("number") if isinstance(speed, Mapping) else speed)
        if feet is not None and mode not in ("choose", "alternate"):
            feet_by_mode[mode] = feet
        elif speed is True and "walk" in feet_by_mode:
            feet_by_mode[mode] = feet_by_mode["walk"]  # equal to the walking speed
        else:
            notes.append(value_text({mode: speed}))
        if (condition := text_in(mapping(speed), "condition")) and condition != "(hover)":
            notes.append(f"{mode} {condition}")
    return feet_by_mode, value.get("canHover") is True or "(hover)" in str(value), "; ".join(notes)


def _bonuses(value: object) -> tuple[dict[str, int], str]:
    """Bonuses by name, and the rest of the field: a choice (``oneOf``), or a sentence."""
    spec = mapping(value)
    if not spec:
        return {}, inline(value)
    numbers = {name: whole_number(bonus) for name, bonus in spec.items()}
    bonuses = {name: number for name, number in numbers.items() if number is not None}
    rest = {name: text for name, text in spec.items() if name not in bonuses}
    choices = [mapping(choice).get("oneOf", choice) for choice in listed(rest.pop("other", None))]
    parts = [*(f"one of {value_text(choice)}" for choice in choices), *map(value_text, rest.values())]
    return bonuses, "; ".join(filter(None, parts))


def _sidekick(type_: Mapping[str, object]) -> str:
    """The type of a sidekick: ``expert (attacker)``."""
    tags = ", ".join(plain_texts(type_.get("sidekickTags")))
    return f"{type_.get('sidekickType') or ''}{f' ({tags})' if tags else ''}".strip()


def _legendary_uses(fields: Fields) -> str:
    """The number of legendary actions, as 2024 stat blocks print it; a heading that has it comes below."""
    uses, in_lair = fields.line("legendaryActions"), fields.line("legendaryActionsLair")
    if not (uses or in_lair):
        return ""
    return f"Legendary Action Uses: {uses}{f' ({in_lair} in Lair)' if in_lair else ''}."


def _initiative(fields: Fields, rating: float | None) -> int | None:
    """The initiative bonus; a number of proficiency bonuses is added to Dexterity's."""
    value = fields.peek("initiative")
    if isinstance(value, int):
        return fields.whole_number("initiative")
    spec, dexterity = mapping(value), whole_number(fields.peek("dex"))
    proficiency = whole_number(spec.get("proficiency"))
    if proficiency is None or dexterity is None or rating is None or len(spec) > 1:
        return whole_number(spec.get("initiative"))
    fields.drop("initiative")
    return (dexterity - 10) // 2 + proficiency * (2 + max(0, math.ceil(rating) - 1) // 4)


def _is_language(text: str) -> bool:
    """Whether a text is a name, not a sentence."""
    return len(text) < 40 and " " not in text.strip()


def _defenses(fields: Fields) -> Defenses:
    values: dict[str, object] = {}
    for name, field in DEFENSES.items():
        keys: list[str] = []
        texts = [text for defense in fields.take_list(field) if (text := _defense(defense, keys))]
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
