"""The prerequisites of an option in words: ``level 4, Strength 13 or Dexterity 13``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lorekeeper_mcp.sources.fivetools.texts.tags import PROPERTIES
from lorekeeper_mcp.sources.fivetools.texts.values import value_text, value_title
from lorekeeper_mcp.sources.json_values import listed

FEATS = {
    "D": "Dragonmark", "DG": "Dark Gift", "EB": "Epic Boon", "FS": "Fighting Style", "FS:P": "Fighting Style (Paladin)",
    "FS:R": "Fighting Style (Ranger)", "G": "General", "O": "Origin",
}  # fmt: skip
ALIGNMENT = {
    "L": "lawful", "NX": "neutral", "NY": "neutral", "N": "neutral", "C": "chaotic", "G": "good", "E": "evil",
    "U": "unaligned", "A": "any alignment",
}  # fmt: skip
_PLAIN = {
    "spellcasting": "the ability to cast at least one spell",
    "spellcasting2020": "the Spellcasting or Pact Magic feature",
    "spellcastingFeature": "the Spellcasting feature",
    "spellcastingPrepared": "the Spellcasting feature of a class that prepares spells",
    "spellcastingFocus": "a spellcasting focus",
}
_BEFORE = {"itemType": "item of the type", "spellcastingFocus": "spellcasting focus:", "pact": "Pact of the",
           "membership": "member of", "group": "class group", "campaign": "campaign", "culture": "culture"}  # fmt: skip


def required(value: object) -> str:
    """Return a list of alternative prerequisites in words."""
    return " or ".join(filter(None, (_all_of(one) for one in listed(value))))


def _all_of(one: object) -> str:
    if not isinstance(one, Mapping):
        return value_text(one)
    return ", ".join(filter(None, (_FORMS.get(name, _named(name))(part) for name, part in one.items())))


def _named(name: str) -> Callable[[object], str]:
    """A prerequisite in its own words; several names are joined by or."""

    def shown(value: object) -> str:
        if value is True:
            return _PLAIN.get(name, name)
        text = " or ".join(filter(None, map(_displayed, listed(value))))
        return f"{_BEFORE[name]} {text}" if text and name in _BEFORE else text

    return shown


def _displayed(one: object) -> str:
    """A name as the book displays it, a subrace after its race."""
    if isinstance(one, Mapping):
        one = {key: part for key, part in one.items() if key != "choose"} if "entry" in one else one
        shown = one.get("displayEntry") or one.get("entry")
        if not shown and one.get("name") and one.get("subrace"):
            return f"{value_text(one['name'])} ({value_text(one['subrace'])})"
        return value_text(shown or one)
    return value_text(one.partition("#")[0] if isinstance(one, str) else one)


def _level(value: object) -> str:
    spec = value if isinstance(value, Mapping) else {}
    names = (value_text(spec.get(part)) for part in ("class", "subclass"))
    return " ".join(filter(None, ("level", value_text(spec.get("level", value)), *names)))


def _ability(value: object) -> str:
    scores = (one for one in listed(value) if isinstance(one, Mapping))
    return " or ".join(" and ".join(value_text({key: score}) for key, score in one.items()) for one in scores)


def _with(value: object) -> str:
    """``armor: medium`` is medium armor, ``skill: true`` a skill, ``weaponGroup: simple`` all simple weapons."""
    parts = []
    for kind, what in (pair for one in listed(value) if isinstance(one, Mapping) for pair in one.items()):
        if kind == "skill":
            parts.append("a skill" if what is True else ", ".join(value_title(str(one)) for one in listed(what)))
        else:
            parts.append(f"all {value_text(what)} weapons" if kind == "weaponGroup" else f"{value_text(what)} {kind}")
    return ", ".join(parts)


def _feat_category(value: object) -> str:
    kinds = []
    for one in listed(value):
        spec = one if isinstance(one, Mapping) else {"category": one}
        short = value_text(spec.get("category"))
        kinds.append(" ".join(filter(None, (value_text(spec.get("count")), FEATS.get(short, short)))))
    return f"{' or '.join(kinds)} feat"


_FORMS: Mapping[str, Callable[[object], str]] = {
    "level": _level,
    "ability": _ability,
    "proficiency": lambda value: f"proficiency with {_with(value)}",
    "expertise": lambda value: f"expertise with {_with(value)}",
    "featCategory": _feat_category,
    "exclusiveFeatCategory": lambda value: f"no other {_feat_category(value)}",
    "alignment": lambda value: " ".join(ALIGNMENT.get(str(one), str(one)) for one in listed(value)),
    "itemProperty": lambda value: " or ".join(
        PROPERTIES.get(value_text(one), value_text(one)) for one in listed(value)
    ),
    "note": value_text,
}
