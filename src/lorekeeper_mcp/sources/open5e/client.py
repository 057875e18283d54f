"""HTTP to Open5e: all pages, timeouts, retries with back-off, never more than a few requests at once."""

from __future__ import annotations

import asyncio
import importlib.metadata
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import httpx
from pydantic import BaseModel, ValidationError
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from lorekeeper_mcp.sources.open5e.requests import PAGE_SIZE, Request, always, quoted

_AT_ONCE = 4
_ATTEMPTS = 3
_LONGEST_WAIT = 30.0  # seconds; a longer Retry-After counts as a refusal
_TIMEOUT = httpx.Timeout(30.0, connect=5.0)


class UpstreamError(RuntimeError):
    """Open5e did not give a usable answer; the message is a clause for a hint, such as "answered 500"."""


class _PassingError(UpstreamError):
    """What may be over at the next attempt; ``after`` is how many seconds Open5e asks to wait."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


class Page(BaseModel):
    """One page of a list as Open5e serves it. Records are checked one by one by the adapters."""

    count: int
    next: str | None = None
    results: list[dict[str, object]]


class Found(BaseModel):
    """A hit of ``/v2/search/``: which record, not what is in it."""

    object_pk: str
    route: str = ""


@dataclass(frozen=True)
class SearchHit:
    """A record that Open5e's own search found: its endpoint such as ``v2/spells`` and its key."""

    path: str
    key: str


class Open5eClient:
    """One connection pool to Open5e. Close it with ``aclose``."""

    def __init__(self, base_url: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        version = importlib.metadata.version("lorekeeper-mcp")
        self._http = httpx.AsyncClient(
            base_url=base_url.rstrip("/") + "/",
            timeout=_TIMEOUT,
            transport=transport,
            follow_redirects=True,
            limits=httpx.Limits(max_connections=_AT_ONCE),
            # Open5e serves HTML to whoever does not ask for JSON alone.
            headers={"Accept": "application/json", "User-Agent": f"lorekeeper-mcp/{version} (D&D 5e reference server)"},
        )
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def aclose(self) -> None:
        """Give the connections back."""
        await self._http.aclose()

    async def pages(self, request: Request) -> AsyncIterator[tuple[list[dict[str, object]], int]]:
        """The served records of each page, and how many all pages have. Raises UpstreamError."""
        number, seen = 1, 0
        while True:
            params = {**always(request), "limit": str(PAGE_SIZE), "page": str(number)}
            page = await self._page(f"{request.path}/", params)
            yield page.results, page.count
            seen += len(page.results)
            if page.next is None:
                break
            number += 1
        if seen < page.count:
            raise UpstreamError(f"served {seen} of {page.count} records")

    async def search(self, text: str, model: str, limit: int = 50) -> list[SearchHit]:
        """What Open5e's unified search finds among the records of one of its models (``Spell`` ...)."""
        params = {"query": quoted(text), "fuzzy": "true", "object_model": model, "limit": str(limit)}
        page = await self._page("v2/search/", params)
        hits = [Found.model_validate(result) for result in page.results]
        return [SearchHit(hit.route.strip("/"), hit.object_pk) for hit in hits]

    async def probe(self) -> None:
        """See whether Open5e answers, without trying again. Raises UpstreamError."""
        await self._get("v2/gamesystems/", {"limit": "1"})

    async def _page(self, path: str, params: Mapping[str, str]) -> Page:
        """One page, tried again after what may pass: transport errors, 429 and 5xx."""
        retrying = AsyncRetrying(
            stop=stop_after_attempt(_ATTEMPTS), wait=_wait, retry=retry_if_exception_type(_PassingError), reraise=True
        )
        return await retrying(self._get, path, params)

    async def _get(self, path: str, params: Mapping[str, str]) -> Page:
        try:
            async with self._slots:
                response = await self._http.get(path, params=params)
        except httpx.TimeoutException:
            raise _PassingError("timed out") from None
        except httpx.TransportError:
            raise _PassingError("cannot be reached") from None
        if response.status_code == httpx.codes.OK:
            return _read(response)
        fault = f"answered {response.status_code}"
        if (
            response.status_code == httpx.codes.TOO_MANY_REQUESTS
            or response.status_code >= httpx.codes.INTERNAL_SERVER_ERROR
        ):
            after = _retry_after(response)
            raise _PassingError(fault, after) if after <= _LONGEST_WAIT else UpstreamError(fault)
        raise UpstreamError(fault)


def _read(response: httpx.Response) -> Page:
    try:
        return Page.model_validate_json(response.content)
    except ValidationError:
        raise UpstreamError("answered something that is not its usual JSON") from None


_jitter = wait_random_exponential(multiplier=0.3, max=3)


def _wait(state: RetryCallState) -> float:
    fault = state.outcome.exception() if state.outcome else None
    return max(_jitter(state), fault.after if isinstance(fault, _PassingError) else 0.0)


def _retry_after(response: httpx.Response) -> float:
    """Seconds that a 429 or 503 asks to wait; dates are not used by Open5e and count as no wish."""
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else 0.0
