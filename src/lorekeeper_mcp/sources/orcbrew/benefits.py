"""The application's own benefits of an option (``:props``, ``:level-modifiers``, ``:grants``, abilities), in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.models.vocabulary import CONDITIONS
from lorekeeper_mcp.sources.json_values import whole_number
from lorekeeper_mcp.sources.orcbrew.edn import Plain
from lorekeeper_mcp.sources.orcbrew.fields import Fields, is_choice
from lorekeeper_mcp.sources.orcbrew.markup import ability_title, listed, scalar, selected_keys, titled, to_text
from lorekeeper_mcp.sources.stat_block import sections_of

# Numbers and choices: sentences that contain the number.
_NUMBERS = {
    "speed": "speed {:+d} feet",
    "flying-speed": "flying speed {} feet",
    "swimming-speed": "swimming speed {} feet",
    "climbing-speed": "climbing speed {} feet",
    "initiative": "initiative {:+d}",
    "max-hp-bonus": "hit point maximum {:+d} for each level",
    "num-attacks": "{} attacks with the Attack action",
    "weapon-prof-choice": "proficiency with {} weapons of your choice",
    "language-choice": "{} languages of your choice",
    "skill-tool-choice": "proficiency in {} skills or tools of your choice",
}
# Flags.
_FLAGS = {
    "flying-speed-equals-walking-speed": "flying speed equal to walking speed",
    "saving-throw-advantage-traps": "advantage on saving throws against traps",
    "passive-perception-5": "passive Perception +5",
    "passive-investigation-5": "passive Investigation +5",
    "medium-armor-stealth": "no disadvantage on Stealth from medium armor",
    "medium-armor-max-dex-3": "up to +3 of Dexterity in medium armor",
    "two-weapon-ac-1": "+1 AC while wielding a melee weapon in each hand",
    "two-weapon-any-one-handed": "two-weapon fighting with any one-handed melee weapons",
    "lizardfolk-ac": "AC 13 + Dexterity modifier without armor",
    "tortle-ac": "AC 17, whatever the Dexterity and the armor",
    "improvised-weapons-prof": "proficiency with improvised weapons",
    "magic-novice": "two cantrips and a 1st-level spell from the list of a class of your choice",
    "ritual-casting": "two 1st-level rituals from the list of a class of your choice",
    "attack-spell": "a cantrip with an attack roll from the list of a class of your choice",
}
# Several of a kind, ``{:fire true}`` or ``:fire``.
_SETS = {
    "skill-prof": "proficiency in {}",
    "skill-prof-or-expertise": "proficiency in {}, or expertise where there is proficiency",
    "tool-prof": "proficiency with {}",
    "tool-prof-or-expertise": "proficiency with {}, or expertise where there is proficiency",
    "armor-prof": "proficiency with {}",
    "weapon-prof": "proficiency with {}",
    "language": "language: {}",
    "damage-resistance": "resistance to {}",
    "damage-immunity": "immunity to {}",
    "saving-throw-advantage": "advantage on saving throws against {}",
    "condition-immunity": "immunity to being {}",
}
_KINDS_OF_GEAR = {
    "light": "light armor", "medium": "medium armor", "heavy": "heavy armor", "shields": "shields",
    "simple": "simple weapons", "martial": "martial weapons",
}  # fmt: skip
_PLURAL = re.compile(
    r"(?<=weapon)s(?= of)|(?<=nguage)s(?= of your)|(?<=skill)s(?= or)|(?<=tool)s(?= of)|(?<=attack)s(?= with)"
)


def benefits(fields: Fields) -> tuple[str, ...]:
    """Return a sentence for each benefit in an option's ``:props``, ``:grants`` and ``:save-proficiencies``."""
    phrases = (*_props(fields.part("props")), *_grants(fields))
    saves = listed(map(ability_title, fields.names("save-proficiencies")))
    return (*phrases, f"proficiency in {saves} saving throws") if saves else phrases


def section(fields: Fields) -> tuple[Section, ...]:
    """Return the benefits as one field of a record."""
    return sections_of({"Benefits": "\n".join(f"- {phrase}" for phrase in benefits(fields))})


def increases(fields: Fields) -> str:
    """Return Strength or Dexterity +1 for #{:str :dex}, and Constitution +1, Any +1 for [[1 :con] [1 :any]]."""
    value = fields.peek("ability-increases")
    if not isinstance(value, list) or not value:
        return ""
    pairs = [(pair[0], pair[1]) for pair in value if isinstance(pair, list) and len(pair) == 2]
    if len(pairs) == len(value):
        fields.drop("ability-increases")
        return listed(f"{ability_title(scalar(key))} +{scalar(count)}" for count, key in pairs)
    names = [scalar(member) for member in value]
    if not all(names):
        return ""
    fields.drop("ability-increases")
    abilities = [ability_title(name) for name in names if "save" not in name.lower()]
    increase = f"{' or '.join(abilities)} +1" if abilities else ""
    saves = "and proficiency in its saving throws" if len(abilities) < len(names) else ""
    return f"{increase} {saves}".strip()


def benefit(kind: str, value: Plain) -> str:
    """Return one benefit in words; empty if it has another form."""
    number = whole_number(value)
    if kind in _NUMBERS and number is not None:
        phrase = _NUMBERS[kind].format(number)
        return _PLURAL.sub("", phrase) if number == 1 else phrase
    if kind in _FLAGS and value in (True, None, "true"):
        return _FLAGS[kind]
    keys = [value] if isinstance(value, str) else selected_keys(value) if is_choice(value, (str,)) else []
    return _SETS[kind].format(listed(_printed_name(kind, key) for key in keys)) if kind in _SETS and keys else ""


def _printed_name(kind: str, key: str) -> str:
    """The printed name of a key: ``light`` is light armor; ``charmed`` is being charmed, for saving throws."""
    if kind in ("armor-prof", "weapon-prof"):
        return _KINDS_OF_GEAR.get(key) or titled(key)
    if kind == "saving-throw-advantage":
        return f"being {key}" if key in CONDITIONS else ability_title(key)
    if kind.startswith("damage"):
        return "damage from traps" if key == "traps" else f"{titled(key).lower()} damage"
    return titled(key).lower() if kind == "condition-immunity" else titled(key)


def _props(props: Fields) -> Iterator[str]:
    for kind, value in props.unread().items():
        if value == 0 or (isinstance(value, dict) and is_choice(value, (str,)) and not selected_keys(value)):
            props.drop(kind)
        elif phrase := benefit(kind, value):
            props.drop(kind)
            yield phrase


def _grants(fields: Fields) -> Iterator[str]:
    """``{:pool :languages :count 2 :filter #{:elvish}}`` is Languages: choose 2 of Elvish."""
    value = fields.peek("grants")
    grants = [grant for grant in value if isinstance(grant, dict)] if isinstance(value, list) else []
    if value != grants or not all(scalar(grant.get("pool")) for grant in grants):
        return
    fields.drop("grants")
    for grant in grants:
        count, options = scalar(grant.get("count")), listed(map(titled, selected_keys(grant.get("filter"))))
        parts = [titled(scalar(grant.get("key"))), count and f"choose {count}", options and f"of {options}"]
        others = {name: value for name, value in grant.items() if name not in ("pool", "key", "count", "filter")}
        suffix = f" ({to_text(others)})" if others else ""
        yield f"{titled(scalar(grant.get('pool')))}: {' '.join(filter(None, parts))}{suffix}"
