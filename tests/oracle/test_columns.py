"""Every filter selects of the recorded records, as they are stored, what the oracle selects of the raw ones."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from lorekeeper_mcp.filters import FILTERS, ActiveFilter, Comparison, Condition, FilterValue, comparisons
from lorekeeper_mcp.models import FAMILIES, Family, Kind, Record
from lorekeeper_mcp.models.vocabulary import CONDITIONS
from lorekeeper_mcp.tools.arguments import active_filters, filter_parameters
from tests.oracle import TOOLS, Case, expected, records
from tests.oracle.spells import LISTING
from tests.recorded import needs_recorded
from tests.served_open5e import IS_RECORDED
from tests.sources.open5e.adapted_records import complete_records

FAMILY = {
    "search_spell": Family.SPELLS,
    "search_creature": Family.CREATURES,
    "search_equipment": Family.EQUIPMENT,
    "search_character_option": Family.OPTIONS,
    "search_rule": Family.RULES,
}


def enumerated(tool: str) -> Iterator[Case]:
    """A case for each value of each argument that lists its values."""
    for row in FILTERS[FAMILY[tool]]:
        for key in TypeAdapter(row.annotation).json_schema().get("enum", ()):
            if (tool, row.argument) != BY_PROSE:
                yield Case(row.argument, key, key.replace("-", " ") if tool == "search_character_option" else key)


BY_PROSE = ("search_creature", "condition")  # two ways to read prose, which cannot agree on every sentence
CASES = [
    (tool, case)
    for tool, (_, _, cases) in TOOLS.items()
    for case in (*cases, *enumerated(tool))
    if case.argument in {row.argument for row in FILTERS[FAMILY[tool]]}
    if case.meant != LISTING[1]  # a list in a subclass's text is looked up by a search
]


@functools.cache
def stored(family: Family) -> dict[tuple[str, str], Record]:
    """Every record by kind and key: version 1 only adds those that version 2 lacks."""
    found: dict[tuple[str, str], Record] = {}
    for record in complete_records():
        if record.kind in FAMILIES[family]:
            found.setdefault((str(record.kind), record.key), record)
    return found


def holds(condition: Condition, record: Record) -> bool:
    value: Any = condition.column.read(record)
    match condition.comparison:
        case Comparison.HAS:
            return condition.value in value
        case Comparison.EQUALS:
            return bool(value == condition.value)
        case Comparison.AT_LEAST:
            return value is not None and bool(value >= condition.value)
        case Comparison.AT_MOST:
            return value is not None and bool(value <= condition.value)


def selected(family: Family, active: ActiveFilter) -> set[tuple[str, str]]:
    kinds = active.kinds()
    return {
        id_
        for id_, record in stored(family).items()
        if kinds is None or Kind(id_[0]) in kinds
        if all(any(holds(one, record) for one in comparisons(clause)) for clause in active.clauses())
    }


@needs_recorded
@pytest.mark.skipif(not IS_RECORDED, reason="the oracle reads what is served")
@pytest.mark.parametrize(("tool", "case"), CASES, ids=lambda value: str(getattr(value, "value", value))[:30])
def test_a_filter_selects_what_the_oracle_selects(tool: str, case: Case) -> None:
    rows = FILTERS[FAMILY[tool]]
    annotation = next(p.annotation for p in filter_parameters(rows) if p.name == case.argument)
    value: FilterValue = TypeAdapter(annotation).validate_python(case.value)
    (active,) = active_filters(rows, {case.argument: value})
    known = {(record["_type"], record["key"]) for record in records(tool)}
    assert selected(FAMILY[tool], active) & known == expected(tool, case)


@needs_recorded
@pytest.mark.skipif(not IS_RECORDED, reason="the oracle reads what is served")
def test_the_conditions_of_creatures_are_those_that_another_reading_of_their_text_finds() -> None:
    (row,) = (row for row in FILTERS[Family.CREATURES] if row.argument == "condition")
    known = {(record["_type"], record["key"]) for record in records("search_creature")}
    found = {(key, *id_) for key in CONDITIONS for id_ in selected(Family.CREATURES, ActiveFilter(row, key)) & known}
    read = {(key, *id_) for key in CONDITIONS for id_ in expected("search_creature", Case("condition", key, key))}
    assert len(found ^ read) <= 0.015 * len(found | read), sorted(found ^ read)
