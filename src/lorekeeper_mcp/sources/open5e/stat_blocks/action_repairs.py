"""Actions that Open5e serves twice, or with a sentence for a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from typing import TypeVar

from lorekeeper_mcp.models import Action, ActionType, Creature, Section
from lorekeeper_mcp.sources.open5e.stat_blocks.action_limits import with_limit
from lorekeeper_mcp.sources.open5e.stat_blocks.entry_rows import with_rows
from lorekeeper_mcp.sources.open5e.stat_blocks.glued_entries import apart, joined
from lorekeeper_mcp.sources.open5e.stat_blocks.spell_lists import with_lines
from lorekeeper_mcp.text import fold

C = TypeVar("C", bound=Creature)
P = TypeVar("P", Action, Section)
_LAIR_ACTION = re.compile(r"On initiative count 20 \(losing initiative ties\), [^.]* lair action\b")
_LIMIT = re.compile(r" \((?:Recharges?|\d+/)[^()]*\)$", re.IGNORECASE)
_LIMIT_FIRST = re.compile(r"(\((?:[^()]* Only|Recharge \d[^()]*|\d/Day[^()]*)\))\.? ?(?=[A-Z])")  # before the text
_COST = re.compile(r" *\(Costs? \d Actions[^()]*\)")
_INTRODUCTION = re.compile(r"The .+?(?: can take|has) (?:\d|one) legendary actions?\b")
_NAME_AND_SENTENCE = re.compile(r"([A-Z][\w'’ -]{2,30}): ([A-Z]\S*(?: \S+){3}.*)", re.DOTALL)
_REST_OF_NAME = re.compile(r"\[\+\](.+?)\[/\+\] ")
_NAME_AND_ATTACK = re.compile(r"(.+?) ((?:Melee|Ranged) (?:Weapon|Spell) Attack: .+)")
_SMALL = frozenset("a an and as at by for from in into of on or per the to with".split())
_NO_SENTENCE = re.compile(r"\d|Potion\b|As an? |\w+!")
_NAMED_LINE = re.compile(r"(?<=[.:])\n([A-Z][\w'’-]+(?: (?:of|the|[A-Z][\w'’-]+)){0,3})\. (?=[A-Z])")
_SMALL_LETTER = re.compile(r"[a-z]+['’]?[a-z]* ")
# The last line of a text that is neither a list nor of spells by level or uses.
_UNENDED = re.compile(
    r"(?:\A|\n)(?!\W*(?:\d|[Aa]t [Ww]ill|[Cc]antrips?)\b)(?![-*|>#])[^\n]*(?:[a-z]|[^.]\))(?<! or) ?\Z"
)
_SHORT = 24  # characters; shorter texts are often names or numbers
_CONTINUED = re.compile(r"(?:If|When|While|The|An? (?:creature|engulfed|demilich)|Metal)\b")
# In this book, paragraphs are served as actions, with the first sentence as the name.
_WITH_SENTENCES = frozenset({"a5e-mm"})


def with_whole_actions(record: C) -> C:
    """Return the creature with each action once and under its own name, and with its legendary introduction as such.

    A sentence in place of a name continues the action before it, or the trait that it mentions; one about the
    creature belongs to its description.
    """
    whole = _apart(joined(apart(tuple(map(_named, record.actions)), record.document_key)))
    actions = tuple(map(_ended, with_rows(_once(whole))))
    named_traits = apart(tuple(map(_named, record.traits)), record.document_key)
    traits = tuple(map(_ended, with_rows(_returned(named_traits))))
    changes: dict[str, object] = {}
    if lairs := [trait for trait in traits if _LAIR_ACTION.match(trait.text)]:  # tob
        actions += tuple(Action(name="", text=trait.text, type=ActionType.LAIR_ACTION) for trait in lairs)
        traits = tuple(trait for trait in traits if trait not in lairs)
    if introductions := [action for action in actions if _INTRODUCTION.match(action.name)]:
        changes["legendary_text"] = _paragraph(introductions[0])
        actions = tuple(action for action in actions if action not in introductions)
    if record.document_key in _WITH_SENTENCES:
        sentences = [action for action in actions if _is_sentence(action.name) and not _CONTINUED.match(action.name)]
        changes["text"] = "\n\n".join(filter(None, (record.text, *map(_paragraph, sentences))))
        traits = _joined_traits(traits)
        actions = _joined([action for action in actions if action not in sentences])
    return record.model_copy(update={**changes, "traits": traits, "actions": actions})


def _named(part: P) -> P:
    """``Luck: During the next hour ...`` is the name and the first sentence.

    A text begins with a capital, and the name of a line within it is bold.
    """
    # ccdx: the breath weapons of dragons
    part = part.model_copy(update={"text": _NAMED_LINE.sub(r"\n\n**\1.** ", part.text)})
    if limit := _LIMIT_FIRST.match(part.text):
        part = with_limit(part.model_copy(update={"text": part.text[limit.end() :]}), limit[1])
    if "Spellcasting" in part.name:
        part = part.model_copy(update={"text": with_lines(part.text)})
    if _SMALL_LETTER.match(part.text):  # tob: "the giant's innate spellcasting ability is"
        part = part.model_copy(update={"text": f"{part.text[0].upper()}{part.text[1:]}"})
    if attack := _NAME_AND_ATTACK.fullmatch(part.name):  # cut at the first full stop, that of "ft."
        return part.model_copy(update={"name": attack[1], "text": f"{attack[2]}.{part.text}"})
    if rest := _REST_OF_NAME.match(part.text):  # tob3
        return part.model_copy(update={"name": f"{part.name} {rest[1]}", "text": part.text[rest.end() :]})
    parts = _NAME_AND_SENTENCE.fullmatch(part.name)
    if parts is None:
        return part
    sentence = part.model_copy(update={"name": parts[2]})
    return part.model_copy(update={"name": parts[1], "text": _paragraph(sentence)})


def _ended(part: P) -> P:
    """Return a trait or an action that ends with a full stop, unless it ends with a list."""
    if len(part.text) < _SHORT or "Spellcasting" in part.name or not _UNENDED.search(part.text):
        return part
    return part.model_copy(update={"text": f"{part.text.rstrip()}."})


def _is_sentence(name: str) -> bool:
    words = name.partition("(")[0].split()
    lower = [word for word in words[1:] if word[0].islower() and word not in _SMALL]
    return len(words) > 3 and bool(lower) and not _NO_SENTENCE.match(name)


def _paragraph(part: Action | Section) -> str:
    return " ".join(f"{part.name.rstrip('. ')}. {part.text}".split())


def _joined(actions: Sequence[Action]) -> tuple[Action, ...]:
    joined_actions: list[Action] = []
    for action in actions:
        if joined_actions and joined_actions[-1].type is action.type and _is_sentence(action.name):
            joined_actions[-1] = joined_actions[-1].model_copy(
                update={"text": f"{joined_actions[-1].text}\n\n{_paragraph(action)}".strip()}
            )
        else:
            joined_actions.append(action)
    return tuple(joined_actions)


def _joined_traits(traits: Sequence[Section]) -> tuple[Section, ...]:
    """Join each sentence to the trait that it mentions, or the one before; version 2 sorts traits by name."""
    joined_parts = [part for part in traits if not _is_sentence(part.name)]
    before = -1
    for part in traits:
        before += not _is_sentence(part.name)
        if joined_parts and _is_sentence(part.name):
            mentioned = (n for n, trait in enumerate(joined_parts) if fold(trait.name) in fold(part.name))
            place = next(mentioned, max(before, 0))
            text = f"{joined_parts[place].text}\n\n{_paragraph(part)}"
            joined_parts[place] = joined_parts[place].model_copy(update={"text": text})
    return tuple(joined_parts)


def _apart(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return each action without another one's name and text at its end (tob-2023)."""
    return tuple(action.model_copy(update={"text": _without_others(action, actions)}) for action in actions)


def _without_others(action: Action, actions: Sequence[Action]) -> str:
    for other in actions:
        if other is action or not other.text or not action.text.endswith(other.text):
            continue
        before = action.text.removesuffix(other.text)
        ended = re.search(rf"\s*{re.escape(other.name)}(?: \([^()]*\))?\.?\s*\Z", before)
        if ended and ended.start():
            return before[: ended.start()]
    return action.text


def _returned(traits: Sequence[Section]) -> tuple[Section, ...]:
    """Return the traits with what follows another one's name moved there: "... Mutation. It has one of these:"."""
    texts = {trait.name: trait.text for trait in traits}
    if len(texts) < len(traits):
        return tuple(traits)
    for name, other in permutations(texts, 2):
        before, found, beginning = texts[name].partition(f". {other}. ")
        if found:
            texts |= {name: f"{before}.", other: f"{beginning}\n\n{texts[other]}"}
    return tuple(trait.model_copy(update={"text": texts[trait.name]}) for trait in traits)


def _once(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return each action once: legendary ones are also served among the others, some with their cost in the name."""
    legends = [action for action in actions if action.type is ActionType.LEGENDARY_ACTION]
    names, legendary = (
        {fold(action.name) for action in legends},
        {(fold(action.name), fold(action.text)) for action in legends},
    )
    distinct: dict[tuple[object, ...], Action] = {}
    for action in map(_limited_once, actions):
        folded = (fold(action.name), fold(action.text))
        if _COST.search(action.name) and fold(_COST.sub("", action.name)) in names:
            continue
        if action.type is ActionType.LEGENDARY_ACTION or folded not in legendary:
            distinct.setdefault((action.type, *folded), action)
    return tuple(distinct.values())


def _limited_once(action: Action) -> Action:
    """Keep a limit of use once, beside the name or in it."""
    return action.model_copy(update={"name": _LIMIT.sub("", action.name)}) if action.uses else action
