"""The embeddings of a record: one of its text, and one of each passage."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorekeeper_mcp.embedding.document_text import embedding_text
from lorekeeper_mcp.embedding.embedder import PACKAGED, Embedder, encoder_identity, is_packaged
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

    Behind the passages come paraphrases, which help to find the record but are not part of it.
    """

    record: str
    passages: dict[int, str]


def embedded_texts(record: Record) -> EmbeddedTexts:
    """Return the texts of a record; the result is always the same for the same record."""
    parts = passages_of(record)
    passages = {passage.index: passage_text(record, passage) for passage in parts if has_meaning(passage)}
    passages |= dict(enumerate(paraphrases_of(record), start=len(parts)))
    return EmbeddedTexts(embedding_text(record), passages)


class RecordEmbedder:
    """Embeds records, using precomputed embeddings if they suffice. Everything here blocks."""

    def __init__(self, embedder: Embedder) -> None:
        self._model = embedder

    @functools.cached_property
    def _precomputed(self) -> PrecomputedEmbeddings:
        """Loaded when records are first stored, since a process that only answers needs none."""
        name = self._model.name
        return PrecomputedEmbeddings(PACKAGED if is_packaged(name) else encoder_identity(name))

    def find_precomputed(self, records: Sequence[Record]) -> list[Embedding | None]:
        """Return the precomputed embedding of each record, or None if one of its texts has none."""
        return [
            _packed(vector, texts.passages, [code for code in codes if code is not None])
            if vector is not None and None not in codes
            else None
            for texts, vector, codes in self._find(records)
        ]

    def embed(self, records: Sequence[Record], embedder: Embedder) -> list[Embedding]:
        """Return the embedding of each record. Raises EmbeddingUnavailableError."""
        import numpy as np  # noqa: PLC0415 - only when records are stored

        found = self._find(records)
        of_records = [texts.record for texts, vector, _ in found if vector is None]
        passages = (
            (text, code) for texts, _, codes in found for text, code in zip(texts.passages.values(), codes, strict=True)
        )
        of_passages = [text for text, code in passages if code is None]
        encoded = embedder.encode([*of_records, *of_passages])
        vectors = iter(encoded[: len(of_records)])
        quantized: Iterable[QuantizedVector] = ()
        if of_passages:
            quantized = zip(*quantize(np.asarray(encoded[len(of_records) :], np.float32)), strict=True)
        missing = iter(quantized)
        return [
            _packed(
                next(vectors) if vector is None else vector,
                texts.passages,
                [next(missing) if code is None else code for code in codes],
            )
            for texts, vector, codes in found
        ]

    def _find(
        self, records: Sequence[Record]
    ) -> list[tuple[EmbeddedTexts, Vector | None, list[QuantizedVector | None]]]:
        """The texts of each record, and what the shipped file has of them."""
        texts = [embedded_texts(record) for record in records]
        vectors = self._precomputed.find([one.record for one in texts])
        codes = iter(self._precomputed.find_passages([text for one in texts for text in one.passages.values()]))
        return [(one, vector, [next(codes) for _ in one.passages]) for one, vector in zip(texts, vectors, strict=True)]


def _packed(vector: Vector, indexes: Iterable[int], passages: Sequence[QuantizedVector]) -> Embedding:
    import numpy as np  # noqa: PLC0415

    if not passages:
        return Embedding(vector, "")
    codes, scales = np.stack([codes for codes, _ in passages]), np.array([scale for _, scale in passages])
    return Embedding(vector, to_text(pack(codes, scales, list(indexes))))
