"""The prerequisites of an option in words: ``level 4, Strength 13 or Dexterity 13``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lorekeeper_mcp.sources.fivetools.texts.tags import PROPERTIES
from lorekeeper_mcp.sources.fivetools.texts.values import value_text, value_title
from lorekeeper_mcp.sources.json_values import as_object, listed, mapping, objects
from lorekeeper_mcp.sources.phrases import joined

FEATS = {
    "D": "Dragonmark", "DG": "Dark Gift", "EB": "Epic Boon", "FS": "Fighting Style", "FS:P": "Fighting Style (Paladin)",
    "FS:R": "Fighting Style (Ranger)", "G": "General", "O": "Origin",
}  # fmt: skip
ALIGNMENT = {
    "L": "lawful", "NX": "neutral", "NY": "neutral", "N": "neutral", "C": "chaotic", "G": "good", "E": "evil",
    "U": "unaligned", "A": "any alignment",
}  # fmt: skip
_TRUE_TEXTS = {
    "spellcasting": "the ability to cast at least one spell",
    "spellcasting2020": "the Spellcasting or Pact Magic feature",
    "spellcastingFeature": "the Spellcasting feature",
    "spellcastingPrepared": "the Spellcasting feature of a class that prepares spells",
    "spellcastingFocus": "a spellcasting focus",
}
_PREFIXES = {
    "itemType": "item of the type", "spellcastingFocus": "spellcasting focus:", "pact": "Pact of the",
    "membership": "member of", "group": "class group", "campaign": "campaign", "culture": "culture",
}  # fmt: skip


def prerequisite_text(value: object) -> str:
    """Return a list of alternative prerequisites in words."""
    return " or ".join(filter(None, map(_alternative, listed(value))))


def _alternative(value: object) -> str:
    """A prerequisite, or several that all apply."""
    if not isinstance(value, Mapping):
        return value_text(value)
    texts = [_FORMS[name](part) if name in _FORMS else _other(name, part) for name, part in value.items()]
    return ", ".join(filter(None, texts))


def _other(name: str, value: object) -> str:
    """A prerequisite without a form of its own; several names are joined by or."""
    if value is True:
        return _TRUE_TEXTS.get(name, name)
    text = " or ".join(filter(None, map(_displayed, listed(value))))
    return f"{_PREFIXES[name]} {text}" if text and name in _PREFIXES else text


def _displayed(value: object) -> str:
    """A name as the book displays it, a subrace after its race."""
    if isinstance(value, str):
        return value_text(value.partition("#")[0])
    if not isinstance(value, Mapping):
        return value_text(value)
    if displayed := value.get("displayEntry") or value.get("entry"):
        return value_text(displayed)
    if value.get("name") and value.get("subrace"):
        return f"{value_text(value['name'])} ({value_text(value['subrace'])})"
    return value_text({name: part for name, part in value.items() if name != "choose" or "entry" not in value})


def _level(value: object) -> str:
    parts = as_object(value, "level")
    level = value_text(parts.get("level", value))
    return joined("level", level, value_text(parts.get("class")), value_text(parts.get("subclass")), sep=" ")


def _ability(value: object) -> str:
    return " or ".join(
        " and ".join(value_text({ability: score}) for ability, score in scores.items())
        for scores in objects(listed(value))
    )


def _proficiencies(value: object) -> str:
    """``armor: medium`` is medium armor, ``skill: true`` a skill, ``weaponGroup: simple`` all simple weapons."""
    parts = []
    for kind, names in (pair for element in listed(value) for pair in mapping(element).items()):
        if kind == "skill":
            parts.append("a skill" if names is True else ", ".join(value_title(str(name)) for name in listed(names)))
        elif kind == "weaponGroup":
            parts.append(f"all {value_text(names)} weapons")
        else:
            parts.append(f"{value_text(names)} {kind}")
    return ", ".join(parts)


def _feat_category(value: object) -> str:
    kinds = []
    for spec in (as_object(category, "category") for category in listed(value)):
        code = value_text(spec.get("category"))
        kinds.append(joined(value_text(spec.get("count")), FEATS.get(code, code), sep=" "))
    return f"{' or '.join(kinds)} feat"


_FORMS: Mapping[str, Callable[[object], str]] = {
    "level": _level,
    "ability": _ability,
    "proficiency": lambda value: f"proficiency with {_proficiencies(value)}",
    "expertise": lambda value: f"expertise with {_proficiencies(value)}",
    "featCategory": _feat_category,
    "exclusiveFeatCategory": lambda value: f"no other {_feat_category(value)}",
    "alignment": lambda value: " ".join(ALIGNMENT.get(str(code), str(code)) for code in listed(value)),
    "itemProperty": lambda value: " or ".join(PROPERTIES.get(code, code) for code in map(value_text, listed(value))),
    "note": value_text,
}
