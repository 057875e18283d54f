"""Imported homebrew: a library of the original files, and reconciling the store with it."""
