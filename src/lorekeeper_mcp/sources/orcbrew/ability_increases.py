"""Ability scores that a feat, a race or a background increases."""

from __future__ import annotations

from lorekeeper_mcp.sources.orcbrew.fields import Fields
from lorekeeper_mcp.sources.orcbrew.markup import ability_title, listed, scalar


def increases(fields: Fields) -> str:
    """Return Strength or Dexterity +1 for #{:str :dex}, and Constitution +1, Any +1 for [[1 :con] [1 :any]]."""
    value = fields.peek("ability-increases")
    if not isinstance(value, list) or not value:
        return ""
    pairs = [(pair[0], pair[1]) for pair in value if isinstance(pair, list) and len(pair) == 2]
    if len(pairs) == len(value):
        fields.drop("ability-increases")
        return listed(f"{ability_title(scalar(key))} +{scalar(count)}" for count, key in pairs)
    names = [scalar(member) for member in value]
    if not all(names):
        return ""
    fields.drop("ability-increases")
    saves = [name for name in names if "save" in name.lower()]
    scores = [ability_title(name) for name in names if name not in saves]
    more = "and proficiency in its saving throws" if saves else ""
    return " ".join(filter(None, (f"{' or '.join(scores)} +1" if scores else "", more)))
