"""The prompts: their arguments, and the instructions for using our tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.models import Edition, Kind
from lorekeeper_mcp.prompts.encounters import (
    BUDGET_RULE,
    THRESHOLDS_2014,
    Budgets,
    budgets_in,
    encounter_calls,
    encounter_sums,
    levels_of,
)

Values: TypeAlias = Mapping[str, str]


@dataclass(frozen=True)
class Argument:
    """An argument of a prompt. ``names`` are the kinds whose names complete it, ``values`` its only allowed values.

    With ``several``, it is a comma-separated list, and each part is completed.
    """

    name: str
    help: str
    required: bool = True
    names: frozenset[Kind] = frozenset()
    values: tuple[str, ...] = ()
    several: bool = False


@dataclass(frozen=True)
class TablePrompt:
    """A prompt as clients list it; ``write`` makes its text from the arguments, which are "" if omitted.

    ``rule`` is the key of a rule whose text ``write`` also gets, as ``rule_text``, which is "" if it is not stored.
    """

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    write: Callable[[Values], str]
    rule: str = ""


_EDITION = Argument(
    "edition", "2014, 2024 or a5e; the assistant asks if omitted", required=False, values=tuple(Edition)
)
_RULES = frozenset({Kind.RULE, Kind.RULE_SET, Kind.CONDITION, Kind.SKILL, Kind.WEAPON_PROPERTY, Kind.DAMAGE_TYPE})
_OPTIONS = frozenset({Kind.SUBCLASS, Kind.FEAT, Kind.SPELL})
_CASES = frozenset({Kind.SPELL, Kind.CONDITION, Kind.RULE})

_CITE = """\
Take every number and every rule from what the tools return in this conversation, never from memory; if they return \
nothing, say so instead of filling the gap. If an answer is incomplete or has a hint, pass that on. End with the \
sources: the name, document, edition and license of each entry used."""


def _edition(values: Values) -> str:
    edition = values["edition"]
    if edition:
        return f'The group plays by the {edition} rules: give edition="{edition}" in every call.'
    return (
        "No edition was given: ask whether the group plays by the 2014 or the 2024 rules. If nobody answers, give "
        'edition="2024" in every call and say so at the top.'
    )


def _optional_line(label: str, value: str) -> str:
    return f"{label}: {value}\n" if value else ""


def _session(values: Values) -> str:
    return f"""\
Prepare the encounters for a D&D 5e session.

Party: {values["party"]}
{_optional_line("Theme", values["theme"])}
{_edition(values)}

1. {_budget(values)}
2. Look for creatures with these calls, narrowed by `environment` or `type` where that helps. Each line of an answer \
gives the creature's XP.
{_calls(values)}
3. Choose three to five encounters of rising difficulty, not all of them fights to the death. Before you use a \
creature, read its stat block by searching for its key with detail="full".
4. For each encounter give: the creatures and how many, with challenge rating and XP; how hard it is for this party, \
with the calculation; the location and one feature of it that matters; tactics based on traits and actions in the stat \
block; how it can be resolved without a fight; treasure, looked up with search_equipment.

{_CITE}"""


def _tables(values: Values) -> list[tuple[Edition, Budgets, str]]:
    """The budgets of the chosen edition, or of 2024 and 2014, each with its source."""
    tables = [
        (Edition.E2024, budgets_in(values["rule_text"]), f"SRD 5.2, {BUDGET_RULE}"),
        (Edition.E2014, THRESHOLDS_2014, "Basic Rules for Dungeon Masters (2014), Building Combat Encounters"),
    ]
    return [table for table in tables if values["edition"] in ("", table[0])]


def _budget(values: Values) -> str:
    """The party's XP budgets with their arithmetic, or what to do if they cannot be computed."""
    levels = levels_of(values["party"])
    listed = [
        f"XP budgets per encounter under the {edition} rules ({source}):\n{sums}"
        for edition, budgets, source in _tables(values)
        if (sums := encounter_sums(levels, edition, budgets))
    ]
    if listed:
        party = " + ".join(f"{count} of level {level}" for level, count in Counter(levels).items())
        return "\n".join([f"The party is {party}: correct this if it is wrong.", *listed])
    unclear = "" if levels else "The party's levels are unclear: ask for them. "
    return (
        f"{unclear}Find out how the edition sets an encounter's difficulty: "
        'search_rule(search="combat encounter XP budget"). If the tools return no such rule, judge by challenge rating '
        "and say so."
    )


def _calls(values: Values) -> str:
    levels = levels_of(values["party"])
    tables = _tables(values) or [(Edition(values["edition"]), {}, "")]
    return "\n".join(encounter_calls(levels, edition, budgets, values["theme"]) for edition, budgets, _ in tables)


def _rule(values: Values) -> str:
    return f"""\
Explain a rule of D&D 5e: {values["rule"]}

{_edition(values)}

1. Call search_rule with the rule as `search`, or search_all if that does not find it. Read the full text of what fits \
with detail="full", and of what it refers to (conditions, actions, other rules).
2. Begin with the answer in one or two sentences. Then \
quote the text that settles it, each quote with its document and edition.
3. Show it in one example of play with numbers.
4. Say what people often get wrong about it, and where 2014 and 2024 differ if both texts were found.

{_CITE}"""


def _level_up(values: Values) -> str:
    return f"""\
Compare the options of a character who levels up in D&D 5e.

Character: {values["character"]}
{_optional_line("Options to compare", values["options"])}
{_edition(values)}

1. Read the class with search_character_option(type="class", detail="full"): its table and features show what \
the new level grants. Read the subclass the same way if the character has one or can choose one now.
2. Find the options: those named above, otherwise what the level offers: feats with \
search_character_option(type="feat"), subclasses with type="subclass" and `class_key`, new spells with search_spell by \
`class_key` and `level_max`. Check prerequisites, and drop what the character cannot take.
3. Compare the best three or four in a table: what each does, with its numbers; when it is useful; what it \
costs (action, slot, concentration, attunement); how it fits what the character already does.
4. Recommend one for each way of playing this character, with a one-sentence reason.

{_CITE}"""


def _shop(values: Values) -> str:
    return f"""\
Stock a shop for a D&D 5e session.

Shop: {values["shop"]}
{_optional_line("Most expensive item, or the party's gold", values["budget"])}
{_edition(values)}

1. Find ordinary goods with search_equipment: type "weapon", "armor" or "item", `category`, and `cost_max` in gp. Find \
magic items with type="magic-item" and a `rarity` that suits the location.
2. Choose ten to fifteen goods that fit the shop, a few of them surprising. Read every magic item with detail="full".
3. List them in a table: item, price, rarity and attunement if magic, and what it does in half a line. Take prices \
from the entries. If an entry has none, as many magic items do, say that the price is your own and how you set it.
4. Add the shopkeeper in three sentences, one rumor, and one thing that is not for sale to just anyone.

{_CITE}"""


def _ruling(values: Values) -> str:
    return f"""\
Make a ruling on an unclear case in a D&D 5e game.

Case: {values["case"]}

{_edition(values)}

1. List what the case depends on: spells, conditions, features, items, general rules. Look each of them up by name \
(search_spell, search_rule, search_equipment, search_character_option, or search_all) and read the full text with \
detail="full".
2. Quote the text that settles it, each quote with its document and edition. Specific rules override general ones; \
separate what the text says from what it leaves open.
3. Give the ruling in one sentence that can be read out at the table. If the text allows two readings, give both with \
the arguments for each, and say which you would choose.
4. Say what the ruling would mean for the next similar case.

{_CITE}"""


PROMPTS: tuple[TablePrompt, ...] = (
    TablePrompt(
        "prepare_session",
        "Prepare a session's encounters",
        "Three to five encounters for a party, with an XP budget, creatures from the stored books, and sources.",
        (
            Argument("party", "The characters: number, levels and classes, such as four characters of level 5"),
            Argument(
                "theme",
                "Place, foe or mood",
                required=False,
                names=frozenset({Kind.ENVIRONMENT, Kind.CREATURE_TYPE, Kind.CREATURE}),
            ),
            _EDITION,
        ),
        _session,
        BUDGET_RULE,
    ),
    TablePrompt(
        "explain_rule",
        "Explain a rule",
        "A rule in plain words, with the text that settles it, an example, and where editions differ.",
        (Argument("rule", "The rule, condition or question", names=_RULES), _EDITION),
        _rule,
    ),
    TablePrompt(
        "compare_options",
        "Compare options for a level-up",
        "What a new level offers a character, side by side: features, subclasses, feats, spells.",
        (
            Argument("character", "Class, new level and style of play", names=frozenset({Kind.CLASS})),
            Argument("options", "Options to compare, comma-separated", required=False, names=_OPTIONS, several=True),
            _EDITION,
        ),
        _level_up,
    ),
    TablePrompt(
        "build_shop",
        "Build a shop",
        "A shop's stock with prices, rarities and effects, from the stored books.",
        (
            Argument(
                "shop", "What it sells and where: an apothecary in a harbor town", names=frozenset({Kind.ITEM_CATEGORY})
            ),
            Argument("budget", "The most expensive item, or the party's gold", required=False),
            _EDITION,
        ),
        _shop,
    ),
    TablePrompt(
        "make_ruling",
        "Rule on an unclear case",
        "A ruling to read out, with the rules text behind it and what that text leaves open.",
        (Argument("case", "What happened, and what is in doubt", names=_CASES), _EDITION),
        _ruling,
    ),
)
