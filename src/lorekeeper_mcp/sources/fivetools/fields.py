"""An item's fields: each is taken once, and what nobody has taken is shown under its own name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.leaves import listed, with_values
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text
from lorekeeper_mcp.sources.fivetools.texts.values import told

# Bookkeeping of the site, which no reader needs: where something is printed (``page``, ``srd``, ``reprintedAs``),
# pictures and sounds, and lists that it computes from the texts to filter by (``…Tags``, ``…Inflict``).
PASSED_OVER = frozenset(
    {
        "_copy", "_isCopy", "_mod", "_rawName", "actionTags", "additionalSources", "altArt", "areaTags",
        "attachedItems", "basicRules", "basicRules2024", "conditionInflict", "conditionInflictLegendary",
        "conditionInflictSpell", "damageInflict", "damageTags", "damageTagsLegendary", "damageTagsSpell",
        "dragonAge", "edition", "hasFluff", "hasFluffImages", "hasRefs", "hasToken", "isNamedCreature", "isNpc",
        "languageTags", "miscTags", "otherSources", "page", "referenceSources", "reprintedAs", "reqAttuneTags",
        "savingThrowForced", "savingThrowForcedLegendary", "savingThrowForcedSpell", "senseTags", "soundClip", "srd",
        "srd52", "spellcastingTags", "token", "tokenCredit", "tokenCustom", "tokenHref", "tokenHref3d", "tokenUrl",
        "traitTags", "uniqueId", "legacy", "isReprinted", "noDisplay", "reqAttuneAlt", "reqAttuneAltTags",
        "atomicPackContents",
    }
)  # fmt: skip
_FRACTION = re.compile(r"\s*(\d{1,6}(?:\.\d{1,3})?)(?:\s*/\s*(\d{1,3}))?\s*")
_MOST = 1_000_000_000  # more than any number of the game, less than any that the cache refuses


class Fields:
    """The fields of one item."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values
        self._taken: set[str] = set()

    def take(self, name: str) -> object:
        """A field's value, which is then accounted for; None where there is none."""
        self._taken.add(name)
        return self._values.get(name)

    def renamed(self, names: Callable[[Mapping[str, object]], Mapping[str, object]]) -> Fields:
        """The fields that nobody has taken, under other names."""
        return Fields(names({name: value for name, value in self._values.items() if name not in self._taken}))

    def look(self, name: str) -> object:
        """A field's value without taking it."""
        return self._values.get(name)

    def text(self, name: str) -> str:
        """A field as Markdown."""
        return markdown(self.take(name))

    def line(self, name: str) -> str:
        """A field as one line."""
        return inline(self.take(name))

    def whole(self, name: str) -> int | None:
        """A whole number, also one written as text: ``"+5"``."""
        value = self.take(name)
        number = whole(value)
        if number is None and value is not None:
            self._taken.discard(name)  # what is no number is shown as it is
        return number

    def decimal(self, name: str) -> float | None:
        """A number, also one written as text: ``"1/4"``."""
        value = self.take(name)
        number = decimal(value)
        if number is None and value is not None:
            self._taken.discard(name)
        return number

    def flag(self, name: str) -> bool:
        """Whether a field is true; what is no truth value is shown as it is."""
        value = self.take(name)
        if value not in (True, False, None):
            self._taken.discard(name)
        return value is True

    def entries(self, name: str) -> list[object]:
        """A field that is a list; a single value counts as a list of one."""
        return listed(self.take(name))

    def filled(self, text: str) -> str:
        """A text with the item's own values in it."""
        return str(with_values(text, self._values))

    def drop(self, *names: str) -> None:
        """Count fields as taken."""
        self._taken.update(names)

    def other(self) -> tuple[Section, ...]:
        """What nobody has taken, under its own name."""
        return tuple(
            Section(name=name, text=text)
            for name, value in self._values.items()
            if name not in self._taken and name not in PASSED_OVER and not name.startswith("foundry")
            if value is not False and (text := told(value))
        )


def whole(value: object) -> int | None:
    """A whole number of at most nine digits, also from a text such as ``+5``."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if abs(value) < _MOST and value == int(value) else None
    found = re.fullmatch(r"\s*([+-]?\d{1,9})\s*", value) if isinstance(value, str) else None
    return int(found[1]) if found else None


def decimal(value: object) -> float | None:
    """A number below a thousand million, also from a text such as ``1/4``."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < _MOST else None
    found = _FRACTION.fullmatch(value) if isinstance(value, str) else None
    if not found:
        return None
    under = float(found[2] or 1)
    return float(found[1]) / under if under else None


def mapping(value: object) -> Mapping[str, object]:
    """An object; empty where there is something else."""
    return value if isinstance(value, Mapping) else {}


def texts(values: Iterable[object]) -> list[str]:
    """The texts among some values, tags as words."""
    return [plain_text(value) for value in values if isinstance(value, str)]
