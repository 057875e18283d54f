"""Repairs of Open5e's texts, and texts that stay unchanged."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.open5e.text_repairs import clean_text


@pytest.mark.parametrize(
    ("served", "clean"),
    [
        ("a moth on your person— look— a lamp —its wick", "a moth on your person—look—a lamp—its wick"),
        ("Lamp Attack:+ 5 to hit. 7 (1d8+ 3), 9 (2d6 +2)", "Lamp Attack: +5 to hit. 7 (1d8 + 3), 9 (2d6 + 2)"),
        (
            "### Slots\n\n**DC** = 8 + your modifier\nLamp Focus\n\nYou can use a moth as the focus of your lamps.",
            "### Slots\n\n**DC** = 8 + your modifier\n\n### Lamp Focus\n\n"
            "You can use a moth as the focus of your lamps.",
        ),
        (
            "by [glow](https://api.open5e.com/spells/glow)[dim](https://api.open5e.com/spells/dim), or wish",
            "by glow, dim, or wish",
        ),
        (
            'It can "spit out"a moth.// reach 5 ft, one moth (escape DC15)',
            'It can "spit out" a moth. reach 5 ft., one moth (escape DC 15)',
        ),
        (
            "one of these:1 Glow: It glows.2 Dim: It dims.3 Out: It ends",
            "one of these:\n\n1. Glow: It glows\n2. Dim: It dims\n3. Out: It ends",
        ),
        ("The moth glows. \nIt hums. \r\nIt flies.", "The moth glows.\n\nIt hums.\n\nIt flies."),
        ("You gain +1 bonus to glow as fleshand-blood moths.", "You gain a +1 bonus to glow as flesh-and-blood moths."),
        ("cast sugges_tion_ by ` Freelinking: Node title _glow_ does not exist `", "cast _suggestion_ by _glow_"),
        (
            "you-re no heirophant, if onecreature has thieves- tools",
            "you're no hierophant, if one creature has thieves' tools",
        ),
        (
            "STR DEX CON INT WIS CHA\n\n9 (-1)10 (+0) 8 (-1) 1 (-5) 12 (+1) 3 (-4)",
            "| STR | DEX | CON | INT | WIS | CHA |\n|---|---|---|---|---|---|\n"
            "| 9 (-1) | 10 (+0) | 8 (-1) | 1 (-5) | 12 (+1) | 3 (-4) |",
        ),
        ("A kit.\\n\\nIt lets you brew.", "A kit.\n\nIt lets you brew."),
        ("as [lamp light](https://api.open5e.com/spells/lamp-light) does", "as lamp light does"),
        ("casts srd:lamp-light on the srd:prone moth.", "casts lamp light on the prone moth."),
        ("a one-\u00ad\u2010\u2011handed lamp, 5-\u00ad--foot wide", "a one-handed lamp, 5-foot wide"),
        ("Rounds 5\ufffd10", "Rounds 5–10"),
        ("moves with o squeezing", "moves without squeezing"),
        ("Roll a d20\\. On a 1", "Roll a d20. On a 1"),
        ("worth 1,000gp or more", "worth 1,000 gp or more"),
        ("in the the dark", "in the dark"),
        ("a 15foot cone for 1minute", "a 15-foot cone for 1 minute"),
        ("an end--that end", "an end—that end"),
        ("cast __levitate_  on yourself", "cast _levitate_ on yourself"),
        ("cast __fly ._", "cast _fly_."),
        ("_commune , other plane ,_ or __glow_ .", "_commune, other plane_, or _glow_."),
        ("a _saving throw_ , then _rest_ .", "a _saving throw_, then _rest_."),
        ("__daylight  (_1 charge)", "_daylight_ (1 charge)"),
        ("you take1d10 cold damage", "you take 1d10 cold damage"),
        ("1.Lamps\n2 - Big Moth: It flies.", "1. Lamps\n2. Big Moth: It flies."),
        (
            "+8 to hit 15 ft. or range 20/60' one target 5 (1d6)",
            "+8 to hit, 15 ft. or range 20/60 ft., one target, 5 (1d6)",
        ),
        ("sees 30' away. A 20'-wide lamp; the numeral '4'.", "sees 30 ft. away. A 20-foot-wide lamp; the numeral '4'."),
        ("on a 4 5 or 6", "on a 4, 5, or 6"),
        ("bludgeoning damage P or S", "bludgeoning, piercing, or slashing damage"),
        (
            "nonmagic B/P/S attacks not made w/silver",
            "bludgeoning, piercing, and slashing from nonmagical attacks not made with silver",
        ),
        ("You have advantage on\nStrength checks.", "You have advantage on Strength checks."),
        (
            "the water. in which it lives. ending it. becoming dry",
            "the water in which it lives, ending it, becoming dry",
        ),
        ("shiveringthat begins therewith thisweapon", "shivering that begins therewith this weapon"),
        (
            "A lamp.\n\n**Glow.** It glows.\nMoth & Wick. It dims.",
            "A lamp.\n\n**Glow.** It glows.\n\n**Moth & Wick.** It dims.",
        ),
        ("###Cantrips\n\nYou know two.", "### Cantrips\n\nYou know two."),
        ("The cloud lasts.\n#### Covered in Ash\nYou glow.", "The cloud lasts.\n\n#### Covered in Ash\nYou glow."),
        (
            "### Moth Light\n\nIt glows in the dark.\nLamp Light\n\nIt glows in the dark, and at noon as well.",
            "### Moth Light\n\nIt glows in the dark.\n\n### Lamp Light\n\nIt glows in the dark, and at noon as well.",
        ),
        (
            "It depends on the lamp that you hold up to them. | d4 | Moth |\n|---|---|\n| 1 | Red |",
            "It depends on the lamp that you hold up to them.\n\n| d4 | Moth |\n|---|---|\n| 1 | Red |",
        ),
        ("a 1st- level spell", "a 1st-level spell"),
        ("*A moth glows.\n\n* A moth dims.", "* A moth glows.\n\n* A moth dims."),
        ("It has:\n\n    Lamps\n    Moths", "It has:\n\n- Lamps\n- Moths"),
        ("The moth flies.\n  Any lamp dims.", "The moth flies.\n\nAny lamp dims."),
        ("A lamp 10-feet wide takes 3(1d6).", "A lamp 10 feet wide takes 3 (1d6)."),
        ("It costs no extra moment.", "It costs no extra movement."),
        ("### Glow\n\nPrerequisite: a lamp\n\nGlow.", "### Glow\n\n*Prerequisite: a lamp*\n\nGlow."),
        ("The moth flies. \n Any lamp dims.", "The moth flies.\n\nAny lamp dims."),
        ("It can:\n\n* glow\n* dim\n  Any lamp dims.", "It can:\n\n* glow\n* dim\n\nAny lamp dims."),
        ("The moth flies.\n\n _Lamps_ dim.\n\n (They do.)", "The moth flies.\n\n_Lamps_ dim.\n\n(They do.)"),
        ("one of these effects: - It glows.\n- It dims.", "one of these effects:\n\n- It glows.\n- It dims."),
        (
            "benefits: - **Glow.** It glows.\n- **Dim.** It dims.",
            "benefits:\n\n- **Glow.** It glows.\n- **Dim.** It dims.",
        ),
        ("Table: Lamps\n\n| Lamp |\n|---|\n| Oil |", "**Lamps**\n\n| Lamp |\n|---|\n| Oil |"),
        ("__**Table: Lamps**__\n\n## Table: Moths", "**Lamps**\n\n**Moths**"),
        ("## **Magic**\n\nIt glows.", "## Magic\n\nIt glows."),
        ("**_Glow._** It glows. _**Dim**_. It dims.", "***Glow.*** It glows. ***Dim.*** It dims."),
        ("It has two:\n\n  ***Glow.*** It glows.", "It has two:\n\n***Glow.*** It glows."),
        (
            "Roll. (Lamp Oil#^moth)\n\n| dice: 1d6 | Lamp |\n|---|---|\n| 1 | \\- |",
            "Roll.\n\n| 1d6 | Lamp |\n|---|---|\n| 1 | — |",
        ),
        (
            "| d4 | Lamp |\n|---|---|\n| 1 | Oil Lamp\\|Oil/Wax Lamp\\|Wax lamp |",
            "| d4 | Lamp |\n|---|---|\n| 1 | Oil/Wax lamp |",
        ),
        ("It holds:\n- 2 lamps - 3 moths", "It holds:\n- 2 lamps\n- 3 moths"),
        ("a + 1 bonus to lamps at 2mph", "a +1 bonus to lamps at 2 mph"),
        ("It dims.\nOld Lamp (Rare). It glows.", "It dims.\n\n**Old Lamp (Rare).** It glows."),
        ("once th_e Old Lamp_ dims, cast the _glow s_pell", "once the _Old Lamp_ dims, cast the _glow_ spell"),
        ("| Lamp | Oil |\n| -------- | :------: |\n| 1 | 2 |", "| Lamp | Oil |\n| --- | :---: |\n| 1 | 2 |"),
        (
            "| d4 | Lamp | |\n|---|---|---|\n| 1 | Oil | ] |\n| 2 | Wax | | | d4 | Moth |\n|---|---|\n| 1 | Dusk |",
            "| d4 | Lamp |\n| --- | --- |\n| 1 | Oil |\n| 2 | Wax |\n\n| d4 | Moth |\n|---|---|\n| 1 | Dusk |",
        ),
        ("It becomes a _1 rapier_ and a _2 lamp_.", "It becomes a _+1 rapier_ and a _+2 lamp_."),
        (
            "It has two:\n* It glows.\n* It dims. \nOnce it has, it rests.",
            "It has two:\n* It glows.\n* It dims.\n\nOnce it has, it rests.",
        ),
        ("At will: light, dim,\n- 1/day: glow,", "At will: light, dim\n- 1/day: glow"),
        ("A moth rises in the dark._\nIt glows.", "A moth rises in the dark.\nIt glows."),
        (
            "**Moths (table)**\n| d4 | Moth |\n|---|---|\n| 1 | Red |",
            "**Moths**\n\n| d4 | Moth |\n|---|---|\n| 1 | Red |",
        ),
        (
            "It glows.\n\n### Moths by Lamp (table)\n\n| d4 | Moth |\n|---|---|\n| 1 | Red |",
            "It glows.\n\n**Moths by Lamp**\n\n| d4 | Moth |\n|---|---|\n| 1 | Red |",
        ),
        ("Lamp Spells (table)", "Lamp Spells"),
        ("**Spell save DC = 8** + your Wisdom modifier", "**Spell save DC** = 8 + your Wisdom modifier"),
        (
            "### Spells\n\nSave = 8 + your Wisdom modifier\nLamp Light\n\nYou can use any lamp as a spell focus.",
            "### Spells\n\nSave = 8 + your Wisdom modifier\n\n### Lamp Light\n\nYou can use any lamp as a spell focus.",
        ),
        (
            "## Moth\n\n* * *\n\n -  **Speed** 5 ft.\n\n* * *\n\n***Bite.*** 3.\n***Dust (Grey Only)***. 2.",
            "## Moth\n\n- **Speed** 5 ft.\n\n***Bite.*** 3.\n\n***Dust (Grey Only).*** 2.",
        ),
        (
            "| d4 | Moth |\n|---|---|\n| 1 | Red |\n 2 | Blue |\n| 3 | Grey |",
            "| d4 | Moth |\n|---|---|\n| 1 | Red |\n| 2 | Blue |\n| 3 | Grey |",
        ),
        ("effects: - *** Find Lamp.** You know", "effects: - ***Find Lamp.*** You know"),
        ("It ends.<br>The moth dies.", "It ends.\n\nThe moth dies."),
        ("A &amp; B &lt; C", "A & B < C"),
        ("<h3>Actions</h3>\n<em><strong>Bite.</strong></em> 3 (1d6).", "##### Actions\n\n***Bite.*** 3 (1d6)."),
        (
            "Sizes:\n<table>\n<thead><tr>\n<th>Size</th>\n<th>HP</th></tr></thead><tr><td>Tiny</td><td>3</td></tr></table>",
            "Sizes:\n\n| Size | HP |\n|---|---|\n| Tiny | 3 |",
        ),
        ("|||\n|---|---|\n|Hit Die|D12|\n|Saves|Wisdom|", "- **Hit Die:** D12\n- **Saves:** Wisdom"),
        ("It speaks Common,Draconic (as _glow_ ) or none .", "It speaks Common, Draconic (as _glow_) or none."),
        ("The lamp dims.The moth 's wings (7 ( 2d6)) glow..", "The lamp dims. The moth's wings (7 (2d6)) glow."),
        ("A DC 13 save in a 20 foot radius, 5- foot high", "A DC 13 save in a 20-foot radius, 5-foot high"),
        (
            "**Great Wings.**The moth flies, taking 3 (1d6) fire damage.",
            "**Great Wings.** The moth flies, taking 3 (1d6) fire damage.",
        ),
        (
            "| d4 | Moth |\n|---|---|\n| 1 | Red | | | d4 | Lamp |\n|---|---|\n| 1 | Oil |",
            "| d4 | Moth |\n|---|---|\n| 1 | Red |\n\n| d4 | Lamp |\n|---|---|\n| 1 | Oil |",
        ),
        (
            "| d4 | Moth |\n|---|---|\n| 1 | Red | It flies to every lamp in the room, and is burned there. |",
            "| d4 | Moth |\n|---|---|\n| 1 | Red |\n\nIt flies to every lamp in the room, and is burned there.",
        ),
        (
            "| Moth | Time | Lamp |\n|---|---|---|\n| Red | 1 hour\n\n2 hours | Oil\n\nor gas.|",
            "| Moth | Time | Lamp |\n|---|---|---|\n| Red | 1 hour 2 hours | Oil or gas.|",
        ),
        ("| d4 | Moth | |\n|---|---|---|\n| 1 | Red | ] |", "| d4 | Moth |\n| --- | --- |\n| 1 | Red |"),
        ("| --- | --- |\n| 1-2 | Moth |", "| Roll | Result |\n|---|---|\n| 1–2 | Moth |"),
        ("A disad- vantage on a newly- grown wing.", "A disadvantage on a newly-grown wing."),
        ("Choose:\n\n• A moth.\n\n• A lamp.", "Choose:\n\n- A moth.\n\n- A lamp."),
        ("Moths:[br/] • 01-04: red • 05: blue", "Moths:\n\n- 01-04: red\n- 05: blue"),
        ("It can't be [rule]surprise;surprised[/condition].", "It can't be surprised."),
        ("It regains 1d3\n\nexpended charges daily.", "It regains 1d3 expended charges daily."),
        ("It burns.\n\nif the moth dies, it ends.", "It burns.\n\nIf the moth dies, it ends."),
        ("The moth'S bane vine and the moths' S.", "The moth's bane vine and the moths' S."),
        ("Deep Magic: lamp-lit You glow.", "*Deep Magic: lamp-lit*\n\nYou glow."),
        ("It hits one creature,. 6 (1d8+2) damage.", "It hits one creature, 6 (1d8+2) damage."),
        ("It hits one creature,. The moth falls.", "It hits one creature. The moth falls."),
        ("Range 20/60 feet., one moth.", "Range 20/60 feet, one moth."),
        ("Use a lamp (see chapter 5, “Lamps”).", "Use a lamp (see “Lamps”)."),
        ("It glows. See chapter 9 for lamps and chapter 10 for moths. It ends.", "It glows. It ends."),
        ("It glows.</ li>\n* It ends.", "It glows.\n* It ends."),
        (
            "By mocking a moth within\nrange that can see you,\nyou make it",
            "By mocking a moth within range that can see you, you make it",
        ),
        ("You can-t glow.", "You can't glow."),
        ("The lamp-s light, by Moth-s Glow, is half-seen.", "The lamp's light, by Moth's Glow, is half-seen."),
        ("**Glow**.Your lamp shines.", "**Glow**. Your lamp shines."),
        ("Effects : light in a 10* foot radius.", "Effects: light in a 10-foot radius."),
        (
            "Moths - pale ones - fly 1, 000 feet with a 9thlevel slot.",
            "Moths—pale ones—fly 1,000 feet with a 9th-level slot.",
        ),
        (
            "It glows.\n  *Lamp* is a spell.\n ## Lamps \n\nMore.",
            "It glows.\n\n*Lamp* is a spell.\n\n## Lamps\n\nMore.",
        ),
    ],
)
def test_typesetting_errors_are_repaired(served: str, clean: str) -> None:
    assert clean_text(served) == clean
    assert clean_text(clean) == clean, "cleaning twice changes nothing"


def test_small_capital_marks_are_removed_outside_names() -> None:
    assert clean_text("[++], Senses, & [/++][++]Speech[/++] as a moth") == "Senses, & Speech as a moth"
    assert clean_text("[+]and Smell[/+] It can [+]smell[/+] lamps.") == "[+]and Smell[/+] It can smell lamps."


def test_double_spaces_become_commas_in_the_book_that_lost_them() -> None:
    served = "On a success  the effect ends (escape DC 15)  and it falls.  Then speed 20 ft.  fly 40 ft."
    clean = "On a success, the effect ends (escape DC 15), and it falls. Then speed 20 ft., fly 40 ft."
    assert clean_text(served, "a5e-mm") == clean
    assert clean_text("On a success  it ends.") == "On a success it ends."


def test_an_attack_has_a_colon() -> None:
    assert clean_text("Melee Weapon Attack. +4 to hit.") == "Melee Weapon Attack: +4 to hit."


def test_lists_without_commas_get_them() -> None:
    served = "Doesn't need air food drink or sleep. A cold fire or lightning lamp (Recharge 5-6)."
    clean = "Doesn't need air, food, drink, or sleep. A cold, fire, or lightning lamp (Recharge 5–6)."
    assert clean_text(served, "tob3") == clean


def test_clauses_without_commas_get_them() -> None:
    served = "Until grapple ends moth glows. It re-saves at end of each of its turns success ends effect."
    clean = "Until grapple ends, moth glows. It re-saves at end of each of its turns; success ends effect."
    assert clean_text(served, "tob3") == clean


def test_items_glued_to_the_previous_sentence_become_a_list() -> None:
    served = "Uses one:Light Beam. It glows (20').Dark of the Moth Target: DC 9.Rain Each moth is wet."
    items = ("**Light Beam.** It glows (20 ft.).", "**Dark of the Moth.** Target: DC 9.", "Rain Each moth is wet.")
    assert clean_text(served, "tob3") == "\n- ".join(["Uses one:\n", *items])
    assert "\n" not in clean_text(served, "tob2")


def test_a_repeated_word_gets_a_comma_in_the_book_that_lost_them() -> None:
    served = "When it hits with any weapon weapon deals more, and that that moth had had stays."
    clean = "When it hits with any weapon, weapon deals more, and that that moth had had stays."
    assert clean_text(served, "tob3") == clean
    assert clean_text(served) == served


@pytest.mark.parametrize(
    "text",
    [
        "| d4 | Effect |\n|---|---|\n| 1 | It glows. |",
        "**Bold** and *light*, ***both***, __bold too__ and _light_.",
        "- one\n  - two\n\nLine  \nbreak",
        "If x < 3 or y > 4, 1d6+2 (5), 9–12.",
        "\\*Stat blocks stand elsewhere.",
        "Two- or three-winged moths fly by light- and darkness.",
        "- a lamp\n- a moth\n\nand nothing else",
        "It fell (50 feet - the way up), with 100, 200 or 300 moths.",
        "It leaves forthwith, and the moths therewith.",
    ],
)
def test_a_correct_value_stays(text: str) -> None:
    assert clean_text(text) == text


@pytest.mark.parametrize(
    ("served", "clean"),
    [
        ("| 1-4 | A lamp 5-6 A moth |", "| 1–4 | A lamp |\n| 5–6 | A moth |"),
        ("| 1-4 | 2 lamps. 5 A moth 6-8 3 moths |", "| 1–4 | 2 lamps. 5 A moth 6-8 3 moths |"),
        ("| 1-4 | A lamp 5-6 A moth 7-8 Rain |", "| 1–4 | A lamp |\n| 5–6 | A moth |\n| 7–8 | Rain |"),
        ("| 1-4 | It glows for 6-8 Moths |", "| 1–4 | It glows for 6-8 Moths |"),
        ("| 9th | - | 1 |", "| 9th | — | 1 |"),
    ],
)
def test_a_row_glued_to_another_is_a_row(served: str, clean: str) -> None:
    head = "| d8 | Effect |\n|---|---|\n"
    assert clean_text(f"{head}{served}") == f"{head}{clean}"


def test_captions_of_tables_are_headings_of_one_level() -> None:
    tables = "# Lamps\n\nTwo kinds.\n\n#### Oil\n\n| A |\n|---|\n| b |\n\n{0} Wax\n\n| A |\n|---|\n| b |\n\n## Moths"
    assert clean_text(tables.format("###")) == tables.format("####")


def test_a_bold_lead_begins_a_paragraph() -> None:
    served = "It glows.\n**Lamp.** It is lit.\n- One\n**Moth:** It flies.\nSpecialties: glowing."
    clean = "It glows.\n\n**Lamp.** It is lit.\n- One\n\n**Moth:** It flies.\n\nSpecialties: glowing."
    assert clean_text(served) == clean
    assert clean_text(clean) == clean


def test_line_breaks_are_paragraphs_in_books_without_blank_lines() -> None:
    served = "It glows. \nA moth comes.\nThen, it leaves.\n- A lamp."
    assert clean_text(served, "tdcs") == "It glows.\n\nA moth comes.\n\nThen, it leaves.\n- A lamp."
    assert clean_text("It glows.\nA moth comes.") == "It glows.\nA moth comes."


def test_the_last_item_of_a_list_is_marked_in_books_that_lost_its_mark() -> None:
    served = "Choose one:\n\n- Light a lamp.\n- **Glow**. You shine.\n **Fade**. You dim.\n\nThen rest."
    assert clean_text(served, "bfrd") == (
        "Choose one:\n\n- Light a lamp.\n- **Glow**. You shine.\n- **Fade**. You dim.\n\nThen rest."
    )
    assert "- **Fade**" not in clean_text(served, "toh")


@pytest.mark.parametrize(
    ("served", "clean"),
    [
        ("Reach 5 ft, one target.", "Reach 5 ft., one target."),
        ("Reach 5 ft. one target.", "Reach 5 ft., one target."),
        ("A 10-footradius sphere and a 5-foottall wave.", "A 10-foot-radius sphere and a 5-foot-tall wave."),
    ],
)
def test_marks_after_feet_are_restored(served: str, clean: str) -> None:
    assert clean_text(served) == clean
