"""Tags become the words that a book prints."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text

TAGS = [
    ("{@spell fireball}", "fireball"),
    ("{@spell fireball|phb}", "fireball"),
    ("{@creature goblin|mm|goblins}", "goblins"),
    ("{@item longsword|phb}", "longsword"),
    ("{@condition prone}", "prone"),
    ("{@status surprised}", "surprised"),
    ("{@skill Stealth}", "Stealth"),
    ("{@sense darkvision}", "darkvision"),
    ("{@action Dash}", "Dash"),
    ("{@class fighter|phb|fighters}", "fighters"),
    ("{@subclass Champion|Fighter|PHB|PHB|champions}", "champions"),
    ("{@classFeature Rage|Barbarian||1}", "Rage"),
    ("{@deity Ash|Fens|FENS|the Ash}", "the Ash"),
    ("{@card Moon|Deck|DMG}", "Moon"),
    ("{@quickref difficult terrain||3}", "difficult terrain"),
    ("{@filter wizard spells|spells|class=wizard}", "wizard spells"),
    ("{@link the site|https://example.org}", "the site"),
    ("{@book chapter 3|PHB|3}", "chapter 3"),
    ("{@adventure the mill|LMoP|1}", "the mill"),
    ("{@area the cellar|1|x}", "the cellar"),
    ("{@damage 8d6}", "8d6"),
    ("{@dice 1d6;2d6}", "1d6/2d6"),
    ("{@dice 1d20|a roll}", "a roll"),
    ("{@scaledamage 8d6|3-9|1d6}", "1d6"),
    ("{@scaledice 2d4|1-9|1d4}", "1d4"),
    ("{@hit 5}", "+5"),
    ("{@hit -1}", "-1"),
    ("{@d20 3}", "+3"),
    ("{@dc 15}", "DC 15"),
    ("{@h}7 damage", "*Hit:* 7 damage"),
    ("{@m}", "*Miss:* "),
    ("{@hom}", "*Hit or Miss:* "),
    ("{@atk mw}", "*Melee Weapon Attack:*"),
    ("{@atk rs}", "*Ranged Spell Attack:*"),
    ("{@atk ms,rs}", "*Melee or Ranged Spell Attack:*"),
    ("{@atkr m,r}", "*Melee or Ranged Attack Roll:*"),
    ("{@recharge 5}", "(Recharge 5–6)"),
    ("{@recharge}", "(Recharge 6)"),
    ("{@chance 25}", "25 percent"),
    ("{@coinflip}", "flip a coin"),
    ("{@ability str 20}", "20 (+5)"),
    ("{@savingThrow dex 7}", "+7"),
    ("{@skillCheck animal_handling 4}", "+4"),
    ("{@actSave dex}", "*Dexterity Saving Throw:*"),
    ("{@actSaveFail}", "*Failure:*"),
    ("{@actSaveFail 2}", "*Second Failure:*"),
    ("{@actSaveSuccess}", "*Success:*"),
    ("{@actSaveFailBy 5}", "*Failure by 5 or More:*"),
    ("{@actTrigger}", "*Trigger:*"),
    ("{@actResponse}", "*Response:*"),
    ("{@b bold} {@i slanted} {@s gone}", "**bold** *slanted* ~~gone~~"),
    ("{@note see below}", "*see below*"),
    ("{@color red|ff0000}", "red"),
    ("{@footnote ash|from fire}", "ash (from fire)"),
    ("{@unit 2|foot|feet}", "feet"),
    ("{@5etools the page|index.html}", "the page"),
    ("{@homebrew new|old}", "new"),
    ("{@b {@damage 1d6} {@i x}}", "**1d6 *x***"),
    ("{@unit 1|foot|feet} {@unit 2|cup} {@unit 3}", "foot cups "),
    ("{@itemProperty F|PHB} {@itemProperty XX|Fens|Wicked}", "Finesse Wicked"),
    ("{@itemMastery Topple|XPHB}", "Topple"),
    ("{@spell fireball#4}", "fireball"),
    ("{@coinflip|toss a coin}", "toss a coin"),
    ("{@dcYourSpellSave}, {@dcYourSpellSave its DC}", "your spell save DC, its DC"),
    ("{@hitYourSpellAttack Bonus equals your modifier}", "Bonus equals your modifier"),
    ("{@actSaveSuccessOrFail}", "*Failure or Success:*"),
    ("{@actResponse d}", "*Response—*"),
    ("{@recharge 4|m}", "(Recharge 4–6)"),
    ("{@initiative 4}", "+4"),
    ("{@autodice 1d6|a die}", "a die"),
    ("{@scaledice 2d6;3d6|2-9|1d6|psi|one die}", "one die"),
    (
        "{@variantrule Hit Point|XPHB|HP} {@optfeature Long Wick} {@feat Ash Walker} {@race Mothfolk} {@background Lamp Keeper}",
        "HP Long Wick Ash Walker Mothfolk Lamp Keeper",
    ),
    (
        "{@disease fen cough} {@hazard mud} {@trap pit} {@object door} {@vehicle barge} {@vehupgrade sail} {@reward gift}",
        "fen cough mud pit door barge sail gift",
    ),
    (
        "{@boon ash} {@cult soot} {@psionic flicker} {@language Flicker} {@table Omens} {@deck Wicks} {@recipe soup} {@legroup Moth}",
        "ash soot flicker Flicker Omens Wicks soup Moth",
    ),
    (
        "{@facility smithy} {@charoption gift} {@creatureFluff moth} {@cite book} {@loader a file|x.json}",
        "smithy gift moth book a file",
    ),
    (
        "{@u under} {@sup 2} {@sub 3} {@kbd K} {@code x} {@style s|small-caps} {@font f|serif} {@tip t|more} {@comic c}",
        "under 2 3 K `x` s f t (more) c",
    ),
    ("{@subclassFeature Wick|Lamplighter||Green||3} {@feat Ash Walker|FENS|ash walkers}", "Wick ash walkers"),
    ("{#itemEntry Ration|FENS} {=amount1}", "Ration amount1"),
    ("{@b} {@hit} {@dc} {@chance} {@atk} {@ability} {@unit}", "  DC percent *Attack:*  "),
    ("{@unknowntag something|else}", "something"),
    ("no tag {at} all", "no tag {at} all"),
]


@pytest.mark.parametrize(("tag", "text"), TAGS, ids=[tag for tag, _ in TAGS])
def test_a_tag_reads_as_a_book_prints_it(tag: str, text: str) -> None:
    assert plain_text(tag) == text
