"""The embedding model all-MiniLM-L6-v2, loaded once, on first use. Everything here blocks.

The weights are installed as a package, so no hub is contacted. Importing torch costs seconds of processor time and
hundreds of megabytes; so it is imported to embed many texts, but never for a question.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from safetensors import SafetensorError

from lorekeeper_mcp.embedding.model_files import (
    PACKAGED,
    EmbeddingUnavailableError,
    check_weights,
    encoder_identity,
    is_packaged,
    model_path,
)
from lorekeeper_mcp.embedding.vector import DIMENSION, Vector

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from lorekeeper_mcp.embedding.minilm import NumpyMiniLM

__all__ = ["PACKAGED", "Embedder", "EmbeddingUnavailableError", "model_path"]

log = logging.getLogger(__name__)
T = TypeVar("T")
_BATCH = 8  # small batches of similar length are a fifth faster on a CPU than large ones
_FEW = 500  # texts of records; for up to so many, importing torch takes longer than it saves


class _LazyModel(Generic[T]):
    """A part of a model, loaded once on first use; a failed load is cached and re-raised."""

    def __init__(self, name: str, load: Callable[[Path], T]) -> None:
        self._name = name
        self._load = load
        self._loading = threading.Lock()
        self.value: T | None = None
        self.fault = ""

    def get(self) -> T:
        """Return the part, loaded if needed. Raises EmbeddingUnavailableError."""
        with self._loading:
            if self.fault:
                raise EmbeddingUnavailableError(self.fault)
            if self.value is None:
                try:
                    self.value = self._load_and_check(model_path(self._name))
                except EmbeddingUnavailableError as error:
                    self.fault = str(error)
                    raise
                except (ImportError, OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
                    self.fault = f"the embedding model cannot be loaded ({type(error).__name__})"
                    log.warning("%s: %s", self.fault, str(error)[:300])
                    raise EmbeddingUnavailableError(self.fault) from error
            return self.value

    def _load_and_check(self, folder: Path) -> T:
        """Load it while another thread hashes the weights, which takes as long and releases Python's lock."""
        with ThreadPoolExecutor(1) as pool:
            hashing = pool.submit(check_weights, self._name, folder)
            is_loaded = self._load(folder)
            hashing.result()
        return is_loaded


class Embedder:
    """Turns texts into vectors of length 1. Any thread may call it; the first call loads what it needs.

    Questions to the packaged model, and a small book, are embedded without torch, with the same vectors and a tenth of
    the loading time; many texts, and all texts with another model, are embedded by sentence-transformers.
    """

    def __init__(self, name: str = PACKAGED) -> None:
        self.name = name
        self._torch_model = _LazyModel(name, _open_torch_model)
        self._numpy_model = _LazyModel(name, _open_numpy_model) if is_packaged(name) else None
        self._without_torch = 0  # texts that were embedded for records without it
        self.question = lru_cache(maxsize=1024)(self._question)

    @cached_property
    def identity(self) -> str:
        """The identity of this model's vectors; "" without a model. Reads the model's files."""
        return encoder_identity(self.name)

    @property
    def is_loaded(self) -> bool:
        """Whether a question can be embedded without loading anything."""
        return (self._numpy_model or self._torch_model).value is not None

    @property
    def loads_quickly(self) -> bool:
        """Whether a question can be embedded in less than a second even if nothing is loaded."""
        return self.is_loaded or self._numpy_model is not None

    def warm_up(self) -> None:
        """Load what questions need. Raises EmbeddingUnavailableError."""
        (self._numpy_model or self._torch_model).get()

    def fault(self) -> str:
        """Return why there is no model to load; "" if its files exist. Loads nothing."""
        try:
            model_path(self.name)
        except EmbeddingUnavailableError as error:
            return str(error)
        return self._torch_model.fault or (self._numpy_model.fault if self._numpy_model else "")

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vectors of some texts, in order. Raises EmbeddingUnavailableError."""
        are_few = self._without_torch + len(texts) <= _FEW
        if self._numpy_model is not None and self._torch_model.value is None and are_few:
            model = self._numpy_model.get()
            self._without_torch += len(texts)
            return [model.encode([text])[0].tolist() for text in texts]  # a batch of long texts takes more memory
        vectors = self._torch_model.get().encode(
            list(texts), batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return [vector.tolist() for vector in vectors]

    def _question(self, texts: tuple[str, ...]) -> tuple[Vector, ...]:
        """Return the vectors of a question's short texts."""
        if self._numpy_model is None:
            return tuple(self.encode(texts))
        return tuple(vector.tolist() for vector in self._numpy_model.get().encode(texts))


def _open_numpy_model(path: Path) -> NumpyMiniLM:
    from lorekeeper_mcp.embedding.minilm import NumpyMiniLM  # noqa: PLC0415 - imports numpy

    return NumpyMiniLM(path)


def _open_torch_model(path: Path) -> SentenceTransformer:
    # Stdout belongs to the protocol and stderr to short lines, so nothing may print progress or advice. These switches
    # silence only the libraries; redirecting stderr would silence every other thread, too.
    os.environ.update(
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_OFFLINE="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        TOKENIZERS_PARALLELISM="false",
        TQDM_DISABLE="1",
        TRANSFORMERS_VERBOSITY="error",
    )
    import torch  # noqa: PLC0415 - seconds
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - seconds more
    from transformers.utils import logging as transformers_logging  # noqa: PLC0415

    transformers_logging.disable_progress_bar()
    torch.set_num_threads(1)  # measured: with two threads, such small batches wait for each other and delay answers
    model = SentenceTransformer(str(path), device="cpu", local_files_only=True)
    dimension = model.get_embedding_dimension()
    if dimension != DIMENSION:
        raise EmbeddingUnavailableError(f"the model in {path} gives {dimension} dimensions instead of {DIMENSION}")
    return model
