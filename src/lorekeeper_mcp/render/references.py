"""Renders the pages of rules, conditions, short reference lists and documents."""

from __future__ import annotations

from lorekeeper_mcp.models import NEWEST_FIRST, Document, Edition, EditionText, Kind, Record, Reference, Rule
from lorekeeper_mcp.models.printed_values import gold, number, words
from lorekeeper_mcp.render.format import ability, title
from lorekeeper_mcp.render.markdown import body, labels, page
from lorekeeper_mcp.text import slugify

_LEVEL_UP = "Level Up (A5E)"
_SITE = "https://api.open5e.com"
_UNUSED_CATEGORIES = frozenset({"art", "gem", "jewelry"})
_FLAGS = {
    "is_exotic": "exotic in the 2014 rules", "is_secret": "secret", "aquatic": "aquatic", "planar": "planar",
    "interior": "interior",
}  # fmt: skip
# The call that lists the members of a reference without a text of its own.
_FILTER_OF_KIND = {
    Kind.ENVIRONMENT: 'Creatures that live here: search_creature(environment="{}").',
    Kind.ITEM_CATEGORY: 'Items of this category: search_equipment(category="{}").',
    Kind.ITEM_RARITY: 'Items of this rarity: search_equipment(rarity="{}").',
    Kind.MAGIC_SCHOOL: 'Spells of this school: search_spell(school="{}").',
    Kind.SIZE: 'Creatures of this size: search_creature(size="{}").',
}


def reference(record: Record, edition: Edition | None) -> str:
    """The kind of the record, its facts, and its text: the one of an edition, or each under a heading."""
    facts = _facts(record) if isinstance(record, Reference) else []
    picture = [("Image", _url(record.image)), ("Credit", record.attribution)] if isinstance(record, Reference) else []
    if isinstance(record, Rule):  # a rule's section goes below its heading, as in the book
        return page(_texts(record, edition), _members(record), f"*{_header(record)}*")
    return page(f"*{_header(record)}*", labels(*facts), _members(record), _texts(record, edition), labels(*picture))


def _url(image: str) -> str:
    """The full URL of a picture, which Open5e gives without its host."""
    return f"{_SITE}{image}" if image.startswith("/") else image


def _header(record: Record) -> str:
    if isinstance(record, Rule) and record.section:
        return f"Rule in {record.section.name or words(record.section.key)}"
    return words(record.kind).capitalize()


def _texts(record: Record, edition: Edition | None) -> str:
    texts = [text for text in record.texts if edition is None or text.edition == edition]
    texts.sort(key=lambda text: NEWEST_FIRST.index(text.edition) if text.edition else len(NEWEST_FIRST))
    if not texts and not record.text and record.kind in _FILTER_OF_KIND:
        slug = slugify(record.name)
        if record.kind is Kind.ITEM_CATEGORY and slug in _UNUSED_CATEGORIES:
            return "Open5e has no item of this category."
        return _FILTER_OF_KIND[record.kind].format(slug)
    if not texts:
        return body(record.text)
    if len(texts) == 1:
        return body(texts[0].text)
    own = [] if any(text.text == record.text for text in texts) or not record.text else [body(record.text)]
    return page(*own, *(f"## {_edition(text)}\n\n{body(text.text, 2)}" for text in texts))


def _edition(text: EditionText) -> str:
    rules = _LEVEL_UP if text.edition is Edition.A5E else f"{text.edition} rules" if text.edition else "Text"
    return f"{rules} ({text.document_key})"


def _members(record: Record) -> str:
    refs = record.rules if isinstance(record, Rule) else record.members if isinstance(record, Reference) else ()
    return "\n".join(f"- {ref.name} (`{ref.key}`)" if ref.key else f"- {ref.name}" for ref in refs)


def _facts(record: Reference) -> list[tuple[str, str]]:
    return [
        ("Ability", ability(record.ability)),
        ("Type", record.type),
        ("Abbreviation", record.short_name),
        ("Outlook", ", ".join(filter(None, dict.fromkeys((record.societal_attitude, record.morality))))),
        ("Is", ", ".join(words for name, words in _FLAGS.items() if getattr(record, name))),
        ("Script", title(record.script)),
        ("Speakers", record.speakers),
        ("Rank", "" if record.rank is None else str(record.rank)),
        ("Space", "" if record.space is None else f"{number(record.space)} ft."),
        ("Hit Die", record.hit_die),
        ("Part of", record.parent),
        ("Cost", "" if record.cost is None else f"{gold(record.cost)} {record.detail}".strip()),
        ("Detail", record.detail if record.cost is None else ""),
    ]


def document(record: Document) -> str:
    """The publisher, author, date, license, the attribution that it requires, and the copyright."""
    return page(
        "*Document*",
        labels(
            ("Also called", record.display_name if record.display_name != record.name else ""),
            ("Publisher", record.publisher),
            ("Author", record.author),
            ("Published", record.published.isoformat() if record.published else ""),
            ("Game system", record.game_system),
            ("Type", record.type.lower()),
            ("License", record.license),
            ("Units", ", ".join(part for part in (record.distance_unit, record.weight_unit) if part)),
            ("Link", record.permalink),
        ),
        body(record.text),
        record.attribution,
        record.copyright,
    )
