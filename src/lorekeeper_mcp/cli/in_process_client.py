"""A client of a server in this process."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass

from fastmcp import Client
from rich.console import Console

from lorekeeper_mcp.server import make_server
from lorekeeper_mcp.settings import Settings


@dataclass(frozen=True)
class Called:
    """A tool's answer as text and as structured content."""

    text: str
    structured: Mapping[str, object]
    failed: bool

    @property
    def results(self) -> list[Mapping[str, object]]:
        """Return the results of a search; none if it failed."""
        return self._listed("results")

    @property
    def licenses(self) -> dict[str, str]:
        """Return the licences of the results' documents by key."""
        return {book["document_key"]: book.get("license", "") for book in self.documents}

    @property
    def documents(self) -> list[dict[str, str]]:
        """Return the documents of the results."""
        return [{name: str(value or "") for name, value in one.items()} for one in self._listed("documents")]

    def _listed(self, name: str) -> list[Mapping[str, object]]:
        found = self.structured.get(name)
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


Call = Callable[[str, Mapping[str, object]], Awaitable[Called]]


@contextlib.asynccontextmanager
async def calling(settings: Settings) -> AsyncIterator[Call]:
    """Start a server and yield a function that calls its tools; arguments that are None are left out."""
    whole = settings.model_copy(update={"output": "both"})  # output settings are for clients
    with Console(stderr=True).status("Looking it up …") if sys.stderr.isatty() else contextlib.nullcontext():
        async with Client(make_server(whole, patient=True)) as client:

            async def call(tool: str, arguments: Mapping[str, object]) -> Called:
                given = {name: value for name, value in arguments.items() if value is not None}
                answer = await client.call_tool(tool, given, raise_on_error=False)
                text = "\n".join(getattr(block, "text", "") for block in answer.content)
                return Called(text, answer.structured_content or {}, answer.is_error)

            yield call
