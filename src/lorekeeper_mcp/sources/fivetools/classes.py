"""Classes and subclasses with their features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import CharacterClass, Feature, Kind, Ref, TableColumn
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.context import Context, Item, feature_reference
from lorekeeper_mcp.sources.fivetools.fields import Fields, texts, whole
from lorekeeper_mcp.sources.fivetools.options import additional_spells, starting_equipment
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.rule_fields import NAMES
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text
from lorekeeper_mcp.sources.fivetools.texts.values import choice_text, value_text
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.json_values import listed, mapping
from lorekeeper_mcp.sources.stat_block import sections_of
from lorekeeper_mcp.text import label

# The identity of a feature, and the site's display settings.
_OF_FEATURE = frozenset(
    {"name", "source", "className", "classSource", "subclassShortName", "subclassSource", "level", "entries", "header",
     "type"}
)  # fmt: skip
CASTERS = {"": "", "full": "full", "1/2": "half", "1/3": "third", "artificer": "half", "pact": "pact"}


def character_class(head: CommonFields, fields: Fields, context: Context) -> CharacterClass:
    """Return a class or, by the kind in its head, a subclass."""
    subclass = head["kind"] is Kind.SUBCLASS
    parent = str(fields.take("className") or "") if subclass else ""
    if subclass and not parent:
        raise ItemError("it does not name its class")
    parent_source = str(fields.take("classSource") or "") if subclass else ""
    dice, casting = mapping(fields.take("hd")), str(fields.peek("casterProgression") or "")
    if casting in CASTERS:
        fields.drop("casterProgression")
    starting = mapping(fields.take("startingProficiencies"))
    saves = [ABILITIES.get(code, code).capitalize() for code in texts(fields.entries("proficiency"))]
    fields.drop("shortName")  # the name that references in the file use
    section = "subclass" if subclass else "class"
    features = _features(fields.entries(f"{section}Features"), f"{section}Feature", context)
    groups = fields.entries(f"{section}TableGroups")
    columns = _table(groups)
    titles = [value_text({"name": one.get("title") or "", "of": one.get("subclasses")}) for one in map(mapping, groups)]
    titles += [column.name for column in columns if not column.cells]  # columns without cells, which no page has
    needs = mapping(fields.take("requirements"))
    requirements = "\n\n".join(filter(None, (_required(needs), markdown(needs.get("entries", [])))))
    return CharacterClass(
        **head,
        subclass_of=Ref(name=parent, key=context.class_key(parent, parent_source)) if parent else None,
        flavor=fields.line("subclassTitle"),
        hit_dice=f"{dice['number'] if dice.get('number', 1) != 1 else ''}d{dice['faces']}" if dice.get("faces") else "",
        caster_type=CASTERS.get(casting, ""),
        primary_abilities=tuple(
            ABILITIES.get(key, key).capitalize()
            for one in map(mapping, fields.entries("primaryAbility"))
            for key in one
        ),
        saving_throws=tuple(saves),
        proficiencies=_proficiencies(starting),
        equipment=_equipment(fields.take("startingEquipment")),
        spellcasting=ABILITIES.get(by, by).capitalize() if (by := fields.line("spellcastingAbility")) else "",
        features=features,
        table=columns,
        spells=additional_spells(fields),
        other=(
            *sections_of(
                {
                    "Table": ", ".join(filter(None, titles)),
                    "Requirements": requirements,
                    "Multiclassing": _multiclassing(mapping(fields.take("multiclassing"))),
                }
            ),
            *fields.other(),
        ),
    )


def _features(references: Sequence[object], section: str, context: Context) -> tuple[Feature, ...]:
    """Features in the order of the class; one that is not in the file is named without a text."""
    known, found = context.features[section], []
    for one in references:
        name, key = feature_reference(one, section)
        level, spec = whole(key[-1]), known.get(key)
        parts = (
            (markdown(_with_references(spec.get("entries", []), section, known)), _other_fields(spec)) if spec else ()
        )
        text = "\n\n".join(filter(None, parts))
        found.append(Feature(name=plain_text(name), text=text, levels=(level,) if level else ()))
    return tuple(found)


def _other_fields(spec: Mapping[str, object]) -> str:
    """The fields of a feature that are not its text, line by line."""
    fields = Fields({key: value for key, value in spec.items() if not key.startswith("_")})
    fields.drop(*_OF_FEATURE)
    others = fields.renamed(lambda values: {NAMES.get(name, name): value for name, value in values.items()})
    sections = (*additional_spells(fields), *others.other())
    return "\n".join(f"{label(one.name)}: {one.text}" for one in sections)


def _with_references(entries: object, section: str, known: Mapping[tuple[str, ...], Item], depth: int = 0) -> object:
    """Entries with references to features of the section replaced by the features."""
    if isinstance(entries, list):
        return [_with_references(one, section, known, depth) for one in entries]
    if not isinstance(entries, Mapping) or depth > 6:
        return entries
    if entries.get("type") == f"ref{section[0].upper()}{section[1:]}":
        _, key = feature_reference(entries, section)
        if (spec := known.get(key)) is None:
            return entries
        inner = _with_references(spec.get("entries", []), section, known, depth + 1)
        return {"type": "entries", "name": spec.get("name"), "entries": [*listed(inner), _other_fields(spec)]}
    return {
        key: _with_references(one, section, known, depth) if key in ("entries", "items") else one
        for key, one in entries.items()
    }


def _proficiencies(starting: Mapping[str, object]) -> str:
    lines = []
    for name, value in starting.items():
        if (
            name in ("toolProficiencies", "weaponProficiencies", "armorProficiencies")
            and name.removesuffix("Proficiencies") + "s" in starting
        ):
            continue  # the same for programs
        if shown := choice_text(value):
            lines.append(f"{label(name)}: {shown}")
    return "\n".join(lines)


def _multiclassing(spec: Mapping[str, object]) -> str:
    """The prerequisites for multiclassing, and the proficiencies gained."""
    required = "; ".join(
        filter(None, (_required(mapping(spec.get("requirements"))), inline(spec.get("requirementsSpecial"))))
    )
    known = ("requirements", "requirementsSpecial", "entries", "proficienciesGained")
    rest = Fields({key: one for key, one in spec.items() if key not in known}).other()
    parts = (
        f"Requires {required}" if required else "",
        _proficiencies(mapping(spec.get("proficienciesGained"))),
        markdown(spec.get("entries", [])),
        *(f"{one.name}: {one.text}" for one in rest),
    )
    return "\n\n".join(filter(None, parts))


def _required(needs: Mapping[str, object]) -> str:
    """Scores: ``Strength 13 and Wisdom 13``; those in ``or`` are alternatives."""
    groups = [(" or ", one) for one in map(mapping, listed(needs.get("or")))]
    groups.append((" and ", {key: one for key, one in needs.items() if key not in ("or", "entries")}))
    scores = [between.join(value_text({key: score}) for key, score in group.items()) for between, group in groups]
    return "; ".join(filter(None, scores))


def _equipment(value: object) -> str:
    spec = mapping(value)
    if not spec:
        return markdown(value)
    lines = [f"- {line}" for line in texts(listed(spec.get("default")))]
    gold = f"- or {inline(spec['goldAlternative'])} gp" if spec.get("goldAlternative") else ""
    entries = markdown(spec.get("entries", []))
    for_programs = starting_equipment(spec.get("defaultData")) if not lines and not entries else ""
    return "\n".join(filter(None, [*lines, gold, entries, for_programs]))


def _table(groups: list[object]) -> tuple[TableColumn, ...]:
    """The columns of the class table, level by level."""
    columns = []
    for group in map(mapping, groups):
        labels = [inline(label) for label in Fields(group).entries("colLabels")]
        given = group.get("rows") or group.get("rowsSpellProgression")
        rows = [row if isinstance(row, list) else [row] for row in (given if isinstance(given, list) else [])]
        width = max([len(labels), *map(len, rows)])
        for at, name in enumerate([*labels, *[""] * (width - len(labels))]):
            cells = {level: inline(row[at]) for level, row in enumerate(rows, 1) if at < len(row)}
            if cells or name:
                columns.append(TableColumn(name=name, cells=cells))
    return tuple(columns)
