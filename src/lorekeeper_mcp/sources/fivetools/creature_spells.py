"""A creature's spells, as the paragraph and the lines of a stat block."""

from __future__ import annotations

from dataclasses import dataclass

from lorekeeper_mcp.models import Action, ActionType, Section
from lorekeeper_mcp.sources.fivetools.fields import Fields, mapping
from lorekeeper_mcp.sources.fivetools.texts import cast_spells
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text

_SHOWN_AS = {"action": ActionType.ACTION, "bonus": ActionType.BONUS_ACTION, "reaction": ActionType.REACTION}


@dataclass(frozen=True)
class Casting:
    """Where a creature's spells stand: among its traits, or among its actions."""

    traits: tuple[Section, ...]
    actions: tuple[Action, ...]


def spellcasting(fields: Fields) -> Casting:
    """Every list of spells of a creature."""
    traits: list[Section] = []
    actions: list[Action] = []
    for one in map(mapping, fields.entries("spellcasting")):
        name = plain_text(str(one.get("name") or "Spellcasting"))
        kind = _SHOWN_AS.get(str(one.get("displayAs")))
        if kind is None:
            traits.append(Section(name=name, text=cast_spells.text(one, markdown)))
        else:
            actions.append(Action(name=name, text=cast_spells.text(one, markdown), type=kind))
    return Casting(tuple(traits), tuple(actions))
