"""The facts of records: one table a kind, which pages, passages, index lines and structured content print."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lorekeeper_mcp.models import (
    Abilities,
    Background,
    CharacterClass,
    CharacterFeature,
    Creature,
    Document,
    Edition,
    Equipment,
    Feat,
    FeatureType,
    Kind,
    Record,
    Ref,
    Reference,
    Rule,
    Source,
    Species,
    Spell,
)
from lorekeeper_mcp.models.printed_values import (
    ability_modifier,
    casting_changes,
    challenge_rating,
    components,
    damage_in,
    damage_types_in,
    gold,
    number,
    ordinal,
    saves_in,
    text_or_keys,
    title,
    what_is_rolled,
    words,
)
from lorekeeper_mcp.models.vocabulary import ABILITIES, EXPERIENCE
from lorekeeper_mcp.passages.sentences import first_sentence
from lorekeeper_mcp.text import fold

FactValue: TypeAlias = str | int | float | bool | list[str]
_Table: TypeAlias = Sequence["Fact"]
_CHOICE = re.compile(r" \(((?:Tiny|Small|Medium|Large) or (?:Tiny|Small|Medium|Large))\)$")
_SIZE = re.compile(r"\b(?:Tiny|Small|Medium|Large)\b")
_FEET = re.compile(r"\d+ (?:feet|ft\.)")
_REQUIRES = re.compile(r"^requires ", re.IGNORECASE)
_NO_LANGUAGES = ("—", "None")  # as the books print it
_HEADER = ""  # the label of what a record is, which is printed without a label


@dataclass(frozen=True)
class Fact:
    """One fact of a record.

    ``text`` is the fact as a page prints it after its ``label``. ``line`` numbers the line of facts, a passage, that
    has it, after the ``short`` label if there is one; 0 if none has. ``name`` and ``value`` are those of structured
    content and index lines.
    """

    label: str
    text: str = ""
    line: int = 0
    short: str = ""
    name: str = ""
    value: FactValue | None = None


def facts_of(record: Record) -> list[Fact]:
    """Return the facts of a record, in the order of its table."""
    table = _TABLES.get(type(record))
    return list(table(record)) if table else []


def texts_by_label(record: Record) -> dict[str, str]:
    """Return the facts that a page prints, without empty ones. What a record is has the label ""."""
    return {fact.label: fact.text for fact in facts_of(record) if fact.text}


def fact_lines(record: Record) -> list[str]:
    """Return the lines of facts, each of which can answer a question on its own, without empty ones."""
    lines: dict[int, list[str]] = {}
    for fact in facts_of(record):
        if fact.line and fact.text not in ("", *_NO_LANGUAGES):
            label = fact.short or fact.label
            lines.setdefault(fact.line, []).append(f"**{label}** {fact.text}" if label else fact.text)
    return [" · ".join(lines[line]) for line in sorted(lines)]


def higher_slots(record: Spell) -> str:
    """What changes with each higher slot or character level, as one line."""
    rolled = what_is_rolled(record)
    changes = [
        f"{words(option.type)}: {text}"
        for option in record.casting_options
        if (text := casting_changes(option, rolled))
    ]
    return "; ".join(changes)


# -- spells


def _spell(spell: Spell) -> _Table:
    time = spell.casting_time_text or words(spell.casting_time)
    classes = list(dict.fromkeys(ref.name for ref in spell.classes))
    return [
        Fact(_HEADER, _level_and_school(spell), 1, name="level", value=spell.level),
        Fact("School", name="school", value=spell.school),
        Fact("Casting Time", _joined(time, spell.reaction_condition), 1, name="casting_time", value=time),
        Fact("Range", spell.range_text, 1, name="range", value=spell.range_text),
        Fact("Components", _components(spell), 1, name="components", value=components(spell)),
        Fact("Duration", _duration(spell), 1, name="duration", value=spell.duration),
        Fact("Concentration", name="concentration", value=spell.concentration),
        Fact("Ritual", name="ritual", value=spell.ritual),
        Fact("Classes", ", ".join(classes), 1, name="classes", value=classes),
        Fact("Subclasses", ", ".join(dict.fromkeys(ref.name for ref in spell.subclasses)), 1),
        Fact(what_is_rolled(spell).capitalize(), _spell_damage(spell), 1),
        Fact("Saving Throw", ", ".join(title(name) for name in _spell_saves(spell)), 1),
        Fact("Attack Roll", "yes" if spell.attack_roll else ""),
        Fact("Area", _area(spell), 1),
        Fact("Targets", _targets(spell)),
    ]


def _level_and_school(spell: Spell) -> str:
    """``3rd-level evocation (ritual)``; in books of the 2024 rules ``Level 3 evocation (ritual)``."""
    school = words(spell.school)
    if not spell.level:
        head = f"{school.capitalize()} cantrip"
    else:
        head = f"Level {spell.level} {school}" if is_revised(spell) else f"{ordinal(spell.level)}-level {school}"
    return f"{head} (ritual)" if spell.ritual else head


def is_revised(record: Record) -> bool:
    """Whether a record has the form of the 2024 rules."""
    return record.editions == (Edition.E2024,)


def _components(spell: Spell) -> str:
    letters = components(spell)
    notes, printed = [spell.material_text], fold(spell.material_text)
    if spell.material_cost is not None and fold(gold(spell.material_cost)) not in printed:
        notes.append(f"worth {gold(spell.material_cost)}")
    if spell.material_consumed and "consume" not in printed:
        notes.append("consumed")
    suffix = "; ".join(filter(None, notes)) or ("material not given" if spell.material else "")
    return f"{letters} ({suffix})" if suffix else letters


def _duration(spell: Spell) -> str:
    if spell.concentration:
        return _joined("Concentration", f"up to {spell.duration.removeprefix('up to ')}" if spell.duration else "")
    return spell.duration[:1].upper() + spell.duration[1:]


def _spell_damage(spell: Spell) -> str:
    """The dice and types. Each of several types has its own dice if the text gives every type once."""
    rolls = list(dict.fromkeys(damage_in(f"{spell.text} {spell.higher_level}".lower())))
    rolled_types = [type_ for _, phrase in rolls for type_ in damage_types_in(phrase)]
    if len(spell.damage_types) > 1 and sorted(rolled_types) == sorted(spell.damage_types):
        listed = ", ".join(f"{roll} {phrase}" for roll, phrase in rolls)
        return listed if spell.damage_roll in listed else f"{spell.damage_roll} ({listed})"
    return f"{spell.damage_roll} {', '.join(spell.damage_types)}".strip()


def _spell_saves(spell: Spell) -> list[str]:
    """The ability of the first saving throw, for which sources have a field, and of others in the text."""
    return [name for name in dict.fromkeys((spell.saving_throw, *saves_in(spell.text))) if name]


def _area(spell: Spell) -> str:
    """``20-foot sphere``; "" without a shape."""
    size = number(spell.shape_size) if spell.shape_size is not None else ""
    unit = "-foot" if size and spell.shape_unit == "feet" else f" {spell.shape_unit}"
    return f"{size}{unit} {spell.shape_type}".strip() if spell.shape_type else ""


def _targets(spell: Spell) -> str:
    """The number and kind of targets; "" if the source does not count them."""
    if spell.target_count is None:
        return ""
    plural = "s" if spell.target_type and spell.target_count != 1 else ""
    return f"{spell.target_count} {spell.target_type}{plural}".strip()


# -- creatures


def _creature(creature: Creature) -> _Table:
    sizes, type_ = sizes_and_type(creature)
    kind_name = _joined(" ".join(filter(None, (sizes, type_))), creature.alignment)
    rating, points = challenge_rating(creature.challenge_rating), creature.experience_points
    defenses = creature.defenses
    no_languages = _NO_LANGUAGES[is_revised(creature)]
    group = [part for part in (creature.category, creature.subcategory) if part and part != "Monsters"]
    return [
        Fact("", name="challenge_rating", value=creature.challenge_rating),  # ``cr`` has it as printed
        Fact(_HEADER, kind_name, 1),
        Fact("", name="cr", value=rating),
        Fact("", name="xp", value=f"{points:,} XP" if points is not None else None),
        Fact("", name="type", value=type_),
        Fact("", name="size", value=sizes.lower()),
        Fact("", name="alignment", value=creature.alignment.lower()),
        Fact(
            "Armor Class", _with_note(creature.armor_class, creature.armor_text), 1, "AC", "armor_class",
            creature.armor_class,
        ),
        Fact(
            "Hit Points", _with_note(creature.hit_points, creature.hit_dice), 1, "HP", "hit_points",
            creature.hit_points,
        ),
        Fact("Speed", _speed(creature), 1, name="speed", value=_speed(creature)),
        Fact("Initiative", _initiative(creature), 1),
        Fact("Abilities", ", ".join(f"{name} {score}" for name, score in ability_scores(creature) if score != "—"), 1),
        Fact("Saving Throws", _bonuses(creature.saving_throws), 2),
        Fact("Skills", _bonuses(creature.skills), 2),
        Fact(
            "Damage Vulnerabilities",
            text_or_keys(defenses.damage_vulnerabilities_text, defenses.damage_vulnerabilities), 2,
        ),
        Fact(
            "Damage Resistances",
            text_or_keys(defenses.damage_resistances_text, defenses.damage_resistances), 2,
        ),
        Fact(
            "Damage Immunities",
            text_or_keys(defenses.damage_immunities_text, defenses.damage_immunities), 2,
        ),
        Fact(
            "Condition Immunities",
            text_or_keys(defenses.condition_immunities_text, defenses.condition_immunities), 2,
        ),
        Fact("Senses", _senses(creature), 2),
        Fact("Languages", text_or_keys(creature.languages, creature.language_keys) or no_languages, 2),
        *_challenge(creature, rating),
        # Not in the printed block, but they help to find or place the creature.
        Fact("Environments", names_of(creature.environments), 2),
        Fact("Group", ", ".join(group)),
        Fact("Forms", ", ".join(creature.forms)),
        Fact("Sets", ", ".join(map(words, creature.creature_sets))),
        # Open5e gives every creature with eyes two miles of sight.
        Fact("Sight", f"{sight:g} ft." if (sight := creature.senses.normal_sight) not in (None, 10560) else ""),
        Fact("Image", creature.image),
    ]  # fmt: skip


def sizes_and_type(creature: Creature) -> tuple[str, str]:
    """``Medium or Small`` and ``undead``. Records from the SRD 5.2 have a choice of sizes after the type."""
    printed = creature.type_text or creature.type
    if choice := _CHOICE.search(printed):
        return choice[1], printed[: choice.start()].lower()
    return creature.size_text or words(creature.size).capitalize(), printed.lower()


def ability_scores(creature: Creature) -> list[tuple[str, str]]:
    """The scores with their modifiers, ``("STR", "10 (+0)")``; "—" for one that is not known, none if none is."""
    scores = []
    for name in Abilities.model_fields:
        score, modifier = getattr(creature.abilities, name), getattr(creature.ability_modifiers, name)
        if modifier is None and score is not None:
            modifier = ability_modifier(score)
        scores.append((name[:3].upper(), "—" if score is None else f"{score} ({modifier:+d})"))
    return scores if any(score != "—" for _, score in scores) else []


def _challenge(creature: Creature, rating: str) -> list[Fact]:
    """The challenge rating, as books of 2024 print it if all parts are known: ``CR 10 (XP 5,900; PB +4)``."""
    points, bonus = creature.experience_points, creature.proficiency_bonus
    if points is None and creature.challenge_rating is not None and creature.document_source is Source.HOMEBREW:
        points = EXPERIENCE.get(creature.challenge_rating)  # few files give both
    if rating and points is not None and bonus is not None and is_revised(creature):
        return [Fact("CR", f"{rating} (XP {points:,}; PB {bonus:+d})", 1)]
    return [
        Fact("Challenge", f"{rating} ({points:,} XP)" if rating and points is not None else rating, 1, "CR"),
        Fact("Proficiency Bonus", "" if bonus is None else f"{bonus:+d}"),
    ]


def _with_note(value: int | None, note: str) -> str:
    text = "" if value is None else str(value)
    return f"{text} ({note})".strip() if note else text


def _speed(creature: Creature) -> str:
    """``30 ft., fly 60 ft. (hover)``."""
    hover = " (hover)" if creature.hover else ""
    modes = []
    for mode, feet in sorted(creature.speed.items(), key=lambda entry: (entry[0] != "walk", entry[0])):
        name = "" if mode == "walk" else f"{mode} "
        modes.append(f"{name}{feet:g} ft.{hover if mode == 'fly' else ''}")
    return ", ".join(modes) + (hover if "fly" not in creature.speed else "")


def _initiative(creature: Creature) -> str:
    """The modifier, with the score that books of the 2024 rules print: ``+7 (17)``."""
    bonus = creature.initiative_bonus
    if bonus is None:
        return ""
    return f"{bonus:+d} ({10 + bonus})" if is_revised(creature) else f"{bonus:+d}"


def _bonuses(values: Mapping[str, int]) -> str:
    return ", ".join(f"{title(name)} {bonus:+d}" for name, bonus in values.items())


def _senses(creature: Creature) -> str:
    senses = creature.senses
    ranges = {name: getattr(senses, name) for name in ("blindsight", "darkvision", "tremorsense", "truesight")}
    parts = [senses.text] if senses.text else [f"{name} {feet:g} ft." for name, feet in ranges.items() if feet]
    if senses.passive_perception is not None and "passive perception" not in senses.text.lower():
        parts.append(f"passive Perception {senses.passive_perception}")
    return ", ".join(parts)


# -- equipment


def _equipment(item: Equipment) -> _Table:
    kind_name = item.category_text or _category(item) or words(item.kind)
    attunement = item.attunement_text or ("requires attunement" if item.requires_attunement else "")
    # Open5e calls every magic item tiny; a size says something of a mount or vehicle.
    size = words(item.size) if item.size not in ("", "tiny") and item.kind is Kind.ITEM else ""
    weight = f"{number(item.weight)} lb." if item.weight else ""
    return [
        Fact(_HEADER, kind_name[:1].upper() + kind_name[1:], 1, name="category", value=_category(item)),
        Fact("Rarity", rarity := item.rarity_text.lower() or words(item.rarity), 1, name="rarity", value=rarity),
        Fact("Attunement", attunement, 1, name="requires_attunement", value=item.requires_attunement),
        Fact("Cost", cost := _cost(item), 1, name="cost", value=cost),
        Fact("Worth", worth := _value(item), 1, name="value", value=worth),
        Fact("Weight", weight, 1, name="weight", value=weight),
        *_weapon(item),
        *_armor(item),
        Fact("Size", size),
        Fact("Contents", _list_of_names(item.contents), 1),
        Fact("Variants", _list_of_names(item.variants)),
    ]


def _weapon(item: Equipment) -> list[Fact]:
    weapon = item.weapon
    if weapon is None:
        return []
    training = "" if weapon.proficiency in fold(f"{_category(item)} {item.category_text}") else weapon.proficiency
    base = weapon.name if weapon.name != item.name else ""
    damage = " ".join(part for part in (weapon.damage_dice, words(weapon.damage_type)) if part)
    two_handed = f" (two hands: {weapon.two_handed_damage})" if weapon.two_handed_damage else ""
    long_range = f"/{number(weapon.long_range)}" if weapon.long_range else ""
    names = [prop.name for prop in weapon.properties]
    properties: dict[bool, list[str]] = {False: [], True: []}  # by whether they are masteries
    for prop in weapon.properties:
        properties[prop.type == "Mastery"].append(f"{prop.name} ({prop.detail})" if prop.detail else prop.name)
    return [
        Fact("Weapon", _joined(training, "improvised" if weapon.is_improvised else "", base), 1),
        Fact("Damage", f"{damage}{two_handed}", 1, name="damage", value=damage),
        Fact("Range", f"{number(weapon.range)}{long_range} ft." if weapon.range else "", 1),
        Fact("Properties", ", ".join(properties[False]), 1),
        Fact("", name="properties", value=names),
        Fact("Mastery", ", ".join(properties[True]), 1),
    ]


def _armor(item: Equipment) -> list[Fact]:
    armor = item.armor
    if armor is None:
        return []
    worn = f"{armor.category} armor" if armor.category and armor.category != "shield" else armor.category
    base = armor.name if armor.name != item.name else ""
    formula = armor.ac_text or (str(armor.ac_base) if armor.ac_base is not None else "")
    required = f"{armor.strength_required} required" if armor.strength_required else ""
    return [
        Fact("Armor", _joined("" if worn == _category(item) else worn, base), 1),
        Fact("Armor Class", formula, 1, "AC", "armor_class", armor.ac_text),
        Fact("Strength", required, 1),
        Fact("Stealth", "disadvantage" if armor.stealth_disadvantage else "", 1),
    ]


def _category(item: Equipment) -> str:
    """The printed category if there is one; that of plain weapons and armor includes their proficiency."""
    weapon, armor = item.weapon, item.armor
    if item.category_text:
        return item.category_text.lower()
    if item.kind is Kind.WEAPON and weapon and (item.category == "weapon" or weapon.is_simple is not None):
        return f"{weapon.proficiency} weapon".strip()
    if item.kind is Kind.ARMOR and armor and armor.category in ("light", "medium", "heavy"):
        return f"{armor.category} armor"
    return words(item.category)


def _cost(item: Equipment) -> str:
    """``15 gp``; for a service ``2 gp per day``."""
    amount = gold(item.cost) if item.cost is not None else ""
    return f"{amount} per {item.cost_unit}" if amount and item.cost_unit else amount


def _value(item: Equipment) -> str:
    """``4,000 gp by rarity``, or ``400 gp (+1), 4,000 gp (+2) by rarity``, if an item has no price of its own."""
    values = [gold(value) + note for value, note in item.values_by_rarity]
    if item.cost is not None or not values:
        return ""
    base = "ammunition" if item.is_ammunition else item.category
    addition = f" + cost of the {base}" if base in ("ammunition", "weapon", "armor") else ""
    return f"{', '.join(values)} by rarity{addition}"


# -- character options


def _class(record: CharacterClass) -> _Table:
    parent = record.subclass_of
    flavor = f"{record.flavor}, subclass" if record.flavor else "Subclass"
    hit_dice = f"1{record.hit_dice} per level" if record.hit_dice else ""
    primary, saves = list(record.primary_abilities), list(record.saving_throws)
    return [
        Fact(_HEADER, f"{flavor} of {parent.name or words(parent.key)}" if parent else "Class", 1),
        Fact("", name="subclass_of", value=name_or_key(parent)),
        Fact("Hit Dice", hit_dice, 1, name="hit_dice", value=record.hit_dice),
        Fact("Hit Points at 1st Level", record.hit_points_at_1st_level, 1),
        Fact("Hit Points at Higher Levels", record.hit_points_at_higher_levels, 1),
        Fact(
            "Primary Abilities", ", ".join(map(title, primary)), 1, name="primary_abilities", value=primary,
        ),
        Fact(
            "Saving Throws", ", ".join(map(title, saves)), 1, name="saving_throws", value=saves,
        ),
        Fact("Spellcasting", caster := _caster(record.caster_type), name="caster_type", value=caster),
        Fact("Subclass", record.flavor if parent is None else ""),
        Fact("Subclasses", names_of(record.subclasses), 1),
    ]  # fmt: skip


def _caster(kind: str) -> str:
    """How a class casts: ``full`` -> ``full spellcaster``, ``pact`` -> ``Pact Magic``; "" if it does not."""
    if kind in ("", "none"):
        return ""
    return "Pact Magic" if kind == "pact" else f"{words(kind)} spellcaster"


def _feature(feature: CharacterFeature) -> _Table:
    kind = "Trait" if feature.type is FeatureType.TRAIT else "Feature"
    if feature.option_of:
        kind = f"{feature.option_of.removesuffix(' Options').removesuffix(' List')} option, feature"
    levels = list(map(str, feature.levels))
    level = f"level{'s' if len(levels) > 1 else ''} {', '.join(levels)}" if levels else ""
    return [
        Fact(_HEADER, _joined(f"{kind} of {owner(feature)}", level)),
        Fact("", name="option_of", value=feature.option_of),
        Fact("", name="feature_of", value=owner(feature)),
        Fact("", name="level", value=feature.levels[0] if feature.levels else None),
        Fact("", name="also_at_levels", value=levels[1:]),
    ]


def owner(feature: CharacterFeature) -> str:
    """What a feature belongs to: ``Rogue``, ``Elf``, or ``Thief (Rogue)``."""
    name, of_class = name_or_key(feature.parent), feature.character_class
    return f"{name} ({name_or_key(of_class)})" if of_class and of_class.key != feature.parent.key else name


def _species(species: Species) -> _Table:
    parent = species.subspecies_of
    traits = {trait.name for trait in species.traits}
    sizes = [size.lower() for size in dict.fromkeys(_SIZE.findall(species.size))]
    walk = _FEET.search(species.speed)
    return [
        Fact(_HEADER, f"Lineage of {name_or_key(parent)}" if parent else "Species", 1 if parent else 0),
        Fact("", name="subspecies_of", value=name_or_key(parent)),
        Fact(
            "Size", "" if "Size" in traits else species.size, 1, name="size",
            value=sizes or first_sentence(species.size, 60),
        ),
        Fact(
            "Speed", "" if "Speed" in traits else species.speed, 1, name="speed",
            value=walk[0] if walk else first_sentence(species.speed, 60),
        ),
        Fact("Lineages", names_of(species.lineages), 1),
    ]  # fmt: skip


def _background(record: Background) -> _Table:
    def benefit(word: str) -> str:
        """The text of the benefit with a word in its heading."""
        texts = [benefit.text for benefit in record.benefits if word in fold(benefit.name).split()]
        return first_sentence(texts[0], 80).removesuffix(".") if texts else ""

    return [Fact("", name="skills", value=benefit("skill")), Fact("", name="feat", value=benefit("feat"))]


def _feat(record: Feat) -> _Table:
    kind = record.type or "Feat"
    if record.document_source is not Source.HOMEBREW and kind.lower() != "feat":  # imported boons are no feats
        kind = f"{kind} feat"
    required = _REQUIRES.sub("", record.prerequisite)
    return [
        Fact(_HEADER, kind, 1 if record.type else 0, name="feat_type", value=record.type),
        Fact("Prerequisite", record.prerequisite, 1, name="prerequisite", value=required),
    ]


# -- rules, reference lists and documents


def _rule(record: Rule) -> _Table:
    contained = names_of(record.rules) if record.kind is Kind.RULE_SET else ""
    return [Fact("Contains", contained, 1), Fact("", name="section", value=name_or_key(record.section))]


_FLAGS = {
    "is_exotic": "exotic in the 2014 rules", "is_secret": "secret", "aquatic": "aquatic", "planar": "planar",
    "interior": "interior",
}  # fmt: skip


def _reference(record: Reference) -> _Table:
    cost = "" if record.cost is None else gold(record.cost)
    members = "given_by" if record.kind is Kind.PROFICIENCY else "members"
    code = record.ability.lower()
    ability = next((name.title() for name in ABILITIES if code and name.startswith(code)), title(code))
    return [
        Fact("Ability", ability, 1, name="ability", value=ability),
        Fact("Type", record.type, 1, name="type", value=record.type),
        Fact("Abbreviation", record.short_name),
        Fact("Outlook", _joined(*dict.fromkeys((record.societal_attitude, record.morality)))),
        Fact("Is", ", ".join(flag for name, flag in _FLAGS.items() if getattr(record, name))),
        Fact("Cost", f"{cost} {record.detail}".strip() if cost else "", 1, name="cost", value=cost),
        Fact("Script", title(record.script), 1, name="script", value=record.script),
        Fact("Speakers", record.speakers, 1),
        Fact("Rank", "" if record.rank is None else str(record.rank)),
        Fact("Space", "" if record.space is None else f"{number(record.space)} ft."),
        Fact("Hit Die", record.hit_die),
        Fact("Part of", record.parent),
        Fact("Detail", "" if cost else record.detail, 1),
        Fact("Members", names_of(record.members), 1),
        Fact("", name=members, value=[ref.name for ref in record.members][:12]),
    ]


def _document(record: Document) -> _Table:
    return [
        Fact("Also called", record.display_name if record.display_name != record.name else ""),
        Fact("Publisher", record.publisher, 1, name="publisher", value=record.publisher),
        Fact("Author", record.author, 1, name="author", value=record.author),
        Fact("Published", record.published.isoformat() if record.published else ""),
        Fact("Game system", record.game_system),
        Fact("Type", record.type.lower()),
        Fact("License", record.license, 1),
        Fact("Units", _joined(record.distance_unit, record.weight_unit)),
        Fact("Link", record.permalink),
    ]


# Any, since each function takes the type of its key.
_TABLES: Mapping[type[Record], Callable[[Any], _Table]] = {
    Spell: _spell,
    Creature: _creature,
    Equipment: _equipment,
    CharacterClass: _class,
    CharacterFeature: _feature,
    Species: _species,
    Background: _background,
    Feat: _feat,
    Rule: _rule,
    Document: _document,
    Reference: _reference,
}


def name_or_key(ref: Ref | None) -> str:
    """The name of another record, or its key in words."""
    return ref.name or words(ref.key) if ref else ""


def names_of(refs: Iterable[Ref]) -> str:
    """The names of other records in one line."""
    return ", ".join(map(name_or_key, refs))


def _list_of_names(refs: Sequence[Ref]) -> str:
    """The names in one line, separated by semicolons if one has a comma: Weapon, +1; Weapon, +2."""
    names = [ref.name for ref in refs]
    return ("; " if any("," in name for name in names) else ", ").join(names)


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))
