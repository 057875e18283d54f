"""Texts to vectors: the model, the text of a record, and vectors computed in advance."""
