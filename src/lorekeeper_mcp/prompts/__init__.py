"""Prompts for what people do at the table."""
