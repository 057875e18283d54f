"""The mechanics of an item, as Foundry stores them: activations, ranges, targets, damage, saves.

A description usually contains them in words. Those without a field in the record follow it under their own names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from lorekeeper_mcp.models import Kind, Section
from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.activity_texts import activity_lines
from lorekeeper_mcp.sources.foundry.item_values import (
    DURATIONS,
    MODIFIER,
    activities,
    damage_parts,
    description_of,
    duration_text,
    nonzero,
    range_text,
    target_text,
    two_handed_damage,
    uses_text,
    words,
)
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, mapping, members, objects, part, text, texts, value_at
from lorekeeper_mcp.sources.phrases import counted, either, joined, phrase
from lorekeeper_mcp.sources.stat_block import ability_key, bonus, heading, sections_of, shown

_ATTACKS = {
    "mwak": "melee weapon attack", "rwak": "ranged weapon attack", "msak": "melee spell attack",
    "rsak": "ranged spell attack", "mpak": "melee power attack", "rpak": "ranged power attack", "heal": "healing",
}  # fmt: skip
_ACTIVATIONS = {"bonus": "bonus action", "crew": "crew action", "lair": "lair action", "legendary": "legendary action",
                "mythic": "mythic action", "special": "special", "none": ""}  # fmt: skip
_ON_SAVE = {"half": "half as much on a success", "full": "even on a success"}
_NOT_ATTACKS = frozenset({"save", "abil", "util", "utility", "other", "summ", "ench"})  # action types
_SCALING_TEXT = re.compile(r"higher.level|slot level|spell slot|5th level|each level", re.IGNORECASE)
_WORD = re.compile(r"(?<![@\w.])[^\W\d_]{3,}")
_PHRASES = " ".join(text for table in (_ATTACKS, _ACTIVATIONS, names.UNITS, DURATIONS) for text in table.values())
_RULES_TERMS = frozenset((*DAMAGE_TYPES, *ABILITIES, *_PHRASES.lower().split())) | frozenset(
    "action actions bonus reaction minute minutes hour hours day days round rounds turn turns melee ranged"
    " weapon spell unarmed attack hit with two hands saving throw more for each level above its own reach self"
    " touch any ally enemy object space creature creatures sphere cone cube line cylinder radius square wall"
    " width height healing temphp max min floor ceil objects willing circle special encounter turnstart"
    " turnend shortrest longrest foot mile month months year years threshold damage maximum".split()
)
"""Words that only accompany numbers; a description has its own."""


def mechanics(
    system: JsonObject, *, omit: Collection[str] = (), omit_in_activities: Collection[str] = (), record_text: str
) -> Iterator[Section]:
    """Yield the parts of an item and of its activities in words, except for those that the record's fields have.

    Only numbers are omitted: a part with words that are missing from ``record_text`` is always included.
    """
    if _SCALING_TEXT.search(record_text):
        omit, omit_in_activities = (*omit, "scaling"), (*omit_in_activities, "scaling")
    item_parts, known_words = _texts_by_part(system), _own_words(record_text)
    for name, printed in item_parts.items():
        if name not in omit or not _own_words(printed) <= known_words:
            yield Section(name=name.capitalize(), text=printed)
    lines = (_activity(activity, item_parts, omit_in_activities, known_words) for activity in activities(system))
    yield from sections_of({"Activities": "\n".join(f"- {line}" for line in dict.fromkeys(filter(None, lines)))})


def _own_words(text: str) -> frozenset[str]:
    """The words of a text that are neither rules terms nor names of values, such as ``@abilities.dex.mod``."""
    return frozenset(_WORD.findall(text.lower())) - _RULES_TERMS


def head(document: JsonObject, system: JsonObject, book: str, section: str, kind: Kind) -> CommonFields:
    """Return the common fields of a document's record, with the results of rolls in its description."""
    name = text(document, "name")
    return heading(book, section, name, kind, description_of(system, own_rolls(system, name)))


def own_rolls(system: JsonObject, name: str) -> dict[str, str]:
    """Return the results of rolls in a document's description that have no dice of their own."""
    sources = (system, *activities(system))
    parts_by_source = [_texts_by_part(source) for source in reversed(sources)]
    rolls: dict[str, str] = {
        kind: parts[kind] for kind in ("attack", "damage", "save") for parts in parts_by_source if kind in parts
    }
    damages = (_damage({**part(source, "damage"), "onSave": "", "critical": {}}) for source in sources)
    if damage := joined(*dict.fromkeys(damages), sep=" plus "):
        rolls["damage"] = damage
    checks = (part(activity, "check") for activity in activities(system))
    if check := next(map(_check, filter(None, checks)), ""):
        rolls["check"] = check
    values = dict(_values_by_path(system)) if "[[lookup" in str(part(system, "description")) else {}
    return {**values, **rolls, "name": name, "@name": name}


def _values_by_path(system: JsonObject) -> Iterator[tuple[str, str]]:
    """The values of an item and its activities by path, for ``[[lookup]]``."""
    yield from _leaves(system, "@item")
    for id_, activity in reversed([*part(system, "activities").items()]):
        if isinstance(activity, Mapping):
            item_fields = {name: value for name, value in system.items() if name in activity}
            for path, value in _leaves({**item_fields, **_in_force(activity)}, "@"):
                yield path, value
                yield f"{id_}{path}", value


def _leaves(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}{'' if path == '@' else '.'}{name}")
    elif leaf := words(value):
        yield path, leaf


def activation_count(activation: JsonObject) -> int:
    """Return the number of actions, minutes and so on that an activation takes."""
    return bonus(activation.get("value", activation.get("cost"))) or 1


def activation_text(activation: JsonObject) -> str:
    """Return ``1 bonus action``, without its condition."""
    kind = str(activation.get("type") or "")
    name = _ACTIVATIONS.get(kind, kind)
    return counted(str(activation_count(activation)), name) if name and kind != "special" else name


def _texts_by_part(source: JsonObject) -> dict[str, str]:
    """The parts of an item or of one of its activities in words."""
    parts = {name: describe(source) for name, fields, describe in _PARTS if not fields.isdisjoint(source)}
    return {name: printed for name, printed in parts.items() if printed}


def _activation(source: JsonObject) -> str:
    activation = part(source, "activation")
    return joined(activation_text(activation), markdown(activation.get("condition")))


def _attack(source: JsonObject) -> str:
    attack, action = part(source, "attack"), str(source.get("actionType") or "")
    name = _ATTACKS.get(action, "" if action in _NOT_ATTACKS else action)
    if attack and source.get("type") == "attack":
        name = joined(text(attack, "type.value"), text(attack, "type.classification"), "attack", sep=" ")
    to_hit = nonzero(attack.get("bonus") or source.get("attackBonus"))
    if to_hit[:1] not in ("+", "-", ""):
        to_hit = f"+{to_hit}"
    ability = text(attack, "ability")
    return joined(
        name,
        phrase("using {}", names.ability(ability) if name and ability not in ("none", "spellcasting") else ""),
        phrase("{} to hit", to_hit),
        phrase("critical hit {}", _critical_rolls(value_at(attack, "critical.threshold"))),
    )


def _critical_rolls(threshold: object) -> str:
    """The rolls of a critical hit, if it is not only 20: ``on a 19–20``."""
    lowest = bonus(threshold)
    return f"on a {lowest}–20" if lowest and lowest < 20 else ""


def _damage(damage: JsonObject) -> str:
    parts = [f"{dice.replace(MODIFIER, '')} {kind}".strip() for dice, kind in damage_parts(damage) if dice]
    if two_handed := two_handed_damage(damage):
        parts.append(f"{two_handed} with two hands")
    if parts:
        parts.append(_ON_SAVE.get(text(damage, "onSave"), ""))
    if more := value_at(damage, "critical.bonus"):
        parts.append(f"{shown(more)} more on a critical hit")
    return joined(*parts)


def _save(save: JsonObject) -> str:
    abilities = " or ".join(ability_key(code).capitalize() for code in texts(save.get("ability")))
    formula = part(save, "dc")  # since version 4
    dc = shown(formula.get("formula") if formula else save.get("dc"))
    throw = joined(phrase("DC {}", dc), phrase("{} saving throw", abilities), sep=" ")
    calculation = text(formula, "calculation") or text(save, "scaling")
    if dc or not throw:
        return throw
    if len(calculation) == 3:
        return f"{throw} against a DC of 8 + proficiency bonus + {ability_key(calculation).capitalize()} modifier"
    return f"{throw} against your spell save DC" if formula and calculation in ("spellcasting", "spell") else throw


def _critical(critical: JsonObject) -> str:
    rolls = _critical_rolls(critical.get("threshold"))
    return joined(rolls, phrase("{} more damage", shown(critical.get("damage"))))


def _scaling(source: JsonObject) -> str:
    """The extra dice at higher levels: of the item before version 4, of each damage part since."""
    increases = [_item_scaling(part(source, "scaling"))]
    damages = [*members(value_at(source, "damage.parts")), value_at(source, "damage.base"), source.get("healing")]
    for damage in objects(damages):
        scaling, faces = part(damage, "scaling"), bonus(damage.get("denomination"))
        count, mode = bonus(scaling.get("number")), text(scaling, "mode")
        dice = shown(scaling.get("formula")) or (f"{count}d{faces}" if count and faces else "")
        step = "two levels" if mode == "half" else "level above its own"
        increases.append(f"{dice} more for each {step}" if dice and mode else "")
    return joined(*dict.fromkeys(increases))


def _item_scaling(scaling: JsonObject) -> str:
    formula, mode = shown(scaling.get("formula")), shown(scaling.get("mode"))
    if not formula or mode == "none":
        return ""
    return f"{formula} more for each {'level above its own' if mode == 'level' else mode or 'step'}"


def _activity(
    activity: JsonObject, item_parts: Mapping[str, str], omit: Collection[str], known_words: frozenset[str]
) -> str:
    """One activity of an item, in a line; empty if the record already has all of it."""
    phrases = [
        printed
        for part_name, printed in _texts_by_part(_in_force(activity)).items()
        if printed != item_parts.get(part_name) and (part_name not in omit or not _own_words(printed) <= known_words)
    ]
    check, roll = _check(part(activity, "check")), part(activity, "roll")
    if not _own_words(check) <= known_words:
        phrases.append(check)
    if roll.get("formula"):
        phrases.append(joined(shown(roll.get("name")), shown(roll["formula"]), sep=" "))
    phrases += [uses_text(activity), *activity_lines(activity)]
    phrases += [markdown(value_at(activity, f"description.{field}")) for field in ("chatFlavor", "value")]
    name, line = text(activity, "name"), joined(*dict.fromkeys(phrases))
    return f"{name or names.titled(str(activity.get('type') or ''))}: {line}" if line else name


def _in_force(activity: JsonObject) -> JsonObject:
    """An activity without the parts that the item overrides."""
    return {name: value for name, value in activity.items() if mapping(value).get("override") is not False}


def _check(check: JsonObject) -> str:
    """``DC 15 Dexterity (Acrobatics) check``."""
    if not check:
        return ""
    dc, ability = shown(value_at(check, "dc.formula")), names.ability(text(check, "ability"))
    codes = texts(check.get("associated"))
    using = either(names.skill(code) if code in names.SKILLS else names.tool(code) for code in codes)
    name = f"{ability} ({using})" if ability and using else ability or using
    against = " against your spell save DC" if not dc and text(check, "dc.calculation") else ""
    return joined(phrase("DC {}", dc), name, "check", sep=" ") + against


# Each part: its name, its fields, and the function that words them.
_PARTS: tuple[tuple[str, frozenset[str], Callable[[JsonObject], str]], ...] = (
    ("activation", frozenset({"activation"}), _activation),
    ("attack", frozenset({"attack", "actionType", "attackBonus"}), _attack),
    ("range", frozenset({"range"}), lambda source: range_text(part(source, "range"))),
    ("target", frozenset({"target"}), lambda source: target_text(part(source, "target"))),
    ("duration", frozenset({"duration"}), lambda source: duration_text(part(source, "duration"))),
    ("damage", frozenset({"damage"}), lambda source: _damage(part(source, "damage"))),
    ("healing", frozenset({"healing"}), lambda source: _damage({"parts": [source.get("healing")]})),
    ("save", frozenset({"save"}), lambda source: _save(part(source, "save"))),
    ("critical", frozenset({"critical"}), lambda source: _critical(part(source, "critical"))),
    ("formula", frozenset({"formula"}), lambda source: shown(source.get("formula"))),
    ("scaling", frozenset({"scaling", "damage", "healing"}), _scaling),
    ("ability", frozenset({"ability"}), lambda source: ability_key(text(source, "ability")).capitalize()),
)
PARTS = tuple(name for name, _, _ in _PARTS)
