"""Resolves the copies in a file: of its own items, of other files' items, of records."""

from __future__ import annotations

import contextlib
from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cached_property

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.fivetools.codes import KINDS
from lorekeeper_mcp.sources.fivetools.context import Item, Lists, identity, lists_of
from lorekeeper_mcp.sources.fivetools.copies import MissingOriginalError, ancestors, by_name, resolved
from lorekeeper_mcp.sources.fivetools.writers.book import item_of
from lorekeeper_mcp.sources.json_values import mapping
from lorekeeper_mcp.sources.originals import Originals, with_record


class CopiedItems:
    """Resolves the copies of one file."""

    def __init__(self, lists: Lists, outside: Originals) -> None:
        self._lists = lists
        self._outside = outside
        self._own = {section: by_name(of) for section, of in lists.items()}
        self._everywhere: dict[str, dict[str, list[Item]]] = {}

    def whole(self, section: str, part: object) -> object:
        """Resolve a part of another item; unchanged if its original is not found."""
        if isinstance(part, dict) and "_copy" in part:
            with contextlib.suppress(TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
                return self.resolved(section, part)
        return part

    def resolved(self, section: str, given: Item) -> Item:
        """Resolve an item. Raises ItemError."""
        try:
            return resolved(given, self._own.get(section, {}), self._templates)
        except MissingOriginalError:
            others = self._named_anywhere(section)
        of_records: dict[str, list[Item]] = {}
        every = ChainMap(of_records, others)
        while True:
            try:
                made = resolved(given, every, self._templates)
            except MissingOriginalError as missing:
                name = str(missing.wanted.get("name")).lower()
                found = self._of_record(section, missing.wanted)
                if not found or name in of_records:
                    raise
                of_records |= by_name([*others.get(name, ()), *found])
            else:
                self._note_used(section, given, others)
                return made

    def _of_record(self, section: str, wanted: Mapping[str, object]) -> list[Item]:
        """The record that a copy refers to, as an item that matches the reference."""
        name, source = str(wanted.get("name")), str(wanted.get("source") or "")
        own = {key: value for key, value in wanted.items() if not key.startswith("_")}

        def written(record: Record) -> Item:
            return with_record(item_of(record, source) | own, record)

        return self._outside.found(section, KINDS.get(section, ()), name, source, written)

    def _note_used(self, section: str, given: Item, others: Mapping[str, Sequence[Item]]) -> None:
        """Note originals from other files, to be stored with this one."""
        own = self._own.get(section, {})
        for one in ancestors(given, others):
            if not any(one is other for other in own.get(str(one.get("name", "")).lower(), ())):
                self._outside.use(section, one)

    def shared_text(self, name: str, source: str) -> Item | None:
        """Return a shared text, of the file or of another one, which is then stored with it."""
        section, wanted = "itemEntry", identity({"name": name, "source": source})
        own = self._own.get(section, {}).get("|".join(wanted), ())
        others = (one for one in self._of_others.get(section, ()) if one not in own)
        found = next((one for one in (*own, *others) if identity(one) == wanted), None)
        if found is not None and not any(one is found for one in own):
            self._outside.use(section, found)
        return found

    def _named_anywhere(self, section: str) -> dict[str, list[Item]]:
        """The section's items by name, of this file and of the others."""
        if section not in self._everywhere:
            self._everywhere[section] = by_name([*self._lists[section], *self._of_others.get(section, ())])
        return self._everywhere[section]

    @cached_property
    def _templates(self) -> Mapping[str, Sequence[Item]]:
        """Templates of creatures, of this file and of the others."""
        own = self._lists.get("monsterTemplate", [])
        used = any(mapping(one.get("_copy")).get("_templates") for one in self._lists.get("monster", []))
        return by_name([*own, *self._of_others.get("monsterTemplate", ())]) if used else {}

    @cached_property
    def _of_others(self) -> Mapping[str, Sequence[Item]]:
        found: dict[str, list[Item]] = {}
        for other in (*self._outside.files(), self._outside.kept):
            for section, items in lists_of(mapping(other)).items():
                found.setdefault(section, []).extend(items)
        return found
