"""Hand-written notes, and blocks that extend others."""

from __future__ import annotations

from lorekeeper_mcp.models import Creature
from lorekeeper_mcp.sources.imported import ImportedItem
from lorekeeper_mcp.sources.originals import Originals, record_among
from tests.sources.imported_items import read_items


def items(note: str, originals: Originals | None = None) -> list[ImportedItem]:
    return read_items(note, "Fens", originals)


def creature(note: str, originals: Originals | None = None) -> Creature:
    [item] = items(note, originals)
    assert isinstance(item.record, Creature), item.reason
    return item.record


def block(text: str) -> str:
    return f"```statblock\n{text}\n```\n"


def test_links_without_quotes_are_the_words_that_a_note_shows() -> None:
    moth = creature(
        block(
            "image: [[moth.png]]\nname: [[Dusk Moth]]\nlanguages: [[Common]], [[Deep Speech|the deep speech]]\n"
            "traits:\n  - name: Dust\n    desc: [[Light|It glows]] and [casts](spells/light.md) [[Hunter's Mark]].\n"
            "  - [Flit, 'See [[Moths]].']"
        )
    )
    assert moth.name == "Dusk Moth"
    assert moth.languages == "Common, the deep speech"
    assert moth.traits[0].text == "It glows and casts Hunter's Mark."
    assert moth.traits[1].text == "See Moths."


def test_words_with_a_meaning_in_older_yaml_stay_words() -> None:
    moth = creature(
        block("name: No\nlanguages: Off\nalignment: y\ncr: 010\nac: 012\nhp: 1:30\nhabitat: 2024-01-02\nbold: true")
    )
    assert (moth.name, moth.languages, moth.alignment) == ("No", "Off", "y")
    assert (moth.challenge_rating, moth.armor_class) == (10, 12)
    assert {section.name: section.text for section in moth.other} == {
        "hit points": "1:30",
        "habitat": "2024-01-02",
        "bold": "yes",
    }


def test_a_duplicate_field_is_kept_twice() -> None:
    moth = creature(
        block("name: A\nactions:\n  - name: Bite\n    desc: x\nhp: 5\nactions:\n  - name: Claw\n    desc: y\nhp: 6")
    )
    assert [action.name for action in moth.actions] == ["Bite", "Claw"]
    assert moth.hit_points == 5
    assert [(section.name, section.text) for section in moth.other] == [("hit points", "5, 6")]


def test_invalid_yaml_is_reported_with_its_place_in_the_block() -> None:
    fields = ("desc: *Melee* attack", "desc: Melee Weapon Attack: +5 to hit", "desc: &a x\nb: *a", "{a: 1}: b")
    bare, colon, alias, brackets = (items(block(f"name: A\n{field}"))[0].reason for field in fields)
    assert bare.startswith("it is not valid YAML")
    assert colon.startswith("it is not valid YAML: mapping values are not allowed in this context")
    assert colon.endswith("line 2, column 26")
    assert alias == "it has YAML aliases, which are not supported; text that begins with * needs quotes"
    assert brackets == "it has brackets where a field's name belongs; put the text in quotes"


def test_a_block_without_a_name_has_that_of_its_original() -> None:
    assert creature(block("creature: [[Goblin|a goblin]]\nhp: 20")).name == "Goblin"


def test_a_stored_original_is_kept_with_the_note() -> None:
    toad = creature(block("name: Fen Toad\nac: 11\nsource: Fens of Vell\ntraits:\n  - [Croak, It croaks.]"))
    note = block("name: Elder Toad\nextends: fen toad\ntraits+:\n  - [Old, It is old.]")
    stored = Originals(record=record_among([toad]))
    elder = creature(note, stored)
    assert (elder.armor_class, [trait.name for trait in elder.traits]) == (11, ["Croak", "Old"])
    assert stored.missing == []
    kept = Originals(kept=stored.used)  # as the library returns it, without the record
    assert creature(note, kept) == elder
    missing = Originals()
    assert "which is not in these files" in items(note, missing)[0].reason
    assert missing.missing == ["fen toad"]


def test_a_block_is_no_original_of_itself() -> None:
    stored = creature(block("name: Gnarl\nsource: Fens\nac: 12"))
    note = block("monster: Gnarl\nsource: Fens\nhp: 5")
    assert "which is not in these files" in items(note, Originals(record=record_among([stored])))[0].reason


def test_equal_blocks_have_keys_of_their_own() -> None:
    keys = [item.record.key for item in items(block("name: A\nhp: 5") * 300) if item.record]
    assert len(set(keys)) == 300
    assert keys[0] == "orcbrew_fens_monsters_a"
    assert keys[-1].removeprefix(keys[1]) == "-299"
