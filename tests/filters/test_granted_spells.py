"""Invented texts, worded like those of books, and the spells that they let somebody cast."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.filters.creatures import CASTS
from lorekeeper_mcp.filters.granted_spells import spells_granted, spells_listed, spells_on_list
from lorekeeper_mcp.models import CharacterClass, Creature, Feature, Kind, Ref, Section
from tests.own_records import book_heading


@pytest.mark.parametrize(
    ("text", "spells"),
    [
        ("You can use an action to cast the reed walk spell from it.", {"reed-walk"}),
        (
            "You can expend charges to cast one of the following spells: fen fire (1 charge), speak with eels "
            "(2 charges), or wall of mud (5 charges).",
            {"fen-fire", "speak-with-eels", "wall-of-mud"},
        ),
        ("You gain the effect of the swift stride spell for 1 minute.", {"swift-stride"}),
        ("The bead bursts as a 3rd-level fen fire spell.", {"fen-fire"}),
        ("You always have the Marsh Mark spell prepared.", {"marsh-mark"}),
        ("You can cast shape eel on yourself, becoming an eel.", {"shape-eel"}),
        ("Spell\nCharge Cost\nWall of Mud 4\nFen Fire (level 5 version) 5", {"wall-of-mud", "fen-fire"}),
        ("Fen Spells\nDruid Level Spells\n3 Fen Fire, Eel's Grace\n5 Mud Wall", {"fen-fire", "eels-grace", "mud-wall"}),
        (
            "| Fen | You know the Mud Dart cantrip. | Pass without Mud | Gloom |",
            {"mud-dart", "pass-without-mud", "gloom"},
        ),
        (
            "Spend a star to:\n* **Sink:** Cast _mud wall_ at 3rd level.\n* Cast fen fire\n* Swim",
            {"mud-wall", "fen-fire"},
        ),
        ("The book holds the following spells: gloom*, speak with eels, fen fire.", {"gloom", "speak-with-eels"}),
        ("| 01–20 | Roll 1d4 for the spell: on a 1–2, Gloom; on a 3–4, Mud Wall. |", {"gloom", "mud-wall"}),
        ("You learn a spell, which must be one of the following: *gloom*, or *mud wall*.", {"gloom", "mud-wall"}),
        (
            "| Horn | Spells | Other |\n|---|---|---|\n| Eel Horn | _gloom, mud wall_ | It gurgles. |",
            {"gloom", "mud-wall"},
        ),
        ("You can cast bane or ward against mud and gloom from it.", {"bane", "ward-against-mud-and-gloom"}),
        ("The eel can use mud step as a bonus action.", {"mud-step"}),
        ("The flower may function as a _scroll_ of _gloom, mud wall_, or _fen fire_.", {"gloom", "fen-fire"}),
        ("Each of them must succeed on the save or be affected by a gloom spell.", {"gloom"}),
        ("Fen spells include *gloom*, *mud wall*, and *fen fire*.", {"gloom", "mud-wall", "fen-fire"}),
        ("The book holds the following spells, all of which are in the Chapter of Mud: gloom, fen fire.", {"fen-fire"}),
    ],
)
def test_a_text_grants_the_spells_that_it_lets_cast(text: str, spells: set[str]) -> None:
    assert spells <= set(spells_granted(text))


@pytest.mark.parametrize(
    ("text", "spell"),
    [
        ("A gloom spell cast on the robe blinds you.", "gloom"),
        ("It feeds on the effects of a spell, such as gloom.", "gloom"),
        ("Spell\nSpeed 30 ft., Fly 60 ft.", "fly"),
        ("This club sheds light. It has no magic.", "light"),
        ("The wyrm is immune to the effects of the mud wall spell.", "mud-wall"),
        ("The penalty ends with somebody casting the mending mud spell on it by casting mud wall on it.", "mud-wall"),
        ("For example, if you know the 1st-level spell mud wall, you can cast mud wall with either slot.", "mud-wall"),
        ("You can use the gloom as a focus for spells.", "gloom"),
        ("The cube loses charges when targeted by effects from the following spells: fen fire (1d12).", "fen-fire"),
        ("You learn these spells.\n\n**Gloom Spells**\n\n| Level | Spells |\n|---|---|\n| 3rd | mud |", "gloom"),
        ("Any time the wyrm is targeted by a mud dart spell, it may reflect it.", "mud-dart"),
        ("A creature that is affected by the gloom spell is not seen.", "gloom"),
        ("As an action, you hurl the _orb of gloom_ at it, as far as you can.", "orb-of-gloom"),
        ("When you cast a divination spell of at least 2nd level, you regain a slot.", "divination"),
    ],
)
def test_a_spell_that_is_only_named_is_not_granted(text: str, spell: str) -> None:
    assert spell not in spells_granted(text)


@pytest.mark.parametrize(
    ("text", "spells"),
    [
        ("The dagger animates the corpse as _mud wall_ with a casting time of 1 action.", ["mud-wall"]),
        ("It acts as though it failed a saving throw against the gloom spell.", ["gloom"]),
        ("When you drink this you are targeted by the fen fire spell (save DC 14).", ["fen-fire"]),
        ("One creature that you see is subject to a mud wall spell cast by the cane.", ["mud-wall"]),
        ("You change your look, as per the Change Look option of the fen self spell.", ["fen-self"]),
        ("The creature can meld into mud, similar to the meld with eels spell.", ["meld-with-eels"]),
        ("It travels between puddles as if by means of a mud door spell.", ["mud-door"]),
        ("Each creature there must save or be gloomy (as the spell gloom) for a round.", ["gloom"]),
    ],
)
def test_an_effect_that_works_like_a_spell_is_found(text: str, spells: list[str]) -> None:
    assert set(spells) <= set(spells_granted(text, has_lists=False))


def test_a_list_of_each_spell_that_lost_its_commas_is_read_word_by_word() -> None:
    assert {"fen-fire", "gloom"} <= set(spells_listed("At will: ward\n3/day each: fen fire gloom"))
    assert set(spells_listed("1/day: fen fire")) == {"fen-fire"}


def test_bare_lists_count_only_where_requested() -> None:
    text = "It knows spells.\n\nMud Wall 4"
    assert "mud-wall" in spells_granted(text)
    assert "mud-wall" not in spells_granted(text, has_lists=False)


def test_the_lists_of_a_spellcasting_trait_are_found() -> None:
    text = "Cantrips: (at will): ward\nAt will: mud dart, *fen fire*\n2/Day Each: Wall of Mud (level 5), and Gloom"
    assert list(spells_listed(text)) == ["ward", "mud-dart", "fen-fire", "wall-of-mud", "gloom"]


@pytest.mark.parametrize(
    ("text", "spells"),
    [
        ("- **1/Day** Gloom, Mud Wall (self only)", {"gloom", "mud-wall"}),
        ("1/week each: gloom, mud wall", {"gloom", "mud-wall"}),
        ("At will: gloom and mud wall", {"gloom", "mud-wall"}),
        ("These spells are cast at 5th level with a DC of 13:\nAt will: gloom\n3/day: mud wall", {"gloom", "mud-wall"}),
    ],
)
def test_printed_spell_lists_are_found(text: str, spells: set[str]) -> None:
    assert spells <= set(spells_listed(text))


@pytest.mark.parametrize(
    ("trait", "spells"),
    [
        (Section(name="Mud Wall", text="(3rd-Level; V, S) Mud rises before the sage."), ["mud-wall"]),
        (Section(name="Swamp Magic", text="The sage needs no material components.\n\n1/week: gloom"), ["gloom"]),
        (Section(name="Mud Wall", text="(Recharge 5–6) Mud rises before the sage."), []),
        (Section(name="1/day each", text="gloom, mud wall"), ["gloom", "mud-wall"]),
        (Section(name="Mud Step", text="It goes elsewhere. This works like the mud walk spell."), ["mud-walk"]),
        (Section(name="Old Name", text="It was a king:\n1st: gloom, 2nd: mud wall"), []),
    ],
)
def test_a_creature_casts_the_spells_that_its_traits_grant(trait: Section, spells: list[str]) -> None:
    sage = Creature(**book_heading(Kind.CREATURE, "Sage"), traits=(trait,))
    assert CASTS.read(sage) == spells


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
