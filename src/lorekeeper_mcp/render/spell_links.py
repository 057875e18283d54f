"""The lines that link an entry to its spells, and a spell to whatever grants it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.answer import Link, SpellLinks
from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.render.markdown import label, page
from lorekeeper_mcp.text import slugify

_GROUPS: tuple[tuple[str, frozenset[Kind]], ...] = (
    ("Classes", frozenset({Kind.CLASS})),
    ("Subclasses", frozenset({Kind.SUBCLASS})),
    ("Creatures", frozenset({Kind.CREATURE})),
    ("Items", frozenset({Kind.WEAPON, Kind.ARMOR, Kind.ITEM, Kind.MAGIC_ITEM, Kind.SERVICE})),
    ("Other options", frozenset({Kind.SPECIES, Kind.BACKGROUND, Kind.FEAT, Kind.FEATURE})),
)
_MAX_NAMED = 3  # names of missing lists; more are only counted


@dataclass(frozen=True)
class LinkStyle:
    """How links are written.

    ``spell`` writes a link to a spell, ``giver`` one to something that grants a spell. ``most`` limits the links of a
    group.
    """

    spell: Callable[[Link], str]
    giver: Callable[[Link], str]
    most: int | None = None


def _with_key(link: Link) -> str:
    also = ", ".join(key.removeprefix("srd-") for key in link.also_in)
    return f"{link.name} ({link.key}{f'; also {also}' if also else ''})"


SHORT = LinkStyle(
    lambda link: link.key.removeprefix(f"{link.document_key}_").removeprefix("srd_"), lambda link: link.name, 3
)
FULL = LinkStyle(_with_key, _with_key)


def spell_lines(record: Record, links: SpellLinks, style: LinkStyle) -> str:
    """The links of a record as labelled lines; "" if it has none."""
    spells = ", ".join(map(style.spell, links.spells))
    if links.list_size:
        spells = f'{links.list_size} on its list: search_spell(class_key="{record.key}")'
    groups = list(_groups(record, links.given_by, style))
    givers = label("Given by", "; ".join(groups)) if style.most else "\n- ".join(["**Given by**", *groups])
    missing = _list_names(links.missing) if spells or record.kind is Kind.SPELL else ""
    note = f"*This list may be incomplete: Open5e's {missing} are not all stored yet.*" if missing else ""
    return page(label("Gives spells", spells), givers if groups else "", note)


def _groups(record: Record, links: Sequence[Link], style: LinkStyle) -> Iterator[str]:
    for name, kinds in _GROUPS:
        in_group = [link for link in links if link.kind in kinds]
        shown = in_group[: style.most]
        more = f" and {len(in_group) - len(shown)} more" if len(shown) < len(in_group) else ""
        if style.most and name == "Creatures":  # which may be of more books
            more = f' …: search_creature(casts="{slugify(record.name)}")'
        if shown and not (style.most and name == "Classes"):  # a short page of a spell has its classes above
            yield f"{name}: {', '.join(map(style.giver, shown))}{more}"


def _list_names(lists: Sequence[str]) -> str:
    """The names of the first lists; those of Open5e's older API repeat the others."""
    names = [name for name in lists if not name.endswith(")")] or list(lists)
    more = f" and {len(names) - _MAX_NAMED} more lists" if len(names) > _MAX_NAMED else ""
    return ", ".join(names[:_MAX_NAMED]) + more
