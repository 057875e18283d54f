"""Regular expressions from a file, applied only if they are sure to end soon."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lorekeeper_mcp.sources.imported import ItemError

_LONGEST = 200  # characters of a pattern
_MOST = 500_000  # steps on one text
# A repeated group, or a reference to one, may never end; any other repetition is of single characters.
_UNBOUNDED = re.compile(r"\)[*+{?]|\\[1-9]|\(\?(?!:)")
_REPEATED = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\\[\](){}|*+?^$])(?:[*+]|\{\d*,?\d*\})")


@dataclass(frozen=True)
class BoundedPattern:
    """A compiled pattern with its repetitions."""

    compiled: re.Pattern[str]
    repeated: tuple[re.Pattern[str], ...]

    def matches(self, text: str) -> bool:
        """Whether a text matches. Raises ItemError if that may take too long."""
        self._check(text)
        return bool(self.compiled.search(text))

    def replace_in(self, text: str, new: str) -> str:
        """Replace every match in a text. Raises ItemError if that may take too long."""
        self._check(text)
        try:
            return self.compiled.sub(new, text)
        except (re.error, IndexError) as error:  # the replacement names a group that the pattern does not have
            raise ItemError(f'its replacement "{new[:60]}" cannot be made: {error}') from None

    def _check(self, text: str) -> None:
        """Count the steps of the worst case: each repetition may end anywhere in the longest run that it matches."""
        steps = len(text)
        for one in self.repeated:
            steps *= 1 + max((len(run[0]) for run in one.finditer(text)), default=0)
            if steps > _MOST:
                raise ItemError(f'its pattern "{self.compiled.pattern[:60]}" is too complex for its text')


def compile_pattern(text: str, flags: str) -> BoundedPattern:
    """Compile a pattern. Raises ItemError if it is invalid or may take too long."""
    if len(text) > _LONGEST or _UNBOUNDED.search(text):
        raise ItemError(f'its pattern "{text[:60]}" is too complex')
    options = re.IGNORECASE if "i" in flags else 0
    try:
        runs = tuple(re.compile(f"{found[1]}+", options) for found in _REPEATED.finditer(text))
        return BoundedPattern(re.compile(text, options), runs)
    except re.error as error:
        raise ItemError(f'its pattern "{text[:60]}" is invalid: {error}') from None
