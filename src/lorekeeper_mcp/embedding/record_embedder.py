"""The embeddings of whole records: one of the record, and one of each passage."""

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
from lorekeeper_mcp.passages.plain import has_meaning, passage_text

if TYPE_CHECKING:
    from lorekeeper_mcp.embedding.precomputed import QuantizedVector


@dataclass(frozen=True)
class EmbeddedTexts:
    """The texts that are embedded for a record: its own, and those of its passages by index.

    From index ``own`` on they are paraphrases, which help to find the record but are not part of it.
    """

    record: str
    passages: dict[int, str]
    own: int


def embedded_texts(record: Record) -> EmbeddedTexts:
    """Return the texts of a record, always the same for the same record."""
    known = passages_of(record)
    passages = {p.place: passage_text(record, p) for p in known if has_meaning(p)}
    passages |= dict(enumerate(paraphrases_of(record), start=len(known)))
    return EmbeddedTexts(embedding_text(record), passages, own=len(known))


class RecordEmbedder:
    """Embeds records, using precomputed embeddings if they suffice. Everything here blocks."""

    def __init__(self, embedder: Embedder) -> None:
        self._model = embedder

    @functools.cached_property
    def _precomputed(self) -> PrecomputedEmbeddings:
        """Read when records are first stored: a process that only answers needs none."""
        model = self._model
        return PrecomputedEmbeddings(PACKAGED if is_packaged(model.name) else model.identity)

    def known(self, records: Sequence[Record]) -> list[Embedding | None]:
        """Return the precomputed embedding of each record, or None if one of its own passages lacks one.

        If the file was made without passages, return that of the record alone.
        """
        texts = [embedded_texts(record) for record in records]
        vectors = self._precomputed.find([one.record for one in texts])
        whole = self._precomputed.has_passages
        return [
            _embedding(vector, of, passages) if vector is not None and not (whole and _lacks(of, passages)) else None
            for vector, of, passages in zip(vectors, texts, self._known_passages(texts), strict=True)
        ]

    def embed(self, records: Sequence[Record], embedder: Embedder) -> list[Embedding]:
        """Return the embedding of each record. Raises EmbeddingUnavailableError."""
        texts = [embedded_texts(record) for record in records]
        passages = self._known_passages(texts)
        lacking = [(of, place) for of, known in enumerate(passages) for place, one in enumerate(known) if one is None]
        missing = [list(texts[of].passages.values())[place] for of, place in lacking]
        vectors = embedder.encode([*(one.record for one in texts), *missing])
        if lacking:
            for (of, place), one in zip(lacking, _quantized(vectors[len(texts) :]), strict=True):
                passages[of][place] = one
        return [_embedding(*one) for one in zip(vectors, texts, passages, strict=False)]

    def _known_passages(self, texts: Sequence[EmbeddedTexts]) -> list[list[QuantizedVector | None]]:
        found = self._precomputed.find_passages([text for one in texts for text in one.passages.values()])
        rest = iter(found)
        return [[next(rest) for _ in one.passages] for one in texts]


def _lacks(texts: EmbeddedTexts, passages: Sequence[QuantizedVector | None]) -> bool:
    """Whether a passage of the record itself has no vector; missing paraphrases do not matter."""
    return any(one is None and place < texts.own for place, one in zip(texts.passages, passages, strict=True))


def _quantized(vectors: Sequence[Vector]) -> list[QuantizedVector]:
    import numpy as np  # noqa: PLC0415 - only when records are embedded

    codes, scales = quantize(np.asarray(vectors, np.float32))
    return list(zip(codes, scales, strict=True))


def _embedding(vector: Vector, texts: EmbeddedTexts, passages: Sequence[QuantizedVector | None]) -> Embedding:
    import numpy as np  # noqa: PLC0415

    present = {place: one for place, one in zip(texts.passages, passages, strict=True) if one is not None}
    if not present:
        return Embedding(vector, "")
    codes = np.stack([codes for codes, _ in present.values()])
    scales = np.array([scale for _, scale in present.values()])
    return Embedding(vector, to_text(pack(codes, scales, list(present))))
