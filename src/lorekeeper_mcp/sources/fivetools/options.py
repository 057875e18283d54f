"""Character options: classes and subclasses, races and subraces, backgrounds, feats and optional features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import (
    Background,
    CharacterClass,
    Feat,
    Feature,
    Kind,
    Ref,
    Reference,
    Section,
    Species,
    TableColumn,
)
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    as_object,
    integer,
    listed,
    mapping,
    members,
    objects,
    sections_of,
)
from lorekeeper_mcp.sources.fivetools.context import Context, DependentItems, code, feature_reference
from lorekeeper_mcp.sources.fivetools.creatures import size_names
from lorekeeper_mcp.sources.fivetools.entries import block_text, inline, markdown
from lorekeeper_mcp.sources.fivetools.growth import grow, size_of
from lorekeeper_mcp.sources.fivetools.tags import plain_text, text_in
from lorekeeper_mcp.sources.fivetools.values import (
    FEATS,
    ability_name,
    additional_spells,
    grants,
    item_fields,
    plain_texts,
    prerequisite_text,
    print_value,
    scores,
)
from lorekeeper_mcp.sources.imported import ItemError, slug
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.text import label

FEATURES = {
    "AF": "Alchemical Formula", "AI": "Artificer Infusion", "AS": "Arcane Shot", "AS:V1-UA": "Arcane Shot (V1)",
    "AS:V2-UA": "Arcane Shot (V2)", "ED": "Elemental Discipline", "EI": "Eldritch Invocation",
    "FS:B": "Fighting Style (Bard)", "FS:F": "Fighting Style (Fighter)", "FS:P": "Fighting Style (Paladin)",
    "FS:R": "Fighting Style (Ranger)", "MM": "Metamagic", "MV": "Maneuver",
    "MV:B": "Maneuver (Battle Master)", "MV:C2-UA": "Maneuver (Cavalier V2)", "OR": "Onomancy Resonant",
    "OTH": "Other", "PB": "Pact Boon", "RN": "Rune Knight Rune", "RP": "Renown Perk", "TT": "Traveler's Trick",
}  # fmt: skip
# The identity of a feature, and the site's display settings.
_FEATURE_FIELDS = ("name", "source", "className", "classSource", "subclassShortName", "subclassSource", "level",
                   "entries", "header", "type")  # fmt: skip
_WORTHS = {"value": "", "worthValue": "worth ", "containsValue": "containing "}  # fields in copper pieces
_CASTERS = {"": "", "full": "full", "1/2": "half", "1/3": "third", "artificer": "half", "pact": "pact"}


# --- Classes ---


def character_class(head: CommonFields, fields: Fields, context: Context) -> CharacterClass:
    """Return a class or, by the kind in its head, a subclass."""
    is_subclass = head["kind"] is Kind.SUBCLASS
    section = "subclass" if is_subclass else "class"
    parent = str(fields.take("className") or "") if is_subclass else ""
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    parent_source = str(fields.take("classSource") or "") if is_subclass else ""
    dice, caster = mapping(fields.take("hd")), str(fields.peek("casterProgression") or "")
    if caster in _CASTERS:
        fields.drop("casterProgression")
    dice_number = "" if dice.get("number", 1) == 1 else dice["number"]
    fields.drop("shortName")  # the name that references in the file use
    groups = listed(fields.take(f"{section}TableGroups"))
    table = _table(groups)
    titles = [text_in(mapping(group), "title") for group in groups]
    titles += [column.name for column in table if not column.cells]  # columns without cells, which no page has
    requirements = mapping(fields.take("requirements"))
    notes = {
        "Table": joined(*titles),
        "Requirements": joined(scores(requirements), markdown(requirements.get("entries")), sep="\n\n"),
        "Multiclassing": _multiclassing(fields.take("multiclassing")),
    }
    return CharacterClass(
        **head,
        subclass_of=Ref(name=parent, key=context.class_key(parent, parent_source)) if parent else None,
        flavor=inline(fields.take("subclassTitle")),
        hit_dice=f"{dice_number}d{dice['faces']}" if dice.get("faces") else "",
        caster_type=_CASTERS.get(caster, ""),
        primary_abilities=tuple(
            ability_name(ability) for spec in listed(fields.take("primaryAbility")) for ability in mapping(spec)
        ),
        saving_throws=tuple(map(ability_name, plain_texts(fields.take("proficiency")))),
        proficiencies=_proficiencies(mapping(fields.take("startingProficiencies"))),
        equipment=_class_equipment(fields.take("startingEquipment")),
        spellcasting=ability_name(inline(fields.take("spellcastingAbility"))),
        features=_features(listed(fields.take(f"{section}Features")), f"{section}Feature", context),
        table=table,
        spells=additional_spells(fields),
        other=(*sections_of(notes), *fields.also()),
    )


def _features(references: Sequence[object], section: str, context: Context) -> tuple[Feature, ...]:
    """Features in the order of the class; one that is not in the file is named without a text."""
    features = []
    for reference in references:
        name, key, source = feature_reference(reference, section)
        level, text = integer(key[-1]), ""
        if item := context.dependents.find(section, key, source):
            entries = _with_references(item.get("entries"), section, context.dependents)
            text = joined(markdown(entries), _other_fields(item), sep="\n\n")
        features.append(Feature(name=plain_text(name), text=text, levels=(level,) if level else ()))
    return tuple(features)


def _other_fields(feature: Mapping[str, object]) -> str:
    """The fields of a feature that are not its text, line by line."""
    fields = item_fields(feature)
    fields.drop(*_FEATURE_FIELDS)
    return "\n".join(f"{label(part.name)}: {part.text}" for part in (*additional_spells(fields), *fields.also()))


def _with_references(entries: object, section: str, features: DependentItems, depth: int = 0) -> object:
    """Entries with references to features of the section replaced by the features."""
    if isinstance(entries, list):
        return [_with_references(entry, section, features, depth) for entry in entries]
    if not isinstance(entries, Mapping) or depth > 6:
        return entries
    if entries.get("type") == f"ref{section[0].upper()}{section[1:]}":
        _, key, source = feature_reference(entries, section)
        if (item := features.find(section, key, source)) is None:
            return entries
        grow(size_of(item))
        inner = _with_references(item.get("entries"), section, features, depth + 1)
        return {"type": "entries", "name": item.get("name"), "entries": [*listed(inner), _other_fields(item)]}
    return {
        field: _with_references(value, section, features, depth) if field in ("entries", "items") else value
        for field, value in entries.items()
    }


def _proficiencies(values: Mapping[str, object]) -> str:
    # The site has some of them a second time, for programs.
    repeated = {f"{name}Proficiencies" for name in ("tool", "weapon", "armor") if f"{name}s" in values}
    texts = {name: grants(value) for name, value in values.items() if name not in repeated}
    return "\n".join(f"{label(name)}: {text}" for name, text in texts.items() if text)


def _multiclassing(value: object) -> str:
    """The prerequisites for multiclassing, and the proficiencies gained."""
    fields = item_fields(mapping(value))
    required = joined(scores(fields.take("requirements")), inline(fields.take("requirementsSpecial")), sep="; ")
    gained, text = _proficiencies(mapping(fields.take("proficienciesGained"))), markdown(fields.take("entries"))
    others = (f"{part.name}: {part.text}" for part in fields.also())
    return joined(f"Requires {required}" if required else "", gained, text, *others, sep="\n\n")


def _class_equipment(value: object) -> str:
    spec = mapping(value)
    if not spec:
        return markdown(value)
    lines = [f"- {line}" for line in plain_texts(spec.get("default"))]
    gold = f"- or {inline(spec['goldAlternative'])} gp" if spec.get("goldAlternative") else ""
    entries = markdown(spec.get("entries"))
    for_programs = _equipment(spec.get("defaultData")) if not lines and not entries else ""
    return joined(*lines, gold, entries, for_programs, sep="\n")


def _equipment(value: object) -> str:
    """Starting equipment: ``10 torches, a cloak; (a) staff``."""
    choices = (choice for spec in members(value) for choice in mapping(spec).items())
    texts = ((choice, ", ".join(filter(None, map(_equipment_item, listed(items))))) for choice, items in choices)
    return "; ".join(names if choice == "_" else f"({choice}) {names}" for choice, names in texts)


def _equipment_item(value: object) -> str:
    spec = as_object(value, "item")
    fields = ("displayName", "item", "special")
    name = next((text_in(spec, field).partition("|")[0] for field in fields if spec.get(field)), "")
    coins = [
        f"{words}{cents / 100:g} gp"
        for field, words in _WORTHS.items()
        if (cents := integer(spec.get(field))) is not None
    ]
    known = {*fields, *_WORTHS, "quantity"}
    coins.append(print_value({key: part for key, part in spec.items() if key not in known}))
    details = joined(*coins)
    return joined(print_value(spec.get("quantity")), name, f"({details})" if details and name else details, sep=" ")


def _table(groups: list[object]) -> tuple[TableColumn, ...]:
    """The columns of the class table, level by level."""
    columns = []
    for group in map(mapping, groups):
        labels = [inline(title) for title in listed(group.get("colLabels"))]
        rows = [listed(row) for row in members(group.get("rows") or group.get("rowsSpellProgression"))]
        width = max([len(labels), *map(len, rows)])
        for at, name in enumerate([*labels, *[""] * (width - len(labels))]):
            cells = {level: inline(row[at]) for level, row in enumerate(rows, 1) if at < len(row)}
            if cells or name:
                columns.append(TableColumn(name=name, cells=cells))
    return tuple(columns)


# --- Races and backgrounds ---


def race(head: CommonFields, fields: Fields, context: Context) -> Species:
    """Return a race (species), or a subrace of one."""
    parent, parent_source = str(fields.take("raceName") or ""), str(fields.take("raceSource") or "")
    blocks = _blocks(head, fields)
    values = {
        "Ability Score Increase": grants(fields.take("ability")),
        "Age": print_value(fields.take("age")),
        "Darkvision": f"{darkvision:g} ft." if (darkvision := fields.number("darkvision")) else "",
        "Languages": grants(fields.take("languageProficiencies")),
        "Skills": grants(fields.take("skillProficiencies")),
        "Tools": grants(fields.take("toolProficiencies")),
        "Resistances": grants(fields.take("resist")),
    }
    printed = {block.name.lower() for block in blocks}
    traits = sections_of({name: text for name, text in values.items() if name.lower() not in printed})
    return Species(
        **head,
        subspecies_of=Ref(name=parent, key=context.race_key(parent, parent_source)) if parent else None,
        is_subspecies=bool(parent),
        size=" or ".join(size.capitalize() for size in size_names(fields.take("size"))),
        speed=_speed(fields.take("speed")),
        traits=(*blocks, *traits, *additional_spells(fields)),
        other=fields.also(),
    )


def _speed(value: object) -> str:
    texts = []
    for mode, speed in as_object(value, "walk").items():
        spec = as_object(speed, "number")
        feet, condition = spec.get("number"), text_in(spec, "condition")
        distance = "equal to its walking speed" if feet is True else f"{feet} ft." if integer(feet) else inline(feet)
        texts.append(joined("" if mode == "walk" else mode, distance, condition, sep=" "))
    return joined(*texts)


def background(head: CommonFields, fields: Fields, _: Context) -> Background:
    """Return a background: its benefits, then the blocks of its text."""
    blocks = _blocks(head, fields)
    values = {
        "Prerequisite": prerequisite_text(fields.take("prerequisite")),
        "Skill Proficiencies": grants(fields.take("skillProficiencies")),
        "Tool Proficiencies": grants(fields.take("toolProficiencies")),
        "Languages": grants(fields.take("languageProficiencies")),
        "Ability Scores": grants(fields.take("ability")),
        "Feat": grants(fields.take("feats")),
        "Equipment": _equipment(fields.take("startingEquipment")),
    }
    fields.drop("fromFeature")  # the feature that grants it
    features = (Section(name=block.name.removesuffix(":"), text=block.text) for block in blocks)
    other = (*additional_spells(fields), *fields.also())
    return Background(**head, benefits=(*sections_of(values), *features), other=other)


def _blocks(head: CommonFields, fields: Fields) -> list[Section]:
    """The blocks of an option with names; the others are added to its text."""
    entries = listed(fields.take("entries"))
    unnamed = markdown([entry for entry in entries if not mapping(entry).get("name")])
    head["text"] = joined(head["text"], unnamed, sep="\n\n")
    named = [block for block in objects(entries) if block.get("name")]
    return [Section(name=text_in(block, "name"), text=block_text(block)) for block in named]


def with_subraces(value: object) -> list[object]:
    """Return a race, and each of its nested subraces as a separate item."""
    if not isinstance(value, dict) or not isinstance(value.get("subraces"), list):
        return [value]
    name, source = value.get("name"), value.get("source")
    own = {field: part for field, part in value.items() if field != "subraces"}
    parent = {"source": source, "raceName": name, "raceSource": source, "_subrace": True}
    return [own, *({**parent, **subrace} for subrace in objects(value["subraces"]) if subrace.get("name"))]


def subrace_name(item: Mapping[str, object]) -> str:
    """Return the name of a subrace with its race: ``Elf (Fen)``."""
    name, parent = text_in(item, "name"), str(item.get("raceName") or "")
    return f"{parent} ({name})" if name and parent else name or parent


# --- Feats and references ---


def feat(head: CommonFields, fields: Fields, context: Context) -> Feat:
    """Return a feat."""
    category = code(fields.take("category") or "")
    return _feat(head, fields, context.feat_categories.get(category, FEATS.get(category, category)))


def optional_feature(head: CommonFields, fields: Fields, context: Context) -> Feat:
    """Return an option of a class feature: an invocation, a maneuver, a fighting style."""
    codes = plain_texts(fields.take("featureType"))
    types = dict.fromkeys(context.feature_types.get(code, FEATURES.get(code, code)) for code in codes)
    return _feat(head, fields, ", ".join(types))


def _feat(head: CommonFields, fields: Fields, type_: str) -> Feat:
    increase = sections_of({"Ability Score Increase": grants(fields.take("ability"))})
    prerequisite = prerequisite_text(fields.take("prerequisite"))
    other = (*increase, *additional_spells(fields), *fields.also())
    return Feat(**head, type=type_, prerequisite=prerequisite, other=other)


def reference(head: CommonFields, fields: Fields, _: Context) -> Reference:
    """Return a condition or a language."""
    script, type_ = inline(fields.take("script")), inline(fields.take("type"))
    speakers = ", ".join(plain_texts(fields.take("typicalSpeakers")))
    return Reference(**head, type=type_, script=slug(script) if script else "", speakers=speakers, other=fields.also())
