"""The spell list of a subclass, as books print it and as imported files give it."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.filters.subclass_spells import spells_on_list
from lorekeeper_mcp.models import CharacterClass, Feature, Kind, Ref, Section
from tests.own_records import book_heading

CLERIC = Ref(name="Cleric", key="srd_cleric")


def subclass(*, text: str = "", feature: str = "", section: str = "", parent: Ref | None = CLERIC) -> CharacterClass:
    return CharacterClass(
        **book_heading(Kind.SUBCLASS if parent else Kind.CLASS, "Tide Domain"),
        subclass_of=parent,
        text=text,
        features=(Feature(name="Domain Spells", text=feature),),
        spells=(Section(name="Spells", text=section),) if section else (),
    )


TABLE = "| Cleric Level | Spells | |\n|---|:---:|---|\n| 1st | *fog cloud*, *find familiar* (eels only) | |"


@pytest.mark.parametrize(
    ("parts", "spells"),
    [
        ({"feature": f"You have them prepared.\n\n{TABLE}"}, ["fog-cloud", "find-familiar"]),
        ({"text": TABLE.replace("Spells", "**Prepared Spells**")}, ["fog-cloud", "find-familiar"]),
        (
            {"feature": "| Level | Lake Spells | Sea Spells |\n|--|--|--|\n| 1 | Bless | Web |\n| 3 | Fly |"},
            ["bless", "web", "fly"],
        ),
        ({"section": "1st level: Bless, Cure Wounds; 3rd level: Aid"}, ["bless", "cure-wounds", "aid"]),
        ({"section": "prepared, 3: bless, aid\ninnate, 5: fly"}, ["bless", "aid", "fly"]),
        ({"feature": "| Level | Spells Known | Spell Slots |\n|--|--|--|\n| 3 | 2 | 1 |"}, []),
        ({"feature": "| d100 | Effect |\n|--|--|\n| 01 | You cast fireball. |"}, []),
        ({"feature": "You learn the mage hand cantrip and can cast fly once a day."}, []),
        ({"feature": TABLE, "parent": None}, []),
    ],
)
def test_only_a_list_of_spells_is_a_spell_list(parts: dict[str, str], spells: list[str]) -> None:
    assert spells_on_list(subclass(**parts)) == spells
