"""The embeddings of a record: one of its text, and one of each passage."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorekeeper_mcp.embedding.document_text import embedding_text
from lorekeeper_mcp.embedding.embedder import Embedder
from lorekeeper_mcp.embedding.model_files import PACKAGED, is_packaged
from lorekeeper_mcp.embedding.paraphrases import paraphrases_of
from lorekeeper_mcp.embedding.precomputed import PrecomputedEmbeddings
from lorekeeper_mcp.embedding.quantization import pack, quantize, to_text
from lorekeeper_mcp.embedding.vector import Embedding, Vector
from lorekeeper_mcp.models import Record
from lorekeeper_mcp.passages import passages_of
from lorekeeper_mcp.passages.passage_words import has_meaning, passage_text

if TYPE_CHECKING:
    from lorekeeper_mcp.embedding.precomputed import QuantizedVector


@dataclass(frozen=True)
class EmbeddedTexts:
    """The texts that are embedded for a record: its own, and its passages by index.

    Texts from index ``own`` on are paraphrases, which help to find the record but are not part of it.
    """

    record: str
    passages: dict[int, str]
    own: int


def embedded_texts(record: Record) -> EmbeddedTexts:
    """Return the texts of a record; the result is always the same for the same record."""
    parts = passages_of(record)
    passages = {passage.index: passage_text(record, passage) for passage in parts if has_meaning(passage)}
    passages |= dict(enumerate(paraphrases_of(record), start=len(parts)))
    return EmbeddedTexts(embedding_text(record), passages, own=len(parts))


class RecordEmbedder:
    """Embeds records, using precomputed embeddings if they suffice. Everything here blocks."""

    def __init__(self, embedder: Embedder) -> None:
        self._model = embedder

    @functools.cached_property
    def _precomputed(self) -> PrecomputedEmbeddings:
        """Loaded when records are first stored, since a process that only answers needs none."""
        model = self._model
        return PrecomputedEmbeddings(PACKAGED if is_packaged(model.name) else model.identity)

    def find_precomputed(self, records: Sequence[Record]) -> list[Embedding | None]:
        """Return the precomputed embedding of each record, or None if its text or one of its own passages has none."""
        texts = [embedded_texts(record) for record in records]
        vectors = self._precomputed.find([record_texts.record for record_texts in texts])
        embeddings: list[Embedding | None] = []
        for vector, record_texts, passages in zip(vectors, texts, self._precomputed_passages(texts), strict=True):
            is_complete = all(index in passages for index in record_texts.passages if index < record_texts.own)
            embeddings.append(
                _embedding(vector, record_texts, passages) if vector is not None and is_complete else None
            )
        return embeddings

    def embed(self, records: Sequence[Record], embedder: Embedder) -> list[Embedding]:
        """Return the embedding of each record. Raises EmbeddingUnavailableError."""
        texts = [embedded_texts(record) for record in records]
        vectors = self._precomputed.find([record_texts.record for record_texts in texts])
        new_records = [index for index, vector in enumerate(vectors) if vector is None]
        passages = self._precomputed_passages(texts)
        new_passages = [
            (vectors_by_index, index, text)
            for record_texts, vectors_by_index in zip(texts, passages, strict=True)
            for index, text in record_texts.passages.items()
            if index not in vectors_by_index
        ]
        encoded = embedder.encode([*(texts[index].record for index in new_records), *(new[2] for new in new_passages)])
        for index, vector in zip(new_records, encoded, strict=False):
            vectors[index] = vector
        if new_passages:
            quantized = _quantize_all(encoded[len(new_records) :])
            for (vectors_by_index, index, _), vector_of_passage in zip(new_passages, quantized, strict=True):
                vectors_by_index[index] = vector_of_passage
        return [
            _embedding(vector, record_texts, vectors_by_index)
            for vector, record_texts, vectors_by_index in zip(vectors, texts, passages, strict=True)
            if vector is not None  # none is
        ]

    def _precomputed_passages(self, texts: Sequence[EmbeddedTexts]) -> list[dict[int, QuantizedVector]]:
        """The precomputed embeddings of each record's passages, by index."""
        every_text = [text for record_texts in texts for text in record_texts.passages.values()]
        vectors = iter(self._precomputed.find_passages(every_text))
        return [
            {index: vector for index in record_texts.passages if (vector := next(vectors)) is not None}
            for record_texts in texts
        ]


def _quantize_all(vectors: Sequence[Vector]) -> list[QuantizedVector]:
    import numpy as np  # noqa: PLC0415 - only when records are embedded

    codes, scales = quantize(np.asarray(vectors, np.float32))
    return list(zip(codes, scales, strict=True))


def _embedding(vector: Vector, texts: EmbeddedTexts, passages: Mapping[int, QuantizedVector]) -> Embedding:
    import numpy as np  # noqa: PLC0415

    if not passages:
        return Embedding(vector, "")
    indexes = [index for index in texts.passages if index in passages]
    codes = np.stack([passages[index][0] for index in indexes])
    scales = np.array([passages[index][1] for index in indexes])
    return Embedding(vector, to_text(pack(codes, scales, indexes)))
