"""Actors: creatures with their features, attacks and spells as items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Record, Section
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.foundry.actor_items import Held, held_by, spell_lines, worn
from lorekeeper_mcp.sources.foundry.html import markdown
from lorekeeper_mcp.sources.foundry.item_values import further_texts, number, part, rest, text, texts, words
from lorekeeper_mcp.sources.stat_block import StatBlock, ability_key, bonus, shown, to_creature

_SIZES = {"sm": "small", "med": "medium", "lg": "large", "grg": "gargantuan"}
# What is read below, or is no text for a reader: ids, what the application reckons itself, hit points of the moment.
_DETAILS = frozenset({"biography", "cr", "alignment", "type", "source", "xp"})
_ATTRIBUTES = frozenset({"ac", "hp", "movement", "senses", "init", "prof", "spellcasting", "spelldc"})
_TRAITS = frozenset({"size", "dv", "dr", "di", "ci", "languages"})
_SYSTEM = frozenset(
    {"abilities", "attributes", "details", "traits", "skills", "resources", "spells", "tools", "source"}
)
_ARMOR = {"natural": "natural armor", "mage": "mage armor", "draconic": "draconic resilience",
          "unarmoredMonk": "unarmored defense", "unarmoredBarb": "unarmored defense",
          "unarmoredBard": "unarmored defense"}  # fmt: skip
_BYPASSES = {"mgc": "magical", "sil": "silvered", "ada": "adamantine"}
_SKILLS = {
    "acr": ("acrobatics", "dex"), "ani": ("animal handling", "wis"), "arc": ("arcana", "int"),
    "ath": ("athletics", "str"), "dec": ("deception", "cha"), "his": ("history", "int"), "ins": ("insight", "wis"),
    "inv": ("investigation", "int"), "itm": ("intimidation", "cha"), "med": ("medicine", "wis"),
    "nat": ("nature", "int"), "per": ("persuasion", "cha"), "prc": ("perception", "wis"),
    "prf": ("performance", "cha"), "rel": ("religion", "int"), "slt": ("sleight of hand", "dex"),
    "ste": ("stealth", "dex"), "sur": ("survival", "wis"),
}  # fmt: skip


def creature(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """The creature of an actor."""
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    scores = {name: score for name in ABILITIES if (score := _score(system, name[:3])) is not None}
    rating = details.get("cr")
    proficiency = 2 + max(0, int(rating) - 1) // 4 if isinstance(rating, int | float) else 2
    kind = details.get("type")
    spec = kind if isinstance(kind, Mapping) else {"value": kind}
    held, points = held_by(one), part(attributes, "hp")
    spells = spell_lines(held, part(system, "spells"))
    biography = part(details, "biography")
    block = StatBlock(
        name=text(one, "name"),
        size=_SIZES.get(str(traits.get("size")), shown(traits.get("size"))),
        type=_type(spec),
        alignment=shown(details.get("alignment")),
        armor=_armor(part(attributes, "ac"), held, scores),
        hit_points=shown(points.get("max") or points.get("value")),
        hit_dice=shown(points.get("formula")),
        speed=_speed(part(attributes, "movement")),
        abilities=scores,
        saves=_saves(part(system, "abilities"), scores, proficiency),
        skills=_skills(part(system, "skills"), scores, proficiency),
        vulnerabilities=_listed(traits, "dv"),
        resistances=_listed(traits, "dr"),
        immunities=_listed(traits, "di"),
        conditions=_listed(traits, "ci"),
        senses=_senses(part(attributes, "senses")),
        languages=_languages(traits),
        challenge=shown(rating),
        experience=bonus(part(details, "xp").get("value")),
        traits=(
            *held.traits,
            *([("Equipment", ", ".join(held.carried))] if held.carried else []),
            *([("Spells", spells)] if spells else []),
        ),
        actions=tuple(held.actions),
        text=markdown(biography.get("value")),
        legendary_text=_legendary(part(system, "resources")),
        other=(
            *_other(system, spec, biography),
            *rest(details, _DETAILS),
            *rest(attributes, _ATTRIBUTES),
            *rest(traits, _TRAITS),
            *rest(system, _SYSTEM),
            *further_texts(one, system),
        ),
    )
    return to_creature(block, book)


def _type(spec: Mapping[str, object]) -> str:
    """``swarm of Tiny beasts``, ``humanoid (elf)``."""
    kind, custom, subtype = shown(spec.get("value")), shown(spec.get("custom")), shown(spec.get("subtype"))
    kind = custom if custom and kind in ("", "custom") else kind
    swarm = str(spec.get("swarm") or "")
    kind = f"swarm of {_SIZES.get(swarm, swarm).capitalize()} {kind}s" if swarm else kind
    return f"{kind}{f' ({subtype})' if subtype else ''}"


def _armor(spec: Mapping[str, object], held: Held, scores: Mapping[str, int]) -> str:
    """The armor class and where it is from. The application reckons that of worn armor when it is asked."""
    how, formula = str(spec.get("calc") or ""), shown(spec.get("formula"))
    given = shown(spec.get("flat") or spec.get("value"))
    if not given and how == "default":
        given = worn(held, (scores.get("dexterity", 10) - 10) // 2)
    note = ", ".join(filter(None, (_ARMOR.get(how, ""), formula)))
    return f"{given} ({note})" if note else given


def _other(
    system: Mapping[str, object], kind: Mapping[str, object], biography: Mapping[str, object]
) -> Iterator[Section]:
    """What a stat block has no line for."""
    attributes, resources = part(system, "attributes"), part(system, "resources")
    public = markdown(biography.get("public"))
    start, casting = part(attributes, "init"), text(attributes, "spellcasting")
    tools = part(system, "tools")
    trained = [name for name in tools if (bonus(part(tools, name).get("value")) or 0) > 0]
    lair = part(resources, "lair")
    told = {
        "Public biography": public if public != markdown(biography.get("value")) else "",
        "Initiative bonus": words(start.get("bonus") or start.get("value")),
        "Initiative ability": ability_key(code).capitalize() if (code := text(start, "ability")) else "",
        "Spellcasting ability": ability_key(casting).capitalize() if casting else "",
        "Tools": ", ".join(trained),
        "Lair": f"initiative {words(lair['initiative'])}" if lair.get("value") and lair.get("initiative") else "",
        "Kind": shown(kind.get("custom")) if shown(kind.get("value")) not in ("", "custom") else "",
        "Bonuses": _further_bonuses(system),
        "Resources": words({n: v for n, v in resources.items() if n not in ("legact", "legres", "lair")}),
    }
    yield from (Section(name=name, text=text) for name, text in told.items() if text)


def _further_bonuses(system: Mapping[str, object]) -> str:
    """Bonuses of abilities and skills that are formulas, and so are in none of its numbers."""
    found = []
    for group in ("abilities", "skills"):
        for name, spec in part(system, group).items():
            given = part(spec, "bonuses") if isinstance(spec, Mapping) else {}
            found += [f"{name} {what} {text}" for what, one in given.items() if (text := words(one))]
    return ", ".join(found)


def _legendary(resources: Mapping[str, object]) -> str:
    """How many legendary actions and resistances there are, and whether the creature has a lair."""
    actions, resistances = (bonus(part(resources, name).get("max")) for name in ("legact", "legres"))
    told = (
        f"It can take {actions} legendary actions." if actions else "",
        f"Legendary Resistance ({resistances}/Day)." if resistances else "",
        "It has lair actions." if part(resources, "lair").get("value") is True else "",
    )
    return " ".join(filter(None, told))


def _saves(abilities: Mapping[str, object], scores: Mapping[str, int], proficiency: int) -> dict[str, int]:
    """Bonuses of the saving throws in which the creature is proficient."""
    return {
        name: (score - 10) // 2 + int(level * proficiency)
        for name, score in scores.items()
        if (level := number(part(abilities, name[:3]).get("proficient")))
    }


def _score(system: Mapping[str, object], short: str) -> int | None:
    return bonus(part(part(system, "abilities"), short).get("value"))


def _speed(movement: Mapping[str, object]) -> str:
    times = 10 / 3 if movement.get("units") == "m" else 1
    modes = [
        f"{mode} {feet * times:g} ft."
        for mode, value in movement.items()
        if mode not in ("units", "hover", "special") and (feet := number(value))
    ]
    modes += [
        f"{mode} {value}" for mode, value in movement.items() if isinstance(value, str) and _is_formula(mode, value)
    ]
    special = shown(movement.get("special"))
    return ", ".join([*modes, *([special] if special else [])]) + (" (hover)" if movement.get("hover") is True else "")


def _is_formula(mode: str, value: str) -> bool:
    return mode not in ("units", "special") and bool(value.strip()) and number(value) is None


def _skills(skills: Mapping[str, object], scores: Mapping[str, int], proficiency: int) -> dict[str, int]:
    """Bonuses of the skills in which the creature is proficient (1) or expert (2)."""
    found = {}
    for code, (name, usual) in _SKILLS.items():
        level = number(part(skills, code).get("value"))
        if level is not None and level > 0:
            ability = text(part(skills, code), "ability") or usual
            score = next((score for full, score in scores.items() if full.startswith(ability)), 10)
            found[name] = (score - 10) // 2 + int(level * proficiency)
    return found


def _listed(traits: Mapping[str, object], name: str) -> str:
    """What is listed, and which attacks get around it: ``bludgeoning (not from magical attacks)``."""
    spec = part(traits, name)
    values, custom = texts(spec.get("value")), shown(spec.get("custom"))
    around = " or ".join(_BYPASSES.get(one, one) for one in texts(spec.get("bypasses")))
    if around:
        physical = [one for one in values if one in ("bludgeoning", "piercing", "slashing")]
        rest_ = [one for one in values if one not in physical]
        noted = ", ".join(physical or values) + f" (not from {around} attacks)"
        values = [*(rest_ if physical else []), noted]
    return (
        "; ".join(filter(None, (", ".join(values), custom))) if around else ", ".join(filter(None, (*values, custom)))
    )


def _languages(traits: Mapping[str, object]) -> str:
    """Languages, and how far the creature speaks in other ways: ``telepathy 60 ft.``"""
    spoken = part(part(traits, "languages"), "communication")
    ways = [
        f"{name} {shown(part(spoken, name).get('value'))} {shown(part(spoken, name).get('units')) or 'ft'}."
        for name in spoken
        if shown(part(spoken, name).get("value"))
    ]
    return ", ".join(filter(None, (_listed(traits, "languages"), *ways)))


def _senses(senses: Mapping[str, object]) -> str:
    ranges = part(senses, "ranges") or senses
    times = 10 / 3 if senses.get("units") == "m" else 1
    told = [f"{name} {feet * times:g} ft." for name, value in ranges.items() if (feet := number(value))]
    special = shown(senses.get("special"))
    return ", ".join([*told, *([special] if special else [])])
