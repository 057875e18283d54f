"""Files in the shape of published ones: every fact and every word of an entry is on its page, resolved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus.comparison import READERS, differences
from tests.corpus.entries import FILES

CORPUS = sorted(path for format_ in READERS for path in (FILES / format_).iterdir())


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_records_say_what_their_file_says(path: Path) -> None:
    assert list(differences(path.read_bytes(), path.stem, path.parent.name)) == []
