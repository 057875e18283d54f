"""The facts of a record that stand in no sentence of it, as lines that answer questions by themselves."""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.models import (
    Abilities,
    CastingOption,
    CharacterClass,
    Creature,
    Document,
    Equipment,
    Feat,
    Record,
    Reference,
    Rule,
    Species,
    Spell,
)

Pairs = list[tuple[str, str]]
_FRACTIONS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def fact_lines(record: Record) -> list[str]:
    """Lines of facts, each of what is asked together; those that would be empty left out."""
    match record:
        case Spell():
            found = _spell(record)
        case Creature():
            found = _creature(record)
        case Equipment():
            found = [_equipment(record)]
        case _:
            found = [_other(record)]
    return [line for pairs in found if (line := _line(pairs))]


def _line(pairs: Iterable[tuple[str, str]]) -> str:
    return " · ".join(f"**{name}** {value}" if name else value for name, value in pairs if value)


def higher_slots(record: Spell) -> str:
    """What changes with each higher slot or character level, in one line."""
    changes = [f"{_words(one.type)}: {told}" for one in record.casting_options if (told := _option(one))]
    return "; ".join(changes)


def _option(option: CastingOption) -> str:
    told = [
        f"damage {option.damage_roll}" if option.damage_roll else "",
        f"{option.target_count} targets" if option.target_count is not None else "",
        f"duration {option.duration}" if option.duration else "",
        f"range {option.range}" if option.range else "",
        f"size {option.shape_size:g}" if option.shape_size is not None else "",
        {True: "concentration", False: "no concentration", None: ""}[option.concentration],
        option.text,
    ]
    return ", ".join(part for part in told if part)


def _spell(spell: Spell) -> list[Pairs]:
    level = f"Level {spell.level} {_words(spell.school)}" if spell.level else f"{_words(spell.school).title()} cantrip"
    letters = (("V", spell.verbal), ("S", spell.somatic), ("M", spell.material))
    components = ", ".join(letter for letter, needed in letters if needed)
    time = spell.casting_time_text or _words(spell.casting_time)
    duration = spell.duration.removeprefix("up to ") if spell.concentration else spell.duration
    classes = ", ".join(dict.fromkeys(ref.name for ref in (*spell.classes, *spell.subclasses)))
    area = (
        f"{spell.shape_size:g}-{'foot' if spell.shape_unit == 'feet' else spell.shape_unit}" if spell.shape_size else ""
    )
    return [
        [
            ("", f"{level}{' (ritual)' if spell.ritual else ''}"),
            ("Casting Time", ", ".join(part for part in (time, spell.reaction_condition) if part)),
            ("Range", spell.range_text),
            ("Components", f"{components} ({spell.material_text})" if spell.material_text else components),
            ("Duration", f"Concentration, up to {duration}" if spell.concentration else duration),
            ("Classes", classes),
            ("Damage", " ".join(part for part in (spell.damage_roll, ", ".join(spell.damage_types)) if part)),
            ("Saving Throw", spell.saving_throw.capitalize()),
            ("Area", f"{area} {spell.shape_type}".strip() if spell.shape_type else ""),
        ]
    ]


def challenge(rating: float | None) -> str:
    """0.25 is 1/4; empty for None."""
    return "" if rating is None else _FRACTIONS.get(rating, f"{rating:g}")


def _creature(creature: Creature) -> list[Pairs]:
    scores = {name: getattr(creature.abilities, name) for name in Abilities.model_fields}
    abilities = ", ".join(f"{name[:3].upper()} {s} ({(s - 10) // 2:+d})" for name, s in scores.items() if s is not None)
    size = creature.size_text or _words(creature.size).capitalize()
    speed = ", ".join(f"{'' if mode == 'walk' else f'{mode} '}{feet:g} ft." for mode, feet in creature.speed.items())
    points = f" ({creature.experience_points:,} XP)" if creature.experience_points is not None else ""
    rating = challenge(creature.challenge_rating)
    defenses = creature.defenses
    return [
        [
            (
                "",
                ", ".join(
                    p for p in (f"{size} {creature.type_text or creature.type}".strip(), creature.alignment) if p
                ),
            ),
            ("CR", f"{rating}{points}" if rating else ""),
            ("AC", _noted(creature.armor_class, creature.armor_text)),
            ("HP", _noted(creature.hit_points, creature.hit_dice)),
            ("Speed", f"{speed} (hover)" if speed and creature.hover else speed),
            ("Initiative", "" if creature.initiative_bonus is None else f"{creature.initiative_bonus:+d}"),
            ("", abilities),
        ],
        [
            ("Saving Throws", _bonuses(creature.saving_throws)),
            ("Skills", _bonuses(creature.skills)),
            ("Vulnerabilities", _listed(defenses.damage_vulnerabilities_text, defenses.damage_vulnerabilities)),
            ("Resistances", _listed(defenses.damage_resistances_text, defenses.damage_resistances)),
            ("Immunities", _listed(defenses.damage_immunities_text, defenses.damage_immunities)),
            ("Condition Immunities", _listed(defenses.condition_immunities_text, defenses.condition_immunities)),
            ("Senses", _senses(creature)),
            ("Languages", creature.languages or ", ".join(map(_words, creature.language_keys))),
            ("Environments", ", ".join(ref.name or _words(ref.key) for ref in creature.environments)),
        ],
    ]


def _noted(value: int | None, note: str) -> str:
    return "" if value is None else f"{value} ({note})" if note else str(value)


def _bonuses(values: dict[str, int]) -> str:
    return ", ".join(f"{_words(name).title()} {bonus:+d}" for name, bonus in values.items())


def _listed(text: str, keys: Iterable[str]) -> str:
    return text or ", ".join(map(_words, keys))


def _senses(creature: Creature) -> str:
    senses = creature.senses
    ranges = {name: getattr(senses, name) for name in ("darkvision", "blindsight", "tremorsense", "truesight")}
    told = [senses.text] if senses.text else [f"{name} {feet:g} ft." for name, feet in ranges.items() if feet]
    if senses.passive_perception is not None and "passive perception" not in senses.text.lower():
        told.append(f"passive Perception {senses.passive_perception}")
    return ", ".join(told)


def _equipment(thing: Equipment) -> Pairs:
    weapon, armor = thing.weapon, thing.armor
    properties = [f"{p.name} ({p.detail})" if p.detail else p.name for p in weapon.properties] if weapon else []
    training = {True: "simple", False: "martial", None: ""}[weapon.is_simple] if weapon else ""
    far = f"/{weapon.long_range:g}" if weapon and weapon.long_range else ""
    what = thing.category_text or _words(thing.category) or _words(thing.kind)
    attunement = thing.attunement_text or ("requires attunement" if thing.requires_attunement else "")
    return [
        ("", what.capitalize() if training in what else f"{training} {what}".capitalize()),
        ("Rarity", thing.rarity_text or _words(thing.rarity)),
        ("", attunement),
        (
            "Cost",
            "" if thing.cost is None else coins(thing.cost) + (f" per {thing.cost_unit}" if thing.cost_unit else ""),
        ),
        ("Weight", f"{thing.weight:g} lb." if thing.weight else ""),
        ("Damage", f"{weapon.damage_dice} {_words(weapon.damage_type)}".strip() if weapon else ""),
        ("Range", f"{weapon.range:g}{far} ft." if weapon and weapon.range else ""),
        ("Properties", ", ".join(properties)),
        ("Armor", f"{armor.category} armor" if armor and armor.category not in ("", "shield") else ""),
        ("AC", (armor.ac_text or str(armor.ac_base or "")) if armor else ""),
        ("Strength", f"{armor.strength_required} required" if armor and armor.strength_required else ""),
        ("Stealth", "disadvantage" if armor and armor.stealth_disadvantage else ""),
        ("Contents", ", ".join(ref.name for ref in thing.contents)),
    ]


def coins(cost: float) -> str:
    """A cost in gp in the coin that the books print: 0.05 is 5 cp."""
    for coin, worth in (("gp", 1.0), ("sp", 0.1), ("cp", 0.01)):
        if cost and abs(cost / worth - round(cost / worth)) < 1e-6:
            return f"{cost / worth:,.0f} {coin}"
    return f"{cost:g} gp"


def _other(record: Record) -> Pairs:
    match record:
        case CharacterClass() | Species() | Feat():
            return _character_option(record)
        case Reference():
            return _reference(record)
        case Rule():
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
                ("", f"Subclass of {parent.name or _words(parent.key)}" if parent else "Class"),
                ("Hit Dice", f"1{record.hit_dice} per level" if record.hit_dice else ""),
                ("Hit Points at 1st Level", record.hit_points_at_1st_level),
                ("Hit Points at Higher Levels", record.hit_points_at_higher_levels),
                ("Primary Abilities", ", ".join(_words(name).title() for name in record.primary_abilities)),
                ("Saving Throws", ", ".join(_words(name).title() for name in record.saving_throws)),
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
        ("Cost", "" if record.cost is None else coins(record.cost)),
        ("Detail", record.detail),
        ("Members", ", ".join(ref.name for ref in record.members)),
    ]


def _words(key: str) -> str:
    return key.replace("-", " ").replace("_", " ")
