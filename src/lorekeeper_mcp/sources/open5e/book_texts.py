"""Merges Open5e's texts of an SRD with the book's record of the same id. Open5e may add text, never hide any.

Limits of use that Open5e has lost are taken from the book.
If Open5e's text differs from the book's only in spaces, hyphens, lost commas, glued or garbled words, the book's is
used, with Open5e's italics. If it has all of the book's sentences and more, it is kept, unless the book has those in
another of its rules, which are divided more finely. If each has sentences of its own, the book's text is used, except
for the SRD 5.1's mundane items and species, which are shorter in their package. Named parts are in the book's order.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TypeVar, cast

from lorekeeper_mcp.models import (
    Action,
    CharacterClass,
    Correction,
    Creature,
    Equipment,
    Feat,
    Feature,
    Kind,
    Record,
    Ref,
    Reference,
    Rule,
    Section,
    Species,
    Spell,
)
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.open5e.emphasis import with_italics
from lorekeeper_mcp.sources.open5e.item_forms import as_one_of_its_kind
from lorekeeper_mcp.sources.open5e.stat_blocks.action_limits import limited_actions, plain_name
from lorekeeper_mcp.text import fold, letters

R = TypeVar("R", bound=Record)
S = TypeVar("S", Section, Feature, Action)
SOURCES = {"srd-2014": "SRD 5.1", "srd-2024": "SRD 5.2.1"}
_SENTENCE = re.compile(r"(?<=[.!?:])[*_]*\s+(?=[A-Z\"(*_])|\n+|\s+- (?=[A-Z])|#{2,}|\*\*[^*]+\*\*")
_WHOLE = re.compile(r"[.!]['\")*_]*$")
_GARBLED = 0.75  # the least similarity of a sentence to the book's that counts as the same, but garbled
_SAME = 0.8  # the similarity from which it replaces Open5e's
_FIGURES = re.compile(r"\d+")
_QUOTED = 60  # characters of a text quoted in a note, at most
_MIN_LENGTH = 12  # letters of a sentence; anything shorter is a heading or a cell
# From books other than the SRD, not covered by its licence: quoted advice, traits that a table may add.
_VARIANT = re.compile(r"Variant:|Hag Coven|.*\(Coven Only\)")
_ADVICE = re.compile(r"(?m)^> \*\*Sage Advice\*\*(?:\n+>[^\n]*)*\n*")
# Open5e has no fields for the book's wording, and does not list the forms of the SRD 5.1's magic items.
_PRINTED = ("category_text", "rarity_text", "cost_unit", "variants")
# The fields with named parts that have a text each.
_PARTS = {Creature: ("traits", "actions"), Species: ("traits",), CharacterClass: ("features",)}
_SECTION = re.compile(r"(?m)^#+ ")
_TABLE_ROW = re.compile(r"(?m)^[|+].*$")


def with_book_texts(record: R) -> R:
    """Return the record with the book's texts where Open5e has the same or less, with a note for each other wording."""
    if record.kind is Kind.LANGUAGE:
        return _with_paragraphs_left_out(record)
    if (source := SOURCES.get(record.document_key)) is None:
        return record
    if (own := srd.record_of(record.id)) is None:
        return as_one_of_its_kind(record, source)
    if isinstance(record, Creature) and isinstance(own, Creature):
        record = record.model_copy(update={"actions": limited_actions(record.actions, own.actions)})
    changes, notes = _merged_texts(record, own, source)
    dropped: dict[str, list[str]] = {}  # names by field
    for name in _PARTS.get(type(record), ()):
        changes[name], dropped[name] = _merged_field(record, own, name)
    if isinstance(record, Reference) and isinstance(own, Reference) and own.members:
        changes["members"], dropped["members"] = _own_members(record.members, own.members)
    for name, names in dropped.items():
        notes += [Correction(field=name, was=f"also {' and '.join(names)}", source=source)] if names else []
    changes |= _changes_of_kind(record, own, changes)
    return record.model_copy(update={**changes, "corrections": (*record.corrections, *notes)})


def _merged_field(record: Record, own: Record, name: str) -> tuple[tuple[Section | Feature | Action, ...], list[str]]:
    """The parts in a field of both records, and the names of those that belong to other books."""
    served, of_book = getattr(record, name), getattr(own, name)
    book_names = {plain_name(part.name) for part in of_book}
    printed = [part for part in served if not _VARIANT.match(part.name) or plain_name(part.name) in book_names]
    besides = own.spellcasting if isinstance(own, CharacterClass) else ""
    parts = _merged_parts(printed, of_book, besides, prefers_own=_is_official(record))
    return _in_order(parts, of_book), [part.name for part in served if part not in printed]


def _own_members(served: Sequence[Ref], own: Sequence[Ref]) -> tuple[tuple[Ref, ...], list[str]]:
    """The members without the SRD's own that its list lacks, and the names of these."""
    prefix, keys = f"{own[0].key.partition('_')[0]}_", {member.key for member in own}
    others = [member for member in served if member.key.startswith(prefix) and member.key not in keys]
    return tuple(member for member in served if member not in others), [member.name for member in others]


def _changes_of_kind(record: Record, own: Record, changes: Mapping[str, object]) -> dict[str, object]:
    """The other fields that the book decides, after the ``changes`` of its texts."""
    text = str(changes.get("text", record.text))
    match record, own:
        case Spell(), _ if more := letters(record.higher_level):  # for cantrips it is in the book's text
            return {"higher_level": ""} if more in letters(text) else {}
        case CharacterClass(), _:  # a table that is also in its text: the spells of the life domain
            features, text_letters = cast("tuple[Feature, ...]", changes["features"]), letters(text)
            distinct = [part for part in features if part.text[:1] != "|" or letters(part.text) not in text_letters]
            return {"features": _by_level(distinct)}
        case Equipment(), _:
            return {name: getattr(record, name) or getattr(own, name) for name in _PRINTED}
        case Rule(), Rule():
            listed = {ref.key for ref in own.rules}
            rules = (*own.rules, *(ref for ref in record.rules if ref.key not in listed))
            return {"rules": rules, "order": own.order, "header_level": own.header_level}
    return {}


def _merged_texts(record: Record, own: Record, source: str) -> tuple[dict[str, object], list[Correction]]:
    """The changed texts of the record, and the benefits of a feat, with a note for each other wording."""
    changes: dict[str, object] = {}
    notes: list[Correction] = []
    for name in _texts(record):
        served, text = _ADVICE.sub("", str(getattr(record, name))).strip(), str(getattr(own, name, ""))
        rules = _rules(record.document_key) if isinstance(record, Rule) else ""
        if isinstance(record, Feat) and not served and letters(text) in letters(" ".join(record.benefits)):
            continue  # Open5e has it as the first benefit
        merged = merge(served, text, rules, prefers_own=_is_official(record))
        if isinstance(record, Equipment) and not _is_official(record):
            merged = _completed(merged, text)
        if merged != getattr(record, name):
            changes[name] = merged
            if letters(merged) != letters(served):
                was = served if 0 < len(served) <= _QUOTED else f"a text of {len(served)} characters"
                notes.append(Correction(field=name, was=was, source=source))
    if isinstance(record, Feat) and isinstance(own, Feat) and len(own.benefits) == len(record.benefits):
        if letters(" ".join(own.benefits)) != letters(" ".join(record.benefits)):
            notes.append(Correction(field="benefits", was="the same in other words", source=source))
        changes["benefits"] = own.benefits
    return changes, notes


def merge(served: str, own: str, rules: str = "", *, prefers_own: bool = True) -> str:
    """Merge two texts into one. ``rules`` are the letters of the book's other rules, which may contain an addition.

    If ``prefers_own`` is false the book's text may be abridged, and is used only if it has all of Open5e's.
    """
    if not own or served == own:
        return served
    if not prefers_own:
        return with_italics(own, served) if letters(served) in letters(own) else served
    if not _more(served, own, rules):
        # The book's pages have lost some tables' columns.
        return _set_as(served, own) if "\n|" in served and "|" not in own else with_italics(own, served)
    served_letters = letters(served)
    figures = {*_FIGURES.findall(own)} - {*_FIGURES.findall(served)}
    adds = all(letters(sentence) in served_letters for sentence in _pieces(own)) and not figures
    return served if adds else with_italics(own, served)


def _with_paragraphs_left_out(record: R) -> R:
    """A language, which Open5e has for no book in particular, with what the SRD 5.1 says of it."""
    own = srd.record_of(record.id)
    text = _completed(record.text, own.text if own else "")
    return record.amended({"text": (record.text, text)} if text != record.text else {}, SOURCES["srd-2014"])


def _completed(served: str, own: str) -> str:
    """The text with the paragraphs of the book of which Open5e has no sentence, and no figure after a colon."""
    served_letters, theirs = letters(served), _sentences(served)
    paragraphs = [served] if served else []
    for paragraph in own.split("\n\n"):
        is_there = letters(paragraph.rpartition(": ")[2]) in letters(served.replace("pound", "lb"))
        if not is_there and not any(
            letters(sentence) in served_letters or _is_near(sentence, theirs) for sentence in _sentences(paragraph)
        ):
            paragraphs.append(paragraph)
    return "\n\n".join(paragraphs)


def _set_as(served: str, own: str) -> str:
    """Open5e's text with the book's typesetting of each sentence, such as its dashes."""
    theirs = {letters(own_sentence): own_sentence for own_sentence in _pieces(own)}
    for sentence in _pieces(served):
        served = served.replace(sentence, theirs.get(letters(sentence), sentence))
    return served


def _is_official(record: Record) -> bool:
    """Whether the book's record has the official text. The SRD 5.1's mundane items and species are abridged."""
    is_abridged = isinstance(record, Equipment | Species) and record.kind is not Kind.MAGIC_ITEM
    return record.document_key != "srd-2014" or not is_abridged


def _more(served: str, own: str, rules: str) -> list[str]:
    """The sentences that only Open5e has: not in the book's text, garbled or not, nor in another rule."""
    own_letters, theirs = letters(own), _sentences(own)
    missing = [
        sentence
        for sentence in _sentences(served)
        if letters(sentence) not in own_letters and letters(sentence) not in rules
    ]
    return [sentence for sentence in missing if not _is_near(sentence, theirs)]


def _is_near(sentence: str, others: Iterable[str]) -> bool:
    words = fold(sentence).split()
    return any(_alike(words, other) >= _GARBLED for other in others)


def _alike(words: Sequence[str], other: str) -> float:
    """The ratio of words that both sentences have in the same order, 0 if it is below the threshold."""
    matcher = difflib.SequenceMatcher(None, words, fold(other).split(), autojunk=False)
    is_possible = matcher.real_quick_ratio() >= _GARBLED and matcher.quick_ratio() >= _GARBLED
    return matcher.ratio() if is_possible else 0.0


def _texts(record: Record) -> tuple[str, ...]:
    return ("text", "higher_level", "material_text") if isinstance(record, Spell) else ("text",)


def _merged_parts(served: Sequence[S], own: Sequence[S], besides: str, *, prefers_own: bool) -> tuple[S, ...]:
    """The parts with their texts merged by name; in parts that occur twice only sentences are repaired.

    ``besides`` is the book's text outside of its parts.
    """
    names = [plain_name(part.name) for part in served]
    texts: dict[str, list[str]] = {}
    for part in own:
        texts.setdefault(plain_name(part.name), []).append(part.text)
    book_text = "\n".join((*(part.text for part in own), besides))
    merged: list[S] = []
    for part, name in zip(served, names, strict=True):
        text = part.text
        if names.count(name) == 1 == len(texts.get(name, ())):
            text = merge(text, texts[name][0], prefers_own=prefers_own)
            if text != part.text:
                text += _sections(part.text, texts.keys() - set(names))
        merged.append(part.model_copy(update={"text": _proofread(text, book_text) if prefers_own else text}))
    return tuple(merged)


def _sections(text: str, names: Set[str]) -> str:
    """The sections of a text with these names, which only the book has as parts of their own."""
    sections = (section.strip() for section in _SECTION.split(text)[1:])
    return "".join(f"\n\n### {part}" for part in sections if plain_name(part.partition("\n")[0]) in names)


def _proofread(served: str, own: str) -> str:
    """Open5e's text with the book's version of each sentence that is nearly the same, with the same figures."""
    own_letters, theirs = letters(own), _sentences(own)
    for sentence in _sentences(served):
        if letters(sentence) not in own_letters:
            figures, words = _FIGURES.findall(sentence), fold(sentence).split()
            near = (
                candidate
                for candidate in theirs
                if _FIGURES.findall(candidate) == figures and _alike(words, candidate) >= _SAME
            )
            served = served.replace(sentence, next(near, sentence))
    return served


def _in_order(parts: Sequence[S], own: Sequence[S]) -> tuple[S, ...]:
    """The parts in the book's order; others keep their place. Open5e serves some sorted by name."""
    places = {_place(part): n for n, part in reversed(list(enumerate(own)))}
    queue = iter(sorted((part for part in parts if _place(part) in places), key=lambda part: places[_place(part)]))
    return tuple(next(queue) if _place(part) in places else part for part in parts)


def _by_level(features: Sequence[Feature]) -> tuple[Feature, ...]:
    """Features by the level at which they are gained, the first of two with one name first; those without a level stay
    before or after them."""
    first = next((place for place, feature in enumerate(features) if feature.levels), len(features))
    gained = sorted((feature for feature in features[first:] if feature.levels), key=lambda feature: feature.levels[0])
    return (*features[:first], *gained, *(feature for feature in features[first:] if not feature.levels))


def _place(part: Section | Feature | Action) -> tuple[str, str]:
    return part.type if isinstance(part, Action) else "", plain_name(part.name)


def _sentences(text: str) -> list[str]:
    """The complete sentences of the prose, without tables, headings and captions."""
    return [piece for piece in _pieces(text) if "|" not in piece and _WHOLE.search(piece)]


def _pieces(text: str) -> list[str]:
    """Sentences, including items of lists."""
    return [piece for piece in _SENTENCE.split(_TABLE_ROW.sub("", text)) if len(letters(piece)) >= _MIN_LENGTH]


@functools.cache
def _rules(document: str) -> str:
    """The letters of all of a book's rules."""
    return "\n".join(
        letters(record.text) for record in srd.records() if isinstance(record, Rule) and record.document_key == document
    )
