"""Equipment: weapons, armor, mundane items and magic items."""

from __future__ import annotations

import re

from lorekeeper_mcp.models.base import Kind, Record, Ref, Value
from lorekeeper_mcp.models.vocabulary import VALUE_BY_RARITY

_BOOK_OF_VALUES = "srd-2024"
_RARITY = re.compile(r"\b(very rare|common|uncommon|rare|legendary)\b(?:( \([^)]+\)))?")


class WeaponProperty(Value):
    """A weapon's property with its rule: Versatile (1d10)."""

    name: str
    detail: str = ""
    text: str = ""
    type: str = ""  # Mastery, or empty


class WeaponStats(Value):
    """The statistics of a weapon. Ranges in feet; 0 or None means none."""

    name: str = ""
    key: str = ""
    damage_dice: str = ""
    damage_type: str = ""  # key
    two_handed_damage: str = ""
    range: float | None = None
    long_range: float | None = None
    properties: tuple[WeaponProperty, ...] = ()
    is_simple: bool | None = None
    is_ranged: bool | None = (
        None  # false for a melee weapon, also if it can be thrown; None if the source leaves it open
    )
    is_improvised: bool | None = None

    @property
    def proficiency(self) -> str:
        """``martial ranged``, or as much of it as is known."""
        training = {True: "simple", False: "martial", None: ""}[self.is_simple]
        way = {True: "ranged", False: "melee", None: ""}[self.is_ranged]
        return f"{training} {way}".strip()


class ArmorStats(Value):
    """The statistics of an armor or a shield."""

    name: str = ""
    key: str = ""
    category: str = ""  # light, medium, heavy, shield
    ac_text: str = ""  # 14 + Dex modifier (max 2)
    ac_base: int | None = None
    adds_dexterity: bool = False  # stored, not shown: ``ac_text`` has it
    dexterity_cap: int | None = None
    strength_required: int | None = None
    stealth_disadvantage: bool = False


class Equipment(Record):
    """A weapon, an armor, an item or a magic item, distinguished by ``kind``.

    ``cost`` is in gold pieces and ``weight`` in pounds; None if the source does not have them.
    """

    category: str = ""  # key: ring, adventuring-gear, weapon
    category_text: str = ""  # as printed, if it is more specific: Weapon (any sword)
    cost: float | None = None
    cost_unit: str = ""  # the unit of a service's cost: day, mile
    weight: float | None = None
    size: str = ""
    weapon: WeaponStats | None = None
    armor: ArmorStats | None = None
    rarity: str = ""  # key: very-rare
    rarity_text: str = ""  # as printed, if it is more specific: uncommon (+1), rare (+2)
    requires_attunement: bool | None = None
    attunement_text: str = ""
    contents: tuple[Ref, ...] = ()
    variants: tuple[Ref, ...] = ()
    image: str = ""

    @property
    def value_by_rarity(self) -> float | None:
        """The value of a magic item of the SRD 5.2 in gp by its one rarity; None if the book gives no value."""
        values = () if self.rarity_text else self.values_by_rarity
        return values[0][0] if values else None

    @property
    def values_by_rarity(self) -> tuple[tuple[float, str], ...]:
        """The values of a magic item of the SRD 5.2 in gp, each with what has it: ``(400.0, " (+1)")``.

        Half of the value of the rarity for potions and ammunition. A weapon or an armor is worth its ordinary cost in
        addition.
        """
        if self.kind is not Kind.MAGIC_ITEM or self.document_key != _BOOK_OF_VALUES:
            return ()
        rarities = _RARITY.findall(self.rarity_text.lower()) if self.rarity_text else [(self.rarity, "")]
        share = 0.5 if self.category == "potion" or self.is_ammunition else 1.0
        known = ((VALUE_BY_RARITY.get(rarity.replace(" ", "-")), note) for rarity, note in rarities)
        return tuple((share * value, note) for value, note in known if value is not None)

    @property
    def is_ammunition(self) -> bool:
        """True for magic ammunition, which loses its magic once used; books have it among the weapons."""
        return self.kind is Kind.MAGIC_ITEM and self.weapon is None and self.name.startswith("Ammunition")
