"""Errors of the store."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

_FULL = ("[Errno 28]", "No space left", "[Errno 27]", "File too large", "[Errno 122]", "quota exceeded")
# pymilvus's messages when the store's owner has gone or stopped: gRPC's status, or a channel closed here.
_LOST = ("UNAVAILABLE", "CANCELLED", "DEADLINE_EXCEEDED", "Retry timeout", "closed channel", "onnect")
_REPLACED = 100  # "collection not found": a refresh replaced it during a read


class StoreError(RuntimeError):
    """A call to the store failed."""


class StoreLostError(StoreError):
    """The store's owner has gone, or the server does not answer: a retry may find the next owner."""


class StoreBusyError(StoreError):
    """The index cannot be used at the moment, or another process uses Milvus."""


class StoreFullError(StoreError):
    """The disk is full: stored records can be read, but nothing can be written."""

    def __str__(self) -> str:
        """A sentence for the user; the error of the disk is the cause."""
        return "The disk is full: nothing more can be stored until there is room; what was stored is kept."


class StoreUnavailableError(StoreError):
    """The store cannot be opened; the message is a sentence for the user."""


class ForeignPathError(StoreUnavailableError):
    """The path has content that this program did not make; the message is a sentence for the user."""


@contextlib.contextmanager
def translate_errors() -> Iterator[None]:
    """Convert exceptions of Milvus, gRPC and the disk to ours."""
    try:
        yield
    except Exception as error:  # others go on as they are
        # By the name of the package: importing pymilvus takes 80 MB, and most processes never do.
        if not isinstance(error, OSError) and type(error).__module__.partition(".")[0] not in ("pymilvus", "grpc"):
            raise
        text = str(error)
        kind = StoreError  # of pymilvus's errors, by name
        if any(mark in text for mark in _FULL):
            kind = StoreFullError
        elif getattr(error, "code", None) == _REPLACED or any(mark in text for mark in _LOST):
            kind = StoreLostError
        raise kind(f"{type(error).__name__}: {text[:200]}") from error
