"""The model all-MiniLM-L6-v2 in numpy: a BERT encoder of six layers (https://arxiv.org/abs/1810.04805).

The vector of a text is the mean of its word pieces after the last layer, scaled to length 1. The weights are those of
an ONNX file with eight bits per number and a scale per row or column; they are computed with as 32-bit floats, so that
a vector's cosine with that of the original weights is 0.9994 on average. On one thread this is as fast as torch or
ONNX Runtime, which take seconds or 70 MB more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lorekeeper_mcp.embedding.tokenizer import WordPieceTokenizer

Floats: TypeAlias = NDArray[np.float32]
MAX_PIECES = 256  # of a text, as the model was published; the rest is ignored
_LAYERS, _HEADS, _EPSILON = 6, 12, np.float32(1e-12)
_BATCH_PIECES = 256  # texts are computed together up to so many pieces: fewer waste time, more leave the CPU's cache
_SCORES = 65_536  # attention scores at once, for the same reason
# x·Φ(x), BERT's activation, as x / (1 + exp(-x·p(x²))): p is fitted to Φ on [0, 4.2]; the error is at most 2.6e-5.
_GELU = tuple(map(np.float32, (1.59501573, 7.40113223e-02, -7.03037930e-04)))
_GELU_MAX = np.float32(25)  # of x²; Φ is 1 or 0 beyond
_GELU_ROWS = 32


@dataclass(frozen=True)
class _Layer:
    """The weights of a layer: matrices map from rows to columns; each is followed by its bias."""

    query_key_value: tuple[Floats, Floats]
    attended: tuple[Floats, Floats]
    attended_norm: tuple[Floats, Floats]
    inner: tuple[Floats, Floats]
    outer: tuple[Floats, Floats]
    outer_norm: tuple[Floats, Floats]


class MiniLM:
    """Turns texts into vectors. Any thread may call it."""

    def __init__(self, onnx_file: Path, threads: int = 1) -> None:
        """Load the weights; many texts are then computed by so many threads. Raises OSError, ValueError or KeyError."""
        tensors = read_tensors(onnx_file)
        self._threads = threads
        self._tokenizer = WordPieceTokenizer(MAX_PIECES)
        self._words = tensors["inner.embeddings.word_embeddings.weight_q"]
        self._word_scales = tensors["inner.embeddings.word_embeddings.weight_scale"]
        positions = tensors["inner.embeddings.position_embeddings.weight_q"].astype(np.float32)
        positions *= tensors["inner.embeddings.position_embeddings.weight_scale"]
        self._positions: Floats = positions + tensors["inner.embeddings.token_type_embeddings.weight"][0]
        self._norm = _weight_and_bias(tensors, "inner.embeddings.LayerNorm")
        # The exporter numbered the matrices of the layers and left their order: query, key, value, output, and so on.
        names = [name.removesuffix("_q") for name in tensors if name.startswith("val_") and name.endswith("_q")]
        matrices = [tensors[f"{name}_q"].astype(np.float32) * tensors[f"{name}_scale"] for name in names]
        self._layers = [_layer(tensors, matrices[6 * index : 6 * index + 6], index) for index in range(_LAYERS)]

    def encode(self, texts: Sequence[str]) -> list[Floats]:
        """Return vectors of length 1, in order."""
        pieces = [self._tokenizer.encode(text) for text in texts]
        batches = list(_batches(pieces))
        if self._threads == 1 or len(batches) == 1:
            return [vector for batch in batches for vector in self._encode(batch)]
        with ThreadPoolExecutor(self._threads) as pool:
            return [vector for vectors in pool.map(self._encode, batches) for vector in vectors]

    def _encode(self, batch: Sequence[Sequence[int]]) -> list[Floats]:
        ids = np.concatenate([np.asarray(pieces) for pieces in batch])
        states: Floats = self._words[ids].astype(np.float32) * self._word_scales[ids]
        states += np.concatenate([self._positions[: len(pieces)] for pieces in batch])
        ends = np.cumsum([len(pieces) for pieces in batch]).tolist()
        spans = [slice(end - len(pieces), end) for pieces, end in zip(batch, ends, strict=True)]
        _normalize(states, self._norm)
        for layer in self._layers:
            attended = _dense(_attention(_dense(states, layer.query_key_value), spans), layer.attended)
            attended += states
            _normalize(attended, layer.attended_norm)
            inner = _dense(attended, layer.inner)
            _gelu(inner)
            states = _dense(inner, layer.outer)
            states += attended
            _normalize(states, layer.outer_norm)
        means = [states[span].mean(axis=0) for span in spans]
        return [mean / np.linalg.norm(mean) for mean in means]


def read_tensors(onnx_file: Path) -> dict[str, Floats]:
    """Map the tensors of an ONNX file that are 32-bit floats or signed bytes, by name and in the file's order.

    Only what this needs of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto is read. The word embeddings, half of
    the file, stay mapped: a question reads ten rows of them. Raises OSError or ValueError.
    """
    data = np.memmap(onnx_file, np.uint8, "r")
    tensors: dict[str, Floats] = {}
    for field, start, end in _fields(data, 0, len(data)):
        if field != 7:  # ModelProto.graph
            continue
        for graph_field, first, last in _fields(data, start, end):
            if graph_field != 5:  # GraphProto.initializer
                continue
            shape: list[int] = []
            kind, name, raw = 0, "", slice(0)
            for tensor_field, value, value_end in _fields(data, first, last):
                if tensor_field == 1:
                    shape.append(value)
                elif tensor_field == 2:
                    kind = value
                elif tensor_field == 8:
                    name = bytes(data[value:value_end]).decode()
                elif tensor_field == 9:
                    raw = slice(value, value_end)
            if kind in (1, 3):
                tensors[name] = np.frombuffer(data[raw], "<f4" if kind == 1 else "i1").reshape(shape)
    return tensors


def _fields(data: NDArray[np.uint8], start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The fields of a protobuf message: number, then the value of an integer (twice), or the start and end of bytes."""

    def varint() -> int:
        nonlocal start
        value = shift = 0
        while True:
            byte = int(data[start])
            start += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    while start < end:
        key = varint()
        value = varint()
        if key & 7 == 0:
            yield key >> 3, value, value
        elif key & 7 == 2:
            first, start = start, start + value
            yield key >> 3, first, start
        else:
            raise ValueError("a field of an unexpected type in the file of weights")


def _weight_and_bias(tensors: dict[str, Floats], name: str) -> tuple[Floats, Floats]:
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]


def _layer(tensors: dict[str, Floats], matrices: Sequence[Floats], index: int) -> _Layer:
    query, key, value, attended, inner, outer = matrices
    name = f"inner.encoder.layer.{index}."
    query_bias, key_bias, value_bias = (
        tensors[f"{name}attention.self.{part}.bias"] for part in ("query", "key", "value")
    )
    scale = np.float32(1 / math.sqrt(query.shape[1] / _HEADS))  # of attention scores
    return _Layer(
        (np.concatenate([query * scale, key, value], 1), np.concatenate([query_bias * scale, key_bias, value_bias])),
        (attended, tensors[f"{name}attention.output.dense.bias"]),
        _weight_and_bias(tensors, f"{name}attention.output.LayerNorm"),
        (inner, tensors[f"{name}intermediate.dense.bias"]),
        (outer, tensors[f"{name}output.dense.bias"]),
        _weight_and_bias(tensors, f"{name}output.LayerNorm"),
    )


def _batches(pieces: Sequence[Sequence[int]]) -> Iterator[list[Sequence[int]]]:
    batch: list[Sequence[int]] = []
    size = 0
    for ids in pieces:
        if batch and size + len(ids) > _BATCH_PIECES:
            yield batch
            batch, size = [], 0
        batch.append(ids)
        size += len(ids)
    if batch:
        yield batch


def _dense(states: Floats, weights: tuple[Floats, Floats]) -> Floats:
    dense: Floats = states @ weights[0]
    dense += weights[1]
    return dense


def _attention(query_key_value: Floats, spans: Sequence[slice]) -> Floats:
    """Self-attention of all heads, restricted to the pieces of each text."""
    by_head = query_key_value.reshape(len(query_key_value), 3, _HEADS, -1).transpose(1, 2, 0, 3)
    context = np.empty((len(query_key_value), _HEADS, by_head.shape[-1]), np.float32)
    for span in spans:
        queries, keys, values = (np.ascontiguousarray(part[:, span]) for part in by_head)
        heads = max(1, _SCORES // queries.shape[1] ** 2)
        for head in range(0, _HEADS, heads):
            some = slice(head, head + heads)
            scores = queries[some] @ keys[some].transpose(0, 2, 1)
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            mixed = scores @ values[some]
            mixed /= scores.sum(axis=-1, keepdims=True)
            context[span, some] = mixed.transpose(1, 0, 2)
    return context.reshape(len(context), -1)


def _normalize(states: Floats, weights: tuple[Floats, Floats]) -> None:
    """Layer normalization, in place."""
    states -= states.mean(axis=-1, keepdims=True)
    variances = np.einsum("ij,ij->i", states, states) / states.shape[1]
    states /= np.sqrt(variances + _EPSILON)[:, None]
    states *= weights[0]
    states += weights[1]


def _gelu(states: Floats) -> None:
    """Apply BERT's activation in place, by rows that stay in the CPU's cache."""
    for start in range(0, len(states), _GELU_ROWS):
        x = states[start : start + _GELU_ROWS]
        square = np.minimum(x * x, _GELU_MAX)
        power = square * -_GELU[2]
        power -= _GELU[1]
        power *= square
        power -= _GELU[0]
        power *= x
        with np.errstate(over="ignore"):  # far below 0 it divides by infinity, which gives 0
            np.exp(power, out=power)
        power += np.float32(1)
        x /= power
