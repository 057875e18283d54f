"""Turns texts into vectors: the model, the text of a record, and precomputed vectors."""
