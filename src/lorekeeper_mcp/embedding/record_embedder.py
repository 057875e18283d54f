"""The embeddings of a record: one of its text, and one of each passage."""

from __future__ import annotations

import functools
from collections.abc import Sequence
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


@dataclass
class _Partial:
    """What is known of a record's embedding: its vector, and those of its passages by index."""

    texts: EmbeddedTexts
    vector: Vector | None
    passages: dict[int, QuantizedVector]

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing but paraphrases."""
        own = (index for index in self.texts.passages if index < self.texts.own)
        return self.vector is not None and all(index in self.passages for index in own)

    def embedding(self) -> Embedding:
        """What is known, packed."""
        import numpy as np  # noqa: PLC0415 - only when records are stored

        vector = self.vector or []
        indexes = [index for index in self.texts.passages if index in self.passages]
        if not indexes:
            return Embedding(vector, "")
        codes = np.stack([self.passages[index][0] for index in indexes])
        scales = np.array([self.passages[index][1] for index in indexes])
        return Embedding(vector, to_text(pack(codes, scales, indexes)))


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
        return [partial.embedding() if partial.is_complete else None for partial in self._find(records)]

    def embed(self, records: Sequence[Record], embedder: Embedder) -> list[Embedding]:
        """Return the embedding of each record. Raises EmbeddingUnavailableError."""
        import numpy as np  # noqa: PLC0415

        partials = self._find(records)
        without_vector = [partial for partial in partials if partial.vector is None]
        missing = [
            (partial, index)
            for partial in partials
            for index in partial.texts.passages
            if index not in partial.passages
        ]
        texts = [partial.texts.record for partial in without_vector]
        encoded = embedder.encode([*texts, *(partial.texts.passages[index] for partial, index in missing)])
        for partial, vector in zip(without_vector, encoded, strict=False):
            partial.vector = vector
        if missing:
            codes, scales = quantize(np.asarray(encoded[len(texts) :], np.float32))
            for (partial, index), *quantized in zip(missing, codes, scales, strict=True):
                partial.passages[index] = (quantized[0], quantized[1])
        return [partial.embedding() for partial in partials]

    def _find(self, records: Sequence[Record]) -> list[_Partial]:
        """What the shipped file has of each record."""
        texts = [embedded_texts(record) for record in records]
        vectors = self._precomputed.find([one.record for one in texts])
        passages = iter(self._precomputed.find_passages([text for one in texts for text in one.passages.values()]))
        return [
            _Partial(one, vector, {index: found for index in one.passages if (found := next(passages)) is not None})
            for one, vector in zip(texts, vectors, strict=True)
        ]
