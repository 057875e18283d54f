"""How records read: a line of an index, facts to scan, or the whole page as a rulebook sets it."""
