"""What Open5e v2 lacks of the SRD 5.2, so that it stays beside Open5e's records.

Items whose key Open5e does not have were looked up there by name: most are there once per weapon or armor.
"""

from __future__ import annotations

from lorekeeper_mcp.models import Kind, Record, Rule
from srd_converter.srd2024.document import KEY

_KEPT = {
    Kind.MAGIC_ITEM: frozenset(
        f"{KEY}_{slug}"
        for slug in (
            "bead-of-nourishment", "belt-of-dwarvenkind", "cloak-of-invisibility", "elixir-of-health", "energy-bow",
            "gloves-of-thievery", "hat-of-many-spells", "potion-of-invulnerability", "potion-of-longevity",
            "potion-of-vitality", "quarterstaff-of-the-acrobat", "ring-of-telekinesis", "rod-of-resurrection",
            "sending-stones", "sentinel-shield", "shield-of-the-cavalier", "thunderous-greatclub", "wand-of-fear",
        )
    ),
    Kind.WEAPON_PROPERTY: frozenset({f"{KEY}_range-wp"}),
}  # fmt: skip


def is_exclusive(record: Record) -> bool:
    """Whether Open5e v2 lacks a thing of the SRD 5.2."""
    if isinstance(record, Rule):  # cut finer here: what Open5e has within a longer one stays a rule of its own
        return True
    return record.key in _KEPT.get(record.kind, frozenset())
