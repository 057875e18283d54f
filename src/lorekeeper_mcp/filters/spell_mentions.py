"""The spells that a text lets somebody cast, read from its wording and its lists.

Nobody knows every spell's name when a record is stored: its books may come later. So a text gives the slugs of what
could be names. Which of them are spells shows when they are compared with those that are stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lorekeeper_mcp.text import slugify

_LONGEST = 60  # characters of a spell's name
_MOST_WORDS = 6  # of a spell's name; a longer piece is prose
_MARKS = re.compile(r"[*_\[\]†`]+")
# "- **2/Day Each:** Fireball, Fly" or "* 3rd level: fly", one list to a line, remarks in brackets taken out. Some books
# end lists with <br>.
_SPELL_LIST = re.compile(
    r"(?:at[ -]will|/\s*(?:day|week|month|year|rest)(?: each)?|cantrips?|\d(?:st|nd|rd|th)(?:[ -]level)?|constant)"
    r"(?:[^:\n]{0,40}?:[*_\s:]*|\*\* )"
    r"(?P<spells>(?:(?!<br>|at will|\d/(?:day|week)|\d(?:st|nd|rd|th)[ -]level)[^:\n])+)",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\([^()]*\)")
# What gives a spell in a sentence: "casts Fly", "the effect of the haste spell", "detonates as a level 3 Fireball".
_GIVES = re.compile(
    r"\b(?:(?:cast(?:s|ing)?|Cast)(?! (?:on|by|at|in|into|within|from|using|through|it)\b)"
    r"|(?<!creature under the )(?<!immune to the )(?:effects?|(?<!receives the )benefits?) of"
    r"(?! spells? such| an? spell,? such)"
    r"|(?<!from the )following(?: [\w-]+){0,3} spells?[^.:\n]{0,40}:|\bspells?\b[^.:\n]{0,40}\bfollowing[^.:\n]{0,20}:"
    r"|(?:always have|know(?:s|ing)?|learns?|prepared|can replace one [A-Z][\w'’ ]+ with)(?= the\b| [A-Z])"
    r"|as an? (?:\d\w\w-level|level \d))"
    r"\s+(?P<spells>[^\n|]+?)(?=\.(?:\s|$)|\n|\||$)"
)
_MAGIC = re.compile(r"\bspells?\b|\bcast|\bcantrip", re.IGNORECASE)
# A line of a list or table, of which converted books have lost the bars: "Wall of Fire 4", "3 Blur, Burning Hands".
_ROW = re.compile(r"^\s*(?:[•|*-]|\d|(?!Speed)[A-Z][\w'’/ ]*(?:$|[,\d]))")
_SENTENCE = re.compile(r"[a-z]\.(?:\s|$)")
_RULE = re.compile(r"[\s|:-]+")  # the line below a table's head
_SPELLS = re.compile(r"[*_]*spells[*_]*", re.IGNORECASE)  # the last word above a column of spells
_TAKES = re.compile(r"\bcharges lost\b", re.IGNORECASE)  # a table of what spells do to an item
_BREAK = re.compile(r"[,;:|()•—–]|\s\d+(?:d\d+)?\b|\b\d+(?:st|nd|rd|th)?\b|<br>")
_JOINED = re.compile(r"\s(?:or|and)\s")
_LEAD = re.compile(
    r"^(?:(?:and|or|either|the|a|an|cantrips?|spells?|-?level|version of|Bead of (?:Wind )?\w+)\s+)+"
    r"(?=\S)"
)
# Where a spell's name has ended. Names hold some of these words too, so that both readings are given.
_END = re.compile(
    r"\s+(?:spells?|cantrips?|on|as|at|to|once|twice|again|using|requiring|targeting|through|if|while|when"
    r"|for|by|each|instead|upon|only|but|per|up|until|originating|against|cast|prepared)\b.*$"
)
_NO_NAME = re.compile(
    r"(?:one|any|each|all|its?|their|them|this|that|these|those|you|your|his|her|at|with|within|following|level|save-dc"
    r"|version|lower|higher|direction|distance)\b|(?:spells?|a|the|of|or|feet)$"
)
# "as if by the _daylight_ spell", "(as _stinking cloud_)", "this works like the polymorph spell".
_LIKENED = re.compile(
    r"(?:(?<!such )\bas|\b(?:work|function)s?(?: exactly)? like)(?: if)?(?: by| per| with)? (?:the |an? )?(?:spell )?"
    r"(?:[*_]+(?P<marked>[^*_\n]{3,60}?)[*_]+|(?P<plain>[A-Za-z][\w'’/ -]{2,50}?) (?:spell|cantrip)\b)"
)
_MAYBE_END = re.compile(r"\s+(?:from|with|without|into|in)\s")


def spells_listed(text: str) -> Iterator[str]:
    """Slugs of the spells in the lists of a spellcasting trait, without levels and remarks in brackets."""
    for found in _SPELL_LIST.finditer(_REMARK.sub("", text)):
        for piece in _MARKS.sub("", found["spells"]).split(","):
            whole = re.sub(r"^\s*and\s+|\b\d+\s*$", "", piece).strip(" .;")
            for name in dict.fromkeys((whole, *_JOINED.split(whole))):  # a name may have an "and" of its own
                slug = slugify(name)
                if slug and slug.count("-") < _MOST_WORDS:
                    yield slug


def spells_mentioned(text: str, *, has_lists: bool = True) -> list[str]:
    """Slugs of what a text lets somebody cast, and of what only could be a spell by its place.

    ``has_lists`` where rows and lists without a sentence name spells too, as under an item or a subclass.
    """
    plain = _MARKS.sub("", text)
    phrases = [found["spells"] for found in _GIVES.finditer(plain)]
    phrases += (*_rows(plain), *spells_in_tables(plain)) if has_lists and _MAGIC.search(text) else ()
    return list(dict.fromkeys(slug for phrase in phrases for slug in _slugs(phrase)))


def spells_in_tables(text: str) -> Iterator[str]:
    """The names in the columns of a text's tables that have spells in their head."""
    columns: list[int] | None = None
    for line in text.splitlines():
        row = line.strip()
        if not row.startswith("|"):
            columns = None
        elif not _RULE.fullmatch(row):
            cells = [cell.strip() for cell in row.strip("|").split("|")]
            if columns is None:
                columns = [place for place, cell in enumerate(cells) if _SPELLS.fullmatch(cell.split(" ")[-1])]
            else:
                yield from (name for place in columns if place < len(cells) for name in cells[place].split(","))


def spells_likened(text: str) -> list[str]:
    """Slugs of the spells as which something of an item works, which is their effect without their casting."""
    return [slugify(found["marked"] or found["plain"]) for found in _LIKENED.finditer(text)]


def _rows(text: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", text):
        if not _TAKES.search(block):
            lines = (_REMARK.sub("", line) for line in block.splitlines())
            yield from (line for line in lines if _ROW.match(line) and not _is_prose(line))


def _is_prose(line: str) -> bool:
    """Whether a line tells something in sentences. Rows may, as long as spells are what they tell of."""
    return bool(_SENTENCE.search(line)) and not (line.lstrip().startswith("|") and _MAGIC.search(line))


def _slugs(phrase: str) -> Iterator[str]:
    for piece in _BREAK.split(phrase):
        for name in (piece, *_JOINED.split(piece)):
            for slug in map(slugify, _names(name)):
                if slug and len(slug) <= _LONGEST and slug.count("-") < _MOST_WORDS and not _NO_NAME.match(slug):
                    yield slug


def _names(piece: str) -> Iterable[str]:
    name = _END.sub("", f" {_LEAD.sub('', piece.strip(' .'))}").strip()
    return (name, *(name[: found.start()] for found in _MAYBE_END.finditer(name)))
