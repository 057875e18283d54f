"""Classes and subclasses with their features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import CharacterClass, Feature, Kind, Ref, TableColumn
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.context import Context, DependentItems, feature_reference
from lorekeeper_mcp.sources.fivetools.fields import Fields, plain_texts
from lorekeeper_mcp.sources.fivetools.options import additional_spells, starting_equipment
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.rule_fields import FIELD_LABELS
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text
from lorekeeper_mcp.sources.fivetools.texts.values import choice_text, value_text
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import listed, mapping, members, whole_number
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.stat_block import sections_of
from lorekeeper_mcp.text import label

# The identity of a feature, and the site's display settings.
_FEATURE_FIELDS = frozenset(
    {"name", "source", "className", "classSource", "subclassShortName", "subclassSource", "level", "entries", "header",
     "type"}
)  # fmt: skip
CASTERS = {"": "", "full": "full", "1/2": "half", "1/3": "third", "artificer": "half", "pact": "pact"}


def character_class(head: CommonFields, fields: Fields, context: Context) -> CharacterClass:
    """Return a class or, by the kind in its head, a subclass."""
    is_subclass = head["kind"] is Kind.SUBCLASS
    parent = str(fields.take("className") or "") if is_subclass else ""
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    parent_source = str(fields.take("classSource") or "") if is_subclass else ""
    section = "subclass" if is_subclass else "class"
    dice, caster = mapping(fields.take("hd")), str(fields.peek("casterProgression") or "")
    if caster in CASTERS:
        fields.drop("casterProgression")
    number = "" if dice.get("number", 1) == 1 else dice["number"]
    spellcasting = fields.line("spellcastingAbility")
    fields.drop("shortName")  # the name that references in the file use
    primary_abilities = [ability for spec in fields.take_list("primaryAbility") for ability in mapping(spec)]
    groups = fields.take_list(f"{section}TableGroups")
    columns = _table(groups)
    titles = [
        value_text({"name": group.get("title") or "", "of": group.get("subclasses")}) for group in map(mapping, groups)
    ]
    titles += [column.name for column in columns if not column.cells]  # columns without cells, which no page has
    requirements = mapping(fields.take("requirements"))
    notes = {
        "Table": ", ".join(filter(None, titles)),
        "Requirements": joined(_scores(requirements), markdown(requirements.get("entries")), sep="\n\n"),
        "Multiclassing": _multiclassing(mapping(fields.take("multiclassing"))),
    }
    return CharacterClass(
        **head,
        subclass_of=Ref(name=parent, key=context.class_key(parent, parent_source)) if parent else None,
        flavor=fields.line("subclassTitle"),
        hit_dice=f"{number}d{dice['faces']}" if dice.get("faces") else "",
        caster_type=CASTERS.get(caster, ""),
        primary_abilities=tuple(map(_ability, primary_abilities)),
        saving_throws=tuple(map(_ability, plain_texts(fields.take("proficiency")))),
        proficiencies=_proficiencies(mapping(fields.take("startingProficiencies"))),
        equipment=_equipment(fields.take("startingEquipment")),
        spellcasting=_ability(spellcasting),
        features=_features(fields.take_list(f"{section}Features"), f"{section}Feature", context),
        table=columns,
        spells=additional_spells(fields),
        other=(*sections_of(notes), *fields.other()),
    )


def _ability(code: str) -> str:
    return ABILITIES.get(code, code).capitalize()


def _features(references: Sequence[object], section: str, context: Context) -> tuple[Feature, ...]:
    """Features in the order of the class; one that is not in the file is named without a text."""
    features = []
    for reference in references:
        name, key, source = feature_reference(reference, section)
        level, text = whole_number(key[-1]), ""
        if item := context.dependents.find(section, key, source):
            entries = _with_references(item.get("entries"), section, context.dependents)
            text = joined(markdown(entries), _other_fields(item), sep="\n\n")
        features.append(Feature(name=plain_text(name), text=text, levels=(level,) if level else ()))
    return tuple(features)


def _other_fields(feature: Mapping[str, object]) -> str:
    """The fields of a feature that are not its text, line by line."""
    fields = Fields({name: value for name, value in feature.items() if not name.startswith("_")})
    fields.drop(*_FEATURE_FIELDS)
    spells = additional_spells(fields)
    others = Fields({FIELD_LABELS.get(name, name): value for name, value in fields.remaining().items()})
    return "\n".join(f"{label(part.name)}: {part.text}" for part in (*spells, *others.other()))


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
        inner = _with_references(item.get("entries"), section, features, depth + 1)
        return {"type": "entries", "name": item.get("name"), "entries": [*listed(inner), _other_fields(item)]}
    return {
        field: _with_references(value, section, features, depth) if field in ("entries", "items") else value
        for field, value in entries.items()
    }


def _proficiencies(values: Mapping[str, object]) -> str:
    # The site has some of them a second time, for programs.
    repeated = {f"{name}Proficiencies" for name in ("tool", "weapon", "armor") if f"{name}s" in values}
    texts = {name: choice_text(value) for name, value in values.items() if name not in repeated}
    return "\n".join(f"{label(name)}: {text}" for name, text in texts.items() if text)


def _multiclassing(values: Mapping[str, object]) -> str:
    """The prerequisites for multiclassing, and the proficiencies gained."""
    fields = Fields(values)
    scores = _scores(mapping(fields.take("requirements")))
    required = joined(scores, fields.line("requirementsSpecial"), sep="; ")
    parts = (
        f"Requires {required}" if required else "",
        _proficiencies(mapping(fields.take("proficienciesGained"))),
        fields.text("entries"),
        *(f"{part.name}: {part.text}" for part in fields.other()),
    )
    return "\n\n".join(filter(None, parts))


def _scores(requirements: Mapping[str, object]) -> str:
    """Scores: ``Strength 13 and Wisdom 13``; those in ``or`` are alternatives."""
    groups = [(" or ", mapping(group)) for group in listed(requirements.get("or"))]
    groups.append((" and ", {name: score for name, score in requirements.items() if name not in ("or", "entries")}))
    texts = [between.join(value_text({name: score}) for name, score in group.items()) for between, group in groups]
    return "; ".join(filter(None, texts))


def _equipment(value: object) -> str:
    spec = mapping(value)
    if not spec:
        return markdown(value)
    lines = [f"- {line}" for line in plain_texts(spec.get("default"))]
    gold = f"- or {inline(spec['goldAlternative'])} gp" if spec.get("goldAlternative") else ""
    entries = markdown(spec.get("entries"))
    for_programs = starting_equipment(spec.get("defaultData")) if not lines and not entries else ""
    return joined(*lines, gold, entries, for_programs, sep="\n")


def _table(groups: list[object]) -> tuple[TableColumn, ...]:
    """The columns of the class table, level by level."""
    columns = []
    for group in map(mapping, groups):
        labels = [inline(label) for label in listed(group.get("colLabels"))]
        levels = members(group.get("rows") or group.get("rowsSpellProgression"))
        rows = [row if isinstance(row, list) else [row] for row in levels]
        width = max([len(labels), *map(len, rows)])
        for at, name in enumerate([*labels, *[""] * (width - len(labels))]):
            cells = {level: inline(row[at]) for level, row in enumerate(rows, 1) if at < len(row)}
            if cells or name:
                columns.append(TableColumn(name=name, cells=cells))
    return tuple(columns)
