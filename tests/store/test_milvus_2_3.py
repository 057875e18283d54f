from __future__ import annotations

import pytest

from lorekeeper_mcp.store.filter_expression import all_of, any_of, list_contains, literal, pack
from lorekeeper_mcp.store.server.milvus_2_3 import knows_infix, spelled_out

ROWS = [pack(row) for row in (["bard", "wizard"], ["wizard"], ["battle-wizard"], ['a"b\\c'], [])]


@pytest.mark.parametrize(("version", "knows"), [("v2.3.5-lite", False), ("2.4.0", True), ("v2.6.1", True), ("?", True)])
def test_the_server_version_determines_its_features(version: str, knows: bool) -> None:
    assert knows_infix(version) is knows


@pytest.mark.parametrize(("value", "rows"), [("wizard", ROWS[:2]), ("bard", ROWS[:1]), ('a"b\\c', ROWS[3:4])])
def test_a_list_filter_is_expanded_to_the_texts_with_the_member(value: str, rows: list[str]) -> None:
    listed = ", ".join(literal(row) for row in sorted(rows))
    assert spelled_out(list_contains("classes", value), lambda _: ROWS) == f"classes in [{listed}]"


def test_an_unknown_member_selects_nothing_and_other_conditions_stay() -> None:
    quoted = f"name == {literal('says like %x% and')}"
    expression = all_of(["level == 3", quoted, any_of([list_contains("classes", "druid")]), 'name like "fire%"'])
    assert spelled_out(expression, lambda _: ROWS) == all_of(["level == 3", quoted, 'id == ""', 'name like "fire%"'])
