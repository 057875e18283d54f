"""The mechanics of an item in words: its activities with their attacks, damage, saves, ranges, targets and uses.

Versions of the system before 4 keep them in the item's own fields; ``modern`` brings those into the shape of the later
ones, so that the rest knows one layout only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    JsonObject,
    Printer,
    integer,
    members,
    objects,
    part,
    readable,
    text,
    text_at,
    texts,
    value_at,
)
from lorekeeper_mcp.sources.foundry import formulas, names
from lorekeeper_mcp.sources.foundry.enrichers import Rolls, average, id_name, markdown
from lorekeeper_mcp.sources.phrases import counted, either, joined, phrase

# What only a virtual tabletop or its user needs: ids, pictures, tokens, the look of rolls, the state of a game.
TABLETOP_FIELDS = frozenset(
    "_id _key _stats uuid img icon sort folder ownership flags prototypeToken token effects schema identifier"
    " container equipped attuned identified prepared preparation method proficient hitDiceUsed cptooltipmode"
    " favorites draft consume consumption visibility prompt override contiguous spent roll death concentration"
    " attunement inspiration exhaustion encumbrance loyalty important bastion crew passengers currency travel"
    " actions pace building craft trade hirelings defenders enlargeable free disabled progress tempmax temp inside"
    " originalClass sourceItem sourceClass crewed autoDestroy recommendation completed"
    " allow".split()
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
_HEALING = {"temphp": "temporary hit points", "healing": "hit points", "maximum": "hit point maximum"}
MODIFIER = " + ability modifier"  # of a weapon's wielder; books do not print it with the dice
_ON_SAVE = {"half": "half as much on a success", "full": "even on a success"}
_TITLES = {"utility": "Use", "heal": "Healing", "": "Use"}
_READ_FIELDS = (
    "description activities uses damage.base damage.versatile source advancement startingEquipment components"
    " properties unidentified.description".split()
)
_MOVED_FIELDS = (
    "activation range target duration damage save formula actionType attackBonus ability critical scaling"
    " recharge".split()
)
_READ_IN_ACTIVITY = (
    "type name activation attack.type attack.ability attack.bonus attack.flat damage.parts damage.includeBase"
    " damage.onSave healing save check range target duration uses description".split()
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


printer = Printer(text=_printed, skipped=TABLETOP_FIELDS, hides_zero=True)
"""Prints the fields that have no place in a record."""


def modern(system: JsonObject) -> JsonObject:
    """Return an item with its mechanics as an activity, and its uses as in version 4."""
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
        "target": _target(part(system, "target")),
        "damage": {"parts": parts, "includeBase": True, "critical": {"bonus": value_at(system, "critical.damage")}},
        "roll": {"formula": system.get("formula")},
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


def _target(target: JsonObject) -> JsonObject:
    """A target of the versions before 4: its type is that of an area, or of those who are affected."""
    kind = text_at(target, "type")
    if not kind or "template" in target or "affects" in target:
        return target
    if kind in _AREAS:
        return {"template": {**target, "size": target.get("value")}}
    distance = names.unit(text_at(target, "units"))
    within = phrase("within {}", distance and joined(text(target.get("value")), distance, sep=" "))
    return {"affects": {"type": kind, "count": "" if within else target.get("value"), "special": within}}


@dataclass(frozen=True)
class ItemRolls(Rolls):
    """The rolls of an item in the layout of version 4, of a creature with ``numbers`` or of nobody."""

    system: JsonObject
    numbers: formulas.ActorNumbers | None = None
    is_2024: bool = False
    item_names: Mapping[str, str] | None = None

    def known(self, path: str) -> str | None:
        """Return a value of the actor."""
        if self.numbers is None:
            return None
        return self.numbers.modifier_of(self.system) if path == "mod" else self.numbers.known(path)

    def value(self, path: str, activity: str) -> str:
        """Return a value of an activity, where the item's holds unless the activity overrides it."""
        if path.startswith("items."):
            return (self.item_names or {}).get(path.removeprefix("items."), "")
        own = formulas.activities(self.system)
        sources = [own[activity]] if activity in own else list(own.values())
        if path in ("save.dc.value", "save.dc"):
            return next((dc for source in sources if (dc := _difficulty(part(source, "save")))), "")
        if path.startswith("labels.description."):
            names_ = {"range": range_text, "template": area_text, "affects": _affected}
            describe = names_.get(path.rpartition(".")[2])
            name = "range" if describe is range_text else "target"
            return next((describe(_in_force(source, self.system, name)) for source in sources if describe), "")
        root, _, rest = path.removeprefix("item.").partition(".")
        for source in sources if rest else ():
            if found := printer(value_at(_in_force(source, self.system, root), rest)):
                return found
        return printer(value_at(self.system, path.removeprefix("item."))) if path.startswith("item.") else ""

    def roll(self, kind: str, activity: str, flags: frozenset[str]) -> str:
        """Return a roll of an activity, or of the first that has one."""
        own = formulas.activities(self.system)
        for source in [own[activity]] if activity in own else own.values():
            if printed := self._roll(kind, source, flags):
                return printed
        return average(two_handed(self.system)) if kind == "damage" and "twoHanded" in flags else ""

    def _roll(self, kind: str, activity: JsonObject, flags: frozenset[str]) -> str:
        if kind == "attack":
            return attack_text(self.system, activity, self, extended="extended" in flags)
        if kind == "save":
            return save_text(part(activity, "save"))
        if kind == "check":
            return check_text(part(activity, "check"))
        if kind == "heal" or activity.get("type") == "heal":
            return _dice_and_kind(part(activity, "healing"), averaged="average" in flags)
        return damage_text(self.system, activity, averaged=bool({"average", "extended"} & flags))


def dice(entry: JsonObject) -> str:
    """Return the dice of a part of damage: ``2d6 + 3``."""
    custom = part(entry, "custom")
    if custom.get("enabled") is not False and (formula := text(custom.get("formula"))):
        return formulas.simplified(formula)
    count, faces, extra = integer(entry.get("number")), integer(entry.get("denomination")), text(entry.get("bonus"))
    return formulas.simplified(joined(f"{count}d{faces}" if count and faces else "", extra, sep=" + "))


def damages(item: JsonObject, activity: JsonObject) -> list[JsonObject]:
    """Return the parts of an activity's damage, the weapon's own first if the activity includes it."""
    base, own = part(item, "damage.base"), part(activity, "damage")
    includes = activity.get("type") == "attack" and own.get("includeBase") is not False
    return [entry for entry in [*([base] if includes else []), *objects(own.get("parts"))] if dice(entry)]


def kinds_of(entry: JsonObject) -> list[str]:
    """Return the types of a part of damage, any of which may be chosen."""
    return texts(entry.get("types"))


def _dice_and_kind(entry: JsonObject, *, averaged: bool = False) -> str:
    printed = dice(entry)
    kind = either(_HEALING.get(kind, kind) for kind in kinds_of(entry))
    return joined(average(printed) if averaged else printed.replace(MODIFIER, ""), kind, sep=" ") if printed else ""


def damage_text(item: JsonObject, activity: JsonObject, *, averaged: bool) -> str:
    """Return the damage of a hit: ``4 (1d6 + 1) piercing plus 3 (1d6) fire``."""
    parts = [_dice_and_kind(entry, averaged=averaged) for entry in damages(item, activity)]
    return " plus ".join(parts)


def two_handed(item: JsonObject) -> str:
    """Return the dice of a weapon that is held with two hands."""
    return dice(part(item, "damage.versatile")).replace(MODIFIER, "").strip()


def attack_text(item: JsonObject, activity: JsonObject, rolls: ItemRolls, *, extended: bool) -> str:
    """Return ``+5 to hit``, or if extended ``*Melee Weapon Attack:* +5 to hit, reach 5 ft.``"""
    if activity.get("type") != "attack":
        return ""
    attack, kind = part(activity, "attack"), text_at(item, "type.value") or text_at(item, "weaponType")
    way = text_at(attack, "type.value") or _WAYS.get(kind, "")
    classification = text_at(attack, "type.classification") or ("spell" if "school" in item else "weapon")
    bonus = rolls.numbers.to_hit(item, activity) if rolls.numbers else ""
    if not bonus:
        return joined(way, classification, "attack", sep=" ")
    to_hit = bonus if rolls.is_2024 else f"{bonus} to hit"
    if not extended:
        return to_hit
    reach = range_text(_in_force(activity, item, "range")).replace(" feet", " ft.").replace(" foot", " ft.")
    if reach[:1].isdigit():  # before version 4, the range of a melee weapon is its reach
        reach = f"{'reach' if way == 'melee' and '/' not in reach else 'range'} {reach}"
    name = "Attack Roll" if rolls.is_2024 else f"{classification.title()} Attack"
    return f"*{joined(way.title(), name, sep=' ')}:* {joined(to_hit, reach)}"


def _difficulty(save: JsonObject) -> str:
    """The DC of a save or a check, as far as the file says it: empty if it does not."""
    formula, calculation = text(value_at(save, "dc.formula")), text_at(save, "dc.calculation")
    if formula:
        return formula
    if calculation in ("spellcasting", "spell"):
        return "your spell save DC"
    ability = names.ability(calculation)
    return f"8 + proficiency bonus + {ability} modifier" if ability.lower() in ABILITIES else ""


def save_text(save: JsonObject) -> str:
    """Return ``DC 13 Dexterity saving throw``; empty if the file names no ability."""
    abilities = either(names.ability(code) for code in texts(save.get("ability")))
    dc = _difficulty(save)
    if not abilities:
        return ""
    if dc[:1].isdigit() and " " not in dc:
        return f"DC {dc} {abilities} saving throw"
    return f"{abilities} saving throw{phrase(' (DC {})', dc.replace('your spell save DC', ''))}"


def check_text(check: JsonObject) -> str:
    """Return ``DC 15 Dexterity (Acrobatics) check``."""
    ability, using = names.ability(text_at(check, "ability")), either(map(names.skill, texts(check.get("associated"))))
    if not ability and not using:
        return ""
    dc = _difficulty(check)
    name = f"{ability} ({using})" if ability and using else ability or using
    return joined(phrase("DC {}", dc if dc[:1].isdigit() else ""), name, "check", sep=" ")


def uses_text(source: JsonObject) -> str:
    """Return the limit of use of an item or an activity: ``3/long rest``, or ``Recharge 5–6``."""
    limit = part(source, "uses")
    recoveries = objects(limit.get("recovery"))
    most = text(limit.get("max")).removeprefix("0")
    recharge, periods, regained = "", [], []
    for recovery in recoveries:
        period, formula = text(recovery.get("period")), text(recovery.get("formula"))
        lowest = integer(formula)
        if period == "recharge" and (lowest or not formula):
            recharge = f"Recharge {lowest}–6" if lowest and lowest < 6 else "Recharge 6"
            continue
        periods += [names.period(period)] if period else []
        regained += [formula] if formula else []
    most = "" if recharge and most == "1" else most
    times = f"equal to the {most}" if most[:1].isalpha() else most
    slash = "/" if times == most else ", per "
    times += slash + " or ".join(periods) if times and periods else ""
    return joined(recharge, joined(times, phrase("(regains {})", ", ".join(regained)), sep=" "))


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


def target_text(target: JsonObject) -> str:
    """Return the targets and the area: ``3 creatures of your choice, 20-foot sphere``."""
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


def _in_force(activity: JsonObject, item: JsonObject, name: str) -> JsonObject:
    """A part of an activity, or of the item, whose part holds unless the activity overrides it."""
    own, of_item = part(activity, name), part(item, name)
    return of_item if of_item and (not own or own.get("override") is False) else own


def _mechanics(rolls: ItemRolls, known_text: str, omit: frozenset[str]) -> Iterator[Section]:
    """Yield what the activities of an item do, a section each, as far as ``known_text`` does not say it.

    Of the parts that are in ``omit``, such as a spell's range, only words are missed, not numbers.
    """
    item, known = rolls.system, _content_words(known_text)
    printed: dict[str, str] = {}
    for activity in formulas.activities(item).values():
        facts = _facts(rolls, activity)
        lines = [fact for name, fact in facts if any(name not in omit or word.isalpha() for word in _news(fact, known))]
        fields = Fields(activity, printer)
        fields.drop(*_READ_IN_ACTIVITY)
        lines += [f"{readable(field.name)}: {field.text}" for field in fields.also() if _news(field.text, known)]
        kind = text_at(activity, "type")
        title = text_at(activity, "name") or _TITLES.get(kind, names.titled(kind))
        if line := joined(*dict.fromkeys(lines), sep="; "):
            printed[title] = joined(*dict.fromkeys((printed.get(title, ""), line)), sep="; ")
    for title, line in printed.items():
        yield Section(name=title, text=line)


def _facts(rolls: ItemRolls, activity: JsonObject) -> Iterator[tuple[str, str]]:
    """What an activity does in words: the part of the activity, and its text."""
    item, activation, damage = rolls.system, part(activity, "activation"), part(activity, "damage")
    yield "activation", activation_text(activation)
    yield "condition", markdown(activation.get("condition"), rolls)
    yield "attack", attack_text(item, activity, rolls, extended=True)
    bonus = _nonzero(value_at(activity, "attack.bonus"))
    if bonus and not (rolls.numbers and rolls.numbers.to_hit(item, activity)):
        yield "bonus", f"{bonus if bonus[:1] in '+-' else f'+{bonus}'} to hit"
    yield "damage", joined(damage_text(item, activity, averaged=False), _ON_SAVE.get(text_at(damage, "onSave"), ""))
    yield "damage", _dice_and_kind(part(activity, "healing"))
    yield "save", save_text(part(activity, "save"))
    yield "check", check_text(part(activity, "check"))
    yield "range", range_text(_in_force(activity, item, "range"))
    yield "target", target_text(_in_force(activity, item, "target"))
    yield "duration", duration_text(_in_force(activity, item, "duration"))
    for entry in objects([*members(damage.get("parts")), activity.get("healing")]):
        count, faces = integer(value_at(entry, "scaling.number")), integer(entry.get("denomination"))
        more = text(value_at(entry, "scaling.formula")) or (f"{count}d{faces}" if count and faces else "")
        if mode := text_at(entry, "scaling.mode"):
            each = "two levels" if mode == "half" else "level above its own"
            yield "scaling", phrase(f"{{}} more for each {each}", more)
    yield "roll", joined(text_at(activity, "roll.name"), text(value_at(activity, "roll.formula")), sep=" ")
    yield "uses", uses_text(activity)
    for name in ("chatFlavor", "value"):
        yield "description", markdown(value_at(activity, f"description.{name}"), rolls)


def _content_words(text: str) -> frozenset[str]:
    """The words and numbers of a text that say something by themselves."""
    found = _WORD.findall(text.lower())
    return frozenset(_COUNTS.get(word, word) for word in found) - _COMMON_WORDS


def _news(text: str, known: frozenset[str]) -> frozenset[str]:
    return _content_words(text) - known


def _descriptions(rolls: ItemRolls, known_text: str) -> Iterator[Section]:
    """Yield the texts of an item beside its description, as far as they say more."""
    system, known = rolls.system, _content_words(known_text)
    further = (
        ("Chat", value_at(system, "description.chat")),
        ("Unidentified", value_at(system, "unidentified.description")),
        ("Unidentified", value_at(system, "description.unidentified")),  # before version 3
        ("Target", "" if "" in formulas.activities(system) else target_text(part(system, "target"))),
        ("Damage", joined(_dice_and_kind(part(system, "damage.base")), two_handed(system))),
    )
    for name, value in further:
        if _news(printed := markdown(value, rolls), known):
            yield Section(name=name, text=printed)


def further_sections(
    document: JsonObject, rolls: ItemRolls, known_text: str, fields: Fields, omit: str
) -> Iterator[Section]:
    """Yield all of an item that has no place in its record, as far as ``known_text`` does not say it.

    ``omit`` names the parts of activities of which only words are missed, and ``fields`` are those left to list.
    """
    yield from _descriptions(rolls, known_text)
    yield from _mechanics(rolls, known_text, frozenset(omit.split()))
    yield from fields.also()
    yield from effect_sections(document, known_text, rolls)


def effect_sections(document: JsonObject, known_text: str, rolls: Rolls | None = None) -> Iterator[Section]:
    """Yield the effects of a document that have a description of their own."""
    known = _content_words(known_text)
    for effect in objects(document.get("effects")):
        described = markdown(effect.get("description"), rolls or Rolls())
        if _news(described, known):
            name = text_at(effect, "name") or text_at(effect, "label")
            yield Section(name="Effect", text=joined(name, described, sep=": "))


def item_fields(system: JsonObject, read_fields: str = "") -> Fields:
    """Return the fields of an item that this module does not read; ``read_fields`` are further paths."""
    fields = Fields(system, printer)
    fields.drop(*_READ_FIELDS, *read_fields.split())
    if "" in formulas.activities(system):  # the fields of an item of a version before 4, which ``modern`` has moved
        fields.drop(*_MOVED_FIELDS)
    return fields
