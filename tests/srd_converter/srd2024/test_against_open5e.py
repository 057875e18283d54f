"""The embedded SRD 5.2 against the recorded Open5e: the same keys, and the same facts except for known errors there.

Every difference was decided by the book; without a reason given, Open5e has a typing error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from lorekeeper_mcp.models import CharacterClass, Creature, Equipment, Feat, Kind, Record, Species, Spell
from tests.recorded import needs_recorded
from tests.sources.open5e import adapted_records
from tests.srd_converter.srd2024.exclusives import KEPT, is_exclusive

pytestmark = needs_recorded

# Kind -> endpoint, how many embedded records Open5e has, too, and the keys that it lacks. Magic items without a match
# are families (Open5e has one record per sword); rules without a match are split differently, or not in Open5e.
MATCHES: Mapping[Kind, tuple[str, int, set[str] | None]] = {
    Kind.SPELL: ("spells", 339, set()),
    Kind.CREATURE: ("creatures", 330, set()),
    Kind.WEAPON: ("weapons", 38, set()),
    Kind.ARMOR: ("armor", 13, set()),
    Kind.ITEM: ("items", 128, set(KEPT[Kind.ITEM])),
    Kind.SERVICE: ("services", 30, set(KEPT[Kind.SERVICE])),
    Kind.MAGIC_ITEM: ("magicitems", 206, None),
    Kind.WEAPON_PROPERTY: ("weaponproperties", 17, {"srd-2024_range-wp"}),
    Kind.CLASS: ("classes", 12, set()),
    Kind.SUBCLASS: ("classes", 12, set()),
    Kind.SPECIES: ("species", 9, set()),
    Kind.BACKGROUND: ("backgrounds", 4, set()),
    Kind.FEAT: ("feats", 17, set()),
    Kind.RULE: ("rules", 55, None),
    Kind.RULE_SET: ("rulesets", 11, None),
}
SPELL_FIELDS = (
    "level", "school", "verbal", "somatic", "material", "concentration", "ritual", "duration", "casting_time", "range",
)  # fmt: skip
SPELL_DIFFERENCES = {
    # Open5e has the first digit of 10 minutes, and an hour for every longer time.
    *(
        (key, "casting_time")
        for key in (
            "awaken", "clairvoyance", "contingency", "control-weather", "fabricate", "hallow", "hallucinatory-terrain",
            "heroes-feast", "legend-lore", "mirage-arcane", "planar-ally", "prayer-of-healing", "private-sanctum",
            "scrying", "simulacrum",
        )
    ),
    ("plant-growth", "casting_time"),  # an action or 8 hours
    # Miles as feet, and sight as 0.
    *(
        (key, "range")
        for key in (
            "clairvoyance", "meteor-swarm", "mirage-arcane", "project-image", "sending", "storm-of-vengeance",
            "telepathy", "tsunami", "control-weather",
        )
    ),
    *((key, "duration") for key in ("etherealness", "prestidigitation", "thaumaturgy")),  # without "Up to"
}  # fmt: skip
CREATURE_FIELDS = (
    "type", "challenge_rating", "armor_class", "hit_points", "hit_dice", "abilities", "initiative_bonus", "speed",
    "alignment", "skills", "saving_throws",
)  # fmt: skip
CREATURE_DIFFERENCES = {
    ("djinni", "alignment"),
    ("octopus", "abilities"),  # modifiers in place of two scores
    ("octopus", "saving_throws"),
    ("mastiff", "saving_throws"),
    ("swarm-of-rats", "saving_throws"),
    ("young-white-dragon", "saving_throws"),
    ("panther", "skills"),
    ("swarm-of-insects", "speed"),  # climbs or flies, as the GM chooses
}
EQUIPMENT_DIFFERENCES = {
    ("dart", "weight"),
    ("sling", "weight"),  # none in the book, 0 there
    ("horn-of-valhalla", "rarity"),  # goes by the metal
    ("lifestyle-wretched", "cost"),  # none, 0 there
}


@pytest.fixture(scope="module")
def theirs() -> Mapping[str, Record]:
    """Every record of the SRD 5.2 that Open5e has, adapted."""
    found: dict[str, Record] = {}
    for endpoint in dict.fromkeys(endpoint for endpoint, _, _ in MATCHES.values()):
        records = adapted_records.uncorrected(f"v2/{endpoint}")
        found |= {record.id: record for record in records if record.document_key == "srd-2024"}
    return found


def pairs(ours: Mapping[str, Record], theirs: Mapping[str, Record]) -> Iterator[tuple[str, Record, Record]]:
    for id_, record in ours.items():
        if id_ in theirs:
            yield record.key.partition("_")[2], record, theirs[id_]


@pytest.mark.parametrize("kind", MATCHES)
def test_keys_equal_open5es(srd52: Mapping[str, Record], theirs: Mapping[str, Record], kind: Kind) -> None:
    _, count, without = MATCHES[kind]
    own = {record.key for record in srd52.values() if record.kind is kind}
    others = {record.key for record in theirs.values() if record.kind is kind}
    assert len(own & others) == count
    assert without is None or own - others == without


def test_records_stored_beside_open5e_are_missing_there(
    srd52: Mapping[str, Record], theirs: Mapping[str, Record]
) -> None:
    rules = (Kind.RULE, Kind.RULE_SET)  # all stay: Open5e has some within longer ones
    stay = [id_ for id_, record in srd52.items() if id_ in theirs and is_exclusive(record)]
    assert [id_ for id_ in stay if srd52[id_].kind not in rules] == []


def test_no_magic_item_of_the_book_is_missing_beside_open5e(
    srd52: Mapping[str, Record], theirs: Mapping[str, Record]
) -> None:
    items = [id_ for id_, record in srd52.items() if record.kind in (Kind.MAGIC_ITEM, Kind.ITEM)]
    assert [id_ for id_ in items if id_ not in theirs and not is_exclusive(srd52[id_])] == []


def test_spells_agree_with_open5e(srd52: Mapping[str, Record], theirs: Mapping[str, Record]) -> None:
    differences = set()
    for key, own, other in pairs(srd52, theirs):
        if isinstance(own, Spell) and isinstance(other, Spell):
            differences |= {(key, field) for field in SPELL_FIELDS if getattr(own, field) != getattr(other, field)}
            assert {one.key for one in own.classes} == {one.key for one in other.classes}, key
    assert differences <= SPELL_DIFFERENCES
    assert {field for _, field in differences} == {"casting_time", "duration", "range"}


def test_creatures_agree_with_open5e(srd52: Mapping[str, Record], theirs: Mapping[str, Record]) -> None:
    differences = set()
    for key, own, other in pairs(srd52, theirs):
        if isinstance(own, Creature) and isinstance(other, Creature):
            differences |= {(key, field) for field in CREATURE_FIELDS if getattr(own, field) != getattr(other, field)}
    assert differences == CREATURE_DIFFERENCES


def test_sizes_chosen_as_tiny_or_small_are_small_in_open5e(
    srd52: Mapping[str, Record], theirs: Mapping[str, Record]
) -> None:
    for key, own, other in pairs(srd52, theirs):
        if isinstance(own, Creature) and isinstance(other, Creature) and own.size != other.size:
            assert other.size == "small", key
            assert own.size == "tiny" or "Medium or Small" in own.type_text, key


def test_defenses_equal_open5es_plus_its_missing_ones(
    srd52: Mapping[str, Record], theirs: Mapping[str, Record]
) -> None:
    for key, own, other in pairs(srd52, theirs):
        if isinstance(own, Creature) and isinstance(other, Creature):
            for field in ("damage_immunities", "damage_resistances", "damage_vulnerabilities", "condition_immunities"):
                assert set(getattr(own.defenses, field)) >= set(getattr(other.defenses, field)), (key, field)


def test_actions_have_the_same_names(srd52: Mapping[str, Record], theirs: Mapping[str, Record]) -> None:
    """Except those whose names there include their limits, and one that Open5e has under another creature's."""
    different = set()
    for key, own, other in pairs(srd52, theirs):
        if isinstance(own, Creature) and isinstance(other, Creature):
            names = {action.name.partition(" (")[0].strip() for action in other.actions}
            if {action.name for action in own.actions} != names:
                different.add(key)
    assert different == {"black-pudding"}


def test_equipment_agrees_with_open5e(srd52: Mapping[str, Record], theirs: Mapping[str, Record]) -> None:
    differences = set()
    for key, own, other in pairs(srd52, theirs):
        if isinstance(own, Equipment) and isinstance(other, Equipment):
            fields = {
                Kind.MAGIC_ITEM: ("rarity", "requires_attunement", "attunement_text", "category"),
                Kind.WEAPON: ("cost", "weight"),
                Kind.ARMOR: ("cost", "weight"),
                Kind.ITEM: ("cost",),
                Kind.SERVICE: ("cost",),
            }[own.kind]
            differences |= {(key, field) for field in fields if getattr(own, field) != getattr(other, field)}
            if own.weapon and other.weapon and own.kind is Kind.WEAPON:
                named = [{one.name for one in stats.properties} for stats in (own.weapon, other.weapon)]
                assert named[0] == named[1], key
                for field in (
                    "damage_dice",
                    "damage_type",
                    "two_handed_damage",
                    "range",
                    "long_range",
                    "is_simple",
                    "is_ranged",
                ):
                    assert getattr(own.weapon, field) == getattr(other.weapon, field), (key, field)
            if own.armor and other.armor and own.armor.category != "shield":
                assert own.armor == other.armor, key
    assert differences == EQUIPMENT_DIFFERENCES


def test_character_options_agree_with_open5e(srd52: Mapping[str, Record], theirs: Mapping[str, Record]) -> None:
    for key, own, other in pairs(srd52, theirs):
        if isinstance(own, CharacterClass) and isinstance(other, CharacterClass) and own.kind is Kind.CLASS:
            assert (own.hit_dice, own.caster_type) == (other.hit_dice, other.caster_type), key
            columns = {column.name: column.cells for column in other.table}
            for column in own.table:
                if column.name in columns and column.name != "Slot Level":  # 5 here, 5th there
                    assert column.cells == {level: c for level, c in columns[column.name].items() if c != "-"}, key
        if isinstance(own, Feat) and isinstance(other, Feat):
            assert (own.type, own.prerequisite) == (other.type, other.prerequisite), key
        if isinstance(own, Species) and isinstance(other, Species):
            assert (own.size, own.speed) == (other.size.strip(), other.speed), key
            assert {trait.name for trait in own.traits} >= {trait.name for trait in other.traits}, key
