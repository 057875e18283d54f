"""The facade: decides whether to fetch before an answer, and assembles the answer."""
