"""Numbers that the application derives for an actor's items: modifiers in formulas, bonuses to hit, DCs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.foundry import formulas
from lorekeeper_mcp.sources.foundry.advancements import advancements
from lorekeeper_mcp.sources.foundry.item_values import activities, property_codes, system_of
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import JsonObject, decimal, mapping, objects, part, text, value_at
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.stat_block import bonus

_RANGED = frozenset({"simpleR", "martialR"})
_MAX_SCORE = 10_000
_MAX_LEVEL = 20


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
        scores = {code: bonus(mapping(ability).get("value")) for code, ability in part(system, "abilities").items()}
        modifiers = {
            code: (score - 10) // 2 for code, score in scores.items() if score is not None and 0 <= score < _MAX_SCORE
        }
        rating, level = decimal(value_at(system, "details.cr")) or 0, sum(levels.values())
        proficiency = bonus(part(system, "attributes.prof").get("value", value_at(system, "attributes.prof")))
        if proficiency is None:
            proficiency = 2 + max(0, max(int(rating), level) - 1) // 4
        numbers = cls(modifiers, proficiency, text(system, "attributes.spellcasting"))
        values = {f"classes.{name}.levels": str(class_level) for name, class_level in levels.items()}
        values |= {"details.level": str(level)} if levels else {}
        values |= {**dict(_scales(actor, levels)), **dict(_scores_and_measures(system)), **dict(numbers._derived())}
        return replace(numbers, values=values)

    def _derived(self) -> Iterator[tuple[str, str]]:
        """Modifiers and DCs by their paths in formulas."""
        yield from dict.fromkeys(("prof", "attributes.prof"), str(self.proficiency)).items()
        for code, modifier in self.modifiers.items():
            dc = 8 + self.proficiency + modifier
            yield f"abilities.{code}.mod", str(modifier)
            yield f"abilities.{code}.dc", str(dc)
            if code == self.spellcasting:
                yield from dict.fromkeys(("attributes.spellmod", "attributes.spell.mod"), str(modifier)).items()
                yield from dict.fromkeys(("attributes.spelldc", "attributes.spell.dc"), str(dc)).items()

    def ability_modifier(self, system: JsonObject) -> int | None:
        """The ability modifier of an attack with an item: Strength's, or Dexterity's for ranged and finesse weapons."""
        attacks, action = [part(activity, "attack") for activity in activities(system)], text(system, "actionType")
        abilities = (text(system, "ability"), *(text(attack, "ability") for attack in attacks))
        if ability := next(filter(None, abilities), ""):
            return self.modifiers.get(self.spellcasting if ability == "spellcasting" else ability)
        strength, dexterity = self.modifiers.get("str"), self.modifiers.get("dex")
        is_spell = any(text(attack, "type.classification") == "spell" for attack in attacks)
        if self.spellcasting and (is_spell or "level" in system or action in ("msak", "rsak")):
            return self.modifiers.get(self.spellcasting)
        if (text(system, "type.value") or text(system, "weaponType")) in _RANGED or action == "rwak":
            return dexterity
        if "fin" in property_codes(system) and strength is not None and dexterity is not None:
            return max(strength, dexterity)
        return strength

    def known_value(self, path: str, system: JsonObject) -> str | None:
        """Return a value for a formula of an item by its path."""
        if path != "mod":
            return self.values.get(path)
        modifier = self.ability_modifier(system)
        return None if modifier is None else str(modifier)

    def resolved(self, system: JsonObject, *, is_weapon: bool = False) -> JsonObject:
        """Return an item with the actor's numbers in its formulas and DCs, and the modifier in a weapon's damage."""
        item = dict(formulas.filled(system, lambda path: self.known_value(path, system)))
        if own_activities := part(item, "activities"):
            item["activities"] = {
                id_: self._with_difficulties(activity) if isinstance(activity, dict) else activity
                for id_, activity in own_activities.items()
            }
        if "save" in item:
            item |= self._with_difficulties({"save": item["save"]})
        return self._with_modifier(item) if is_weapon else item

    def _with_difficulties(self, source: JsonObject) -> JsonObject:
        """An activity, or the save of an older item, with a DC in place of its calculation."""
        for roll in ("save", "check"):
            spec = part(source, roll)
            calculation = text(spec, "dc.calculation") or text(spec, "scaling")
            ability = self.spellcasting if calculation in ("spellcasting", "spell") else calculation
            formula = value_at(spec, "dc.formula") if isinstance(spec.get("dc"), Mapping) else spec.get("dc")
            if not formula and (dc := self.values.get(f"abilities.{ability}.dc")):
                source = {**source, roll: {**spec, "dc": {"formula": dc}}}
        return source

    def _with_modifier(self, system: JsonObject) -> JsonObject:
        """A weapon with the modifier added to its base damage, which versions since 4 leave out."""
        damage, modifier = part(system, "damage"), self.ability_modifier(system)
        if not damage or not modifier:
            return system
        changed = dict(damage)
        for name in ("base", "versatile"):
            dice = part(damage, name)
            if dice.get("number") and dice.get("denomination"):
                total = joined(str(dice.get("bonus") or ""), str(modifier), sep=" + ")
                changed[name] = {**dice, "bonus": formulas.simplified(total)}
        return {**system, "damage": changed}

    def to_hit(self, system: JsonObject) -> str:
        """Return ``+5 to hit`` for an attack; empty if a formula or a missing score prevents it."""
        attacks = [part(activity, "attack") for activity in activities(system) if activity.get("type") == "attack"]
        if not attacks and text(system, "actionType") not in ("mwak", "rwak", "msak", "rsak"):
            return ""
        attack = attacks[0] if attacks else {}
        given_bonuses = (system.get("attackBonus"), system.get("magicalBonus"), attack.get("bonus"))
        bonuses = [decimal(value) for value in given_bonuses if value not in (None, "", 0)]
        is_flat = attack.get("flat") is True
        modifier = 0 if is_flat else self.ability_modifier(system)
        if modifier is None or None in bonuses:
            return ""
        is_proficient = not is_flat and system.get("proficient") not in (0, False)
        total = modifier + (self.proficiency if is_proficient else 0) + int(sum(filter(None, bonuses)))
        return f"{total:+d} to hit"


def _class_levels(actor: JsonObject) -> Iterator[tuple[str, int]]:
    """The levels of an actor's classes by their identifiers."""
    for item in objects(actor.get("items")):
        level = bonus(system_of(item).get("levels"))
        if item.get("type") == "class" and level is not None and 0 < level <= _MAX_LEVEL:
            yield _identifier(item), level


def _identifier(item: JsonObject) -> str:
    return text(system_of(item), "identifier") or slug(text(item, "name"))


def _scales(actor: JsonObject, levels: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Values that scale with class levels: ``scale.lamplighter.wicks`` is 2d6."""
    total_level = sum(levels.values()) or _MAX_LEVEL
    for item in objects(actor.get("items")):
        system, identifier = system_of(item), _identifier(item)
        level = levels.get(text(system, "classIdentifier") or identifier, total_level)
        for advancement in advancements(system):
            settings = part(advancement, "configuration")
            scale = ((bonus(step_level), step) for step_level, step in part(settings, "scale").items())
            steps = {step_level: step for step_level, step in scale if step_level is not None and step_level <= level}
            step = steps[max(steps)] if steps else None
            if isinstance(step, Mapping):
                name = text(settings, "identifier") or slug(text(advancement, "title"))
                path = f"scale.{identifier}.{name}"
                count, faces = bonus(step.get("number")), bonus(step.get("faces"))
                value = f"{count or ''}d{faces}" if faces else str(step.get("value", ""))
                for suffix in ("", ".value", ".formula"):
                    yield f"{path}{suffix}", value
                yield f"{path}.die", f"d{faces}" if faces else value
                yield f"{path}.number", str(count or 1)


def _scores_and_measures(system: JsonObject) -> Iterator[tuple[str, str]]:
    """Scores and other values of an actor that a formula may contain."""
    for path in ("attributes.hp.max", *(f"abilities.{code}.value" for code in ABILITY_BY_ABBREVIATION)):
        if (score := bonus(value_at(system, path))) is not None:
            yield path, str(score)
    for path in ("attributes.movement.walk", "details.cr"):
        if (measure := decimal(value_at(system, path))) is not None:
            yield path, f"{measure:g}"
