"""Enrichers in a text (rolls, references and links), as the words that Foundry would display."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.json_values import members, text, texts, value_at
from lorekeeper_mcp.sources.phrases import either, joined, phrase
from lorekeeper_mcp.sources.stat_block import ability_key

_NAMED = re.compile(r"@\w+\[[^\]]{0,300}\]\{([^}]{0,300})\}")  # @UUID[Compendium.x.y]{Prone}
_BARE = re.compile(r"@[A-Z]\w+\[([^\]]{0,400})\]")
_ROLL = re.compile(r"\[\[(/?)([a-z]*)\s*([^\]]{0,300})\]\](?:\{([^}]{0,200})\})?", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\]]{1,100})\](?:\{([^}]{0,100})\})?", re.IGNORECASE)
_LAST_IS_ID = re.compile(r"(?:.*\.)?[A-Za-z0-9]{16}")
_WORD = re.compile(r"(?:[^\s\"]+|\"[^\"]*\")+")
_DISPLAY_OPTIONS = frozenset(
    {"extended", "format", "activity", "rules", "apply", "hit", "and", "or", "attackmode", "scaling"}
)
_ATTACK_MODES = frozenset({"oneHanded", "twoHanded", "offhand", "thrown", "thrown-offhand", "ranged"})
_SKILL_CODES = {
    spelling: code for code, (name, _) in names.SKILLS.items() for spelling in (code, name.lower().replace(" ", ""))
}
_DICE = re.compile(r"(\d{1,3})d(\d{1,4})(?:\s*([+-])\s*(\d{1,4}))?")
_HEALING = {"healing": "", "temphp": "temporary", "temp": "temporary", "maximum": "maximum"}
_UNKNOWN_TARGET = "[link]"  # to a document that is not in the file
_STYLES: Mapping[str, Callable[[str], str]] = {
    "lowercase": str.lower, "uppercase": str.upper, "capitalize": lambda text: text[:1].upper() + text[1:],
}  # fmt: skip
_PLAIN_COMMANDS = "r roll gmr gmroll br blindroll sr publicroll pr ability rule cast".split()
_LINK = re.compile(
    r"(@(?:UUID|Item|Actor|JournalEntry|RollTable|Compendium|Embed)\[([^\]\s]{1,300})[^\]]{0,100}\])(?!\{)"
)
_ITEM = re.compile(r"\[\[/item ([\w.]{16,200})((?: [^\]]{0,200})?)\]\](?!\{)")
_CONTENTS = ("items", "pages", "actors", "journal", "tables", "effects")
_ID_PATHS = ("_id", "_stats.compendiumSource", "flags.core.sourceId", "flags.dnd5e.sourceId")  # its own, its originals'
_DEEPEST = 4


def plain(text: str, known_values: Mapping[str, str] | None = None) -> str:
    """Return a text with every enricher as words.

    ``known_values`` has the document's own attack, damage, save and check, and its values by path.
    """
    if "@" in text:
        text = _BARE.sub(_link_name, _NAMED.sub(r"\1", text))
    if "[[" in text:
        text = _ROLL.sub(lambda roll: _roll_text(roll, known_values or {}), text)
    return _REFERENCE.sub(_reference_text, text) if "eference[" in text else text


def average(dice: str) -> str:
    """Return ``9 (2d8)``; anything other than plain dice stays as it is."""
    parsed = _DICE.fullmatch(dice.strip())
    if not parsed:
        return dice
    modifier = int(f"{parsed[3] or ''}{parsed[4] or 0}")
    return f"{int(parsed[1]) * (int(parsed[2]) + 1) // 2 + modifier} ({dice.strip()})"


def _link_name(link: re.Match[str]) -> str:
    """The name at the end of a path; for an id only a sign that there is a link."""
    path = link[1].partition(" ")[0] if "." in link[1] else link[1]
    return _UNKNOWN_TARGET if _LAST_IS_ID.fullmatch(path) else path.rpartition(".")[2]


def _reference_text(reference: re.Match[str]) -> str:
    content = reference[1].strip()
    key, has_key, value = content.partition("=")
    if not has_key or " " in key.strip():
        value = " ".join(word for word in content.split() if "=" not in word)
    name = value.strip("\"' ").partition(" apply=")[0].strip("\"' ")
    return reference[2] or names.readable(name) or content


def _roll_text(roll: re.Match[str], known_values: Mapping[str, str]) -> str:
    command, arguments = roll[2].lower(), roll[3].partition("#")[0].strip()
    if roll[4]:
        return roll[4]
    if command not in _COMMANDS or (not roll[1] and command != "lookup"):
        return joined(roll[2], arguments, sep=" ")  # [[1d6]]
    text = _COMMANDS[command](arguments, known_values)
    text_before = roll.string[: roll.start()].rstrip().lower().removesuffix("</em>")
    text_after = roll.string[roll.end() : roll.end() + 8].lower()
    repeated = {"damage": " damage", "attack": " to hit"}.get(command)
    if repeated and text_after.startswith(repeated):
        text = text.removesuffix(repeated)
    if command == "attack" and text_before.endswith(("attack:", "roll:")):
        text = text.rpartition("*")[2].strip()
    return text.removesuffix(".") if text_after.startswith(".") else text


def _attack(arguments: str, known_values: Mapping[str, str]) -> str:
    words, options = _words_and_options(arguments)
    bonus = options.get("formula") or next((word for word in words if word[-1:].isdigit()), "")
    if bonus:
        return f"{bonus if bonus[:1] in '+-' else f'+{bonus}'} to hit"
    attack = known_values.get("attack", "attack")
    return attack if "extended" in arguments else known_values.get("to hit") or attack


def _damage(arguments: str, known_values: Mapping[str, str]) -> str:
    parts = [_damage_part(*_words_and_options(part)) for part in arguments.split("&")]
    if damage := joined(*parts, sep=" and "):
        return damage
    damage = known_values.get("damage", "damage")
    is_extended = "extended" in arguments
    if (is_extended or "average" in arguments) and "(" not in damage:
        damage = _DICE.sub(lambda dice: average(dice[0]), damage)
    if not is_extended or damage == "damage":
        return damage
    return f"*Hit:* {damage if damage.endswith(('damage', 'hands')) else f'{damage} damage'}"


def _damage_part(words: list[str], options: Mapping[str, str]) -> str:
    """Dice with their average, if requested, and their types."""
    mean = options.get("average") or ("true" if "average" in words else "")
    kinds = [word for word in words if word in DAMAGE_TYPES or word in _HEALING]
    formula = options.get("formula") or " ".join(word for word in words if word not in kinds and word != "average")
    if not formula:
        return ""
    if mean == "true":
        formula = average(formula)
    elif mean.isdigit():
        formula = f"{mean} ({formula})"
    kinds += _alternatives(options, "type")
    printed_kinds = either(filter(None, (_HEALING.get(kind, kind) for kind in kinds)))
    return joined(formula, printed_kinds, sep=" ")


def _save(arguments: str, known_values: Mapping[str, str]) -> str:
    words, options = _words_and_options(arguments)
    codes = _alternatives(options, "ability") or [word for word in words if word[:1].isalpha()]
    abilities = either(ability_key(code).capitalize() for code in codes if ability_key(code) in ABILITIES)
    dc = _difficulty(words, options)
    if not abilities and not dc:
        return known_values.get("save", "saving throw")
    return joined(dc, abilities, "saving throw", sep=" ")


def _check(arguments: str, known_values: Mapping[str, str]) -> str:
    """``DC 20 Dexterity (Acrobatics) check``, with the usual ability of a skill."""
    words, options = _words_and_options(arguments)
    ability = ability_key(options.get("ability", ""))
    skills, tools = _alternatives(options, "skill"), _alternatives(options, "tool")
    others = [options["vs"]] if options.get("vs") else []
    for word in words:
        if word.isdigit() or word == "passive":
            continue
        if ability_key(word) in ABILITIES:
            ability = ability_key(word)
        elif word.lower() in _SKILL_CODES:
            skills.append(_SKILL_CODES[word.lower()])
        elif names.tool(word) != word:
            tools.append(word)
        else:
            others.append(word)
    dc = _difficulty(words, options)
    if not ability and not skills and not tools and not others:
        return known_values.get("check") or joined(dc, "check", sep=" ")
    usual_abilities = {names.SKILLS[skill][1] for skill in skills if skill in names.SKILLS}
    if not ability and len(usual_abilities) == 1 and not tools:
        ability = ability_key(*usual_abilities)
    ability = ability.capitalize()
    using = either([*map(names.skill, skills), *map(names.tool, tools), *others])
    name = f"{ability} ({using})" if ability and using else ability or using
    if "passive" in words or options.get("passive") == "true":
        return joined(dc, "passive", name, sep=" ")
    return joined(dc, name, "check", sep=" ")


def _difficulty(words: list[str], options: Mapping[str, str]) -> str:
    return phrase("DC {}", options.get("dc") or next(filter(str.isdigit, words), ""))


def _alternatives(options: Mapping[str, str], name: str) -> list[str]:
    """The alternatives of an option: ``ath/acr``."""
    return re.split(r"[/|]", options[name]) if options.get(name) else []


def _lookup(arguments: str, known_values: Mapping[str, str]) -> str:
    """A value by its path: the name, or a value of an activity; in words if it is unknown."""
    words, options = _words_and_options(arguments, with_display_options=True)
    path = options.get("path") or next((word for word in words if word.startswith("@")), arguments)
    style = options.get("style") or next((word for word in words if word in _STYLES), "")
    value = known_values.get(f"{options.get('activity', '')}{path}") or known_values.get(path)
    return _STYLES.get(style, str)(value or names.readable(path.removeprefix("@").rpartition(".")[2]))


def _award(arguments: str, _: Mapping[str, str]) -> str:
    """``5 gp, 300 XP each``."""
    each = " each" if re.search(r"\beach\b", arguments) else ""
    amounts = [word for word in arguments.split() if word not in ("each", "party", "|")]
    return re.sub(r"(?<=[\d)])(?=[a-z])", " ", ", ".join(amounts)).replace("xp", "XP") + each


def _item(arguments: str, _: Mapping[str, str]) -> str:
    name = re.sub(r"\s*activity=(\"[^\"]*\"|\S+)", "", arguments).strip("\"' ")
    return _UNKNOWN_TARGET if _LAST_IS_ID.fullmatch(name) else name


def _words_and_options(arguments: str, *, with_display_options: bool = False) -> tuple[list[str], dict[str, str]]:
    """Words, and ``name=value`` pairs, without those that only affect the display of a roll."""
    words: list[str] = []
    options: dict[str, str] = {}
    for word in _WORD.findall(arguments):
        name, has_value, value = word.partition("=")
        is_for_display = name.lower() in _DISPLAY_OPTIONS or word in _ATTACK_MODES
        if is_for_display and not with_display_options:
            continue
        if has_value and name.isalpha():
            options[name.lower()] = value.strip("\"'")
        else:
            words.append(word.strip('"'))
    return words, options


_COMMANDS: Mapping[str, Callable[[str, Mapping[str, str]], str]] = {
    **dict.fromkeys(_PLAIN_COMMANDS, lambda arguments, _: arguments),
    "attack": _attack,
    **dict.fromkeys(("damage", "heal", "healing"), _damage),
    "save": _save,
    "concentration": lambda arguments, _: joined(
        _difficulty(*_words_and_options(arguments)), "concentration saving throw", sep=" "
    ),
    **dict.fromkeys(("check", "skill", "tool"), _check),
    "lookup": _lookup,
    "award": _award,
    "item": _item,
}


def names_by_id(documents: Iterable[object], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names of documents and their contents, by their ids and by the ids that they were copied from."""
    for document in documents:
        if not isinstance(document, Mapping):
            continue
        if name := text(document, "name"):
            for id_ in texts([value_at(document, path) for path in _ID_PATHS]):
                yield id_.rpartition(".")[2], name
        if depth < _DEEPEST:
            for section in _CONTENTS:
                yield from names_by_id(members(document.get(section)), depth + 1)


def linked(value: object, names: Mapping[str, str]) -> object:
    """Return a JSON value with its links labelled by the names of their targets, if known."""
    if isinstance(value, str):
        return _linked_text(value, names) if "@" in value or "[[/item" in value else value
    if isinstance(value, list):
        return [linked(inner, names) for inner in value]
    if isinstance(value, dict):
        fields = {field: linked(inner, names) for field, inner in value.items()}
        target = fields.get("uuid", fields.get("actor", fields.get("documentId", fields.get("key"))))
        name = _target_name(target, names) if isinstance(target, str) else ""
        return {**fields, "name": name} if name and not fields.get("name") else fields
    return value


def _linked_text(text: str, names: Mapping[str, str]) -> str:
    def label(link: re.Match[str]) -> str:
        name = _target_name(link[2], names)
        return f"{link[1]}{{{name}}}" if name else link[1]

    text = _ITEM.sub(lambda item: f"[[/item {_target_name(item[1], names) or item[1]}{item[2]}]]", text)
    return _LINK.sub(label, text)


def _target_name(path: str, names: Mapping[str, str]) -> str:
    return names.get(path.rpartition(".")[2], "")
