"""Measures how often the first answer states the facts that a question asks for, over MCP.

    uv run python -m benchmarks.answers.evaluate [--file disputes.jsonl] [--misses] [--plain STORE] -- COMMAND [ARG ...]

COMMAND starts a server on stdio that already holds its data. Each line of a question file has an id, a tool, its
arguments, and facts: regular expressions that the text of the answer must match. A hash of the arguments assigns each
question to the tuned or to the untouched half; ``--misses`` prints misses of the tuned half only, so that nobody tunes
on the other by accident. ``--plain`` prints beside each half what plain search settles with as many characters;
STORE is the folder that COMMAND uses.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import re
import statistics
from dataclasses import dataclass, replace
from pathlib import Path

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from benchmarks.answers.plain_search import plain_answers

QUESTIONS = Path(__file__).parent  # the folder of the question files
WARM_UP_SECONDS = 6.0  # the server loads its indexes in the background after its first answer


@dataclass(frozen=True)
class Question:
    """One call of a tool and the facts that its text must contain."""

    id: str
    tool: str
    arguments: dict[str, object]
    facts: tuple[str, ...]

    @property
    def is_untouched(self) -> bool:
        """Whether the question belongs to the half that ranking is never tuned on."""
        text = json.dumps(self.arguments, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=1).digest()[0] % 2 == 1


@dataclass(frozen=True)
class Outcome:
    """The facts that an answer lacks, in text and in structured content, and the length of its text.

    ``is_settled_plainly`` says whether plain search has them all, if that was asked.
    """

    question: Question
    missing: tuple[str, ...]
    missing_structured: tuple[str, ...]
    characters: int
    is_settled_plainly: bool | None = None


def load(file: Path) -> list[Question]:
    """Read the questions of a file."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Question(row["id"], row["tool"], row["arguments"], tuple(row["facts"])) for row in rows]


def missing_facts(question: Question, text: str) -> tuple[str, ...]:
    """Return the facts that a text does not contain; bold marks and curly apostrophes are ignored."""
    plain = text.replace("’", "'").replace("**", "")
    return tuple(fact for fact in question.facts if not re.search(fact.replace("’", "'"), plain, re.DOTALL))


async def ask(command: list[str], questions: list[Question]) -> list[Outcome]:
    """Ask a server each question once."""
    outcomes = []
    async with Client(StdioTransport(command[0], command[1:], env=dict(os.environ)), init_timeout=120) as client:
        await client.call_tool("search_spell", {"search": "a light in the dark"}, raise_on_error=False)
        await asyncio.sleep(WARM_UP_SECONDS)
        for question in questions:
            answer = await client.call_tool(question.tool, question.arguments, raise_on_error=False)
            text = "".join(getattr(part, "text", "") for part in answer.content)
            structured = json.dumps(answer.structured_content or {}, ensure_ascii=False)
            structured = structured.replace('\\"', '"').replace("\\n", "\n")
            outcomes.append(
                Outcome(question, missing_facts(question, text), missing_facts(question, structured), len(text))
            )
    return outcomes


def summary(name: str, outcomes: list[Outcome]) -> str:
    """One line: share answered in text and in structured content, and the mean length of the text."""
    answered = statistics.fmean(not one.missing for one in outcomes)
    structured = statistics.fmean(not one.missing_structured for one in outcomes)
    characters = statistics.fmean(one.characters for one in outcomes)
    shares = f"{answered:.3f} in text, {structured:.3f} structured"
    plain = [one.is_settled_plainly for one in outcomes if one.is_settled_plainly is not None]
    beside = f", plain search {statistics.fmean(plain):.3f}" if plain else ""
    return f"{name:10} {shares}, {characters:.0f} characters, n={len(outcomes)}{beside}"


def with_plain_search(outcomes: list[Outcome], store: Path) -> list[Outcome]:
    """Add whether plain search settles each question with as many characters as our answers have on average."""
    arguments = [one.question.arguments for one in outcomes]
    texts = [str(given.get("search") or given.get("query") or "") for given in arguments]
    asked = zip([one.question.tool for one in outcomes], texts, strict=True)
    characters = round(statistics.fmean(one.characters for one in outcomes))
    answers = asyncio.run(plain_answers(store, asked, characters))
    return [
        replace(one, is_settled_plainly=not missing_facts(one.question, answer))
        for one, answer in zip(outcomes, answers, strict=True)
    ]


def main() -> None:
    """Run the questions of one file and print both halves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", default="facts.jsonl", help="question file in this folder")
    parser.add_argument("--misses", action="store_true", help="print the misses of the tuned half")
    parser.add_argument("--plain", type=Path, metavar="STORE", help="print what plain search settles, too")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = [part for part in options.command if part != "--"] or parser.error("COMMAND is missing")
    outcomes = asyncio.run(ask(command, load(QUESTIONS / options.file)))
    if options.plain:
        outcomes = with_plain_search(outcomes, options.plain)
    tuned = [one for one in outcomes if not one.question.is_untouched]
    untouched = [one for one in outcomes if one.question.is_untouched]
    if options.misses:
        for one in tuned:
            if one.missing:
                print(f"{one.question.id}: {one.question.arguments} lacks {list(one.missing)}")
    print(summary("tuned", tuned))
    print(summary("untouched", untouched))


if __name__ == "__main__":
    main()
