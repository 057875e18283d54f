"""Classes and subclasses: features and grants by level, proficiencies and spell lists, as readable text."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import ActionType, CharacterClass, Feature, Kind, Ref, Section
from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import ItemError, parent_key, slug
from lorekeeper_mcp.sources.json_values import whole_number
from lorekeeper_mcp.sources.orcbrew.benefits import benefit, increases, section
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.fields import Fields, Keys
from lorekeeper_mcp.sources.orcbrew.markup import (
    ability,
    ability_title,
    counted,
    counts,
    level_name,
    listed,
    scalar,
    selected_keys,
    titled,
    to_text,
)
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.stat_block import sections_of

_MODES = {
    "all": "Spells Known: all of its list", "schedule": "Spells Known: more by level",
    "acquire": "Spells Known: those that it acquires, as in a spellbook",
}  # fmt: skip
# The application's names for a class's share of a full caster's slots.
_CASTERS = {1: "full", 2: "half", 3: "third"}
_PROFICIENCIES = {
    "skill": "Skills", "skill-options": "Skills", "skill-expertise-options": "Skill Expertise", "tool": "Tools",
    "tool-options": "Tools", "weapon": "Weapons", "weapon-proficiency-options": "Weapons",
    "language-options": "Languages",
}  # fmt: skip


def character_class(common: CommonFields, fields: Fields, book_classes: Keys) -> CharacterClass:
    """Return a class or, by its kind, a subclass. Raises ItemError if a subclass does not name its class."""
    is_subclass = common["kind"] is Kind.SUBCLASS
    parent = fields.text("class") if is_subclass else ""
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    die, profs = fields.integer("hit-die"), fields.part("profs")
    saves = profs.names("save") or fields.names("saving-throws")
    flavor = scalar(fields.peek("subclass-title"))
    features = [*_subclass_level(fields), *traits(fields), *_gained_by_level(fields)]
    return CharacterClass(
        **common,
        subclass_of=Ref(name=titled(parent), key=parent_key(parent, book_classes, SRD_CLASSES)) if parent else None,
        flavor=flavor,
        hit_dice=f"d{die}" if die else "",
        caster_type=_caster_type(fields),
        saving_throws=tuple(ability(key).capitalize() for key in saves),
        proficiencies=proficiencies(profs),
        equipment=_equipment(fields),
        spellcasting=_spellcasting(fields),
        features=tuple(sorted(features, key=lambda feature: feature.levels[:1])),
        spells=_spells(fields),
        other=(*sections_of({"Ability Score Increase": increases(fields)}), *section(fields), *fields.other()),
    )


def proficiencies(profs: Fields) -> str:
    """Return one line per kind of proficiency: Armor: Light, Medium."""
    kinds = profs.unread()
    profs.drop(*kinds)
    return "\n".join(f"{_PROFICIENCIES.get(name) or titled(name)}: {_chosen(value)}" for name, value in kinds.items())


def _chosen(value: Plain) -> str:
    """``{:gaming-set 1}`` is choose 1 Gaming Set; ``{:choose 2 :options {:any true}}`` choose any 2."""
    if isinstance(value, dict) and is_free_choice(value):
        return f"choose any {scalar(value['choose'])}"
    numbers = listed(f"{count} {titled(name)}" for name, count in counts(value))
    return f"choose {numbers}" if numbers else to_text(value)


def is_free_choice(value: Mapping[str, Plain]) -> bool:
    """Whether it is a number to choose of anything: ``{:choose 2}``, ``{:choose 2 :options {:any true}}``."""
    options = value.get("options")
    are_any = options is None or (isinstance(options, dict) and selected_keys(options) == ["any"])
    return "choose" in value and value.keys() <= {"choose", "options"} and are_any


def _caster_type(fields: Fields) -> str:
    casting = fields.peek("spellcasting")
    factor = whole_number(casting.get("level-factor")) if isinstance(casting, dict) else None
    return _CASTERS.get(factor or 0, "")


def _equipment(fields: Fields) -> str:
    """The starting equipment: choices, then fixed items."""
    lines = []
    for name in ("equipment-choices", "weapon-choices", "armor-choices", "weapons", "armor", "equipment", "treasure"):
        value = fields.take(name)
        if text := listed(counted(*item) for item in counts(value)) or to_text(value):
            lines.append(f"{titled(name)}: {text}")
    lines += map(_selection, fields.entries("equipment-selections"))
    base = fields.peek("starting-equipment")
    if isinstance(base, dict) and base.keys() == {"base"}:
        lines.append(f"Starting Equipment: as a {titled(scalar(fields.part('starting-equipment').take('base')))}")
    return "\n".join(filter(None, lines))


def _selection(value: Plain) -> str:
    """A choice of bundles: ``Armor: (a) chain mail or (b) leather (Leather, Longbow)``."""
    options = value.get("options") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(options, list) or value.keys() - {"name", "options"}:
        return to_text(value)
    bundles = []
    for option in options:
        fields = Fields(option if isinstance(option, dict) else {"name": option})
        name, grants = fields.text("name"), fields.part("grants")
        items: list[str] = []
        for kind, value_of_kind in grants.unread().items():
            if counts(value_of_kind):
                grants.drop(kind)
                items += (counted(*item) for item in counts(value_of_kind))
        contents = listed([*(item for item in items if item.lower() not in name.lower()), to_text(fields.unread())])
        bundles.append(f"{name} ({contents})" if name and contents else name or contents)
    return f"{scalar(value.get('name')) or 'Equipment'}: {' or '.join(bundles)}"


def _spellcasting(fields: Fields) -> str:
    """The class's spellcasting: its ability, its list and its numbers by level, a line each."""
    casting = fields.part("spellcasting")
    if not casting.unread():
        return fields.text("spellcasting")
    if whole_number(casting.peek("level-factor")) in _CASTERS:
        casting.drop("level-factor")  # in the caster type
    lines = []
    if key := casting.text("ability"):
        lines.append(f"Spellcasting Ability: {ability_title(key)}")
    if mode := _MODES.get(scalar(casting.peek("known-mode"))):
        casting.drop("known-mode")
        if not casting.has("spells-known"):
            lines.append(mode)
    if casting.peek("cantrips-known") and casting.peek("cantrips?") is True:
        casting.drop("cantrips?")
    others = casting.unread()
    casting.drop(*others)
    for name, value in others.items():
        lines.append(f"{titled(name.removesuffix('?').removesuffix('-kw'))}: {_by_level(value)}")
    return "\n".join(lines)


def _by_level(value: Plain) -> str:
    """{1 3 4 1} is 3 (1st level), 1 (4th level); {1 #{:bless}} is Bless (1st level)."""
    levels = {whole_number(key): member for key, member in value.items()} if isinstance(value, dict) else {}
    by_name = {level_name(level): member for level, member in levels.items() if level is not None}
    if not by_name or None in levels:
        return to_text(value)
    return ", ".join(f"{_spell_names(member) or to_text(member)} ({name})" for name, member in by_name.items())


def _subclass_level(fields: Fields) -> list[Feature]:
    """The level of the subclass choice, with the class's title for it, and the levels of ability increases."""
    level = fields.integer("subclass-level")
    title, help_text = fields.text("subclass-title"), fields.text("subclass-help")
    increase_levels = [number for number in map(whole_number, fields.names("ability-increase-levels")) if number]
    features = []
    if level or title or help_text:
        text = f"You choose a subclass.\n\n{help_text}".strip()
        features.append(Feature(name=title or "Subclass", text=text, levels=(level,) if level else ()))
    if increase_levels:
        features.append(Feature(name="Ability Score Improvement", levels=tuple(increase_levels)))
    return features


def traits(fields: Fields) -> list[Feature]:
    """Return the traits of a class, a race or a background, in the order of the file."""
    features = []
    for trait in fields.traits():
        level, name, kind = trait.integer("level"), trait.text("name"), _used_as(trait)
        text = trait.with_unread(trait.text("description", "text"), trait.text("summary"))
        features.append(Feature(name=name, text=text, type=kind, levels=(level,) if level else ()))
    return features


def _used_as(trait: Fields) -> str:
    """The activation of a trait, from its ``:type``: action, bonus-action, reaction …; any other type stays."""
    text = scalar(trait.peek("type"))
    kind = slug(text) if text else ""
    if kind == "other":
        trait.drop("type")
    kind = "bonus-action" if kind == "b-action" else kind
    if kind not in tuple(ActionType):
        return ""
    trait.drop("type")
    return kind


def _gained_by_level(fields: Fields) -> list[Feature]:
    """Grants by level other than features, such as proficiencies and choices: one feature, a line per level."""
    features = []
    for name, title in (("level-modifiers", "Gained by Level"), ("level-selections", "Chosen by Level")):
        grants: dict[int, list[str]] = {}
        for entry in fields.entry_fields(name, "value"):
            grants.setdefault(entry.integer("level") or 1, []).append(_grant(entry))
        if grants:
            details = {level: "; ".join(filter(None, texts)) for level, texts in sorted(grants.items())}
            features.append(Feature(name=title, levels=tuple(details), details=details))
    return features


def _grant(entry: Fields) -> str:
    """{:type :skill-prof :value :history} is Skill Proficiency: History."""
    kind = entry.text("type")
    if phrase := benefit(kind, entry.peek("value")):
        entry.drop("value")
        others = entry.unread()
        return f"{phrase} ({to_text(others)})" if others else phrase
    title = f"{titled(kind.removesuffix('-prof'))}{' Proficiency' if kind.endswith('-prof') else ''}"
    others = entry.unread()
    count = whole_number(others.get("num")) if others.keys() == {"num"} else None
    return joined(title, f"choose {count}" if count else to_text(others), sep=": ")


def _spells(fields: Fields) -> tuple[Section, ...]:
    """Lists such as ``:cleric-spells {1 {0 :bless 1 :cure-wounds}}``, level by level."""
    sections = []
    for name, value in fields.unread().items():
        if not name.endswith("-spells") and name != "spells":
            continue
        if isinstance(value, dict) and all(isinstance(keys, dict | list) for keys in value.values()):
            fields.drop(name)
            lines = []
            for key, names in value.items():
                level = whole_number(key)
                lines.append(f"{key if level is None else f'{ordinal(level)} level'}: {_spell_names(names)}")
            sections.append(Section(name=titled(name), text="; ".join(lines), type=slug(name)))
    return tuple(sections)


def _spell_names(value: Plain) -> str:
    members = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return listed(titled(scalar(member)) or to_text(member) for member in members)
