"""Species and their lineages, assembled from the rules into which the book's headings split their chapter."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lorekeeper_mcp.models import Kind, Rule, Section, Species
from srd_converter.srd2014.document import COMMON, key_of, ref

_RULES = "srd_race_"
_TRAITS = " Traits"
_GENERAL = "Racial Traits"  # what the traits of all species have in common
_TRAIT = re.compile(r"\*\*([^*]+)\.\*\* (.+)", re.DOTALL)
_SIZE = re.compile(r"\b[Yy]our size is (\w+)\.")
_SPEED = re.compile(r"Your base walking speed is (\d+ feet)\.")


def species(rules: Iterable[Rule]) -> list[Species]:
    """Every species, each followed by its lineages."""
    records: list[Species] = []
    base = ""
    for rule in rules:
        if rule.key.startswith(_RULES) and rule.name.endswith(_TRAITS) and rule.name != _GENERAL:
            name = rule.name.removesuffix(_TRAITS)
            base = name if _SIZE.search(rule.text) else base
            records.append(_species(name, base, rule.text))
    return records


def _species(name: str, base: str, text: str) -> Species:
    size, speed = _SIZE.search(text), _SPEED.search(text)
    introduction, *traits = re.split(r"\n\n(?=\*\*)", text)
    return Species(
        kind=Kind.SPECIES,
        key=key_of(name),
        name=name,
        text=introduction,
        subspecies_of=None if name == base else ref(base),
        is_subspecies=name != base,
        size=size[1] if size else "",
        speed=speed[1] if speed else "",
        traits=_traits(traits),
        **COMMON,
    )


def _traits(parts: Iterable[str]) -> tuple[Section, ...]:
    """Each trait, with the table that is printed above it, and with the options that its text announces."""
    traits: list[Section] = []
    table = ""
    announces_options = False
    for part in parts:
        trait = _TRAIT.fullmatch(part)
        if not trait:
            table = f"\n\n{part}"
        elif announces_options:
            traits[-1] = traits[-1].model_copy(update={"text": f"{traits[-1].text}\n\n{part}"})
        else:
            traits.append(Section(name=trait[1], text=f"{trait[2]}{table}"))
            table = ""
            announces_options = trait[2].endswith(":")
    return tuple(traits)
