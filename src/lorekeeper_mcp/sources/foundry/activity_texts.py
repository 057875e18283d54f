"""Parts of an activity beside its mechanics: its cost, summons and transformations, and who may use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.item_values import nonzero, words
from lorekeeper_mcp.sources.json_values import JsonObject, objects, part, text, texts
from lorekeeper_mcp.sources.phrases import either, joined, phrase
from lorekeeper_mcp.sources.stat_block import bonus, shown

# Fields that ``mechanics`` reads, and fields that only the application needs.
_IGNORED_FIELDS = frozenset(
    "_id type name img sort description activation attack damage healing save check range target duration uses roll"
    " effects flags midiProperties macroData overTimeProperties otherActivityId ignoreTraits attackMode ammunition"
    " useConditionText useConditionReason effectConditionText isOverTimeFlag macro activity summon formula critical"
    " ability actionType attackBonus scaling".split()
)
_RESOURCES = {"itemUses": "use", "activityUses": "use", "spellSlots": "spell slot", "hitDice": "Hit Die",
              "material": "of a material", "attribute": "of a resource", "slots": "spell slot", "charges": "charge",
              "ammo": "ammunition"}  # fmt: skip
_WITHOUT_PLURAL = ("of a material", "of a resource", "ammunition")
_SPENT_BY_DEFAULT = ("itemUses", "activityUses")  # one each
_NEEDS = {"requireAttunement": "attunement", "requireIdentification": "the item identified", "requireMagic": "magic"}
_BONUSES = {"ac": "AC", "hd": "Hit Dice", "hp": "hit points", "attackDamage": "damage of attacks",
            "saveDamage": "damage of saves", "healing": "healing"}  # fmt: skip
_COMPONENTS = frozenset({"vocal", "somatic", "material"})


def activity_lines(activity: JsonObject) -> Iterator[str]:
    """Yield each part of an activity in words."""
    for name, value in activity.items():
        if name in _IGNORED_FIELDS:
            continue
        describe = _TEXT_OF_FIELD.get(name)
        if describe is not None and isinstance(value, Mapping):
            yield describe(value)
        elif name in _LISTS:
            yield phrase(_LISTS[name], _sizes_or_types(value))
        elif name == "profiles":
            settings = part(activity, "summon") or part(activity, "transform")
            yield _profiles(value, by_rating=text(settings, "mode") == "cr")
        elif (printed := words(value)) not in ("", "yes"):
            yield f"{names.readable(name)} {printed}"
    duration = part(activity, "duration")
    if duration.get("concentration") is True and duration.get("override") is not False:
        yield "concentration"


def consumed(consume: JsonObject) -> str:
    """Return the cost of using an item of a version before 4: ``2 charges``."""
    amount, kind = bonus(consume.get("amount")), text(consume, "type")
    if not kind or not amount or (amount <= 1 and kind == "ammo"):
        return ""
    return _cost(kind, str(amount), text(consume, "target"))


def _cost(kind: str, amount: str, target: str) -> str:
    name = _RESOURCES.get(kind, names.readable(kind))
    if kind == "spellSlots" and target.isdigit():
        name = f"spell slot of level {target}"
    elif kind == "attribute" and "legact" in target:
        name = "legendary action"
    elif kind == "attribute" and "legres" in target:
        name = "legendary resistance"
    if amount == "1" or name in _WITHOUT_PLURAL:
        return f"{amount} {name}"
    if name == "Hit Die":
        return f"{amount} Hit Dice"
    return f"{amount} {name.replace('slot', 'slots') if 'slot' in name else f'{name}s'}"


def _consumption(consumption: JsonObject) -> str:
    costs = []
    for target in objects(consumption.get("targets")):
        kind, amount = text(target, "type"), nonzero(target.get("value"))
        if amount and not (amount == "1" and kind in _SPENT_BY_DEFAULT):
            costs.append(_cost(kind, amount, text(target, "target")))
    scaling = part(consumption, "scaling")
    more = ""
    if scaling.get("allowed") is True:
        steps = phrase(" (up to {} steps)", scaling.get("max") and shown(scaling["max"]))
        more = f"more may be spent for more effect{steps}"
    return joined(phrase("costs {}", ", ".join(costs)), more)


def _level_range(level: JsonObject) -> str:
    """``3–5``; only the lowest level if there is no highest."""
    low, high = bonus(level.get("min")), bonus(level.get("max"))
    return f"{low or 0}–{high}" if high else str(low or "")


def _visibility(visibility: JsonObject) -> str:
    class_name = text(visibility, "identifier").replace("-", " ")
    levels = phrase("level {}", _level_range(part(visibility, "level")))
    needs = [word for field, word in _NEEDS.items() if visibility.get(field) is True]
    conditions = joined(joined(class_name, levels, sep=" ") if levels else "", *needs)
    return phrase("only with {}", conditions)


def _spell(spell: JsonObject) -> str:
    """``casts Fog Cloud (level 3, Charisma, +7 to hit, DC 15, without V, M)``."""
    challenge = part(spell, "challenge")
    fixed = challenge if challenge.get("override") is True else {}
    to_hit, dc = bonus(fixed.get("attack")), bonus(fixed.get("save"))
    ignored = texts(spell.get("properties"))
    components = "" if _COMPONENTS.issubset(ignored) else ", ".join(map(names.readable, ignored))
    facts = joined(
        phrase("level {}", bonus(spell.get("level"))),
        names.ability(text(spell, "ability")),
        f"{to_hit:+d} to hit" if to_hit is not None else "",
        f"DC {dc}" if dc is not None else "",
        joined("without", components, "components", sep=" ") if ignored else "",
    )
    name = text(spell, "name") or "a spell"
    return f"casts {name}{phrase(' ({})', facts)}" if facts or spell.get("uuid") else ""


def _bonuses(bonuses: JsonObject) -> str:
    by_name = {_BONUSES.get(name, names.readable(name)): shown(value) for name, value in bonuses.items()}
    return phrase("with {}", ", ".join(f"{name} + {text}" for name, text in by_name.items() if text))


def _match(match: JsonObject) -> str:
    matching = ", ".join(names.readable(name) for name, is_matched in match.items() if is_matched is True)
    ability = phrase(" ({})", names.ability(text(match, "ability")))
    return f"whose {matching} are your own{ability}" if matching else ""


def _profiles(profiles: object, *, by_rating: bool) -> str:
    """``1d4 Marsh Moths``; by challenge rating ``2 beasts of CR 1/4``."""
    lines = []
    for profile in objects(profiles):
        name, types = text(profile, "name"), _sizes_or_types(profile.get("types"))
        levels = _level_range(part(profile, "level"))
        line = joined(
            shown(profile.get("count")),
            name or types,
            phrase("({})", types if name else ""),
            phrase("of CR {}", shown(profile.get("cr")) if by_rating or not name else ""),
            phrase("({})", ", ".join(map(names.size, texts(profile.get("sizes"))))),
            phrase("without {} speed", ", ".join(texts(profile.get("movement")))),
            phrase("at level {}" if "–" in levels else "from level {}", levels),
            sep=" ",
        )
        lines.append(line or ("a creature that this file does not contain" if profile.get("uuid") else ""))
    return joined(*lines, sep="; ")


def _restrictions(restrictions: JsonObject) -> str:
    limits = joined(
        names.readable(text(restrictions, "type")),
        either(map(names.gear, texts(restrictions.get("categories")))),
        either(map(names.material, texts(restrictions.get("properties")))),
    )
    return joined(phrase("only for {}", limits), "also magical" if restrictions.get("allowMagical") is True else "")


def _sizes_or_types(codes: object) -> str:
    """Sizes or types, as alternatives."""
    return either(names.SIZES.get(code, names.readable(code)) for code in texts(codes))


def _teleport(teleport: JsonObject) -> str:
    distance = words(teleport.get("distance") or teleport.get("value"))
    return names.with_unit(distance, str(teleport.get("units") or "ft"))


_TEXT_OF_FIELD: Mapping[str, Callable[[JsonObject], str]] = {
    "consumption": _consumption,
    "visibility": _visibility,
    "spell": _spell,
    "bonuses": _bonuses,
    "match": _match,
    "restrictions": _restrictions,
    "teleport": _teleport,
    "transform": lambda transform: phrase("as {}", names.readable(text(transform, "preset"))),
    "enchant": lambda enchant: phrase("enchants the item itself", enchant.get("self")),
}
_LISTS = {"creatureSizes": "of size {}", "creatureTypes": "of type {}"}
