"""The names of records: an index of them, matching with typed text, and finding them in questions."""
