"""Fields that are made in the same way for every source: those of any record, and those of an armor."""

from __future__ import annotations

from typing import TypedDict

from lorekeeper_mcp.models import ArmorStats, Edition, Kind, Source


class CommonFields(TypedDict):
    """The fields of every record, ready to be passed to a model."""

    kind: Kind
    key: str
    name: str
    document_key: str
    document_name: str
    document_source: Source
    documents: tuple[str, ...]
    editions: tuple[Edition, ...]
    text: str


def armor_stats(
    head: CommonFields, category: str, base: int | None, cap: int | None, strength: int | None, *, hinders_stealth: bool
) -> ArmorStats:
    """Return an armor's numbers. ``cap`` limits Dexterity's modifier; medium armor without one adds at most 2."""
    if cap is None and category == "medium":
        cap = 2
    adds_dexterity = cap != 0 and (category in ("light", "medium") or cap is not None)
    limit = f" (max {cap})" if cap is not None else ""
    dexterity = f" + Dex modifier{limit}" if adds_dexterity else ""
    sign = "+" if category == "shield" else ""
    return ArmorStats(
        name=head["name"],
        key=head["key"],
        category=category,
        ac_text=f"{sign}{base}{dexterity}" if base is not None else "",
        ac_base=base,
        adds_dexterity=adds_dexterity,
        dexterity_cap=cap,
        strength_required=strength,
        stealth_disadvantage=hinders_stealth,
    )
