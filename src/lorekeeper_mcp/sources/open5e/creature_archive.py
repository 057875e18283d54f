"""How version 1 completes version 2, field by field.

The rule: what version 2 has stands. Where it has nothing, version 1's value is taken: the description, the subtype
behind the type, the alignment, the armor, skills, the sentence on legendary actions with their number, and each action
of which version 2 has none of that name and type. Where version 2 has only the ranges of senses or the types of damage
of a defense, version 1's line is taken if it says more: "blind beyond this radius", "from nonmagical attacks". What
limits an action (Recharge 4-6, Roc Form Only) stands behind its name in version 1; version 2 has lost it of some. The
record's corrections name each such field and version 1 as its source, so that a record renewed from version 2 takes
them over from the one that is stored, and none is fetched again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from lorekeeper_mcp.models import Action, Correction, Creature, Defenses, Record, Senses
from lorekeeper_mcp.sources.open5e.action_limits import limited_actions
from lorekeeper_mcp.sources.stat_block import sense_ranges
from lorekeeper_mcp.text import fold

SOURCE = "Open5e's version 1"
_NOTHING = "nothing"
_NOTHING_OF = "nothing of "
_LESS = {"skills": "fewer", "senses": "ranges alone", "defenses": "types alone"}
_DEFENSES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")
_PASSIVE = re.compile(r",? *passive perception \d+\b(?! *\()", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:blindsight|darkvision|tremorsense|truesight) \d+ ft\.", re.IGNORECASE)
_LETTER = re.compile(r"[a-z]", re.IGNORECASE)


def merged(arrived: Iterable[Record], stored: Mapping[str, Record], *, completing: bool) -> list[Record]:
    """What to store of creatures that have come, given what is stored of version 2 under their ids.

    Where those of version 1 are ``completing``, only the records that gain something by them are given.
    """
    found: list[Record] = []
    for record in arrived:
        known = stored.get(record.id)
        if not isinstance(record, Creature) or not isinstance(known, Creature):
            found += [] if completing else [record]
        elif not completing:
            found.append(carried_over(record, known))
        elif (whole := completed(known, record)) is not known:
            found.append(whole)
    return found


def completed(record: Creature, archived: Creature) -> Creature:
    """A record of version 2 with what only version 1 has."""
    changes: dict[str, object] = {}
    for field in ("text", "alignment", "armor_text", "legendary_text"):
        if not getattr(record, field) and (value := getattr(archived, field)):
            changes[field] = value
    if archived.skills.keys() - record.skills.keys():
        changes["skills"] = dict(sorted((archived.skills | record.skills).items()))
    if senses := _fuller_senses(record.senses, archived.senses.text):
        changes["senses"] = senses
    if defenses := _fuller_defenses(record.defenses, archived.defenses):
        changes["defenses"] = defenses
    subtype = archived.type_text.partition("(")[2]
    if subtype and not record.subcategory and subtype.removesuffix(")").lower() not in record.type_text.lower():
        changes["type_text"] = f"{record.type_text} ({subtype}"
    lost, limited = _lost(record, archived), limited_actions(record.actions, archived.actions)
    if lost:
        changes["actions"] = _in_order([*limited, *lost], archived)
    elif limited != record.actions:
        changes["actions"] = limited
    if not changes:
        return record
    gained = [*lost, *(new for new, old in zip(limited, record.actions, strict=True) if new != old)]
    notes = tuple(
        Correction(
            field=field, was=_listed(gained) if field == "actions" else _LESS.get(field, _NOTHING), source=SOURCE
        )
        for field in changes
    )
    return record.model_copy(update={**changes, "corrections": (*record.corrections, *notes)})


def carried_over(record: Creature, stored: Creature) -> Creature:
    """A record of version 2 that has just come, with what the stored one had from version 1."""
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


def _fuller_senses(senses: Senses, text: str) -> Senses | None:
    """The senses with version 1's line, if that has their ranges and says more than these."""
    ranges = {name: feet for name in sense_ranges(text) if (feet := getattr(senses, name))}
    told = _PASSIVE.sub("", text).strip(" ,;")
    if senses.text or ranges != sense_ranges(text) or not _LETTER.search(_RANGE.sub("", told)):
        return None
    return senses.model_copy(update={"text": told})


def _fuller_defenses(defenses: Defenses, archived: Defenses) -> Defenses | None:
    """The defenses with version 1's lines where version 2 has the types but not the line."""
    changes = {
        f"{name}_text": line
        for name in _DEFENSES
        if getattr(defenses, name)
        and not getattr(defenses, f"{name}_text")
        and (line := getattr(archived, f"{name}_text"))
    }
    return defenses.model_copy(update=changes) if changes else None


def _lost(record: Creature, archived: Creature) -> list[Action]:
    """The actions that version 2 lacks. One that it has as another type, or as a part of another, is not lost."""
    if record.document_key == "srd-2014":  # the book has all that version 2 does not have, and no other variants
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


def _in_order(actions: list[Action], archived: Creature) -> tuple[Action, ...]:
    """Actions by type and in the order of version 1, which is that of the book."""
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
    """A name without its limits of use: Bite is Bite (Recharge 5-6)."""
    return fold(name.partition("(")[0])
