"""An answer as clients get it: once as text, once as structured content, each whole, both within a budget."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from fastmcp.tools import ToolResult

from lorekeeper_mcp.answer import Answer, Hit
from lorekeeper_mcp.models import Edition
from lorekeeper_mcp.render.brief import facts, index_line
from lorekeeper_mcp.render.full import markdown
from lorekeeper_mcp.tools import cursor as cursors

DEFAULT_BUDGET = 8_000  # characters of an answer to a call that asked for no size
LARGEST_BUDGET = 40_000
_MOST_VARIANTS = 40  # names of variants in a result; the rest are counted
_RESERVE = 900  # characters for what surrounds the results


@dataclass(frozen=True)
class RenderedHit:
    """One result in both forms."""

    text: str
    structured: dict[str, object]

    @property
    def size(self) -> int:
        """Characters of the larger form."""
        return max(len(self.text), len(json.dumps(self.structured, ensure_ascii=False)) + 2)


def result(
    answer: Answer, *, offset: int, question: str, detail: str, budget: int, edition: Edition | None
) -> ToolResult:
    """The page as both channels carry it; cut at an entity's border where it would grow over the budget."""
    shown, hints = _fitting(answer.hits, detail, budget - _RESERVE, edition)
    cut = len(shown) < len(answer.hits)
    following = offset + len(shown) if cut else answer.next_offset
    if cut:
        hints.append("This page was cut to its size: go on with next_cursor.")
    next_cursor = cursors.encode(following, question) if following is not None else None
    hint = " ".join([*answer.hints, *hints])[: _RESERVE - 300]
    as_of = answer.as_of.isoformat() if answer.as_of else None
    envelope: dict[str, object] = {
        "results": [one.structured for one in shown],
        "total": answer.total,
        "next_cursor": next_cursor,
        "complete": answer.complete,
        "cache": str(answer.cache),
        "as_of": as_of,
        "hint": hint or None,
    }
    return ToolResult(content=_text(shown, answer, offset, next_cursor, hint, as_of), structured_content=envelope)


def _fitting(
    hits: Sequence[Hit], detail: str, budget: int, edition: Edition | None
) -> tuple[list[RenderedHit], list[str]]:
    shown: list[RenderedHit] = []
    hints: list[str] = []
    size = 0
    for place, hit in enumerate(hits):
        whole = detail == "full" or (detail == "auto" and (len(hits) == 1 or (place == 0 and hit.exact)))
        one = _full(hit, edition) if whole else _brief(hit)
        if whole and size + one.size > budget and detail == "auto":
            one = _brief(hit)
            hints.append(f'{hit.record.name} is long: call with detail="full" for the whole record.')
        if whole and not shown and one.size > budget:
            one = _cut(one, budget)
            hints.append(f"{hit.record.name} is longer than an answer may be and was cut.")
        if shown and size + one.size > budget:
            break
        shown.append(one)
        size += one.size
    return shown, hints


def _cut(one: RenderedHit, budget: int) -> RenderedHit:
    """A single record beyond every budget, cut at a paragraph."""
    room = max(1000, budget - (one.size - len(one.text)) - 200)
    text = cut_at_paragraph(one.text, room)
    return RenderedHit(text, {**one.structured, "text": text})


def cut_at_paragraph(text: str, room: int) -> str:
    """The text, of one that is longer than its room as many whole paragraphs as fit, and a mark."""
    return text if len(text) <= room else text[: room - 10].rpartition("\n\n")[0] + "\n\n… (cut)"


def identity(hit: Hit) -> dict[str, object]:
    """What every result says of itself."""
    record = hit.record
    told: dict[str, object] = {
        "kind": str(record.kind),
        "key": record.key,
        "name": record.name,
        "document": record.document_name,
        "document_key": record.document_key,
        "document_name": record.document_name,
        "document_source": str(record.document_source),
        "edition": ", ".join(record.editions) or None,
        "license": record.license or None,
    }
    if hit.score is not None:
        told["similarity_score"] = round(hit.score, 4)
    if hit.also_in:
        told["also_in"] = list(hit.also_in)
    if hit.variants:
        told["variants"] = list(hit.variants[:_MOST_VARIANTS])
        told["variant_count"] = len(hit.variants)
    return told


def _brief(hit: Hit) -> RenderedHit:
    found = facts(hit.record)
    return RenderedHit(f"- {index_line(hit.record, found)} {_origin(hit)}", {**identity(hit), **found})


def _full(hit: Hit, edition: Edition | None) -> RenderedHit:
    text = markdown(hit.record, edition)
    return RenderedHit(f"{text}\n\n{_origin(hit, whole=True)}\n", {**identity(hit), **facts(hit.record), "text": text})


def _origin(hit: Hit, *, whole: bool = False) -> str:
    """Kind, key, source, edition, licence and score of a result, in one bracket; a whole page tells most itself."""
    told = identity(hit)
    parts = [f"{told['kind']} `{told['key']}`"]
    if whole:
        parts.append(str(told["document_source"]))
    else:
        parts.append(f"{told['document']} ({told['document_key']}, {told['document_source']})")
        parts += [str(told[name]) for name in ("edition", "license") if told[name]]
    if hit.also_in:
        parts.append(f"also in {', '.join(hit.also_in)}")
    if hit.variants:
        further = len(hit.variants) - _MOST_VARIANTS
        more = f" and {further} more" if further > 0 else ""
        parts.append(f"variants: {'; '.join(hit.variants[:_MOST_VARIANTS])}{more}")
    if hit.score is not None:
        parts.append(f"score {told['similarity_score']}")
    return f"[{' · '.join(parts)}]"


def _text(
    shown: Sequence[RenderedHit], answer: Answer, offset: int, next_cursor: str | None, hint: str, as_of: str | None
) -> str:
    first = f"{offset + 1}–{offset + len(shown)} of " if shown and len(shown) < answer.total else ""
    held = f"{answer.cache}{f', data of {as_of}' if as_of else ''}"
    lines = [
        f"{first}{answer.total} {'result' if answer.total == 1 else 'results'}"
        f" ({'complete' if answer.complete else 'NOT complete'}; {held})"
    ]
    if hint:
        lines.append(f"Hint: {hint}")
    lines += ["", *(one.text for one in shown)]
    if next_cursor:
        lines += ["", f"More: call again with cursor={next_cursor}"]
    return "\n".join(lines)
