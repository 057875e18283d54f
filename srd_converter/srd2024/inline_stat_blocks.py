"""Stat blocks within the text of a spell or a magic item: the creature it summons or turns into."""

from __future__ import annotations

import re

from srd_converter.book_prose import table

_COLUMNS = re.compile(r"^MOD SAVE MOD SAVE.*\n", re.M)
_ABILITY = re.compile(r"\b(str|dex|con|int|wis|cha) (\d+) ([+−-]\d+) ([+−-]\d+)", re.I)
_STAT_BLOCK = re.compile(
    r"(?:(?:^|(?<=\. ))(?P<name>[A-Z]\w+(?: (?:of|[A-Z]\w+))*)\n+)?"
    r"^(?P<kind>(?:Tiny|Small|Medium|Large|Huge|Gargantuan) [^\n]*, [^\n]+)\n+(?=AC )",
    re.M,
)
_LABEL = re.compile(
    r"(?:^|(?<= ))(AC|Initiative|HP(?! maximum)|Speed|Resistances|Vulnerabilities|Immunities|Senses|Languages|CR) "
)


def with_stat_block(text: str) -> str:
    """The text with the stat block in it as lists and a table; the columns of the pages are lost."""
    head = _STAT_BLOCK.search(text)
    if not head:
        return text
    block, heading, rest = text[head.end() :].partition("\n\n**")
    facts = " ".join(_COLUMNS.sub("", block).split())
    scores = list(_ABILITY.finditer(facts))
    abilities = [score[1].title() for score in scores]
    parts = [
        *([f"**{head['name']}**"] if head["name"] else []),
        f"*{head['kind']}*",
        _listed(facts[: scores[0].start()]),
        table(abilities, [[f"{score[2]} ({score[3]}, save {score[4]})" for score in scores]]),
        _listed(facts[scores[-1].end() :]),
    ]
    return "\n\n".join([text[: head.start()].rstrip(), *parts]) + heading + rest


def _listed(facts: str) -> str:
    """``AC 15 HP 10`` as a list with one fact per line, its label bold."""
    _, *pieces = _LABEL.split(facts)
    return "\n".join(f"- **{label}** {value.strip()}" for label, value in zip(pieces[::2], pieces[1::2], strict=True))
