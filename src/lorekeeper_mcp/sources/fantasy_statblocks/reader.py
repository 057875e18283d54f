"""Adapts the stat blocks of a note, or of the plugin's data, to creatures. A block may extend others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias, TypeGuard

import yaml

from lorekeeper_mcp.models import ActionType, Creature, Kind, Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.fantasy_statblocks.note_blocks import blocks, parsed
from lorekeeper_mcp.sources.field_reader import Fields, Printer, integer, integers, listed, members, shown
from lorekeeper_mcp.sources.imported import MAX_ITEMS, BookBuilder, ImportedFile, ItemError
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_inheritance, with_record
from lorekeeper_mcp.sources.phrases import joined, phrase
from lorekeeper_mcp.sources.stat_block import StatBlock, ability_key, printed_name, to_creature, unread
from lorekeeper_mcp.text import fold

Block: TypeAlias = "dict[str, object]"

_NO_FIELDS = "it is not a list of fields"
_UNNAMED = "Fantasy Statblocks"
_TEXTS = ("desc", "text", "entries", "traits")
_SPELL_LINE = re.compile(r"[^:.]{1,60}:\s*\S")
_PLUGIN_FIELDS = frozenset({"skillsaves", "ac_class", "statblock", "bestiary", "forceColumns", "columnWidth"})
_NUMBERS = frozenset({"attack_bonus", "damage_dice", "damage_bonus"})  # for dice rollers
_ACTIONS = {
    "actions": ActionType.ACTION,
    "bonus_actions": ActionType.BONUS_ACTION,
    "reactions": ActionType.REACTION,
    "legendary_actions": ActionType.LEGENDARY_ACTION,
    "mythic_actions": ActionType.MYTHIC_ACTION,
    "lair_actions": ActionType.LAIR_ACTION,
}
# Lines of a stat block by the fields that have them.
_LINES = {
    "size": "size", "alignment": "alignment", "hit_points": "hp", "hit_dice": "hit_dice", "speed": "speed",
    "vulnerabilities": "damage_vulnerabilities", "resistances": "damage_resistances",
    "immunities": "damage_immunities", "conditions": "condition_immunities", "senses": "senses",
    "languages": "languages", "challenge": "cr", "legendary_text": "legendary_description",
}  # fmt: skip
# Fields on the display of the block, the note itself and the picture: no text of the creature.
_DISPLAY_FIELDS = frozenset(
    "layout statblock statblock-link bestiary image dice render columns forceColumns columnHeight columnWidth cssclass"
    f" cssclasses export path mtime tags publish permalink noteType obsidianUIMode {RECORD}".split()
)
_BLOCK = Printer(skipped=_DISPLAY_FIELDS)

_SECTION = "statblock"  # of the originals that are stored with a note
_REFERENCES = ("extends", "monster", "creature")
_NAMED_LISTS = frozenset({"traits", *_ACTIONS})
_DEFENSES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")
_DEPENDENT = {"ac": "ac_class", "cr": "xp"}  # the second does not apply to a block that changes the first
_DEEPEST = 30  # levels of inheritance
# A link as a note has it, and as the plugin stores it: <STATBLOCK-WIKI-LINK>Dusk Moth|the moth<STATBLOCK-WIKI-LINK>.
_LINK = re.compile(
    r"!?\[\[(?P<note>[^\[\]\n|]{1,300})(?:\|(?P<words>[^\[\]\n]{1,300}))?\]\]"
    r"|!?\[(?P<label>[^\[\]\n]{1,300})\]\((?!https?:)[^()\n]{1,300}\)"
    r"|<STATBLOCK-(?:WIKI|MARKDOWN)-LINK>(?P<path>[^<>|]{1,300})(?:\|(?P<alias>[^<>]{1,300}))?</?STATBLOCK-\w{4,8}-LINK>"
)


def read(text: str, name: str, originals: Originals) -> ImportedFile:
    """Read a note. ``name`` is the book of blocks without a source. Never raises."""
    return _read_blocks([_parsed_block(block) for block in islice(blocks(text), MAX_ITEMS + 1)], name, originals)


def read_bestiary(data: object, name: str, originals: Originals) -> ImportedFile:
    """Read parsed JSON of the plugin. ``name`` is the book of blocks without a source. Never raises."""
    return _read_blocks(bestiary(data), name, originals)


def bestiary(data: object) -> list[Block | str]:
    """Return the blocks of parsed JSON: the plugin's data (pairs of name and monster), a list, or one block."""
    monsters = data.get("monsters") if isinstance(data, Mapping) else None
    entries = monsters if isinstance(monsters, list) else data if isinstance(data, list) else [data]
    if not any(_is_pair(entry) or _is_block(entry) for entry in entries):
        return []
    blocks = (entry[1] if _is_pair(entry) else entry for entry in entries)
    return [block if isinstance(block, dict) else _NO_FIELDS for block in blocks]


def _is_pair(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


def _is_block(value: object) -> bool:
    if not isinstance(value, dict) or not value.get("name"):
        return False
    return isinstance(value.get("stats"), list) or not _PLUGIN_FIELDS.isdisjoint(value)


def _parsed_block(text: str) -> Block | str:
    """A block's fields, or the reason for their absence."""
    try:
        block = parsed(text)
    except ItemError as error:
        return str(error)
    except yaml.YAMLError as error:
        return f"it is not valid YAML: {' '.join(str(error).split())[:160]}"
    return block if isinstance(block, dict) else _NO_FIELDS


def _read_blocks(note_blocks: Sequence[Block | str], name: str, originals: Originals) -> ImportedFile:
    """Read blocks; an unparsable one is the reason for its absence."""
    books = BookBuilder()
    extensions = _Extensions([block for block in note_blocks if isinstance(block, dict)], originals)
    for number, block in enumerate(note_blocks, 1):
        path = f"block {number}"
        if number > MAX_ITEMS:
            reason = f"the note has more than {MAX_ITEMS:,} blocks; the rest is not read"
            books.skip(name or _UNNAMED, "monsters", path, reason)
        elif isinstance(block, str):
            books.skip(name or _UNNAMED, "monsters", path, block)
        else:
            _read_block(books, extensions, block, path, name)
    return ImportedFile(books.books(), invisible=books.invisible)


def _read_block(books: BookBuilder, extensions: _Extensions, block: Block, path: str, name: str) -> None:
    book = shown(block.get("source")) or name or _UNNAMED

    def creature() -> Record:
        if block.keys() <= {*_DISPLAY_FIELDS, *_REFERENCES, "source"}:
            raise ItemError("it only shows another creature and has no content of its own")
        extended = {**extensions.extended(block, book), "source": block.get("source")}
        fields = {str(_without_links(name)): _without_links(value) for name, value in extended.items()}
        record = to_creature(_stat_block(fields, name, book), book)
        return with_inheritance(
            record,
            extended.get(RECORD),
            lambda original: to_creature(_stat_block({**original, "name": record.name}, name, book), book),
        )

    books.adapt(book, "monsters", shown(block.get("name")) or path, creature)


def _stat_block(block: Mapping[str, object], note_name: str, book: str) -> StatBlock:
    fields = Fields(block, _BLOCK)
    if shown(block.get("source")) == book:
        fields.drop("source")
    stats, saves, skills = (block.get(name) for name in ("stats", "saves", "skillsaves"))
    scores = dict(zip(ABILITIES, map(integer, members(stats)), strict=False))
    abilities = {ability: score for ability, score in scores.items() if score is not None}
    save_bonuses = {ability_key(name): bonus for name, bonus in integers(saves).items()}
    skill_bonuses = integers(skills)
    spells = joined(_spells(fields.take("spells")), fields.line("spellsNotes"), sep="\n\n")
    image = shown(block.get("image"))
    fields.drop("stats", "saves", "skillsaves")
    return StatBlock(
        **{name: fields.line(field) for name, field in _LINES.items()},
        name=fields.line("name") or note_name,
        type=fields.line("type") + phrase(" ({})", fields.line("subtype")),
        armor=joined(fields.line("ac"), fields.line("ac_class"), sep=" "),
        abilities=abilities,
        saves=save_bonuses,
        skills=skill_bonuses,
        experience=fields.integer("xp"),
        traits=(*_entries(fields.take("traits")), *([("Spellcasting", spells)] if spells else [])),
        actions=tuple(
            (kind, name, text) for field, kind in _ACTIONS.items() for name, text in _entries(fields.take(field))
        ),
        initiative=fields.integer("modifier"),
        image=image if image.startswith(("http://", "https://")) else "",
        text=joined(*dict.fromkeys((fields.line("desc"), fields.line("description"))), sep="\n\n"),
        other=(
            *unread("stats", stats, abilities),
            *unread("saving throws", saves, save_bonuses),
            *unread("skills", skills, skill_bonuses),
            *fields.also(),
        ),
    )


def _entries(value: object) -> Iterator[tuple[str, str]]:
    """The names and texts of ``[{name: Bite, desc: …}]`` or ``[[Bite, …]]``."""
    for entry in listed(value):
        if isinstance(entry, dict):
            fields = Fields(entry)
            name, texts = fields.line("name"), [_paragraphs(part) for field in _TEXTS if (part := fields.take(field))]
            spells = _spells(fields.take("spells"))
            unread_fields = (
                f"{field.name}: {field.text}".removeprefix(": ")
                for field in fields.also()
                if field.name not in _NUMBERS or not _is_in_texts(field.text, texts)
            )
            yield name.removesuffix("."), joined(*texts, spells, *unread_fields, sep="\n\n")
        elif isinstance(entry, list) and entry:
            yield shown(entry[0]), shown(entry[1:])
        elif entry:
            yield "", shown(entry)


def _is_in_texts(number: str, texts: list[str]) -> bool:
    """Whether a number is zero or in a text."""
    pattern = re.compile(rf"(?<!\d){re.escape(number.lstrip('+'))}(?!\d)")
    return number == "0" or any(map(pattern.search, texts))


def _paragraphs(value: object) -> str:
    """A text, or paragraphs, some with names of their own."""
    if not isinstance(value, list | dict):
        return shown(value)
    entries = ([("", entry)] if isinstance(entry, str) else _entries([entry]) for entry in listed(value))
    return "\n\n".join(f"**{name}.** {text}" if name else text for entry in entries for name, text in entry)


def _spells(value: object) -> str:
    """Lines of spells: a sentence, then lists by uses or by level, and perhaps another sentence."""
    lines: list[str] = []
    for entry in listed(value):
        for heading, spells in entry.items() if isinstance(entry, dict) else [("", entry)]:
            line = joined(f"{heading}:" if heading else "", shown(spells), sep=" ")
            if line and _SPELL_LINE.match(line):
                lines.append(f"- {line}")
            elif line:
                lines += ["", line] if lines else [line]
    return "\n".join(lines)


# --- Blocks that extend others: of the same note, a record, or stored with the note ---


class _Extensions:
    """The blocks of one note, and the other sources of a block's original."""

    def __init__(self, blocks: Iterable[Block], originals: Originals) -> None:
        self._originals = originals
        self._own_blocks: dict[str, Block] = {}
        for block in blocks:
            self._own_blocks.setdefault(fold(shown(block.get("name"))), block)
        self._other_blocks: dict[str, Block | None] = {}
        self._in_progress: set[str] = set()

    def extended(self, block: Block, book: str) -> Block:
        """Return a block of a book with everything that it inherits. Raises ItemError if an original is not found.

        A field ending in ``+`` is added to the original's; one ending in ``-`` removes entries by name. Entries of
        its other lists replace the original's of the same names.
        """
        reference = next((field for field in _REFERENCES if block.get(field)), "")
        inherited: Block = {}
        for name in dict.fromkeys(_note_name(shown(link)) for link in listed(block.get(reference))):
            original = self._original(name, block, book)
            if original is None and block.get("stats"):
                return block  # complete except for values that it does not repeat, whose original it names
            if original is None:
                raise ItemError(f'it refers to "{name[:60]}", which is not in these files, the SRD or the store')
            inherited = _merged(inherited, original)
        return _merged(inherited, {field: value for field, value in block.items() if field not in _REFERENCES})

    def _original(self, name: str, block: Block, book: str) -> Block | None:
        """A block of that name with everything that it inherits: from the note, stored with it, or a record."""
        key = fold(name)
        original = self._own_blocks.get(key)
        if original is None or original is block:
            return self._other_block(key, name, block, book)
        if key not in self._in_progress and len(self._in_progress) < _DEEPEST:
            self._in_progress.add(key)
            self._own_blocks[key] = original = self.extended(original, book)  # once for all its extensions
            self._in_progress.remove(key)
        return original

    def _other_block(self, key: str, name: str, block: Block, book: str) -> Block | None:
        if key not in self._other_blocks:
            stored = self._originals.kept.get(_SECTION, ())
            named = (block for block in stored if fold(shown(block.get("name"))) == key)
            self._other_blocks[key] = next(named, None) or self._originals.find(
                _SECTION, (Kind.CREATURE,), name, "", _block_of
            )
        original = self._other_blocks[key]
        if original and original.get("source") == book and fold(shown(block.get("name", name))) == key:
            return None  # the block itself, from an earlier import
        return original


def _block_of(record: Record) -> Block:
    """A creature as the fields of a block that an extension may change; the record has the rest."""
    if not isinstance(record, Creature):
        return {"name": record.name}
    passive = phrase("passive Perception {}", record.senses.passive_perception)
    speeds = (f"{mode} {feet:g} ft." for mode, feet in record.speed.items())
    block: Block = {
        **{field.name: field.text for field in record.other},
        "name": record.name,
        "source": record.document_name,
        "size": record.size_text or record.size,
        "type": record.type_text or record.type,
        "ac": record.armor_class,
        "ac_class": record.armor_text,
        "hp": record.hit_points,
        "hit_dice": record.hit_dice,
        "speed": joined(*speeds, phrase("hover", record.hover)),
        "stats": [getattr(record.abilities, name) for name in ABILITIES],
        "saves": dict(record.saving_throws),
        "skillsaves": {name.replace("-", " "): bonus for name, bonus in record.skills.items()},
        **{name: _printed_defenses(record, name) for name in _DEFENSES},
        "senses": joined(record.senses.text, passive),
        "languages": record.languages,
        "cr": record.challenge_rating,
        "xp": record.experience_points,
        "traits": [{"name": trait.name, "desc": trait.text} for trait in record.traits],
    }
    for field, kind in _ACTIONS.items():
        block[field] = [{"name": printed_name(each), "desc": each.text} for each in record.actions if each.type == kind]
    return with_record({name: value for name, value in block.items() if value not in (None, "", [], {})}, record)


def _printed_defenses(record: Creature, name: str) -> str:
    return str(getattr(record.defenses, f"{name}_text")) or ", ".join(getattr(record.defenses, name))


def _merged(original: Block, changes: Block) -> Block:
    """A block with the changes of another one."""
    outdated = {dependent for name, dependent in _DEPENDENT.items() if name in changes}
    merged = {name: value for name, value in original.items() if name not in outdated}
    for name, value in sorted(changes.items(), key=lambda change: change[0][-1:] in "+-"):
        base, operator = name[:-1], name[-1:]
        if operator == "+" and base:
            merged[base] = _added(merged.get(base), value, " " if base == "name" else ", ")
        elif operator == "-" and base in _NAMED_LISTS:
            merged[base] = _without_entries(merged.get(base), value)
        elif name in _NAMED_LISTS:
            merged[name] = [*_without_entries(merged.get(name), value), *listed(value)]
        else:
            merged[name] = value
    return merged


def _added(value: object, addition: object, separator: str) -> object:
    """Lists concatenated, texts joined with a separator."""
    if value in (None, "", []):
        return addition
    if isinstance(value, Mapping) and isinstance(addition, Mapping):
        return {**value, **addition}
    if isinstance(value, list) or isinstance(addition, list | Mapping):
        return [*listed(value), *listed(addition)]
    return joined(shown(value), shown(addition), sep=separator)


def _without_entries(entries: object, others: object) -> list[object]:
    """The entries of a list whose names are not those of others."""
    names = {_entry_name(entry) for entry in listed(others)} - {""}
    return [entry for entry in listed(entries) if _entry_name(entry) not in names]


def _entry_name(entry: object) -> str:
    """The name of an entry of a list, in any layout."""
    if isinstance(entry, list | dict):
        entry = entry.get("name") if isinstance(entry, dict) else next(iter(entry), None)
    return shown(entry).lower()


# --- Links ---


def _without_links(value: object) -> object:
    """A value with the displayed words of its links: ``[[Dusk Moth|the moth]]`` is the moth."""
    if isinstance(value, str):
        return _LINK.sub(_words_of_link, value) if "[" in value or "<STATBLOCK-" in value else value
    if isinstance(value, list):
        return [_without_links(entry) for entry in value]
    if isinstance(value, dict):
        return {_without_links(name): _without_links(entry) for name, entry in value.items()}
    return value


def _words_of_link(link: re.Match[str]) -> str:
    words = link["label"] or link["words"] or link["note"] or link["alias"]
    return words or link["path"].rpartition("/")[2].removesuffix(".md")


def _note_name(link: str) -> str:
    """The note that a link such as ``[[Moths/Dusk Moth|the moth]]`` or ``Moths/Dusk Moth.md`` leads to: Dusk Moth."""
    if link.startswith("<STATBLOCK-"):
        link = f"[[{link.partition('>')[2].partition('<')[0]}]]"
    path = link.strip("[]").partition("|")[0].strip()
    return path.rpartition("/")[2].removesuffix(".md") if path.endswith(".md") or link.startswith("[[") else path
