from collections.abc import Mapping

import pytest

from lorekeeper_mcp.models import Record


@pytest.fixture(scope="session")
def srd(embedded_records: list[Record]) -> Mapping[str, Record]:
    """Every record of the SRD 5.1 by its id, in order."""
    return {record.id: record for record in embedded_records if record.document_key == "srd-2014"}


@pytest.fixture(scope="session")
def srd52(embedded_records: list[Record]) -> Mapping[str, Record]:
    """Every record of the SRD 5.2 by its id, in order."""
    return {record.id: record for record in embedded_records if record.document_key == "srd-2024"}
