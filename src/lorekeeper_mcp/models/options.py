"""Character options: classes, subclasses, species, backgrounds, feats, and the features of these."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from lorekeeper_mcp.models.base import Kind, Record, Ref, Section, Value

FEATURES_COLUMN = "FEATURES"  # the type of the column with the features of each level


class Feature(Value):
    """A class feature; ``levels`` are those at which it is gained or improves."""

    name: str
    text: str = ""
    key: str = ""
    type: str = ""  # Open5e's: CLASS_LEVEL_FEATURE, PROFICIENCIES, STARTING_EQUIPMENT, CORE_TRAITS_TABLE ...
    levels: tuple[int, ...] = ()
    details: dict[int, str] = Field(default_factory=dict)  # level -> what changes


class TableColumn(Value):
    """A column of a class table: level -> cell."""

    name: str
    type: str = ""
    cells: dict[int, str]


class CharacterClass(Record):
    """A class or a subclass, distinguished by ``kind``."""

    subclass_of: Ref | None = None
    subclasses: tuple[Ref, ...] = ()
    flavor: str = ""  # what the class calls its subclasses: Arcane Tradition
    hit_dice: str = ""  # d8
    hit_points_at_1st_level: str = ""
    hit_points_at_higher_levels: str = ""
    caster_type: str = ""  # full, half, pact, none
    primary_abilities: tuple[str, ...] = ()
    saving_throws: tuple[str, ...] = ()
    proficiencies: str = ""
    equipment: str = ""
    spellcasting: str = ""
    features: tuple[Feature, ...] = ()
    table: tuple[TableColumn, ...] = ()
    spells: tuple[Section, ...] = ()

    def level_table(self) -> tuple[list[str], list[tuple[int, list[str]]]]:
        """The names of the columns after the level, and each level with its cells; empty without columns.

        The features of a level are the book's own column, or collected from the features.
        """
        if not self.table:
            return [], []
        columns = list(self.table)
        if not any(column.type == FEATURES_COLUMN for column in columns):
            names: dict[int, list[str]] = {}
            for feature in self.features:
                for level in feature.levels:
                    names.setdefault(level, []).append(feature.name)
            cells = {level: ", ".join(names_of_level) for level, names_of_level in names.items()}
            columns.insert(0, TableColumn(name="Features", type=FEATURES_COLUMN, cells=cells))
        levels = sorted({level for column in columns for level in column.cells})
        rows = [(level, [column.cells.get(level, "—") for column in columns]) for level in levels]
        return [column.name for column in columns], rows

    def extra_texts(self) -> list[tuple[str, str]]:
        """The texts that a source gives in addition to the features, with their titles, unless a feature has them."""
        feature_texts = {"", *(feature.text.strip() for feature in self.features)}
        titles = ("Proficiencies", "Equipment", "Spellcasting")
        texts = zip(titles, (self.proficiencies, self.equipment, self.spellcasting), strict=True)
        return [(title, text) for title, text in texts if text.strip() not in feature_texts]


class Species(Record):
    """A species (race of the 2014 rules) or a lineage of one."""

    subspecies_of: Ref | None = None
    is_subspecies: bool = False
    lineages: tuple[Ref, ...] = ()
    size: str = ""
    speed: str = ""
    traits: tuple[Section, ...] = ()


class Background(Record):
    """A background with its benefits: proficiencies, equipment, feature, tables."""

    benefits: tuple[Section, ...] = ()


class Feat(Record):
    """A feat. ``type`` is Origin, General, Fighting Style, Epic Boon or empty."""

    type: str = ""
    prerequisite: str = ""
    benefits: tuple[str, ...] = ()


class FeatureType(StrEnum):
    """The kind of entry that a feature belongs to."""

    CLASS = "class"
    SUBCLASS = "subclass"
    OPTION = "option"  # offered by another feature: an invocation, a fighting style
    TRAIT = "trait"  # of a species


class CharacterFeature(Record):
    """A feature as an entry of its own, derived from a part of the record in ``parent``.

    ``character_class`` is the class, also for a subclass's feature; ``option_of`` is the feature that offers an option.
    ``levels`` are those at which it is gained or improves, empty if there are none.
    """

    type: FeatureType
    parent: Ref
    parent_kind: Kind
    character_class: Ref | None = None
    option_of: str = ""
    levels: tuple[int, ...] = ()
    details: dict[int, str] = Field(default_factory=dict)  # level -> what changes
