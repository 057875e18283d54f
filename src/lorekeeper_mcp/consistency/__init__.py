"""What in a record contradicts itself or the rules, and so was probably damaged on its way here."""

from lorekeeper_mcp.consistency.checking import suspects
from lorekeeper_mcp.consistency.suspect import Suspect

__all__ = ["Suspect", "suspects"]
