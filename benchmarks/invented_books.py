"""Large invented books in every homebrew format: half spells and half creatures if the format has both."""

from __future__ import annotations

import json
from collections.abc import Callable

PROSE = "A lantern drifts across the fen and every moth for a mile turns towards it before the rain begins. "
Book = tuple[str, bytes]  # the file's name and content


def _told(number: int, characters: int) -> str:
    return f"Number {number}. {PROSE * max(1, characters // len(PROSE))}"


def orcbrew(items: int, characters: int) -> Book:
    """A wrapped OrcBrew file."""
    spells, monsters = [], []
    for i in range(items):
        text = _told(i, characters)
        if i % 2:
            spells.append(
                f':spell-{i} {{:name "Spell {i}" :level {i % 10} :school "evocation" :casting-time "1 action" '
                f':duration "Concentration, up to 1 minute" :components {{:verbal true}} :spell-lists {{:wizard true}} '
                f':description "{text}"}}'
            )
        else:
            monsters.append(
                f':beast-{i} {{:name "Beast {i}" :type :beast :size :large :challenge 1/4 :armor-class 13 '
                f':hit-points {{:die 8 :die-count 3 :modifier 3}} :speed "30 ft." :str 12 '
                f':traits [{{:name "Glow" :description "{text}"}} '
                f'{{:name "Bite" :type :action :description "Bites."}}]}}'
            )
    book = f":orcpub.dnd.e5/spells {{{' '.join(spells)}}} :orcpub.dnd.e5/monsters {{{' '.join(monsters)}}}"
    return "bench.orcbrew", f'{{"Bench" {{{book}}}}}'.encode()


def fivetools(items: int, characters: int) -> Book:
    """A 5etools file."""
    spells, monsters = [], []
    for i in range(items):
        text, named = _told(i, characters), {"source": "BEN"}
        if i % 2:
            spells.append({
                **named, "name": f"Spell {i}", "level": i % 10, "school": "V",
                "time": [{"number": 1, "unit": "action"}],
                "range": {"type": "point", "distance": {"type": "feet", "amount": 60}}, "components": {"v": True},
                "duration": [{"type": "instant"}], "entries": [text, "{@damage 3d6} fire damage."],
            })  # fmt: skip
        else:
            monsters.append({
                **named, "name": f"Beast {i}", "size": ["L"], "type": "beast", "cr": "1/4", "ac": [13], "str": 12,
                "hp": {"average": 16, "formula": "3d8 + 3"}, "speed": {"walk": 30},
                "trait": [{"name": "Glow", "entries": [text]}], "action": [{"name": "Bite", "entries": ["{@hit 4}."]}],
            })  # fmt: skip
    data = {"_meta": {"sources": [{"json": "BEN", "full": "Bench"}]}, "spell": spells, "monster": monsters}
    return "bench.json", json.dumps(data).encode()


def fantasy_statblocks(items: int, characters: int) -> Book:
    """A note with stat blocks."""
    blocks = [
        f"```statblock\nname: Beast {i}\nsource: Bench\nsize: Large\ntype: beast\nac: 13\nhp: 16\nhit_dice: 3d8 + 3\n"
        f"speed: 30 ft.\nstats: [12, 10, 10, 3, 10, 5]\ncr: 1/4\ntraits:\n  - name: Glow\n"
        f'    desc: "{_told(i, characters)}"\nactions:\n  - name: Bite\n    desc: Bites.\n```\n'
        for i in range(items)
    ]
    return "bench.md", "\n".join(blocks).encode()


def improved_initiative(items: int, characters: int) -> Book:
    """A list of creatures of Improved Initiative."""
    creatures = [
        {
            "Name": f"Beast {i}", "Source": "Bench", "Type": "Large beast, unaligned", "HP": {"Value": 16},
            "AC": {"Value": 13}, "Speed": ["30 ft."], "Abilities": {"Str": 12}, "Challenge": "1/4",
            "Traits": [{"Name": "Glow", "Content": _told(i, characters)}],
            "Actions": [{"Name": "Bite", "Content": "Bites."}],
        }
        for i in range(items)
    ]  # fmt: skip
    return "bench.json", json.dumps(creatures).encode()


def foundry(items: int, characters: int) -> Book:
    """A list of actors and spells of Foundry VTT."""
    documents: list[dict[str, object]] = []
    for i in range(items):
        html = {"value": f"<p>{_told(i, characters)}</p>"}
        if i % 2:
            system = {"source": "Bench", "level": i % 10, "school": "evo", "description": html}
            documents.append({"name": f"Spell {i}", "type": "spell", "system": system})
        else:
            documents.append({
                "name": f"Beast {i}", "type": "npc",
                "system": {
                    "attributes": {"ac": {"flat": 13}, "hp": {"max": 16}, "movement": {"walk": 30}},
                    "details": {"cr": 0.25, "type": {"value": "beast"}, "source": {"book": "Bench"}},
                    "traits": {"size": "lg"}, "abilities": {"str": {"value": 12}},
                },
                "items": [{"name": "Glow", "type": "feat", "system": {"description": html}}],
            })  # fmt: skip
    return "bench.json", json.dumps(documents).encode()


BOOKS: dict[str, Callable[[int, int], Book]] = {
    "orcbrew": orcbrew,
    "5etools": fivetools,
    "fantasy statblocks": fantasy_statblocks,
    "improved initiative": improved_initiative,
    "foundry": foundry,
}
