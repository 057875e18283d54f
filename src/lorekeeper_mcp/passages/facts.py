"""Lines with facts from a record's fields, each of which can answer a question on its own."""

from __future__ import annotations

from lorekeeper_mcp.models import (
    Abilities,
    CharacterClass,
    Creature,
    Document,
    Equipment,
    Feat,
    Kind,
    Record,
    Reference,
    Rule,
    Species,
    Spell,
)
from lorekeeper_mcp.models.printed_values import (
    casting_changes,
    challenge_rating,
    components,
    gold,
    text_or_keys,
    what_is_rolled,
    words,
)

Pairs = list[tuple[str, str]]


def fact_lines(record: Record) -> list[str]:
    """Return the lines of facts, without empty ones. Facts that are often asked for together share a line."""
    match record:
        case Spell():
            facts = _spell(record)
        case Creature():
            facts = _creature(record)
        case Equipment():
            facts = [_equipment(record)]
        case _:
            facts = [_other_facts(record)]
    lines = (" · ".join(f"**{name}** {value}" if name else value for name, value in pairs if value) for pairs in facts)
    return list(filter(None, lines))


def higher_slots(record: Spell) -> str:
    """What changes with each higher slot or character level, as one line."""
    rolled = what_is_rolled(record)
    changes = [
        f"{words(option.type)}: {text}"
        for option in record.casting_options
        if (text := casting_changes(option, rolled))
    ]
    return "; ".join(changes)


def _spell(spell: Spell) -> list[Pairs]:
    level = f"Level {spell.level} {words(spell.school)}" if spell.level else f"{words(spell.school).title()} cantrip"
    letters = components(spell)
    time = spell.casting_time_text or words(spell.casting_time)
    duration = spell.duration.removeprefix("up to ") if spell.concentration else spell.duration
    classes, subclasses = (dict.fromkeys(ref.name for ref in refs) for refs in (spell.classes, spell.subclasses))
    unit = "foot" if spell.shape_unit == "feet" else spell.shape_unit
    area = f"{spell.shape_size:g}-{unit}" if spell.shape_size else ""
    damage = " ".join(part for part in (spell.damage_roll, ", ".join(spell.damage_types)) if part)
    return [
        [
            ("", f"{level}{' (ritual)' if spell.ritual else ''}"),
            ("Casting Time", ", ".join(part for part in (time, spell.reaction_condition) if part)),
            ("Range", spell.range_text),
            ("Components", f"{letters} ({spell.material_text})" if spell.material_text else letters),
            ("Duration", f"Concentration, up to {duration}" if spell.concentration else duration),
            ("Classes", ", ".join(classes)),
            ("Subclasses", ", ".join(subclasses)),
            (what_is_rolled(spell).capitalize(), damage),
            ("Saving Throw", spell.saving_throw.capitalize()),
            ("Area", f"{area} {spell.shape_type}".strip() if spell.shape_type else ""),
        ]
    ]


def _creature(creature: Creature) -> list[Pairs]:
    scores = {name: getattr(creature.abilities, name) for name in Abilities.model_fields}
    abilities = ", ".join(f"{name[:3].upper()} {s} ({(s - 10) // 2:+d})" for name, s in scores.items() if s is not None)
    size = creature.size_text or words(creature.size).capitalize()
    kind_name = f"{size} {creature.type_text or creature.type}".strip()
    speed = ", ".join(f"{'' if mode == 'walk' else f'{mode} '}{feet:g} ft." for mode, feet in creature.speed.items())
    points = f" ({creature.experience_points:,} XP)" if creature.experience_points is not None else ""
    rating = challenge_rating(creature.challenge_rating)
    defenses = creature.defenses
    return [
        [
            ("", ", ".join(part for part in (kind_name, creature.alignment) if part)),
            ("CR", f"{rating}{points}" if rating else ""),
            ("AC", _with_note(creature.armor_class, creature.armor_text)),
            ("HP", _with_note(creature.hit_points, creature.hit_dice)),
            ("Speed", f"{speed} (hover)" if speed and creature.hover else speed),
            ("Initiative", "" if creature.initiative_bonus is None else f"{creature.initiative_bonus:+d}"),
            ("", abilities),
        ],
        [
            ("Saving Throws", _bonuses(creature.saving_throws)),
            ("Skills", _bonuses(creature.skills)),
            ("Vulnerabilities", text_or_keys(defenses.damage_vulnerabilities_text, defenses.damage_vulnerabilities)),
            ("Resistances", text_or_keys(defenses.damage_resistances_text, defenses.damage_resistances)),
            ("Immunities", text_or_keys(defenses.damage_immunities_text, defenses.damage_immunities)),
            ("Condition Immunities", text_or_keys(defenses.condition_immunities_text, defenses.condition_immunities)),
            ("Senses", _senses(creature)),
            ("Languages", text_or_keys(creature.languages, creature.language_keys)),
            ("Environments", ", ".join(ref.name or words(ref.key) for ref in creature.environments)),
        ],
    ]


def _with_note(value: int | None, note: str) -> str:
    return "" if value is None else f"{value} ({note})" if note else str(value)


def _bonuses(values: dict[str, int]) -> str:
    return ", ".join(f"{words(name).title()} {bonus:+d}" for name, bonus in values.items())


def _senses(creature: Creature) -> str:
    senses = creature.senses
    ranges = {name: getattr(senses, name) for name in ("darkvision", "blindsight", "tremorsense", "truesight")}
    parts = [senses.text] if senses.text else [f"{name} {feet:g} ft." for name, feet in ranges.items() if feet]
    if senses.passive_perception is not None and "passive perception" not in senses.text.lower():
        parts.append(f"passive Perception {senses.passive_perception}")
    return ", ".join(parts)


def _equipment(item: Equipment) -> Pairs:
    weapon, armor = item.weapon, item.armor
    properties = [f"{p.name} ({p.detail})" if p.detail else p.name for p in weapon.properties] if weapon else []
    training = weapon.proficiency if weapon else ""
    per = f" per {item.cost_unit}" if item.cost_unit else ""
    long_range = f"/{weapon.long_range:g}" if weapon and weapon.long_range else ""
    kind_name = item.category_text or words(item.category) or words(item.kind)
    attunement = item.attunement_text or ("requires attunement" if item.requires_attunement else "")
    return [
        ("", kind_name.capitalize() if training in kind_name.lower() else f"{training} {kind_name}".capitalize()),
        ("Rarity", item.rarity_text or words(item.rarity)),
        ("", attunement),
        ("Cost", "" if item.cost is None else f"{gold(item.cost)}{per}"),
        ("Weight", f"{item.weight:g} lb." if item.weight else ""),
        ("Damage", f"{weapon.damage_dice} {words(weapon.damage_type)}".strip() if weapon else ""),
        ("Range", f"{weapon.range:g}{long_range} ft." if weapon and weapon.range else ""),
        ("Properties", ", ".join(properties)),
        ("Armor", f"{armor.category} armor" if armor and armor.category not in ("", "shield") else ""),
        ("AC", (armor.ac_text or str(armor.ac_base or "")) if armor else ""),
        ("Strength", f"{armor.strength_required} required" if armor and armor.strength_required else ""),
        ("Stealth", "disadvantage" if armor and armor.stealth_disadvantage else ""),
        ("Contents", ", ".join(ref.name for ref in item.contents)),
    ]


def _other_facts(record: Record) -> Pairs:
    match record:
        case CharacterClass() | Species() | Feat():
            return _character_option(record)
        case Reference():
            return _reference(record)
        case Rule() if record.kind is Kind.RULE_SET:
            return [("Contains", ", ".join(ref.name for ref in record.rules))]
        case Document():
            return [("Publisher", record.publisher), ("Author", record.author), ("Licence", record.license)]
        case _:
            return []


def _character_option(record: CharacterClass | Species | Feat) -> Pairs:
    match record:
        case CharacterClass():
            parent = record.subclass_of
            return [
                ("", f"Subclass of {parent.name or words(parent.key)}" if parent else "Class"),
                ("Hit Dice", f"1{record.hit_dice} per level" if record.hit_dice else ""),
                ("Hit Points at 1st Level", record.hit_points_at_1st_level),
                ("Hit Points at Higher Levels", record.hit_points_at_higher_levels),
                ("Primary Abilities", ", ".join(words(name).title() for name in record.primary_abilities)),
                ("Saving Throws", ", ".join(words(name).title() for name in record.saving_throws)),
                ("Subclasses", ", ".join(ref.name for ref in record.subclasses)),
            ]
        case Species():
            parent = record.subspecies_of
            traits = {trait.name for trait in record.traits}
            return [
                ("Lineage of", parent.name if parent else ""),
                ("Size", "" if "Size" in traits else record.size),
                ("Speed", "" if "Speed" in traits else record.speed),
                ("Lineages", ", ".join(ref.name for ref in record.lineages)),
            ]
        case Feat():
            return [("Feat", record.type), ("Prerequisite", record.prerequisite)]


def _reference(record: Reference) -> Pairs:
    return [
        ("Ability", record.ability),
        ("Type", record.type),
        ("Script", record.script),
        ("Speakers", record.speakers),
        ("Cost", "" if record.cost is None else gold(record.cost)),
        ("Detail", record.detail),
        ("Members", ", ".join(ref.name for ref in record.members)),
    ]
