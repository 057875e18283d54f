"""Rows of the schema that several sections share: the fields, values for them, and the expected lines of the page."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

Rows = list[tuple[str, Any, str]]

# fmt: off
OPTIONS: Rows = [
    ('fluff', {'entries': ['zq'], 'images': [{'type': 'image', 'title': 'zp'}]}, '***Lore.*** zq'),
    ('edition', 'one', '*Source: Lights of the Fens (lights-of-the-fens), homebrew, 2024 edition*'),
]
CLASSES: Rows = [
    ('spellcastingAbility', 'int', 'Intelligence'),
    ('casterProgression', '1/3', '**Spellcasting** third spellcaster'),
]
CLASS_FEATURES: Rows = [
    ('entries', [{'type': 'options', 'count': 2, 'entries': [{'name': 'Zq', 'entries': ['zp']}]}], 'Choose 2 of the following:'),
]
# fmt: on
