from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.tools.content_types import kinds
from lorekeeper_mcp.tools.error_messages import CallerError


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Spells", Kind.SPELL),
        ("magic items", Kind.MAGIC_ITEM),
        ("ABILITIES", Kind.ABILITY_SCORE),
        ("Races", Kind.SPECIES),
    ],
)
def test_case_and_plural_are_forgiven(name: str, kind: Kind) -> None:
    assert kinds([name]) == {kind}


def test_a_misspelt_kind_names_the_nearest() -> None:
    sentence = r'no content type "Spels": did you mean spell\? Allowed values are Spell'
    with pytest.raises(CallerError, match=sentence):
        kinds(["Spels"])


def test_an_unlike_kind_names_none() -> None:
    with pytest.raises(CallerError, match=r'no content type "Vehicles"\. Allowed values are Spell'):
        kinds(["Vehicles"])
