"""Improved Initiative: single items, lists, and exports of all data, whose values are JSON in texts."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from tests.sources.homebrew_files.words import MARK, fields, flags, names, prose, short_list, small, words

valued = st.one_of(fields({"Value": st.one_of(small, words)}, {"Notes": words}), small)
modifiers = short_list(
    fields({"Name": st.one_of(st.sampled_from(["Dex", "Str"]), words), "Modifier": st.one_of(small, words)})
)
entries = short_list(fields({"Name": names, "Content": prose}, {"Usage": words}))
lists = short_list(st.one_of(words, st.sampled_from(["Common", f"cold from {MARK} attacks"])))
creature = fields(
    {"Name": names, "HP": valued},
    {
        "Id": st.just("x"), "Path": st.just("Fens"), "Source": st.sampled_from([MARK, f"{MARK}, p. 12"]), "AC": valued,
        "Type": st.sampled_from([f"Small {MARK}, {MARK} evil", MARK, f"Large beast ({MARK}), any {MARK}", f"{MARK}, {MARK}, {MARK}"]),
        "InitiativeModifier": st.one_of(small, words), "InitiativeAdvantage": flags, "InitiativeSpecialRoll": st.one_of(st.sampled_from(["", "advantage", "take-ten"]), words),
        "Speed": short_list(st.sampled_from(["30 ft.", f"fly 60 ft. ({MARK})", f"{MARK} 20 ft.", "walk 30 ft.", MARK])),
        "Abilities": st.one_of(st.just({"Str": 8, "Dex": 16}), fields({"Str": small}, {MARK: small, "Con": words})),
        **dict.fromkeys(("DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities", "Languages"), lists),
        "Senses": short_list(st.sampled_from(["darkvision 60 ft.", f"blindsight 10 ft. ({MARK})", "passive Perception 12", MARK])),
        "Saves": modifiers, "Skills": modifiers, "Challenge": st.sampled_from(["1/2", "5 (1,800 XP)", MARK, f"3 {MARK}", ""]),
        **dict.fromkeys(("Traits", "Actions", "BonusActions", "Reactions", "LegendaryActions", "MythicActions"), entries),
        "Description": prose, "Player": st.just("npc"), "ImageURL": st.just("https://example.org/x.png"), "Homeland": words,
        "Version": st.just("3.0"), "LastUpdateMs": small,
    },
)  # fmt: skip
spell = fields(
    {"Name": names, "School": words, "Level": st.integers(0, 9)},
    {
        "Id": st.just("s"), "Source": words, "CastingTime": st.one_of(words, st.just("1 action")), "Range": words,
        "Components": st.sampled_from(["V, S", f"V, M ({MARK})", f"{MARK}", f"S, {MARK} (x) {MARK}"]), "Duration": words,
        "Classes": short_list(words), "Ritual": flags, "Description": prose, "Extra": words,
    },
)  # fmt: skip
character = fields({"Name": names, "StatBlock": creature}, {"Notes": prose, "CurrentHP": small, "Id": st.just("c")})
encounter = fields(
    {
        "Name": names,
        "Combatants": short_list(fields({"Alias": words}, {"StatBlock": creature, "Tags": st.just(["poisoned"])})),
    },
    {"Path": st.just(""), "Notes": words},
)


SECTIONS = ("Creatures", "Spells", "PersistentCharacters", "SavedEncounters")


def _stored(parts: dict[str, Any], *, packed: bool) -> dict[str, Any]:
    """The application's browser storage: a key for each item, with JSON as text or as it is."""
    return {key: json.dumps(value, ensure_ascii=False) if packed else value for key, value in parts.items()}


exports = st.builds(
    lambda *sections, packed: _stored(
        {
            f"{name}.{number}": item
            for name, items in zip(SECTIONS, sections, strict=True)
            for number, item in enumerate(items)
        },
        packed=packed,
    ),
    short_list(creature, 2),
    short_list(spell, 2),
    short_list(character, 2),
    short_list(encounter, 2),
    packed=flags,
).filter(bool)
files = st.one_of(creature, spell, st.lists(st.one_of(creature, spell, character), min_size=1, max_size=3), exports)
