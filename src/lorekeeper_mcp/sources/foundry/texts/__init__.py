"""Conversion of Foundry's texts to Markdown."""
