"""Parses filters from questions in plain words."""
