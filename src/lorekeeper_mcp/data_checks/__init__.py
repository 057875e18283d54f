"""What in a record contradicts itself or the rules, and so was probably damaged on its way here."""

from lorekeeper_mcp.data_checks.checks import Finding, findings

__all__ = ["Finding", "findings"]
