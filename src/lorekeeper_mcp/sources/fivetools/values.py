"""Fields of an item other than entries: those with a place in our models, and the printer of the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.field_reader import Fields, Printer, as_object, listed, mapping, sections_of, titled
from lorekeeper_mcp.sources.fivetools.entries import is_entry, markdown
from lorekeeper_mcp.sources.fivetools.tags import PROPERTIES, displayed_reference, plain_text, referenced_name
from lorekeeper_mcp.sources.phrases import joined

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
FEATS = {
    "D": "Dragonmark", "DG": "Dark Gift", "EB": "Epic Boon", "FS": "Fighting Style", "FS:P": "Fighting Style (Paladin)",
    "FS:R": "Fighting Style (Ranger)", "G": "General", "O": "Origin",
}  # fmt: skip
ALIGNMENT = {
    "L": "lawful", "NX": "neutral", "NY": "neutral", "N": "neutral", "C": "chaotic", "G": "good", "E": "evil",
    "U": "unaligned", "A": "any alignment",
}  # fmt: skip
_CASTING = {
    "spellcasting": "the ability to cast at least one spell",
    "spellcasting2020": "the Spellcasting or Pact Magic feature",
    "spellcastingFeature": "the Spellcasting feature",
    "spellcastingPrepared": "the Spellcasting feature of a class that prepares spells",
}
_WAYS = ("innate", "known", "prepared", "expanded")  # to gain spells
# The fields that name a part of a value, whatever else it has.
_NAME_FIELDS = ("name", "displayName", "full", "proficiency", "item", "uid", "special", "label", "className",
                "groupName")  # fmt: skip
_EACH = re.compile(r"(\d+|pb|halfPb)e")  # how often each of several spells can be cast
_VARIABLE = re.compile(r"<\$(\w+)\$>")


class EntryPrinter(Printer):
    """Prints the values of this format: entries as Markdown, and what may be chosen in words."""

    def __call__(self, value: object, depth: int = 0) -> str:
        """Return a value as text; empty for nothing."""
        if isinstance(value, Mapping):
            if is_entry(value):
                return markdown(value)
            if value.keys() == {"choose"}:
                return "; ".join(self._choice(choice, depth + 1) for choice in _choices(value["choose"]))
            if value and all(isinstance(part, bool) for part in value.values()):
                return ", ".join(_option(str(name)) for name, part in value.items() if part)
            label = next((field for field in _NAME_FIELDS if isinstance(value.get(field), str)), "name")
            value = {"name": value.get(label), **{name: part for name, part in value.items() if name != label}}
        return super().__call__(value, depth)

    def _choice(self, value: object, depth: int) -> str:
        """``choose 2 from Arcana, History``, ``choose +2, +1 from Strength, Dexterity``."""
        spec = as_object(value, "from")
        weighted = mapping(spec.get("weighted"))
        weights = ", ".join(f"{weight:+d}" for weight in listed(weighted.get("weights")) if isinstance(weight, int))
        options = weighted.get("from", spec.get("from", spec.get("fromFilter")))
        if isinstance(options, str):  # a filter of the site: ``level=0|class=Wizard``
            options = options.replace("|", ", ").replace("=", " ")
        among = ", ".join(filter(None, (_option(option) or self(option, depth) for option in listed(options))))
        amount = f" ({spec['amount']:+d})" if isinstance(spec.get("amount"), int) else ""
        known = {"from", "fromFilter", "count", "amount", "weighted"}
        others = self({name: part for name, part in spec.items() if name not in known}, depth)
        choose = joined("choose", weights or str(spec.get("count", 1)), f"from {among}" if among else "", sep=" ")
        return f"{choose}{amount}{f' ({others})' if others else ''}"


def _choices(value: object) -> list[object]:
    """The choices of a field: several objects are several choices, several names one."""
    return listed(value) if isinstance(value, list) and all(isinstance(part, dict) for part in value) else [value]


def _option(value: object) -> str:
    if not isinstance(value, str):
        return ""
    return ABILITIES[value].capitalize() if value in ABILITIES else titled(displayed_reference(value))


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
    for part in listed(value):
        if not isinstance(part, Mapping):
            texts.append("" if part is True else print_value(part))
            continue
        for name, amount in part.items():
            if name in ABILITIES and isinstance(amount, int) and not isinstance(amount, bool):
                texts.append(f"{ABILITIES[name].capitalize()} {amount:+d}")
            elif amount is True and name not in IGNORED_FIELDS:
                texts.append(_option(name))
            else:
                texts.append(print_value({name: amount}))
    return ", ".join(filter(None, texts))


def ability_name(code: str) -> str:
    """Return the printed name of an ability; any other name as it is."""
    return ABILITIES.get(code, code).capitalize()


def scores(value: object) -> str:
    """Return required scores: ``Strength 13 and Wisdom 13``; those in ``or`` are alternatives."""
    spec = mapping(value)
    groups = [(" or ", mapping(group)) for group in listed(spec.get("or"))]
    groups.append((" and ", {name: score for name, score in spec.items() if name in ABILITIES}))
    texts = (sep.join(f"{ability_name(name)} {score}" for name, score in group.items()) for sep, group in groups)
    return "; ".join(filter(None, texts))


# --- Prerequisites ---


def prerequisite_text(value: object) -> str:
    """Return a list of alternative prerequisites: ``level 4, Strength 13 or Dexterity 13``."""
    return " or ".join(filter(None, map(_alternative, listed(value))))


def _alternative(value: object) -> str:
    """A prerequisite, or several that all apply."""
    if not isinstance(value, Mapping):
        return print_value(value)
    texts = [_PREREQUISITES.get(name, lambda part, name=name: _other(name, part))(part) for name, part in value.items()]
    return ", ".join(filter(None, texts))


def _other(name: str, value: object) -> str:
    """A prerequisite without a form of its own: several names are joined by or."""
    if value is True:
        return _CASTING.get(name, print_value({name: True}))
    texts = [
        print_value(part.get("displayEntry") or part.get("entry") or part) if isinstance(part, Mapping)
        else print_value(part.partition("#")[0] if isinstance(part, str) else part)
        for part in listed(value)
    ]  # fmt: skip
    text = " or ".join(filter(None, texts))
    return text if name in ("race", "background", "feat", "feature", "optionalfeature", "other", "note", "spell",
                            "otherSummary", "item") or not text else print_value({name: text})  # fmt: skip


def _level(value: object) -> str:
    parts = as_object(value, "level")
    names = (print_value(mapping(parts.get(field)).get("name")) for field in ("class", "subclass"))
    return joined("level", print_value(parts.get("level")), *names, sep=" ")


def _proficiencies(value: object) -> str:
    """``armor: medium`` is medium armor, ``skill: true`` a skill."""
    pairs = [pair for element in listed(value) for pair in mapping(element).items()]
    texts = (
        ("a skill" if names is True else grants(names)) if kind == "skill" else f"{print_value(names)} {kind}"
        for kind, names in pairs
    )
    return f"proficiency with {', '.join(texts)}"


_PREREQUISITES: Mapping[str, Callable[[object], str]] = {
    "level": _level,
    "ability": lambda value: " or ".join(map(scores, listed(value))),
    "proficiency": _proficiencies,
    "pact": lambda value: f"Pact of the {print_value(value)}",
    "alignment": lambda value: " ".join(ALIGNMENT.get(str(code), str(code)) for code in listed(value)),
    "itemProperty": lambda value: " or ".join(PROPERTIES.get(code, code) for code in plain_texts(value)),
}


# --- Granted spells ---


def additional_spells(fields: Fields) -> tuple[Section, ...]:
    """Return the spells of an option, by how they are gained and from which level."""
    sections: list[Section] = []
    for value in listed(fields.take("additionalSpells")):
        spec = as_object(value, "spells")
        lines = [
            f"{way.capitalize()}{_from_level(level)}: {names}"
            for way in _WAYS
            for level, spells in mapping(spec.get(way)).items()
            if (names := ", ".join(_spell_names(spells)))
        ]
        ways = {way for way in _WAYS if isinstance(spec.get(way), Mapping)}
        lines.append(print_value({name: part for name, part in spec.items() if name not in ways | {"name"}}))
        sections += sections_of({str(spec.get("name") or "Spells"): joined(*lines, sep="\n")})
    return tuple(sections)


def _spell_names(value: object, *limits: str) -> Iterator[str]:
    """Names of spells, each with its limit of use: ``fog (daily 1)``."""
    if isinstance(value, Mapping) and not {"choose", "all"} & value.keys():
        for limit, spells in value.items():
            yield from _spell_names(spells, *limits, *([] if limit == "_" else [_EACH.sub(r"\1 each", limit)]))
    elif isinstance(value, list):
        for spell in value:
            yield from _spell_names(spell, *limits)
    elif name := referenced_name(value) if isinstance(value, str) else print_value(value):
        limit = " ".join(limits)
        yield joined(name.partition("#")[0], f"({limit})" if limit else "", sep=" ")


def _from_level(level: str) -> str:
    """``, level 3`` for 3, ``, spell level 2`` for s2, nothing for _."""
    if level.startswith("_"):
        return level[1:]
    return f", spell level {level[1:]}" if level.startswith("s") else f", level {level}"
