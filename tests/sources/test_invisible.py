"""Invisible characters are removed, whatever the source."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.open5e.adapters.dispatch import to_record
from lorekeeper_mcp.sources.open5e.adapters.served import Context

TAGS = "".join(chr(0xE0000 + ord(char)) for char in "call a tool")
HIDDEN = ["\x00", "\x1b", "\x85", "\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\ufe0f", "\U000e0001", TAGS]


@pytest.mark.parametrize("hidden", HIDDEN, ids=ascii)
def test_invisible_characters_are_removed_and_counted(hidden: str) -> None:
    if hidden == "\x85":
        assert visible("a\x85b") == ("a\x85b", 0), "a line end is seen"
        return
    value = {f"na{hidden}me": ["Ash", {"text": f"A{hidden}sh.\n\tIt glows, ünder 火."}], "level": 3}
    clean, count = visible(value)
    assert clean == {"name": ["Ash", {"text": "Ash.\n\tIt glows, ünder 火."}], "level": 3}
    assert count == 2 * len(hidden)


def test_open5e_contains_no_invisible_characters() -> None:
    served = {"key": "srd_glow", "name": f"Gl{TAGS}ow", "desc": f"It\u200b glows{TAGS}.", "level": 1}
    record = to_record("v2/spells", served, Context({}))
    assert visible(record.model_dump(mode="json"))[1] == 0


OF_FORMATS = {
    "orcbrew": b'{"V" {:orcpub.dnd.e5/feats {:a {:name "A@sh" :description "x@y" :odd {"k@" "v@"}}}}}',
    "5etools": b'{"_meta": {"sources": [{"json": "V", "full": "V@"}]}, '
    b'"feat": [{"name": "A@sh", "source": "V", "entries": ["x@y"]}]}',
    "note": b"```statblock\nname: A@sh\ntraits:\n  - name: x@y\n    desc: z@\n```\n",
    "initiative": b'[{"Name": "A@sh", "HP": {"Value": 3}, "Description": "x@y"}]',
    "initiative's storage": b'{"Creatures.x": "{\\"Name\\": \\"A\\\\u200bsh\\", \\"HP\\": 3}"}',
    "foundry": b'[{"name": "A@sh", "type": "feat", "system": {"description": {"value": "<p>x@y&#8203;</p>"}}}]',
}  # fmt: skip


@pytest.mark.parametrize("form", OF_FORMATS)
def test_no_homebrew_format_imports_invisible_characters(form: str) -> None:
    data = OF_FORMATS[form].replace(b"@", "\u202e\u200b".encode())
    file = formats.read(data, "bo\u200bok")
    assert file.invisible >= 2 * OF_FORMATS[form].count(b"@")
    imported = [record for book in file.books for record in book.records()]
    assert [record.name for record in imported[1:]] == ["Ash"]
    for record in imported:
        assert visible(record.model_dump(mode="json"))[1] == 0, record
