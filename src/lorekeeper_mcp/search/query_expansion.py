"""What players say, in the words of the rules: "BA" is a bonus action, what drains life lowers the hit point maximum.

Texts never say "AoO" or "crit", so a question that does would find nothing by words and little by meaning.
An entry adds the rules' words to a question; it takes none away and never selects anything by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

# Abbreviations and table talk, spelled out.
_SHORT: Mapping[str, str] = {
    "aoe": "area of effect, each creature in the area",
    "aoo": "opportunity attack",
    "ac": "armor class",
    "adv": "advantage",
    "ba": "bonus action",
    "conc": "concentration",
    "crit": "critical hit",
    "crits": "critical hits",
    "dc": "difficulty class",
    "disadv": "disadvantage",
    "dmg": "damage",
    "dot": "damage at the start of each turn",
    "hp": "hit points",
    "init": "initiative",
    "mc": "multiclassing",
    "mm": "magic missile",
    "oa": "opportunity attack",
    "prof": "proficiency",
    "res": "resistance",
    "thp": "temporary hit points",
    "twf": "two-weapon fighting",
    "wis": "wisdom",
    "dex": "dexterity",
    "str": "strength",
    "con": "constitution",
    "cha": "charisma",
    "int": "intelligence",
    "armour": "armor",
    "colour": "color",
    "defence": "defense",
    "grey": "gray",
}
# Plain speech: a pattern over the folded question, and the phrases in which the rules say it.
_SAID: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"drain\w* (?:\w+ )?(?:life|vitality|health)|life drain\w*|energy drain\w*",
        ("hit point maximum is reduced", "hit point maximum decreases", "regains hit points equal to that amount"),
    ),
    (r"drain\w* (?:\w+ )?(?:strength|might)", ("Strength score is reduced",)),
    (
        r"(?:return|come|fl(?:y|ies))s? (?:back )?.*thr(?:ow|own|ew)|thrown? .*(?:return|back)\w*",
        ("returns to your hand", "flies back to your hand"),
    ),
    (r"\b(?:fall(?:s|ing)?|fell)\b(?! (?:asleep|unconscious|in love|prone))", ("falling", "damage from a fall")),
    (r"offhand|off hand|two weapons|dual wield\w*", ("two-weapon fighting", "different light melee weapon")),
    (r"sneak\w*|unseen|unnoticed", ("hide", "stealth", "invisible")),
    (r"horseback|riding", ("mounted combat", "mount")),
    (r"caught off guard|ambush\w*", ("surprised", "surprise")),
    (r"knocked out|downed|dying|bleeding out", ("0 hit points", "unconscious", "death saving throws")),
    (r"low wall|behind (?:a|the) (?:wall|rock|pillar|crate)\w*", ("half cover", "cover")),
    (r"starv\w*|not eating|without food|hungry", ("food", "exhaustion")),
    (r"sell\w*|pawn\w*", ("selling treasure",)),
    (r"see in the dark|night vision", ("darkvision",)),
    (r"under ?water|swimming", ("underwater", "swim", "breathe underwater")),
    (r"mind control\w*|control (?:someone|somebody)s? mind", ("charmed", "dominate")),
    (r"\blie\b|\blying\b|tell the truth", ("deliberate lie", "truth")),
    (r"shape ?shift\w*|impersonat\w*|disguise\w*", ("shapechanger", "assumes the appearance", "transform")),
    (r"turn \w+ (?:\w+ )?into|transform\w* \w+ into", ("transforms", "new form", "polymorph")),
    (r"hold\w* breath|suffocat\w*|drown\w*", ("suffocating", "breath")),
    (r"raise (?:the )?dead|back to life|resurrect\w*|revive\w*", ("return to life", "restored to life")),
    (r"short rest|long rest|resting|sleep for the night", ("finish a long rest", "short rest")),
    (r"run(?:ning)? away|escape (?:from )?(?:combat|melee)", ("disengage", "opportunity attacks")),
    (r"bigger on the inside|more than should fit|carry way more", ("extradimensional", "interior space")),
)
# The SRD leaves the names of wizards out of those of spells and items; players do not.
_INVENTORS = frozenset(
    [
        "bigbys",
        "drawmijs",
        "evards",
        "hewards",
        "keoghtoms",
        "leomunds",
        "melfs",
        "mordenkainens",
        "nolzurs",
        "nystuls",
        "otilukes",
        "ottos",
        "quaals",
        "rarys",
        "tashas",
        "tensers",
    ]
)
_RENAMED: Mapping[str, str] = {
    "bigbys hand": "arcane hand",
    "mordenkainens sword": "arcane sword",
    "nystuls magic aura": "arcanists magic aura",
    "eb": "eldritch blast",
    "mm": "magic missile",
    "keoghtoms ointment": "restorative ointment",
    "quiver of ehlonna": "efficient quiver",
}
_COMPILED = tuple((re.compile(pattern), phrases) for pattern, phrases in _SAID)


@dataclass(frozen=True)
class ExpandedQuery:
    """A question in the rules' words: the text to embed, and the phrases to look for beside its own words."""

    text: str
    phrases: tuple[str, ...] = ()


def expand_query(folded: str) -> ExpandedQuery:
    """What a folded question means. A question without table talk comes back as it is."""
    added = [_SHORT[word] for word in folded.split() if word in _SHORT]
    text = " ".join(_SHORT.get(word, word) for word in folded.split())
    said = [phrase for pattern, phrases in _COMPILED if pattern.search(folded) for phrase in phrases]
    phrases = tuple(dict.fromkeys([*added, *said]))
    return ExpandedQuery(f"{text}, {', '.join(said)}" if said else text, phrases)


def srd_name(folded: str) -> str:
    """A folded name as the SRD has it: Bigby's hand is the arcane hand, MM magic missile; others stay as they are."""
    if folded in _RENAMED:
        return _RENAMED[folded]
    first, _, rest = folded.partition(" ")
    return rest if rest and first in _INVENTORS else folded


def expanded_name(folded: str) -> str:
    """Shorthand for a name, spelled out: AoO is the opportunity attack; others stay as they are."""
    return _SHORT.get(folded, folded)
