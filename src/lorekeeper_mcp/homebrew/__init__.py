"""Imported homebrew: a library of the files as given, and the store reconciled with it."""
