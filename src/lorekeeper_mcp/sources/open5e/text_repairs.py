"""Cleans the texts that Open5e serves: markup and typesetting errors, never words.

Each rule names the books that need it. Dice, tables and lists that a rule must not touch are left as they are.
"""

from __future__ import annotations

import html
import re

from lorekeeper_mcp.models import Abilities
from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES
from lorekeeper_mcp.sources.open5e.table_repairs import whole_tables
from lorekeeper_mcp.sources.open5e.text_slips import SLIPS
from lorekeeper_mcp.sources.open5e.word_slips import spelled

_LOST_COMMAS = frozenset({"a5e-mm"})  # two spaces in place of the book's comma
_NO_COMMAS = frozenset({"tob3"})  # nothing in its place: "when it hits with any weapon weapon deals extra"
_WORDS = "air|food|drink|water|sleep|" + "|".join(
    (*DAMAGE_TYPES, *(name.title()[:3] for name in Abilities.model_fields))
)
_LIST = re.compile(rf"\b(?:(?:{_WORDS}) )+(?:{_WORDS}) (?:and|or) (?:{_WORDS})\b")  # tob3: "air food drink or sleep"
_CLAUSE = re.compile(r"\b(Until (?:the |this )?grapple ends) (?=[a-z])|\b(turns?) (?=success ends\b)")  # tob3
_LOST_MARKS = frozenset({"bfrd"})  # the last item of a list is a bare line
_BARE_ITEM = re.compile(r"(?m)^(- [^\n]*\n) ?(?=(?:\*\*)?[A-Z])")
# tob3: where an item of a list begins, the line end is gone: "one of the following:Light Beam. Emits"
_GLUED_ITEM = re.compile(r"(?:(?<=[a-z]{2}[.:])|(?<=[)\d]\.))(?=(?:A|[A-Z][a-z’']+)[ ,.:])")
_ITEM_NAME = re.compile(
    r"^- ([A-Z][\w'’]+(?: (?:and|by|of|the|to|[A-Z][\w'’]+)){0,5}?)(?:[.:] (?=[A-Z])| (?=Target: ))", re.MULTILINE
)
_NUMBERED = re.compile(r"(?<=[a-z.):])\.?([1-9])(?:- ?| )(?=[A-Z])")  # tob, tob3: "of the following:1 Ball Bearings"
_MIN_ITEMS = 3
_LEAD = re.compile(r"(?m)^\*\*[A-Z][^*\n]*\.\*\*")
# tob, a5e: the name of a paragraph that is not bold, as those of the others are
_PLAIN_LEAD = re.compile(r"(?m)^([A-Z][\w'’-]+(?: (?:&|of|and|the|in|[A-Z][\w'’-]+)){0,5})\. (?=[A-Z])")
_BOLD_LEAD = re.compile(r"(?m)^(?![#|])([^\n]*\S)[ \t]?\n(?=\*\*[A-Z][^*\n]*(?:[.:]\*\*|\*\*[.:])|Specialties: )")
# Between paragraphs, as in prose that is not broken into lines.
_LINE_BREAKS = frozenset({"a5e-ag", "a5e-gpg", "open5e", "srd-2014", "tdcs", "toh"})
_CAPTION = re.compile(r"(?m)^#{2,6}(?= [^\n]*\n+\|)")  # a heading right above a table
_PARAGRAPH_END = re.compile(r"(?m)^(?![-*|#>+ ]|\d+[.)])([^\n|]*[.!?][\"”’')*_]*)[ \t]*\n(?=[A-Z][a-z’']*,? )")
_TWICE = re.compile(r"\b((?!that\b)[A-Za-z]{4,}) (?=\1\b)")
_TAG = re.compile(r"</? ?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*)?/?>")
_TABLE = re.compile(r"<table.*?</table>", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL | re.IGNORECASE)
_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL | re.IGNORECASE)
_MARKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE), "\n\n"),
    (re.compile(r"\s*<h([1-6])[^>]*>\s*(.*?)\s*</h\1>\s*", re.IGNORECASE | re.DOTALL), r"\n\n##### \2\n\n"),
    (re.compile(r"<(strong|b)>(.*?)</\1>", re.IGNORECASE | re.DOTALL), r"**\2**"),
    (re.compile(r"<(em|i)>(.*?)</\1>", re.IGNORECASE | re.DOTALL), r"*\2*"),
    (re.compile(r"\s*<li[^>]*>\s*", re.IGNORECASE), "\n- "),
    (re.compile(r"\s*</?(?:p|ul|ol|div)[^>]*>\s*", re.IGNORECASE), "\n\n"),
    (_TAG, ""),
)
_LINK_LEFT = re.compile(r"\bsrd:([a-z][a-z-]*[a-z])")
_EMPHASIS: tuple[tuple[re.Pattern[str], str], ...] = (  # a5e: "__levitate_ , and _fly ._"
    (re.compile(r"(?<![\w_])__([^_\n(]+?)\s*\(_"), r"_\1_ ("),
    (re.compile(r"(?<![\w_])__(?=\S)([^_\n]+?)_(?!_)"), r"_\1_"),
    (re.compile(r"(?<![\w_])_([^_\n]+?) ([,.;:]) ?_(?!\w)"), r"_\1_\2"),
    (re.compile(r"(?<=\w)_ +(?=[,.;:](?:\s|$))"), "_"),
    (re.compile(r"(?<=\w) ,(?=\s)"), ","),
    (re.compile(r"(?<=[\w_]) +\.(?=\s|$)(?! \.)"), "."),
)
_GLUED_BULLET = re.compile(r"(?m)^\*(?=[A-Z][^*\n]*$)")  # a5e-ag
_HEADING = re.compile(r"(?m)^(#{2,6}) ")
_UNMARKED = re.compile(  # srd-2014: one heading of a list without its markup, right below the text of the one before
    r"(?<=[.!?a-z])\n([A-Z][\w'’-]*(?: (?:and|of|the|to|with|[A-Z][\w'’-]*)){0,6})\n\n(?=[A-Z][^\n]{30,}[.!?:])"
)
_CLOSING = re.compile(r"(?<=[.!?”\"])_(?=\s*(?:\n|\Z))")
_BARE_ROW = re.compile(r"(?:(?<=\|\n)|(?m:^))[ \t]*([^|\s][^|\n]{0,40}\|[^\n]*\|)[ \t]*(?=\n[ \t]*\|)")
_INLINE_TABLE = re.compile(r"(?m)^([^|\n]*[^|\s])[ \t]+(\|[^\n]*\|[^\n]*\|[ \t]*\n[ \t]*\|)")
_ABOVE_TABLE = re.compile(r"(?m)^([^|\n]*[^|\s][ \t]*)\n(?=[ \t]*\|[^\n]*\|)")
_LOST_STOPS = frozenset({"a5e", "a5e-ag", "bfrd", "elderberry-inn-icons", "spells-that-dont-suck", "toh"})
_CUT_OFF = re.compile(r"(?m)(\b(?:seek you out to make|free service of up to \d+))$")  # a5e-ag
_UNENDED = re.compile(  # a last sentence without its full stop
    r"(?m)^(?![-*|#>•]|\d)((?:(?:If|Once|When|While|You) [^\n|]{80,}|[^\n|]*[a-z)’'][.!?] +[A-Z][^\n|.:]{14,})"
    r"[a-z]{2})(?<!\dth)[ \t]*$(?=\n\n(?:#|You )|\Z)"
)
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_COMMA = re.compile(r"(?<=[\w)'’\"”]) {2}(?=[^\s|])|(?<=\b[fF]t\.) {2}(?=[a-z])")


def clean_text(text: str, document: str = "") -> str:
    """Return the text without broken markup; ``document`` is the key of its book."""
    if "<" in text and _TAG.search(text):
        text = _from_html(text)
    if "&" in text:
        text = html.unescape(text)
    text = _numbered(_with_items(text, document))
    for sign, pattern, right in SLIPS:
        if sign in text:
            text = pattern.sub(right, text)
    if "\n* " in text:
        text = _GLUED_BULLET.sub("* ", text)
    if heading := _HEADING.search(text):
        text = _UNMARKED.sub(rf"\n\n{heading[1]} \1\n\n", text)
    if "\n**" in text and _LEAD.search(text):
        text = _PLAIN_LEAD.sub(r"**\1.** ", text)
    text = _BOLD_LEAD.sub(r"\1\n\n", text)
    text = _LINK_LEFT.sub(lambda match: match[1].replace("-", " "), text)
    text = _of_book(text, document)
    if "_" in text or " ," in text or " ." in text:
        for pattern, right in _EMPHASIS:
            text = pattern.sub(right, text)
        text = "\n".join(_CLOSING.sub("", line) if line.count("_") == 1 else line for line in text.split("\n"))
    text = spelled(_GAP.sub(" ", text))
    if "|" in text:
        text = _BARE_ROW.sub(r"| \1", text)
        text = _ABOVE_TABLE.sub(r"\1\n\n", _INLINE_TABLE.sub(r"\1\n\n\2", text))
        text = _with_equal_captions(whole_tables(text))
    text = re.sub(r"\n{3,}", "\n\n", text).strip()
    if document in _LOST_STOPS:
        text = _UNENDED.sub(r"\1.", _CUT_OFF.sub(r"\1 … (the source's text ends here)", text))
    return text


def _with_equal_captions(text: str) -> str:
    """Set the headings of tables at the deepest of their levels: in a5e-ag, two tables of a pair have two levels."""
    return _CAPTION.sub(max(_CAPTION.findall(text), default=""), text)


def _with_items(text: str, document: str) -> str:
    """Put each glued item on a line of its own, with its name in bold if its end is known; mark each bare one."""
    if document in _LOST_MARKS:
        return _BARE_ITEM.sub(r"\1- ", text)
    first, *items = _GLUED_ITEM.split(text) if document in _NO_COMMAS else [text]
    return _ITEM_NAME.sub(r"- **\1.** ", "\n- ".join([f"{first}\n", *items])) if items else text


def _numbered(text: str) -> str:
    """Put each item of a list with glued numbers on a line of its own."""
    lead, *parts = _NUMBERED.split(text)
    numbers = parts[::2]
    if len(numbers) < _MIN_ITEMS or numbers != [str(n) for n in range(1, len(numbers) + 1)]:
        return text
    return "\n".join([f"{lead}\n", *(f"{n}. {item}" for n, item in zip(numbers, parts[1::2], strict=True))])


def _of_book(text: str, document: str) -> str:
    """The text without errors that only one book has."""
    if document in _LOST_COMMAS:
        return _COMMA.sub(", ", text)
    if document in _NO_COMMAS:
        text = _CLAUSE.sub(lambda clause: f"{clause[1]}, " if clause[1] else f"{clause[2]}; ", text)
        return _TWICE.sub(r"\1, ", _LIST.sub(_with_commas, text))
    return _PARAGRAPH_END.sub(r"\1\n\n", text) if document in _LINE_BREAKS else text


def _with_commas(words: re.Match[str]) -> str:
    *listed, conjunction, last = words[0].split()
    return f"{', '.join(listed)}, {conjunction} {last}"


def _from_html(text: str) -> str:
    text = _TABLE.sub(lambda match: f"\n\n{_html_table(match[0])}\n\n", text)
    for pattern, right in _MARKS:
        text = pattern.sub(right, text)
    return text


def _html_table(table: str) -> str:
    rows = [[" ".join(_TAG.sub("", cell).split()) for cell in _CELL.findall(row)] for row in _ROW.findall(table)]
    rows = [row for row in rows if row]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
