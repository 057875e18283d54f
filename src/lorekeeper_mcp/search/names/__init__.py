"""The names of records: looking them up, matching them with what is typed, finding them in questions."""
