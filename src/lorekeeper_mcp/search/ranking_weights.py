"""The numbers of the ranking: what a name is worth, what each signal weighs, how near is near enough."""

from __future__ import annotations

from dataclasses import dataclass

# An exact name is 1, a close one above 0.9, everything else below: so the score falls down the list.
NAMED_FROM, OTHERS_TO = 0.9, 0.88
CLOSE_TO = 0.998  # the highest score of a close name
NAMED_BARELY = 0.999  # a name without the words that people add to it
# If no record comes nearer than this, the question is about something else; a question with words that are in no
# record comes as near as that by chance. If one comes nearer than the other bound, the question is about the game.
RELATED, RELATED_IF_UNKNOWN = 0.24, 0.45
SURELY, SURELY_IF_UNKNOWN = 0.42, 0.55
MOST_WORDS = 0.5  # of the best score by words: a record with more than this share counts as near, too


@dataclass(frozen=True)
class RankingWeights:
    """What each signal counts beside the cosine of a record, which counts 1. ``benchmarks/retrieval`` compares them."""

    passage: float = 0.85  # the share of the best passage's cosine in what counts as near
    words: float = 0.2  # BM25 of the record
    passage_words: float = 0.1  # BM25 of its best passage
    preferred: float = 0.25  # it has the boosts: is of the type, class, rarity ... that the question names
    mentioned: float = 0.15  # its name is in the question
    ruling: float = 0.1  # it is a rule, and the question asks what somebody may do
    srd: float = 0.1
    feature: float = 0.03  # taken from features that the question neither names nor asks for: their class is meant
    srd_among_names: float = 0.02  # less than one typing error makes
    srd_among_alike: float = 0.5  # where the question is nothing but filters
    words_only: float = 0.75  # of the lowest cosine: a record found by words alone ranks below those found by meaning

    @property
    def highest(self) -> float:
        """The most that a record can have."""
        return 1 + self.words + self.passage_words + self.preferred + self.mentioned + self.ruling + self.srd


WEIGHTS = RankingWeights()
