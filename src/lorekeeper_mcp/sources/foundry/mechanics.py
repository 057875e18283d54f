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
    damages,
    described,
    duration_text,
    range_text,
    target_text,
    uses,
    versatile,
    words,
)
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, mapping, members, objects, part, text, texts, value_at
from lorekeeper_mcp.sources.stat_block import ability_key, bonus, heading, shown

_ATTACKS = {
    "mwak": "melee weapon attack", "rwak": "ranged weapon attack", "msak": "melee spell attack",
    "rsak": "ranged spell attack", "mpak": "melee power attack", "rpak": "ranged power attack", "heal": "healing",
}  # fmt: skip
_ACTIVATIONS = {"bonus": "bonus action", "crew": "crew action", "lair": "lair action", "legendary": "legendary action",
                "mythic": "mythic action", "special": "special", "none": ""}  # fmt: skip
_ON_SAVE = {"half": "half as much on a success", "full": "even on a success"}
_ROLLS = {"save", "abil", "util", "utility", "other", "summ", "ench"}  # action types that are not attacks
_GROWS = re.compile(r"higher.level|slot level|spell slot|5th level|each level", re.IGNORECASE)
_WORD = re.compile(r"(?<![@\w.])[^\W\d_]{3,}")
_PHRASES = " ".join(text for table in (_ATTACKS, _ACTIVATIONS, names.UNITS, DURATIONS) for text in table.values())
_OF_THE_RULES = frozenset((*DAMAGE_TYPES, *ABILITIES, *_PHRASES.lower().split())) | frozenset(
    "action actions bonus reaction minute minutes hour hours day days round rounds turn turns melee ranged"
    " weapon spell unarmed attack hit with two hands saving throw more for each level above its own reach self"
    " touch any ally enemy object space creature creatures sphere cone cube line cylinder radius square wall"
    " width height healing temphp max min floor ceil objects willing circle special encounter turnstart"
    " turnend shortrest longrest foot mile month months year years threshold damage maximum".split()
)
"""Words that only accompany numbers; a description has its own."""


def mechanics(
    system: JsonObject, *in_fields: str, rolls_in_fields: Collection[str] = (), elsewhere: str = ""
) -> Iterator[Section]:
    """Yield the fields of an item in words, except for the parts that other fields of the record have (``in_fields``).

    ``rolls_in_fields`` are such parts of its activities. Only numbers are omitted: a part with words that are missing
    from ``elsewhere``, the text of the record, is always included.
    """
    found, known_words = _texts_by_part(system), frozenset(_own_words(elsewhere))
    if _GROWS.search(elsewhere):
        rolls_in_fields, in_fields = (*rolls_in_fields, "scaling"), (*in_fields, "scaling")
    for name, phrase in found.items():
        if name not in in_fields or not known_words.issuperset(_own_words(phrase)):
            yield Section(name=name.capitalize(), text=phrase)
    doing = [line for one in activities(system) if (line := _activity(one, found, rolls_in_fields, known_words))]
    if doing:
        yield Section(name="Activities", text="\n".join(f"- {line}" for line in dict.fromkeys(doing)))


def _own_words(text: str) -> Iterator[str]:
    """The words of a text that are neither rules terms nor names of values, such as ``@abilities.dex.mod``."""
    return (word for word in _WORD.findall(text.lower()) if word not in _OF_THE_RULES)


def head(one: JsonObject, system: JsonObject, book: str, section: str, kind: Kind) -> CommonFields:
    """Return the common fields of a document's record, with the results of rolls in its description."""
    name = text(one, "name")
    return heading(book, section, name, kind, described(system, own_rolls(system, name)))


def own_rolls(system: JsonObject, name: str) -> dict[str, str]:
    """Return the results of rolls in a document's description that have no dice of their own."""
    both = (system, *activities(system))
    by_part = list(map(_texts_by_part, both))
    found = {what: one[what] for what in ("attack", "damage", "save") for one in reversed(by_part) if one.get(what)}
    harm = (_damage({**part(one, "damage"), "onSave": "", "critical": {}}) for one in both)
    if dealt := names.joined(*dict.fromkeys(harm), by=" plus "):
        found["damage"] = dealt
    if check := next((_check(spec) for one in activities(system) if (spec := part(one, "check"))), ""):
        found["check"] = check
    values = dict(_values(system)) if "[[lookup" in str(part(system, "description")) else {}
    return {**values, **found, "name": name, "@name": name}


def _values(system: JsonObject) -> Iterator[tuple[str, str]]:
    """The values of an item and its activities by path, for ``[[lookup]]``."""
    yield from _leaves(system, "@item")
    for own, one in reversed([*part(system, "activities").items()]):
        if isinstance(one, Mapping):
            whole = {**{name: value for name, value in system.items() if name in one}, **_in_force(one)}
            yield from _leaves(whole, "@")
            yield from ((f"{own}{path}", value) for path, value in _leaves(whole, "@"))


def _leaves(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _leaves(one, f"{path}{'' if path == '@' else '.'}{name}")
    elif leaf := words(value):
        yield path, leaf


def activation(spec: JsonObject) -> str:
    """Return ``1 bonus action``, without its condition."""
    kind, count = str(spec.get("type") or ""), bonus(spec.get("value", spec.get("cost"))) or 1
    named = _ACTIVATIONS.get(kind, kind)
    return f"{count} {named}{'s' if count != 1 else ''}" if named and kind != "special" else named


def _texts_by_part(spec: JsonObject) -> dict[str, str]:
    """The parts of an item or of one of its activities in words."""
    return {name: line for name, fields, describe in _PARTS if not fields.isdisjoint(spec) and (line := describe(spec))}


def _started(spec: JsonObject) -> str:
    started = part(spec, "activation")
    return names.joined(activation(started), markdown(started.get("condition")))


def _attack(spec: JsonObject) -> str:
    own, action = part(spec, "attack"), str(spec.get("actionType") or "")
    named = _ATTACKS.get(action, "" if action in _ROLLS else action)
    if own and spec.get("type") == "attack":
        named = names.joined(text(own, "type.value"), text(own, "type.classification"), "attack", by=" ")
    extra = shown(own.get("bonus") or spec.get("attackBonus"))
    extra = "" if extra == "0" else extra if extra[:1] in ("+", "-", "") else f"+{extra}"
    by = text(own, "ability")
    return names.joined(
        named,
        names.phrase("using {}", names.ability(by) if named and by not in ("none", "spellcasting") else ""),
        names.phrase("{} to hit", extra),
        names.phrase("critical hit {}", _on_a_roll(value_at(own, "critical.threshold"))),
    )


def _on_a_roll(threshold: object) -> str:
    """The rolls of a critical hit, if it is not only 20: ``on a 19–20``."""
    lowest = bonus(threshold)
    return f"on a {lowest}–20" if lowest and lowest < 20 else ""


def _damage(spec: JsonObject) -> str:
    parts = [f"{dice.replace(MODIFIER, '')} {kind}".strip() for dice, kind in damages(spec) if dice]
    if two := versatile(spec):
        parts.append(f"{two} with two hands")
    if kept := _ON_SAVE.get(text(spec, "onSave")) if parts else "":
        parts.append(kept)
    if more := value_at(spec, "critical.bonus"):
        parts.append(f"{shown(more)} more on a critical hit")
    return ", ".join(parts)


def _save(spec: JsonObject) -> str:
    named = " or ".join(ability_key(one).capitalize() for one in texts(spec.get("ability")))
    given = spec.get("dc")
    by = part(spec, "dc")
    dc = shown(by.get("formula") if by else given)
    reckoned = text(by, "calculation") or (text(spec, "scaling") if not dc else "")
    of = ability_key(reckoned).capitalize() if len(reckoned) == 3 else ""
    throw = names.joined(names.phrase("DC {}", dc), names.phrase("{} saving throw", named), by=" ")
    by_spells = reckoned in ("spellcasting", "spell") and by and not dc
    against = f"against a DC of 8 + proficiency bonus + {of} modifier" if of else "against your spell save DC"
    return f"{throw} {against}" if throw and (of or by_spells) and not dc else throw


def _critical(spec: JsonObject) -> str:
    return names.joined(_on_a_roll(spec.get("threshold")), names.phrase("{} more damage", shown(spec.get("damage"))))


def _scaled(spec: JsonObject) -> str:
    """The extra dice at higher levels: of the item before version 4, of each damage part since."""
    increases = [_scaling(part(spec, "scaling"))]
    for one in objects([*members(value_at(spec, "damage.parts")), value_at(spec, "damage.base"), spec.get("healing")]):
        grows, faces = part(one, "scaling"), bonus(one.get("denomination"))
        count = bonus(grows.get("number"))
        more = shown(grows.get("formula")) or (f"{count}d{faces}" if count and faces else "")
        step = "two levels" if grows.get("mode") == "half" else "level above its own"
        increases.append(f"{more} more for each {step}" if more and text(grows, "mode") else "")
    return names.joined(*dict.fromkeys(increases))


def _scaling(spec: JsonObject) -> str:
    formula, mode = shown(spec.get("formula")), shown(spec.get("mode"))
    if not formula or mode == "none":
        return ""
    return f"{formula} more for each {'level above its own' if mode == 'level' else mode or 'step'}"


def _activity(
    one: JsonObject, of_item: Mapping[str, str], rolls_in_fields: Collection[str], known_words: frozenset[str]
) -> str:
    """One activity of an item, in a line; empty if the record already has all of it."""
    phrases = [
        value
        for key, value in _texts_by_part(_in_force(one)).items()
        if value != of_item.get(key) and (key not in rolls_in_fields or not known_words.issuperset(_own_words(value)))
    ]
    check, roll = part(one, "check"), part(one, "roll")
    if check and not known_words.issuperset(_own_words(_check(check))):
        phrases.append(_check(check))
    if roll.get("formula"):
        phrases.append(names.joined(shown(roll.get("name")), shown(roll["formula"]), by=" "))
    in_words = (markdown(value_at(one, f"description.{field}")) for field in ("chatFlavor", "value"))
    name, line = text(one, "name"), names.joined(*dict.fromkeys([*phrases, uses(one), *activity_lines(one), *in_words]))
    return f"{name or names.titled(str(one.get('type') or ''))}: {line}" if line else name


def _in_force(one: JsonObject) -> JsonObject:
    """An activity without the parts that the item overrides."""
    return {name: value for name, value in one.items() if mapping(value).get("override") is not False}


def _check(spec: JsonObject) -> str:
    """``DC 15 Dexterity (Acrobatics) check``."""
    dc, of = shown(value_at(spec, "dc.formula")), names.ability(text(spec, "ability"))
    using = [names.skill(one) if one in names.SKILLS else names.tool(one) for one in texts(spec.get("associated"))]
    named = f"{of} ({names.either(using)})" if of and using else of or names.either(using)
    against = "" if dc or not text(spec, "dc.calculation") else " against your spell save DC"
    return names.joined(names.phrase("DC {}", dc), named, "check", by=" ") + against


# Each part: its name, its fields, and the function that words them.
_PARTS: tuple[tuple[str, frozenset[str], Callable[[JsonObject], str]], ...] = (
    ("activation", frozenset({"activation"}), _started),
    ("attack", frozenset({"attack", "actionType", "attackBonus"}), _attack),
    ("range", frozenset({"range"}), lambda spec: range_text(part(spec, "range"))),
    ("target", frozenset({"target"}), lambda spec: target_text(part(spec, "target"))),
    ("duration", frozenset({"duration"}), lambda spec: duration_text(part(spec, "duration"))),
    ("damage", frozenset({"damage"}), lambda spec: _damage(part(spec, "damage"))),
    ("healing", frozenset({"healing"}), lambda spec: _damage({"parts": [spec.get("healing")]})),
    ("save", frozenset({"save"}), lambda spec: _save(part(spec, "save"))),
    ("critical", frozenset({"critical"}), lambda spec: _critical(part(spec, "critical"))),
    ("formula", frozenset({"formula"}), lambda spec: shown(spec.get("formula"))),
    ("scaling", frozenset({"scaling", "damage", "healing"}), _scaled),
    ("ability", frozenset({"ability"}), lambda spec: ability_key(text(spec, "ability")).capitalize()),
)
PARTS = tuple(name for name, _, _ in _PARTS)
