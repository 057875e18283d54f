"""Converts entry trees to Markdown, as a book prints them: paragraphs, lists, tables, insets, and inline tags.

Copies, replacements and references can make much of little: whatever makes a value larger calls ``grow`` first, so that
memory stays bounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.field_reader import (
    JsonObject,
    as_object,
    counted,
    joined,
    listed,
    mapping,
    members,
    objects,
    phrase,
    readable,
    with_texts,
)
from lorekeeper_mcp.sources.html_markdown import html_markdown
from lorekeeper_mcp.sources.imported import ItemError

_GROWTH = {"item": 2_000_000, "file": 100_000_000}  # characters; the largest creatures and classes have about 200,000
_left: ContextVar[dict[str, int] | None] = ContextVar("growth", default=None)


@contextmanager
def limited_file() -> Iterator[None]:
    """Limit what all items that are read inside grow by together."""
    token = _left.set(dict(_GROWTH))
    try:
        yield
    finally:
        _left.reset(token)


def begin_item() -> None:
    """Begin an item, which may grow by itself."""
    if left := _left.get():
        left["item"] = _GROWTH["item"]


def grow(size: int) -> None:
    """Count characters that are about to be added. Raises ItemError beyond the limit of the item or the file."""
    left = _left.get() or {}
    for what in left:
        left[what] -= max(size, 0)
        if left[what] < 0:
            raise ItemError(f"its copies and references make the {what} grow by more than {_GROWTH[what]:,} characters")


def size_of(value: object) -> int:
    """Return the size of a value in characters."""
    return len(json.dumps(value, default=str, ensure_ascii=False))


_MAX_DEPTH = 60  # levels; no book needs more
_MAX_TAGS = 20  # tags in tags
_MAX_REPLACED = 6  # references in what replaces references
_BLOCK_STARTS = ("- ", "1. ", "| ", "> ", "#")
# Fields that are part of an entry's text, or that no reader needs.
_KNOWN_FIELDS = frozenset(
    {"type", "source", "page", "id", "data", "style", "name", "entries", "srd", "basicRules", "alias", "variantSource",
     "sort", "entry", "items", "columns", "colStyles", "isStriped", "hasFluff", "hasFluffImages"}
)  # fmt: skip
_VARIABLE = re.compile(r"\{=(\w+)(?:/([a-z]+))?\}|\{\{(?:\w+ )?item\.([\w.]+)\}\}")
# The lists of a spell list, by how often their spells can be cast.
_LIMITS = {
    "constant": "Constant", "will": "At will", "daily": "{}/day", "rest": "{}/rest", "restLong": "{}/long rest",
    "weekly": "{}/week", "monthly": "{}/month", "yearly": "{}/year", "legendary": "legendary action",
    "charges": "charge", "recharge": "Recharge {}–6", "spells": "", "ritual": "Rituals",
}  # fmt: skip
Form: TypeAlias = "Callable[[JsonObject, int], str]"


# --- Tags ---

PROPERTIES = {
    "2H": "Two-Handed", "A": "Ammunition", "AF": "Ammunition (firearm)", "BF": "Burst Fire", "F": "Finesse",
    "H": "Heavy", "L": "Light", "LD": "Loading", "R": "Reach", "RLD": "Reload", "S": "Special", "T": "Thrown",
    "V": "Versatile",
}  # fmt: skip
"""Weapon properties by the codes of the format."""

_TAG = re.compile(r"\{([@#=])(\w+)(?:/[a-z]+)?(?:[\s|]([^{}]*))?\}")
_UID = re.compile(r"([^|{}\n]{1,120}?)\|[\w'+:.&!-]*(?:\|([^|{}\n]*))?(?:\|.*)?")
_SLOT_MARK = re.compile(r"#[a-z]$")  # of a cantrip
_PROMPT = re.compile(r"#\$[^$]*\$#")  # a number that the site prompts for before a roll
_RANGES, _ATTACKS = {"m": "Melee", "r": "Ranged"}, {"w": "Weapon", "s": "Spell", "p": "Power"}
_ORDINALS = {"2": "Second ", "3": "Third ", "4": "Fourth "}
# The index of the part with the displayed text, if it is not the third part.
_DISPLAYED_PART = {
    "card": 3, "classFeature": 5, "deity": 3, "quickref": 4, "subclass": 4, "subclassFeature": 7,
    **dict.fromkeys(("5etools", "5etoolsImg", "adventure", "area", "book", "filter", "link", "loader"), 0),
}  # fmt: skip
# Formatting tags, whose whole text is displayed, with their Markdown marks if any.
_FORMATTING = {
    **dict.fromkeys(("b", "bold"), "**"),
    **dict.fromkeys(("i", "italic", "note"), "*"),
    **dict.fromkeys(("s", "strike", "s2", "strikeDouble"), "~~"),
    **dict.fromkeys(("u", "underline", "u2", "underlineDouble"), ""),
    "code": "`",
}
_SCRIPTS = {"sup": str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"), "sub": str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")}


def plain_text(text: str) -> str:
    """Return a text with every tag, such as ``{@spell bane|PHB}``, as its words; an unknown one as its first part."""
    for _ in range(_MAX_TAGS):
        replaced = _TAG.sub(_tag_text, text)
        if replaced == text:
            break
        text = replaced
    return text


def text_in(values: JsonObject, name: str) -> str:
    """Return a text of an object, with tags as words; empty if there is none."""
    return plain_text(str(values.get(name) or ""))


def displayed_reference(text: str) -> str:
    """Return the displayed text of ``torch|xphb``, ``torch|xphb|torches`` or ``light#c``; other text as it is."""
    plain = text.strip()
    if "|" in plain and (uid := _UID.fullmatch(plain)):
        displayed = uid[2] if plain.count("|") == 2 else ""
        plain = displayed or uid[1]
    return _SLOT_MARK.sub("", plain)


def referenced_name(text: str) -> str:
    """Return the name in a reference such as ``fireball|phb`` or a tag around one, without its source."""
    return plain_text(text).partition("|")[0].strip()


def _tag_text(tag: re.Match[str]) -> str:
    sign, name, content = tag[1], tag[2], (tag[3] or "").strip()
    parts = [part.strip() for part in content.split("|")] + [""] * 8
    if sign != "@":  # {#itemEntry name|source} and {=variable}, where nothing has replaced them
        return parts[0] or name
    if name in _FORMATTING:
        mark = _FORMATTING[name] if content else ""
        return f"{mark}{content}{mark}"
    if name in _SCRIPTS:  # a plain digit would be read with the number before it
        return content.translate(_SCRIPTS[name])
    if name in _TAGS:
        return _TAGS[name](parts)
    first = parts[0].partition("#")[0] if name == "spell" else parts[0]
    return parts[_DISPLAYED_PART.get(name, 2)] or first


def _signed(value: str) -> str:
    return f"+{value}" if value[:1].isdigit() else value


def _attack(parts: list[str], kind: str = "Attack:") -> str:
    """``mw,rw`` is Melee or Ranged Weapon Attack."""
    codes = [code for code in parts[0].replace(" ", "").split(",") if code]
    ranges = dict.fromkeys(_RANGES.get(code[0], "Area") for code in codes)
    attacks = dict.fromkeys(_ATTACKS.get(code[-1], "") for code in codes)
    return f"*{joined(' or '.join(ranges), ' or '.join(filter(None, attacks)), kind, sep=' ')}*"


def _recharge(parts: list[str]) -> str:
    lowest = parts[0] or "6"
    return f"(Recharge {lowest})" if lowest == "6" or not lowest.isdigit() else f"(Recharge {lowest}–6)"


def _ability(parts: list[str]) -> str:
    score = parts[0].rpartition(" ")[2]
    return parts[1] or (f"{score} ({(int(score) - 10) // 2:+d})" if score.isdigit() else parts[0])


def _saving_throw(parts: list[str]) -> str:
    codes = [code.strip() for code in parts[0].split(",")]
    return f"*{' or '.join(ABILITY_BY_ABBREVIATION.get(code.lower(), code).title() for code in codes)} Saving Throw:*"


# Each form takes the parts of a tag, and as many empty ones as it may look at.
_TAGS: Mapping[str, Callable[[list[str]], str]] = {
    "atk": _attack,
    "atkr": lambda p: _attack(p, "Attack Roll:"),
    **dict.fromkeys(("hit", "d20", "initiative"), lambda p: p[1] or _signed(p[0])),
    "dc": lambda p: f"DC {p[1] or p[0]}".strip(),
    # The author's name for a roll, else the roll.
    **dict.fromkeys(("dice", "autodice", "damage"), lambda p: p[1] or _PROMPT.sub("(n)", p[0]).replace(";", "/")),
    **dict.fromkeys(("scaledice", "scaledamage"), lambda p: p[4] or p[2] or p[0]),
    "recharge": _recharge,
    "ability": _ability,
    **dict.fromkeys(("savingThrow", "skillCheck"), lambda p: p[1] or _signed(p[0].rpartition(" ")[2])),
    "chance": lambda p: p[1] or f"{p[0]} percent".strip(),
    "coinflip": lambda p: p[0] or "flip a coin",
    "h": lambda _: "*Hit:* ",
    "m": lambda _: "*Miss:* ",
    "hom": lambda _: "*Hit or Miss:* ",
    "actTrigger": lambda _: "*Trigger:*",
    "actSave": _saving_throw,
    "actSaveSuccess": lambda _: "*Success:*",
    "actSaveSuccessOrFail": lambda _: "*Failure or Success:*",
    "actSaveFail": lambda p: f"*{_ORDINALS.get(p[0], '')}Failure:*",
    "actSaveFailBy": lambda p: f"*Failure by {p[0]} or More:*",
    "actResponse": lambda p: "*Response—*" if p[0] == "d" else "*Response:*",
    "dcYourSpellSave": lambda p: p[0] or "your spell save DC",
    "hitYourSpellAttack": lambda p: p[0] or "your spell attack modifier",
    **dict.fromkeys(
        ("footnote", "help", "homebrew", "tip"), lambda p: p[0] + phrase(" ({})", joined(*p[1:], sep="; "))
    ),
    "itemProperty": lambda p: p[2] or PROPERTIES.get(p[0], p[0]),
}


# --- Entries ---


def markdown(entry: object, depth: int = 0) -> str:
    """Return an entry, or a list of them, as Markdown; empty if it has no words. Raises ItemError."""
    if entry is None:
        return ""
    if depth > _MAX_DEPTH:
        raise ItemError(f"it is nested deeper than {_MAX_DEPTH} levels")
    if isinstance(entry, str):
        return plain_text(html_markdown(entry) if "<" in entry else entry).strip()
    if isinstance(entry, Mapping):
        return _FORMS.get(str(entry.get("type") or "entries"), _entries)(entry, depth).strip()
    if isinstance(entry, Sequence):
        return "\n\n".join(text for part in entry if (text := markdown(part, depth + 1)))
    if isinstance(entry, bool):
        return "yes" if entry else "no"
    return f"{entry:g}" if isinstance(entry, float) else str(entry)


def inline(entry: object, depth: int = 0) -> str:
    """Return an entry in one line, for a cell or a list item."""
    return " ".join(markdown(entry, depth).split())


def block_text(block: JsonObject) -> str:
    """Return the text of a named block, such as a trait, without its name."""
    kind = str(block.get("type") or "entries")
    if kind in _FORMS and not kind.startswith("inset"):
        return markdown({**block, "name": ""})
    return _blocks(markdown(_content(block)), _other_fields(block, 0))


def is_entry(value: JsonObject) -> bool:
    """Whether an object is an entry of a text, not a value with fields."""
    return "entries" in value or str(value.get("type")) in TYPES


def with_replaced(entries: object, replacement: Callable[[object], object], depth: int = 0) -> list[object]:
    """Return entries with some of them replaced, also in what replaces one; a replacement of None changes nothing."""
    result: list[object] = []
    for entry in listed(entries):
        new = replacement(entry) if depth <= _MAX_REPLACED else None
        if new is not None:
            grow(size_of(new))
            result += with_replaced(new, replacement, depth + 1)
        elif isinstance(entry, dict):
            nested = {field: entry[field] for field in ("entries", "items") if isinstance(entry.get(field), list)}
            result.append(entry | {field: with_replaced(part, replacement, depth) for field, part in nested.items()})
        else:
            result.append(entry)
    return result


def fill(entries: object, value_of: Callable[[str], object]) -> object:
    """Fill an item's values into entries: ``{=bonusWeapon}``, ``{=base/l}`` in lower case, ``{{item.detail1}}``.

    A variable of the first kind without a value stays; one of the second becomes nothing.
    """

    def filled(variable: re.Match[str]) -> str:
        value, flags = value_of(variable[1] or variable[3]), variable[2] or ""
        if value is None and variable[1]:
            return variable[0]
        text = " and ".join(map(markdown, listed(value)))
        grow(len(text))
        if "a" in flags:
            return "an" if text[:1].lower() in tuple("aeiou") else "a"
        return text.lower() if "l" in flags else text.title() if "t" in flags else text

    return with_texts(entries, lambda text: _VARIABLE.sub(filled, text))


# --- Blocks ---


def _run_in(name: str, text: str, *, dot: bool = True) -> str:
    """A text after its run-in heading, as books print it."""
    if not name:
        return text
    heading = f"**{name}.**" if dot and name[-1:] not in ".:!?" else f"**{name}**"
    separator = "\n\n" if text.startswith(_BLOCK_STARTS) else " "  # a list or a table starts on a new line
    return f"{heading}{separator}{text}".strip()


def _blocks(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def _bold(entry: JsonObject, field: str = "name") -> str:
    return phrase("**{}**", text_in(entry, field))


def _content(entry: JsonObject) -> object:
    return entry.get("entries", entry.get("entry", entry.get("items")))


def _entries(entry: JsonObject, depth: int) -> str:
    """Named blocks: a heading if there are several parts, else the name before the text."""
    name = text_in(entry, "name")
    text = _blocks(markdown(_content(entry), depth + 1), _other_fields(entry, depth))
    if name and "\n\n" in text and depth < 4:
        return f"{'#' * max(3, depth + 2)} {name}\n\n{text}"
    return _run_in(name, text)


def _other_fields(entry: JsonObject, depth: int) -> str:
    lines = ((name, inline(value, depth + 1)) for name, value in entry.items() if name not in _KNOWN_FIELDS and value)
    return "\n".join(f"{readable(name)}: {text}" for name, text in lines if text)


def _section(entry: JsonObject, depth: int) -> str:
    name, text = text_in(entry, "name"), markdown(entry.get("entries"), depth + 1)
    return f"{'#' * min(2 + depth, 6)} {name}\n\n{text}" if name else text


def _quoted(entry: JsonObject, depth: int) -> str:
    """An inset or a quotation, set off from the text."""
    authors = plain_text(", ".join(map(str, listed(entry.get("by")))))
    credit = phrase("— {}", joined(authors, text_in(entry, "from")))
    text = _blocks(_bold(entry), markdown(entry.get("entries"), depth + 1), credit)
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _list(entry: JsonObject, depth: int) -> str:
    start = entry.get("start")
    number = start if isinstance(start, int) else 1
    is_numbered = str(entry.get("style")).endswith(("-decimal", "-roman"))
    texts: list[str] = []
    for text in filter(None, (markdown(item, depth + 1) for item in listed(entry.get("items")))):
        first, *more = text.splitlines()
        if not first.startswith("- "):
            first = f"{number + len(texts)}. {first}" if is_numbered else f"- {first}"
        texts.append("\n".join([first, *(f"  {line}".rstrip() for line in more)]))
    return _blocks(_bold(entry), "\n".join(texts))


def _item(entry: JsonObject, depth: int) -> str:
    text = markdown(entry.get("entries", entry.get("entry")), depth + 1)
    return _run_in(text_in(entry, "name"), text, dot=entry.get("nameDot") is not False)


# --- Tables ---


def _cell_entry(entry: JsonObject, depth: int) -> str:
    """A cell: the die results of its row, or a text."""
    roll, results = entry.get("roll"), ""
    if isinstance(roll, Mapping):
        low, high = roll.get("min", roll.get("exact", "")), roll.get("max")
        results = f"{low}" if high is None else f"{low}–{high}"
    return joined(results, inline(entry.get("entry"), depth + 1), sep=" ")


def _table(entry: JsonObject, depth: int) -> str:
    groups = (entry, *objects(entry.get("colLabelGroups")))
    labels = [label for group in groups for label in listed(group.get("colLabels"))]
    heads: list[object] = [labels] if labels else members(entry.get("colLabelRows")) or [[]]
    bodies = [mapping(row).get("row", row) for row in listed(entry.get("rows"))]
    rows = [listed(row) for row in (*heads, *bodies)]
    if row_labels := listed(entry.get("rowLabels")):
        firsts = ["", *row_labels, *[""] * len(rows)]
        rows = [[first, *row] for first, row in zip(firsts, rows, strict=False)]
    cells = [[inline(cell, depth + 1).replace("|", "\\|") for cell in row] for row in rows]
    width = max(map(len, cells))
    grow(3 * width * len(cells))
    lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in cells]
    lines[1:1] = ["|" + "---|" * width]
    intro, footnotes, outro = (markdown(entry.get(field), depth + 1) for field in ("intro", "footnotes", "outro"))
    caption = _bold(entry, "caption" if entry.get("caption") else "name")
    return _blocks(caption, intro, "\n".join(lines) if width else "", footnotes, outro)


# --- Spell lists ---


def spell_list_text(values: JsonObject, depth: int = 0) -> str:
    """Return the paragraphs and the lines of a spell list, without its hidden parts."""
    hidden = members(values.get("hidden"))
    shown = {name: value for name, value in values.items() if name not in hidden}
    lines = []
    for limit, spells in _spells_by_limit(shown):
        texts = [
            as_object(spell, "entry").get("entry") for spell in members(spells) if not mapping(spell).get("hidden")
        ]
        if names := ", ".join(displayed_reference(plain_text(str(text))) for text in texts):
            lines.append(f"- {limit}: {names}")
    header, footer = (markdown(shown.get(field), depth + 1) for field in ("headerEntries", "footerEntries"))
    return _blocks(header, "\n".join(lines), footer)


def _spells_by_limit(values: JsonObject) -> Iterator[tuple[str, object]]:
    """The lists, each with how often its spells can be cast."""
    item = phrase(" of the {}", referenced_name(str(values.get("chargesItem") or "")))
    for field, limit in _LIMITS.items():
        lists = values.get(field)
        if isinstance(lists, list):
            yield limit, lists
        for uses, spells in mapping(lists).items():
            count = uses.removesuffix("e")
            words = limit.format(count) if "{}" in limit else counted(count, limit)
            if field == "spells":
                yield _slots(uses, mapping(spells)), mapping(spells).get("spells")
            else:
                yield f"{words}{item if field == 'charges' else ''}{' each' if uses != count else ''}", spells


def _slots(level: str, values: JsonObject) -> str:
    """``1st–3rd level (2 slots)``; a level that is not a number stays as it is."""
    if level == "0":
        return "Cantrips (at will)"
    slots, lowest = values.get("slots"), str(values.get("lower") or level)
    count = " (at will)" if slots == 0 else phrase(" ({})", counted(str(slots), "slot") if slots else "")
    levels = [ordinal(int(number)) if number.isdigit() else number for number in dict.fromkeys((lowest, level))]
    return f"{'–'.join(levels)}{'' if 'level' in level else ' level'}{count}"


# --- Entries without nested ones ---


def _formula(result: str, base: str) -> Form:
    """The formula of a save DC or an attack modifier, after the name that it has."""

    def form(entry: JsonObject, _: int) -> str:
        codes = map(str, listed(entry.get("attributes")))
        abilities = " or ".join(ABILITY_BY_ABBREVIATION.get(code, f"{code} ability").title() for code in codes)
        return joined(
            phrase("**{}** =", joined(text_in(entry, "name"), result, sep=" ")), base, abilities, "modifier", sep=" "
        )

    return form


def _inline_parts(entry: JsonObject, depth: int) -> str:
    parts = listed(entry.get("entries"))
    return "".join(plain_text(part) if isinstance(part, str) else markdown(part, depth + 1) for part in parts)


def _picture(entry: JsonObject, _: int) -> str:
    texts = dict.fromkeys(text_in(entry, field) for field in ("title", "mapName", "altText", "credit"))
    return phrase("[Picture: {}]", joined(*texts))


def _reference(entry: JsonObject, _: int) -> str:
    """A reference to a stat block, a table or a feature elsewhere."""
    block, code = mapping(entry.get("data")), str(entry.get("abbreviation") or "")
    fields = ("displayName", "name", "classFeature", "subclassFeature", "optionalfeature", "feat")
    name = next((str(entry[field]) for field in fields if entry.get(field)), "") or text_in(block, "name")
    return phrase("See {}.", referenced_name(name) or PROPERTIES.get(code, code))


_FORMS: Mapping[str, Form] = {
    "section": _section,
    **dict.fromkeys(("inset", "insetReadaloud", "quote", "variant", "variantInner"), _quoted),
    "list": _list,
    **dict.fromkeys(("item", "itemSub", "itemSpell", "variantSub"), _item),
    "table": _table,
    "tableGroup": lambda entry, depth: _blocks(_bold(entry), markdown(entry.get("tables"), depth + 1)),
    **dict.fromkeys(("cell", "cellHeader"), _cell_entry),
    "abilityDc": _formula("save DC", "8 + your proficiency bonus + your"),
    "abilityAttackMod": _formula("attack modifier", "your proficiency bonus + your"),
    **dict.fromkeys(("inline", "inlineBlock"), _inline_parts),
    "image": _picture,
    "link": lambda entry, _: text_in(entry, "text"),
    "hr": lambda *_: "---",
    "spellcasting": lambda entry, depth: _run_in(text_in(entry, "name"), spell_list_text(entry, depth)),
    **dict.fromkeys(
        ("statblock", "refTable", "statblockInline", "refClassFeature", "refSubclassFeature", "refOptionalfeature",
         "refFeat"), _reference
    ),
}  # fmt: skip
TYPES = frozenset(_FORMS) | frozenset(
    "entries actions patron entriesOtherSource hidden options optfeature ingredient abilityGeneric bonus bonusSpeed"
    " gallery flowchart flowBlock wrapper row code wrappedHtml".split()
)
"""The format's types of entries."""
