"""Shares one local store among processes: one owns it and answers, the others relay their calls to it."""
