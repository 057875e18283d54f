"""What Foundry puts into a text when it shows it: rolls, references and links, as the words that it would show."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lorekeeper_mcp.sources.stat_block import ability_key

_NAMED = re.compile(r"@\w+\[[^\]]{0,300}\]\{([^}]{0,300})\}")  # @UUID[Compendium.x.y]{Prone}
_BARE = re.compile(r"@[A-Z]\w+\[([^\]]{0,400})\]")
_ROLL = re.compile(r"\[\[(/?)([a-z]*)\s*([^\]]{0,300})\]\](?:\{([^}]{0,200})\})?", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\]]{1,100})\](?:\{([^}]{0,100})\})?", re.IGNORECASE)
_LAST_IS_ID = re.compile(r"(?:.*\.)?[A-Za-z0-9]{16}")
_COMMANDS = frozenset(
    {"r", "roll", "gmr", "gmroll", "br", "blindroll", "sr", "publicroll", "pr", "damage", "heal", "healing", "attack",
     "check", "save", "skill", "tool", "concentration", "award", "item", "ability", "rule", "lookup", "cast"}
)  # fmt: skip
# Options of a roll that say how it is shown.
_SHOWING = frozenset({"extended", "average", "format", "activity", "rules", "apply", "hit", "and", "or"})


def plain(text: str, told: Mapping[str, str] | None = None) -> str:
    """A text with every enricher as words. ``told`` has what the document's own attack, damage and save are."""
    if "@" in text:
        text = _BARE.sub(_linked, _NAMED.sub(r"\1", text))
    if "[[" in text:
        text = _ROLL.sub(lambda hit: _rolled(hit, told or {}), text)
    return _REFERENCE.sub(_referred, text) if "eference[" in text else text


def _linked(hit: re.Match[str]) -> str:
    """The name at the end of a path; nothing where that is an id."""
    path = hit[1].partition(" ")[0] if "." in hit[1] else hit[1]
    return "" if _LAST_IS_ID.fullmatch(path) else path.rpartition(".")[2]


def _referred(hit: re.Match[str]) -> str:
    given = hit[1].strip()
    key, has_key, value = given.partition("=")
    name = value if has_key and " " not in key.strip() else " ".join(w for w in given.split() if "=" not in w)
    return hit[2] or name.strip("\"' ") or given


def _rolled(hit: re.Match[str], told: Mapping[str, str]) -> str:
    command, given = hit[2].lower(), hit[3].partition("#")[0].strip()
    if hit[4]:
        return hit[4]
    if command not in _COMMANDS:
        return f"{hit[2]}{' ' if hit[2] and given else ''}{given}".strip()  # [[1d6]]
    if command == "lookup":
        return told.get("name", "") if given.startswith("@name") else given.removeprefix("@").rpartition(".")[2]
    said = _SAID.get(command)
    return said(*_arguments(given), told) if said else given


def _attack(words: list[str], options: Mapping[str, str], told: Mapping[str, str]) -> str:
    bonus = options.get("formula") or next((one for one in words if one[-1:].isdigit()), "")
    return f"{bonus} to hit" if bonus else told.get("attack", "attack")


def _damage(words: list[str], options: Mapping[str, str], told: Mapping[str, str]) -> str:
    parts = [options.get("formula", ""), *words, options.get("type", "").replace("/", " or ")]
    return " ".join(filter(None, parts)) or told.get("damage", "damage")


def _save(words: list[str], options: Mapping[str, str], told: Mapping[str, str]) -> str:
    by = options.get("ability") or next((one for one in words if one[:1].isalpha()), "")
    named = " or ".join(ability_key(one).capitalize() for one in by.split("/") if one)
    dc = _difficulty(words, options)
    return f"{dc} {named} saving throw".replace("  ", " ").strip() if by or dc else told.get("save", "saving throw")


def _concentration(words: list[str], options: Mapping[str, str], _: Mapping[str, str]) -> str:
    return f"{_difficulty(words, options)} concentration saving throw".strip()


def _check(words: list[str], options: Mapping[str, str], _: Mapping[str, str]) -> str:
    ability = ability_key(options.get("ability", "")).capitalize()
    named = [ability, *(options[name] for name in ("skill", "tool", "vs") if options.get(name))]
    others = [one for one in words if not one.isdigit()]
    return " ".join(filter(None, (_difficulty(words, options), *named, *others, "check")))


def _difficulty(words: list[str], options: Mapping[str, str]) -> str:
    dc = options.get("dc") or next((one for one in words if one.isdigit()), "")
    return f"DC {dc}" if dc else ""


def _arguments(given: str) -> tuple[list[str], dict[str, str]]:
    """Words, and ``name=value`` pairs, without those that only say how a roll is shown."""
    words: list[str] = []
    options: dict[str, str] = {}
    for word in given.split():
        name, has_value, value = word.partition("=")
        if name.lower() in _SHOWING:
            continue
        if has_value and name.isalpha():
            options[name.lower()] = value.strip("\"'")
        else:
            words.append(word)
    return words, options


_SAID: Mapping[str, Callable[[list[str], Mapping[str, str], Mapping[str, str]], str]] = {
    "attack": _attack,
    **dict.fromkeys(("damage", "heal", "healing"), _damage),
    "save": _save,
    "concentration": _concentration,
    **dict.fromkeys(("check", "skill", "tool"), _check),
}
