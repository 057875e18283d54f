"""Books exported in another format: what is the same after an import, and what is listed as lost."""

from __future__ import annotations

import json
from collections.abc import Callable

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
from tests.sources.homebrew_files.words import told_apart
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


def told(record: Record) -> dict[str, object]:
    """The fields of a record; a reference by its name, since its key may be that of another book."""

    def by_name(value: object) -> object:
        if isinstance(value, dict):
            return {name: by_name(one) for name, one in value.items() if name != "key"}
        return [by_name(one) for one in value] if isinstance(value, list | tuple) else value

    return {name: by_name(value) for name, value in record.model_dump(mode="json").items() if name != "key"}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("source", SOURCES)
def test_an_exported_book_can_be_imported_unchanged(source: str, form: str) -> None:
    book = largest_book(SOURCES[source]())
    exported = export(book.document, records(book), form)
    back = largest_book(exported.data)
    assert [item.reason for item in back.items if item.reason] == []
    there = sorted((told(record) for record in records(book)), key=lambda one: (one["kind"], one["name"]))
    again = sorted((told(record) for record in records(back)), key=lambda one: (one["kind"], one["name"]))
    assert again == there
    assert (back.document.name, back.document.key) == (book.document.name, book.document.key)
    # The result is exported again, and nothing changes.
    assert export(back.document, records(back), form).data == exported.data


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
    back = largest_book(export(book.document, records(book), form).data)
    assert sorted(record.text for record in records(back)) == ["four", "one", "three", "two"]


@pytest.mark.parametrize("form", FORMATS)
def test_features_with_the_same_reference_stay_in_their_class(form: str) -> None:
    source = b"""{"B" {:orcpub.dnd.e5/classes {
        :a {:name "Reed|Ward" :traits [{:description "one"} {:description "two"}
            {:name "Sway|Bend" :description "three"}]}
        :b {:name "Reed|Ward" :traits [{:description "four"}]}}}}"""
    book = largest_book(source)
    back = largest_book(export(book.document, records(book), form).data)
    assert sorted(json.dumps(told(one)) for one in records(back)) == sorted(
        json.dumps(told(one)) for one in records(book)
    )
    assert {one.kind for one in records(back)} == {"class"}


def test_values_that_a_format_cannot_hold_are_named() -> None:
    book = largest_book(data())
    lost = {(loss.item, loss.field) for loss in export(book.document, records(book), "orcbrew").losses}
    for field in ("environments", "defenses", "languages"):
        assert ("Dusk Moth", field) in lost
    assert ("Lamplighter", "table") in lost
    assert ("Lights of the Fens", "author") in lost
    assert ("Dusk Moth", "hit_points") not in lost
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
    [feat] = [one for one in records(book) if one.name == "Ash Walker"]
    written = FORMATS[form][0](book.document, [feat], {feat.id: posing})
    back = formats.read(written, "x")
    [item] = back.books[0].items
    assert item.record is not None
    assert (item.record.key, item.record.document_key) == (feat.key, feat.document_key)
    assert (item.record.document_name, item.record.document_source) == (feat.document_name, feat.document_source)
    assert (item.record.documents, item.record.license, item.record.publisher) == (feat.documents, "", "")
    assert (item.record.text, back.invisible) == ("Hidden words.", 1)


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
        if held := records(book):
            back = [
                one for of in formats.read(export(book.document, held, form).data, "x").books for one in records(of)
            ]
            there, again = (sorted(json.dumps(told(one), sort_keys=True) for one in of) for of in (held, back))
            assert again == there


OTHERS = st.one_of(fivetools.files, foundry.files, initiative.files, statblocks.files).map(told_apart)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(OTHERS, st.sampled_from(list(FORMATS)))
def test_every_book_survives_a_round_trip_through_another_format(file: str, form: str) -> None:
    for book in formats.read(file.encode(), "x").books:
        if held := records(book):
            exported = export(book.document, held, form).data
            back = [one for of in formats.read(exported, "x").books for one in records(of)]
            there, again = (sorted(json.dumps(told(one), sort_keys=True) for one in of) for of in (held, back))
            assert again == there


@pytest.mark.parametrize("form", FORMATS)
def test_every_schema_field_survives_a_round_trip(form: str) -> None:
    lists: dict[str, list[dict[str, object]]] = {}
    for at, (section, field, value, _) in enumerate(ROWS):
        named = {"shortName": f"B{at}"} if section == "subclass" else {}
        lists.setdefault(section, []).append({**BASES[section], field: value, "name": f"Base {at}", **named})
    book = largest_book(json.dumps({"_meta": META, **lists}).encode())
    back = largest_book(export(book.document, records(book), form).data)
    assert [item.reason for item in back.items if item.reason] == []
    assert sorted(json.dumps(told(one)) for one in records(back)) == sorted(
        json.dumps(told(one)) for one in records(book)
    )


@pytest.mark.parametrize("form", FORMATS)
def test_every_field_of_a_foundry_document_survives_a_round_trip(form: str) -> None:
    made = [document(table, kind, path, value) for table, kind, path, value, _ in FOUNDRY_ROWS]
    source = json.dumps([{**one, "name": f"Base {at}"} for at, one in enumerate(made)])
    book = largest_book(source.encode())
    assert len(records(book)) >= 0.95 * len(FOUNDRY_ROWS)  # the others have no source, or one of another name
    back = largest_book(export(book.document, records(book), form).data)
    assert [item.reason for item in back.items if item.reason] == []
    assert sorted(json.dumps(told(one)) for one in records(back)) == sorted(
        json.dumps(told(one)) for one in records(book)
    )


@pytest.mark.parametrize("form", FORMATS)
def test_every_field_of_an_orcbrew_file_survives_a_round_trip(form: str) -> None:
    written = [
        f":orcpub.dnd.e5/{section} {{"
        + " ".join(
            f':base-{at} {{:name "Base {at}" {item(section, fields)}}}'
            for at, (fields, _) in enumerate(rows)
            if ":key" not in fields
        )
        + "}"
        for section, rows in ORCBREW_ROWS.items()
    ]
    book = largest_book(f'{{"Fens" {{{" ".join(written)}}}}}'.encode())
    back = largest_book(export(book.document, records(book), form).data)
    assert [one.reason for one in (*book.items, *back.items) if one.reason] == []
    assert sorted(json.dumps(told(one)) for one in records(back)) == sorted(
        json.dumps(told(one)) for one in records(book)
    )
