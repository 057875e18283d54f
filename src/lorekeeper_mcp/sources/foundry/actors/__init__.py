"""Actors: creatures, characters and vehicles with their items."""
