"""Creatures."""

from __future__ import annotations

from lorekeeper_mcp.models import Abilities, Creature, Defenses, Section, Senses
from lorekeeper_mcp.sources.open5e.adapters import reading
from lorekeeper_mcp.sources.open5e.adapters.actions import actions
from lorekeeper_mcp.sources.open5e.adapters.heading import Context, Head
from lorekeeper_mcp.sources.open5e.adapters.reading import Served

_NOT_MODES = frozenset(["unit", "hover"])


def creature(head: Head, served: Served, _: Context) -> Creature:
    """A record of ``v2/creatures``."""
    rating = served.get("challenge_rating", served.get("challenge_rating_decimal"))  # the latter before 2.0.0
    languages, type_ = reading.fields(served.get("languages")), served.get("type")
    return Creature(
        **head,
        type=reading.key(type_).lower(),
        type_text=reading.name(type_),
        size=reading.key(served.get("size")).lower(),
        category=reading.text(served.get("category")),
        subcategory=reading.text(served.get("subcategory")),
        alignment=reading.text(served.get("alignment")),
        challenge_rating=reading.number(rating),
        experience_points=reading.integer(served.get("experience_points")),
        proficiency_bonus=reading.integer(served.get("proficiency_bonus")),
        armor_class=reading.integer(served.get("armor_class")),
        armor_text=reading.text(served.get("armor_detail")),
        hit_points=reading.integer(served.get("hit_points")),
        hit_dice=reading.text(served.get("hit_dice")),
        speed=_modes(served.get("speed")),
        speed_all=_modes(served.get("speed_all")),
        hover=_hovers(served.get("speed")) or _hovers(served.get("speed_all")),
        abilities=_abilities(served.get("ability_scores")),
        ability_modifiers=_abilities(served.get("modifiers")),
        saving_throws=reading.integers(served.get("saving_throws")),
        saving_throws_all=reading.integers(served.get("saving_throws_all")),
        skills=_skills(served.get("skill_bonuses")),
        skills_all=_skills(served.get("skill_bonuses_all")),
        initiative_bonus=reading.integer(served.get("initiative_bonus")),
        senses=_senses(served),
        languages=reading.text(languages.get("as_string") if languages else served.get("languages")),
        language_keys=reading.keys(languages.get("data")),
        defenses=_defenses(reading.fields(served.get("resistances_and_immunities"))),
        traits=_traits(served.get("traits")),
        actions=actions(served.get("actions")),
        environments=reading.refs(served.get("environments")),
        creature_sets=reading.keys(served.get("creaturesets")),
        image=reading.text(reading.fields(served.get("illustration")).get("file_url")),
    )


def _modes(value: object) -> dict[str, float]:
    """Speeds by mode, in feet; a bare number is the walking speed."""
    if not isinstance(value, dict):
        walk = reading.number(value)
        return {} if walk is None else {"walk": walk}
    return {mode: speed for mode, speed in reading.numbers(value).items() if mode not in _NOT_MODES}


def _hovers(value: object) -> bool:
    return bool(reading.flag(reading.fields(value).get("hover")))


def _abilities(value: object) -> Abilities:
    scores = reading.integers(value)
    return Abilities(
        strength=scores.get("strength"),
        dexterity=scores.get("dexterity"),
        constitution=scores.get("constitution"),
        intelligence=scores.get("intelligence"),
        wisdom=scores.get("wisdom"),
        charisma=scores.get("charisma"),
    )


def _skills(value: object) -> dict[str, int]:
    """Bonuses by the keys of the skills, which have hyphens where these fields have underscores."""
    return {name.replace("_", "-"): bonus for name, bonus in reading.integers(value).items()}


def _senses(served: Served) -> Senses:
    return Senses(
        darkvision=reading.number(served.get("darkvision_range")),
        blindsight=reading.number(served.get("blindsight_range")),
        tremorsense=reading.number(served.get("tremorsense_range")),
        truesight=reading.number(served.get("truesight_range")),
        normal_sight=reading.number(served.get("normal_sight_range")),
        passive_perception=reading.integer(served.get("passive_perception")),
    )


def _defenses(served: Served) -> Defenses:
    return Defenses(
        damage_immunities_text=reading.text(served.get("damage_immunities_display")),
        damage_immunities=reading.keys(served.get("damage_immunities")),
        damage_resistances_text=reading.text(served.get("damage_resistances_display")),
        damage_resistances=reading.keys(served.get("damage_resistances")),
        damage_vulnerabilities_text=reading.text(served.get("damage_vulnerabilities_display")),
        damage_vulnerabilities=reading.keys(served.get("damage_vulnerabilities")),
        condition_immunities_text=reading.text(served.get("condition_immunities_display")),
        condition_immunities=reading.keys(served.get("condition_immunities")),
    )


def _traits(value: object) -> tuple[Section, ...]:
    return tuple(
        Section(name=reading.text(trait.get("name")).strip(), text=reading.prose(trait.get("desc")))
        for trait in reading.objects(value)
    )
