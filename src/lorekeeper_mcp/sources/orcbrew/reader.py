"""Reads an OrcBrew file, in any of its shapes, to books of records.

The application writes two shapes: "Export all" a map of book names to books, "Export" one bare book, which is called
as the ``:option-pack`` of its items or the file (https://github.com/Orcpub/orcpub, ``::e5/plugins``, ``::e5/plugin``).
An item that yields no record is skipped with its path and the reason. Fields without a place in a record are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from lorekeeper_mcp.models import (
    ActionType,
    Background,
    CharacterClass,
    Creature,
    Equipment,
    Feat,
    Feature,
    Kind,
    Record,
    Ref,
    Reference,
    Rule,
    Section,
    Species,
    Spell,
)
from lorekeeper_mcp.models.printed_values import ordinal
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION, SRD_CLASSES, SRD_RACES, WEAPON_PROPERTIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    Printer,
    integer,
    joined,
    listed,
    mapping,
    members,
    numbers,
    phrase,
    sections_of,
    text,
    titled,
)
from lorekeeper_mcp.sources.imported import (
    MAX_FILE,
    MAX_ITEMS,
    TOO_MANY,
    BookBuilder,
    ImportedFile,
    ItemError,
    book_key,
    common_fields,
    parent_key,
    record_key,
    slug,
)
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.item_form import (
    ArmorForm,
    ItemForm,
    WeaponForm,
    named_properties,
    pounds,
    price,
    to_equipment,
)
from lorekeeper_mcp.sources.orcbrew.edn import EdnError, Keyword, Map, Plain, Value, local_name, parse, plain
from lorekeeper_mcp.sources.spell_form import SpellForm, to_spell
from lorekeeper_mcp.sources.stat_block import StatBlock, ability_key, to_creature

Keys: TypeAlias = Mapping[str, str]
"""Keys of the classes or races of the same book, by the slugs of their names."""
Adapter: TypeAlias = Callable[[CommonFields, Fields, Keys], Record]

_ACTIONS = {**{str(kind): kind for kind in ActionType}, "b-action": ActionType.BONUS_ACTION}
_KINDS = {"weapon": Kind.WEAPON, "armor": Kind.ARMOR}
_ARMORS = ("light", "medium", "heavy", "shield")
_CATEGORIES = {"other-magic-item": "wondrous-item", "wondrous": "wondrous-item", "wondrous-items": "wondrous-item"}
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
_CASTERS = {1: "full", 2: "half", 3: "third"}  # by the share of a full caster's slots
_EQUIPMENT = (
    "equipment-choices weapon-choices armor-choices weapons armor equipment custom-equipment treasure"
    " equipment-selections starting-equipment".split()
)


def _title(key: str) -> str:
    """Constitution for ``con``; any other key is titled."""
    return ABILITY_BY_ABBREVIATION.get(key.strip().lower(), "").capitalize() or titled(key)


def _titles(keys: Iterable[str]) -> str:
    return ", ".join(map(_title, keys))


shown = Printer(text=lambda value: _title(value) if isinstance(value, Keyword) else text(value))
"""Prints values that have no place in our models: a text as written, a keyword as a name."""


def _lines(values: Mapping[str, object]) -> str:
    printed = {titled(name.removesuffix("?")): shown(value) for name, value in values.items()}
    return "\n".join(f"{name}: {line}" for name, line in printed.items() if line)


def _all_lines(fields: Fields, *names: str) -> str:
    """Take some fields, or all that are left, as lines."""
    values = {name: value for name, value in fields.unread().items() if not names or name in names}
    fields.drop(*values)
    return _lines(values)


# --- Spells, monsters and things ---


def spell(common: CommonFields, fields: Fields, book_classes: Keys) -> Spell:
    """Return a spell; false in ``:spell-lists`` means that it is not on the list. Raises ItemError without a level."""
    classes = fields.names("spell-lists", "classes", "class")
    form = SpellForm(
        level=fields.integer("level"),
        school=fields.text("school"),
        casting_time=fields.text("casting-time"),
        range=fields.text("range"),
        verbal=fields.flag("components.verbal") or False,
        somatic=fields.flag("components.somatic") or False,
        material=fields.flag("components.material") or False,
        material_text=fields.text("components.material-component", "material-component"),
        duration=fields.text("duration"),
        concentration=fields.flag("concentration") or False,
        ritual=fields.flag("ritual") or False,
        classes=tuple(Ref(name=titled(key), key=parent_key(key, book_classes, SRD_CLASSES)) for key in classes),
        attack_roll=fields.flag("attack-roll?") or False,
        other=fields.also(),
    )
    return to_spell(form, common)


def creature(common: CommonFields, fields: Fields, _: Keys) -> Creature:
    """Return a monster; values that it does not give stay absent. Its actions are traits with a type."""
    traits: list[tuple[str, str]] = []
    actions: list[tuple[ActionType, str, str]] = []
    for trait in fields.entries("traits", "description"):
        kind = _activation(trait)
        name, description = trait.text("name"), trait.with_unread(trait.text("description", "text"))
        if kind is None:
            traits.append((name, description))
        else:
            actions.append((kind, name, description))
    speed, ranges = numbers(fields.peek("speed")), {name: fields.number(name) for name in _SENSES}
    abilities = {ability: fields.integer(key, ability) for key, ability in ABILITY_BY_ABBREVIATION.items()}
    hit_points, hit_dice = _hit_points(fields)
    subtypes = _titles(fields.names("subtypes", "subtype"))
    block = StatBlock(
        name=common["name"],
        size=titled(fields.text("size")),
        type=titled(fields.text("type")).lower() + phrase(" ({})", subtypes.lower()),
        alignment=fields.text("alignment"),
        armor=joined(fields.text("armor-class"), fields.text("armor-notes"), sep=" "),
        hit_points=hit_points,
        hit_dice=hit_dice,
        speed=", ".join(f"{mode} {feet:g} ft." for mode, feet in speed.items()) or fields.text("speed"),
        abilities={ability: score for ability, score in abilities.items() if score is not None},
        saves={ability_key(key): bonus for key, bonus in fields.integers("saving-throws").items()},
        skills=fields.integers("skills"),
        senses=joined(
            fields.text("senses"),
            *(f"{name} {feet:g} ft." for name, feet in ranges.items() if feet),
            phrase("passive Perception {}", fields.text("passive-perception")),
        ),
        languages=_titles(fields.names("props.language", "props.languages", "languages", "language")),
        challenge=fields.text("challenge", "challenge-rating"),
        traits=tuple(traits),
        actions=tuple(actions),
        legendary_text=fields.text("legendary-actions.description"),
        immunities=_defense(fields, "damage-immunity", "damage-immunities"),
        resistances=_defense(fields, "damage-resistance", "damage-resistances"),
        vulnerabilities=_defense(fields, "damage-vulnerability", "damage-vulnerabilities"),
        conditions=_defense(fields, "condition-immunity", "condition-immunities"),
    )
    fields.drop(*(f"speed.{mode}" for mode in speed))
    record = to_creature(block, common["document_name"], common)
    other = (*record.other, *sections_of({"traits": fields.text("traits")}), *fields.also())
    return record.model_copy(update={"other": other})


def _defense(fields: Fields, *names: str) -> str:
    """A resistance or an immunity, from the props or from a field of its own."""
    return ", ".join(fields.names(*(f"props.{name}" for name in names), *names))


def _hit_points(fields: Fields) -> tuple[str, str]:
    """The average and the dice: {:die 8 :die-count 3 :modifier 6} is 19 and 3d8+6; or hit points as written."""
    die, count = (integer(fields.peek(f"hit-points.{name}")) for name in ("die", "die-count"))
    if die is None or count is None:
        return fields.text("hit-points"), ""
    fields.drop("hit-points.die", "hit-points.die-count")
    modifier = fields.integer("hit-points.modifier") or 0
    return str(count * (die + 1) // 2 + modifier), f"{count}d{die}{f'{modifier:+d}' if modifier else ''}"


def equipment(common: CommonFields, fields: Fields, _: Keys) -> Equipment:
    """Return an item, a weapon, an armor or a magic item; the fields may say more than the section."""
    if fields.has("rarity", "attunement", "magical?", "requires-attunement"):
        common["kind"] = Kind.MAGIC_ITEM
    elif common["kind"] is Kind.ITEM:
        common["kind"] = _KINDS.get(text(fields.peek("type")).lower(), Kind.ITEM)
    own = str(common["kind"]) if common["kind"] in _KINDS.values() else ""
    # The type of a weapon is simple or martial, that of an armor light to heavy.
    written = fields.text("category", "item-type", *([] if own else ["type"]))
    category = own or _CATEGORIES.get(key := written and slug(written), key)
    attunement, by = _attunement(fields)
    form = ItemForm(
        category=category,
        category_text=titled(written) if own and own != slug(written or own) else "",
        cost=fields.read(price, "cost", "value"),
        weight=fields.read(pounds, "weight"),
        rarity=fields.text("rarity"),
        attunement=attunement,
        attunement_text=phrase("requires attunement by a {}", by),
        weapon=_weapon(fields) if category == "weapon" or fields.has("damage-die") else None,
        armor=_armor(fields) if category in ("armor", "shield") else None,
        other=fields.also(),
    )
    return to_equipment(form, common)


def _attunement(fields: Fields) -> tuple[bool | None, str]:
    """Whether an item requires attunement, and by whom: true, or [:any], or [:bard :druid]."""
    required = fields.flag("requires-attunement", "attunement")
    users = fields.names("attunement", "requires-attunement") if required is None else []
    return (True if users else required), " or ".join(titled(key) for key in users if key.lower() != "any")


def _weapon(fields: Fields) -> WeaponForm:
    """Dice and properties, from {:damage-die 8 :damage-die-count 1} or "1d8"; ranges from {:min 20 :max 60}."""
    properties = [titled(name) for name in fields.names("properties")]
    properties += [titled(name) for name in WEAPON_PROPERTIES if fields.flag(name)]
    training = ["type"] if fields.peek("type") in ("simple", "martial") else ["weapon-type", "proficiency"]
    ranged, melee = fields.flag("ranged?"), fields.flag("melee?")
    return WeaponForm(
        damage=_dice(fields) or fields.text("damage"),
        damage_type=fields.text("damage-type"),
        two_handed=_dice(fields.part("versatile")),
        range=fields.number("range.min", "range.normal"),
        long_range=fields.number("range.max", "range.long"),
        properties=named_properties(properties),
        training=fields.text(*training),
        is_ranged=ranged if melee is None else not melee,
    )


def _dice(fields: Fields) -> str:
    die, count = fields.integer("damage-die"), fields.integer("damage-die-count")
    return f"{count or 1}d{die}" if die else ""


def _armor(fields: Fields) -> ArmorForm:
    category = [name for name in ("armor-type", "subtype", "type") if text(fields.peek(name)).lower() in _ARMORS]
    return ArmorForm(
        category=fields.text(*category[:1]).lower(),
        base=fields.integer("base-ac", "armor-class", "ac"),
        cap=fields.integer("max-dex-mod"),
        strength=fields.integer("min-str", "strength"),
        hinders_stealth=fields.flag("stealth-disadvantage?") or False,
    )


# --- Rules ---


def reference(common: CommonFields, fields: Fields, _: Keys) -> Reference:
    """Return a language, or a condition of a fork."""
    script, speakers = fields.text("script"), fields.text("speakers", "typical-speakers")
    return Reference(**common, script=slug(script) if script else "", speakers=speakers, other=fields.also())


def rule(section: str, common: CommonFields, fields: Fields, _: Keys) -> Rule:
    """Return an item of a section without a kind of its own, in a chapter with the section's name."""
    chapter = Ref(name=titled(section), key=f"orcbrew_{book_key(common['document_name'])}_{slug(section)}")
    return Rule(**common, section=chapter, other=fields.also())


# --- What characters choose ---


def character_class(common: CommonFields, fields: Fields, book_classes: Keys) -> CharacterClass:
    """Return a class or, by its kind, a subclass. Raises ItemError if a subclass does not name its class."""
    is_subclass = common["kind"] is Kind.SUBCLASS
    parent = fields.text("class") if is_subclass else ""
    if is_subclass and not parent:
        raise ItemError("it does not name its class")
    profs, casting = fields.part("profs"), fields.part("spellcasting")
    saves = profs.names("save") or fields.names("saving-throws")
    caster = casting.read(lambda value: _CASTERS.get(integer(value) or 0), "level-factor") or ""
    ability = phrase("Spellcasting Ability: {}", _title(casting.text("ability")))
    spellcasting = joined(ability, _all_lines(casting), sep="\n")
    flavor = text(fields.peek("subclass-title"))
    features = [*_class_features(fields), *_features(fields)]
    return CharacterClass(
        **common,
        subclass_of=Ref(name=titled(parent), key=parent_key(parent, book_classes, SRD_CLASSES)) if parent else None,
        flavor=flavor,
        hit_dice=phrase("d{}", fields.integer("hit-die")),
        caster_type=caster,
        saving_throws=tuple(map(_title, saves)),
        proficiencies=_all_lines(profs),
        equipment=_all_lines(fields, *_EQUIPMENT),
        spellcasting=spellcasting or fields.text("spellcasting"),
        features=tuple(sorted(features, key=lambda feature: feature.levels[:1])),
        spells=_spell_lists(fields),
        other=(*sections_of({"Ability Score Increase": _increases(fields)}), *fields.also()),
    )


def _class_features(fields: Fields) -> list[Feature]:
    level, features = fields.integer("subclass-level"), []
    title, help_text = fields.text("subclass-title"), fields.text("subclass-help")
    if level or title or help_text:
        choice = joined("You choose a subclass.", help_text, sep="\n\n")
        features.append(Feature(name=title or "Subclass", text=choice, levels=(level,) if level else ()))
    if levels := tuple(filter(None, map(integer, fields.names("ability-increase-levels")))):
        features.append(Feature(name="Ability Score Improvement", levels=levels))
    return features


def _features(fields: Fields) -> list[Feature]:
    """The traits of a class, a race or a background; one of a known activation, such as a reaction, has it as type."""
    features = []
    for trait in fields.entries("traits", "description"):
        kind, level, name = _activation(trait) or "", trait.integer("level"), trait.text("name")
        description = trait.with_unread(trait.text("description", "text"), trait.text("summary"))
        features.append(Feature(name=name, text=description, type=kind, levels=(level,) if level else ()))
    return features


def _activation(trait: Fields) -> ActionType | None:
    written = text(trait.peek("type")).lower()
    if written in _ACTIONS or written == "other":
        trait.drop("type")
    return _ACTIONS.get(written)


def _traits(fields: Fields) -> list[Section]:
    return [
        Section(
            name=trait.name,
            text=joined(*(f"From level {level}." for level in trait.levels if level > 1), trait.text, sep="\n"),
            type=trait.type,
        )
        for trait in _features(fields)
    ]


def _spell_lists(fields: Fields) -> tuple[Section, ...]:
    """Lists such as ``:cleric-spells {1 {0 :bless 1 :cure-wounds}}``, level by level."""
    lists = {name: mapping(value) for name, value in fields.unread().items() if name.endswith("spells")}
    sections = []
    for name, levels in lists.items():
        lines = {integer(level): list(mapping(spells).values()) or spells for level, spells in levels.items()}
        if lines and None not in lines:
            fields.drop(name)
            printed = "; ".join(f"{ordinal(level or 0)} level: {shown(spells)}" for level, spells in lines.items())
            sections.append(Section(name=titled(name), text=printed, type=slug(name)))
    return tuple(sections)


def species(common: CommonFields, fields: Fields, book_races: Keys) -> Species:
    """Return a race or, in its section, a subrace. Raises ItemError if a subrace does not name its race."""
    speed, darkvision, parent = fields.text("speed"), fields.number("darkvision"), fields.text("race")
    printed = _traits(fields)
    bonuses = (f"{_title(key)} {bonus:+d}" for key, bonus in fields.integers("abilities").items() if bonus)
    derived = {
        "Ability Score Increase": joined(*bonuses, _increases(fields)),
        "Languages": _titles(fields.names("languages") or fields.names("props.language")),
        "Darkvision": phrase("{:g} feet", darkvision),
        "Proficiencies": _all_lines(fields.part("profs")),
        "Spells": fields.line("spells"),
    }
    names_printed = {trait.name.lower() for trait in printed}
    derived = {name: line for name, line in derived.items() if name.lower() not in names_printed}
    return Species(
        **common,
        subspecies_of=Ref(name=titled(parent), key=parent_key(parent, book_races, SRD_RACES)) if parent else None,
        is_subspecies=bool(parent),
        size=titled(fields.text("size")),
        speed=f"{speed} feet" if speed.isdigit() else speed,
        traits=(*sections_of(derived), *printed),
        other=fields.also(),
    )


def subrace(common: CommonFields, fields: Fields, book_races: Keys) -> Species:
    """Return a subrace. Raises ItemError if it does not name its race."""
    if not text(fields.peek("race")):
        raise ItemError("it does not name its race")
    return species(common, fields, book_races)


def background(common: CommonFields, fields: Fields, _: Keys) -> Background:
    """Return a background: proficiencies, equipment, then its feature."""
    profs = fields.part("profs")
    parts = [
        ("Skill Proficiencies", "skill_proficiency", _titles(profs.names("skill", "skills"))),
        ("Tool Proficiencies", "tool_proficiency", _titles(profs.names("tool", "tools"))),
        ("Languages", "language", profs.line("language-options")),
        ("Ability Score Increase", "ability_score", _increases(fields)),
        ("Proficiencies", "proficiency", _all_lines(profs)),
        ("Equipment", "equipment", _all_lines(fields, *_EQUIPMENT)),
    ]
    sections = [Section(name=name, text=line, type=kind) for name, kind, line in parts if line]
    return Background(**common, benefits=(*sections, *_traits(fields)), other=fields.also())


def feat(common: CommonFields, fields: Fields, _: Keys, type_: str = "") -> Feat:
    """Return a feat, or an option of a type; ability increases and the options of a selection are its benefits."""
    required = fields.names("prereqs", "prerequisites", "prerequisite")
    prerequisite = joined(
        ", ".join(f"proficiency with {key} armor" if key in _ARMORS else _title(key) for key in required),
        ", ".join(f"{_title(name)} {score}" for name, score in fields.integers("prereqs").items()),
        _lines(mapping(fields.take("path-prereqs"))),
        sep="; ",
    )
    increase = phrase("Ability Score Increase: {}", _increases(fields))
    options = fields.take("options") if type_ == "Selection" else None
    benefits = (increase, *map(shown, mapping(options).values() or members(options)))
    return Feat(
        **common, type=type_, prerequisite=prerequisite, benefits=tuple(filter(None, benefits)), other=fields.also()
    )


def _increases(fields: Fields) -> str:
    """Strength or Dexterity +1 for #{:str :dex}; Constitution +1, Any +1 for [[1 :con] [1 :any]]."""
    value = listed(fields.take("ability-increases"))
    if value and all(isinstance(entry, str) for entry in value):
        keys = [text(entry) for entry in value]
        abilities = [_title(key) for key in keys if "save" not in key.lower()]
        saves = " and proficiency in its saving throws" if len(abilities) < len(keys) else ""
        return f"{' or '.join(abilities)} +1{saves}"
    pairs = [entry for entry in value if isinstance(entry, list) and len(entry) == 2]
    if len(pairs) < len(value):
        return shown(value)
    return ", ".join(f"{_title(text(name))} +{text(count)}" for count, name in pairs)


SECTIONS: Mapping[str, tuple[Kind, Adapter]] = {
    "spells": (Kind.SPELL, spell),
    "monsters": (Kind.CREATURE, creature),
    "classes": (Kind.CLASS, character_class),
    "subclasses": (Kind.SUBCLASS, character_class),
    "races": (Kind.SPECIES, species),
    "subraces": (Kind.SPECIES, subrace),
    "backgrounds": (Kind.BACKGROUND, background),
    "feats": (Kind.FEAT, feat),
    "languages": (Kind.LANGUAGE, reference),
    "conditions": (Kind.CONDITION, reference),
    "invocations": (Kind.FEAT, partial(feat, type_="Eldritch Invocation")),
    "selections": (Kind.FEAT, partial(feat, type_="Selection")),
    "encounters": (Kind.RULE, partial(rule, "encounters")),
    "boons": (Kind.FEAT, partial(feat, type_="Pact Boon")),
    "weapons": (Kind.WEAPON, equipment),
    "armors": (Kind.ARMOR, equipment),
    "armor": (Kind.ARMOR, equipment),
    "equipment": (Kind.ITEM, equipment),
    "items": (Kind.ITEM, equipment),
    "magic-items": (Kind.MAGIC_ITEM, equipment),
}


_UNNAMED = "Unnamed Content"  # the application's name for a book without one
_DISABLED = "disabled?"
_MAX_NAME = 300
_TYPE_NAMES = {"NoneType": "nil", "bool": "a flag", "int": "a number", "float": "a number", "list": "a list"}
_Pairs: TypeAlias = "list[tuple[Value, Value]]"


@dataclass(frozen=True)
class Item:
    """One entry of a section. ``value`` is a map of fields, or whatever is in its place."""

    book: str
    section: str
    key: str
    value: Plain
    disabled: bool = False

    @property
    def name(self) -> str:
        """The item's name, or one derived from its key."""
        fields = mapping(self.value)
        name = fields.get("name")
        if not isinstance(name, str) or not name.strip():
            name = titled(self.key or text(fields.get("key")))
        return " ".join(name.split())

    @property
    def record_key(self) -> str:
        """The key of the item's record."""
        return record_key(self.book, self.section, self.key or self.name)


def read(data: bytes, name: str) -> ImportedFile:
    """Read a file. ``name`` is its name without the ending, used as the book if the file names none. Never raises."""
    try:
        content, invisible = visible(_decoded(data))
        items = list(items_of(str(content), name))
    except EdnError as error:
        return ImportedFile(fault=str(error))
    if len(items) > MAX_ITEMS:
        return ImportedFile(fault=TOO_MANY)
    names: dict[str, str] = {}  # of several names with the same key, the first
    items = [replace(item, book=names.setdefault(book_key(item.book), item.book)) for item in items]
    parents: dict[tuple[str, str], dict[str, str]] = {}
    for item in items:
        parents.setdefault((item.book, item.section), {})[slug(item.key)] = item.record_key
    books = BookBuilder()
    for item in items:
        own = parents.get((item.book, "races" if item.section == "subraces" else "classes"), {})
        books.adapt(item.book, item.section, item.key, partial(_record, item, own))
    return ImportedFile(books.books(known={*SECTIONS, ""}), invisible=invisible + books.invisible)


def _record(item: Item, parents: Keys) -> Record:
    """The record of an item. The application uses the 2014 rules. Raises ItemError and ValidationError."""
    if item.disabled:
        raise ItemError("it is disabled in the file")
    if not isinstance(item.value, dict):
        kind = _TYPE_NAMES.get(type(item.value).__name__, "a text")
        raise ItemError(f"it is {kind} where a map of fields is expected")
    if not item.section:
        raise ItemError("it is outside any section")
    if not item.name:
        raise ItemError("it has neither a key nor a name")
    fields = Fields(item.value, shown)
    fields.drop(_DISABLED, "edit-event")
    for field, known in (("name", item.name), ("option-pack", item.book), ("key", item.key)):
        if fields.peek(field) == known and len(known) <= _MAX_NAME:
            fields.drop(field)
    if slug(text(fields.peek("key")) or "?") == slug(item.name):
        fields.drop("key")
    record_kind, adapter = SECTIONS.get(item.section, (Kind.RULE, partial(rule, item.section)))
    description = fields.text("description", "desc", "text", "help")
    return adapter(common_fields(item.book, record_kind, item.record_key, item.name, description), fields, parents)


def _decoded(data: bytes) -> str:
    """A file's text: UTF-8 with or without a byte order mark; UTF-16 if a mark says so. Raises EdnError."""
    if len(data) > MAX_FILE:
        raise EdnError(f"The file is larger than {MAX_FILE // 1024 // 1024} MB.")
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        name = encoding.removesuffix("-sig").upper()
        raise EdnError(f"The file is not valid {name} text (line {line}, column {column}).") from None


def items_of(text: str, name: str) -> Iterator[Item]:
    """Yield the items of all books. Raises EdnError if the text is not EDN or contains no map."""
    forms = parse(text)
    if not any(isinstance(form, Map) for form in forms):
        raise EdnError("The file contains no OrcBrew data: at line 1, column 1 a map { … } is expected.")
    for number, form in enumerate(forms, 1):
        if not isinstance(form, Map):
            yield from [] if form is None else [Item(name or _UNNAMED, "", f"form {number}", plain(form))]
            continue
        sections = []
        for key, value in form.pairs:
            book = _name(key).strip() or _UNNAMED
            if not _is_book(key, value):
                sections.append((key, value))
            elif isinstance(value, Map):
                yield from _section_items(book, value.pairs)
            elif value is not None and not isinstance(value, bool):
                yield Item(book, "", "", plain(value))
        yield from _section_items(_single_book_name(sections, name), sections)


def _is_book(key: Value, value: Value) -> bool:
    """Whether a key names a book: a text, or a bare keyword with a map of sections; not ``:orcpub.dnd.e5/feats``.

    An item may have the name of a section (a feat ``:armor``), so only names with a namespace identify a section.
    """
    pairs = value.pairs if isinstance(value, Map) else []
    has_sections = any("/" in name and local_name(name) in SECTIONS for name, _ in pairs if isinstance(name, Keyword))
    if isinstance(key, Keyword):
        return has_sections and "/" not in key and key not in (*SECTIONS, _DISABLED)
    return has_sections or (isinstance(key, str) and key not in SECTIONS)


def _single_book_name(sections: _Pairs, name: str) -> str:
    """The option pack that most of its items name, which is the book's title; else the file's name."""
    items = [plain(item) for _, section in sections if isinstance(section, Map) for _, item in section.pairs]
    packs = Counter(text(mapping(item).get("option-pack")) for item in items)
    del packs[""]
    pack, count = packs.most_common(1)[0] if packs else ("", 0)
    return pack if pack and (2 * count >= len(items) or not name) else name or _UNNAMED


def _section_items(book: str, sections: _Pairs) -> Iterator[Item]:
    named = [(_name(key), value) for key, value in sections]
    is_disabled = any(name == _DISABLED and value is True for name, value in named)
    for section, value in named:
        if section == _DISABLED or value is None or isinstance(value, bool):
            continue
        # Some programs write a section as a list of items.
        items = value if isinstance(value, list) else [value]
        entries = value.pairs if isinstance(value, Map) else [(None, item) for item in items]
        for key, item in entries:
            fields = plain(item)
            yield Item(book, section, _name(key), fields, is_disabled or mapping(fields).get(_DISABLED) is True)


def _name(key: Value) -> str:
    return local_name(key) if isinstance(key, Keyword) else "" if key is None else str(plain(key))
