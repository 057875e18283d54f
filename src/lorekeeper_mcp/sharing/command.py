"""A command that the owner carries out: request, progress and result as plain values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from pydantic import BaseModel

if TYPE_CHECKING:  # not needed to ask the owner
    from lorekeeper_mcp.repository.repository import Repository


class CommandError(RuntimeError):
    """A command cannot be carried out; the message is a sentence."""


class Progress(BaseModel, frozen=True):
    """The progress of one task of a command."""

    task: str
    done: int
    total: int


OnProgress: TypeAlias = Callable[[Progress], None]
Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True)
class Command(Generic[Q, R]):
    """A command that the owner carries out. Its work raises StoreError, OSError or CommandError.

    With ``finishes``, it runs to its end even if nobody waits for it: files in the library have to be stored.
    """

    name: str
    request: type[Q]
    result: type[R]
    work: Callable[[Repository, Q, OnProgress], Awaitable[R]]
    finishes: bool = False


class EmptyRequest(BaseModel, frozen=True):
    """A request without options."""
