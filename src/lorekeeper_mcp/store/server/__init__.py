"""What only a Milvus server needs."""
