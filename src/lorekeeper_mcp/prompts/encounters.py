"""The XP budget of a party's encounters, with its arithmetic.

The 2024 table is in the SRD 5.2 and is read from its record. The SRD 5.1 has none: the thresholds of 2014 and their
multipliers are numbers of the free Basic Rules for Dungeon Masters (2014), "Building Combat Encounters".
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from lorekeeper_mcp.filters.argument_types import NUMBERS, ORDINALS
from lorekeeper_mcp.models import Edition
from lorekeeper_mcp.models.printed_values import challenge_rating
from lorekeeper_mcp.models.vocabulary import EXPERIENCE, SRD_CLASSES

BUDGET_RULE = "srd-2024_combat-encounters_step-2-determine-your-xp-budget"
Levels: TypeAlias = tuple[int, ...]  # one per character
Budgets: TypeAlias = Mapping[int, tuple[int, ...]]  # level -> XP per character, one for each difficulty

_DIFFICULTIES = {Edition.E2014: ("Easy", "Medium", "Hard", "Deadly"), Edition.E2024: ("Low", "Moderate", "High")}
THRESHOLDS_2014: Budgets = {
    1: (25, 50, 75, 100), 2: (50, 100, 150, 200), 3: (75, 150, 225, 400), 4: (125, 250, 375, 500),
    5: (250, 500, 750, 1100), 6: (300, 600, 900, 1400), 7: (350, 750, 1100, 1700), 8: (450, 900, 1400, 2100),
    9: (550, 1100, 1600, 2400), 10: (600, 1200, 1900, 2800), 11: (800, 1600, 2400, 3600),
    12: (1000, 2000, 3000, 4500), 13: (1100, 2200, 3400, 5100), 14: (1250, 2500, 3800, 5700),
    15: (1400, 2800, 4300, 6400), 16: (1600, 3200, 4800, 7200), 17: (2000, 3900, 5900, 8800),
    18: (2100, 4200, 6300, 9500), 19: (2400, 4900, 7300, 10900), 20: (2800, 5700, 8500, 12700),
}  # fmt: skip
# By the number of monsters. For a party of one or two the next higher one applies, for six or more the next lower.
_MULTIPLIERS = (0.5, 1, 1.5, 2, 2.5, 3, 4, 5)
_MONSTERS = ("1 monster", "2 monsters", "3–6", "7–10", "11–14", "15 or more")
_MIN_PARTY, _MAX_PARTY = 3, 5  # characters in a party to which the multipliers apply unchanged
_GROUP = 4  # monsters in the suggested group
_MIN_SHARE = 0.4  # of the XP budget of a foe: weaker ones do not matter in an encounter

_COUNTS = NUMBERS | dict.fromkeys(("single", "lone", "solo"), 1)
_LEVEL_IN_WORDS = re.compile(rf"(?<=\blevel )(?:{'|'.join(NUMBERS)})\b|\b(?:{'|'.join(ORDINALS)})(?=[ -]level\b)")
_COUNT = re.compile(rf"\b(?:x ?)?(?P<count>\d{{1,2}}|{'|'.join(_COUNTS)})(?:x\b|\b)")
_LEVEL = re.compile(r"\b(?:level|lvl)\.?[ -]?(\d{1,2})s?\b|\b(\d{1,2})(?:st|nd|rd|th)[ -]level\b")
_LISTED = re.compile(r"\blevels\s+((?:\d{1,2}(?:\s*(?:,|/|and|&)\s*)*)+)")
_CLASS = rf"(?:{'|'.join(SRD_CLASSES)}|artificer)\s+\d{{1,2}}\b"
_CLASSED = re.compile(rf"\b{_CLASS}(?:\s*/\s*{_CLASS})*")  # "wizard 5 / fighter 2" is one character
_ROW = re.compile(r"^\|\s*(\d{1,2})\s*\|(.+)\|\s*$", re.MULTILINE)
_MAX_LEVEL, _MAX_CHARACTERS = 20, 12


def levels_of(party: str) -> Levels:
    """The level of each character of a party in words ("four characters of level 5"); empty if it is not clear."""
    text = _LEVEL_IN_WORDS.sub(_to_digits, party.lower())
    if listed := _LISTED.search(text):
        levels = _numbers(listed[1])
    else:
        by_class = [sum(_numbers(character[0])) for character in _CLASSED.finditer(text)]
        by_count = list(_counted_levels(text))
        levels = by_class if len(by_class) > len(by_count) else by_count
    is_plausible = len(levels) <= _MAX_CHARACTERS and all(1 <= level <= _MAX_LEVEL for level in levels)
    return tuple(sorted(levels, reverse=True)) if is_plausible else ()


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _to_digits(word: re.Match[str]) -> str:
    return f"{ORDINALS[word[0]]}th" if word[0] in ORDINALS else str(NUMBERS[word[0]])


def _counted_levels(text: str) -> Iterator[int]:
    """Yield each level as often as the text counts it. A single level goes with a single count, wherever that is."""
    levels = list(_LEVEL.finditer(text))
    if len(levels) == 1 and len(counts := _COUNT.findall(_LEVEL.sub(" ", text))) == 1:
        yield from [_level(levels[0])] * _number(counts[0])
    elif len(levels) > 1:
        for start, level in zip([0, *(level.end() for level in levels)], levels, strict=False):
            counts = _COUNT.findall(text[start : level.start()])
            yield from [_level(level)] * (_number(counts[-1]) if counts else 1)


def _level(match: re.Match[str]) -> int:
    return int(match[1] or match[2])


def _number(count: str) -> int:
    return int(count) if count.isdigit() else _COUNTS[count]


def budgets_in(text: str) -> Budgets:
    """Parse the table in a rule's text: XP of a character by level. Empty if there is no such table."""
    return {
        int(level): tuple(int(re.sub(r"\D", "", cell)) for cell in cells.split("|"))
        for level, cells in _ROW.findall(text)
        if re.search(r"\d", cells)
    }


def encounter_sums(levels: Levels, edition: Edition, budgets: Budgets) -> str:
    """The party's budget for each difficulty as a list, with its arithmetic; "" if the budgets are not known."""
    names = _DIFFICULTIES.get(edition, ())
    if not names or not levels or any(len(budgets.get(level, ())) != len(names) for level in levels):
        return ""
    lines = [
        f"- {name}: {_sum(levels, [budgets[level][difficulty] for level in levels])}"
        for difficulty, name in enumerate(names)
    ]
    if edition is Edition.E2014:
        multipliers = (f"{count} × {_multiplier(row, len(levels)):g}" for row, count in enumerate(_MONSTERS))
        lines.append(f"- Multiply the monsters' total XP according to their number: {', '.join(multipliers)}.")
    return "\n".join(lines)


def _sum(levels: Levels, amounts: Sequence[int]) -> str:
    """``4 × 750 = 3,000 XP``, or with several levels ``3 × 750 + 375 = 2,625 XP``."""
    counts = Counter(zip(levels, amounts, strict=True))
    parts = [f"{count} × {amount:,}" if count > 1 else f"{amount:,}" for (_, amount), count in counts.items()]
    return f"{' + '.join(parts)} = {sum(amounts):,} XP" if len(amounts) > 1 else f"{sum(amounts):,} XP"


def _multiplier(row: int, characters: int) -> float:
    shift = 1 if characters < _MIN_PARTY else -1 if characters > _MAX_PARTY else 0
    return _MULTIPLIERS[row + 1 + shift]


def session_texts(party: str, edition: Edition | None, theme: str, rule: str) -> dict[str, str]:
    """Return the ``xp_budgets`` and search ``calls`` of a prompt for one edition, or for both of 2024 and 2014.

    ``rule`` is the text of the ``BUDGET_RULE``. If no budget can be computed, the text says how to find one.
    """
    levels = levels_of(party)
    tables = [
        (Edition.E2024, budgets_in(rule), f"SRD 5.2, {BUDGET_RULE}"),
        (Edition.E2014, THRESHOLDS_2014, "Basic Rules for Dungeon Masters (2014), Building Combat Encounters"),
    ]
    tables = [table for table in tables if edition in (None, table[0])]
    listed = [
        f"XP budgets per encounter under the {of} rules ({source}):\n{sums}"
        for of, budgets, source in tables
        if (sums := encounter_sums(levels, of, budgets))
    ]
    if listed:
        counts = " + ".join(f"{count} of level {level}" for level, count in Counter(levels).items())
        text = "\n".join([f"The party is {counts}: correct this if it is wrong.", *listed])
    else:
        unclear = "" if levels else "The party's levels are unclear: ask for them. "
        text = (
            f"{unclear}Find out how the edition sets an encounter's difficulty: "
            'search_rule(search="combat encounter XP budget"). If the tools return no such rule, judge by challenge '
            "rating and say so."
        )
    known = [(of, budgets) for of, budgets, _ in tables] or [(edition or Edition.E2024, {})]
    calls = "\n".join(encounter_calls(levels, of, budgets, theme) for of, budgets in known)
    return {"xp_budgets": text, "calls": calls}


def encounter_calls(levels: Levels, edition: Edition, budgets: Budgets, theme: str) -> str:
    """Return searches for a group and a single foe within the middle budget, and for a foe within the highest.

    If the budget is not known, return one search for all of them.
    """
    if not levels or any(level not in budgets for level in levels):
        return f"- {_call(theme, edition)}"
    middle, highest = (sum(budgets[level][difficulty] for level in levels) for difficulty in (1, -1))
    alone = shared = 1.0
    if edition is Edition.E2014:
        alone, shared = _multiplier(0, len(levels)), _multiplier(2, len(levels))
    middle_name, highest_name = (_DIFFICULTIES[edition][difficulty].lower() for difficulty in (1, -1))
    calls = (
        (f"{_GROUP} foes, {middle_name} difficulty", middle / shared / _GROUP),
        (f"one foe, {middle_name} difficulty", middle / alone),
        (f"one foe, {highest_name} difficulty", highest / alone),
    )
    return "\n".join(f"- {foes}: {_call(theme, edition, most)}" for foes, most in calls)


def _call(theme: str, edition: Edition, most: float | None = None) -> str:
    """A search by theme; without a theme, ordered by challenge, which would otherwise override the ranking by theme.

    ``most`` is the XP of the strongest creature.
    """
    arguments = [f"search={json.dumps(theme, ensure_ascii=False)}"] if theme else []
    if most is not None:
        if theme:
            arguments.append(f'cr_min="{_rating_within(most * _MIN_SHARE)}"')
        arguments.append(f'cr_max="{_rating_within(most)}"')
    if not theme:
        arguments.append('sort="cr"' if most is None else 'sort="-cr"')
    return f'search_creature({", ".join(arguments)}, edition="{edition}", detail="brief")'


def _rating_within(most: float) -> str:
    return challenge_rating(max((rating for rating, points in EXPERIENCE.items() if points <= most), default=0))
