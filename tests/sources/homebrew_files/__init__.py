"""Random valid files of the formats of homebrew: what a schema names, with words in it that are found again."""
