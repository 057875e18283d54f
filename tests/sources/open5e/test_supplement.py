"""Parts of the SRDs that Open5e omits are supplied with a note, and Open5e's own values are unchanged."""

from __future__ import annotations

from lorekeeper_mcp.models import CharacterClass, Creature, Equipment, Feat, Species, Spell
from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS, to_record_uncorrected
from tests.record_pages import markdown
from tests.recorded import load, needs_recorded
from tests.sources.open5e.adapted_records import adapt, adapted, context, records, served_record

pytestmark = needs_recorded


def test_a_creature_has_its_gear_and_traits_that_open5e_leaves_out() -> None:
    hag = adapted("v2/creatures", "srd-2024_green-hag", Creature)
    assert [trait.name for trait in hag.traits] == ["Amphibious", "Coven Magic", "Mimicry"]
    assert "traits (Open5e says: nothing of Coven Magic; here as in SRD 5.2.1)" in markdown(hag)
    assassin = adapted("v2/creatures", "srd-2024_assassin", Creature)
    assert "Shortsword" in next(trait.text for trait in assassin.traits if trait.name == "Gear")


def test_every_legendary_creature_of_2024_has_its_number_of_actions() -> None:
    legendary = [
        record
        for record in records("v2/creatures")
        if isinstance(record, Creature)
        and record.document_key == "srd-2024"
        and any(action.type == "legendary" or "legendary" in str(action.type).lower() for action in record.actions)
    ]
    assert len(legendary) == 30
    assert [creature.key for creature in legendary if "Legendary Action Uses: " not in creature.legendary_text] == []


def test_truncated_or_mixed_up_texts_are_replaced_by_the_books() -> None:
    steed = adapted("v2/spells", "srd-2024_find-steed", Spell)
    assert "**Otherworldly Slam.**" in steed.text
    assert "| 18 (+4, save +4) |" in steed.text
    deva = adapted("v2/creatures", "srd-2024_deva", Creature)
    assert "Shapechange (Beast or Humanoid form only" in next(
        action.text for action in deva.actions if action.name == "Spellcasting"
    )
    circle = adapted("v2/classes", "srd-2024_circle-of-the-land", CharacterClass)
    texts = {feature.name: feature.text for feature in circle.features}
    assert "immune to the Poisoned condition" in texts["Nature's Ward"]
    assert "15-foot Cube" in texts["Nature's Sanctuary"]


def test_subclasses_and_creatures_of_2014_are_introduced() -> None:
    introduced = [record for record in records("v2/classes") if record.id.startswith("subclass:srd_")]
    assert len(introduced) == 12
    assert all(len(record.text) > 100 for record in introduced)
    weather = adapted("v2/spells", "srd_control-weather", Spell)
    assert "| 4 | Gale |" in weather.text


def test_a_spell_header_is_as_printed() -> None:
    thunderwave = adapted("v2/spells", "srd_thunderwave", Spell)
    assert "**Range** Self (15-foot cube)" in markdown(thunderwave)
    assert "range (Open5e says: Self; here as in SRD 5.1)" in markdown(thunderwave)
    assert adapted("v2/spells", "srd-2024_thaumaturgy", Spell).duration == "up to 1 minute"
    growth = adapted("v2/spells", "srd-2024_plant-growth", Spell)
    assert "**Casting Time** 1 action (Overgrowth) or 8 hours (Enrichment)" in markdown(growth)


def test_smites_classes_species_and_boons_are_whole() -> None:
    smite = adapted("v2/spells", "srd-2024_divine-smite", Spell)
    assert smite.reaction_condition.startswith("which you take immediately after hitting")
    monk = adapted("v2/classes", "srd-2024_monk", CharacterClass)
    assert monk.primary_abilities == ("Dexterity", "Wisdom")
    elf = adapted("v2/species", "srd-2024_elf", Species)
    assert next(trait.text for trait in elf.traits if trait.name == "Creature Type") == "Humanoid"
    boon = adapted("v2/feats", "srd-2024_boon-of-the-night-spirit", Feat)
    assert all(benefit.startswith("**") for benefit in boon.benefits)
    offense = adapted("v2/feats", "srd-2024_boon-of-irresistible-offense", Feat)
    assert "your Strength or Dexterity score" in offense.benefits[0]


def test_no_property_of_a_weapon_of_version_2_is_without_its_text() -> None:
    bare = [
        (record.key, prop.name)
        for endpoint in ("v2/weapons", "v2/items", "v2/magicitems")
        for record in records(endpoint)
        if isinstance(record, Equipment) and record.weapon
        for prop in record.weapon.properties
        if not prop.text
    ]
    assert bare == []


def test_the_light_property_of_2024_has_its_example() -> None:
    club = adapted("v2/weapons", "srd-2024_club", Equipment)
    assert club.weapon and "For example, you can attack with a Shortsword" in club.weapon.properties[0].text
    assert "weapon (Open5e says: a part of Light; here as in SRD 5.2.1)" in markdown(club)


def test_properties_of_weapons_of_version_1_have_the_text_of_the_book_where_it_has_them() -> None:
    served = {"slug": "lamp-hook", "name": "Lamp Hook", "document__slug": "toh", "properties": ["finesse", "special"]}
    hook = adapt("v1/weapons", served, Equipment, context())
    assert hook.weapon is not None
    assert [(prop.name, bool(prop.text)) for prop in hook.weapon.properties] == [("Finesse", True), ("Special", False)]


def test_values_of_open5e_are_unchanged() -> None:
    hag = served_record("v2/creatures", "srd-2024_green-hag")
    own = hag["traits"][0] | {"name": "Invented (When Together)", "desc": "What Open5e says."}
    hag["traits"].append(own)
    record = adapt("v2/creatures", hag, Creature, context())
    assert [trait.name for trait in record.traits] == [
        "Amphibious",
        "Coven Magic",
        "Mimicry",
        "Invented (When Together)",
    ]
    assert record.traits[-1].text == "What Open5e says."


def test_other_books_get_nothing_from_the_srds() -> None:
    for endpoint in ("v2/feats", "v2/species", "v2/weapons"):
        assert endpoint in ADAPTERS
        for served in load(endpoint):
            if served["document"]["key"] not in ("srd-2014", "srd-2024"):
                model = type(to_record_uncorrected(endpoint, served, context()))
                notes = adapt(endpoint, served, model, context()).corrections
                assert [note for note in notes if note.source.startswith("SRD")] == []
