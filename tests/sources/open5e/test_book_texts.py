"""The choice between two texts of an entry: Open5e may add to the book, never hide any of it."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import CharacterClass, Creature, Equipment, Feat, Kind, Reference, Rule, Species, Spell
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.open5e.book_texts import merge, with_book_texts
from lorekeeper_mcp.text import fold
from tests.record_pages import markdown
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import adapt, adapted, context, records, served_record

_OWN = "You can climb half-way, or jump. On a failure, you fall.\n\n| Roll | Fall |\n| --- | --- |\n| 1 | far |"


@pytest.mark.parametrize(
    "upstream_text",
    [
        "You can climb halfway  or jump. On afailure, you fall. Roll Fall 1 far",
        "You can climb half-way, or jump.",
        "You can climb half-way, or jump. On some failure, you fall.",
        "**Climbing (table)** You can climb half-way, or jump. On a failure, you fall.",
        "",
    ],
)
def test_the_books_text_is_used_if_nothing_is_added(upstream_text: str) -> None:
    assert merge(upstream_text, _OWN) == _OWN


def test_additional_text_of_open5e_is_kept() -> None:
    upstream_text = f"{_OWN}\n\nNobody who has fallen may try again before the next new moon."
    assert merge(upstream_text, _OWN) == upstream_text


def test_numbers_of_the_book_are_in_the_text() -> None:
    assert merge("A small boat that moths row.", "Speed: 1½ mph. Crew: 1.") == "Speed: 1½ mph. Crew: 1."
    assert (
        merge("Oil of which moths drink. It is in a jar.", "Storage: Jar")
        == "Oil of which moths drink. It is in a jar."
    )


def test_a_text_with_its_table_is_formatted_as_in_the_book() -> None:
    table = "\n\n| d4 | Moth |\n|---|---|\n| 1 | Red |"
    assert merge(f"Choose a moth-red or blue-and a lamp.{table}", "Choose a moth—red or blue—and a lamp.") == (
        f"Choose a moth—red or blue—and a lamp.{table}"
    )


def test_text_of_another_rule_of_the_book_is_no_addition() -> None:
    other_rule = srd.record_of("rule:srd_environment_falling")
    assert other_rule is not None
    longer = f"{_OWN}\n\n{other_rule.text}"
    assert merge(longer, _OWN, fold(other_rule.text).replace(" ", "")) == _OWN
    assert merge(longer, _OWN) == longer


def test_differing_texts_follow_the_book_unless_it_is_abridged() -> None:
    upstream_text = "You can climb half-way, or jump. Whoever wears the belt of giants never falls at all."
    assert merge(upstream_text, _OWN) == _OWN
    assert merge(upstream_text, _OWN, prefers_own=False) == upstream_text


def test_the_material_of_a_spell_is_the_books() -> None:
    own = srd.record_of("spell:srd_shatter")
    assert isinstance(own, Spell)
    changed = with_book_texts(own.model_copy(update={"material_text": "a puff of glitter"}))
    assert changed.material_text == own.material_text
    assert ("material_text", "a puff of glitter") in [(note.field, note.was) for note in changed.corrections]


def test_the_benefits_of_a_feat_are_the_books() -> None:
    own = srd.record_of("feat:srd_grappler")
    assert isinstance(own, Feat)
    changed = with_book_texts(own.model_copy(update={"benefits": (own.benefits[0], "You may throw the creature.")}))
    assert changed.benefits == own.benefits
    assert [note.field for note in changed.corrections] == ["benefits"]


def test_a_longer_feature_gets_the_books_sentences() -> None:
    own = srd.record_of("class:srd_sorcerer")
    assert isinstance(own, CharacterClass)
    garbled = "For example, magic missile and scorching ray aren't eligible, but ray of frost and glow are."
    text = f"{garbled} Nobody may twin a spell before the next new moon."
    metamagic = next(feature for feature in own.features if feature.name == "Metamagic")
    features = (metamagic.model_copy(update={"text": f"{metamagic.text} {text}"}),)
    (changed,) = with_book_texts(own.model_copy(update={"features": features})).features
    assert "but ray of frost is. Nobody may twin" in changed.text


@needs_recorded
def test_garbled_spells_are_those_of_the_book() -> None:
    shield = adapted("v2/spells", "srd_fire-shield", Spell)
    assert "warm shield or a chill shield" in shield.text
    assert "a text of" in markdown(shield)
    assert "stunned for 1 hour" in adapted("v2/spells", "srd_divine-word", Spell).text


@needs_recorded
def test_a_table_has_columns() -> None:
    experience = adapted("v2/rules", "srd_monsters_experience-points-by-cr", Rule)
    assert "| 30 | 155,000 |" in experience.text


@needs_recorded
def test_actions_have_the_limits_of_use_that_open5e_has_lost() -> None:
    for key, name, uses in (
        ("srd_air-elemental", "Whirlwind", "Recharge 4–6"),
        ("srd_octopus", "Ink Cloud", "Recharges after a Short or Long Rest"),
        ("srd_iron-golem", "Poison Breath", "Recharge 6"),
    ):
        record = adapted("v2/creatures", key, Creature)
        assert {action.uses for action in record.actions if action.name == name} == {uses}


@needs_recorded
def test_a_rule_set_names_the_rules_of_the_book_too() -> None:
    combat = adapted("v2/rulesets", "srd_combat-sequence", Rule)
    assert "Surprise" in [ref.name for ref in combat.rules]


@needs_recorded
def test_a_rule_names_the_parts_that_the_book_has_below_it() -> None:
    served = served_record("v2/rules", "srd-2024_combat_underwater-combat")
    underwater = adapt("v2/rules", served, Rule, context())
    assert [ref.name for ref in underwater.rules] == ["Impeded Weapons", "Fire Resistance"]
    assert underwater.order > served["index"]  # the book's, as its parts have


@needs_recorded
def test_other_books_keep_their_texts() -> None:
    srds = ("srd-2014", "srd-2024")
    changed = [
        r.id for r in records("v2/spells") if r.document_key not in srds and r.corrections and srd.record_of(r.id)
    ]
    assert changed == []


@needs_recorded
def test_a_section_that_the_book_has_as_a_part_of_its_own_is_kept() -> None:
    paladin = adapted("v2/classes", "srd_paladin", CharacterClass)
    oath = next(feature.text for feature in paladin.features if feature.name == "Sacred Oath")
    assert "\n\n### Oath Spells\n\nEach oath" in oath
    assert "\n\n### Channel Divinity\n\nYour oath" in oath
    assert "Vengeance" not in oath, "a sentence that the book has in other words"


@needs_recorded
def test_a_class_and_a_species_keep_texts_that_the_package_abridges() -> None:
    wizard = adapted("v2/classes", "srd_wizard", CharacterClass)
    assert "Ritual Casting" in next(feature.text for feature in wizard.features if feature.name == "Spellcasting")
    dwarf = adapted("v2/species", "srd_dwarf", Species)
    assert "score increases by 2" in next(t.text for t in dwarf.traits if t.name == "Ability Score Increase")


@needs_recorded
def test_parts_stand_in_the_order_of_the_book() -> None:
    giant = adapted("v2/creatures", "srd_cloud-giant", Creature)
    assert [trait.name for trait in giant.traits] == ["Keen Smell", "Innate Spellcasting"]
    barbarian = adapted("v2/classes", "srd_barbarian", CharacterClass)
    names = [feature.name for feature in barbarian.features]
    assert names.index("Reckless Attack") < names.index("Danger Sense")
    assert barbarian.level_table()[1][5] == (6, ["+3", "Path feature", "4", "+2"])


@needs_recorded
def test_text_of_no_srd_is_left_out_of_its_records() -> None:
    djinni = adapted("v2/creatures", "srd_djinni", Creature)
    assert "Variant: Genie Powers" not in [trait.name for trait in djinni.traits]
    assert "also Variant: Genie Powers" in [note.was for note in djinni.corrections]
    tools = adapted("v2/itemsets", "artisans-tools", Reference)
    assert not {"srd_disguise-kit", "srd_forgery-kit"} & {member.key for member in tools.members}
    hag = adapted("v2/creatures", "srd_sea-hag", Creature)
    assert "Hag Coven" not in [trait.name for trait in hag.traits]
    advised = adapted("v2/rules", "srd_attacking_rolling-1-or-20", Rule)
    assert "Sage Advice" not in advised.text
    assert "This is called a critical hit." in advised.text


@needs_recorded
def test_a_member_of_a_group_has_the_books_text_for_the_group() -> None:
    chess = adapted("v2/items", "srd-2024_gaming-set-dragonchess", Equipment)
    assert chess.text.startswith("**Ability:** Wisdom\n\n**Utilize:** Discern whether someone is cheating (DC 10)")
    assert "Variants" not in chess.text


@needs_recorded
def test_a_magic_item_has_the_books_header() -> None:
    mithral = srd.record_of("magic-item:srd_mithral-armor")
    assert mithral is not None
    assert "*Armor (medium or heavy, but not hide), uncommon*" in markdown(mithral)
    chain = markdown(adapted("v2/magicitems", "srd_elven-chain", Equipment))
    assert "*Armor (chain shirt), rare*\n\nYou gain a +1 bonus" in chain
    assert chain.index("**Armor Class**") > chain.index("even if you lack proficiency")
    python = adapted("v2/magicitems", "srd_staff-of-the-python", Equipment)
    assert python.rarity == "uncommon"


@needs_recorded
def test_a_form_of_an_item_has_its_own_paragraph() -> None:
    forms = [item for item in records("v2/magicitems") if item.key.startswith("srd-2024_figurine-of-wondrous-power-")]
    assert len(forms) == 9
    for form in forms:
        name = form.name.partition("(")[2].rstrip(")").replace("Stead", "Steed")
        assert f"{name} (" in form.text, form.key
        assert form.text.count(" (Rare)") + form.text.count(" (Very Rare)") + form.text.count(" (Uncommon)") == 1


def test_a_form_of_an_item_is_attuned_by_those_who_can_attune_to_the_item() -> None:
    item = srd.record_of("magic-item:srd-2024_holy-avenger")
    assert isinstance(item, Equipment)
    form = item.model_copy(update={"key": f"{item.key}-lance", "name": "Holy Avenger (Lance)", "attunement_text": ""})
    assert with_book_texts(form).attunement_text == item.attunement_text
    free = form.model_copy(update={"requires_attunement": False})
    assert with_book_texts(free).attunement_text == ""


def test_a_magic_item_served_as_mundane_has_its_rarity() -> None:
    magic = srd.record_of("magic-item:srd-2024_ioun-stone")
    assert isinstance(magic, Equipment)
    item = with_book_texts(magic.model_copy(update={"kind": Kind.ITEM, "rarity_text": "", "requires_attunement": None}))
    assert (item.rarity_text, item.requires_attunement) == (magic.rarity_text, True)


@needs_recorded
def test_a_class_has_its_features_by_level() -> None:
    for record in records("v2/classes"):
        if isinstance(record, CharacterClass) and record.document_key in ("srd-2014", "srd-2024"):
            levels = [feature.levels[0] for feature in record.features if feature.levels]
            assert levels == sorted(levels), record.key


@needs_recorded
def test_a_condition_is_formatted_as_in_each_book() -> None:
    unconscious = adapted("v2/conditions", "unconscious", Reference)
    texts = {text.document_key: text.text for text in unconscious.texts}
    assert "\n\n**Unaware.** You" in texts["srd-2024"]
    assert unconscious.text == texts["srd-2014"]
    exhaustion = adapted("v2/conditions", "exhaustion", Reference)
    assert any("| 6 | Death |" in text.text for text in exhaustion.texts), "a table that the book's pages have lost"


@needs_recorded
def test_a_mundane_item_has_the_paragraphs_and_the_prices_unit_that_open5e_lacks() -> None:
    def item(key: str) -> Equipment:
        return adapted("v2/items", key, Equipment)

    assert item("srd_arrow-bow").text.endswith("\n\nSold by 20: 1 gp, 1 lb.")
    assert "Speed is 1 mph." in item("srd_keelboat").text
    assert "pulled upstream by draft animals" in item("srd_keelboat").text
    blood = item("srd_assassins-blood")
    assert (blood.cost_unit, blood.text.count("Ingested")) == ("dose", 1)
    assert (item("srd_wheat").text, item("srd_gold").text) == ("1 pound of wheat.", "1 lb. of gold.")
    assert item("srd_bagpipes").category_text == "Musical Instrument"


@needs_recorded
def test_a_trait_that_open5e_lacks_is_the_books() -> None:
    rat = adapted("v2/creatures", "srd_giant-rat-diseased", Creature)
    assert [trait.name for trait in rat.traits] == ["Keen Smell", "Pack Tactics"]


@needs_recorded
def test_a_language_has_what_the_book_says_of_it() -> None:
    dwarvish = adapted("v2/languages", "dwarvish", Reference)
    assert dwarvish.text == "Typical speakers are dwarves.\n\nDwarvish is full of hard consonants and guttural sounds."


@needs_recorded
def test_a_group_of_magic_items_lists_its_forms() -> None:
    bag = adapted("v2/magicitems", "srd_bag-of-tricks", Equipment)
    assert "Gray Bag of Tricks" in [form.name for form in bag.variants]
