"""Classes and subclasses."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import CharacterClass, Feature, Kind, TableColumn
from lorekeeper_mcp.sources.json_values import listed, mapping
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields, common_fields

_PROFICIENCY_BONUS, _SLOTS = "PROFICIENCY_BONUS", "SPELL_SLOTS"
_FEATURE = "CLASS_LEVEL_FEATURE"
_PROFICIENCIES, _EQUIPMENT, _CORE_TRAITS = "PROFICIENCIES", "STARTING_EQUIPMENT", "CORE_TRAITS_TABLE"
_BEFORE_LEVELS = frozenset([_PROFICIENCIES, _EQUIPMENT, _CORE_TRAITS])
_DICE = re.compile(r"\b(\d+)D(\d+)\b")  # served with a capital
_NEVER = 100  # levels of play end at 20
_WITHOUT_FEATURES = "path-of-hellfire"  # the one subclass that version 2 lists without its features
_HEADING = re.compile(r"^#+ *(\S.*)\n", re.MULTILINE)
_LEVEL = re.compile(r"\b(\d+)(?:st|nd|rd|th) level\b")


def character_class(head: Open5eFields, served: Served, _: Context) -> CharacterClass:
    """Adapt a record of ``v2/classes``: a class, or a subclass if it names its class."""
    parent = coercion.ref(served.get("subclass_of"))
    head["kind"] = Kind.SUBCLASS if parent else Kind.CLASS
    served_features = coercion.objects(served.get("features"))
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
        proficiencies=_of_type(features, _PROFICIENCIES),
        equipment=_of_type(features, _EQUIPMENT),
        features=tuple(sorted(features, key=_when)),
        table=tuple(sorted(table, key=_place)),
    )


def archived_subclass(head: Open5eFields, served: Served, context: Context) -> CharacterClass:
    """Adapt a class of ``v1/classes``: the features of its subclass that has none in version 2."""
    for subclass in coercion.objects(served.get("archetypes")):
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


def _of_type(features: tuple[Feature, ...], type_: str) -> str:
    return "\n\n".join(feature.text for feature in features if feature.type == type_ and feature.text)


def _prose(feature: Served) -> str:
    return coercion.prose(feature.get("desc"))


def _type(feature: Served) -> str:
    return coercion.text(feature.get("feature_type")).strip()


def _when(feature: Feature) -> int:
    """The first level of a feature. Features are served sorted by name."""
    if feature.levels:
        return feature.levels[0]
    return 0 if feature.type in _BEFORE_LEVELS else _NEVER


def _place(column: TableColumn) -> int:
    """The place of a column as in the books: proficiency bonus first, spell slots last."""
    return {_PROFICIENCY_BONUS: 0, _SLOTS: 2}.get(column.type, 1)


def _feature(served: Served) -> Feature:
    gained = _pairs(served.get("gained_at"), "detail")
    return Feature(
        name=coercion.text(served.get("name")).strip(),
        text=_prose(served),
        key=coercion.text(served.get("key")).strip(),
        type=_type(served),
        levels=tuple(sorted({level for level, _ in gained})),
        details={level: detail for level, detail in sorted(gained) if detail},
    )


def _column(served: Served) -> TableColumn | None:
    """The column of the class table in a feature, which may be of any type."""
    pairs = _pairs(served.get("data_for_class_table"), "column_value")
    if not pairs:
        return None
    return TableColumn(name=coercion.text(served.get("name")).strip(), type=_type(served), cells=_cells(pairs))


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
    found = ((coercion.integer(entry.get("level")), entry.get(field)) for entry in coercion.objects(value))
    return [(level, coercion.text(entry)) for level, entry in found if level is not None]
