"""Features, options and traits as separate entries, derived from their parents."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import CharacterClass, CharacterFeature, Feature, FeatureType, Kind, Ref, Section, Species
from lorekeeper_mcp.render.index_lines import facts, index_line
from lorekeeper_mcp.sources.features import features_of, with_features
from tests.own_records import book_heading
from tests.record_pages import markdown


def lamplighter(*features: Feature, **fields: Any) -> CharacterClass:
    heading = book_heading(Kind.CLASS, "Lamplighter", license="CC-BY-4.0")
    return CharacterClass.model_validate(heading | fields | {"features": features})


def by_name(record: CharacterClass | Species) -> dict[str, CharacterFeature]:
    return {feature.name: feature for feature in features_of(record)}


def test_a_feature_is_an_entry_with_its_class_and_levels() -> None:
    [feature] = features_of(lamplighter(Feature(name="Wick Step", text="You step into light.", levels=(1, 5))))
    assert (feature.id, feature.document_key, feature.license) == (
        "feature:own_lamplighter_wick-step", "own", "CC-BY-4.0",
    )  # fmt: skip
    assert (feature.parent, feature.parent_kind) == (Ref(name="Lamplighter", key="own_lamplighter"), Kind.CLASS)
    assert feature.levels == (1, 5)
    assert "feature of Lamplighter · level 1 · also at 5 · You step into light." in index_line(feature, facts(feature))
    assert "*Feature of Lamplighter, levels 1, 5*\n\nYou step into light." in markdown(feature)


def test_other_lists_of_a_class_are_no_features() -> None:
    record = lamplighter(
        Feature(name="Core Lamplighter Traits", text="| a | b |", type="CORE_TRAITS_TABLE"),
        Feature(name="Equipment", text="A lamp.", type="STARTING_EQUIPMENT"),
        Feature(name="Proficiencies", text="None."),
        Feature(name="Lamps (table)", text="| a |"),
        Feature(name="Unwritten", levels=(2,)),
    )
    assert features_of(record) == []


def test_options_are_found_under_headings_and_bold_names() -> None:
    record = lamplighter(
        Feature(
            name="Lantern Arts",
            text="You learn some.\n\n### Long Wick\n*Prerequisite: Level 9+ Lamplighter*\n\nIt burns.\n\n"
            "**Repeatable.** Again.\n\n### Short Wick\nIt is out.\n\n### Wicks (table)\n| a |\n|---|\n| 1 |",
            levels=(2,),
        ),
        Feature(
            name="Channel Light",
            text="Two effects.\n\n***Turn Shade.*** Shades flee.\n\n- **Dawn Spark**. It is day.\n\n"
            "**Duration.** An hour.",
            levels=(6, 18),
        ),
    )
    features = by_name(record)
    options = {name for name, feature in features.items() if feature.option_of}
    assert options == {"Long Wick", "Short Wick", "Turn Shade", "Dawn Spark"}
    assert (features["Long Wick"].levels, features["Short Wick"].levels, features["Turn Shade"].levels) == (
        (9,),
        (2,),
        (6,),
    )
    assert features["Long Wick"].text.endswith("**Repeatable.** Again.")
    assert features["Short Wick"].text.endswith("| 1 |"), "a table belongs to what stands before it"
    assert features["Turn Shade"].text == "Shades flee."
    assert "**Dawn Spark**. It is day." in features["Channel Light"].text, "the feature itself stays whole"
    assert "*Channel Light option, feature of Lamplighter, level 6*" in markdown(features["Turn Shade"])
    of_list = features["Turn Shade"].model_copy(update={"option_of": "Lamp Options"})
    assert "*Lamp option, feature of" in markdown(of_list)


def test_an_option_has_one_name_in_every_source() -> None:
    in_text = lamplighter(
        Feature(name="Channel Light", text="One.\n\n### Channel Light: Turn Shade\nShades flee.", levels=(2,))
    )
    beside = lamplighter(
        Feature(name="Channel Light", text="One.", levels=(2,)),
        Feature(name="Channel Light: Turn Shade", text="Shades flee."),
    )
    for record in (in_text, beside):
        option = by_name(record)["Turn Shade"]
        assert (option.key, option.option_of, option.levels) == ("own_lamplighter_turn-shade", "Channel Light", (2,))


@pytest.mark.parametrize(
    ("introduction", "is_option"),
    [
        ("You choose one of these benefits.", True),
        ("Choose a lamp. You gain the following benefits.", False),
        ("Your lamp has the following enhancements.", False),
        ("You start knowing two such features: Glow and Dim.", False),
        ("You gain the following epic boon:", False),
        ("You gain the following two lamp options.", True),
    ],
)
def test_parts_all_of_which_are_gained_are_no_options(introduction: str, *, is_option: bool) -> None:
    record = lamplighter(Feature(name="Lamps", text=f"{introduction}\n\n**Glow.** Glow.\n\n**Dim.** Dim.", levels=(3,)))
    glow = by_name(record)["Glow"]
    assert (glow.type, glow.option_of) == ((FeatureType.OPTION, "Lamps") if is_option else (FeatureType.CLASS, ""))
    assert glow.levels == (3,)


def test_a_list_of_options_has_the_level_of_the_feature_that_offers_them() -> None:
    record = lamplighter(
        Feature(name="Shining Secrets", text="Choose two.", levels=(2, 7)),
        Feature(name="Shining Secret Options", text="### Glow\nYou glow.", type="CLASS_FEATURE_OPTION_LIST"),
    )
    assert by_name(record)["Glow"].levels == (2,)


def test_two_options_with_one_name_get_different_keys() -> None:
    record = lamplighter(
        Feature(name="Gleam", text="**Flare.** Once.", levels=(2,)),
        Feature(name="Greater Gleam", text="**Flare.** Twice.", levels=(10,)),
    )
    features = by_name(record)
    assert features["Flare"].option_of == "Gleam"
    assert features["Greater Gleam: Flare"].key == "own_lamplighter_greater-gleam-flare"


def test_species_traits_are_entries_except_those_of_every_species() -> None:
    record = Species(
        **book_heading(Kind.SPECIES, "Moth"),
        traits=(Section(name="Size", text="Small."), Section(name="Lamp Sense", text="You feel lamps.")),
    )  # fmt: skip
    assert [(feature.name, feature.parent_kind) for feature in features_of(record)] == [("Lamp Sense", Kind.SPECIES)]
    assert [entry.kind for entry in with_features([record])] == [Kind.SPECIES, Kind.FEATURE]
