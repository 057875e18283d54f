"""The embedding model, loaded once, on first use. Everything here blocks.

The packaged all-MiniLM-L6-v2 needs numpy alone. A model of the user's own is run by sentence-transformers, an extra of
the installation, since importing torch costs seconds and its packages gigabytes. No hub is contacted for either.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol

from lorekeeper_mcp.embedding.model_files import (
    PACKAGED,
    EmbeddingUnavailableError,
    encoder_identity,
    is_packaged,
    model_folder,
    packaged_weights,
)
from lorekeeper_mcp.embedding.vector import DIMENSION, Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PACKAGED", "Embedder", "EmbeddingUnavailableError"]

log = logging.getLogger(__name__)
_THREADS = max(1, (os.cpu_count() or 2) // 2)  # for many texts; the other processors answer meanwhile


class _Model(Protocol):
    def encode(self, texts: Sequence[str]) -> Sequence[NDArray[np.float32]]: ...


class Embedder:
    """Turns texts into vectors of length 1. Any thread may call it; the first call loads the model."""

    def __init__(self, name: str = PACKAGED, threads: int = _THREADS) -> None:
        self.name = name
        self._threads = threads
        self._loading = threading.Lock()
        self._model: _Model | None = None
        self._fault = ""  # why it could not be loaded: that is not tried again
        self.question = lru_cache(maxsize=1024)(self._question)

    @cached_property
    def identity(self) -> str:
        """The identity of this model's vectors; "" without a model. Reads the model's files."""
        return encoder_identity(self.name)

    @property
    def is_loaded(self) -> bool:
        """Whether a question can be embedded without loading anything."""
        return self._model is not None

    @property
    def loads_quickly(self) -> bool:
        """Whether a question can be embedded in less than a second even if nothing is loaded."""
        return self.is_loaded or is_packaged(self.name)

    def warm_up(self) -> None:
        """Load the model. Raises EmbeddingUnavailableError."""
        self._loaded()

    def fault(self) -> str:
        """Return why there is no model to load; "" if its files exist. Loads nothing."""
        try:
            packaged_weights() if is_packaged(self.name) else model_folder(self.name)
        except EmbeddingUnavailableError as error:
            return str(error)
        return self._fault

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vectors of some texts, in order. Raises EmbeddingUnavailableError."""
        return [vector.tolist() for vector in self._loaded().encode(texts)]

    def _question(self, texts: tuple[str, ...]) -> tuple[Vector, ...]:
        """Return the vectors of a question's short texts."""
        return tuple(self.encode(texts))

    def _loaded(self) -> _Model:
        with self._loading:
            if self._fault:
                raise EmbeddingUnavailableError(self._fault)
            if self._model is None:
                try:
                    self._model = self._load()
                except EmbeddingUnavailableError as error:
                    self._fault = str(error)
                    raise
                except (ImportError, OSError, ValueError, KeyError, RuntimeError) as error:
                    self._fault = f"the embedding model cannot be loaded ({type(error).__name__})"
                    log.warning("%s: %s", self._fault, str(error)[:300])
                    raise EmbeddingUnavailableError(self._fault) from error
            return self._model

    def _load(self) -> _Model:
        if is_packaged(self.name):
            from lorekeeper_mcp.embedding.minilm import MiniLM  # noqa: PLC0415 - imports numpy

            return MiniLM(packaged_weights(), self._threads)
        return _TorchModel(self.name)


class _TorchModel:
    """A model of the user's own, run by sentence-transformers."""

    def __init__(self, name: str) -> None:
        folder = model_folder(name)
        # Stdout belongs to the protocol and stderr to short lines, so nothing may print progress or advice. These
        # switches silence only the libraries; redirecting stderr would silence every other thread, too.
        os.environ.update(
            HF_HUB_OFFLINE="1",
            TRANSFORMERS_OFFLINE="1",
            HF_HUB_DISABLE_TELEMETRY="1",
            TOKENIZERS_PARALLELISM="false",
            TQDM_DISABLE="1",
            TRANSFORMERS_VERBOSITY="error",
        )
        try:
            import torch  # noqa: PLC0415 - seconds
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - seconds more
            from transformers.utils import logging as transformers_logging  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise EmbeddingUnavailableError(
                "LOREKEEPER_EMBEDDING_MODEL needs the extra sentence-transformers, which is not installed"
            ) from error
        transformers_logging.disable_progress_bar()
        torch.set_num_threads(1)  # with two threads, batches as small as these wait for each other and delay answers
        self._model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        dimension = self._model.get_embedding_dimension()
        if dimension != DIMENSION:
            raise EmbeddingUnavailableError(
                f"the model in {folder} gives {dimension} dimensions instead of {DIMENSION}"
            )

    def encode(self, texts: Sequence[str]) -> Sequence[NDArray[np.float32]]:
        """Return vectors of length 1, in order."""
        vectors: NDArray[np.float32] = self._model.encode(
            list(texts), batch_size=8, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return list(vectors)
