"""The features of the classes and the options they choose from, each a rule under its own name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lorekeeper_mcp.models import CharacterClass, Kind, Ref, Rule
from lorekeeper_mcp.text import slugify
from srd_converter.book2024.pages import Book, Line
from srd_converter.srd2024.classes import OPTIONS, classes
from srd_converter.srd2024.document import COMMON, KEY

_OWNERS = {"Metamagic Options": "Sorcerer", "Eldritch Invocation Options": "Warlock"}
_PAGES = {"Metamagic Options": (66, 67), "Eldritch Invocation Options": (72, 74)}
_CLASSES = (28, 82)
_LEVEL = re.compile(r"Level \d+: ")
_SUBCLASS = re.compile(r"\w+ Subclass: ")
_OPTION = re.compile(r"[A-Z][\w']+(?: (?:of|the|[A-Z][\w']+))*")
_END = re.compile(r".* (?:Spell List|Subclass: .*)")


def class_rules(book: Book) -> list[Rule]:
    """A rule set for each class, followed by its features, those of its subclass, and its options."""
    found: dict[str, list[tuple[str, str]]] = {}
    for record in classes(book):
        owner = record.subclass_of.name if record.subclass_of else record.name
        found.setdefault(owner, []).extend(_features(record))
    texts: dict[str, str] = {}
    for owner in found:
        texts[owner] = _below(book, f"{owner} Class Features", _LEVEL)
        spells = _below(book, f"{owner} Spell List", _SUBCLASS)
        found[owner] += [(f"{owner} Spell List", spells)] if spells else []
    for heading, owner in _OWNERS.items():
        found[owner] += _options(book, heading)
    names = Counter(name for parts in found.values() for name, _ in parts)
    return [rule for owner, parts in found.items() for rule in _set(owner, texts[owner], parts, names)]


def _below(book: Book, heading: str, end: re.Pattern[str]) -> str:
    """The text under a heading up to the next one of a kind; empty where there is no such heading."""
    lines = book.between(*_CLASSES)
    begin = next((place for place, line in enumerate(lines) if line.text == heading), None)
    if begin is None:
        return ""
    after = range(begin + 1, len(lines))
    return book.prose(lines[begin + 1 : next(place for place in after if end.match(lines[place].text))])


def _features(record: CharacterClass) -> Iterator[tuple[str, str]]:
    """Each feature under the heading of the book, which says when it is gained."""
    for feature in record.features:
        gained = f"**Level {feature.levels[0]}: {feature.name}**\n\n" if feature.levels else ""
        yield feature.name, f"{gained}{feature.text}"


def _options(book: Book, heading: str) -> Iterator[tuple[str, str]]:
    """The introduction of a list of options, then each option: a line in capitals before prose."""
    lines = book.between(*_PAGES[heading])
    begin = next(place for place, line in enumerate(lines) if line.text == heading)
    after = range(begin + 1, len(lines))
    end = next((place for place in after if _END.fullmatch(lines[place].text)), len(lines))
    own = lines[begin:end]
    heads = [0, *(place for place in range(1, len(own) - 1) if _is_option(own, place))]
    for place, stop in zip(heads, [*heads[1:], len(own)], strict=True):
        yield own[place].text, book.prose(own[place + 1 : stop])


def _is_option(lines: Sequence[Line], place: int) -> bool:
    line, before = lines[place], lines[place - 1]
    return (
        line.ends and not line.opens and before.ends and bool(_OPTION.fullmatch(line.text)) and line.text not in OPTIONS
    )


def _set(owner: str, text: str, parts: Sequence[tuple[str, str]], names: Counter[str]) -> Iterator[Rule]:
    section = Ref(name=f"{owner} Class", key=f"{KEY}_class-{slugify(owner)}")
    rules = [
        Rule(
            kind=Kind.RULE,
            key=f"{section.key}_{slugify(name)}",
            name=f"{name} ({owner})" if names[name] > 1 else name,
            text=text,
            section=section,
            order=order,
            header_level=3,
            **COMMON,
        )
        for order, (name, text) in enumerate(dict(parts).items(), start=1)
    ]
    yield Rule(
        kind=Kind.RULE_SET,
        key=section.key,
        name=section.name,
        text=text,
        rules=tuple(Ref(name=rule.name, key=rule.key) for rule in rules),
        **COMMON,
    )
    yield from rules
