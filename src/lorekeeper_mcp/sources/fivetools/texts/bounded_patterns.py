"""Regular expressions from a file, applied only if they are sure to end soon."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lorekeeper_mcp.sources.imported import ItemError

_MAX_LENGTH = 200  # characters of a pattern
_MAX_STEPS = 500_000  # on one text
# A repeated group, or a reference to one, may never end; any other repetition is of single characters.
_UNBOUNDED = re.compile(r"\)[*+{?]|\\[1-9]|\(\?(?!:)")
_REPETITION = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\\[\](){}|*+?^$])(?:[*+]|\{\d*,?\d*\})")


@dataclass(frozen=True)
class BoundedPattern:
    """A compiled pattern, with a pattern for the runs of characters that each of its repetitions matches."""

    compiled: re.Pattern[str]
    repetitions: tuple[re.Pattern[str], ...]

    def matches(self, text: str) -> bool:
        """Whether a text matches. Raises ItemError if that may take too long."""
        self._check(text)
        return bool(self.compiled.search(text))

    def replace_in(self, text: str, replacement: str) -> str:
        """Replace every match in a text. Raises ItemError if that may take too long."""
        self._check(text)
        try:
            return self.compiled.sub(replacement, text)
        except (re.error, IndexError) as error:  # the replacement names a group that the pattern does not have
            raise ItemError(f'its replacement "{replacement[:60]}" is invalid: {error}') from None

    def _check(self, text: str) -> None:
        """Count the steps of the worst case: each repetition may end anywhere in the longest run that it matches."""
        steps = len(text)
        for repetition in self.repetitions:
            steps *= 1 + max((len(run[0]) for run in repetition.finditer(text)), default=0)
            if steps > _MAX_STEPS:
                raise ItemError(f'its pattern "{self.compiled.pattern[:60]}" is too complex for its text')


def compile_pattern(text: str, flags: str) -> BoundedPattern:
    """Compile a pattern. Raises ItemError if it is invalid or may take too long."""
    if len(text) > _MAX_LENGTH or _UNBOUNDED.search(text):
        raise ItemError(f'its pattern "{text[:60]}" is too complex')
    options = re.IGNORECASE if "i" in flags else 0
    try:
        repetitions = tuple(re.compile(f"{match[1]}+", options) for match in _REPETITION.finditer(text))
        return BoundedPattern(re.compile(text, options), repetitions)
    except re.error as error:
        raise ItemError(f'its pattern "{text[:60]}" is invalid: {error}') from None
