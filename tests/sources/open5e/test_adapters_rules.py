from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Edition, EditionText, Reference
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
