"""All endpoints: nothing is lost, nothing raises, and every record names its source."""

from __future__ import annotations

import copy
import datetime
import re
from collections import Counter
from typing import Any

import pytest

from lorekeeper_mcp.models import Document, Edition, Kind, Record, Source, Spell, model_of
from lorekeeper_mcp.sources.open5e.adapters import AdaptError, Context, to_record
from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS
from lorekeeper_mcp.text import letters
from tests.json_paths import Path, paths, value_at
from tests.recorded import endpoints, load, needs_recorded
from tests.sources.open5e import adapted_records, invented

ODD: tuple[Any, ...] = (
    None,
    "",
    "odd",
    "7",
    7,
    -1.5,
    10**400,
    float("nan"),
    True,
    [],
    [None, 7, "odd", {}, [[]]],
    {},
    {"key": None, "name": ["odd"], "desc": 7},
)

BOOK = {
    "key": "lantern",
    "name": "Lantern Book",
    "desc": "A book.",
    "type": "SOURCE",
    "author": "Somebody",
    "publisher": {"name": "Lamp Press", "key": "lamp-press"},
    "gamesystem": {"name": "5th Edition 2024", "key": "5e-2024"},
    "licenses": [
        {"name": "OPEN GAME LICENSE Version 1.0a", "key": "ogl-10a"},
        {"name": "Creative Commons Attribution 4.0", "key": "cc-by-40"},
        {"name": "Creative Commons 0", "key": "cc0"},
    ],
    "publication_date": "2024-05-06T00:00:00",
}


def lantern() -> Context:
    return Context({"lantern": adapted_records.adapt("v2/documents", BOOK, Document)})


@needs_recorded
def test_every_v2_endpoint_but_the_list_of_enums_has_an_adapter() -> None:
    assert {name for name in ADAPTERS if name.startswith("v2/")} == set(endpoints("v2"))


@needs_recorded
@pytest.mark.parametrize("endpoint", sorted(ADAPTERS))
def test_every_recorded_record_becomes_a_record_of_its_kind_and_model(endpoint: str) -> None:
    records = adapted_records.records(endpoint)
    assert len(records) == len(load(endpoint)) > 0
    kinds = {Kind.CLASS, Kind.SUBCLASS} if endpoint == "v2/classes" else {ADAPTERS[endpoint][0]}
    assert {record.kind for record in records} == kinds
    for record in records:
        assert type(record) is model_of(record.kind)
        assert record.key
        assert record.name
        assert record.document_key
        assert record.document_name
        assert "\r" not in record.model_dump_json()


@needs_recorded
def test_all_of_v2_is_9380_records_each_with_its_own_kind_and_key() -> None:
    ids = Counter(record.id for endpoint in endpoints("v2") for record in adapted_records.records(endpoint))
    assert sum(ids.values()) == 9380
    assert ids.most_common(1)[0][1] == 1


@needs_recorded
@pytest.mark.parametrize("endpoint", endpoints("v2"))
def test_v2_records_keep_key_name_text_and_document(endpoint: str) -> None:
    documents = {document["key"]: document for document in load("v2/documents")}
    for served, record in adapted_records.pairs(endpoint, Record):
        assert record.key == served["key"]
        assert record.document_source is Source.OPEN5E_V2
        assert record.url == ""
        if "name" in served:
            assert record.name == re.sub("^npc: ", "", served["name"].strip(), flags=re.IGNORECASE)
        if "document" in served:
            document = served["document"]
            key = document["key"] if isinstance(document, dict) else document
            assert record.document_key == key
            assert record.document_name == documents[key]["name"]
            assert record.publisher == documents[key]["publisher"]["name"]
            if not key.startswith("srd-"):  # the embedded books name one license
                assert record.license.count(";") == len(documents[key]["licenses"]) - 1
            assert "Version" not in record.license
        if served.get("desc", "").startswith(("[N", "No description provided")):
            assert record.text == ""
        elif "desc" in served and endpoint not in ("v2/weapons", "v2/armor", "v2/items"):
            assert letters(record.text) == letters(served["desc"])


@needs_recorded
def test_editions_are_those_of_the_documents() -> None:
    systems = {"5e-2014": "2014", "5e-2024": "2024", "a5e": "a5e"}
    documents = {document["key"]: systems[document["gamesystem"]["key"]] for document in load("v2/documents")}
    for endpoint in ("v2/spells", "v2/creatures", "v2/magicitems", "v2/classes", "v2/rules", "v2/documents"):
        for record in adapted_records.records(endpoint):
            assert record.editions == (documents[record.document_key],)
            assert record.documents == (record.document_key,)


@needs_recorded
def test_cross_references_lead_to_keys() -> None:
    linked = 0
    for endpoint in endpoints("v2"):
        for served, record in adapted_records.pairs(endpoint, Record):
            links = served.get("crossreferences", {}).get("to", [])
            for link, ref in zip(links, record.see_also, strict=True):
                assert ref.name == link["anchor"]
                assert link["url"].strip("/").split("/")[-1] == ref.key
            linked += bool(links)
    assert linked == 11


def damaged(served: dict[str, Any], path: Path, odd: Any) -> dict[str, Any]:
    result = copy.deepcopy(served)
    value_at(result, path[:-1])[path[-1]] = odd
    return result


@pytest.mark.parametrize("endpoint", sorted(ADAPTERS))
def test_no_odd_field_costs_a_record(endpoint: str) -> None:
    served = invented.record(endpoint)
    sound = to_record(endpoint, served, lantern())
    for path in paths(served):
        for odd in ODD:
            record = to_record(endpoint, damaged(served, path, odd), lantern())
            assert type(record) is type(sound)
            assert record.key
            assert record.name


@needs_recorded
@pytest.mark.parametrize("endpoint", sorted(ADAPTERS))
def test_no_odd_or_missing_top_field_costs_a_recorded_record(endpoint: str) -> None:
    served = load(endpoint)[0]
    without_name = {"key"} if "name" not in served else set()  # alignments have a key only
    for field in served.keys() - without_name:
        assert to_record(endpoint, {name: served[name] for name in served if name != field}, adapted_records.EMPTY).name
        for odd in ODD:
            assert to_record(endpoint, {**served, field: odd}, adapted_records.EMPTY).name


@pytest.mark.parametrize("endpoint", sorted(ADAPTERS))
def test_a_key_or_a_name_is_enough(endpoint: str) -> None:
    field = "slug" if endpoint.startswith("v1/") else "key"
    assert to_record(endpoint, {field: "glow-worm"}, adapted_records.EMPTY).name == "Glow Worm"
    assert to_record(endpoint, {"name": "Glow Worm"}, adapted_records.EMPTY).key == "glow-worm"
    assert to_record(endpoint, {"name": "Жар"}, adapted_records.EMPTY).key == "жар"
    assert to_record(endpoint, {field: "glow_"}, adapted_records.EMPTY).name == "glow_"


@pytest.mark.parametrize("served", [None, 7, "spell", [], [{"key": "a"}]])
def test_a_value_that_is_no_object_is_refused(served: object) -> None:
    with pytest.raises(AdaptError, match=r"v2/spells served a .* where a record was expected"):
        to_record("v2/spells", served, adapted_records.EMPTY)


@pytest.mark.parametrize("served", [{}, {"level": 3}, {"key": "", "name": None}, {"key": [], "name": "!!"}])
def test_an_object_with_neither_key_nor_name_is_no_record(served: object) -> None:
    with pytest.raises(AdaptError, match="v2/spells served a record with neither key nor name"):
        to_record("v2/spells", served, adapted_records.EMPTY)


def test_an_unknown_endpoint_is_reported_with_the_known_ones() -> None:
    with pytest.raises(AdaptError, match=r"v2/monsters is no endpoint .*v2/creatures"):
        to_record("v2/monsters", {"key": "a"}, adapted_records.EMPTY)


def test_a_document_is_its_own_document() -> None:
    book = lantern().documents["lantern"]
    assert (book.document_key, book.document_name, book.documents) == ("lantern", "Lantern Book", ("lantern",))
    assert book.license == "Open Game License 1.0a; CC-BY-4.0; CC0-1.0"
    assert book.publisher == "Lamp Press"
    assert book.editions == (Edition.E2024,)
    assert book.published == datetime.date(2024, 5, 6)
    for date in ("soon", "2024-02-14T19:02:02"):
        assert adapted_records.adapt("v2/documents", {**BOOK, "publication_date": date}, Document).published is None
    assert adapted_records.adapt("v2/documents", {**BOOK, "key": "kp"}, Document).copyright == "© Open Design LLC"


def test_the_document_is_read_from_an_object_from_a_key_and_from_nothing() -> None:
    nested = {"key": "lantern", "name": "Nested Name", "gamesystem": {"key": "a5e"}, "publisher": {"name": "Other"}}
    from_object = to_record("v2/spells", {"key": "lantern_glow", "document": nested}, lantern())
    assert (from_object.document_name, from_object.publisher, from_object.editions) == (
        "Nested Name",
        "Other",
        (Edition.A5E,),
    )
    assert from_object.license == "Open Game License 1.0a; CC-BY-4.0; CC0-1.0"
    from_key = to_record("v2/spells", {"key": "lantern_glow", "document": "lantern"}, lantern())
    assert (from_key.document_name, from_key.publisher, from_key.editions) == (
        "Lantern Book",
        "Lamp Press",
        (Edition.E2024,),
    )
    from_nothing = to_record("v2/publishers", {"key": "lamp-press", "name": "Lamp Press"}, lantern())
    assert (from_nothing.document_key, from_nothing.document_name) == ("core", "5e Core Concepts")


def test_an_unknown_document_leaves_edition_and_licence_open() -> None:
    record = adapted_records.adapt("v2/spells", {"key": "mist_glow", "document": "mist"}, Spell, lantern())
    assert (record.document_key, record.document_name) == ("mist", "mist")
    assert (record.editions, record.license, record.publisher) == ((), "", "")


def test_a_missing_key_follows_the_form_of_its_document() -> None:
    assert to_record("v2/spells", {"name": "Old Glow", "document": "srd-2014"}, lantern()).key == "srd_old-glow"
    assert to_record("v2/spells", {"name": "Old Glow", "document": "lantern"}, lantern()).key == "lantern_old-glow"


def test_additional_fields_are_ignored() -> None:
    served = invented.record("v2/spells")
    assert to_record("v2/spells", {**served, "novelty": {"a": 1}}, lantern()) == to_record(
        "v2/spells", served, lantern()
    )
