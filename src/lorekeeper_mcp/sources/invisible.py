"""Invisible characters, which every source first removes from its texts."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile(
    "\x1b\\[[0-9;?]{0,30}[@-~]|"  # an escape sequence of terminals, whole
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

# Cyrillic, Greek, Armenian and Cherokee letters that look like Latin ones.
_LOOKALIKES = str.maketrans(
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0430"
    "\u0435\u0455\u0456\u0458\u043a\u043e\u0440\u0441\u0443\u0445\u0501\u051b\u051d\u04bb\u0391\u0392"
    "\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd\u03c4\u03b9"
    "\u03b1\u03b3\u03b5\u03ba\u03c1\u03c5\u03c7\u054d\u0555\u0570\u0578\u057d\u0581\u0585\u13a0\u13a1"
    "\u13a2\u13aa\u13ac\u13b3\u13b7\u13bb\u13da\u13de\u13df\u13e2\u13e6",
    "ABESIJKMHOPCTYXaesijkopcyxdqwhABEZHIKMNOPTYXovtiayekpuxSOhnugoDRTAEWMHSLCPK",
)
_WITH_LOOKALIKES = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "DESERET", "LISU"})
_WORD = re.compile(r"[^\W\d_]+")


def visible(value: object) -> tuple[object, int]:
    """Remove invisible characters from every text of a parsed value; return the value and how many there were.

    Control characters except tabs and line ends, zero-width characters, bidirectional controls, tags, variation
    selectors, lone surrogates: they can hide words from people that a model reads.
    """
    if isinstance(value, str):
        return (value, 0) if value.isascii() and value.isprintable() else _INVISIBLE.subn("", value)
    if isinstance(value, dict):
        keys, values = [visible(key) for key in value], [visible(part) for part in value.values()]
        count = sum(removed for _, removed in (*keys, *values))
        return ({key: part for (key, _), (part, _) in zip(keys, values, strict=True)} if count else value), count
    if isinstance(value, list | tuple):
        parts = [visible(part) for part in value]
        count = sum(removed for _, removed in parts)
        return ([part for part, _ in parts] if count else value), count
    return value, 0


def lookalike(text: str) -> str:
    """Return the text as it looks: lookalike letters of other alphabets and wide forms as Latin letters."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)


def mixes_alphabets(text: str) -> bool:
    """Whether a word mixes Latin letters with those of an alphabet that has lookalikes."""
    if text.isascii():
        return False
    words = _WORD.findall(unicodedata.normalize("NFKC", text))
    alphabets_of_words = ({unicodedata.name(letter, "").partition(" ")[0] for letter in word} for word in words)
    return any("LATIN" in alphabets and alphabets & _WITH_LOOKALIKES for alphabets in alphabets_of_words)
