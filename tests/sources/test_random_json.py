"""Files of which any value is something else: no reader raises, and every item is a record or is named."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorekeeper_mcp.sources import formats
from tests.sources.fivetools.invented import FILE
from tests.sources.test_other_formats import EXPORT, FOUNDRY, INITIATIVE

ODD = st.sampled_from(
    [None, True, -1, 1e300, 10**30, "", "x", "5", "\ud800", [], [[]], [None], {}, {"x": {}}, {"type": 3}]
)
FILES: dict[str, Any] = {"5etools": FILE, "foundry": FOUNDRY, "initiative": [INITIATIVE], "export": EXPORT}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, one in pairs for found in [(*path, key), *places(one, (*path, key))]]


PLACES = {name: places(value) for name, value in FILES.items()}


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_reader_raises_and_nothing_is_without_a_record_or_a_reason(name: str, data: st.DataObject) -> None:
    value = copy.deepcopy(FILES[name])
    for place in data.draw(st.lists(st.sampled_from(PLACES[name]), min_size=1, max_size=6)):
        at = value
        try:
            for step in place[:-1]:
                at = at[step]
            at[place[-1]] = copy.deepcopy(data.draw(ODD))
        except (KeyError, IndexError, TypeError):
            continue
    read = formats.read(json.dumps(value).encode(), "x")
    for book in read.books:
        assert all(item.record or item.reason for item in book.items)
        book.records()
