"""What a class, species, background or feat gives by level."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lorekeeper_mcp.sources.foundry.html import markdown
from lorekeeper_mcp.sources.foundry.item_values import part, text, texts, words
from lorekeeper_mcp.sources.stat_block import ability_key, bonus

_SKILLS = {
    "acr": "Acrobatics", "ani": "Animal Handling", "arc": "Arcana", "ath": "Athletics", "dec": "Deception",
    "his": "History", "ins": "Insight", "itm": "Intimidation", "inv": "Investigation", "med": "Medicine",
    "nat": "Nature", "prc": "Perception", "prf": "Performance", "per": "Persuasion", "rel": "Religion",
    "slt": "Sleight of Hand", "ste": "Stealth", "sur": "Survival",
}  # fmt: skip
_KINDS = {
    "armor": {"lgt": "light armor", "med": "medium armor", "hvy": "heavy armor", "shl": "shields"},
    "weapon": {"sim": "simple weapons", "mar": "martial weapons"},
    "tool": {"art": "artisan's tools", "game": "gaming set", "music": "musical instrument"},
}
_TITLES = {"AbilityScoreImprovement": "Ability Score Improvement", "HitPoints": "Hit Points", "ItemChoice": "Choice",
           "ItemGrant": "Grant", "ScaleValue": "Scale", "Trait": ""}  # fmt: skip
_MODES = {"expertise": "expertise", "forcedExpertise": "expertise", "upgrade": "proficiency or expertise",
          "mastery": "mastery"}  # fmt: skip
_UNSAID = ("hint", "identifier", "type", "mode", "grants", "choices", "sizes", "scale", "points", "fixed")
_SIZES = {"tiny": "Tiny", "sm": "Small", "med": "Medium", "lg": "Large", "huge": "Huge", "grg": "Gargantuan"}
_CODE = re.compile(r"[\w-]+(?::[\w*-]+)+")


def levels(system: Mapping[str, object]) -> Iterator[str]:
    """Each thing that is gained, line by line; what is granted from elsewhere is known by id alone."""
    given = system.get("advancement")
    listed = list(given.values()) if isinstance(given, Mapping) else given if isinstance(given, list) else []
    for one in listed:
        if not isinstance(one, Mapping):
            continue
        kind = text(one, "type")
        name = text(one, "title") or _TITLES.get(kind, kind)
        settings = part(one, "configuration")
        configured = "; ".join(filter(None, _configured(settings)))
        hints = dict.fromkeys((markdown(one.get("hint")), markdown(settings.get("hint"))))
        level = bonus(one.get("level"))
        named = f"{name}: {configured}" if configured and name else name or configured
        if told := ". ".join(filter(None, (named, *hints))):
            yield f"- Level {level}: {told}" if level else f"- {told}"


def _configured(settings: Mapping[str, object]) -> Iterator[str]:
    """What is granted and may be chosen, then what else the settings say."""
    mode = _MODES.get(text(settings, "mode"), "")
    yield " ".join(filter(None, (mode, ", ".join(_granted(one) for one in texts(settings.get("grants"))))))
    yield from _choices(settings.get("choices"))
    yield " or ".join(_SIZES.get(one, one) for one in texts(settings.get("sizes")))
    scale = part(settings, "scale")
    yield ", ".join(f"{words(value)} at level {level}" for level, value in scale.items() if words(value))
    yield f"{points} points" if (points := words(settings.get("points"))) else ""
    fixed = part(settings, "fixed")
    yield ", ".join(f"{ability_key(one).capitalize()} {by:+d}" for one in fixed if (by := bonus(fixed[one])))
    yield words({name: value for name, value in settings.items() if name not in _UNSAID})


def _choices(given: object) -> Iterator[str]:
    """``choose 2 from Athletics, Insight``; of a level ``choose 1 at level 2``."""
    spread = (
        given.items() if isinstance(given, Mapping) else (("", one) for one in given) if isinstance(given, list) else ()
    )
    for level, one in spread:
        if isinstance(one, Mapping):
            among = ", ".join(_granted(code) for code in texts(one.get("pool")))
            rest = words({name: value for name, value in one.items() if name not in ("count", "pool")})
            parts = (
                words(one.get("count")),
                f"from {among}" if among else "",
                f"at level {level}" if level else "",
                rest,
            )
            yield " ".join(("choose", *filter(None, parts)))
        elif told := words(one):
            yield f"choose {told}{f' at level {level}' if level else ''}"


def _granted(code: str) -> str:
    """``skills:sur`` is Survival, ``saves:str`` Strength saving throws, ``armor:lgt`` light armor."""
    if not _CODE.fullmatch(code):
        return words(code)
    kind, *inner = code.split(":")
    last = inner[-1]
    if kind == "skills":
        return _SKILLS.get(last, "any skill" if last == "*" else last)
    if kind == "saves":
        return f"{ability_key(last).capitalize()} saving throws"
    known = _KINDS.get(kind, {})
    return known.get(last) or (f"any {known.get(inner[-2], kind) if len(inner) > 1 else kind}" if last == "*" else last)
