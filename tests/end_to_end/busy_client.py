"""A server with a client that asks without a pause, for tests that kill it."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from lorekeeper_mcp.runtime import configure_environment, configure_logging

configure_environment()
from tests.end_to_end.clients import ask, in_process  # noqa: E402

# Names and filters, for which no model is loaded, with the answers of the embedded SRD.
QUESTIONS: list[tuple[str, dict[str, Any], str, int]] = [
    ("search_spell", {"search": "Fireball"}, "Fireball", 1),
    ("search_spell", {"level": 9, "school": "evocation"}, "Meteor Swarm", 1),
    ("search_creature", {"type": "undead", "cr": 5}, "Vampire Spawn", 2),
    ("search_creature", {"search": "srd_owlbear"}, "Owlbear", 1),
    ("search_equipment", {"type": "armor", "category": "heavy"}, "Chain Mail", 4),
]


def ask_without_end(db: Path, results: Connection) -> None:
    """Ask one question after the other; send the number of the answer, or what was wrong with it."""
    configure_environment()
    configure_logging("ERROR")

    async def run() -> None:
        async with in_process(db, offline=True) as client:
            number = 0
            while True:
                tool, arguments, name, total = QUESTIONS[number % len(QUESTIONS)]
                try:
                    answer = await ask(client, tool, **arguments)
                    names = [result["name"] for result in answer["results"]]
                    right = name in names and answer["total"] >= total
                    results.send((number, "" if right else f"{tool} {arguments}: {names} {answer['hint']}"))
                except Exception as error:  # noqa: BLE001 - whatever fails is what the test is to hear of
                    results.send((number, f"{tool} {arguments}: {error!r}"))
                number += 1

    asyncio.run(run())
