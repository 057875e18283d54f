"""Details of an actor without a line in the stat block: proficiencies, bonuses, the numbers of a vehicle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.actors.vehicles import capacity, cargo, crewed, travel
from lorekeeper_mcp.sources.foundry.item_values import coins, number, part, text, texts, unread_fields, words
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.stat_block import bonus, sections_of

# Fields that the stat block reads, and fields of an actor's current state.
_DETAILS = frozenset({"biography", "cr", "alignment", "type", "source", "xp", "originalClass", "level"})
_ATTRIBUTES = frozenset(
    {"ac", "hp", "movement", "senses", "prof", "exhaustion", "inspiration", "hd", "spelldc", "encumbrance"}
)
_TRAITS = frozenset({"size", "dv", "dr", "di", "ci", "languages", "important"})
_SYSTEM = frozenset(
    {"abilities", "attributes", "details", "traits", "skills", "resources", "spells", "tools", "source", "favorites",
     "draft", "bonuses", "currency", "vehicleType"}
)  # fmt: skip
_MODES = {1: "advantage", -1: "disadvantage"}
_ATTUNED = 3  # attuned items by default
_ATTACKS = {"mwak": "melee weapon", "rwak": "ranged weapon", "msak": "melee spell", "rsak": "ranged spell"}


def other_sections(system: Mapping[str, object], kind: Mapping[str, object]) -> Iterator[Section]:
    """Yield everything without a line in the stat block, in the order of the application's sheet."""
    attributes, details, traits = part(system, "attributes"), part(system, "details"), part(system, "traits")
    biography = part(details, "biography")
    public = markdown(biography.get("public"))
    resources = part(system, "resources")
    rolls = part(attributes, "init")
    movement = part(attributes, "movement")
    told = {
        "Public biography": public if public != markdown(biography.get("value")) else "",
        "Kind": words(kind.get("custom")) if words(kind.get("value")) not in ("", "custom") else "",
        "Ability scores": ", ".join(_further_scores(part(system, "abilities"))),
        "Hit points": _hit_points(part(attributes, "hp")),
        "Armor Class at rest": words(part(attributes, "ac").get("motionless")),
        "Speed bonus": names.joined(words(movement.get("bonus")), words(movement.get("multiplier"))),
        "Initiative bonus": words(rolls.get("bonus") or rolls.get("value")),
        "Initiative ability": names.ability(code) if (code := text(rolls, "ability")) else "",
        "Spellcasting ability": names.ability(code) if (code := text(attributes, "spellcasting")) else "",
        "Spell save DC": words(attributes.get("spelldc")),
        "Spellcaster level": words(part(attributes, "spell").get("level") or details.get("spellLevel")),
        "Tools": ", ".join(_tools(part(system, "tools"))),
        "Experience points": words(part(details, "xp").get("value")) if details.get("cr") is None else "",
        "Bonuses": "; ".join(_bonuses(system)),
        "Currency": coins(part(system, "currency")),
        "Resources": "; ".join(_resources(resources)),
    }
    yield from sections_of(told)
    yield from _named(attributes, _OF_ATTRIBUTES, _ATTRIBUTES | {"init", "spellcasting", "spell"})
    yield from _named(details, _OF_DETAILS, _DETAILS | {"spellLevel"})
    yield from _named(traits, _OF_TRAITS, _TRAITS)
    yield from _named(system, _OF_SYSTEM, _SYSTEM)


def _further_scores(abilities: Mapping[str, object]) -> Iterator[str]:
    """Scores beside the six, such as Honor and Sanity."""
    named = {"hon": "Honor", "san": "Sanity"}
    for code in abilities:
        if names.ability(code) == code and (score := words(part(abilities, code).get("value"))):
            yield f"{named.get(code, code)} {score}"


def _named(values: Mapping[str, object], known: Mapping[str, _Spec], read: frozenset[str]) -> Iterator[Section]:
    """Fields with a wording of their own, then the others under their names."""
    for field, spec in known.items():
        given = part(values, field)
        more = words({name: value for name, value in given.items() if name not in spec.parts})
        yield from sections_of({spec.name: names.joined(spec.tell(given), more)})
    yield from unread_fields(values, read | {field for field in known if part(values, field)})


def _hit_points(spec: Mapping[str, object]) -> str:
    forms = {"dt": "damage threshold {}", "mt": "mishap threshold {}"}
    forms |= {"level": "{} more at each level", "overall": "{} more in all"}
    given = {**{name: spec.get(name) for name in ("dt", "mt")}, **part(spec, "bonuses")}
    return ", ".join(form.format(value) for name, form in forms.items() if (value := words(given.get(name))))


def _tools(tools: Mapping[str, object]) -> Iterator[str]:
    """``thieves' tools, smith's tools (expertise)``."""
    for code in tools:
        spec = part(tools, code)
        level = number(spec.get("value")) or 0
        by = {2.0: "expertise", 0.5: "half proficiency"}.get(level, "")
        if level > 0:
            yield f"{names.tool(code)}{f' ({by})' if by else ''}"


def _bonuses(system: Mapping[str, object]) -> Iterator[str]:
    """Bonuses to rolls, and rolls with advantage: formulas, which are not part of the block's numbers."""
    for group, called in (("abilities", names.ability), ("skills", names.skill), ("tools", names.tool)):
        for code, spec in part(system, group).items():
            if not isinstance(spec, Mapping):
                continue
            name = called(code)
            yield from (
                f"{name} {what} {_signed(told)}" for what, one in part(spec, "bonuses").items() if (told := words(one))
            )
            rolls = (("checks", part(spec, "check")), ("saving throws", part(spec, "save")), ("checks", spec))
            yield from (f"{name} {what} {told}" for what, one in rolls if (told := _rolled(part(one, "roll"))))
            if (limit := bonus(spec.get("max"))) and group == "abilities" and limit != 20:
                yield f"{name} at most {limit}"
    if rolled := _rolled(part(part(part(system, "attributes"), "init"), "roll")):
        yield f"initiative {rolled}"
    more = part(system, "bonuses")
    for code, spec in more.items():
        named = _ATTACKS.get(code, names.readable(code))
        for what, one in spec.items() if isinstance(spec, Mapping) else ():
            if told := words(one):
                yield (
                    _OF_ALL.get((code, what), f"{named} {'attacks' if what == 'attack' else what}")
                    + f" {_signed(told)}"
                )


_OF_ALL = {
    ("abilities", "check"): "all ability checks", ("abilities", "save"): "all saving throws",
    ("abilities", "skill"): "all skill checks", ("spell", "dc"): "spell save DC",
}  # fmt: skip


def _signed(told: str) -> str:
    return f"+{told}" if told[:1].isdigit() else told


def _rolled(spec: Mapping[str, object]) -> str:
    """``with advantage, at least 10``."""
    low, high, mode = bonus(spec.get("min")), bonus(spec.get("max")), _MODES.get(bonus(spec.get("mode")) or 0, "")
    told = (f"with {mode}" if mode else "", f"at least {low}" if low else "", f"at most {high}" if high else "")
    return names.joined(*told)


def _resources(resources: Mapping[str, object]) -> Iterator[str]:
    """Resources with custom names: ``Wick Dice 3/short rest``."""
    for name, spec in resources.items():
        if name in ("legact", "legres", "lair"):
            continue
        if not isinstance(spec, Mapping):
            yield f"{names.readable(name)} {told}" if (told := words(spec)) else ""
            continue
        again = next((f"/{names.PERIODS[code]}" for code in ("sr", "lr") if spec.get(code) is True), "")
        limit = f"{highest}{again}" if (highest := words(spec.get("max"))) else ""
        label = words(spec.get("label"))
        more = words({n: v for n, v in spec.items() if n not in ("value", "max", "sr", "lr", "label")})
        if label or limit or more:
            yield names.joined(label or names.readable(name), limit, more, by=" ")


def _concentration(spec: Mapping[str, object]) -> str:
    told = (
        names.ability(code) if (code := text(spec, "ability")) not in ("", "con") else "",
        f"saving throw {_signed(more)}" if (more := words(part(spec, "bonuses").get("save"))) else "",
        f"on {limit} at once" if (limit := bonus(spec.get("limit"))) not in (None, 1) else "",
        _rolled(part(spec, "roll")),
    )
    return names.joined(*told)


def _death(spec: Mapping[str, object]) -> str:
    more = words(part(spec, "bonuses").get("save"))
    return names.joined(_signed(more) if more else "", _rolled(part(spec, "roll")))


def _price(spec: Mapping[str, object]) -> str:
    worth = words(spec.get("value"))
    return f"{worth} {words(spec.get('denomination')) or 'gp'}" if worth else ""


def _habitat(spec: Mapping[str, object]) -> str:
    """``arctic, planar (Feywild)``."""
    given, found = spec.get("value"), []
    for one in given if isinstance(given, list) else []:
        kind = text(one, "type") if isinstance(one, Mapping) else words(one)
        sub = text(one, "subtype") if isinstance(one, Mapping) else ""
        found.append(f"{kind} ({sub})" if kind and sub else kind or sub)
    return names.joined(*found, words(spec.get("custom")))


def _changed_damage(spec: Mapping[str, object]) -> str:
    around = names.either([names.PROPERTIES.get(one, one) for one in texts(spec.get("bypasses"))])
    told = [f"{kind} {_signed(more)}" for kind, one in part(spec, "amount").items() if (more := words(one))]
    return ", ".join(told) + (f" (not from {around} attacks)" if told and around else "")


def _trained(spec: Mapping[str, object]) -> str:
    mastery = part(spec, "mastery")
    told = (
        ", ".join(map(names.gear, texts(spec.get("value")))),
        words(spec.get("custom")),
        f"mastery of {', '.join(map(names.gear, kinds))}" if (kinds := texts(mastery.get("value"))) else "",
        f"any of {', '.join(more)}" if (more := texts(mastery.get("bonus"))) else "",
    )
    return names.joined(*told, by="; ")


def _attunement(spec: Mapping[str, object]) -> str:
    limit = bonus(spec.get("max"))
    return f"up to {limit} items" if limit is not None and limit != _ATTUNED else ""


@dataclass(frozen=True)
class _Spec:
    """A field with its own wording: its heading, its function, and the parts that this reads or ignores."""

    name: str
    tell: Callable[[Mapping[str, object]], str]
    parts: tuple[str, ...]


_OF_ATTRIBUTES: Mapping[str, _Spec] = {
    "concentration": _Spec("Concentration", _concentration, ("ability", "bonuses", "limit", "roll")),
    "death": _Spec("Death saving throws", _death, ("ability", "bonuses", "roll", "success", "failure")),
    "attunement": _Spec("Attunement", _attunement, ("max", "value")),
    "actions": _Spec("Actions", crewed, ("max", "value", "spent", "stations", "thresholds")),
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
    "crew": _Spec("Crew", capacity, ("max", "value")),
    "passengers": _Spec("Passengers", capacity, ("max", "value")),
    "bastion": _Spec(
        "Bastion",
        lambda spec: names.joined(words(spec.get("name")), markdown(spec.get("description")), by=". "),
        ("name", "description"),
    ),
    "cargo": _Spec("Aboard", cargo, ("crew", "passengers")),
}
