"""Renders records as Markdown: an index line, a summary of facts, or the full page."""
