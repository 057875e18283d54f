"""Enrichers in a text (rolls, references and links), as the words that Foundry would display."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.stat_block import ability_key

_NAMED = re.compile(r"@\w+\[[^\]]{0,300}\]\{([^}]{0,300})\}")  # @UUID[Compendium.x.y]{Prone}
_BARE = re.compile(r"@[A-Z]\w+\[([^\]]{0,400})\]")
_ROLL = re.compile(r"\[\[(/?)([a-z]*)\s*([^\]]{0,300})\]\](?:\{([^}]{0,200})\})?", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\]]{1,100})\](?:\{([^}]{0,100})\})?", re.IGNORECASE)
_LAST_IS_ID = re.compile(r"(?:.*\.)?[A-Za-z0-9]{16}")
_WORD = re.compile(r"(?:[^\s\"]+|\"[^\"]*\")+")
_COMMANDS = frozenset(
    {"r", "roll", "gmr", "gmroll", "br", "blindroll", "sr", "publicroll", "pr", "damage", "heal", "healing", "attack",
     "check", "save", "skill", "tool", "concentration", "award", "item", "ability", "rule", "lookup", "cast"}
)  # fmt: skip
# Display options of a roll.
_SHOWING = frozenset({"extended", "format", "activity", "rules", "apply", "hit", "and", "or", "attackmode", "scaling"})
_ATTACK_MODES = frozenset({"oneHanded", "twoHanded", "offhand", "thrown", "thrown-offhand", "ranged"})
_SKILL_CODES = {
    written: code for code, (name, _) in names.SKILLS.items() for written in (code, name.lower().replace(" ", ""))
}
_DICE = re.compile(r"(\d{1,3})d(\d{1,4})(?:\s*([+-])\s*(\d{1,4}))?")
_HEALING = {"healing": "", "temphp": "temporary", "temp": "temporary", "maximum": "maximum"}
_ELSEWHERE = "[link]"  # to a document that is not in the file


def plain(text: str, known_values: Mapping[str, str] | None = None) -> str:
    """Return a text with every enricher as words.

    ``known_values`` has the document's own attack, damage, save and check, and its values by path.
    """
    if "@" in text:
        text = _BARE.sub(_linked, _NAMED.sub(r"\1", text))
    if "[[" in text:
        text = _ROLL.sub(lambda hit: _rolled(hit, known_values or {}), text)
    return _REFERENCE.sub(_referred, text) if "eference[" in text else text


def average(dice: str) -> str:
    """Return ``9 (2d8)``; anything other than plain dice stays as it is."""
    found = _DICE.fullmatch(dice.strip())
    if not found:
        return dice
    more = int(found[4] or 0) * (-1 if found[3] == "-" else 1)
    return f"{int(found[1]) * (int(found[2]) + 1) // 2 + more} ({dice.strip()})"


def _linked(hit: re.Match[str]) -> str:
    """The name at the end of a path; for an id only a sign that there is a link."""
    path = hit[1].partition(" ")[0] if "." in hit[1] else hit[1]
    return _ELSEWHERE if _LAST_IS_ID.fullmatch(path) else path.rpartition(".")[2]


def _referred(hit: re.Match[str]) -> str:
    given = hit[1].strip()
    key, has_key, value = given.partition("=")
    name = value if has_key and " " not in key.strip() else " ".join(w for w in given.split() if "=" not in w)
    return hit[2] or names.readable(name.strip("\"' ").partition(" apply=")[0].strip("\"' ")) or given


def _rolled(hit: re.Match[str], known_values: Mapping[str, str]) -> str:
    command, given = hit[2].lower(), hit[3].partition("#")[0].strip()
    if hit[4]:
        return hit[4]
    if command not in _COMMANDS or (not hit[1] and command != "lookup"):
        return f"{hit[2]}{' ' if hit[2] and given else ''}{given}".strip()  # [[1d6]]
    command_text = _COMMAND_TEXTS.get(command)
    shown = command_text(given, known_values) if command_text else given
    follows = hit.string[hit.end() : hit.end() + 8].lower()
    before = hit.string[: hit.start()].rstrip().lower().removesuffix("</em>")
    repeated = {"damage": " damage", "attack": " to hit"}.get(command)
    if repeated and follows.startswith(repeated):
        shown = shown.removesuffix(repeated)
    if command == "attack" and before.endswith(("attack:", "roll:")):
        shown = shown.rpartition("*")[2].strip()
    return shown.removesuffix(".") if follows.startswith(".") else shown


def _attack(given: str, known_values: Mapping[str, str]) -> str:
    words, options = _arguments(given)
    bonus = options.get("formula") or next((one for one in words if one[-1:].isdigit()), "")
    if bonus:
        return f"{bonus if bonus[:1] in '+-' else f'+{bonus}'} to hit"
    whole = known_values.get("attack", "attack")
    return whole if "extended" in given else known_values.get("to hit") or whole


def _damage(given: str, known_values: Mapping[str, str]) -> str:
    parts = [_harm(*_arguments(part)) for part in given.split("&")]
    if found := names.joined(*parts, sep=" and "):
        return found
    own = known_values.get("damage", "damage")
    extended = "extended" in given
    if (extended or "average" in given) and "(" not in own:
        own = _DICE.sub(lambda hit: average(hit[0]), own)
    own = own if own.endswith(("damage", "hands")) or not extended else f"{own} damage"
    return f"*Hit:* {own}" if extended and own != "damage" else own


def _harm(words: list[str], options: Mapping[str, str]) -> str:
    """Dice with their average, if requested, and their types."""
    mean = options.get("average") or ("true" if "average" in words else "")
    kinds = [one for one in words if one in DAMAGE_TYPES or one in _HEALING]
    formula = options.get("formula") or " ".join(
        one for one in words if one not in kinds and one not in _ATTACK_MODES and one != "average"
    )
    if not formula:
        return ""
    kinds += _several(options, "type")
    dice = average(formula) if mean == "true" else f"{mean} ({formula})" if mean.isdigit() else formula
    return names.joined(
        dice, names.either([_HEALING.get(one, one) for one in kinds if _HEALING.get(one, one)]), sep=" "
    )


def _save(given: str, known_values: Mapping[str, str]) -> str:
    words, options = _arguments(given)
    by = _several(options, "ability") or [word for word in words if word[:1].isalpha()]
    named = names.either([ability_key(one).capitalize() for one in by if ability_key(one) in ABILITIES])
    dc = _difficulty(words, options)
    if not named and not dc:
        return known_values.get("save", "saving throw")
    return names.joined(dc, named, "saving throw", sep=" ")


def _check(given: str, known_values: Mapping[str, str]) -> str:
    """``DC 20 Dexterity (Acrobatics) check``, with the usual ability of a skill."""
    words, options = _arguments(given)
    by = ability_key(options.get("ability", ""))
    skills, tools = _several(options, "skill"), _several(options, "tool")
    others = [options["vs"]] if options.get("vs") else []
    for word in (one for one in words if not one.isdigit() and one != "passive"):
        code = _SKILL_CODES.get(word.lower())
        if ability_key(word) in ABILITIES:
            by = ability_key(word)
        elif code:
            skills.append(code)
        elif names.tool(word) != word:
            tools.append(word)
        else:
            others.append(word)
    if not by and not skills and not tools and not others:
        return known_values.get("check") or names.joined(_difficulty(words, options), "check", sep=" ")
    usual = {names.SKILLS[one][1] for one in skills if one in names.SKILLS}
    by = by or (ability_key(next(iter(usual))) if len(usual) == 1 and not tools else "")
    of = names.either([*map(names.skill, skills), *map(names.tool, tools), *others])
    ability_and_skill = f"{by.capitalize()} ({of})" if by and of else by.capitalize() or of
    passive = "passive" if "passive" in words or options.get("passive") == "true" else ""
    return names.joined(_difficulty(words, options), passive, ability_and_skill, "" if passive else "check", sep=" ")


def _difficulty(words: list[str], options: Mapping[str, str]) -> str:
    return names.phrase("DC {}", options.get("dc") or next((one for one in words if one.isdigit()), ""))


def _several(options: Mapping[str, str], name: str) -> list[str]:
    """The alternatives of an option: ``ath/acr``."""
    return re.split(r"[/|]", options[name]) if options.get(name) else []


def _lookup(given: str, known_values: Mapping[str, str]) -> str:
    """A value by its path: the name, or a value of an activity; in words if it is unknown."""
    words, options = _arguments(given, showing=frozenset())
    path = options.get("path") or next((one for one in words if one.startswith("@")), given)
    style = options.get("style") or next((one for one in words if one in _STYLES), "")
    known = known_values.get(f"{options.get('activity', '')}{path}") or known_values.get(path)
    found = known or names.readable(path.removeprefix("@").rpartition(".")[2])
    return _STYLES.get(style, str)(found)


def _award(given: str, _: Mapping[str, str]) -> str:
    """``5 gp, 300 XP each``."""
    each = " each" if re.search(r"\beach\b", given) else ""
    amounts = [re.sub(r"(?<=[\d)])(?=[a-z])", " ", one) for one in given.split() if one not in ("each", "party", "|")]
    return ", ".join(amounts).replace("xp", "XP") + each


def _item(given: str, _: Mapping[str, str]) -> str:
    name = re.sub(r"\s*activity=(\"[^\"]*\"|\S+)", "", given).strip("\"' ")
    return _ELSEWHERE if _LAST_IS_ID.fullmatch(name) else name


def _arguments(given: str, *, showing: frozenset[str] = _SHOWING) -> tuple[list[str], dict[str, str]]:
    """Words, and ``name=value`` pairs, without those that only affect the display of a roll."""
    words: list[str] = []
    options: dict[str, str] = {}
    for word in _WORD.findall(given):
        name, has_value, value = word.partition("=")
        if name.lower() in showing or (word in _ATTACK_MODES and showing):
            continue
        if has_value and name.isalpha():
            options[name.lower()] = value.strip("\"'")
        else:
            words.append(word.strip('"'))
    return words, options


_STYLES: Mapping[str, Callable[[str], str]] = {
    "lowercase": str.lower, "uppercase": str.upper, "capitalize": lambda text: text[:1].upper() + text[1:],
}  # fmt: skip
_COMMAND_TEXTS: Mapping[str, Callable[[str, Mapping[str, str]], str]] = {
    "attack": _attack,
    **dict.fromkeys(("damage", "heal", "healing"), _damage),
    "save": _save,
    "concentration": lambda given, _: f"{_difficulty(*_arguments(given))} concentration saving throw".strip(),
    **dict.fromkeys(("check", "skill", "tool"), _check),
    "lookup": _lookup,
    "award": _award,
    "item": _item,
}
