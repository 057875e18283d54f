"""An item: its fields, and its activities in words, with their attacks, damage, saves, ranges, targets and uses.

Versions of the system before 4 keep the mechanics in the item's own fields; ``_modern`` brings those into the shape of
the later ones, so that the rest knows one layout only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    JsonObject,
    Printer,
    counted,
    integer,
    joined,
    members,
    objects,
    part,
    phrase,
    readable,
    text,
    text_at,
    texts,
    value_at,
)
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.enrichers import Rolls, id_name, markdown
from lorekeeper_mcp.sources.foundry.formulas import (
    ActorNumbers,
    average,
    check_in_words,
    damage_in_words,
    dice,
    filled,
    magic_bonus,
    plain_dice,
    properties_of,
    rules_of,
    save_in_words,
    simplified,
    system_of,
)

# What only a virtual tabletop or its user needs: ids, pictures, tokens, the look of rolls, the state of a game.
_TABLETOP_FIELDS = frozenset(
    "_id _key _stats uuid img icon sort folder ownership flags prototypeToken token effects schema identifier"
    " container equipped attuned identified prepared preparation method proficient hitDiceUsed cptooltipmode"
    " favorites draft consume consumption visibility prompt override contiguous spent death concentration"
    " attunement inspiration exhaustion encumbrance loyalty important bastion crew passengers currency travel"
    " actions pace building craft trade hirelings defenders enlargeable free disabled progress tempmax temp inside"
    " originalClass sourceItem sourceClass crewed autoDestroy recommendation completed restriction allowReplacements"
    " optional allow".split()
)
_ATTACKS = {"mwak": ("melee", "weapon"), "rwak": ("ranged", "weapon"), "msak": ("melee", "spell"),
            "rsak": ("ranged", "spell")}  # fmt: skip
_WAYS = {"simpleM": "melee", "martialM": "melee", "natural": "melee", "simpleR": "ranged", "martialR": "ranged",
         "siege": "ranged"}  # fmt: skip
_AREAS = frozenset({"cone", "cube", "cylinder", "line", "sphere", "radius", "square", "wall", "circle", "emanation"})
_ACTIVATIONS = {"bonus": "bonus action", "crew": "crew action", "lair": "lair action", "legendary": "legendary action",
                "mythic": "mythic action", "none": ""}  # fmt: skip
_DURATIONS = {"inst": "Instantaneous", "perm": "Permanent", "spec": "Special", "disp": "Until dispelled",
              "dstr": "Until dispelled or triggered", "unti": "Until dispelled"}  # fmt: skip
_PERIODS = {"sr": "short rest", "lr": "long rest", "day": "Day", "turnStart": "start of each turn",
            "turnEnd": "end of each turn"}  # fmt: skip
_ON_SAVE = {"half": "half as much on a success", "full": "even on a success"}
_TITLES = {"utility": "Use", "heal": "Healing", "": "Use"}
_READ_FIELDS = (
    "description.value activities uses damage.base damage.versatile source advancement startingEquipment components"
    " properties".split()
)
_MOVED_FIELDS = (
    "activation range target duration damage save formula actionType attackBonus ability critical scaling"
    " recharge".split()
)
_READ_IN_ACTIVITY = (
    "type name activation attack.type attack.ability attack.bonus attack.flat damage.parts damage.includeBase"
    " damage.onSave healing save check range target duration uses".split()
)
_COUNTS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "eight": "8", "ten": "10"}
_WORD = re.compile(r"[^\W_]+")
# Words that say nothing by themselves: a description has its own for the same.
_COMMON_WORDS = frozenset(
    "1 a an of the your or and more for each own level above its dc saving throw throws damage hit hits points"
    " point weapon spell attack melee ranged reach range self touch special feet foot ft mile miles metres metre"
    " action actions reaction bonus legendary lair mythic instantaneous permanent minute minutes hour hours day"
    " days round rounds turn turns object objects creature creatures target targets any ally allies enemy enemies"
    " space willing radius sphere cone cube line cylinder square wall circle emanation half as much on success"
    " even with hands two plus check proficiency ability modifier".split()
)
_PATH = re.compile(r"(?:Compendium|Actor|Item|JournalEntry|RollTable)\.[\w.-]+")


def _printed(value: str) -> str:
    """A text of a field; of the path of a document only its name, if it has one."""
    return id_name(value, "") if _PATH.fullmatch(value) else names.readable(markdown(value))


printer = Printer(text=_printed, skipped=_TABLETOP_FIELDS, hides_zero=True)
"""Prints the fields that have no place in a record."""


# --- The layout of version 4 ---


def _modern(system: JsonObject) -> JsonObject:
    """An item with its mechanics as an activity, and its uses as in version 4."""
    system = {**system, "uses": _modern_uses(system)} if "uses" in system or "recharge" in system else system
    damage, save = part(system, "damage"), part(system, "save")
    if isinstance(versatile := damage.get("versatile"), str):
        damage = {**damage, "versatile": {"custom": {"enabled": True, "formula": versatile}}}
        system = {**system, "damage": damage}
    if "activities" in system:
        return system
    way, classification = _ATTACKS.get(text_at(system, "actionType"), ("", ""))
    parts = [_pair(entry) for entry in members(damage.get("parts"))]
    abilities, dc = texts(save.get("ability")), save.get("dc")
    activity: dict[str, object] = {
        "type": "attack" if way else "save" if abilities else "damage" if parts else "utility",
        "activation": part(system, "activation"),
        "range": part(system, "range"),
        "target": _modern_target(part(system, "target")),
        "damage": {"parts": parts, "includeBase": True, "critical": {"bonus": value_at(system, "critical.damage")}},
        "formula": system.get("formula"),
        "scaling": part(system, "scaling") if value_at(system, "scaling.formula") else {},
    }
    if way or system.get("attackBonus"):
        activity["attack"] = {
            "type": {"value": way, "classification": classification},
            "ability": system.get("ability"),
            "bonus": system.get("attackBonus"),
            "critical": {"threshold": value_at(system, "critical.threshold")},
        }
    if abilities:
        modern_dc = dc if isinstance(dc, dict) else {"formula": text(dc), "calculation": save.get("scaling")}
        activity["save"] = {"ability": abilities, "dc": modern_dc}
    return {**system, "activities": {"": activity}}


def _modern_uses(system: JsonObject) -> JsonObject:
    limit = part(system, "uses")
    if lowest := value_at(system, "recharge.value"):
        return {**limit, "recovery": [{"period": "recharge", "formula": text(lowest)}]}
    if not members(limit.get("recovery")) and (limit.get("per") or limit.get("recovery")):
        return {**limit, "recovery": [{"period": limit.get("per"), "formula": limit.get("recovery")}]}
    return limit


def _pair(entry: object) -> object:
    """``["1d6 + @mod", "piercing"]`` as an object."""
    if not isinstance(entry, list) or not entry:
        return entry
    kinds = [entry[1]] if len(entry) > 1 and entry[1] else []
    return {"custom": {"enabled": True, "formula": text(entry[0])}, "types": kinds}


def _modern_target(target: JsonObject) -> JsonObject:
    """A target of the versions before 4: its type is that of an area, or of those who are affected."""
    kind = text_at(target, "type")
    if not kind or "template" in target or "affects" in target:
        return target
    if kind in _AREAS:
        return {"template": {**target, "size": target.get("value")}}
    distance = names.unit(text_at(target, "units"))
    within = phrase("within {}", distance and joined(text(target.get("value")), distance, sep=" "))
    return {"affects": {"type": kind, "count": "" if within else target.get("value"), "special": within}}


# --- Parts of an activity in words ---


def uses_text(source: JsonObject) -> str:
    """Return the limit of use of an item or an activity: ``3/long rest``, or ``Recharge 5–6``."""
    most = text(value_at(source, "uses.max")).removeprefix("0")
    recharge, periods, regained = "", [], []
    for recovery in objects(value_at(source, "uses.recovery")):
        period, formula = text(recovery.get("period")), text(recovery.get("formula"))
        lowest = integer(formula)
        if period == "recharge" and (lowest or not formula):
            recharge = f"Recharge {lowest}–6" if lowest and lowest < 6 else "Recharge 6"
        else:
            periods.append(_PERIODS.get(period, period))
            regained.append(formula)
    separator, every = "/", joined(*periods, sep=" or ")
    if most[:1].isalpha():
        most, separator = f"equal to the {most}", ", per "
    most = "" if recharge and most == "1" else most
    times = joined(most, every if most else "", sep=separator)
    return joined(recharge, joined(times, phrase("(regains {})", joined(*regained)), sep=" "))


def activation_count(activation: JsonObject) -> int:
    """Return the number of actions, minutes and so on that an activation takes."""
    return integer(activation.get("value", activation.get("cost"))) or 1


def activation_text(activation: JsonObject) -> str:
    """Return ``1 bonus action``, without its condition."""
    kind = text_at(activation, "type")
    name = _ACTIVATIONS.get(kind, kind)
    return counted(str(activation_count(activation)), name) if name and kind != "special" else name


def duration_text(duration: JsonObject) -> str:
    """Return a duration as printed: ``10 minutes``."""
    units, value, special = text_at(duration, "units"), text(duration.get("value")), text(duration.get("special"))
    if units not in _DURATIONS:
        return joined(counted(value, units), special)
    return joined("" if units == "spec" and special else _DURATIONS[units], special)


def range_text(reach: JsonObject) -> str:
    """Return a range as printed: ``60 feet``, ``20/60 feet``, ``Touch``, ``reach 10 feet``."""
    units, special = text_at(reach, "units"), text(reach.get("special"))
    near, far, feet = (_nonzero(reach.get(name)) for name in ("value", "long", "reach"))
    distance = joined(near, far, sep="/") if near else ""
    if distance:
        distance = f"{distance} {names.unit(units, distance) or 'feet'}"
    elif not names.unit(units):
        distance = "" if units in ("", "spec") and special else {"spec": "Special"}.get(units, units.capitalize())
    return joined(phrase("reach {}", feet and f"{feet} {names.unit(units) or 'feet'}"), distance, special)


def _target_text(target: JsonObject) -> str:
    """``3 creatures of your choice, 20-foot sphere``."""
    return joined(_affected(target), area_text(target))


def _affected(target: JsonObject) -> str:
    affects = part(target, "affects")
    kind, count = names.readable(text_at(affects, "type")), _nonzero(affects.get("count"))
    plural = f"{kind.replace(' or ', 's or ')}s".replace("allys", "allies").replace("enemys", "enemies")
    affected = joined(count, plural if count not in ("", "1") and kind else kind, sep=" ")
    choice = " of your choice" if affected and affects.get("choice") is True else ""
    return joined(affected + choice, markdown(affects.get("special")), sep=" ")


def area_text(target: JsonObject) -> str:
    """``20-foot sphere``, ``60-foot line (5 feet wide)``, ``3 10-foot cubes``."""
    template = part(target, "template")
    size, shape, count = _nonzero(template.get("size")), text_at(template, "type"), _nonzero(template.get("count"))
    units = text_at(template, "units") or "ft"
    if not shape:
        return ""
    width = phrase(" ({} wide)", (wide := _nonzero(template.get("width"))) and f"{wide} {names.unit(units, wide)}")
    measure = f"{size}-{names.singular_unit(units)}" if size else ""
    several = count if count not in ("", "1") else ""
    return joined(several, measure, f"{shape}s" if several else shape, sep=" ") + width


def _nonzero(value: object) -> str:
    printed = text(value)
    return "" if printed == "0" else printed


def _content_words(text: str) -> frozenset[str]:
    """The words and numbers of a text that say something by themselves."""
    found = _WORD.findall(text.lower())
    return frozenset(_COUNTS.get(word, word) for word in found) - _COMMON_WORDS


def effect_sections(document: JsonObject, known_text: str, rolls: Rolls) -> Iterator[Section]:
    """Yield the effects of a document that have a description of their own."""
    known = _content_words(known_text)
    for effect in objects(document.get("effects")):
        described = markdown(effect.get("description"), rolls)
        if _content_words(described) - known:
            name = text_at(effect, "name") or text_at(effect, "label")
            yield Section(name="Effect", text=joined(name, described, sep=": "))


# --- Items ---


class Item(Rolls):
    """An item in the layout of version 4, with the numbers of the actor that has it, if one has; else with words.

    ``fields`` are those that nobody has read, ``description`` is its text.
    """

    def __init__(
        self, document: JsonObject, numbers: ActorNumbers | None = None, names_: Mapping[str, str] | None = None
    ) -> None:
        self.document, self.numbers, self._names = document, numbers, names_ or {}
        self.name, self.type = text_at(document, "name"), text_at(document, "type")
        system = _modern(system_of(document))
        # The modifier of the first activity, as the formula ``@mod`` has it.
        first = next((each for each in part(system, "activities").values() if isinstance(each, dict)), None)
        modifier = numbers.ability_modifier(system, first) if numbers and first is not None else None
        self._modifier = None if modifier is None else str(modifier)
        self.system = filled(system, self.known)
        self.activities = {id_: each for id_, each in part(self.system, "activities").items() if isinstance(each, dict)}
        self.is_2024 = rules_of(system) == "2024" or bool(numbers and numbers.is_2024)
        self.properties = set(properties_of(system))
        self.kind = text_at(system, "type.value") or text_at(system, "weaponType")
        described = value_at(self.system, "description.value")
        self.description = self.text(self.system.get("description") if described is None else described)
        self.fields = Fields(self.system, printer)
        self.fields.drop(*_READ_FIELDS, *(["description"] if described is None else []))
        if "" in self.activities:  # fields of a version before 4, which are in the activity now
            self.fields.drop(*_MOVED_FIELDS)

    def text(self, value: object) -> str:
        """Return a text of the item as Markdown."""
        return markdown(value, self)

    def took(self, property_: str) -> bool:
        """Take a property or a component: whether the item has it."""
        has = property_ in self.properties
        self.properties.discard(property_)
        return has

    def known(self, path: str) -> str | None:
        """Return a value of the actor."""
        if self.numbers is None:
            return None
        return self._modifier if path == "mod" else self.numbers.known(path)

    def _named(self, activity: str) -> list[JsonObject]:
        """The activity that an enricher names, else all of them."""
        return [self.activities[activity]] if activity in self.activities else list(self.activities.values())

    def value(self, path: str, activity: str) -> str:
        """Return a value of an activity, where the item's holds unless the activity overrides it."""
        if path.startswith("items."):
            return self._names.get(path.removeprefix("items."), "")
        root, _, rest = path.removeprefix("item.").partition(".")
        values = (self._value_of(each, path, root, rest) for each in self._named(activity) if rest)
        if found := next(filter(None, values), ""):
            return found
        return printer(value_at(self.system, path.removeprefix("item."))) if path.startswith("item.") else ""

    def _value_of(self, activity: JsonObject, path: str, root: str, rest: str) -> str:
        match path:
            case "save.dc.value" | "save.dc":
                return self._difficulty(part(activity, "save"))
            case "labels.description.range":
                return range_text(self._in_force(activity, "range"))
            case "labels.description.template":
                return area_text(self._in_force(activity, "target"))
            case "labels.description.affects":
                return _affected(self._in_force(activity, "target"))
            case _:
                return printer(value_at(self._in_force(activity, root), rest))

    def _in_force(self, activity: JsonObject, name: str) -> JsonObject:
        """A part of an activity, or of the item, whose part holds unless the activity overrides it."""
        own, of_item = part(activity, name), part(self.system, name)
        return of_item if of_item and (not own or own.get("override") is False) else own

    def roll(self, kind: str, activity: str, flags: frozenset[str]) -> str:
        """Return a roll of an activity, or of the first that has one."""
        for each in self._named(activity):
            if printed := self._roll(kind, each, flags):
                return printed
        return average(dice(self.base_damage("versatile"))) if kind == "damage" and "twoHanded" in flags else ""

    def _roll(self, kind: str, activity: JsonObject, flags: frozenset[str]) -> str:
        if kind == "attack":
            return self.attack_text(activity, extended="extended" in flags)
        if kind == "save":
            return self._save_text(part(activity, "save"))
        if kind == "check":
            return self._check_text(part(activity, "check"))
        if kind == "heal" or activity.get("type") == "heal":
            return damage_in_words(part(activity, "healing"), averaged="average" in flags)
        return self.damage_text(activity, averaged=bool({"average", "extended"} & flags))

    def base_damage(self, name: str) -> JsonObject:
        """Return the ``base`` or ``versatile`` damage of a weapon, with the modifier of its actor."""
        entry = part(self.system, f"damage.{name}")
        # Versions before 4 write the modifier out.
        if not self.numbers or self.type != "weapon" or not (entry.get("number") and entry.get("denomination")):
            return entry
        extra = (text(value).removeprefix("0") for value in (self._modifier, magic_bonus(self.system)))
        return {**entry, "bonus": simplified(joined(text(entry.get("bonus")), *extra, sep=" + "))}

    def damages(self, activity: JsonObject) -> list[JsonObject]:
        """Return the parts of an activity's damage, the weapon's own first if the activity includes it."""
        own = part(activity, "damage")
        includes = activity.get("type") == "attack" and own.get("includeBase") is not False
        entries = [*([self.base_damage("base")] if includes else []), *objects(own.get("parts"))]
        return [entry for entry in entries if dice(entry)]

    def damage_text(self, activity: JsonObject, *, averaged: bool) -> str:
        """Return the damage of a hit: ``4 (1d6 + 1) piercing plus 3 (1d6) fire``."""
        return " plus ".join(damage_in_words(entry, averaged=averaged) for entry in self.damages(activity))

    def attack_text(self, activity: JsonObject, *, extended: bool) -> str:
        """Return ``+5 to hit``, or if extended ``*Melee Weapon Attack:* +5 to hit, reach 5 ft.``"""
        if activity.get("type") != "attack":
            return ""
        attack = part(activity, "attack")
        way = text_at(attack, "type.value") or _WAYS.get(self.kind, "")
        classification = text_at(attack, "type.classification") or ("spell" if "school" in self.system else "weapon")
        bonus = self.numbers.to_hit(self.system, activity) if self.numbers else ""
        if not bonus:
            return joined(way, classification, "attack", sep=" ")
        to_hit = bonus if self.is_2024 else f"{bonus} to hit"
        if not extended:
            return to_hit
        reach = range_text(self._in_force(activity, "range")).replace(" feet", " ft.").replace(" foot", " ft.")
        if reach[:1].isdigit():  # before version 4, the range of a melee weapon is its reach
            reach = f"{'reach' if way == 'melee' and '/' not in reach else 'range'} {reach}"
        name = "Attack Roll" if self.is_2024 else f"{classification.title()} Attack"
        return f"*{joined(way.title(), name, sep=' ')}:* {joined(to_hit, reach)}"

    def _difficulty(self, save: JsonObject) -> str:
        """The DC of a save or a check, as far as the file says it or a way to compute it: empty if it does not."""
        formula, calculation = text(value_at(save, "dc.formula")), text_at(save, "dc.calculation")
        is_spell = calculation in ("spellcasting", "spell") or (calculation == "initial" and "school" in self.system)
        computed = self.known("attributes.spell.dc" if is_spell else f"abilities.{calculation}.dc")
        if formula or computed:
            return formula or computed or ""
        if calculation in ("spellcasting", "spell"):
            return "your spell save DC"
        ability = names.ability(calculation)
        return f"8 + proficiency bonus + {ability} modifier" if ability.lower() in ABILITIES else ""

    def _save_text(self, save: JsonObject) -> str:
        return save_in_words(save, self._difficulty(save))

    def _check_text(self, check: JsonObject) -> str:
        dc = self._difficulty(check)
        return check_in_words(check, dc if dc[:1].isdigit() else "")

    def further_sections(self, known_text: str, *, with_attacks: bool = True) -> Iterator[Section]:
        """Yield all of an item that has no place in its record, as far as ``known_text`` does not say it.

        Of attacks that a text has already, other numbers are no news.
        """
        known = _content_words(known_text)
        target = "" if "" in self.activities else _target_text(part(self.system, "target"))
        damage = joined(damage_in_words(part(self.system, "damage.base")), plain_dice(self.base_damage("versatile")))
        sections = {
            name: line for name, line in (("Target", target), ("Damage", damage)) if _content_words(line) - known
        }
        for activity in self.activities.values():
            fields = Fields(activity, printer)
            fields.drop(*_READ_IN_ACTIVITY)
            unread = (f"{readable(field.name)}: {field.text}" for field in fields.also())
            facts = (*self._facts(activity, known, with_attacks), *unread)
            kind = text_at(activity, "type")
            title = text_at(activity, "name") or _TITLES.get(kind, names.readable(kind).capitalize())
            news = [fact for fact in facts if _content_words(fact) - known]
            sections[title] = joined(*dict.fromkeys((sections.get(title, ""), *news)), sep="; ")
        yield from (Section(name=name, text=line) for name, line in sections.items() if line)
        yield from self.fields.also()
        yield from effect_sections(self.document, known_text, self)

    def _facts(self, activity: JsonObject, known: frozenset[str], with_attacks: bool) -> Iterator[str]:
        """What an activity does in words."""

        def of_attack(line: str) -> str:
            return line if with_attacks or any(map(str.isalpha, _content_words(line) - known)) else ""

        activation, damage = part(activity, "activation"), part(activity, "damage")
        bonus = _nonzero(value_at(activity, "attack.bonus"))
        if self.numbers and self.numbers.to_hit(self.system, activity):
            bonus = ""
        yield activation_text(activation) if self.numbers is None else ""  # a stat block lists it among the actions
        yield self.text(activation.get("condition"))
        yield of_attack(self.attack_text(activity, extended=True))
        yield of_attack(phrase("{} to hit", bonus and (bonus if bonus[:1] in "+-" else f"+{bonus}")))
        on_save = _ON_SAVE.get(text_at(damage, "onSave"), "")
        yield of_attack(joined(self.damage_text(activity, averaged=False), on_save))
        yield damage_in_words(part(activity, "healing"))
        yield self._save_text(part(activity, "save"))
        yield self._check_text(part(activity, "check"))
        yield of_attack(range_text(self._in_force(activity, "range")))
        yield of_attack(_target_text(self._in_force(activity, "target")))
        yield duration_text(self._in_force(activity, "duration"))
        for entry in objects([*members(damage.get("parts")), activity.get("healing")]):
            if text_at(entry, "scaling.mode"):
                yield phrase("scaling: {}", printer(entry.get("scaling")))
        yield uses_text(activity)
