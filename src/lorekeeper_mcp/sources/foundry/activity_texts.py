"""Parts of an activity beside its mechanics: its cost, summons and transformations, and who may use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.item_values import words
from lorekeeper_mcp.sources.json_values import JsonObject, objects, part, text, texts, value_at
from lorekeeper_mcp.sources.stat_block import bonus, shown

# Fields that ``mechanics`` reads, and fields that only the application needs.
_READ = frozenset(
    "_id type name img sort description activation attack damage healing save check range target duration uses roll"
    " effects flags midiProperties macroData overTimeProperties otherActivityId ignoreTraits attackMode ammunition"
    " useConditionText useConditionReason effectConditionText isOverTimeFlag macro activity summon formula critical"
    " ability actionType attackBonus scaling".split()
)
_SPENT = {"itemUses": "use", "activityUses": "use", "spellSlots": "spell slot", "hitDice": "Hit Die",
          "material": "of a material", "attribute": "of a resource", "slots": "spell slot", "charges": "charge",
          "ammo": "ammunition"}  # fmt: skip
_SPENT_BY_DEFAULT = ("itemUses", "activityUses")  # one each
_NEEDS = {"requireAttunement": "attunement", "requireIdentification": "the item identified", "requireMagic": "magic"}
_BONUSES = {"ac": "AC", "hd": "Hit Dice", "hp": "hit points", "attackDamage": "damage of attacks",
            "saveDamage": "damage of saves", "healing": "healing"}  # fmt: skip
_COMPONENTS = frozenset({"vocal", "somatic", "material"})


def activity_lines(one: JsonObject) -> Iterator[str]:
    """Yield each part of an activity in words."""
    for name, value in one.items():
        if name in _READ:
            continue
        describe = _TEXT_OF_FIELD.get(name)
        if describe is not None and isinstance(value, Mapping):
            yield describe(value)
        elif name in _LISTS:
            yield names.phrase(_LISTS[name], _either(value))
        elif name == "profiles":
            yield _profiles(value, cr=text(part(one, "summon") or part(one, "transform"), "mode") == "cr")
        elif (printed := words(value)) not in ("", "yes"):
            yield f"{names.readable(name)} {printed}"
    duration = part(one, "duration")
    yield "concentration" if duration.get("concentration") is True and duration.get("override") is not False else ""


def consumed(spec: JsonObject) -> str:
    """Return the cost of using an item of a version before 4: ``2 charges``."""
    amount, kind = bonus(spec.get("amount")), text(spec, "type")
    return _cost(kind, str(amount), text(spec, "target")) if kind and amount and (amount > 1 or kind != "ammo") else ""


def _cost(kind: str, value: str, target: str) -> str:
    name = _SPENT.get(kind, names.readable(kind))
    if kind == "spellSlots" and target.isdigit():
        name = f"spell slot of level {target}"
    if kind == "attribute" and "legact" in target:
        name = "legendary action"
    elif kind == "attribute" and "legres" in target:
        name = "legendary resistance"
    if value != "1" and not name.startswith("of ") and name != "ammunition":
        name = "Hit Dice" if name == "Hit Die" else name.replace("slot", "slots") if "slot" in name else f"{name}s"
    return f"{value} {name}"


def _consumption(spec: JsonObject) -> str:
    costs = [
        _cost(text(one, "type"), value, text(one, "target"))
        for one in objects(spec.get("targets"))
        if (value := shown(one.get("value"))) not in ("", "0")
        and (value != "1" or one.get("type") not in _SPENT_BY_DEFAULT)
    ]
    scaled = part(spec, "scaling")
    most = f" (up to {shown(scaled['max'])} steps)" if scaled.get("max") else ""
    more = f"more may be spent for more effect{most}" if scaled.get("allowed") is True else ""
    return names.joined(names.phrase("costs {}", ", ".join(costs)), more)


def _visibility(spec: JsonObject) -> str:
    level, of = part(spec, "level"), text(spec, "identifier").replace("-", " ")
    low, high = bonus(level.get("min")), bonus(level.get("max"))
    levels = f"level {low or 0}–{high}" if high else names.phrase("level {}", low)
    conditions = [f"{of} {levels}" if of and levels else levels]
    conditions += [word for field, word in _NEEDS.items() if spec.get(field) is True]
    return names.phrase("only with {}", names.joined(*conditions))


def _spell(spec: JsonObject) -> str:
    """``casts Fog Cloud (level 3, Charisma, +7 to hit, DC 15, without V, M)``."""
    challenge = part(spec, "challenge")
    fixed = challenge if challenge.get("override") is True else {}
    marks = texts(spec.get("properties"))
    without = "" if _COMPONENTS.issubset(marks) else ", ".join(map(names.readable, marks))
    facts = (
        names.phrase("level {}", bonus(spec.get("level"))),
        names.ability(text(spec, "ability")),
        f"{to_hit:+d} to hit" if (to_hit := bonus(fixed.get("attack"))) is not None else "",
        f"DC {dc}" if (dc := bonus(fixed.get("save"))) is not None else "",
        f"without {without} components" if without else "without components" if marks else "",
    )
    more = names.phrase(" ({})", names.joined(*facts))
    return f"casts {text(spec, 'name') or 'a spell'}{more}" if more or spec.get("uuid") else ""


def _bonuses(spec: JsonObject) -> str:
    by_name = {_BONUSES.get(name, names.readable(name)): shown(value) for name, value in spec.items()}
    return names.phrase("with {}", ", ".join(f"{name} + {text}" for name, text in by_name.items() if text))


def _match(spec: JsonObject) -> str:
    same = [names.readable(name) for name, on in spec.items() if on is True]
    of = names.phrase(" ({})", names.ability(text(spec, "ability")))
    return f"whose {', '.join(same)} are your own{of}" if same else ""


def _profiles(listed: object, *, cr: bool) -> str:
    """``1d4 Marsh Moths``; by challenge rating ``2 beasts of CR 1/4``."""
    found = []
    for one in objects(listed):
        name, kinds = text(one, "name"), _either(one.get("types"))
        low, high = bonus(value_at(one, "level.min")), bonus(value_at(one, "level.max"))
        profile = names.joined(
            shown(one.get("count")),
            name or kinds,
            names.phrase("({})", kinds if name else ""),
            names.phrase("of CR {}", shown(one.get("cr")) if cr or not name else ""),
            names.phrase("({})", ", ".join(names.SIZES.get(size, size) for size in texts(one.get("sizes")))),
            names.phrase("without {} speed", ", ".join(texts(one.get("movement")))),
            f"at level {low or 0}–{high}" if high else names.phrase("from level {}", low),
            by=" ",
        )
        found.append(profile or ("a creature that this file does not contain" if one.get("uuid") else ""))
    return names.joined(*found, by="; ")


def _restrictions(spec: JsonObject) -> str:
    kind = names.readable(text(spec, "type"))
    marks = [names.PROPERTIES.get(one, one) for one in texts(spec.get("properties"))]
    kinds = (kind, names.either([names.gear(one) for one in texts(spec.get("categories"))]), names.either(marks))
    magic = ", also magical" if spec.get("allowMagical") is True else ""
    return f"only for {', '.join(found)}{magic}" if (found := list(filter(None, kinds))) else magic.removeprefix(", ")


def _either(codes: object) -> str:
    """Sizes or types, as alternatives."""
    return names.either([names.SIZES.get(code, names.readable(code)) for code in texts(codes)])


_TEXT_OF_FIELD: Mapping[str, Callable[[JsonObject], str]] = {
    "consumption": _consumption,
    "visibility": _visibility,
    "spell": _spell,
    "bonuses": _bonuses,
    "match": _match,
    "restrictions": _restrictions,
    "teleport": lambda spec: names.with_unit(
        words(spec.get("distance") or spec.get("value")), str(spec.get("units") or "ft")
    ),
    "transform": lambda spec: names.phrase("as {}", names.readable(text(spec, "preset"))),
    "enchant": lambda spec: names.phrase("enchants the item itself", spec.get("self")),
}
_LISTS = {"creatureSizes": "of size {}", "creatureTypes": "of type {}"}
