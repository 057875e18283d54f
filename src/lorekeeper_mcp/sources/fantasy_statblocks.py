"""Reads the stat blocks of Fantasy Statblocks: in the YAML of a note, or in the plugin's data.

A block may extend others: of the same note, a stored record, or one of an SRD. It inherits what it does not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TypeAlias, TypeGuard

import yaml

from lorekeeper_mcp.models import ActionType, Creature, Kind, Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    Printer,
    integer,
    integers,
    joined,
    listed,
    mapping,
    members,
    phrase,
    shown,
    with_texts,
)
from lorekeeper_mcp.sources.imported import MAX_ITEMS, BookBuilder, ImportedFile, ItemError
from lorekeeper_mcp.sources.originals import RECORD, Originals, with_inheritance, with_record
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
    " cssclasses export path mtime tags publish permalink noteType obsidianUIMode".split()
)
_BLOCK = Printer(skipped=_DISPLAY_FIELDS)


# --- The blocks of a note ---

_FENCE = re.compile(
    r"^(?P<before>[ \t>]*)(?P<mark>`{3,}|~{3,})[ \t]*statblock\b[^\n]*\n(?P<yaml>.*?)(?:^[ \t>]*(?P=mark)[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)  # also in a list or a quotation; an unclosed fence ends with the note
_FRONT = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)^---[ \t]*$", re.MULTILINE | re.DOTALL)
_STATBLOCK_FIELD = re.compile(r"^[\"']?statblock[\"']?\s*:[ \t]*[\"']?(?P<value>[^\"'\n#]*)", re.MULTILINE)
_NO_BLOCK = frozenset({"", "false", "null", "~", "inline"})
# YAML reads a note's unquoted link as nested lists, or as a list followed by text.
_YAML_LINK = re.compile(r"\[\[([^\[\]\n,]{1,300})\]\]|\[([^\[\]\n]{0,300})\]\(([^()\n]{1,300})\)")
_MARKS = str.maketrans({"\ue000": "[[", "\ue001": "]]", "\ue002": "[", "\ue003": "]("})
_TABS = re.compile(r"^[ ]*\t[ \t]*", re.MULTILINE)
_DEEPEST = 30
_MAX_LENGTH = 500_000  # characters of a block; a stat block has a few thousand
_CONSTANTS = {"": None, "~": None, "null": None, "true": True, "false": False}


def recognises(text: str) -> bool:
    """Whether a text has a stat block."""
    return next(_blocks(text), None) is not None


def read(text: str, name: str, originals: Originals) -> ImportedFile:
    """Read a note. ``name`` is the book of blocks without a source. Never raises."""
    return _read_blocks([_parsed_block(block) for block in islice(_blocks(text), MAX_ITEMS + 1)], name, originals)


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


def _blocks(text: str) -> Iterator[str]:
    """The YAML of every stat block of a note; its front matter is one if it says so or an empty block displays it."""
    front = _FRONT.match(text)
    field = _STATBLOCK_FIELD.search(front["yaml"]) if front else None
    front_is_block = bool(field and field["value"].strip().lower() not in _NO_BLOCK)
    if front and front_is_block:
        yield front["yaml"]
    for fence in _FENCE.finditer(text):
        if front and not fence["yaml"].strip(" \t\n>"):
            if not front_is_block:
                yield front["yaml"]
            front_is_block = True
            continue
        quote_depth = fence["before"].count(">")
        indent = rf"(?:[ \t]*> ?){{0,{quote_depth}}}" if quote_depth else rf"[ \t]{{0,{len(fence['before'])}}}"
        yield re.sub(f"^{indent}", "", fence["yaml"], flags=re.MULTILINE)


def _parsed_block(text: str) -> Block | str:
    """A block's fields, or the reason for their absence."""
    try:
        block = parsed(text)
    except ItemError as error:
        return str(error)
    except yaml.YAMLError as error:
        return f"it is not valid YAML: {' '.join(str(error).split())[:160]}"
    return block if isinstance(block, dict) else _NO_FIELDS


def parsed(block: str) -> object:
    """Parse a block to lists, dictionaries, texts, True, False and None. Raises ItemError and YAMLError.

    Numbers stay texts, so that none is misread. Nodes of unlimited depth would overflow the stack of the C library, and
    a few lines of aliases can expand beyond any memory.
    """
    if len(block) > _MAX_LENGTH:
        raise ItemError(f"it is longer than {_MAX_LENGTH:,} characters")
    # Brackets of a link become characters that YAML treats as letters.
    block = _YAML_LINK.sub(
        lambda link: f"\ue000{link[1]}\ue001" if link[1] else f"\ue002{link[2]}\ue003{link[3]})", block
    )
    block = _TABS.sub(lambda indent: indent[0].replace("\t", "  "), block)
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    depth = documents = 0
    for event in yaml.parse(block, loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if isinstance(event, yaml.AliasEvent):
            raise ItemError("it has YAML aliases, which are not supported; text that begins with * needs quotes")
        if depth > _DEEPEST:
            raise ItemError(f"it is nested deeper than {_DEEPEST} levels")
        if documents > 1:
            raise ItemError("it has a line of --- inside")
    return _value(yaml.compose(block, loader))


def _value(node: yaml.Node | None) -> object:
    if isinstance(node, yaml.ScalarNode):
        text = str(node.value)
        is_constant = not node.style and text.lower() in _CONSTANTS  # without quotes
        return _CONSTANTS[text.lower()] if is_constant else text.translate(_MARKS)
    if isinstance(node, yaml.SequenceNode):
        return list(map(_value, node.value))
    fields: dict[str, object] = {}
    for key, inner in node.value if node else ():
        if not isinstance(key, yaml.ScalarNode):
            raise ItemError("it has brackets where a field's name belongs; put the text in quotes")
        name, value = shown(_value(key)), _value(inner)
        # A field that is repeated has both values.
        fields[name] = [*listed(fields[name]), *listed(value)] if fields.get(name) is not None else value
    return fields if node else None


# --- Links ---

# A link as a note has it, and as the plugin stores it: <STATBLOCK-WIKI-LINK>Dusk Moth|the moth<STATBLOCK-WIKI-LINK>.
_LINK = re.compile(
    r"!?\[\[(?P<note>[^\[\]\n|]{1,300})(?:\|(?P<words>[^\[\]\n]{1,300}))?\]\]"
    r"|!?\[(?P<label>[^\[\]\n]{1,300})\]\((?!https?:)[^()\n]{1,300}\)"
    r"|<STATBLOCK-(?:WIKI|MARKDOWN)-LINK>(?P<path>[^<>|]{1,300})(?:\|(?P<alias>[^<>]{1,300}))?</?STATBLOCK-\w{4,8}-LINK>"
)


def _words_of_link(link: re.Match[str]) -> str:
    """The displayed words: ``[[Dusk Moth|the moth]]`` is the moth."""
    words = link["label"] or link["words"] or link["note"] or link["alias"]
    return words or link["path"].rpartition("/")[2].removesuffix(".md")


def _note_name(link: str) -> str:
    """The note that a link such as ``[[Moths/Dusk Moth|the moth]]`` or ``Moths/Dusk Moth.md`` leads to: Dusk Moth."""
    if link.startswith("<STATBLOCK-"):
        link = f"[[{link.partition('>')[2].partition('<')[0]}]]"
    path = link.strip("[]").partition("|")[0].strip()
    return path.rpartition("/")[2].removesuffix(".md") if path.endswith(".md") or link.startswith("[[") else path


# --- A block as a creature ---


def _read_blocks(note_blocks: Sequence[Block | str], name: str, originals: Originals) -> ImportedFile:
    """Read blocks; an unparsable one is the reason for its absence."""
    books = BookBuilder()
    extensions = _Extensions([block for block in note_blocks if isinstance(block, dict)], name, originals)
    for number, found in enumerate(note_blocks, 1):
        is_too_many = number > MAX_ITEMS
        block = f"the note has more than {MAX_ITEMS:,} blocks; the rest is not read" if is_too_many else found
        if isinstance(block, str):
            books.skip(name or _UNNAMED, "monsters", f"block {number}", block)
        else:
            path = shown(block.get("name")) or f"block {number}"
            books.adapt(extensions.book_of(block), "monsters", path, partial(extensions.creature, block))
    return ImportedFile(books.books(), invisible=books.invisible)


def _stat_block(block: Mapping[str, object], name: str, book: str) -> StatBlock:
    fields = Fields({_LINK.sub(_words_of_link, str(field)): value for field, value in block.items()}, _BLOCK)
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
        name=fields.line("name") or name,
        type=fields.line("type") + phrase(" ({})", fields.line("subtype")),
        armor=joined(fields.line("ac"), fields.line("ac_class"), sep=" "),
        abilities=abilities,
        saves=save_bonuses,
        skills=skill_bonuses,
        experience=fields.integer("xp"),
        traits=(*_entries(fields.take("traits")), *([("Spellcasting", spells)] if spells else [])),
        actions=tuple((kind, *entry) for field, kind in _ACTIONS.items() for entry in _entries(fields.take(field))),
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
                if field.name not in _NUMBERS or (field.text != "0" and field.text.lstrip("+") not in "".join(texts))
            )
            yield name.removesuffix("."), joined(*texts, spells, *unread_fields, sep="\n\n")
        elif isinstance(entry, list) and entry:
            yield shown(entry[0]), shown(entry[1:])
        elif entry:
            yield "", shown(entry)


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


# --- Blocks that extend others ---

_SECTION = "statblock"  # of the originals that are stored with a note
_REFERENCES = ("extends", "monster", "creature")
_LISTS = frozenset({"traits", *_ACTIONS})
_DERIVED_FROM = {"ac_class": "ac", "hit_dice": "hp", "xp": "cr"}
_LIMIT = re.compile(r"\s*\((?:recharge|costs|\d+/)[^()]*\)$")


class _Extensions:
    """The blocks of one note as creatures, with what they inherit."""

    def __init__(self, blocks: Iterable[Block], note: str, originals: Originals) -> None:
        self._note = note
        self._originals = originals
        self._own_blocks: dict[str, Block] = {}
        for block in blocks:
            self._own_blocks.setdefault(fold(shown(block.get("name"))), block)
        self._known: dict[str, Block] = {}

    def book_of(self, block: Block) -> str:
        """Return the name of a block's book."""
        return shown(block.get("source")) or self._note or _UNNAMED

    def creature(self, block: Block) -> Creature:
        """Return the creature of a block. Raises ItemError if it says nothing or an original is not found."""
        if block.keys() <= {*_DISPLAY_FIELDS, *_REFERENCES, "source"}:
            raise ItemError("it only shows another creature and has no content of its own")
        book, complete = self.book_of(block), self._complete(block)
        note = complete.pop(RECORD, None)
        return with_inheritance(self._read(complete, book), note, lambda original: self._read(original, book))

    def _read(self, block: Block, book: str) -> Creature:
        fields = mapping(with_texts(block, lambda text: _LINK.sub(_words_of_link, text)))
        return to_creature(_stat_block(fields, self._note, book), book)

    def _complete(self, block: Block, depth: int = 0) -> Block:
        """A block with the fields that it inherits. Raises ItemError if an original is not found."""
        own = {field: value for field, value in block.items() if field not in _REFERENCES}
        reference = next((field for field in _REFERENCES if block.get(field)), "")
        complete: Block = {}
        for name in dict.fromkeys(_note_name(shown(link)) for link in listed(block.get(reference))):
            original = self._original(name, block, depth + 1)
            if original is None and block.get("stats"):
                return own  # complete except for values that it does not repeat, whose original it names
            if original is None:
                raise ItemError(f'it refers to "{name[:60]}", which is not in these files, the SRD or the store')
            complete = _extended(complete, original)
        complete.pop("source", None)
        return _extended(complete, own)

    def _original(self, name: str, block: Block, depth: int) -> Block | None:
        """A block of that name: of the note, stored with it, or of a record."""
        key = fold(name)
        own = self._own_blocks.get(key)
        if own is not None and own is not block:
            if key not in self._known:
                self._known[key] = own  # what refers to itself has only its own fields
                self._known[key] = self._complete(own, depth) if depth < _DEEPEST else own
            return self._known[key]
        stored = self._originals.kept.get(_SECTION, ())
        named = (item for item in stored if fold(shown(item.get("name"))) == key)
        item = next(named, None) or self._originals.find(_SECTION, (Kind.CREATURE,), name, "", _stored)
        if item is None or (item.get("source") == self.book_of(block) and fold(shown(block.get("name", name))) == key):
            return None  # the block itself, from an earlier import
        return item


def _stored(record: Record) -> Block:
    """A record as a block, with the fields of which another block may change a part."""
    block: Block = {"name": record.name, "source": record.document_name}
    if isinstance(record, Creature):
        block |= {"traits": [{"name": trait.name, "desc": trait.text} for trait in record.traits]}
        for field, kind in _ACTIONS.items():
            actions = (action for action in record.actions if action.type is kind)
            block[field] = [{"name": printed_name(action), "desc": action.text} for action in actions]
    return with_record(block, record)


def _extended(base: Block, own: Block) -> Block:
    """A block with another one's fields for all that it does not say itself.

    Its entries replace those of the same names. What a field with "+" after its name has is put after the other's; one
    with "-" names the entries to remove.
    """
    extended = {name: value for name, value in base.items() if _DERIVED_FROM.get(name) not in own}
    for name, value in own.items():
        field, sign = (name[:-1], name[-1]) if name[-1:] in ("+", "-") and len(name) > 1 else (name, "")
        if field in _LISTS:
            replaced = set() if sign == "+" else set(map(_entry_key, listed(value)))
            others = [entry for entry in listed(extended.get(field)) if _entry_key(entry) not in replaced]
            extended[field] = [*others, *([] if sign == "-" else listed(value))]
        elif sign == "+" and (field in extended or RECORD not in base):
            extended[field] = _sum(extended.get(field), value, " " if field == "name" else ", ")
        else:
            extended[name] = value
    return extended


def _sum(value: object, addition: object, separator: str) -> object:
    if isinstance(value, str):
        return joined(value, shown(addition), sep=separator)
    return [*listed(value), *listed(addition)]


def _entry_key(entry: object) -> str:
    """The name of an entry in any layout, without its limit of use; all of one without a name."""
    name = entry.get("name") if isinstance(entry, dict) else next(iter(entry), None) if isinstance(entry, list) else ""
    return _LIMIT.sub("", shown(name or entry).lower())
