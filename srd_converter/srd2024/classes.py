"""Classes and subclasses of the official text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from lorekeeper_mcp.models import CharacterClass, Feature, Kind
from lorekeeper_mcp.text import slugify
from srd_converter.book2024.pages import Book, Line, joined
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
_CASTERS = {
    **dict.fromkeys(("Bard", "Cleric", "Druid", "Sorcerer", "Wizard"), "full"),
    **dict.fromkeys(("Paladin", "Ranger"), "half"),
    "Warlock": "pact",
}


def classes(book: Book) -> list[CharacterClass]:
    """Every class, each followed by its subclass."""
    lines = [line for line in book.between(*_PAGES) if not line.is_boxed]
    starts = [place - 1 for place, line in enumerate(lines) if _CORE.match(line.text)]
    end = next(
        (place for place, line in enumerate(lines) if place > starts[-1] and line.text == "Character Origins"),
        len(lines),
    )
    return [record for start, stop in pairwise([*starts, end]) for record in _class(book, lines[start:stop])]


def _class(book: Book, lines: Sequence[Line]) -> Iterator[CharacterClass]:
    name = lines[0].text
    table = level_table(book, name, lines)
    prose = [line for place, line in enumerate(lines) if place not in table.lines]
    texts = [line.text for line in prose]
    becoming = next(place for place, text in enumerate(texts) if text.startswith("Becoming a"))
    begin = texts.index(f"{name} Class Features")
    parts = list(_parts(name, prose))
    own = next(part for kind, part in parts if kind == "class")
    traits = _core_traits(book, prose[2:becoming])
    die = traits["Hit Point Die"].split(" ")[0].lower()
    sides = int(die.removeprefix("d"))
    yield CharacterClass(
        kind=Kind.CLASS,
        key=key_of(name),
        name=name,
        flavor=f"{name} Subclass",
        hit_dice=die,
        hit_points_at_1st_level=f"{sides} + your Constitution modifier",
        hit_points_at_higher_levels=(
            f"1d{sides} (or {sides // 2 + 1}) + your Constitution modifier per {name.lower()} level after 1st"
        ),
        caster_type=_CASTERS.get(name, "none"),
        primary_abilities=tuple(re.split(r" or | and |, ", traits["Primary Ability"])),
        saving_throws=tuple(re.split(r" and |, ", traits["Saving Throw Proficiencies"])),
        proficiencies="\n".join(f"**{label}:** {traits[label]}" for label in _TRAITS[3:7] if label in traits),
        equipment=traits["Starting Equipment"],
        features=(
            Feature(
                name=f"Becoming a {name}",
                text=book.prose(prose[becoming + 1 : begin]),
                key=f"{key_of(name)}_becoming",
                type="CORE_TRAITS_TABLE",
            ),
            *_features(book, own, key_of(name), table.features),
            *(_options(book, part, key_of(name)) for kind, part in parts if kind == "options"),
            *(spell_list(book, part, key_of(name)) for kind, part in parts if kind == "spells"),
        ),
        table=table.columns,
        **COMMON,
    )
    for kind, part in parts:
        if kind == "subclass":
            yield _subclass(book, name, part)


def _parts(name: str, lines: Sequence[Line]) -> Iterator[tuple[str, Sequence[Line]]]:
    """The class, its options, its spell list and its subclass."""
    heads = [(0, "class")]
    for place, line in enumerate(lines):
        if line.text == f"{name} Spell List":
            heads.append((place, "spells"))
        elif line.text in _OPTIONS:
            heads.append((place, "options"))
        elif line.text.startswith(f"{name} Subclass:"):
            heads.append((place, "subclass"))
    for (place, kind), (stop, _) in pairwise([*heads, (len(lines), "")]):
        yield kind, lines[place:stop]


def _core_traits(book: Book, lines: Sequence[Line]) -> dict[str, str]:
    """The table of core traits by label."""
    pieces = _TRAIT.split(joined([line.text for line in lines], book.words))
    return {label: text.strip() for label, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def _features(book: Book, lines: Sequence[Line], owner: str, gained: Mapping[int, Sequence[str]]) -> Iterator[Feature]:
    """Features in the order they are gained; one with several headings is a single feature with all their texts."""
    found: dict[str, list[tuple[int, str]]] = {}
    for level, name, text in _headed(book, lines):
        found.setdefault(name, []).append((level, text))
    for name, stages in found.items():
        levels = {level for level, _ in stages} | {level for level, names in gained.items() if name in names}
        yield Feature(
            name=name,
            text="\n\n".join(text for _, text in stages),
            key=f"{owner}_{slugify(name)}",
            type="CLASS_LEVEL_FEATURE",
            levels=tuple(sorted(levels)),
        )


def _options(book: Book, lines: Sequence[Line], owner: str) -> Feature:
    """A list of options that a feature offers, each under its heading: a capitalised line before prose."""
    heads = [place for place in range(1, len(lines) - 1) if _is_option(lines, place)]
    texts = [book.prose(lines[1 : heads[0]])]
    for place, stop in pairwise([*heads, len(lines)]):
        # One prerequisite is printed like a line that continues in the next.
        text = _PREREQUISITE.sub(r"\1\n\n\2", book.prose(lines[place + 1 : stop]))
        texts.append(f"### {lines[place].text}\n\n{text}")
    name = lines[0].text
    return Feature(name=name, text="\n\n".join(texts), key=f"{owner}_{slugify(name)}", type="CLASS_FEATURE_OPTION_LIST")


def _is_option(lines: Sequence[Line], place: int) -> bool:
    line, before = lines[place], lines[place - 1]
    return line.ends and not line.opens and before.ends and bool(_OPTION.fullmatch(line.text))


def _headed(book: Book, lines: Sequence[Line]) -> Iterator[tuple[int, str, str]]:
    """Level, name and text of each heading ``Level 3: Frenzy``, which may take two lines."""
    heads = [place for place, line in enumerate(lines) if _LEVEL.match(line.text)]
    for place, stop in pairwise([*heads, len(lines)]):
        after = place + (1 if lines[place].ends else 2)
        head = _LEVEL.match(joined([line.text for line in lines[place:after]], book.words))
        if head:
            yield int(head[1]), head[2], book.prose(lines[after:stop])


def _subclass(book: Book, parent: str, lines: Sequence[Line]) -> CharacterClass:
    after = 1 if lines[0].ends else 2
    name = joined([line.text for line in lines[:after]], book.words).partition(": ")[2]
    first = next(place for place, line in enumerate(lines) if _LEVEL.match(line.text))
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
