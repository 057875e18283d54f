"""The benefits of a class, species, background or feat by level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models.printed_values import challenge_rating
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.item_values import nonzero, unread_words, words
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, decimal, members, objects, part, text, texts
from lorekeeper_mcp.sources.phrases import counted, either, joined, phrase
from lorekeeper_mcp.sources.stat_block import bonus, shown

_TITLES = {"AbilityScoreImprovement": "Ability Score Improvement", "HitPoints": "", "ItemChoice": "Choice",
           "ItemGrant": "Grant", "ModifyItem": "Changed items", "ScaleValue": "", "Trait": ""}  # fmt: skip
_MODES = {"expertise": "expertise in", "forcedExpertise": "expertise in",
          "upgrade": "proficiency or expertise in",
          "mastery": "weapon mastery of"}  # fmt: skip
_RESTRICTIONS = {"primary": "only as the first class", "secondary": "only as a further class"}
_IGNORED_SETTINGS = frozenset(
    "hint identifier type mode grants choices sizes scale points fixed cap locked max items optional spell restriction"
    " pool allowDrops sorting distance changes allowReplacements recommendation".split()
)
_METHODS = {"spell": "prepared", "atwill": "at will", "innate": "innate", "pact": "pact magic", "ritual": "ritual",
            "always": "always prepared", "prepared": ""}  # fmt: skip
_READ_IN_CHOICE = ("count", "pool", "replacement")
_ALWAYS = 2  # a spell's preparation mode
_MAX_SCORE = 20


def advancements(system: JsonObject) -> list[JsonObject]:
    """Return the advancements of a document: a list, or since version 5.2 an object by id."""
    entries = system.get("advancement")
    return objects(list(entries.values()) if isinstance(entries, dict) else entries)


def advancement_lines(system: JsonObject) -> Iterator[str]:
    """Yield one line per benefit in the order of levels; grants outside the file are only counted."""
    for advancement in sorted(advancements(system), key=_level):
        if line := _advancement_text(advancement):
            level = _level(advancement)
            yield f"- Level {level}: {line}" if level > 0 else f"- {line}"


def _level(advancement: JsonObject) -> int:
    return bonus(advancement.get("level")) or 0


def granted_codes(system: JsonObject, kind: str, field: str) -> Iterator[str]:
    """Yield the codes in a field of one kind of advancements, except those for multiclassing."""
    for advancement in advancements(system):
        if advancement.get("type") == kind and advancement.get("classRestriction") != "secondary":
            yield from texts(part(advancement, "configuration").get(field))


def _advancement_text(advancement: JsonObject) -> str:
    kind, settings = text(advancement, "type"), part(advancement, "configuration")
    title = text(advancement, "title") or text(advancement, "name")
    if kind == "ScaleValue":
        title = title or text(settings, "identifier").replace("-", " ").title()
    title = title or _TITLES.get(kind, names.titled(kind))
    line = joined(title, joined(*_configured(settings), sep="; "), sep=": ")
    line += phrase(" ({})", line and _RESTRICTIONS.get(text(advancement, "classRestriction")))
    hints = dict.fromkeys((markdown(advancement.get("hint")), markdown(settings.get("hint"))))
    return joined(line, *hints, sep=". ")


def _configured(settings: JsonObject) -> Iterator[str]:
    """Grants and choices, then the other settings."""
    mode, options = _MODES.get(text(settings, "mode"), ""), _choice_options(settings)
    grants = ", ".join(map(_grant, texts(settings.get("grants"))))
    yield f"{mode} {grants}".strip() if grants else ""
    yield _items(settings)
    choices = "; ".join(_choices(settings.get("choices"), options))
    yield joined(mode.removesuffix(" in").removesuffix(" of") if choices else "", choices, sep=": ")
    yield " or ".join(map(names.size, texts(settings.get("sizes"))))
    units = {"distance": text(settings, "distance.units"), "cr": "CR"}.get(text(settings, "type"), "")
    steps = {level: _step(value, units) for level, value in part(settings, "scale").items()}
    yield ", ".join(f"{step} at level {level}" for level, step in steps.items() if step)
    yield _improvement(settings)
    yield "" if choices else options
    yield _spell(part(settings, "spell"))
    yield _changes(settings.get("changes"))
    yield unread_words(settings, _IGNORED_SETTINGS)


def _step(value: object, units: str) -> str:
    """``2d6``, ``10 feet``, ``3/long rest``."""
    step = value if isinstance(value, Mapping) else {"value": value}
    count, faces = bonus(step.get("number")), bonus(step.get("faces"))
    if faces:
        return f"{count or ''}d{faces}{''.join(texts(step.get('modifiers')))}"
    printed = words(step.get("value"))
    if units == "CR":
        rating = decimal(step.get("value"))
        printed = f"CR {challenge_rating(rating) if rating else printed}"
    elif printed:
        printed = names.with_unit(printed, units)
    return printed + phrase("/{}", printed and names.period(text(step, "period")))


def _improvement(settings: JsonObject) -> str:
    """``2 points; Wisdom +1``, with the abilities that are not allowed."""
    points, cap, most = nonzero(settings.get("points")), bonus(settings.get("cap")), bonus(settings.get("max"))
    increases = [(names.ability(code), bonus(value)) for code, value in part(settings, "fixed").items()]
    is_spread = points not in ("", "1") and cap is not None and str(cap) != points
    limits = (
        f"at most {cap} to one score" if is_spread else "",
        phrase("not to {}", either(map(names.ability, texts(settings.get("locked"))))),
        phrase("to a maximum of {}", most != _MAX_SCORE and most),
    )
    improvement = joined(
        counted(points, "point") if points else "",
        *(f"{ability} {increase:+d}" for ability, increase in increases if increase),
        sep="; ",
    )
    return _with_note(improvement, joined(*limits))


def _with_note(text: str, note: str) -> str:
    """``text (note)``; one of them if the other is empty."""
    return f"{text} ({note})" if text and note else text or note


def _items(settings: JsonObject) -> str:
    """The granted items, by name if they are in the file."""
    items = settings.get("items")
    item_names = [
        f"{name} (optional)" if item.get("optional") is True else name
        for item in objects(items)
        if (name := text(item, "name"))
    ]
    is_optional = settings.get("optional") is True
    return joined(*item_names, _unnamed_count(items, item_names), "optional" if is_optional else "")


def _unnamed_count(items: object, item_names: list[str]) -> str:
    """The number of items without a name in this file."""
    count = len(members(items)) - len(item_names)
    return f"{count} {'more ' if item_names else ''}that this file does not contain" if count else ""


def _choice_options(settings: JsonObject) -> str:
    """The options of a choice: the names of a pool, or the spells or features that a restriction allows."""
    pool, restriction = settings.get("pool"), part(settings, "restriction")
    option_names = [name for option in objects(pool) if (name := text(option, "name"))]
    level = restriction.get("level")
    level_text = "any level with a slot" if level == "available" else f"level {words(level)}"
    limits = joined(
        names.titled(text(restriction, "subtype") or text(restriction, "type")),
        level_text if level not in (None, "") else "",
        either(code.rpartition(":")[2].title() for code in texts(restriction.get("list"))),
        either(names.SCHOOLS.get(code, code) for code in texts(restriction.get("school"))),
        either(texts(restriction.get("subSchool"))),
    )
    limits = joined(phrase("{}s", limits and text(settings, "type")), limits, sep=": ")
    return _with_note(joined(*option_names, _unnamed_count(pool, option_names)), limits)


def _spell(spell: JsonObject) -> str:
    """How a granted spell is cast: ``innate, Intelligence or Wisdom, 1/long rest``."""
    method, uses = text(spell, "method") or text(spell, "preparation"), part(spell, "uses")
    times = ""
    if uses.get("max"):
        times = shown(uses["max"]) + phrase("/{}", names.period(text(uses, "per")))
    facts = (
        _METHODS.get(method, names.readable(method)),
        "always prepared" if bonus(spell.get("prepared")) == _ALWAYS else "",
        either(map(names.ability, texts(spell.get("ability")))),
        times,
        "with a spell slot" if times and uses.get("requireSlot") is True else "",
    )
    return phrase("cast as {}", joined(*dict.fromkeys(facts)))


def _changes(changes: object) -> str:
    """The changed items, by their identifiers."""
    return ", ".join(id_.replace("-", " ") for change in objects(changes) for id_ in texts(change.get("identifiers")))


def _choices(choices: object, options: str) -> Iterator[str]:
    """``choose 2 from Athletics, Insight``; by level ``choose 1 at level 2``."""
    by_level = choices.items() if isinstance(choices, Mapping) else (("", choice) for choice in members(choices))
    for level, choice in by_level:
        at_level = phrase("at level {}", level)
        if not isinstance(choice, Mapping):
            if count := words(choice):
                yield joined("choose", count, at_level, sep=" ")
            continue
        codes = texts(choice.get("pool"))
        count, pool = words(choice.get("count")), ", ".join(map(_grant, codes)) or options
        extra = unread_words(choice, _READ_IN_CHOICE)
        if not (count or pool or extra):
            continue
        if len(codes) == 1 and pool.startswith("any "):
            chosen, source = f"any {count} {pool.removeprefix('any ')}{'s' if count != '1' else ''}", ""
        else:
            chosen, source = count, phrase("from {}", pool)
        replaces = "and may replace one" if choice.get("replacement") is True else ""
        yield joined("choose", chosen, at_level, source, replaces, extra, sep=" ")


def _grant(code: str) -> str:
    """A trait's code in words; any other text as it is."""
    return names.trait(code) if ":" in code and " " not in code else words(code)
