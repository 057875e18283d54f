"""Rules and rule sets: the package's long sections cut at their headings.

Each rule is a heading with the text up to the next one, under the key that Open5e gives it where it has
the same rule, so that "Death Saving Throws" can be found by name. Open5e files some sections together
(``Abilities``) and others under another name (``Combat Sequence``); which, says ``outline``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lorekeeper_mcp.models import Kind, Ref, Rule
from lorekeeper_mcp.text import slugify
from srd_converter.srd2014.entries import COMMON, Entry, read
from srd_converter.srd2014.outline import CHAPTER_SETS, KEPT, KEYS, LOST_TABLES, SETS, SPLIT

_HEADING = re.compile(r"(?m)^(#{1,6}) +(.+?) *$")
_TABLE = re.compile(r"(?m)^\|.*(?:\n\|.*)+")
_DEEPEST = 4  # headings below are captions of tables
# Open5e has an introduction to magic items of its own; the sections of the package are rules below it.
_RULES_ONLY = {"magic-items"}
# Headings that come under several abilities.
_PER_ABILITY = {"Attack Rolls and Damage", "Spellcasting Ability", "Hit Points", "Initiative", "Armor Class"}


@dataclass(frozen=True)
class _Part:
    """A heading with the text up to the next, and the heading it stands under."""

    level: int
    title: str
    text: str
    parent: str = ""


def rules() -> list[Rule]:
    """Every rule set, each followed by its rules in order; chapters without a text of their own last."""
    chapters, sections = read("Rules"), {entry.index: entry for entry in read("RuleSections")}
    gathered: dict[str, list[tuple[str, _Part]]] = {}
    names: dict[str, str] = {}
    for chapter in chapters:
        if own := CHAPTER_SETS.get(chapter.index):
            _gather(gathered, names, own, chapter)
        for index in (one.index for one in chapter.entries("subsections")):
            section = sections.pop(index, Entry())
            _gather(gathered, names, SETS.get(index, (index, section.name)), section)
    for section in sections.values():
        _gather(gathered, names, SETS.get(section.index, (section.index, section.name)), section)
    records = [record for key, parts in gathered.items() for record in _records(key, names[key], parts)]
    return [*records, *(_chapter(entry) for entry in chapters if entry.index not in CHAPTER_SETS)]


def _gather(
    gathered: dict[str, list[tuple[str, _Part]]], names: dict[str, str], into: tuple[str, str], section: Entry
) -> None:
    key, name = into
    names.setdefault(key, name)
    gathered.setdefault(key, []).extend((section.index, part) for part in _parts(section))


def _records(slug: str, name: str, parts: list[tuple[str, _Part]]) -> Iterator[Rule]:
    """The rule set and its rules. The first part is the set's own text unless it is a rule in Open5e."""
    key = f"srd_{slug}"
    own = "" if slug in _RULES_ONLY else _introduction(name, parts[0][1])
    below = parts if slug in _RULES_ONLY else parts[1:]
    section = Ref(name=name, key=key)
    found = [_rule(section, index, part, order) for order, (index, part) in enumerate(below, start=1)]
    yield Rule(
        kind=Kind.RULE_SET,
        key=key,
        name=name,
        text=own,
        rules=tuple(Ref(name=rule.name, key=rule.key) for rule in found),
        **COMMON,
    )
    yield from found


def _introduction(name: str, part: _Part) -> str:
    """The text of a rule set, under its own heading where Open5e's name is another."""
    return part.text if part.title == name else f"## {part.title}\n\n{part.text}"


def _rule(section: Ref, index: str, part: _Part, order: int) -> Rule:
    slug = slugify(part.title)
    # Under Using Each Ability a heading such as Spellcasting Ability comes once per ability.
    if index == "using-each-ability" and part.level == _DEEPEST and part.title in _PER_ABILITY:
        slug, title = f"{slugify(part.parent)}-{slug}", f"{part.title} ({part.parent})"
    else:
        title = part.title
    key = KEYS.get(f"{section.key}_{slug}", f"{section.key}_{slug}")
    return Rule(
        kind=Kind.RULE,
        key=key,
        name=title,
        text=part.text,
        section=section,
        order=order,
        header_level=part.level,
        **COMMON,
    )


def _parts(section: Entry) -> list[_Part]:
    """The headings of a section with their texts; what is not cut off stays with the heading above."""
    text = section.text("desc")
    cuts = [one for one in _HEADING.finditer(text) if _is_cut(section.index, len(one[1]), one[2])]
    if not cuts or text[: cuts[0].start()].strip():
        return [_Part(level=2, title=section.name, text=text)]
    ends = [one.start() for one in cuts[1:]] + [len(text)]
    parts: list[_Part] = []
    above = ""
    for cut, end in zip(cuts, ends, strict=True):
        level, title = len(cut[1]), cut[2]
        parts += _with_table(section.index, _Part(level, title, text[cut.end() : end].strip(), above))
        above = title if level < _DEEPEST else above
    return parts


def _is_cut(index: str, level: int, title: str) -> bool:
    if level > _DEEPEST:
        return (index, title) in SPLIT
    return (index, level, title) not in KEPT


def _with_table(index: str, part: _Part) -> list[_Part]:
    """The part, and apart from it a table that Open5e's rule of the same name has lost."""
    table = _TABLE.search(part.text) if (index, part.title) in LOST_TABLES else None
    if not table:
        return [part]
    title = f"{part.title} Table"
    rest = f"{part.text[: table.start()].strip()}\n\n{part.text[table.end() :].strip()}".strip()
    own = _Part(min(part.level + 1, _DEEPEST + 1), title, table[0], part.title)
    return [_Part(part.level, part.title, rest, part.parent), own] if rest else [own]


def _chapter(entry: Entry) -> Rule:
    """A chapter that is a mere list of rule sets."""
    sections = [SETS.get(one.index, (one.index, one.name)) for one in entry.entries("subsections")]
    return Rule(
        kind=Kind.RULE_SET,
        key=f"srd_{entry.index}",
        name=entry.name,
        rules=tuple(Ref(name=name, key=f"srd_{slug}") for slug, name in sections),
        **COMMON,
    )
