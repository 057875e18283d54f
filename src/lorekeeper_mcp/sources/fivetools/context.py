"""Collects a file's definitions for all of its items."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from pydantic import ValidationError

from lorekeeper_mcp.models import Document
from lorekeeper_mcp.sources.fivetools.classes import key_of_feature
from lorekeeper_mcp.sources.fivetools.common import Context, code
from lorekeeper_mcp.sources.fivetools.options import subrace_name
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.json_values import listed, mapping

# Arrays without content: settings of the site, and data for other programs.
NOT_CONTENT = frozenset({"$schema", "_meta", "siteVersion", "blocklist", "_test", "linkedLootTables"})
Lists: TypeAlias = "Mapping[str, Sequence[dict[str, object]]]"


def file_context(
    lists: Lists, meta: Mapping[str, object], key_of: Callable[[str, Mapping[str, object]], str]
) -> Context:
    """Collect a file's own codes, features and groups. ``key_of`` gives the key of a section's item."""

    def keys(section: str) -> dict[tuple[str, str], str]:
        found = {identity(one): key_of(section, one) for one in lists.get(section, [])}
        first = {(name, ""): key for (name, _), key in reversed(found.items())}  # where no source is given
        return first | found

    def named(kind: str) -> dict[str, str]:
        return {code: str(mapping(spec).get("full") or code) for code, spec in mapping(meta.get(kind)).items()}

    return Context(
        schools=named("spellSchools"),
        psionic_types=named("psionicTypes"),
        feat_categories={code: str(name) for code, name in mapping(meta.get("featCategories")).items()},
        feature_types={code: str(name) for code, name in mapping(meta.get("optionalFeatureTypes")).items()},
        properties={str(one.get("abbreviation")): _property_of(one) for one in lists.get("itemProperty", [])},
        item_types={str(one.get("abbreviation")): str(one.get("name")) for one in lists.get("itemType", [])},
        legendary_groups={identity(one): one for one in lists.get("legendaryGroup", [])},
        class_features={key_of_feature(one, "classFeature"): one for one in lists.get("classFeature", [])},
        subclass_features={key_of_feature(one, "subclassFeature"): one for one in lists.get("subclassFeature", [])},
        classes=keys("class"),
        races=keys("race"),
    )


def identity(item: Mapping[str, object]) -> tuple[str, str]:
    """Return the name and source in lower case, the identity of an item in this format."""
    return str(item.get("name")).lower(), str(item.get("source")).lower()


def used_parts(lists: Lists) -> frozenset[tuple[str, ...]]:
    """Return the properties, types and legendary groups that items of the file refer to."""
    groups = (identity(mapping(one.get("legendaryGroup"))) for one in lists.get("monster", []))
    items = [one for name in ("item", "baseitem", "magicvariant") for one in lists.get(name, [])]
    codes = (
        (section, code(mapping(used).get("uid", used)))
        for section, field in (("itemProperty", "property"), ("itemType", "type"))
        for one in items
        for used in listed(one.get(field))
    )
    return frozenset([*(("legendaryGroup", *one) for one in groups), *codes])


def is_used(section: str, part: Mapping[str, object], used: Collection[tuple[str, ...]]) -> bool:
    """Whether a property, a type or a legendary group is part of the records that refer to it."""
    if section == "legendaryGroup":
        return (section, *identity(part)) in used
    if section == "itemType" and (part.get("entries") or part.get("entriesTemplate")):
        return False  # records only have the name of a type
    return section in ("itemProperty", "itemType") and (section, code(part.get("abbreviation"))) in used


def lore_of(
    section: str, item: Mapping[str, object], named: Mapping[tuple[str, str, str], Mapping[str, object]]
) -> str:
    """Return an item's lore: its own, and the file's in another section for it or for an item that it names."""
    section = "race" if section == "subrace" else section
    own = mapping(item.get("fluff"))
    others = [mapping(own.get(f"_{word}{section if not word else section[:1].upper() + section[1:]}Fluff"))
              for word in ("", "append")]  # fmt: skip
    wanted = [*names_in_lore(item), *(identity(other) for other in others if other)]
    found = [mapping(named.get((f"{section}Fluff", *one))) for one in wanted]
    shown: object = {key: value for key, value in own.items() if not key.startswith("_")} or []
    if isinstance(item.get("fluff"), list):
        shown = item["fluff"]
    told = [markdown(shown), *(markdown(one.get("entries", [])) for one in found)]
    return "\n\n".join(dict.fromkeys(filter(None, told)))


def with_currency(item: dict[str, object], meta: Mapping[str, object]) -> dict[str, object]:
    """Return an item with what a copper piece is worth in the coins of the file's own currency."""
    name = str(item.get("currencyConversion") or "")
    coins = map(mapping, listed(mapping(meta.get("currencyConversions")).get(name)))
    worth = ", ".join(f"{markdown(one.get('mult'))} {one.get('coin')}" for one in coins)
    return {**item, "currencyConversion": f"{name} (1 cp is {worth})"} if worth else item


def names_in_lore(item: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the names under which a file has the lore of an item; a subrace may also be listed with its race."""
    return [identity(item)] + ([identity({**item, "name": subrace_name(item)})] if item.get("raceName") else [])


def lists_of(data: Mapping[str, object]) -> dict[str, list[dict[str, object]]]:
    """Return the objects of every list of a file."""
    return {
        section: [one for one in values if isinstance(one, dict)]
        for section, values in data.items()
        if isinstance(values, list) and section not in NOT_CONTENT
    }


def chapter(section: str) -> str:
    """Return the chapter for a section: Variantrule for ``variantrule``, Item Mastery for ``itemMastery``."""
    words = "".join(f" {char}" if char.isupper() else char for char in section)
    return words[:1].upper() + words[1:]


def dated(made: Document, spec: Mapping[str, object]) -> Document:
    """Return a book with its release date, if the file has one."""
    try:
        return Document.model_validate({**made.model_dump(), "published": spec.get("dateReleased")})
    except ValidationError:
        return made


def _property_of(spec: Mapping[str, object]) -> tuple[str, str]:
    """The name and text of a weapon property that the file defines."""
    blocks = [*listed(spec.get("entries")), *listed(spec.get("entriesTemplate"))]
    first = mapping(blocks[0]) if blocks else {}
    name = str(spec.get("name") or first.get("name") or code(spec.get("abbreviation")))
    inner = first.get("entries")
    told = [*listed(inner), *blocks[1:]] if inner is not None and first.get("name") in (name, None) else blocks
    return name, markdown(told)
