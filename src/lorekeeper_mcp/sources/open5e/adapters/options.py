"""Classes, subclasses, species, backgrounds and feats."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Background, CharacterClass, Feat, Feature, Kind, Section, Species, TableColumn
from lorekeeper_mcp.sources.field_reader import Table, flag, integer, listed, objects, text
from lorekeeper_mcp.sources.open5e.adapters.served import (
    Context,
    Open5eFields,
    Served,
    common_fields,
    lower,
    move_to_guide,
    name,
    prose,
    read,
    ref,
)
from lorekeeper_mcp.text import fold

_LEAD_IN = re.compile(r"\s*[*_]{2,}(.+?)[*_]{2,}\s*")
_ARCHIVED_TRAITS = ("asi_desc", "age", "alignment", "size", "speed_desc", "vision", "languages", "traits")
_NEXT_TRAIT = re.compile(r"\n+(?=[*_]{2,}[^*_\n]+[*_]{2,})")
_NOT_APPLICABLE = "n a"
_DEFAULT_FEAT_TYPE = "GENERAL"  # on every feat of the documents without feat types
_LAST = 1_000_000
_TABLE = " table"
_PROFICIENCY_BONUS, _SLOTS = "PROFICIENCY_BONUS", "SPELL_SLOTS"
_FEATURE = "CLASS_LEVEL_FEATURE"
_PROFICIENCIES, _EQUIPMENT, _CORE_TRAITS = "PROFICIENCIES", "STARTING_EQUIPMENT", "CORE_TRAITS_TABLE"
_BEFORE_LEVELS = frozenset([_PROFICIENCIES, _EQUIPMENT, _CORE_TRAITS])
_DICE = re.compile(r"\b(\d+)D(\d+)\b")  # served with a capital
_NEVER = 100  # levels of play end at 20
_WITHOUT_FEATURES = "path-of-hellfire"  # the one subclass that version 2 lists without its features
_HEADING = re.compile(r"^#+ *(\S.*)\n", re.MULTILINE)
_LEVEL = re.compile(r"\b(\d+)(?:st|nd|rd|th) level\b")


def species(head: Open5eFields, served: Served, _: Context) -> Species:
    """Adapt a record of ``v2/species``."""
    parent, is_subspecies = ref(served.get("subspecies_of")), flag(served.get("is_subspecies"))
    places = [(integer(trait.get("order")), trait) for trait in objects(served.get("traits"))]
    places.sort(key=lambda entry: _LAST if entry[0] is None else entry[0])
    sections = _with_tables([_section(trait) for _, trait in places])
    return Species(
        **head,
        subspecies_of=parent,
        is_subspecies=bool(parent) if is_subspecies is None else is_subspecies,
        size=_trait(sections, "size"),
        speed=_trait(sections, "speed"),
        traits=sections,
    )


def archived_species(head: Open5eFields, served: Served, _: Context) -> Species:
    """Adapt a record of ``v1/races``: its traits, each a paragraph that begins with the name, in the book's order."""
    texts = (prose(served.get(field)) for field in _ARCHIVED_TRAITS)
    paragraphs = (paragraph for text in texts for paragraph in _NEXT_TRAIT.split(text))
    traits = tuple(
        Section(name=lead_in[1].rstrip(" ."), text=paragraph[lead_in.end() :])
        for paragraph in paragraphs
        if (lead_in := _LEAD_IN.match(paragraph))
    )
    return Species(**head, size=_trait(traits, "size"), speed=_trait(traits, "speed"), traits=traits)


def background(head: Open5eFields, served: Served, _: Context) -> Background:
    """Adapt a record of ``v2/backgrounds``."""
    return Background(**head, benefits=tuple(_section(benefit) for benefit in objects(served.get("benefits"))))


def archived_background(head: Open5eFields, _: Served, __: Context) -> Background:
    """Adapt a record of ``v1/backgrounds`` under its key in version 2, with the description alone."""
    move_to_guide(head)
    return Background(**head)


def feat(head: Open5eFields, served: Served, _: Context) -> Feat:
    """Adapt a record of ``v2/feats``."""
    prerequisite, type_ = text(served.get("prerequisite")), text(served.get("type"))
    texts = (prose(benefit) for benefit in listed(served.get("benefits")))
    return Feat(
        **head,
        type="" if type_ == _DEFAULT_FEAT_TYPE else type_,
        prerequisite="" if fold(prerequisite) == _NOT_APPLICABLE else prerequisite,
        benefits=tuple(text for text in texts if text),
    )


def archived_feat(head: Open5eFields, served: Served, __: Context) -> Feat:
    """Adapt a record of ``v1/feats`` under its key in version 2, with the first line of its description alone.

    The other lines and the effects are in the words of version 2 there, so that one line without any is an effect.
    """
    move_to_guide(head)
    first, _, others = head["text"].partition("\n")
    head["text"] = first if others or listed(served.get("effects_desc")) else ""
    return Feat(**head)


def _with_tables(sections: list[Section]) -> tuple[Section, ...]:
    """Move a table that is served as a separate trait (srd-2014) into the trait that it is named after."""
    tables = {section.name.removesuffix(_TABLE): section for section in sections if section.name.endswith(_TABLE)}
    joined = [
        section.model_copy(update={"text": f"{section.text}\n\n**{table.name}**\n\n{table.text}"})
        if (table := tables.get(section.name))
        else section
        for section in sections
    ]
    names = {section.name for section in sections}
    return tuple(
        section
        for section in joined
        if section.name.removesuffix(_TABLE) not in names or not section.name.endswith(_TABLE)
    )


def _trait(sections: tuple[Section, ...], wanted: str) -> str:
    """The words of the trait with the size or speed."""
    return next((section.text for section in sections if section.name.lower() == wanted), "")


def _section(served: Served) -> Section:
    title, words = text(served.get("name")), prose(served.get("desc"))
    lead_in = _LEAD_IN.match(words)
    # Some texts begin by repeating the trait's name: "**_Name._** ".
    if lead_in and fold(lead_in[1]) == fold(title):
        words = words[lead_in.end() :]
    return Section(name=title, text=words, type=text(served.get("type")))


# --- Classes and subclasses ---


def _names(value: object) -> tuple[str, ...]:
    return tuple(found for entry in listed(value) if (found := name(entry)))


_CLASS: Table = {
    "hit_dice": ("hit_dice", lower),
    "hit_points_at_1st_level": ("hit_points.hit_points_at_1st_level", text),
    "hit_points_at_higher_levels": (
        "hit_points.hit_points_at_higher_levels",
        lambda value: _DICE.sub(r"\1d\2", text(value)),
    ),
    "caster_type": ("caster_type", lower),
    "primary_abilities": ("primary_abilities", _names),
    "saving_throws": ("saving_throws", _names),
}


def character_class(head: Open5eFields, served: Served, _: Context) -> CharacterClass:
    """Adapt a record of ``v2/classes``: a class, or a subclass if it names its class."""
    parent = ref(served.get("subclass_of"))
    head["kind"] = Kind.SUBCLASS if parent else Kind.CLASS
    columns = [(feature, _column(feature)) for feature in objects(served.get("features"))]
    table = _distinct([(text(feature.get("key")), column) for feature, column in columns if column])
    features = tuple(_feature(feature) for feature, column in columns if not column or prose(feature.get("desc")))
    return CharacterClass.model_validate(
        {
            **head,
            **read(served, _CLASS),
            "subclass_of": parent,
            "proficiencies": _of_feature_type(features, _PROFICIENCIES),
            "equipment": _of_feature_type(features, _EQUIPMENT),
            "features": tuple(sorted(features, key=_when)),
            # As in the books: the proficiency bonus first, spell slots last.
            "table": tuple(sorted(table, key=lambda column: {_PROFICIENCY_BONUS: 0, _SLOTS: 2}.get(column.type, 1))),
        }
    )


def archived_subclass(head: Open5eFields, served: Served, context: Context) -> CharacterClass:
    """Adapt a class of ``v1/classes``: the features of its subclass that has none in version 2."""
    for subclass in objects(served.get("archetypes")):
        if subclass.get("slug") == _WITHOUT_FEATURES:
            head = common_fields("v1/classes", subclass, context, Kind.SUBCLASS)
    head["text"], *parts = _HEADING.split(head["text"])
    return CharacterClass(**head, features=tuple(map(_archived_feature, parts[::2], parts[1::2])))


def _archived_feature(title: str, words: str) -> Feature:
    """A feature, gained at the first level that its text mentions."""
    level = _LEVEL.search(words)
    return Feature(name=title, text=words.strip(), type=_FEATURE, levels=(int(level[1]),) if level else ())


def _of_feature_type(features: tuple[Feature, ...], type_: str) -> str:
    return "\n\n".join(feature.text for feature in features if feature.type == type_ and feature.text)


def _when(feature: Feature) -> int:
    """The first level of a feature. Features are served sorted by name."""
    if feature.levels:
        return feature.levels[0]
    return 0 if feature.type in _BEFORE_LEVELS else _NEVER


def _feature(served: Served) -> Feature:
    gained = _pairs(served.get("gained_at"), "detail")
    return Feature(
        name=text(served.get("name")),
        text=prose(served.get("desc")),
        key=text(served.get("key")),
        type=text(served.get("feature_type")),
        levels=tuple(sorted({level for level, _ in gained})),
        details={level: detail for level, detail in sorted(gained) if detail},
    )


def _column(served: Served) -> TableColumn | None:
    """The column of the class table in a feature, which may be of any type."""
    pairs = _pairs(served.get("data_for_class_table"), "column_value")
    if not pairs:
        return None
    return TableColumn(name=text(served.get("name")), type=text(served.get("feature_type")), cells=dict(sorted(pairs)))


def _distinct(columns: list[tuple[str, TableColumn]]) -> list[TableColumn]:
    """The columns; a second one of the same name is named after its key, such as the mechanist's augmented items."""
    names, found = set[str](), []
    for key, column in columns:
        own = key.rpartition("_")[2].replace("-", " ").title()
        found.append(column.model_copy(update={"name": own}) if column.name in names else column)
        names.add(column.name)
    return found


def _pairs(value: object, field: str) -> list[tuple[int, str]]:
    """The level and text of entries such as ``{"level": 3, "detail": null}``."""
    found = ((integer(entry.get("level")), entry.get(field)) for entry in objects(value))
    return [(level, text(entry)) for level, entry in found if level is not None]
