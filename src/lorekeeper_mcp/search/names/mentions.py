"""The names in a question that records have, names in it that none has, and the rest of its text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.search.names.kind_words import VALUE_KINDS, ids_of_kinds, kind_of, kinds_before, kinds_of_words
from lorekeeper_mcp.search.names.lexicon import expand_shorthand, names_not_in_srds, stem
from lorekeeper_mcp.search.names.name_index import MIN_LETTERS, NameIndex, ids_named
from lorekeeper_mcp.store.query_terms import COMMON_WORDS
from lorekeeper_mcp.text import fold

_MAX_WORDS = 6  # words in a name
# Words that connect names or ask for them, and add nothing to the question.
CONNECTING_WORDS = COMMON_WORDS | frozenset(
    "vs versus between difference differences compare compared comparison about tell explain describe show better "
    "best worse stronger than whats does did mean means work works happen happens rules rule please both each other "
    "same one two there just condition conditions spell spells effect effects change changed changes differ "
    "edition editions".split()
)
# Names that are also everyday words: alone in a sentence they are not mentions.
EVERYDAY_NAMES = frozenset(
    "attack attacks action actions reaction reactions movement speed round turn turns combat rest damage magic "
    "level levels range target targets time item items creature creatures monster monsters armor weapon weapons "
    "ability abilities skill skills language languages equipment money size type common rules player game check "
    "checks spell spells cast casting save saves feat feats race class background wealth gear small medium large "
    "tiny huge strength dexterity constitution intelligence wisdom charisma fire cold acid poison lightning thunder "
    "force psychic radiant necrotic bludgeoning piercing slashing light heavy reach thrown special human humans "
    "good evil traits description overview features using being number numbers adventure ally attitude campaign crew "
    "dead enemy friendly hostile".split()
) | {"per day"}
# Runs of capitalized words, also joined by "of the". The first word of a sentence is capitalized anyway.
_CAPITALIZED = re.compile(r"(?<![.!?;] )(?<!^)\b[A-Z][\w'’-]*(?:(?: (?:of|the|and|in))* [A-Z][\w'’-]*)*")
_MIN_CAPITALIZED = 4  # letters; titles capitalize words of at least this length
_EVERYDAY_STEMS = frozenset(map(stem, EVERYDAY_NAMES | CONNECTING_WORDS))


@dataclass(frozen=True)
class Mention:
    """A name in a question: words ``start`` to ``stop`` (exclusive), and the ids of the records with that name."""

    name: str
    start: int
    stop: int
    ids: frozenset[str]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of the records with that name."""
        return frozenset(id_.partition(":")[0] for id_ in self.ids)

    @property
    def has_several_words(self) -> bool:
        """Whether the name has more than one word, and so is no coincidence."""
        return " " in self.name


def overlap(one: Mention, other: Mention) -> bool:
    """Whether two names share a word of the question."""
    return one.start < other.stop and other.start < one.stop


def phrases(words: Sequence[str], max_words: int) -> Iterator[Mention]:
    """Yield every run of some words as a name without records, longest first."""
    for length in range(min(max_words, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            yield Mention(" ".join(words[start : start + length]), start, start + length, frozenset())


def find_mentions(
    search: str, names: Sequence[tuple[NameIndex, Container[str]]], *, with_verbs: bool = False
) -> list[Mention]:
    """Return the names in a question in order. If names overlap, the longest is returned.

    The words for its kind before and behind a name are part of it. ``names`` has the name index of each searched family
    with its matching entries. ``with_verbs`` if a verb also mentions the rule named after it: "can a goblin grapple".
    """
    words = fold(search).split()
    mentions: list[Mention] = []
    for phrase in phrases(words, _MAX_WORDS):
        if any(overlap(phrase, other) for other in mentions):
            continue
        before = kinds_before(words[phrase.start - 1]) if phrase.start else frozenset()
        kinds = kinds_of_words(words[phrase.stop : phrase.stop + 1])
        if ids := _ids_in_sentence(phrase, kinds or before, names, with_verbs=with_verbs):
            of_kind = ids_of_kinds(ids, kinds or before)
            start = phrase.start - bool(of_kind and before and not kinds)  # the name includes the word for its kind
            mentions.append(
                replace(phrase, start=start, stop=phrase.stop + bool(of_kind and kinds), ids=of_kind or ids)
            )
    return sorted(mentions, key=lambda mention: mention.start)


def _ids_in_sentence(
    phrase: Mention, kinds: frozenset[Kind], names: Sequence[tuple[NameIndex, Container[str]]], *, with_verbs: bool
) -> frozenset[str]:
    """The ids of the records that a phrase may name in a sentence; the words behind it name ``kinds``."""
    name, is_word = phrase.name, not phrase.has_several_words
    is_everyday = not EVERYDAY_NAMES.isdisjoint([name, *singular_or_plural_forms(name)])
    if (is_everyday and not kinds) or (is_word and (name in CONNECTING_WORDS or len(name) < MIN_LETTERS)):
        return frozenset()
    ids = ids_named(name, names)
    if not ids and is_word and stem(name) not in _EVERYDAY_STEMS:
        forms = (index.inflected_ids(name, allowed, is_verb=with_verbs) for index, allowed in names)
        ids = frozenset(chain.from_iterable(forms))
    # "Human species" names one of that kind, "poison condition" none.
    return frozenset(
        id_ for id_ in ids if kind_of(id_) not in VALUE_KINDS and (not is_everyday or kind_of(id_) in kinds)
    )


def without_owners(mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions, without a class or species that only tells whose feature is meant: "cleric turn undead"."""
    keys = {id_.partition(":")[2] for mention in mentions for id_ in mention.ids}
    owned = {
        mention: frozenset(id_ for id_ in mention.ids if id_.startswith(f"{Kind.FEATURE}:") and _owner(id_) in keys)
        for mention in mentions
    }
    owners = {_owner(id_) for ids in owned.values() for id_ in ids}
    return [
        replace(mention, ids=owned[mention] or mention.ids)
        for mention in mentions
        if owned[mention] or owners.isdisjoint(id_.partition(":")[2] for id_ in mention.ids)
    ]


def _owner(id_: str) -> str:
    """The key of a feature's owner, with which its own key begins."""
    return id_.partition(":")[2].rpartition("_")[0]


def text_without_names(search: str, named: Iterable[Mention]) -> str:
    """The words of a question without names and connecting words; "" if there are none."""
    words = fold(search).split()
    for mention in named:
        words[mention.start : mention.stop] = [""] * (mention.stop - mention.start)
    return " ".join(word for word in words if word and word not in CONNECTING_WORDS)


def mention_weight(mention: Mention, frequencies: Mapping[str, int]) -> float:
    """How likely a name is meant, from 0 to 1: lower for a word that many texts use, 1 for several words."""
    if mention.has_several_words:
        return 1.0
    count = max(1, frequencies.get(mention.name, 1))
    return max(0.1, min(1.0, 1.1 - math.sqrt(math.sqrt(count)) / 6))


# -- names that no record has


def missing_names(search: str, mentions: Iterable[Mention], is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the names in a question that nothing has, each once, as the question or the table of such names has them.

    ``mentions`` are the stored names in it; ``is_known`` says whether a record of any kind has a name.
    """
    stored = [mention.name for mention in mentions if mention.has_several_words]
    names: dict[str, str] = {}
    for name in (*_capitalized_names(search, stored), *_names_in_table(expand_shorthand(fold(search)), stored)):
        if not any(fold(name) in other or other in fold(name) for other in names) and not is_known(name):
            names[fold(name)] = name
    return tuple(names.values())


def _names_in_table(folded: str, stored: Sequence[str]) -> list[str]:
    """The longest names of the table in a folded text that are not part of a stored name, in their order."""
    found: dict[Mention, str] = {}
    for phrase in phrases(folded.split(), _MAX_WORDS):
        forms = dict.fromkeys([phrase.name, *singular_or_plural_forms(phrase.name)])
        name = next((form for form in forms if form in names_not_in_srds()), "")
        is_taken = any(overlap(phrase, other) for other in found) or any(
            f" {phrase.name} " in f" {one} " for one in stored
        )
        if name and not is_taken:
            found[phrase] = name
    return [found[phrase] for phrase in sorted(found, key=lambda phrase: phrase.start)]


def _capitalized_names(search: str, stored: Sequence[str]) -> Iterator[str]:
    """Runs of capitalized words that are not part of a stored name, unless the whole question is capitalized."""
    if all(word[:1].isupper() for word in search.split() if len(word) >= _MIN_CAPITALIZED):
        return
    stored_words = {word for name in stored for word in name.split()}
    for run in _CAPITALIZED.finditer(search):
        words = fold(run[0]).split()
        significant = [word for word in words if word not in EVERYDAY_NAMES | CONNECTING_WORDS]
        if 1 < len(words) <= _MAX_WORDS and len(significant) > 1 and stored_words.isdisjoint(words):
            yield run[0]
