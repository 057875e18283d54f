"""Folding of names and slugs, so that ``Will-o’-Wisp`` and ``will o wisp`` are the same name."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_APOSTROPHES = "'’‘`´ʼ"
_NOT_WORD = re.compile(r"[\W_]+")
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_SMALL = frozenset({"of", "by", "the", "and", "in", "to"})
_ABBREVIATED = {
    "ac": "AC", "al": "Adventurers League", "cap": "Capacity:", "crit": "Critical", "dmg": "Damage", "hp": "HP",
    "pb": "Proficiency Bonus", "scf": "Focus", "thresh": "Threshold", "veh": "Vehicle",
}  # fmt: skip
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
# Apostrophes are removed, other punctuation separates words. Outside ASCII, books mostly print dashes and quotation
# marks.
_PUNCTUATION = str.maketrans(
    {chr(code): " " for code in range(128) if not chr(code).isalnum()}
    | dict.fromkeys("–—−“”„…•·×", " ")
    | dict.fromkeys(_APOSTROPHES, None)
)


def fold(text: str) -> str:
    """Remove case, accents, apostrophes and punctuation; words are separated by one space."""
    plain = text.casefold().translate(_PUNCTUATION)
    if not plain.isascii():
        plain = _NOT_ASCII.sub(_uncombined, unicodedata.normalize("NFKD", plain)).translate(_PUNCTUATION)
        plain = _NOT_WORD.sub(" ", plain)
    return " ".join(plain.split())


def _uncombined(letter: re.Match[str]) -> str:
    return "" if unicodedata.combining(letter[0]) else letter[0]


def label(name: str) -> str:
    """A field name of a file as a heading: ``summonedBySpell`` -> ``Summoned by Spell``."""
    if not name[:1].islower():
        return name
    return " ".join(_titled(word) for word in _CAMEL.sub(" ", name).replace("-", " ").replace("_", " ").split())


def _titled(word: str) -> str:
    small = word.lower()
    return _ABBREVIATED.get(small) or (small if small in _SMALL else f"{word[:1].upper()}{word[1:]}")


def slugify(text: str) -> str:
    """Lower-case key of a name as Open5e (Django) makes it: punctuation dropped, spaces to hyphens."""
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_)).strip("-_")


def letters(text: str) -> str:
    """Return the folded text without spaces, for comparing texts that are typeset differently."""
    return fold(text).replace(" ", "")


def letters_digest(text: str) -> str:
    """A digest of a text's letters and digits alone: equal for texts that differ in layout and punctuation."""
    return hashlib.blake2b(letters(text).encode(), digest_size=8).hexdigest()
