"""HTTP to Open5e: all pages, timeouts, retries with back-off, never more than a few requests at once."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib.metadata
import os
import ssl
import time
from collections.abc import AsyncIterator, Mapping

import httpx
from pydantic import BaseModel, ValidationError
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH
from lorekeeper_mcp.sources.open5e.requests import PAGE_SIZE, Request, parameters

_AT_ONCE = 4
_LISTS_AT_ONCE = 2  # of these, so that a request for one record does not wait behind whole lists
_ATTEMPTS = 3
_MAX_WAIT = 30.0  # seconds; a longer Retry-After counts as a refusal
_TIMEOUT = httpx.Timeout(30.0, connect=5.0)
_SILENCE_SECONDS = 3.0  # between two pieces of an answer, after which it no longer counts as arriving
_FORGETTING_SECONDS = 30.0  # without a request, after which an earlier silence no longer counts
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")


class UpstreamError(RuntimeError):
    """Open5e gave no usable answer; the message is a clause for a hint, such as "answered 500".

    ``status`` is the HTTP status if that is the cause, else 0.
    """

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status

    @property
    def refuses_request(self) -> bool:
        """Whether Open5e rejects this one request (for an odd value), not the endpoint."""
        return self.status == httpx.codes.BAD_REQUEST

    @property
    def is_about_request(self) -> bool:
        """Whether other requests to the same endpoint may well succeed."""
        server_fault = self.status == httpx.codes.INTERNAL_SERVER_ERROR  # some of Open5e's filters cause a 500
        return server_fault or (httpx.codes.is_client_error(self.status) and self.status != 429)

    @property
    def is_gone(self) -> bool:
        """Whether the endpoint does not exist, or no longer does."""
        return self.status in (httpx.codes.NOT_FOUND, httpx.codes.GONE)


class _PassingError(UpstreamError):
    """An error that a retry may cure; ``after`` is the number of seconds that Open5e asks to wait."""

    def __init__(self, message: str, status: int = 0, after: float = 0.0) -> None:
        super().__init__(message, status)
        self.after = after


class Page(BaseModel):
    """One page of a list as Open5e serves it. Records are checked one by one by the adapters."""

    count: int
    next: str | None = None
    results: list[object]


@functools.cache  # reading the certificates takes longer than anything else that a client does when it is made
def _tls_context() -> ssl.SSLContext:
    """Return the trusted certificates, shared by all clients of this process."""
    return httpx.create_ssl_context()


class Open5eClient:
    """One connection pool to Open5e, opened by the first request. Close it with ``aclose``."""

    def __init__(self, base_url: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._base_url = base_url.rstrip("/") + "/"
        self._transport = transport
        self._opened: httpx.AsyncClient | None = None
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._list_slots = asyncio.Semaphore(_LISTS_AT_ONCE)
        self._asking = 0  # requests in progress, with their retries
        self._asked_at = float("-inf")  # when the last one ended
        self._silent_since = 0.0  # when something of use last arrived, or was first asked for
        self._has_sent = False

    async def aclose(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            await self._opened.aclose()

    def _http(self) -> httpx.AsyncClient:
        """Return the connection pool. Raises UpstreamError if the environment's network settings are unusable."""
        if self._opened is None:
            version = importlib.metadata.version("lorekeeper-mcp")
            agent = f"lorekeeper-mcp/{version} (D&D 5e reference server)"
            try:
                self._opened = httpx.AsyncClient(
                    base_url=self._base_url,
                    timeout=_TIMEOUT,
                    transport=self._transport,
                    verify=_tls_context(),
                    follow_redirects=True,
                    limits=httpx.Limits(max_connections=_AT_ONCE),
                    # Open5e serves HTML unless the client accepts only JSON.
                    headers={"Accept": "application/json", "User-Agent": agent},
                )
            except Exception as error:  # noqa: BLE001 - httpx raises many types for a variable that it cannot read
                raise UpstreamError(f"cannot be reached with {_network_settings(error)}") from None
        return self._opened

    def silent_seconds(self) -> float:
        """Return for how long Open5e has been asked and has sent nothing of use; 0 if nobody asks."""
        return time.monotonic() - self._silent_since if self._asking else 0.0

    @property
    def is_silent(self) -> bool:
        """Whether Open5e is asked and sends nothing."""
        return bool(self._asking) and (not self._has_sent or self.silent_seconds() > _SILENCE_SECONDS)

    async def pages(self, request: Request) -> AsyncIterator[tuple[list[object], int]]:
        """Yield the served records of each page, and the number in all pages of the lists so far.

        A page that fails costs that page: the later ones are still yielded. Raises UpstreamError at the end if
        anything is missing, at once if the first page or a second one fails.
        """
        before = 0
        for params in parameters(request):
            total = 0
            async for records, total in self._pages_of(request.path, params, is_list=not request.params):
                yield records, before + total
            before += total

    async def _pages_of(
        self, path: str, params: Mapping[str, str], *, is_list: bool
    ) -> AsyncIterator[tuple[list[object], int]]:
        """Yield the served records of each page of one list, and their number."""
        number, seen, total = 0, 0, 0
        skipped: UpstreamError | None = None
        last = False
        while not last:
            number += 1
            try:
                asked = {**params, "limit": str(PAGE_SIZE), "page": str(number)}
                async with self._list_slots if is_list else contextlib.nullcontext():
                    page = await self._page(f"{path}/", asked)
            except UpstreamError as error:
                if number == 1 or skipped is not None:
                    raise
                skipped, last = error, number * PAGE_SIZE >= total
                continue
            if page.next is not None and (not page.results or seen > page.count):  # its pages form a loop
                raise UpstreamError("served a list without an end")
            yield page.results, page.count
            seen, total, last = seen + len(page.results), page.count, page.next is None
        if skipped is not None:
            raise UpstreamError(f"{skipped}, for one page of {number}", skipped.status)
        if seen < total:
            raise UpstreamError(f"served {seen} of {total} records")

    async def count(self, path: str) -> int:
        """Return how many records an endpoint has in all. Raises UpstreamError."""
        pages = [await self._page(f"{path}/", {**always, "limit": "1"}) for always in BY_PATH[path].lists]
        return sum(page.count for page in pages)

    async def probe(self) -> None:
        """Check that Open5e answers, without a retry. Raises UpstreamError."""
        await self._get("v2/gamesystems/", {"limit": "1"})

    async def _page(self, path: str, params: Mapping[str, str]) -> Page:
        """Fetch one page, with retries after transport errors, 429 and 5xx."""
        retrying = AsyncRetrying(
            stop=stop_after_attempt(_ATTEMPTS), wait=_wait, retry=retry_if_exception_type(_PassingError), reraise=True
        )
        now = time.monotonic()
        if not self._asking and (self._has_sent or now - self._asked_at > _FORGETTING_SECONDS):
            self._silent_since, self._has_sent = now, False
        self._asking += 1
        try:
            return await retrying(self._get, path, params)
        finally:
            self._asking -= 1
            self._asked_at = time.monotonic()

    async def _get(self, path: str, params: Mapping[str, str]) -> Page:
        body = bytearray()
        try:
            async with self._slots, self._http().stream("GET", path, params=params) as response:
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if response.status_code == httpx.codes.OK:
                        self._silent_since, self._has_sent = time.monotonic(), True
        except httpx.TimeoutException:
            raise _PassingError("timed out") from None
        except httpx.TransportError:
            raise _PassingError("cannot be reached") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:  # a body that cannot be decoded, a redirect loop
            raise UpstreamError(f"answered something that cannot be used ({type(error).__name__})") from None
        if response.status_code == httpx.codes.OK:
            return _read(body)
        fault = f"answered {response.status_code}"
        if (
            response.status_code == httpx.codes.TOO_MANY_REQUESTS
            or response.status_code >= httpx.codes.INTERNAL_SERVER_ERROR
        ):
            after = _retry_after(response)
            if after <= _MAX_WAIT:
                raise _PassingError(fault, response.status_code, after)
        raise UpstreamError(fault, response.status_code)


def _network_settings(error: Exception) -> str:
    """The variables of the environment, of certificates or proxies, that httpx cannot have read."""
    names = _CERTIFICATES if isinstance(error, OSError) else _PROXIES
    given = [name for each in names for name in (each, each.lower()) if os.environ.get(name)]
    return f"the network settings of this process: check {' and '.join(given) or 'its environment'}"


def _read(body: bytearray) -> Page:
    try:
        return Page.model_validate_json(bytes(body))
    except ValidationError:
        raise UpstreamError("answered something that is not its usual JSON") from None


_jitter = wait_random_exponential(multiplier=0.3, max=3)


def _wait(state: RetryCallState) -> float:
    fault = state.outcome.exception() if state.outcome else None
    return max(_jitter(state), fault.after if isinstance(fault, _PassingError) else 0.0)


def _retry_after(response: httpx.Response) -> float:
    """The seconds that a 429 or 503 asks to wait; HTTP-date values are ignored (Open5e sends seconds)."""
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else 0.0
