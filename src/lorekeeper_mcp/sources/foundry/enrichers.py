"""Foundry's texts as Markdown: HTML, and enrichers (rolls, look-ups, links) as the words that the application displays.

Many enrichers name an activity of the item that the text belongs to, or take its first: ``Rolls`` answers them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES
from lorekeeper_mcp.sources.field_reader import JsonObject, joined, members, phrase, text_at, value_at
from lorekeeper_mcp.sources.foundry import formulas, names
from lorekeeper_mcp.sources.foundry.formulas import check_in_words, damage_in_words, save_in_words
from lorekeeper_mcp.sources.html_markdown import html_markdown
from lorekeeper_mcp.sources.stat_block import ability_key

_ENRICHER = re.compile(r"\[\[(/?)([a-z]*)\s*([^\[\]]{0,300})\]\](?:\{([^{}]{0,200})\})?", re.IGNORECASE)
_LINK = re.compile(r"(?<!\w)@([A-Z]\w{1,20})\[([^\[\]]{1,400})\](?:\{([^{}]{0,300})\})?")
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\[\]]{1,100})\](?:\{([^{}]{0,100})\})?", re.IGNORECASE)
_WORD = re.compile(r"(?:[^\s\"]+|\"[^\"]*\")+")
_RANDOM_ID = re.compile(r"(?:.*\.)?[A-Za-z0-9]{16}")
_NAMED_ID = re.compile(r"[a-z]*((?:[A-Z][a-z]{2,})+)0*")  # as the system's books use: phbsplRaiseDead0
_SKILL_CODES = {
    spelling: code for code, (name, _) in names.SKILLS.items() for spelling in (code, name.lower().replace(" ", ""))
}
_HEALING = frozenset({"healing", "temphp", "temp", "temporary", "maximum"})
_STYLES: Mapping[str, Callable[[str], str]] = {
    "lowercase": str.lower, "uppercase": str.upper, "capitalize": lambda text: text[:1].upper() + text[1:],
}  # fmt: skip
# A word of the text after an enricher, and the end of the enricher's words that says the same: "[[/check ath]] check".
_REPEATED = {"saving throw": "saving throw", "save": "saving throw", "check": "check", "damage": "damage",
             "to hit": "to hit", "hit points": "hit points"}  # fmt: skip
_ATTACK_NAMED = re.compile(r"(?:attack|roll):(?:</em>)?\s*$", re.IGNORECASE)  # before a roll of an attack
_UNKNOWN_TARGET = "another entry"
_ELSEWHERE = "(A text that this file does not contain.)"


class Rolls:
    """What the enrichers of a text refer to. This one knows nothing: it belongs to a text without a document."""

    def known(self, path: str) -> str | None:
        """Return the value at a path of the actor, such as ``abilities.str.mod``."""
        return None

    def value(self, path: str, activity: str) -> str:
        """Return the value at a path of an activity, such as ``save.dc.value``; empty if there is none."""
        return ""

    def roll(self, kind: str, activity: str, flags: frozenset[str]) -> str:
        """Return an attack, a check, damage, healing or a save of an activity, or of the first that has one."""
        return ""


_NO_ROLLS = Rolls()


@dataclass
class FileTexts:
    """The names and texts of the documents of a file by their ids, for links and embedded texts."""

    names: dict[str, str] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, documents: Iterable[object]) -> FileTexts:
        """Collect the documents, those inside them, and the ids of the documents that they are copies of."""
        found = cls()
        for document in _documents(documents):
            content = value_at(document, "text.content") or value_at(document, "system.description.value")
            for path in ("_id", "_stats.compendiumSource", "flags.core.sourceId", "flags.dnd5e.sourceId"):
                if id_ := text_at(document, path).rpartition(".")[2]:
                    found.names.setdefault(id_, text_at(document, "name"))
                    if isinstance(content, str) and len(content) < _MAX_EMBEDDED:
                        found.contents.setdefault(id_, content)
        return found

    def linked(self, value: object) -> object:
        """Return a JSON value with its links labelled by the names of their targets, and embedded texts in place."""
        if isinstance(value, str):
            return _LINK.sub(self._link, value) if "@" in value or "[[/item" in value else value
        if isinstance(value, list):
            return [self.linked(inner) for inner in value]
        if isinstance(value, dict):
            fields = {field: self.linked(inner) for field, inner in value.items()}
            targets = (fields.get(name) for name in ("uuid", "actor", "documentUuid", "documentId", "key"))
            ids = (target.rpartition(".")[2] for target in targets if isinstance(target, str))
            name = next(filter(None, (self.names.get(id_) for id_ in ids)), "")
            return {**fields, "name": name} if name and not fields.get("name") else fields
        return value

    def _link(self, link: re.Match[str]) -> str:
        id_ = link[2].split(" ")[0].rpartition(".")[2]
        if link[1] == "Embed" and id_ in self.contents:
            return _LINK.sub(lambda inner: "" if inner[1] == "Embed" else inner[0], self.contents[id_])
        if link[3] or not self.names.get(id_):
            return link[0]
        return f"@{link[1]}[{link[2]}]{{{self.names[id_]}}}"


_MAX_EMBEDDED = 20_000  # characters
_CONTENTS = ("items", "pages", "actors", "journal", "tables", "effects")
_DEEPEST = 4


def _documents(documents: Iterable[object], depth: int = 0) -> Iterator[JsonObject]:
    for document in documents:
        if isinstance(document, dict):
            yield document
            if depth < _DEEPEST:
                for section in _CONTENTS:
                    yield from _documents(members(document.get(section)), depth + 1)


def markdown(value: object, rolls: Rolls = _NO_ROLLS) -> str:
    """Return a text as Markdown, with each enricher as words; empty for any other value."""
    if not isinstance(value, str) or not value.strip():
        return ""
    return html_markdown(_plain(value, rolls))


def _plain(text: str, rolls: Rolls) -> str:
    if "[[" in text:
        text = _ENRICHER.sub(lambda enricher: _enriched(enricher, rolls), text)
    if "@" in text:
        text = formulas.with_values(_LINK.sub(_link_name, text), rolls.known)
    return _REFERENCE.sub(_reference_name, text) if "eference[" in text else text


def _link_name(link: re.Match[str]) -> str:
    """The label of a link, or the name at the end of its path."""
    path = link[2].split(" ")[0] if "." in link[2] else link[2]
    last = path.rpartition(".")[2]
    if link[3]:
        return link[3]
    if link[1] == "Embed":
        return _ELSEWHERE
    return id_name(path) if _RANDOM_ID.fullmatch(path) else last


def id_name(path: str, otherwise: str = _UNKNOWN_TARGET) -> str:
    """Return the name in an id such as ``phbsplRaiseDead0``, which may be the end of a path; else a general word."""
    named = _NAMED_ID.fullmatch(path.rpartition(".")[2])
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", named[1]) if named else otherwise


def _reference_name(reference: re.Match[str]) -> str:
    arguments = _Arguments.of(reference[1], _NO_ROLLS)
    named = (value for option, value in arguments.options.items() if option != "apply")
    return reference[2] or names.readable(next(named, "") or " ".join(arguments.words))


def _enriched(enricher: re.Match[str], rolls: Rolls) -> str:
    command, label = enricher[2].lower(), enricher[4] or ""
    written = html.unescape(enricher[3]).partition("#")[0].strip()
    arguments = _Arguments.of(written, rolls)
    before, after = enricher.string[: enricher.start()], enricher.string[enricher.end() :][:20].lstrip().lower()
    if command == "lookup":
        return _lookup(arguments, label, is_hyphenated=before.endswith("-"))
    if label:
        return label
    if not enricher[1] or command not in _COMMANDS:
        # A roll, of which the application shows the formula; in "[[floor(@prof / 2)]]" the first word belongs to it.
        return formulas.filled_formula(joined("" if enricher[1] else enricher[2], written, sep=" "), rolls.known)
    printed = _COMMANDS[command](command, arguments)
    if command == "attack" and _ATTACK_NAMED.search(before):
        printed = printed.rpartition("*")[2].strip()
    for word, end in _REPEATED.items():
        if after.startswith(word) and printed.endswith(end):
            return printed.removesuffix(end).rstrip()
    return printed.removesuffix(".") if after.startswith(".") else printed


@dataclass(frozen=True)
class _Arguments:
    """The words of an enricher, and its ``name=value`` pairs by their names in lower case."""

    written: str
    rolls: Rolls
    words: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, written: str, rolls: Rolls) -> _Arguments:
        arguments = cls(written, rolls)
        for word in _WORD.findall(written):
            name, has_value, value = word.partition("=")
            if has_value and name.isalpha():
                arguments.options[name.lower()] = value.strip("\"'")
            else:
                arguments.words.append(word.strip('"'))
        return arguments

    def option(self, name: str) -> str:
        return self.options.get(name, "")

    def choices(self, *options: str) -> list[str]:
        """The alternatives of options: ``ath``, ``acr`` of ``skill=ath/acr``."""
        return [choice for name in options for choice in re.split(r"[/|]", self.option(name)) if choice]

    def filled(self, formula: str) -> str:
        return formulas.filled_formula(formula, self.rolls.known)

    @property
    def flags(self) -> frozenset[str]:
        """The words and options that change how a roll is displayed: ``average``, ``twoHanded``, ``format=long``."""
        given = {name for name, value in self.options.items() if value == "true"}
        return _FLAGS & {*self.words, *given, self.option("format"), self.option("attackmode")}

    @property
    def dc(self) -> str:
        return self.filled(self.option("dc") or next(filter(str.isdigit, self.words), ""))

    def roll(self, kind: str) -> str:
        """The roll of the activity that the enricher names, or of the first that has one."""
        return self.rolls.roll(kind, self.option("activity"), self.flags)


def _lookup(arguments: _Arguments, label: str, *, is_hyphenated: bool) -> str:
    """A value of the actor or of an activity by its path; else the label, else what the path means."""
    words, rolls = arguments.words, arguments.rolls
    path = arguments.option("path") or next((word for word in words if word.startswith("@")), arguments.written)
    path = path.removeprefix("@")
    style = arguments.option("style") or next((word for word in words if word in _STYLES), "")
    value = rolls.value(path, arguments.option("activity")) or rolls.known(path)
    if value and path.endswith("units"):
        value = names.singular_unit(value) if is_hyphenated else names.unit(value) or value
    return _STYLES.get(style, str)(value or label or formulas.in_words(path))


def _attack(_: str, arguments: _Arguments) -> str:
    bonus = arguments.option("formula") or next((word for word in arguments.words if word[-1:].isdigit()), "")
    if bonus := arguments.filled(bonus):
        return f"{bonus if bonus[:1] in '+-' else f'+{bonus}'} to hit"
    return arguments.roll("attack") or "attack"


def _damage(command: str, arguments: _Arguments) -> str:
    kind, flags = "damage" if command == "damage" else "heal", arguments.flags
    parts = [_damage_part(_Arguments.of(part, arguments.rolls), flags) for part in arguments.written.split("&")]
    printed = joined(*parts, sep=" and ") or arguments.roll(kind)
    if not printed:
        return "hit points" if kind == "heal" else "damage"
    if {"extended", "long"} & flags and not printed.endswith(("damage", "hands")):
        printed = f"{printed} damage"
    return f"*Hit:* {printed}" if "extended" in flags else printed


def _damage_part(part: _Arguments, flags: frozenset[str]) -> str:
    """Dice with their average, if requested, and their types."""
    kinds = [word for word in map(str.lower, part.words) if word in DAMAGE_TYPES or word in _HEALING]
    kinds += map(str.lower, part.choices("type"))
    others = [word for word in part.words if word.lower() not in kinds and word not in _FLAGS]
    formula = part.filled(part.option("formula") or " ".join(others))
    return damage_in_words({"custom": {"formula": formula}, "types": kinds}, averaged="average" in flags)


def _save(command: str, arguments: _Arguments) -> str:
    codes = [code for code in arguments.choices("ability") or arguments.words if ability_key(code) in ABILITIES]
    save = {"ability": ["concentration"] if command == "concentration" else codes}
    dc = phrase("DC {} saving throw", arguments.dc)
    return save_in_words(save, arguments.dc) or dc or arguments.roll("save") or "saving throw"


def _check(_: str, arguments: _Arguments) -> str:
    words = [word for word in arguments.words if word not in _FLAGS and not word.isdigit()]
    abilities = [word for word in (arguments.option("ability"), *words) if ability_key(word) in ABILITIES]
    used = [*arguments.choices("skill", "tool", "vs"), *(word for word in words if word not in abilities)]
    codes = [_SKILL_CODES.get(code.lower(), code) for code in used]
    printed = check_in_words({"ability": "".join(abilities[:1]), "associated": codes}, arguments.dc)
    if "passive" in arguments.flags:
        return joined("passive", printed.removesuffix(" check"), sep=" ")
    printed = printed or arguments.roll("check") or "check"
    return printed if "DC" in printed else joined(phrase("DC {}", arguments.dc), printed, sep=" ")


def _award(_: str, arguments: _Arguments) -> str:
    """``5 gp, 300 XP each``."""
    amounts = [word for word in arguments.written.split() if word not in ("each", "party", "|")]
    each = " each" if "each" in arguments.words else ""
    return re.sub(r"(?<=[\d)])(?=[a-z])", " ", ", ".join(amounts)).replace("xp", "XP") + each


def _item(_: str, arguments: _Arguments) -> str:
    name = re.sub(r"\s*activity=(\"[^\"]*\"|\S+)", "", arguments.written).strip("\"' ")
    name = arguments.rolls.value(f"items.{name.rpartition('.')[2]}", "") or name
    return id_name(name) if _RANDOM_ID.fullmatch(name) else name


_FLAGS = frozenset(
    "average extended long short oneHanded twoHanded offhand thrown thrown-offhand ranged passive and or".split()
)
_COMMANDS: Mapping[str, Callable[[str, _Arguments], str]] = {
    "attack": _attack,
    **dict.fromkeys(("damage", "heal", "healing"), _damage),
    **dict.fromkeys(("save", "concentration"), _save),
    **dict.fromkeys(("check", "skill", "tool"), _check),
    "award": _award,
    "item": _item,
}
