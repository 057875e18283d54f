"""Formulas with values of an actor or an item, which the application fills in when it displays or rolls them.

Items of an actor get the actor's numbers; in other items, words describe the number.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping

from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.json_values import JsonObject, mapping, with_texts
from lorekeeper_mcp.sources.phrases import joined

_ROOTS = (
    "mod|prof|abilities|attributes|details|classes|subclasses|scale|item|skills|tools|bonuses|spells|resources"
    "|activity|scaling|statuses|flags|name"
)
_PATH = re.compile(rf"(?<![\w@])@((?:{_ROOTS})(?:\.[\w-]+)*)(?![\w\[])")
_INLINE = re.compile(r"(?<=\[\[)(?!lookup)[^\]]{1,300}(?=\]\])", re.IGNORECASE)
_LOOKUP = re.compile(r"\[\[lookup +(@[\w.-]+)((?: +[\w=]+)*)\]\](?!\{)", re.IGNORECASE)
_NUMBERS = re.compile(r"(?:[\d\s+\-*/().,]|floor|ceil|max|min|round|abs)*")
_CALL = re.compile(r"(max|min|floor|ceil|round)\(([^()]*)\)")
_DICE_AND_MORE = re.compile(r"(.*?\dd\d+\S*)((?:\s*[+-]\s*\d{1,4}(?![\dd*/]))+)\s*")
_MAX_LENGTH = 200  # characters of a formula
_MAX_RESULT = 10**6
_DEEPEST = 3  # nested calls
_WORDS: Mapping[str, str] = {
    "mod": "ability modifier", "prof": "proficiency bonus", "attributes.prof": "proficiency bonus",
    "item.level": "spell level", "details.level": "character level", "details.cr": "challenge rating",
    "attributes.spelldc": "spell save DC", "attributes.spell.dc": "spell save DC",
    "attributes.spell.mod": "spellcasting ability modifier", "attributes.spell.attack": "spell attack bonus",
    "attributes.spellmod": "spellcasting ability modifier", "attributes.hp.max": "hit point maximum",
    "attributes.hp.value": "hit points", "attributes.ac.value": "Armor Class", "attributes.init.total": "initiative",
    "attributes.movement.walk": "walking speed", "scaling": "scaling", "name": "the creature",
    "attributes.exhaustion": "exhaustion level", "scaling.increase": "levels above its own",
}  # fmt: skip
_STEP_NAMES = {"mod": "modifier", "dc": "save DC", "prof": "proficiency bonus", "value": "", "max": "maximum"}
KnownValue = Callable[[str], "str | None"]
"""Returns the value at a path such as ``abilities.str.mod``; None if it is not known."""


def filled(values: JsonObject, known_value: KnownValue) -> JsonObject:
    """Return a JSON object with known numbers in every formula of its texts, and words for the others."""
    return mapping(with_texts(dict(values), lambda text: _filled_text(text, known_value) if "@" in text else text))


def _filled_text(text: str, known_value: KnownValue) -> str:
    def fill_lookup(lookup: re.Match[str]) -> str:
        # An activity's names and values are known where the text is displayed.
        value = known_value(lookup[1][1:])
        return lookup[0] if value is None else value

    if "[[" in text:
        return _INLINE.sub(lambda inline: _filled_formula(inline[0], known_value), _LOOKUP.sub(fill_lookup, text))
    is_formula = len(text) <= _MAX_LENGTH and "<" not in text.replace("<=", "")
    return _filled_formula(text, known_value) if is_formula else text


def _filled_formula(text: str, known_value: KnownValue) -> str:
    if not _PATH.search(text):
        return text

    def fill(match: re.Match[str]) -> str:
        path = match[1].rstrip(".")
        value = known_value(path)
        return in_words(path) if value is None else value

    return simplified(_PATH.sub(fill, text))


def in_words(path: str) -> str:
    """Return the meaning of a path: ``abilities.cha.mod`` is Charisma modifier."""
    if path in _WORDS:
        return _WORDS[path]
    root, *steps = path.split(".")
    last = steps[-1] if steps else root
    if root == "abilities" and steps:
        return joined(names.ability(steps[0]), _STEP_NAMES.get(last, names.readable(last)), sep=" ")
    if root in ("classes", "subclasses"):
        return f"{steps[0].replace('-', ' ')} level" if steps else "class level"
    if root == "skills" and steps:
        return joined(names.skill(steps[0]), _STEP_NAMES.get(last, "bonus"), sep=" ")
    if root == "scale":
        printed = [step for step in steps[1:] if step not in ("die", "formula", "number")] or steps
    else:
        printed = [step for step in steps if step not in ("value", "attributes", "system")] or [root, *steps]
    return " ".join(names.readable(_STEP_NAMES.get(step) or step).replace("-", " ") for step in printed)


def simplified(formula: str) -> str:
    """Return a formula as a book prints it: ``8 + 3 - 1`` is 10, ``1d6 + 2 + -1`` is 1d6 + 1."""
    if "-" in formula:
        formula = re.sub(r"\+\s*-", "- ", re.sub(r"-\s*-\s*(?=\d)", "+ ", formula))
    if (number := _number(formula)) is not None:
        return f"{number:g}"
    dice = _DICE_AND_MORE.fullmatch(formula)
    if dice and (modifier := _number(dice[2])) is not None and modifier == int(modifier):
        return f"{dice[1]} {'+' if modifier > 0 else '-'} {abs(int(modifier))}" if modifier else dice[1]
    for _ in range(_DEEPEST):
        formula = _CALL.sub(_call_in_words, formula)
    return formula


def _call_in_words(call: re.Match[str]) -> str:
    """``max(1, x)`` is x (minimum 1); ``floor(x / 2)`` is half x rounded down."""
    function, inside = call[1], call[2].strip()
    arguments = [argument.strip() for argument in inside.split(",")]
    if function in _LIMITS and len(arguments) == 2:
        limit, value = arguments if _number(arguments[0]) is not None else arguments[::-1]
        return f"{value} ({_LIMITS[function]} {limit})" if _number(limit) is not None else call[0]
    halved = re.fullmatch(r"(.+?)\s*/\s*2", inside)
    return f"half {halved[1]} {_ROUNDINGS[function]}" if halved and function in _ROUNDINGS else call[0]


_LIMITS = {"max": "minimum", "min": "maximum"}
_ROUNDINGS = {"floor": "rounded down", "ceil": "rounded up"}
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
