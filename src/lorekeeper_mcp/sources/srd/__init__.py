"""The embedded SRDs 5.1 and 5.2: records read from the books when the package was built."""

from lorekeeper_mcp.sources.srd.records_file import FILE, RecordsFileError, record_of, records, version

__all__ = ["FILE", "RecordsFileError", "record_of", "records", "version"]
