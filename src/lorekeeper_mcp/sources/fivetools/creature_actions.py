"""A creature's traits, actions and spells, as the paragraphs and lines of a stat block."""

from __future__ import annotations

from lorekeeper_mcp.models import Action, ActionType, Section
from lorekeeper_mcp.sources.fivetools.context import Context, identity
from lorekeeper_mcp.sources.fivetools.fields import Fields
from lorekeeper_mcp.sources.fivetools.texts import cast_spells
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import block_text, markdown
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, text_in
from lorekeeper_mcp.sources.json_values import mapping
from lorekeeper_mcp.sources.stat_block import to_action

ACTIONS = {
    "action": ActionType.ACTION,
    "bonus": ActionType.BONUS_ACTION,
    "reaction": ActionType.REACTION,
    "legendary": ActionType.LEGENDARY_ACTION,
    "mythic": ActionType.MYTHIC_ACTION,
}
_GROUP = {"lairActions": "Lair Actions", "regionalEffects": "Regional Effects", "mythicEncounter": "Mythic Encounter"}


def spellcasting(fields: Fields) -> tuple[list[Section], list[Action]]:
    """Return a creature's spell lists by place: among its traits, or among its actions."""
    traits: list[Section] = []
    actions: list[Action] = []
    for one in map(mapping, fields.entries("spellcasting")):
        name, text = plain_text(str(one.get("name") or "Spellcasting")), cast_spells.text(one, markdown)
        if (kind := ACTIONS.get(str(one.get("displayAs")))) is None:
            traits.append(Section(name=name, text=text))
        else:
            actions.append(Action(name=name, text=text, type=kind))
    return traits, actions


def sections(entries: list[object]) -> tuple[Section, ...]:
    """Return blocks with names, such as traits."""
    return tuple(
        Section(name=text_in(spec, "name"), text=block_text(spec)) if spec else Section(text=markdown(entry))
        for entry, spec in zip(entries, map(mapping, entries), strict=True)
        if entry
    )


def actions(fields: Fields, casting: list[Action]) -> tuple[Action, ...]:
    """Return every action of a creature by kind; within a kind, spellcasting comes last."""
    found: list[Action] = []
    for field, kind in ACTIONS.items():
        header = fields.text("mythicHeader") if field == "mythic" else ""
        of_kind = [("", header)] if header else []
        of_kind += [(section.name, section.text) for section in sections(fields.entries(field))]
        of_kind += [(one.name, one.text) for one in casting if one.type is kind]
        for name, text in of_kind:
            found.append(to_action(name, text, kind, len(found)))
    return tuple(found)


def lair(fields: Fields, context: Context) -> list[Section]:
    """Return lair actions and regional effects of the creature's legendary group, if it is in the file."""
    group = context.legendary_groups.get(identity(mapping(fields.peek("legendaryGroup"))))
    if group is None:
        return []
    fields.drop("legendaryGroup")
    own = Fields({_GROUP.get(name, name): value for name, value in group.items() if not name.startswith("_")})
    own.drop("name", "source")
    return list(own.other())
