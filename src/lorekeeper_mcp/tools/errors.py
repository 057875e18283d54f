"""Errors as sentences: what was wrong, what is allowed, what to call instead. Nothing of our insides."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence

import pydantic
from fastmcp.exceptions import NotFoundError, ToolError, ValidationError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp.types import CallToolRequestParams
from rapidfuzz import process

log = logging.getLogger(__name__)
LONGEST = 600  # characters of an error


def steer(sentence: str) -> ToolError:
    """An error that the caller can mend: not logged as a fault of ours."""
    return ToolError(sentence[:LONGEST], log_level=logging.DEBUG)


class SteeringErrors(Middleware):
    """Turns every fault of a call into a sentence within the error budget."""

    def __init__(self, arguments: Mapping[str, Sequence[str]]) -> None:
        self._arguments = arguments

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        """Run the call; what goes wrong leaves as a ToolError."""
        name = context.message.name
        try:
            return await call_next(context)
        except ToolError as error:
            if isinstance(error.__cause__, Exception):  # FastMCP has masked a fault of ours
                raise self._fault(name, error.__cause__) from None
            raise
        except (ValidationError, pydantic.ValidationError) as error:
            cause = error if isinstance(error, pydantic.ValidationError) else error.__cause__
            if isinstance(cause, pydantic.ValidationError):
                raise steer(self._explain(name, cause)) from None
            raise steer("The arguments cannot be read; give them as one JSON object.") from None
        except NotFoundError:
            near = self._nearest(name, self._arguments)
            known = f"there are {', '.join(self._arguments)}."
            raise steer(f'There is no tool "{name[:60]}"; {near or known}') from None
        except Exception as error:  # noqa: BLE001 - the border: whatever goes wrong inside leaves as a sentence
            raise self._fault(name, error) from None

    @staticmethod
    def _fault(name: str, error: Exception) -> ToolError:
        """What the caller cannot mend: logged with its cause, told without it."""
        log.error("%s failed: %s: %s", name, type(error).__name__, str(error)[:300])
        return steer(
            f"{name} could not answer because of a fault of this server; it has been logged. "
            "Other questions still work: try again, or ask more narrowly."
        )

    def _explain(self, tool: str, error: pydantic.ValidationError) -> str:
        faults = [fault for fault in error.errors(include_url=False) if fault["type"] != "none_required"]
        sentences = [
            self._sentence(tool, fault["type"], _location(fault["loc"]), fault["msg"], fault.get("input"))
            for fault in faults[:3]
        ]
        return " ".join(dict.fromkeys(sentences))

    def _sentence(self, tool: str, kind: str, where: str, message: str, value: object) -> str:
        known = self._arguments.get(tool, ())
        if kind in ("unexpected_keyword_argument", "extra_forbidden"):
            near = self._nearest(where, known)
            return f"{tool} has no argument {where[:60]!r}; {near or 'it takes ' + ', '.join(known) + '.'}"
        if kind in ("missing", "missing_argument", "missing_keyword_only_argument"):
            return f"{tool} needs {where}."
        shown = repr(value)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}…"
        if kind == "literal_error":
            return f"{where} cannot be {shown}: {_allowed(message, value)}"
        return f"{where} cannot be {shown}: {_reason(message)}."

    @staticmethod
    def _nearest(word: str, known: Sequence[str] | Mapping[str, object]) -> str:
        if word in ("name", "query", "semantic_query", "q") and "search" in known:
            return "names and plain words go into search."
        if word == "document_keys" and "documents" in known:
            return "name them in documents."
        near = [match for match, _, _ in process.extract(word, list(known), limit=3, score_cutoff=60)]
        return f"did you mean {' or '.join(near)}?" if near else ""


# Pydantic's own steps inside a type, which no caller knows.
_STEPS = re.compile(r"^(function-|constrained-|literal\[|\[key\]|bool$|int$|float$|str$|list\[|dict\[)")
_QUOTED = re.compile(r"'([^']*)'")


def _location(path: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in path if not _STEPS.match(str(part))) or "it"


def _allowed(message: str, value: object) -> str:
    """The values that an enumeration has, the nearest first where one is near."""
    values = _QUOTED.findall(message)
    near = process.extractOne(str(value)[:60], values, score_cutoff=70)
    allowed = ", ".join(values)
    return f"did you mean {near[0]}? Allowed are {allowed}." if near else f"allowed are {allowed}."


def _reason(message: str) -> str:
    """Pydantic's message without its own words for types."""
    text = message.removeprefix("Value error, ").removeprefix("Input ").partition(", unable")[0]
    text = text.replace("should be a valid integer", "it must be a whole number").replace("should be", "it must be")
    text = text.replace("a valid ", "a ").replace("a boolean", "true or false").replace("a dictionary", "an object")
    return text[0].lower() + text[1:] if text else "it is not allowed"
