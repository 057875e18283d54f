"""Monsters."""

from __future__ import annotations

import math
from collections.abc import Mapping

from lorekeeper_mcp.models import Abilities, Creature, Defenses, Ref, Section, Senses
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.codes import SIZES
from lorekeeper_mcp.sources.fivetools.context import Context
from lorekeeper_mcp.sources.fivetools.creature_actions import actions, lair, sections, spellcasting
from lorekeeper_mcp.sources.fivetools.fields import Fields, decimal, texts, whole
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline
from lorekeeper_mcp.sources.fivetools.texts.requirements import ALIGNMENT
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, text_in
from lorekeeper_mcp.sources.fivetools.texts.values import value_text
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import listed, mapping
from lorekeeper_mcp.sources.stat_block import sense_ranges

DEFENSES = {
    "damage_resistances": "resist",
    "damage_immunities": "immune",
    "damage_vulnerabilities": "vulnerable",
    "condition_immunities": "conditionImmune",
}


def creature(head: CommonFields, fields: Fields, context: Context) -> Creature:
    """Return a monster; values that it does not give stay absent."""
    sidekick = _sidekick(mapping(fields.peek("type")))
    type_, type_text, category = _type(fields)
    armor_class, armor_text = _armor(fields)
    points = fields.take("hp")
    averages = map(whole, (mapping(points).get("average"), mapping(points).get("special"), points))
    rating, experience, rating_note = _rating(fields)
    speed, hover, speed_note = _speed(fields)
    senses = ", ".join(texts(fields.entries("senses")))
    languages = texts(fields.entries("languages"))
    sizes = [SIZES.get(str(one), str(one).lower()) for one in fields.entries("size")]
    spell_traits, spell_actions = spellcasting(fields)
    saves, save_note = _bonuses(fields.take("save"))
    skills, skill_note = _bonuses(fields.take("skill"))
    notes = {
        "hit points": _special(points),
        "challenge": rating_note,
        "speed": speed_note,
        "saving throws": save_note,
        "skills": skill_note,
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
        hit_points=next((number for number in averages if number is not None), None),
        hit_dice=str(mapping(points).get("formula") or "").replace(" ", ""),
        speed=speed,
        hover=hover,
        abilities=Abilities(**{name: fields.whole(key) for key, name in ABILITIES.items()}),
        saving_throws={ABILITIES.get(key, key): bonus for key, bonus in saves.items()},
        skills={slug(name): bonus for name, bonus in skills.items()},
        initiative_bonus=_initiative(fields, rating),
        senses=Senses(**sense_ranges(senses), passive_perception=fields.whole("passive"), text=senses),
        languages=", ".join(languages),
        language_keys=tuple(dict.fromkeys(slug(one) for one in languages if len(one) < 40 and " " not in one.strip())),
        defenses=_defenses(fields),
        traits=(*sections(fields.entries("trait")), *spell_traits),
        actions=actions(fields, spell_actions),
        legendary_text="\n\n".join(filter(None, (_legendary_uses(fields), fields.text("legendaryHeader")))),
        environments=tuple(Ref(name=name.title(), key=slug(name)) for name in texts(fields.entries("environment"))),
        creature_sets=tuple(texts(fields.entries("group"))),
        other=(
            *(Section(name=name, text=text) for name, text in notes.items() if text),
            *lair(fields, context),
            *fields.other(),
        ),
    )


def _type(fields: Fields) -> tuple[str, str, str]:
    """The key, the line as printed, and the tags: ``humanoid``, ``humanoid (elf)``, ``elf``."""
    given = fields.take("type")
    spec = mapping(given)
    inner = spec.get("type", "") if spec else given
    chosen = listed(mapping(inner).get("choose")) if isinstance(inner, Mapping) else listed(inner)
    kind = " or ".join(map(str, chosen))
    given_tags = [one if isinstance(one, Mapping) else {"tag": one} for one in listed(spec.get("tags"))]
    tags = [f"{one.get('prefix', '')} {one.get('tag', '')}".strip() for one in given_tags]
    swarm = SIZES.get(str(spec.get("swarmSize")), "")
    shown = f"swarm of {swarm.capitalize()} {kind}s" if swarm else kind
    note = text_in(spec, "note")
    shown += f" ({', '.join(tags)})" if tags else ""
    text = f"{shown} {note}".strip()
    return slug(kind) if kind and " or " not in kind else kind.partition(" or ")[0], text, ", ".join(tags)


def _alignment(fields: Fields) -> str:
    prefix = fields.line("alignmentPrefix")
    given = fields.take("alignment")
    values = given if isinstance(given, list) else [given] if given else []
    if values and all(isinstance(one, str) for one in values):
        return f"{prefix}{_letters([str(one) for one in values])}"
    parts = []
    for one in values:
        spec = mapping(one)
        letters = spec.get("alignment")
        text = str(spec.get("special") or "") or _letters(list(map(str, letters)) if isinstance(letters, list) else [])
        chance, note = spec.get("chance"), spec.get("note")
        parts.append(f"{text}{f' ({chance}%)' if chance else ''}{f' {note}' if note else ''}")
    return f"{prefix}{' or '.join(parts)}"


def _letters(letters: list[str]) -> str:
    if len(letters) > 3:
        return "any alignment" if len(letters) > 4 else _any_of(letters)
    return " ".join(dict.fromkeys(ALIGNMENT.get(letter, letter) for letter in letters))


def _any_of(letters: list[str]) -> str:
    """A set of letters for several alignments: L, NX, C, E is any evil alignment."""
    for letter in "GELC":
        if letter in letters and {"G": "E", "E": "G", "L": "C", "C": "L"}[letter] not in letters:
            return f"any {ALIGNMENT[letter]} alignment"
    return "any alignment"


def _armor(fields: Fields) -> tuple[int | None, str]:
    values = fields.entries("ac")
    number, parts = None, []
    for one in values:
        spec = mapping(one)
        armor_class = whole(spec.get("ac") if spec else one)
        worn = ", ".join(texts(source)) if isinstance(source := spec.get("from"), list) else ""
        notes = (plain_text(str(spec.get(name) or "")) for name in ("condition", "special"))
        words = " ".join(filter(None, (worn, *notes)))
        if number is None and armor_class is not None:
            number = armor_class
            parts.append(words)
        else:
            parts.append(" ".join(filter(None, (str(armor_class or ""), words))))
    return number, "; ".join(filter(None, parts))


def _special(points: object) -> str:
    special = mapping(points).get("special") if isinstance(points, Mapping) else points
    return plain_text(str(special)) if special is not None and whole(special) is None else ""


def _rating(fields: Fields) -> tuple[float | None, int | None, str]:
    given = fields.take("cr")
    spec = mapping(given)
    rating = decimal(spec.get("cr") if spec else given)
    places = {"lair": "in its lair", "coven": "in a coven", "xpLair": "XP in its lair"}
    notes = [f"{spec[name]} {place}" for name, place in places.items() if name in spec]
    if rating is None and given is not None:
        notes.append(str(spec.get("cr", given)))
    return rating if rating is None or 0 <= rating <= 100 else None, whole(spec.get("xp")), ", ".join(notes)


def _speed(fields: Fields) -> tuple[dict[str, float], bool, str]:
    given = fields.take("speed")
    if not isinstance(given, Mapping):
        feet = decimal(given)
        return ({"walk": feet} if feet is not None else {}), False, "" if feet is not None else inline(given)
    speed: dict[str, float] = {}
    notes = []
    for mode, value in given.items():
        if mode in ("canHover", "hidden"):
            continue
        feet = decimal(mapping(value).get("number") if isinstance(value, Mapping) else value)
        if feet is not None and mode not in ("choose", "alternate"):
            speed[str(mode)] = feet
        elif value is True and "walk" in speed:
            speed[str(mode)] = speed["walk"]  # equal to the walking speed
        else:
            notes.append(value_text({mode: value}))
        if isinstance(value, Mapping) and value.get("condition") and value.get("condition") != "(hover)":
            notes.append(f"{mode} {plain_text(str(value['condition']))}")
    return speed, given.get("canHover") is True or "(hover)" in str(given), "; ".join(notes)


def _bonuses(given: object) -> tuple[dict[str, int], str]:
    """Bonuses by name, and the rest of the field: a choice (``oneOf``), or a sentence."""
    spec = mapping(given)
    found = {str(name): bonus for name, value in spec.items() if (bonus := whole(value)) is not None}
    rest = {name: value for name, value in spec.items() if name not in found}
    choices = [mapping(one).get("oneOf", one) for one in listed(rest.pop("other", None))]
    parts = [*(f"one of {value_text(one)}" for one in choices), *map(value_text, rest.values())]
    return found, "; ".join(filter(None, parts)) or ("" if spec else inline(given))


def _sidekick(type_: Mapping[str, object]) -> str:
    """The type of a sidekick: ``expert (attacker)``."""
    tags = ", ".join(texts(listed(type_.get("sidekickTags"))))
    return f"{type_.get('sidekickType') or ''}{f' ({tags})' if tags else ''}".strip()


def _legendary_uses(fields: Fields) -> str:
    """The number of legendary actions, as 2024 stat blocks print it; a heading that has it comes below."""
    uses, in_lair = fields.line("legendaryActions"), fields.line("legendaryActionsLair")
    if not (uses or in_lair):
        return ""
    return f"Legendary Action Uses: {uses}{f' ({in_lair} in Lair)' if in_lair else ''}."


def _initiative(fields: Fields, rating: float | None) -> int | None:
    """The initiative bonus; a number of proficiency bonuses is added to Dexterity's."""
    given = fields.peek("initiative")
    if isinstance(given, int):
        return fields.whole("initiative")
    spec, dexterity = mapping(given), whole(fields.peek("dex"))
    times = whole(spec.get("proficiency"))
    if times is None or dexterity is None or rating is None or len(spec) > 1:
        return whole(spec.get("initiative"))
    fields.drop("initiative")
    return (dexterity - 10) // 2 + times * (2 + max(0, math.ceil(rating) - 1) // 4)


def _defenses(fields: Fields) -> Defenses:
    found: dict[str, object] = {}
    for name, field in DEFENSES.items():
        keys: list[str] = []
        printed = [_defended(one, keys) for one in fields.entries(field)]
        found[name] = tuple(dict.fromkeys(keys))
        plain = [one for one in printed if one]
        if plain != keys:
            found[f"{name}_text"] = "; ".join(plain)
    return Defenses.model_validate(found)


def _defended(one: object, keys: list[str]) -> str:
    """One entry in words; its keys go into a list, except conditional ones, which are only in the words."""
    if isinstance(one, str):
        keys.append(slug(one))
        return slug(one)
    spec = mapping(one)
    if spec.get("special"):
        return plain_text(str(spec["special"]))
    inner = next((spec[name] for name in DEFENSES.values() if isinstance(spec.get(name), list)), [])
    own: list[str] = []
    inner_texts = [_defended(each, own) for each in (inner if isinstance(inner, list) else [])]
    keys += own
    words = (spec.get("preNote"), ", ".join(inner_texts), spec.get("note"))
    return " ".join(plain_text(str(part)) for part in words if part)
