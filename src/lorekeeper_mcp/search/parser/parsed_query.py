"""The filters and the order parsed from a question, and the hints that say how it was interpreted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lorekeeper_mcp.filters import ActiveFilter, Scalar
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.models.vocabulary import ABILITIES, DAMAGE_TYPES
from lorekeeper_mcp.query import Sort

_LEVEL_ARGUMENTS = frozenset({"level", "level_min", "level_max"})
_CASTS = "casts"
_MEANS_ONE = frozenset({"cr", "cr_min", "cr_max"})  # only creatures have a challenge rating


@dataclass(frozen=True)
class ParsedQuery:
    """The filters in a question: ``filters`` restrict, ``boosts`` only raise the score, ``exclusions`` rule out.

    ``has_filters`` is also true if the question repeats given arguments. ``filters_only`` if it says nothing else, so
    that all matches are equally good; ``sort`` is then the order it asks for. ``names_kind`` if it names the kind that
    has these filters, or asks for a list without one. ``unmet`` are filters in it that nothing matches together with
    the others.
    """

    filters: tuple[ActiveFilter, ...] = ()
    boosts: tuple[ActiveFilter, ...] = ()
    exclusions: tuple[ActiveFilter, ...] = ()
    has_filters: bool = False
    filters_only: bool = False
    names_kind: bool = False
    sort: Sort | None = None
    unmet: tuple[ActiveFilter, ...] = ()

    @property
    def is_unambiguous(self) -> bool:
        """Whether, in a search of all kinds, the question can only mean the one with these filters."""
        means_one = len(self.filters) > 1 or any(one.filter.argument in _MEANS_ONE for one in self.filters)
        return self.filters_only and (means_one or self.sort is not None or self.names_kind)

    def may_mean_characters(self, kinds: frozenset[Kind]) -> bool:
        """Whether, in a search of all kinds, characters may be meant: "an ambush for level 3", "who can cast Wish".

        ``kinds`` are those that the question mentions.
        """
        arguments = {active.filter.argument for active in self.filters}
        has_level = not arguments.isdisjoint(_LEVEL_ARGUMENTS) and Kind.SPELL not in kinds
        return (has_level and not self.filters_only) or (_CASTS in arguments and not kinds)

    def relaxed_queries(self) -> Iterator[ParsedQuery]:
        """Yield the same query, then with ever fewer filters, least certain first dropped; these become ``unmet``."""
        if self.filters or self.filters_only or self.exclusions:
            yield self
        for count in range(len(self.filters) - 1, 0, -1):
            yield replace(self, filters=self.filters[:count], unmet=self.filters[count:], filters_only=False, sort=None)

    def hints(self) -> list[str]:
        """Hints that say how a question to one tool was interpreted."""
        higher = [f"Ranked higher: {_listed(self.boosts)}."] if self.boosts else []
        return [*self._filter_hints(), *self._more_hints(), *higher]

    def hints_of(self, family: Family) -> list[str]:
        """The same if other families are searched, too: only what excludes records of this one."""
        return [*self._filter_hints(f" for {family}"), *self._more_hints()]

    def _filter_hints(self, where: str = "") -> list[str]:
        excluded = [f"Excluded{where}: {_listed(self.exclusions)}."] if self.exclusions else []
        return [*filters_hint(self.filters, where), *excluded]

    def _more_hints(self) -> list[str]:
        unmet = [f"No result also matches {_listed(self.unmet)}, so this was ignored."] if self.unmet else []
        if self.sort is None:
            return unmet
        first = "highest" if self.sort.is_descending else "lowest"
        return [*unmet, f"Sorted by {self.sort.column.replace('_', ' ')}, {first} first."]


def filters_hint(filters: Sequence[ActiveFilter], where: str = "") -> list[str]:
    """A sentence about filters that were parsed from words; nothing if there are none."""
    return [f"Interpreted as a filter{where}: {_listed(filters)}."] if filters else []


def _listed(active: Iterable[ActiveFilter]) -> str:
    return ", ".join(f"{one.filter.argument}={_values(one)}" for one in active)


def _values(active: ActiveFilter) -> str:
    whole = active.values in (ABILITIES, DAMAGE_TYPES)
    return "any" if whole else " or ".join(map(_plain, active.values))


def _plain(value: Scalar) -> str:
    """A value as arguments have it; of a qualified value (``fly=60``) the part after ``=``."""
    if isinstance(value, float):
        return f"{value:g}"
    qualifier, _, own = str(value).lower().rpartition("=")
    return f"{own} ({qualifier})" if qualifier else own
