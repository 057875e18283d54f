"""Pages of a book reassembled from lines that were extracted from a PDF. The texts are invented."""

from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.book_prose import split_lead_in

WORDS = frozenset({"lantern", "glow-worm", "dexterity", "multitude"})


def line(text: str, *, opens: bool = False, ends: bool = False) -> Line:
    return Line(text, 1, opens, ends)


def book(*words: str) -> Book:
    return Book((), frozenset(words) | WORDS, ())


def test_a_hyphenated_word_is_joined_as_it_is_printed_elsewhere() -> None:
    assert joined(["The lan -", "tern of a glow-", "worm and a multi-", "tude"], WORDS) == (
        "The lantern of a glow-worm and a multitude"
    )


def test_an_unknown_word_keeps_a_hyphen_without_a_blank() -> None:
    assert joined(["a 20-", "foot pole and a quib -", "bling gnome"], WORDS) == "a 20-foot pole and a quibbling gnome"


def test_a_separated_last_letter_is_rejoined() -> None:
    assert joined(["Strength or Dexterit y 13+, plan B , and a sword y"], WORDS) == (
        "Strength or Dexterity 13+, plan B, and a sword y"
    )


def test_paragraphs_end_at_short_lines_or_indents() -> None:
    lines = [
        line("A kettle boils and"), line("sings. It is"), line("warm.", ends=True), line("Tea follows."),
        line("Steam Rules. The steam rises.", opens=True, ends=True), line("or falls."),
    ]  # fmt: skip
    assert book().prose(lines) == (
        "A kettle boils and sings. It is warm.\n\nTea follows.\n\n**Steam Rules.** The steam rises. or falls."
    )


def test_rows_stay_together_and_dice_make_a_table() -> None:
    rows = ["1d4 Tea", "1 Mint", "2–4 Nettle", "Size Cups", "Small 1", "Large 4", "Drink it while it is hot."]
    assert book().prose(line(text, ends=True) for text in rows) == (
        "| 1d4 | Tea |\n|---|---|\n| 1 | Mint |\n| 2–4 | Nettle |\n\nSize Cups\nSmall 1\nLarge 4\n\n"
        "Drink it while it is hot."
    )


def test_a_table_of_dice_has_its_caption_and_its_rows_one_below_the_other() -> None:
    rows = [
        "Hot Drinks",
        "1d4 Tea 1d4 Tea",
        "1 Mint 3 Sage",
        "2 Nettle 4 Lime",
        "1d4 Tea 1d4 Tea",
        "Drink it while it is hot.",
    ]
    assert book().prose(line(text, ends=True) for text in rows) == (
        "**Hot Drinks**\n\n| 1d4 | Tea |\n|---|---|\n| 1 | Mint |\n| 2 | Nettle |\n| 3 | Sage |\n| 4 | Lime |\n\n"
        "Drink it while it is hot."
    )


def test_a_tool_is_headed_by_its_name_and_price() -> None:
    rows = ["Kettle (5 GP)", "Ability: Wisdom", "Utilize: Boil water (DC 5)", "A kettle sings when the water is hot."]
    assert book().prose(line(text, ends=True) for text in rows) == (
        "**Kettle (5 GP)**\n\nAbility: Wisdom\n\nUtilize: Boil water (DC 5)\n\nA kettle sings when the water is hot."
    )


def test_a_sentence_is_no_name() -> None:
    assert split_lead_in("Kettle Song (Recharge 5–6). It sings.") == ("Kettle Song (Recharge 5–6)", "It sings.")
    assert split_lead_in("The kettle sings. It is hot.") == ("", "The kettle sings. It is hot.")
    assert split_lead_in("One Cup per Hand. You hold it.") == ("One Cup per Hand", "You hold it.")
