"""The modifications of texts and lists, and their effects on a copy."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

import copy
from typing import Any

import pytest

from lorekeeper_mcp.sources.fivetools.copies import CopiedItems
from lorekeeper_mcp.sources.originals import Originals
from tests.json_paths import value_at

BITE, CLAW = {"name": "Bite", "entries": ["The moth bites."]}, {"name": "Claw", "entries": ["It claws."]}
ORIGINAL: dict[str, Any] = {
    "name": "Moth", "source": "F", "size": ["H"], "cr": {"cr": "5", "xp": 1800}, "str": 10, "dex": 16, "con": 14, "int": 6, "wis": 12, "cha": 8,
    "action": [BITE, CLAW], "senses": ["darkvision 30 ft."], "skill": {"stealth": "+3"}, "save": {"dex": "+3"}, "speed": {"walk": 30, "fly": 60}, "note": "Old.",
    "trait": [{"name": "Dust", "entries": ["{@hit 5} and {@dc 13}, the moth glows."]}], "group": ["Moths"],
    "spellcasting": [{"name": "Spellcasting", "spells": {"1": {"slots": 2, "spells": ["{@spell sleep}", "{@spell fog cloud}"]}}, "daily": {"1e": ["{@spell light}"]}, "will": ["{@spell dancing lights}"]}],
}  # fmt: skip
CALM = {"name": "Calm", "entries": ["It waits."]}
LIST = "{@spell sleep}", "{@spell fog cloud}"

# Target, modification, the path in the copy, and the expected value there.
MODES: list[tuple[str, Any, list[Any], Any]] = [
    ("trait", {"mode": "replaceTxt", "replace": "the moth", "with": "the imago", "flags": "i"}, ["trait", 0, "entries", 0], "{@hit 5} and {@dc 13}, the imago glows."),
    ("*", {"mode": "replaceTxt", "replace": "(The) moth", "with": "$1 imago"}, ["action", 0, "entries", 0], "The imago bites."),
    ("action", {"mode": "replaceTxt", "replace": "Bite", "with": "Nip", "props": ["name"]}, ["action", 0], {"name": "Nip", "entries": ["The moth bites."]}),
    ("action", {"mode": "prependArr", "items": CALM}, ["action", 0], CALM),
    ("action", {"mode": "appendArr", "items": [CALM]}, ["action", -1], CALM),
    ("bonus", {"mode": "appendArr", "items": CALM}, ["bonus"], [CALM]),
    ("action", {"mode": "replaceArr", "replace": "Claw", "items": CALM}, ["action"], [BITE, CALM]),
    ("action", {"mode": "replaceArr", "replace": {"index": 0}, "items": [CALM]}, ["action"], [CALM, CLAW]),
    ("action", {"mode": "replaceArr", "replace": {"regex": "^cl", "flags": "i"}, "items": CALM}, ["action"], [BITE, CALM]),
    ("action", {"mode": "replaceOrAppendArr", "replace": "Bite", "items": CALM}, ["action"], [CALM, CLAW]),
    ("action", {"mode": "replaceOrAppendArr", "replace": "Sting", "items": CALM}, ["action"], [BITE, CLAW, CALM]),
    ("action", {"mode": "insertArr", "index": 1, "items": CALM}, ["action"], [BITE, CALM, CLAW]),
    ("action", {"mode": "insertArr", "index": -1, "items": [CALM]}, ["action"], [BITE, CALM, CLAW]),
    ("action", {"mode": "removeArr", "names": "Bite"}, ["action"], [CLAW]),
    ("action", {"mode": "removeArr", "names": ["Bite", "Sting"], "force": True}, ["action"], [CLAW]),
    ("group", {"mode": "removeArr", "items": "Moths"}, ["group"], []),
    ("action", {"mode": "renameArr", "renames": [{"rename": "Bite", "with": "Nip"}]}, ["action", 0, "name"], "Nip"),
    ("speed", {"mode": "setProp", "value": {"walk": 5}}, ["speed"], {"walk": 5}),
    ("_", {"mode": "setProp", "prop": "speed.swim", "value": 20}, ["speed"], {"walk": 30, "fly": 60, "swim": 20}),
]  # fmt: skip


def resolved(copied: dict[str, Any]) -> dict[str, Any]:
    return CopiedItems({"monster": [ORIGINAL, copied]}, Originals()).resolve("monster", copied)


@pytest.mark.parametrize(("target", "mod", "path", "value"), MODES, ids=range(len(MODES)))  # fmt: skip
def test_a_modification_does_what_the_schema_says(target: str, mod: Any, path: list[Any], value: Any) -> None:
    before = copy.deepcopy(ORIGINAL)
    copied = {"name": "Imago", "source": "F", "_copy": {"name": "Moth", "source": "F", "_mod": {target: mod}}}
    assert value_at(resolved(copied), tuple(path)) == value
    assert before == ORIGINAL


def test_a_field_is_removed_by_a_word() -> None:
    copied = {"name": "Imago", "source": "F", "_copy": {"name": "Moth", "source": "F", "_mod": {"action": "remove"}}}
    assert "action" not in resolved(copied)


@pytest.mark.parametrize(("field", "mod", "reason"), [
    ("_", {"mode": "scalarAddHit", "scalar": 2}, "it is unknown"),
    ("action", {"mode": "replaceArr", "replace": "Sting", "items": CALM}, 'the original has no "Sting" in "action" to replace'),
    ("note", {"mode": "appendArr", "items": CALM}, '"note" is not a list'),
    ("trait", {"mode": "replaceTxt", "replace": "(?<!b)a", "with": ""}, 'the pattern "(?<!b)a" is invalid or too complex'),
    ("trait", {"mode": "replaceTxt", "replace": "moth", "with": "$7"}, 'the replacement "$7" names a group that the pattern lacks'),
    ("trait", {"mode": "appendArr", "items": {"name": "A", "entries": ["<$shine$>"]}}, "it is calculated from the original's numbers"),
])  # fmt: skip
def test_a_modification_that_does_not_fit_is_listed_in_the_copy(field: str, mod: dict[str, Any], reason: str) -> None:
    copied = {"name": "Imago", "source": "F", "_copy": {"name": "Moth", "source": "F", "_mod": {field: mod}}}
    values = {name: value for name, value in mod.items() if name != "mode"}
    left_out = {"name": mod["mode"], "reason": reason, "field": field, **values}
    result = resolved(copied)
    assert result.pop("modifications not applied") == [left_out]
    assert result == {**ORIGINAL, "name": "Imago"}
