"""Tags and entry trees of 5etools as Markdown."""
