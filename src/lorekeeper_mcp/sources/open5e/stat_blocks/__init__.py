"""Repairs of stat blocks: actions that are cut, glued, doubled or unsorted, their limits, bonuses and spell lists."""
