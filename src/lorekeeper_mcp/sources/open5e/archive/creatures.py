"""Completes creatures of version 2 with version 1.

Version 1's value is used if version 2 has none: the description, the subtype after the type, the alignment, the armor,
skills, the sentence on legendary actions with their number, and each action whose name and type version 2 does not
have. If version 2 has only the ranges of senses or the damage types of a defense, version 1's line is used if it has
more: "blind beyond this radius", "from nonmagical attacks". Version 1 has the limits of an action (Recharge 4-6, Roc
Form Only) after its name; version 2 lost some. Actions that version 2 lists among the traits become actions, and both
are in the order of version 1. Only version 1 marks swarms, and only version 1 has one book's passive Perception as
printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import Action, Creature, Defenses, Section, Senses
from lorekeeper_mcp.sources.open5e.archive.arrangement import arranged
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING, SOURCE, noted_fields
from lorekeeper_mcp.sources.open5e.stat_blocks.action_limits import limited_actions, plain_name
from lorekeeper_mcp.sources.stat_block import sense_ranges
from lorekeeper_mcp.text import fold

_NOTHING_OF = "nothing of "
_ANOTHER_ORDER, _OF_OTHERS = "in another order", "with entries of other sections"
_LESS = {"skills": "fewer", "speed": "fewer"}
# This book prints Perception as a passive score, with proficiency; version 2 derived one from Wisdom alone.
_PASSIVE_SCORES = frozenset({"bfrd"})
# The book has nothing that version 2, as corrected, lacks.
_ONLY_VERSION_2 = frozenset({"srd-2014"})
# Version 1 has these books' spellcasting after all other traits.
_SPELLCASTING_LAST = frozenset({"ccdx", "tob2"})
_DEFENSES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")
_PASSIVE = re.compile(r",? *passive perception \d+\b(?! *\()", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:blindsight|darkvision|tremorsense|truesight) \d+ ft\.", re.IGNORECASE)
_LETTER = re.compile(r"[a-z]", re.IGNORECASE)


def completed(record: Creature, archived: Creature) -> Creature:
    """Return a record of version 2 with the values that only version 1 has."""
    return _completed(record, archived, archived.actions)


def _completed(record: Creature, archived: Creature, order: Sequence[Action]) -> Creature:
    """The completed record, with its actions in an order, which may have more of them than were lost."""
    changes: dict[str, object] = {}
    for field in ("text", "alignment", "armor_text", "legendary_text"):
        if not getattr(record, field) and (value := getattr(archived, field)):
            changes[field] = value
    if "text" in changes:
        changes["text"] = _without_traits(archived.text, record.traits)
    if archived.skills.keys() - record.skills.keys():
        changes["skills"] = dict(sorted((archived.skills | record.skills).items()))
    if (new := archived.speed.keys() - record.speed.keys()) and record.document_key not in _ONLY_VERSION_2:
        changes["speed"] = record.speed | {mode: archived.speed[mode] for mode in sorted(new)}
    if senses := _fuller_senses(record, archived.senses):
        changes["senses"] = record.senses.model_copy(update=senses)
    if defenses := _fuller_defenses(record, archived.defenses):
        changes["defenses"] = defenses
    subtype = archived.type_text.partition("(")[2]
    if subtype and not record.subcategory and subtype.removesuffix(")").lower() not in record.type_text.lower():
        changes["type_text"] = f"{record.type_text} ({subtype}"
    lost, limited = _lost(record, archived), limited_actions(_continued(record.actions, archived), archived.actions)
    kept = _without(record.traits, lost, archived.text)
    if (traits := arranged(kept, _printed(archived))) != record.traits:
        changes["traits"] = traits
    repeated = [action for action in (*limited, *lost) if not action.name and _is_in(archived.text, action.text)]
    if (
        actions := arranged([action for action in (*limited, *lost) if action not in repeated], order)
    ) != record.actions:
        changes["actions"] = actions
    gained = [*lost, *(new for new, old in zip(limited, record.actions, strict=True) if new != old)]
    was = {
        **_LESS,
        "defenses": "types alone" if any(getattr(record.defenses, name) for name in _DEFENSES) else NOTHING,
        "traits": _ANOTHER_ORDER if kept == record.traits else _OF_OTHERS,
        "actions": _listed(gained) if gained else _OF_OTHERS if repeated else _ANOTHER_ORDER,
        "senses": _note_on_senses(record, senses),
    }
    return record.amended({field: (was.get(field, NOTHING), value) for field, value in changes.items()}, SOURCE)


def carried_over(record: Creature, stored: Creature) -> Creature:
    """Return a newly fetched record of version 2 with the values that the stored one had from version 1."""
    noted = noted_fields(stored)
    if not noted:
        return record
    kept = {field: getattr(stored, field) for field in noted if field != "actions"}
    names = frozenset(map(plain_name, noted.get("actions", "").removeprefix(_NOTHING_OF).split("; ")))
    actions = tuple(action for action in stored.actions if plain_name(action.name) in names)
    empty: Mapping[str, object] = {
        "text": "", "alignment": "", "armor_text": "", "legendary_text": "", "type_text": "", "skills": {},
        "speed": {}, "senses": Senses(), "defenses": Defenses(), "traits": (),
    }  # fmt: skip
    archived = stored.model_copy(update={**empty, **kept, "actions": actions})
    return _completed(record, archived, stored.actions if "actions" in noted else ())


def _fuller_senses(record: Creature, archived: Senses) -> dict[str, object]:
    """Version 1's line if it has version 2's ranges and more, and the passive score."""
    senses, changes = record.senses, dict[str, object]()
    ranges = {name: feet for name in sense_ranges(archived.text) if (feet := getattr(senses, name))}
    line = _PASSIVE.sub("", archived.text).strip(" ,;")
    if not senses.text and ranges == sense_ranges(archived.text) and _LETTER.search(_RANGE.sub("", line)):
        changes["text"] = line
    score = archived.passive_perception if record.document_key in _PASSIVE_SCORES else None
    return changes if score in (None, senses.passive_perception) else changes | {"passive_perception": score}


def _note_on_senses(record: Creature, changes: Mapping[str, object]) -> str:
    passive = f"passive Perception {record.senses.passive_perception}" if "passive_perception" in changes else ""
    return "; ".join(filter(None, ("ranges alone" if "text" in changes else "", passive)))


def _fuller_defenses(record: Creature, archived: Defenses) -> Defenses | None:
    """The defenses with version 1's lines where version 2 has types without a line, or nothing."""
    defenses, all_lines = record.defenses, record.document_key not in _ONLY_VERSION_2
    changes = {
        f"{name}_text": line
        for name in _DEFENSES
        if (line := getattr(archived, f"{name}_text"))
        and not getattr(defenses, f"{name}_text")
        and (all_lines or getattr(defenses, name))
    }
    return defenses.model_copy(update=changes) if changes else None


def _continued(actions: Sequence[Action], archived: Creature) -> tuple[Action, ...]:
    """The actions; one that breaks off before the list that it announces is completed with the list."""
    whole = {(one.type, plain_name(one.name)): one.text for one in archived.actions}
    found = []
    for action in actions:
        text = whole.get((action.type, plain_name(action.name)), "")
        goes_on = action.text.endswith(":") and fold(text).startswith(fold(action.text)) and text != action.text
        found.append(action.model_copy(update={"text": text}) if goes_on else action)
    return tuple(found)


def _lost(record: Creature, archived: Creature) -> list[Action]:
    """The actions that version 2 lacks. An action with another type or name, or within another, is not lost."""
    if record.document_key in _ONLY_VERSION_2:
        return []
    names = {(action.type, plain_name(action.name)) for action in record.actions}
    texts = {(plain_name(action.name), fold(action.text)) for action in record.actions}
    all_texts = " ".join(text for _, text in texts)
    of_type = " ".join(f"{action.type} {fold(action.text)}" for action in record.actions)
    return [
        action
        for action in archived.actions
        if (action.type, plain_name(action.name)) not in names
        and (plain_name(action.name), fold(action.text)) not in texts
        and fold(f"{action.name} {action.text}") not in all_texts
        and f"{action.type} {fold(action.text)}" not in of_type
    ]


def _printed(archived: Creature) -> tuple[Section, ...]:
    """The traits whose places are those of the book."""
    moved = archived.document_key in _SPELLCASTING_LAST
    return tuple(trait for trait in archived.traits if not (moved and "Spellcasting" in trait.name))


def _without(traits: Sequence[Section], lost: Sequence[Action], text: str) -> tuple[Section, ...]:
    """The traits without those that are actions, and those that the description has: tob, regional effects."""
    moved = {(plain_name(action.name), fold(action.text)) for action in lost}
    return tuple(
        trait
        for trait in traits
        if (plain_name(trait.name), fold(trait.text)) not in moved
        and not ("\n" in trait.text and _is_in(text, trait.text))
    )


def _without_traits(text: str, traits: Sequence[Section]) -> str:
    """The description without the paragraphs that are traits, too."""
    trait_texts = {fold(f"{trait.name} {trait.text}") for trait in traits}
    return "\n".join(line for line in text.split("\n") if not line.startswith("**") or fold(line) not in trait_texts)


def _is_in(text: str, listed: str) -> bool:
    """Whether each line of a list is in the text."""
    folded = fold(text)
    return all(fold(line.removeprefix("- ")) in folded for line in listed.split("\n"))


def _listed(actions: list[Action]) -> str:
    return f"{_NOTHING_OF}{'; '.join(_with_limit(action) for action in actions)}"


def _with_limit(action: Action) -> str:
    limits = ", ".join(filter(None, (action.uses, action.limited_to_form)))
    return f"{action.name} ({limits})" if limits and "(" not in action.name else action.name
