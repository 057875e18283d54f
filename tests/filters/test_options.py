"""What the columns of options read from records."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.filters import columns
from lorekeeper_mcp.models import CharacterClass, Family, Feat, Kind, Ref
from tests.own_records import heading

BINDER = Ref(name="Binder", key="own_binder")
COLUMNS = {column.name: column for column in columns(Family.OPTIONS)}


@pytest.mark.parametrize(
    ("dice", "parent", "sides"), [("d8", None, 8), ("1d12", None, 12), ("", None, None), ("d8", BINDER, None)]
)
def test_the_hit_die_is_that_of_a_class(dice: str, parent: Ref | None, sides: int | None) -> None:
    record = CharacterClass(**heading(Kind.CLASS, "binder"), hit_dice=dice, subclass_of=parent)
    assert COLUMNS["hit_die"].read(record) == sides


def test_only_a_feat_has_or_lacks_a_prerequisite() -> None:
    feats = [Feat(**heading(Kind.FEAT, 1), prerequisite="A lamp"), Feat(**heading(Kind.FEAT, 2))]
    records = [*feats, CharacterClass(**heading(Kind.CLASS, 3))]
    assert [COLUMNS["has_prerequisite"].read(record) for record in records] == [True, False, None]
