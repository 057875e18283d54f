"""Keeps the store in sync with Open5e and the embedded SRDs."""
