"""English plurals and singulars of names."""

from __future__ import annotations

from collections.abc import Iterator

_IRREGULAR = {"men": "man", "wolves": "wolf", "elves": "elf", "dwarves": "dwarf", "knives": "knife", "staves": "staff"}
_IRREGULAR |= {"wives": "wife", "thieves": "thief", "mice": "mouse", "children": "child", "liches": "lich"}
_REGULAR = {singular: plural for plural, singular in _IRREGULAR.items()}


def singular_or_plural_forms(folded: str) -> Iterator[str]:
    """A folded name in the other number, most likely first: changes the last word, or the one before "of"."""
    words = folded.split()
    heads = [len(words) - 1] if words else []
    if "of" in words[1:]:
        heads.append(words.index("of", 1) - 1)
    for place in heads:
        for other in _others(words[place]):
            yield " ".join([*words[:place], other, *words[place + 1 :]])


def _others(word: str) -> Iterator[str]:
    for plural, singular in _IRREGULAR.items():
        if word.endswith(plural):
            yield word.removesuffix(plural) + singular
    for singular, plural in _REGULAR.items():
        if word.endswith(singular):
            yield word.removesuffix(singular) + plural
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
        return
    yield (
        f"{word[:-1]}ies"
        if word.endswith("y")
        else f"{word}es"
        if word.endswith(("s", "x", "ch", "sh"))
        else f"{word}s"
    )
