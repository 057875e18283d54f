"""Every item of any file becomes a record or is skipped with a reason."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lorekeeper_mcp.models import model_of
from lorekeeper_mcp.sources import orcbrew
from lorekeeper_mcp.sources.imported import ImportedBook
from lorekeeper_mcp.sources.invisible import visible
from tests.example_counts import EXAMPLES
from tests.record_pages import markdown
from tests.sources.orcbrew.strategies import File, files, maps, names, quoted

often = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=[Phase.generate],
)
DIRT = st.one_of(st.binary(max_size=6), st.sampled_from([b"{", b"}", b'"', b"#", b"\\", b"\xff", b"#_", b"\xc3"]))


def adapted(data: bytes) -> tuple[ImportedBook, ...]:
    file = orcbrew.read(data, "file")
    assert file.fault == "" or (file.fault[-1] == "." and "Traceback" not in file.fault)
    return file.books


@often
@given(files())
def test_every_item_is_imported_or_skipped_with_a_reason(file: File) -> None:
    reading = orcbrew.read(file.text.encode("utf-8"), "file")
    assert reading.fault == ""
    outcomes = [item for book in reading.books for item in book.items]
    assert len(outcomes) == file.items
    assert all((item.record is None) == bool(item.reason) for item in outcomes)
    records = [item.record for item in outcomes if item.record is not None]
    assert len({record.id for record in records}) == len(records)
    for record in records:
        assert record.key.startswith(f"orcbrew_{record.document_key}_")
        assert len(record.key.encode()) <= 500
        # A stored record comes back unchanged, and can be displayed.
        assert model_of(record.kind).model_validate_json(record.model_dump_json(exclude_defaults=True)) == record
        assert markdown(record).encode("utf-8")


@often
@given(files(), st.integers(0, 10_000), st.integers(0, 4), DIRT)
def test_a_damaged_file_is_read_or_refused_in_one_sentence(file: File, offset: int, dropped: int, dirt: bytes) -> None:
    valid = file.text.encode("utf-8")
    offset %= len(valid) + 1
    for data in (valid[:offset], valid[:offset] + dirt + valid[offset + dropped :]):
        for book in adapted(data):
            assert all((item.record is None) == bool(item.reason) for item in book.items)


@often
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))))
def test_random_bytes_never_raise(data: bytes) -> None:
    adapted(data)


@often
@given(maps, names, st.sampled_from(["spells", "monsters", "classes", "races", "backgrounds", "feats", "items", "x"]))
def test_no_text_of_an_item_is_lost(fields: str, description: str, section: str) -> None:
    marked = fields[:-1] + f' :secret-field "zyxwv" :second {quoted(description)} :deep [{{:in "qponm"}}]}}'
    level = ' :level 3 :name "Thing"' if ":level" not in fields and ":name" not in fields else ""
    text = f"{{:orcpub.dnd.e5/{section} {{:thing {marked[:-1]}{level}}}}}}}"
    for book in adapted(text.encode()):
        for item in book.items:
            if item.record is not None:
                page = markdown(item.record)
                assert "zyxwv" in page
                assert "***Secret Field.***" in page
                assert "qponm" in page
                assert str(visible(description.strip())[0]).strip() in page


def test_a_quoted_text_round_trips() -> None:
    text = 'a "quoted" text with \\ and ; and { and #_'
    [book] = adapted(f"{{:orcpub.dnd.e5/feats {{:f {{:description {quoted(text)}}}}}}}".encode())
    assert book.items[0].record is not None
    assert book.items[0].record.text == text
