"""The command line: the same answers as the tools give, for a terminal."""
