from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import CharacterClass, Kind, Ref, Section, Species
from tests.recorded import needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import adapt, pairs


def character_class(*features: dict[str, object], **changes: object) -> CharacterClass:
    return adapt("v2/classes", invented.record("v2/classes", features=list(features), **changes), CharacterClass)


def column_names(features: list[dict[str, Any]]) -> dict[str, str]:
    """Key -> column name in a class table; a second column of the same name is named after its key."""
    names: dict[str, str] = {}
    for feature in features:
        if feature["data_for_class_table"]:
            name, own = feature["name"].strip(), feature["key"].rpartition("_")[2].replace("-", " ").title()
            names[feature["key"]] = own if name in names.values() else name
    return names


def test_a_table_is_in_the_trait_with_its_name() -> None:
    traits = [{"name": "Glow table", "desc": "| Lamp |\n|---|\n| Oil |"}, {"name": "Glow", "desc": "See the table."},
              {"name": "Moth table", "desc": "Red."}]  # fmt: skip
    record = adapt("v2/species", {"key": "own_moth", "name": "Moth", "traits": traits}, Species)
    assert [trait.name for trait in record.traits] == ["Glow", "Moth table"]
    assert record.traits[0].text == "See the table.\n\n**Glow table**\n\n| Lamp |\n|---|\n| Oil |"


@needs_recorded
def test_every_recorded_feature_is_kept_as_a_feature_or_as_a_column() -> None:
    for served, record in pairs("v2/classes", CharacterClass):
        prose = [feature for feature in served["features"] if feature["desc"] not in ("", "[Column data]")]
        assert sorted((feature.key, feature.text) for feature in record.features if feature.text) == sorted(
            (feature["key"], feature["desc"].replace("\r\n", "\n")) for feature in prose
        )
        columns = [feature for feature in served["features"] if feature["data_for_class_table"]]
        assert sorted(column.name for column in record.table) == sorted(column_names(served["features"]).values())
        keys = {feature.key for feature in record.features} | {feature["key"] for feature in columns}
        assert keys == {feature["key"] for feature in served["features"]}
        assert all(list(column.cells) == sorted(column.cells) for column in record.table)


@needs_recorded
def test_every_recorded_cell_and_level_is_kept() -> None:
    for served, record in pairs("v2/classes", CharacterClass):
        if served["document"]["key"].startswith("srd"):
            continue  # the book stands for it
        features = {(feature.key, feature.name): feature for feature in record.features}
        cells = {(column.name, level, cell) for column in record.table for level, cell in column.cells.items()}
        names = column_names(served["features"])
        for feature in served["features"]:
            for cell in feature["data_for_class_table"]:
                place = (names[feature["key"]], cell["level"], cell["column_value"])
                assert place in cells
            adapted = features.get((feature["key"], feature["name"].strip()))
            if adapted and feature["gained_at"]:
                assert set(adapted.levels) >= {gain["level"] for gain in feature["gained_at"]}
                assert list(adapted.levels) == sorted(set(adapted.levels))


def test_an_invented_subclass_is_read_whole() -> None:
    record = adapt("v2/classes", invented.record("v2/classes"), CharacterClass)
    assert (record.kind, record.subclass_of) == (Kind.SUBCLASS, Ref(name="Wizard", key="srd-2024_wizard"))
    assert (record.hit_dice, record.caster_type, record.saving_throws) == ("d8", "full", ("Wisdom",))
    assert record.hit_points_at_1st_level == "8"
    feature = record.features[0]
    assert (feature.levels, feature.details) == ((2, 9), {9: "two wicks"})
    assert record.table[0].cells == {2: "1"}


def test_features_stand_by_level_with_the_traits_of_the_class_first() -> None:
    record = character_class(
        {"name": "Late", "gained_at": [{"level": 9}]},
        {"name": "List", "feature_type": "CLASS_FEATURE_OPTION_LIST"},
        {"name": "Early", "gained_at": [{"level": 1}]},
        {"name": "Gear", "feature_type": "STARTING_EQUIPMENT", "desc": "A lamp."},
    )
    assert [feature.name for feature in record.features] == ["Gear", "Early", "Late", "List"]
    assert record.equipment == "A lamp."


def test_traits_stand_in_their_order_without_repeated_names() -> None:
    traits = [
        {"name": "Odd", "desc": "No place."},
        {"name": "Glow", "desc": "**_Glow._** You glow.", "order": 2},
        {"name": "Size", "desc": "Small.", "order": 1, "type": "SIZE"},
        {"name": "Wick", "desc": "**_Other._** Text.", "order": 3},
    ]
    record = adapt("v2/species", invented.record("v2/species", traits=traits), Species)
    assert record.traits == (
        Section(name="Size", text="Small.", type="SIZE"),
        Section(name="Glow", text="You glow."),
        Section(name="Wick", text="**_Other._** Text."),
        Section(name="Odd", text="No place."),
    )
    assert (record.size, record.speed) == ("Small.", "")
    assert record.subspecies_of == Ref(name="Wisp", key="lantern_wisp")
