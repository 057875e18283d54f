from __future__ import annotations

from collections.abc import Iterator

import pytest

from lorekeeper_mcp.filters import Comparison, Condition, columns
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import FAMILIES, Family, Ref
from lorekeeper_mcp.store.filter_expression import expression_of, one_of, pack
from lorekeeper_mcp.store.milvus import MilvusStore
from tests.own_records import spell
from tests.store.opened import ids, milvus_store, row_of

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
    with milvus_store(tmp_path_factory.mktemp("store") / "x.db") as opened:
        opened.upsert(Family.SPELLS, map(row_of, spells))
        yield opened


def has_class(value: str) -> str:
    (classes,) = [column for column in columns(Family.SPELLS) if column.name == "classes"]
    where = RecordFilter(
        Family.SPELLS, frozenset(FAMILIES[Family.SPELLS]), (Condition(classes, Comparison.HAS, value),)
    )
    return expression_of(where, lambda _: [pack([hostile]) for hostile in HOSTILE])


@pytest.mark.parametrize("value", HOSTILE)
def test_a_literal_selects_the_row_with_just_that_value(store: MilvusStore, value: str) -> None:
    assert ids(store, Family.SPELLS, one_of("key", [value])) == {f"spell:{value}"}


@pytest.mark.parametrize("value", [v for v in HOSTILE if not set(v) & set("%_|") and v.strip() == v])
def test_only_an_exact_member_of_a_packed_list_is_found(store: MilvusStore, value: str) -> None:
    found = ids(store, Family.SPELLS, has_class(value))
    assert found in ({f"spell:{value}"}, set())
    assert found or not value.isalnum()


@pytest.mark.parametrize("value", ["%", "_", "%%", "|", "", "\x00"])
def test_wildcards_are_members_of_no_list(store: MilvusStore, value: str) -> None:
    assert ids(store, Family.SPELLS, has_class(value)) <= {"spell:_"}


def test_a_choice_of_nothing_selects_nothing(store: MilvusStore) -> None:
    assert ids(store, Family.SPELLS, one_of("key", [])) == set()


def test_underscores_in_keys_are_no_wildcards() -> None:
    assert pack(["srd_wizard"]) != pack(["srd-wizard"])
