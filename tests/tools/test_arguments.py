from __future__ import annotations

import pytest

from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.tools.arguments import active_filters
from lorekeeper_mcp.tools.error_messages import CallerError


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"level": [1, 2], "level_min": 5}, r"level_min \(5\) is above level \(2\)"),
        ({"level": 3, "level_min": 5}, r"level_min \(5\) is above level \(3\)"),
        ({"level_min": 5, "level_max": 3}, r"level_min \(5\) is above level_max \(3\)"),
    ],
)
def test_filters_that_exclude_each_other_are_named(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(CallerError, match=words):
        active_filters(FILTERS[Family.SPELLS], arguments)


def test_one_of_several_values_that_is_possible_is_enough() -> None:
    values = active_filters(FILTERS[Family.SPELLS], {"level": [1, 6], "level_min": 5, "level_max": 7})
    assert [value.value for value in values] == [(1, 6), 5, 7]
