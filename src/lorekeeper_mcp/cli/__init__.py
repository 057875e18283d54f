"""The command line: the same answers as the tools', in a terminal."""
