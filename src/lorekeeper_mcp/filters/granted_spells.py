"""Finds the spells that a text lets somebody cast, in its sentences, lists and tables.

When a record is stored, not all spells are known, since their books may be stored later. So the slugs of possible
names are stored, and compared with the stored spells when a search needs them: a slug too many does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lorekeeper_mcp.models import CharacterClass, Ref
from lorekeeper_mcp.text import slugify

_MAX_NAME = 60  # characters of a spell's name
_MAX_TIME_WORD = 9  # characters of a word before it that makes a sentence conditional: "whenever "
_MAX_NAME_WORDS = 6  # in a spell's name; longer pieces are prose
_MARKS = re.compile(r"[*_\[\]†`]+")
_REMARK = re.compile(r"\([^()]*\)")
_EACH = re.compile(r"\bea(?:ch)?\b")
# "- **2/Day Each:** Fireball, Fly" or "* 3rd level: fly", one list per line, after removing remarks in brackets. Some
# books end lists with <br>.
_SPELL_LIST = re.compile(
    r"(?:at[ -]will|/\s*(?:day|week|month|year|rest)(?: each)?|cantrips?|\d(?:st|nd|rd|th)(?:[ -]level)?|constant)"
    r"(?:[^:\n]{0,40}?:[*_\s:]*|\*\* )"
    r"(?P<spells>(?:(?!<br>|at will|\d/(?:day|week)|\d(?:st|nd|rd|th)[ -]level)[^:\n])+)",
    re.IGNORECASE,
)
# Casting that grants nothing: the caster has the spell anyway, or ends something with it. "when you cast goodberry",
# "removed by casting mending on it".
_ON_CONDITION = r"(?<![Ww]hen you )(?<![Ww]henever you )(?<![Ii]f you )(?<!wanted to )(?<!To )"
_BY_ANOTHER = r"(?<!by )(?<!finding and )(?<!creature )(?<!someone )(?<!Alternatively, )"
# Sentences that grant a spell: "casts Fly", "the effect of the haste spell", "detonates as a level 3 Fireball".
_GIVES = re.compile(
    rf"\b(?:{_ON_CONDITION}(?:casts?|Cast|{_BY_ANOTHER}casting)"
    r"(?! (?:of|on|by|at|in|into|within|from|using|through|it|spells that|an? divination spell of)\b)"
    r"|(?<!creature under the )(?<!if the target is under the )(?<!immune to the )"
    r"(?:effects?|(?<!receives the )benefits?) of(?: both)?(?! spells? such| an? spell,? such)"
    r"|(?<!from the )following(?: [\w-]+){0,3} spells?[^.:\n]{0,120}:|\bspells?\b[^.:\n]{0,40}\bfollowing[^.:\n]{0,20}:"
    rf"|{_ON_CONDITION}(?:always have|know(?:s|ing)?|learns?|prepared|can replace one [A-Z][\w'’ ]+ with)"
    r"(?= the\b| [A-Z])"
    r"|\bspells include|\bThe(?=[^.\n]* spells are [a-z]+ spells for you\b)"
    r"|as an? (?:\d\w\w-level|level \d)|functions? as a scroll of|or be affected by"
    r"|can (?:also )?use(?: both)?(?! (?:an?|any|its?|your|his|her|their|this|that|one)\b)"
    r"(?= (?!the )[a-z]+ [a-z]| the (?:\w+ ){1,4}spell\b))"
    # Another mention may follow: "can cast mud dart at will and can cast gloom once".
    r"\s+(?=(?P<spells>[^\n|]+?)(?:\.(?:\s|$)|\n|\||$))"
)
# The pattern does not match a text without one of these words. Looking for words first is faster.
_GIVING = (
    "ast", "effect", "benefit", "following", "always have", "know", "learn", "prepared", "can replace", "spells",
    "level", "scroll of", "affected by", "use",
)  # fmt: skip
_MAGIC = re.compile(r"\bspells?\b|\bcast|\bcantrip", re.IGNORECASE)
# A line of a list or table, whose pipes converted books have lost: "Wall of Fire 4", "3 Blur, Burning Hands".
_ROW = re.compile(r"^\s*(?:[•|*-]|\d|(?!Speed)[A-Z][\w'’/ ]*(?:$|[,\d]))")
_HEAD = re.compile(r"(?m)^(?:.*\n\n)?\|.*\n(?=\|[\s|:-]+$)")  # of a table, with its caption: "Circle of Wind Spells"
_EXAMPLE = re.compile(r"\bFor example,[^.]*\.")
_TAKES = re.compile(r"\bcharges lost\b", re.IGNORECASE)  # a table of the effects of spells on an item
_SENTENCE = re.compile(r"[a-z]\.(?:\s|$)")
_RULE = re.compile(r"[\s|:-]+")  # the rule below a table's head
_SPELLS = re.compile(r"[*_]*spells[*_]*", re.IGNORECASE)  # the last word in the head of a column of spells
_BREAK = re.compile(r"[,;:|()•—–]|\s\d+(?:d\d+)?\b|\b\d+(?:st|nd|rd|th)?\b|<br>")
_JOINTS = tuple(re.compile(rf"\s(?:{words})\s") for words in ("or", "and", "or|and"))  # a name may contain one
_LEAD = re.compile(
    r"^(?:(?:and|or|either|both|the|a|an|special|cantrips?|spells?|-?level|version of|Bead of (?:Wind )?\w+)\s+)+"
    r"(?=\S)"
)
# Words after a spell's name. Names contain some of these, too: "flesh to stone once per day".
_END = re.compile(
    r"\s+(?:[Ss]pells?|[Cc]antrips?|on|as|at|to|once|twice|\w+ times|again|using|requiring|targeting|through|if|while"
    r"|when|for|by|each|instead|upon|only|but|per|up|until|originating|against|cast|centered|prepared)\b"
)
_PERHAPS = re.compile(r"\b(?:if|once|that|time(?!,)|unless|until|when|whenever|which|while|who)\b", re.IGNORECASE)
_MAYBE_END = re.compile(r"\s+(?:from|(?<!\b[Cc]ommune )with|without|into|in)\s")  # but Commune with Nature
# "as if by the _daylight_ spell", "(as _stinking cloud_)", "this works like the change appearance option of the alter
# self spell", "similar to the meld into stone spell", "functions as the cantrip mage hand".
_LIKENED = re.compile(
    r"(?:\bas (?:if|though)(?: [\w'’-]+){0,7}? (?:by(?: means of)?|against|vs\.|using|(?:effect|target|area) of)"
    r"(?: a constant)?"
    r"|(?<!such )\bas(?: if| though)?(?: by| per| with)?"
    r"|\b(?:[Ww]ork|[Ff]unction)s?(?: exactly)? like|\b(?:identical|similar) to"
    r"|\bsame effect as(?: \w+ (?:from|produced by))?|\b[Tt]reat as|\bsubject to(?= an? )"
    # Spells cast on whoever comes there: "you are targeted by the levitate spell", but not "if you are".
    r"|\b(?P<who>\w+,? \w+) (?:is|are|becomes?) (?:affected|targeted) by(?: either)?)"
    r"(?: the [\w ]{3,40} (?:aspect|option|version) of)? (?:the |an? )?"
    r"(?:(?:spell )?(?:[*_]+(?P<marked>[^*_\n]{3,60}?)[*_]+|(?P<plain>[A-Za-z][\w'’/ -]{2,50}?) (?:spell|cantrip)\b)"
    r"|(?:spell|cantrip) (?P<named>[a-z][a-z'’/ -]{2,30}?)(?=[).,;:|]| (?:but|for|with|on)\b))"
)


def spells_granted(text: str, *, has_lists: bool = True) -> list[str]:
    """Slugs of what a text lets somebody cast or compares an effect to, which is the spell's without casting it.

    ``has_lists`` if rows and lists without sentences name spells, too, as in items and subclasses.
    """
    plain = _EXAMPLE.sub("", _MARKS.sub("", text))
    phrases: list[str] = []
    if any(word in plain for word in _GIVING):
        phrases += (match["spells"] for match in _GIVES.finditer(plain))
    if has_lists and _MAGIC.search(text):
        phrases += (*_rows(plain), *spells_in_tables(plain))
    likened = (
        match["marked"] or match["plain"] or match["named"]
        for match in _LIKENED.finditer(text)
        if not (match["who"] and _PERHAPS.search(text[max(0, match.start() - _MAX_TIME_WORD) : match.end("who")]))
    )
    slugs = (*(slug for phrase in phrases for slug in _slugs(phrase)), *map(slugify, likened))
    return [slug for slug in dict.fromkeys(slugs) if slug.count("-") < _MAX_NAME_WORDS]


def spells_listed(text: str) -> Iterator[str]:
    """Slugs of the spells in the lists of a spellcasting trait, without levels and remarks in brackets."""
    lists = [(match[0], match["spells"]) for match in _SPELL_LIST.finditer(_REMARK.sub("", text))]
    # One book has lost its commas: then a list of "each" spell has none, or one is longer than a name.
    bare = [(head.removesuffix(spells), slugify(spells).split("-")) for head, spells in lists if "," not in spells]
    if len(bare) == len(lists) and any(_EACH.search(head) or len(words) > _MAX_NAME_WORDS for head, words in bare):
        yield from (run for _, words in bare for run in _word_runs(words))
    for _, spells in lists:
        for piece in _MARKS.sub("", spells).split(","):
            for name in _parts(re.sub(r"^\s*and\s+|\b\d+\s*$", "", piece).strip(" .;")):
                if (slug := slugify(name)) and slug.count("-") < _MAX_NAME_WORDS:
                    yield slug


def spells_on_list(record: CharacterClass) -> list[str]:
    """The slugs on a subclass's own list, from the tables in its text or the lists of imported files, in order.

    None for a class, which is named by its spells instead.
    """
    if not isinstance(record.subclass_of, Ref):
        return []
    texts = (record.text, *(feature.text for feature in record.features))
    names = [name for text in texts for name in spells_in_tables(text)]
    for section in record.spells:  # "3rd level: Bless", "prepared, 3: Bless"
        names += (name for line in re.split(r"[\n;]", section.text) for name in line.rpartition(":")[2].split(","))
    slugs = (slugify(_REMARK.sub("", name)) for name in names)
    return [slug for slug in dict.fromkeys(slugs) if slug]


def spells_in_tables(text: str) -> Iterator[str]:
    """The names in table columns with "spells" in their head."""
    columns: list[int] | None = None
    for line in text.splitlines():
        row = line.strip()
        if not row.startswith("|"):
            columns = None
        elif not _RULE.fullmatch(row):
            cells = [cell.strip() for cell in row.strip("|").split("|")]
            if columns is None:
                columns = [column for column, cell in enumerate(cells) if _SPELLS.fullmatch(cell.split(" ")[-1])]
            else:
                yield from (name for column in columns if column < len(cells) for name in cells[column].split(","))


def _word_runs(words: Sequence[str]) -> Iterator[str]:
    """Every run of words that is as long as a spell's name."""
    for start in range(len(words)):
        for stop in range(start + 1, min(start + _MAX_NAME_WORDS, len(words)) + 1):
            yield "-".join(words[start:stop])


def _rows(text: str) -> Iterator[str]:
    """The lines of lists and tables. Table rows may be sentences if they are about spells."""
    lines = () if _TAKES.search(text) else _HEAD.sub("", text).splitlines()
    for line in (_REMARK.sub("", line) for line in lines):
        is_prose = _SENTENCE.search(line) and not (line.lstrip().startswith("|") and _MAGIC.search(line))
        if _ROW.match(line) and not is_prose:
            yield line


def _slugs(phrase: str) -> Iterator[str]:
    for piece in _BREAK.split(phrase):
        for name in _parts(piece):
            yield from (slug for slug in map(slugify, _names(name)) if slug and len(slug) <= _MAX_NAME)


def _parts(piece: str) -> Iterable[str]:
    """A piece and its parts: "bane or protection from evil and good" may be up to three names."""
    return dict.fromkeys((piece, *(name for joint in _JOINTS for name in joint.split(piece))))


def _names(piece: str) -> list[str]:
    """Possible names at the beginning of a piece: up to the first and the second word that may end one."""
    text = f" {_LEAD.sub('', piece.strip(' .'))}"
    ends = [match.start() for match in _END.finditer(text)][:2]
    names = [text[:end].strip() for end in (*ends, len(text))[:2]]
    shorter = [name[: match.start()] for name in names for match in _MAYBE_END.finditer(name)]
    return [*names, *shorter]
