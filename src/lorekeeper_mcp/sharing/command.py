"""A command that the owner carries out: request, progress and result as plain values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from pydantic import BaseModel

from lorekeeper_mcp.sharing.command_client import CommandError
from lorekeeper_mcp.sources.srd import RecordsFileError
from lorekeeper_mcp.store.errors import StoreError

if TYPE_CHECKING:  # not needed to ask the owner
    from lorekeeper_mcp.repository.repository import Repository


class Progress(BaseModel, frozen=True):
    """The progress of one task of a command."""

    task: str
    done: int
    total: int


COMMAND_ERRORS = (CommandError, StoreError, RecordsFileError, OSError)  # their messages are sentences for the user
OnProgress: TypeAlias = Callable[[Progress], None]
Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True)
class Command(Generic[Q, R]):
    """A command that the owner carries out. Its work raises one of ``COMMAND_ERRORS``.

    With ``finishes``, it runs to its end even if nobody waits for it: files in the library have to be stored.
    """

    name: str
    request: type[Q]
    result: type[R]
    work: Callable[[Repository, Q, OnProgress], Awaitable[R]]
    finishes: bool = False


class Nothing(BaseModel, frozen=True):
    """A request without options, or a result without values."""
