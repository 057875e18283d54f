"""Writes records as 5etools files: the book, its creatures, and Markdown as entry trees."""
