"""Descriptions of armor and of sets of goods, which the package lacks: paragraphs of the book's rules of equipment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lorekeeper_mcp.models import Equipment, Kind, Record, Rule
from lorekeeper_mcp.text import fold
from srd_converter.priced_tables import paragraphs_by_name

_RULES = ("srd_armor", "srd_adventuring-gear", "srd_tools")
_ARMOR_CATEGORIES = ("light-armor", "medium-armor", "heavy-armor")
_PLURALS = {"Shield": "Shields"}
_SETS = {
    "arcane-focuses": "Arcane Focus",
    "artisans-tools": "Artisan's Tools",
    "druidic-focuses": "Druidic Focus",
    "gaming-sets": "Gaming Set",
    "holy-symbols": "Holy Symbol",
    "musical-instruments": "Musical Instrument",
    "shields": "Shields",
}


def with_descriptions(records: Iterable[Record], rules: Iterable[Rule]) -> list[Record]:
    """The records, with the book's description of each armor and each set of goods that it describes."""
    texts = {rule.key: rule.text for rule in rules if rule.key.startswith(_RULES)}
    paragraphs = {name: text for rule_text in texts.values() for name, text in paragraphs_by_name(rule_text).items()}
    sets = {key: paragraphs[fold(name)] for key, name in _SETS.items()}
    # What applies to a whole category stands before its kinds of armor.
    sets |= {key: texts[f"srd_armor_{key}"].partition("\n\n**")[0] for key in _ARMOR_CATEGORIES}
    return [_with_description(record, paragraphs, sets) for record in records]


def _with_description(record: Record, paragraphs: Mapping[str, str], sets: Mapping[str, str]) -> Record:
    text = ""
    if record.kind is Kind.ITEM_SET:
        text = sets.get(record.key, "")
    elif isinstance(record, Equipment) and record.armor:
        text = paragraphs[fold(_PLURALS.get(record.armor.name, record.armor.name))]
    return record.model_copy(update={"text": text}) if text else record
