"""A file's definitions for all of its items, and the identities by which its items refer to each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from lorekeeper_mcp.models.vocabulary import SRD_CLASSES, SRD_RACES
from lorekeeper_mcp.sources.fivetools.codes import code
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.imported import parent_key
from lorekeeper_mcp.sources.json_values import listed, mapping

# Arrays without content: settings of the site, and data for other programs.
NOT_CONTENT = frozenset({"$schema", "_meta", "siteVersion", "blocklist", "_test", "linkedLootTables"})
Item: TypeAlias = "dict[str, object]"
Lists: TypeAlias = "Mapping[str, Sequence[Item]]"
# The sections of features: the fields that identify one, and their places in a reference to it.
_FEATURES: Mapping[str, tuple[tuple[str, int], ...]] = {
    "classFeature": (("name", 0), ("className", 1), ("level", 3)),
    "subclassFeature": (("name", 0), ("className", 1), ("subclassShortName", 3), ("level", 5)),
}
FEATURE_SECTIONS = tuple(_FEATURES)


class Context:
    """Names of a file's own codes, its features and groups, and the keys of its classes and races."""

    def __init__(self, lists: Lists, meta: Mapping[str, object], key_of: Callable[[str, Item], str]) -> None:
        """Collect the definitions. ``key_of`` gives the key of a section's item."""

        def named(kind: str) -> dict[str, str]:
            return {code: str(mapping(spec).get("full") or code) for code, spec in mapping(meta.get(kind)).items()}

        def keys(section: str) -> dict[tuple[str, str], str]:
            found = {identity(one): key_of(section, one) for one in lists.get(section, [])}
            first = {(name, ""): key for (name, _), key in reversed(found.items())}  # where no source is given
            return first | found

        self.schools = named("spellSchools")
        self.psionic_types = named("psionicTypes")
        self.feat_categories = {code: str(name) for code, name in mapping(meta.get("featCategories")).items()}
        self.feature_types = {code: str(name) for code, name in mapping(meta.get("optionalFeatureTypes")).items()}
        self._properties = {str(one.get("abbreviation")): one for one in lists.get("itemProperty", [])}
        self.item_types = {str(one.get("abbreviation")): str(one.get("name")) for one in lists.get("itemType", [])}
        self.legendary_groups = {identity(one): one for one in lists.get("legendaryGroup", [])}
        self.features = {
            section: {feature_identity(one, section): one for one in lists.get(section, [])} for section in _FEATURES
        }
        self._classes = keys("class")
        self._races = keys("race")

    def property_of(self, short: str) -> tuple[str, str] | None:
        """Return the name and text of a weapon property of this file. Raises ItemError if it is nested too deep."""
        return _property_of(self._properties[short]) if short in self._properties else None

    def class_key(self, name: str, source: str = "") -> str:
        """Return the key of a class of this file or of the SRD, or a bare name."""
        return _key(name, source, self._classes, SRD_CLASSES)

    def race_key(self, name: str, source: str = "") -> str:
        """Return the key of a race of this file or of the SRD, or a bare name."""
        return _key(name, source, self._races, SRD_RACES)


def _key(name: str, source: str, own: Mapping[tuple[str, str], str], of_srd: Collection[str]) -> str:
    return own.get((name.lower(), source.lower())) or parent_key(name, {}, of_srd)


def _property_of(spec: Item) -> tuple[str, str]:
    """The name and text of a weapon property that the file defines."""
    blocks = [*listed(spec.get("entries")), *listed(spec.get("entriesTemplate"))]
    first = mapping(blocks[0]) if blocks else {}
    name = str(spec.get("name") or first.get("name") or code(spec.get("abbreviation")))
    inner = first.get("entries")
    text = [*listed(inner), *blocks[1:]] if inner is not None and first.get("name") in (name, None) else blocks
    return name, markdown(text)


def identity(item: Mapping[str, object]) -> tuple[str, str]:
    """Return the name and source in lower case, the identity of an item in this format."""
    return str(item.get("name")).lower(), str(item.get("source")).lower()


def feature_identity(item: Mapping[str, object], section: str) -> tuple[str, ...]:
    """Return the identity of a feature: name, class, level, and its subclass, if any."""
    return tuple(str(item.get(field, "")).lower() for field, _ in _FEATURES[section])


def feature_reference(value: object, section: str) -> tuple[str, tuple[str, ...]]:
    """Return the name and the identity of the feature that a value refers to: ``Ki|Monk||2``, or an object with it."""
    parts = [part.strip() for part in str(value.get(section) if isinstance(value, Mapping) else value).split("|")]
    padded = [*map(str.lower, parts), *[""] * 8]
    return parts[0], tuple(padded[place] for _, place in _FEATURES[section])


def lists_of(data: Mapping[str, object]) -> dict[str, list[Item]]:
    """Return the objects of every list of a file."""
    return {
        section: [one for one in values if isinstance(one, dict)]
        for section, values in data.items()
        if isinstance(values, list) and section not in NOT_CONTENT
    }
