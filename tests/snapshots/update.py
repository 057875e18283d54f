"""Takes the snapshots that ``test_snapshots`` compares: ``uv run python -m tests.snapshots.update`` rewrites them.

A change in them is a change of what clients see, for a reviewer to look at.
"""

from __future__ import annotations

import asyncio
import datetime
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastmcp import Client

from lorekeeper_mcp.answer import Answer, CacheState, Form, Hit, ListForm, NameForm, QuestionForm, ScoredPassage
from lorekeeper_mcp.models import Record
from lorekeeper_mcp.passages import passages_of
from lorekeeper_mcp.repository.answer_pages import split_editions
from lorekeeper_mcp.runtime import configure_environment
from lorekeeper_mcp.server import INSTRUCTIONS, make_server
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.tools.answer_layout import AnswerOptions
from lorekeeper_mcp.tools.envelope import result
from tests.snapshots.invented_records import records

FOLDER = Path(__file__).parent
Snapshot = dict[str, Any]


async def schemas() -> dict[str, Snapshot]:
    """Every tool, resource, resource template and prompt as listed, and the instructions, by file."""
    async with Client(make_server(load_settings(offline=True))) as client:
        listed = {
            "tools": await client.list_tools(),
            "resources": await client.list_resources(),
            "templates": await client.list_resource_templates(),
            "prompts": await client.list_prompts(),
        }
        prompts = {
            prompt.name: await client.get_prompt(
                prompt.name, {argument.name: "2024" if argument.name == "edition" else f"<{argument.name}>"
                              for argument in prompt.arguments or []}
            )
            for prompt in listed["prompts"]
        }  # fmt: skip
    found: dict[str, Snapshot] = {
        f"schemas/{kind}/{one.name}.json": one.model_dump(mode="json", by_alias=True, exclude_none=True)
        for kind, of_kind in listed.items()
        for one in of_kind
    }
    texts = {name: got.messages[0].content.text.splitlines() for name, got in prompts.items()}
    return {**found, "instructions.json": {"instructions": INSTRUCTIONS.splitlines(), "prompts": texts}}


def answers() -> dict[str, Snapshot]:
    """The answers that show an invented record of each kind: in a list, by name, to a question, and in full."""
    return {f"answers/{record.kind}.json": _answers(record) for record in records()}


def _answers(record: Record) -> dict[str, Snapshot]:
    passages = tuple(ScoredPassage(passage, 1 - passage.index / 100) for passage in passages_of(record))
    hit = Hit(record, 0.5, ("fens-old",), exact=True)
    return {
        "list": _answer(hit, ListForm(), "brief"),
        "name": _answer(replace(hit, editions=split_editions(record, {})), NameForm(1), "auto"),
        "question": _answer(replace(hit, passages=passages[:3]), QuestionForm((record.name,)), "auto"),
        "full": _answer(hit, NameForm(1), "full"),
    }


def _answer(hit: Hit, form: Form, detail: str) -> Snapshot:
    answer = Answer((hit,), form, 1, True, CacheState.FRESH, datetime.date(2026, 1, 2))
    shown = result(answer, AnswerOptions(detail=detail), cursor="", question="")
    structured = json.loads(json.dumps(shown.structured))
    for one in structured["results"]:
        if "text" in one:
            one["text"] = one["text"].splitlines()
    return {"text": shown.text.splitlines(), "structured": structured}


def all_snapshots() -> dict[str, Snapshot]:
    """Every snapshot by the path of its file."""
    return {**asyncio.run(schemas()), **answers()}


def to_text(snapshot: Snapshot) -> str:
    """The content of a snapshot's file."""
    return json.dumps(snapshot, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    configure_environment()
    for old in FOLDER.rglob("*.json"):
        old.unlink()
    for name, snapshot in all_snapshots().items():
        file = FOLDER / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(to_text(snapshot), encoding="utf-8")
