"""The numbers of an armor, and its armor class as books print it."""

from __future__ import annotations

from lorekeeper_mcp.models import ArmorStats
from lorekeeper_mcp.sources.common_fields import CommonFields


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
