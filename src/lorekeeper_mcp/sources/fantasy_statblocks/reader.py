"""A note's stat blocks to creatures."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping

import yaml
from pydantic import ValidationError

from lorekeeper_mcp.models import ActionType
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.book_builder import BookBuilder
from lorekeeper_mcp.sources.imported import ImportedFile, ItemError
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.stat_block import StatBlock, ability_key, bonus, rest, shown, to_creature, unread

_FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})[ \t]*statblock[^\n]*\n(?P<yaml>.*?)(?:^(?P=mark)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)  # a fence that is not closed ends with the note
_FRONT = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)^---[ \t]*$", re.MULTILINE | re.DOTALL)
_TAKING = re.compile(r"^(?:extends|monster|creature)\s*:", re.MULTILINE)
_DEEPEST = 30
_LONGEST = 500_000  # characters of a block; a stat block has some thousands
_MOST = 100_000  # blocks of a note
_UNNAMED = "Fantasy Statblocks"
_ACTIONS = {
    "actions": ActionType.ACTION,
    "bonus_actions": ActionType.BONUS_ACTION,
    "reactions": ActionType.REACTION,
    "legendary_actions": ActionType.LEGENDARY_ACTION,
    "mythic_actions": ActionType.LEGENDARY_ACTION,
    "lair_actions": ActionType.LAIR_ACTION,
}
_TEXTS = ("desc", "text", "entries", "traits")
_OF_ENTRY = frozenset({"name", "spells", *_TEXTS})
_LISTS = frozenset({"traits", "spells", *_ACTIONS})
_KNOWN = frozenset(
    {
        "name", "size", "type", "subtype", "alignment", "ac", "ac_class", "hp", "hit_dice", "speed", "stats", "saves",
        "skillsaves", "damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities",
        "senses", "languages", "cr", "source", "spells", "traits", "legendary_description", "desc", "description",
        *_ACTIONS,
    }
)  # fmt: skip
_SHOWING = frozenset(
    {"layout", "statblock", "bestiary", "image", "dice", "render", "columns", "forceColumns", "columnHeight",
     "columnWidth", "cssclass", "cssclasses", "export", "path", "mtime"}
)  # fmt: skip
"""How the note shows the block, and where the picture is: no text of the creature."""
_ORIGINALS = ("extends", "monster", "creature")


def recognises(text: str) -> bool:
    """Whether a text has a stat block."""
    front = _FRONT.match(text)
    return bool(_FENCE.search(text)) or bool(front and re.search(r"^statblock\s*:", front["yaml"], re.MULTILINE))


def read(text: str, name: str) -> ImportedFile:
    """Read a note. ``name`` is the book of blocks without a source. Never raises."""
    books = BookBuilder()
    invisible = 0
    originals = _originals(text)
    for number, block in enumerate(_blocks(text), 1):
        if number > _MOST:
            books.skip(
                name or _UNNAMED,
                "monsters",
                f"block {number}",
                f"the note has more than {_MOST:,} blocks; the rest is not read",
            )
            break
        path = f"block {number}"
        try:
            values, count = visible(_parsed(block))
            invisible += count
            if not isinstance(values, Mapping):
                raise ItemError("it is no list of fields")  # noqa: TRY301 - told like all else that is wrong
            path = str(values.get("name") or path)
            book = shown(values.get("source")) or name or _UNNAMED
            record = to_creature(_block(_extended(values, originals), name), book)
        except ItemError as error:
            books.skip(name or _UNNAMED, "monsters", path, str(error))
        except yaml.YAMLError as error:
            books.skip(name or _UNNAMED, "monsters", path, f"it is no YAML: {' '.join(str(error).split())[:120]}")
        except (ValidationError, TypeError, ValueError, AttributeError, RecursionError) as error:
            reason = f"its fields are not as the format has them ({type(error).__name__})"
            books.skip(name or _UNNAMED, "monsters", path, reason)
        else:
            books.add(book, "monsters", record)
    return ImportedFile(books.books(), invisible=invisible + books.invisible)


def _originals(text: str) -> dict[str, Mapping[str, object]]:
    """The blocks of a note by name, where another takes something from one of them."""
    found: dict[str, Mapping[str, object]] = {}
    for block in _blocks(text) if _TAKING.search(text) else ():
        with contextlib.suppress(ItemError, yaml.YAMLError, ValueError, RecursionError):
            values, _ = visible(_parsed(block))
            if isinstance(values, Mapping) and values.get("name"):
                found.setdefault(shown(values["name"]).lower(), values)
    return found


def _blocks(text: str) -> Iterator[str]:
    front = _FRONT.match(text)
    if front and re.search(r"^statblock\s*:\s*(?:true|inline)", front["yaml"], re.MULTILINE):
        yield front["yaml"]
    yield from (found["yaml"] for found in _FENCE.finditer(text))


def _parsed(block: str) -> object:
    if len(block) > _LONGEST:
        raise ItemError(f"it is longer than {_LONGEST:,} characters")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    depth = 0
    for event in yaml.parse(block, loader):  # what is composed at any depth overflows the stack of the C library
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise ItemError(f"it is nested deeper than {_DEEPEST} levels")
        if isinstance(event, yaml.AliasEvent):  # a few lines of them stand for more than any memory holds
            raise ItemError("it has YAML aliases, which are not read")
    return yaml.load(block, loader)  # noqa: S506 - a safe loader


def _extended(
    values: Mapping[str, object], originals: dict[str, Mapping[str, object]], depth: int = 0
) -> Mapping[str, object]:
    """A block with what it takes from another block of the note. Raises ItemError where the note has none.

    What ends in ``+`` is added to the original's, and what ends in ``-`` is taken out of it by name.
    """
    wanted = next((values[name] for name in _ORIGINALS if values.get(name)), None)
    if wanted is None or depth > _DEEPEST:
        return values
    own = [name for name in values if name not in _SHOWING and name not in _ORIGINALS and name != "source"]
    made: dict[str, object] = {}
    for name in dict.fromkeys(map(shown, wanted if isinstance(wanted, list) else [wanted])):
        key = _linked(name).lower()
        original = originals.get(key)
        if original is None or original == values:
            if values.get("stats"):
                return values  # whole but for what it does not repeat, and it says of what
            raise ItemError(f'it refers to "{name[:60]}", which is no block of the note')
        if not own and depth == 0:
            raise ItemError(f'it only shows "{name[:60]}" again, which is in the note')
        originals[key] = _extended(original, originals, depth + 1)  # worked out once for all that extend it
        made |= originals[key]
    for field, value in sorted(values.items(), key=lambda one: one[0][-1:] in "+-"):
        base, change = field[:-1], field[-1:]
        if change == "+" and base in _LISTS:
            made[base] = [*_listed(made.get(base)), *_listed(value)]
        elif change == "-" and base in _LISTS:
            gone = {shown(one.get("name") if isinstance(one, Mapping) else one).lower() for one in _listed(value)}
            made[base] = [one for one in _listed(made.get(base)) if next(_entries([one]))[0].lower() not in gone]
        elif field not in _ORIGINALS:
            made[field] = value
    return made


def _linked(name: str) -> str:
    """``[[Dusk Moth|the moth]]`` is a link to the note of that name."""
    return name.strip("[]").partition("|")[0].strip()


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def _block(values: Mapping[str, object], note: str) -> StatBlock:
    subtype = shown(values.get("subtype"))
    stats = values.get("stats")
    scores = [bonus(one) for one in stats] if isinstance(stats, list) else []
    spells, points = _spells(values.get("spells")), bonus(values.get("xp"))
    abilities = {name: score for name, score in zip(ABILITIES, scores, strict=False) if score is not None}
    saves = {ability_key(name): number for name, number in _bonuses(values.get("saves")).items()}
    skills = _bonuses(values.get("skillsaves"))
    return StatBlock(
        name=shown(values.get("name")) or note,
        size=shown(values.get("size")),
        type=f"{shown(values.get('type'))}{f' ({subtype})' if subtype else ''}",
        alignment=shown(values.get("alignment")),
        armor=" ".join(filter(None, (shown(values.get("ac")), shown(values.get("ac_class"))))),
        hit_points=shown(values.get("hp")),
        hit_dice=shown(values.get("hit_dice")),
        speed=shown(values.get("speed")),
        abilities=abilities,
        saves=saves,
        skills=skills,
        vulnerabilities=shown(values.get("damage_vulnerabilities")),
        resistances=shown(values.get("damage_resistances")),
        immunities=shown(values.get("damage_immunities")),
        conditions=shown(values.get("condition_immunities")),
        senses=shown(values.get("senses")),
        languages=shown(values.get("languages")),
        challenge=shown(values.get("cr")),
        experience=points,
        traits=(*_entries(values.get("traits")), *([("Spellcasting", spells)] if spells else [])),
        actions=tuple(
            (kind, name, text) for field, kind in _ACTIONS.items() for name, text in _entries(values.get(field))
        ),
        legendary_text=shown(values.get("legendary_description")),
        text="\n\n".join(dict.fromkeys(filter(None, (shown(values.get("desc")), shown(values.get("description")))))),
        other=(
            *unread("stats", stats, abilities),
            *unread("saves", values.get("saves"), saves),
            *unread("skillsaves", values.get("skillsaves"), skills),
            *rest(values, _KNOWN | _SHOWING | ({"xp"} if points is not None else set())),
        ),
    )


def _bonuses(value: object) -> dict[str, int]:
    """``[{dexterity: 5}]`` and ``{dexterity: 5}`` as bonuses by name."""
    found: dict[str, int] = {}
    for one in value if isinstance(value, list) else [value]:
        for name, given in one.items() if isinstance(one, Mapping) else ():
            if (number := bonus(given)) is not None:
                found[str(name)] = number
    return found


def _entries(value: object) -> Iterator[tuple[str, str]]:
    """``[{name: Bite, desc: …}]`` and ``[[Bite, …]]`` as names and texts."""
    for one in _listed(value):
        if isinstance(one, Mapping):
            told = [_told(one[field]) for field in _TEXTS if one.get(field)]
            casts = _spells(one.get("spells"))
            more = (
                f"{field.text}" if field.name == "" else f"{field.name}: {field.text}" for field in rest(one, _OF_ENTRY)
            )
            yield shown(one.get("name")), "\n\n".join(filter(None, (*told, casts, *more)))
        elif isinstance(one, list) and one:
            yield shown(one[0]), shown(one[1:])
        elif one:
            yield "", shown(one)


def _told(text: object) -> str:
    """A text, or paragraphs of which some have names of their own."""
    if isinstance(text, list):
        return "\n\n".join(map(_told, text))
    if isinstance(text, Mapping):
        return "\n\n".join(f"**{name}.** {told}" if name else told for name, told in _entries([text]))
    return shown(text)


def _spells(value: object) -> str:
    """Lines of spells: a sentence, then lists by how often or at which level."""
    lines = []
    for one in _listed(value):
        if isinstance(one, Mapping):
            lines += [f"- {name}: {shown(spells)}" for name, spells in one.items()]
        elif one:
            lines.append(shown(one))
    return "\n".join(lines)
