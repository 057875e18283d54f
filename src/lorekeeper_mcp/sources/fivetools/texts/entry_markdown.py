"""Converts entry trees to Markdown: paragraphs, headings, lists, tables, insets and other elements of a book."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from lorekeeper_mcp.sources.fivetools.texts import cast_spells, leaf_entries
from lorekeeper_mcp.sources.fivetools.texts.leaf_entries import Json
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, text_in
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import listed, objects

_DEEPEST = 60  # levels; no book needs more
_RUN_IN_NAME = re.compile(r"\A\*\*([^*\n]+?)\.?\*\*\s+")
_BLOCKS = ("- ", "1. ", "| ", "> ", "#")  # starts of a block
_HIDDEN = frozenset(
    {"type", "source", "page", "id", "data", "style", "name", "entries", "srd", "basicRules", "alias", "variantSource",
     "sort"}
)  # fmt: skip


def markdown(entry: object, depth: int = 0) -> str:
    """Return an entry, or a list of them, as Markdown; empty if it has no words. Raises ItemError."""
    if depth > _DEEPEST:
        raise ItemError(f"it is nested deeper than {_DEEPEST} levels")
    if isinstance(entry, str):
        return plain_text(entry).strip()
    if isinstance(entry, bool) or entry is None:
        return "" if entry is None else "yes" if entry else "no"
    if isinstance(entry, int | float):
        return f"{entry:g}" if isinstance(entry, float) else str(entry)
    if isinstance(entry, Mapping):
        kind = str(entry.get("type") or "entries")
        return _FORMS.get(kind, _entries)(entry, depth).strip()
    if isinstance(entry, Sequence):
        return "\n\n".join(part for one in entry if (part := markdown(one, depth + 1)))
    return str(entry)


def inline(entry: object, depth: int = 0) -> str:
    """Return an entry in one line, for a cell or a list item."""
    return " ".join(markdown(entry, depth).split())


def named(name: str, text: str, *, dot: bool = True) -> str:
    """Return a text with its run-in heading, as books print it."""
    if not name:
        return text
    head = f"**{name}.**" if dot and name[-1:] not in ".:!?" else f"**{name}**"
    between = "\n\n" if text.startswith(_BLOCKS) else " "  # a list or a table starts on a new line
    return f"{head}{between}{text}".strip()


def _blocks(*parts: str) -> str:
    """Parts separated by blank lines."""
    return "\n\n".join(filter(None, parts))


def _bold(entry: Json, name: str = "name") -> str:
    """The name of an entry as a line of its own."""
    return f"**{text}**" if (text := text_in(entry, name)) else ""


def _entries(entry: Json, depth: int) -> str:
    """Named blocks: a heading if there are several parts, else the name before the text."""
    name = text_in(entry, "name")
    inner = entry.get("entries", entry.get("entry", entry.get("items")))
    text = markdown(inner, depth + 1) if inner is not None else ""
    text = _blocks(text, _leftovers(entry, depth))
    if name and "\n\n" in text and depth < 4:
        return f"{'#' * min(3 + max(0, depth - 1), 6)} {name}\n\n{text}"
    return named(name, text)


def _leftovers(entry: Json, depth: int) -> str:
    """The other fields of an entry, line by line."""
    lines = ((key, inline(value, depth + 1)) for key, value in entry.items() if key not in _KNOWN_KEYS and value)
    return "\n".join(f"{key}: {text}" for key, text in lines if text)


def block_text(block: Json) -> str:
    """Return the text of a named block, such as a trait, without its name."""
    kind = str(block.get("type") or "entries")
    if kind in _FORMS and not kind.startswith("inset"):
        return markdown({**block, "name": ""})
    text = markdown(block.get("entries", block.get("entry", block.get("items", []))))
    return _blocks(text, _leftovers(block, 0))


def _option(entry: Json, depth: int) -> str:
    """A feature option, with its prerequisites before its text."""
    required = text_in(entry, "prerequisite")
    inner = [*([f"*Prerequisite: {required}*"] if required else []), *listed(entry.get("entries"))]
    return _entries({"name": entry.get("name"), "entries": inner}, depth)


def _options(entry: Json, depth: int) -> str:
    """Feature options, preceded by the number to choose.

    If one has a heading, every name becomes one, and texts without a name come first, under no other's heading.
    """
    texts = [markdown(one, depth + 2) for one in listed(entry.get("entries"))]
    if level := next((text.partition(" ")[0] for text in texts if text.startswith("#")), ""):
        headed = (_RUN_IN_NAME.sub(rf"{level} \1\n\n", text) for text in texts)
        texts = sorted(headed, key=lambda text: text.startswith("#"))
    count = entry.get("count")
    choose = [f"Choose {count} of the following:"] if isinstance(count, int) and count > 0 else []
    return _entries({**entry, "entries": [*choose, *texts]}, depth)


def _section(entry: Json, depth: int) -> str:
    name = text_in(entry, "name")
    text = markdown(entry.get("entries", []), depth + 1)
    return f"{'#' * min(2 + depth, 6)} {name}\n\n{text}" if name else text


def _quoted(entry: Json, depth: int) -> str:
    """An inset or a quotation, set off from the text."""
    text = _blocks(_bold(entry), markdown(entry.get("entries", []), depth + 1))
    by = ", ".join(map(str, listed(entry.get("by"))))
    if credit := ", ".join(filter(None, (plain_text(by), text_in(entry, "from")))):
        text += f"\n\n— {credit}"
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _list(entry: Json, depth: int) -> str:
    items = entry.get("items")
    start = first if isinstance(first := entry.get("start"), int) else 1
    lines: list[str] = []
    for item in items if isinstance(items, Sequence) and not isinstance(items, str) else [items]:
        text = markdown(item, depth + 1)
        if not text:
            continue
        first, *more = text.splitlines()
        mark = f"{start + len(lines)}." if entry.get("style") in _COUNTED else "-"
        begin = first if first.startswith("- ") else f"{mark} {first}"
        lines.append("\n".join([begin, *(f"  {line}".rstrip() for line in more)]))
    return _blocks(_bold(entry), "\n".join(lines))


def _item(entry: Json, depth: int) -> str:
    """A list item with a name of its own."""
    inner = entry.get("entries", entry.get("entry"))
    text = markdown(inner, depth + 1) if inner is not None else ""
    return named(text_in(entry, "name"), text, dot=entry.get("nameDot") is not False)


def _rolled(entry: Json, depth: int) -> str:
    """A cell: the die results of its row, or a text."""
    roll = entry.get("roll")
    shown = ""
    if isinstance(roll, Mapping):
        low, high = roll.get("min", roll.get("exact", "")), roll.get("max")
        shown = f"{low}" if high is None else f"{low}–{high}"
    return " ".join(part for part in (shown, inline(entry.get("entry"), depth + 1)) if part)


def _cell(value: object, depth: int) -> str:
    return inline(value, depth + 1).replace("|", "\\|")


def _table(entry: Json, depth: int) -> str:
    groups = entry.get("colLabelGroups")
    labels = entry.get("colLabels")
    if isinstance(groups, list):
        labels = [label for group in objects(groups) for label in listed(group.get("colLabels"))]
    head = _labels([labels] if labels is not None else listed(entry.get("colLabelRows")), depth)
    rows = []
    names = listed(entry.get("rowLabels"))
    for at, row in enumerate(listed(entry.get("rows"))):
        cells = row.get("row") if isinstance(row, Mapping) else row
        label = [_cell(names[at] if at < len(names) else "", depth)] if names else []
        rows.append([*label, *(_cell(cell, depth) for cell in (cells if isinstance(cells, list) else [cells]))])
    head = ["", *head] if names and head else head
    width = max([len(head), *map(len, rows)], default=0)
    lines = [_row(head, width), "|" + "---|" * width, *(_row(row, width) for row in rows)] if width else []
    intro, footnotes, outro = (markdown(entry.get(part, []), depth + 1) for part in ("intro", "footnotes", "outro"))
    caption = _bold(entry, "caption" if entry.get("caption") else "name")
    return _blocks(caption, intro, "\n".join(lines), footnotes, outro)


def _labels(rows: Sequence[object], depth: int) -> list[str]:
    """The labels of columns; with several head rows, those above each other are joined: ``Damage: Bite``."""
    columns: list[list[str]] = []
    for row in rows:
        spread = [label for label in listed(row) for _ in range(_width(label) if len(rows) > 1 else 1)]
        for at, label in enumerate(spread):
            if at == len(columns):
                columns.append([])
            columns[at].append(_cell(label, depth))
    return [": ".join(dict.fromkeys(filter(None, column))) for column in columns]


def _width(label: object) -> int:
    given = label.get("width") if isinstance(label, Mapping) else 1
    return min(given, 30) if isinstance(given, int) and given > 0 else 1


def _row(cells: Sequence[str], width: int) -> str:
    return f"| {' | '.join([*cells, *[''] * (width - len(cells))])} |"


def _ability_text(entry: Json, depth: int) -> str:
    name = leaf_entries.titled(entry, "")
    modifier = f"{leaf_entries.modifier(entry)} modifier" if entry.get("attributes") else ""
    parts = (f"**{name}** =" if name else "", inline(entry.get("text"), depth + 1), modifier)
    return " ".join(part for part in parts if part)


def _inline_parts(entry: Json, depth: int) -> str:
    parts = listed(entry.get("entries"))
    return "".join(plain_text(one) if isinstance(one, str) else markdown(one, depth + 1) for one in parts)


def _attack(entry: Json, depth: int) -> str:
    way = {"MW": "Melee Weapon Attack", "RW": "Ranged Weapon Attack"}.get(str(entry.get("attackType")), "Attack")
    attack, hit = inline(entry.get("attackEntries", []), depth + 1), inline(entry.get("hitEntries", []), depth + 1)
    return named(text_in(entry, "name"), f"*{way}:* {attack} *Hit:* {hit}")


def _homebrew(entry: Json, depth: int) -> str:
    """A change to another book: the new text; without one, the removed text or its new place."""
    text = markdown(entry.get("entries", []), depth + 1)
    old = inline(entry.get("oldEntries", []), depth + 1)
    moved = inline(entry.get("movedTo"), depth + 1)
    note = f"(Moved to {moved}.)" if moved else f"(Left out: {old})" if old and not text else ""
    return _blocks(text, note)


def _around(field: str) -> Callable[[Json, int], str]:
    """An entry that only contains others, perhaps with a name."""
    return lambda entry, depth: named(text_in(entry, "name"), markdown(entry.get(field), depth + 1))


_COUNTED = ("list-decimal", "list-lower-roman", "list-upper-roman")
_KNOWN_KEYS = _HIDDEN | {"entry", "items", "count", "columns", "colStyles", "isStriped", "hasFluff", "hasFluffImages"}
_FORMS: Mapping[str, Callable[[Json, int], str]] = {
    "section": _section,
    **dict.fromkeys(("inset", "insetReadaloud", "quote", "variant", "variantInner"), _quoted),
    "optfeature": _option,
    "options": _options,
    "list": _list,
    **dict.fromkeys(("item", "itemSub", "itemSpell", "variantSub"), _item),
    # ``{=amount1} cups of rice`` with the entry's own amounts
    "ingredient": lambda entry, depth: _item({**entry, "entry": leaf_entries.filled(entry.get("entry"), entry)}, depth),
    "table": _table,
    "tableGroup": lambda entry, depth: _blocks(_bold(entry), markdown(entry.get("tables", []), depth + 1)),
    **dict.fromkeys(("cell", "cellHeader"), _rolled),
    "abilityDc": leaf_entries.ability_formula("save DC", "8 + "),
    "abilityAttackMod": leaf_entries.ability_formula("attack modifier"),
    "abilityGeneric": _ability_text,
    **dict.fromkeys(("inline", "inlineBlock"), _inline_parts),
    "bonus": leaf_entries.bonus,
    "bonusSpeed": lambda entry, depth: f"{leaf_entries.bonus(entry, depth)} ft.",
    "dice": leaf_entries.dice,
    "image": leaf_entries.picture,
    "gallery": _around("images"),
    "flowchart": _around("blocks"),
    "wrapper": _around("wrapped"),
    "row": _around("row"),
    "link": lambda entry, _depth: text_in(entry, "text"),
    "hr": lambda _entry, _depth: "---",
    **dict.fromkeys(("statblock", "refTable"), leaf_entries.statblock),
    "statblockInline": leaf_entries.statblock_inline,
    "attack": _attack,
    "code": lambda entry, _: _blocks(_bold(entry), f"```\n{entry.get('preformatted') or ''}\n```"),
    "homebrew": _homebrew,
    "wrappedHtml": leaf_entries.html,
    "spellcasting": lambda entry, depth: named(
        text_in(entry, "name"), cast_spells.text(entry, lambda one: markdown(one, depth + 1))
    ),
    **dict.fromkeys(
        ("refClassFeature", "refSubclassFeature", "refOptionalfeature", "refFeat"), leaf_entries.feature_reference
    ),
}
TYPES = frozenset(_FORMS) | {"entries", "actions", "patron", "entriesOtherSource", "hidden", "flowBlock"}
"""The format's types of entries."""
