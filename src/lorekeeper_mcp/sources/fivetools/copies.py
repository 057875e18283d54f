"""Copies of items: their originals, what they inherit, and their modifications (``_mod``).

A modification that is not known, or that does not fit the original, is listed in the copy instead of being applied.
"""

from __future__ import annotations

import contextlib
import copy
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import re2

from lorekeeper_mcp.models import (
    Action,
    Background,
    Creature,
    Equipment,
    Kind,
    Record,
    Section,
    Senses,
    Species,
    Spell,
    WeaponStats,
)
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.field_reader import JsonObject, as_object, integer, listed, mapping, objects, with_texts
from lorekeeper_mcp.sources.fivetools.adapters import ACTIONS, ARMORS, CATEGORIES, DAMAGE, DEFENSES, SIZES
from lorekeeper_mcp.sources.fivetools.context import Item, Lists, lists_of
from lorekeeper_mcp.sources.fivetools.entries import PROPERTIES, markdown
from lorekeeper_mcp.sources.fivetools.growth import grow, size_of
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.sources.originals import Originals, with_record
from lorekeeper_mcp.sources.stat_block import printed_name

# The kinds of record that an item of a section may be copied from.
_KINDS: dict[str, tuple[Kind, ...]] = {
    "monster": (Kind.CREATURE,), "spell": (Kind.SPELL,), "race": (Kind.SPECIES,), "background": (Kind.BACKGROUND,),
    **dict.fromkeys(("item", "baseitem"), (Kind.MAGIC_ITEM, Kind.WEAPON, Kind.ARMOR, Kind.ITEM)),
    **dict.fromkeys(("feat", "optionalfeature"), (Kind.FEAT,)),
    "condition": (Kind.CONDITION,), "language": (Kind.LANGUAGE,),
}  # fmt: skip
# Fields that a copy does not inherit unless ``_preserve`` lists them.
_NOT_INHERITED = frozenset(
    {"_versions", "page", "srd", "srd52", "basicRules", "basicRules2024", "otherSources", "hasFluff",
     "hasFluffImages", "hasToken", "reprintedAs", "legendaryGroup", "environment", "soundClip", "altArt", "variant",
     "dragonCastingColor", "familiar", "lootTables", "tier"}
)  # fmt: skip
_MAX_DEPTH = 20  # copies of copies
ItemsByName = Mapping[str, Sequence[Item]]
"""Items by name in lower case."""


class CopiedItems:
    """Resolves the copies of one file: of its own items, of other files' items, of records."""

    def __init__(self, lists: Lists, originals: Originals) -> None:
        self._originals = originals
        self._sizes: dict[int, tuple[Item, int]] = {}  # originals and their sizes, by id
        self._own = {section: _by_name(items) for section, items in lists.items()}

    def resolve_part(self, section: str, part: object) -> object:
        """Resolve a part of another item; unchanged if its original is not found."""
        if isinstance(part, dict) and "_copy" in part:
            with contextlib.suppress(TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
                return self.resolve(section, part)
        return part

    def resolve(self, section: str, item: Item, _copies: tuple[int, ...] = ()) -> Item:
        """Return the item itself, or the result of its ``_copy`` of an original. Raises ItemError.

        Modifications that are not known, or do not fit the original, are a field of the copy.
        """
        reference = item.get("_copy")
        if not isinstance(reference, Mapping):
            return item
        if id(item) in _copies:
            raise ItemError("it is a copy of itself")
        if len(_copies) > _MAX_DEPTH:
            raise ItemError(f"it is a copy of copies, more than {_MAX_DEPTH} deep")
        original = self._original(section, item, reference)
        resolved = self.resolve(section, original, (*_copies, id(item)))
        if resolved is not original or id(original) not in self._sizes:
            self._sizes[id(original)] = (original, size_of(resolved))
        grow(self._sizes[id(original)][1])
        changes = [*map(self._template, objects(listed(reference.get("_templates")))), reference]
        copied = _inherited(resolved, mapping(reference.get("_preserve")))
        for change in changes:
            copied |= copy.deepcopy(dict(mapping(change.get("_root"))))
        copied |= {name: value for name, value in item.items() if name != "_copy"}
        for name in [name for name, value in item.items() if value is None]:
            del copied[name]
        for change in changes:
            for target, modifications in mapping(change.get("_mod")).items():
                for modification in listed(modifications):
                    modify(copied, target, modification)
        return copied

    def shared_text(self, key: tuple[str, ...]) -> Item | None:
        """Return a shared text of another file by its identity. It is then stored with this file."""
        name, source = key
        item = _first(self._others.get("itemEntry", {}), {"name": name, "source": source})
        if item is not None:
            self._originals.use("itemEntry", item)
        return item

    def _original(self, section: str, item: Item, reference: JsonObject) -> Item:
        """The original of a copy: of the file, of another one, which is then stored with it, or a record."""
        if original := _first(self._own.get(section, {}), reference, besides=item):
            return original
        if original := _first(self._others.get(section, {}), reference, besides=item):
            self._originals.use(section, original)
            return original
        name, source = str(reference.get("name")), str(reference.get("source") or "")
        fields = {field: value for field, value in reference.items() if not field.startswith("_")}

        def written(record: Record) -> Item:
            return with_record(item_of(record, source) | fields, record)

        if original := self._originals.find(section, _KINDS.get(section, ()), name, source, written):
            return original
        of_source = f" ({source})" if source else ""
        raise ItemError(f'it is a copy of "{name}"{of_source}, which is not in these files, the SRD or the store')

    def _template(self, reference: JsonObject) -> JsonObject:
        """The changes of a template. Raises ItemError if it is in no file."""
        for items in (self._own, self._others):
            if template := _first(items.get("monsterTemplate", {}), reference):
                return mapping(template.get("apply"))
        raise ItemError(f'its template "{reference.get("name")}" is not in these files')

    @cached_property
    def _others(self) -> Mapping[str, ItemsByName]:
        lists: dict[str, list[Item]] = {}
        for file in (*self._originals.files(), self._originals.kept):
            for section, items in lists_of(mapping(file)).items():
                lists.setdefault(section, []).extend(items)
        return {section: _by_name(items) for section, items in lists.items()}


def _inherited(original: Item, preserved: JsonObject) -> Item:
    left_out = {"_copy"} if "*" in preserved else {"_copy", *(_NOT_INHERITED - preserved.keys())}
    return {name: copy.deepcopy(value) for name, value in original.items() if name not in left_out}


def _by_name(items: Iterable[Item]) -> ItemsByName:
    by_name: dict[str, list[Item]] = {}
    for item in items:
        by_name.setdefault(str(item.get("name", "")).lower(), []).append(item)
    return by_name


def _first(items: ItemsByName, reference: JsonObject, besides: Item | None = None) -> Item | None:
    """The first item that a reference fits: all of its fields are equal."""
    wanted = {name: str(value).lower() for name, value in reference.items() if not name.startswith("_")}
    for item in items.get(wanted.get("name", ""), ()):
        if item != besides and all(str(item.get(name, "")).lower() == value for name, value in wanted.items()):
            return item
    return None


# --- Modifications ---

Modification: TypeAlias = "Callable[[Item, str, JsonObject], None]"
_NOT_APPLIED = "modifications not applied"
_TEXT_FIELDS = (
    "trait", "action", "bonus", "reaction", "legendary", "mythic", "variant", "spellcasting", "entries",
    "actionHeader", "bonusHeader", "reactionHeader", "legendaryHeader", "mythicHeader",
)  # fmt: skip
_MAX_PATTERN = 500  # characters
_GROUP = re.compile(r"\$(\d{1,2}|&)")
_RANGE = re.compile(r"\d{1,9}")
_SIZES = "TSMLHG"
_VARIABLE = re.compile(r"<\$([^$<>]{1,80})\$>")
_DICE = re.compile(r"([\d.]+)(?:d(\d+))?")


class ModificationError(ValueError):
    """The modification does not fit; the message says why."""


def modify(item: Item, target: str, modification: object) -> None:
    """Apply one modification to a field, to every text (``*``) or to the item (``_``), or note that it does not fit."""
    if modification == "remove":
        item.pop(target, None)
        return
    grow(size_of(modification))
    mode = str(mapping(modification).get("mode"))
    try:
        filled = mapping(_filled(modification, item))
        for field in [field for field in _TEXT_FIELDS if field in item] if target == "*" else [target]:
            _MODES[mode](item, field, filled)
    except (ModificationError, KeyError) as error:
        reason = str(error) if isinstance(error, ModificationError) else "it is unknown"
        left_out = {"name": mode, "reason": reason, "field": target, **as_object(modification, "what")}
        left_out.pop("mode", None)
        item[_NOT_APPLIED] = [*listed(item.get(_NOT_APPLIED)), left_out]


def _pattern(text: object, flags: object) -> re.Pattern[str]:
    """Compile a pattern of the file, which matches in linear time. Raises ModificationError if it is not supported."""
    options = re2.Options()
    options.case_sensitive = "i" not in str(flags or "")
    options.log_errors = False
    try:
        if len(str(text)) <= _MAX_PATTERN:
            pattern: re.Pattern[str] = re2.compile(str(text), options)
            return pattern
    except re2.error:
        pass
    raise ModificationError(f'the pattern "{str(text)[:60]}" is invalid or too complex')


def _replacing(mod: JsonObject) -> Callable[[str], str]:
    """Return the function that replaces every match; ``$1`` and ``$&`` are what a group and the pattern matched."""
    pattern, replacement = _pattern(mod.get("replace"), mod.get("flags")), str(mod.get("with", ""))

    def new_text(match: re.Match[str]) -> str:
        try:
            new = _GROUP.sub(lambda group: match[0 if group[1] == "&" else int(group[1])] or "", replacement)
        except IndexError:
            reason = f'the replacement "{replacement[:60]}" names a group that the pattern lacks'
            raise ModificationError(reason) from None
        grow(len(new) - len(match[0]))
        return new

    return lambda text: pattern.sub(new_text, text)


def _replace_text(item: Item, field: str, mod: JsonObject) -> None:
    replace, props = _replacing(mod), mod.get("props")

    def replaced(value: object, name: str | None = None) -> object:
        if isinstance(value, str):
            is_changed = name in props if isinstance(props, list) else name not in ("name", "type", "source")
            return replace(value) if is_changed else value
        if isinstance(value, list):
            return [replaced(part, name) for part in value]
        if isinstance(value, Mapping):
            return {inner: replaced(part, inner) for inner, part in value.items()}
        return value

    if field in item:
        item[field] = replaced(item[field])


def _rename(item: Item, field: str, mod: JsonObject) -> None:
    renames = {str(spec.get("rename")): spec.get("with") for spec in map(mapping, listed(mod.get("renames")))}
    replace = _replacing(mod) if mod.get("mode") == "replaceName" else None
    for entry in _list_of(item, field):
        if isinstance(entry, dict) and isinstance(name := entry.get("name"), str):
            entry["name"] = replace(name) if replace else renames.get(name, name)


def _append_text(item: Item, field: str, mod: JsonObject) -> None:
    text = item.get(field)
    item[field] = f"{text}{mod.get('joiner', '')}{mod.get('str', '')}" if text else str(mod.get("str", ""))


def _list_of(item: Item, field: str) -> list[object]:
    """Return the list in a field, created if missing. Raises ModificationError if the field is not a list."""
    value = item.setdefault(field, [])
    if not isinstance(value, list):
        raise ModificationError(f'"{field}" is not a list')
    return value


def _insert(item: Item, field: str, mod: JsonObject) -> None:
    entries = _list_of(item, field)
    ends = {"prependArr": 0, "appendArr": len(entries)}
    index = ends.get(str(mod.get("mode")), integer(mod.get("index")) or 0)
    entries[index:index] = listed(mod.get("items"))


def _replace(item: Item, field: str, mod: JsonObject) -> None:
    entries = _list_of(item, field)
    index = _index(entries, mod.get("replace"))
    if index is None and mod.get("mode") == "replaceArr":
        raise ModificationError(f'the original has no "{mod.get("replace")}" in "{field}" to replace')
    at = slice(len(entries), None) if index is None else slice(index, index + 1)
    entries[at] = listed(mod.get("items"))


def _index(entries: Sequence[object], wanted: object) -> int | None:
    """The place of an entry, given by its name, by an index, or by a pattern for its name."""
    spec = mapping(wanted)
    if "index" in spec:
        index = integer(spec["index"])
        return index if index is not None and 0 <= index < len(entries) else None
    pattern = _pattern(spec["regex"], spec.get("flags")) if "regex" in spec else None
    names = map(_name, entries)
    return next(
        (at for at, name in enumerate(names) if (pattern.search(str(name)) if pattern else name == wanted)), None
    )


def _name(entry: object) -> object:
    return entry.get("name") if isinstance(entry, Mapping) else entry


def _remove(item: Item, field: str, mod: JsonObject) -> None:
    def content(value: object) -> str:
        return json.dumps(value, sort_keys=True, default=str)

    removed = set(map(content, listed(mod.get("names", mod.get("items")))))
    item[field] = [entry for entry in _list_of(item, field) if not removed & {content(_name(entry)), content(entry)}]


def _set(item: Item, field: str, mod: JsonObject) -> None:
    *outer, last = str(mod.get("prop") or field).split(".")
    target: Item = item
    for name in outer:
        inner = target.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ModificationError(f'it sets a part of "{name}", which has no parts')
        target = inner
    target[last] = mod.get("value")


def _add_senses(item: Item, _: str, mod: JsonObject) -> None:
    """Add senses; each replaces one of the same kind with a shorter range."""
    senses = [str(sense) for sense in _list_of(item, "senses")]
    for spec in map(mapping, listed(mod.get("senses"))):
        kind, feet = str(spec.get("type")), integer(spec.get("range")) or 0
        same_kind = [sense for sense in senses if sense.startswith(kind)]
        if all(int(match[0]) < feet for match in map(_RANGE.search, same_kind) if match):
            senses = [*(sense for sense in senses if sense not in same_kind), f"{kind} {feet} ft."]
    item["senses"] = list(senses)


def _modify_numbers(work: Callable[[float, float], float]) -> Modification:
    def modify(item: Item, field: str, mod: JsonObject) -> None:
        scalar, prop, values = float(str(mod.get("scalar") or 0)), str(mod.get("prop") or "*"), mapping(item.get(field))
        modified = dict(values)
        for name, value in values.items():
            if (amount := integer(value)) is not None and prop in (name, "*"):
                result = int(work(amount, scalar))
                modified[name] = f"{result:+d}" if isinstance(value, str) else result
        if values:
            item[field] = modified

    return modify


def _shift_tag(tag: str) -> Modification:
    """Return a modification of the numbers in a tag: ``{@hit 5}``."""
    pattern = re.compile(rf"(\{{@{tag} )([+-]?\d+)")

    def modify(item: Item, field: str, mod: JsonObject) -> None:
        shift = integer(mod.get("scalar")) or 0
        item[field] = with_texts(
            item.get(field), lambda text: pattern.sub(lambda match: f"{match[1]}{int(match[2]) + shift}", text)
        )

    return modify


def _filled(value: object, item: Item) -> object:
    """Resolve variables such as ``<$dc__con$>`` in a modification. Raises ModificationError for an unknown one."""

    def filled(match: re.Match[str]) -> str:
        text = _variable(match[1], item)
        grow(len(text) - len(match[0]))
        return text

    return with_texts(value, lambda text: _VARIABLE.sub(filled, text))


def _variable(text: str, item: Item) -> str:
    """The value of ``dc__con``, ``to_hit__str,dex``, ``damage_avg__2d6+dex``, ``size_mult__5`` or ``name``."""
    kind, _, detail = text.partition("__")
    if kind in ("name", "title_name", "short_name", "title_short_name"):
        short, name = item.get("shortName"), str(item.get("name") or "")
        name = name if item.get("isNamedCreature") else name.lower()
        name = short if "short" in kind and isinstance(short, str) else name
        return name[:1].upper() + name[1:] if "title" in kind else name
    if kind[3:] == "_mod":
        return str(_modifier(kind, item))
    if kind not in _NUMBERS:
        raise ModificationError(f'the variable "{text[:40]}" is unknown')
    return _NUMBERS[kind](detail, item)


def _modifier(abilities: str, item: Item) -> int:
    """The highest modifier of some abilities, each named by its first three letters."""
    modifiers = []
    for ability in map(str.strip, abilities.split(",")):
        if ability[:3] not in ABILITY_BY_ABBREVIATION:
            raise ModificationError(f'the variable is of "{ability[:20]}", which is not an ability')
        score = integer(item.get(ability[:3]))
        modifiers.append(((score if score is not None else 10) - 10) // 2)
    return max(modifiers)


def _proficiency(item: Item) -> int:
    rating = integer(as_object(item.get("cr"), "cr").get("cr"))
    return 2 if rating is None or rating < 5 else 2 + (rating - 1) // 4


def _average(detail: str, item: Item) -> str:
    dice, ability = _DICE.match(detail), detail.rpartition("+")[2]
    if dice is None:
        raise ModificationError(f'the variable has no dice in "{detail[:20]}"')
    die = (int(dice[2]) + 1) / 2 if dice[2] else 1
    return str(int(float(dice[1]) * die + _modifier(ability, item)))


def _bonus(detail: str, item: Item) -> str:
    modifier = _modifier(detail, item)
    return f" {'+' if modifier > 0 else '-'} {abs(modifier)}" if modifier else ""


def _size_multiple(detail: str, item: Item) -> str:
    size = str((listed(item.get("size")) or ["M"])[0])
    return str((integer(detail) or 0) * max(1, _SIZES.find(size) - 1))


_NUMBERS: Mapping[str, Callable[[str, Item], str]] = {
    **dict.fromkeys(("prof_bonus", "proficiency"), lambda _, item: str(_proficiency(item))),
    **dict.fromkeys(("dc", "spell_dc"), lambda detail, item: str(8 + _modifier(detail, item) + _proficiency(item))),
    "to_hit": lambda detail, item: f"{_modifier(detail, item) + _proficiency(item):+d}",
    "damage_mod": _bonus,
    "damage_avg": _average,
    "size_mult": _size_multiple,
}
_MODES: Mapping[str, Modification] = {
    "replaceTxt": _replace_text,
    "appendStr": _append_text,
    **dict.fromkeys(("prependArr", "appendArr", "insertArr"), _insert),
    **dict.fromkeys(("replaceArr", "replaceOrAppendArr"), _replace),
    "removeArr": _remove,
    **dict.fromkeys(("renameArr", "replaceName"), _rename),
    "setProp": _set,
    "setProps": lambda item, _, mod: item.update(mapping(mod.get("props"))),
    "scalarAddProp": _modify_numbers(lambda number, amount: number + amount),
    "scalarMultProp": _modify_numbers(lambda number, factor: number * factor),
    "scalarAddHit": _shift_tag("hit"),
    "scalarAddDc": _shift_tag("dc"),
    "addSenses": _add_senses,
}


# --- Records as items: the fields that a modification may change in part; a copy inherits all else from the record ---

_TAGGED = (
    (re.compile(r"\+(\d{1,2})(?= to hit)"), r"{@hit \1}"),
    (re.compile(r"(?<=Attack Roll: )\+(\d{1,2})"), r"{@hit \1}"),
    (re.compile(r"\bDC (\d{1,2})\b"), r"{@dc \1}"),
)


def item_of(record: Record, source: str) -> Item:
    """Return a record as an item of a source."""
    fields: Item = {part.name: part.text for part in record.other if part.name}
    fields |= {"name": record.name, "source": source, "entries": _entries(record.text)}
    match record:
        case Creature():
            fields |= _creature_fields(record)
        case Equipment():
            fields |= _equipment_fields(record)
        case Spell():
            fields |= {"level": record.level, "entriesHigherLevel": _entries(record.higher_level)}
        case Species():
            fields["entries"] = [*_entries(record.text), *_named(record.traits)]
        case Background():
            fields["entries"] = [*_entries(record.text), *_named(record.benefits)]
        case _:
            pass
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _entries(text: str) -> list[object]:
    """The paragraphs of a text, with tags for the numbers that a modification may change."""
    paragraphs = [paragraph for paragraph in text.split("\n\n") if paragraph]
    for pattern, tag in _TAGGED:
        paragraphs = [pattern.sub(tag, paragraph) for paragraph in paragraphs]
    return [*(paragraphs if markdown(paragraphs) == text.strip() else [text] if text else [])]


def _named(parts: Iterable[Section | Action]) -> list[object]:
    """Named entries; the paragraphs of a part without a name."""
    named: list[object] = []
    for part in parts:
        name = printed_name(part) if isinstance(part, Action) else part.name
        entries = _entries(part.text)
        named += [{"type": "entries", "name": name, "entries": entries}] if name else entries
    return named


def _creature_fields(record: Creature) -> Item:
    scores, defenses, abilities = record.abilities.model_dump(), record.defenses.model_dump(), ABILITY_BY_ABBREVIATION
    return {
        "size": [code for code, name in SIZES.items() if name in (record.size_text or record.size).lower().split()],
        "hp": {"average": record.hit_points, "formula": record.hit_dice},
        "speed": {**record.speed, **({"canHover": True} if record.hover else {})},
        **{code: scores[ability] for code, ability in abilities.items()},
        "save": {_code(abilities, name): f"{bonus:+d}" for name, bonus in record.saving_throws.items()},
        "skill": {name.replace("-", " "): f"{bonus:+d}" for name, bonus in record.skills.items()},
        "senses": _senses(record.senses),
        "passive": record.senses.passive_perception,
        "languages": record.languages.split(", ") if record.languages else [],
        **{field: _defenses(defenses[name], defenses[f"{name}_text"]) for name, field in DEFENSES.items()},
        "cr": str(Fraction(record.challenge_rating)) if record.challenge_rating is not None else None,
        "trait": _named(record.traits),
        **{field: _named(a for a in record.actions if a.type is kind) for field, kind in ACTIONS.items()},
    }


def _senses(senses: Senses) -> list[str]:
    ranges = senses.model_dump(exclude_none=True, exclude={"text", "passive_perception", "normal_sight"})
    text = senses.text or ", ".join(f"{name} {feet:g} ft." for name, feet in ranges.items())
    return text.split(", ") if text else []


def _defenses(keys: tuple[str, ...], text: str) -> list[object]:
    """Damage types or conditions; a clause with a condition as printed."""
    defenses: list[object] = []
    for clause in filter(None, map(str.strip, text.split(";"))):
        parts = [part.strip().lower() for part in clause.split(",")]
        defenses += [{"special": clause}] if any(" " in part for part in parts) else parts
    return defenses or list(keys)


def _code(codes: Mapping[str, str], name: str) -> str:
    """The first code of a name; the name itself if it has none."""
    return next((code for code, known in codes.items() if known == name), name)


def _equipment_fields(record: Equipment) -> Item:
    """The fields from which the kind follows, and the numbers, of which a copy has all if it changes one."""
    is_magic, weapon, armor = record.kind is Kind.MAGIC_ITEM, record.weapon, record.armor
    fields: Item = {
        "type": _code(CATEGORIES, record.category),
        "armor": record.kind is Kind.ARMOR or None,
        "rarity": record.rarity.replace("-", " ") or ("unknown (magic)" if is_magic else "none"),
        "value": round(record.cost * 100) if record.cost is not None else None,
        "weight": record.weight,
    }
    if weapon or record.kind is Kind.WEAPON:
        fields |= _weapon_fields(weapon, is_weapon=record.kind is not Kind.ITEM) if weapon else {"type": "M"}
    if armor:
        fields |= {
            "type": _code(ARMORS, armor.category),
            "ac": armor.ac_base,
            "stealth": armor.stealth_disadvantage or None,
            "strength": armor.strength_required,
        }
    return fields


def _weapon_fields(weapon: WeaponStats, *, is_weapon: bool) -> Item:
    training = "" if weapon.is_simple is None else "simple" if weapon.is_simple else "martial"
    return {
        "type": "R" if weapon.is_ranged else "M",
        "weaponCategory": training if is_weapon else "",
        "dmg1": weapon.damage_dice,
        "dmg2": weapon.two_handed_damage,
        "dmgType": _code(DAMAGE, weapon.damage_type),
        "property": [_code(PROPERTIES, prop.name) for prop in weapon.properties],
        "range": "/".join(f"{feet:g}" for feet in (weapon.range, weapon.long_range) if feet is not None),
    }
