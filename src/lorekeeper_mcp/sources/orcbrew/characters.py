"""Races, subraces, backgrounds, and single options: feats, invocations, boons, selections."""

from __future__ import annotations

from collections.abc import Callable

from lorekeeper_mcp.models import Background, Feat, Ref, Section, Species
from lorekeeper_mcp.models.vocabulary import SRD_RACES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import ItemError, parent_key
from lorekeeper_mcp.sources.json_values import whole_number
from lorekeeper_mcp.sources.orcbrew.benefits import benefits, increases, section
from lorekeeper_mcp.sources.orcbrew.classes import is_free_choice, proficiencies, traits
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.fields import Fields, Keys
from lorekeeper_mcp.sources.orcbrew.markup import ability_title, counted, listed, titled, to_text
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.stat_block import sections_of


def race(common: CommonFields, fields: Fields, _book_races: Keys) -> Species:
    """Return a race."""
    return _species(common, fields, None)


def subrace(common: CommonFields, fields: Fields, book_races: Keys) -> Species:
    """Return a subrace. Raises ItemError if it does not name its race."""
    parent = fields.text("race")
    if not parent:
        raise ItemError("it does not name its race")
    return _species(common, fields, Ref(name=titled(parent), key=parent_key(parent, book_races, SRD_RACES)))


def _species(common: CommonFields, fields: Fields, parent: Ref | None) -> Species:
    speed, darkvision = fields.text("speed"), fields.number("darkvision")
    props = fields.part("props")
    printed = _traits(fields)
    derived = {
        "Ability Score Increase": listed([_abilities(fields), increases(fields)]),
        "Languages": listed(map(titled, fields.names("languages") or props.names("language"))),
        "Darkvision": f"{darkvision:g} feet" if darkvision else "",
        "Proficiencies": proficiencies(fields.part("profs")),
        "Spells": _spells(fields),
    }
    names = {trait.name.lower() for trait in printed}
    derived = {name: text for name, text in derived.items() if name.lower() not in names}
    return Species(
        **common,
        subspecies_of=parent,
        is_subspecies=parent is not None,
        size=titled(fields.text("size")),
        speed=f"{speed} feet" if speed.isdigit() else speed,
        traits=(*sections_of(derived), *printed),
        other=(*section(fields), *fields.other()),
    )


def _abilities(fields: Fields) -> str:
    """Strength +2, Wisdom +1."""
    bonuses = fields.part("abilities").integers()
    return listed(f"{ability_title(key)} {bonus:+d}" for key, bonus in bonuses if bonus)


def _spells(fields: Fields) -> str:
    """Spells of the race, each with the level from which it may be cast."""
    lines = []
    for entry in fields.entry_fields("spells", "value"):
        level = entry.integer("level")
        lines.append(f"{f'From level {level}: ' if level else ''}{to_text(entry.unread())}")
    return "\n".join(lines)


def _traits(fields: Fields) -> tuple[Section, ...]:
    """Traits as titled paragraphs, with the level if they have one."""
    sections = []
    for trait in traits(fields):
        from_level = [f"From level {level}." for level in trait.levels if level > 1]
        text = joined(*from_level, trait.text, sep="\n")
        sections.append(Section(name=trait.name, text=text, type=trait.type))
    return tuple(sections)


def background(common: CommonFields, fields: Fields, _book_classes: Keys) -> Background:
    """Return a background: proficiencies, equipment, then its feature."""
    profs = fields.part("profs")
    parts = [
        ("Skill Proficiencies", "skill_proficiency", listed(map(titled, profs.names("skill", "skills")))),
        ("Tool Proficiencies", "tool_proficiency", listed(map(titled, profs.names("tool", "tools")))),
        ("Languages", "language", _language_choice(profs)),
        ("Ability Score Increase", "ability_score", increases(fields)),
        ("Proficiencies", "proficiency", proficiencies(profs)),
        ("Equipment", "equipment", _equipment(fields)),
    ]
    sections = [Section(name=name, text=text, type=kind) for name, kind, text in parts if text]
    return Background(**common, benefits=(*sections, *_traits(fields)), other=(*section(fields), *fields.other()))


def _language_choice(profs: Fields) -> str:
    """{:choose 2} is 2 of your choice."""
    value = profs.peek("language-options")
    count = whole_number(value["choose"]) if isinstance(value, dict) and is_free_choice(value) else None
    if not count:
        return ""
    profs.drop("language-options")
    return f"{count} of your choice"


def _equipment(fields: Fields) -> str:
    """Items with their numbers, choices, and coins: 2 Torch, 15 gp."""
    lines = [listed(counted(*item) for item in fields.counts(name)) for name in ("equipment", "weapons", "armor")]
    lines += [to_text(fields.take(name)) for name in ("equipment-choices", "custom-equipment")]
    lines.append(listed(f"{count} {coin}" for coin, count in fields.counts("treasure")))
    return "; ".join(filter(None, lines))


def feat(common: CommonFields, fields: Fields, _book_classes: Keys) -> Feat:
    """Return a feat with its prerequisites; ability increases are a benefit."""
    increase = increases(fields)
    return Feat(
        **common,
        prerequisite=_prerequisite(fields),
        benefits=(*([f"Ability Score Increase: {increase}"] if increase else []), *benefits(fields)),
        other=fields.other(),
    )


def _prerequisite(fields: Fields) -> str:
    parts = [listed(map(_required_name, fields.names("prereqs", "prerequisites", "prerequisite")))]
    parts.append(listed(f"{ability_title(name)} {score}" for name, score in fields.counts("prereqs")))
    paths = fields.take("path-prereqs")
    for name, value in paths.items() if isinstance(paths, dict) else [("", paths)]:
        parts.append(f"{titled(name)}: {_path(value)}" if name else to_text(value))
    return "; ".join(filter(None, parts))


def _required_name(key: str) -> str:
    """A key as a name, words as they are; a kind of armor means proficiency with it."""
    if key in ("light", "medium", "heavy"):
        return f"proficiency with {key} armor"
    return key if " " in key else ability_title(key)


def _path(value: Plain) -> str:
    """{:elf true} is Elf."""
    return listed(map(titled, Fields({"path": value}).names("path"))) or to_text(value)


def feat_of(kind: str) -> Callable[[CommonFields, Fields, Keys], Feat]:
    """Return a function for options of a kind, such as pact boons."""
    return lambda common, fields, book_classes: feat(common, fields, book_classes).model_copy(update={"type": kind})


def selection(common: CommonFields, fields: Fields, book_classes: Keys) -> Feat:
    """Return a choice that classes offer, such as fighting styles; its options are its benefits."""
    options = [text for text in map(to_text, fields.entries("options")) if text]
    record = feat(common, fields, book_classes)
    return record.model_copy(update={"type": "Selection", "benefits": (*record.benefits, *options)})
