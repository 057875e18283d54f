"""Texts of the SRDs that Open5e has cut short or mixed up: the entry, where in it, and the digest of what it has.

Each was compared with the book: tables and the stat blocks of summoned creatures are left out, and conditions in
brackets behind the spells that creatures cast; two features of a circle have the texts of others.
"""

from __future__ import annotations

from collections.abc import Mapping

CUT_SHORT: Mapping[str, Mapping[str, str]] = {
    "spell:srd_control-weather": {"text": "1c73db17c4cee4cb"},
    "spell:srd_teleport": {"text": "823c7d044dead8d5"},
    "creature:srd-2024_adult-brass-dragon": {"actions.Spellcasting": "ee1ffbd4de8f68f2"},
    "creature:srd-2024_adult-bronze-dragon": {"actions.Spellcasting": "0ef7a394de9c0d1b"},
    "creature:srd-2024_adult-copper-dragon": {"actions.Spellcasting": "e2ec4a2d0d994c4d"},
    "creature:srd-2024_adult-gold-dragon": {"actions.Spellcasting": "dc7ed05b950ad16e"},
    "creature:srd-2024_adult-silver-dragon": {"actions.Spellcasting": "b78255f75578e8ff"},
    "creature:srd-2024_ancient-brass-dragon": {"actions.Spellcasting": "b6654dd9e4b344fc"},
    "creature:srd-2024_ancient-bronze-dragon": {"actions.Spellcasting": "e1def8df04446543"},
    "creature:srd-2024_ancient-copper-dragon": {"actions.Spellcasting": "140e6ee4ca43d7ee"},
    "creature:srd-2024_ancient-gold-dragon": {"actions.Spellcasting": "569a51b758ead941"},
    "creature:srd-2024_ancient-silver-dragon": {"actions.Spellcasting": "092fef04ec59596c"},
    "creature:srd-2024_bandit-captain": {"actions.Parry": "b3ee01988ada7964"},
    "creature:srd-2024_couatl": {"actions.Spellcasting": "b0cdd4f4cebe2f23"},
    "creature:srd-2024_deva": {"actions.Spellcasting": "6f45f6debb44755d"},
    "creature:srd-2024_dryad": {"actions.Spellcasting": "2cf4980ed42fa617"},
    "creature:srd-2024_green-hag": {"actions.Spellcasting": "68076ff25b6e0885"},
    "creature:srd-2024_lamia": {"actions.Spellcasting": "5fce863effe31887"},
    "spell:srd-2024_antimagic-field": {"text": "a60a7916b5f34898"},
    "spell:srd-2024_command": {"text": "36f7fd6c25065285"},
    "spell:srd-2024_conjure-celestial": {"text": "eef2facfb777f6c7"},
    "spell:srd-2024_dispel-evil-and-good": {"text": "5443e909c938a434"},
    "spell:srd-2024_greater-invisibility": {"text": "e4a6a0577479b2b4"},
    "spell:srd-2024_hallow": {"text": "8ae3fddc32fd6229"},
    "spell:srd-2024_knock": {"text": "1b6ea4846b2ee231"},
    "spell:srd-2024_moonbeam": {"text": "df0e3f7c2a0066a9"},
    "spell:srd-2024_chain-lightning": {"higher_level": "e4a6a0577479b2b4"},
    "spell:srd-2024_dissonant-whispers": {"higher_level": "e4a6a0577479b2b4"},
    "spell:srd-2024_animate-objects": {"text": "c4a33935914417d4"},
    "spell:srd-2024_find-steed": {"text": "48beebc8678b2b6f"},
    "spell:srd-2024_giant-insect": {"text": "236809a57723c837"},
    "spell:srd-2024_summon-dragon": {"text": "e0fcb96b7f92f5be"},
    "subclass:srd-2024_champion": {"features.Remarkable Athlete": "391685b233c0f022"},
    "subclass:srd-2024_circle-of-the-land": {
        "features.Nature's Ward": "f87927a480be2264",
        "features.Nature's Sanctuary": "03dc73ddd9682549",
    },
}
