"""The command line: the answers of the tools, in a terminal."""
