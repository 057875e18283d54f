"""A passage: the smallest part of a record that answers a question on its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from lorekeeper_mcp.models import Edition


class PassageKind(StrEnum):
    """The kind of text that a passage is."""

    FACTS = "facts"
    PARAGRAPH = "paragraph"
    TRAIT = "trait"
    ACTION = "action"
    FEATURE = "feature"
    LIST_ITEM = "list-item"
    TABLE_ROW = "table-row"


@dataclass(frozen=True)
class Passage:
    """One passage of a record, in Markdown.

    ``index`` is its position in the record, the same whichever edition is requested. ``heading`` is the path of
    headings below the record's name. ``head`` is printed once above ``text``; that of a table row is the table's head.
    ``edition`` is the edition of its text, or None if it applies to all editions of the record.
    """

    index: int
    heading: tuple[str, ...]
    text: str
    kind: PassageKind
    head: str
    edition: Edition | None

    @property
    def markdown(self) -> str:
        """The text with its head."""
        return f"{self.head}\n{self.text}" if self.head else self.text


def join_passages(passages: Iterable[Passage]) -> str:
    """Join passages under one heading as Markdown, in the given order. Rows of one table share its head."""
    blocks: list[str] = []
    before: Passage | None = None
    for passage in passages:
        listed = passage.kind in (PassageKind.TABLE_ROW, PassageKind.LIST_ITEM)
        if listed and before and _table_or_list(before) == _table_or_list(passage):
            blocks[-1] += f"\n{passage.text}"
        else:
            blocks.append(passage.markdown)
        before = passage
    return "\n\n".join(blocks)


def _table_or_list(passage: Passage) -> tuple[PassageKind, tuple[str, ...], str]:
    return passage.kind, passage.heading, passage.head
