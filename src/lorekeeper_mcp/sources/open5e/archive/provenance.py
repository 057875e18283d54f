"""The note in a record's corrections on a value from version 1."""

from __future__ import annotations

SOURCE = "Open5e's version 1"
NOTHING = "nothing"
