"""Tags become the words that a book prints."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.fivetools.entries import plain_text

TAGS = [
    ("{@spell fireball}", "fireball"),
    ("{@spell fireball|phb}", "fireball"),
    ("{@creature goblin|mm|goblins}", "goblins"),
    ("{@classFeature Rage|Barbarian||1}", "Rage"),
    ("{@filter wizard spells|spells|class=wizard}", "wizard spells"),
    ("{@damage 8d6}", "8d6"),
    ("{@dice 1d6;2d6}", "1d6/2d6"),
    ("{@dice 1d20|a roll}", "a roll"),
    ("{@scaledamage 8d6|3-9|1d6}", "1d6"),
    ("{@hit 5}", "+5"),
    ("{@dc 15}", "DC 15"),
    ("{@h}7 damage", "*Hit:* 7 damage"),
    ("{@atk mw}", "*Melee Weapon Attack:*"),
    ("{@atk ms,rs}", "*Melee or Ranged Spell Attack:*"),
    ("{@atkr m,r}", "*Melee or Ranged Attack Roll:*"),
    ("{@recharge 5}", "(Recharge 5–6)"),
    ("{@chance 25}", "25 percent"),
    ("{@coinflip}", "flip a coin"),
    ("{@ability str 20}", "20 (+5)"),
    ("{@savingThrow dex 7}", "+7"),
    ("{@skillCheck animal_handling 4}", "+4"),
    ("{@actSave dex}", "*Dexterity Saving Throw:*"),
    ("{@actSaveFail 2}", "*Second Failure:*"),
    ("{@actSaveFailBy 5}", "*Failure by 5 or More:*"),
    ("{@actTrigger}", "*Trigger:*"),
    ("{@b bold} {@i slanted} {@s gone}", "**bold** *slanted* ~~gone~~"),
    ("{@b {@damage 1d6} {@i x}}", "**1d6 *x***"),
    ("{@itemProperty F|PHB} {@itemProperty XX|Fens|Wicked}", "Finesse Wicked"),
    ("{@spell fireball#4}", "fireball"),
    ("{@dcYourSpellSave}, {@dcYourSpellSave its DC}", "your spell save DC, its DC"),
    ("{@actResponse d}", "*Response—*"),
    ("{@scaledice 2d6;3d6|2-9|1d6|psi|one die}", "one die"),
    ("10{@sup 2}, H{@sub 2}O, 1{@sup st}", "10², H₂O, 1st"),
    ("{@b one|two} {@i one|two|three}", "**one|two** *one|two|three*"),
    ("{@dice #$prompt_number:min=1,title=How many?$#d6}", "(n)d6"),
    ("{=bonus/l}", "bonus"),
    ("{@subclassFeature Wick|Lamplighter||Green||3} {@feat Ash Walker|FENS|ash walkers}", "Wick ash walkers"),
    ("{#itemEntry Ration|FENS} {=amount1}", "Ration amount1"),
    ("{@b} {@hit} {@dc} {@chance} {@atk} {@ability} {@unit}", "  DC percent *Attack:*  "),
    ("{@unknowntag something|else}", "something"),
]


@pytest.mark.parametrize(("tag", "text"), TAGS, ids=[tag for tag, _ in TAGS])
def test_a_tag_reads_as_a_book_prints_it(tag: str, text: str) -> None:
    assert plain_text(tag) == text
