"""What follows from several records: features and traits as separate entries, and links from parents to children.

The records of every source pass through here, so that "sneak attack" is found by name in any book.
A feature's key is its parent's key followed by the slug of its name, the same for every source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.models import (
    CharacterClass,
    CharacterFeature,
    Feature,
    FeatureType,
    Kind,
    Record,
    Ref,
    Section,
    Species,
)
from lorekeeper_mcp.text import fold, slugify

VERSION = 2
"""Increment it when the same records yield other features: the embedded ones are then stored again."""

_MAX_SLUG = 80  # bytes
_HEADING = re.compile(r"^(#{1,6})\s+(?P<name>\S.*?)\s*#*$", re.MULTILINE)
# "**Turn Undead.** As a Magic action, …" at the start of a paragraph or a list item, with any mix of * and _.
_LEAD_IN = re.compile(
    r"^(?:[-*+]\s+)?(?P<mark>[*_]{2,4})(?P<name>[^*_\n]{2,60}?)(?:[.:]\s*[*_]{2,4}|[*_]{2,4}[.:])(?=\s)", re.MULTILINE
)
_TABLE = re.compile(r"\(table\)|\btable$", re.IGNORECASE)
# Parts of a class record that are not features, by Open5e's type or by name.
_NO_FEATURE_TYPES = frozenset({"PROFICIENCIES", "STARTING_EQUIPMENT", "CORE_TRAITS_TABLE"})
_NO_FEATURES = frozenset({"multiclassing", "equipment", "proficiencies", "hit points", "subclass"})
_NO_TRAITS = frozenset(
    {"ability score increase", "age", "alignment", "size", "speed", "languages", "creature type", "type", "subrace"}
)
# Spellcasting is one rule in several paragraphs, and a spell list offers only spells.
_WITHOUT_OPTIONS = re.compile(r"^(?:spellcasting|pact magic|.* spell list|.* spells|.* magic|tenets of .*)$")
# Names of paragraphs that any rule may have: these are parts of a feature, not something that a character gains.
_PARTS = frozenset(
    {
        "at higher levels", "attunement", "cantrips", "charges", "cost", "damage resistance", "domain spells",
        "duration", "expertise", "game statistics", "known forms", "languages", "level", "no concentration or spells",
        "no spellcasting", "number of uses", "oath spells", "objects", "prerequisite", "prerequisites",
        "radiant damage", "rage damage", "range", "regaining uses", "repeatable", "replacing and gaining invocations",
        "resistance", "rules while shape shifted", "scrolls", "spell attack modifier", "spell save dc", "spell slots",
        "spellcasting ability", "spellcasting focus", "strength advantage", "sunlight", "temporary hit points",
        "your save dc",
    }
)  # fmt: skip
_PREREQUISITE = re.compile(
    r"\s*\**_*Prerequisites?\b[^\n]*?(?:level (\d+)|(\d+)(?:st|nd|rd|th)[ -]level)", re.IGNORECASE
)
# What precedes parts all of which one gains, unless the sentence lets one choose among them.
_ALL = re.compile(
    r"\b(?:(?:following|these) (?:benefits|enhancements|properties)"
    r"|following (?:epic |unique )?(?:boon|effect)\b(?! options)|benefits below"
    r"|do or create|start knowing|features include|spend ki on certain features)"
)
_CHOICE = re.compile(r"\b(?:choos(?:e|ing)(?! this)|choice|select|one of)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.:!?])\s+")
_LIST_WORDS = frozenset({"options", "option", "list"})


@dataclass(frozen=True)
class _Part:
    """A feature before it becomes a record; ``part_of`` is the feature in whose text it is.

    It is an option, unless the feature gives every part of it.
    """

    name: str
    text: str
    levels: tuple[int, ...] = ()
    details: tuple[tuple[int, str], ...] = ()
    part_of: str = ""
    is_option: bool = False


def with_features(records: Iterable[Record]) -> list[Record]:
    """Return the records, each followed by its features."""
    return [entry for record in records for entry in (record, *features_of(record))]


def features_of(record: Record) -> list[CharacterFeature]:
    """Return the features of a class, a subclass or a species as entries; any other record has none."""
    match record:
        case CharacterClass():
            own = [_part(feature, record.features) for feature in record.features if _is_feature(feature)]
            parts = [*own, *(below for part in own if not part.part_of for below in _parts_within(part))]
        case Species():
            traits = (trait for trait in record.traits if fold(trait.name) not in _NO_TRAITS)
            parts = [_Part(trait.name.strip(), trait.text) for trait in traits if _is_named_text(trait)]
        case _:
            return []
    return [_entry(record, part, slug) for slug, part in _by_slug(parts).items()]


def _is_feature(feature: Feature) -> bool:
    is_part = feature.type in _NO_FEATURE_TYPES or fold(feature.name) in _NO_FEATURES
    return _is_named_text(feature) and not is_part


def _is_named_text(part: Feature | Section) -> bool:
    return bool(part.text.strip() and fold(part.name)) and not _TABLE.search(part.name)


def _part(feature: Feature, features: Sequence[Feature]) -> _Part:
    """The feature itself, or an option: "Metamagic: Careful Spell" belongs to a feature Metamagic."""
    name, levels = feature.name.strip(), feature.levels
    details = tuple(sorted(feature.details.items()))
    feature_name, _, option = (half.strip() for half in name.partition(":"))
    if option and (offering := _with_name(feature_name, features)):
        return _Part(
            option, feature.text, levels or offering.levels[:1], details, offering.name.strip(), is_option=True
        )
    if levels == ():
        # A list of options is separate from the feature that offers them, and has no level of its own.
        words = fold(name).split()
        offered = [word for word in words if word not in _LIST_WORDS]
        offering = _with_name(" ".join(offered), features) if len(offered) < len(words) else None
        levels = offering.levels[:1] if offering else ()
    return _Part(name, feature.text, levels, details)


def _with_name(name: str, features: Sequence[Feature]) -> Feature | None:
    """The feature with a name, in the singular or the plural."""
    stem = _stem(name)
    return next((feature for feature in features if stem and _stem(feature.name) == stem), None)


def _stem(name: str) -> str:
    return " ".join(word.removesuffix("s") for word in fold(name).split())


def _parts_within(part: _Part) -> list[_Part]:
    """The options or parts of a feature: its headings, or else the paragraphs that begin with a name in bold."""
    if _WITHOUT_OPTIONS.match(fold(part.name)):
        return []
    headings = list(_HEADING.finditer(part.text))
    top_level = min((len(heading[1]) for heading in headings), default=0)
    marks = [heading for heading in headings if len(heading[1]) == top_level] or list(_LEAD_IN.finditer(part.text))
    starts = [(mark, name) for mark in marks if (name := _option_name(mark["name"], part.name))]
    ends = [*(mark.start() for mark, _ in starts), len(part.text)][1:]
    texts = [(name, part.text[mark.end() : end].strip()) for (mark, name), end in zip(starts, ends, strict=True)]
    is_option = bool(starts) and _offers_options(part.text[: starts[0][0].start()])
    return [
        _Part(name, text, _levels(text, part), part_of=part.name, is_option=is_option) for name, text in texts if text
    ]


def _offers_options(introduction: str) -> bool:
    """Whether a feature lets one choose among its parts, instead of giving all of them."""
    sentences = _SENTENCE.split(introduction)
    return not any(_ALL.search(sentence) and not _CHOICE.search(sentence) for sentence in sentences)


def _option_name(printed: str, feature: str) -> str:
    """The name without markup and the feature's name ("Channel Divinity: Turn Undead"); "" if it is no option."""
    name = re.sub(r"[*_]+", "", printed).strip().rstrip(".:").strip()
    prefix, _, option = name.partition(":")
    if option.strip() and _stem(prefix) == _stem(feature):
        name = option.strip()
    plain = fold(re.sub(r"\(.*?\)", "", name))
    is_part = plain in _PARTS or re.match(r"(?:level \d|using )", plain) or _TABLE.search(name)
    return "" if is_part or not plain or len(plain.split()) > 7 or plain == fold(feature) else name


def _levels(text: str, part: _Part) -> tuple[int, ...]:
    """The level that an option requires, else the first level of its feature."""
    prerequisite = _PREREQUISITE.match(text)
    return (int(prerequisite[1] or prerequisite[2]),) if prerequisite else part.levels[:1]


def _by_slug(parts: Iterable[_Part]) -> dict[str, _Part]:
    """Return the parts by the slugs of their names; a later part of the same name is prefixed with its feature's."""
    by_slug: dict[str, _Part] = {}
    for part in parts:
        slug, unique = _slug(part.name), part
        if slug in by_slug and part.part_of:
            if by_slug[slug].part_of == part.part_of or by_slug[slug].text == part.text:
                continue
            unique = replace(part, name=f"{part.part_of}: {part.name}")
            slug = _slug(unique.name)
        number, first = 2, slug
        while slug in by_slug:
            slug, number = f"{first}-{number}", number + 1
        by_slug[slug] = unique
    return by_slug


def _slug(name: str) -> str:
    """The last part of a key for a name, without ``_``."""
    slug = (slugify(name) or fold(name).replace(" ", "-") or "feature").replace("_", "-")
    return slug.encode()[:_MAX_SLUG].decode("utf-8", "ignore").rstrip("-")


def _entry(parent: CharacterClass | Species, part: _Part, slug: str) -> CharacterFeature:
    is_class = isinstance(parent, CharacterClass)
    type_ = FeatureType(str(parent.kind)) if is_class else FeatureType.TRAIT
    parent_ref = Ref(name=parent.name, key=parent.key)
    return CharacterFeature(
        kind=Kind.FEATURE,
        key=f"{parent.key}_{slug}",
        name=part.name,
        document_key=parent.document_key,
        document_name=parent.document_name,
        document_source=parent.document_source,
        documents=parent.documents,
        editions=parent.editions,
        license=parent.license,
        publisher=parent.publisher,
        text=part.text,
        type=FeatureType.OPTION if part.is_option else type_,
        parent=parent_ref,
        parent_kind=parent.kind,
        character_class=(parent.subclass_of or parent_ref) if isinstance(parent, CharacterClass) else None,
        option_of=part.part_of if part.is_option else "",
        levels=part.levels,
        details=dict(part.details),
    )


def with_children(records: Iterable[Record]) -> list[Record]:
    """Return the records, with each class's subclasses and each species' lineages listed by name."""
    records = list(records)
    children: dict[str, list[Ref]] = {}
    for record in records:
        parent = record.subclass_of if isinstance(record, CharacterClass) else None
        parent = record.subspecies_of if isinstance(record, Species) else parent
        if parent is not None:
            children.setdefault(parent.key, []).append(Ref(name=record.name, key=record.key))
    return [_with_children(record, children.get(record.key, ())) for record in records]


def _with_children(record: Record, children: Iterable[Ref]) -> Record:
    refs = tuple(sorted(children, key=lambda ref: ref.name))
    field = {CharacterClass: "subclasses", Species: "lineages"}.get(type(record))
    return record.model_copy(update={field: refs}) if refs and field else record
