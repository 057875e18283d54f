"""Numbers that the application derives for an actor's items: modifiers in formulas, bonuses to hit, DCs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.foundry import formulas, names
from lorekeeper_mcp.sources.foundry.advancements import advancements
from lorekeeper_mcp.sources.foundry.item_values import activities, property_codes, system_of
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import JsonObject, mapping, number, objects, part, text, value_at
from lorekeeper_mcp.sources.stat_block import bonus

_RANGED = frozenset({"simpleR", "martialR"})
_MOST = 10_000
_HIGHEST = 20  # character level


@dataclass(frozen=True)
class ActorNumbers:
    """An actor's ability modifiers by code, its proficiency bonus, and other values for its formulas."""

    modifiers: Mapping[str, int]
    proficiency: int
    spellcasting: str = ""
    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, actor: JsonObject) -> ActorNumbers:
        """Return the numbers of an actor; an ability without a score has none."""
        system, levels = system_of(actor), dict(_class_levels(actor))
        scores = {name: bonus(mapping(one).get("value")) for name, one in part(system, "abilities").items()}
        modifiers = {
            name: (score - 10) // 2 for name, score in scores.items() if score is not None and 0 <= score < _MOST
        }
        rating, level = number(value_at(system, "details.cr")) or 0, sum(levels.values())
        given = bonus(part(system, "attributes.prof").get("value", value_at(system, "attributes.prof")))
        trained = given if given is not None else 2 + max(0, max(-int(-rating), level) - 1) // 4
        values = {f"classes.{name}.levels": str(of_class) for name, of_class in levels.items()}
        values |= {"details.level": str(level)} if levels else {}
        values |= {**dict(_scales(actor, levels)), **dict(_own_values(system))}
        return cls(modifiers, trained, text(system, "attributes.spellcasting"), values)

    def ability(self, system: JsonObject) -> int | None:
        """The ability modifier of an attack with an item: Strength's, or Dexterity's for ranged and finesse weapons."""
        attacks, action = [part(one, "attack") for one in activities(system)], text(system, "actionType")
        if own := text(system, "ability") or next(filter(None, (text(one, "ability") for one in attacks)), ""):
            return self.modifiers.get(self.spellcasting if own == "spellcasting" else own)
        strength, dexterity = self.modifiers.get("str"), self.modifiers.get("dex")
        spell = any(text(one, "type.classification") == "spell" for one in attacks)
        if self.spellcasting and (spell or "level" in system or action in ("msak", "rsak")):
            return self.modifiers.get(self.spellcasting)
        if (text(system, "type.value") or text(system, "weaponType")) in _RANGED or action == "rwak":
            return dexterity
        if "fin" in property_codes(system) and strength is not None and dexterity is not None:
            return max(strength, dexterity)
        return strength

    def known(self, system: JsonObject) -> formulas.Value:
        """Values for the formulas of an item, by their paths."""

        def value(path: str) -> str | None:
            if path in ("prof", "attributes.prof"):
                return str(self.proficiency)
            if path == "mod":
                found = self.ability(system)
            elif path.startswith("abilities.") and path.endswith((".mod", ".dc")):
                found = self.modifiers.get(path.split(".")[1])
                found = found + 8 + self.proficiency if found is not None and path.endswith(".dc") else found
            elif path in ("attributes.spelldc", "attributes.spell.dc"):
                found = self.difficulty("spellcasting")
            elif path in ("attributes.spellmod", "attributes.spell.mod"):
                found = self.modifiers.get(self.spellcasting)
            else:
                return self.values.get(path)
            return str(found) if found is not None else None

        return value

    def difficulty(self, calculation: str) -> int | None:
        """The DC derived from an ability, or from the actor's spellcasting ability."""
        modifier = self.modifiers.get(self.spellcasting if calculation in ("spellcasting", "spell") else calculation)
        return 8 + self.proficiency + modifier if modifier is not None else None

    def resolved(self, system: JsonObject, *, weapon: bool = False) -> JsonObject:
        """Return an item with the actor's numbers in its formulas and DCs, and the modifier in a weapon's damage."""
        known = formulas.filled(system, self.known(system))
        given = part(known, "activities").items()
        doing = {name: self._with_difficulty(one) if isinstance(one, dict) else one for name, one in given}
        save = self._with_difficulty({"save": known["save"]}) if "save" in known else {}
        known = {**known, **({"activities": doing} if doing else {}), **save}
        return self._with_modifier(known) if weapon else known

    def _with_difficulty(self, one: JsonObject) -> JsonObject:
        """An activity, or the fields of an older item, with a DC in place of its formula."""
        for what in ("save", "check"):
            spec = part(one, what)
            by = text(spec, "dc.calculation") or (text(spec, "scaling") if "scaling" in spec else "")
            given = value_at(spec, "dc.formula") if isinstance(spec.get("dc"), Mapping) else spec.get("dc")
            if by and not given and (reckoned := self.difficulty(by)) is not None:
                one = {**one, what: {**spec, "dc": {"formula": str(reckoned)}}}
        return one

    def _with_modifier(self, system: JsonObject) -> JsonObject:
        """A weapon with the modifier added to its base damage, which versions since 4 leave out."""
        damage, modifier = part(system, "damage"), self.ability(system)
        if not damage or not modifier:
            return system
        filled = dict(damage)
        for name in ("base", "versatile"):
            base = part(damage, name)
            if base.get("number") and base.get("denomination"):
                total = names.joined(str(base.get("bonus") or ""), str(modifier), sep=" + ")
                filled[name] = {**base, "bonus": formulas.simplified(total)}
        return {**system, "damage": filled}

    def to_hit(self, system: JsonObject) -> str:
        """Return ``+5 to hit`` for an attack; empty if a formula or a missing score prevents it."""
        attacks = [part(one, "attack") for one in activities(system) if one.get("type") == "attack"]
        if not attacks and text(system, "actionType") not in ("mwak", "rwak", "msak", "rsak"):
            return ""
        attack = attacks[0] if attacks else {}
        further = (system.get("attackBonus"), system.get("magicalBonus"), attack.get("bonus"))
        added = [number(one) for one in further if one not in (None, "", 0)]
        flat = attack.get("flat") is True
        modifier = 0 if flat else self.ability(system)
        if modifier is None or None in added:
            return ""
        trained = self.proficiency if not flat and system.get("proficient") not in (0, False) else 0
        return f"{modifier + trained + int(sum(filter(None, added))):+d} to hit"


def _class_levels(actor: JsonObject) -> Iterator[tuple[str, int]]:
    """The levels of an actor's classes by their identifiers."""
    for item in objects(actor.get("items")):
        system = system_of(item)
        level = bonus(system.get("levels"))
        if item.get("type") == "class" and level is not None and 0 < level <= _HIGHEST:
            yield text(system, "identifier") or slug(text(item, "name")), level


def _scales(actor: JsonObject, levels: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Values that scale with class levels: ``scale.lamplighter.wicks`` is 2d6."""
    highest = sum(levels.values()) or _HIGHEST
    for item in objects(actor.get("items")):
        system = system_of(item)
        own = text(system, "identifier") or slug(text(item, "name"))
        level = levels.get(text(system, "classIdentifier") or own, highest)
        for one in advancements(system):
            settings = part(one, "configuration")
            steps = {at: value for code, value in part(settings, "scale").items() if (at := bonus(code)) is not None}
            reached = [value for at, value in sorted(steps.items()) if at <= level]
            if reached and isinstance(reached[-1], Mapping):
                name = text(settings, "identifier") or slug(text(one, "title"))
                path, spec = f"scale.{own}.{name}", reached[-1]
                count, faces = bonus(spec.get("number")), bonus(spec.get("faces"))
                step = f"{count or ''}d{faces}" if faces else str(spec.get("value", ""))
                yield from ((path, step), (f"{path}.die", f"d{faces}" if faces else step))
                yield from ((f"{path}.number", str(count or 1)), (f"{path}.value", step), (f"{path}.formula", step))


def _own_values(system: JsonObject) -> Iterator[tuple[str, str]]:
    """Scores and other values of an actor that a formula may contain."""
    whole = ("attributes.hp.max", *(f"abilities.{name}.value" for name in ABILITY_BY_ABBREVIATION))
    yield from ((path, str(value)) for path in whole if (value := bonus(value_at(system, path))) is not None)
    for path in ("attributes.movement.walk", "details.cr"):
        if (measure := number(value_at(system, path))) is not None:
            yield path, f"{measure:g}"
