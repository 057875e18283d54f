"""Invented rules, and the short lists of terms that editions share."""

from __future__ import annotations

from tests.open5e.books import described, key, links, named_ref, names, nested
from tests.open5e.parameters import Raw

CONDITIONS = ("Blinded", "Charmed", "Incapacitated", "Stunned", "Prone")
SKILLS = {"Stealth": "dex", "Insight": "wis", "Arcana": "int"}
ABILITIES = ("Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma")
DAMAGE = ("Fire", "Cold", "Force", "Radiant", "Necrotic", "Psychic", "Thunder", "Slashing", "Piercing", "Bludgeoning")
LANGUAGES = ("Common", "Deep Speech", "Draconic")
ALIGNMENTS = ("Lawful Good", "Chaotic Good", "Neutral", "Chaotic Evil")
HABITATS = ("Forest", "Caves", "Laboratory")
CHAPTERS = ("Combat", "Environment", "Damage and Healing")


def _both(text: str) -> list[Raw]:
    return described(srd_2014=f"{text} That is how it was.", srd_2024=f"{text} That is how it is now.")


def _rules() -> tuple[list[Raw], list[Raw]]:
    rules, chapters = [], []
    for document, prefix in (("srd-2014", "srd"), ("srd-2024", "srd-2024")):
        for chapter in CHAPTERS:
            chapter_key = key(document, chapter)
            own = [
                {
                    "key": f"{chapter_key}_{'-'.join(name.lower().split())}",
                    "name": name,
                    "desc": f"A {name.lower()} ends when somebody {verb}. It then costs a lamp of oil.",
                    "index": index,
                    "initialHeaderLevel": 3,
                    "document": document,
                    "ruleset": chapter_key,
                    "crossreferences": links(),
                }
                for index, (name, verb) in enumerate(
                    zip(names(4, (f"{chapter.split()[0]} Vigil",)), ("yields", "sings", "runs", "sleeps"), strict=True)
                )
            ]
            rules += own
            entry = {**named_ref(chapter, chapter_key), "document": nested(document), "desc": f"What {prefix} says."}
            chapters.append({**entry, "rules": own, "crossreferences": links()})
    return rules, chapters


def endpoints() -> dict[str, list[Raw]]:
    """Every list of rules and terms."""
    rules, chapters = _rules()
    core = nested("core")
    return {
        "v2/rules": rules,
        "v2/rulesets": chapters,
        "v2/conditions": [
            {**named_ref(name), "document": core, "icon": None, "descriptions": _both(f"* It is {name.lower()}.")}
            for name in CONDITIONS
        ],
        "v2/skills": [
            {**named_ref(name), "descriptions": _both(f"{name} is a skill."), "document": "core", "ability": ability}
            for name, ability in SKILLS.items()
        ],
        "v2/abilities": [
            {**named_ref(name, name[:3].lower()), "descriptions": _both(f"{name} is an ability."), "document": "core"}
            | {"skills": [], "short_desc": f"measuring {name.lower()}"}
            for name in ABILITIES
        ],
        "v2/damagetypes": [
            {**named_ref(name), "descriptions": _both(f"{name} hurts."), "document": "core"} for name in DAMAGE
        ],
        "v2/languages": [
            {**named_ref(name), "document": core, "desc": f"People speak {name}.", "is_exotic": name != "Common"}
            | {"is_secret": False, "script_language": "common", "crossreferences": links()}
            for name in LANGUAGES
        ],
        "v2/alignments": [
            {**named_ref(name), "morality": name.split()[-1].lower(), "societal_attitude": name.split()[0].lower()}
            | {"short_name": "".join(w[0] for w in name.split()), "document": core}
            | {"descriptions": _both(f"The {name.lower()} know what they want.")}
            for name in ALIGNMENTS
        ],
        "v2/environments": [
            {**named_ref(name), "desc": f"A {name.lower()}.", "aquatic": False, "planar": False, "interior": False}
            | {"document": "core", "crossreferences": links()}
            for name in HABITATS
        ],
        "v2/images": [
            {**named_ref("A Lamp", "a-lamp"), "file_url": "/lamp.svg", "alt_text": "A lamp.", "attribution": "Us."}
            | {"document": core}
        ],
    }
