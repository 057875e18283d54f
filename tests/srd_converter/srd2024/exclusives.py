"""The records of the SRD 5.2 that Open5e v2 lacks: every other one has Open5e's key.

Items whose key Open5e does not have were looked up there by name: most are there once per weapon or armor.
"""

from __future__ import annotations

from lorekeeper_mcp.models import Kind, Record, Rule
from srd_converter.srd2024.document import KEY

KEPT = {
    Kind.MAGIC_ITEM: frozenset(
        f"{KEY}_{slug}"
        for slug in (
            "bead-of-nourishment", "belt-of-dwarvenkind", "cloak-of-invisibility", "elixir-of-health", "energy-bow",
            "gloves-of-thievery", "hat-of-many-spells", "potion-of-invulnerability", "potion-of-longevity",
            "potion-of-vitality", "quarterstaff-of-the-acrobat", "ring-of-telekinesis", "rod-of-resurrection",
            "sending-stones", "sentinel-shield", "shield-of-the-cavalier", "thunderous-greatclub", "wand-of-fear",
            # The book's single entry for items that Open5e has once for each weapon, armor, rarity or kind.
            "adamantine-armor", "ammunition-1-2-or-3", "ammunition-of-slaying", "armor-1-2-or-3",
            "armor-of-resistance", "armor-of-vulnerability", "belt-of-giant-strength", "berserker-axe",
            "dancing-sword", "demon-armor", "elven-chain", "feather-token", "figurine-of-wondrous-power",
            "flame-tongue", "frost-brand", "giant-slayer", "hammer-of-thunderbolts", "ioun-stone", "luck-blade",
            "mithral-armor", "nine-lives-stealer", "oathbow", "potion-of-giant-strength", "potions-of-healing",
            "shield-1-2-or-3", "spell-scroll", "sword-of-life-stealing", "sword-of-sharpness", "sword-of-wounding",
            "vicious-weapon", "vorpal-sword", "wand-of-the-war-mage-1-2-or-3", "weapon-1-2-or-3",
            "weapon-of-warning",
        )
    ),
    Kind.ITEM: frozenset(
        f"{KEY}_{slug}"
        for slug in (
            "ammunition", "arcane-focus", "druidic-focus", "gaming-set", "holy-symbol", "musical-instrument",
            # Poisons, which Open5e lacks.
            "assassins-blood", "burnt-othur-fumes", "crawler-mucus", "essence-of-ether", "malice", "midnight-tears",
            "oil-of-taggit", "pale-tincture", "purple-worm-poison", "serpent-venom", "spiders-sting", "torpor",
            "truth-serum", "wyvern-poison",
        )
    ),
    Kind.SERVICE: frozenset(
        f"{KEY}_{slug}" for slug in ("ale-mug", "bread-loaf", "cheese-wedge", "wine-common", "wine-fine")
    ),
    Kind.WEAPON_PROPERTY: frozenset({f"{KEY}_range-wp"}),
}  # fmt: skip


def is_exclusive(record: Record) -> bool:
    """Whether Open5e v2 lacks a thing of the SRD 5.2."""
    if isinstance(record, Rule):  # split finer here: parts of a longer rule in Open5e are rules of their own
        return True
    return record.key in KEPT.get(record.kind, frozenset())
