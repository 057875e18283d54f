"""Traits and actions at whose end other text is served: the next entry, or the heading after the stat block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from lorekeeper_mcp.models import Action, Section
from lorekeeper_mcp.sources.open5e.stat_blocks.action_limits import limits_of

P = TypeVar("P", Action, Section)
# A name with the limit that stands behind it in print: "Flyby (True Form Only)."
_NAME = re.compile(
    r"(?<=[.!?]) ([A-Z][\w'’-]+(?: (?:of|the|[A-Z][\w'’-]+)){0,5}"
    r" \((?:[^()]* Only|Costs? \d Actions?|Recharges? [^()]+|\d/Day)\))\. (?=[A-Z])"
)
# A name of two words after a list of spells: "haste, shatter Wasteland Stride. This ability"
_AFTER_SPELLS = re.compile(r"(?<=[a-z)]) ([A-Z][a-z]+ [A-Z][a-z]+)\. (?=[A-Z])")
# A page number, or the first word of what the page has below: "Derro", "rP"
_LAST_WORD = re.compile(r"(?<=[a-z][.!?]) \w+\Z")
# The name of the next group of creatures with its introduction: "Bats Bats exist in", "Ghoul, Darakhul Though all"
_NEXT_GROUP = re.compile(r"(?<=[.!?]) (?:([A-Z]\w+) \1 [a-z]|[A-Z]\w+, [A-Z]\w+ [A-Z][a-z]+ [a-z]).*\Z", re.DOTALL)
_REST_OF_SENTENCE = re.compile(r"[^()]* (?!(?:and|at|by|for|from|in|into|of|on|per|the|to|with)\b)[a-z]")
_BROKEN_OFF = re.compile(r"^(?!- ).*\w\Z", re.MULTILINE)
_OPEN_END = re.compile(r"\b(?:a|an|by|for|from|in|into|of|on|the|to|with)\Z")  # "saving throws based on"
_WITH_GROUPS = frozenset({"ccdx"})


def apart(parts: Sequence[P], document: str) -> tuple[P, ...]:
    """Return each part by itself, without what follows the stat block; ``document`` is the key of the book."""
    return tuple(entry for part in parts for entry in _split(part, document))


def joined(parts: Sequence[P]) -> tuple[P, ...]:
    """Return each part whole: one that breaks off goes on with the name of the next, the rest of its sentence."""
    entries: list[P] = []
    for part in parts:
        if entries and (
            _OPEN_END.search(entries[-1].text)
            or (_REST_OF_SENTENCE.match(part.name) and _BROKEN_OFF.search(entries[-1].text))
        ):
            text = f"{entries[-1].text} {part.name}. {part.text}"
            entries[-1] = entries[-1].model_copy(update={"text": text})
        else:
            entries.append(part)
    return tuple(entries)


def _split(part: P, document: str) -> Iterator[P]:
    text = _LAST_WORD.sub("", part.text)
    if document in _WITH_GROUPS:
        text = _NEXT_GROUP.sub("", text)
    first, *rest = (_AFTER_SPELLS if "Spellcasting" in part.name else _NAME).split(text)
    yield part.model_copy(update={"text": first})
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        yield _entry(part, name, text)


def _entry(part: P, name: str, text: str) -> P:
    if isinstance(part, Section):
        return part.model_copy(update={"name": name, "text": text})
    limits = limits_of(Action(name=name))
    return part.model_copy(
        update={
            "name": name.partition(" (")[0],
            "text": text,
            "uses": limits.uses,
            "limited_to_form": limits.form,
            "legendary_cost": limits.cost,
            "attacks": (),
        }
    )
