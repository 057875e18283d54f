"""The fields of every record: its kind, key, document, edition and license.

A record is one entity of one document (the Fireball of the SRD 5.1 and that of the SRD 5.2 are two records). Adapters
under ``sources`` create records, the cache stores them, ``render`` prints them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Self, TypeAlias

from pydantic import BaseModel, ConfigDict


class Kind(StrEnum):
    """What a record is. Clients see the values as ``kind``."""

    SPELL = "spell"
    CREATURE = "creature"
    WEAPON = "weapon"
    ARMOR = "armor"
    ITEM = "item"
    MAGIC_ITEM = "magic-item"
    CLASS = "class"
    SUBCLASS = "subclass"
    SPECIES = "species"
    BACKGROUND = "background"
    FEAT = "feat"
    FEATURE = "feature"
    RULE = "rule"
    CONDITION = "condition"
    SKILL = "skill"
    ABILITY_SCORE = "ability-score"
    DAMAGE_TYPE = "damage-type"
    WEAPON_PROPERTY = "weapon-property"
    MAGIC_SCHOOL = "magic-school"
    LANGUAGE = "language"
    ALIGNMENT = "alignment"
    ENVIRONMENT = "environment"
    PLANE = "plane"
    PROFICIENCY = "proficiency"
    RULE_SET = "rule-set"
    SIZE = "size"
    CREATURE_TYPE = "creature-type"
    CREATURE_SET = "creature-set"
    ITEM_SET = "item-set"
    ITEM_CATEGORY = "item-category"
    ITEM_RARITY = "item-rarity"
    SERVICE = "service"
    IMAGE = "image"
    DOCUMENT = "document"
    LICENSE = "license"
    PUBLISHER = "publisher"
    GAME_SYSTEM = "game-system"


class Source(StrEnum):
    """Where a record came from."""

    OPEN5E_V2 = "open5e_v2"
    OPEN5E_V1 = "open5e_v1"
    HOMEBREW = "orcbrew"  # of any format; the value is the word that clients know
    SRD = "srd"

    @property
    def is_always_stored(self) -> bool:
        """Whether its records come with the program or the user's files, so that none is ever still to be fetched."""
        return self in (Source.SRD, Source.HOMEBREW)


class Edition(StrEnum):
    """Rules edition: the fifth edition of 2014, that of 2024, or Level Up (A5E)."""

    E2014 = "2014"
    E2024 = "2024"
    A5E = "a5e"


NEWEST_FIRST = (Edition.E2024, Edition.E2014, Edition.A5E)
"""The order in which the texts of several editions are displayed."""


class Value(BaseModel):
    """Base of every typed value inside a record: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Ref(Value):
    """A reference to an entry that may be a record of its own: a class, a damage type, an item."""

    name: str
    key: str = ""


class Section(Value):
    """A titled paragraph: a trait, a benefit, a feature without a level."""

    name: str = ""
    text: str = ""
    type: str = ""


class EditionText(Value):
    """The text that one document gives for a shared concept such as a condition. ``page`` is its page in the book."""

    text: str
    document_key: str
    edition: Edition | None = None
    page: int | None = None


class Correction(Value):
    """A field in which a record differs from its upstream: the upstream's value, and the source of the correct one.

    ``was`` is the upstream's value as it would be printed; for a long text only its length.
    """

    field: str
    was: str
    source: str


Change: TypeAlias = tuple[str, object]
"""What the upstream has in a field, as it would be printed or in a few words, and the correct value."""


class Record(Value):
    """One entity of one document.

    ``key`` is unique within a kind, never across kinds. ``documents`` and ``editions`` name every document and edition
    whose text the record has; for nearly all records that is just its own. ``text`` is the description in Markdown, ""
    if the book has none. ``page`` is its page in the book, None if it is not known. ``file`` is the name of the
    imported file, without the ending.
    """

    kind: Kind
    key: str
    name: str
    document_key: str
    document_name: str
    document_source: Source
    documents: tuple[str, ...] = ()
    editions: tuple[Edition, ...] = ()
    license: str = ""
    publisher: str = ""
    file: str = ""
    url: str = ""
    page: int | None = None
    text: str = ""
    texts: tuple[EditionText, ...] = ()
    see_also: tuple[Ref, ...] = ()
    other: tuple[Section, ...] = ()  # fields of the source without a field of ours, under their own names
    corrections: tuple[Correction, ...] = ()

    @property
    def id(self) -> str:
        """The primary key in the cache."""
        return f"{self.kind}:{self.key}"

    def amended(self, changes: Mapping[str, Change], source: str) -> Self:
        """Return the record with changed fields, each noted in its ``corrections``; itself if there is no change."""
        if not changes:
            return self
        notes = tuple(Correction(field=field, was=was, source=source) for field, (was, _) in changes.items())
        values = {field: value for field, (_, value) in changes.items()}
        return self.model_copy(update={**values, "corrections": (*self.corrections, *notes)})
