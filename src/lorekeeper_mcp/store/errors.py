"""What can go wrong with a store, in our own words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

_FULL = ("[Errno 28]", "No space left", "[Errno 27]", "File too large", "[Errno 122]", "quota exceeded")


class StoreError(RuntimeError):
    """The store did not do what it was asked to, for instance because its owner has gone."""


class StoreFullError(StoreError):
    """Nothing more can be written: the disk is full. What is stored can still be read."""


class StoreUnavailableError(StoreError):
    """The store cannot be opened; the message is a sentence for the user."""


class OlderFormatError(StoreError):
    """The store was made by another version of the program, whose rows are not read."""


@contextlib.contextmanager
def translate_errors() -> Iterator[None]:
    """Milvus's own exceptions, and those of the disk, leave as ours."""
    from pymilvus import MilvusException  # noqa: PLC0415 - long loaded where a store is open

    try:
        yield
    except (MilvusException, OSError) as error:
        text = str(error)
        kind = StoreFullError if any(mark in text for mark in _FULL) else StoreError
        raise kind(f"{type(error).__name__}: {text[:200]}") from error
