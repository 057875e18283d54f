"""Computes the shipped vectors: ``uv run python scripts/build_vectors.py RECORDED [MINUTES]``.

RECORDED is a folder with a recorded Open5e: ``v1/*.json.gz`` and ``v2/*.json.gz``, each the records of one endpoint.
Every text that the cache would embed is embedded once and stored with eight bits per number, for passages with four;
the texts are not stored, only hashes of them. The texts change with the adapters, the embedding text and the passages:
run this once a release. Vectors of the existing file whose text is unchanged are kept; all five million pieces of words
take half an hour of processor time. After MINUTES it stores what it has, and the next run continues.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread computes texts of its own

import numpy as np
from numpy.typing import NDArray

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.embedding.embedder import PACKAGED, Embedder
from lorekeeper_mcp.embedding.precomputed import FILE, text_hash
from lorekeeper_mcp.embedding.quantization import quantize
from lorekeeper_mcp.embedding.record_embedder import embedded_texts
from lorekeeper_mcp.models import Document, Equipment, Record
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.features import with_features
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record
from lorekeeper_mcp.sources.open5e.archive import completed
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH, ENDPOINTS, SUPPLEMENTS


def served(folder: Path, path: str) -> list[dict[str, object]]:
    """The recorded records of an endpoint."""
    records: list[dict[str, object]] = json.loads(gzip.decompress((folder / f"{path}.json.gz").read_bytes()))
    return records


def adapted(folder: Path, path: str, context: Context) -> Iterator[Record]:
    """The recorded records of an endpoint as the cache stores them."""
    lists = BY_PATH[path].lists
    requested = (raw for raw in served(folder, path) if any(selects(params, raw) for params in lists))
    return (to_record(path, raw, context) for raw in requested)


def selects(params: Mapping[str, str], raw: Mapping[str, object]) -> bool:
    """Whether a record is in the list that some parameters select."""
    filters = ((name.removesuffix("__in"), value) for name, value in params.items() if name.endswith("__in"))
    return all(raw.get(name) in value.split(",") for name, value in filters)


def records(folder: Path) -> Iterator[Record]:
    """Every record that a user's cache can contain of the recorded Open5e and the embedded SRDs."""
    yield from srd.records()
    empty = Context({})
    documents = {
        r.key: r
        for raw in served(folder, "v2/documents")
        if isinstance(r := to_record("v2/documents", raw, empty), Document)
    }
    context = Context(documents)
    items = {
        r.key: r
        for raw in served(folder, "v2/items")
        if isinstance(r := to_record("v2/items", raw, context), Equipment)
    }
    context = Context(documents, items)
    archived = {
        record.id: record
        for path in SUPPLEMENTS
        for record in adapted(folder, path, context)
        if record.document_key in (BY_PATH[path].documents or ())
    }
    for endpoint in ENDPOINTS:
        if endpoint.path in SUPPLEMENTS:
            continue
        for record in adapted(folder, endpoint.path, context):
            if endpoint.documents is None or record.document_key in endpoint.documents:
                yield corrected(record)
                # A record is stored as in version 2, and again after version 1 has completed it.
                if old := archived.get(record.id):
                    yield corrected(completed(record, old))


@dataclass(frozen=True)
class Part:
    """The arrays of one kind of text in the file: the prefix of their names, the texts, and the encoder of vectors."""

    prefix: str
    texts: Mapping[int, str]
    quantized: Callable[[NDArray[np.float32]], tuple[NDArray[np.generic], NDArray[np.generic]]]

    def arrays(self, embedder: Embedder, deadline: float) -> dict[str, NDArray[np.generic]]:
        """Keep the vectors that the file has for these texts, and embed the rest until the deadline."""
        codes_by_hash = {hash_: codes for hash_, codes in kept(self.prefix).items() if hash_ in self.texts}
        new = sorted(
            (hash_ for hash_ in self.texts if hash_ not in codes_by_hash), key=lambda hash_: len(self.texts[hash_])
        )
        print(f"{self.prefix or 'record_'}: {len(self.texts)} texts, {len(codes_by_hash)} kept, {len(new)} to embed")
        for start in range(0, len(new), 256):
            if start and time.monotonic() > deadline:
                break
            batch = new[start : start + 256]
            vectors = np.asarray(embedder.encode([self.texts[hash_] for hash_ in batch]), np.float32)
            codes_by_hash |= dict(zip(batch, zip(*self.quantized(vectors), strict=True), strict=True))
            print(f"\r{start + len(batch)} of {len(new)}", end="", flush=True)
        order = sorted(codes_by_hash)
        print()
        return {
            f"{self.prefix}hashes": np.array(order, np.uint64),
            f"{self.prefix}codes": np.stack([codes_by_hash[hash_][0] for hash_ in order]),
            f"{self.prefix}scales": np.array([codes_by_hash[hash_][1] for hash_ in order]),
        }


def eight_bits(vectors: NDArray[np.float32]) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Codes and scales of whole records."""
    scales = np.abs(vectors).max(axis=1) / 127
    return np.round(vectors / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def kept(prefix: str) -> dict[int, tuple[NDArray[np.generic], np.generic]]:
    """The codes and scales in the existing file, by hash."""
    if not FILE.exists():
        return {}
    with np.load(FILE) as arrays:
        if f"{prefix}hashes" not in arrays:
            return {}
        columns = [arrays[f"{prefix}{name}"] for name in ("hashes", "codes", "scales")]
        return {int(hash_): (codes, scale) for hash_, codes, scale in zip(*columns, strict=True)}


def main() -> None:
    """Embed new texts, keep unchanged vectors, write the file."""
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else math.inf
    of_records: dict[int, str] = {}
    of_passages: dict[int, str] = {}
    for record in with_features(records(Path(sys.argv[1]))):
        texts = embedded_texts(record)
        of_records[text_hash(PACKAGED, texts.record)] = texts.record
        of_passages |= {text_hash(PACKAGED, text): text for text in texts.passages.values()}
    embedder = Embedder(threads=os.cpu_count() or 1)
    deadline = time.monotonic() + 60 * minutes
    whole = Part("", of_records, eight_bits).arrays(embedder, deadline)
    passages = Part("passage_", of_passages, quantize).arrays(embedder, deadline)
    np.savez_compressed(FILE, **whole, **passages)  # type: ignore[arg-type]  # typed as if all options were flags
    print("complete" if time.monotonic() < deadline else "incomplete: run it again")
    print(f"{FILE}: {FILE.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
