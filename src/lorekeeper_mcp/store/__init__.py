"""The records held locally: Milvus, words, embeddings."""
