"""Keeps the store in step with Open5e and the embedded SRDs."""
