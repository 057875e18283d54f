"""all-MiniLM-L6-v2 without torch: the packaged model's forward pass in numpy, for questions and other short work.

Importing torch and transformers takes seconds of processor time and hundreds of megabytes, too much for a question of
ten words. The model is a BERT encoder (https://arxiv.org/abs/1810.04805) of six layers, then the mean of its word
pieces, scaled to length 1. Weights, tokenizer and sizes are read from the model's own files; the vectors agree with
those of sentence-transformers up to rounding, which a test checks.
"""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

Floats: TypeAlias = NDArray[np.float32]
_ROWS = 64  # query positions of attention at once, so that their scores stay in the CPU's cache
# Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26: an error of at most 1.5e-7, like float32's.
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_P = 0.3275911


class NumpyMiniLM:
    """A BERT encoder with mean pooling. Any thread may call it."""

    def __init__(self, folder: Path) -> None:
        """Load a folder in the layout of sentence-transformers. Raises OSError, ValueError or KeyError."""
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        pieces = json.loads((folder / "sentence_bert_config.json").read_text(encoding="utf-8"))["max_seq_length"]
        self._layers = int(config["num_hidden_layers"])
        self._heads = int(config["num_attention_heads"])
        self._epsilon = float(config["layer_norm_eps"])
        self._weights = mapped_weights(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()  # its file pads to 128 pieces and cuts there
        self._tokenizer.enable_truncation(int(pieces))
        self.dimension = int(config["hidden_size"])

    def encode(self, texts: Sequence[str]) -> list[Floats]:
        """Return vectors of length 1; text beyond the model's number of word pieces is ignored.

        Several short texts take little longer than one: most of the time goes into reading the weights.
        """
        pieces = [self._tokenizer.encode(text).ids for text in texts]
        ends = accumulate(map(len, pieces))
        text_slices = [slice(end - len(ids), end) for ids, end in zip(pieces, ends, strict=True)]
        states = np.concatenate([self._embedded(ids) for ids in pieces])
        for layer in range(self._layers):
            states = self._layer(states, text_slices, f"encoder.layer.{layer}.")
        means = [states[text_slice].mean(axis=0) for text_slice in text_slices]
        return [mean / np.linalg.norm(mean) for mean in means]

    def _embedded(self, ids: Sequence[int]) -> Floats:
        weights = self._weights
        states = (
            weights["embeddings.word_embeddings.weight"][ids]
            + weights["embeddings.position_embeddings.weight"][: len(ids)]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        return self._layer_norm(states, "embeddings.")

    def _layer(self, states: Floats, text_slices: Sequence[slice], name: str) -> Floats:
        context = self._attention(states, text_slices, f"{name}attention.self.")
        attended = self._dense(context, f"{name}attention.output.dense.")
        states = self._layer_norm(states + attended, f"{name}attention.output.")
        hidden = _gelu(self._dense(states, f"{name}intermediate.dense."))
        return self._layer_norm(states + self._dense(hidden, f"{name}output.dense."), f"{name}output.")

    def _attention(self, states: Floats, text_slices: Sequence[slice], name: str) -> Floats:
        """Self-attention, restricted to the pieces of each text."""
        queries, keys, values = (self._by_head(states, f"{name}{part}.") for part in ("query", "key", "value"))
        scale = 1 / math.sqrt(queries.shape[-1])
        keys = keys.transpose(0, 2, 1)
        blocks = [
            _softmax(rows @ keys[:, :, text_slice] * scale) @ values[:, text_slice]
            for text_slice in text_slices
            for rows in _blocks(queries[:, text_slice])
        ]
        context: Floats = np.concatenate(blocks, axis=1).transpose(1, 0, 2).reshape(states.shape)
        return context

    def _by_head(self, states: Floats, name: str) -> Floats:
        return self._dense(states, name).reshape(len(states), self._heads, -1).transpose(1, 0, 2)

    def _dense(self, states: Floats, name: str) -> Floats:
        dense: Floats = states @ self._weights[f"{name}weight"].T
        return dense + self._weights[f"{name}bias"]

    def _layer_norm(self, states: Floats, name: str) -> Floats:
        centered = states - states.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centered * centered).mean(axis=-1, keepdims=True) + np.float32(self._epsilon))
        weight, bias = self._weights[f"{name}LayerNorm.weight"], self._weights[f"{name}LayerNorm.bias"]
        scaled: Floats = centered / deviation
        return scaled * weight + bias


def mapped_weights(file: Path) -> dict[str, Floats]:
    """Map the 32-bit float tensors of a safetensors file: only used parts are read, and processes share them.

    The format: https://huggingface.co/docs/safetensors. Raises OSError, ValueError or KeyError.
    """
    with file.open("rb") as opened:
        mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    start = 8 + int.from_bytes(mapped[:8], "little")
    weights: dict[str, Floats] = {}
    for name, tensor in json.loads(mapped[8:start]).items():
        if tensor.get("dtype") == "F32":
            first, end = tensor["data_offsets"]
            floats = np.frombuffer(mapped, "<f4", (end - first) // 4, start + first)
            weights[name] = floats.reshape(tensor["shape"])
    return weights


def _blocks(queries: Floats) -> Iterator[Floats]:
    for start in range(0, queries.shape[1], _ROWS):
        yield queries[:, start : start + _ROWS]


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _gelu(x: Floats) -> Floats:
    """x · Φ(x), BERT's activation function."""
    z = np.abs(x) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(_ERF_P) * z)
    series = np.zeros_like(t)
    for factor in reversed(_ERF):
        series = (series + np.float32(factor)) * t
    erf = np.copysign(1 - series * np.exp(-z * z), x)
    activated: Floats = x * np.float32(0.5) * (1 + erf)
    return activated
