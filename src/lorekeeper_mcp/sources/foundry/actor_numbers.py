"""Numbers that the application works out for what an actor holds: modifiers in its formulas, bonuses to hit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lorekeeper_mcp.sources.foundry.item_values import activities, marks, number, part, text
from lorekeeper_mcp.sources.stat_block import bonus

_VALUE = re.compile(r"([+-] ?)?@(mod|prof|abilities\.(\w{3})\.mod|attributes\.prof)\b")
_NEGATIVE = re.compile(r"\+ -(?=\d)")
_RANGED = frozenset({"simpleR", "martialR"})
_MOST = 10_000


@dataclass(frozen=True)
class ActorNumbers:
    """Modifiers of an actor's abilities by their codes, and its proficiency bonus."""

    modifiers: Mapping[str, int]
    proficiency: int

    @classmethod
    def of(cls, actor: Mapping[str, object]) -> ActorNumbers:
        """The numbers of an actor; an ability without a score has none."""
        system = part(actor, "system") or part(actor, "data")
        scores = {name: bonus(part(part(system, "abilities"), name).get("value")) for name in part(system, "abilities")}
        rating = number(part(system, "details").get("cr")) or 0
        found = bonus(part(part(system, "attributes"), "prof").get("value", part(system, "attributes").get("prof")))
        return cls(
            {name: (score - 10) // 2 for name, score in scores.items() if score is not None and 0 <= score < _MOST},
            found if found is not None else 2 + max(0, -int(-rating) - 1) // 4,
        )

    def ability(self, system: Mapping[str, object]) -> int | None:
        """The modifier that an attack with an item uses: Strength's, of ranged and finesse weapons Dexterity's."""
        if own := text(system, "ability"):
            return self.modifiers.get(own)
        strength, dexterity = self.modifiers.get("str"), self.modifiers.get("dex")
        kind = text(part(system, "type"), "value") or text(system, "weaponType")
        if kind in _RANGED or text(system, "actionType") == "rwak":
            return dexterity
        if "fin" in marks(system) and strength is not None and dexterity is not None:
            return max(strength, dexterity)
        return strength

    def with_modifier(self, system: Mapping[str, object]) -> Mapping[str, object]:
        """A weapon whose damage has the modifier: in its formulas, or what is added to its dice since version 4."""
        damage, modifier = part(system, "damage"), self.ability(system)
        if not damage or modifier is None:
            return system
        filled = {name: self._filled_value(value, system) for name, value in damage.items()}
        base = part(filled, "base")
        own = str(base.get("bonus") or "")
        if base.get("number") and base.get("denomination") and modifier and "@mod" not in str(damage.get("base")):
            filled["base"] = {**base, "bonus": " + ".join(filter(None, (own, str(modifier))))}
        return {**system, "damage": filled}

    def _filled_value(self, value: object, system: Mapping[str, object]) -> object:
        if isinstance(value, str):
            return self.filled(value, system)
        if isinstance(value, list):
            return [self._filled_value(one, system) for one in value]
        if isinstance(value, dict):
            return {name: self._filled_value(one, system) if name == "bonus" else one for name, one in value.items()}
        return value

    def to_hit(self, system: Mapping[str, object]) -> str:
        """``+5 to hit`` of a weapon that attacks; empty where a formula or no score stands in the way."""
        attacks = [part(one, "attack") for one in activities(system) if one.get("type") == "attack"]
        if not attacks and text(system, "actionType") not in ("mwak", "rwak"):
            return ""
        further = [system.get("attackBonus"), system.get("magicalBonus"), *(one.get("bonus") for one in attacks[:1])]
        added = [number(one) for one in further if one not in (None, "", 0)]
        modifier = self.ability(system)
        if modifier is None or None in added:
            return ""
        trained = self.proficiency if system.get("proficient") not in (0, False) else 0
        return f"{modifier + trained + int(sum(one for one in added if one is not None)):+d} to hit"

    def filled(self, text_: str, system: Mapping[str, object]) -> str:
        """A text with the actor's numbers in place of ``@mod``, ``@prof`` and ``@abilities.dex.mod``."""

        def value(hit: re.Match[str]) -> str:
            code = hit[3] or ""
            found = self.modifiers.get(code) if code else self.ability(system) if hit[2] == "mod" else self.proficiency
            if found is None:
                return hit[0]
            sign = hit[1] or ""
            return f"- {-found}" if sign.startswith("+") and found < 0 else f"{sign}{found}"

        told = _VALUE.sub(value, text_) if "@" in text_ else text_
        return _NEGATIVE.sub("- ", told)
