"""Rules and rule sets: the chapters of the SRD 5.1 split at the book's own headings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.models import Ref, Rule
from lorekeeper_mcp.text import slugify
from srd_converter.book2014.blocks import markdown
from srd_converter.book2014.class_features import is_in_classes
from srd_converter.book2014.class_tables import without_level_table
from srd_converter.book2014.outline import (
    BOXES,
    CLASS_PREFIX,
    LAST_PARTS,
    NAMES,
    PROMOTED,
    RULES_ONLY,
    SPELL_LISTS,
    STARTS,
    TWO_LINES,
    WITHIN,
    Start,
    key_of_rule,
)
from srd_converter.book2014.pages import Line, read
from srd_converter.rule_sets import BOXED, RuleText, rule_set
from srd_converter.sections import split_at
from srd_converter.srd2014.document import COMMON, ref

_SPELL_LEVEL = re.compile(r"Cantrips \(0 Level\)|\d(?:st|nd|rd|th) Level")
_PARENTS = ("Strength", "Dexterity", "Constitution", "Intelligence", "Wisdom", "Charisma", "Acolyte")


@dataclass(frozen=True)
class _Part:
    """A heading with the text up to the next one, and its parent heading if its name occurs twice."""

    title: str
    text: str
    parent: str = ""


def rules(without: str = "") -> list[Rule]:
    """Every rule set, each followed by its rules in the order of the book.

    ``without`` has the letters of the classes' features: parts of the class chapters that are in them are not rules.
    """
    parts_by_slug: dict[str, list[_Part]] = defaultdict(list)
    starts: dict[str, Start] = {}
    for start, lines in _rule_set_lines(_headed(read())):
        starts.setdefault(start.slug, start)
        for part in _parts(lines):
            if not (start.slug.startswith(CLASS_PREFIX) and is_in_classes(part.text, without)):
                parts_by_slug[start.slug].append(part)
    titles = Counter(
        title
        for slug, parts in parts_by_slug.items()
        if slug.startswith(CLASS_PREFIX)
        for title in {part.title for part in parts}
    )
    repeated = {title for title, count in titles.items() if count > 1}
    return [rule for slug, start in starts.items() for rule in _rule_set(start, parts_by_slug[slug], repeated)]


def _headed(lines: Sequence[Line]) -> list[Line]:
    """The lines with headings as in the book: each on one line, and those of parts that are rules promoted."""
    headed: list[Line] = []
    for line in lines:
        both = f"{headed[-1].text} {line.text}" if headed else ""
        if headed and headed[-1].is_heading and any(title.startswith(both) for title in TWO_LINES):
            headed[-1] = replace(headed[-1], cells=(both,))
        elif (line.page, line.text) in PROMOTED:
            headed.append(replace(line, is_heading=True))
        elif line.opens and (name := _promoted_name(line)):
            headed.append(Line((name,), line.page, opens=False, is_heading=True))
            headed.append(replace(line, cells=(line.text.removeprefix(f"{name}. "),), opens=False))
        else:
            headed.append(line)
    return headed


def _promoted_name(line: Line) -> str:
    """The run-in name of a paragraph that is a rule of its own; "" if there is none."""
    name = line.text.partition(". ")[0]
    return name if (line.page, name) in PROMOTED else ""


def _rule_set_lines(lines: Sequence[Line]) -> Iterator[tuple[Start, Sequence[Line]]]:
    """Each rule set with its lines, its heading first. Raises ValueError if a heading is not on its page."""
    indexes = [-1]
    for start in STARTS:
        after = range(indexes[-1] + 1, len(lines))
        index = next((n for n in after if (lines[n].page, lines[n].text) == (start.page, start.heading)), None)
        if index is None:
            raise ValueError(f"There is no heading {start.heading} on page {start.page} of the SRD 5.1.")
        indexes.append(index)
    for start, section in zip(STARTS, split_at(lines, indexes[1:]), strict=True):
        if start.slug:
            yield start, section


def _parts(lines: Sequence[Line]) -> Iterator[_Part]:
    """The headings with their texts; one without a text of its own only groups those below it."""
    heads = [index for index, line in enumerate(lines) if line.is_heading and not _is_within(line)]
    parent = ""
    for head, *below in split_at(lines, heads):
        parent = head.text if head.text in _PARENTS else parent
        if below and _is_level(below[0]):
            text = _spell_list(below)
        else:
            text = markdown(without_level_table(below, lines[0].text))
        if text or head is lines[0]:
            yield _Part(head.text, text, parent)


def _is_within(line: Line) -> bool:
    is_listed = line.page in SPELL_LISTS and not line.text.endswith(("Spells", "Spell Lists"))
    return (line.page, line.text) in WITHIN or is_listed


def _is_level(line: Line) -> bool:
    return line.page in SPELL_LISTS and bool(_SPELL_LEVEL.fullmatch(line.text))


def _spell_list(lines: Sequence[Line]) -> str:
    """``**1st Level.** Bane, Bless``: a paragraph for each level of a class's list."""
    levels: list[list[str]] = []
    for line in lines:
        if _is_level(line):
            levels.append([f"**{line.text}.** "])
        else:
            levels[-1].append(line.text)
    return "\n\n".join(f"{level}{', '.join(names)}" for level, *names in levels)


def _rule_set(start: Start, parts: Sequence[_Part], repeated: Iterable[str]) -> list[Rule]:
    """The rule set and its rules. The first part is the set's own text unless it is a rule in Open5e."""
    below = _continued(parts if start.slug in RULES_ONLY else parts[1:])
    seen: set[str] = set()
    ends: list[str] = []  # the last part of each rule that is open
    texts = []
    for part in below:
        name = _name(start, part, repeated)
        slug = f"{start.prefix or start.slug}_{slugify(part.title)}"
        if slug in seen or (start.slug == "abilities" and part.parent and _is_per_ability(below, part)):
            slug = f"{start.prefix or start.slug}_{slugify(part.parent)}-{slugify(part.title)}"
            name = f"{part.title} ({part.parent})"
        seen.add(slug)
        depth = BOXED if slug in BOXES else len(ends) + 1
        texts.append(RuleText(key_of_rule(slug), NAMES.get(slug, name), part.text, depth))
        if slug in LAST_PARTS:
            ends.append(LAST_PARTS[slug])
        while ends and ends[-1] == slug:
            ends.pop()
    if ends:
        raise ValueError(f"There is no heading {ends[-1]} in the rule set {start.name} of the SRD 5.1.")
    text = "" if start.slug in RULES_ONLY else parts[0].text
    section = Ref(name=start.name, key=f"srd_{start.slug}")
    see_also = (ref(start.heading),) if start.slug.startswith(CLASS_PREFIX) else ()
    return rule_set(section, text, texts, COMMON, see_also=see_also)


def _continued(parts: Iterable[_Part]) -> list[_Part]:
    """The parts; text below a repeated heading continues the first."""
    merged: list[_Part] = []
    for part in parts:
        if merged and (merged[-1].title, merged[-1].parent) == (part.title, part.parent):
            merged[-1] = replace(part, text=f"{merged[-1].text}\n\n{part.text}")
        else:
            merged.append(part)
    return merged


def _name(start: Start, part: _Part, repeated: Iterable[str]) -> str:
    """The heading, with the class if several classes have it."""
    is_repeated = start.slug.startswith(CLASS_PREFIX) and part.title in repeated
    return f"{part.title} ({start.heading})" if is_repeated else part.title


def _is_per_ability(parts: Sequence[_Part], part: _Part) -> bool:
    """Whether a heading occurs under several abilities, or has the name of a rule of combat."""
    titles = [other.title for other in parts]
    return titles.count(part.title) > 1 or part.title in ("Armor Class", "Hit Points", "Initiative")
