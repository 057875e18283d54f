"""Rules, conditions, and the small reference lists."""

from __future__ import annotations

import datetime

from lorekeeper_mcp.models.base import Record, Ref


class Rule(Record):
    """A rule or a rule set. ``section`` is the rule set it belongs to, ``order`` its position there.

    ``rules`` are those right below it, in order: of a rule set all of its rules.
    """

    section: Ref | None = None
    order: int = 0  # stored, not shown
    rules: tuple[Ref, ...] = ()


class Reference(Record):
    """A condition, a skill, a language, a size ...: ``kind`` says which, and only fitting fields are set."""

    ability: str = ""  # of a skill: str, dex ...
    type: str = ""
    short_name: str = ""  # CE
    morality: str = ""
    societal_attitude: str = ""
    is_exotic: bool | None = None
    is_secret: bool | None = None
    script: str = ""
    speakers: str = ""
    aquatic: bool | None = None
    planar: bool | None = None
    interior: bool | None = None
    rank: int | None = None
    space: float | None = None  # feet
    hit_die: str = ""
    parent: str = ""
    cost: float | None = None  # gp
    detail: str = ""
    members: tuple[Ref, ...] = ()
    image: str = ""
    attribution: str = ""


class Document(Record):
    """A book or other published source. ``license`` names every license it is under."""

    display_name: str = ""
    type: str = ""
    author: str = ""
    published: datetime.date | None = None
    permalink: str = ""
    game_system: str = ""
    distance_unit: str = ""
    weight_unit: str = ""
    attribution: str = ""
    copyright: str = ""
