"""The sources of a spell, and the spells that something grants, read from the pages that a client gets."""

from __future__ import annotations

import re

import pytest
from fastmcp import Client

from tests.recorded import needs_recorded

pytestmark = pytest.mark.asyncio(loop_scope="module")

SRDS = ["srd-2014", "srd-2024"]
# Looked up by hand in the SRDs 5.1 and 5.2: spell lists, stat blocks, magic items and the tables of subclasses.
GIVEN_BY = {
    "Fireball": {
        "Classes": "Sorcerer, Wizard",
        "Subclasses": "Circle of the Land, Fiend Patron, The Fiend",
        "Creatures": "Adult Red Dragon, Ancient Red Dragon, Lich, Mage, Pit Fiend",
        "Items": "Hat of Many Spells, Helm of Brilliance, Necklace of Fireballs, Ring of Elemental Command, Ring of "
        "Fire Elemental Command, Staff of Fire, Staff of Power, Staff of the Magi, Wand of Fireballs, Wand of Wonder",
    },
    "Lightning Bolt": {
        "Classes": "Sorcerer, Wizard",
        "Subclasses": "Circle of the Land",
        "Creatures": "Archmage, Green Hag, Lich, Night Hag, Sea Hag, Spirit Naga",
        "Items": "Hat of Many Spells, Staff of Power, Staff of the Magi, Wand of Lightning Bolts, Wand of Wonder",
    },
    "Haste": {"Classes": "Sorcerer, Wizard", "Subclasses": "Circle of the Land", "Items": "Potion of Speed"},
    "Animate Dead": {"Classes": "Cleric, Wizard", "Creatures": "Lich, Mummy Lord"},
    "Polymorph": {
        "Classes": "Bard, Druid, Sorcerer, Wizard",
        "Subclasses": "Circle of the Land",
        "Creatures": "Green Hag, Night Hag, Sea Hag",
        "Items": "Cloak of the Bat, Hat of Many Spells, Wand of Polymorph, Wand of Wonder",
        "Other options": "Sculptor of Flesh",
    },
    "Dominate Person": {"Classes": "Bard, Sorcerer, Wizard", "Creatures": "Rakshasa, Spirit Naga, Succubus"},
    "Speak with Dead": {
        "Classes": "Bard, Cleric, Wizard",
        "Creatures": "Adult Black Dragon, Ancient Black Dragon",
        "Other options": "Whispers of the Grave",
    },
    "Wall of Fire": {
        "Classes": "Druid, Sorcerer, Wizard",
        "Subclasses": "Fiend Patron, The Fiend",
        "Creatures": "Efreeti, Pit Fiend",
        "Items": "Helm of Brilliance, Ring of Elemental Command, Ring of Fire Elemental Command, Staff of Fire, "
        "Staff of the Magi",
    },
    "Greater Restoration": {
        "Classes": "Bard, Cleric, Druid, Paladin, Ranger",
        "Subclasses": "Life Domain",
        "Creatures": "Adult Copper Dragon, Ancient Copper Dragon, Couatl, Androsphinx, Sphinx of Valor",
        "Items": "Necklace of Prayer Beads",
    },
    "Faerie Fire": {
        "Classes": "Bard, Druid",
        "Creatures": "Drider, Drow",
        "Items": "Hat of Many Spells, Ring of Shooting Stars, Wand of Wonder",
        "Other options": "Elf",
    },
    "False Life": {"Classes": "Sorcerer, Wizard", "Other options": "Fiendish Vigor, Tiefling"},
    "Scorching Ray": {
        "Classes": "Sorcerer, Wizard",
        "Subclasses": "Fiend Patron, The Fiend",
        "Creatures": "Adult Brass Dragon, Adult Red Dragon, Ancient Brass Dragon, Ancient Red Dragon",
        "Items": "Circlet of Blasting",
    },
    "Counterspell": {
        "Classes": "Sorcerer, Warlock, Wizard",
        "Creatures": "Archmage, Green Hag, Lich, Mage, Night Hag, Sea Hag",
    },
    "Dispel Magic": {
        "Classes": "Bard, Cleric, Druid, Paladin, Ranger, Sorcerer, Warlock, Wizard",
        "Subclasses": "Oath of Devotion",
        "Creatures": "Androsphinx, Glabrezu, Gynosphinx, Lich, Mummy Lord, Priest, Sphinx of Lore, Sphinx of Valor",
        "Items": "Staff of the Magi",
    },
    "Revivify": {"Classes": "Cleric, Druid, Paladin, Ranger", "Subclasses": "Life Domain"},
    "Teleport": {
        "Classes": "Bard, Sorcerer, Wizard",
        "Creatures": "Ancient Silver Dragon, Archmage",
        "Items": "Helm of Teleportation",
    },
    "Bless": {
        "Classes": "Cleric, Paladin",
        "Subclasses": "Life Domain",
        "Creatures": "Acolyte, Couatl, Priest, Priest Acolyte",
        "Items": "Necklace of Prayer Beads, Potion of Heroism",
    },
    "Shield": {
        "Classes": "Sorcerer, Wizard",
        "Creatures": "Archmage, Couatl, Gynosphinx, Lich, Mage",
        "Items": "Cube of Force",
    },
    "Fly": {
        "Classes": "Sorcerer, Warlock, Wizard",
        "Subclasses": "Draconic Sorcery",
        "Creatures": "Archmage, Cloud Giant, Glabrezu, Mage, Rakshasa",
    },
    "Invisibility": {
        "Classes": "Bard, Sorcerer, Warlock, Wizard",
        "Subclasses": "Circle of the Land",
        "Creatures": "Adult Blue Dragon, Ancient Blue Dragon, Archmage, Djinni, Efreeti, Green Hag, Imp, Lich, Mage, "
        "Oni, Planetar, Quasit, Rakshasa, Solar, Sprite",
        "Items": "Hat of Many Spells, Staff of the Magi, Wand of Wonder",
        "Other options": "One with Shadows",
    },
    "Hold Person": {
        "Classes": "Bard, Cleric, Druid, Sorcerer, Warlock, Wizard",
        "Subclasses": "Circle of the Land",
        "Creatures": "Cult Fanatic, Cultist Fanatic, Green Hag, Guardian Naga, Mummy Lord, Night Hag, Sea Hag, "
        "Spirit Naga",
        "Items": "Wand of Binding",
        "Other options": "Tiefling",
    },
    "Misty Step": {
        "Classes": "Sorcerer, Warlock, Wizard",
        "Subclasses": "Circle of the Land",
        "Creatures": "Archmage, Cloud Giant, Mage",
        "Other options": "Elf",
    },
}


async def page(client: Client, tool: str, **arguments: object) -> str:
    answer = await client.call_tool(tool, arguments)
    return str(answer.structured_content["results"][0]["text"])


def given_by(text: str) -> dict[str, set[str]]:
    """The names on a page's lists, by group."""
    lines = re.findall(r"^- ([\w ]+): (.+)$", text.partition("**Given by**\n")[2], re.MULTILINE)
    return {group: {name.rpartition(" (")[0] for name in re.split(r"(?<=\)), ", listed)} for group, listed in lines}


@needs_recorded
@pytest.mark.parametrize("spell", GIVEN_BY)
async def test_a_spell_lists_everything_that_grants_it(warm: Client, spell: str) -> None:
    names_by_group: dict[str, set[str]] = {}
    for book in SRDS:
        text = await page(warm, "search_spell", search=spell, documents=[book], detail="full")
        assert "This list may be incomplete" not in text
        for group, names in given_by(text).items():
            names_by_group[group] = names_by_group.get(group, set()) | names
    assert names_by_group == {group: set(names.split(", ")) for group, names in GIVEN_BY[spell].items()}


async def test_the_short_form_names_some_creatures_and_the_call_for_all(embedded: Client) -> None:
    text = await page(embedded, "search_spell", search="Fireball")
    creatures = re.search(r'Creatures: (.+) …: search_creature\(casts="fireball"\)', text)
    assert creatures is not None
    casters = await embedded.call_tool("search_creature", {"casts": "fireball", "detail": "brief", "limit": 50})
    assert set(creatures[1].split(", ")) <= {result["name"] for result in casters.structured_content["results"]}


@pytest.mark.parametrize(
    ("tool", "key", "spells"),
    [
        ("search_creature", "srd-2024_cultist-fanatic", {"srd-2024_spiritual-weapon", "srd-2024_command"}),
        ("search_equipment", "srd_wand-of-fireballs", {"srd_fireball"}),
        ("search_character_option", "srd-2024_fiend-patron", {"srd-2024_wall-of-fire", "srd-2024_fireball"}),
    ],
)
async def test_a_record_that_grants_spells_links_to_those_of_its_book(
    embedded: Client, tool: str, key: str, spells: set[str]
) -> None:
    text = await page(embedded, tool, search=key, detail="full")
    listed = re.search(r"^\*\*Gives spells\*\* (.+)$", text, re.MULTILINE)
    assert listed is not None
    assert spells <= set(re.findall(r" \(([\w-]+)", listed[1]))


async def test_a_class_links_to_its_spell_list(embedded: Client) -> None:
    text = await page(embedded, "search_character_option", search="srd_wizard", detail="full")
    counted = re.search(r'(\d+) on its list: search_spell\(class_key="srd_wizard"\)', text)
    assert counted is not None
    listed = await embedded.call_tool("search_spell", {"class_key": "srd_wizard", "limit": 1})
    assert int(counted[1]) == listed.structured_content["total"]


async def test_a_resource_links_to_resources(embedded: Client) -> None:
    text = (await embedded.read_resource("lorekeeper://spell/srd_fireball"))[0].text
    links = re.findall(r"\]\((lorekeeper://(?:creature|class|subclass|magic-item)/[\w-]+)\)", text)
    assert "lorekeeper://creature/srd_lich" in links
    for link in links[:3] + links[-3:]:
        assert (await embedded.read_resource(link))[0].text.startswith("# ")


async def test_lists_that_are_not_stored_yet_are_named(embedded: Client) -> None:
    text = await page(embedded, "search_spell", search="Fireball", detail="full")
    assert re.search(r"This list may be incomplete: Open5e's .*creatures.* are not all stored yet", text)
