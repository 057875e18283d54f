"""The search pipeline: from a question to ranked records, and the passages that answer it. It does no I/O itself."""
