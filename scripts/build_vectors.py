"""Computes the shipped vectors: ``uv run python scripts/build_vectors.py RECORDED``.

RECORDED is a folder with a recorded Open5e: ``v1/*.json.gz`` and ``v2/*.json.gz``, each the records of one endpoint.
Every text that the cache would embed is embedded once and stored with eight bits a number; texts are not stored,
only hashes of them. What a record says changes with the adapters and the embedding text: run this again then.
Vectors of the existing file whose text is unchanged are kept. Ten minutes on two cores for everything.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lorekeeper_mcp.embedding.document_text import embedding_text
from lorekeeper_mcp.embedding.embedder import PACKAGED, Embedder
from lorekeeper_mcp.embedding.precomputed import FILE, text_hash
from lorekeeper_mcp.models import Document, Equipment, Record
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS


def served(folder: Path, path: str) -> list[dict[str, object]]:
    """The recorded records of an endpoint."""
    records: list[dict[str, object]] = json.loads(gzip.decompress((folder / f"{path}.json.gz").read_bytes()))
    return records


def records(folder: Path) -> Iterator[Record]:
    """Every record that a user's cache can come to hold of the recorded Open5e and the embedded SRD."""
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
    for endpoint in ENDPOINTS:
        for raw in served(folder, endpoint.path):
            record = to_record(endpoint.path, raw, context)
            if endpoint.documents is None or record.document_key in endpoint.documents:
                yield record


def kept() -> dict[int, tuple[np.ndarray, float]]:
    """The vectors of the existing file by their hashes."""
    if not FILE.exists():
        return {}
    with np.load(FILE) as arrays:
        return {
            int(h): (c, float(s)) for h, c, s in zip(arrays["hashes"], arrays["codes"], arrays["scales"], strict=True)
        }


def main() -> None:
    """Embed what is new, keep what is not, write the file."""
    texts = {text_hash(PACKAGED, text): text for text in map(embedding_text, records(Path(sys.argv[1])))}
    found = {hash_: vector for hash_, vector in kept().items() if hash_ in texts}
    new = sorted((hash_ for hash_ in texts if hash_ not in found), key=lambda hash_: len(texts[hash_]))
    print(f"{len(texts)} texts, {len(found)} kept, {len(new)} to embed")
    embedder = Embedder()
    for start in range(0, len(new), 256):
        batch = new[start : start + 256]
        for hash_, vector in zip(batch, embedder.encode([texts[hash_] for hash_ in batch]), strict=True):
            scale = max(abs(x) for x in vector) / 127
            found[hash_] = (np.round(np.array(vector) / scale).astype(np.int8), scale)
        print(f"\r{start + len(batch)} of {len(new)}", end="", flush=True)
    order = sorted(found)
    np.savez_compressed(
        FILE,
        hashes=np.array(order, np.uint64),
        codes=np.stack([found[hash_][0] for hash_ in order]),
        scales=np.array([found[hash_][1] for hash_ in order], np.float32),
    )
    print(f"\n{FILE}: {FILE.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
