"""Tags become the words that a book prints."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.fivetools.tags import plain_text

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
    ("{@unknowntag something|else}", "something"),
    ("no tag {at} all", "no tag {at} all"),
]


@pytest.mark.parametrize(("tag", "text"), TAGS, ids=[tag for tag, _ in TAGS])
def test_a_tag_reads_as_a_book_prints_it(tag: str, text: str) -> None:
    assert plain_text(tag) == text
