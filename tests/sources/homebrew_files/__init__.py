"""Random valid files of the homebrew formats: fields of a schema, with unique words to find again."""
