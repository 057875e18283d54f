"""Details of an actor without a line in the stat block: proficiencies, bonuses, the numbers of a vehicle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.item_values import coins, phrases, unread_fields, unread_words, words
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import (
    JsonObject,
    decimal,
    mapping,
    members,
    objects,
    part,
    text,
    texts,
    value_at,
)
from lorekeeper_mcp.sources.phrases import either, joined, phrase
from lorekeeper_mcp.sources.stat_block import bonus, sections_of

# Fields that the stat block reads, and fields of an actor's current state.
_DETAILS = frozenset({"biography", "cr", "alignment", "type", "source", "xp", "originalClass", "level", "spellLevel"})
_ATTRIBUTES = frozenset(
    "ac hp movement senses prof exhaustion inspiration hd spelldc encumbrance init spellcasting spell".split()
)
_TRAITS = frozenset({"size", "dv", "dr", "di", "ci", "languages", "important"})
_SYSTEM = frozenset(
    {"abilities", "attributes", "details", "traits", "skills", "resources", "spells", "tools", "source", "favorites",
     "draft", "bonuses", "currency", "vehicleType"}
)  # fmt: skip
_HIT_POINTS = {
    "dt": "damage threshold {}", "mt": "mishap threshold {}", "bonuses.level": "{} more at each level",
    "bonuses.overall": "{} more in all",
}  # fmt: skip
_EXTRA_SCORES = {"hon": "Honor", "san": "Sanity"}
_PROFICIENCIES = {2.0: " (expertise)", 0.5: " (half proficiency)"}
_ROLL_MODES = {1: "advantage", -1: "disadvantage"}
_ATTUNED_BY_DEFAULT = 3  # items
_READ_IN_RESOURCE = ("value", "max", "sr", "lr", "label")
_ATTACKS = {"mwak": "melee weapon", "rwak": "ranged weapon", "msak": "melee spell", "rsak": "ranged spell"}
_ALL_ROLLS = {
    ("abilities", "check"): "all ability checks", ("abilities", "save"): "all saving throws",
    ("abilities", "skill"): "all skill checks", ("spell", "dc"): "spell save DC",
}  # fmt: skip


def other_sections(system: JsonObject, type_: JsonObject) -> Iterator[Section]:
    """Yield everything without a line in the stat block, in the order of the application's sheet."""
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    public_biography = markdown(value_at(details, "biography.public"))
    is_public = public_biography == markdown(value_at(details, "biography.value"))
    initiative = part(attributes, "init")
    facts = {
        "Public biography": "" if is_public else public_biography,
        "Kind": words(type_.get("custom")) if words(type_.get("value")) not in ("", "custom") else "",
        "Ability scores": ", ".join(_extra_scores(part(system, "abilities"))),
        "Hit points": phrases(part(attributes, "hp"), _HIT_POINTS),
        "Armor Class at rest": words(value_at(attributes, "ac.motionless")),
        "Speed bonus": phrases(part(attributes, "movement"), {"bonus": "{}", "multiplier": "{}"}),
        "Initiative bonus": words(initiative.get("bonus") or initiative.get("value")),
        "Initiative ability": names.ability(text(initiative, "ability")),
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
    yield from _fields(attributes, _OF_ATTRIBUTES, _ATTRIBUTES)
    yield from _fields(details, _OF_DETAILS, _DETAILS)
    yield from _fields(traits, _OF_TRAITS, _TRAITS)
    yield from _fields(system, _OF_SYSTEM, _SYSTEM)


def _extra_scores(abilities: JsonObject) -> Iterator[str]:
    """Scores beside the six, such as Honor and Sanity."""
    for code, ability in abilities.items():
        if names.ability(code) == code and (score := words(mapping(ability).get("value"))):
            yield f"{_EXTRA_SCORES.get(code, code)} {score}"


def _fields(
    values: JsonObject, descriptions: Mapping[str, _Description], read_fields: frozenset[str]
) -> Iterator[Section]:
    """Fields with a description of their own, then the others under their names."""
    for name, description in descriptions.items():
        value = part(values, name)
        line = joined(description.describe(value), unread_words(value, description.read_fields))
        yield from sections_of({description.heading: line})
    yield from unread_fields(values, read_fields | {name for name in descriptions if part(values, name)})


def _tools(tools: JsonObject) -> Iterator[str]:
    """``thieves' tools, smith's tools (expertise)``."""
    for code, tool in tools.items():
        level = decimal(mapping(tool).get("value")) or 0
        if level > 0:
            yield names.tool(code) + _PROFICIENCIES.get(level, "")


def _bonuses(system: JsonObject) -> Iterator[str]:
    """Bonuses to rolls, and rolls with advantage: formulas, which are not part of the block's numbers."""
    for group, name_of in (("abilities", names.ability), ("skills", names.skill), ("tools", names.tool)):
        for code, value in part(system, group).items():
            changes = list(_roll_changes(mapping(value)))
            highest = bonus(mapping(value).get("max"))
            if highest and group == "abilities" and highest != 20:
                changes.append(f"at most {highest}")
            yield from (f"{name_of(code)} {change}" for change in changes)
    if initiative := _roll_text(part(system, "attributes.init.roll")):
        yield f"initiative {initiative}"
    for code, value in part(system, "bonuses").items():
        for roll, formula in mapping(value).items():
            if bonus_text := _signed(formula):
                rolls = f"{_ATTACKS.get(code, names.readable(code))} {'attacks' if roll == 'attack' else roll}"
                yield f"{_ALL_ROLLS.get((code, roll), rolls)} {bonus_text}"


def _roll_changes(proficiency: JsonObject) -> Iterator[str]:
    """The changes to rolls with an ability, a skill or a tool: ``save +1d4``."""
    for roll, formula in part(proficiency, "bonuses").items():
        if bonus_text := _signed(formula):
            yield f"{roll} {bonus_text}"
    for rolls, path in (("checks", "check.roll"), ("saving throws", "save.roll"), ("checks", "roll")):
        if roll_text := _roll_text(part(proficiency, path)):
            yield f"{rolls} {roll_text}"


def _signed(value: object) -> str:
    """A bonus: ``+2``, ``+1d4``."""
    printed = words(value)
    return f"+{printed}" if printed[:1].isdigit() else printed


def _roll_text(roll: JsonObject) -> str:
    """``with advantage, at least 10``."""
    return joined(
        phrase("with {}", _ROLL_MODES.get(bonus(roll.get("mode")) or 0)),
        phrase("at least {}", bonus(roll.get("min"))),
        phrase("at most {}", bonus(roll.get("max"))),
    )


def _resources(resources: JsonObject) -> Iterator[str]:
    """Resources with custom names: ``Wick Dice 3/short rest``."""
    for name, resource in resources.items():
        if name in ("legact", "legres", "lair"):
            continue
        if not isinstance(resource, Mapping):
            printed = words(resource)
            yield f"{names.readable(name)} {printed}" if printed else ""
            continue
        periods = [f"/{names.period(code)}" for code in ("sr", "lr") if resource.get(code) is True]
        most, label = words(resource.get("max")), words(resource.get("label"))
        limit = f"{most}{''.join(periods[:1])}" if most else ""
        unread = unread_words(resource, _READ_IN_RESOURCE)
        if label or limit or unread:
            yield joined(label or names.readable(name), limit, unread, sep=" ")


def _concentration(concentration: JsonObject) -> str:
    ability, limit = text(concentration, "ability"), bonus(concentration.get("limit"))
    return joined(
        names.ability(ability) if ability != "con" else "",
        phrase("saving throw {}", _signed(value_at(concentration, "bonuses.save"))),
        f"on {limit} at once" if limit not in (None, 1) else "",
        _roll_text(part(concentration, "roll")),
    )


def _death_saves(death: JsonObject) -> str:
    return joined(_signed(value_at(death, "bonuses.save")), _roll_text(part(death, "roll")))


def _habitat(habitat: JsonObject) -> str:
    """``arctic, planar (Feywild)``."""
    places = []
    for place in members(habitat.get("value")):
        name, detail = text(mapping(place), "type"), text(mapping(place), "subtype")
        if not isinstance(place, Mapping):
            name = words(place)
        places.append(f"{name} ({detail})" if name and detail else name or detail)
    return joined(*places, words(habitat.get("custom")))


def _damage_modification(modification: JsonObject) -> str:
    bypasses = either(map(names.material, texts(modification.get("bypasses"))))
    amounts = {kind: _signed(value) for kind, value in part(modification, "amount").items()}
    line = ", ".join(f"{kind} {amount}" for kind, amount in amounts.items() if amount)
    return line + phrase(" (not from {} attacks)", line and bypasses)


def _proficiencies(proficiencies: JsonObject) -> str:
    masteries = ", ".join(map(names.gear, texts(value_at(proficiencies, "mastery.value"))))
    return joined(
        ", ".join(map(names.gear, texts(proficiencies.get("value")))),
        words(proficiencies.get("custom")),
        phrase("mastery of {}", masteries),
        phrase("any of {}", ", ".join(texts(value_at(proficiencies, "mastery.bonus")))),
        sep="; ",
    )


def _attunement(attunement: JsonObject) -> str:
    limit = bonus(attunement.get("max"))
    return f"up to {limit} items" if limit not in (None, _ATTUNED_BY_DEFAULT) else ""


def travel(travel_value: JsonObject) -> str:
    """``3 miles an hour by water, 72 miles a day by water``."""
    units, pace = text(travel_value, "units") or "mi", text(travel_value, "pace")
    speeds = [
        f"{names.with_unit(speed, units)} {time} by {names.readable(way)}"
        for field, time in (("speeds", "an hour"), ("paces", "a day"))
        for way, value in part(travel_value, field).items()
        if (speed := words(value)) not in ("", "0")
    ]
    return joined(*speeds, f"{pace} pace" if pace not in ("", "normal") else "")


def _actions(actions: JsonObject) -> str:
    """The number of a vehicle's actions by crew size."""
    thresholds = part(actions, "thresholds")
    crews = {count: words(thresholds[count]) for count in sorted(thresholds, reverse=True)}
    return joined(
        words(actions.get("max") or actions.get("value")),
        *(f"{count} with a crew of {crew}" for count, crew in crews.items() if crew),
        "by its action stations" if actions.get("stations") is True else "",
    )


def _capacity(capacity: JsonObject) -> str:
    """The maximum number, without those currently aboard."""
    return joined(phrase("up to {}", words(capacity.get("max"))), *_passengers(capacity.get("value")))


def _passengers(passengers: object) -> Iterator[str]:
    for passenger in objects(passengers):
        if name := words(passenger.get("name")):
            count = words(passenger.get("quantity"))
            yield joined("" if count == "1" else count, name, sep=" ")


def _cargo(cargo: JsonObject) -> str:
    """The crew, passengers and cargo: ``crew 20 Sailor``."""
    passengers = {name: ", ".join(_passengers(value)) for name, value in cargo.items()}
    return "; ".join(f"{names.readable(name)} {line}" for name, line in passengers.items() if line)


def _bastion(bastion: JsonObject) -> str:
    return joined(words(bastion.get("name")), markdown(bastion.get("description")), sep=". ")


class _Description(NamedTuple):
    """The description of a field: its heading, its function, and the parts that this reads or ignores."""

    heading: str
    describe: Callable[[JsonObject], str]
    read_fields: tuple[str, ...]


_OF_ATTRIBUTES: Mapping[str, _Description] = {
    "concentration": _Description("Concentration", _concentration, ("ability", "bonuses", "limit", "roll")),
    "death": _Description("Death saving throws", _death_saves, ("ability", "bonuses", "roll", "success", "failure")),
    "attunement": _Description("Attunement", _attunement, ("max", "value")),
    "actions": _Description("Actions", _actions, ("max", "value", "spent", "stations", "thresholds")),
    "price": _Description(
        "Price",
        lambda price: coins({words(price.get("denomination")) or "gp": price.get("value")}),
        ("value", "denomination"),
    ),
    "travel": _Description("Travel", travel, ("speeds", "paces", "pace", "units")),
}
_OF_DETAILS: Mapping[str, _Description] = {"habitat": _Description("Habitat", _habitat, ("value", "custom"))}
_OF_TRAITS: Mapping[str, _Description] = {
    "dm": _Description("Damage modification", _damage_modification, ("amount", "bypasses")),
    "weaponProf": _Description("Weapon proficiencies", _proficiencies, ("value", "custom", "mastery")),
    "armorProf": _Description("Armor proficiencies", _proficiencies, ("value", "custom")),
    "toolProf": _Description(
        "Tool proficiencies",
        lambda tools: joined(*map(names.tool, texts(tools.get("value"))), words(tools.get("custom"))),
        ("value", "custom"),
    ),
}
_OF_SYSTEM: Mapping[str, _Description] = {
    "crew": _Description("Crew", _capacity, ("max", "value")),
    "passengers": _Description("Passengers", _capacity, ("max", "value")),
    "bastion": _Description("Bastion", _bastion, ("name", "description")),
    "cargo": _Description("Aboard", _cargo, ("crew", "passengers")),
}
