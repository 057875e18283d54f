"""Everyday phrases for records."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.embedding.document_text import SEPARATOR, searchable_words
from lorekeeper_mcp.embedding.paraphrases import paraphrases_of, phrases
from lorekeeper_mcp.embedding.record_embedder import embedded_texts
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.passages import passages_of
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.text import fold
from tests.srd import srd_records


def test_phrases_are_embedded_after_the_passages_and_are_not_passages() -> None:
    spell = srd.record_of("spell:srd-2024_mending")
    assert spell is not None
    passages = passages_of(spell)
    texts = embedded_texts(spell)
    assert [text for index, text in texts.passages.items() if index >= len(passages)] == list(paraphrases_of(spell))
    assert searchable_words(spell).split(SEPARATOR)[-1] == paraphrases_of(spell)[-1]
    assert not {passage.markdown for passage in passages} & set(paraphrases_of(spell))


def test_paraphrases_apply_only_to_the_records_of_their_books() -> None:
    spell = srd.record_of("spell:srd-2024_mending")
    assert spell is not None
    assert paraphrases_of(spell.model_copy(update={"document_key": "fens"})) == ()


@pytest.mark.parametrize("kind", [Kind.SPELL, Kind.MAGIC_ITEM, Kind.CLASS, Kind.SUBCLASS, Kind.FEAT, Kind.CONDITION])
def test_every_phrase_belongs_to_a_record_of_the_books(kind: Kind) -> None:
    names = {fold(record.name) for record in srd_records() if record.kind is kind}
    assert {name for phrase_kind, name in phrases() if phrase_kind is kind} <= names


def test_no_phrase_is_empty_or_has_a_separator() -> None:
    every_phrase = [phrase for texts in phrases().values() for phrase in texts]
    assert all(phrase == phrase.strip() and ";" not in phrase and phrase for phrase in every_phrase)
