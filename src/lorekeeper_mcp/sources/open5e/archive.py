"""Completes the records of version 2 with those of version 1, by a table of fields.

Version 2's values are kept, and what it lacks is taken field by field. The record's corrections name each such field
and version 1 as its source, so that a record refreshed from version 2 takes them over from the stored one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.models import Action, ActionType, Creature, Defenses, Kind, Record, Ref, Section, Senses, Spell
from lorekeeper_mcp.sources.open5e.adapters.creatures import DEFENSES, continues, type_of
from lorekeeper_mcp.sources.stat_block import sense_ranges
from lorekeeper_mcp.text import fold

P = TypeVar("P", Action, Section)
R = TypeVar("R", bound=Record)
_Reader: TypeAlias = Callable[[Any, Any], object]  # each takes the type of the records under which it stands
SOURCE = "Open5e's version 1"
_PASSIVE = re.compile(r",? *passive perception \d+\b(?! *\()", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:blindsight|darkvision|tremorsense|truesight) \d+ ft\.", re.IGNORECASE)
_LIMITS = re.compile(r"\s*\(([^()]+)\)\s*$")
_COST = re.compile(r"(?:costs? )?(\d)(?: actions?)?", re.IGNORECASE)
_USES = re.compile(r"\brecharges?\b|/\s*(?:day|rest|turn|round|week)\b", re.IGNORECASE)
_RANK: Mapping[str, int] = {kind: rank for rank, kind in enumerate(ActionType)}


def _if_missing(field: str) -> _Reader:
    return lambda record, archived: getattr(record, field) or getattr(archived, field)


def _united(field: str) -> _Reader:
    return lambda record, archived: dict(sorted((getattr(archived, field) | getattr(record, field)).items()))


def _with_subtype(record: Creature, archived: Creature) -> str:
    """``Humanoid (elf)``: version 2 has no subtypes."""
    subtype = archived.type_text.partition("(")[2].removesuffix(")").strip(" )")
    is_known = record.subcategory or re.search(rf"\b{re.escape(subtype)}\b", record.type_text, re.IGNORECASE)
    return record.type_text if is_known else f"{record.type_text} ({subtype})"


def _fuller_senses(record: Creature, archived: Creature) -> Senses:
    """Version 1's line if it has version 2's ranges and more, and its passive score, which one book has as printed."""
    senses, other = record.senses, archived.senses
    ranges = {name: feet for name in sense_ranges(other.text) if (feet := getattr(senses, name))}
    line = _PASSIVE.sub("", other.text).strip(" ,;")
    is_more = not senses.text and ranges == sense_ranges(other.text) and re.search(r"[A-Za-z]", _RANGE.sub("", line))
    score = max((n for n in (senses.passive_perception, other.passive_perception) if n is not None), default=None)
    return senses.model_copy(update={"text": line if is_more else senses.text, "passive_perception": score})


def _fuller_defenses(record: Creature, archived: Creature) -> Defenses:
    """Version 1's lines, with their conditions, where version 2 has none."""
    lines = {name: getattr(archived.defenses, name) for name in (f"{defense}_text" for defense in DEFENSES)}
    missing = {name: line for name, line in lines.items() if line and not getattr(record.defenses, name)}
    return record.defenses.model_copy(update=missing)


def _merged_parts(served: Sequence[P], printed: Sequence[P]) -> tuple[P, ...]:
    """The traits or actions of version 1, in its order and with its limits, with version 2's other fields of each.

    Version 2 sorts them by name, so that a paragraph that is an entry of its own goes on with the wrong one. What is
    an action in version 1 is no trait, and what has another type there is not repeated.
    """
    left, merged = list(served), list[P]()
    known = {(plain_name(part.name), fold(part.text)) for part in served}
    types = {(type_of(other), plain_name(other.name)) for other in printed}
    for other in printed:
        own = _namesake(other, left, types)
        if own is not None:
            left.remove(own)
            text = own.text if fold(own.text).endswith(fold(other.text)) else other.text
            merged.append(_limited(own.model_copy(update={"text": text}), other))
        elif isinstance(other, Section) or (plain_name(other.name), fold(other.text)) not in known:
            merged.append(other)
    names = {plain_name(other.name) for other in printed}
    merged += [one for one in left if plain_name(one.name) not in names and not continues(one.name)]
    return tuple(sorted(merged, key=lambda one: _RANK.get(type_of(one), 0)))


def _namesake(other: P, served: Sequence[P], types: Collection[tuple[str, str]]) -> P | None:
    """The served part with a name, best one of the same type and text; not one that version 1 has with its own type."""
    named = [one for one in served if plain_name(one.name) == plain_name(other.name)]
    named.sort(key=lambda one: (type_of(one) != type_of(other), fold(one.text) != fold(other.text)))
    own = named[0] if named else None
    is_another = own is not None and type_of(own) != type_of(other) and (type_of(own), plain_name(own.name)) in types
    return None if is_another else own


def _traits(record: Creature, archived: Creature) -> tuple[Section, ...]:
    moved = {(plain_name(action.name), fold(action.text)) for action in archived.actions}
    own = [trait for trait in record.traits if (plain_name(trait.name), fold(trait.text)) not in moved]
    return _merged_parts(own, archived.traits)


def _limited(part: P, other: P) -> P:
    """The part under the name of another, with the limits after that name in its fields: Recharge 5-6, Costs 2 Actions.

    Anything else in brackets, and the limits of a trait, stay in the name.
    """
    behind = _LIMITS.search(other.name)
    if not isinstance(part, Action) or not isinstance(other, Action) or not behind:
        return part if "(" in other.name else part.model_copy(update={"name": other.name})
    changes: dict[str, object] = {"uses": part.uses or other.uses}
    known = fold(f"{part.limited_to_form} {part.text}")
    rest = []
    for limit in re.split(r"; |, (?=\d|[Cc]ost|[Rr]echarge|[A-Z][\w ]+ Only)", behind[1]):
        if cost := _COST.fullmatch(limit):
            changes["legendary_cost"] = int(cost[1])
        elif _USES.search(limit):
            printed = re.sub(r"(?<=\d)-(?=\d)", "–", limit)
            changes["uses"] = part.uses if fold(printed) == fold(part.uses) else printed
        elif limit.endswith(" Only"):
            changes["limited_to_form"] = limit
        elif fold(limit) not in known:
            rest.append(limit)
    name = other.name[: behind.start()] + (f" ({'; '.join(rest)})" if rest else "")
    return part.model_copy(update={**changes, "name": name})


def plain_name(name: str) -> str:
    """Return the name without its limits of use, folded: bite for ``Bite (Recharge 5-6)``."""
    return fold(name.partition("(")[0])


def _all_classes(record: Spell, archived: Spell) -> object:
    """The classes of both, by name: version 2 lacks those of most books, and some with another spelling."""
    known = {fold(ref.name) for ref in record.classes}
    lost = [ref for ref in archived.classes if fold(ref.name) not in known]
    return tuple(sorted((*record.classes, *lost), key=lambda ref: ref.name)) if lost else record.classes


def _range_with_area(record: Spell, archived: Spell) -> str:
    """``Self (30-foot radius)``: version 2 has lost the part in brackets."""
    begins = record.range_text and archived.range_text.lower().startswith(f"{record.range_text.lower()} (")
    return archived.range_text if begins else record.range_text


_TABLE: Mapping[Kind, Mapping[str, _Reader]] = {
    Kind.CREATURE: {
        "text": _if_missing("text"),
        "page": _if_missing("page"),
        "armor_text": _if_missing("armor_text"),
        "legendary_text": _if_missing("legendary_text"),
        "skills": _united("skills"),
        "speed": _united("speed"),
        "senses": _fuller_senses,
        "defenses": _fuller_defenses,
        "type_text": _with_subtype,
        "traits": _traits,
        "actions": lambda record, archived: _merged_parts(record.actions, archived.actions),
    },
    Kind.SPELL: {"classes": _all_classes, "range_text": _range_with_area},
    Kind.BACKGROUND: {"text": _if_missing("text")},
    Kind.FEAT: {"text": _if_missing("text")},
    Kind.SPECIES: {name: _if_missing(name) for name in ("size", "speed", "traits")},
    Kind.SUBCLASS: {"features": _if_missing("features")},
}


def completed(record: R, archived: Record, fields: Collection[str] | None = None) -> R:
    """Return a record of version 2 with what only version 1 has, or the same one; of all ``fields`` if None.

    Both are compared as corrected, so that an error is no difference. Fields that stay are left as they were served.
    """
    right, other, changes = corrected(record), corrected(archived), {}
    for name, read in _TABLE.get(record.kind, {}).items():
        if (fields is None or name in fields) and (value := read(right, other)) != getattr(right, name):
            changes[name] = (_shown(getattr(right, name)), value)
    if not changes:
        return record
    notes = [note for note in right.corrections[len(record.corrections) :] if note.field.split(".")[0] in changes]
    with_notes = record.model_copy(update={"corrections": (*record.corrections, *notes)})
    return with_notes.amended(changes, SOURCE)


def _shown(value: object) -> str:
    """What version 2 has in a field, for the note: a text, or the names of classes."""
    if isinstance(value, tuple) and value and all(isinstance(entry, Ref) for entry in value):
        return ", ".join(entry.name for entry in value)
    return value or "nothing" if isinstance(value, str) else "less" if value else "nothing"


def merged(arrived: Iterable[Record], stored: Mapping[str, Record], *, completing: bool) -> list[Record]:
    """Return the records to store from a batch, given the stored records of version 2 with the same ids.

    If records of version 1 are ``completing``, only the records that gain something are returned.
    """
    to_store: list[Record] = []
    for record in arrived:
        stored_record = stored.get(record.id)
        if stored_record is None:
            to_store += [] if completing else [record]
        elif not completing:  # a refreshed record keeps what the stored one has of version 1
            noted = {note.field for note in stored_record.corrections if note.source == SOURCE}
            to_store.append(completed(record, stored_record, noted))
        elif (whole := completed(stored_record, record)) is not stored_record:
            to_store.append(whole)
    return to_store
