"""The passages of records: paragraphs, traits, actions, features, list items, table rows and lines of facts."""

from lorekeeper_mcp.passages.passage import Passage, PassageKind, join_passages
from lorekeeper_mcp.passages.record_passages import passages_of

__all__ = ["Passage", "PassageKind", "join_passages", "passages_of"]
