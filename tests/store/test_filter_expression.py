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

ESCAPED = ('a"b', "a'b", "a\\b", '\\"', "\\\\", "a\nb", "a\tb", "a\rb", "\\n", "\\u0041", "\x01", "\x7f", " ", "  lead")
SYNTAX = ('" or id != "', '") or (id != "', "%", "_", "a%b", "{x}", "$", "/*", "--", "#", "null", "true")
HOSTILE = [*ESCAPED, *SYNTAX, "ünïcode", "龍", "😀"]


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


def test_a_literal_selects_the_row_with_just_that_value(store: MilvusStore) -> None:
    for value in HOSTILE:
        assert ids(store, Family.SPELLS, one_of("key", [value])) == {f"spell:{value}"}
    assert ids(store, Family.SPELLS, one_of("key", [])) == set()


def test_only_an_exact_member_of_a_packed_list_is_found(store: MilvusStore) -> None:
    for value in (v for v in HOSTILE if not set(v) & set("%_|") and v.strip() == v):
        found = ids(store, Family.SPELLS, has_class(value))
        assert found in ({f"spell:{value}"}, set())
        assert found or not value.isalnum()


def test_wildcards_are_members_of_no_list(store: MilvusStore) -> None:
    for value in ("%", "_", "%%", "|", "", "\x00"):
        assert ids(store, Family.SPELLS, has_class(value)) <= {"spell:_"}
    assert pack(["srd_wizard"]) != pack(["srd-wizard"])
