"""Renders the full page of a record as Markdown, in the order of a rulebook."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from lorekeeper_mcp.models import (
    NEWEST_FIRST,
    Abilities,
    Action,
    ActionType,
    Background,
    CastingOption,
    CharacterClass,
    CharacterFeature,
    Creature,
    Document,
    Edition,
    EditionText,
    Equipment,
    Feat,
    Feature,
    FeatureType,
    Kind,
    Record,
    Reference,
    Rule,
    Section,
    Source,
    Species,
    Spell,
    WeaponProperty,
)
from lorekeeper_mcp.models.printed_values import (
    ACTION_HEADINGS,
    action_name,
    casting_changes,
    ordinal,
    title,
    what_is_rolled,
    words,
)
from lorekeeper_mcp.passages.facts import ability_scores, is_revised, name_or_key, owner, texts_by_label
from lorekeeper_mcp.render.books import origin
from lorekeeper_mcp.render.markdown import body, entry, labels, page, table
from lorekeeper_mcp.text import fold, label, letters, slugify

_LONGEST_VALUE = 200  # characters of a field in the list of values
_UPSTREAMS = {Source.OPEN5E_V2: "Open5e", Source.OPEN5E_V1: "Open5e", Source.SRD: "the package"}
_TRAITS = ("ability", "creature", "age", "alignment", "size", "speed", "…", "languages", "subrace")
_ABOVE_INTRODUCTION = ("Creature Type", "Size", "Speed")
_BENEFITS = (
    *("ability", "feat", "skill", "tool", "languages", "equipment", "suggested equipment", "…"),
    *("suggested characteristics", "connection", "adventures"),
)
_LINE_BREAK, _KEPT_BREAK = re.compile(r"(?<!\n)\n(?!\n)"), "  \n"  # Markdown would join the lines
_NEXT_LINE, _INDENTED = re.compile(r"\n(?=[^\n])"), "\n  "  # a paragraph within an item of a list
# A sentence from which the effect of each higher slot or level follows; older cantrips have it in their text.
_EACH_LEVEL = re.compile(r"for (?:each|every)(?: \w+)?(?: spell)? slot levels? above|levels? 5\b|5th level")
_UPGRADES = re.compile(r"reach(?:es)? (?:levels? 5\b|5th level) \(")
_LEVEL_UP = "Level Up (A5E)"
_SITE = "https://api.open5e.com"
_UNUSED_CATEGORIES = frozenset({"art", "gem", "jewelry"})
# The call that lists the members of a reference without a text of its own.
_FILTER_OF_KIND = {
    Kind.ENVIRONMENT: 'Creatures that live here: search_creature(environment="{}").',
    Kind.ITEM_CATEGORY: 'Items of this category: search_equipment(category="{}").',
    Kind.ITEM_RARITY: 'Items of this rarity: search_equipment(rarity="{}").',
    Kind.MAGIC_SCHOOL: 'Spells of this school: search_spell(school="{}").',
    Kind.SIZE: 'Creatures of this size: search_creature(size="{}").',
}
Facts = Mapping[str, str]  # printed facts by label


def record_page(record: Record, edition: Edition | None = None) -> str:
    """The page of a record without its source, since an answer lists each book once.

    If a record has texts of several editions, as a condition has, ``edition`` selects one of them.
    """
    render = _PAGES.get(type(record))
    facts = texts_by_label(record)
    content = render(record, facts) if render else _reference(record, facts, edition)
    names = ", ".join(dict.fromkeys(ref.name for ref in record.see_also if ref.name))
    return page(f"# {record.name}", content, *_also(record), f"See also: {names}" if names else "")


def _also(record: Record) -> list[str]:
    """The fields that only this source has, under its own names: texts as paragraphs, then values as a list."""
    fields = [entry(label(field.name), field.text) for field in record.other if field.text]
    values = [field for field in fields if len(field) <= _LONGEST_VALUE and "\n" not in field]
    paragraphs = [field for field in fields if field not in values]
    return [*paragraphs, "\n".join(["**Also**", "", *(f"- {value}" for value in values)]) if values else ""]


def corrections(record: Record) -> str:
    """How the record differs from the upstream data, so that nobody takes our values for upstream's."""
    upstream = _UPSTREAMS.get(record.document_source, "the source")
    texts = {(note.was, note.source) for note in record.corrections if note.field == "text"}
    notes = [
        f"{_field(note.field)} ({upstream} says: {note.was}; here as in {note.source})"
        for note in record.corrections
        if note.field != "page"
        and not (note.field.startswith("texts.") and (note.was, note.source) in texts)  # the same text as another note
    ]
    return f"*Corrected: {'; '.join(notes)}*" if notes else ""


def _field(path: str) -> str:
    """A path in words: ``defenses.damage_resistances_text`` -> ``damage resistances``."""
    return words(path.removesuffix(".text").partition("_text")[0].replace("defenses.", "")).replace(".", " ")


def source(record: Record, edition: Edition | None = None) -> str:
    """The document and its license; ``edition`` selects the document of one of several texts."""
    keys = [text.document_key for text in record.texts if edition is not None and text.edition == edition]
    editions = " and ".join(record.editions)
    parts = [
        f"{record.document_name} ({record.document_key})",
        f"page {record.page}" if record.page is not None else "",
        f"text of {', '.join(keys)}" if keys and keys != [record.document_key] else "",
        origin(record.document_source, record.document_name, [record.file]),
        record.publisher if record.publisher != record.document_name else "",
        f"{editions} edition{'s' if len(record.editions) > 1 else ''}" if editions else "",
        f"license {record.license}" if record.license else "",
    ]
    return f"*Source: {', '.join(filter(None, parts))}*"


def _labelled(facts: Facts, *names: str) -> str:
    """Some facts, one per line."""
    return labels(*((name, facts.get(name, "")) for name in names))


# -- spells


def _spell(record: Spell, facts: Facts) -> str:
    """The header, the labelled lines, the text, higher levels, then facts that may be missing in the text."""
    higher = "At Higher Levels"
    if is_revised(record):
        higher = "Using a Higher-Level Spell Slot" if record.level else "Cantrip Upgrade"
    rolled = what_is_rolled(record)
    said = set(fold(f"{record.text} {record.higher_level} {'yes' if 'attack' in record.text else ''}").split())
    is_said = record.damage_roll in record.text
    unsaid = {name: value for name, value in facts.items() if not (is_said and said.issuperset(fold(value).split()))}
    says_each_level = _EACH_LEVEL.search(record.higher_level) or _UPGRADES.search(record.text)
    return page(
        f"*{facts['']}*",
        _labelled(
            facts if record.classes or record.subclasses else {**facts, "Classes": "none listed"},
            *("Casting Time", "Range", "Components", "Duration", "Classes", "Subclasses"),
        ),
        body(record.text),
        entry(higher, record.higher_level) if record.higher_level else "",
        "" if says_each_level else "\n".join(_options(record.casting_options, rolled)),
        _labelled(unsaid, rolled.capitalize(), "Saving Throw", "Attack Roll", "Area", "Targets"),
    )


def _options(options: Sequence[CastingOption], rolled: str) -> Iterator[str]:
    """``- Slot Level 4: damage 9d6``; levels that change the same thing share one line."""
    for changes, same_options in groupby(options, key=partial(casting_changes, rolled=rolled)):
        types = [title(option.type) for option in same_options]
        if changes:
            last = f"–{types[-1].rpartition(' ')[2]}" if len(types) > 1 else ""
            yield f"- {types[0]}{last}: {changes}"


# -- creatures


def _creature(record: Creature, facts: Facts) -> str:
    """The stat block in the book's order, from size and type to environments, then the lair that its text describes."""
    # A part of the description with headings, such as a lair, must not come before the traits.
    heading = re.search(r"^#{1,6} ", record.text, re.MULTILINE)
    end = heading.start() if heading else len(record.text)
    has_saves_in_table = is_revised(record) and record.saving_throws.keys() >= Abilities.model_fields.keys()
    no_languages = "None" if is_revised(record) else "—"
    return page(
        f"*{facts.get('', 'Creature')}*",
        _labelled(facts, "Armor Class", "Hit Points", "Speed", "Initiative"),
        _abilities(record, with_saves=has_saves_in_table),
        _labelled(
            {"Languages": no_languages, **facts},
            *([] if has_saves_in_table else ["Saving Throws"]),
            *("Skills", "Damage Vulnerabilities", "Vulnerable", "Damage Resistances", "Resistant"),
            *("Damage Immunities", "Immune", "Condition Immunities", "Senses", "Languages"),
            *("CR", "Challenge", "Proficiency Bonus"),
        ),
        body(record.text[:end]),
        *(entry(trait.name, trait.text) for trait in record.traits),
        *(_actions(record, kind, heading) for kind, heading in ACTION_HEADINGS.items()),
        _labelled(facts, "Environments", "Group", "Forms", "Sets", "Sight", "Image"),
        body(record.text[end:]),
    )


def _abilities(record: Creature, *, with_saves: bool) -> str:
    """The scores with their modifiers, and below them the saves if all six are given, as in the 2024 rules."""
    scores = ability_scores(record)
    if not scores:
        return ""
    head, cells = [name for name, _ in scores], [score for _, score in scores]
    if not with_saves:
        return table(head, [cells])
    saves = [f"{record.saving_throws[name]:+d}" for name in Abilities.model_fields]
    return table(["", *head], [["Score", *cells], ["Save", *saves]])


def _actions(record: Creature, kind: ActionType, heading: str) -> str:
    actions = [action for action in record.actions if action.type is kind]
    intro = record.legendary_text if kind is ActionType.LEGENDARY_ACTION else ""
    if not actions and not intro:
        return ""
    return page(f"## {heading}", body(intro, 2), *map(_action, actions))


def _action(action: Action) -> str:
    return entry(action_name(action), action.text)


# -- equipment


def _equipment(record: Equipment, facts: Facts) -> str:
    """The header with rarity and attunement or cost and weight, then statistics, text, contents and variants.

    Books print no statistics for magic items, so those of the base item are added below the text.
    """
    is_magic = record.kind is Kind.MAGIC_ITEM
    header = [part for part in (facts[""], facts.get("Rarity", "")) if part]
    if attunement := facts.get("Attunement"):
        header[-1] += f" ({attunement})"
    if not is_magic:
        header += filter(None, (facts.get("Cost") or facts.get("Worth"), facts.get("Weight")))
    statistics = _labelled(
        facts, "Weapon", "Damage", "Range", "Properties", "Mastery", "Armor", "Armor Class", "Strength", "Stealth",
        "Size",
    )  # fmt: skip
    worth = labels(("Worth", facts.get("Cost") or facts.get("Worth", "")), ("Weight", facts.get("Weight", "")))
    return page(
        f"*{', '.join(header)}*",
        *((body(record.text), statistics, worth) if is_magic else (statistics, body(record.text))),
        *(_property(prop, record) for prop in (record.weapon.properties if record.weapon else ())),
        _labelled(facts, "Contents", "Variants"),
    )


def _property(prop: WeaponProperty, record: Equipment) -> str:
    is_in_text = letters(prop.text) in letters(record.text)  # as with a net, whose special property is its text
    return "" if is_in_text else entry(prop.name, prop.text, 1)


# -- character options


def _class(record: CharacterClass, facts: Facts) -> str:
    """The header, hit points, the table by level, then the features by level."""
    names, rows = record.level_table()
    level_name = str if is_revised(record) else ordinal  # level 1 of the 2024 rules, 1st in other books
    return page(
        f"*{facts['']}*",
        _labelled(
            facts, "Hit Dice", "Hit Points at 1st Level", "Hit Points at Higher Levels", "Primary Abilities",
            "Saving Throws", "Spellcasting", "Subclass",
        ),
        body(record.text),
        table(["Level", *names], [[level_name(level), *cells] for level, cells in rows]) if rows else "",
        *(f"## {name}\n\n{_LINE_BREAK.sub(_KEPT_BREAK, body(text, 2))}" for name, text in record.extra_texts()),
        *map(_class_feature, record.features),
        *(entry(part.name, part.text, 1) for part in record.spells),
        _labelled(facts, "Subclasses"),
    )  # fmt: skip


def _class_feature(part: Feature) -> str:
    levels = _levels("Level", part.levels)
    heading = f"## {levels}: {_with_use(part)}" if levels else f"## {_with_use(part)}"
    return page(heading, body(part.text, 2), _changes(part.details))


def _levels(noun: str, levels: Sequence[int]) -> str:
    """``Level 3``, ``Levels 3, 7``; "" without levels."""
    return f"{noun}{'s' if len(levels) > 1 else ''} {', '.join(map(str, levels))}" if levels else ""


def _with_use(part: Feature | Section) -> str:
    """The name of a feature or trait, with the action that it takes if its type says so."""
    return f"{part.name} ({words(part.type)})" if part.type in tuple(ActionType) else part.name


def _trait_entry(part: Section) -> str:
    return entry(_with_use(part), part.text)


def _changes(details: Mapping[int, str]) -> str:
    return "\n".join(f"- {ordinal(level)} level: {detail}" for level, detail in sorted(details.items()) if detail)


def _feature(record: CharacterFeature, facts: Facts) -> str:
    """The owner and level of a feature, then its text."""
    kind = "Trait" if record.type is FeatureType.TRAIT else "Feature"
    if record.option_of:
        kind = f"{record.option_of.removesuffix(' Options').removesuffix(' List')} option, feature"
    header = ", ".join(filter(None, (f"{kind} of {owner(record)}", _levels("level", record.levels))))
    return page(f"*{header}*", body(record.text), _changes(record.details))


def _species(record: Species, facts: Facts) -> str:
    """The description and traits; for a lineage also its parent species."""
    ordered = _sort_parts(record.traits, _TRAITS)
    has_type = any(trait.name == "Creature Type" for trait in ordered)  # as in the 2024 book
    above = [trait for trait in ordered if has_type and trait.name in _ABOVE_INTRODUCTION]
    return page(
        f"*{facts['']}*",
        _labelled(facts, "Size", "Speed"),
        *map(_trait_entry, above),
        body(record.text),
        *(_trait_entry(trait) for trait in ordered if trait not in above),
        _labelled(facts, "Lineages"),
    )


def _background(record: Background, facts: Facts) -> str:
    """The description, then proficiencies, equipment, feature and tables in the book's order."""
    parts = _sort_parts(record.benefits, _BENEFITS)
    return page("*Background*", body(record.text), *map(_trait_entry, parts))


def _sort_parts(parts: Sequence[Section], order: Sequence[str]) -> list[Section]:
    """Sort parts in the books' order, which no source keeps, by how their names begin; other parts go to "…"."""

    def position(part: Section) -> int:
        name = fold(part.name)
        return next((index for index, prefix in enumerate(order) if name.startswith(prefix)), order.index("…"))

    return sorted(parts, key=position)


def _feat(record: Feat, facts: Facts) -> str:
    """The category, prerequisite, description, and benefits as a list."""
    benefits = (f"- {_NEXT_LINE.sub(_INDENTED, body(benefit))}" for benefit in record.benefits)
    return page(f"*{facts['']}*", _labelled(facts, "Prerequisite"), body(record.text), "\n".join(benefits))


# -- rules, reference lists and documents


def _reference(record: Record, facts: Facts, edition: Edition | None) -> str:
    """The kind of the record, its facts, and its text: the one of an edition, or each under a heading."""
    refs = record.rules if isinstance(record, Rule) else record.members if isinstance(record, Reference) else ()
    members = "\n".join(f"- {ref.name} (`{ref.key}`)" if ref.key else f"- {ref.name}" for ref in refs)
    if isinstance(record, Rule):  # a rule's section goes below its heading, as in the book
        section = f"Rule in {name_or_key(record.section)}" if record.section else _kind(record)
        return page(_texts(record, edition), members, f"*{section}*")
    printed = {name: text for name, text in facts.items() if name != "Members"}  # these are listed with their keys
    image, credit = (record.image, record.attribution) if isinstance(record, Reference) else ("", "")
    picture = labels(("Image", f"{_SITE}{image}" if image.startswith("/") else image), ("Credit", credit))
    return page(f"*{_kind(record)}*", labels(*printed.items()), members, _texts(record, edition), picture)


def _kind(record: Record) -> str:
    return words(record.kind).capitalize()


def _texts(record: Record, edition: Edition | None) -> str:
    texts = [text for text in record.texts if edition is None or text.edition == edition]
    texts.sort(key=lambda text: NEWEST_FIRST.index(text.edition) if text.edition else len(NEWEST_FIRST))
    if len(texts) < 2:
        return body(texts[0].text if texts else record.text) or _members_call(record)
    own = "" if any(text.text == record.text for text in texts) else body(record.text)
    return page(own, *(f"## {_rules_of(text)}\n\n{body(text.text, 2)}" for text in texts))


def _members_call(record: Record) -> str:
    """The call that lists the members of a reference; "" if there is none."""
    slug = slugify(record.name)
    if record.kind is Kind.ITEM_CATEGORY and slug in _UNUSED_CATEGORIES:
        return "Open5e has no item of this category."
    return _FILTER_OF_KIND.get(record.kind, "").format(slug)


def _rules_of(text: EditionText) -> str:
    rules = _LEVEL_UP if text.edition is Edition.A5E else f"{text.edition} rules" if text.edition else "Text"
    return f"{rules} ({text.document_key})"


def _document(record: Document, facts: Facts) -> str:
    """The publisher, author, date, license, the attribution that it requires, and the copyright."""
    return page("*Document*", labels(*facts.items()), body(record.text), record.attribution, record.copyright)


# Any, since each function takes the type of its key.
_PAGES: Mapping[type[Record], Callable[[Any, Facts], str]] = {
    Spell: _spell,
    Creature: _creature,
    Equipment: _equipment,
    CharacterClass: _class,
    Species: _species,
    Background: _background,
    Feat: _feat,
    CharacterFeature: _feature,
    Document: _document,
}
