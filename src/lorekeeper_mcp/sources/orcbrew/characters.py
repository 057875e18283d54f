"""Races, subraces, backgrounds, and single options: feats, invocations, boons, selections."""

from __future__ import annotations

from collections.abc import Callable

from lorekeeper_mcp.models import Background, Feat, Ref, Section, Species
from lorekeeper_mcp.models.vocabulary import SRD_RACES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import ItemError, parent_key
from lorekeeper_mcp.sources.orcbrew.benefits import benefits, increases, section
from lorekeeper_mcp.sources.orcbrew.classes import is_free_choice, proficiencies, used_as
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.fields import Fields, Keys, whole
from lorekeeper_mcp.sources.orcbrew.markup import ability_title, counted, listed, titled, to_text
from lorekeeper_mcp.sources.stat_block import sections_of


def race(head: CommonFields, fields: Fields, _own: Keys) -> Species:
    """Return a race."""
    return _species(head, fields, None)


def subrace(head: CommonFields, fields: Fields, own: Keys) -> Species:
    """Return a subrace. ``own`` are the races of its book."""
    parent = fields.text("race")
    if not parent:
        raise ItemError("it does not say of which race it is")
    return _species(head, fields, Ref(name=titled(parent), key=parent_key(parent, own, SRD_RACES)))


def _species(head: CommonFields, fields: Fields, parent: Ref | None) -> Species:
    speed, darkvision = fields.text("speed"), fields.number("darkvision")
    props = fields.part("props")
    own = sections(fields, "traits")
    traits = {
        "Ability Score Increase": listed([_abilities(fields), increases(fields)]),
        "Languages": listed(map(titled, fields.names("languages") or props.names("language"))),
        "Darkvision": f"{darkvision:g} feet" if darkvision else "",
        "Proficiencies": proficiencies(fields.part("profs")),
        "Spells": _spells(fields),
    }
    printed = {trait.name.lower() for trait in own}
    given = sections_of({name: text for name, text in traits.items() if name.lower() not in printed})
    return Species(
        **head,
        subspecies_of=parent,
        is_subspecies=parent is not None,
        size=titled(fields.text("size")),
        speed=f"{speed} feet" if speed.isdigit() else speed,
        traits=(*given, *own),
        other=(*section(fields), *fields.other()),
    )


def _abilities(fields: Fields) -> str:
    """Strength +2, Wisdom +1."""
    bonuses = fields.part("abilities").integers()
    return listed(f"{ability_title(key)} {bonus:+d}" for key, bonus in bonuses if bonus)


def _spells(fields: Fields) -> str:
    """Spells of the race, each with the level from which it may be cast."""
    lines = []
    for entry in fields.entries("spells"):
        one = Fields(entry) if isinstance(entry, dict) else Fields({"value": entry})
        level = one.integer("level")
        lines.append(f"{f'From level {level}: ' if level else ''}{to_text(one.unread())}")
    return "\n".join(lines)


def sections(fields: Fields, name: str) -> tuple[Section, ...]:
    """Return traits as titled paragraphs, with the level if they have one."""
    found = []
    for entry in fields.entries(name):
        one = Fields(entry) if isinstance(entry, dict) else Fields({"description": to_text(entry)})
        title, level, kind = one.text("name"), one.integer("level"), used_as(one)
        from_level = f"From level {level}." if level and level > 1 else ""
        text = one.with_unread(from_level, one.text("description", "text"), one.text("summary"))
        found.append(Section(name=title, text=text, type=kind))
    return tuple(found)


def background(head: CommonFields, fields: Fields, _own: Keys) -> Background:
    """Return a background: proficiencies, equipment, then its feature."""
    profs = fields.part("profs")
    skills, tools = profs.names("skill", "skills"), profs.names("tool", "tools")
    given = [
        ("Skill Proficiencies", listed(map(titled, skills)), "skill_proficiency"),
        ("Tool Proficiencies", listed(map(titled, tools)), "tool_proficiency"),
        ("Languages", _choice(profs, "language-options"), "language"),
        ("Ability Score Increase", increases(fields), "ability_score"),
        ("Proficiencies", proficiencies(profs), "proficiency"),
        ("Equipment", _equipment(fields), "equipment"),
    ]
    own = (Section(name=name, text=text, type=kind) for name, text, kind in given if text)
    return Background(**head, benefits=(*own, *sections(fields, "traits")), other=(*section(fields), *fields.other()))


def _choice(profs: Fields, name: str) -> str:
    """{:choose 2} is 2 of your choice."""
    value = profs.peek(name)
    count = whole(value["choose"]) if isinstance(value, dict) and is_free_choice(value) else None
    if not count:
        return ""
    profs.drop(name)
    return f"{count} of your choice"


def _equipment(fields: Fields) -> str:
    """Items with their numbers, choices, and coins: 2 Torch, 15 gp."""
    lines = [listed(counted(*one) for one in fields.counts(name)) for name in ("equipment", "weapons", "armor")]
    lines += [to_text(fields.take(name)) for name in ("equipment-choices", "custom-equipment") if fields.has(name)]
    lines.append(listed(f"{coins} {coin}" for coin, coins in fields.counts("treasure")))
    return "; ".join(filter(None, lines))


def feat(head: CommonFields, fields: Fields, _own: Keys) -> Feat:
    """Return a feat with its prerequisites; ability increases are a benefit."""
    increased = increases(fields)
    return Feat(
        **head,
        prerequisite=_prerequisite(fields),
        benefits=(*([f"Ability Score Increase: {increased}"] if increased else []), *benefits(fields)),
        other=fields.other(),
    )


def _prerequisite(fields: Fields) -> str:
    parts = [listed(map(_wanted, fields.names("prereqs", "prerequisites", "prerequisite")))]
    parts.append(listed(f"{ability_title(name)} {score}" for name, score in fields.counts("prereqs")))
    if fields.has("path-prereqs"):
        value = fields.take("path-prereqs")
        paths = value.items() if isinstance(value, dict) else [("", value)]
        parts += [f"{titled(name)}: {_path(wanted)}" if name else to_text(wanted) for name, wanted in paths]
    return "; ".join(filter(None, parts))


def _wanted(key: str) -> str:
    """A key as a name, words as they are; a kind of armor means proficiency with it."""
    if key in ("light", "medium", "heavy"):
        return f"proficiency with {key} armor"
    return key if " " in key else ability_title(key)


def _path(value: Plain) -> str:
    """{:elf true} is Elf."""
    return listed(map(titled, Fields({"path": value}).names("path"))) or to_text(value)


def feat_of(kind: str) -> Callable[[CommonFields, Fields, Keys], Feat]:
    """Return a function for options of a kind, such as pact boons."""
    return lambda head, fields, own: feat(head, fields, own).model_copy(update={"type": kind})


def selection(head: CommonFields, fields: Fields, own: Keys) -> Feat:
    """Return a choice that classes offer, such as fighting styles; its options are its benefits."""
    options = tuple(text for entry in fields.entries("options") if (text := to_text(entry)))
    made = feat_of("Selection")(head, fields, own)
    return made.model_copy(update={"benefits": (*made.benefits, *options)})
