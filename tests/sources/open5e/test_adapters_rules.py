from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Edition, EditionText, Kind, Ref, Reference, Rule
from tests.recorded import load, needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import adapt, pairs, records

DESCRIBED = ("v2/conditions", "v2/skills", "v2/abilities", "v2/damagetypes", "v2/creaturetypes", "v2/alignments")
EDITIONS = {"5e-2014": Edition.E2014, "5e-2024": Edition.E2024, "a5e": Edition.A5E}


@needs_recorded
@pytest.mark.parametrize("endpoint", DESCRIBED)
def test_recorded_concepts_carry_the_text_of_every_edition(endpoint: str) -> None:
    for served, record in pairs(endpoint, Reference):
        texts = served["descriptions"]
        assert [(t.text, t.document_key, t.edition) for t in record.texts] == [
            (t["desc"].replace("\r\n", "\n"), t["document"], EDITIONS[t["gamesystem"]]) for t in texts
        ]
        assert set(record.editions) == {EDITIONS[t["gamesystem"]] for t in texts}
        assert list(record.editions) == sorted(record.editions)
        assert set(record.documents) == {record.document_key, *(t["document"] for t in texts)}
        main = [t["desc"] for t in texts if t["document"] == "srd-2014"] or [texts[0]["desc"]]
        assert record.text == main[0].replace("\r\n", "\n")


@needs_recorded
def test_recorded_rules_stand_in_their_rule_sets() -> None:
    names = {served["key"]: served["name"] for served in load("v2/rulesets")}
    for served, rule in pairs("v2/rules", Rule):
        assert rule.section is not None
        assert rule.section.key == served["ruleset"]
        assert rule.section.name in (names[rule.section.key], f"{names[rule.section.key]}s")
        assert rule.order == served["index"]
    for served, rule_set in pairs("v2/rulesets", Rule):
        assert sorted(ref.key for ref in rule_set.rules) == sorted(rule["key"] for rule in served["rules"])
        places = {rule["key"]: rule["index"] for rule in served["rules"]}
        assert [places[ref.key] for ref in rule_set.rules] == sorted(places.values())


@needs_recorded
def test_recorded_sets_name_their_members() -> None:
    for endpoint, field in (("v2/creaturesets", "creatures"), ("v2/itemsets", "items"), ("v2/abilities", "skills")):
        for served, record in pairs(endpoint, Reference):
            assert [(member.key, member.name) for member in record.members] == [
                (member["key"], member["name"]) for member in served[field]
            ]


@needs_recorded
def test_recorded_small_lists_keep_their_fields() -> None:
    for served, size in pairs("v2/sizes", Reference):
        assert (size.rank, size.space, size.hit_die) == (
            served["rank"],
            served["space_diameter"],
            served["suggested_hit_dice"],
        )
    for served, image in pairs("v2/images", Reference):
        assert (image.image, image.text, image.attribution) == (
            served["file_url"],
            served["alt_text"],
            served["attribution"],
        )
    for served, language in pairs("v2/languages", Reference):
        assert (language.is_exotic, language.is_secret) == (served["is_exotic"], served["is_secret"])
        assert language.script == (served["script_language"] or "")
    for served, place in pairs("v2/environments", Reference):
        assert (place.aquatic, place.planar, place.interior) == (
            served["aquatic"],
            served["planar"],
            served["interior"],
        )
    for served, alignment in pairs("v2/alignments", Reference):
        assert alignment.name.lower().replace(" ", "-") == served["key"]
        assert (alignment.short_name, alignment.morality) == (served["short_name"], served["morality"])
    assert [rule.rank for rule in records("v2/itemrarities") if isinstance(rule, Reference)] == [6, 1, 5, 3, 2, 4]
    assert sum(rule.type == "Mastery" for rule in records("v2/weaponproperties") if isinstance(rule, Reference)) == 8


@needs_recorded
def test_recorded_planes_of_v1_keep_their_parents() -> None:
    for served, plane in pairs("v1/planes", Reference):
        assert (plane.kind, plane.parent) == (Kind.PLANE, served["parent"] or "")
        assert plane.key == f"srd_{served['slug']}"


def test_an_invented_condition_is_read_whole() -> None:
    record = adapt("v2/conditions", invented.record("v2/conditions", desc=None), Reference)
    assert record.texts == (
        EditionText(text="Newer glow.", document_key="srd-2024", edition=Edition.E2024),
        EditionText(text="Older glow.", document_key="srd-2014", edition=Edition.E2014),
    )
    assert record.text == "Older glow."
    assert record.editions == (Edition.E2014, Edition.E2024)
    assert record.documents == ("lantern", "srd-2024", "srd-2014")
    assert (record.image, record.attribution) == ("", "")


def test_without_descriptions_the_records_own_text_and_edition_apply() -> None:
    record = adapt("v2/conditions", invented.record("v2/conditions", descriptions=None), Reference)
    assert (record.text, record.texts, record.editions) == ("It glows.\n\nA lot.", (), (Edition.E2024,))


@pytest.mark.parametrize(
    "text", ["[None provided]", "[None Provided]", "[No description provided]", "No description provided by A5e."]
)
def test_a_placeholder_text_is_empty(text: str) -> None:
    assert adapt("v2/environments", {"key": "fen", "name": "Fen", "desc": text}, Reference).text == ""


def test_a_rule_names_its_rule_set_readably() -> None:
    rule = adapt("v2/rules", invented.record("v2/rules"), Rule)
    assert rule.section == Ref(name="Light and Dark", key="lantern_light-and-dark")
    assert rule.order == 2


def test_a_rule_set_names_its_rules_in_order() -> None:
    rule_set = adapt("v2/rulesets", invented.record("v2/rulesets"), Rule)
    assert rule_set.rules == (Ref(name="A", key="a"), Ref(name="B", key="b"))
    assert rule_set.text == "It glows.\n\nA lot."


def test_a_game_system_is_its_own_edition() -> None:
    assert adapt("v2/gamesystems", {"key": "5e-2024", "name": "New"}, Reference).editions == (Edition.E2024,)
