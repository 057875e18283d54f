"""Formulas with values of an actor, which the application fills in when it displays or rolls them, and those values.

The items of an actor get its numbers; in other items, words describe the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from lorekeeper_mcp.sources.field_reader import (
    JsonObject,
    either,
    integer,
    joined,
    mapping,
    number,
    objects,
    part,
    phrase,
    text,
    text_at,
    texts,
    value_at,
    with_texts,
)
from lorekeeper_mcp.sources.foundry import names

KnownValue: TypeAlias = Callable[[str], "str | None"]
"""Returns the value at a path such as ``abilities.str.mod``; None if it is not known."""

_ROOTS = (
    "mod|prof|abilities|attributes|details|classes|subclasses|scale|item|skills|tools|bonuses|spells|resources"
    "|activity|scaling|statuses|flags|name"
)
_PATH = re.compile(rf"(?<![\w@])@((?:{_ROOTS})(?:\.[\w-]+)*)(?![\w\[])")
_AROUND_OPERATOR = re.compile(r"\s*([+\-*/])\s*")
_PRODUCT = re.compile(r"(^|[+-])(\d{1,9}(?:\.\d{1,9})?)([*/])(\d{1,9}(?:\.\d{1,9})?)(?![\dd])")
_TERM = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9})?")
_SUM = re.compile(rf"{_TERM.pattern}(?:[+-]\d{{1,9}}(?:\.\d{{1,9}})?)*")
_DICE_AND_MORE = re.compile(r"(.*?\dd\d+\S*)((?:\s*[+-]\s*\d{1,4}(?![\dd*/]))+)\s*")
_DICE = re.compile(r"(\d{1,3})d(\d{1,4})(?:\s*([+-])\s*(\d{1,4}))?")
_HEALING = {
    **dict.fromkeys(("temphp", "temp", "temporary"), "temporary hit points"), "healing": "hit points",
    "maximum": "hit point maximum",
}  # fmt: skip
_MODIFIER = " + ability modifier"  # of a weapon's wielder; books do not print it with the dice
_MAX_LENGTH = 200  # characters of a formula
_MAX_RESULT = 10**6
_MAX_SCORE = 10_000
_MAX_LEVEL = 20
_MEASURES = ("attributes.hp.max", "attributes.movement.walk", "details.cr")
_ATTACK_BONUSES = {"melee weapon": "mwak", "ranged weapon": "rwak", "melee spell": "msak", "ranged spell": "rsak"}
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


def _number(formula: str) -> float | None:
    """The value of sums and products of numbers; None of anything else."""
    if len(formula) > _MAX_LENGTH:
        return None
    formula = _AROUND_OPERATOR.sub(r"\1", formula.strip())
    while product := _PRODUCT.search(formula):
        left, right = float(product[2]), float(product[4])
        if not right and product[3] == "/":
            return None
        value = left * right if product[3] == "*" else left / right
        formula = f"{formula[: product.start()]}{product[1]}{value:.9g}{formula[product.end() :]}"
    if not _SUM.fullmatch(formula):
        return None
    total = sum(map(float, _TERM.findall(formula)))
    return total if abs(total) < _MAX_RESULT else None


# --- Rolls in words ---


def average(dice: str) -> str:
    """Return ``9 (2d8)``; anything other than plain dice stays as it is."""
    parsed = _DICE.fullmatch(dice.strip())
    if not parsed:
        return dice
    modifier = int(f"{parsed[3] or ''}{parsed[4] or 0}")
    return f"{int(parsed[1]) * (int(parsed[2]) + 1) // 2 + modifier} ({dice.strip()})"


def dice(entry: JsonObject) -> str:
    """Return the dice of a part of damage: ``2d6 + 3``."""
    custom = part(entry, "custom")
    if custom.get("enabled") is not False and (formula := text(custom.get("formula"))):
        return simplified(formula)
    count, faces, extra = integer(entry.get("number")), integer(entry.get("denomination")), text(entry.get("bonus"))
    return simplified(joined(f"{count}d{faces}" if count and faces else "", extra, sep=" + "))


def plain_dice(entry: JsonObject) -> str:
    """Return the dice of a part of damage without the words for its wielder's modifier."""
    return dice(entry).replace(_MODIFIER, "").strip()


def damage_in_words(entry: JsonObject, *, averaged: bool = False) -> str:
    """Return ``4 (1d6 + 1) piercing``, of a part of damage or healing, any of whose types may be chosen."""
    printed = average(dice(entry)) if averaged else plain_dice(entry)
    kind = either(_HEALING.get(kind, kind) for kind in texts(entry.get("types")))
    return joined(printed, kind, sep=" ") if printed else ""


def save_in_words(save: JsonObject, dc: str) -> str:
    """Return ``DC 13 Dexterity saving throw``; empty if the file names no ability."""
    abilities = either(map(names.ability, texts(save.get("ability"))))
    if not abilities:
        return ""
    if dc[:1].isdigit() and " " not in dc:
        return f"DC {dc} {abilities} saving throw"
    return f"{abilities} saving throw{phrase(' (DC {})', dc.replace('your spell save DC', ''))}"


def check_in_words(check: JsonObject, dc: str) -> str:
    """Return ``DC 15 Dexterity (Acrobatics) check``, with the usual ability of a skill."""
    codes = texts(check.get("associated"))
    usual = names.SKILLS[codes[0]][1] if len(codes) == 1 and codes[0] in names.SKILLS else ""
    ability, using = names.ability(text_at(check, "ability") or usual), either(map(names.skill, codes))
    name = f"{ability} ({using})" if ability and using else ability or using
    return joined(phrase("DC {}", dc), name, "check", sep=" ") if name else ""


# --- The numbers of an actor ---


def system_of(document: JsonObject) -> JsonObject:
    """Return a document's fields of the dnd5e system, which were its data before version 10."""
    return part(document, "system") or part(document, "data")


def rules_of(system: JsonObject) -> str:
    """Return the rules that a document is for, such as ``2024``; empty if it does not say."""
    return text(value_at(system, "source.rules") or value_at(system, "details.source.rules"))


class ActorNumbers:
    """An actor's numbers, which the application derives: by the code of an ability, and by their paths in formulas.

    ``saves`` and ``skills`` are those in which it is proficient; an ability without a score has no modifier.
    """

    def __init__(self, actor: JsonObject) -> None:
        system = system_of(actor)
        levels = (integer(system_of(item).get("levels")) or 0 for item in objects(actor.get("items")))
        level = sum(value for value in levels if 0 < value <= _MAX_LEVEL)
        rating = int(number(value_at(system, "details.cr")) or level)
        own = integer(part(system, "attributes.prof").get("value", value_at(system, "attributes.prof")))
        self.proficiency = 2 + max(0, rating - 1) // 4 if own is None else own
        scores = {code: integer(mapping(each).get("value")) for code, each in part(system, "abilities").items()}
        self.scores = {code: score for code, score in scores.items() if score is not None and 0 <= score < _MAX_SCORE}
        self.modifiers = {code: (score - 10) // 2 for code, score in self.scores.items()}
        self.spellcasting = text_at(system, "attributes.spellcasting")  # the code of an ability
        self.is_2024 = rules_of(system) == "2024"
        self.bonuses = part(system, "bonuses")
        self.saves: dict[str, int] = {}
        self.skills: dict[str, int] = {}
        self._values = {path: text(number(value_at(system, path))) for path in _MEASURES}
        self._values |= {path: str(value) for path, value in self._derived(system)}
        self._values["name"] = text_at(actor, "name")
        self._values["details.level"] = text(level or None)
        self._values["details.type.config.label"] = text(
            value_at(system, "details.type.custom") or value_at(system, "details.type.value")
        )

    def known(self, path: str) -> str | None:
        """Return a value of the actor by its path; None if it is not known."""
        return self._values.get(path) or None

    def _derived(self, system: JsonObject) -> Iterator[tuple[str, int]]:
        yield from (("prof", self.proficiency), ("attributes.prof", self.proficiency))
        for code, modifier in self.modifiers.items():
            ability, dc = part(system, f"abilities.{code}"), 8 + self.proficiency + modifier
            yield f"abilities.{code}.value", self.scores[code]
            yield f"abilities.{code}.mod", modifier
            yield f"abilities.{code}.dc", dc
            if code == self.spellcasting:
                spell_dc = dc + (integer(value_at(self.bonuses, "spell.dc")) or 0)
                yield from (("attributes.spellmod", modifier), ("attributes.spell.mod", modifier))
                yield from (("attributes.spelldc", spell_dc), ("attributes.spell.dc", spell_dc))
                yield "attributes.spell.attack", self.proficiency + modifier
            if level := number(ability.get("proficient")):
                extra = (value_at(ability, "bonuses.save"), value_at(self.bonuses, "abilities.save"))
                self.saves[code] = modifier + int(level * self.proficiency) + sum(map(self._bonus, extra))
            yield f"abilities.{code}.save", self.saves.get(code, modifier)
        for code, (_, usual) in names.SKILLS.items():
            skill = part(system, f"skills.{code}")
            modifier, level = self.modifiers.get(text_at(skill, "ability") or usual, 0), number(skill.get("value")) or 0
            total = modifier + int(level * self.proficiency) + self._bonus(value_at(skill, "bonuses.check"))
            if level > 0:
                self.skills[code] = total
            yield from ((f"skills.{code}.total", total), (f"skills.{code}.mod", total))
            yield f"skills.{code}.passive", 10 + total + self._bonus(value_at(skill, "bonuses.passive"))

    def _bonus(self, formula: object) -> int:
        """A bonus that is a number, once the proficiency bonus and the modifiers are filled in; else 0."""
        values = {"prof": self.proficiency} | {f"abilities.{code}.mod": mod for code, mod in self.modifiers.items()}
        return integer(filled_formula(text(formula), lambda path: text(values.get(path)) or None)) or 0

    def ability_modifier(self, item: JsonObject, activity: JsonObject) -> int | None:
        """The ability modifier of an attack: Strength's, or Dexterity's for ranged and finesse weapons."""
        attack = part(activity, "attack")
        ability = text_at(attack, "ability") or text_at(item, "ability")
        is_spell = text_at(attack, "type.classification") == "spell" or "school" in item
        if ability == "spellcasting" or (not ability and is_spell):
            ability = self.spellcasting
        if ability:
            return 0 if ability == "none" else self.modifiers.get(ability)
        kind = text_at(item, "type.value") or text_at(item, "weaponType")
        if kind.endswith("R") or (text_at(attack, "type.value") == "ranged" and kind in ("", "siege")):
            return self.modifiers.get("dex")
        able = ("str", "dex") if "fin" in properties_of(item) else ("str",)
        return max((self.modifiers[code] for code in able if code in self.modifiers), default=None)

    def to_hit(self, item: JsonObject, activity: JsonObject) -> str:
        """Return the bonus of an attack, such as ``+5``; empty if a formula or a missing score prevents it."""
        attack = part(activity, "attack")
        is_flat = attack.get("flat") is True
        modifier = 0 if is_flat else self.ability_modifier(item, activity)
        way = f"{text_at(attack, 'type.value')} {text_at(attack, 'type.classification') or 'weapon'}"
        of_actor = value_at(self.bonuses, f"{_ATTACK_BONUSES.get(way, '')}.attack")
        bonuses = [
            number(value) for value in (attack.get("bonus"), of_actor, magic_bonus(item)) if value not in (None, "", 0)
        ]
        if modifier is None or None in bonuses:
            return ""
        is_proficient = not is_flat and item.get("proficient") not in (0, False)
        total = modifier + (self.proficiency if is_proficient else 0) + int(sum(filter(None, bonuses)))
        return f"{total:+d}"


def properties_of(system: JsonObject) -> frozenset[str]:
    """Return components and properties: a list since version 3, flags before."""
    flags = {**part(system, "components"), **part(system, "properties")}
    return frozenset(texts(system.get("properties"))) | {code for code, is_set in flags.items() if is_set is True}


def magic_bonus(item: JsonObject) -> object:
    """Return the bonus of a magic weapon to its attacks and its damage."""
    return item.get("magicalBonus") if "mgc" in properties_of(item) else None
