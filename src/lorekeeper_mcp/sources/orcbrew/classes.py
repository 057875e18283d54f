"""Classes and subclasses: features and grants by level, proficiencies and spell lists, as readable text."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import ActionType, CharacterClass, Feature, Kind, Ref, Section
from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import ItemError, parent_key, slug
from lorekeeper_mcp.sources.orcbrew.benefits import benefit, increases, section
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.fields import Fields, Keys, whole
from lorekeeper_mcp.sources.orcbrew.markup import (
    ability,
    ability_title,
    counted,
    counts,
    listed,
    scalar,
    selected_keys,
    titled,
    to_text,
)
from lorekeeper_mcp.sources.stat_block import sections_of

_MODES = {
    "all": "Spells Known: all of its list", "schedule": "Spells Known: more by level",
    "acquire": "Spells Known: those that it acquires, as in a spellbook",
}  # fmt: skip
# The application's names for a class's share of a full caster's slots.
_CASTERS = {1: "full", 2: "half", 3: "third"}


def character_class(head: CommonFields, fields: Fields, own: Keys) -> CharacterClass:
    """Return a class or, by the kind in its head, a subclass. ``own`` are the classes of its book."""
    subclass = head["kind"] is Kind.SUBCLASS
    parent = fields.text("class") if subclass else ""
    if subclass and not parent:
        raise ItemError("it does not name its class")
    die, profs = fields.integer("hit-die"), fields.part("profs")
    saves = profs.names("save") or fields.names("saving-throws")
    flavor = scalar(fields.peek("subclass-title"))
    features = (*_subclass_level(fields), *_features(fields), *_granted(fields))
    return CharacterClass(
        **head,
        subclass_of=Ref(name=titled(parent), key=parent_key(parent, own, SRD_CLASSES)) if parent else None,
        flavor=flavor,
        hit_dice=f"d{die}" if die else "",
        caster_type=_caster(fields),
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
    given = profs.unread()
    profs.drop(*given)
    return "\n".join(f"{_PROFICIENCIES.get(name) or titled(name)}: {_chosen(value)}" for name, value in given.items())


def _chosen(value: Plain) -> str:
    """``{:gaming-set 1}`` is choose 1 Gaming Set; ``{:choose 2 :options {:any true}}`` choose any 2."""
    if isinstance(value, dict) and is_free_choice(value):
        return f"choose any {scalar(value['choose'])}"
    numbered = listed(f"{count} {titled(thing)}" for thing, count in counts(value))  # {:gaming-set 1}
    return f"choose {numbered}" if numbered else to_text(value)


def is_free_choice(value: Mapping[str, Plain]) -> bool:
    """Whether it is a number to choose of anything: ``{:choose 2}``, ``{:choose 2 :options {:any true}}``."""
    options = value.get("options")
    whatever = options is None or (isinstance(options, dict) and selected_keys(options) == ["any"])
    return "choose" in value and value.keys() <= {"choose", "options"} and whatever


_PROFICIENCIES = {
    "skill": "Skills", "skill-options": "Skills", "skill-expertise-options": "Skill Expertise", "tool": "Tools",
    "tool-options": "Tools", "weapon": "Weapons", "weapon-proficiency-options": "Weapons",
    "language-options": "Languages",
}  # fmt: skip


def _caster(fields: Fields) -> str:
    casting = fields.peek("spellcasting")
    factor = whole(casting.get("level-factor")) if isinstance(casting, dict) else None
    return _CASTERS.get(factor or 0, "")


def _equipment(fields: Fields) -> str:
    """The starting equipment: choices, then fixed items."""
    names = ("equipment-choices", "weapon-choices", "armor-choices", "weapons", "armor", "equipment", "treasure")
    given = {name: fields.take(name) for name in names}
    contents = {name: listed(counted(*one) for one in counts(value)) or to_text(value) for name, value in given.items()}
    lines = [f"{titled(name)}: {text}" for name, text in contents.items() if text]
    lines += [_selection(one) for one in fields.entries("equipment-selections")]
    base = fields.peek("starting-equipment")
    if isinstance(base, dict) and base.keys() == {"base"}:
        lines.append(f"Starting Equipment: as a {titled(scalar(fields.part('starting-equipment').take('base')))}")
    return "\n".join(filter(None, lines))


def _selection(one: Plain) -> str:
    """A choice of bundles: ``Armor: (a) chain mail or (b) leather (Leather, Longbow)``."""
    options = one.get("options") if isinstance(one, dict) else None
    if not isinstance(one, dict) or not isinstance(options, list) or one.keys() - {"name", "options"}:
        return to_text(one)
    bundles = []
    for option in options:
        fields = Fields(option) if isinstance(option, dict) else Fields({"name": option})
        name, grants = fields.text("name"), fields.part("grants")
        kinds = [kind for kind in grants.unread() if counts(grants.peek(kind))]
        things = [counted(thing, count) for kind in kinds for thing, count in counts(grants.take(kind))]
        more = fields.unread()
        inside = listed([*(thing for thing in things if thing.lower() not in name.lower()), to_text(more)])
        bundles.append(f"{name} ({inside})" if name and inside else name or inside)
    return f"{scalar(one.get('name')) or 'Equipment'}: {' or '.join(bundles)}"


def _spellcasting(fields: Fields) -> str:
    """The class's spellcasting: its ability, its list and its numbers by level, a line each."""
    casting = fields.part("spellcasting")
    if not casting.unread():
        return fields.text("spellcasting")
    if whole(casting.peek("level-factor")) in _CASTERS:
        casting.drop("level-factor")  # in the caster type
    lines = [f"Spellcasting Ability: {ability_title(key)}"] if (key := casting.text("ability")) else []
    if mode := _MODES.get(scalar(casting.peek("known-mode"))):
        casting.drop("known-mode")
        lines += [mode] if not casting.has("spells-known") else []
    if casting.peek("cantrips-known") and casting.peek("cantrips?") is True:
        casting.drop("cantrips?")
    rest = casting.unread()
    casting.drop(*rest)
    named = ((titled(name.removesuffix("?").removesuffix("-kw")), value) for name, value in rest.items())
    return "\n".join([*lines, *(f"{name}: {_by_level(value)}" for name, value in named)])


def _by_level(value: Plain) -> str:
    """{1 3 4 1} is 3 (1st level), 1 (4th level); {1 #{:bless}} is Bless (1st level)."""
    levels = {whole(key): one for key, one in value.items()} if isinstance(value, dict) else {}
    if not levels or None in levels:
        return to_text(value)
    by_level = {f"{ordinal(at)} level" if at else "cantrip": one for at, one in levels.items()}
    return ", ".join(f"{_spell_names(one) or to_text(one)} ({at})" for at, one in by_level.items())


def _subclass_level(fields: Fields) -> list[Feature]:
    """The level of the subclass choice, with the class's title for it, and the levels of ability increases."""
    level, title, about = fields.integer("subclass-level"), fields.text("subclass-title"), fields.text("subclass-help")
    increases = [at for entry in fields.names("ability-increase-levels") if (at := whole(entry))]
    text = f"You choose a subclass.\n\n{about}".strip()
    chosen = Feature(name=title or "Subclass", text=text, levels=(level,) if level else ())
    improved = Feature(name="Ability Score Improvement", levels=tuple(increases))
    return [*([chosen] if level or title or about else []), *([improved] if increases else [])]


def _features(fields: Fields) -> list[Feature]:
    """Traits in order of level."""
    found = []
    for entry in fields.entries("traits"):
        if not isinstance(entry, dict):
            found.append(Feature(name="", text=to_text(entry)))
            continue
        one = Fields(entry)
        level, name, kind = one.integer("level"), one.text("name"), used_as(one)
        text = one.with_unread(one.text("description", "text"), one.text("summary"))
        found.append(Feature(name=name, text=text, type=kind, levels=(level,) if level else ()))
    return sorted(found, key=lambda feature: feature.levels)


def used_as(one: Fields) -> str:
    """Return the activation of a trait, from its ``:type``: action, bonus-action, reaction …; any other type stays."""
    kind = slug(found) if (found := scalar(one.peek("type"))) else ""
    if kind == "other":
        one.drop("type")
    kind = "bonus-action" if kind == "b-action" else kind
    if kind not in tuple(ActionType):
        return ""
    one.drop("type")
    return kind


def _granted(fields: Fields) -> list[Feature]:
    """Grants by level other than features, such as proficiencies and choices: one feature, a line per level."""
    found = []
    for name, title in (("level-modifiers", "Gained by Level"), ("level-selections", "Chosen by Level")):
        details: dict[int, list[str]] = {}
        for entry in fields.entries(name):
            one = Fields(entry) if isinstance(entry, dict) else Fields({"value": entry})
            details.setdefault(one.integer("level") or 1, []).append(_grant(one))
        if details:
            by_level = {level: "; ".join(filter(None, texts)) for level, texts in sorted(details.items())}
            found.append(Feature(name=title, levels=tuple(sorted(details)), details=by_level))
    return found


def _grant(one: Fields) -> str:
    """{:type :skill-prof :value :history} is Skill Proficiency: History."""
    given = one.text("type")
    if phrase := benefit(given, one.peek("value")):
        one.drop("value")
        more = one.unread()
        return f"{phrase}{f' ({to_text(more)})' if more else ''}"
    kind = f"{titled(given.removesuffix('-prof'))}{' Proficiency' if given.endswith('-prof') else ''}"
    rest = one.unread()
    count = whole(rest.get("num")) if rest.keys() == {"num"} else None
    return ": ".join(part for part in (kind, f"choose {count}" if count else to_text(rest)) if part)


def _level(text: str) -> str:
    at = whole(text)
    return f"{ordinal(at)} level" if at is not None else text


def _spells(fields: Fields) -> tuple[Section, ...]:
    """Lists such as ``:cleric-spells {1 {0 :bless 1 :cure-wounds}}``, level by level."""
    found = []
    for name in [name for name in fields.unread() if name.endswith("-spells") or name == "spells"]:
        value = fields.peek(name)
        if isinstance(value, dict) and value and all(isinstance(keys, dict | list) for keys in value.values()):
            fields.drop(name)
            lines = [f"{_level(level)}: {_spell_names(keys)}" for level, keys in value.items()]
            found.append(Section(name=titled(name), text="; ".join(lines), type=slug(name)))
    return tuple(found)


def _spell_names(value: Plain) -> str:
    members = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return listed(titled(scalar(member)) or to_text(member) for member in members)
