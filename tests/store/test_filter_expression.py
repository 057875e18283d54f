from __future__ import annotations

from collections.abc import Iterator

import pytest

from lorekeeper_mcp.models import Family, Ref
from lorekeeper_mcp.store.filter_expression import UnencodableError, list_contains, literal, one_of, pack
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.rows import NewRow, to_row
from tests.own_records import spell
from tests.store.opened import ids, milvus_store

HOSTILE = [
    'a"b',
    "a'b",
    "a\\b",
    '\\"',
    "\\\\",
    "a\nb",
    "a\tb",
    "a\rb",
    '" or id != "',
    '") or (id != "',
    "%",
    "_",
    "a%b",
    "{x}",
    "$",
    "ünïcode",
    "龍",
    "😀",
    " ",
    "  lead",
    "\x01",
    "\x7f",
    "\\n",
    "\\u0041",
    "/*",
    "--",
    "#",
    "null",
    "true",
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusStore]:
    spells = [spell(value, key=value, name=value, classes=(Ref(name=value, key=value),)) for value in HOSTILE]
    rows = [to_row(NewRow(record), encoder="", created_at=1, updated_at=1) for record in spells]
    with milvus_store(tmp_path_factory.mktemp("store") / "x.db") as opened:
        opened.upsert(Family.SPELLS, rows)
        yield opened


@pytest.mark.parametrize("value", HOSTILE)
def test_a_literal_selects_the_row_with_just_that_value(store: MilvusStore, value: str) -> None:
    assert ids(store, Family.SPELLS, one_of("key", [value])) == {f"spell:{value}"}


@pytest.mark.parametrize("value", [v for v in HOSTILE if not set(v) & set("%_|") and v.strip() == v])
def test_only_an_exact_member_of_a_packed_list_is_found(store: MilvusStore, value: str) -> None:
    found = ids(store, Family.SPELLS, list_contains("classes", value))
    assert found in ({f"spell:{value}"}, set())
    assert found or not value.isalnum()


@pytest.mark.parametrize("value", ["%", "_", "%%", "|", "", "\x00"])
def test_wildcards_are_members_of_no_list(store: MilvusStore, value: str) -> None:
    assert ids(store, Family.SPELLS, list_contains("classes", value)) <= {"spell:_"}


@pytest.mark.parametrize("value", ["a\x00b", float("nan"), float("inf")])
def test_values_that_cannot_be_stored_cannot_be_filtered(value: str | float) -> None:
    with pytest.raises(UnencodableError):
        literal(value)


def test_an_empty_choice_selects_nothing(store: MilvusStore) -> None:
    assert ids(store, Family.SPELLS, one_of("key", [])) == set()


def test_underscores_in_keys_are_no_wildcards() -> None:
    assert pack(["srd_wizard"]) != pack(["srd-wizard"])
