"""Names mentioned in a question, and the rest of its text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.search.names.kind_words import VALUES, ids_of_kinds, kinds_of_words
from lorekeeper_mcp.search.names.lexicon import book_name
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.search.names.stems import stem
from lorekeeper_mcp.store.memory.query_terms import COMMON_WORDS
from lorekeeper_mcp.text import fold

_LONGEST = 6  # words in a name
_SHORTEST = 3  # letters; longer names are also looked up in the other grammatical number
# Words that connect names or ask for them, and add nothing to the question.
CONNECTING = COMMON_WORDS | frozenset(
    "vs versus between difference differences compare compared comparison about tell explain describe show better "
    "best worse stronger than whats does did mean means work works happen happens rules rule please both each other "
    "same one two there just condition conditions spell spells effect effects change changed changes differ "
    "edition editions".split()
)
# Names that are also everyday words: alone in a sentence they are not mentions.
PLAIN_WORDS = frozenset(
    "attack attacks action actions reaction reactions movement speed round turn turns combat rest damage magic "
    "level levels range target targets time item items creature creatures monster monsters armor weapon weapons "
    "ability abilities skill skills language languages equipment money size type common rules player game check "
    "checks spell spells cast casting save saves feat feats race class background wealth gear small medium large "
    "tiny huge strength dexterity constitution intelligence wisdom charisma fire cold acid poison lightning thunder "
    "force psychic radiant necrotic bludgeoning piercing slashing light heavy reach thrown special human humans "
    "good evil traits description overview features using being number numbers".split()
) | {"per day"}
# A single word after one of these is a verb, and a name only if it is from the SRDs, since people use only the
# best-known names as verbs: "may I polymorph him" means the spell, "how do I calculate" not the spell of another book.
# A condition ("can prone creatures crawl") and a word that hardly any text has are names here, too.
_BEFORE_VERBS = frozenset("i you he she it we they to can may".split())
_PLAIN_STEMS = frozenset(map(stem, PLAIN_WORDS | CONNECTING))


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
    def several_words(self) -> bool:
        """Whether the name has more than one word, and so is no coincidence."""
        return " " in self.name


def find_mentions(
    search: str,
    names: Sequence[tuple[NameIndex, Container[str]]],
    is_rare: Callable[[str], bool] = lambda _: False,
    *,
    with_verbs: bool = False,
) -> list[Mention]:
    """Return the names in a question in order; of overlapping names, the longest.

    ``names`` has the name index of each searched family with its matching entries. ``is_rare`` says whether hardly any
    text has a word; such a word is a name even after "can" or "to". ``with_verbs`` if a bare verb also mentions the
    rule named after it, as in a question for a ruling: "can a goblin grapple an ogre".
    """
    words = fold(search).split()
    found: list[Mention] = []
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            stop = start + length
            if any(start < one.stop and one.start < stop for one in found):
                continue
            phrase = " ".join(words[start:stop])
            if phrase in PLAIN_WORDS or (length == 1 and (phrase in CONNECTING or len(phrase) < 3)):
                continue
            forms = ([id_ for of, among in names for id_ in of.ids(name, among)] for name in _forms(phrase))
            known = next((ids for ids in forms if ids), [])
            if not known and length == 1 and stem(phrase) not in _PLAIN_STEMS:
                known = [id_ for of, among in names for id_ in of.inflected(phrase, among, is_verb=with_verbs)]
            ids = frozenset(id_ for id_ in known if id_.partition(":")[0] not in VALUES)
            if length == 1 and start and words[start - 1] in _BEFORE_VERBS and not is_rare(phrase):
                ids = frozenset(id_ for id_ in ids if ":srd" in id_ or id_.startswith(f"{Kind.CONDITION}:"))
            if ids:
                of_kind = ids_of_kinds(ids, kinds_of_words(words[stop : stop + 1]))
                found.append(Mention(phrase, start, stop, of_kind or ids))
    return sorted(found, key=lambda one: one.start)


def _forms(phrase: str) -> Iterable[str]:
    """Forms to look up, best first: the words as typed, the books' term, the other grammatical number."""
    return dict.fromkeys(
        [phrase, book_name(phrase), *(singular_or_plural_forms(phrase) if len(phrase) > _SHORTEST else ())]
    )


def features_of_named(found: Sequence[Mention]) -> list[Mention]:
    """The mentions, without a class or species that only says whose feature is meant: "cleric turn undead"."""
    owned = {one: features for one in found if (features := _features(one, found))}
    owners = {key for features in owned.values() for id_ in features for key in _owners(id_, found)}
    return [
        replace(one, ids=owned.get(one, one.ids))
        for one in found
        if one in owned or not {id_.partition(":")[2] for id_ in one.ids} & owners
    ]


def _features(mention: Mention, found: Sequence[Mention]) -> frozenset[str]:
    return frozenset(id_ for id_ in mention.ids if any(_owners(id_, [one for one in found if one is not mention])))


def _owners(id_: str, found: Iterable[Mention]) -> list[str]:
    """The keys of a feature's owners among some mentions; a feature's key begins with its owner's."""
    kind, _, key = id_.partition(":")
    keys = (other.partition(":")[2] for one in found for other in one.ids)
    return [other for other in keys if kind == Kind.FEATURE and key.startswith(f"{other}_")]


def text_beside_names(search: str, named: Iterable[Mention]) -> str:
    """The words of a question beside the names in it and connecting words; "" if there are none."""
    words = fold(search).split()
    for one in named:
        words[one.start : one.stop] = [""] * (one.stop - one.start)
    return " ".join(word for word in words if word and word not in CONNECTING)


def sentences(search: str) -> list[str]:
    """The sentences of a question if it has several; otherwise an empty list."""
    found = [part.strip() for part in re.split(r"(?<=[.!?;])\s+", search) if len(part.split()) > 2]
    return found if len(found) > 1 else []


def mention_weight(mention: Mention, frequencies: Mapping[str, int]) -> float:
    """How likely a name is meant, from 0 to 1: lower for a word that many texts use, 1 for several words."""
    if mention.several_words:
        return 1.0
    count = max(1, frequencies.get(mention.name, 1))
    return max(0.1, min(1.0, 1.1 - math.sqrt(math.sqrt(count)) / 6))
