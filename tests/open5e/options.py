"""Invented classes, species, backgrounds and feats."""

from __future__ import annotations

from tests.open5e.books import key, links, named_ref, names, nested, pick
from tests.open5e.parameters import Raw


def _features(owner: str, levels: tuple[int, ...]) -> list[Raw]:
    return [
        {
            "key": f"{owner}_{word}-{level}",
            "name": f"{word.title()} Oath",
            "desc": f"Starting at {level}th level, you may call upon the {word} once between rests.",
            "feature_type": "CLASS_LEVEL_FEATURE",
            "gained_at": [{"level": level, "detail": None}],
            "data_for_class_table": [],
        }
        for level, word in zip(levels, ("thorn", "river", "ash"), strict=False)
    ]


def _class(name: str, document: str, parent: Raw | None = None) -> Raw:
    own = key(document, name)
    return {
        "key": own,
        "features": _features(own, (3, 7, 14) if parent else (1, 5)),
        "document": nested(document),
        "saving_throws": [] if parent else [named_ref("Wisdom", "wis"), named_ref("Strength", "str")],
        "subclass_of": parent,
        "name": name,
        "desc": f"Those of the {name} keep a lamp burning.",
        "hit_dice": None if parent else "D8",
        "caster_type": None,
        "primary_abilities": [],
        "crossreferences": links(),
    }


def _listing(subclass: Raw) -> Raw:
    """The subclass with a list of spells: one of its own book, one of the SRD, a remark."""
    table = "| Lamplighter Level | Spells |\n|---|---|\n| 1st | *Kelp Ward* (at night) |\n| 3rd | *hollow lash* |"
    feature = {
        **_features(subclass["key"], (1,))[0],
        "key": f"{subclass['key']}_guild-spells",
        "name": "Guild Spells",
        "desc": f"You always have these spells prepared.\n\n{table}",
    }
    return {**subclass, "features": [*subclass["features"], feature]}


def _species(name: str, document: str, parent: str | None = None) -> Raw:
    return {
        "key": key(document, name),
        "is_subspecies": parent is not None,
        "document": nested(document),
        "traits": [{"name": "Lamp Eyes", "desc": f"A {name} sees in smoke.", "type": None, "order": None}],
        "name": name,
        "desc": f"The {name} live below the tide line.",
        "subspecies_of": parent,
        "crossreferences": links(),
    }


def _background(name: str, document: str) -> Raw:
    benefits = [{"name": "Skill Proficiencies", "desc": "Insight, Stealth", "type": "skill_proficiency"}]
    return {
        "key": key(document, name),
        "benefits": [*benefits, {"name": "Feature", "desc": "Every ferry carries you free.", "type": "feature"}],
        "document": nested(document),
        "name": name,
        "desc": "" if document == "a5e-ag" else "You grew up on a barge.",  # version 1 has it
        "crossreferences": links(),
    }


def _feat(number: int, name: str, document: str) -> Raw:
    needs = "Dexterity 13" if number % 2 else ""
    return {
        "key": key(document, name),
        "has_prerequisite": bool(needs),
        "benefits": [{"desc": f"You learn the trick of the {name.lower()}."}, {"desc": "Your Speed grows by 5 feet."}],
        "document": nested(document),
        "name": name,
        "desc": "",
        "prerequisite": needs,
        "type": "GENERAL",
        "crossreferences": links(),
    }


def endpoints() -> dict[str, list[Raw]]:
    """Every list of options."""
    wizard, cleric, rogue = (named_ref(name, f"srd_{name.lower()}") for name in ("Wizard", "Cleric", "Rogue"))
    guild = _class("Lamplighter", "toh")
    classes = [guild, *(_class(f"{name} Lodge", "toh", pick((wizard, cleric, rogue), n)) for n, name in _numbered(6))]
    classes.append(_listing(_class("Wick Guild", "toh", named_ref("Lamplighter", guild["key"]))))
    tidefolk = _species("Tidefolk", "toh")
    species = [tidefolk, *(_species(f"{name} Tidefolk", "toh", tidefolk["key"]) for _, name in _numbered(3))]
    species.append(_species("Shorefolk", "toh") | {"traits": []})  # version 1 has them
    return {
        "v2/classes": classes,
        "v2/species": [*species, *(_species(name, "srd-2014") for name in names(2, ("Kin",)))],
        "v2/backgrounds": [_background(n, pick(("toh", "a5e-ag"), i)) for i, n in enumerate(names(8, ("Ferrier",)))],
        "v2/feats": [_feat(i, n, pick(("a5e-ag", "toh"), i)) for i, n in enumerate(names(12, ("Stride",)))],
    }


def _numbered(count: int) -> list[tuple[int, str]]:
    return [(number, name.split()[0]) for number, name in enumerate(names(count, ("x",)))]
