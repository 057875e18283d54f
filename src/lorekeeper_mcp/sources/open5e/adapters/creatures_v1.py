"""What version 1 has of creatures beside version 2: descriptions, subtypes, and actions that got lost on the way."""

from __future__ import annotations

from lorekeeper_mcp.models import Action, ActionType, Creature
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.common_fields import CommonFields, Context

_LISTS = {
    "actions": ActionType.ACTION,
    "bonus_actions": ActionType.BONUS_ACTION,
    "reactions": ActionType.REACTION,
    "legendary_actions": ActionType.LEGENDARY_ACTION,
}


def archived_creature(head: CommonFields, served: Served, _: Context) -> Creature:
    """A record of ``v1/monsters`` under the key that it has in version 2, with only what completes that one."""
    head["key"] = coercion.text(served.get("v2_converted_path")).strip("/").rpartition("/")[2] or head["key"]
    type_, subtype = coercion.text(served.get("type")).strip(), coercion.text(served.get("subtype")).strip()
    return Creature(
        **head,
        type_text=f"{type_} ({subtype})" if type_ and subtype else "",
        alignment=coercion.text(served.get("alignment")),
        legendary_text=coercion.prose(served.get("legendary_desc")),
        actions=tuple(
            Action(name=name, text=coercion.prose(one.get("desc")), type=action_type)
            for field, action_type in _LISTS.items()
            for one in coercion.objects(served.get(field))
            if (name := coercion.text(one.get("name")).strip())
        ),
    )
