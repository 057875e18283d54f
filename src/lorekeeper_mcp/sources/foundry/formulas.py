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
_LONGEST = 200  # characters of a formula
_MOST = 10**6
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
_PARTS = {"mod": "modifier", "dc": "save DC", "prof": "proficiency bonus", "value": "", "max": "maximum"}
Value = Callable[[str], "str | None"]


def filled(values: JsonObject, known: Value) -> JsonObject:
    """Return a JSON object with known numbers in every formula of its texts, and words for the others."""
    return mapping(with_texts(dict(values), lambda text: _filled(text, known) if "@" in text else text))


def _filled(text: str, known: Value) -> str:
    if "[[" in text:
        looked = _LOOKUP.sub(lambda hit: _looked_up(hit, known), text)
        return _INLINE.sub(lambda hit: _formula(hit[0], known), looked)
    return _formula(text, known) if len(text) <= _LONGEST and "<" not in text.replace("<=", "") else text


def _looked_up(hit: re.Match[str], known: Value) -> str:
    """``[[lookup @abilities.str.mod]]``; an activity's names and values are known where the text is displayed."""
    found = known(hit[1][1:])
    return found if found is not None else hit[0]


def _formula(text: str, known: Value) -> str:
    if not _PATH.search(text):
        return text

    def value(hit: re.Match[str]) -> str:
        path = hit[1].rstrip(".")
        found = known(path)
        return found if found is not None else in_words(path)

    return simplified(_PATH.sub(value, text))


def in_words(path: str) -> str:
    """Return the meaning of a path: ``abilities.cha.mod`` is Charisma modifier."""
    if path in _WORDS:
        return _WORDS[path]
    steps = path.split(".")
    root, last = steps[0], steps[-1]
    if root == "abilities" and len(steps) > 1:
        return names.joined(names.ability(steps[1]), _PARTS.get(last, names.readable(last)), sep=" ")
    if root in ("classes", "subclasses"):
        return f"{steps[1].replace('-', ' ')} level" if len(steps) > 1 else "class level"
    if root == "skills" and len(steps) > 1:
        return names.joined(names.skill(steps[1]), _PARTS.get(last, "bonus"), sep=" ")
    kept = [one for one in steps[1:] if one not in ("value", "attributes", "system")] or steps
    if root == "scale":
        kept = [one for one in steps[2:] if one not in ("die", "formula", "number")] or steps[1:]
    return " ".join(names.readable(_PARTS.get(one, one) or one).replace("-", " ") for one in kept)


def simplified(formula: str) -> str:
    """Return a formula as a book prints it: ``8 + 3 - 1`` is 10, ``1d6 + 2 + -1`` is 1d6 + 1."""
    tidy = re.sub(r"\+\s*-", "- ", re.sub(r"-\s*-\s*(?=\d)", "+ ", formula)) if "-" in formula else formula
    if (number := _number(tidy)) is not None:
        return f"{number:g}"
    found = _DICE_AND_MORE.fullmatch(tidy)
    if found and (more := _number(found[2])) is not None and float(more).is_integer():
        sign = "+" if more > 0 else "-"
        return f"{found[1]} {sign} {abs(int(more))}" if more else found[1]
    for _ in range(_DEEPEST):
        tidy = _CALL.sub(_called, tidy) if "(" in tidy else tidy
    return tidy


def _called(hit: re.Match[str]) -> str:
    """``max(1, x)`` is x (minimum 1); ``floor(x / 2)`` is half x rounded down."""
    name, inside = hit[1], hit[2].strip()
    parts = [one.strip() for one in inside.split(",")]
    if name in ("max", "min") and len(parts) == 2:
        limit, value = parts if _number(parts[0]) is not None else parts[::-1]
        return (
            f"{value} ({'minimum' if name == 'max' else 'maximum'} {limit})" if _number(limit) is not None else hit[0]
        )
    halved = re.fullmatch(r"(.+?)\s*/\s*2", inside)
    rounding = {"floor": " rounded down", "ceil": " rounded up"}.get(name, "")
    return f"half {halved[1]}{rounding}" if halved and rounding else hit[0]


_OPERATORS: Mapping[type, Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "floor": math.floor, "ceil": math.ceil, "max": max, "min": min, "round": round, "abs": abs,
}  # fmt: skip


def _number(formula: str) -> float | None:
    """The value of a formula without dice; None if it contains anything else."""
    if not formula.strip() or len(formula) > _LONGEST or not _NUMBERS.fullmatch(formula):
        return None
    try:
        found = _evaluated(ast.parse(formula.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, KeyError, MemoryError):
        return None
    return found if abs(found) < _MOST else None


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
