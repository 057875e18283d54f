from collections.abc import Mapping

import pytest

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.srd import records


@pytest.fixture(scope="session")
def srd() -> Mapping[str, Record]:
    """Every embedded record by its id, in order."""
    return {record.id: record for record in records()}
