"""Details of an actor without a line in the stat block: proficiencies, bonuses, the numbers of a vehicle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.item_values import coins, unread_fields, words
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, mapping, number, objects, part, text, texts, value_at
from lorekeeper_mcp.sources.stat_block import bonus, sections_of

# Fields that the stat block reads, and fields of an actor's current state.
_DETAILS = frozenset({"biography", "cr", "alignment", "type", "source", "xp", "originalClass", "level"})
_ATTRIBUTES = frozenset("ac hp movement senses prof exhaustion inspiration hd spelldc encumbrance".split())
_TRAITS = frozenset({"size", "dv", "dr", "di", "ci", "languages", "important"})
_SYSTEM = frozenset(
    {"abilities", "attributes", "details", "traits", "skills", "resources", "spells", "tools", "source", "favorites",
     "draft", "bonuses", "currency", "vehicleType"}
)  # fmt: skip
_MODES = {1: "advantage", -1: "disadvantage"}
_ATTUNED = 3  # attuned items by default
_ATTACKS = {"mwak": "melee weapon", "rwak": "ranged weapon", "msak": "melee spell", "rsak": "ranged spell"}
_ROLLS = {"attack": "attacks"}
_OF_ALL = {
    ("abilities", "check"): "all ability checks", ("abilities", "save"): "all saving throws",
    ("abilities", "skill"): "all skill checks", ("spell", "dc"): "spell save DC",
}  # fmt: skip


def other_sections(system: JsonObject, kind: JsonObject) -> Iterator[Section]:
    """Yield everything without a line in the stat block, in the order of the application's sheet."""
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    public = markdown(value_at(details, "biography.public"))
    rolls, movement = part(attributes, "init"), part(attributes, "movement")
    facts = {
        "Public biography": public if public != markdown(value_at(details, "biography.value")) else "",
        "Kind": words(kind.get("custom")) if words(kind.get("value")) not in ("", "custom") else "",
        "Ability scores": ", ".join(_further_scores(part(system, "abilities"))),
        "Hit points": _hit_points(part(attributes, "hp")),
        "Armor Class at rest": words(value_at(attributes, "ac.motionless")),
        "Speed bonus": names.joined(words(movement.get("bonus")), words(movement.get("multiplier"))),
        "Initiative bonus": words(rolls.get("bonus") or rolls.get("value")),
        "Initiative ability": names.ability(text(rolls, "ability")),
        "Spellcasting ability": names.ability(text(attributes, "spellcasting")),
        "Spell save DC": words(attributes.get("spelldc")),
        "Spellcaster level": words(value_at(attributes, "spell.level") or details.get("spellLevel")),
        "Tools": ", ".join(_tools(part(system, "tools"))),
        "Experience points": words(value_at(details, "xp.value")) if details.get("cr") is None else "",
        "Bonuses": "; ".join(_bonuses(system)),
        "Currency": coins(part(system, "currency")),
        "Resources": "; ".join(_resources(part(system, "resources"))),
    }
    yield from sections_of(facts)
    yield from _named(attributes, _OF_ATTRIBUTES, _ATTRIBUTES | {"init", "spellcasting", "spell"})
    yield from _named(details, _OF_DETAILS, _DETAILS | {"spellLevel"})
    yield from _named(traits, _OF_TRAITS, _TRAITS)
    yield from _named(system, _OF_SYSTEM, _SYSTEM)


def _further_scores(abilities: JsonObject) -> Iterator[str]:
    """Scores beside the six, such as Honor and Sanity."""
    named = {"hon": "Honor", "san": "Sanity"}
    for code, spec in abilities.items():
        if names.ability(code) == code and (score := words(mapping(spec).get("value"))):
            yield f"{named.get(code, code)} {score}"


def _named(values: JsonObject, known: Mapping[str, _Spec], read: frozenset[str]) -> Iterator[Section]:
    """Fields with a wording of their own, then the others under their names."""
    for field, spec in known.items():
        given = part(values, field)
        more = words({name: value for name, value in given.items() if name not in spec.parts})
        yield from sections_of({spec.name: names.joined(spec.describe(given), more)})
    yield from unread_fields(values, read | {field for field in known if part(values, field)})


def _hit_points(spec: JsonObject) -> str:
    return names.joined(
        names.phrase("damage threshold {}", words(spec.get("dt"))),
        names.phrase("mishap threshold {}", words(spec.get("mt"))),
        names.phrase("{} more at each level", words(value_at(spec, "bonuses.level"))),
        names.phrase("{} more in all", words(value_at(spec, "bonuses.overall"))),
    )


def _tools(tools: JsonObject) -> Iterator[str]:
    """``thieves' tools, smith's tools (expertise)``."""
    for code, spec in tools.items():
        level = number(mapping(spec).get("value")) or 0
        if level > 0:
            yield names.tool(code) + {2.0: " (expertise)", 0.5: " (half proficiency)"}.get(level, "")


def _bonuses(system: JsonObject) -> Iterator[str]:
    """Bonuses to rolls, and rolls with advantage: formulas, which are not part of the block's numbers."""
    for group, called in (("abilities", names.ability), ("skills", names.skill), ("tools", names.tool)):
        for code, given in part(system, group).items():
            spec, name = mapping(given), called(code)
            added = part(spec, "bonuses").items()
            yield from (f"{name} {what} {phrase}" for what, one in added if (phrase := _signed(one)))
            rolls = (("checks", "check.roll"), ("saving throws", "save.roll"), ("checks", "roll"))
            yield from (f"{name} {what} {phrase}" for what, path in rolls if (phrase := _rolled(part(spec, path))))
            if (limit := bonus(spec.get("max"))) and group == "abilities" and limit != 20:
                yield f"{name} at most {limit}"
    if rolled := _rolled(part(system, "attributes.init.roll")):
        yield f"initiative {rolled}"
    for code, given in part(system, "bonuses").items():
        named = _ATTACKS.get(code, names.readable(code))
        for what, one in mapping(given).items():
            if phrase := _signed(one):
                yield f"{_OF_ALL.get((code, what)) or f'{named} {_ROLLS.get(what, what)}'} {phrase}"


def _signed(value: object) -> str:
    """A bonus: ``+2``, ``+1d4``."""
    printed = words(value)
    return f"+{printed}" if printed[:1].isdigit() else printed


def _rolled(spec: JsonObject) -> str:
    """``with advantage, at least 10``."""
    return names.joined(
        names.phrase("with {}", _MODES.get(bonus(spec.get("mode")) or 0)),
        names.phrase("at least {}", bonus(spec.get("min"))),
        names.phrase("at most {}", bonus(spec.get("max"))),
    )


def _resources(resources: JsonObject) -> Iterator[str]:
    """Resources with custom names: ``Wick Dice 3/short rest``."""
    for name, spec in resources.items():
        if name in ("legact", "legres", "lair"):
            continue
        if not isinstance(spec, Mapping):
            yield f"{names.readable(name)} {printed}" if (printed := words(spec)) else ""
            continue
        again = next((f"/{names.period(code)}" for code in ("sr", "lr") if spec.get(code) is True), "")
        limit = f"{highest}{again}" if (highest := words(spec.get("max"))) else ""
        label = words(spec.get("label"))
        more = words({n: v for n, v in spec.items() if n not in ("value", "max", "sr", "lr", "label")})
        if label or limit or more:
            yield names.joined(label or names.readable(name), limit, more, sep=" ")


def _concentration(spec: JsonObject) -> str:
    return names.joined(
        names.ability(code) if (code := text(spec, "ability")) != "con" else "",
        names.phrase("saving throw {}", _signed(value_at(spec, "bonuses.save"))),
        f"on {limit} at once" if (limit := bonus(spec.get("limit"))) not in (None, 1) else "",
        _rolled(part(spec, "roll")),
    )


def _death(spec: JsonObject) -> str:
    return names.joined(_signed(value_at(spec, "bonuses.save")), _rolled(part(spec, "roll")))


def _price(spec: JsonObject) -> str:
    worth = words(spec.get("value"))
    return f"{worth} {words(spec.get('denomination')) or 'gp'}" if worth else ""


def _habitat(spec: JsonObject) -> str:
    """``arctic, planar (Feywild)``."""
    given, found = spec.get("value"), []
    for one in given if isinstance(given, list) else []:
        kind = text(one, "type") if isinstance(one, Mapping) else words(one)
        sub = text(one, "subtype") if isinstance(one, Mapping) else ""
        found.append(f"{kind} ({sub})" if kind and sub else kind or sub)
    return names.joined(*found, words(spec.get("custom")))


def _changed_damage(spec: JsonObject) -> str:
    around = names.either([names.material(one) for one in texts(spec.get("bypasses"))])
    amounts = ", ".join(f"{kind} {more}" for kind, one in part(spec, "amount").items() if (more := _signed(one)))
    return amounts + names.phrase(" (not from {} attacks)", amounts and around)


def _trained(spec: JsonObject) -> str:
    return names.joined(
        ", ".join(map(names.gear, texts(spec.get("value")))),
        words(spec.get("custom")),
        names.phrase("mastery of {}", ", ".join(map(names.gear, texts(value_at(spec, "mastery.value"))))),
        names.phrase("any of {}", ", ".join(texts(value_at(spec, "mastery.bonus")))),
        sep="; ",
    )


def _attunement(spec: JsonObject) -> str:
    limit = bonus(spec.get("max"))
    return f"up to {limit} items" if limit is not None and limit != _ATTUNED else ""


def travel(spec: JsonObject) -> str:
    """``3 miles an hour by water, 72 miles a day by water``."""
    units = text(spec, "units") or "mi"
    speeds_by_way = [
        f"{names.with_unit(words(value), units)} {each} by {names.readable(way)}"
        for field, each in (("speeds", "an hour"), ("paces", "a day"))
        for way, value in part(spec, field).items()
        if words(value) not in ("", "0")
    ]
    pace = text(spec, "pace")
    return ", ".join([*speeds_by_way, *([f"{pace} pace"] if pace and pace != "normal" else [])])


def _crewed(spec: JsonObject) -> str:
    """Return the number of a vehicle's actions by crew size."""
    whole = words(spec.get("max") or spec.get("value"))
    steps = part(spec, "thresholds")
    by_crew = [f"{step} with a crew of {crew}" for step in sorted(steps, reverse=True) if (crew := words(steps[step]))]
    return names.joined(whole, *by_crew, "by its action stations" if spec.get("stations") is True else "")


def _capacity(spec: JsonObject) -> str:
    """Return the maximum number, without those currently aboard."""
    return names.joined(names.phrase("up to {}", words(spec.get("max"))), *_passengers(spec.get("value")))


def _passengers(listed: object) -> Iterator[str]:
    for one in objects(listed):
        if name := words(one.get("name")):
            count = words(one.get("quantity"))
            yield f"{count} {name}" if count not in ("", "1") else name


def _cargo(spec: JsonObject) -> str:
    """Return the crew, passengers and cargo: ``crew 20 Sailor``."""
    listed = {name: ", ".join(_passengers(value)) for name, value in spec.items()}
    return "; ".join(f"{names.readable(name)} {passengers}" for name, passengers in listed.items() if passengers)


@dataclass(frozen=True)
class _Spec:
    """A field with its own wording: its heading, its function, and the parts that this reads or ignores."""

    name: str
    describe: Callable[[JsonObject], str]
    parts: tuple[str, ...]


_OF_ATTRIBUTES: Mapping[str, _Spec] = {
    "concentration": _Spec("Concentration", _concentration, ("ability", "bonuses", "limit", "roll")),
    "death": _Spec("Death saving throws", _death, ("ability", "bonuses", "roll", "success", "failure")),
    "attunement": _Spec("Attunement", _attunement, ("max", "value")),
    "actions": _Spec("Actions", _crewed, ("max", "value", "spent", "stations", "thresholds")),
    "price": _Spec("Price", _price, ("value", "denomination")),
    "travel": _Spec("Travel", travel, ("speeds", "paces", "pace", "units")),
}
_OF_DETAILS: Mapping[str, _Spec] = {"habitat": _Spec("Habitat", _habitat, ("value", "custom"))}
_OF_TRAITS: Mapping[str, _Spec] = {
    "dm": _Spec("Damage modification", _changed_damage, ("amount", "bypasses")),
    "weaponProf": _Spec("Weapon proficiencies", _trained, ("value", "custom", "mastery")),
    "armorProf": _Spec("Armor proficiencies", _trained, ("value", "custom")),
    "toolProf": _Spec(
        "Tool proficiencies",
        lambda spec: names.joined(*map(names.tool, texts(spec.get("value"))), words(spec.get("custom"))),
        ("value", "custom"),
    ),
}
_OF_SYSTEM: Mapping[str, _Spec] = {
    "crew": _Spec("Crew", _capacity, ("max", "value")),
    "passengers": _Spec("Passengers", _capacity, ("max", "value")),
    "bastion": _Spec(
        "Bastion",
        lambda spec: names.joined(words(spec.get("name")), markdown(spec.get("description")), sep=". "),
        ("name", "description"),
    ),
    "cargo": _Spec("Aboard", _cargo, ("crew", "passengers")),
}
