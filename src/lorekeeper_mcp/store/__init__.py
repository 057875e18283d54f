"""The stored records: Milvus, words, embeddings."""
