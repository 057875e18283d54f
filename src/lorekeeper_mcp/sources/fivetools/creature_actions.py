"""A creature's traits, actions and spells, as the paragraphs and lines of a stat block."""

from __future__ import annotations

from dataclasses import dataclass

from lorekeeper_mcp.models import Action, ActionType, Section
from lorekeeper_mcp.sources.fivetools.common import Context
from lorekeeper_mcp.sources.fivetools.fields import Fields
from lorekeeper_mcp.sources.fivetools.texts import cast_spells
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import block_text, markdown
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, text_in
from lorekeeper_mcp.sources.json_values import mapping
from lorekeeper_mcp.sources.stat_block import to_action

_ACTIONS = {
    "action": ActionType.ACTION,
    "bonus": ActionType.BONUS_ACTION,
    "reaction": ActionType.REACTION,
    "legendary": ActionType.LEGENDARY_ACTION,
    "mythic": ActionType.MYTHIC_ACTION,
}
_GROUP = {"lairActions": "Lair Actions", "regionalEffects": "Regional Effects", "mythicEncounter": "Mythic Encounter"}


@dataclass(frozen=True)
class Casting:
    """A creature's spells by place: among its traits, or among its actions."""

    traits: tuple[Section, ...]
    actions: tuple[Action, ...]


def spellcasting(fields: Fields) -> Casting:
    """Return every spell list of a creature."""
    traits: list[Section] = []
    actions: list[Action] = []
    for one in map(mapping, fields.entries("spellcasting")):
        name = plain_text(str(one.get("name") or "Spellcasting"))
        kind = _ACTIONS.get(str(one.get("displayAs")))
        if kind is None:
            traits.append(Section(name=name, text=cast_spells.text(one, markdown)))
        else:
            actions.append(Action(name=name, text=cast_spells.text(one, markdown), type=kind))
    return Casting(tuple(traits), tuple(actions))


def sections(entries: list[object]) -> tuple[Section, ...]:
    """Return blocks with names, such as traits."""
    found = []
    for entry in entries:
        spec = mapping(entry)
        if spec:
            name = text_in(spec, "name")
            found.append(Section(name=name, text=block_text(spec)))
        elif entry:
            found.append(Section(text=markdown(entry)))
    return tuple(found)


def actions(fields: Fields, casting: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return every action of a creature by kind; within a kind, spellcasting comes last."""
    found: list[Action] = []
    for field, kind in _ACTIONS.items():
        header = fields.text("mythicHeader") if field == "mythic" else ""
        of_kind = [("", header)] if header else []
        of_kind += [(section.name, section.text) for section in sections(fields.entries(field))]
        of_kind += [(one.name, one.text) for one in casting if one.type is kind]
        for name, text in of_kind:
            found.append(to_action(name, text, kind, len(found)))
    return tuple(found)


def lair(fields: Fields, context: Context) -> list[Section]:
    """Return lair actions and regional effects of the creature's legendary group, if it is in the file."""
    wanted = mapping(fields.look("legendaryGroup"))
    group = context.legendary_groups.get((str(wanted.get("name")).lower(), str(wanted.get("source")).lower()))
    if group is None:
        return []
    fields.drop("legendaryGroup")
    own = Fields({_GROUP.get(name, name): value for name, value in group.items() if not name.startswith("_")})
    own.drop("name", "source")
    return list(own.other())
