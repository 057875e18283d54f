"""Stat blocks within a text."""

from srd_converter.srd2024.inline_stat_blocks import with_stat_block


def test_a_stat_block_within_a_text_is_lists_and_a_table() -> None:
    text = (
        "It becomes a moth.\n\nMud Moth\nTiny Beast, Unaligned\n\nAC 11 Initiative +1 (11)\n\nHP 3 (2d4 − 2)\n\n"
        "MOD SAVE MOD SAVE MOD SAVE\nStr 1 −5 −5 Dex 13 +1 +1 Con 8 −1 −1\nInt 1 −5 −5 WIS 10 +0 +0 Cha 3 −4 −4\n"
        "Languages None\n\nCR 0 (XP 0)\n\n**Mud Lamp.** It glows."
    )
    assert with_stat_block(text).split("\n\n") == [
        "It becomes a moth.",
        "**Mud Moth**",
        "*Tiny Beast, Unaligned*",
        "- **AC** 11\n- **Initiative** +1 (11)\n- **HP** 3 (2d4 − 2)",
        "| Str | Dex | Con | Int | Wis | Cha |\n| --- | --- | --- | --- | --- | --- |\n| 1 (−5, save −5) |"
        " 13 (+1, save +1) | 8 (−1, save −1) | 1 (−5, save −5) | 10 (+0, save +0) | 3 (−4, save −4) |",
        "- **Languages** None\n- **CR** 0 (XP 0)",
        "**Mud Lamp.** It glows.",
    ]
