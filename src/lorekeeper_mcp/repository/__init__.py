"""Decides where an answer comes from, and puts it together."""
