"""The books are pinned, so the converter's output is, too: a digest of each kind's records notices every change.

Look at the records that changed, then run ``uv run python -m tests.srd_converter.test_frozen_books``.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from lorekeeper_mcp.models import Record

DIGESTS = Path(__file__).with_name("digests.json")


def digests(records: Iterable[Record]) -> dict[str, str]:
    """The number of records of each book and kind, and a digest of all that they say."""
    texts: dict[str, list[str]] = defaultdict(list)
    for record in records:
        texts[f"{record.document_key} {record.kind}"].append(record.model_dump_json(exclude_defaults=True))
    return {
        name: f"{len(of_kind)} {hashlib.blake2b(chr(10).join(of_kind).encode(), digest_size=8).hexdigest()}"
        for name, of_kind in sorted(texts.items())
    }


def test_the_books_are_converted_as_before(embedded_records: list[Record]) -> None:
    assert digests(embedded_records) == json.loads(DIGESTS.read_text(encoding="utf-8"))


if __name__ == "__main__":
    from srd_converter.all_records import as_read

    DIGESTS.write_text(json.dumps(digests(as_read()), indent=1) + "\n", encoding="utf-8")
