"""Every filter of every kind tool selects exactly what a scan of the recorded data selects.

Features, which are derived from records, have their own tests.
"""

from __future__ import annotations

import functools
import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.models import Kind
from tests.end_to_end.clients import ask, every_result, in_process, until_complete
from tests.example_counts import EXAMPLES
from tests.oracle import TOOLS, Case, document, expected, fold, records
from tests.oracle.spells import LISTING
from tests.replay import Replay
from tests.served_open5e import IS_RECORDED, NOT_SERVED, load
from tests.srd import srd_records

# The whole matrix: run by `scripts/check_release.sh`; test_filter_values.py runs a part of it with every change.
pytestmark = [pytest.mark.asyncio(loop_scope="module")]
SINGLE = [(tool, case) for tool, (_, _, cases) in TOOLS.items() for case in cases]


def pairs(tool: str) -> list[tuple[Case, Case]]:
    """Each pair of filters once, with alternating values."""
    by_argument: dict[str, list[Case]] = {}
    for case in TOOLS[tool][2]:
        by_argument.setdefault(case.argument, []).append(case)
    cases = []
    for turn, (firsts, seconds) in enumerate(itertools.combinations(by_argument.values(), 2)):
        first, second = firsts[turn % len(firsts)], seconds[(turn // 2) % len(seconds)]
        if not excludes_itself(first, second):
            cases.append((first, second))
    return cases


def excludes_itself(first: Case, second: Case) -> bool:
    """Ranges without any value in them are refused, not answered."""
    stem = first.argument.removesuffix("_min")
    return stem == second.argument.removesuffix("_max").removesuffix("_min") and not isinstance(first.value, dict)


@functools.cache
def names_by_id(tool: str) -> dict[tuple[str, str], tuple[str, str]]:
    """(kind, key) -> (name, document): what a grouped answer has of each of its members."""
    return {(r["_type"], r["key"]): (plain(r.get("name") or r["key"]), document(r)) for r in records(tool)}


@functools.cache
def names_outside_v2(tool: str) -> set[tuple[str, str]]:
    """(name, document) of the records that only version 1 and the embedded SRDs have, which have their own tests."""
    old = {(plain(r["name"]), document(r)) for name in ("magicitems", "weapons", "armor") for r in load(f"v1/{name}")}
    own = {(plain(r.name), r.document_key) for r in srd_records()}
    return (old | own) - set(names_by_id(tool).values())


def names_of_ids(ids: set[tuple[str, str]], tool: str) -> set[tuple[str, str]]:
    return {names_by_id(tool)[id_] for id_ in ids}


async def names_in_results(client: Client, tool: str, *cases: Case) -> set[tuple[str, str]]:
    """(name, document) of every result from Open5e v2 and its variants. Naming every document separates equal names."""
    arguments: dict[str, Any] = {case.argument: case.value for case in cases}
    documents = sorted({document(record) for record in records(tool)})
    results = await every_result(client, tool, documents=documents, **arguments)
    served = (r for r in results if is_served(r, tool))
    return {(plain(name), r["document_key"]) for r in served for name in names_of(r)} - names_outside_v2(tool)


@functools.cache
def served_entries(tool: str) -> set[tuple[str, str, str]]:
    """(kind, name, document) of Open5e's records: the packaged books have some names under other kinds."""
    return {(shared_kind(kind), *name_and_document) for (kind, _), name_and_document in names_by_id(tool).items()}


def shared_kind(kind: str) -> str:
    """A shield is an item in one source and armor in another, but one result."""
    return "item" if kind in ("weapon", "armor") else kind


def names_of(result: dict[str, Any]) -> list[str]:
    return [result["name"], *result.get("variants", [])]


def is_served(result: dict[str, Any], tool: str) -> bool:
    """Whether Open5e has a result or its variants: an entry of the packaged books may represent them."""
    if result["kind"] == "feature" or result["document_source"] == "open5e_v1":
        return False
    entry = (shared_kind(result["kind"]), plain(result["name"]), result["document_key"])
    return result["document_source"] != "srd" or "variants" in result or entry in served_entries(tool)


async def names_in_grouped_results(client: Client, tool: str, case: Case) -> set[str]:
    """Every name in a grouped answer, as a result or as a variant of one."""
    results = await every_result(client, tool, **{case.argument: case.value})
    served = (r for r in results if (is_served(r, tool) or "also_in" in r) and r["kind"] != "feature")
    return {plain(name) for r in served for name in names_of(r)}


@functools.cache  # the same names are compared many thousand times
def plain(name: str) -> str:
    """A name without case, punctuation and word order: "Bat, Giant" is the giant bat."""
    return " ".join(sorted(fold(re.sub(r"(?<=\d),(?=\d)", "", name)).split()))


@pytest.mark.parametrize(("tool", "case"), SINGLE, ids=lambda value: str(getattr(value, "value", value))[:30])
async def test_a_filter_selects_the_same_as_a_full_scan(warm: Client, tool: str, case: Case) -> None:
    ids = expected(tool, case)
    if not ids and not IS_RECORDED:
        pytest.skip("nothing in the invented Open5e has it")
    assert ids, "a case that nothing fulfils shows nothing"
    assert await names_in_results(warm, tool, case) == names_of_ids(ids, tool)


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("tool", TOOLS)
async def test_two_filters_select_the_same_as_a_full_scan(warm: Client, tool: str) -> None:
    for first, second in pairs(tool):
        assert await names_in_results(warm, tool, first, second) == names_of_ids(expected(tool, first, second), tool), (
            first,
            second,
        )


@pytest.mark.parametrize("tool", TOOLS)
async def test_named_documents_return_their_records_separately(warm: Client, tool: str) -> None:
    keys = sorted({document(record) for record in records(tool)} - {"core"})
    for chosen in (keys[:1], keys[-2:]):
        results = await every_result(warm, tool, documents=chosen)
        expected_results = {names_by_id(tool)[r["_type"], r["key"]] for r in records(tool) if document(r) in chosen}
        assert expected_results <= {(plain(name), r["document_key"]) for r in results for name in names_of(r)}
        assert all("also_in" not in r for r in results)


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("tool", TOOLS)
async def test_a_filter_selects_the_same_from_an_empty_cache(tool: str, replay_server: Replay, own: Path) -> None:
    """Only filtered requests were sent, so that the filters sent upstream are tested, too."""
    async with in_process(own, replay_server.url) as client:
        for case in TOOLS[tool][2]:
            names = {plain(name) for name, _ in names_of_ids(expected(tool, case), tool)}
            await until_complete(client, tool, **{case.argument: case.value})
            answer_names = await names_in_grouped_results(client, tool, case)
            assert answer_names - {plain(name) for name, _ in names_outside_v2(tool)} <= names, case
            assert names <= answer_names or tool == "search_equipment", case


@pytest.mark.parametrize(("tool", "case"), SINGLE, ids=lambda value: str(getattr(value, "value", value))[:30])
async def test_a_filter_restricts_a_question(warm: Client, tool: str, case: Case) -> None:
    names = {plain(name) for name, _ in names_of_ids(expected(tool, case), tool) | names_outside_v2(tool)}
    limit = 50 if EXAMPLES > 10 else 20  # each further result costs milliseconds, in some two hundred questions
    answer = await ask(warm, tool, search="an old light in the dark", limit=limit, **{case.argument: case.value})
    served = (r for r in answer["results"] if r["document_source"] == "open5e_v2" and r["kind"] != "feature")
    assert {plain(name) for r in served for name in names_of(r)} <= names


def accepts_several(case: Case) -> bool:
    """Bounds and flags accept one value; a case's value may already be several."""
    return not case.argument.endswith(("_min", "_max")) and not isinstance(case.value, bool)


@pytest.mark.parametrize("tool", TOOLS)
async def test_several_values_select_the_union(warm: Client, tool: str) -> None:
    cases = [case for case in TOOLS[tool][2] if accepts_several(case)]
    for argument in dict.fromkeys(case.argument for case in cases):
        same_argument = [case for case in cases if case.argument == argument]
        results_by_case = [names_of_ids(expected(tool, case), tool) for case in same_argument]
        either = Case(argument, [case.value for case in same_argument], None)
        assert await names_in_results(warm, tool, either) == set().union(*results_by_case), argument


async def test_every_filter_has_cases_of_an_oracle() -> None:
    """Levels apply to features, which have their own tests."""
    of_tools = dict(zip(FILTERS, TOOLS, strict=True))
    arguments = {(of_tools[family], row.argument) for family, rows in FILTERS.items() for row in rows}
    assert arguments - {(tool, case.argument) for tool, case in SINGLE} == {("search_character_option", "level")}


# Differences between the packaged books and Open5e: environments, and the numbers of magic weapons.
UNTOLD_BY_BOOKS = {"environment", "weight_max", "is_finesse", "is_light", "is_simple", "damage_dice", "property"}
OTHERWISE = {
    ("search_spell", "damage_type"): {"glyph of warding", "plane shift"},
    ("search_spell", "saving_throw"): {"dragon summon"},
    ("search_spell", "range_min"): {"sending"},
    ("search_creature", "casts"): {"green hag", "hag night", "hag sea"},  # the book tells of covens in a place apart
    ("search_equipment", "category"): {"antitoxin", "healing of potion"},
    ("search_equipment", "rarity"): {"horn of valhalla"},  # by its metal
    ("search_character_option", "ability"): {"elf half", "human"},
}


@pytest.mark.skipif(not IS_RECORDED, reason=NOT_SERVED)
@pytest.mark.parametrize(("tool", "case"), SINGLE, ids=lambda value: str(getattr(value, "value", value))[:30])
async def test_a_filter_selects_the_same_of_the_embedded_books(embedded: Client, tool: str, case: Case) -> None:
    if case.argument in UNTOLD_BY_BOOKS or (tool, case.argument) == ("search_equipment", "damage_type"):
        pytest.skip("the packaged books do not say it of everything")
    if case.meant == LISTING[1]:
        pytest.skip("the packaged books lack the subclass")
    packaged = {(str(r.kind), r.key): r.document_key for r in srd_records()}
    shared_names = {id_: name for id_, (name, _) in names_by_id(tool).items() if id_ in packaged}
    results = await every_result(embedded, tool, documents=["srd-2014", "srd-2024"], **{case.argument: case.value})
    keys = {(r["kind"], r["key"]) for r in results}
    # A weapon and the item with the same name are one result, and so are variants.
    grouped = results if tool == "search_equipment" else []
    named_things = {(shared_kind(r["kind"]), plain(name), r["document_key"]) for r in grouped for name in names_of(r)}
    ids = {
        id_
        for id_, name in shared_names.items()
        if id_ in keys or (shared_kind(id_[0]), name, packaged[id_]) in named_things
    }
    differ = {shared_names[id_] for id_ in ids ^ (expected(tool, case) & packaged.keys())}
    assert differ <= OTHERWISE.get((tool, case.argument), set())


SYSTEMS = {"2014": "5e-2014", "2024": "5e-2024", "a5e": "a5e"}


@pytest.mark.parametrize("edition", SYSTEMS)
@pytest.mark.parametrize("tool", ["search_spell", "search_creature", "search_equipment", "search_character_option"])
async def test_an_edition_selects_the_records_of_its_documents(warm: Client, tool: str, edition: str) -> None:
    systems = {r["key"]: r["gamesystem"]["key"] for r in load("v2/documents")}
    of_edition = (r for r in records(tool) if systems[document(r)] == SYSTEMS[edition])
    results = await every_result(warm, tool, edition=edition)
    served = [r for r in results if is_served(r, tool)]
    expected_results = {names_by_id(tool)[r["_type"], r["key"]] for r in of_edition}
    assert expected_results == {
        (plain(name), r["document_key"]) for r in served for name in names_of(r)
    } - names_outside_v2(tool)


def without_marks(text: str) -> str:
    """Open5e has hyphens from line ends, soft and doubled ones, and bullets without a space."""
    plain_text = text.replace("’", "'").replace("*", " ")
    return " ".join(re.sub("[-\u00ad\u2010](?: (?=[a-z]))?", "", plain_text).split())


@pytest.mark.parametrize("edition", SYSTEMS)
async def test_conditions_answer_with_the_text_of_the_edition_asked_for(warm: Client, edition: str) -> None:
    # Open5e's text of an SRD may be set, or put, as in the book.
    books = {
        record.key: [text.text for text in record.texts if str(text.edition) == edition]
        for record in srd_records()
        if record.kind is Kind.CONDITION
    }
    for raw in load("v2/conditions"):
        texts = [d["desc"] for d in raw["descriptions"] if d["gamesystem"] == SYSTEMS[edition]]
        answer = await ask(
            warm, "search_rule", rule_type="condition", search=raw["name"], edition=edition, detail="full", limit=1
        )
        if texts:
            text = without_marks(answer["results"][0]["text"])
            forms = [*texts, *books.get(raw["key"], [])]
            assert any(all(without_marks(part.lstrip("# ")) in text for part in form.splitlines()) for form in forms)
        else:
            assert raw["name"] not in [r["name"] for r in answer["results"]]


def rarities_of_sizes(text: str) -> set[str]:
    """The words in brackets after the sizes of an item, whose own rarity then varies."""
    return set(re.findall(r"\((Common|Uncommon|Rare|Very Rare|Legendary)\)\.", text))


@pytest.mark.parametrize("rarity", ["common", "uncommon", "rare", "very-rare", "legendary", "artifact"])
async def test_magic_items_of_version_1_alone_are_filtered(warm: Client, rarity: str) -> None:
    expected_results = {
        fold(r["name"])
        for r in load("v1/magicitems")
        if r["document__slug"] in ("a5e", "toh", "taldorei") and r["rarity"].lower().replace(" ", "-") == rarity
        if len(rarities_of_sizes(r["desc"])) < 2
    }
    results = await every_result(warm, "search_equipment", rarity=rarity, documents=["a5e", "toh", "tdcs"])
    assert {fold(name) for r in results for name in names_of(r)} == expected_results
