"""Folding of names and slugs, so that ``Will-o’-Wisp`` and ``will o wisp`` are the same name."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_APOSTROPHES = re.compile(r"['’‘`´ʼ]")
_NOT_WORD = re.compile(r"[\W_]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def fold(text: str) -> str:
    """Case, accents, apostrophes and punctuation folded away; words parted by one blank."""
    plain = text.casefold()
    if plain.isascii() and (words := plain.split()) and "".join(words).isalnum():  # most names, in a third of the time
        return " ".join(words)
    if not plain.isascii():
        plain = _NOT_ASCII.sub(_uncombined, unicodedata.normalize("NFKD", plain))
    return _NOT_WORD.sub(" ", _APOSTROPHES.sub("", plain)).strip()


def _uncombined(letter: re.Match[str]) -> str:
    return "" if unicodedata.combining(letter[0]) else letter[0]


def slugify(text: str) -> str:
    """Lower-case key of a name as Open5e (Django) makes it: punctuation dropped, blanks to hyphens."""
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_)).strip("-_")


def letters_digest(text: str) -> str:
    """A digest of a text's letters and figures alone: the same for texts that differ in layout and punctuation."""
    return hashlib.blake2b(fold(text).replace(" ", "").encode(), digest_size=8).hexdigest()
