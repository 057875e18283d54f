"""Classes and subclasses."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import CharacterClass, Feature, Kind, Section
from lorekeeper_mcp.text import fold, slugify
from srd_converter.book2014.class_features import text_under
from srd_converter.book2014.class_tables import level_table
from srd_converter.class_facts import class_facts
from srd_converter.srd2014.document import COMMON, key_of, ref
from srd_converter.srd2014.entries import Entry, listed, paragraphs, read
from srd_converter.srd2014.names import ability_name, subclass_ref
from srd_converter.text_repairs import SPELL_LIST

_SUBCLASS_OF = {"supreme-healing": "life"}  # features that the package assigns to the class
_NAMES = {"Signature Spell": "Signature Spells"}
_OPTION = "CLASS_FEATURE_OPTION_LIST"
_STAGE = re.compile(r" \((.*)\)$")
_ROW = re.compile(r"(?m)^\| (\d+)(?:st|nd|rd|th) \| ([^|]+) \|$")
# A paragraph that introduces the next one.
_HEADING = re.compile(r"(?m)^([A-Z]\w+(?: [A-Z]\w+)*)$(?=\n\n[A-Z][^\n]{30,}\.)")


def classes() -> list[CharacterClass]:
    """Every class, followed by the subclasses."""
    features = read("Features")
    subclasses = read("Subclasses")
    flavors = {subclass.entry("class").index: subclass.text("subclass_flavor") for subclass in subclasses}
    return [
        *(_class(entry, features, flavors[entry.index]) for entry in read("Classes")),
        *(_subclass(entry, features) for entry in subclasses),
    ]


def _class(entry: Entry, features: Sequence[Entry], flavor: str) -> CharacterClass:
    name = entry.name
    own = [
        feature for feature in features if feature.entry("class").index == entry.index and not _subclass_index(feature)
    ]
    return CharacterClass(
        kind=Kind.CLASS,
        key=key_of(name),
        flavor=flavor,
        saving_throws=tuple(map(ability_name, entry.entries("saving_throws"))),
        proficiencies=text_under(name, "Proficiencies"),
        equipment=text_under(name, "Equipment"),
        spellcasting=_spellcasting(entry),
        features=(*_features(own, name), _multiclassing(entry)),
        table=level_table(name),
        **class_facts(name, entry.integer("hit_die")),
        **COMMON,
    )


def _subclass(entry: Entry, features: Sequence[Entry]) -> CharacterClass:
    subclass = subclass_ref(entry)
    own = [feature for feature in features if _subclass_index(feature) == entry.index]
    return CharacterClass(
        kind=Kind.SUBCLASS,
        key=subclass.key,
        name=subclass.name,
        text=entry.description,
        subclass_of=ref(entry.entry("class").name),
        flavor=entry.text("subclass_flavor"),
        features=_features(own, subclass.name),
        spells=_spells(entry),
        **COMMON,
    )


def _subclass_index(feature: Entry) -> str:
    return _SUBCLASS_OF.get(feature.index) or feature.entry("subclass").index


def _features(entries: Sequence[Entry], owner: str) -> tuple[Feature, ...]:
    """Features in the order they are gained; one that improves later is a single feature with all its levels.

    The package has an entry for every stage (Bardic Inspiration (d6), (d8) ...), whose texts mostly repeat each other,
    and for each row of a feature's table (Circle of the Land: Arctic), with the text of that feature.
    """
    stages_by_name: dict[str, list[Entry]] = defaultdict(list)
    for entry in sorted(entries, key=_level):
        stages_by_name[_STAGE.sub("", entry.name).removesuffix(f": {owner}")].append(entry)
    features = [_feature(_NAMES.get(name, name), stages, owner) for name, stages in stages_by_name.items()]
    texts = {feature.text for feature in features if feature.type != _OPTION}
    return tuple(feature for feature in features if feature.type != _OPTION or feature.text not in texts)


def _level(feature: Entry) -> int:
    return feature.integer("level")


def _feature(name: str, stages: Sequence[Entry], owner: str) -> Feature:
    # The package lacks that Twinned Spell is an option like the other metamagic.
    is_option = stages[0].has("parent") or name.startswith("Metamagic: ")
    parts = [part for stage in stages for part in (_prerequisite(stage), stage.description) if part]
    distinct = dict.fromkeys(parts)
    texts = [text for text in distinct if not any(text != other and text in other for other in distinct)]
    return Feature(
        name=name,
        text=_HEADING.sub(r"### \1", paragraphs(texts)),
        key=f"{key_of(owner)}_{slugify(name)}",
        type=_OPTION if is_option else "CLASS_LEVEL_FEATURE",
        levels=tuple(dict.fromkeys(map(_level, stages))),
        details={_level(stage): detail[1] for stage in stages if (detail := _STAGE.search(stage.name))},
    )


def _prerequisite(entry: Entry) -> str:
    """The prerequisites of an invocation, in the book's words."""
    names = ", ".join(map(_required, entry.entries("prerequisites")))
    return f"*Prerequisite: {names}*" if names else ""


def _required(prerequisite: Entry) -> str:
    """A level, a cantrip or a feature; of the last two the package has the end of a URL."""
    if prerequisite.has("level"):
        return f"{prerequisite.text('level')}th level"
    if prerequisite.has("spell"):
        return f"{_name_in_url(prerequisite.text('spell'))} cantrip"
    return f"{_name_in_url(prerequisite.text('feature')).title().replace(' Of The ', ' of the ')} feature"


def _name_in_url(url: str) -> str:
    return url.rpartition("/")[2].replace("-", " ")


def _spellcasting(entry: Entry) -> str:
    """The class's text about spellcasting, part by part."""
    if not entry.has("spellcasting"):
        return ""
    spellcasting = entry.entry("spellcasting")
    ability = ability_name(spellcasting.entry("spellcasting_ability"))
    parts = [line for part in spellcasting.entries("info") for line in (f"### {part.name}", part.description)]
    return paragraphs([f"**Spellcasting ability:** {ability}", *parts])


def _multiclassing(entry: Entry) -> Feature:
    """The requirements for multiclassing into the class, and the proficiencies gained."""
    rules = entry.entry("multi_classing")
    choice = rules.entry("prerequisite_options").entry("from").entries("options")
    required = [*map(_minimum, rules.entries("prerequisites"))]
    if choice:
        required.append(listed([*map(_minimum, choice)]))
    gained = [proficiency.name for proficiency in rules.entries("proficiencies")]
    gained += [
        f"one {skill.text('desc')} of your choice" if skill.has("desc") else "one skill from the class's skill list"
        for skill in rules.entries("proficiency_choices")
    ]
    lines = [f"Prerequisite: {', '.join(required)}"]
    if gained:
        lines.append(f"Proficiencies gained: {', '.join(gained)}")
    key = f"{key_of(entry.name)}_multiclassing"
    return Feature(name="Multiclassing", text=paragraphs(lines), key=key, type="PROFICIENCIES")


def _minimum(entry: Entry) -> str:
    return f"{ability_name(entry.entry('ability_score'))} {entry.text('minimum_score')}"


def _spells(entry: Entry) -> tuple[Section, ...]:
    """The spells that a subclass adds, by requirement: ``Cleric 3``, ``Circle of the Land: Arctic, Druid 5``."""
    spells: dict[str, list[str]] = defaultdict(list)
    for spell in entry.entries("spells"):
        requirement = ", ".join(part.name for part in spell.entries("prerequisites"))
        spells[requirement].append(spell.entry("spell").name)
    return tuple(Section(name=name, text=", ".join(names), type=SPELL_LIST) for name, names in spells.items())


def with_printed_spells(record: CharacterClass) -> CharacterClass:
    """The subclass with the spells of the table in its text: the package lacks one."""
    rows = {int(level): names.split(", ") for level, names in _ROW.findall(record.text)}
    if not rows:
        return record
    return record.model_copy(update={"spells": tuple(_completed(section, rows) for section in record.spells)})


def _completed(section: Section, rows: Mapping[int, Sequence[str]]) -> Section:
    listed_spells = {fold(name) for name in section.text.split(", ")}
    names = {fold(spell.name): spell.name for spell in read("Spells")}
    printed = map(fold, rows[int(section.name.rpartition(" ")[2])])
    added = [names[name] for name in printed if name not in listed_spells]
    return section.model_copy(update={"text": ", ".join([section.text, *added])})
