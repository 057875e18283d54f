"""The records that Open5e v2 lacks: every other one has Open5e's key.

Items and magic items whose key Open5e does not have were looked up there by name and by text. Those that it has under
another key (Flame Tongue once per sword) are not listed.
"""

from __future__ import annotations

from lorekeeper_mcp.models import Kind, Record

# Rules are split finer here: parts of a longer rule in Open5e are rules of their own.
_WHOLE_KINDS = {Kind.PROFICIENCY, Kind.RULE, Kind.RULE_SET, Kind.SERVICE}
_ITEMS = {
    # Kinds of things that Open5e's items lack: packs, animals, tack and barding.
    *(
        f"srd_{slug}-pack"
        for slug in ("burglars", "diplomats", "dungeoneers", "entertainers", "explorers", "priests", "scholars")
    ),
    *(
        f"srd_{slug}"
        for slug in (
            "camel", "donkey", "elephant", "horse-draft", "horse-riding", "mastiff", "mule", "pony", "warhorse",
            "animal-feed-1-day", "bit-and-bridle", "saddle-exotic", "saddle-military", "saddle-pack",
            "saddle-riding", "saddlebags",
        )
    ),
    *(
        f"srd_barding-{slug}"
        for slug in (
            "breastplate", "chain-mail", "chain-shirt", "half-plate", "hide", "leather", "padded", "plate",
            "ring-mail", "scale-mail", "splint", "studded-leather",
        )
    ),
    # Contents of packs without their own price.
    *(
        f"srd_{slug}"
        for slug in (
            "alms-box", "block-of-incense", "censer", "little-bag-of-sand", "small-knife", "string-10-feet",
            "vestments",
        )
    ),
}  # fmt: skip
_MAGIC_ITEMS = {
    "srd_ammunition-1", "srd_ammunition-2", "srd_ammunition-3", "srd_ammunition-1-2-or-3",
    "srd_armor-1", "srd_armor-2", "srd_armor-3", "srd_armor-1-2-or-3",
    "srd_berserker-axe", "srd_ioun-stone-fortitude",
}  # fmt: skip
_KEYS = {
    Kind.ARMOR: {"srd_shield"},  # an item without an armor class there
    Kind.ITEM: _ITEMS,
    Kind.MAGIC_ITEM: _MAGIC_ITEMS,
}


def is_exclusive(record: Record) -> bool:
    """Whether Open5e v2 lacks a thing of the SRD 5.1."""
    return record.kind in _WHOLE_KINDS or record.key in _KEYS.get(record.kind, set())
