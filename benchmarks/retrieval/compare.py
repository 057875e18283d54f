"""Compares ranking methods on judged questions: ``uv run python -m benchmarks.retrieval.compare STORE``.

STORE is a folder with everything in it (``lorekeeper-mcp sync`` fills one). Without ``--questions`` the questions are
our own, one half of which (drawn by a hash) is never used for tuning. ``--pool`` lists hits that nobody has judged yet.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.retrieval.judged_questions import OWN, Question, load, measure
from benchmarks.retrieval.methods import METHODS, SHIPPED, rankings, shipped
from benchmarks.retrieval.open_store import opened
from lorekeeper_mcp.text import fold


async def answers(folder: Path, questions: Sequence[Question], *, every: bool) -> dict[str, list[list[str]]]:
    """The names that each method, or the shipped one alone, returns for each question."""
    async with opened(folder) as store:
        if not every:
            return {SHIPPED: [await shipped(store, question) for question in questions]}
        ranked = [await rankings(store, question) for question in questions]
    return {method: [lists[method] for lists in ranked] for method in METHODS}


def table(questions: Sequence[Question], rankings_by_method: Mapping[str, list[list[str]]]) -> str:
    """A Markdown table with every measure of every method."""
    lines = ["| method | questions | nDCG@10 | MRR | recall@20 |", "|---|---|---|---|---|"]
    for method, lists in rankings_by_method.items():
        measured = [measure(names, question) for question, names in zip(questions, lists, strict=True)]
        means = (
            statistics.fmean(getattr(measures, name) for measures in measured) for name in ("ndcg", "mrr", "recall")
        )
        lines.append(f"| {method} | {len(questions)} | {' | '.join(f'{mean:.3f}' for mean in means)} |")
    return "\n".join(lines)


def by_group(questions: Sequence[Question], rankings_by_method: Mapping[str, list[list[str]]]) -> str:
    """A Markdown table with the nDCG@10 of every method for all questions, each tag and each tool."""
    groups: dict[str, list[int]] = {"all": list(range(len(questions)))}
    for tag in sorted({question.tag for question in questions}):
        groups[tag] = [place for place, question in enumerate(questions) if question.tag == tag]
    for tool in sorted({question.tool for question in questions}):
        groups[f"`{tool}`"] = [place for place, question in enumerate(questions) if question.tool == tool]
    lines = [f"| | questions | {' | '.join(rankings_by_method)} |", "|---|---|" + "---|" * len(rankings_by_method)]
    for group, places in groups.items():
        means = [
            statistics.fmean(measure(lists[n], questions[n]).ndcg for n in places)
            for lists in rankings_by_method.values()
        ]
        lines.append(f"| {group} | {len(places)} | {' | '.join(f'{mean:.3f}' for mean in means)} |")
    return "\n".join(lines)


def worst(questions: Sequence[Question], lists: Sequence[list[str]], count: int) -> str:
    """The questions that a method answers worst, with the names that it ranks first."""
    scored = [
        (measure(names, question).ndcg, question, names) for question, names in zip(questions, lists, strict=True)
    ]
    ordered = sorted(scored, key=lambda scores: scores[0])[:count]
    return "\n".join(
        f"  {ndcg:.2f} {question.tool} {question.text!r}: {names[:6]}" for ndcg, question, names in ordered
    )


def pool(questions: Sequence[Question], rankings_by_method: Mapping[str, list[list[str]]], deep: int = 5) -> None:
    """Hits that several methods rank high and nobody has judged, in an order that does not reveal the method."""
    for place, question in enumerate(questions):
        hits = Counter(name for lists in rankings_by_method.values() for name in {*lists[place][:deep]})
        missing = sorted(name for name, count in hits.items() if count > 1 and fold(name) not in question.grades)
        if missing:
            print(f"{question.id} {question.text!r}: {', '.join(missing)}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--questions", type=Path, default=OWN)
    parser.add_argument("--shipped", action="store_true", help="only the shipped ranking")
    parser.add_argument("--half", choices=("tuned", "untouched"), help="only one half of the questions")
    parser.add_argument("--groups", action="store_true", help="every tag and tool apart")
    parser.add_argument("--pool", action="store_true", help="list hits without a judgment instead")
    parser.add_argument("--worst", type=int, default=0, help="print so many of the questions answered worst")
    options = parser.parse_args()
    questions = load(options.questions)
    if options.half:
        is_untouched = options.half == "untouched"
        questions = [question for question in questions if question.untouched is is_untouched]
    rankings_by_method = asyncio.run(answers(options.store, questions, every=not options.shipped))
    if options.pool:
        pool(questions, rankings_by_method)
        return
    for untouched, half in ((False, "tuned half"), (True, "untouched half")):
        places = [place for place, question in enumerate(questions) if question.untouched is untouched]
        if places:
            chosen = [questions[place] for place in places]
            of_half = {method: [lists[place] for place in places] for method, lists in rankings_by_method.items()}
            print(f"{half}\n\n{table(chosen, of_half)}\n")
            if options.groups:
                print(f"{by_group(chosen, of_half)}\n")
    if options.worst:
        print(worst(questions, rankings_by_method[SHIPPED], options.worst))


if __name__ == "__main__":
    main()
