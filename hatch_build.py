"""Build hook: writes the records of both SRDs into the wheel, and into the sources for an editable install."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RECORDS = "src/lorekeeper_mcp/sources/srd/records.jsonl.gz"


class RecordsHook(BuildHookInterface):  # type: ignore[type-arg]  # no configuration of its own
    """Converts the books with ``srd_converter``, which needs their packages and pydantic and nothing else of ours."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the file before anything is packed."""
        root = Path(self.root)
        sys.path[:0] = [str(root), str(root / "src")]
        from srd_converter import all_records, records_writer  # noqa: PLC0415 - found only now

        records_writer.write(root / RECORDS, records_writer.content(all_records.records()))
