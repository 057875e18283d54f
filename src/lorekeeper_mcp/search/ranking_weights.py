"""The numbers of the ranking: the scores of names, the weight of each signal, the thresholds of relevance."""

from __future__ import annotations

from dataclasses import dataclass

# An exact name scores 1, a close one above 0.9, everything else less; scores decrease down the list.
MIN_NAME_SCORE, MAX_OTHER_SCORE = 0.9, 0.88
MAX_FUZZY_SCORE = 0.998  # the highest score of a close name
PARTIAL_NAME_SCORE = 0.999  # a name without the words that people add to it
# If every record's cosine is below the first bound, the question is about something else. If one is above the second,
# it is about the game. Questions with words that no record has need more, since they reach the first by chance.
RELATED_COSINE, RELATED_COSINE_IF_UNKNOWN = 0.24, 0.45
CERTAIN_COSINE, CERTAIN_COSINE_IF_UNKNOWN = 0.42, 0.55
RELATED_KEYWORD_SHARE = 0.5  # of the best keyword score: a record with a larger share is near, too
KNOWN_SHARE = 0.75  # of a question's words that some record has: below it, records are near by their meaning alone


@dataclass(frozen=True)
class RankingWeights:
    """The weight of each signal relative to the record's cosine. ``benchmarks/retrieval`` compares them."""

    passage: float = 0.85  # the share of the best passage's cosine in relevance
    words: float = 0.2  # BM25 of the record
    passage_words: float = 0.1  # BM25 of its best passage
    preferred: float = 0.25  # it matches the boosts: the type, class, rarity ... that the question names
    mentioned: float = 0.15  # its name is in the question
    ruling: float = 0.1  # it is a rule, and the question asks what somebody may do
    srd: float = 0.1
    feature: float = 0.03  # the penalty of a feature that the question neither names nor asks for: its class is meant
    srd_among_names: float = 0.02  # less than one typing error
    srd_among_equals: float = 0.5  # if the question consists of filters alone
    mundane_among_equals: float = 0.2  # "weapons with reach": the weapons before the magic items made of them
    words_only: float = 0.75  # of the lowest cosine: a record found by words alone ranks below those found by meaning

    @property
    def highest(self) -> float:
        """The highest possible score of a record."""
        return 1 + self.words + self.passage_words + self.preferred + self.mentioned + self.ruling + self.srd


WEIGHTS = RankingWeights()
