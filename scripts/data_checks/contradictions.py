"""Sentences of a record that contradict its own fields, and records without content."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.data_checks.prose import prose

from lorekeeper_mcp.models import Creature, Equipment, Kind, Record, Reference, Rule, Spell
from lorekeeper_mcp.models.printed_values import saves_in
from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES
from lorekeeper_mcp.text import fold, slugify

_ATTUNED = re.compile(
    r"\b(?:are|is|be|become|becomes) attuned to (?:it|this|the)|you attune to (?:it|this|the)\b", re.IGNORECASE
)
_FORM = re.compile(r"(?:\A|[.!?\n*]) ?\**([A-Z][\w'’ -]{2,50}?) \((Common|Uncommon|Rare|Very Rare|Legendary)\b[^)]*\)")
_TARGETS = re.compile(
    r"\bup to (two|three|four|five|six|eight|ten|twelve) (?:willing )?(?:creatures|targets)\b", re.IGNORECASE
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10, "twelve": 12}
_EACH_SLOT = re.compile(
    r"increases? by (\d+)d(\d+)[^.]*?(?:for (?:each|every)|per) (?:spell )?slot level (?:above|beyond)", re.IGNORECASE
)
_LISTED = re.compile(r"(\d+)d(\d+)")
_LIGHT = re.compile(r"\b(?:(?:bright|dim) light in an?|an additional) $", re.IGNORECASE)
# Records of these kinds need no text: they have a name, and perhaps a picture, a rank or members.
_NAMES_ALONE = frozenset(
    {
        Kind.DOCUMENT, Kind.IMAGE, Kind.LICENSE, Kind.PUBLISHER, Kind.GAME_SYSTEM, Kind.SIZE, Kind.ITEM_RARITY,
        Kind.ITEM_CATEGORY, Kind.CREATURE_SET, Kind.ITEM_SET, Kind.ENVIRONMENT, Kind.LANGUAGE, Kind.PROFICIENCY,
    }
)  # fmt: skip


def check_attunement(record: Equipment) -> Iterator[str]:
    """If an item's text mentions being attuned to it, the item requires attunement."""
    claim = _ATTUNED.search(record.text)
    if record.kind is Kind.MAGIC_ITEM and claim and not record.requires_attunement:
        yield f"no attunement, but its text says {claim[0]!r}"


def check_rarity(record: Equipment) -> Iterator[str]:
    """If an item's text lists its forms with their rarities, the item has the rarity listed for it."""
    if record.kind is not Kind.MAGIC_ITEM or record.rarity_text:
        return
    rarities = {fold(name): slugify(rarity) for name, rarity in _FORM.findall(record.text)}
    own = rarities.get(fold(record.name))
    if own is not None and own != record.rarity:
        yield f"rarity {record.rarity}, but its text says {own}"
    elif own is None and len(set(rarities.values())) > 1 and record.rarity not in rarities.values():
        yield f"rarity {record.rarity}, which none of the forms in its text has"


def check_saving_throw(record: Spell) -> Iterator[str]:
    """A spell's text asks for a saving throw with the ability of its field."""
    if record.saving_throw and record.saving_throw not in saves_in(record.text):
        yield f"a {record.saving_throw} saving throw, for which its text does not ask"


def check_damage(record: Spell) -> Iterator[str]:
    """A damage type of a spell occurs in its text."""
    text = f"{record.text} {record.higher_level}".lower()
    for type_ in record.damage_types:
        if type_ in DAMAGE_TYPES and type_ not in text:
            yield f"damage {type_}, which its text does not mention"


def check_targets(record: Spell) -> Iterator[str]:
    """The number of targets is the one that the text names."""
    count = _TARGETS.search(record.text)
    if count and record.target_count is not None and record.target_count != _NUMBERS[count[1].lower()]:
        yield f"{record.target_count} targets, but its text says {count[0]!r}"
    first = next((option.target_count for option in record.casting_options if option.target_count), None)
    if count and first is not None and first < _NUMBERS[count[1].lower()]:
        yield f"{first} targets with a higher slot, but its text says {count[0]!r}"


def check_slots(record: Spell) -> Iterator[str]:
    """Damage by slot grows as the sentence about higher slots says."""
    growth = _EACH_SLOT.search(f"{record.text} {record.higher_level}")
    rolls = [option.damage_roll for option in record.casting_options if option.type.startswith("slot_level_")]
    pairs = [pair for roll in rolls if (pair := _LISTED.findall(roll))]
    if growth and len(pairs) > 1:
        (first, die), (second, _) = pairs[0][0], pairs[1][0]
        if len(pairs[0]) == 1 and (str(int(second) - int(first)), die) != (growth[1], growth[2]):
            yield f"{rolls[0]}, {rolls[1]} by slot, but its text says {growth[0]!r}"


def check_area(record: Spell) -> Iterator[str]:
    """The size of an area is in the text, and not only as that of a light."""
    size = f"{record.shape_size:g}" if record.shape_size and record.shape_unit != "miles" else ""
    text = f"{record.text} {record.higher_level}".replace(",", "")
    starts = [match.start() for match in re.finditer(rf"\b{size}[- ]?(?:foot|feet|ft)\b", text, re.IGNORECASE)]
    if size and record.shape_type and all(_LIGHT.search(text[max(0, start - 20) : start]) for start in starts):
        yield f"an area of {size} feet, of which its text says {'that it is light' if starts else 'nothing'}"


def check_not_empty(record: Record) -> Iterator[str]:
    """A record has some content."""
    if record.kind in _NAMES_ALONE or isinstance(record, Creature | Spell):
        return
    has_facts = isinstance(record, Equipment) and bool(record.weapon or record.armor or record.cost)
    has_members = bool(
        (isinstance(record, Reference) and (record.members or record.detail))
        or (isinstance(record, Rule) and record.rules)
    )
    if not has_facts and not has_members and not any(field != "name" for field, _ in prose(record)):
        yield "nothing but a name"
