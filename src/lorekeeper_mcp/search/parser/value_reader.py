"""Collects the values of one question's filters while its phrases are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from lorekeeper_mcp.filters import FilterValue, Scalar
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.search.parser.filter_phrase import AllOf, FilterPhrase
from lorekeeper_mcp.search.parser.filter_phrases import is_of_another

# Arguments of which a record may have several values; not those for damage, whose phrases overlap.
_MULTI_VALUED = frozenset({"property", "sense", "speed", "condition_immunity", "language"})
# Right before a phrase: things that have the value are not wanted.
_NEGATION = re.compile(
    r"\b(?:(?:that |which |who )?(?:are |is )?not|non|no|without|isn't|aren't|don't|doesn't|can't|cannot|lack(?:s|ing)?"
    r"|except|besides|other than|instead of)[\s-](?:an? |any |the |be |deal |have )*$"
)


@dataclass
class ValueReader:
    """Collects the values in a question to one family; phrases already read are blanked out of ``rest``."""

    text: str
    family: Family
    rest: str = ""
    filters: list[tuple[str, FilterValue]] = field(default_factory=list)
    boosts: list[tuple[str, FilterValue]] = field(default_factory=list)
    exclusions: list[tuple[str, FilterValue]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rest = self.text

    def has(self, *arguments: str) -> bool:
        """Whether one of the arguments has a value."""
        return any(argument in arguments for argument, _ in (*self.filters, *self.boosts, *self.exclusions))

    def blank(self, span: tuple[int, int]) -> None:
        """Blank out a phrase."""
        self.rest = f"{self.rest[: span[0]]}{' ' * (span[1] - span[0])}{self.rest[span[1] :]}"

    def boost_if(self, pattern: str, argument: str, value: Callable[[re.Match[str]], Scalar], within: str = "") -> None:
        """Add a boost for an argument if a pattern matches; two different values are no preference."""
        self._exclude_negated(re.compile(pattern), argument, value)
        searched = within or self.text
        hits = [hit for hit in re.finditer(pattern, searched) if not _NEGATION.search(searched[: hit.start()])]
        values = {value(hit) for hit in hits}
        if len(values) == 1 and not self.has(argument):
            self.boosts.append((argument, values.pop()))
            for hit in hits:
                self.blank(hit.span())

    def _exclude_negated(
        self, pattern: re.Pattern[str], argument: str, value: Callable[[re.Match[str]], FilterValue]
    ) -> None:
        """Exclude the values of phrases after a negation: "without darkvision", "not undead"."""
        for hit in pattern.finditer(self.text):
            negation = _NEGATION.search(self.text[: hit.start()])
            if negation and (argument in _MULTI_VALUED or not self.has(argument)):
                self.exclusions.append((argument, value(hit)))
                self.blank((negation.start(), hit.end()))

    def _is_negated(self, hit: re.Match[str]) -> bool:
        if _NEGATION.search(self.text[: hit.start()]):
            return True
        return is_of_another(self.rest[: hit.start()], self.family)  # without negations of what is read already

    def read(self, phrase: FilterPhrase) -> None:
        """Add the value of an argument.

        A record that has a list of values has to have all that the question names: "heavy weapons with reach". Of any
        other argument the first phrase counts, and two different values count as none unless "and" joins them.
        """
        self._exclude_negated(phrase.pattern, phrase.argument, phrase.value)
        hits = [hit for hit in phrase.pattern.finditer(self.text) if not self._is_negated(hit)]
        stated = list(dict.fromkeys(phrase.value(hit) for hit in hits))
        values = [value for together in stated for value in (together if isinstance(together, AllOf) else [together])]
        read = self.filters if phrase.restricts else self.boosts
        if phrase.argument in _MULTI_VALUED:
            read += [(phrase.argument, value) for value in values if (phrase.argument, value) not in read]
        elif len(stated) == 1 and not self.has(phrase.argument):
            read += [(phrase.argument, value) for value in values]
        else:
            return
        for hit in hits:
            self.blank(hit.span())
