"""The conditions that a spell causes, parsed from its text, since no source has a field for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lorekeeper_mcp.models.vocabulary import CONDITIONS

_ANY = "|".join(CONDITIONS)
_LIST = rf"(?:{_ANY})(?:(?:,? (?:and|or) (?:is |has )?|, )(?:{_ANY}))*"
_CAUSED = re.compile(
    r"(?:\b(?:is|are|be|becom(?:e|es|ing)|being|falls?|falling|drops|knocked|rendered|land(?:s|ing)?|turns?"
    # "making it frightened", "knocks the target prone", "turn each target invisible"
    r"|(?:mak|render|turn|knock|blast)(?:e|es|s|ing)? (?!any )\w+(?: \w+)?"
    r"|(?:is|are|be) (?!knocked)\w+ed\b[^.;:,]{0,40} and)\s+"
    r"(?:also |magically |instead |either |both |effectively )?"
    r"|\b(?:has|have|having|gains?|with|inflicts?|imposes?|suffers?|gives?|gets?|giving|subjected to)\s+"
    r"(?:both )?the\s+"
    r"|\b(?:failure|fewer|less|hit points|hp):\s+|\|\s*(?:Target )?(?=\w+ \|)"  # list items and table cells
    rf")(?!{_LIST} conditions? removed)(?P<conditions>{_LIST})\b"
    rf"|\band (?P<further>{_LIST}) (?:for|until|\()",  # "is stunned until its next turn and blinded for 1d4 rounds"
    re.IGNORECASE,
)
_EXHAUSTING = re.compile(
    r"\b(?:suffers?|gains?|takes?|inflicts?|gets?)\b[^.;:,]{0,30}\b(?P<conditions>exhaustion)\b", re.I
)
BY_VERB = {
    "blind": "blinded", "charm": "charmed", "deafen": "deafened", "frighten": "frightened", "grapple": "grappled",
    "paralyze": "paralyzed", "petrify": "petrified", "restrain": "restrained", "stun": "stunned",
}  # fmt: skip
# "a word that stuns a target", "attempts to grapple a creature"
_CAUSED_BY_VERB = re.compile(
    rf"\b(?:attempts? to|can|that|effectively) (?P<verb>{'|'.join(BY_VERB)})s? (?:an?|the|each)\b", re.IGNORECASE
)
_WORDS = (*CONDITIONS, *BY_VERB)
# A property of an object is not a condition: "the portal is invisible".
_THING = r"\b(?:aura|entrance|glyph|portal|shell)\s+"
# A clause that begins with one of these says when something applies, and ends at the next clause: "when you cast it
# makes a saving throw or is", "if it is a creature it is", "when the stone hardens is", "while in the area a creature
# is".
_WHEN = (
    r"(?:avoid\w*|unless|advantage|if|while|when|whenever)\b"
    r"(?:(?! (?:and|or (?:it|they)|(?:is a \w+|in \w[^.;:,]{0,30}) (?:it|they|an? \w+)"
    r"|ends|enters|fails|freezes|hardens|hits|moves) $)[^.;:,]){0,60}"
)
# Words before a condition that prevent, end or presuppose it. Cures name the conditions they end further away.
_NOT_CAUSED = re.compile(
    r"\b(?:(?:immun\w+|(?:can.t|cannot)\s+(?:be|become|gain|benefit|have|reduce|slow|cause)|neither|nor|isn.t|aren.t|not|never"
    r"|no longer|don.t|doesn.t|would|already|whether|resist|condition can|suppress\w*)\b(?:(?! but )[^.;:,]){0,60}"
    r"|against\b(?:(?! or (?:it |is |$))[^.;:,]){0,60}"
    rf"|{_WHEN}|{_THING}"
    r"|(?:can.t|cannot|able to|before you|as you|possessed by or)\s+|normal form and "  # unconscious from damage
    r"|(?:remov\w+|cur(?:e|es|ed|ing)|restor\w+|end(?:s|ing)? (?:one|any|all|each|an?|the))\b"
    r"(?:(?! and becom)[^.;]){0,120}"
    r"|(?:that|who|(?<!during )(?<!creature, )(?<!creatures, )which|sees?|reveals?)\s+(?:\w+ly )?)$",
    re.IGNORECASE,
)
# "If it is a creature, it must make a save or be knocked prone": a condition before, but not of the consequence.
_ON_FAILURE = re.compile(r"\bmust\b[^.;:]{0,80}\b(?:save|saving throw)s? or (?:be )?$", re.IGNORECASE)


def conditions_caused(text: str) -> list[str]:
    """The keys of the conditions that a spell's text imposes on anybody, in the order of the text."""
    sentences = re.split(r"(?<=[.!?;])\s+|\n", re.sub(r"[*_\[\]]", "", text))
    return list(dict.fromkeys(name for sentence in sentences for name in _of_sentence(sentence)))


def _of_sentence(sentence: str) -> Iterator[str]:
    lowered = sentence.lower()
    if not any(word in lowered for word in _WORDS):  # most sentences have none, and the patterns are slow
        return
    for pattern in (_CAUSED, _EXHAUSTING, _CAUSED_BY_VERB):
        for match in pattern.finditer(sentence):
            before = sentence[: match.start()]
            if _NOT_CAUSED.search(before) and not _ON_FAILURE.search(before):
                continue
            groups = match.groupdict()
            if verb := groups.get("verb"):
                yield BY_VERB[verb.lower()]
            else:
                names = groups["conditions"] or groups.get("further") or ""
                yield from re.findall(_ANY, names.lower())
