"""Formulas with values of an actor, which the application fills in when it displays or rolls them.

The items of an actor get its numbers; in other items, words describe the value.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.reading import JsonObject, mapping, with_texts

KnownValue: TypeAlias = Callable[[str], "str | None"]
"""Returns the value at a path such as ``abilities.str.mod``; None if it is not known."""

_ROOTS = (
    "mod|prof|abilities|attributes|details|classes|subclasses|scale|item|skills|tools|bonuses|spells|resources"
    "|activity|scaling|statuses|flags|name"
)
_PATH = re.compile(rf"(?<![\w@])@((?:{_ROOTS})(?:\.[\w-]+)*)(?![\w\[])")
_NUMBERS = re.compile(r"(?:[\d\s+\-*/().,]|floor|ceil|max|min|round|abs)*")
_DICE_AND_MORE = re.compile(r"(.*?\dd\d+\S*)((?:\s*[+-]\s*\d{1,4}(?![\dd*/]))+)\s*")
_MAX_LENGTH = 200  # characters of a formula
_MAX_RESULT = 10**6
_WORDS: Mapping[str, str] = {
    "mod": "ability modifier", "prof": "proficiency bonus", "attributes.prof": "proficiency bonus",
    "item.level": "spell level", "details.level": "character level", "details.cr": "challenge rating",
    "attributes.spelldc": "spell save DC", "attributes.spell.dc": "spell save DC",
    "attributes.spellmod": "spellcasting ability modifier", "attributes.spell.mod": "spellcasting ability modifier",
    "attributes.spell.attack": "spell attack bonus", "attributes.hp.max": "hit point maximum",
    "attributes.ac.value": "Armor Class", "attributes.movement.walk": "walking speed", "name": "creature",
    "details.type.config.label": "creature",
}  # fmt: skip
_STEP_NAMES = {"mod": "modifier", "dc": "save DC", "prof": "proficiency bonus"}
_UNNAMED_STEPS = frozenset({"value", "max", "total", "die", "formula", "number", "attributes", "details", "system"})


def filled(values: JsonObject, known_value: KnownValue) -> JsonObject:
    """Return a JSON object with the known values in every formula of its texts, and words for the others.

    Texts with rolls or HTML stay as they are: ``enrichers.markdown`` reads them.
    """

    def fill(text: str) -> str:
        is_formula = "@" in text and "[[" not in text and "<" not in text.replace("<=", "")
        return filled_formula(text, known_value) if is_formula and len(text) <= _MAX_LENGTH else text

    return mapping(with_texts(dict(values), fill))


def filled_formula(formula: str, known_value: KnownValue) -> str:
    """Return a formula with the known values, and words for the others."""
    return simplified(with_values(formula, known_value)) if "@" in formula else formula


def with_values(text: str, known_value: KnownValue) -> str:
    """Return a text with the known value in place of each path, and words for the others."""

    def fill(match: re.Match[str]) -> str:
        value = known_value(match[1])
        return in_words(match[1]) if value is None else value

    return _PATH.sub(fill, text)


def in_words(path: str) -> str:
    """Return the meaning of a path: ``abilities.cha.mod`` is Charisma modifier."""
    if path in _WORDS:
        return _WORDS[path]
    root, *steps = path.split(".")
    if root in ("classes", "subclasses") and steps:
        return f"{steps[0].replace('-', ' ')} level"
    if root in ("abilities", "skills", "tools") and steps:
        steps[0] = names.ability(steps[0]) if root == "abilities" else names.skill(steps[0])
    elif root == "scale":
        steps = steps[1:] or steps
    printed = [step for step in steps if step not in _UNNAMED_STEPS] or [steps[-1] if steps else root]
    return " ".join(names.readable(_STEP_NAMES.get(step, step)).replace("-", " ") for step in printed)


def simplified(formula: str) -> str:
    """Return a formula as a book prints it: ``8 + 3 - 1`` is 10, ``1d6 + 2 + -1`` is 1d6 + 1."""
    if "-" in formula:
        formula = re.sub(r"\+\s*-", "- ", re.sub(r"-\s*-\s*(?=\d)", "+ ", formula))
    if (number := _number(formula)) is not None:
        return f"{number:g}"
    dice = _DICE_AND_MORE.fullmatch(formula)
    if dice and (modifier := _number(dice[2])) is not None and modifier == int(modifier):
        return f"{dice[1]} {'+' if modifier > 0 else '-'} {abs(int(modifier))}" if modifier else dice[1]
    return formula


_OPERATORS: Mapping[type, Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "floor": math.floor, "ceil": math.ceil, "max": max, "min": min, "round": round, "abs": abs,
}  # fmt: skip


def _number(formula: str) -> float | None:
    """The value of a formula without dice; None if it contains anything else."""
    if not formula.strip() or len(formula) > _MAX_LENGTH or not _NUMBERS.fullmatch(formula):
        return None
    try:
        value = _evaluated(ast.parse(formula.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, KeyError, MemoryError):
        return None
    return value if abs(value) < _MAX_RESULT else None


def _evaluated(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_evaluated(left), _evaluated(right))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluated(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _evaluated(operand)
        case ast.Call(func=ast.Name(id=name), args=args):
            return _FUNCTIONS[name](*map(_evaluated, args))
        case _:
            raise ValueError("no formula of numbers")
