"""Checks for records that contradict themselves or the rules, and so were probably damaged on the way."""

from scripts.data_checks.checks import Finding, findings

__all__ = ["Finding", "findings"]
