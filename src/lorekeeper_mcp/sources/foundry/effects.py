"""The effects of a document on its owner or on an enchanted item: names, texts and changes."""

from __future__ import annotations

from collections.abc import Iterator

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, objects, part, texts, value_at
from lorekeeper_mcp.sources.phrases import counted, joined
from lorekeeper_mcp.sources.stat_block import bonus, sections_of, shown

_MODES = {1: "multiplied by {}", 3: "at most {}", 4: "at least {}"}
_ADD = 2
_LISTED_TRAITS = {"dr": "resistance to", "di": "immunity to", "dv": "vulnerability to", "ci": "immunity to",
                  "languages": "language"}  # fmt: skip
_UNPRINTED_STEPS = frozenset({"system", "attributes", "traits", "value", "bonuses", "abilities", "data", "all"})
_STEPS = {
    "ac": "AC", "hp": "hit points", "mwak": "melee weapon attacks", "rwak": "ranged weapon attacks",
    "msak": "melee spell attacks", "rsak": "ranged spell attacks", "dc": "DC", "prof": "proficiency bonus",
    "init": "initiative", "attack": "to hit", "weaponProf": "weapon proficiency", "armorProf": "armor proficiency",
    "tempmax": "maximum", "movement": "speed:", "senses": "",
}  # fmt: skip
_SECONDS = {"hours": 3600, "minutes": 60, "seconds": 1}


def effects(document: JsonObject) -> Iterator[Section]:
    """Yield every effect of a document, with its changes, conditions and duration."""
    for effect in objects(document.get("effects")):
        name = shown(effect.get("name")) or shown(effect.get("label"))
        changes = effect.get("changes")
        if not isinstance(changes, list):
            changes = value_at(effect, "system.changes")  # since version 5.3
        facts = (
            *map(_change, objects(changes)),
            *map(names.readable, texts(effect.get("statuses"))),
            _duration(part(effect, "duration")),
        )
        fact_line = joined(*dict.fromkeys(facts), sep="; ")
        body = joined(markdown(effect.get("description")), fact_line, sep="\n\n")
        yield from sections_of({"Effect": joined(name, body, sep=": ")})


def _change(change: JsonObject) -> str:
    """``AC +2``, ``resistance to fire``."""
    path, value, mode = shown(change.get("key")), shown(change.get("value")), bonus(change.get("mode"))
    steps = path.split(".")
    if len(steps) > 2 and steps[-1] == "value" and steps[-2] in _LISTED_TRAITS:
        return f"{_LISTED_TRAITS[steps[-2]]} {names.readable(value)}".strip()
    if len(steps) == 1:
        return f"{path} {value}".strip()
    if steps[0] == "flags":
        steps = steps[2:] or steps
    target = joined(*(_step_name(step) for step in steps if step not in _UNPRINTED_STEPS), sep=" ")
    signed = f"+{value}" if mode == _ADD and value[:1].isdigit() else value
    amount = _MODES.get(mode or 0, "{}").format(signed) if value else ""
    return f"{target or steps[-1]} {amount}".strip()


def _step_name(step: str) -> str:
    if step in names.SKILLS:
        return names.skill(step)
    return _STEPS.get(step, names.ability(step) if len(step) == 3 else names.readable(step))


def _duration(duration: JsonObject) -> str:
    """``for 10 rounds``."""
    if isinstance(duration.get("units"), str) and (value := bonus(duration.get("value"))):  # since version 14
        return f"for {value} {duration['units']}"
    for unit in ("rounds", "turns"):
        if count := bonus(duration.get(unit)):
            return f"for {counted(str(count), unit[:-1])}"
    seconds = bonus(duration.get("seconds")) or 0
    unit, length = next((unit, length) for unit, length in _SECONDS.items() if seconds % length == 0)
    return f"for {counted(str(seconds // length), unit[:-1])}" if seconds else ""
