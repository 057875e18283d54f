"""Merges creatures that the package has once for each shape (``Werebear, Bear Form``).

The book and Open5e have one stat block for all shapes. The base is the humanoid or vampire shape; what the others have
in addition is added with the names of their shapes, so that nothing is lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from lorekeeper_mcp.models import Action, ActionType, Creature, Section
from srd_converter.srd2014.document import key_of
from srd_converter.srd2014.entries import listed

_SUFFIX = " Form"


def with_shapes_merged(creatures: Sequence[Creature]) -> list[Creature]:
    """The creatures with every group of shapes merged, in the position of its first."""
    groups: dict[str, list[Creature]] = defaultdict(list)
    for creature in creatures:
        groups[_base_name(creature.name)].append(creature)
    return [group[0] if len(group) == 1 else _merged(name, group) for name, group in groups.items()]


def _base_name(name: str) -> str:
    return name.rpartition(", ")[0] if name.endswith(_SUFFIX) else name


def _shape(creature: Creature) -> str:
    shape = creature.name.rpartition(", ")[2].removesuffix(_SUFFIX)
    return "Humanoid" if shape == "Human" else shape


def _merged(name: str, group: list[Creature]) -> Creature:
    base = next(creature for creature in group if _shape(creature) in {"Humanoid", name})
    shapes = [base, *(creature for creature in group if creature is not base)]
    return base.model_copy(
        update={
            "key": key_of(name),
            "name": name,
            "traits": _traits(shapes),
            "actions": _actions(shapes),
            "forms": tuple(map(_summary, shapes)),
        }
    )


def _summary(creature: Creature) -> str:
    """The values specific to a shape: ``Bear Form: AC 11 (natural armor), walk 40 ft., climb 30 ft.``."""
    armor = f" ({creature.armor_text})" if creature.armor_text else ""
    parts = [
        f"AC {creature.armor_class}{armor}",
        *(f"{mode} {feet:g} ft." for mode, feet in creature.speed.items()),
        creature.senses.text,
        f"languages {creature.languages or '—'}",
    ]
    return f"{_shape(creature)}{_SUFFIX}: {', '.join(parts)}"


def _traits(group: list[Creature]) -> tuple[Section, ...]:
    """Every trait once; the book has which shapes have it."""
    return tuple({(trait.name, trait.text): trait for creature in group for trait in creature.traits}.values())


def _actions(group: list[Creature]) -> tuple[Action, ...]:
    """Every action once, with the shapes that have it unless all do."""
    actions: dict[tuple[ActionType, str, str], tuple[Action, list[str]]] = {}
    for creature in group:
        for action in creature.actions:
            _, shapes = actions.setdefault((action.type, action.name, action.text), (action, []))
            shapes.append(_shape(creature))
    return tuple(
        action
        if len(shapes) == len(group)
        else action.model_copy(update={"limited_to_form": f"{listed(shapes)} Form Only"})
        for action, shapes in sorted(actions.values(), key=lambda pair: pair[0].name != "Multiattack")
    )
