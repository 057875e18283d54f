"""Species, backgrounds and feats."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Background, Feat, Ref, Section, Species
from lorekeeper_mcp.sources.json_values import listed
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields, move_to_guide
from lorekeeper_mcp.text import fold

_LEAD_IN = re.compile(r"\s*[*_]{2,}(.+?)[*_]{2,}\s*")
_ARCHIVED_TRAITS = ("asi_desc", "age", "alignment", "size", "speed_desc", "vision", "languages", "traits")
_NEXT_TRAIT = re.compile(r"\n+(?=[*_]{2,}[^*_\n]+[*_]{2,})")
_NOT_APPLICABLE = "n a"
_DEFAULT_FEAT_TYPE = "GENERAL"  # on every feat of the documents without feat types
_LAST = 1_000_000
_TABLE = " table"


def species(head: Open5eFields, served: Served, _: Context) -> Species:
    """Adapt a record of ``v2/species``."""
    parent = coercion.key(served.get("subspecies_of"))
    is_subspecies = coercion.flag(served.get("is_subspecies"))
    traits = sorted(coercion.objects(served.get("traits")), key=_place)
    sections = _with_tables([_section(trait) for trait in traits])
    return Species(
        **head,
        subspecies_of=Ref(name=coercion.name(served.get("subspecies_of")), key=parent) if parent else None,
        is_subspecies=bool(parent) if is_subspecies is None else is_subspecies,
        size=_trait(sections, "size"),
        speed=_trait(sections, "speed"),
        traits=sections,
    )


def archived_species(head: Open5eFields, served: Served, _: Context) -> Species:
    """Adapt a record of ``v1/races``: its traits, each a paragraph that begins with the name, in the book's order."""
    texts = (coercion.prose(served.get(field)) for field in _ARCHIVED_TRAITS)
    paragraphs = (paragraph for text in texts for paragraph in _NEXT_TRAIT.split(text))
    traits = tuple(
        Section(name=lead_in[1].rstrip(" ."), text=paragraph[lead_in.end() :])
        for paragraph in paragraphs
        if (lead_in := _LEAD_IN.match(paragraph))
    )
    return Species(**head, size=_trait(traits, "size"), speed=_trait(traits, "speed"), traits=traits)


def background(head: Open5eFields, served: Served, _: Context) -> Background:
    """Adapt a record of ``v2/backgrounds``."""
    return Background(**head, benefits=tuple(_section(benefit) for benefit in coercion.objects(served.get("benefits"))))


def archived_background(head: Open5eFields, _: Served, __: Context) -> Background:
    """Adapt a record of ``v1/backgrounds`` under its key in version 2, with the description alone."""
    move_to_guide(head)
    return Background(**head)


def feat(head: Open5eFields, served: Served, _: Context) -> Feat:
    """Adapt a record of ``v2/feats``."""
    prerequisite, type_ = coercion.text(served.get("prerequisite")), coercion.text(served.get("type")).strip()
    texts = (coercion.prose(benefit) for benefit in listed(served.get("benefits")))
    return Feat(
        **head,
        type="" if type_ == _DEFAULT_FEAT_TYPE else type_,
        prerequisite="" if fold(prerequisite) == _NOT_APPLICABLE else prerequisite,
        benefits=tuple(text for text in texts if text),
    )


def archived_feat(head: Open5eFields, served: Served, __: Context) -> Feat:
    """Adapt a record of ``v1/feats`` under its key in version 2, with the first line of its description alone.

    The other lines and the effects are in the words of version 2 there, so that one line without any is an effect.
    """
    move_to_guide(head)
    first, _, others = head["text"].partition("\n")
    head["text"] = first if others or listed(served.get("effects_desc")) else ""
    return Feat(**head)


def _place(trait: Served) -> int:
    """The place of a trait; those without one come last, as served."""
    place = coercion.integer(trait.get("order"))
    return _LAST if place is None else place


def _with_tables(sections: list[Section]) -> tuple[Section, ...]:
    """Move a table that is served as a separate trait (srd-2014) into the trait that it is named after."""
    tables = {section.name.removesuffix(_TABLE): section for section in sections if section.name.endswith(_TABLE)}
    joined = [
        section.model_copy(update={"text": f"{section.text}\n\n**{table.name}**\n\n{table.text}"})
        if (table := tables.get(section.name))
        else section
        for section in sections
    ]
    names = {section.name for section in sections}
    return tuple(
        section
        for section in joined
        if section.name.removesuffix(_TABLE) not in names or not section.name.endswith(_TABLE)
    )


def _trait(sections: tuple[Section, ...], wanted: str) -> str:
    """The text of the trait with the size or speed."""
    return next((section.text for section in sections if section.name.lower() == wanted), "")


def _section(served: Served) -> Section:
    name, text = coercion.text(served.get("name")).strip(), coercion.prose(served.get("desc"))
    lead_in = _LEAD_IN.match(text)
    # Some texts begin by repeating the trait's name: "**_Name._** ".
    if lead_in and fold(lead_in[1]) == fold(name):
        text = text[lead_in.end() :]
    return Section(name=name, text=text, type=coercion.text(served.get("type")))
