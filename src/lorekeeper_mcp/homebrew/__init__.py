"""Imported homebrew: a library of the original files, and the store reconciled with it."""
