"""Texts of the application as Markdown."""
