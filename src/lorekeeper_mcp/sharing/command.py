"""Commands that the owner of the store carries out, and the messages of its reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, TypeVar

from pydantic import BaseModel

from lorekeeper_mcp.sources.srd import RecordsFileError
from lorekeeper_mcp.store.errors import StoreError

if TYPE_CHECKING:  # not needed to ask the owner
    from lorekeeper_mcp.repository.repository import Repository

COMMAND_PATH = "/commands"
R = TypeVar("R")


class CommandError(RuntimeError):
    """A command cannot be carried out; the message is a sentence."""


COMMAND_ERRORS = (CommandError, StoreError, RecordsFileError, OSError)  # their messages are sentences for the user


class Progress(BaseModel, frozen=True):
    """The progress of one task of a command."""

    task: str
    done: int
    total: int


OnProgress: TypeAlias = Callable[[Progress], None]


class Message(BaseModel, Generic[R], frozen=True):
    """A line of the owner's reply: progress, and at the end the result or a sentence that says what went wrong."""

    progress: Progress | None = None
    fault: str = ""
    result: R | None = None


class Command(BaseModel, Generic[R], frozen=True, ser_json_bytes="base64", val_json_bytes="base64"):
    """A command. Its fields are its options; ``R`` is the type of its result."""

    finishes: ClassVar[bool] = False  # even if nobody waits for it: files in the library have to be stored

    @classmethod
    def path(cls) -> str:
        """Return its path at the owner's address."""
        return f"{COMMAND_PATH}/{cls.__name__.lower()}"

    @classmethod
    def message_type(cls) -> type[Message[R]]:
        """Return the type of the owner's messages."""
        # ``Command[R]`` is the first base; pydantic has its R at run time only: type checkers see neither line.
        (result_type,) = cls.__bases__[0].__pydantic_generic_metadata__["args"]  # type: ignore[attr-defined]
        return Message[result_type]  # type: ignore[valid-type]

    async def work(self, repository: Repository, on_progress: OnProgress) -> R:
        """Carry it out, and return the result. Raises one of ``COMMAND_ERRORS``."""
        raise NotImplementedError
