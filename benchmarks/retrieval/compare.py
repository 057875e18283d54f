"""Prints how well ways of ranking answer judged questions: ``uv run python -m benchmarks.retrieval.compare STORE``.

STORE is a folder that holds everything (``lorekeeper-mcp sync`` fills one). Without ``--questions`` the questions are
our own, one half of which (drawn by a hash) is never tuned on. ``--pool`` lists hits that nobody has judged yet.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.retrieval.judged import OWN, Measures, Question, load, measure
from benchmarks.retrieval.methods import METHODS, SHIPPED, rankings, shipped
from benchmarks.retrieval.opened import opened
from lorekeeper_mcp.text import fold

Scored = list[tuple[Question, Measures]]


async def answers(folder: Path, questions: Sequence[Question], *, every: bool) -> dict[str, list[list[str]]]:
    """The names that every method, or the shipped one alone, gives for each question."""
    async with opened(folder) as store:
        if not every:
            return {SHIPPED: [await shipped(store, question) for question in questions]}
        found = [await rankings(store, question) for question in questions]
    return {method: [lists[method] for lists in found] for method in METHODS}


def rows(scored: Scored) -> list[str]:
    """A line of a Markdown table for each group of questions: all, each half, each tag, each tool."""
    groups: dict[str, list[Measures]] = defaultdict(list)
    for question, measures in scored:
        half = "untouched half" if question.untouched else "tuned half"
        for group in ("all", half, question.tag, question.tool):
            groups[group].append(measures)
    first = {"all": 0, "tuned half": 1, "untouched half": 2}
    return [_row(group, groups[group]) for group in sorted(groups, key=lambda group: (first.get(group, 3), group))]


def _row(group: str, members: Sequence[Measures]) -> str:
    ndcg, mrr, recall = (statistics.fmean(getattr(one, name) for one in members) for name in ("ndcg", "mrr", "recall"))
    return f"| {group} | {len(members)} | {ndcg:.3f} | {mrr:.3f} | {recall:.3f} |"


def show(questions: Sequence[Question], found: Mapping[str, list[list[str]]], *, whole: bool, worst: int) -> None:
    """One table of the methods, or the groups of each; then the questions that the last method answers worst."""
    print("| method | questions | nDCG@10 | MRR | recall@20 |\n|---|---|---|---|---|")
    scored: Scored = []
    for method, lists in found.items():
        scored = [(question, measure(names, question)) for question, names in zip(questions, lists, strict=True)]
        print("\n".join(rows(scored)) if whole else _row(method, [one for _, one in scored]))
    ordered = sorted(zip(scored, list(found.values())[-1], strict=True), key=lambda one: one[0][1].ndcg)
    for (question, measures), names in ordered[:worst]:
        print(f"  {measures.ndcg:.2f} {question.tool} {question.text!r}: {names[:6]}")


def pool(questions: Sequence[Question], found: Mapping[str, list[list[str]]], deep: int = 5) -> None:
    """Hits that several methods put among their first and no judgment covers, in an order that tells no method."""
    for place, question in enumerate(questions):
        hits = Counter(name for lists in found.values() for name in {*lists[place][:deep]})
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
        questions = [one for one in questions if one.untouched is (options.half == "untouched")]
    found = asyncio.run(answers(options.store, questions, every=not options.shipped))
    if options.pool:
        pool(questions, found)
    else:
        show(questions, found, whole=options.groups, worst=options.worst)


if __name__ == "__main__":
    main()
