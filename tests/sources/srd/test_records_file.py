"""The file of embedded records: it is read as the build wrote it, and a bad file gives one sentence."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lorekeeper_mcp.models import Record, Spell
from lorekeeper_mcp.sources import srd
from srd_converter import all_records, records_writer


@pytest.mark.books
def test_read_records_equal_the_converted_ones(embedded_records: list[Record]) -> None:
    assert srd.records() == all_records.finished(embedded_records)


@pytest.mark.books
def test_the_same_books_give_the_same_bytes(embedded_records: list[Record], tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl.gz"
    content = records_writer.content(all_records.finished(embedded_records))
    records_writer.write(file, content)
    assert file.read_bytes() == content == srd.FILE.read_bytes()
    assert list(tmp_path.iterdir()) == [file]


def test_one_record_is_found_by_its_id() -> None:
    fireball = srd.record_of("spell:srd_fireball")
    assert isinstance(fireball, Spell)
    assert fireball.level == 3
    assert srd.record_of("spell:srd_no-such-spell") is None


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file"),
        (b"", "Expecting value"),
        (b"not compressed", "Not a gzipped file"),
        (gzip.compress(b"{}\n", mtime=0), "version"),
        (gzip.compress(b'{"version": "0"}\nspell:srd_fireball\t0\t{}\n', mtime=0), "its checksum is another"),
        (gzip.compress(b'{"version": "0"}\n' + bytes(range(256)) * 100, mtime=0)[:-200], "end-of-stream"),
    ],
)
def test_a_missing_or_damaged_file_is_reported(content: bytes | None, why: str, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl.gz"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(srd.RecordsFileError, match=why) as raised:
        srd.records(file)
    assert str(raised.value).startswith(f"The embedded rules cannot be read from {file} (")
    assert str(raised.value).endswith("reinstall lorekeeper-mcp.")
