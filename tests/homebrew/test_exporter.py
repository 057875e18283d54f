"""Books exported in another format: what is the same after an import, and what is listed as lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lorekeeper_mcp.homebrew.exporter import FORMATS, export
from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.imported import ImportedBook
from tests.example_counts import EXAMPLES
from tests.sources.fivetools.invented import data
from tests.sources.fivetools.test_schema import BASES, META, ROWS
from tests.sources.foundry.invented import DOCUMENTS
from tests.sources.foundry.test_schema import ROWS as FOUNDRY_ROWS
from tests.sources.foundry.test_schema import document
from tests.sources.homebrew_files import fivetools, foundry, initiative, statblocks
from tests.sources.homebrew_files.words import with_unique_words
from tests.sources.orcbrew.fixture_files import fixture
from tests.sources.orcbrew.schema import ROWS as ORCBREW_ROWS
from tests.sources.orcbrew.strategies import File, files
from tests.sources.orcbrew.test_schema import item
from tests.sources.other_format_files import EXPORT, FOUNDRY, NOTE

SOURCES: dict[str, Callable[[], bytes]] = {
    "orcbrew": lambda: fixture("wrapped").read_bytes(),
    "every construct of orcbrew": lambda: fixture("reeds-of-vell").read_bytes(),
    "5etools": data,
    "note": NOTE.encode,
    "initiative": lambda: json.dumps(EXPORT).encode(),
    "foundry": lambda: json.dumps([*FOUNDRY, *DOCUMENTS]).encode(),
}


def largest_book(source: bytes) -> ImportedBook:
    return max(formats.read(source, "x").books, key=lambda book: len(book.items))


def records(book: ImportedBook) -> list[Record]:
    return [item.record for item in book.items if item.record is not None]


def without_keys(value: object) -> object:
    """A value with its references by name only, since a key may be that of another book."""
    if isinstance(value, dict):
        return {name: without_keys(inner) for name, inner in value.items() if name != "key"}
    return [without_keys(inner) for inner in value] if isinstance(value, list | tuple) else value


def fields_of(records: Iterable[Record], *, sort_keys: bool = False) -> list[str]:
    """The fields of each record as JSON, sorted."""
    fields = (without_keys(record.model_dump(mode="json")) for record in records)
    return sorted(json.dumps(value, sort_keys=sort_keys) for value in fields)


def assert_round_trip(book: ImportedBook, form: str) -> None:
    if items := records(book):
        books = formats.read(export(book.document, items, form).data, "x").books
        records_back = [record for reimported_book in books for record in records(reimported_book)]
        assert fields_of(records_back, sort_keys=True) == fields_of(items, sort_keys=True)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("source", SOURCES)
def test_an_exported_book_can_be_imported_unchanged(source: str, form: str) -> None:
    book = largest_book(SOURCES[source]())
    exported = export(book.document, records(book), form)
    reimported = largest_book(exported.data)
    assert [item.reason for item in reimported.items if item.reason] == []
    assert fields_of(records(reimported), sort_keys=True) == fields_of(records(book), sort_keys=True)
    assert (reimported.document.name, reimported.document.key) == (book.document.name, book.document.key)
    # The result is exported again, and nothing changes.
    assert export(reimported.document, records(reimported), form).data == exported.data


@pytest.mark.parametrize("form", FORMATS)
def test_items_with_one_name_in_different_sections_are_all_exported(form: str) -> None:
    source = {
        "_meta": {"sources": [{"json": "V", "full": "V"}]},
        "feat": [{"name": "Ash", "source": "V", "entries": ["one"]}],
        "optionalfeature": [{"name": "Ash", "source": "V", "featureType": ["??"], "entries": ["two"]}],
        "hazard": [{"name": "Ash", "source": "V", "entries": ["three"]}],
        "trap": [{"name": "Ash", "source": "V", "entries": ["four"]}],
    }
    book = largest_book(json.dumps(source).encode())
    reimported = largest_book(export(book.document, records(book), form).data)
    assert sorted(record.text for record in records(reimported)) == ["four", "one", "three", "two"]


@pytest.mark.parametrize("form", FORMATS)
def test_features_with_the_same_reference_stay_in_their_class(form: str) -> None:
    source = b"""{"B" {:orcpub.dnd.e5/classes {
        :a {:name "Reed|Ward" :traits [{:description "one"} {:description "two"}
            {:name "Sway|Bend" :description "three"}]}
        :b {:name "Reed|Ward" :traits [{:description "four"}]}}}}"""
    book = largest_book(source)
    reimported = largest_book(export(book.document, records(book), form).data)
    assert fields_of(records(reimported)) == fields_of(records(book))
    assert {record.kind for record in records(reimported)} == {"class"}


@pytest.mark.parametrize("form", FORMATS)
def test_a_field_that_is_only_read_back_is_exported_as_its_default(form: str) -> None:
    source = b"""{"B" {:orcpub.dnd.e5/monsters {
        :a {:name "Ash Moth" :challenge 1 :damage-immunities {0 :bless}}}}}"""
    assert_round_trip(largest_book(source), form)


def test_values_that_a_format_cannot_hold_are_named() -> None:
    book = largest_book(data())
    losses = {(loss.item, loss.field) for loss in export(book.document, records(book), "orcbrew").losses}
    for field in ("environments", "defenses", "languages"):
        assert ("Dusk Moth", field) in losses
    assert ("Lamplighter", "table") in losses
    assert ("Lights of the Fens", "author") in losses
    assert ("Dusk Moth", "hit_points") not in losses
    assert {loss.field for loss in export(book.document, records(book), "5etools").losses} <= {
        "defenses", "casting_time", "casting_time_text", "subclasses", "category_text", "weapon", "proficiencies",
        "equipment", "table", "section", "spells",
    }  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
def test_a_retained_field_cannot_make_an_item_look_official(form: str) -> None:
    book = largest_book(data())
    posing = {
        "key": "srd_fireball",
        "document_key": "srd-2014",
        "document_name": "System Reference Document 5.1",
        "document_source": "open5e_v2",
        "documents": ["srd-2014"],
        "license": "CC",
        "publisher": "Wizards",
        "text": "Hidden\u200b words.",
    }
    [feat] = [record for record in records(book) if record.name == "Ash Walker"]
    written = FORMATS[form][0](book.document, [feat], {feat.id: posing})
    reimported = formats.read(written, "x")
    [item] = reimported.books[0].items
    assert item.record is not None
    assert (item.record.key, item.record.document_key) == (feat.key, feat.document_key)
    assert (item.record.document_name, item.record.document_source) == (feat.document_name, feat.document_source)
    assert (item.record.documents, item.record.license, item.record.publisher) == (feat.documents, "", "")
    assert (item.record.text, reimported.invisible) == ("Hidden words.", 1)


@pytest.mark.parametrize(("form", "written"), [
    ("orcbrew", b'{"B" {:orcpub.dnd.e5/feats {:a {:name "A" :lorekeeper {"text" {:deep 1}}}}}}'),
    ("5etools", b'{"feat": [{"name": "A", "source": "B", "_lorekeeper": {"text": {"deep": 1}}}]}'),
])  # fmt: skip
def test_an_invalid_retained_field_is_reported(form: str, written: bytes) -> None:
    [item] = formats.read(written, "x").books[0].items
    assert item.record is None, form
    assert "text" in item.reason


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(files(), st.sampled_from(list(FORMATS)))
def test_every_imported_book_survives_a_round_trip(file: File, form: str) -> None:
    for book in formats.read(file.text.encode(), "x").books:
        assert_round_trip(book, form)


OTHERS = st.one_of(fivetools.files, foundry.files, initiative.files, statblocks.files).map(with_unique_words)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(OTHERS, st.sampled_from(list(FORMATS)))
def test_every_book_survives_a_round_trip_through_another_format(file: str, form: str) -> None:
    for book in formats.read(file.encode(), "x").books:
        assert_round_trip(book, form)


@pytest.mark.parametrize("form", FORMATS)
def test_every_schema_field_survives_a_round_trip(form: str) -> None:
    sections: dict[str, list[dict[str, object]]] = {}
    for number, (section, field, value, _) in enumerate(ROWS):
        short_name = {"shortName": f"B{number}"} if section == "subclass" else {}
        fields = {**BASES[section], field: value, "name": f"Base {number}", **short_name}
        sections.setdefault(section, []).append(fields)
    book = largest_book(json.dumps({"_meta": META, **sections}).encode())
    reimported = largest_book(export(book.document, records(book), form).data)
    assert [item.reason for item in reimported.items if item.reason] == []
    assert fields_of(records(reimported)) == fields_of(records(book))


@pytest.mark.parametrize("form", FORMATS)
def test_every_field_of_a_foundry_document_survives_a_round_trip(form: str) -> None:
    documents = [document(table, kind, path, value) for table, kind, path, value, _ in FOUNDRY_ROWS]
    source = json.dumps([{**fields, "name": f"Base {number}"} for number, fields in enumerate(documents)])
    book = largest_book(source.encode())
    assert len(records(book)) >= 0.95 * len(FOUNDRY_ROWS)  # the others have no source, or one of another name
    reimported = largest_book(export(book.document, records(book), form).data)
    assert [item.reason for item in reimported.items if item.reason] == []
    assert fields_of(records(reimported)) == fields_of(records(book))


@pytest.mark.parametrize("form", FORMATS)
def test_every_field_of_an_orcbrew_file_survives_a_round_trip(form: str) -> None:
    sections = [
        f":orcpub.dnd.e5/{section} {{"
        + " ".join(
            f':base-{number} {{:name "Base {number}" {item(section, fields)}}}'
            for number, (fields, _) in enumerate(rows)
            if ":key" not in fields
        )
        + "}"
        for section, rows in ORCBREW_ROWS.items()
    ]
    book = largest_book(f'{{"Fens" {{{" ".join(sections)}}}}}'.encode())
    reimported = largest_book(export(book.document, records(book), form).data)
    assert [outcome.reason for outcome in (*book.items, *reimported.items) if outcome.reason] == []
    assert fields_of(records(reimported)) == fields_of(records(book))
