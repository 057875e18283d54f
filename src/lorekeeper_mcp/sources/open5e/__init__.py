"""Open5e, API versions 2 and 1."""
