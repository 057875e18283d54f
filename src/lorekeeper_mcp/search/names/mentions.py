"""Finds the names in a question, and the rest of its text."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.search.names.kind_words import VALUE_KINDS, ids_of_kinds, is_of_kinds, kinds_of_words
from lorekeeper_mcp.search.names.lexicon import book_name
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.search.names.stems import stem
from lorekeeper_mcp.store.query_terms import COMMON_WORDS
from lorekeeper_mcp.text import fold

_MAX_WORDS = 6  # words in a name
_MIN_LETTERS = 3  # letters; longer names are also looked up in the other grammatical number
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
# A single word after one of these is a verb, and a name only if it is from the SRDs, since people use only the
# best-known names as verbs: "may I polymorph him" means the spell, "how do I calculate" not the spell of another book.
# A condition ("can prone creatures crawl") and a word that hardly any text has are names here, too.
_BEFORE_VERBS = frozenset("i you he she it we they to can may".split())
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
    search: str,
    names: Sequence[tuple[NameIndex, Container[str]]],
    is_rare: Callable[[str], bool] = lambda _: False,
    *,
    with_verbs: bool = False,
) -> list[Mention]:
    """Return the names in a question in order. If names overlap, the longest is returned.

    ``names`` has the name index of each searched family with its matching entries. ``is_rare`` says whether hardly any
    text has a word; such a word is a name even after "can" or "to". ``with_verbs`` if a verb also mentions the rule
    named after it: "can a goblin grapple an ogre".
    """
    words = fold(search).split()
    mentions: list[Mention] = []
    for phrase in phrases(words, _MAX_WORDS):
        if any(overlap(phrase, other) for other in mentions):
            continue
        kinds = kinds_of_words(words[phrase.stop : phrase.stop + 1])
        ids = _ids_in_sentence(phrase, kinds, names, with_verbs=with_verbs)
        is_after = not phrase.has_several_words and words[phrase.start - 1 : phrase.start]
        if is_after and not _BEFORE_VERBS.isdisjoint(is_after) and not is_rare(phrase.name):
            ids = frozenset(id_ for id_ in ids if ":srd" in id_ or id_.startswith(f"{Kind.CONDITION}:"))
        if ids:
            of_kind = ids_of_kinds(ids, kinds)
            has_kind = bool(kinds and of_kind)  # the name includes the word for its kind
            mentions.append(replace(phrase, stop=phrase.stop + has_kind, ids=of_kind or ids))
    return sorted(mentions, key=lambda mention: mention.start)


def _ids_in_sentence(
    phrase: Mention, kinds: frozenset[Kind], names: Sequence[tuple[NameIndex, Container[str]]], *, with_verbs: bool
) -> frozenset[str]:
    """The ids of the records that a phrase may name in a sentence; the words behind it name ``kinds``."""
    is_everyday = not EVERYDAY_NAMES.isdisjoint([phrase.name, *singular_or_plural_forms(phrase.name)])
    if (is_everyday and not kinds) or (not phrase.has_several_words and _is_no_name(phrase.name)):
        return frozenset()
    ids = _named_ids(phrase.name, names)
    if not ids and not phrase.has_several_words and stem(phrase.name) not in _EVERYDAY_STEMS:
        forms = (index.inflected_ids(phrase.name, allowed, is_verb=with_verbs) for index, allowed in names)
        ids = [id_ for of_family in forms for id_ in of_family]
    # "Human species" names one of that kind, "poison condition" none.
    return frozenset(
        id_ for id_ in ids if id_.partition(":")[0] not in VALUE_KINDS and (not is_everyday or is_of_kinds(id_, kinds))
    )


def _is_no_name(word: str) -> bool:
    return word in CONNECTING_WORDS or len(word) < _MIN_LETTERS


def _named_ids(phrase: str, names: Sequence[tuple[NameIndex, Container[str]]]) -> list[str]:
    """The ids of the records with the first form of a name that a record has, or whose name it abbreviates."""
    for form in _forms(phrase):
        if ids := [id_ for index, allowed in names for id_ in index.ids(form, allowed)]:
            return ids
    return [id_ for index, allowed in names for id_ in index.shortened_ids(phrase, allowed)]


def _forms(phrase: str) -> Iterable[str]:
    """Forms to look up, best first: as typed, the books' term, the other grammatical number."""
    return dict.fromkeys(
        [phrase, book_name(phrase), *(singular_or_plural_forms(phrase) if len(phrase) > _MIN_LETTERS else ())]
    )


def without_feature_owners(mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions, without a class or species that only tells whose feature is meant: "cleric turn undead"."""
    features_by_mention = {mention: features for mention in mentions if (features := _features(mention, mentions))}
    owners = {key for features in features_by_mention.values() for id_ in features for key in _owners(id_, mentions)}
    return [
        replace(mention, ids=features_by_mention.get(mention, mention.ids))
        for mention in mentions
        if mention in features_by_mention or not {id_.partition(":")[2] for id_ in mention.ids} & owners
    ]


def _features(mention: Mention, mentions: Sequence[Mention]) -> frozenset[str]:
    others = [other for other in mentions if other is not mention]
    return frozenset(id_ for id_ in mention.ids if _owners(id_, others))


def _owners(id_: str, mentions: Iterable[Mention]) -> list[str]:
    """The keys of a feature's owners among some mentions; a feature's key begins with its owner's."""
    kind, _, key = id_.partition(":")
    owners = (owner.partition(":")[2] for mention in mentions for owner in mention.ids)
    return [owner for owner in owners if kind == Kind.FEATURE and key.startswith(f"{owner}_")]


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
