"""Slips of markup and typesetting in Open5e's texts, each with what the book has."""

from __future__ import annotations

import re
from collections.abc import Callable

_NONMAGICAL = "bludgeoning, piercing, and slashing from nonmagical"
_MISPRINTS = {"Merge Sprit": "Merge Spirit", "dis'turbs": "disturbs", "arm staining": "arm straining"}  # toh, an image
_RARITY = "(?:Common|Uncommon|Rare|Very Rare|Legendary)"
_SCORE = r" ?(\d+ ?\([+–-]\d+\))"
_SCORES = "| STR | DEX | CON | INT | WIS | CHA |\n|---|---|---|---|---|---|\n" + r"| \1 | \2 | \3 | \4 | \5 | \6 |"
_SIZE = "Tiny|Small|Medium|Large|Huge|Gargantuan"
_CONSTRUCTS = "\n\n| Size | HP | AC | Attack | STR | DEX | Spell Slot |\n|---|---|---|---|---|---|---|"
_CONSTRUCT = r"\n| \1 | \2 | \3 | \4 | \5 | \6 | \7 |"
# Each with characters that any match contains: a search for those first takes a tenth of the time.
SLIPS: tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    ("", re.compile(r"\\n|\r\n?"), "\n"),  # srd-2014: the two characters of an escape sequence
    (")[", re.compile(r"(?<=\))(?=\[[^\]\n]+\]\(https?://)"), ", "),
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
    ("", re.compile(r"(?:(?<=[a-z]{2}[.:])|(?<=\)\.))(?=[A-Z]\w+[ ,.:])"), " "),
    ('"', re.compile(r"(?<=[a-z,.])\"(?=[A-Za-z]+ )"), '" '),  # tob: a closing mark
    ("//", re.compile(r"(?<=[\w.)])//(?=\s)"), ""),
    ("DC", re.compile(r"\bDC(?=\d)"), "DC "),
    ("lb", re.compile(r"(?<=\d)lb\b\.?"), " lb."),
    (" o respond", re.compile(r"(?<= o)(?= respond\b)"), "r"),  # tob
    (". l\n", re.compile(r"(?<=\.) l(?=\n)"), ""),  # ccdx
    ("it it", re.compile(r"\bit it\b"), "it, it"),  # tob3
    ("g", re.compile(r"(?m)(?<=[.:])g$"), ""),  # spells-that-dont-suck
    ("‘s", re.compile(r"(?<=[a-z])‘(?=s\b)"), "’"),
    ("Freelinking", re.compile(r"` ?Freelinking: Node title (.+?) does not exist ?`"), r"\1"),  # a5e
    ("thieves-", re.compile(r"\bthieves- ?(?=tools)"), "thieves' "),
    (
        "æ0",
        re.compile(r"[æÆ]0([0-9a-f]{3})"),
        lambda match: chr(int(match[1], 16)),
    ),  # tob2: "collæ00e1is", "fukuræ014dwashi"
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
    (" ft", re.compile(r"(?<=\d ft)(?=,| {1,2}(?:one|or|reach)\b)"), "."),
    ("ft. one", re.compile(r"(?<=\d ft\.)(?= one (?:target|creature)\b)"), ","),
    ("Medum", re.compile(r"\bMedum\b"), "Medium"),  # bfrd
    (". ", re.compile(r"(?<=[a-z])(?<! ft)\.(?= (?:and it|becoming|ending)\b)"), ","),  # tob, tob2, tob3, a5e-mm
    (". in which", re.compile(r"(?<=[a-z])\.(?= in which\b)"), ""),  # tob2
    # a5e-mm, tob3: a lost blank
    ("", re.compile(r"\b(?!(?:forth|here|there|where)(?:with|into))([a-z]{4,})(?=(?:into|that|which|with)\b)"), r"\1 "),
    ("", re.compile(r"\b(their|this(?!tle))(?=[a-z]{4})"), r"\1 "),
    ("snowith", re.compile(r"\bsnow(?=ith\b)"), "snow w"),
    ("Recharge ", re.compile(r"(?<=Recharge \d)-(?=\d)"), "–"),  # tob3
    ("\n", re.compile(r"(?m)^[ \t]+$"), ""),  # tob
    # tob3, whose texts are abbreviated
    ("nonmagic ", re.compile(r"\bnonmagic (?:B/P/S|bludgeoning, piercing, and slashing)\b"), _NONMAGICAL),
    ("B/P/S", re.compile(r"\bB/P/S\b"), "bludgeoning, piercing, and slashing"),
    ("lighting", re.compile(r"\blighting(?=, (?:poison|thunder)| damage)"), "lightning"),
    ("w/", re.compile(r"\bw/(?=[a-z])"), "with "),
    ("Momento", re.compile(r"\bMomento\b"), "Memento"),  # a5e-ag
    ("", re.compile(rf"\b(?:{'|'.join(_MISPRINTS)})\b"), lambda match: _MISPRINTS[match[0]]),
    ("-", re.compile(r"(?<=n)-(?=t\b)|(?<=\byou)-(?=re\b)"), "'"),  # toh: "you can-t"
    ("-s", re.compile(r"(?<=[a-z])-s\b"), "'s"),  # toh: "the spell-s level"
    ("", re.compile(r"(?<=[a-z]) (?=[’']s\b)"), ""),  # vom: "the staff 's head"
    ("", re.compile(r"(?<=\S)[ \t]+\)(?=[\s,.;:)])|(?<=\() (?=[\dA-Za-z\"“])"), lambda match: match[0].strip()),
    ("..", re.compile(r"(?<=[a-z’'])\.\.(?![.\w])"), "."),
    ("#", re.compile(r"(?m)^(#{1,6})(?=[A-Z])"), r"\1 "),  # ###Cantrips
    ("\n #", re.compile(r"(?m)^ {1,3}(#{1,6} [^\n]*?)[ \t]*$"), r"\1"),
    ("\n#", re.compile(r"(?<=[^\n])\n(?=#{1,6} )"), "\n\n"),
    ("\n ", re.compile(r"(?<=[.!?)\]\"'”’]) *\n {1,3}(?=\*?[A-Z])"), "\n\n"),
    ("\n", re.compile(r"(?<=[.!?]) \r?\n(?=[A-Z])"), "\n\n"),  # vom, and abilities, skills and spells of the SRDs
    ("-feet", re.compile(r"\b(\d+)-feet\b(?= (?:high|in|long|of|wide)\b)"), r"\1 feet"),  # tob2
    ("d", re.compile(r"\b(\d+)\((?=\d+d\d)"), r"\1 ("),  # tob: 3(1d6)
    ("bonus", re.compile(r"\b(gains?) (\+\d) (?=bonus\b)"), r"\1 a \2 "),  # a5e, tob3
    ("extra moment", re.compile(r"\bextra moment\b"), "extra movement"),  # tob, ccdx
    ("Prerequisite", re.compile(r"(?m)^(#+ [^\n]+\n\n)(Prerequisites?: [^*_\n]+)$"), r"\1*\2*"),  # srd-2014
    ("\n ", re.compile(r"(?m)^([-*] [^\n]*)\n {1,3}(?=[A-Z])"), r"\1\n\n"),  # toh: after a list
    ("\n ", re.compile(r"(?<=\n\n) {1,3}(?=[_(]?[A-Z])"), ""),  # a5e
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
    # a5e-ag: a table that is printed twice
    ("\n#", re.compile(r"(?m)^(#{2,6} [^\n]*\n+(?:\|[^\n]*\n)+\|[^\n]*)\n+(?=\1)"), ""),
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
    ("_", re.compile(r"(?<![\w_])([a-z]{3,})_([a-z]{3,})_(?=\s)"), r"_\1\2_"),
    ("_", re.compile(r"(?<![\w_])_([A-Z][^_\n]*[a-z])_([a-z]{1,2})(?=\s)"), r"_\1\2_"),
    ("*(", re.compile(r"(?m)^\*\(([^()\n]+)\*$"), r"*(\1)*"),  # open5e
    ("__", re.compile(r"(?m)^__([^_\n]+)__$"), r"**\1**"),
    ("**", re.compile(r"\*\*([A-Z][a-z]+)\*\*(?=[a-z])([a-z]+)"), r"**\1\2**"),
    # a5e: the abilities of a stat block, in two lines
    ("STR DEX", re.compile(rf"(?m)^\**STR DEX CON INT WIS CHA\**\s+{_SCORE * 6} *$"), _SCORES),
    # deepmx: a table in one line
    (" Size HP", re.compile(r" Size HP AC Attack STR DEX Spell Slot(?= Tiny)"), _CONSTRUCTS),
    (", ", re.compile(rf" ({_SIZE}) (\d+) (\d+) (\+\d+, \S+) (\d+) (\d+) (\d[a-z]{{2}})\b"), _CONSTRUCT),
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
