"""The reading kit: values of any type, fields that are taken once, and what is left over."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    Printer,
    flag,
    integer,
    integers,
    leading_number,
    names,
    number,
    shown,
    text,
    titled,
    value_at,
)

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("value", "read"),
    [(3, 3.0), ("+5", 5.0), ("1/4", 0.25), ("½", 0.5), (".5", 0.5), ("2,000", 2000.0), ("1/0", None), (True, None),
     ("30 ft.", None), (float("nan"), None), (10**400, None), ([3], None), (None, None)],
)  # fmt: skip
def test_numbers_are_read_strictly(value: object, read: float | None) -> None:
    assert number(value) == read


@pytest.mark.parametrize(
    ("value", "read"), [("2,000 gp", 2000.0), ("1/4 lb.", 0.25), ("15.00", 15.0), ("about 3", None), (7, 7.0)]
)
def test_a_leading_number_may_be_followed_by_words(value: object, read: float | None) -> None:
    assert leading_number(value) == read


def test_other_values_are_read_from_any_type() -> None:
    assert [integer(value) for value in ("3rd", "-2", 4.0, 4.5, "x", False)] == [3, -2, 4, None, None, None]
    assert list(map(flag, (True, "Yes", 0, "false", "?", None))) == [True, True, False, False, None, None]
    assert [text(value) for value in (" a\r\nb ", 2.5, 10**30, True, ["a"])] == ["a\nb", "2.5", str(10**30), "", ""]
    assert names({"arcana": True, "history": False, "nature": None}) == ["arcana"]
    assert names("fire, cold , ") == names(["fire", "cold"]) == ["fire", "cold"]
    assert integers([{"dex": 5}, {"con": "+7", "note": "odd"}]) == {"dex": 5, "con": 7}
    assert value_at({"details": {"xp": {"value": 50}}}, "details.xp.value") == 50
    assert value_at({"details": "none"}, "details.xp.value") is None


@pytest.mark.parametrize(
    ("key", "name"),
    [("sleight-of-hand", "Sleight of Hand"), ("fightingStyle", "Fighting Style"), ("explorers-pack", "Explorer's Pack"),
     ("thieves-tools", "Thieves' Tools"), ("half-elf", "Half-Elf"), ("Écho du vent", "Écho du vent"), ("--", "--")],
)  # fmt: skip
def test_keys_are_titled(key: str, name: str) -> None:
    assert titled(key) == name


def test_a_field_is_found_under_any_spelling_of_its_name() -> None:
    fields = Fields({"Hit Points": 9, "stealth-disadvantage?": True, "Größe": "klein"})
    assert fields.integer("hit_points") == 9 and fields.flag("stealthDisadvantage") and fields.text("größe") == "klein"
    assert fields.unread() == {}


def test_only_fields_that_are_read_are_taken() -> None:
    fields = Fields({"ac": "about 15", "armor": 14, "hp": "", "cr": "1/4", "speed": {"walk": 30, "note": "slow"}})
    assert fields.integer("ac", "armor") == 14
    assert fields.number("cr") == 0.25
    assert fields.integers("speed") == {"walk": 30}
    assert fields.has("ac") and not fields.has("hp", "missing")
    assert fields.unread() == {"ac": "about 15", "speed": {"note": "slow"}}


def test_paths_leave_the_rest_of_an_object_over() -> None:
    fields = Fields({"system": {"attributes": {"hp": {"max": 20, "temp": 3}}, "size": "lg"}, "a.b": 1})
    assert (fields.integer("system.attributes.hp.max"), fields.integer("a.b")) == (20, 1)
    assert fields.unread() == {"system": {"attributes": {"hp": {"temp": 3}}, "size": "lg"}}
    fields.drop("system.attributes", "system.size")
    assert fields.unread() == {}


def test_entries_are_fields_of_their_own() -> None:
    first, second = Fields({"traits": [{"name": "Gills", "text": "It breathes water.", "dc": 12}, "Keen"]}).entries(
        "traits"
    )
    assert first.with_unread(first.text("name"), first.text("text")) == "Gills\nIt breathes water.\ndc: 12"
    assert second.text("name") == "Keen"


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ({"arcana": True, "sleight-of-hand": True, "nature": False}, "Arcana, Sleight of Hand"),
        ({"name": "Bite", "desc": "It bites.", "reach": 5}, "Bite. It bites. (reach: 5)"),
        ({"bow": {"dice": "1d8", "type": "piercing"}, "cost": 5}, "bow: (dice: 1d8; type: piercing); cost: 5"),
        ([{"level": 1}, {"level": 2}], "level: 1; level: 2"),
        (["one", 2, None, False, True], "one, 2, yes"),
        ({"value": 30}, "30"),
        ({}, ""),
    ],
)  # fmt: skip
def test_unknown_values_are_printed_compactly(value: object, printed: str) -> None:
    assert shown(value) == printed


def test_a_printer_knows_the_texts_and_the_useless_fields_of_its_format() -> None:
    printer = Printer(text=lambda text: text.upper(), skipped=frozenset({"img"}), hides_zero=True)
    assert printer.sections({"img": "a.png", "note": {"img": "b.png", "words": "low"}, "bonus": 0, "flag": False}) == (
        Section(name="note", text="words: LOW"),
    )


def test_what_is_printed_is_bounded_and_says_so() -> None:
    nested: object = "deep"
    for _ in range(100):
        nested = [nested]
    assert shown(nested) == "…"
    assert shown("x" * 30_000).endswith("… (10,000 more characters are only in the file)")
    sections = Fields({f"field{number}": "x" for number in range(500)}).also()
    assert (len(sections), sections[-1].text) == (201, "300 more are only in the file")
