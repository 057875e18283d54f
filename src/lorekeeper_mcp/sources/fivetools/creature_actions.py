"""A creature's traits, actions and spells, as the paragraphs and lines of a stat block."""

from __future__ import annotations

from lorekeeper_mcp.models import Action, ActionType, Section
from lorekeeper_mcp.sources.fivetools.context import Context, identity
from lorekeeper_mcp.sources.fivetools.fields import Fields
from lorekeeper_mcp.sources.fivetools.texts.cast_spells import spell_list_text
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import block_text, markdown
from lorekeeper_mcp.sources.fivetools.texts.tags import text_in
from lorekeeper_mcp.sources.json_values import mapping
from lorekeeper_mcp.sources.stat_block import to_action

ACTIONS = {
    "action": ActionType.ACTION,
    "bonus": ActionType.BONUS_ACTION,
    "reaction": ActionType.REACTION,
    "legendary": ActionType.LEGENDARY_ACTION,
    "mythic": ActionType.MYTHIC_ACTION,
}
_GROUP_TITLES = {
    "lairActions": "Lair Actions", "regionalEffects": "Regional Effects", "mythicEncounter": "Mythic Encounter",
}  # fmt: skip


def spellcasting(fields: Fields) -> tuple[list[Section], list[Action]]:
    """Return a creature's spell lists by place: among its traits, or among its actions."""
    traits: list[Section] = []
    actions: list[Action] = []
    for spells in map(mapping, fields.take_list("spellcasting")):
        name, text = text_in(spells, "name") or "Spellcasting", spell_list_text(spells, markdown)
        if kind := ACTIONS.get(str(spells.get("displayAs"))):
            actions.append(Action(name=name, text=text, type=kind))
        else:
            traits.append(Section(name=name, text=text))
    return traits, actions


def sections(entries: list[object]) -> tuple[Section, ...]:
    """Return blocks with names, such as traits."""
    return tuple(
        Section(name=text_in(block, "name"), text=block_text(block)) if block else Section(text=markdown(entry))
        for entry, block in zip(entries, map(mapping, entries), strict=True)
        if entry
    )


def actions(fields: Fields, spell_actions: list[Action]) -> tuple[Action, ...]:
    """Return every action of a creature by kind; within a kind, spellcasting comes last."""
    actions: list[Action] = []
    for field, kind in ACTIONS.items():
        header = fields.text("mythicHeader") if field == "mythic" else ""
        texts = [("", header)] if header else []
        texts += [(section.name, section.text) for section in sections(fields.take_list(field))]
        texts += [(action.name, action.text) for action in spell_actions if action.type is kind]
        for name, text in texts:
            actions.append(to_action(name, text, kind, len(actions)))
    return tuple(actions)


def lair(fields: Fields, context: Context) -> tuple[Section, ...]:
    """Return lair actions and regional effects of the creature's legendary group, if it is in the file."""
    reference = mapping(fields.peek("legendaryGroup"))
    group = context.dependents.find("legendaryGroup", identity(reference)) if reference else None
    if group is None:
        return ()
    fields.drop("legendaryGroup")
    parts = Fields({_GROUP_TITLES.get(name, name): part for name, part in group.items() if not name.startswith("_")})
    parts.drop("name", "source")
    return parts.other()
