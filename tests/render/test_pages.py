"""Pages have everything in a record, and look like a rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from lorekeeper_mcp.models import (
    Abilities,
    Action,
    ActionType,
    CastingOption,
    Creature,
    Edition,
    EditionText,
    Kind,
    Record,
    Ref,
    Reference,
    Section,
    Senses,
    Spell,
)
from lorekeeper_mcp.models.printed_values import gold
from lorekeeper_mcp.passages.facts import fact_lines
from lorekeeper_mcp.render.index_lines import facts, index_line
from tests.own_records import book_heading
from tests.record_pages import markdown
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import V1_ENDPOINTS, records

# Left out of a page on purpose: identifiers (which an answer shows beside the page); keys and numbers that the page has
# in words (1minute, a range in feet, no caster); immunities as keys beside the printed ones; positions that the order
# shows; the path of a corrected field, which is in words; effects of higher slots, which follow from a sentence; and
# what Open5e says of everything: tiny items, a sight of two miles.
LEFT_OUT = {
    "kind", "key", "document_source", "caster_type", "casting_time", "range", "range_unit", "shape_unit", "type",
    "category", "condition_immunities", "damage_immunities", "damage_resistances", "order", "size", "normal_sight",
    "field", "casting_options", "page",
}  # fmt: skip


def leaves(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """(field, text) of every text and number in a dumped record, except those left out."""
    if name in LEFT_OUT or value is None or isinstance(value, bool):
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner, name)
    elif isinstance(value, int | float):
        number = f"{value:,}" if name == "experience_points" else f"{value:g}"
        yield name, gold(value) if name.endswith("cost") else number
    else:
        yield name, str(value)


ENDPOINTS = (
    "v2/spells", "v2/creatures", "v2/magicitems", "v2/weapons", "v2/armor", "v2/items", "v2/feats", "v2/species",
    "v2/backgrounds", "v2/classes", "v2/rules", "v2/conditions", *V1_ENDPOINTS,
)  # fmt: skip


# Open5e has this for all records of the SRD 5.2 but one, whatever the book says.
FILLERS = {("armor_text", "natural armor"), ("target_type", "creature"), ("target_count", "1")}


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def missing(record: Record) -> list[tuple[str, str]]:
    page = words(markdown(record))
    return [
        (name, text[:60])
        for name, text in leaves(record.model_dump(exclude_defaults=True))
        if name not in ("challenge_rating", "legendary_cost")
        and (name, text) != ("documents", "core")  # an Open5e document whose texts are those of the books
        and words(text) not in page
        and not (name == "damage_roll" and set(words(text).split()) <= set(page.split()))  # one roll of several
        and not (record.document_key == "srd-2024" and (name, text) in FILLERS)
    ]


@needs_recorded
def test_every_recorded_record_is_whole_on_its_page() -> None:
    lost = []
    for endpoint in ENDPOINTS:
        lost += [(record.id, field) for record in records(endpoint) if (field := missing(record))]
    assert lost == []


def test_a_spell_page_reads_like_a_book_page() -> None:
    spell = Spell(
        **book_heading(Kind.SPELL, "Glow", license="CC0-1.0"), level=2, school="evocation", ritual=True,
        casting_time="reaction", casting_time_text="1 reaction", reaction_condition="when it gets dark",
        range_text="Self", verbal=True, material=True, material_text="a coal", material_cost=0.1,
        duration="1 minute", concentration=True, classes=(Ref(name="Bard"),),
        text="# Light\n\nIt glows.", higher_level="It glows more.",
        casting_options=(CastingOption(type="slot_level_3", damage_roll="2d6"),),
    )  # fmt: skip
    page = markdown(spell)
    for part in ("# Glow", "*2nd-level evocation (ritual)*", "1 reaction, when it gets dark",
                 "V, M (a coal; worth 1 sp)",
                 "Concentration, up to 1 minute", "## Light", "***At Higher Levels.*** It glows more.", "damage 2d6",
                 "Own (own)", "CC0-1.0"):  # fmt: skip
        assert part in page, part
    assert "None" not in page
    assert index_line(spell, facts(spell)).startswith("**Glow** (spell) — level 2 · evocation · 1 reaction · Self")


def test_a_stat_block_has_its_parts_in_order() -> None:
    creature = Creature(
        **book_heading(Kind.CREATURE, "Gloom"), type="undead", size="large", challenge_rating=0.25,
        experience_points=50, armor_class=12, hit_points=9, speed={"walk": 30, "fly": 60}, hover=True,
        abilities=Abilities(strength=7, charisma=18), senses=Senses(darkvision=60, passive_perception=9),
        traits=(Section(name="Dim", text="It dims."),),
        actions=(Action(name="Fade", text="It fades.", type=ActionType.LEGENDARY_ACTION, legendary_cost=2),
                 Action(name="Hit", text="5 damage.", uses="Recharge 5–6")),
    )  # fmt: skip
    page = markdown(creature)
    order = ["*Large undead*", "**Armor Class** 12", "30 ft., fly 60 ft. (hover)", "7 (-2)", "18 (+4)",
             "passive Perception 9", "**Challenge** 1/4 (50 XP)", "***Dim.***", "## Actions",
             "***Hit (Recharge 5–6).***", "## Legendary Actions", "***Fade (Costs 2 Actions).***"]  # fmt: skip
    places = [page.index(part) for part in order]
    assert places == sorted(places)
    assert facts(creature)["cr"] == "1/4"


def test_a_spell_names_every_saving_throw_that_its_text_asks_for() -> None:
    text = (
        "It makes a Dexterity saving throw, or a Strength save if it climbs, and has advantage on Wisdom saving throws."
    )
    spell = Spell(**book_heading(Kind.SPELL, "Grease"), level=2, text=text, saving_throw="strength")
    assert "**Saving Throw** Strength, Dexterity" in fact_lines(spell)[0]
    assert "**Saving Throw**" not in markdown(spell)  # the text says it


def test_a_2024_stat_block_has_its_challenge_in_one_line_and_senses_in_book_order() -> None:
    fields = book_heading(Kind.CREATURE, "Gloom") | {"editions": (Edition.E2024,)}
    senses = Senses(darkvision=60, blindsight=10, passive_perception=9)
    creature = Creature(**fields, challenge_rating=5, experience_points=1800, proficiency_bonus=3, senses=senses)
    page = markdown(creature)
    assert "**CR** 5 (XP 1,800; PB +3)" in page
    assert "blindsight 10 ft., darkvision 60 ft., passive Perception 9" in page
    assert "**Challenge** 5 (1,800 XP)" in markdown(creature.model_copy(update={"proficiency_bonus": None}))


def test_a_condition_gives_the_text_of_the_edition_asked_for() -> None:
    texts = tuple(
        EditionText(text=f"As of {edition}.", document_key=f"srd-{edition}", edition=edition)
        for edition in (Edition.E2014, Edition.E2024)
    )
    condition = Reference(**book_heading(Kind.CONDITION, "Dazed"), text="As of 2014.", texts=texts)
    assert "As of 2014" not in markdown(condition, Edition.E2024)
    page = markdown(condition)
    assert "## 2014 rules (srd-2014)" in page
    assert "## 2024 rules (srd-2024)" in page


def test_the_levels_of_a_cantrip_are_not_listed_below_a_text_that_has_them() -> None:
    def page(text: str) -> str:
        option = CastingOption(type="player_level_5", damage_roll="2d12")
        return markdown(Spell(**book_heading(Kind.SPELL, "Glow"), level=0, text=text, casting_options=(option,)))

    assert "player level" not in page("The damage increases by 1d12 when you reach 5th level (2d12).")
    assert "player level 5" in page("It glows.")


@pytest.mark.parametrize(
    ("kind", "name", "call"),
    [
        (Kind.ENVIRONMENT, "Salt Marsh", 'search_creature(environment="salt-marsh")'),
        (Kind.ITEM_CATEGORY, "Lamp", 'search_equipment(category="lamp")'),
        (Kind.MAGIC_SCHOOL, "Gloom", 'search_spell(school="gloom")'),
    ],
)
def test_a_reference_without_text_names_the_call_that_lists_its_members(kind: Kind, name: str, call: str) -> None:
    assert call in markdown(Reference(**book_heading(kind, name)))
    assert call not in markdown(Reference(**book_heading(kind, name), text="It is dim."))
