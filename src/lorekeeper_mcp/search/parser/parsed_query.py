"""What a question says of filters and of their order, and the sentences that tell how it was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.filters import Applied, Scalar
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.query import Sort

_LEVEL_ARGUMENTS = frozenset({"level", "level_min", "level_max"})
_MEANS_ONE = frozenset({"cr", "cr_min", "cr_max"})  # no other kind has a challenge rating


@dataclass(frozen=True)
class ParsedQuery:
    """What a question says of filters: ``filters`` restrict, ``boosts`` make more likely.

    ``understood`` is also true where it repeats arguments that were given; ``whole`` is so where nothing else is
    said, so that one match is as good as another; then ``sort`` is the order that it asks for. ``says_kind`` where the
    question says the kind that has them. ``unmet`` are filters in it that nothing fulfils beside the others.
    """

    filters: tuple[Applied, ...] = ()
    boosts: tuple[Applied, ...] = ()
    understood: bool = False
    whole: bool = False
    says_kind: bool = False
    sort: Sort | None = None
    unmet: tuple[Applied, ...] = ()

    @property
    def unambiguous(self) -> bool:
        """Whether, asked of every kind, it can only be meant of the one that has these filters."""
        means_one = len(self.filters) > 1 or any(one.filter.argument in _MEANS_ONE for one in self.filters)
        return self.whole and (means_one or self.sort is not None or self.says_kind)

    @property
    def may_mean_characters(self) -> bool:
        """Whether, asked of every kind, its level may be that of characters: "an ambush for level 3"."""
        return not self.whole and any(one.filter.argument in _LEVEL_ARGUMENTS for one in self.filters)

    def ever_weaker(self) -> Iterator[ParsedQuery]:
        """The same, then with ever fewer filters, the surest of them first; the others are ``unmet``."""
        if self.filters or self.whole:
            yield self
        for count in range(len(self.filters) - 1, 0, -1):
            yield replace(self, filters=self.filters[:count], unmet=self.filters[count:], whole=False, sort=None)

    def hints(self) -> list[str]:
        """Sentences on how a question to one tool was read."""
        higher = [f"Ranked higher: {_told(self.boosts)}."] if self.boosts else []
        return [*filters_hint(self.filters), *self._more_hints(), *higher]

    def hints_of(self, family: Family) -> list[str]:
        """The same where other families are asked too: what leaves some of this one out."""
        return [*filters_hint(self.filters, f" on {family}"), *self._more_hints()]

    def _more_hints(self) -> list[str]:
        unmet = [f"Nothing has {_told(self.unmet)} as well."] if self.unmet else []
        if self.sort is None:
            return unmet
        first = "highest" if self.sort.is_falling else "lowest"
        return [*unmet, f"Sorted by {self.sort.column.replace('_', ' ')}, the {first} first."]


def filters_hint(filters: Sequence[Applied], where: str = "") -> list[str]:
    """A sentence on filters that were read in words; none without any."""
    return [f"Read as a filter{where}: {_told(filters)}."] if filters else []


def _told(applied: Iterable[Applied]) -> str:
    return ", ".join(f"{one.filter.argument}={' or '.join(map(_plain, one.values))}" for one in applied)


def _plain(value: Scalar) -> str:
    """A value as an argument has it; of a qualified one (``fly=60``) the qualifier behind it."""
    if isinstance(value, float):
        return f"{value:g}"
    qualifier, _, own = str(value).lower().rpartition("=")
    return f"{own} ({qualifier})" if qualifier else own
