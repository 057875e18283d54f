"""Copies of items: their originals, what they inherit, and their modifications (``_mod``).

A modification that is not known, or that does not fit the original, is listed in the copy instead of being applied.
"""

from __future__ import annotations

import contextlib
import copy
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias, cast

import re2

from lorekeeper_mcp.models import Action, Background, Creature, Equipment, Kind, Record, Section, Species, Spell
from lorekeeper_mcp.sources.field_reader import JsonObject, as_object, integer, listed, mapping, objects, with_texts
from lorekeeper_mcp.sources.fivetools.adapters import ACTIONS, ARMORS, DEFENSES
from lorekeeper_mcp.sources.fivetools.context import Item, Lists, lists_of
from lorekeeper_mcp.sources.fivetools.entries import grow, markdown, size_of
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_record
from lorekeeper_mcp.sources.stat_block import printed_name

# The kinds of record that an item of a section may be copied from.
_KINDS: dict[str, tuple[Kind, ...]] = {
    "monster": (Kind.CREATURE,), "spell": (Kind.SPELL,), "race": (Kind.SPECIES,), "background": (Kind.BACKGROUND,),
    **dict.fromkeys(("item", "baseitem"), (Kind.MAGIC_ITEM, Kind.WEAPON, Kind.ARMOR, Kind.ITEM)),
    **dict.fromkeys(("feat", "optionalfeature"), (Kind.FEAT,)),
    "condition": (Kind.CONDITION,), "language": (Kind.LANGUAGE,),
}  # fmt: skip
# Fields that a copy does not inherit unless ``_preserve`` lists them.
_NOT_INHERITED = frozenset(
    "_versions page legendaryGroup environment variant dragonCastingColor familiar lootTables tier".split()
)
_MAX_DEPTH = 20  # copies of copies
ItemsByName = Mapping[str, Sequence[Item]]
"""Items by name in lower case."""


class CopiedItems:
    """Resolves the copies of one file: of its own items, of other files' items, of records."""

    def __init__(self, lists: Lists, originals: Originals) -> None:
        self._originals = originals
        self._sizes: dict[int, tuple[Item, int]] = {}  # originals and their sizes, by id
        self._own = {section: _by_name(items) for section, items in lists.items()}

    def resolve_part(self, section: str, part: object) -> object:
        """Resolve a part of another item; unchanged if its original is not found."""
        if isinstance(part, dict) and "_copy" in part:
            with contextlib.suppress(TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
                return self.resolve(section, part)
        return part

    def resolve(self, section: str, item: Item, _copies: tuple[int, ...] = ()) -> Item:
        """Return the item itself, or the result of its ``_copy`` of an original. Raises ItemError.

        Modifications that are not known, or do not fit the original, are a field of the copy.
        """
        reference = item.get("_copy")
        if not isinstance(reference, Mapping):
            return item
        if id(item) in _copies:
            raise ItemError("it is a copy of itself")
        if len(_copies) > _MAX_DEPTH:
            raise ItemError(f"it is a copy of copies, more than {_MAX_DEPTH} deep")
        original = self._original(section, item, reference)
        resolved = self.resolve(section, original, (*_copies, id(item)))
        if resolved is not original or id(original) not in self._sizes:
            self._sizes[id(original)] = (original, size_of(resolved))
        grow(self._sizes[id(original)][1])
        changes = [*map(self._template, objects(listed(reference.get("_templates")))), reference]
        preserved = mapping(reference.get("_preserve"))
        left_out = {"_copy"} if "*" in preserved else {"_copy", *(_NOT_INHERITED - preserved.keys())}
        copied = {name: copy.deepcopy(value) for name, value in resolved.items() if name not in left_out}
        for change in changes:
            copied |= copy.deepcopy(dict(mapping(change.get("_root"))))
        copied |= {name: value for name, value in item.items() if name != "_copy"}
        for name in [name for name, value in item.items() if value is None]:
            del copied[name]
        for change in changes:
            for target, modifications in mapping(change.get("_mod")).items():
                for modification in listed(modifications):
                    modify(copied, target, modification)
        return copied

    def _original(self, section: str, item: Item, reference: JsonObject) -> Item:
        """The original of a copy: of the file, of another one, which is then stored with it, or a record."""
        if original := _first(self._own.get(section, {}), reference, besides=item):
            return original
        if original := _first(self._others.get(section, {}), reference, besides=item):
            self._originals.use(section, original)
            return original
        name, source = str(reference.get("name")), str(reference.get("source") or "")
        fields = {field: value for field, value in reference.items() if not field.startswith("_")}

        def written(record: Record) -> Item:
            return with_record(item_of(record, source) | fields, record)

        if original := self._originals.find(section, _KINDS.get(section, ()), name, source, written):
            return original
        of_source = f" ({source})" if source else ""
        raise ItemError(f'it is a copy of "{name}"{of_source}, which is not in these files, the SRD or the store')

    def _template(self, reference: JsonObject) -> JsonObject:
        """The changes of a template. Raises ItemError if it is in no file."""
        for items in (self._own, self._others):
            if template := _first(items.get("monsterTemplate", {}), reference):
                return mapping(template.get("apply"))
        raise ItemError(f'its template "{reference.get("name")}" is not in these files')

    @cached_property
    def _others(self) -> Mapping[str, ItemsByName]:
        lists: dict[str, list[Item]] = {}
        for file in (*self._originals.files(), self._originals.kept):
            for section, items in lists_of(mapping(file)).items():
                lists.setdefault(section, []).extend(items)
        return {section: _by_name(items) for section, items in lists.items()}


def _by_name(items: Iterable[Item]) -> ItemsByName:
    by_name: dict[str, list[Item]] = {}
    for item in items:
        by_name.setdefault(str(item.get("name", "")).lower(), []).append(item)
    return by_name


def _first(items: ItemsByName, reference: JsonObject, besides: Item | None = None) -> Item | None:
    """The first item that a reference fits: all of its fields are equal."""
    wanted = {name: str(value).lower() for name, value in reference.items() if not name.startswith("_")}
    for item in items.get(wanted.get("name", ""), ()):
        if item != besides and all(str(item.get(name, "")).lower() == value for name, value in wanted.items()):
            return item
    return None


# --- Modifications ---

Modification: TypeAlias = "Callable[[Item, str, JsonObject], None]"
_NOT_APPLIED = "modifications not applied"
_TEXT_FIELDS = (
    "trait", "action", "bonus", "reaction", "legendary", "mythic", "variant", "spellcasting", "entries",
    "actionHeader", "bonusHeader", "reactionHeader", "legendaryHeader", "mythicHeader",
)  # fmt: skip
_MAX_PATTERN = 500  # characters
_GROUP = re.compile(r"\$(\d{1,2}|&)")
_VARIABLE = re.compile(r"<\$(title_)?(short_)?name\$>")


class ModificationError(ValueError):
    """The modification does not fit; the message says why."""


def modify(item: Item, target: str, modification: object) -> None:
    """Apply one modification to a field, to every text (``*``) or to the item (``_``), or note that it does not fit."""
    if modification == "remove":
        item.pop(target, None)
        return
    grow(size_of(modification))
    mode = str(mapping(modification).get("mode"))
    try:
        apply, filled = _MODES[mode], mapping(_with_name(modification, item))
        for field in [field for field in _TEXT_FIELDS if field in item] if target == "*" else [target]:
            apply(item, field, filled)
    except (ModificationError, KeyError) as error:
        reason = str(error) if isinstance(error, ModificationError) else "it is unknown"
        left_out = {"name": mode, "reason": reason, "field": target, **as_object(modification, "what")}
        left_out.pop("mode", None)
        item[_NOT_APPLIED] = [*listed(item.get(_NOT_APPLIED)), left_out]


def _with_name(value: object, item: Item) -> object:
    """A modification with the item's name in place of ``<$title_short_name$>``; of other variables it has none."""
    name, short = str(item.get("name") or ""), item.get("shortName")

    def filled(variable: re.Match[str]) -> str:
        words = name if item.get("isNamedCreature") else name.lower()
        words = short if variable[2] and isinstance(short, str) else words
        grow(len(words))
        return words[:1].upper() + words[1:] if variable[1] else words

    def replaced(text: str) -> str:
        plain = _VARIABLE.sub(filled, text)
        if "<$" in plain:
            raise ModificationError("it is calculated from the original's numbers")
        return plain

    return with_texts(value, replaced)


def _pattern(text: object, flags: object) -> re.Pattern[str]:
    """Compile a pattern of the file, which matches in linear time. Raises ModificationError if it is not supported."""
    options = re2.Options()
    options.case_sensitive = "i" not in str(flags or "")
    options.log_errors = False
    try:
        if len(str(text)) <= _MAX_PATTERN:
            pattern: re.Pattern[str] = re2.compile(str(text), options)
            return pattern
    except re2.error:
        pass
    raise ModificationError(f'the pattern "{str(text)[:60]}" is invalid or too complex')


def _replace_text(item: Item, field: str, mod: JsonObject) -> None:
    """Replace every match of a pattern; ``$1`` and ``$&`` are what a group and the pattern matched."""
    pattern, replacement = _pattern(mod.get("replace"), mod.get("flags")), str(mod.get("with", ""))
    props = mod.get("props")

    def new_text(match: re.Match[str]) -> str:
        try:
            new = _GROUP.sub(lambda group: match[0 if group[1] == "&" else int(group[1])] or "", replacement)
        except IndexError:
            reason = f'the replacement "{replacement[:60]}" names a group that the pattern lacks'
            raise ModificationError(reason) from None
        grow(len(new) - len(match[0]))
        return new

    def replaced(value: object, name: str | None = None) -> object:
        if isinstance(value, str):
            is_changed = name in props if isinstance(props, list) else name not in ("name", "type", "source")
            return pattern.sub(new_text, value) if is_changed else value
        if isinstance(value, list):
            return [replaced(part, name) for part in value]
        if isinstance(value, Mapping):
            return {inner: replaced(part, inner) for inner, part in value.items()}
        return value

    if field in item:
        item[field] = replaced(item[field])


def _rename(item: Item, field: str, mod: JsonObject) -> None:
    names = {spec.get("rename"): spec.get("with") for spec in map(mapping, listed(mod.get("renames")))}
    for entry in filter(None, map(mapping, _list_of(item, field))):
        cast(Item, entry)["name"] = names.get(entry.get("name"), entry.get("name"))


def _list_of(item: Item, field: str) -> list[object]:
    """Return the list in a field, created if missing. Raises ModificationError if the field is not a list."""
    if RECORD in item and field not in item:
        raise ModificationError(f'the original is a stored record, whose "{field}" can only be replaced')
    value = item.setdefault(field, [])
    if not isinstance(value, list):
        raise ModificationError(f'"{field}" is not a list')
    return value


def _insert(item: Item, field: str, mod: JsonObject) -> None:
    entries = _list_of(item, field)
    ends = {"prependArr": 0, "appendArr": len(entries)}
    index = ends.get(str(mod.get("mode")), integer(mod.get("index")) or 0)
    entries[index:index] = listed(mod.get("items"))


def _replace(item: Item, field: str, mod: JsonObject) -> None:
    """Replace an entry, given by its name, by an index, or by a pattern for its name."""
    entries, wanted = _list_of(item, field), mod.get("replace")
    spec = mapping(wanted)
    pattern = _pattern(spec["regex"], spec.get("flags")) if "regex" in spec else None
    index = next(
        (
            at
            for at, name in enumerate(map(_name, entries))
            if (pattern.search(str(name)) if pattern else wanted == name or spec.get("index") == at)
        ),
        None,
    )
    if index is None and mod.get("mode") == "replaceArr":
        raise ModificationError(f'the original has no "{wanted}" in "{field}" to replace')
    at = slice(len(entries), None) if index is None else slice(index, index + 1)
    entries[at] = listed(mod.get("items"))


def _name(entry: object) -> object:
    return entry.get("name") if isinstance(entry, Mapping) else entry


def _remove(item: Item, field: str, mod: JsonObject) -> None:
    def content(value: object) -> str:
        return json.dumps(value, sort_keys=True, default=str)

    removed = set(map(content, listed(mod.get("names", mod.get("items")))))
    item[field] = [entry for entry in _list_of(item, field) if not removed & {content(_name(entry)), content(entry)}]


def _set(item: Item, field: str, mod: JsonObject) -> None:
    *outer, last = str(mod.get("prop") or field).split(".")
    target: Item = item
    for name in outer:
        inner = target.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ModificationError(f'it sets a part of "{name}", which has no parts')
        target = inner
    target[last] = mod.get("value")


_MODES: Mapping[str, Modification] = {
    "replaceTxt": _replace_text,
    **dict.fromkeys(("prependArr", "appendArr", "insertArr"), _insert),
    **dict.fromkeys(("replaceArr", "replaceOrAppendArr"), _replace),
    "removeArr": _remove,
    "renameArr": _rename,
    "setProp": _set,
    "setProps": lambda item, _, mod: item.update(mapping(mod.get("props"))),
}
"""Those that change texts and lists. One that calculates with numbers of the original is listed in the copy."""


# --- Records as items: the fields that a modification may change in part; a copy inherits all else from the record ---


def item_of(record: Record, source: str) -> Item:
    """Return a record as an item of a source."""
    fields: Item = {"name": record.name, "source": source, "entries": _entries(record.text)}
    match record:
        case Creature():
            fields |= _creature_fields(record)
        case Equipment(weapon=weapon, armor=armor):
            types = {category: code for code, category in ARMORS.items()}
            fields |= {"type": "R" if weapon.is_ranged else "M"} if weapon else {}
            fields |= {"type": types.get(armor.category, ""), "ac": armor.ac_base} if armor else {}
        case Spell():
            fields |= {"level": record.level, "entriesHigherLevel": _entries(record.higher_level)}
        case Species():
            fields["entries"] = [*_entries(record.text), *_named(record.traits)]
        case Background():
            fields["entries"] = [*_entries(record.text), *_named(record.benefits)]
        case _:
            pass
    return {name: value for name, value in fields.items() if value is not None}


def _creature_fields(record: Creature) -> Item:
    fields: Item = {"trait": _named(record.traits), "languages": _listed(record.languages, ",")}
    for field, kind in ACTIONS.items():
        fields[field] = _named(action for action in record.actions if action.type is kind)
    for name, field in DEFENSES.items():
        parts = _listed(getattr(record.defenses, f"{name}_text"), ";") or getattr(record.defenses, name)
        fields[field] = [{"special": part} if " " in part else part for part in parts]
    return fields


def _entries(text: str) -> list[object]:
    """The paragraphs of a text, or all of it where they would be read otherwise."""
    paragraphs = [paragraph for paragraph in text.split("\n\n") if paragraph]
    return list(paragraphs) if markdown(paragraphs) == text.strip() else [text]


def _named(parts: Iterable[Section | Action]) -> list[object]:
    """Named entries; the paragraphs of a part without a name."""
    named: list[object] = []
    for part in parts:
        name = printed_name(part) if isinstance(part, Action) else part.name
        entries = _entries(part.text)
        named += [{"type": "entries", "name": name, "entries": entries}] if name else entries
    return named


def _listed(text: str, separator: str) -> list[str]:
    return [part.strip() for part in text.split(separator) if part.strip()]
