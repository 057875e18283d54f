"""The query parameters that each endpoint of Open5e applies; it silently ignores every other one.

Observed on Open5e 2.1. Only those parameters are listed that are sent, and similar ones.
"""

from __future__ import annotations

import operator
from typing import Any

Raw = dict[str, Any]
_KEY = "key key__in name name__iexact"
_DOCUMENT = "document__key document__key__in document__key__iexact document__gamesystem__key__in"
_ITEM = "key__in name__iexact document__key__in document__key__iexact document__gamesystem__key__in"  # fewer than most
_PART = "name__icontains"
_V1 = "slug slug__in name__icontains document__slug document__slug__in search"
_RATING = "challenge_rating challenge_rating__gt challenge_rating__gte challenge_rating__lt challenge_rating__lte"
_SCORES = " ".join(
    f"ability_score_{name}{lookup}"
    for name in ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
    for lookup in ("", "__gte", "__lte")
)
APPLIED = {
    **dict.fromkeys(("v2/documents", "v2/licenses", "v2/publishers"), "key name"),
    **{f"v2/{name}": "" for name in ("gamesystems", "services", "itemcategories", "itemrarities", "skills", "images")},
    "v2/spells": f"{_KEY} {_PART} {_DOCUMENT} level level__gt level__gte level__lt level__lte level__range school__key "
    "casting_time concentration verbal somatic material classes__key classes__key__in range range__gte range__lte "
    "duration",
    "v2/creatures": f"{_KEY} {_PART} {_DOCUMENT} {_RATING} {_SCORES} type size category armor_class armor_class__gte "
    "armor_class__lte passive_perception passive_perception__gte",
    "v2/items": f"{_ITEM} {_PART} category category__in cost cost__gte cost__lte weight weight__lte",
    "v2/magicitems": f"{_ITEM} {_PART} category category__in rarity rarity__in requires_attunement cost cost__gte "
    "cost__lte weight weight__lte",
    "v2/weapons": f"{_ITEM} damage_dice__iexact is_finesse is_light is_versatile is_thrown is_two_handed",
    "v2/armor": f"{_KEY} {_DOCUMENT} ac_base ac_base__gte grants_stealth_disadvantage",
    "v2/backgrounds": f"{_KEY} {_PART} {_DOCUMENT}",
    "v2/feats": f"{_KEY} {_PART} {_DOCUMENT}",
    "v2/species": f"{_KEY} {_PART} {_DOCUMENT}",
    "v2/classes": f"{_KEY} name__contains {_DOCUMENT} is_subclass subclass_of",
    "v2/rules": f"{_KEY} {_PART} {_DOCUMENT}",
    "v2/rulesets": "key key__in name name__contains document__key document__key__in document__gamesystem__key__in",
    "v2/weaponproperties": f"{_KEY} {_PART} {_DOCUMENT}",
    "v2/creaturesets": f"{_KEY} name__contains {_DOCUMENT}",
    "v2/itemsets": "key key__in name name__iexact document__key__in document__key__iexact",
    "v2/languages": f"{_KEY} document__key__in document__key is_exotic is_secret",
    **dict.fromkeys(
        [
            *("v1/magicitems", "v1/weapons", "v1/armor", "v1/monsters"),
            *("v1/planes", "v1/races", "v1/spells", "v1/backgrounds", "v1/feats", "v1/classes"),
        ],
        _V1,
    ),
}
_OTHERS = f"{_KEY} name__contains document__key document__key__in document__key__iexact"
_LOOKUPS = ("iexact", "icontains", "contains", "in", "gte", "gt", "lte", "lt", "range")
# For these, ``false`` means the same as ``true``.
_ALWAYS_TRUE = {"is_finesse", "is_light", "is_versatile", "is_thrown", "is_two_handed"}


class BadRequestError(Exception):
    """A value that Open5e rejects; its argument is the JSON of the answer."""


def applied(endpoint: str) -> frozenset[str]:
    """The parameters that filter at an endpoint."""
    return frozenset(APPLIED.get(endpoint, _OTHERS).split())


def selected(endpoint: str, records: list[Raw], query: dict[str, str], systems: dict[str, str]) -> list[Raw]:
    """The records that match a query; ``systems`` has the game system of each document."""
    for name, text in query.items():
        if name not in applied(endpoint) or not text.strip():
            continue
        if name == "search":
            words = text.lower().split()
            records = [r for r in records if all(w in f"{r['name']} {r.get('desc', '')}".lower() for w in words)]
            continue
        path, _, lookup = name.rpartition("__")
        if lookup not in _LOOKUPS:
            path, lookup = name, "exact"
        if path == "classes__key" and lookup == "in":  # a record is served once for each matching class
            records = [
                r for r in records for key in _values_at(r, ["classes", "key"], systems) if key in text.split(",")
            ]
        else:
            records = [
                r for r in records if _matches(_values_at(r, path.split("__"), systems), path, lookup, text.strip())
            ]
    return records


def _values_at(record: Raw, path: list[str], systems: dict[str, str]) -> list[Any]:
    """The values at a path such as ``document__key``."""
    head, *rest = path
    if head == "document" and rest[:1] == ["gamesystem"]:
        return [systems.get(_document(record))]
    if head == "document":
        return [record["document__slug"] if "document__slug" in record else _document(record)]
    if head.startswith("ability_score_"):
        return [record["ability_scores"][head.removeprefix("ability_score_")]]
    if head == "is_subclass":
        return [record["subclass_of"] is not None]
    if head.startswith("is_") and head not in record:
        part = record.get("weapon") or record
        properties = {entry["property"]["name"].lower().replace("-", "_") for entry in part.get("properties") or ()}
        return [head.removeprefix("is_") in properties]
    value = record.get(head)
    values = value if isinstance(value, list) else [value]
    return [value.get(rest[0] if rest else "key") if isinstance(value, dict) else value for value in values]


def _document(record: Raw) -> str:
    document = record.get("document")
    return str(document["key"]) if isinstance(document, dict) else str(document)


def _matches(values: list[Any], name: str, lookup: str, text: str) -> bool:
    if any(isinstance(value, bool) for value in values):
        flag = {"true": True, "false": name in _ALWAYS_TRUE}.get(text.lower())
        return flag is None or flag in values  # 1 and yes are ignored
    if lookup in ("gte", "gt", "lte", "lt") or any(isinstance(value, float | int) for value in values):
        return _number_matches(values, name, lookup, text)
    texts = [str(value) for value in values if value is not None]
    if lookup == "in":
        return any(value in (part.strip() for part in text.split(",")) for value in texts)
    if lookup in ("contains", "icontains"):
        return any(text.lower() in value.lower() for value in texts)
    return any(value.lower() == text.lower() if lookup == "iexact" else value == text for value in texts)


def _number_matches(values: list[Any], name: str, lookup: str, text: str) -> bool:
    try:
        bounds = [float(part) for part in text.split(",")]
    except ValueError:
        raise BadRequestError({name: ["Enter a number."]}) from None
    low = bounds[0]
    numbers = [float(value) for value in values if value is not None]
    if lookup == "range":
        return any(low <= number <= bounds[-1] for number in numbers)
    if lookup == "in":
        return any(number in bounds for number in numbers)
    comparisons = {"gte": operator.ge, "gt": operator.gt, "lte": operator.le, "lt": operator.lt}
    compare = comparisons.get(lookup, operator.eq)
    return any(compare(number, low) for number in numbers)
