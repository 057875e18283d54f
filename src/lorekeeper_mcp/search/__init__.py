"""The search pipeline: from a question to ranked records and the passages that answer it. No I/O of its own."""
