"""The clients that several modules ask."""

from __future__ import annotations

import pytest
from fastmcp import Client

from tests.recorded import needs_recorded


@pytest.fixture(scope="module", params=["embedded", pytest.param("warm", marks=needs_recorded)])
def client(request: pytest.FixtureRequest) -> Client:
    """A client of the embedded SRD alone, and one of a store that also has everything of Open5e."""
    client: Client = request.getfixturevalue(request.param)
    return client
