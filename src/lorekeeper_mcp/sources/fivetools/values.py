"""Fields of an item other than entries: those with a place in our models, and the printer of the others."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.field_reader import Fields, Printer, as_object, listed, mapping, objects, titled
from lorekeeper_mcp.sources.fivetools.entries import displayed_reference, is_entry, markdown, plain_text
from lorekeeper_mcp.sources.phrases import joined, phrase

# The site's metadata, which no reader needs: where something is printed (``page``, ``srd``, ``reprintedAs``),
# pictures and sounds, and filter lists computed from the texts (``…Tags``, ``…Inflict``).
IGNORED_FIELDS = frozenset(
    {
        "_copy", "_isCopy", "_mod", "_rawName", "actionTags", "additionalSources", "altArt", "areaTags",
        "attachedItems", "basicRules", "basicRules2024", "conditionInflict", "conditionInflictLegendary",
        "conditionInflictSpell", "damageInflict", "damageTags", "damageTagsLegendary", "damageTagsSpell",
        "dragonAge", "edition", "hasFluff", "hasFluffImages", "hasRefs", "hasToken", "isNamedCreature", "isNpc",
        "languageTags", "miscTags", "otherSources", "page", "referenceSources", "reprintedAs", "reqAttuneTags",
        "savingThrowForced", "savingThrowForcedLegendary", "savingThrowForcedSpell", "senseTags", "soundClip", "srd",
        "srd52", "spellcastingTags", "token", "tokenCredit", "tokenCustom", "tokenHref", "tokenHref3d", "tokenUrl",
        "traitTags", "uniqueId", "legacy", "isReprinted", "noDisplay", "reqAttuneAlt", "reqAttuneAltTags",
        "atomicPackContents", "hasCardArt", "color", "symbolImg", "isStriped", "hasNumberParam",
        "foundrySystem", "foundryFlags", "foundryEffects", "foundryAdvancement", "foundryActivities", "foundryImg",
        "foundryType", "foundryTokenScale", "foundryTokenSize", "foundryTokenSubjectScale",
        # of parts of a value
        "source", "classSource", "subclassSource", "groupSource", "baseSource", "definedInSource", "hidden", "visible",
        "visibleStats", "visibleList", "entrySummary", "preserve",
    }
)  # fmt: skip
ALIGNMENT = {
    "L": "lawful", "NX": "neutral", "NY": "neutral", "N": "neutral", "C": "chaotic", "G": "good", "E": "evil",
    "U": "unaligned", "A": "any alignment",
}  # fmt: skip
# The fields that name a part of a value, whatever else it has.
_NAME_FIELDS = ("name", "displayName", "full", "proficiency", "item", "uid", "special", "label", "className",
                "groupName")  # fmt: skip
_VARIABLE = re.compile(r"<\$(\w+)\$>")


class EntryPrinter(Printer):
    """Prints the values of this format: entries as Markdown, references and codes of abilities as names."""

    def __call__(self, value: object, depth: int = 0) -> str:
        """Return a value as text; empty for nothing."""
        if not isinstance(value, Mapping):
            return super().__call__(value, depth)
        if is_entry(value):
            return markdown(value)
        if value.keys() == {"choose"}:
            choices = objects(value["choose"]) or [value["choose"]]  # several objects are several choices
            return "; ".join(self._choice(choice, depth + 1) for choice in choices)
        if value and all(isinstance(part, bool) for part in value.values()):
            return ", ".join(_option(name) for name, part in value.items() if part and name not in self.skipped)
        name = next((field for field in _NAME_FIELDS if isinstance(value.get(field), str)), "name")
        rest = dict(value)
        return super().__call__({"name": rest.pop(name, None), **rest}, depth)

    def _choice(self, value: object, depth: int) -> str:
        """``choose 2 from Arcana, History``; a filter of the site, ``level=0|class=Wizard``, in words."""
        spec = dict(as_object(value, "from"))
        spec |= mapping(spec.pop("weighted", None))
        options = [*listed(spec.pop("from", None)), *listed(spec.pop("fromFilter", None))]
        words = (_option(part.replace("|", ", ").replace("=", " ") if "=" in part else part)
                 if isinstance(part, str) else self(part, depth) for part in options)  # fmt: skip
        choice = f"choose {spec.pop('count', 1)}" + phrase(" from {}", ", ".join(filter(None, words)))
        return choice + phrase(" ({})", self(spec, depth))


def _option(name: str) -> str:
    return ABILITIES[name].capitalize() if name in ABILITIES else titled(displayed_reference(name))


def _text(text: str) -> str:
    """A text; a reference such as ``torch|xphb`` as displayed."""
    return markdown(displayed_reference(_VARIABLE.sub(r"\1", text)))


print_value = EntryPrinter(text=_text, skipped=IGNORED_FIELDS)


def item_fields(item: Mapping[str, object]) -> Fields:
    """Return the fields of an item, without those of the format's own machinery."""
    return Fields({name: value for name, value in item.items() if not name.startswith("_")}, print_value)


def plain_texts(value: object) -> list[str]:
    """Return the texts of a list, with tags as words; a single text counts as a list of one."""
    return [plain_text(text) for text in listed(value) if isinstance(text, str)]


def grants(value: object) -> str:
    """Return what an option grants: ``Arcana, choose 2 from History, Nature``, ``Strength +2``, ``any: 2``."""
    texts = []
    for name, amount in (pair for part in listed(value) for pair in as_object(part, "").items()):
        if name in ABILITIES and type(amount) is int:
            texts.append(f"{ability_name(name)} {amount:+d}")
        else:
            texts.append(print_value({name: amount} if name else amount))
    return ", ".join(filter(None, texts))


def ability_name(code: str) -> str:
    """Return the printed name of an ability; any other name as it is."""
    return ABILITIES.get(code, code).capitalize()


def prerequisite_text(value: object) -> str:
    """Return a list of alternative prerequisites: ``level 4, Strength 13 or Dexterity 13``."""
    alternatives = (
        joined(*(_required(name, value) for name, value in as_object(part, "other").items()))
        for part in listed(value)
        if part
    )
    return " or ".join(filter(None, alternatives))


def _required(name: str, value: object) -> str:
    if name == "ability":
        scores = (pair for part in listed(value) for pair in mapping(part).items())
        return " or ".join(f"{ability_name(code)} {score}" for code, score in scores)
    if name == "level":
        parts = as_object(value, "level")
        classes = (print_value(mapping(parts.get(field)).get("name")) for field in ("class", "subclass"))
        return joined("level", print_value(parts.get("level")), *classes, sep=" ")
    if any(isinstance(part, str) for part in listed(value)):
        return " or ".join(
            print_value(part.partition("#")[0] if isinstance(part, str) else part) for part in listed(value)
        )
    return print_value({name: value})


def additional_spells(fields: Fields) -> tuple[Section, ...]:
    """Return the spells of an option, by how they are gained and from which level."""
    specs = (dict(as_object(value, "spells")) for value in listed(fields.take("additionalSpells")))
    named = ((str(spec.pop("name", None) or "Spells"), print_value(spec)) for spec in specs)
    return tuple(Section(name=name, text=text) for name, text in named if text)
