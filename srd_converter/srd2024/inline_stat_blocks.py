"""Stat blocks within the text of a spell or a magic item: the creature it summons or turns into."""

from __future__ import annotations

import re

from srd_converter.book_prose import table as markdown_table

_COLUMNS = re.compile(r"^MOD SAVE MOD SAVE.*\n", re.M)
_ABILITY = re.compile(r"\b(str|dex|con|int|wis|cha) (\d+) ([+−-]\d+) ([+−-]\d+)", re.I)
_STAT_BLOCK = re.compile(
    r"(?:(?:^|(?<=\. ))(?P<name>[A-Z]\w+(?: [A-Z]\w+)*)\n+)?"
    r"^(?P<kind>(?:Tiny|Small|Medium|Large|Huge|Gargantuan) [^\n]*, [^\n]+)\n+(?=AC )",
    re.M,
)
_LABEL = re.compile(r"(?:^|(?<= ))(AC|Initiative|HP|Speed|Resistances|Vulnerabilities|Immunities|Senses|Languages|CR) ")


def with_stat_block(text: str) -> str:
    """The text with the stat block in it as lists and a table; the columns of the pages are lost."""
    opens = _STAT_BLOCK.search(text)
    if not opens:
        return text
    facts, heading, rest = text[opens.end() :].partition("\n\n**")
    plain = " ".join(_COLUMNS.sub("", facts).split())
    scores = list(_ABILITY.finditer(plain))
    names = [found[1].title() for found in scores]
    table = markdown_table(names, [[f"{found[2]} ({found[3]}, save {found[4]})" for found in scores]])
    parts = [_listed(plain[: scores[0].start()]), table, _listed(plain[scores[-1].end() :])]
    name = f"**{opens['name']}**\n\n" if opens["name"] else ""
    block = "\n\n".join([f"{name}*{opens['kind']}*", *parts])
    return f"{text[: opens.start()].rstrip()}\n\n{block}{heading}{rest}"


def _listed(facts: str) -> str:
    """``AC 15 HP 10`` as a list with one fact per line, its label bold."""
    return "\n".join(
        f"- **{label}** {value.strip()}" for label, value in zip(*[iter(_LABEL.split(facts)[1:])] * 2, strict=True)
    )
