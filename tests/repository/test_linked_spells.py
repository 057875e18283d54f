"""Links between spells and their sources, over invented records."""

from __future__ import annotations

from typing import Any

from lorekeeper_mcp.models import (
    Action,
    ActionType,
    CharacterClass,
    Creature,
    Edition,
    Equipment,
    Feature,
    Kind,
    Record,
    Ref,
    Section,
    Source,
    Spell,
    family_of,
)
from lorekeeper_mcp.repository.linked_spells import LinkScope, spell_links
from lorekeeper_mcp.store.catalog import entry_from_row
from tests.store.opened import row_of


def of_book(kind: Kind, key: str, name: str, book: str = "fens") -> dict[str, Any]:
    return {
        "kind": kind,
        "key": f"{book}_{key}",
        "name": name,
        "document_key": book,
        "document_name": book.title(),
        "document_source": Source.HOMEBREW,
        "documents": (book,),
        "editions": (Edition.E2024 if book == "fens" else Edition.E2014,),
    }


WITCH = CharacterClass(**of_book(Kind.CLASS, "witch", "Witch"))
FIRE = Spell(**of_book(Kind.SPELL, "fen-fire", "Fen Fire"), level=3, classes=(Ref(name="Witch", key="fens_witch"),))
OLD_FIRE = Spell(**of_book(Kind.SPELL, "fen-fire", "Fen Fire", "moor"), level=2)
SHIELD = Spell(**of_book(Kind.SPELL, "shield", "Shield"), level=1)
EELS = Spell(**of_book(Kind.SPELL, "shield-of-eels", "Shield of Eels"), level=1)
HERON = Creature(
    **of_book(Kind.CREATURE, "heron", "Grey Heron"),
    traits=(
        Section(name="Spellcasting", text="The heron casts:\n\n**At Will:** Shield of Eels\n\n**1/Day:** Fen Fire"),
    ),
    actions=(Action(name="Glare", text="The heron casts Shield.", type=ActionType.ACTION),),
)
OTHER_HERON = Creature(**of_book(Kind.CREATURE, "heron", "Grey Heron", "moor"), traits=HERON.traits)
WAND = Equipment(**of_book(Kind.MAGIC_ITEM, "wand", "Wand"), text="You can cast the fen fire spell from it.")
COVEN = CharacterClass(
    **of_book(Kind.SUBCLASS, "coven", "Coven"),
    subclass_of=Ref(name="Witch", key="fens_witch"),
    features=(Feature(name="Coven Spells", text="Level | Spells\n3 Fen Fire, Shield", levels=(3,)),),
)
RECORDS: list[Record] = [WITCH, FIRE, OLD_FIRE, SHIELD, EELS, HERON, OTHER_HERON, WAND, COVEN]


def scope(documents: frozenset[str] | None = None, edition: Edition | None = None) -> LinkScope:
    entries = [entry_from_row(row_of(record), "") for record in RECORDS]
    return LinkScope(
        lambda family: {entry.id: entry for entry in entries if family_of(entry.kind) is family}, documents, edition
    )


def test_a_spell_links_to_every_record_that_grants_it() -> None:
    given_by = spell_links([FIRE, OLD_FIRE], scope()).given_by
    assert {(link.name, link.document_key, link.also_in) for link in given_by} == {
        ("Witch", "fens", ()),
        ("Coven", "fens", ()),
        ("Grey Heron", "fens", ("moor",)),
        ("Wand", "fens", ()),
    }


def test_a_spell_links_to_the_grantor_of_its_own_edition() -> None:
    (heron, *_) = spell_links([OLD_FIRE, FIRE], scope()).given_by
    assert (heron.name, heron.document_key, heron.also_in) == ("Grey Heron", "moor", ("fens",))


def test_a_longer_spell_name_does_not_match_a_shorter_one() -> None:
    assert [link.name for link in spell_links([SHIELD], scope(frozenset({"moor"}))).given_by] == []
    assert {link.name for link in spell_links([SHIELD], scope()).given_by} == {"Grey Heron", "Coven"}
    assert {link.name for link in spell_links([EELS], scope()).given_by} == {"Grey Heron"}


def test_documents_and_edition_restrict_the_links() -> None:
    assert {link.document_key for link in spell_links([FIRE], scope(edition=Edition.E2014)).given_by} == {"moor"}
    assert {link.name for link in spell_links([FIRE], scope(frozenset({"moor"}))).given_by} == {"Grey Heron"}


def test_a_record_links_to_the_spell_of_its_own_book() -> None:
    assert [link.key for link in spell_links([HERON], scope()).spells] == [
        "fens_shield-of-eels",
        "fens_fen-fire",
        "fens_shield",
    ]
    assert [link.key for link in spell_links([OTHER_HERON], scope()).spells] == ["fens_shield-of-eels", "moor_fen-fire"]
    assert [link.key for link in spell_links([WAND], scope(frozenset({"moor"}))).spells] == ["moor_fen-fire"]
    assert [link.key for link in spell_links([COVEN], scope()).spells] == ["fens_fen-fire", "fens_shield"]


def test_a_class_shows_the_size_of_its_spell_list() -> None:
    assert spell_links([WITCH], scope()).list_size == 1


def test_records_without_magic_have_no_links() -> None:
    rule = Record(**of_book(Kind.RULE, "mud", "Mud"))
    assert spell_links([rule], scope()) == spell_links([rule], LinkScope(lambda _: {}))
