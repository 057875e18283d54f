"""The benefits of a class, species, background or feat by level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models.printed_values import challenge_rating
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.item_values import words
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, members, number, objects, part, text, texts
from lorekeeper_mcp.sources.stat_block import bonus, shown

_TITLES = {"AbilityScoreImprovement": "Ability Score Improvement", "HitPoints": "", "ItemChoice": "Choice",
           "ItemGrant": "Grant", "ModifyItem": "Changed items", "ScaleValue": "", "Trait": ""}  # fmt: skip
_MODES = {"expertise": "expertise in", "forcedExpertise": "expertise in",
          "upgrade": "proficiency or expertise in",
          "mastery": "weapon mastery of"}  # fmt: skip
_ONLY = {"primary": "only as the first class", "secondary": "only as a further class"}
_IGNORED = frozenset(
    "hint identifier type mode grants choices sizes scale points fixed cap locked max items optional spell restriction"
    " pool allowDrops sorting distance changes allowReplacements recommendation".split()
)
_METHODS = {"spell": "prepared", "atwill": "at will", "innate": "innate", "pact": "pact magic", "ritual": "ritual",
            "always": "always prepared", "prepared": ""}  # fmt: skip
_OF_A_CHOICE = ("count", "pool", "replacement")
_ALWAYS = 2  # a spell's preparation mode
_HIGHEST = 20


def advancements(system: JsonObject) -> list[JsonObject]:
    """Return the advancements of a document: a list, or since version 5.2 an object by id."""
    given = system.get("advancement")
    return objects(list(given.values()) if isinstance(given, dict) else given)


def levels(system: JsonObject) -> Iterator[str]:
    """Yield one line per benefit in the order of levels; grants outside the file are only counted."""
    found = [(bonus(one.get("level")) or 0, line) for one in advancements(system) if (line := _advancement_text(one))]
    for level, line in sorted(found, key=lambda pair: pair[0]):
        yield f"- Level {level}: {line}" if level > 0 else f"- {line}"


def granted(system: JsonObject, kind: str, field: str) -> Iterator[str]:
    """Yield the codes in a field of one kind of advancements, except those for multiclassing."""
    for one in advancements(system):
        if one.get("type") == kind and one.get("classRestriction") != "secondary":
            yield from texts(part(one, "configuration").get(field))


def _advancement_text(one: JsonObject) -> str:
    kind, settings = text(one, "type"), part(one, "configuration")
    scaled = text(settings, "identifier").replace("-", " ").title() if kind == "ScaleValue" else ""
    name = text(one, "title") or text(one, "name") or scaled or _TITLES.get(kind, names.titled(kind))
    named = names.joined(name, names.joined(*_configured(settings), sep="; "), sep=": ")
    named += names.phrase(" ({})", named and _ONLY.get(text(one, "classRestriction")))
    return names.joined(named, *dict.fromkeys((markdown(one.get("hint")), markdown(settings.get("hint")))), sep=". ")


def _configured(settings: JsonObject) -> Iterator[str]:
    """Grants and choices, then the other settings."""
    mode, options = _MODES.get(text(settings, "mode"), ""), _choice_options(settings)
    granted = ", ".join(map(_granted, texts(settings.get("grants"))))
    yield f"{mode} {granted}".strip() if granted else ""
    yield _items(settings)
    chosen = "; ".join(_choices(settings.get("choices"), options))
    yield names.joined(mode.removesuffix(" in").removesuffix(" of") if chosen else "", chosen, sep=": ")
    yield " or ".join(names.size(one) for one in texts(settings.get("sizes")))
    units = {"distance": text(settings, "distance.units"), "cr": "CR"}.get(text(settings, "type"), "")
    steps = part(settings, "scale")
    yield ", ".join(f"{step} at level {level}" for level, value in steps.items() if (step := _step(value, units)))
    yield _improvement(settings)
    yield "" if chosen else options
    yield _spell(part(settings, "spell"))
    yield _changes(settings.get("changes"))
    yield words({name: value for name, value in settings.items() if name not in _IGNORED})


def _step(value: object, units: str) -> str:
    """``2d6``, ``10 feet``, ``3/long rest``."""
    spec = value if isinstance(value, Mapping) else {"value": value}
    count, faces, period = bonus(spec.get("number")), bonus(spec.get("faces")), text(spec, "period")
    if faces:
        return f"{count or ''}d{faces}{''.join(texts(spec.get('modifiers')))}"
    printed = words(spec.get("value"))
    if units == "CR":
        rating = number(spec.get("value"))
        printed = f"CR {challenge_rating(rating) if rating else printed}"
    elif printed:
        printed = names.with_unit(printed, units)
    return printed + names.phrase("/{}", printed and names.period(period))


def _improvement(settings: JsonObject) -> str:
    """``2 points; Wisdom +1``, with the abilities that are not allowed."""
    points, cap = shown(settings.get("points")), bonus(settings.get("cap"))
    fixed = part(settings, "fixed")
    increases = [f"{points} point{'s' if points != '1' else ''}" if points not in ("", "0") else ""]
    increases += [f"{names.ability(one)} {by:+d}" for one in fixed if (by := bonus(fixed[one]))]
    most, locked = bonus(settings.get("max")), [names.ability(one) for one in texts(settings.get("locked"))]
    spread = points not in ("", "0", "1") and cap is not None and str(cap) != points
    limits = (
        f"at most {cap} to one score" if spread else "",
        names.phrase("not to {}", names.either(locked)),
        names.phrase("to a maximum of {}", most != _HIGHEST and most),
    )
    return _with_note(names.joined(*increases, sep="; "), names.joined(*limits))


def _with_note(phrase: str, note: str) -> str:
    """``phrase (note)``; one of them if the other is empty."""
    return f"{phrase} ({note})" if phrase and note else phrase or note


def _items(settings: JsonObject) -> str:
    """The granted items, by name if they are in the file."""
    given = settings.get("items")
    named = [
        f"{name} (optional)" if one.get("optional") is True else name
        for one in objects(given)
        if (name := text(one, "name"))
    ]
    return names.joined(*named, _others(given, named), "optional" if settings.get("optional") is True else "")


def _others(listed: object, named: list[str]) -> str:
    """The number of those without a name in this file."""
    others = len(members(listed)) - len(named)
    return f"{others} {'more ' if named else ''}that this file does not contain" if others else ""


def _choice_options(settings: JsonObject) -> str:
    """The options of a choice: the names of a pool, or the spells or features that a restriction allows."""
    given, limit = settings.get("pool"), part(settings, "restriction")
    named = [name for one in objects(given) if (name := text(one, "name"))]
    level = limit.get("level")
    at = f"level {words(level)}" if level not in (None, "") else ""
    allowed = (
        names.titled(text(limit, "subtype") or text(limit, "type")),
        "any level with a slot" if level == "available" else at,
        names.either([one.rpartition(":")[2].title() for one in texts(limit.get("list"))]),
        names.either([names.SCHOOLS.get(one, one) for one in texts(limit.get("school"))]),
        names.either(texts(limit.get("subSchool"))),
    )
    limits = names.joined(*allowed)
    limits = names.joined(names.phrase("{}s", limits and text(settings, "type")), limits, sep=": ")
    return _with_note(names.joined(*named, _others(given, named)), limits)


def _spell(spec: JsonObject) -> str:
    """How a granted spell is cast: ``innate, Intelligence or Wisdom, 1/long rest``."""
    how, often = text(spec, "method") or text(spec, "preparation"), part(spec, "uses")
    per = names.period(text(often, "per"))
    times = shown(often["max"]) + names.phrase("/{}", per) if often.get("max") else ""
    ways = (
        _METHODS.get(how, names.readable(how)),
        "always prepared" if bonus(spec.get("prepared")) == _ALWAYS else "",
        names.either([names.ability(one) for one in texts(spec.get("ability"))]),
        times,
        "with a spell slot" if times and often.get("requireSlot") is True else "",
    )
    return names.phrase("cast as {}", names.joined(*dict.fromkeys(ways)))


def _changes(given: object) -> str:
    """The changed items, by their identifiers."""
    return ", ".join(name.replace("-", " ") for one in objects(given) for name in texts(one.get("identifiers")))


def _choices(given: object, among: str) -> Iterator[str]:
    """``choose 2 from Athletics, Insight``; by level ``choose 1 at level 2``."""
    for level, one in given.items() if isinstance(given, Mapping) else (("", one) for one in members(given)):
        at = names.phrase("at level {}", level)
        if isinstance(one, Mapping):
            codes = texts(one.get("pool"))
            pool = ", ".join(map(_granted, codes)) or among
            count = words(one.get("count"))
            further = words({name: value for name, value in one.items() if name not in _OF_A_CHOICE})
            single = pool.startswith("any ") and len(codes) == 1
            of = f"any {count} {pool.removeprefix('any ')}{'s' if count != '1' else ''}" if single else count
            replaces = "and may replace one" if one.get("replacement") is True else ""
            if count or pool or further:
                whole = names.phrase("from {}", not single and pool)
                yield names.joined("choose", of, at, whole, replaces, further, sep=" ")
        elif count := words(one):
            yield names.joined("choose", count, at, sep=" ")


def _granted(code: str) -> str:
    """A trait's code in words; any other text as it is."""
    return names.trait(code) if ":" in code and " " not in code else words(code)
