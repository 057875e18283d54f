"""Renders the pages of classes, species, backgrounds and feats."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import (
    ActionType,
    Background,
    CharacterClass,
    CharacterFeature,
    Edition,
    Feat,
    Feature,
    FeatureType,
    Section,
    Source,
    Species,
)
from lorekeeper_mcp.models.printed_values import ordinal, words
from lorekeeper_mcp.render.format import caster, join_names, title
from lorekeeper_mcp.render.index_lines import owner
from lorekeeper_mcp.render.markdown import body, entry, labels, page, table
from lorekeeper_mcp.text import fold

_TRAITS = ("ability", "creature", "age", "alignment", "size", "speed", "…", "languages", "subrace")
_FACTS = ("Creature Type", "Size", "Speed")
_LINE_BREAK, _KEPT_BREAK = re.compile(r"(?<!\n)\n(?!\n)"), "  \n"  # Markdown would join the lines
_NEXT_LINE, _INDENTED = re.compile(r"\n(?=[^\n])"), "\n  "  # a paragraph within an item of a list
_BENEFITS = (
    *("ability", "feat", "skill", "tool", "languages", "equipment", "suggested equipment", "…"),
    *("suggested characteristics", "connection", "adventures"),
)


def character_class(record: CharacterClass) -> str:
    """The header, hit points, the table by level, then the features by level."""
    return page(
        f"*{_header(record)}*",
        labels(
            ("Hit Dice", f"1{record.hit_dice} per level" if record.hit_dice else ""),
            ("Hit Points at 1st Level", record.hit_points_at_1st_level),
            ("Hit Points at Higher Levels", record.hit_points_at_higher_levels),
            ("Primary Abilities", ", ".join(title(name) for name in record.primary_abilities)),
            ("Saving Throws", ", ".join(title(name) for name in record.saving_throws)),
            ("Spellcasting", caster(record.caster_type)),
            ("Subclass", record.flavor if record.subclass_of is None else ""),
        ),
        body(record.text),
        _table(record),
        *(f"## {title}\n\n{_LINE_BREAK.sub(_KEPT_BREAK, body(text, 2))}" for title, text in record.extra_texts()),
        *map(_feature, record.features),
        *(entry(part.name, part.text, 1) for part in record.spells),
        labels(("Subclasses", join_names(record.subclasses))),
    )


def _header(record: CharacterClass) -> str:
    if record.subclass_of is None:
        return "Class"
    kind = f"{record.flavor}, subclass" if record.flavor else "Subclass"
    return f"{kind} of {record.subclass_of.name or words(record.subclass_of.key)}"


def _table(record: CharacterClass) -> str:
    """The table by level. Level 1 is called 1 in books of the 2024 rules, and 1st in others."""
    names, rows = record.level_table()
    level_name = str if record.editions == (Edition.E2024,) else ordinal
    return table(["Level", *names], [[level_name(level), *cells] for level, cells in rows]) if rows else ""


def _feature(part: Feature) -> str:
    levels = _levels("Level", part.levels)
    heading = f"## {levels}: {_with_use(part)}" if levels else f"## {_with_use(part)}"
    return page(heading, body(part.text, 2), _changes(part.details))


def _levels(noun: str, levels: Sequence[int]) -> str:
    """``Level 3``, ``Levels 3, 7``; "" without levels."""
    return f"{noun}{'s' if len(levels) > 1 else ''} {', '.join(map(str, levels))}" if levels else ""


def _with_use(part: Feature | Section) -> str:
    """The name of a feature or trait, with the action that it takes if its type says so."""
    return f"{part.name} ({words(part.type)})" if part.type in tuple(ActionType) else part.name


def _trait_entry(part: Section) -> str:
    return entry(_with_use(part), part.text)


def _changes(details: Mapping[int, str]) -> str:
    return "\n".join(f"- {ordinal(level)} level: {detail}" for level, detail in sorted(details.items()) if detail)


def feature(record: CharacterFeature) -> str:
    """The owner and level of a feature, then its text."""
    kind = "Trait" if record.type is FeatureType.TRAIT else "Feature"
    if record.option_of:
        kind = f"{record.option_of.removesuffix(' Options').removesuffix(' List')} option, feature"
    header = ", ".join(filter(None, (f"{kind} of {owner(record)}", _levels("level", record.levels))))
    return page(f"*{header}*", body(record.text), _changes(record.details))


def species(record: Species) -> str:
    """The description and traits; for a lineage also its parent species."""
    parent = record.subspecies_of
    names = {trait.name for trait in record.traits}
    ordered = _sort_parts(record.traits, _TRAITS)
    # The 2024 book prints creature type, size and speed above the introduction.
    above = [trait for trait in ordered if "Creature Type" in names and trait.name in _FACTS]
    return page(
        f"*Lineage of {parent.name or words(parent.key)}*" if parent else "*Species*",
        labels(("Size", "" if "Size" in names else record.size), ("Speed", "" if "Speed" in names else record.speed)),
        *(_trait_entry(trait) for trait in above),
        body(record.text),
        *(_trait_entry(trait) for trait in ordered if trait not in above),
        labels(("Lineages", join_names(record.lineages))),
    )


def background(record: Background) -> str:
    """The description, then proficiencies, equipment, feature and tables in the book's order."""
    parts = _sort_parts(record.benefits, _BENEFITS)
    return page("*Background*", body(record.text), *(_trait_entry(part) for part in parts))


def _sort_parts(parts: Sequence[Section], order: Sequence[str]) -> list[Section]:
    """Sort parts in the books' order, which no source keeps, by how their names begin; other parts go to "…"."""

    def position(part: Section) -> int:
        name = fold(part.name)
        return next((index for index, prefix in enumerate(order) if name.startswith(prefix)), order.index("…"))

    return sorted(parts, key=position)


def feat(record: Feat) -> str:
    """The category, prerequisite, description, and benefits as a list. Imported boons are not called feats."""
    kind = record.type or "Feat"
    if record.document_source is not Source.HOMEBREW and kind.lower() != "feat":
        kind = f"{kind} feat"
    return page(
        f"*{kind}*",
        labels(("Prerequisite", record.prerequisite)),
        body(record.text),
        "\n".join(f"- {_NEXT_LINE.sub(_INDENTED, body(benefit))}" for benefit in record.benefits),
    )
