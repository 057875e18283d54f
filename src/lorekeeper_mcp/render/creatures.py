"""Renders a creature's stat block."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lorekeeper_mcp.models import Abilities, Action, ActionType, Attack, Creature, Edition, Source
from lorekeeper_mcp.models.printed_values import (
    ACTION_HEADINGS,
    action_name,
    challenge_rating,
    number,
    text_or_keys,
    words,
)
from lorekeeper_mcp.models.vocabulary import EXPERIENCE
from lorekeeper_mcp.render.format import join_names, title
from lorekeeper_mcp.render.index_lines import sizes_and_type, speed
from lorekeeper_mcp.render.markdown import body, entry, labels, page, table


def creature(record: Creature) -> str:
    """The stat block in the book's order, from size and type to environments, then the lair that its text describes."""
    text, lair = _text_and_lair(record.text)
    return page(
        f"*{_header(record)}*",
        labels(
            ("Armor Class", _with_note(record.armor_class, record.armor_text)),
            ("Hit Points", _with_note(record.hit_points, record.hit_dice)),
            ("Speed", speed(record)),
            ("Initiative", _initiative(record)),
        ),
        _abilities(record),
        labels(*_numbers(record)),
        body(text),
        *(entry(trait.name, trait.text) for trait in record.traits),
        *(_actions(record, kind, heading) for kind, heading in ACTION_HEADINGS.items()),
        labels(*_placement(record)),
        body(lair),
    )


def _text_and_lair(text: str) -> tuple[str, str]:
    """The description, and the part of it that has headings, which must not come before the traits."""
    heading = re.search(r"^#{1,6} ", text, re.MULTILINE)
    return (text[: heading.start()], text[heading.start() :]) if heading else (text, "")


def _header(record: Creature) -> str:
    size_and_type = " ".join(filter(None, sizes_and_type(record)))
    return ", ".join(filter(None, (size_and_type, record.alignment))) or "Creature"


def _with_note(value: int | None, note: str) -> str:
    text = "" if value is None else str(value)
    return f"{text} ({note})".strip() if note else text


def _initiative(record: Creature) -> str:
    """The modifier, with the score that books of the 2024 rules print: ``+7 (17)``."""
    bonus = record.initiative_bonus
    if bonus is None:
        return ""
    return f"{bonus:+d} ({10 + bonus})" if record.editions == (Edition.E2024,) else f"{bonus:+d}"


def _abilities(record: Creature) -> str:
    """The scores with their modifiers, and below them the saves if all six are given, as in the 2024 rules."""
    scores = {name: getattr(record.abilities, name) for name in Abilities.model_fields}
    if all(score is None for score in scores.values()):
        return ""
    cells = []
    for name, score in scores.items():
        modifier = getattr(record.ability_modifiers, name)
        if modifier is None and score is not None:
            modifier = (score - 10) // 2
        cells.append("—" if score is None else f"{score} ({modifier:+d})")
    head = [name[:3].upper() for name in scores]
    if not _saves_in_table(record):
        return table(head, [cells])
    saves = [f"{record.saving_throws[name]:+d}" for name in scores]
    return table(["", *head], [["Score", *cells], ["Save", *saves]])


def _saves_in_table(record: Creature) -> bool:
    return record.editions == (Edition.E2024,) and record.saving_throws.keys() >= Abilities.model_fields.keys()


def _bonuses(values: dict[str, int]) -> str:
    return ", ".join(f"{title(name)} {bonus:+d}" for name, bonus in values.items())


def _numbers(record: Creature) -> list[tuple[str, str]]:
    """The lines between abilities and traits, from saving throws to challenge."""
    defenses = record.defenses
    # Black Flag prints damage, conditions and traits such as "Undead Resilience" in one line.
    vulnerable, resistant, immune = "Damage Vulnerabilities", "Damage Resistances", "Damage Immunities"
    if record.document_key == "bfrd":
        vulnerable, resistant, immune = "Vulnerable", "Resistant", "Immune"
    return [
        ("Saving Throws", "" if _saves_in_table(record) else _bonuses(record.saving_throws)),
        ("Skills", _bonuses(record.skills)),
        (vulnerable, text_or_keys(defenses.damage_vulnerabilities_text, defenses.damage_vulnerabilities)),
        (resistant, text_or_keys(defenses.damage_resistances_text, defenses.damage_resistances)),
        (immune, text_or_keys(defenses.damage_immunities_text, defenses.damage_immunities)),
        ("Condition Immunities", text_or_keys(defenses.condition_immunities_text, defenses.condition_immunities)),
        ("Senses", _senses(record)),
        ("Languages", text_or_keys(record.languages, record.language_keys) or _no_languages(record)),
        *_challenge(record),
    ]


def _no_languages(record: Creature) -> str:
    return "None" if record.editions == (Edition.E2024,) else "—"


def _challenge(record: Creature) -> list[tuple[str, str]]:
    """The challenge rating, as books of 2024 print it if all parts are known: ``CR 10 (XP 5,900; PB +4)``."""
    rating = challenge_rating(record.challenge_rating)
    points, bonus = record.experience_points, record.proficiency_bonus
    if points is None and record.challenge_rating is not None and record.document_source is Source.HOMEBREW:
        points = EXPERIENCE.get(record.challenge_rating)  # few files give both
    if rating and points is not None and bonus is not None and record.editions == (Edition.E2024,):
        return [("CR", f"{rating} (XP {points:,}; PB {bonus:+d})")]
    xp = f" ({points:,} XP)" if rating and points is not None else ""
    return [("Challenge", f"{rating}{xp}"), ("Proficiency Bonus", _proficiency_bonus(record))]


def _proficiency_bonus(record: Creature) -> str:
    """The bonus. The SRD 5.1 and Open5e's copies of other books give none, so it follows from the challenge rating."""
    if record.proficiency_bonus is None:
        return ""
    is_derived = record.document_source in (Source.OPEN5E_V2, Source.SRD) and record.editions != (Edition.E2024,)
    return f"{record.proficiency_bonus:+d}{' (by challenge rating)' if is_derived else ''}"


def _senses(record: Creature) -> str:
    senses = record.senses
    ranges = {name: getattr(senses, name) for name in ("blindsight", "darkvision", "tremorsense", "truesight")}
    parts = [senses.text] if senses.text else [f"{name} {feet:g} ft." for name, feet in ranges.items() if feet]
    if senses.passive_perception is not None and "passive perception" not in senses.text.lower():
        parts.append(f"passive Perception {senses.passive_perception}")
    return ", ".join(parts)


def _actions(record: Creature, kind: ActionType, heading: str) -> str:
    actions = [action for action in record.actions if action.type is kind]
    intro = record.legendary_text if kind is ActionType.LEGENDARY_ACTION else ""
    if not actions and not intro:
        return ""
    return page(f"## {heading}", body(intro, 2), *(_action(action, record.actions) for action in actions))


def _action(action: Action, others: Sequence[Action]) -> str:
    attacks = "" if _has_numbers(action, others) else "; ".join(map(_attack, action.attacks))
    return entry(action_name(action), " ".join(filter(None, (action.text, attacks))))


def _has_numbers(action: Action, others: Sequence[Action]) -> bool:
    """Whether the text of an action, or of one with the same name, has the numbers of its attack.

    A legendary action repeats the name of the action that it uses. Texts are preferred to Open5e's structured attacks,
    whose damage types are often wrong.
    """
    texts = (other.text for other in others if _plain(other.name) == _plain(action.name))
    return any(re.search(r"\dd\d|to hit|attack roll", text, re.IGNORECASE) for text in texts)


def _plain(name: str) -> str:
    return name.partition("(")[0].strip().lower()


def _attack(attack: Attack) -> str:
    parts = [f"{attack.type} attack".strip()]
    if attack.to_hit is not None:
        parts.append(f"{attack.to_hit:+d} to hit")
    if attack.reach:
        parts.append(f"reach {attack.reach:g} ft.")
    if attack.range:
        long_range = f"/{attack.long_range:g}" if attack.long_range else ""
        parts.append(f"range {attack.range:g}{long_range} ft.")
    if attack.damage:
        parts.append(f"{attack.damage} {attack.damage_type} damage".replace("  ", " "))
    if attack.extra_damage:
        parts.append(f"plus {attack.extra_damage} {attack.extra_damage_type} damage".replace("  ", " "))
    return ", ".join(parts)


def _placement(record: Creature) -> list[tuple[str, str]]:
    """Facts that are not in the printed block but help to find or place the creature."""
    return [
        ("Environments", join_names(record.environments)),
        ("Group", ", ".join(part for part in (record.category, record.subcategory) if part and part != "Monsters")),
        ("Forms", ", ".join(record.forms)),
        ("Sets", ", ".join(map(words, record.creature_sets))),
        ("Sight", _sight(record)),
        ("Image", record.image),
    ]


def _sight(record: Creature) -> str:
    """The range of sight. Open5e gives every creature with eyes two miles, which is left out."""
    feet = record.senses.normal_sight
    return "" if feet is None or feet == 10560 else f"{number(feet)} ft."
