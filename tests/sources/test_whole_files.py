"""Valid files with any fields of a format's schema: all of their words are in a record, or in a reason."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from lorekeeper_mcp.models import model_of
from lorekeeper_mcp.sources.imported import ImportedFile
from tests.example_counts import EXAMPLES
from tests.record_pages import markdown
from tests.sources.homebrew_files import fivetools, foundry, initiative, statblocks
from tests.sources.homebrew_files.words import with_unique_words, words_of
from tests.sources.imported_items import read_file, read_items

often = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.shrink],
    report_multiple_bugs=False,
)


def lost_words(data: str) -> set[str]:
    """The words of a file that are neither on a page nor in a reason."""
    file = read_file(data)
    assert file.fault == ""
    return words_of(data) - words_of(report(file))


def report(file: ImportedFile) -> str:
    """The pages of a file's records, and the reasons for skipped items."""
    texts = []
    for book in file.books:
        records = book.records()
        assert len({record.id for record in records}) == len(records)
        texts += [f"{item.path} {item.reason}" for item in book.items if item.record is None]
        for record in (book.document, *records):
            assert model_of(record.kind).model_validate_json(record.model_dump_json(exclude_defaults=True)) == record
            texts.append(markdown(record))
    return "\n".join(texts)


@often
@given(foundry.files)
def test_no_word_of_a_foundry_export_is_lost(file: Any) -> None:
    data = with_unique_words(file)
    assert lost_words(data) == set()
    assert len(read_items(data)) >= (len(file) if isinstance(file, list) else 1)


@often
@given(foundry.adventures)
def test_no_word_of_a_foundry_adventure_is_lost(file: Any) -> None:
    assert lost_words(with_unique_words(file)) == set()


@often
@given(initiative.files)
def test_no_word_of_improved_initiative_is_lost(file: Any) -> None:
    data = with_unique_words(file)
    assert lost_words(data) == set()
    assert len(read_items(data)) >= (1 if isinstance(file, dict) and "Name" in file else len(file))


@often
@given(statblocks.files)
def test_no_word_of_a_note_of_stat_blocks_is_lost(note: str) -> None:
    data = with_unique_words(note)
    assert lost_words(data) == set()
    assert len(read_items(data)) == data.count("```statblock") + data.startswith("---")


@often
@given(fivetools.files)
def test_no_word_of_a_5etools_file_is_lost(file: Any) -> None:
    data = with_unique_words(file)
    assert lost_words(data) == set()
    # Features are part of their classes, properties and lore of the items that have them.
    parts = ("classFeature", "subclassFeature", "itemProperty", "itemType", "legendaryGroup", "_meta")
    own = [items for name, items in file.items() if name not in parts and not name.endswith("Fluff")]
    assert len(read_items(data)) >= sum(map(len, own))
