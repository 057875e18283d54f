"""Resolves the copies in a file: of its own items, of other files' items, of records."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from functools import cached_property, partial

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.fivetools.codes import KINDS
from lorekeeper_mcp.sources.fivetools.context import Item, Lists, lists_of
from lorekeeper_mcp.sources.fivetools.copies.copy_modes import items_by_name, original_of, resolve_copy
from lorekeeper_mcp.sources.fivetools.copies.stored_items import item_of
from lorekeeper_mcp.sources.json_values import mapping
from lorekeeper_mcp.sources.originals import Originals, with_record


class CopiedItems:
    """Resolves the copies of one file."""

    def __init__(self, lists: Lists, originals: Originals) -> None:
        self._lists = lists
        self._originals = originals
        self._own = {section: items_by_name(items) for section, items in lists.items()}

    def resolve_part(self, section: str, part: object) -> object:
        """Resolve a part of another item; unchanged if its original is not found."""
        if isinstance(part, dict) and "_copy" in part:
            with contextlib.suppress(TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
                return self.resolve(section, part)
        return part

    def resolve(self, section: str, item: Item) -> Item:
        """Resolve an item. Raises ItemError."""
        return resolve_copy(item, partial(self._original, section), self._templates)

    def _original(self, section: str, item: Item, reference: Mapping[str, object]) -> Item | None:
        """The original of a copy: of the file, of another one, which is then stored with it, or a record."""
        if original := original_of(item, reference, self._own.get(section, {})):
            return original
        if original := original_of(item, reference, self._others.get(section, {})):
            self._originals.use(section, original)
            return original
        return self._from_record(section, reference)

    def shared_text(self, key: tuple[str, str]) -> Item | None:
        """Return a shared text of another file by its identity. It is then stored with this file."""
        for item in self._others.get("itemEntry", {}).get("|".join(key), ()):
            self._originals.use("itemEntry", item)
            return item
        return None

    def _from_record(self, section: str, reference: Mapping[str, object]) -> Item | None:
        """The record that a copy refers to, as an item that matches the reference."""
        name, source = str(reference.get("name")), str(reference.get("source") or "")
        fields = {field: value for field, value in reference.items() if not field.startswith("_")}

        def written(record: Record) -> Item:
            return with_record(item_of(record, source) | fields, record)

        return self._originals.find(section, KINDS.get(section, ()), name, source, written)

    @cached_property
    def _templates(self) -> Mapping[str, Sequence[Item]]:
        """Templates of creatures, of this file and of the others."""
        if not any(mapping(item.get("_copy")).get("_templates") for item in self._lists.get("monster", [])):
            return {}
        own, others = self._own.get("monsterTemplate", {}), self._others.get("monsterTemplate", {})
        return {name: [*own.get(name, ()), *others.get(name, ())] for name in own.keys() | others.keys()}

    @cached_property
    def _others(self) -> Mapping[str, Mapping[str, Sequence[Item]]]:
        """The items of other files by section and name."""
        lists: dict[str, list[Item]] = {}
        for file in (*self._originals.files(), self._originals.kept):
            for section, items in lists_of(mapping(file)).items():
                lists.setdefault(section, []).extend(items)
        return {section: items_by_name(items) for section, items in lists.items()}
