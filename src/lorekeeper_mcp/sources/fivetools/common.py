"""What the adapters share: what they know of the file, its codes, and requirements."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES, SRD_RACES
from lorekeeper_mcp.sources.fivetools.fields import Fields, mapping
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline
from lorekeeper_mcp.sources.fivetools.texts.leaves import listed
from lorekeeper_mcp.sources.imported import parent_key

DAMAGE = {
    "A": "acid", "B": "bludgeoning", "C": "cold", "F": "fire", "I": "poison", "L": "lightning", "N": "necrotic",
    "O": "force", "P": "piercing", "R": "radiant", "S": "slashing", "T": "thunder", "Y": "psychic",
}  # fmt: skip
SIZES = {
    "T": "tiny",
    "S": "small",
    "M": "medium",
    "L": "large",
    "H": "huge",
    "G": "gargantuan",
    "C": "colossal",
    "V": "varies",
}
# Requirements that are lists of names, or a sentence.
_NAMING = frozenset(
    {"race", "background", "class", "feat", "spell", "optionalfeature", "feature", "otherSummary", "other", "item"}
)


@dataclass(frozen=True)
class Context:
    """What a file says once for all of its items: names of its own codes, features, keys of its classes and races."""

    schools: Mapping[str, str] = field(default_factory=dict)
    feature_types: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # code -> name, text
    item_types: Mapping[str, str] = field(default_factory=dict)
    legendary_groups: Mapping[tuple[str, str], Mapping[str, object]] = field(default_factory=dict)
    class_features: Mapping[tuple[str, ...], Mapping[str, object]] = field(default_factory=dict)
    subclass_features: Mapping[tuple[str, ...], Mapping[str, object]] = field(default_factory=dict)
    classes: Mapping[tuple[str, str], str] = field(default_factory=dict)  # name, source -> key
    races: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def class_key(self, name: str, source: str = "") -> str:
        """The key of a class: of this file's, of the SRD's, or a bare name."""
        return _key(name, source, self.classes, SRD_CLASSES)

    def race_key(self, name: str, source: str = "") -> str:
        """The key of a race: of this file's, of the SRD's, or a bare name."""
        return _key(name, source, self.races, SRD_RACES)


def _key(name: str, source: str, own: Mapping[tuple[str, str], str], of_srd: Collection[str]) -> str:
    folded = name.lower()
    found = own.get((folded, source.lower())) or next(
        (key for (known, _), key in own.items() if known == folded and not source), ""
    )
    return found or parent_key(name, {}, of_srd)


def code(value: object) -> str:
    """A code without the source behind it: ``M|XPHB`` is ``M``."""
    return str(value).partition("|")[0].strip() if value is not None else ""


def prerequisite(fields: Fields) -> str:
    """What is required, in words: ``Level 4+, Strength 13+``."""
    return " or ".join(filter(None, (_required(one) for one in fields.entries("prerequisite"))))


def _required(one: object) -> str:
    if not isinstance(one, Mapping):
        return Fields({"x": one}).line("x")
    return ", ".join(filter(None, (_requirement(name, value) for name, value in one.items())))


def _requirement(name: str, value: object) -> str:
    if name == "level":
        spec = mapping(value)
        parts = (mapping(spec.get(name)).get("name") for name in ("class", "subclass"))
        return " ".join(["level", str(spec.get("level", value)), *(str(of) for of in parts if of)])
    if name == "ability":
        return " or ".join(_scores(mapping(one)) for one in listed(value))
    if name.startswith("spellcasting") and value is True:
        return "the ability to cast at least one spell"
    if name == "proficiency":
        told = [f"{kind} {key}" for one in listed(value) for key, kind in mapping(one).items()]
        return f"proficiency with {', '.join(told)}"
    if name in _NAMING:
        is_sentence = name.startswith("other")
        return " or ".join(
            inline(one) if is_sentence and isinstance(one, str) else _displayed(one) for one in listed(value)
        )
    return "; ".join(section.text for section in Fields({name: value}).other()) or name


def _scores(scores: Mapping[str, object]) -> str:
    return " and ".join(f"{ABILITIES.get(key, key).capitalize()} {score}" for key, score in scores.items())


def _displayed(one: object) -> str:
    if isinstance(one, Mapping):
        shown = one.get("displayEntry") or one.get("entry")
        if not shown and one.get("name"):
            sub = one.get("subrace")
            shown = f"{one['name']} ({sub})" if sub else one["name"]
        return Fields({"x": shown}).line("x") if shown else "; ".join(map(str, one.values()))
    return Fields({"x": str(one).partition("|")[0].partition("#")[0]}).line("x")
