"""Which conditions a spell causes, from its text: no source has them as a field."""

from __future__ import annotations

import re

from lorekeeper_mcp.models.vocabulary import CONDITIONS

_ANY = "|".join(CONDITIONS)
_LIST = rf"(?:{_ANY})(?:(?:,? (?:and|or) (?:is |has )?|, )(?:{_ANY}))*"
_CAUSED = re.compile(
    r"\b(?:(?:is|are|be|becom(?:e|es|ing)|being|falls?|falling|knocked|knock(?:s|ing)? \w+(?: \w+)?"
    r"|rendered|land(?:s|ing)?|turns?|remains?|(?:is|are|be) (?!knocked)\w+ed\b[^.;:,]{0,40} and)\s+"
    r"(?:also |magically |instead |either |both |effectively )?"
    r"|(?:has|have|having|gains?|with|inflicts?|imposes?|suffers?|gives?|gets?|giving|subjected to)\s+(?:both )?the\s+"
    rf"|fewer:\s+)(?!{_LIST} conditions? removed)(?P<conditions>{_LIST})\b",
    re.IGNORECASE,
)
_EXHAUSTING = re.compile(
    r"\b(?:suffers?|gains?|takes?|inflicts?|gets?)\b[^.;:,]{0,30}\b(?P<conditions>exhaustion)\b", re.I
)
# Words before a condition that prevent, end or presuppose it. Cures list what they end further away.
_NOT_CAUSED = re.compile(
    r"\b(?:(?:immun\w+|(?:can.t|cannot)\s+(?:be|become|gain|benefit|have|reduce|slow|cause)|neither|nor|isn.t|aren.t|not|never"
    r"|no longer|don.t|would|against|already|whether|condition can|suppress\w*)\b[^.;:,]{0,60}"
    # But "when you cast it makes a saving throw or is", "avoids you and is".
    r"|(?:avoid\w*|unless|advantage|if|while|when|whenever)\b(?:(?! (?:and|or (?:it|they)) $)[^.;:,]){0,60}"
    r"|(?:can.t|cannot|possessed by or)\s+"
    r"|(?:remov\w+|cur(?:e|es|ed|ing)|restor\w+|end(?:s|ing)? (?:one|any|all|each|an?|the))\b[^.;]{0,120}"
    r"|(?:that|who|(?<!during )which|sees?|reveals?)\s+(?:\w+ly )?)$",
    re.IGNORECASE,
)


def conditions_caused(text: str) -> list[str]:
    """The conditions that a spell's text imposes on anybody, by their keys, in the order of the text."""
    sentences = re.split(r"(?<=[.!?;])\s+|\n", re.sub(r"[*_\[\]]", "", text))
    caused = (
        name.lower()
        for sentence in sentences
        for pattern in (_CAUSED, _EXHAUSTING)
        for found in pattern.finditer(sentence)
        if not _NOT_CAUSED.search(sentence[: found.start()])
        for name in re.findall(_ANY, found["conditions"], re.IGNORECASE)
    )
    return list(dict.fromkeys(caused))
