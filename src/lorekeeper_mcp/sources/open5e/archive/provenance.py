"""What a record's corrections say of a value that comes from version 1."""

from __future__ import annotations

SOURCE = "Open5e's version 1"
NOTHING = "nothing"
