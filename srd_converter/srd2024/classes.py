"""Classes and subclasses of the official text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from lorekeeper_mcp.models import CharacterClass, Feature, Kind
from lorekeeper_mcp.text import slugify
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.class_facts import class_facts
from srd_converter.sections import index_of, split_at
from srd_converter.srd2024.class_spells import spell_list
from srd_converter.srd2024.class_tables import level_table
from srd_converter.srd2024.document import COMMON, key_of, ref

_PAGES = (28, 82)
_CORE = re.compile(r"^Core (\w+) Traits$")
_TRAITS = (
    "Primary Ability", "Hit Point Die", "Saving Throw Proficiencies", "Skill Proficiencies", "Weapon Proficiencies",
    "Tool Proficiencies", "Armor Training", "Starting Equipment",
)  # fmt: skip
_TRAIT = re.compile(rf"({'|'.join(_TRAITS)}) ")
_OPTION = re.compile(r"[A-Z][\w']+(?: (?:of|the|with|[A-Z][\w']+))*")
_PREREQUISITE = re.compile(r"(Prerequisite: [^.]*?) (You .+\.)", re.DOTALL)
_OPTIONS = ("Metamagic Options", "Eldritch Invocation Options")
_LEVEL = re.compile(r"^Level (\d+): (.+)$")


def classes(book: Book) -> list[CharacterClass]:
    """Every class, each followed by its subclass."""
    lines = [line for line in book.between(*_PAGES) if not line.is_boxed]
    starts = [index - 1 for index, line in enumerate(lines) if _CORE.match(line.text)]
    return [record for section in split_at(lines, starts) for record in _class_and_subclass(book, section)]


def _class_and_subclass(book: Book, lines: Sequence[Line]) -> Iterator[CharacterClass]:
    name = lines[0].text
    key = key_of(name)
    table = level_table(book, name, lines)
    prose = [line for index, line in enumerate(lines) if index not in table.lines]
    becoming = index_of(prose, f"Becoming a {name} …")
    features = index_of(prose, f"{name} Class Features")
    (_, class_lines), *parts = _parts(name, prose)
    traits = _core_traits(book, prose[2:becoming])
    die = int(traits["Hit Point Die"].split(" ")[0].removeprefix("D"))
    yield CharacterClass(
        kind=Kind.CLASS,
        key=key,
        flavor=f"{name} Subclass",
        primary_abilities=tuple(re.split(r" or | and |, ", traits["Primary Ability"])),
        saving_throws=tuple(re.split(r" and |, ", traits["Saving Throw Proficiencies"])),
        proficiencies="\n".join(f"**{label}:** {traits[label]}" for label in _TRAITS[3:7] if label in traits),
        equipment=traits["Starting Equipment"],
        features=(
            Feature(
                name=f"Becoming a {name}",
                text=book.prose(prose[becoming + 1 : features]),
                key=f"{key}_becoming",
                type="CORE_TRAITS_TABLE",
            ),
            *_features(book, class_lines, key, table.features),
            *(_options(book, own, key) for part, own in parts if part == "options"),
            *(spell_list(book, own, key) for part, own in parts if part == "spells"),
        ),
        table=table.columns,
        **class_facts(name, die),
        **COMMON,
    )
    yield from (_subclass(book, name, own) for part, own in parts if part == "subclass")


def _parts(name: str, lines: Sequence[Line]) -> Iterator[tuple[str, Sequence[Line]]]:
    """The class, its options, its spell list and its subclass."""
    heads = [(0, "class")]
    for index, line in enumerate(lines):
        if line.text == f"{name} Spell List":
            heads.append((index, "spells"))
        elif line.text in _OPTIONS:
            heads.append((index, "options"))
        elif line.text.startswith(f"{name} Subclass:"):
            heads.append((index, "subclass"))
    sections = split_at(lines, [index for index, _ in heads])
    yield from zip((part for _, part in heads), sections, strict=True)


def _core_traits(book: Book, lines: Sequence[Line]) -> dict[str, str]:
    """The table of core traits by label."""
    pieces = _TRAIT.split(joined([line.text for line in lines], book.words))
    return {label: text.strip() for label, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def _features(book: Book, lines: Sequence[Line], owner: str, gained: Mapping[int, Sequence[str]]) -> Iterator[Feature]:
    """Features in the order they are gained; one with several headings is a single feature with all their texts."""
    stages_by_name: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for level, name, text in _stages(book, lines):
        stages_by_name[name].append((level, text))
    for name, stages in stages_by_name.items():
        levels = {level for level, _ in stages} | {level for level, names in gained.items() if name in names}
        yield Feature(
            name=name,
            text="\n\n".join(text for _, text in stages),
            key=f"{owner}_{slugify(name)}",
            type="CLASS_LEVEL_FEATURE",
            levels=tuple(sorted(levels)),
        )


def _options(book: Book, lines: Sequence[Line], owner: str) -> Feature:
    """A list of options that a feature offers, each under its heading: a capitalized line before prose."""
    heads = [index for index in range(1, len(lines) - 1) if _is_option(lines[index - 1], lines[index])]
    texts = [book.prose(lines[1 : heads[0]])]
    for head, *option in split_at(lines, heads):
        # One prerequisite is printed like a line that continues in the next.
        text = _PREREQUISITE.sub(r"\1\n\n\2", book.prose(option))
        texts.append(f"### {head.text}\n\n{text}")
    name = lines[0].text
    return Feature(name=name, text="\n\n".join(texts), key=f"{owner}_{slugify(name)}", type="CLASS_FEATURE_OPTION_LIST")


def _is_option(previous: Line, line: Line) -> bool:
    return previous.ends and line.ends and bool(_OPTION.fullmatch(line.text))


def _stages(book: Book, lines: Sequence[Line]) -> Iterator[tuple[int, str, str]]:
    """Level, name and text of each heading ``Level 3: Frenzy``."""
    heads = [index for index, line in enumerate(lines) if _LEVEL.match(line.text)]
    for head, *text in split_at(lines, heads):
        level, name = _LEVEL.findall(head.text)[0]
        yield int(level), name, book.prose(text)


def _subclass(book: Book, parent: str, lines: Sequence[Line]) -> CharacterClass:
    after = 1 if lines[0].ends else 2
    name = joined([line.text for line in lines[:after]], book.words).partition(": ")[2]
    first = next(index for index, line in enumerate(lines) if _LEVEL.match(line.text))
    return CharacterClass(
        kind=Kind.SUBCLASS,
        key=key_of(name),
        name=name,
        text=book.prose(lines[after:first]),
        subclass_of=ref(parent),
        flavor=f"{parent} Subclass",
        caster_type="none",
        features=tuple(_features(book, lines, f"{key_of(parent)}_{slugify(name)}", {})),
        **COMMON,
    )
