"""Conversion of 5etools' tags and entry trees to Markdown."""
