"""The Open5e endpoints that records are fetched from: all of v2, and those of v1 with data that v2 lacks.

Parameters are those that each endpoint really applies; Open5e silently ignores any other, which looks like success.
Filters have their own parameters in ``lorekeeper_mcp.filters``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lorekeeper_mcp.models import Document, Edition, Kind, Source


@dataclass(frozen=True)
class Endpoint:
    """One list endpoint of records of a ``kind``; ``also_kinds`` are those of records made from them.

    ``name`` is the parameter that matches part of a name, if any. ``by_document`` and ``by_edition`` tell whether
    documents or an edition can be sent as a filter: not if one record has the texts of several documents.
    ``always`` is sent with every request; single records that it leaves out are a second list, with ``also``.
    ``completes`` is the endpoint whose records this one completes, if it has no records of its own. ``documents`` are
    the only ones to request. ``requires`` are endpoints with records that these refer to. ``size`` is the number of
    records in August 2026, in both lists.
    """

    path: str
    kind: Kind
    size: int
    name: str | None = None
    by_document: bool = False
    by_edition: bool = False
    also_kinds: tuple[Kind, ...] = ()
    always: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[str, str] | None = None
    documents: frozenset[str] | None = None
    requires: tuple[str, ...] = ("v2/documents",)
    completes: str = ""

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of its records and of those made from them."""
        return frozenset((self.kind, *self.also_kinds))

    @property
    def lists(self) -> Sequence[Mapping[str, str]]:
        """The parameters of each of its lists."""
        return [self.always] if self.also is None else [self.always, self.also]

    @property
    def is_archive(self) -> bool:
        """Whether it belongs to version 1, which gets no new content and may go away."""
        return self.path.startswith("v1/")


def _book(path: str, kind: Kind, size: int, name: str) -> Endpoint:
    """Entities of books: each record belongs to one document and one edition."""
    return Endpoint(f"v2/{path}", kind, size, name, True, True)


def _shared(path: str, kind: Kind, size: int, name: str | None = None, *, by_document: bool = False) -> Endpoint:
    """Vocabulary that editions share: small lists, some with the texts of several documents in one record."""
    return Endpoint(f"v2/{path}", kind, size, name, by_document)


def _completion(  # every argument is a field of the endpoint
    path: str,
    kind: Kind,
    size: int,
    completes: str,
    documents: str,
    fields: str,
    filters: Mapping[str, str],
    *also_kinds: Kind,
    name: str | None = None,
) -> Endpoint:
    """Entries of version 1 with what version 2 has lost of them; only that is asked for."""
    return Endpoint(
        f"v1/{path}",
        kind,
        size,
        name,
        also_kinds=also_kinds,
        always={"fields": f"slug,name,document__slug,document__title,{fields}", **filters},
        documents=frozenset(documents.split()),
        requires=("v2/documents", f"v2/{completes}"),
        completes=f"v2/{completes}",
    )


# In order of importance to a waiting user.
ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("v2/documents", Kind.DOCUMENT, 24, requires=()),
    _book("spells", Kind.SPELL, 1955, "name__icontains"),
    _book("creatures", Kind.CREATURE, 3541, "name__icontains"),
    _book("items", Kind.ITEM, 440, "name__icontains"),
    # Cost and weight of weapons and armor are in the items of the same keys.
    Endpoint("v2/weapons", Kind.WEAPON, 75, "name__iexact", True, True, requires=("v2/documents", "v2/items")),
    Endpoint("v2/armor", Kind.ARMOR, 25, "name__iexact", True, True, requires=("v2/documents", "v2/items")),
    _book("magicitems", Kind.MAGIC_ITEM, 2319, "name__icontains"),
    # Few, and always fetched whole: a class needs all its subclasses, and a species its lineages.
    Endpoint("v2/classes", Kind.CLASS, 151, also_kinds=(Kind.SUBCLASS, Kind.FEATURE)),
    Endpoint("v2/species", Kind.SPECIES, 63, also_kinds=(Kind.FEATURE,)),
    _book("backgrounds", Kind.BACKGROUND, 58, "name__icontains"),
    _book("feats", Kind.FEAT, 91, "name__icontains"),
    # The default order is not unique: without another one, pages would overlap.
    Endpoint("v2/rules", Kind.RULE, 283, "name__icontains", True, True, always={"ordering": "key"}),
    _shared("conditions", Kind.CONDITION, 21, "name__contains"),
    _shared("skills", Kind.SKILL, 20),
    _shared("abilities", Kind.ABILITY_SCORE, 6, "name__contains"),
    _shared("damagetypes", Kind.DAMAGE_TYPE, 13, "name__contains"),
    _book("weaponproperties", Kind.WEAPON_PROPERTY, 29, "name__icontains"),
    _shared("spellschools", Kind.MAGIC_SCHOOL, 9, "name__contains", by_document=True),
    _shared("languages", Kind.LANGUAGE, 19, "name__iexact", by_document=True),
    _shared("alignments", Kind.ALIGNMENT, 9),
    Endpoint("v2/environments", Kind.ENVIRONMENT, 31, "name__contains", True),
    _book("rulesets", Kind.RULE_SET, 52, "name__contains"),
    _shared("creaturetypes", Kind.CREATURE_TYPE, 14, "name__contains"),
    _book("creaturesets", Kind.CREATURE_SET, 1, "name__contains"),
    _shared("sizes", Kind.SIZE, 7, "name__contains", by_document=True),
    _book("itemsets", Kind.ITEM_SET, 20, "name__iexact"),
    _shared("itemcategories", Kind.ITEM_CATEGORY, 24),
    _shared("itemrarities", Kind.ITEM_RARITY, 6),
    _shared("services", Kind.SERVICE, 30),
    _shared("images", Kind.IMAGE, 32),
    _shared("licenses", Kind.LICENSE, 3),
    _shared("publishers", Kind.PUBLISHER, 6),
    _shared("gamesystems", Kind.GAME_SYSTEM, 3),
    Endpoint(
        "v1/magicitems",
        Kind.MAGIC_ITEM,
        584,
        "search",
        documents=frozenset({"a5e", "toh", "tdcs", "vom"}),
        always={"document__slug__in": "a5e,toh,taldorei"},
        # Version 2 has the other 797 of this book (vom).
        also={
            "slug__in": "armor-of-spite,hellfire-armor,ring-of-spell-negation,trick-shot-mirror,whip-of-the-blue-wyrm,"
            "whirlwind-bolas,witch-hunters-armor,witchs-circle"
        },
    ),
    Endpoint(
        "v1/weapons", Kind.WEAPON, 31, "search", documents=frozenset({"toh"}), always={"document__slug__in": "toh"}
    ),
    Endpoint("v1/armor", Kind.ARMOR, 5, "search", documents=frozenset({"toh"}), always={"document__slug__in": "toh"}),
    # Descriptions, subtypes, limits of senses and 395 creatures' actions.
    _completion(
        "monsters",
        Kind.CREATURE,
        3207,
        "creatures",
        "a5e-mm bfrd ccdx tdcs tob tob-2023 tob2 tob3",
        "v2_converted_path,page_no,desc,type,subtype,speed,armor_desc,skills,perception,senses,"
        "damage_vulnerabilities,damage_resistances,damage_immunities,condition_immunities,actions,"
        "special_abilities,bonus_actions,reactions,legendary_desc,legendary_actions",
        {},
        name="name__icontains",
    ),
    # The classes of most spells that are not of an SRD, and the area in brackets behind a range.
    _completion(
        "spells",
        Kind.SPELL,
        1116,
        "spells",
        "a5e-ag deepm deepmx kp open5e toh wz",
        "level_int,range,dnd_class",
        {"document__slug__in": "a5e,dmag,dmag-e,kp,o5e,toh,warlock"},
        name="name__icontains",
    ),
    # The descriptions of Level Up's backgrounds.
    _completion("backgrounds", Kind.BACKGROUND, 16, "backgrounds", "a5e-ag", "desc", {"document__slug__in": "a5e"}),
    # The first line of half of Level Up's feats.
    _completion("feats", Kind.FEAT, 59, "feats", "a5e-ag", "desc,effects_desc", {"document__slug__in": "a5e"}),
    # All features of one subclass, of the barbarian.
    _completion("classes", Kind.SUBCLASS, 1, "classes", "toh", "archetypes", {"slug__in": "barbarian"}, Kind.FEATURE),
    # All traits of one species. Those of the SRDs are in the embedded books.
    _completion(
        "races",
        Kind.SPECIES,
        11,
        "species",
        "toh",
        "asi_desc,age,alignment,size,speed_desc,languages,vision,traits",
        {"document__slug__in": "toh"},
        Kind.FEATURE,
    ),
    Endpoint("v1/planes", Kind.PLANE, 8, "search", documents=frozenset({"srd-2014"})),
)
SUPPLEMENTS = frozenset(endpoint.path for endpoint in ENDPOINTS if endpoint.completes)
COMPLETED = frozenset(endpoint.completes for endpoint in ENDPOINTS if endpoint.completes)
BY_PATH: Mapping[str, Endpoint] = {endpoint.path: endpoint for endpoint in ENDPOINTS}
GAME_SYSTEMS: Mapping[str, str] = {"2014": "5e-2014", "2024": "5e-2024", "a5e": "a5e"}


def endpoints_of(kinds: frozenset[Kind]) -> list[Endpoint]:
    """The endpoints that have records of some kinds."""
    return [endpoint for endpoint in ENDPOINTS if endpoint.kinds & kinds]


# --- Documents that only version 1 has; version 2 does not list them ---

_LEVEL_UP = Document(
    kind=Kind.DOCUMENT,
    key="a5e",
    name="Level Up Advanced 5e",
    document_key="a5e",
    document_name="Level Up Advanced 5e",
    document_source=Source.OPEN5E_V1,
    documents=("a5e",),
    editions=(Edition.A5E,),
    license="CC-BY-4.0",  # as v1/documents states it
    publisher="EN Publishing",
    type="SOURCE",
    permalink="https://a5esrd.com/a5esrd",
    game_system="a5e",
)

V1_DOCUMENTS: Mapping[str, Document] = {document.key: document for document in (_LEVEL_UP,)}
