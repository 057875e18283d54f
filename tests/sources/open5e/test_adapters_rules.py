from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Edition, EditionText, Ref, Reference, Rule
from tests.recorded import needs_recorded
from tests.sources.open5e import invented
from tests.sources.open5e.adapted_records import adapt, pairs

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
