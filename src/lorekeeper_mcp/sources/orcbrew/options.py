"""What characters choose: classes, races, backgrounds, feats, invocations, boons, selections."""

from __future__ import annotations

from collections.abc import Callable

from lorekeeper_mcp.models import ActionType, Background, CharacterClass, Feat, Feature, Kind, Ref, Section, Species
from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES, SRD_RACES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import ItemError, parent_key, slug
from lorekeeper_mcp.sources.orcbrew.edn_values import (
    Keys,
    ability_title,
    by_level,
    chosen,
    counts,
    listed,
    shown,
    spell_names,
    spell_reference,
    titles,
)
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.reading import Fields, integer, mapping, members, names, sections_of, text, titled

_MODES = {
    "all": "Spells Known: all of its list", "schedule": "Spells Known: more by level",
    "acquire": "Spells Known: those that it acquires, as in a spellbook",
}  # fmt: skip
_CASTERS = {1: "full", 2: "half", 3: "third"}  # by the share of a full caster's slots
_PROFICIENCIES = {
    "skill": "Skills", "skill-options": "Skills", "skill-expertise-options": "Skill Expertise", "tool": "Tools",
    "tool-options": "Tools", "weapon": "Weapons", "weapon-proficiency-options": "Weapons",
    "language-options": "Languages",
}  # fmt: skip
_EQUIPMENT = ("equipment-choices", "weapon-choices", "armor-choices", "weapons", "armor", "equipment", "treasure")


def character_class(common: CommonFields, fields: Fields, book_classes: Keys) -> CharacterClass:
    """Return a class or, by its kind, a subclass. Raises ItemError if a subclass does not name its class."""
    is_subclass = common["kind"] is Kind.SUBCLASS
    parent = fields.text("class") if is_subclass else ""
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    die, profs = fields.integer("hit-die"), fields.part("profs")
    saves = profs.names("save") or fields.names("saving-throws")
    caster = _CASTERS.get(integer(fields.peek("spellcasting.level-factor")) or 0, "")
    flavor = text(fields.peek("subclass-title"))
    features = [*_subclass_level(fields), *_features(fields), *_gained_by_level(fields)]
    return CharacterClass(
        **common,
        subclass_of=Ref(name=titled(parent), key=parent_key(parent, book_classes, SRD_CLASSES)) if parent else None,
        flavor=flavor,
        hit_dice=f"d{die}" if die else "",
        caster_type=caster,
        saving_throws=tuple(map(ability_title, saves)),
        proficiencies=_proficiencies(profs),
        equipment=_starting_equipment(fields),
        spellcasting=_spellcasting(fields),
        features=tuple(sorted(features, key=lambda feature: feature.levels[:1])),
        spells=_spell_lists(fields),
        other=(*sections_of({"Ability Score Increase": _increases(fields)}), *fields.also()),
    )


def _subclass_level(fields: Fields) -> list[Feature]:
    """The level of the subclass choice, with the class's title for it, and the levels of ability increases."""
    level, features = fields.integer("subclass-level"), []
    title, help_text = fields.text("subclass-title"), fields.text("subclass-help")
    if level or title or help_text:
        description = f"You choose a subclass.\n\n{help_text}".strip()
        features.append(Feature(name=title or "Subclass", text=description, levels=(level,) if level else ()))
    if levels := [number for number in map(integer, fields.names("ability-increase-levels")) if number]:
        features.append(Feature(name="Ability Score Improvement", levels=tuple(levels)))
    return features


def _features(fields: Fields) -> list[Feature]:
    """The traits of a class, a race or a background; one of a known activation, such as a reaction, has it as type."""
    features = []
    for trait in fields.entries("traits", "description"):
        written = text(trait.peek("type")).lower().replace("b-action", "bonus-action")
        kind = written.replace("bonus-bonus", "bonus").replace(" ", "-")
        if kind in tuple(ActionType) or kind == "other":
            trait.drop("type")
        level, name = trait.integer("level"), trait.text("name")
        description = trait.with_unread(trait.text("description", "text"), trait.text("summary"))
        type_ = kind if kind in tuple(ActionType) else ""
        features.append(Feature(name=name, text=description, type=type_, levels=(level,) if level else ()))
    return features


def _gained_by_level(fields: Fields) -> list[Feature]:
    """Grants by level other than features, such as proficiencies and choices: one feature, a line per level."""
    features = []
    for name, title in (("level-modifiers", "Gained by Level"), ("level-selections", "Chosen by Level")):
        grants: dict[int, list[str]] = {}
        for entry in fields.entries(name, "value"):
            kind, count = entry.text("type"), entry.integer("num")
            subject = f"{titled(kind.removesuffix('-prof'))}{' Proficiency' if kind.endswith('-prof') else ''}"
            line = joined(subject, f"choose {count}" if count else "", spell_reference(entry.take("value")), sep=": ")
            others = "; ".join(f"{field.name}: {field.text}" for field in entry.also() if field.name != "level")
            level = entry.integer("level") or 1
            grants.setdefault(level, []).append(f"{line} ({others})" if others else line)
        if grants:
            details = {level: "; ".join(filter(None, lines)) for level, lines in sorted(grants.items())}
            features.append(Feature(name=title, levels=tuple(details), details=details))
    return features


def _proficiencies(profs: Fields) -> str:
    """One line per kind of proficiency: Armor: Light, Medium."""
    kinds = profs.unread()
    profs.drop(*kinds)
    return "\n".join(f"{_PROFICIENCIES.get(name) or titled(name)}: {chosen(value)}" for name, value in kinds.items())


def _starting_equipment(fields: Fields) -> str:
    """The starting equipment: choices, then fixed items."""
    lines = []
    for name in _EQUIPMENT:
        value = fields.take(name)
        line = listed(counts(value)) or "; ".join(filter(None, map(_bundle, members(value)))) or shown(value)
        lines += [f"{titled(name)}: {line}"] if line else []
    for selection in fields.entries("equipment-selections"):
        options = [_option(option) for option in selection.entries("options")]
        name = selection.text("name") or "Equipment"
        lines.append(selection.with_unread(f"{name}: {' or '.join(filter(None, options))}"))
    if base := fields.text("starting-equipment.base"):
        lines.append(f"Starting Equipment: as a {titled(base)}")
    return "\n".join(lines)


def _bundle(value: object) -> str:
    """A named choice of things: ``Tools: Lantern or 2 Oil``."""
    choice = mapping(value)
    things = counts(choice.get("options"))
    is_plain = things and choice.keys() <= {"name", "options"}
    return joined(text(choice.get("name")), " or ".join(things), sep=": ") if is_plain else shown(value)


def _option(fields: Fields) -> str:
    """One of several bundles: ``(b) leather (Longbow)``; what its name has already is not repeated."""
    name, grants = fields.text("name"), fields.part("grants")
    things = [thing for kind in grants.unread() for thing in grants.read(counts, kind) or []]
    others = shown(fields.unread())
    contents = listed([*(thing for thing in things if thing.lower() not in name.lower()), others])
    return f"{name} ({contents})" if name and contents else name or contents


def _spellcasting(fields: Fields) -> str:
    """The class's spellcasting: its ability, its list and its numbers by level, a line each."""
    casting = fields.part("spellcasting")
    if not casting.unread():
        return fields.text("spellcasting")
    if integer(casting.peek("level-factor")) in _CASTERS:
        casting.drop("level-factor")  # in the caster type
    lines = []
    if key := casting.text("ability"):
        lines.append(f"Spellcasting Ability: {ability_title(key)}")
    if mode := _MODES.get(text(casting.peek("known-mode"))):
        casting.drop("known-mode")
        lines += [] if casting.has("spells-known") else [mode]
    if casting.has("cantrips-known") and casting.peek("cantrips?") is True:
        casting.drop("cantrips?")
    for name in casting.unread():
        lines.append(f"{titled(name.removesuffix('?').removesuffix('-kw'))}: {by_level(casting.take(name))}")
    return "\n".join(lines)


def _spell_lists(fields: Fields) -> tuple[Section, ...]:
    """Lists such as ``:cleric-spells {1 {0 :bless 1 :cure-wounds}}``, level by level."""
    sections = []
    for name, value in fields.unread().items():
        lists = mapping(value)
        if not (name.endswith("-spells") or name == "spells") or not lists:
            continue
        if all(isinstance(entry, dict | list) for entry in lists.values()):
            fields.drop(name)
            levels = ((key, integer(key), spell_names(entry)) for key, entry in lists.items())
            lines = [
                f"{key if level is None else f'{ordinal(level)} level'}: {spells}" for key, level, spells in levels
            ]
            sections.append(Section(name=titled(name), text="; ".join(lines), type=slug(name)))
    return tuple(sections)


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
    printed = _traits(fields)
    abilities = fields.integers("abilities")
    derived = {
        "Ability Score Increase": listed(
            [*(f"{ability_title(key)} {bonus:+d}" for key, bonus in abilities.items() if bonus), _increases(fields)]
        ),
        "Languages": listed(map(titled, fields.names("languages") or fields.names("props.language"))),
        "Darkvision": f"{darkvision:g} feet" if darkvision else "",
        "Proficiencies": _proficiencies(fields.part("profs")),
        "Spells": "\n".join(map(_granted_spell, fields.entries("spells", "value"))),
    }
    names_printed = {trait.name.lower() for trait in printed}
    derived = {name: line for name, line in derived.items() if name.lower() not in names_printed}
    return Species(
        **common,
        subspecies_of=parent,
        is_subspecies=parent is not None,
        size=titled(fields.text("size")),
        speed=f"{speed} feet" if speed.isdigit() else speed,
        traits=(*sections_of(derived), *printed),
        other=fields.also(),
    )


def _granted_spell(entry: Fields) -> str:
    """A spell of a race with the level from which it may be cast."""
    level, spell = entry.integer("level"), spell_reference(entry.take("value"))
    return entry.with_unread(f"{f'From level {level}: ' if level else ''}{spell}")


def _traits(fields: Fields) -> tuple[Section, ...]:
    """Traits as titled paragraphs, with the level if they have one."""
    return tuple(
        Section(
            name=trait.name,
            text=joined(*(f"From level {level}." for level in trait.levels if level > 1), trait.text, sep="\n"),
            type=trait.type,
        )
        for trait in _features(fields)
    )


def background(common: CommonFields, fields: Fields, _book_classes: Keys) -> Background:
    """Return a background: proficiencies, equipment, then its feature."""
    profs = fields.part("profs")
    skills, tools = profs.names("skill", "skills"), profs.names("tool", "tools")
    parts = [
        ("Skill Proficiencies", "skill_proficiency", titles(skills)),
        ("Tool Proficiencies", "tool_proficiency", titles(tools)),
        ("Languages", "language", profs.read(_free_languages, "language-options") or ""),
        ("Ability Score Increase", "ability_score", _increases(fields)),
        ("Proficiencies", "proficiency", _proficiencies(profs)),
        ("Equipment", "equipment", _background_equipment(fields)),
    ]
    sections = [Section(name=name, text=line, type=kind) for name, kind, line in parts if line]
    return Background(**common, benefits=(*sections, *_traits(fields)), other=fields.also())


def _free_languages(value: object) -> str:
    """{:choose 2} is 2 of your choice."""
    options = mapping(value).get("options")
    count = integer(mapping(value).get("choose"))
    is_free = mapping(value).keys() <= {"choose", "options"} and (options is None or names(options) == ["any"])
    return f"{count} of your choice" if count and is_free else ""


def _background_equipment(fields: Fields) -> str:
    """Items with their numbers, choices, and coins: 2 Torch, 15 gp."""
    lines = [listed(fields.read(counts, name) or []) for name in ("equipment", "weapons", "armor")]
    for name in ("equipment-choices", "custom-equipment"):
        value = fields.take(name)
        lines.append("; ".join(map(_bundle, members(value))) or shown(value))
    return joined(*lines, listed(fields.read(counts, "treasure") or []), sep="; ")


def feat(common: CommonFields, fields: Fields, _book_classes: Keys) -> Feat:
    """Return a feat with its prerequisites; ability increases are a benefit."""
    increase = _increases(fields)
    benefits = (f"Ability Score Increase: {increase}",) if increase else ()
    return Feat(**common, prerequisite=_prerequisite(fields), benefits=benefits, other=fields.also())


def _prerequisite(fields: Fields) -> str:
    required = fields.names("prereqs", "prerequisites", "prerequisite")
    parts = [listed(_required_name(key) for key in required)]
    parts += [listed(f"{ability_title(name)} {score}" for name, score in fields.integers("prereqs").items())]
    paths = fields.take("path-prereqs")
    for name, value in mapping(paths).items():
        parts.append(f"{titled(name)}: {titles(names(value)) or shown(value)}")
    return joined(*parts, "" if mapping(paths) else shown(paths), sep="; ")


def _required_name(key: str) -> str:
    """A key as a name, words as they are; a kind of armor means proficiency with it."""
    if key in ("light", "medium", "heavy"):
        return f"proficiency with {key} armor"
    return key if " " in key else ability_title(key)


def _increases(fields: Fields) -> str:
    """Strength or Dexterity +1 for #{:str :dex}; Constitution +1, Any +1 for [[1 :con] [1 :any]]."""
    value = members(fields.peek("ability-increases"))
    pairs = [(text(entry[0]), text(entry[1])) for entry in value if isinstance(entry, list) and len(entry) == 2]
    keys = [key for entry in value if (key := text(entry))]
    if not value or len(value) not in (len(pairs), len(keys)):
        return ""
    fields.drop("ability-increases")
    if pairs:
        return listed(f"{ability_title(key)} +{count}" for count, key in pairs)
    abilities = [ability_title(key) for key in keys if "save" not in key.lower()]
    increase = f"{' or '.join(abilities)} +1" if abilities else ""
    return joined(increase, "and proficiency in its saving throws" if len(abilities) < len(keys) else "", sep=" ")


def feat_of(kind: str) -> Callable[[CommonFields, Fields, Keys], Feat]:
    """Return a function for options of a kind, such as pact boons."""
    return lambda common, fields, book_classes: feat(common, fields, book_classes).model_copy(update={"type": kind})


def selection(common: CommonFields, fields: Fields, book_classes: Keys) -> Feat:
    """Return a choice that classes offer, such as fighting styles; its options are its benefits."""
    value = fields.read(lambda value: value if isinstance(value, list | dict) else None, "options")
    options = [line for line in map(shown, mapping(value).values() or members(value)) if line]
    record = feat(common, fields, book_classes)
    return record.model_copy(update={"type": "Selection", "benefits": (*record.benefits, *options)})
