"""Copies of other items (``_copy``) and their modifications."""
