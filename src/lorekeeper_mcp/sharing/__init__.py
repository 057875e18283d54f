"""One process answers for all that use a data folder: it owns the store, and the others relay their calls to it."""
