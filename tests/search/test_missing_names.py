"""Names in a question that no stored record has."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.search.names.lexicon import names_not_in_srds, table
from lorekeeper_mcp.search.names.mentions import Mention, missing_names
from lorekeeper_mcp.text import fold

KNOWN = [Mention("reed shape", 0, 0, frozenset()), Mention("wild magic surge chart", 0, 0, frozenset())]


@pytest.mark.parametrize(
    ("search", "names"),
    [
        ("does booming blade provoke opportunity attacks", ("booming blade",)),
        ("Can beholders see? What about a mind flayer", ("beholder", "mind flayer")),
        ("does GWM work with a bow", ("great weapon master",)),
        ("how does the Reedwater Curse work with it", ("Reedwater Curse",)),
        ("how does Reed Shape work with it", ()),  # stored
        ("the wild magic surge chart", ()),  # part of a longer name that is stored
        ("How Does Reedwater Curse Work", ()),  # everything is capitalised
        ("The Reed bends. May She bend it", ()),
        ("can I take the Dash Action twice", ()),
        ("does she need Hit Points", ()),
    ],
)
def test_names_without_a_record_are_reported(search: str, names: tuple[str, ...]) -> None:
    assert missing_names(search, KNOWN, lambda name: fold(name) in ("dash action", "hit points")) == names


def test_names_with_a_record_are_not_reported() -> None:
    assert missing_names("does booming blade provoke opportunity attacks", (), lambda _: True) == ()


def test_the_table_has_folded_unique_names_with_sources() -> None:
    groups = table("missing_names")["group"]
    names = [name for group in groups for name in group["names"]]
    assert [name for name in names if fold(name) != name] == []
    assert len(names) == len(names_not_in_srds())
    assert all(group["source"] for group in groups)
