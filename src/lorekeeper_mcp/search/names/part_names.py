"""The names of parts of records: traits, actions, stat blocks inside a spell or an item, tables, headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.models.printed_values import ACTION_HEADINGS
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.passages import Passage
from lorekeeper_mcp.passages.passage_words import passage_words
from lorekeeper_mcp.search.names.kind_words import is_kind_word
from lorekeeper_mcp.search.names.mentions import (
    CONNECTING_WORDS,
    EVERYDAY_NAMES,
    Mention,
    overlap,
    phrases,
    text_without_names,
)
from lorekeeper_mcp.store.catalog import Entry, part_of, places
from lorekeeper_mcp.text import fold

PART_TITLE_CHARACTERS = 90  # of a passage, in which its titles stand
_MAX_WORDS = 7
_MAX_HOLDERS = 8  # records, unless they are creatures; a title that more of them share is the label of a fact
_MAX_BELOW = 1_700  # characters below a title: a stat block
_TITLE = re.compile(
    r"(?:Level [\d, ]+: )?((?:[A-Z+\d][\w'’+-]*)(?:[ -](?:[A-Z+\d][\w'’+-]*|an?|and|by|for|from|in|of|on|or|per|the|to"
    r"|vs|with))*)(?: \([^()]*\))?"
)
# Headings that many records share and that say nothing alone.
_SHARED = frozenset({*map(fold, ACTION_HEADINGS.values()), "traits", "at higher levels", "actions", "table"})
_KIND_WORDS = frozenset("trait traits ability abilities action reaction feature monster creature stat block".split())


@dataclass(frozen=True)
class NamedPart:
    """A part that a question names: its holders, and the one whose text answers, the newest SRD's if it has one."""

    mention: Mention
    holders: Sequence[Entry]

    @property
    def shown(self) -> Entry:
        """The holder whose text is printed."""
        return self.holders[0]


def part_names(text: str) -> Iterator[str]:
    """The folded titles with which the words of a passage begin: "Actions. Fire Breath. The dragon ..."."""
    titles = text[:PART_TITLE_CHARACTERS].split(". ")
    is_title_alone = len(titles) == 1 and len(text) < PART_TITLE_CHARACTERS and not text.endswith(".")
    for title in titles if is_title_alone else titles[:-1]:
        found = _TITLE.fullmatch(title.strip())
        if not found or len(found[1].split()) > _MAX_WORDS:
            return
        name = fold(found[1])
        if name not in _SHARED:
            yield name


def passages_named(passages: Iterable[Passage], name: str) -> frozenset[int]:
    """Return the indexes of the passages that are a part with this name, or follow below its title."""
    named = set()
    room = 0  # characters that may follow below a title
    for passage in passages:
        words = passage_words(passage)
        is_title = _TITLE.fullmatch(words) is not None and fold(words) not in _SHARED
        if name in part_names(words):
            named.add(passage.index)
            room = _MAX_BELOW if is_title else 0
        else:
            room -= room if is_title else len(words)
            if room > 0:
                named.add(passage.index)
    return frozenset(named)


def index_part_names(titles: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Map each name to the ids of its holders. ``titles`` are ids with the beginnings of their passages."""
    holders: dict[str, dict[str, None]] = {}
    for id_, text in titles:
        for name in part_names(text):
            holders.setdefault(name, {})[id_] = None
    return {name: tuple(ids) for name, ids in holders.items()}


def find_parts(
    search: str,
    mentions: Sequence[Mention],
    families: Sequence[tuple[Mapping[str, tuple[str, ...]], Mapping[str, Entry]]],
) -> tuple[list[NamedPart], bool]:
    """Return the parts that a question names, and whether it asks for nothing else.

    The name of a record is no part, unless only a third party's book has that record, or the part has a longer name and
    the question says nothing else. A name of one word is one only then, too, since it may be any word, and so are the
    titles in other records than creatures, whose passages are found by their words. ``families`` has the part names of
    each family and its matching entries.
    """
    words = fold(search).split()
    official = [mention for mention in mentions if any(map(is_official, mention.ids))]
    parts: list[NamedPart] = []
    for phrase in phrases(words, _MAX_WORDS):
        is_whole = {*words[: phrase.start], *words[phrase.stop :]} <= CONNECTING_WORDS | _KIND_WORDS
        names = [one for one in official if not (is_whole and len(one.name) < len(phrase.name))]
        is_taken = any(overlap(phrase, one) for one in (*names, *(part.mention for part in parts)))
        if is_taken or not _may_be_name(phrase, is_whole=is_whole):
            continue
        holders = _holders(phrase.name, families)
        are_creatures = any(entry.kind is Kind.CREATURE for entry in holders)
        if are_creatures or (is_whole and 0 < len(holders) <= _MAX_HOLDERS):
            ordered = _in_order(holders, mentions)
            parts.append(NamedPart(replace(phrase, ids=frozenset({ordered[0].id})), ordered))
    return parts, bool(parts) and _are_all(search, parts, mentions)


def _holders(name: str, families: Iterable[tuple[Mapping[str, tuple[str, ...]], Mapping[str, Entry]]]) -> list[Entry]:
    return [entries[id_] for names, entries in families for id_ in names.get(name, ()) if id_ in entries]


def _are_all(search: str, parts: Sequence[NamedPart], mentions: Sequence[Mention]) -> bool:
    """Whether a question names nothing but parts."""
    named = [part.mention for part in parts]
    others = [one for one in mentions if not any(overlap(one, part) for part in named)]
    return not others and set(text_without_names(search, named).split()) <= _KIND_WORDS


def is_official(id_: str) -> bool:
    """Whether a record is of an SRD; the keys of conditions and damage types name no book."""
    return ":srd" in id_ or "_" not in id_


def _may_be_name(mention: Mention, *, is_whole: bool) -> bool:
    name = mention.name.split()
    if len(name) == 1:
        return is_whole and name[0] not in CONNECTING_WORDS | EVERYDAY_NAMES and not is_kind_word(name[0])
    return CONNECTING_WORDS.isdisjoint((name[0], name[-1])) and not EVERYDAY_NAMES.issuperset(name)


def _in_order(holders: Iterable[Entry], mentions: Iterable[Mention]) -> list[Entry]:
    """Holders that the question names first, then the newest SRD's, of these first what both editions have."""
    every = list({entry.id: entry for entry in holders}.values())
    of_kind = Counter(entry.kind for entry in every)
    named: Container[str] = {id_ for mention in mentions for id_ in mention.ids}
    in_srds = [(entry.kind, entry.folded) for entry in every if entry.document_key in SRD_ORDER]

    def order(entry: Entry) -> tuple[object, ...]:
        is_in_both = in_srds.count((entry.kind, entry.folded)) > 1
        srd = SRD_ORDER.get(entry.document_key, len(SRD_ORDER))
        return entry.id not in named, srd, -of_kind[entry.kind], not is_in_both, entry.folded, entry.key

    return sorted(every, key=order)


def holders_hint(part: NamedPart) -> str:
    """Say how many creatures have a trait or action, and how to list them; "" for other parts."""
    names = {entry.folded: entry for entry in part.holders if entry.kind is Kind.CREATURE}
    title = part.mention.name.title()
    if len(names) < 2:
        return ""
    return f'{len(names)} creatures have {title}: search_{Family.CREATURES.removesuffix("s")}(trait="{title}").'


def owners_hint(mention: Mention, entries: Mapping[str, Entry]) -> str:
    """Say which classes, subclasses and species have a feature, and at which levels; "" unless several have it."""
    owners: dict[str, str] = {}
    features = [entries[id_] for id_ in sorted(mention.ids) if id_ in entries and entries[id_].kind is Kind.FEATURE]
    for entry in sorted(features, key=lambda one: SRD_ORDER.get(one.document_key, 9)):
        levels = str(entry.values[places(Family.OPTIONS)["levels"]]).strip("|").replace("|", ", ")
        owner = part_of(entry).partition(" ")[2].title()
        if entry.document_key in SRD_ORDER:
            owners.setdefault(owner, f"{owner} level {levels}" if levels else owner)
    return f"{mention.name.title()}: {'; '.join(sorted(owners.values()))}." if len(owners) > 1 else ""
