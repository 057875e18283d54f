"""Resolves the copies in a file: of its own items, of other files' items, of records."""

from __future__ import annotations

import contextlib
from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cached_property

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.fivetools.codes import KINDS
from lorekeeper_mcp.sources.fivetools.context import Item, Lists, identity, lists_of
from lorekeeper_mcp.sources.fivetools.copies.copy_modes import (
    MissingOriginalError,
    ancestors,
    items_by_name,
    resolve_copy,
)
from lorekeeper_mcp.sources.fivetools.writers.book import item_of
from lorekeeper_mcp.sources.json_values import mapping
from lorekeeper_mcp.sources.originals import Originals, with_record


class CopiedItems:
    """Resolves the copies of one file."""

    def __init__(self, lists: Lists, originals: Originals) -> None:
        self._lists = lists
        self._originals = originals
        self._own = {section: items_by_name(items) for section, items in lists.items()}
        self._of_all_files: dict[str, dict[str, list[Item]]] = {}

    def resolve_part(self, section: str, part: object) -> object:
        """Resolve a part of another item; unchanged if its original is not found."""
        if isinstance(part, dict) and "_copy" in part:
            with contextlib.suppress(TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
                return self.resolve(section, part)
        return part

    def resolve(self, section: str, item: Item) -> Item:
        """Resolve an item. Raises ItemError."""
        try:
            return resolve_copy(item, self._own.get(section, {}), self._templates)
        except MissingOriginalError:
            items = self._items_of_all_files(section)
        from_records: dict[str, list[Item]] = {}
        originals = ChainMap(from_records, items)
        while True:
            try:
                resolved = resolve_copy(item, originals, self._templates)
            except MissingOriginalError as missing:
                name = str(missing.reference.get("name")).lower()
                originals_of_name = self._from_record(section, missing.reference)
                if not originals_of_name or name in from_records:
                    raise
                from_records |= items_by_name([*items.get(name, ()), *originals_of_name])
            else:
                self._note_used(section, item, items)
                return resolved

    def shared_text(self, key: tuple[str, str]) -> Item | None:
        """Return a shared text of another file by its identity. It is then stored with this file."""
        for item in self._of_other_files.get("itemEntry", ()):
            if identity(item) == key:
                self._originals.use("itemEntry", item)
                return item
        return None

    def _from_record(self, section: str, reference: Mapping[str, object]) -> list[Item]:
        """The record that a copy refers to, as an item that matches the reference."""
        name, source = str(reference.get("name")), str(reference.get("source") or "")
        fields = {field: value for field, value in reference.items() if not field.startswith("_")}

        def written(record: Record) -> Item:
            return with_record(item_of(record, source) | fields, record)

        return self._originals.found(section, KINDS.get(section, ()), name, source, written)

    def _note_used(self, section: str, item: Item, items: Mapping[str, Sequence[Item]]) -> None:
        """Note originals from other files, to be stored with this one."""
        own_items = self._own.get(section, {})
        for original in ancestors(item, items):
            same_name = own_items.get(str(original.get("name", "")).lower(), ())
            if not any(original is own for own in same_name):
                self._originals.use(section, original)

    def _items_of_all_files(self, section: str) -> dict[str, list[Item]]:
        """The section's items by name, of this file and of the others."""
        if section not in self._of_all_files:
            items = [*self._lists[section], *self._of_other_files.get(section, ())]
            self._of_all_files[section] = items_by_name(items)
        return self._of_all_files[section]

    @cached_property
    def _templates(self) -> Mapping[str, Sequence[Item]]:
        """Templates of creatures, of this file and of the others."""
        if not any(mapping(item.get("_copy")).get("_templates") for item in self._lists.get("monster", [])):
            return {}
        own = self._lists.get("monsterTemplate", [])
        return items_by_name([*own, *self._of_other_files.get("monsterTemplate", ())])

    @cached_property
    def _of_other_files(self) -> Mapping[str, Sequence[Item]]:
        lists: dict[str, list[Item]] = {}
        for file in (*self._originals.files(), self._originals.kept):
            for section, items in lists_of(mapping(file)).items():
                lists.setdefault(section, []).extend(items)
        return lists
