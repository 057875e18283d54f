"""The edition named in a question: "grappling in the 2024 rules"."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Edition

# A number that is part of a key or has a unit is not a year: srd-2024_grappled, 2014 gp.
_EDITION = re.compile(
    r"[(,]?\s*(?<![\w-])(?:(?:in|under|by|per|for|of|with|using) )?(?:the )?(2014|2024|a5e|5\.5e)"
    r"(?![\w-]|\s*(?:[gsc]p|xp|feet|ft|lb)\b)"
    r"(?:[' ]?s? ?(?:edition|rules?|version|phb|srd|books?)\b)?[),:]?",
    re.IGNORECASE,
)
_EDITIONS = {"2014": Edition.E2014, "2024": Edition.E2024, "5.5e": Edition.E2024, "a5e": Edition.A5E}


EDITION_WORDS = frozenset(_EDITIONS)


def compared_editions(search: str) -> frozenset[str]:
    """The words for the editions that a question compares: "2014 or 2024", "old vs new rules"; none if it does not."""
    words = frozenset(re.findall(r"[\w.]+", search.casefold()))
    compared = words & (EDITION_WORDS | {"old", "new"})
    return compared if len(compared) > 1 else frozenset()


def extract_edition(search: str) -> tuple[str, Edition | None]:
    """Return a question without the edition it names, and the edition.

    If it names none or several, return it unchanged, and None.
    """
    editions = {_EDITIONS[found[1].lower()] for found in _EDITION.finditer(search)}
    left = " ".join(_EDITION.sub(" ", search).split())
    if len(editions) != 1 or not re.search(r"\w", left):
        return search, None
    return left, editions.pop()
