from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Action, ActionType, CharacterClass, Creature, Equipment, Kind, Reference, Rule
from lorekeeper_mcp.sources import orcbrew
from lorekeeper_mcp.sources.imported import book_key
from tests.record_pages import markdown
from tests.sources.orcbrew.fixture_files import adapted, books, brewed, skips


def test_a_book_is_a_document() -> None:
    books_by_name = books("wrapped")
    assert [book.key for book in books_by_name.values()] == ["moths-of-amberfen", "unnamed-content", "shut-book"]
    spell = brewed("spells", "fireball")
    assert (spell.document_key, spell.document_name) == ("moths-of-amberfen", "Moths of Amberfen")
    assert (str(spell.document_source), [str(e) for e in spell.editions]) == ("orcbrew", ["2014"])
    assert books_by_name["Shut Book"].records() == []


def test_an_item_without_a_usable_key_gets_a_unique_key() -> None:
    assert book_key("🔥") != book_key("🌊")
    assert len(book_key("long " * 100)) < 80
    assert book_key("long " * 100) != book_key("long " * 101)


def test_a_monster() -> None:
    moth = brewed("monsters", "dusk-moth")
    assert isinstance(moth, Creature)
    assert (moth.type, moth.size, moth.challenge_rating, moth.armor_class) == ("monstrosity", "large", 0.25, 14)
    assert (moth.hit_points, moth.hit_dice) == (37, "5d10+10")
    assert (moth.speed, moth.hover) == ({"walk": 20.0, "fly": 60.0}, True)
    assert (moth.abilities.strength, moth.abilities.charisma) == (16, 7)
    assert (moth.saving_throws, moth.skills) == ({"constitution": 5}, {"sleight-of-hand": 4, "stealth": 6})
    assert (moth.senses.darkvision, moth.senses.passive_perception) == (60.0, 11)
    assert (moth.languages, moth.language_keys) == ("Deep Speech", ("deep-speech",))
    assert (moth.defenses.damage_immunities, moth.defenses.condition_immunities) == (("poison",), ("charmed",))
    assert [trait.name for trait in moth.traits] == ["Powder Wings"]
    assert [(action.name, action.type) for action in moth.actions] == [
        ("Proboscis", ActionType.ACTION),
        ("Shroud (Recharge 5-6)", ActionType.ACTION),
        ("Flutter Aside", ActionType.REACTION),
        ("Swoop (Costs 2 Actions)", ActionType.LEGENDARY_ACTION),
    ]
    swoop: Action = moth.actions[-1]
    assert (swoop.legendary_cost, moth.actions[1].uses) == (2, "Recharge 5-6")
    assert [(field.name, field.text) for field in moth.other] == [("props", "glow: 15")]


def test_monsters_with_other_field_names_are_read() -> None:
    swarm = brewed("monsters", "candle-swarm")
    assert isinstance(swarm, Creature)
    assert (swarm.type, swarm.type_text, swarm.size) == ("beast", "swarm of tiny beasts", "medium")
    assert (swarm.armor_class, swarm.armor_text, swarm.hit_points) == (12, "natural armor", 18)
    assert (swarm.speed, swarm.challenge_rating) == ({"fly": 30.0}, 0.5)
    husk = brewed("monsters", "husk")
    assert isinstance(husk, Creature)
    assert (husk.challenge_rating, husk.hit_points, husk.armor_class) == (None, None, None)
    for written, rating in (("1/8", 0.125), ('"1/2"', 0.5), ('"CR 5"', 5.0), ("12", 12.0)):
        beast = adapted("monsters", f"{{:challenge {written}}}")
        assert isinstance(beast, Creature)
        assert beast.challenge_rating == rating


def test_classes_and_subclasses() -> None:
    lamplighter, wick = brewed("classes", "lamplighter"), brewed("subclasses", "green-wick")
    assert isinstance(lamplighter, CharacterClass)
    assert isinstance(wick, CharacterClass)
    assert (lamplighter.hit_dice, lamplighter.caster_type, lamplighter.flavor) == ("d8", "half", "Wick")
    assert lamplighter.saving_throws == ("Constitution", "Charisma")
    levels = {feature.name: feature.levels for feature in lamplighter.features}
    assert levels["Kindle"] == (5,)
    assert levels["Ability Score Improvement"] == (4, 8, 12)
    assert levels["Wick"] == (3,)
    assert wick.subclass_of is not None
    assert wick.subclass_of.key == lamplighter.key
    domain = brewed("subclasses", "lantern-domain")
    assert isinstance(domain, CharacterClass)
    assert domain.subclass_of is not None
    assert domain.subclass_of.key == "srd_cleric"
    page = markdown(domain)
    for text in (
        "1st level: Bless, Cure Wounds",
        "2nd level: Hush",
        "History (type: Skill Prof)",
        "## Level 1: Beacon",
    ):
        assert text in page


def test_equipment_of_forks_is_read() -> None:
    knife, coat = brewed("weapons", "wick-knife"), brewed("armor", "wax-coat")
    oil, candle = brewed("items", "lamp-oil"), brewed("magic-items", "ever-candle")
    assert [r.kind for r in (knife, coat, oil, candle)] == [Kind.WEAPON, Kind.ARMOR, Kind.ITEM, Kind.MAGIC_ITEM]
    assert isinstance(knife, Equipment)
    assert knife.weapon is not None
    assert (knife.weapon.damage_dice, knife.weapon.damage_type, knife.weapon.is_simple) == ("1d4", "piercing", True)
    assert [prop.name for prop in knife.weapon.properties] == ["Finesse", "Light"]
    assert (knife.cost, knife.weight) == (0.5, 1.0)
    assert isinstance(coat, Equipment)
    assert coat.armor is not None
    assert (coat.armor.category, coat.armor.ac_text) == ("medium", "13 + Dex modifier (max 2)")
    assert isinstance(candle, Equipment)
    assert (candle.rarity, candle.category, candle.requires_attunement) == ("very-rare", "wondrous-item", True)


def test_unknown_items_become_rules() -> None:
    assert isinstance(brewed("languages", "flicker"), Reference)
    ambush, barge = brewed("encounters", "fen-ambush"), brewed("vehicles", "barge")
    assert isinstance(ambush, Rule)
    assert isinstance(barge, Rule)
    assert "num: 3; monster: Dusk Moth" in ambush.other[0].text
    assert [rule.section.name for rule in (ambush, barge) if rule.section] == ["Encounters", "Vehicles"]
    assert [field.name for field in barge.other] == ["wheels", "crew"]


def test_skipped_items_have_a_path_and_a_reason() -> None:
    reasons = skips("wrapped")
    assert reasons["Moths of Amberfen › spells › hush"] == "it has no spell level (0 for a cantrip)"
    assert reasons["Moths of Amberfen › subclasses › orphan"] == "it does not name its class"
    assert "a number" in reasons["Moths of Amberfen › spells › odd"]
    assert "disabled" in reasons["Shut Book › feats › closed"]
    assert len(reasons) == 5


def test_every_item_has_a_key_of_its_own() -> None:
    text = (
        '{"A B" {:orcpub.dnd.e5/feats {:x-1 {} :x_1 {} "x 1" {}}} "A-B" {:orcpub.dnd.e5/feats {:x-1 {:name "Other"}}}}'
    )
    [book] = orcbrew.read(text.encode(), "f").books
    keys = [item.record.key for item in book.items if item.record]
    assert len(set(keys)) == len(keys) == 4


@pytest.mark.parametrize(
    ("section", "field", "value"),
    [
        ("spells", "description", "\n" * 200_000),
        ("spells", "casting-time", "1" + " " * 200_000 + "x"),
        ("monsters", "speed", "fly" + " " * 200_000 + "x"),
        ("monsters", "hit-points", "5" + " " * 200_000 + "x"),
        ("monsters", "armor-class", "5" + " " * 200_000 + "x"),
        ("monsters", "challenge", "1" + " " * 200_000 + "x"),
        ("items", "cost", "1" + " " * 200_000 + "x"),
        ("items", "weight", "1" + " " * 200_000 + "x"),
    ],
)
def test_no_field_causes_catastrophic_backtracking(section: str, field: str, value: str) -> None:
    level = ":level 1 " if section == "spells" else ""
    assert adapted(section, f'{{{level}:{field} "{value}"}}').key.endswith("_it")


def test_a_bare_book_is_called_as_its_items_say_and_nil_is_nothing() -> None:
    text = """{:orcpub.dnd.e5/spells {:a {:level 1 :option-pack "Reeds" :range "nil" :duration :nil}
               :b {:level 0 :option-pack "Reeds"} :c {:level 2 :option-pack "Elsewhere"}}}"""
    [book] = orcbrew.read(text.encode(), "export (3)").books
    assert book.document.name == "Reeds"
    page = markdown(book.records()[1])
    assert "nil" not in page
    assert "Option Pack" not in page
