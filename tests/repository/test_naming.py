"""How well a question is a name."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.repository.indexed import names_of
from lorekeeper_mcp.repository.naming import named
from tests.repository.entries import entry

NAMES = ["Lizard", "Adult Boreal Wyrm", "Young Boreal Wyrm", "Arcane Hand", "Tiny Hut", "Hobble", "Will-o'-Wisp"]
KNOWN = [entry(name, kind=Kind.SPELL) for name in NAMES]


def best(search: str) -> str:
    found = named(search, names_of(KNOWN), {one.id for one in KNOWN})
    if found.exact:
        return next(one.name for one in KNOWN if one.id in found.exact)
    return next((one.name for one in KNOWN if one.id == max(found.close, key=lambda id_: found.close[id_])), "")


@pytest.mark.parametrize(
    ("search", "name"),
    [
        ("lziard", "Lizard"),  # swapped
        ("lizardd", "Lizard"),  # doubled
        ("lizad", "Lizard"),  # dropped
        ("lizzrd", "Lizard"),  # changed
        ("hobbel", "Hobble"),
        ("wyrm boreal adult", "Adult Boreal Wyrm"),
        ("adult wyrm", "Adult Boreal Wyrm"),
        ("will o wisp", "Will-o'-Wisp"),
        ("bigby's hand", "Arcane Hand"),
        ("Leomund's tiny hut spell", "Tiny Hut"),
    ],
)
def test_a_name_is_recognised(search: str, name: str) -> None:
    assert best(search) == name


@pytest.mark.parametrize("search", ["something that flies", "hut", "boreal"])
def test_other_questions_are_no_names(search: str) -> None:
    found = named(search, names_of(KNOWN), {one.id for one in KNOWN})
    assert not found.exact
    assert not found.sure
