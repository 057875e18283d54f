"""Items inside items: versions, stat blocks in texts, templates; and texts that no reader may lose."""

# ruff: noqa: E501 - an entry is one line

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import Creature, Equipment, Record
from lorekeeper_mcp.sources.imported import ImportedItem
from tests.record_pages import markdown
from tests.sources.fivetools.invented import FILE, MOTH, SPELL, item
from tests.sources.imported_items import read_items, records_by_name, skip_reasons


def read(**sections: list[dict[str, Any]]) -> list[ImportedItem]:
    return read_items({"_meta": FILE["_meta"], **sections})


def records(**sections: list[dict[str, Any]]) -> dict[str, Record]:
    return records_by_name(read(**sections))


def creature(**fields: Any) -> Creature:
    moth = records(monster=[item("Moth", **fields)])["Moth"]
    assert isinstance(moth, Creature)
    return moth


def test_a_stat_block_in_a_text_is_an_item_of_the_book() -> None:
    chapter = {"id": "F", "source": "FENS", "name": "Fens", "data": [{"type": "section", "name": "One", "entries": [
        "Beware.",
        {"type": "inset", "entries": [{"type": "statblockInline", "dataType": "monster", "data": MOTH}]},
        {"type": "statblockInline", "dataType": "spell", "data": SPELL},
    ]}]}  # fmt: skip
    by_name = records(adventureData=[chapter])
    assert {name: str(record.kind) for name, record in by_name.items()} == {
        "One": "rule",
        "Dusk Moth": "creature",
        "Lantern Rain": "spell",
    }
    assert "See Dusk Moth." in by_name["One"].text
    assert list(records(adventureData=[chapter], monster=[MOTH])).count("Dusk Moth") == 1


def test_versions_are_items_of_their_own() -> None:
    plain = {
        "name": "Moth; Pale",
        "source": "FENS",
        "_mod": {"trait": {"mode": "removeArr", "names": "Dust"}},
        "size": ["T"],
    }
    abstract = {
        "_abstract": {"name": "Moth; {{Color}}", "source": "FENS", "_mod": {"*": {"mode": "replaceTxt", "replace": "light", "with": "{{Color}} light"}}},
        "_implementations": [{"_variables": {"Color": "Red"}, "resist": ["fire"]}, {"_variables": {"Color": 'B"lue'}}],
    }  # fmt: skip
    by_name = records(monster=[{**MOTH, "_versions": [plain, abstract]}])
    assert list(by_name) == ["Dusk Moth", "Moth; Pale", "Moth; Red", 'Moth; B"lue']
    pale, red = by_name["Moth; Pale"], by_name["Moth; Red"]
    assert isinstance(pale, Creature)
    assert isinstance(red, Creature)
    assert (pale.size, "Dust" in [trait.name for trait in pale.traits]) == ("tiny", False)
    assert red.defenses.damage_resistances == ("fire",)
    assert "*Red light*" in red.traits[0].text


def test_a_template_is_applied_and_a_missing_one_named() -> None:
    template = {"name": "Sooty", "source": "FENS", "apply": {
        "_root": {"type": "undead"}, "_mod": {"trait": {"mode": "appendArr", "items": {"name": "Soot", "entries": ["Black."]}}},
    }}  # fmt: skip
    original = {"name": "Dusk Moth", "source": "FENS", "_templates": [{"name": "Sooty", "source": "FENS"}]}
    copied = item("Soot Moth", _copy=original)
    sooty = records(monster=[MOTH, copied], monsterTemplate=[template])["Soot Moth"]
    assert isinstance(sooty, Creature)
    assert (sooty.type, [trait.name for trait in sooty.traits if trait.name == "Soot"]) == ("undead", ["Soot"])
    assert skip_reasons(read(monster=[MOTH, copied])) == ['its template "Sooty" is not in these files']


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"skill": {"stealth": "+4", "other": [{"oneOf": {"arcana": "+5"}}]}}, "arcana: +5"),
        ({"skill": {"special": "as its master"}}, "as its master"),
        ({"save": {"dex": "+4", "special": "or its master's"}}, "or its master's"),
        ({"type": {"type": "humanoid", "sidekickType": "expert"}}, "***Type.*** sidekick type: expert"),
        ({"sizeNote": "when unrolled"}, "when unrolled"),
        ({"str": {"special": "as its master"}}, "as its master"),
        ({"actionNote": "one a turn", "actionHeader": ["It acts."]}, "It acts."),
        (
            {"legendary": [{"name": "Flit", "entries": ["x"]}], "legendaryHeader": ["a"], "mythicHeader": ["b"]},
            "## Mythic Actions\n\nb",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_value_without_a_field_of_its_own_is_shown(fields: dict[str, Any], line: str) -> None:
    assert line in markdown(creature(**fields))


def changed_by(**mod: Any) -> ImportedItem:
    """The result of a copy whose long text is changed."""
    feat = item("Ash", entries=["a" * 30_000 + "b"])
    copied = item("Soot", _copy={"name": "Ash", "source": "FENS", "_mod": {"entries": {"mode": "replaceTxt", **mod}}})
    return read(feat=[feat, copied])[1]


@pytest.mark.parametrize("pattern", ["a*a*a*c", "(a+)+c", ".*.*.*c", "a?" * 40 + "a" * 40 + "c", "(a|aa)" * 40 + "c"])
def test_a_pattern_takes_linear_time(pattern: str) -> None:
    assert changed_by(replace=pattern, **{"with": ""}).reason == ""


def test_an_item_that_grows_without_limit_is_refused() -> None:
    mods = [{"mode": "replaceTxt", "replace": "a", "with": "a" * 10}] * 9
    grown = item("Soot", _copy={"name": "Ash", "source": "FENS", "_mod": {"entries": mods}})
    large = item("Large", entries=["x" * 3_000_000])
    copies = [item(f"Copy {n}", _copy={"name": "Large", "source": "FENS"}) for n in range(20)]
    outcomes = read(feat=[item("Ash", entries=["a"]), grown, large, *copies])
    assert ["grow by more than" in outcome.reason for outcome in outcomes] == [False, True, False, *[True] * 20]


def test_removing_many_entries_takes_linear_time() -> None:
    names = [str(number) for number in range(30_000)]
    original = item("Ash", trait=[{"name": name, "entries": ["x"]} for name in names])
    mod = {"trait": {"mode": "removeArr", "names": names[1:]}}
    copied = read(monster=[original, item("Soot", _copy={"name": "Ash", "source": "FENS", "_mod": mod})])[1]
    assert isinstance(copied.record, Creature)
    assert [trait.name for trait in copied.record.traits] == ["0"]


def test_long_chains_and_many_missing_copies_are_read_in_time() -> None:
    chain = [item(f"Link {n}", _copy={"name": f"Link {n + 1}", "source": "FENS"}) for n in range(2_000)]
    reasons = [link.reason for link in read(monster=[*chain, item("Link 2000", type="beast")])]
    assert reasons[-21:] == [""] * 21
    assert "more than 20 deep" in reasons[0]
    copies = [item(f"Lost {n}", _copy={"name": f"Nobody {n}", "source": "MM"}) for n in range(4_000)]
    assert all("not in these files" in copied.reason for copied in read(monster=copies))


def test_a_shared_text_is_filled_with_each_items_values() -> None:
    shared = {"name": "Ring of Resistance", "source": "FENS", "entriesTemplate": [
        "You resist {{getFullImmRes item.resist}} damage.", {"type": "entries", "name": "Stone", "entries": ["It has {{item.detail1}}{{item.none}}."]}
    ]}  # fmt: skip
    rings = [
        item("Ring of Ash", type="RG", rarity="rare", resist=["fire"], detail1="garnet", entries=["{#itemEntry Ring of Resistance|FENS}"]),
        item("Ring of Rime", type="RG", rarity="rare", resist=["cold", "acid"], detail1="jade", entries=["A.", {"type": "entries", "entries": ["{#itemEntry ring of resistance}"]}]),
        item("Ring of Mist", type="RG", rarity="rare", entries=["{#itemEntry Ring of Fog|XDMG}"]),
    ]  # fmt: skip
    rings.append(
        {"name": "Broken Ring", "type": "RG", "inherits": ["x"], "entries": ["Ash."]}
    )  # no book, and no object
    by_name = records(item=rings, itemEntry=[shared, {**shared, "name": "Lone"}])
    assert by_name["Ring of Ash"].text == "You resist fire damage.\n\n**Stone.** It has garnet."
    assert by_name["Ring of Rime"].text == "A.\n\nYou resist cold and acid damage.\n\n**Stone.** It has jade."
    assert by_name["Ring of Mist"].text == "See Ring of Fog (XDMG)."
    assert set(by_name) == {"Ring of Ash", "Ring of Rime", "Ring of Mist", "Broken Ring", "Lone"}, (
        "the shared text stands in its items"
    )


def test_a_template_of_a_property_has_the_values_of_its_weapon() -> None:
    thrown = {"abbreviation": "WT", "source": "FENS", "entriesTemplate": [{"name": "Wide Throw", "entries": ["It flies {{item.range}} feet."]}]}  # fmt: skip
    weapon = item("Hook", type="M", dmg1="1d4", range="20/60", property=["WT"])
    hook = records(itemProperty=[thrown], item=[weapon])["Hook"]
    assert isinstance(hook, Equipment)
    assert hook.weapon is not None
    assert [(prop.name, prop.text) for prop in hook.weapon.properties] == [("Wide Throw", "It flies 20/60 feet.")]


def test_a_property_nested_too_deep_costs_only_its_weapons() -> None:
    deep: object = "It glows."
    for _ in range(80):
        deep = {"type": "entries", "entries": [deep]}
    spec = {"abbreviation": "DP", "source": "FENS", "name": "Deep", "entries": [deep]}
    hook = item("Hook", type="M", dmg1="1d4", property=["DP"])
    items = read_items({"itemProperty": [spec], "item": [hook, item("Lamp")]})
    reasons = {item.path.rpartition(" ")[2]: item.reason for item in items if item.section == "items"}
    assert (reasons["Lamp"], "deeper than" in reasons["Hook"]) == ("", True)


def test_a_truncated_name_is_whole_in_the_text() -> None:
    name = " ".join(f"word{number}" for number in range(60))
    for section in ("feat", "spell", "race", "background", "variantrule"):
        fields = {"level": 1, "school": "V"} if section == "spell" else {}
        [record] = records(**{section: [item(name, entries=["The end."], **fields)]}).values()
        assert (record.name[-1], len(record.name), record.text) == ("…", 300, f"{name}\n\nThe end."), section


def test_one_entry_for_another_program_is_reported_in_the_singular() -> None:
    reasons = skip_reasons(read(foundrySpell=[item("A")], foundryItem=[item("A"), item("B")]))
    assert reasons == ["1 entry is data for another program", "2 entries are data for another program"]
