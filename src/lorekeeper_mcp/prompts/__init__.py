"""Prompts for tasks at the table."""
