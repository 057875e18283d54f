"""Classes and subclasses, backgrounds, species, feats, and the facilities of bastions."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import Background, CharacterClass, Feat, Kind, Record, Ref, Rule, Section, Species
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.foundry.advancements import levels
from lorekeeper_mcp.sources.foundry.item_values import (
    described,
    further_texts,
    marks,
    number,
    part,
    rest,
    text,
    texts,
    uses,
    words,
)
from lorekeeper_mcp.sources.foundry.mechanics import mechanics, own_rolls
from lorekeeper_mcp.sources.imported import ItemError, book_key, parent_key
from lorekeeper_mcp.sources.stat_block import ability_key, heading, shown

_CASTERS = {"full": "full", "half": "half", "third": "third", "pact": "pact", "artificer": "half", "none": "", "": ""}


def feat(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """A feat, or a feature of a class, a species or a monster."""
    kind = part(system, "type")
    return Feat.model_validate(
        {
            **_head(one, system, book, "feats", Kind.FEAT),
            "type": text(kind, "subtype") or text(kind, "value"),
            "prerequisite": text(system, "requirements"),
            "other": [
                *_named("Kind", text(kind, "value") if text(kind, "subtype") else ""),
                *_other(one, system, frozenset({"requirements", "type", "prerequisites"})),
                *_named("Prerequisites", words(system.get("prerequisites"))),
            ],
        }
    )


def character_class(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """A class or a subclass."""
    subclass = one["type"] == "subclass"
    parent = text(system, "classIdentifier")
    if subclass and not parent:
        raise ItemError("it does not say of which class it is")
    section, kind = ("subclasses", Kind.SUBCLASS) if subclass else ("classes", Kind.CLASS)
    casting = text(part(system, "spellcasting"), "progression")
    dice, spells = part(system, "hd"), part(system, "spellcasting")
    known = frozenset({"classIdentifier", "spellcasting", "hitDice", "hd", "saves", "levels", "primaryAbility"})
    return CharacterClass.model_validate(
        {
            **_head(one, system, book, section, kind),
            "subclass_of": {"name": parent.title(), "key": parent_key(parent, {}, SRD_CLASSES)} if subclass else None,
            "hit_dice": text(system, "hitDice") or shown(dice.get("denomination")),
            "saving_throws": tuple(ability_key(one).capitalize() for one in texts(system.get("saves"))),
            "caster_type": _CASTERS.get(casting, ""),
            "spellcasting": ability_key(text(spells, "ability")).capitalize(),
            "primary_abilities": tuple(
                ability_key(one).capitalize() for one in texts(part(system, "primaryAbility").get("value"))
            ),
            "other": [
                *_named("Spellcasting", casting if casting not in _CASTERS else ""),
                *_named("Spells prepared", words(part(spells, "preparation").get("formula"))),
                *_named("Hit Dice", words(dice.get("additional"))),
                *_other(one, system, known),
            ],
        }
    )


def background(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """A background."""
    head = _head(one, system, book, "backgrounds", Kind.BACKGROUND)
    return Background.model_validate({**head, "other": _other(one, system, frozenset())})


def species(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """A species."""
    movement = part(system, "movement")
    speed = ", ".join(
        f"{mode} {feet:g} ft.".removeprefix("walk ") for mode, value in movement.items() if (feet := number(value))
    )
    left = {mode: value for mode, value in movement.items() if mode != "units" and not number(value)}
    return Species.model_validate(
        {
            **_head(one, system, book, "races", Kind.SPECIES),
            "speed": speed,
            "other": [*_named("Movement", words(left)), *_other(one, system, frozenset({"movement"}))],
        }
    )


def facility(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """A facility of a bastion."""
    head = _head(one, system, book, "facilities", Kind.RULE)
    chapter = Ref(name="Facility", key=f"orcbrew_{book_key(book)}_facilities")
    return Rule(**head, section=chapter, other=tuple(_other(one, system, frozenset())))


def _head(one: Mapping[str, object], system: Mapping[str, object], book: str, section: str, kind: Kind) -> CommonFields:
    name = text(one, "name")
    return heading(book, section, name, kind, described(system, own_rolls(system, name)))


def _named(name: str, text: str) -> list[Section]:
    return [Section(name=name, text=text)] if text else []


def _other(one: Mapping[str, object], system: Mapping[str, object], known: frozenset[str]) -> list[Section]:
    return [
        *_named("Uses", uses(system)),
        *_named("Properties", ", ".join(sorted(marks(system) - {"mgc"}))),
        *mechanics(system),
        *rest(system, known | {"advancement"}),
        *_named("Advancement", "\n".join(levels(system))),
        *further_texts(one, system),
    ]
