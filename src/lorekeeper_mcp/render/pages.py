"""Renders the full page of a record as Markdown, in the order of a rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import (
    NEWEST_FIRST,
    Abilities,
    CharacterClass,
    Creature,
    Document,
    Edition,
    EditionText,
    Equipment,
    Feat,
    Kind,
    Record,
    Reference,
    Rule,
    Source,
    Spell,
)
from lorekeeper_mcp.models.printed_values import ordinal, words
from lorekeeper_mcp.passages.facts import ability_scores, higher_slots, is_revised, name_or_key, texts_by_label
from lorekeeper_mcp.passages.passage import PassageKind
from lorekeeper_mcp.passages.record_passages import entries_of
from lorekeeper_mcp.render.books import origin
from lorekeeper_mcp.render.markdown import body, entry, labels, page, table
from lorekeeper_mcp.text import fold, label, slugify

_LONGEST_VALUE = 200  # characters of a field in the list of values
_UPSTREAMS = {Source.OPEN5E_V2: "Open5e", Source.OPEN5E_V1: "Open5e", Source.SRD: "the package"}
_LINE_BREAK, _KEPT_BREAK = re.compile(r"(?<!\n)\n(?!\n)"), "  \n"
_NEXT_LINE, _INDENTED = re.compile(r"\n(?=[^\n])"), "\n  "  # a paragraph within an item of a list
# A sentence from which the effect of each higher slot or level follows; older cantrips have it in their text.
_EACH_LEVEL = re.compile(r"for (?:each|every)(?: \w+)?(?: spell)? slot levels? above|levels? 5\b|5th level")
_UPGRADES = re.compile(r"reach(?:es)? (?:levels? 5\b|5th level) \(")
_LEVEL_UP = "Level Up (A5E)"
_SITE = "https://api.open5e.com"
# The call that lists the members of a reference without a text of its own.
_FILTER_OF_KIND = {
    Kind.ENVIRONMENT: 'Creatures that live here: search_creature(environment="{}").',
    Kind.ITEM_CATEGORY: 'Items of this category: search_equipment(category="{}").',
    Kind.ITEM_RARITY: 'Items of this rarity: search_equipment(rarity="{}").',
    Kind.MAGIC_SCHOOL: 'Spells of this school: search_spell(school="{}").',
    Kind.SIZE: 'Creatures of this size: search_creature(size="{}").',
}
_IN_HEADER = frozenset({"", "Rarity", "Attunement", "Cost", "Worth", "Weight"})
_BELOW_TEXT = frozenset("Environments Group Forms Sets Sight Image Contents Variants Subclasses Lineages".split())
_BELOW_SPELL = frozenset(
    {"Damage", "Healing", "Saving Throw", "Attack Roll", "Area", "Targets"}
)  # unless its text has them
_WORTH = ("Worth", "Weight")  # of a magic item, below the text
_ABOVE_ABILITIES = ("Armor Class", "Hit Points", "Speed", "Initiative")
Facts = Mapping[str, str]  # printed facts by label


def record_page(record: Record, edition: Edition | None = None) -> str:
    """The page of a record without its source, since an answer lists each book once.

    If a record has texts of several editions, as a condition has, ``edition`` selects one of them.
    """
    facts = texts_by_label(record)
    match record:
        case Rule() | Reference():
            content = _reference(record, facts, edition)
        case Document():
            content = page(
                "*Document*", labels(*facts.items()), body(record.text), record.attribution, record.copyright
            )
        case _:
            content = _content(record, facts)
    names = ", ".join(dict.fromkeys(ref.name for ref in record.see_also if ref.name))
    return page(f"# {record.name}", content, *_also(record), f"See also: {names}" if names else "")


def _content(record: Record, facts: Facts) -> str:
    """The header, the facts, the description, the named parts, then the facts that a book prints below."""
    is_magic = record.kind is Kind.MAGIC_ITEM
    labels_below = _BELOW_SPELL if isinstance(record, Spell) else _BELOW_TEXT
    below = {name: text for name, text in facts.items() if is_magic or name in labels_below}
    above = {name: text for name, text in facts.items() if name not in below and name not in _IN_HEADER}
    if is_magic and "Cost" in below:
        below["Worth"] = below.pop("Cost")
    if isinstance(record, Spell):
        said = set(fold(f"{record.text} {record.higher_level} {'yes' if 'attack' in record.text else ''}").split())
        below = {name: text for name, text in below.items() if not said.issuperset(fold(text).split())}
    # A part of the description with headings, such as a lair, must not come before the traits.
    heading = re.search(r"^#{1,6} ", record.text, re.MULTILINE) if isinstance(record, Creature) else None
    end = heading.start() if heading else len(record.text)
    return page(
        f"*{_header(record, facts)}*",
        _stat_block(record, above) if isinstance(record, Creature) else labels(*above.items()),
        body(record.text[:end]),
        _table_or_list(record),
        *_entries(record),
        labels(*((name, text) for name, text in below.items() if name in _WORTH or name not in _IN_HEADER)),
        body(record.text[end:]),
    )


def _header(record: Record, facts: Facts) -> str:
    """What a record is; for an item also its rarity and attunement, or its cost and weight."""
    what = facts.get("") or _kind(record)
    if not isinstance(record, Equipment):
        return what
    parts = [part for part in (what, facts.get("Rarity", "")) if part]
    if attunement := facts.get("Attunement"):
        parts[-1] += f" ({attunement})"
    if record.kind is not Kind.MAGIC_ITEM:
        parts += filter(None, (facts.get("Cost") or facts.get("Worth"), facts.get("Weight")))
    return ", ".join(parts)


def _stat_block(record: Creature, facts: Facts) -> str:
    """The facts around the table of ability scores, which has the saves if all six are given, as in the 2024 rules."""
    scores = ability_scores(record)
    names, cells = [name for name, _ in scores], [score for _, score in scores]
    above = {name: facts[name] for name in _ABOVE_ABILITIES if name in facts}
    below = {name: text for name, text in facts.items() if name not in (*above, "Abilities")}
    if scores and is_revised(record) and record.saving_throws.keys() >= Abilities.model_fields.keys():
        saves = [f"{record.saving_throws[name]:+d}" for name in Abilities.model_fields]
        abilities = table(["", *names], [["Score", *cells], ["Save", *saves]])
        below.pop("Saving Throws", None)
    else:
        abilities = table(names, [cells]) if scores else ""
    return page(labels(*above.items()), abilities, labels(*below.items()))


def _table_or_list(record: Record) -> str:
    """The table of a class by level, or the benefits of a feat as a list."""
    if isinstance(record, Feat):
        return "\n".join(f"- {_NEXT_LINE.sub(_INDENTED, body(benefit))}" for benefit in record.benefits)
    if not isinstance(record, CharacterClass):
        return ""
    names, rows = record.level_table()
    level_name = str if is_revised(record) else ordinal  # level 1 of the 2024 rules, 1st in other books
    return table(["Level", *names], [[level_name(level), *cells] for level, cells in rows]) if rows else ""


def _entries(record: Record) -> Iterator[str]:
    """The named parts, each section under its heading, and the effects of higher slots that no sentence has."""
    section = ""
    for part in entries_of(record):
        if part.section != section:
            section = part.section
            yield f"## {section}"
        name, text = part.name, part.text
        if isinstance(record, Spell) and is_revised(record):
            name = "Using a Higher-Level Spell Slot" if record.level else "Cantrip Upgrade"
        if section and isinstance(record, CharacterClass) and part.kind is PassageKind.PARAGRAPH:
            text = _LINE_BREAK.sub(_KEPT_BREAK, text)  # Markdown would join the lines
        yield entry(name, text)
    if isinstance(record, Spell) and not (_EACH_LEVEL.search(record.higher_level) or _UPGRADES.search(record.text)):
        yield labels(("At Other Levels", higher_slots(record)))


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
    return _FILTER_OF_KIND.get(record.kind, "").format(slugify(record.name))


def _rules_of(text: EditionText) -> str:
    rules = _LEVEL_UP if text.edition is Edition.A5E else f"{text.edition} rules" if text.edition else "Text"
    return f"{rules} ({text.document_key})"


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
