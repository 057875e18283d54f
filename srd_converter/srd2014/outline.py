"""How the package's rule sections lie in Open5e's rule sets, and which headings make a rule.

Reviewed against Open5e's rules of srd-2014, by name and by text. Slugs and names only.
"""

from __future__ import annotations

CHAPTER_SETS = {
    "using-ability-scores": ("abilities", "Abilities"),
    "spellcasting": ("spellcasting", "Spellcasting"),
    "equipment": ("coins", "Coins"),
}
"""Chapters whose own text is that of a rule set: index -> (slug, name)."""

SETS = {
    "the-order-of-combat": ("combat-sequence", "Combat Sequence"),
    "making-an-attack": ("attacking", "Attacking"),
    **dict.fromkeys(
        (
            "ability-scores-and-modifiers", "advantage-and-disadvantage", "proficiency-bonus", "ability-checks",
            "using-each-ability",
        ),
        ("abilities", "Abilities"),
    ),
    "the-environment": ("environment", "Environment"),
    **dict.fromkeys(("what-is-a-spell", "casting-a-spell"), ("spellcasting", "Spellcasting")),
    "standard-exchange-rates": ("coins", "Coins"),
    **dict.fromkeys(
        ("attunement", "wearing-and-wielding-items", "activating-an-item", "sentient-magic-items"),
        ("magic-items", "Magic Items"),
    ),
    "fantasy-historical-pantheons": ("pantheons", "Pantheons"),
    "the-planes-of-existence": ("planes", "Planes"),
}  # fmt: skip
"""Sections that Open5e files under another name: index -> (slug, name)."""

KEPT = {
    *(("ability-checks", 4, name) for name in ("Strength", "Dexterity", "Intelligence", "Wisdom", "Charisma")),
    *(
        ("sentient-magic-items", 4, name)
        for name in ("Abilities", "Communication", "Senses", "Alignment", "Special Purpose")
    ),
    ("the-planes-of-existence", 4, "Outer Planes"),
}
"""Headings that stay within the rule above: lists of skills, steps of a procedure, a table's caption."""

SPLIT = {
    ("using-each-ability", "Variant: Encumbrance"),
    ("movement", "Travel Pace"),
    ("fantasy-historical-pantheons", "Celtic Deities"),
    ("fantasy-historical-pantheons", "Greek Deities"),
    ("fantasy-historical-pantheons", "Egyptian Deities"),
    ("fantasy-historical-pantheons", "Norse Deities"),
}
"""Captions of the lowest level that are rules of their own; others stay within the rule above."""

LOST_TABLES = {
    ("ability-scores-and-modifiers", "Ability Scores and Modifiers"),
    ("ability-checks", "Typical Difficulty Classes"),
    ("movement", "Travel Pace"),
}
"""Rules whose tables Open5e has lost: these become rules of their own, to stay when Open5e's text comes."""

KEYS = {
    "srd_abilities_variant-skills-with-different-abilities": "srd_abilities_skills-with-different-abilities",
    "srd_attacking_modifiers-to-the-roll": "srd_attacking_attack-modifiers",
    "srd_attacking_shoving-a-creature": "srd_attacking_shoving",
    "srd_coins_standard-exchange-rates": "srd_coins_exchange-rates",
    "srd_combat-sequence_other-activity-on-your-turn": "srd_combat-sequence_other-activities-on-your-turn",
    # Open5e's rule of this name has the text on damage rolls, so the rule needs another key beside it.
    "srd_damage-and-healing_critical-hits": "srd_damage-and-healing_scoring-critical-hits",
    "srd_damage-and-healing_damage-resistance-and-vulnerability": "srd_damage-and-healing_resistance-and-vulnerability",
    "srd_magic-items_multiple-items-of-the-same-kind": "srd_magic-items_multiple-items-of-same-kind",
    "srd_magic-items_wearing-and-wielding-items": "srd_magic-items_wearing-and-wielding",
    "srd_movement_climbing-swimming-and-crawling": "srd_movement_climbing-swimming-crawling",
    "srd_planes_transitive-planes": "srd_planes_transistive-planes",
    "srd_spellcasting_casting-a-spell-at-a-higher-level": "srd_spellcasting_casting-a-spell-at-higher-level",
    "srd_spellcasting_the-schools-of-magic": "srd_spellcasting_schools-of-magic",
    "srd_traps_fire-breathing-statue": "srd_traps_fire-breating-statue",
    "srd_traps_poison-needle": "srd_traps_poison-needles",
}
"""Keys made of our headings -> Open5e's, spelling included."""
