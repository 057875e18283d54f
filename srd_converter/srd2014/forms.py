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


def folded(creatures: Sequence[Creature]) -> list[Creature]:
    """The creatures with every group of shapes merged, in the position of its first."""
    groups: dict[str, list[Creature]] = defaultdict(list)
    for creature in creatures:
        groups[_base_name(creature.name)].append(creature)
    return [group[0] if len(group) == 1 else _fold(name, group) for name, group in groups.items()]


def _base_name(name: str) -> str:
    base, comma, shape = name.rpartition(", ")
    return base if comma and shape.endswith(_SUFFIX) else name


def _shape(creature: Creature) -> str:
    shape = creature.name.rpartition(", ")[2].removesuffix(_SUFFIX)
    return "Humanoid" if shape == "Human" else shape


def _fold(name: str, group: list[Creature]) -> Creature:
    base = next((one for one in group if _shape(one) in {"Humanoid", name}), group[0])
    group = [base, *(one for one in group if one is not base)]
    return base.model_copy(
        update={
            "key": key_of(name),
            "name": name,
            "armor_text": _armor(group),
            "languages": _languages(group),
            "senses": max((one.senses for one in group), key=lambda senses: len(senses.text)),
            "traits": _traits(group),
            "actions": _actions(group),
            "forms": tuple(_summary(one) for one in group),
        }
    )


def _armor(group: list[Creature]) -> str:
    """``10 in human form; 11 (natural armor) in bear and hybrid form``."""
    shapes: dict[str, list[str]] = defaultdict(list)
    for one in group:
        printed = f"{one.armor_class} ({one.armor_text})" if one.armor_text else str(one.armor_class)
        shapes[printed].append(_shape(one).lower())
    if len(shapes) == 1:
        return group[0].armor_text
    return "; ".join(f"{armor} in {listed(names, 'and')} form" for armor, names in shapes.items())


def _languages(group: list[Creature]) -> str:
    """The base's languages, and which shapes cannot speak them, unless the package says so itself."""
    mute = [f"{_shape(one).lower()} form" for one in group if not one.languages]
    own = group[0].languages
    return f"{own} (can't speak in {listed(mute)})" if own and mute and "can't speak" not in own else own


def _summary(creature: Creature) -> str:
    """The values specific to a shape: ``Bear Form: AC 11 (natural armor), walk 40 ft., climb 30 ft.``."""
    armor = f" ({creature.armor_text})" if creature.armor_text else ""
    parts = [
        f"AC {creature.armor_class}{armor}",
        *(f"{mode} {feet:g} ft." for mode, feet in creature.speed.items()),
        creature.senses.text,
        f"languages {creature.languages or '—'}",
    ]
    return f"{_shape(creature)}{_SUFFIX}: {', '.join(part for part in parts if part)}"


def _traits(group: list[Creature]) -> tuple[Section, ...]:
    """Every trait once. If only some shapes have one, its name says which."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in group:
        for trait in one.traits:
            found[trait.name, trait.text].append(_shape(one))
    return tuple(
        Section(name=name if "Form" in name or len(shapes) == len(group) else f"{name} ({_only(shapes)})", text=text)
        for (name, text), shapes in found.items()
    )


def _actions(group: list[Creature]) -> tuple[Action, ...]:
    """Every action once, with the shapes that have it unless all do; the order restarts for each type."""
    found: dict[tuple[ActionType, str, str], tuple[Action, list[str]]] = {}
    for one in group:
        for action in one.actions:
            _, shapes = found.setdefault((action.type, action.name, action.text), (action, []))
            shapes.append(_shape(one))
    counts: dict[ActionType, int] = defaultdict(int)
    result = []
    for action, shapes in sorted(found.values(), key=lambda pair: pair[0].name != "Multiattack"):
        form = action.limited_to_form or ("" if len(shapes) == len(group) else _only(shapes))
        result.append(action.model_copy(update={"limited_to_form": form, "order": counts[action.type]}))
        counts[action.type] += 1
    return tuple(result)


def _only(shapes: list[str]) -> str:
    return f"{listed(shapes)} Form Only"
