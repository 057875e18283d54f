"""An item's fields: each is taken once, and the others are displayed under their own names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.placeholders import fill_item_values
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text
from lorekeeper_mcp.sources.fivetools.texts.values import value_text
from lorekeeper_mcp.sources.json_values import decimal, listed, whole_number

# The site's metadata, which no reader needs: where something is printed (``page``, ``srd``, ``reprintedAs``),
# pictures and sounds, and filter lists computed from the texts (``…Tags``, ``…Inflict``).
IGNORED_FIELDS = frozenset(
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
Number = TypeVar("Number", int, float)


class Fields:
    """The fields of one item."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values
        self._taken: set[str] = set()

    def take(self, name: str) -> object:
        """Take a field's value; None if there is none."""
        self._taken.add(name)
        return self._values.get(name)

    def peek(self, name: str) -> object:
        """Return a field's value without taking it."""
        return self._values.get(name)

    def take_list(self, name: str) -> list[object]:
        """Take a list; a single value counts as a list of one."""
        return listed(self.take(name))

    def text(self, name: str) -> str:
        """Take a field as Markdown."""
        return markdown(self.take(name))

    def line(self, name: str) -> str:
        """Take a field as one line."""
        return inline(self.take(name))

    def whole_number(self, name: str) -> int | None:
        """Take a whole number, also one written as text: ``"+5"``."""
        return self._number(name, whole_number)

    def decimal(self, name: str) -> float | None:
        """Take a number, also one written as text: ``"1/4"``."""
        return self._number(name, decimal)

    def _number(self, name: str, read: Callable[[object], Number | None]) -> Number | None:
        if (number := read(self.peek(name))) is not None:
            self._taken.add(name)  # a value that is not a number is displayed as it is
        return number

    def flag(self, name: str) -> bool:
        """Take a flag; a value that is not a boolean is displayed as it is."""
        if (value := self.peek(name)) in (True, False):
            self._taken.add(name)
        return value is True

    def fill(self, text: str) -> str:
        """Return a text with the item's own values filled in."""
        return str(fill_item_values(text, self._values))

    def drop(self, *names: str) -> None:
        """Count fields as taken."""
        self._taken.update(names)

    def remaining(self) -> dict[str, object]:
        """Return the fields not taken."""
        return {name: value for name, value in self._values.items() if name not in self._taken}

    def other(self) -> tuple[Section, ...]:
        """Return the fields not taken, each as a text under its own name."""
        return tuple(
            Section(name=name, text=text)
            for name, value in self.remaining().items()
            if name not in IGNORED_FIELDS and not name.startswith("foundry")
            if value is not False and (text := value_text(value))
        )


def plain_texts(value: object) -> list[str]:
    """Return the texts of a list, with tags as words; a single text counts as a list of one."""
    return [plain_text(text) for text in listed(value) if isinstance(text, str)]
