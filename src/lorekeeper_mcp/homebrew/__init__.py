"""Imported homebrew: the files as they were given, kept beside the cache, and the cache brought in line with them."""
