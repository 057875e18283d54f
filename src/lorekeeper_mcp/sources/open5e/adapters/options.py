"""Classes, subclasses, species, backgrounds and feats."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Background, CharacterClass, Feat, Feature, Kind, Ref, Section, Species, TableColumn
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields, common_fields, move_to_guide
from lorekeeper_mcp.sources.reading import flag, listed, mapping, objects
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
    parent = coercion.key(served.get("subspecies_of"))
    is_subspecies = flag(served.get("is_subspecies"))
    traits = sorted(objects(served.get("traits")), key=_place)
    sections = _with_tables([_section(trait) for trait in traits])
    return Species(
        **head,
        subspecies_of=Ref(name=coercion.name(served.get("subspecies_of")), key=parent) if parent else None,
        is_subspecies=bool(parent) if is_subspecies is None else is_subspecies,
        size=_trait(sections, "size"),
        speed=_trait(sections, "speed"),
        traits=sections,
    )


def archived_species(head: Open5eFields, served: Served, _: Context) -> Species:
    """Adapt a record of ``v1/races``: its traits, each a paragraph that begins with the name, in the book's order."""
    texts = (coercion.prose(served.get(field)) for field in _ARCHIVED_TRAITS)
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
    prerequisite, type_ = coercion.text(served.get("prerequisite")), coercion.text(served.get("type")).strip()
    texts = (coercion.prose(benefit) for benefit in listed(served.get("benefits")))
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


def _place(trait: Served) -> int:
    """The place of a trait; those without one come last, as served."""
    place = coercion.integer(trait.get("order"))
    return _LAST if place is None else place


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
    """The text of the trait with the size or speed."""
    return next((section.text for section in sections if section.name.lower() == wanted), "")


def _section(served: Served) -> Section:
    name, text = coercion.text(served.get("name")).strip(), coercion.prose(served.get("desc"))
    lead_in = _LEAD_IN.match(text)
    # Some texts begin by repeating the trait's name: "**_Name._** ".
    if lead_in and fold(lead_in[1]) == fold(name):
        text = text[lead_in.end() :]
    return Section(name=name, text=text, type=coercion.text(served.get("type")))


# --- Classes and subclasses ---


def character_class(head: Open5eFields, served: Served, _: Context) -> CharacterClass:
    """Adapt a record of ``v2/classes``: a class, or a subclass if it names its class."""
    parent = coercion.ref(served.get("subclass_of"))
    head["kind"] = Kind.SUBCLASS if parent else Kind.CLASS
    served_features = objects(served.get("features"))
    hit_points = mapping(served.get("hit_points"))
    columns = [(feature, _column(feature)) for feature in served_features]
    table = _distinct([(coercion.text(feature.get("key")), column) for feature, column in columns if column])
    features = tuple(_feature(feature) for feature, column in columns if not (column and not _prose(feature)))
    return CharacterClass(
        **head,
        subclass_of=parent,
        hit_dice=(coercion.text(served.get("hit_dice")) or coercion.text(hit_points.get("hit_dice"))).lower(),
        hit_points_at_1st_level=coercion.text(hit_points.get("hit_points_at_1st_level")),
        hit_points_at_higher_levels=_DICE.sub(r"\1d\2", coercion.text(hit_points.get("hit_points_at_higher_levels"))),
        caster_type=coercion.text(served.get("caster_type")).lower(),
        primary_abilities=_names(served.get("primary_abilities")),
        saving_throws=_names(served.get("saving_throws")),
        proficiencies=_of_feature_type(features, _PROFICIENCIES),
        equipment=_of_feature_type(features, _EQUIPMENT),
        features=tuple(sorted(features, key=_when)),
        table=tuple(sorted(table, key=_column_place)),
    )


def archived_subclass(head: Open5eFields, served: Served, context: Context) -> CharacterClass:
    """Adapt a class of ``v1/classes``: the features of its subclass that has none in version 2."""
    for subclass in objects(served.get("archetypes")):
        if subclass.get("slug") == _WITHOUT_FEATURES:
            head = common_fields("v1/classes", subclass, context, Kind.SUBCLASS)
    head["text"], *parts = _HEADING.split(head["text"])
    return CharacterClass(**head, features=tuple(map(_archived_feature, parts[::2], parts[1::2])))


def _archived_feature(name: str, text: str) -> Feature:
    """A feature, gained at the first level that its text mentions."""
    level = _LEVEL.search(text)
    return Feature(name=name, text=text.strip(), type=_FEATURE, levels=(int(level[1]),) if level else ())


def _names(value: object) -> tuple[str, ...]:
    return tuple(found for entry in listed(value) if (found := coercion.name(entry)))


def _of_feature_type(features: tuple[Feature, ...], type_: str) -> str:
    return "\n\n".join(feature.text for feature in features if feature.type == type_ and feature.text)


def _prose(feature: Served) -> str:
    return coercion.prose(feature.get("desc"))


def _feature_type(feature: Served) -> str:
    return coercion.text(feature.get("feature_type")).strip()


def _when(feature: Feature) -> int:
    """The first level of a feature. Features are served sorted by name."""
    if feature.levels:
        return feature.levels[0]
    return 0 if feature.type in _BEFORE_LEVELS else _NEVER


def _column_place(column: TableColumn) -> int:
    """The place of a column as in the books: proficiency bonus first, spell slots last."""
    return {_PROFICIENCY_BONUS: 0, _SLOTS: 2}.get(column.type, 1)


def _feature(served: Served) -> Feature:
    gained = _pairs(served.get("gained_at"), "detail")
    return Feature(
        name=coercion.text(served.get("name")).strip(),
        text=_prose(served),
        key=coercion.text(served.get("key")).strip(),
        type=_feature_type(served),
        levels=tuple(sorted({level for level, _ in gained})),
        details={level: detail for level, detail in sorted(gained) if detail},
    )


def _column(served: Served) -> TableColumn | None:
    """The column of the class table in a feature, which may be of any type."""
    pairs = _pairs(served.get("data_for_class_table"), "column_value")
    if not pairs:
        return None
    return TableColumn(name=coercion.text(served.get("name")).strip(), type=_feature_type(served), cells=_cells(pairs))


def _distinct(columns: list[tuple[str, TableColumn]]) -> list[TableColumn]:
    """The columns; a second one of the same name is named after its key, such as the mechanist's augmented items."""
    names, found = set[str](), []
    for key, column in columns:
        own = key.rpartition("_")[2].replace("-", " ").title()
        found.append(column.model_copy(update={"name": own}) if column.name in names else column)
        names.add(column.name)
    return found


def _cells(pairs: list[tuple[int, str]]) -> dict[int, str]:
    """Level -> cell. Among the 2nd-level slots of the 2014 SRD, level 3 is served as a second level 4."""
    cells: dict[int, str] = {}
    for level, cell in sorted(pairs, key=lambda pair: (pair[0], coercion.number(pair[1]) or 0)):
        if level in cells and level > 1:
            cells.setdefault(level - 1, cells[level])
        cells[level] = cell
    return dict(sorted(cells.items()))


def _pairs(value: object, field: str) -> list[tuple[int, str]]:
    """The level and text of entries such as ``{"level": 3, "detail": null}``."""
    found = ((coercion.integer(entry.get("level")), entry.get(field)) for entry in objects(value))
    return [(level, coercion.text(entry)) for level, entry in found if level is not None]
