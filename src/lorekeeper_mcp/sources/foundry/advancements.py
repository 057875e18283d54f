"""The benefits of a class, species, background or feat by level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models.printed_values import challenge_rating
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.item_values import words
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, number, objects, part, text, texts
from lorekeeper_mcp.sources.stat_block import bonus, shown

_TITLES = {"AbilityScoreImprovement": "Ability Score Improvement", "HitPoints": "", "ItemChoice": "Choice",
           "ItemGrant": "Grant", "ModifyItem": "Changed items", "ScaleValue": "", "Trait": ""}  # fmt: skip
_MODES = {"expertise": "expertise in", "forcedExpertise": "expertise in",
          "upgrade": "proficiency or expertise in",
          "mastery": "weapon mastery of"}  # fmt: skip
_ONLY = {"primary": "only as the first class", "secondary": "only as a further class"}
_IGNORED = frozenset(
    {"hint", "identifier", "type", "mode", "grants", "choices", "sizes", "scale", "points", "fixed", "cap", "locked",
     "max", "items", "optional", "spell", "restriction", "pool", "allowDrops", "sorting", "distance", "changes",
     "allowReplacements", "recommendation"}
)  # fmt: skip
_METHODS = {"spell": "prepared", "atwill": "at will", "innate": "innate", "pact": "pact magic", "ritual": "ritual",
            "always": "always prepared", "prepared": ""}  # fmt: skip
_ALWAYS = 2  # a spell's preparation mode
_HIGHEST = 20


def advancements(system: JsonObject) -> list[JsonObject]:
    """Return the advancements of a document: a list, or since version 5.2 an object by id."""
    given = system.get("advancement")
    return objects(list(given.values()) if isinstance(given, dict) else given)


def levels(system: JsonObject) -> Iterator[str]:
    """Yield one line per benefit in the order of levels; grants outside the file are only counted."""
    found = [(bonus(one.get("level")) or 0, told) for one in advancements(system) if (told := _advancement_text(one))]
    for level, told in sorted(found, key=lambda pair: pair[0]):
        yield f"- Level {level}: {told}" if level > 0 else f"- {told}"


def granted(system: JsonObject, kind: str, field: str) -> Iterator[str]:
    """Yield the codes in a field of one kind of advancements, except those for multiclassing."""
    for one in advancements(system):
        if one.get("type") == kind and one.get("classRestriction") != "secondary":
            yield from texts(part(one, "configuration").get(field))


def _advancement_text(one: JsonObject) -> str:
    kind, settings = text(one, "type"), part(one, "configuration")
    scaled = text(settings, "identifier").replace("-", " ").title() if kind == "ScaleValue" else ""
    name = text(one, "title") or text(one, "name") or scaled or _TITLES.get(kind, names.titled(kind))
    configured = names.joined(*_configured(settings), by="; ")
    hints = dict.fromkeys((markdown(one.get("hint")), markdown(settings.get("hint"))))
    named = f"{name}: {configured}" if configured and name else name or configured
    only = _ONLY.get(text(one, "classRestriction"), "")
    named = f"{named} ({only})" if named and only else named
    return names.joined(named, *hints, by=". ")


def _configured(settings: JsonObject) -> Iterator[str]:
    """Grants and choices, then the other settings."""
    mode = _MODES.get(text(settings, "mode"), "")
    granted = ", ".join(_granted(one) for one in texts(settings.get("grants")))
    yield f"{mode} {granted}".strip() if granted else ""
    yield _items(settings)
    chosen = [*_choices(settings.get("choices"), _choice_options(settings))]
    yield f"{mode.removesuffix(' in').removesuffix(' of') + ': ' if mode and chosen else ''}{'; '.join(chosen)}"
    yield " or ".join(names.SIZES.get(one, one) for one in texts(settings.get("sizes")))
    units = text(settings, "distance.units") if text(settings, "type") == "distance" else ""
    units = "CR" if text(settings, "type") == "cr" else units
    steps = part(settings, "scale")
    yield ", ".join(f"{told} at level {level}" for level, value in steps.items() if (told := _step(value, units)))
    yield _improvement(settings)
    if not chosen:
        yield _choice_options(settings)
    yield _spell(part(settings, "spell"))
    yield _changes(settings.get("changes"))
    yield words({name: value for name, value in settings.items() if name not in _IGNORED})


def _step(value: object, units: str) -> str:
    """``2d6``, ``10 feet``, ``3/long rest``."""
    spec = value if isinstance(value, Mapping) else {"value": value}
    count, faces, period = bonus(spec.get("number")), bonus(spec.get("faces")), text(spec, "period")
    if faces:
        return f"{count or ''}d{faces}{''.join(texts(spec.get('modifiers')))}"
    told = words(spec.get("value"))
    if units == "CR":
        rating = number(spec.get("value"))
        told, units = f"CR {challenge_rating(rating) if rating else told}", ""
    per = f"/{names.PERIODS.get(period, period)}" if told and period else ""
    return f"{names.with_unit(told, units) if units and told else told}{per}"


def _improvement(settings: JsonObject) -> str:
    """``2 points; Wisdom +1``, with the abilities that are not allowed."""
    points, cap = shown(settings.get("points")), bonus(settings.get("cap"))
    fixed = part(settings, "fixed")
    told = [f"{points} point{'s' if points != '1' else ''}" if points not in ("", "0") else ""]
    told += [f"{names.ability(one)} {by:+d}" for one in fixed if (by := bonus(fixed[one]))]
    most, locked = bonus(settings.get("max")), [names.ability(one) for one in texts(settings.get("locked"))]
    spread = points not in ("", "0", "1") and cap is not None and str(cap) != points
    limits = (
        f"at most {cap} to one score" if spread else "",
        f"not to {names.either(locked)}" if locked else "",
        f"to a maximum of {most}" if most and most != _HIGHEST else "",
    )
    more = names.joined(*limits)
    said = names.joined(*told, by="; ")
    return f"{said} ({more})" if said and more else said or more


def _items(settings: JsonObject) -> str:
    """The granted items, by name if they are in the file."""
    given = settings.get("items")
    listed = [one if isinstance(one, Mapping) else {"uuid": one} for one in (given if isinstance(given, list) else [])]
    given_names = ((text(one, "name"), one.get("optional") is True) for one in listed)
    named = [f"{name} (optional)" if is_optional else name for name, is_optional in given_names if name]
    others = len(listed) - len(named)
    if others:
        named.append(f"{others} {'more ' if named else ''}that this file does not contain")
    told = ", ".join(named)
    return f"{told}{', ' if told else ''}optional" if settings.get("optional") is True else told


def _choice_options(settings: JsonObject) -> str:
    """The options of a choice: the names of a pool, or the spells or features that a restriction allows."""
    given, limit = settings.get("pool"), part(settings, "restriction")
    listed = given if isinstance(given, list) else []
    named = [name for one in objects(given) if (name := text(one, "name"))]
    others = f"{len(listed) - len(named)} {'more ' if named else ''}that this file does not contain"
    level = limit.get("level")
    at = f"level {words(level)}" if level not in (None, "") else ""
    allowed = (
        names.titled(text(limit, "subtype") or text(limit, "type")),
        "any level with a slot" if level == "available" else at,
        names.either([one.rpartition(":")[2].title() for one in texts(limit.get("list"))]),
        names.either([names.SCHOOLS.get(one, one) for one in texts(limit.get("school"))]),
        names.either(texts(limit.get("subSchool"))),
    )
    kind = text(settings, "type")
    told = names.joined(*allowed)
    told = f"{kind}s: {told}" if kind and told else told
    pool = ", ".join([*named, *([others] if len(listed) > len(named) else [])])
    return f"{pool} ({told})" if pool and told else pool or told


def _spell(spec: JsonObject) -> str:
    """How a granted spell is cast: ``innate, Intelligence or Wisdom, 1/long rest``."""
    how, often = text(spec, "method") or text(spec, "preparation"), part(spec, "uses")
    per = names.PERIODS.get(text(often, "per"), text(often, "per"))
    times = f"{shown(often['max'])}{f'/{per}' if per else ''}" if often.get("max") else ""
    told = (
        _METHODS.get(how, names.readable(how)),
        "always prepared" if bonus(spec.get("prepared")) == _ALWAYS else "",
        names.either([names.ability(one) for one in texts(spec.get("ability"))]),
        times,
        "with a spell slot" if times and often.get("requireSlot") is True else "",
    )
    return f"cast as {said}" if (said := names.joined(*dict.fromkeys(told))) else ""


def _changes(given: object) -> str:
    """The changed items, by their identifiers."""
    return ", ".join(name.replace("-", " ") for one in objects(given) for name in texts(one.get("identifiers")))


def _choices(given: object, among: str) -> Iterator[str]:
    """``choose 2 from Athletics, Insight``; by level ``choose 1 at level 2``."""
    spread = (
        given.items() if isinstance(given, Mapping) else (("", one) for one in given) if isinstance(given, list) else ()
    )
    for level, one in spread:
        if isinstance(one, Mapping):
            codes = texts(one.get("pool"))
            pool = ", ".join(_granted(code) for code in codes) or among
            count = words(one.get("count"))
            further = words(
                {name: value for name, value in one.items() if name not in ("count", "pool", "replacement")}
            )
            single = pool.startswith("any ") and len(codes) == 1
            of = f"any {count} {pool.removeprefix('any ')}{'s' if count != '1' else ''}" if single else count
            parts = (
                of,
                f"at level {level}" if level else "",
                f"from {pool}" if pool and not single else "",
                "and may replace one" if one.get("replacement") is True else "",
                further,
            )
            if count or pool or further:
                yield " ".join(("choose", *filter(None, parts)))
        elif told := words(one):
            yield f"choose {told}{f' at level {level}' if level else ''}"


def _granted(code: str) -> str:
    """A trait's code in words; any other text as it is."""
    return names.trait(code) if ":" in code and " " not in code else words(code)
