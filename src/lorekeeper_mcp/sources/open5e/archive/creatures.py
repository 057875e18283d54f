"""Completes creatures of version 2 with version 1.

Version 1's value is used if version 2 has none: the description, the subtype after the type, the alignment, the armor,
skills, the sentence on legendary actions with their number, and each action whose name and type version 2 does not
have. If version 2 has only the ranges of senses or the damage types of a defense, version 1's line is used if it has
more: "blind beyond this radius", "from nonmagical attacks". Version 1 has the limits of an action (Recharge 4-6, Roc
Form Only) after its name; version 2 lost some. Actions that version 2 lists among the traits become actions. Only
version 1 marks swarms, and only version 1 has one book's passive Perception as printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import Action, Correction, Creature, Defenses, Section, Senses
from lorekeeper_mcp.sources.open5e.action_limits import limited_actions
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING, SOURCE
from lorekeeper_mcp.sources.stat_block import sense_ranges
from lorekeeper_mcp.text import fold

_NOTHING_OF = "nothing of "
_LESS = {"skills": "fewer", "defenses": "types alone", "traits": "with actions among them"}
# This book prints Perception as a passive score, with proficiency; version 2 derived one from Wisdom alone.
_PASSIVE_SCORES = frozenset({"bfrd"})
_DEFENSES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")
_PASSIVE = re.compile(r",? *passive perception \d+\b(?! *\()", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:blindsight|darkvision|tremorsense|truesight) \d+ ft\.", re.IGNORECASE)
_LETTER = re.compile(r"[a-z]", re.IGNORECASE)


def completed(record: Creature, archived: Creature) -> Creature:
    """Return a record of version 2 with the values that only version 1 has."""
    changes: dict[str, object] = {}
    for field in ("text", "alignment", "armor_text", "legendary_text"):
        if not getattr(record, field) and (value := getattr(archived, field)):
            changes[field] = value
    if archived.skills.keys() - record.skills.keys():
        changes["skills"] = dict(sorted((archived.skills | record.skills).items()))
    if senses := _fuller_senses(record, archived.senses):
        changes["senses"] = record.senses.model_copy(update=senses)
    if defenses := _fuller_defenses(record.defenses, archived.defenses):
        changes["defenses"] = defenses
    subtype = archived.type_text.partition("(")[2]
    if subtype and not record.subcategory and subtype.removesuffix(")").lower() not in record.type_text.lower():
        changes["type_text"] = f"{record.type_text} ({subtype}"
    lost, limited = _lost(record, archived), limited_actions(_continued(record.actions, archived), archived.actions)
    if (traits := _traits(record, lost)) is not None:
        changes["traits"] = traits
    if lost:
        changes["actions"] = _in_order([*limited, *lost], archived)
    elif limited != record.actions:
        changes["actions"] = limited
    if not changes:
        return record
    gained = [*lost, *(new for new, old in zip(limited, record.actions, strict=True) if new != old)]
    said = {**_LESS, "actions": _listed(gained), "senses": _said_of_senses(record, senses)}
    notes = tuple(Correction(field=field, was=said.get(field, NOTHING), source=SOURCE) for field in changes)
    return record.model_copy(update={**changes, "corrections": (*record.corrections, *notes)})


def carried_over(record: Creature, stored: Creature) -> Creature:
    """Return a newly fetched record of version 2 with the values that the stored one had from version 1."""
    noted = {note.field: note.was for note in stored.corrections if note.source == SOURCE}
    if not noted:
        return record
    kept = {field: getattr(stored, field) for field in noted if field != "actions"}
    names = frozenset(map(_plain, noted.get("actions", "").removeprefix(_NOTHING_OF).split("; ")))
    actions = tuple(action for action in stored.actions if _plain(action.name) in names)
    empty: Mapping[str, object] = {
        "text": "", "alignment": "", "armor_text": "", "legendary_text": "", "type_text": "", "skills": {},
        "senses": Senses(), "defenses": Defenses(), "actions": (),
    }  # fmt: skip
    return completed(record, stored.model_copy(update={**empty, **kept, "actions": actions}))


def _fuller_senses(record: Creature, archived: Senses) -> dict[str, object]:
    """Version 1's line if it has version 2's ranges and more, and the passive score."""
    senses, changes = record.senses, dict[str, object]()
    ranges = {name: feet for name in sense_ranges(archived.text) if (feet := getattr(senses, name))}
    told = _PASSIVE.sub("", archived.text).strip(" ,;")
    if not senses.text and ranges == sense_ranges(archived.text) and _LETTER.search(_RANGE.sub("", told)):
        changes["text"] = told
    score = archived.passive_perception if record.document_key in _PASSIVE_SCORES else None
    return changes if score in (None, senses.passive_perception) else changes | {"passive_perception": score}


def _said_of_senses(record: Creature, changes: Mapping[str, object]) -> str:
    passive = f"passive Perception {record.senses.passive_perception}" if "passive_perception" in changes else ""
    return "; ".join(filter(None, ("ranges alone" if "text" in changes else "", passive)))


def _fuller_defenses(defenses: Defenses, archived: Defenses) -> Defenses | None:
    """The defenses with version 1's lines if version 2 has the types without a line."""
    changes = {
        f"{name}_text": line
        for name in _DEFENSES
        if getattr(defenses, name)
        and not getattr(defenses, f"{name}_text")
        and (line := getattr(archived, f"{name}_text"))
    }
    return defenses.model_copy(update=changes) if changes else None


def _continued(actions: Sequence[Action], archived: Creature) -> tuple[Action, ...]:
    """The actions; one that breaks off before the list that it announces is completed with the list."""
    whole = {(one.type, _plain(one.name)): one.text for one in archived.actions}
    found = []
    for action in actions:
        text = whole.get((action.type, _plain(action.name)), "")
        goes_on = action.text.endswith(":") and fold(text).startswith(fold(action.text)) and text != action.text
        found.append(action.model_copy(update={"text": text}) if goes_on else action)
    return tuple(found)


def _lost(record: Creature, archived: Creature) -> list[Action]:
    """The actions that version 2 lacks. An action with another type, or within another action, is not lost."""
    if record.document_key == "srd-2014":  # the book has everything that version 2 lacks, and no other variants
        return []
    known = {(action.type, _plain(action.name)) for action in record.actions}
    texts = {(_plain(action.name), fold(action.text)) for action in record.actions}
    told = " ".join(text for _, text in texts)
    return [
        action
        for action in archived.actions
        if (action.type, _plain(action.name)) not in known
        and (_plain(action.name), fold(action.text)) not in texts
        and fold(f"{action.name} {action.text}") not in told
    ]


def _traits(record: Creature, lost: Sequence[Action]) -> tuple[Section, ...] | None:
    """The traits without those that are actions; None if there are no such traits."""
    moved = {(_plain(action.name), fold(action.text)) for action in lost}
    kept = tuple(one for one in record.traits if (_plain(one.name), fold(one.text)) not in moved)
    return kept if kept != record.traits else None


def _in_order(actions: list[Action], archived: Creature) -> tuple[Action, ...]:
    """Actions by type, in the order of version 1, which is the book's."""
    places = {(action.type, _plain(action.name)): place for place, action in enumerate(archived.actions)}
    types = list(dict.fromkeys(action.type for action in (*archived.actions, *actions)))
    last = len(places)
    ordered = sorted(actions, key=lambda one: (types.index(one.type), places.get((one.type, _plain(one.name)), last)))
    return tuple(ordered)


def _listed(actions: list[Action]) -> str:
    return f"{_NOTHING_OF}{'; '.join(_with_limit(action) for action in actions)}"


def _with_limit(action: Action) -> str:
    limits = ", ".join(filter(None, (action.uses, action.limited_to_form)))
    return f"{action.name} ({limits})" if limits and "(" not in action.name else action.name


def _plain(name: str) -> str:
    """The name without its limits of use: Bite for Bite (Recharge 5-6)."""
    return fold(name.partition("(")[0])
