"""Fields of spells that only version 1 has: the classes, and ranges with the area in brackets."""

from __future__ import annotations

from lorekeeper_mcp.models import Ref, Spell
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields, move_to_guide
from lorekeeper_mcp.text import slugify

_SPELLED = {"sorceror": "Sorcerer"}


def archived_spell(head: Open5eFields, served: Served, _: Context) -> Spell:
    """Adapt a record of ``v1/spells`` under its key in version 2, with only the fields that complete that record."""
    move_to_guide(head)
    names = (name.strip() for name in coercion.text(served.get("dnd_class")).split(","))
    return Spell(
        **head,
        level=coercion.integer(served.get("level_int")) or 0,
        range_text=coercion.text(served.get("range")).strip(),
        classes=tuple(_class(_SPELLED.get(name.lower(), name)) for name in names if name),
    )


def _class(name: str) -> Ref:
    """A class by name, with version 2's key for the classes of the SRD."""
    slug = slugify(name)
    return Ref(name=name, key=f"srd_{slug}" if slug in SRD_CLASSES else slug)
