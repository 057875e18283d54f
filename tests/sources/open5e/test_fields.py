"""Compares the field table with all recorded records, and its displayed fields with the pages."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from pydantic import BaseModel

from lorekeeper_mcp.models import Record, model_of
from lorekeeper_mcp.models.printed_values import gold, ordinal
from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS
from tests.record_pages import markdown
from tests.recorded import endpoints, load, needs_recorded
from tests.sources.open5e.adapted_records import uncorrected
from tests.sources.open5e.field_table import field_of, own_rows

_SHORT = 40  # characters; longer texts are searched for sentence by sentence
# Version 1 has False if a creature has no description.
NOTHING = re.compile(
    r"False|\[(none provided|no description provided|column data)\]|\*N/A\*|No description provided by \w+\."
    r"|An? [\w' ,-]{3,30}\.",  # a text that is only the name
    re.IGNORECASE,
)
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|HitomThe")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(path, value) of every served leaf: texts, numbers, flags, nulls, empty lists."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from leaves(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from leaves(inner, path)
    else:
        yield path, value


def has_field(model: type[Record], path: str) -> bool:
    """Whether a model has a field, also within its parts; for a mapping any entry will do."""
    current: Any = model
    for name in path.split("."):
        if not (isinstance(current, type) and issubclass(current, BaseModel) and name in current.model_fields):
            return False
        annotation = current.model_fields[name].annotation
        names = re.findall(r"lorekeeper_mcp\.models\.\w+\.\w+", str(annotation))
        parts = {f"{part.__module__}.{part.__qualname__}": part for part in parts_of(annotation)}
        current = next((parts[name] for name in names if name in parts), annotation)
    return True


def parts_of(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from parts_of(inner)


@needs_recorded
def test_the_field_table_and_the_served_fields_match() -> None:
    unknown, used = set(), set()
    for endpoint in (*endpoints("v1"), *endpoints("v2")):
        for path in {path for record in load(endpoint) for path, _ in leaves(record)}:
            row = field_of(endpoint, path)
            if row is None:
                unknown.add((endpoint, path))
            else:
                table, row_pattern, _ = row
                used.add((table, row_pattern))
                if not path.startswith(row_pattern.partition("*")[0]) or "." in path:
                    used |= {
                        (endpoint, pattern)
                        for pattern in own_rows().get(endpoint, {})
                        if pattern.endswith("*") and path.startswith(pattern[:-1])
                    }
    stale = {(table, pattern) for table, rows in own_rows().items() for pattern in rows} - used
    assert (unknown, stale) == (set(), set())


def test_every_row_has_one_mapping() -> None:
    for rows in own_rows().values():
        for row in rows.values():
            assert bool(row.to) != bool(row.left_out), row
            assert not (row.unshown and row.left_out), row


@pytest.mark.parametrize("endpoint", sorted(ADAPTERS))
def test_fields_of_records_that_the_table_names_exist(endpoint: str) -> None:
    model = model_of(ADAPTERS[endpoint][0])
    rows = own_rows().get(endpoint, {})
    assert [row.to for row in rows.values() if row.to and "/" not in row.to and not has_field(model, row.to)] == []


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.replace("_", " ").lower()))


def printed_forms(value: object) -> list[str]:
    """The forms of a value, one of which must be on the page; none for an empty value."""
    if value is None or isinstance(value, bool) or value in ("", [], {}):
        return []
    if isinstance(value, int | float):
        return [f"{value:g}", f"{value:,}", ordinal(int(value))]
    text = str(value)
    if NOTHING.fullmatch(text):
        return []
    if re.fullmatch(r"\d+\.\d{2,3}", text):
        number = float(text)
        return [gold(number), f"{number:g} lb"] if number else []
    return [text, text.rpartition("_")[2], re.sub(r" ft$", " feet", text), text.removeprefix("Npc: ")]


BROKEN_OFF = "Open Game License"  # the last words of descriptions that version 1 cuts off in mid-sentence


def is_on(page: str, form: str) -> bool:
    """Whether the page has the form, a number not as a part of another; a die comes after the number of dice."""
    words = plain(form)
    preceding = r"\d?" if re.fullmatch(r"d\d+", words) else r"(?<!\d)"
    return not words or bool(re.search(rf"{preceding}{re.escape(words)}(?!\d)", page))


def missing_fields(endpoint: str, served: dict[str, Any], record: Record) -> list[tuple[str, str]]:
    """The fields of a served record that are neither on its page nor left out by the table."""
    page = plain(markdown(record))
    missing = []
    for path, value in leaves(served):
        row = field_of(endpoint, path)
        assert row, path
        _, _, field = row
        if path.startswith("environments.") and len(served["environments"]) > 20:
            continue  # of a creature that was never assigned any
        if field.left_out or field.unshown or (field.filler == str(value) and record.document_key == "srd-2024"):
            continue
        if isinstance(value, str) and len(value) > _SHORT:
            missing += [(path, part[:70]) for part in SENTENCE.split(value) if plain(part) not in page]
        elif (forms := printed_forms(value)) and not any(is_on(page, form) for form in forms):
            missing.append((path, str(value)[:70]))
    return missing


@needs_recorded
def test_of_300_random_records_each_number_name_and_sentence_is_in_the_full_record() -> None:
    generator = random.Random(20260811)
    candidates = {
        endpoint: [(endpoint, *pair) for pair in zip(load(endpoint), uncorrected(endpoint), strict=True)]
        for endpoint in ADAPTERS
    }
    sample = [generator.choice(records) for records in candidates.values()]
    sample += generator.sample([*chain(*candidates.values())], 300 - len(sample))
    missing = {
        (record.id, path, text)
        for endpoint, served, record in sample
        for path, text in missing_fields(endpoint, served, record)
        # Those end at the last complete sentence.
        if not (path == "desc" and served["desc"].rstrip().endswith(BROKEN_OFF))
    }
    assert missing == set()


@needs_recorded
@pytest.mark.parametrize(
    ("old", "new", "nested"),
    [("spells", "spells", ""), ("feats", "feats", ""), ("backgrounds", "backgrounds", ""),
     ("races", "species", "subraces"), ("classes", "classes", "archetypes"), ("conditions", "conditions", "")],
)  # fmt: skip
def test_v2_has_every_record_left_out_of_v1(old: str, new: str, nested: str) -> None:
    names = {plain(record["name"]) for record in load(f"v2/{new}")}
    older = [served["name"] for record in load(f"v1/{old}") for served in (record, *record.get(nested, []))]
    assert [name for name in older if plain(name) not in names] == []


@needs_recorded
def test_every_monster_of_v1_is_a_creature_of_v2() -> None:
    keys = {record["key"] for record in load("v2/creatures")}
    paths = [record["v2_converted_path"].strip("/").rpartition("/")[2] for record in load("v1/monsters")]
    assert [key for key in paths if key not in keys] == []
