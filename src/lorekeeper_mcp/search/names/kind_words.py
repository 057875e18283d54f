"""Words that people add to a name to say which kind they mean, as in "the shield spell"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lorekeeper_mcp.models import FAMILIES, Family, Kind, family_of

_RULES = frozenset(FAMILIES[Family.RULES])
_ITEMS = frozenset(FAMILIES[Family.EQUIPMENT])
# The kinds that a word can mean; an empty set if it can mean any kind.
_KINDS: Mapping[str, frozenset[Kind]] = {
    **dict.fromkeys(("stat", "block"), frozenset[Kind]()),
    **dict.fromkeys(("spell", "cantrip", "ritual"), frozenset({Kind.SPELL})),
    **dict.fromkeys(("statblock", "monster", "creature"), frozenset({Kind.CREATURE})),
    **dict.fromkeys(("item", "weapon", "armor"), _ITEMS),
    **dict.fromkeys(("rule", "trap"), _RULES),
    "action": frozenset({Kind.RULE, Kind.FEATURE}),
    "condition": frozenset({Kind.CONDITION}),
    "skill": frozenset({Kind.SKILL}),
    "language": frozenset({Kind.LANGUAGE}),
    **dict.fromkeys(("property", "mastery"), frozenset({Kind.WEAPON_PROPERTY})),
    "feat": frozenset({Kind.FEAT}),
    **dict.fromkeys(("feature", "trait", "invocation", "metamagic"), frozenset({Kind.FEATURE})),
    "class": frozenset({Kind.CLASS}),
    "subclass": frozenset({Kind.SUBCLASS}),
    **dict.fromkeys(("race", "species"), frozenset({Kind.SPECIES})),
    "background": frozenset({Kind.BACKGROUND}),
}
# Kinds that are lists of values. A rarity or size in a question describes the result and is not the result.
VALUE_KINDS = frozenset(
    {
        Kind.ALIGNMENT,
        Kind.CREATURE_SET,
        Kind.CREATURE_TYPE,
        Kind.DAMAGE_TYPE,
        Kind.DOCUMENT,
        Kind.ENVIRONMENT,
        Kind.ITEM_CATEGORY,
        Kind.ITEM_RARITY,
        Kind.ITEM_SET,
        Kind.MAGIC_SCHOOL,
        Kind.SIZE,
    }
)
UNCOUNTED = VALUE_KINDS | {Kind.LANGUAGE, Kind.PLANE}  # "giants" asks for creatures, not for the one Giant language
_PLURALS = {"classes": "class", "subclasses": "subclass", "properties": "property", "species": "species"}


def _singular(word: str) -> str:
    return _PLURALS.get(word, word if word in _KINDS else word.removesuffix("s"))


def is_kind_word(word: str) -> bool:
    """Whether a folded word can follow or precede a name to say its kind."""
    return _singular(word) in _KINDS


def kinds_of_words(words: Iterable[str]) -> frozenset[Kind]:
    """The kinds that some words mean together; empty if they name no kind."""
    return frozenset(kind for word in words for kind in _KINDS.get(_singular(word), ()))


def kinds_before(word: str) -> frozenset[Kind]:
    """The kinds that a word before a name means: "the spell shield", but "spells heal wounds" names no spell."""
    return _KINDS.get(word, frozenset())


def ids_of_kinds(ids: Iterable[str], kinds: frozenset[Kind]) -> frozenset[str]:
    """Return the ids of these kinds.

    If there are none, return those of the same families: a question's "condition" may be a rule in a book.
    """
    all_ids = frozenset(ids)
    if not kinds:
        return all_ids
    families = set(map(family_of, kinds))
    return frozenset(id_ for id_ in all_ids if kind_of(id_) in kinds) or frozenset(
        id_ for id_ in all_ids if family_of(kind_of(id_)) in families
    )


def kind_of(id_: str) -> Kind:
    """The kind of the record with an id."""
    return Kind(id_.partition(":")[0])
