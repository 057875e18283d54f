"""All knowledge of Milvus Lite's files: connections, locks, integrity, quarantine."""
