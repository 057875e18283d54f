"""Actors and items to records. Both layouts of the dnd5e system are read: that before version 3 and that since."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeGuard

from pydantic import ValidationError

from lorekeeper_mcp.models import Background, CharacterClass, Feat, Kind, Record, Section, Species
from lorekeeper_mcp.sources.foundry.actors import creature
from lorekeeper_mcp.sources.foundry.equipment import thing
from lorekeeper_mcp.sources.foundry.item_values import described, part, rest, text, texts, uses
from lorekeeper_mcp.sources.foundry.spells import spell
from lorekeeper_mcp.sources.imported import ImportedFile, ItemError, slug
from lorekeeper_mcp.sources.stat_block import BookBuilder, ability_key, bonus, heading, shown

_UNNAMED = "Foundry"
_ACTORS = frozenset({"npc", "vehicle", "character"})


def recognises(data: object) -> bool:
    """Whether parsed JSON is an exported document or a list of them."""
    return any(map(_is_document, _listed(data)))


def _listed(data: object) -> list[object]:
    return data if isinstance(data, list) else [data]


def _is_document(one: object) -> TypeGuard[Mapping[str, object]]:
    if not isinstance(one, Mapping) or not isinstance(one.get("system", one.get("data")), Mapping):
        return False
    kind = one.get("type")
    return "name" in one and isinstance(kind, str) and (kind in _ITEMS or kind in _ACTORS or "_stats" in one)


def read(data: object, name: str) -> ImportedFile:
    """Read parsed JSON. ``name`` is the book of documents without a source. Never raises."""
    books = BookBuilder()
    for number, one in enumerate(_listed(data), 1):
        if not _is_document(one):
            books.skip(name or _UNNAMED, "foundry", f"document {number}", "it is no actor or item of the dnd5e system")
            continue
        system = part(one, "system") or part(one, "data")
        book = _book(system) or name or _UNNAMED
        kind, called = str(one["type"]), text(one, "name")
        section, adapter = ("monsters", creature) if kind in _ACTORS else _ITEMS.get(kind, ("foundry", _unknown))
        try:
            record = adapter(one, system, book)
        except ItemError as error:
            books.skip(book, section, called, str(error))
        except (ValidationError, TypeError, ValueError, AttributeError, LookupError) as error:
            books.skip(book, section, called, f"its fields are not as the format has them ({type(error).__name__})")
        else:
            books.add(book, section, record)
    return ImportedFile(books.books(), invisible=books.invisible)


def _book(system: Mapping[str, object]) -> str:
    source = system.get("source") or part(system, "details").get("source")
    if isinstance(source, Mapping):
        source = source.get("book") or source.get("custom")
    return " ".join(source.split()) if isinstance(source, str) else ""


def _feat(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    required = text(system, "requirements")
    kind = part(system, "type")
    return Feat.model_validate(
        {
            **heading(book, "feats", text(one, "name"), Kind.FEAT, described(system)),
            "type": text(kind, "subtype") or text(kind, "value"),
            "prerequisite": required,
            "other": _other(system, frozenset({"requirements", "type"})),
        }
    )


def _class(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    subclass = one["type"] == "subclass"
    parent = text(system, "classIdentifier")
    if subclass and not parent:
        raise ItemError("it does not say of which class it is")
    section, kind = ("subclasses", Kind.SUBCLASS) if subclass else ("classes", Kind.CLASS)
    casting = text(part(system, "spellcasting"), "progression")
    return CharacterClass.model_validate(
        {
            **heading(book, section, text(one, "name"), kind, described(system)),
            "subclass_of": {"name": parent.title(), "key": slug(parent)} if subclass else None,
            "hit_dice": text(system, "hitDice") or shown(part(system, "hd").get("denomination")),
            "saving_throws": tuple(ability_key(one).capitalize() for one in texts(system.get("saves"))),
            "caster_type": {"artificer": "half"}.get(casting, casting),
            "spellcasting": ability_key(text(part(system, "spellcasting"), "ability")).capitalize(),
            "primary_abilities": tuple(
                ability_key(one).capitalize() for one in texts(part(system, "primaryAbility").get("value"))
            ),
            "other": _other(
                system,
                frozenset({"classIdentifier", "spellcasting", "hitDice", "hd", "saves", "levels", "primaryAbility"}),
            ),
        }
    )


def _background(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    head = heading(book, "backgrounds", text(one, "name"), Kind.BACKGROUND, described(system))
    return Background.model_validate({**head, "other": _other(system, frozenset())})


def _species(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    speed = ", ".join(
        f"{mode} {feet} ft.".removeprefix("walk ") for mode, feet in part(system, "movement").items() if bonus(feet)
    )
    return Species.model_validate(
        {
            **heading(book, "races", text(one, "name"), Kind.SPECIES, described(system)),
            "speed": speed,
            "other": _other(system, frozenset({"movement"})),
        }
    )


def _unknown(one: Mapping[str, object], _system: Mapping[str, object], _book: str) -> Record:
    raise ItemError(f'documents of the type "{str(one["type"])[:40]}" are not known')


def _other(system: Mapping[str, object], known: frozenset[str]) -> list[Section]:
    told = uses(system)
    return [
        *([Section(name="Uses", text=told)] if told else []),
        *rest(system, known | {"advancement"}),
        *_levels(system),
    ]


def _levels(system: Mapping[str, object]) -> list[Section]:
    """What is gained by level, as far as the document names it."""
    given = system.get("advancement")
    listed = list(given.values()) if isinstance(given, Mapping) else given if isinstance(given, list) else []
    lines = [
        f"- Level {one['level']}: {name}" if one.get("level") else f"- {name}"
        for one in listed
        if isinstance(one, Mapping) and (name := text(one, "title") or text(one, "type"))
    ]
    return [Section(name="Advancement", text="\n".join(lines))] if lines else []


_ITEMS: Mapping[str, tuple[str, Callable[[Mapping[str, object], Mapping[str, object], str], Record]]] = {
    "spell": ("spells", spell),
    "feat": ("feats", _feat),
    "class": ("classes", _class),
    "subclass": ("subclasses", _class),
    "background": ("backgrounds", _background),
    "race": ("races", _species),
    **dict.fromkeys(("weapon", "equipment", "consumable", "tool", "loot", "backpack", "container"), ("items", thing)),
}
