"""LoreKeeper: a D&D 5e reference for AI assistants over the Model Context Protocol."""
