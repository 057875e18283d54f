"""Apostrophes of stat blocks, which one book lost: "the wyverns fly speed", "it doesnt"."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Creature
from lorekeeper_mcp.text import fold

_LOST = frozenset({"a5e-mm"})
_NOT = re.compile(r"(?<!Thieves['’] )\b(are|ca|could|did|do|does|had|has|have|is|should|was|were|would|wo)nt\b")
_NO_OWNED = r"(?!(?:and|are|can|do|for|have|in|is|may|of|or|that|to|were|who|will)\b)"
_OWNERS = (
    "alchemist|assassin|attack|attacker|aura|beast|centaur|cloaker|copy|creature|cube|dragon|elemental|enemy|god|harpy|hydra"
    "|knight|master|mimic|Narrator|object|original|otyugh|priest|pugilist|scroll|skeleton|spell|sphere|spire|target|vampire"
)
_OWNED = (
    "activities|area|attack|body|brain|breath|damage|discretion|doom|dreams|enemies|finger|hand|heart|heads?|hit|innate|lair"
    "|level|life|magic|maximum|memories|movement|next|owner|possession|presence|ranged|reach|resistances|saving|senses|shadow|size"
    "|slam|song|space|speed|spirit|statistics|supplies|target|total|turns?|will"
)
_BEFORE = "[Tt]he|[Aa]n?|[Aa]nother|[Aa]ny|[Ee]ach|[Ee]very|[Oo]ne|[Tt]hat|[Tt]heir|[Ii]ts|with"
_OWN = re.compile(
    rf"\b(Devil(?=s Sight)|Dragon(?=s Blood)|Trickster(?=s Gambit)|[Tt]he [a-z]+(?=s Speed\b)"
    r"|(?:[Tt]he|[Aa]n?|[Aa]ny) [a-z]+(?=s [A-Z][\w-]+ (?:[A-Z][\w-]+|trait)\b)"  # "the trolls Regeneration trait"
    rf"|[a-z]{{3,}}(?=s choice\b)|(?:{_BEFORE}) (?:[a-z-]+[ -])?(?:{_OWNERS})(?=s (?:{_OWNED})\b))s"
)
_PLURAL = re.compile(r"\b(?:Heroes(?= Feast\b)|creatures(?= spaces\b))")


def with_apostrophes(record: Creature) -> dict[str, object]:
    """Return the legendary introduction, traits and actions of a book that lost its apostrophes, with them."""
    if record.document_key not in _LOST:
        return {}
    names = "|".join(map(re.escape, fold(record.name).split()))
    own = rf"(?:[Tt]he|[Aa]n?|any|this) (?:(?:{names})[ -])*(?:{names})"
    owner = re.compile(rf"\b({own}|another creature)s(?= {_NO_OWNED}[A-Za-z]{{2}})")
    glued = re.compile(rf"\b({names})can\b")  # "the priestcan innately cast"
    own_name = re.compile(re.escape(re.sub("['’]", "", record.name)), re.IGNORECASE)

    def mended(text: str) -> str:
        if "'" in record.name:  # dead man's fingers
            text = own_name.sub(record.name.lower(), text)
        text = glued.sub(r"\1 can", text)
        return contracted(_PLURAL.sub(r"\g<0>'", _OWN.sub(r"\1's", owner.sub(r"\1's", text))))

    changes: dict[str, object] = {"legendary_text": mended(record.legendary_text)}
    for field in ("traits", "actions"):
        parts = getattr(record, field)
        changes[field] = tuple(
            part.model_copy(update={"name": mended(part.name), "text": mended(part.text)}) for part in parts
        )
    return changes


def contracted(text: str) -> str:
    """Return the text with the apostrophes of contractions: ``doesn't``."""
    return _NOT.sub(r"\1n't", text)
