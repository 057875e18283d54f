"""Classes and subclasses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import CharacterClass, Feature, Kind, Section
from lorekeeper_mcp.text import fold, slugify
from srd_converter.book2014.class_features import part
from srd_converter.book2014.class_tables import level_table
from srd_converter.slips import SPELL_LIST
from srd_converter.srd2014.document import COMMON, key_of, ref
from srd_converter.srd2014.entries import Entry, listed, paragraphs, read
from srd_converter.srd2014.names import ability_name, subclass_ref

_CASTERS = {
    **dict.fromkeys(("bard", "cleric", "druid", "sorcerer", "wizard"), "full"),
    **dict.fromkeys(("paladin", "ranger"), "half"),
    "warlock": "pact",
}
_FORGOTTEN = {"supreme-healing": "life"}  # features that the package assigns to the class
_NAMES = {"Signature Spell": "Signature Spells"}
_STAGE = re.compile(r" \((.*)\)$")
_ROW = re.compile(r"(?m)^\| (\d+)(?:st|nd|rd|th) \| ([^|]+) \|$")
# A paragraph that introduces the next one.
_HEADING = re.compile(r"(?m)^([A-Z]\w+(?: [A-Z]\w+)*)$(?=\n\n[A-Z][^\n]{30,}\.)")


def classes() -> list[CharacterClass]:
    """Every class, followed by the subclasses."""
    features = read("Features")
    subclasses = read("Subclasses")
    flavors = {entry.entry("class").index: entry.text("subclass_flavor") for entry in subclasses}
    return [
        *(_class(entry, features, flavors.get(entry.index, "")) for entry in read("Classes")),
        *(_subclass(entry, features) for entry in subclasses),
    ]


def _class(entry: Entry, features: tuple[Entry, ...], flavor: str) -> CharacterClass:
    die, name = entry.integer("hit_die") or 0, entry.name
    own = [one for one in features if one.entry("class").index == entry.index and not _subclass_index(one)]
    return CharacterClass(
        kind=Kind.CLASS,
        key=key_of(name),
        name=name,
        flavor=flavor,
        hit_dice=f"d{die}",
        hit_points_at_1st_level=f"{die} + your Constitution modifier",
        hit_points_at_higher_levels=(
            f"1d{die} (or {die // 2 + 1}) + your Constitution modifier per {name.lower()} level after 1st"
        ),
        caster_type=_CASTERS.get(entry.index, "none"),
        saving_throws=tuple(map(ability_name, entry.entries("saving_throws"))),
        proficiencies=part(name, "Proficiencies"),
        equipment=part(name, "Equipment"),
        spellcasting=_spellcasting(entry),
        features=(*_features(own, name), *_multiclassing(entry)),
        table=level_table(name),
        **COMMON,
    )


def _subclass(entry: Entry, features: tuple[Entry, ...]) -> CharacterClass:
    named, base = subclass_ref(entry), entry.entry("class")
    own = [one for one in features if _subclass_index(one) == entry.index]
    return CharacterClass(
        kind=Kind.SUBCLASS,
        key=named.key,
        name=named.name,
        text=entry.description,
        subclass_of=ref(base.name),
        flavor=entry.text("subclass_flavor"),
        features=_features(own, named.name),
        spells=_spells(entry),
        **COMMON,
    )


def _subclass_index(feature: Entry) -> str:
    return _FORGOTTEN.get(feature.index) or feature.entry("subclass").index


def _features(entries: list[Entry], owner: str) -> tuple[Feature, ...]:
    """Features in the order they are gained; one that improves later is a single feature with all its levels.

    The package has an entry for every stage (Bardic Inspiration (d6), (d8) ...), whose texts mostly repeat each other.
    """
    stages: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda one: one.integer("level") or 0):
        stages.setdefault(_STAGE.sub("", entry.name).removesuffix(f": {owner}"), []).append(entry)
    return tuple(_feature(_NAMES.get(name, name), entries, owner) for name, entries in stages.items())


def _feature(name: str, stages: list[Entry], owner: str) -> Feature:
    # The package lacks that Twinned Spell is an option like the other metamagic.
    option = stages[0].has("parent") or name.startswith("Metamagic: ")
    distinct = dict.fromkeys(text for one in stages for text in (_prerequisite(one), one.description) if text)
    texts = [text for text in distinct if not any(text != other and text in other for other in distinct)]
    return Feature(
        name=name,
        text=_HEADING.sub(r"### \1", paragraphs(texts)),
        key=f"{key_of(owner)}_{slugify(name)}",
        type="CLASS_FEATURE_OPTION_LIST" if option else "CLASS_LEVEL_FEATURE",
        levels=tuple(dict.fromkeys(one.integer("level") or 0 for one in stages)),
        details={one.integer("level") or 0: found[1] for one in stages if (found := _STAGE.search(one.name))},
    )


def _prerequisite(entry: Entry) -> str:
    """The prerequisites of an invocation, in the book's words; for spells and features the package has ends of URLs."""
    names = [
        f"{one.text('level')}th level"
        if one.has("level")
        else f"{_address(one, 'spell')} cantrip"
        if one.has("spell")
        else f"{_address(one, 'feature').title().replace(' Of The ', ' of the ')} feature"
        for one in entry.entries("prerequisites")
    ]
    return f"*Prerequisite: {', '.join(names)}*" if names else ""


def _address(entry: Entry, name: str) -> str:
    return entry.text(name).rpartition("/")[2].replace("-", " ")


def _spellcasting(entry: Entry) -> str:
    """The class's text about spellcasting, part by part."""
    spellcasting = entry.entry("spellcasting")
    ability = ability_name(spellcasting.entry("spellcasting_ability"))
    parts = [line for one in spellcasting.entries("info") for line in (f"### {one.name}", one.description)]
    return paragraphs([f"**Spellcasting ability:** {ability}", *parts] if ability else parts)


def _multiclassing(entry: Entry) -> tuple[Feature, ...]:
    """The requirements for multiclassing into the class, and the proficiencies gained."""
    rules = entry.entry("multi_classing")
    choice = rules.entry("prerequisite_options").entry("from").entries("options")
    needed = [_minimum(one) for one in rules.entries("prerequisites")]
    needed += [listed([_minimum(one) for one in choice])] if choice else []
    gained = [one.name for one in rules.entries("proficiencies")]
    gained += [
        f"one {one.text('desc')} of your choice" if one.has("desc") else "one skill from the class's skill list"
        for one in rules.entries("proficiency_choices")
    ]
    lines = [f"Prerequisite: {', '.join(needed)}"] if needed else []
    lines += [f"Proficiencies gained: {', '.join(gained)}"] if gained else []
    key = f"{key_of(entry.name)}_multiclassing"
    return (Feature(name="Multiclassing", text=paragraphs(lines), key=key, type="PROFICIENCIES"),) if lines else ()


def _minimum(entry: Entry) -> str:
    return f"{ability_name(entry.entry('ability_score'))} {entry.text('minimum_score')}"


def _spells(entry: Entry) -> tuple[Section, ...]:
    """The spells that a subclass adds, by requirement: ``Cleric 3``, ``Circle of the Land: Arctic, Druid 5``."""
    groups: dict[str, list[str]] = {}
    for one in entry.entries("spells"):
        needed = ", ".join(need.name for need in one.entries("prerequisites"))
        groups.setdefault(needed, []).append(one.entry("spell").name)
    return tuple(Section(name=name, text=", ".join(names), type=SPELL_LIST) for name, names in groups.items())


def with_printed_spells(record: CharacterClass) -> CharacterClass:
    """The subclass with the spells of the table in its text: the package lacks one."""
    rows = {int(level): names.split(", ") for level, names in _ROW.findall(record.text)}
    return (
        record.model_copy(update={"spells": tuple(_completed(one, rows) for one in record.spells)}) if rows else record
    )


def _completed(section: Section, rows: Mapping[int, Sequence[str]]) -> Section:
    known = {fold(name) for name in section.text.split(", ")}
    printed = rows.get(int(section.name.rpartition(" ")[2]), ())
    names = {fold(one.name): one.name for one in read("Spells")}
    added = (names[fold(name)] for name in printed if fold(name) not in known)
    return section.model_copy(update={"text": ", ".join([section.text, *added])})
