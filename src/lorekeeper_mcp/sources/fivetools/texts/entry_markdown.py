"""Converts entry trees to Markdown: paragraphs, headings, lists, tables, insets and other elements of a book."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from lorekeeper_mcp.sources.fivetools.texts import leaf_entries
from lorekeeper_mcp.sources.fivetools.texts.cast_spells import spell_list_text
from lorekeeper_mcp.sources.fivetools.texts.leaf_entries import Json
from lorekeeper_mcp.sources.fivetools.texts.placeholders import fill_variables
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, text_in
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import listed, objects
from lorekeeper_mcp.sources.phrases import joined

_MAX_DEPTH = 60  # levels; no book needs more
_RUN_IN_NAME = re.compile(r"\A\*\*([^*\n]+?)\.?\*\*\s+")
_BLOCK_STARTS = ("- ", "1. ", "| ", "> ", "#")
_NUMBERED_LISTS = ("list-decimal", "list-lower-roman", "list-upper-roman")
# Fields that are part of an entry's text, or that no reader needs.
_KNOWN_FIELDS = frozenset(
    {"type", "source", "page", "id", "data", "style", "name", "entries", "srd", "basicRules", "alias", "variantSource",
     "sort", "entry", "items", "count", "columns", "colStyles", "isStriped", "hasFluff", "hasFluffImages"}
)  # fmt: skip


def markdown(entry: object, depth: int = 0) -> str:
    """Return an entry, or a list of them, as Markdown; empty if it has no words. Raises ItemError."""
    if entry is None:
        return ""
    if depth > _MAX_DEPTH:
        raise ItemError(f"it is nested deeper than {_MAX_DEPTH} levels")
    if isinstance(entry, str):
        return plain_text(entry).strip()
    if isinstance(entry, Mapping):
        kind = str(entry.get("type") or "entries")
        return _FORMS.get(kind, _entries)(entry, depth).strip()
    if isinstance(entry, Sequence):
        return "\n\n".join(text for part in entry if (text := markdown(part, depth + 1)))
    if isinstance(entry, bool):
        return "yes" if entry else "no"
    return f"{entry:g}" if isinstance(entry, float) else str(entry)


def inline(entry: object, depth: int = 0) -> str:
    """Return an entry in one line, for a cell or a list item."""
    return " ".join(markdown(entry, depth).split())


def block_text(block: Json) -> str:
    """Return the text of a named block, such as a trait, without its name."""
    kind = str(block.get("type") or "entries")
    if kind in _FORMS and not kind.startswith("inset"):
        return markdown({**block, "name": ""})
    return _blocks(markdown(_content(block)), _other_fields(block, 0))


def _run_in(name: str, text: str, *, dot: bool = True) -> str:
    """A text after its run-in heading, as books print it."""
    if not name:
        return text
    heading = f"**{name}.**" if dot and name[-1:] not in ".:!?" else f"**{name}**"
    separator = "\n\n" if text.startswith(_BLOCK_STARTS) else " "  # a list or a table starts on a new line
    return f"{heading}{separator}{text}".strip()


def _blocks(*parts: str) -> str:
    """Parts separated by blank lines."""
    return "\n\n".join(filter(None, parts))


def _bold(entry: Json, field: str = "name") -> str:
    """The name of an entry as a line of its own."""
    return f"**{text}**" if (text := text_in(entry, field)) else ""


def _content(entry: Json) -> object:
    return entry.get("entries", entry.get("entry", entry.get("items")))


def _entries(entry: Json, depth: int) -> str:
    """Named blocks: a heading if there are several parts, else the name before the text."""
    name = text_in(entry, "name")
    text = _blocks(markdown(_content(entry), depth + 1), _other_fields(entry, depth))
    if name and "\n\n" in text and depth < 4:
        return f"{'#' * max(3, depth + 2)} {name}\n\n{text}"
    return _run_in(name, text)


def _other_fields(entry: Json, depth: int) -> str:
    """The other fields of an entry, line by line."""
    lines = ((name, inline(value, depth + 1)) for name, value in entry.items() if name not in _KNOWN_FIELDS and value)
    return "\n".join(f"{name}: {text}" for name, text in lines if text)


def _option(entry: Json, depth: int) -> str:
    """A feature option, with its prerequisites before its text."""
    required = text_in(entry, "prerequisite")
    prerequisite = [f"*Prerequisite: {required}*"] if required else []
    return _entries({"name": entry.get("name"), "entries": [*prerequisite, *listed(entry.get("entries"))]}, depth)


def _options(entry: Json, depth: int) -> str:
    """Feature options, preceded by the number to choose.

    If one has a heading, every name becomes one, and texts without a name come first, under no other's heading.
    """
    texts = [markdown(option, depth + 2) for option in listed(entry.get("entries"))]
    if level := next((text.partition(" ")[0] for text in texts if text.startswith("#")), ""):
        headed = (_RUN_IN_NAME.sub(rf"{level} \1\n\n", text) for text in texts)
        texts = sorted(headed, key=lambda text: text.startswith("#"))
    count = entry.get("count")
    choose = [f"Choose {count} of the following:"] if isinstance(count, int) and count > 0 else []
    return _entries({**entry, "entries": [*choose, *texts]}, depth)


def _section(entry: Json, depth: int) -> str:
    name = text_in(entry, "name")
    text = markdown(entry.get("entries"), depth + 1)
    return f"{'#' * min(2 + depth, 6)} {name}\n\n{text}" if name else text


def _quoted(entry: Json, depth: int) -> str:
    """An inset or a quotation, set off from the text."""
    text = _blocks(_bold(entry), markdown(entry.get("entries"), depth + 1))
    authors = plain_text(", ".join(map(str, listed(entry.get("by")))))
    if credit := joined(authors, text_in(entry, "from")):
        text += f"\n\n— {credit}"
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _list(entry: Json, depth: int) -> str:
    start = entry.get("start")
    number = start if isinstance(start, int) else 1
    is_numbered = entry.get("style") in _NUMBERED_LISTS
    items = entry.get("items")
    texts: list[str] = []
    for item in items if isinstance(items, Sequence) and not isinstance(items, str) else [items]:
        text = markdown(item, depth + 1)
        if not text:
            continue
        first, *more = text.splitlines()
        if not first.startswith("- "):
            first = f"{number + len(texts)}. {first}" if is_numbered else f"- {first}"
        texts.append("\n".join([first, *(f"  {line}".rstrip() for line in more)]))
    return _blocks(_bold(entry), "\n".join(texts))


def _item(entry: Json, depth: int) -> str:
    """A list item with a name of its own."""
    text = markdown(entry.get("entries", entry.get("entry")), depth + 1)
    return _run_in(text_in(entry, "name"), text, dot=entry.get("nameDot") is not False)


def _cell_entry(entry: Json, depth: int) -> str:
    """A cell: the die results of its row, or a text."""
    roll, results = entry.get("roll"), ""
    if isinstance(roll, Mapping):
        low, high = roll.get("min", roll.get("exact", "")), roll.get("max")
        results = f"{low}" if high is None else f"{low}–{high}"
    return joined(results, inline(entry.get("entry"), depth + 1), sep=" ")


def _cell(value: object, depth: int) -> str:
    return inline(value, depth + 1).replace("|", "\\|")


def _table(entry: Json, depth: int) -> str:
    labels = entry.get("colLabels")
    if isinstance(groups := entry.get("colLabelGroups"), list):
        labels = [label for group in objects(groups) for label in listed(group.get("colLabels"))]
    head = _column_labels([labels] if labels is not None else listed(entry.get("colLabelRows")), depth)
    row_labels = listed(entry.get("rowLabels"))
    if row_labels and head:
        head = ["", *head]
    rows = []
    for at, row in enumerate(listed(entry.get("rows"))):
        cells = row.get("row") if isinstance(row, Mapping) else row
        label = [row_labels[at] if at < len(row_labels) else ""] if row_labels else []
        rows.append([_cell(cell, depth) for cell in (*label, *(cells if isinstance(cells, list) else [cells]))])
    width = max([len(head), *map(len, rows)], default=0)
    lines = [_row(head, width), "|" + "---|" * width, *(_row(row, width) for row in rows)] if width else []
    intro, footnotes, outro = (markdown(entry.get(field), depth + 1) for field in ("intro", "footnotes", "outro"))
    caption = _bold(entry, "caption" if entry.get("caption") else "name")
    return _blocks(caption, intro, "\n".join(lines), footnotes, outro)


def _column_labels(rows: Sequence[object], depth: int) -> list[str]:
    """The labels of columns; with several head rows, those above each other are joined: ``Damage: Bite``."""
    columns: list[list[str]] = []
    for row in rows:
        labels = [label for label in listed(row) for _ in range(_width(label) if len(rows) > 1 else 1)]
        columns += [[] for _ in labels[len(columns) :]]
        for column, label in zip(columns, labels, strict=False):
            column.append(_cell(label, depth))
    return [": ".join(dict.fromkeys(filter(None, column))) for column in columns]


def _width(label: object) -> int:
    width = label.get("width") if isinstance(label, Mapping) else 1
    return min(width, 30) if isinstance(width, int) and width > 0 else 1


def _row(cells: Sequence[str], width: int) -> str:
    return f"| {' | '.join([*cells, *[''] * (width - len(cells))])} |"


def _ability_text(entry: Json, depth: int) -> str:
    name = text_in(entry, "name")
    modifier = f"{leaf_entries.modifier(entry)} modifier" if entry.get("attributes") else ""
    parts = (f"**{name}** =" if name else "", inline(entry.get("text"), depth + 1), modifier)
    return " ".join(filter(None, parts))


def _inline_parts(entry: Json, depth: int) -> str:
    parts = listed(entry.get("entries"))
    return "".join(plain_text(part) if isinstance(part, str) else markdown(part, depth + 1) for part in parts)


def _attack(entry: Json, depth: int) -> str:
    kind = {"MW": "Melee Weapon Attack", "RW": "Ranged Weapon Attack"}.get(str(entry.get("attackType")), "Attack")
    attack, hit = inline(entry.get("attackEntries"), depth + 1), inline(entry.get("hitEntries"), depth + 1)
    return _run_in(text_in(entry, "name"), f"*{kind}:* {attack} *Hit:* {hit}")


def _homebrew(entry: Json, depth: int) -> str:
    """A change to another book: the new text; without one, the removed text or its new place."""
    text = markdown(entry.get("entries"), depth + 1)
    removed, destination = inline(entry.get("oldEntries"), depth + 1), inline(entry.get("movedTo"), depth + 1)
    if destination:
        return _blocks(text, f"(Moved to {destination}.)")
    return text or (f"(Left out: {removed})" if removed else "")


def _wrapper(field: str) -> Callable[[Json, int], str]:
    """An entry that only contains others, perhaps with a name."""
    return lambda entry, depth: _run_in(text_in(entry, "name"), markdown(entry.get(field), depth + 1))


def _ingredient(entry: Json, depth: int) -> str:
    """``{=amount1} cups of rice`` with the entry's own amounts."""
    return _item({**entry, "entry": fill_variables(entry.get("entry"), entry)}, depth)


def _spell_list(entry: Json, depth: int) -> str:
    return _run_in(text_in(entry, "name"), spell_list_text(entry, lambda part: markdown(part, depth + 1)))


_FORMS: Mapping[str, Callable[[Json, int], str]] = {
    "section": _section,
    **dict.fromkeys(("inset", "insetReadaloud", "quote", "variant", "variantInner"), _quoted),
    "optfeature": _option,
    "options": _options,
    "list": _list,
    **dict.fromkeys(("item", "itemSub", "itemSpell", "variantSub"), _item),
    "ingredient": _ingredient,
    "table": _table,
    "tableGroup": lambda entry, depth: _blocks(_bold(entry), markdown(entry.get("tables"), depth + 1)),
    **dict.fromkeys(("cell", "cellHeader"), _cell_entry),
    "abilityDc": leaf_entries.ability_formula("save DC", "8 + "),
    "abilityAttackMod": leaf_entries.ability_formula("attack modifier"),
    "abilityGeneric": _ability_text,
    **dict.fromkeys(("inline", "inlineBlock"), _inline_parts),
    "bonus": leaf_entries.bonus,
    "bonusSpeed": lambda entry, depth: f"{leaf_entries.bonus(entry, depth)} ft.",
    "dice": leaf_entries.dice,
    "image": leaf_entries.picture,
    "gallery": _wrapper("images"),
    "flowchart": _wrapper("blocks"),
    "wrapper": _wrapper("wrapped"),
    "row": _wrapper("row"),
    "link": lambda entry, _depth: text_in(entry, "text"),
    "hr": lambda _entry, _depth: "---",
    **dict.fromkeys(("statblock", "refTable"), leaf_entries.statblock),
    "statblockInline": leaf_entries.statblock_inline,
    "attack": _attack,
    "code": lambda entry, _: _blocks(_bold(entry), f"```\n{entry.get('preformatted') or ''}\n```"),
    "homebrew": _homebrew,
    "wrappedHtml": leaf_entries.html,
    "spellcasting": _spell_list,
    **dict.fromkeys(
        ("refClassFeature", "refSubclassFeature", "refOptionalfeature", "refFeat"), leaf_entries.feature_reference
    ),
}
TYPES = frozenset(_FORMS) | {"entries", "actions", "patron", "entriesOtherSource", "hidden", "flowBlock"}
"""The format's types of entries."""
