"""Classes and subclasses: features by level, what levels grant, proficiencies, spell lists, as readable text."""

from __future__ import annotations

from lorekeeper_mcp.models import CharacterClass, Feature, Kind, Ref, Section
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.imported import CommonFields, ItemError, parent_key, slug
from lorekeeper_mcp.sources.orcbrew.common_fields import Keys
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.fields import Fields, whole
from lorekeeper_mcp.sources.orcbrew.text import ability, ability_title, listed, scalar, selected_keys, titled, to_text

# What the application calls the share of slots that a class gets of a full caster's.
_CASTERS = {1: "full", 2: "half", 3: "third"}


def character_class(head: CommonFields, fields: Fields, own: Keys) -> CharacterClass:
    """A class or, by the kind in its head, a subclass. ``own`` are the classes of its book."""
    subclass = head["kind"] is Kind.SUBCLASS
    parent = fields.text("class") if subclass else ""
    if subclass and not parent:
        raise ItemError("it does not say of which class it is")
    die = fields.integer("hit-die")
    profs = fields.part("profs")
    saves = profs.names("save") or fields.names("saving-throws")
    return CharacterClass(
        **head,
        subclass_of=Ref(name=titled(parent), key=parent_key(parent, own, SRD_CLASSES)) if parent else None,
        flavor=fields.text("subclass-title"),
        hit_dice=f"d{die}" if die else "",
        caster_type=_caster(fields),
        saving_throws=tuple(ability(key).capitalize() for key in saves),
        proficiencies=proficiencies(profs),
        equipment=_equipment(fields),
        spellcasting=_told(fields, "spellcasting"),
        features=(*_subclass_level(fields), *_features(fields), *_granted(fields)),
        spells=_spells(fields),
        other=fields.other(),
    )


def proficiencies(profs: Fields) -> str:
    """Every kind of proficiency on a line of its own: Armor: Light, Medium."""
    lines = [f"{titled(name)}: {_named(value)}" for name, value in profs.rest().items()]
    profs.drop(*profs.rest())
    return "\n".join(lines)


def _named(value: Plain) -> str:
    """Keys as names: {:light true :medium true} is Light, Medium; a choice says what may be chosen."""
    if isinstance(value, dict) and "choose" in value:
        options = value.get("options")
        rest: dict[str, Plain] = {key: v for key, v in value.items() if key not in ("choose", "options")}
        of = listed(titled(key) for key in selected_keys(options)) or to_text(options)
        return f"choose {scalar(value['choose']) or to_text(value['choose'])}{f' of {of}' if of else ''}" + (
            f" ({to_text(rest)})" if rest else ""
        )
    if isinstance(value, dict) and all(isinstance(on, bool) for on in value.values()):
        return listed(ability_title(key) for key in selected_keys(value))
    return to_text(value)


def _told(fields: Fields, name: str) -> str:
    return to_text(fields.take(name)) if fields.has(name) else ""


def _caster(fields: Fields) -> str:
    casting = fields.look("spellcasting")
    factor = whole(casting.get("level-factor")) if isinstance(casting, dict) else None
    return _CASTERS.get(factor or 0, "")


def _equipment(fields: Fields) -> str:
    """What the class begins with: choices, then what is certain."""
    names = ("equipment-choices", "weapon-choices", "armor-choices", "weapons", "armor", "equipment", "treasure")
    return "\n".join(f"{titled(name)}: {text}" for name in names if (text := _told(fields, name)))


def _subclass_level(fields: Fields) -> list[Feature]:
    level = fields.integer("subclass-level")
    increases = [at for entry in fields.names("ability-increase-levels") if (at := whole(entry))]
    chosen_at = [Feature(name="Subclass", text="A subclass is chosen.", levels=(level,))] if level else []
    improved = Feature(name="Ability Score Improvement", levels=tuple(increases))
    return [*chosen_at, *([improved] if increases else [])]


def _features(fields: Fields) -> list[Feature]:
    """Traits in the order of their levels."""
    found: list[tuple[int, Feature]] = []
    for entry in fields.entries("traits"):
        if not isinstance(entry, dict):
            found.append((0, Feature(name="", text=to_text(entry))))
            continue
        one = Fields(entry)
        level = one.integer("level")
        name, text = one.text("name"), one.text("description", "text")
        kind = one.text("type")
        rest = one.rest()
        text = "\n".join(part for part in (text, to_text(rest) if rest else "") if part)
        found.append((level or 0, Feature(name=name, text=text, type=kind, levels=(level,) if level else ())))
    return [feature for _, feature in sorted(found, key=lambda pair: pair[0])]


def _granted(fields: Fields) -> list[Feature]:
    """What levels grant beside features, such as proficiencies and choices: one feature, a line for each level."""
    found = []
    for name, title in (("level-modifiers", "Gained by Level"), ("level-selections", "Chosen by Level")):
        details: dict[int, list[str]] = {}
        for entry in fields.entries(name):
            one = Fields(entry) if isinstance(entry, dict) else Fields({"value": entry})
            details.setdefault(one.integer("level") or 1, []).append(_grant(one))
        if details:
            told_by_level = {level: "; ".join(filter(None, texts)) for level, texts in sorted(details.items())}
            found.append(Feature(name=title, levels=tuple(sorted(details)), details=told_by_level))
    return found


def _grant(one: Fields) -> str:
    """{:type :skill-prof :value :history} is Skill Prof: History."""
    kind = titled(one.text("type"))
    value = one.look("value")
    single = scalar(value)
    if single:
        one.drop("value")
    rest = one.rest()
    text = ability_title(single) if single else ""
    return ": ".join(part for part in (kind, text, to_text(rest) if rest else "") if part)


def _spells(fields: Fields) -> tuple[Section, ...]:
    """Lists such as ``:cleric-spells {1 {0 :bless 1 :cure-wounds}}``, a line for each level."""
    found = []
    for name in [name for name in fields.rest() if name.endswith("-spells") or name == "spells"]:
        value = fields.look(name)
        if isinstance(value, dict) and value and all(isinstance(keys, dict | list) for keys in value.values()):
            fields.drop(name)
            lines = [f"{level}: {_spell_names(keys)}" for level, keys in value.items()]
            found.append(Section(name=titled(name), text="\n".join(lines), type=slug(name)))
    return tuple(found)


def _spell_names(value: Plain) -> str:
    members = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return listed(titled(scalar(member)) or to_text(member) for member in members)
