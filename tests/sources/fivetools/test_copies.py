"""Copies with modifications, and parts of other items that are copies themselves."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from lorekeeper_mcp.models import CharacterClass, Creature, Record
from lorekeeper_mcp.sources.originals import Originals
from tests.sources.fivetools.invented import FILE, SOURCE, item
from tests.sources.imported_items import read_items, read_records

MOTH = item(
    "Dusk Moth", size=["L"], dex=16, con=14, cr="5", shortName="moth", environment=["fen"], trait=[], group=["Moths"],
    legendaryGroup={"name": "Moths", "source": SOURCE},
)  # fmt: skip


def read(**sections: Any) -> dict[str, Record]:
    return read_records({"_meta": FILE["_meta"], **sections})


def modified_copy(mods: Any) -> dict[str, Any]:
    return item("Elder Moth", _copy={"name": "Dusk Moth", "source": SOURCE, "_mod": mods})


def copied(mods: Any) -> Creature:
    elder = read(monster=[MOTH, modified_copy(mods)])["Elder Moth"]
    assert isinstance(elder, Creature)
    return elder


@pytest.mark.parametrize(("template", "text"), [
    ("The <$short_name$> burns", "The moth burns"),
    ("<$title_short_name$> burns", "Moth burns"),
    ("the <$name$> burns", "the elder moth burns"),
])  # fmt: skip
def test_a_variable_of_a_modification_is_the_creatures_name(template: str, text: str) -> None:
    mods = {"trait": {"mode": "appendArr", "items": {"name": "Ash", "entries": [template]}}}
    assert copied(mods).traits[0].text == text


def test_several_fields_are_set_at_once() -> None:
    elder = copied({"_": {"mode": "setProps", "props": {"languages": ["Ash"], "int": 7}}})
    assert (elder.languages, elder.abilities.intelligence) == ("Ash", 7)


def test_fields_that_a_copy_inherits_only_if_preserved() -> None:
    group = [item("Moths", lairActions=["Dust falls."], visions=["It sees."])]
    plain = item("Plain", _copy={"name": "Dusk Moth", "source": SOURCE})
    kept = item("Kept", _copy={"name": "Dusk Moth", "source": SOURCE, "_preserve": {"environment": True}})
    records = read(monster=[MOTH, plain, kept], legendaryGroup=group)
    environments = {name: getattr(record, "environments", ()) for name, record in records.items()}
    assert [bool(environments[name]) for name in ("Dusk Moth", "Plain", "Kept")] == [True, False, True]
    assert [(section.name, section.text) for section in records["Dusk Moth"].other] == [
        ("lairActions", "Dust falls."),
        ("visions", "It sees."),
        ("shortName", "moth"),
    ]
    assert [section.name for section in records["Plain"].other] == ["shortName"]


def test_parts_of_others_may_be_copies() -> None:
    records = read(
        monster=[MOTH],
        legendaryGroup=[
            item("Base", lairActions=["Dust falls."]),
            item("Moths", _copy={"name": "Base", "source": SOURCE}),
        ],
        monsterFluff=[
            item("Base", entries=["Old songs."]),
            item("Dusk Moth", _copy={"name": "Base", "source": SOURCE}),
        ],
    )
    sections = {section.name: section.text for section in records["Dusk Moth"].other}
    assert sections == {"lairActions": "Dust falls.", "Lore": "Old songs.", "shortName": "moth"}


def test_a_copied_feature_is_listed_in_its_class() -> None:
    wick = f"Wick|Lamplighter|{SOURCE}|1"
    lamplighter_class = {"className": "Lamplighter", "classSource": SOURCE}
    records = read(
        **{
            "class": [item("Lamplighter", classFeatures=[wick])],
            "classFeature": [
                item("Flame", level=2, entries=["It burns."], **lamplighter_class),
                item(
                    "Wick",
                    level=1,
                    consumes={"name": "wax"},
                    _copy={"name": "Flame", "source": SOURCE},
                    **lamplighter_class,
                ),
            ],
        }
    )
    lamplighter = records["Lamplighter"]
    assert isinstance(lamplighter, CharacterClass)
    assert lamplighter.features[0].text == "It burns.\n\nconsumes: wax"
    assert "Wick" not in records


def test_lore_may_be_that_of_another() -> None:
    moth = item("Fen Moth", fluff={"_monsterFluff": {"name": "Dusk Moth", "source": SOURCE}, "images": []})
    records = read(monster=[moth], monsterFluff=[item("Dusk Moth", entries=["Old songs."])])
    assert [(section.name, section.text) for section in records["Fen Moth"].other] == [("Lore", "Old songs.")]


def test_a_file_that_is_among_the_others_has_no_original_of_its_own_copy() -> None:
    goblin = {"monster": [{"name": "Goblin", "source": "MM", "_copy": {"name": "Goblin", "source": "MM"}, "cr": "3"}]}
    [read_goblin] = read_items(goblin, originals=Originals(lambda: [copy.deepcopy(goblin)]))
    assert isinstance(read_goblin.record, Creature), read_goblin.reason
    assert (read_goblin.record.size, read_goblin.record.challenge_rating) == ("small", 3)
