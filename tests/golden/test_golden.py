"""Whole pages of 56 entities against facts that were compared with the official texts of both SRDs.

Every sentence of a page was looked up on the page of the book that ``checked`` names. The files contain no prose, only
its length and a digest of its letters.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from lorekeeper_mcp.models import Edition, Record
from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS
from tests.golden.outline import entries, outline
from tests.record_pages import markdown
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import records

PAGES = [
    page for file in sorted(Path(__file__).parent.glob("*.toml")) for page in entries(tomllib.loads(file.read_text()))
]


def found(record_id: str) -> Record:
    v2 = (endpoint for endpoint in ADAPTERS if endpoint.startswith("v2/"))
    return next(record for endpoint in v2 for record in records(endpoint) if record.id == record_id)


@needs_recorded
@pytest.mark.parametrize(("record_id", "checked", "expected"), PAGES, ids=[page[0] for page in PAGES])
def test_a_page_has_the_checked_facts(record_id: str, checked: str, expected: list[str]) -> None:
    assert outline(markdown(found(record_id))) == expected
    assert checked.startswith("SRD 5.")


@needs_recorded
def test_golden_pages_cover_both_editions_and_every_kind_twice() -> None:
    kinds = Counter(record_id.partition(":")[0] for record_id, _, _ in PAGES)
    assert len(PAGES) >= 40
    several = ("spell", "creature", "weapon", "armor", "item", "magic-item", "class", "subclass", "species",
               "background", "rule", "rule-set", "condition", "skill")  # fmt: skip
    assert {kind: kinds[kind] for kind in several if kinds[kind] < 2} == {}
    editions = Counter(edition for record_id, _, _ in PAGES for edition in found(record_id).editions)
    assert min(editions[Edition.E2014], editions[Edition.E2024]) >= 15
