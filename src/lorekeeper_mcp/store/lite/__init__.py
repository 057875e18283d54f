"""A local store, and all knowledge of Milvus Lite's files: its child process, lock and quarantine."""
