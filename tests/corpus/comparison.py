"""Compares homebrew files with their records, entry by entry: facts, prose, and marks of the format left unresolved.

``files`` has a folder for each format. A format's module turns a file to entries by code of its own, independent of the
reader under test. Compare other files of a format with ``python -m tests.corpus.comparison FORMAT FILE...``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lorekeeper_mcp.models import Creature, Equipment, Record, Spell
from lorekeeper_mcp.sources import formats
from tests.corpus import fivetools, foundry, initiative, orcbrew, statblocks
from tests.corpus.entries import Entry
from tests.record_pages import markdown

READERS: Mapping[str, Callable[[bytes], Iterable[Entry]]] = {
    "fivetools": fivetools.entries,
    "foundry": foundry.entries,
    "initiative": initiative.entries,
    "orcbrew": orcbrew.entries,
    "statblocks": statblocks.entries,
}
_UNRESOLVED = re.compile(
    r"\{@|\{=|\{\{|\[\[|@(?:UUID|Embed)|&(?:Reference|amp|nbsp)|</?[a-zA-Z]|\bDC value\b|"
    r"(?<!\*\*Languages\*\* )\b(?:undefined|None|nil|NaN)\b"
)
_WORD = re.compile(r"[^\W\d_]+")
_DC = re.compile(r"\bDC (\d+)")


@dataclass(frozen=True)
class _Page:
    record: Record
    text: str


def differences(data: bytes, name: str, format_: str) -> Iterator[str]:
    """Yield a line for everything of a file that its records lack, say otherwise, or leave unresolved."""
    file = formats.read(data, name)
    if file.fault:
        yield f"{name}: {file.fault}"
    yield from (f"{item.path}: {item.reason}" for book in file.books for item in book.items if item.reason)
    records = [record for book in file.books for record in book.records()[1:]]
    pages = [_Page(record, markdown(record)) for record in records]
    for page in pages:
        if mark := _UNRESOLVED.search(page.text):
            yield f"{page.record.name}: {page.text[max(0, mark.start() - 30) : mark.end() + 30]!r} is unresolved"
    by_name: dict[str, list[_Page]] = {}
    for page in pages:
        by_name.setdefault(page.record.name.casefold(), []).append(page)
    entries = list(READERS[format_](data))
    if not entries:
        yield f"{name}: nothing to compare"
    for entry in entries:
        found = by_name.get(entry.name.casefold(), [])
        if not found:
            yield f"{entry.name}: no record"
        else:
            yield from min((list(_differences(entry, page)) for page in found), key=len)


def _differences(entry: Entry, page: _Page) -> Iterator[str]:
    facts = _facts(page.record)
    for fact, value in entry.facts.items():
        if value is not None and facts.get(fact) != value:
            yield f"{entry.name}: {fact} is {facts.get(fact)!r}, in the file {value!r}"
    missing = set(_WORD.findall(entry.prose.casefold())) - set(_WORD.findall(page.text.casefold()))
    if missing:
        yield f"{entry.name}: not on its page: {' '.join(sorted(missing))}"
    if dcs := set(_DC.findall(entry.prose)) - set(_DC.findall(page.text)):
        yield f"{entry.name}: DC {', '.join(sorted(dcs))} is not on its page"


def _facts(record: Record) -> dict[str, object]:
    """The facts of a record that are compared, by the names that entries use."""
    match record:
        case Creature():
            abilities = record.abilities
            return {
                "ac": record.armor_class,
                "hp": record.hit_points,
                "abilities": [
                    abilities.strength, abilities.dexterity, abilities.constitution,
                    abilities.intelligence, abilities.wisdom, abilities.charisma,
                ],
                "saves": {name[:3]: bonus for name, bonus in record.saving_throws.items()},
                "skills": record.skills,
                "cr": record.challenge_rating,
                "speeds": record.speed,
            }  # fmt: skip
        case Spell():
            letters = {"v": record.verbal, "s": record.somatic, "m": record.material}
            return {
                "level": record.level,
                "school": record.school,
                "components": "".join(letter for letter, is_needed in letters.items() if is_needed),
                "ritual": record.ritual,
                "concentration": record.concentration,
            }
        case Equipment():
            weapon, armor = record.weapon, record.armor
            return {
                "damage": weapon.damage_dice if weapon else "",
                "damage type": weapon.damage_type if weapon else "",
                "ac": armor.ac_base if armor else None,
                "cost": record.cost,
                "weight": record.weight,
                "rarity": record.rarity,
            }
        case _:
            return {}


def main(format_: str, *paths: str) -> int:
    """Print the differences of files; return how many there are."""
    count = 0
    for path in map(Path, paths):
        for line in differences(path.read_bytes(), path.stem, format_):
            count += 1
            print(f"{path.name}: {line}")
    return count


if __name__ == "__main__":
    sys.exit(bool(main(*sys.argv[1:])))
