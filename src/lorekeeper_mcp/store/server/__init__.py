"""The code that only a Milvus server needs."""
