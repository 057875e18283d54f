"""Cleans the texts that Open5e serves: markup and typesetting errors, never words.

Each rule names the books that need it. Dice, tables and lists that a rule must not touch are left as they are.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from lorekeeper_mcp.sources.open5e.table_repairs import plain_rolls, whole_tables

_LOST_COMMAS = frozenset({"a5e-mm"})  # two spaces in place of the book's comma
_NO_COMMAS = frozenset({"tob3"})  # nothing in its place: "when it hits with any weapon weapon deals extra"
_LOST_MARKS = frozenset({"bfrd"})  # the last item of a list is a bare line
_BARE_ITEM = re.compile(r"(?m)^(- [^\n]*\n) ?(?=(?:\*\*)?[A-Z])")
# tob3: where an item of a list begins, the line end is gone: "one of the following:Light Beam. Emits"
_GLUED_ITEM = re.compile(r"(?:(?<=[a-z]{2}[.:])|(?<=[)\d]\.))(?=(?:A|[A-Z][a-z’']+)[ ,.:])")
_ITEM_NAME = re.compile(
    r"^- ([A-Z][\w'’]+(?: (?:and|by|of|the|to|[A-Z][\w'’]+)){0,5}?)(?:[.:] (?=[A-Z])| (?=Target: ))", re.MULTILINE
)
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
    (re.compile(r"<(?:em|i)><(?:strong|b)>(.*?)</(?:strong|b)></(?:em|i)>", re.IGNORECASE | re.DOTALL), r"***\1***"),
    (re.compile(r"<(strong|b)>(.*?)</\1>", re.IGNORECASE | re.DOTALL), r"**\2**"),
    (re.compile(r"<(em|i)>(.*?)</\1>", re.IGNORECASE | re.DOTALL), r"*\2*"),
    (re.compile(r"\s*<li[^>]*>\s*", re.IGNORECASE), "\n- "),
    (re.compile(r"\s*</?(?:p|ul|ol|div)[^>]*>\s*", re.IGNORECASE), "\n\n"),
    (_TAG, ""),
)
_NONMAGICAL = "bludgeoning, piercing, and slashing from nonmagical"
_RARITY = "(?:Common|Uncommon|Rare|Very Rare|Legendary)"
# Each with characters that any match contains: a search for those first takes a tenth of the time.
_SLIPS: tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    ("", re.compile(r"\\n|\r\n?"), "\n"),  # srd-2014: the two characters of an escape sequence
    ("](", re.compile(r"\[([^\]\n]+)\]\((?:https?://|www\.)[^)\s]*\)"), r"\1"),  # deepm: links into Open5e's version 1
    ("", re.compile(r"[-\u00ad\u2010\u2011]*[\u00ad\u2010\u2011][-\u00ad\u2010\u2011]*"), "-"),  # one-­‐‑handed
    ("level", re.compile(r"(\d(?:st|nd|rd|th))(?:- )?(?=level)"), r"\1-"),
    ("- ", re.compile(r"\b(disad|addi|main)- (?=vantage|tional|tain)"), r"\1"),  # cut at the end of a line
    (
        "- ",
        re.compile(
            r"(?<=[a-z])- (?!(?:and|as|but|by|for|if|in|nor|on|or|than|that|the|through|to|versus)\b)(?=[a-z]{2})"
        ),
        "-",
    ),
    ("", re.compile(r"\b(Ar|Na|In) (?=(?:mor|rows|cane|ture|sight)\b)"), r"\1"),  # srd-2024
    ("[br", re.compile(r"\s*\[br/?\]\s*"), "\n\n"),  # tob3
    ("[", re.compile(r"\[(?:rule|condition)\]\w+;(\w+)\[/(?:rule|condition)\]|\[em/\]"), r"\1"),  # tob-2023, tob3
    # tob3: marks of small capitals; a pair at the beginning has a part of the name
    ("+]", re.compile(r"(\A\[\+\].+?\[/\+\] )|\[\++\],? ?|\[/\++\]"), lambda match: match[1] or ""),
    (",.", re.compile(r",\.(?= \d)"), ","),  # tob3
    (",.", re.compile(r",\.(?= [A-Z])"), "."),
    (".,", re.compile(r"(?<=feet)\.(?=, one )"), ""),  # a5e-mm, tob2
    (" .,", re.compile(r"(?<=\*\* )\., (?=[a-z])"), ""),  # a5e-mm: the first spell of a list is gone
    ("Deep Magic: ", re.compile(r"\A(Deep Magic: [a-z]+(?:[ -][a-z]+)*) (?=[A-Z])"), r"*\1*\n\n"),
    ("S", re.compile(r"(?<=[a-z]['’])S\b"), "s"),  # tob3: Monkey'S
    ("•", re.compile(r"(?<=\S)[ \t]+(?=• )"), "\n"),
    ("•", re.compile(r"(?m)^[ \t]*• *"), "- "),
    ("\n", re.compile(r"(?m)^(?![-*|#>])([^\n]*[a-z,])[ \t]*\n(?=[a-z]{2,} [a-z])"), r"\1 "),  # deepm: broken lines
    # vom, ccdx: a line that ends within its sentence
    ("\n", re.compile(r"\b(an?|by|for|from|in|into|its|of|on|the|to|with|your) ?\n(?=[A-Z])"), r"\1 "),
    # a paragraph that ends within its sentence
    ("\n\n", re.compile(r"(?m)^(?![-*|#>])([^\n]*[a-z\d,])[ \t]*\n\n(?=[a-z]{2,} )"), r"\1 "),
    ("\n\n", re.compile(r"(?<=[.:!?])\s*\n\n([a-z])(?=[a-z]+ )"), lambda match: f"\n\n{match[1].upper()}"),  # tob
    (" :", re.compile(r"(?<=\w) (?=:(?:\s|$))"), ""),
    ("*", re.compile(r"(?<=\d)\* ?(?=foot\b)"), "-"),  # srd-2014: 10* foot
    ("    ", re.compile(r"(?m)^ {4}(?=\S)"), "- "),  # descriptions of documents: indented lines are a list, not code
    (" Curse. ", re.compile(r"(?<=[.!?]) Curse\. (?=[A-Z])"), "\n\n**Curse.** "),  # srd-2024
    ("--", re.compile(r"(?<=\d)-{2,}(?=[a-z])"), "-"),
    ("--", re.compile(r"(?<=[a-z])--(?=[a-z])"), "—"),
    ("foot", re.compile(r"\b(\d+)foot\b"), r"\1-foot"),
    ("", re.compile(r"\b(\d+)(minutes?|rounds?|hours?|days|feet|miles?|mph)\b"), r"\1 \2"),
    ("\ufffd", re.compile(r"(?<=\d)\ufffd(?=\d)"), "–"),
    ("with o", re.compile(r"\bwith o\b(?! clock)"), "without"),  # tob3: half of "w/o" was spelled out
    ("\\", re.compile(r"(?<=[\w+])\\(?=[.\]])|\\(?=\[)|(?<= )\\(?=- )"), ""),  # a5e: "roll a d20\."
    ("", re.compile(r"\b(\d[\d,]*)(gp|sp|cp|ep|pp)\b"), r"\1 \2"),
    ("", re.compile(r"\b(the|to|for|of|DC) \1\b"), r"\1"),
    ("", re.compile(r"\b(the|its|or|and|of|to|your)(?=[A-Z][a-z]{2})"), r"\1 "),
    ("", re.compile(r"(?<=[a-z])(?=\d+d\d+\b)"), " "),  # take1d10
    # items of a list: "5.Use", "2 - Extra Arm:"
    ("", re.compile(r"(?m)^(\d+)(?:\.(?=[A-Z])| - (?=[A-Z][^\n]+[.:]))"), r"\1. "),
    ("chapter ", re.compile(r"(?<=\(see )chapter \d+, (?=[\"“])"), ""),  # srd-2014: of another book
    ("See chapter ", re.compile(r" See chapter \d+ for [^.\n]*\."), ""),
    ("Rouge", re.compile(r"\bRouge(?= Level)"), "Rogue"),
    ("*", re.compile(r"(?<= )([a-z])\*(?=[a-z]{3,}[^*\n]*[a-z]\*(?!\w))"), r"*\1"),  # bfrd: "h*allucinatory terrain*"
    ("to hit", re.compile(r"(?<=DC \d\d) (?=\+\d+ ?to hit)"), ", "),  # a5e-mm
    ("to hit", re.compile(r"(?<=\+\d)(?=to hit)"), " "),
    ("socalled", re.compile(r"\bsocalled\b"), "so-called"),  # toh: a hyphen lost at the end of a line
    ("alance", re.compile(r"\ba(?=lance\b)"), "a "),
    ("anexpertise", re.compile(r"\ban(?=expertise\b)"), "an "),
    (",", re.compile(r"(?<=[a-z]),(?=[A-Za-z]{3})"), ", "),  # bfrd: "Common,Draconic"
    # tob3: the space between two sentences, or after a colon
    ("", re.compile(r"(?:(?<=[a-z]{2}[.:])|(?<=\)\.))(?=[A-Z][a-z]+[ ,.:])"), " "),
    (
        "æ0",
        re.compile(r"[æÆ]0([0-9a-f]{3})"),
        lambda match: chr(int(match[1], 16)),
    ),  # tob2: "collæ00e1is", "fukuræ014dwashi"
    ("DC l", re.compile(r"\bDC l(?=\d)"), "DC 1"),
    ("- ", re.compile(r"(?<=\d)- (?=(?:foot|minute|mile|hour|inch)\b)"), "-"),
    ("**", re.compile(r"(?<=[.:])\*\*(?=[A-Z][a-z])"), "** "),  # tob: "**Enormous Appetites.**The"
    ("**.", re.compile(r"(?<=[a-z]\*\*\.)(?=[A-Z])"), " "),  # bfrd: "**Inspire**.Your"
    (
        "",
        re.compile(r"\b(\d+) foot (?=(?:radius|cone|cube|line|sphere|cylinder|square|diameter)\b)", re.IGNORECASE),
        r"\1-foot ",
    ),
    # tob3: 30' and a comma that is missing
    ("'-", re.compile(r"(?<=\d)'-(?=[a-z])"), "-foot-"),
    ("'", re.compile(r"(?<=\d)(?<!'\d)'\.?(?![\w'])"), " ft."),
    ("to hit ", re.compile(r"(?<=to hit)(?= \d+(?:/\d+)? ft\b)"), ","),
    ("one target ", re.compile(r"(?<=one target)(?= \d+ \()"), ","),
    (" or ", re.compile(r"\b(\d) (\d) or (?=\d\b)"), r"\1, \2, or "),
    ("P or S", re.compile(r"(?<=bludgeoning) damage P or S\b"), ", piercing, or slashing damage"),
    ("ft", re.compile(r"(?<=\d)(?=ft\b)"), " "),
    ("foot", re.compile(r"\bfoot(?=(?:long|radius|tall)\b)"), "foot-"),
    (" ft,", re.compile(r"(?<=\d ft)(?=,)"), "."),
    ("ft. one", re.compile(r"(?<=\d ft\.)(?= one (?:target|creature)\b)"), ","),
    ("Medum", re.compile(r"\bMedum\b"), "Medium"),  # bfrd
    (". ", re.compile(r"(?<=[a-z])\.(?= (?:becoming|ending)\b)"), ","),  # tob, tob3, a5e-mm
    (". in which", re.compile(r"(?<=[a-z])\.(?= in which\b)"), ""),  # tob2
    # a5e-mm, tob3: a lost blank
    ("", re.compile(r"\b(?!(?:fort|here|there|where)(?:with|into))([a-z]{4,})(?=(?:into|that|which|with)\b)"), r"\1 "),
    ("", re.compile(r"\b(their|this(?!tle))(?=[a-z]{4})"), r"\1 "),
    ("snowith", re.compile(r"\bsnow(?=ith\b)"), "snow w"),
    # tob3, whose texts are abbreviated
    ("nonmagic ", re.compile(r"\bnonmagic (?:B/P/S|bludgeoning, piercing, and slashing)\b"), _NONMAGICAL),
    ("B/P/S", re.compile(r"\bB/P/S\b"), "bludgeoning, piercing, and slashing"),
    ("lighting", re.compile(r"\blighting(?=, (?:poison|thunder)| damage)"), "lightning"),
    ("w/", re.compile(r"\bw/(?=[a-z])"), "with "),
    ("Momento", re.compile(r"\bMomento\b"), "Memento"),  # a5e-ag
    (")", re.compile(r"(?<=\d\))(?=[a-z]{4})"), " "),
    ("n-t", re.compile(r"(?<=n)-t\b"), "'t"),  # toh: "you can-t"
    ("-s", re.compile(r"(?<=[a-z])-s\b"), "'s"),  # toh: "the spell-s level"
    ("", re.compile(r"(?<=[a-z]) (?=[’']s\b)"), ""),  # vom: "the staff 's head"
    ("", re.compile(r"(?<=\S)[ \t]+\)(?=[\s,.;:)])|(?<=\() (?=[\dA-Za-z])"), lambda match: match[0].strip()),
    ("..", re.compile(r"(?<=[a-z’'])\.\.(?![.\w])"), "."),
    ("#", re.compile(r"(?m)^(#{1,6})(?=[A-Z])"), r"\1 "),  # ###Cantrips
    ("\n #", re.compile(r"(?m)^ {1,3}(#{1,6} [^\n]*?)[ \t]*$"), r"\1"),
    ("\n#", re.compile(r"(?<=[^\n])\n(?=#{1,6} )"), "\n\n"),
    ("\n ", re.compile(r"(?<=[.!?)\]\"'”’])\n {1,3}(?=\*?[A-Z])"), "\n\n"),
    (", 000", re.compile(r"(?<=\d), (?=000\b)"), ","),  # a5e-ag: "2, 000 pounds"
    (" - ", re.compile(r"(?<=[a-z:.]) - (?=(?:\*\*)?[A-Z][^\n]*\n- )"), "\n\n- "),  # a list that begins in its sentence
    ("\n>", re.compile(r"(?m)^>(?=[^\s>])"), "> "),  # srd-2024: a box of several paragraphs
    ("\n\n>", re.compile(r"(?m)^(>[^\n]*)\n\n(?=>)"), r"\1\n>\n"),
    (" - ", re.compile(r"(?<=[a-z])(?<!feet) - (?=[a-z])|(?<=\*\*) - (?=[A-Z])"), "—"),
    (",", re.compile(r",[ \t]*(?=\n\s*[-*•]|\n\n|\Z)"), ""),
    # above a table: "### Creating Spell Slots (table)"
    ("(table)", re.compile(r"(?m)^(?:#{1,6} )?\**([A-Z][^|\n*#]*?) \(table\)\**[ \t]*\n\s*(?=\|)"), r"**\1**\n\n"),
    ("(table)", re.compile(r"(?m) \(table\)(?=\**[ \t]*$)"), ""),
    ("= 8**", re.compile(r"\*\*(Spell save DC) = 8\*\*"), r"**\1** = 8"),
    ("* * *", re.compile(r"(?m)^\* \* \*$"), ""),  # spells-that-dont-suck: the rules within a stat block
    ("\n -", re.compile(r"(?m)^ -  ?(?=\S)"), "- "),
    ("***.", re.compile(r"(?<=\w\))\*\*\*\."), ".***"),
    ("\n***", re.compile(r"(?<=[^\n])\n(?=\*\*\*[A-Z][^*\n]*\*\*\*)"), "\n\n"),
    # srd-2024, a5e: __**Table: Cube of Force**__
    ("Table: ", re.compile(r"(?m)^(?:__|#{1,6} )?\**Table: ([^*_\n]+?)\**(?:__)?[ \t]*$"), r"**\1**"),
    ("**", re.compile(r"(?m)^(#{1,6}) \*\*([^*\n]+)\*\*[ \t]*$"), r"\1 \2"),
    ("\n ", re.compile(r"(?m)^ {1,3}(?=\*{2,3}\w)"), ""),
    # vom: the notes that its texts were taken from
    ("dice: ", re.compile(r"(?<=\| )dice: (?=\dd)"), ""),
    ("#^", re.compile(r" ?\( ?[\w ]+#\^\w+\)"), ""),
    ("\\|", re.compile(r"[A-Z][\w' -]*\\\|(?=[A-Z])"), ""),
    ("\n- ", re.compile(r"(?m)^- \d[^\n]* - \d[^\n]*$"), lambda match: match[0].replace(" - ", "\n- ")),
    ("+ ", re.compile(r"\+ (?=\d bonus\b)"), "+"),
    (")", re.compile(rf"(?m)\s*^([A-Z][\w’' ]{{3,40}} \({_RARITY}\))\. "), r"\n\n**\1.** "),
    # a5e: emphasis that begins or ends within a word
    ("_", re.compile(r"\b([a-z]+)_([a-z]{1,2}) (?=[A-Z][^_\n]*_)"), r"\1\2 _"),
    ("_", re.compile(r"_([^_\n]+?) +([a-z]{1,2})_([a-z]+)\b"), r"_\1_ \2\3"),
    ("_", re.compile(r"(?<![\w(])_(?=[1-3] [a-z][a-z ]+_)"), "_+"),  # a5e: "a _1 rapier_"
    ("\n", re.compile(r"(?m)^([-*] [^\n]*[.!?)])[ \t]*\n(?=[A-Z][a-z'’]* )"), r"\1\n\n"),  # toh: what follows a list
    ("—", re.compile(r"(?<=\w)(?:— (?=[a-z])| —(?=\w))"), "—"),  # where the book ends a line, or the blank slipped
    ("d", re.compile(r"(?<=\dd)(\d+)(?: \+(?=\d)|\+ (?=\d))"), r"\1 + "),  # tob3: 1d8+ 3
    ("Attack. +", re.compile(r"(?<=Attack)\.(?= \+\d+ to hit)"), ":"),  # tob
    ("Attack:+", re.compile(r"(?<=Attack:)\+ ?(?=\d+ to hit)"), " +"),  # srd-2014, tob-2023
    ("***", re.compile(r"\*\*\* +(?=\S[^*\n]*\*\*(?!\*))"), "***"),
    ("***", re.compile(r"(?<!\*)\*\*\*(?=\S)([^*\n]+?)\*\*(?!\*)"), r"***\1***"),
    ("**", re.compile(r"(?:_\*\*|\*\*_)(?=[^\s*_])([^*_\n]*[^\s*_])(?:\*\*_|_\*\*)(\.?)"), r"***\1\2***"),
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
_SPELLS_A_DAY = re.compile(r"(?m)^- \*\*(?:At Will|\d/Day(?: Each)?):\*\*")
_LOOSE_SPELLS = re.compile(r"\n+(at will|\d/day(?: each)?):[ \t]*(?=[a-z_*])", re.IGNORECASE)  # bfrd, tob-2023
_CLOSING = re.compile(r"(?<=[.!?”\"])_(?=\s*(?:\n|\Z))")
_BARE_ROW = re.compile(r"(?:(?<=\|\n)|(?m:^))[ \t]*([^|\s][^|\n]{0,40}\|[^\n]*\|)[ \t]*(?=\n[ \t]*\|)")
_INLINE_TABLE = re.compile(r"(?m)^([^|\n]*[^|\s])[ \t]+(\|[^\n]*\|[^\n]*\|[ \t]*\n[ \t]*\|)")
_ABOVE_TABLE = re.compile(r"(?m)^([^|\n]*[^|\s][ \t]*)\n(?=[ \t]*\|[^\n]*\|)")
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_COMMA = re.compile(r"(?<=[\w)'’\"”]) {2}(?=[^\s|])|(?<=\b[fF]t\.) {2}(?=[a-z])")


def clean_text(text: str, document: str = "") -> str:
    """Return the text without broken markup; ``document`` is the key of its book."""
    if "<" in text and _TAG.search(text):
        text = _from_html(text)
    if "&" in text:
        text = html.unescape(text)
    text = _with_items(text, document)
    for sign, pattern, right in _SLIPS:
        if sign in text:
            text = pattern.sub(right, text)
    if "\n* " in text:
        text = _GLUED_BULLET.sub("* ", text)
    if "- **" in text and _SPELLS_A_DAY.search(text):
        text = _LOOSE_SPELLS.sub(lambda match: f"\n- **{match[1].title()}:** ", text)
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
    text = _GAP.sub(" ", text)
    if "|" in text:
        text = _BARE_ROW.sub(r"| \1", text)
        text = _ABOVE_TABLE.sub(r"\1\n\n", _INLINE_TABLE.sub(r"\1\n\n\2", text))
        text = plain_rolls(_with_equal_captions(whole_tables(text)))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _with_equal_captions(text: str) -> str:
    """Set the headings of tables at the deepest of their levels: in a5e-ag, two tables of a pair have two levels."""
    return _CAPTION.sub(max(_CAPTION.findall(text), default=""), text)


def _with_items(text: str, document: str) -> str:
    """Put each glued item on a line of its own, with its name in bold if its end is known; mark each bare one."""
    if document in _LOST_MARKS:
        return _BARE_ITEM.sub(r"\1- ", text)
    first, *items = _GLUED_ITEM.split(text) if document in _NO_COMMAS else [text]
    return _ITEM_NAME.sub(r"- **\1.** ", "\n- ".join([f"{first}\n", *items])) if items else text


def _of_book(text: str, document: str) -> str:
    """The text without errors that only one book has."""
    if document in _LOST_COMMAS:
        return _outside_tables(text, lambda line: _COMMA.sub(", ", line))
    if document in _NO_COMMAS:
        return _outside_tables(text, lambda line: _TWICE.sub(r"\1, ", line))
    return _PARAGRAPH_END.sub(r"\1\n\n", text) if document in _LINE_BREAKS else text


def _from_html(text: str) -> str:
    text = _TABLE.sub(lambda match: f"\n\n{_html_table(match[0])}\n\n", text)
    for pattern, right in _MARKS:
        text = pattern.sub(right, text)
    return text


def _html_table(table: str) -> str:
    rows = [[" ".join(_TAG.sub("", cell).split()) for cell in _CELL.findall(row)] for row in _ROW.findall(table)]
    rows = [row for row in rows if row]
    if not rows:
        return ""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _outside_tables(text: str, change: Callable[[str], str]) -> str:
    """Change every line of the text that is not a row of a table."""
    return "\n".join(line if line.lstrip().startswith("|") else change(line) for line in text.split("\n"))
