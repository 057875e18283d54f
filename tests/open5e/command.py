"""The real command, with the lengths of the invented lists: ``python -m tests.open5e.command``.

The program knows how many records each list of the real Open5e has, and refuses much shorter ones.
"""

from __future__ import annotations

from lorekeeper_mcp.__main__ import main
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS
from tests.open5e.endpoints import every_endpoint


def expect_invented_sizes() -> None:
    """Make the invented lists' lengths the known ones, in this process."""
    records = every_endpoint()
    for endpoint in ENDPOINTS:
        object.__setattr__(endpoint, "size", len(records[endpoint.path]))


if __name__ == "__main__":
    expect_invented_sizes()
    main()
