"""Creatures."""

from __future__ import annotations

from lorekeeper_mcp.models import Abilities, Creature, Defenses, Section, Senses
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.json_values import mapping
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.actions import actions
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields

_NOT_MODES = frozenset(["unit", "hover"])
DEFENSES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")


def creature(head: Open5eFields, served: Served, _: Context) -> Creature:
    """Adapt a record of ``v2/creatures``."""
    rating = served.get("challenge_rating", served.get("challenge_rating_decimal"))  # the latter before 2.0.0
    languages, type_ = mapping(served.get("languages")), served.get("type")
    return Creature(
        **head,
        type=coercion.key(type_).lower(),
        type_text=coercion.name(type_),
        size=coercion.key(served.get("size")).lower(),
        category=coercion.text(served.get("category")),
        subcategory=coercion.text(served.get("subcategory")),
        alignment=coercion.text(served.get("alignment")),
        challenge_rating=coercion.number(rating),
        experience_points=coercion.integer(served.get("experience_points")),
        proficiency_bonus=coercion.integer(served.get("proficiency_bonus")),
        armor_class=coercion.integer(served.get("armor_class")),
        armor_text=coercion.text(served.get("armor_detail")),
        hit_points=coercion.integer(served.get("hit_points")),
        hit_dice=coercion.text(served.get("hit_dice")),
        speed=modes(served.get("speed")),
        speed_all=modes(served.get("speed_all")),
        hover=_hovers(served.get("speed")) or _hovers(served.get("speed_all")),
        abilities=_abilities(served.get("ability_scores")),
        ability_modifiers=_abilities(served.get("modifiers")),
        saving_throws=coercion.integers(served.get("saving_throws")),
        saving_throws_all=coercion.integers(served.get("saving_throws_all")),
        skills=_skills(served.get("skill_bonuses")),
        skills_all=_skills(served.get("skill_bonuses_all")),
        initiative_bonus=coercion.integer(served.get("initiative_bonus")),
        senses=_senses(served),
        languages=coercion.text(languages.get("as_string") if languages else served.get("languages")),
        language_keys=coercion.keys(languages.get("data")),
        defenses=_defenses(mapping(served.get("resistances_and_immunities"))),
        traits=traits(served.get("traits")),
        actions=actions(served.get("actions")),
        environments=coercion.refs(served.get("environments")),
        creature_sets=coercion.keys(served.get("creaturesets")),
        image=coercion.text(mapping(served.get("illustration")).get("file_url")),
    )


def modes(value: object) -> dict[str, float]:
    """Return speeds by mode, in feet."""
    return {mode: speed for mode, speed in coercion.numbers(value).items() if mode not in _NOT_MODES}


def _hovers(value: object) -> bool:
    return bool(coercion.flag(mapping(value).get("hover")))


def _abilities(value: object) -> Abilities:
    scores = coercion.integers(value)
    return Abilities(**{name: scores.get(name) for name in ABILITIES})


def _skills(value: object) -> dict[str, int]:
    """Bonuses by the keys of the skills, with hyphens instead of the fields' underscores."""
    return {name.replace("_", "-"): bonus for name, bonus in coercion.integers(value).items()}


def _senses(served: Served) -> Senses:
    return Senses(
        darkvision=coercion.number(served.get("darkvision_range")),
        blindsight=coercion.number(served.get("blindsight_range")),
        tremorsense=coercion.number(served.get("tremorsense_range")),
        truesight=coercion.number(served.get("truesight_range")),
        normal_sight=coercion.number(served.get("normal_sight_range")),
        passive_perception=coercion.integer(served.get("passive_perception")),
    )


def _defenses(served: Served) -> Defenses:
    lines = {f"{name}_text": coercion.text(served.get(f"{name}_display")) for name in DEFENSES}
    keys = {name: coercion.keys(served.get(name)) for name in DEFENSES}
    return Defenses.model_validate(lines | keys)


def traits(value: object) -> tuple[Section, ...]:
    """Return traits in the order served."""
    return tuple(
        Section(name=coercion.text(trait.get("name")).strip(), text=coercion.prose(trait.get("desc")))
        for trait in coercion.objects(value)
    )
