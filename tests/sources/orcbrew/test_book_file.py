from __future__ import annotations

import pytest

from lorekeeper_mcp.sources import orcbrew
from lorekeeper_mcp.sources.orcbrew.reader import items_of
from tests.sources.orcbrew.fixture_files import fixture


def items(text: str, name: str = "file") -> list[tuple[str, str, str, object]]:
    return [(item.book, item.section, item.key, item.value) for item in items_of(text, name)]


def test_single_and_multi_source_files_are_read() -> None:
    assert items('{"Book" {:orcpub.dnd.e5/feats {:a {:x 1}}}}') == [("Book", "feats", "a", {"x": 1})]
    assert items("{:orcpub.dnd.e5/feats {:a {:x 1}}}", "my-file") == [("my-file", "feats", "a", {"x": 1})]
    assert items("{:feats {:armor {:x 1}}}") == [("file", "feats", "armor", {"x": 1})]
    assert items("{:my-book {:orcpub.dnd.e5/feats {:a {:x 1}}}}") == [("my-book", "feats", "a", {"x": 1})]


def test_a_single_source_without_a_file_name_is_the_option_pack_of_most_items() -> None:
    packs = '{:a {:option-pack "Vell"} :b {:option-pack "Vell"} :c {:option-pack "Other"}}'
    assert items(f"{{:orcpub.dnd.e5/feats {packs}}}", "")[0][0] == "Vell"
    assert items("{:orcpub.dnd.e5/feats {:a {:x 1}}}", "")[0][0] == "Unnamed Content"


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("##NaN", None),
        ("##Inf", None),
        ("1/4", 0.25),
        ("007", "007"),
        ("3d6", "3d6"),
        ("12N", 12),
        ("#{:b :a}", ["a", "b"]),
        ("(1 2)", [1, 2]),
        ('#inst "2020-01-02"', "2020-01-02"),
        ("#my.app/thing {:a 1}", {"a": 1}),
        ("^{:line 3} [1]", [1]),
        ("#_ 5 6", 6),
        (":orcpub.dnd.e5.character/con", "con"),
        (":bigby's-hand", "bigby's-hand"),
        (r'"C:\Users \u00e9 \n \ud83d\ude00"', "C:\\Users é \n 😀"),
        ("\\newline", "\n"),
        ("\\u00e9", "é"),
        ("#\n{:a}", ["a"]),
        ("#:orcpub.dnd.e5{:a 1 :_/b 2 :bigby's 3}", {"a": 1, "b": 2, "bigby's": 3}),
        ("{:a 1 :a 2}", {"a": 1, "a (2)": 2}),
        ("{:x/a 1 :y/a 2}", {"a": 1, "a (2)": 2}),
        ("{nil nil 1 2 nil nil true 3}", {"1": 2, "true": 3}),
        ('"a # { in a text; and ] too"', "a # { in a text; and ] too"),
    ],
)
def test_every_edn_value_is_read(written: str, read_as: object) -> None:
    [(_, _, _, value)] = items(f"{{:orcpub.dnd.e5/feats\u00a0{{:f\r\n{{:v {written}}} ; remark }}\n}}}}")
    assert value == {"v": read_as} if read_as is not None else value == {"v": None}


def test_a_duplicate_key_loses_nothing() -> None:
    entries = items('{:orcpub.dnd.e5/feats {:a {:name "One"} :a {:name "Two"} nil {:name "Three"} nil nil}}')
    assert [(key, value) for _, _, key, value in entries] == [
        ("a", {"name": "One"}),
        ("a", {"name": "Two"}),
        ("", {"name": "Three"}),
    ]


def test_disabled_items_are_marked() -> None:
    text = (
        '{"A" {:disabled? true :orcpub.dnd.e5/feats {:x {}}} "B" {:orcpub.dnd.e5/feats {:y {:disabled? true} :z {}}}}'
    )
    assert [item.disabled for item in items_of(text, "file")] == [True, True, False]


def test_sections_that_are_no_maps_are_counted() -> None:
    assert items('{:orcpub.dnd.e5/feats [{:name "A"}] :orcpub.dnd.e5/spells 5 :orcpub.dnd.e5/boons true}') == [
        ("file", "feats", "", {"name": "A"}),
        ("file", "spells", "", 5),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a"\n  {:b [1}}', "line 2, column 9"),
        ('{"a"\n "b}', "line 2, column 2"),
        ("{:a {\n:b 1", "line 2, column 5"),
        ("{:a 1}\n}", "line 2, column 1"),
        ("{:a 1\n :b}", "line 2, column 4"),
        ("{:a @b}", "line 1, column 5"),
        ("{:a #_}", "line 1, column 7"),
        ("", "line 1, column 1"),
        ("just some words", "line 1, column 1"),
        ("[" * 5000, "line 1, column 101"),
    ],
)
def test_a_bad_file_is_one_sentence_with_line_and_column(text: str, place: str) -> None:
    file = orcbrew.read(text.encode(), "file")
    assert place in file.fault
    assert file.fault.count("\n") == 0
    assert file.books == ()


def test_a_truncated_file_says_so() -> None:
    assert "cut off" in orcbrew.read(fixture("truncated").read_bytes(), "truncated").fault


def test_files_in_other_encodings_are_read() -> None:
    [book] = orcbrew.read("{:orcpub.dnd.e5/feats {:é {}}}".encode("utf-16"), "f").books
    assert book.items[0].path == "f › feats › É"
    fault = "The file is not valid UTF-8 text (line 2, column 3)."
    assert orcbrew.read(b"{\n  \xff}", "f").fault == fault
