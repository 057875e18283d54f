"""Keys and names of the documents that Open5e serves, reserved from imported books."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.sources.invisible import lookalike, mixes_alphabets
from lorekeeper_mcp.text import fold

# Both versions of Open5e, with the old spellings of keys; version 2's list is tested against a recording.
_NAMES: Mapping[str, str] = {
    "a5e": "Level Up Advanced 5e",
    "a5e-ag": "Adventurer's Guide",
    "a5e-ddg": "Dungeon Delver's Guide",
    "a5e-gpg": "Gate Pass Gazette",
    "a5e-mm": "Monstrous Menagerie",
    "bfrd": "Black Flag SRD",
    "ccdx": "Creature Codex",
    "core": "5e Core Concepts",
    "deepm": "Deep Magic for 5th Edition",
    "deepmx": "Deep Magic Extended",
    "elderberry-inn-icons": "Elderberry Inn Icons",
    "kp": "Kobold Press Compilation",
    "open5e": "Open5e Originals",
    "open5e-2024": "Open5e Originals",
    "spells-that-dont-suck": "Spells That Don't Suck",
    "srd-2014": "System Reference Document 5.1",
    "srd-2024": "System Reference Document 5.2",
    "tdcs": "Tal'dorei Campaign Setting",
    "tob": "Tome of Beasts",
    "tob-2023": "Tome of Beasts 1 (2023 Edition)",
    "tob2": "Tome of Beasts 2",
    "tob3": "Tome of Beasts 3",
    "toh": "Tome of Heroes",
    "vom": "Vault of Magic",
    "wz": "Warlock Zine",
}
_OTHER_KEYS = frozenset(
    {
        "5e", "blackflag", "cc", "dmag", "dmag-e", "menagerie", "o5e", "srd", "srd-5-1", "srd-5-2", "srd-5e", "srd51",
        "srd52", "taldorei", "warlock", "wotc-srd",
    }
)  # fmt: skip
_OTHER_NAMES = (
    "5e Core Rules", "SRD", "SRD 5.1", "SRD 5.2", "System Reference Document", "Player's Handbook", "Players Handbook",
    "Dungeon Master's Guide", "Dungeon Masters Guide", "Monster Manual", "Core Rules", "Core Rulebook", "Basic Rules",
    "Free Rules", "Starter Set", "Essentials Kit", "PHB", "DMG", "MM", "XPHB", "XDMG", "XMM",
)  # fmt: skip

OFFICIAL_KEYS = _OTHER_KEYS | _NAMES.keys()
_SRD = re.compile(r"\bsystem reference doc|\bs ?r ?d(?:\b|s?\d| ?v ?\d)")  # any version, any publisher
_CLAIM = re.compile(
    r"\b(?:the|official|revised|new|dungeons(?: and)? dragons|d d|dnd|5e|5th edition|20\d\d|edition|rules? of)\b"
)
_FOLDED = frozenset(map(fold, (*_NAMES.values(), *_OTHER_NAMES)))
_PLAIN = frozenset(" ".join(_CLAIM.sub(" ", name).split()) for name in _FOLDED) - {""}


def own_name(name: str) -> str:
    """Return an imported book's name; if it is the name or key of an official document, it is marked as homebrew."""
    folded = fold(lookalike(name))
    if folded.endswith("homebrew"):
        return name
    plain = " ".join(_CLAIM.sub(" ", folded).split())
    is_official = plain in _PLAIN or folded in _FOLDED or folded.replace(" ", "-") in OFFICIAL_KEYS
    is_official = is_official or plain.replace(" ", "-") in OFFICIAL_KEYS or bool(_SRD.search(folded))
    return f"{name} (homebrew)" if is_official or mixes_alphabets(name) else name
