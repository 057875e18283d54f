"""The effects of a document on its owner or on an enchanted item: names, texts and changes."""

from __future__ import annotations

from collections.abc import Iterator

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.texts.html import markdown
from lorekeeper_mcp.sources.json_values import JsonObject, objects, part, texts, value_at
from lorekeeper_mcp.sources.stat_block import bonus, shown

_MODES = {1: "multiplied by {}", 3: "at most {}", 4: "at least {}"}
_ADD = 2
_LISTED = {"dr": "resistance to", "di": "immunity to", "dv": "vulnerability to", "ci": "immunity to",
           "languages": "language"}  # fmt: skip
_SILENT = frozenset({"system", "attributes", "traits", "value", "bonuses", "abilities", "data", "all"})
_STEPS = {
    "ac": "AC", "hp": "hit points", "mwak": "melee weapon attacks", "rwak": "ranged weapon attacks",
    "msak": "melee spell attacks", "rsak": "ranged spell attacks", "dc": "DC", "prof": "proficiency bonus",
    "init": "initiative", "attack": "to hit", "weaponProf": "weapon proficiency", "armorProf": "armor proficiency",
    "tempmax": "maximum", "movement": "speed:", "senses": "",
}  # fmt: skip


def effects(one: JsonObject) -> Iterator[Section]:
    """Yield every effect of a document, with its changes, conditions and duration."""
    for effect in objects(one.get("effects")):
        name = shown(effect.get("name")) or shown(effect.get("label"))
        changes = effect.get("changes")
        if not isinstance(changes, list):
            changes = value_at(effect, "system.changes")  # since version 5.3
        parts = (
            *map(_changed, objects(changes)),
            *map(names.readable, texts(effect.get("statuses"))),
            _duration(part(effect, "duration")),
        )
        body = names.joined(
            markdown(effect.get("description")), names.joined(*dict.fromkeys(parts), by="; "), by="\n\n"
        )
        if name or body:
            yield Section(name="Effect", text=names.joined(name, body, by=": "))


def _changed(change: JsonObject) -> str:
    """``AC +2``, ``resistance to fire``."""
    path, value, mode = shown(change.get("key")), shown(change.get("value")), bonus(change.get("mode"))
    steps = path.split(".")
    if len(steps) > 2 and steps[-1] == "value" and steps[-2] in _LISTED:
        return f"{_LISTED[steps[-2]]} {names.readable(value)}".strip()
    if len(steps) == 1:
        return f"{path} {value}".strip()
    if steps[0] == "flags":
        steps = steps[2:] or steps
    called = names.joined(*(_step(one) for one in steps if one not in _SILENT), by=" ") or steps[-1]
    signed = f"+{value}" if mode == _ADD and value[:1].isdigit() else value
    change_text = _MODES.get(mode or 0, "{}").format(signed) if value else ""
    return f"{called} {change_text}".strip()


def _step(step: str) -> str:
    if step in names.SKILLS:
        return names.skill(step)
    return _STEPS.get(step, names.ability(step) if len(step) == 3 else names.readable(step))


def _duration(spec: JsonObject) -> str:
    """``for 10 rounds``."""
    if isinstance(spec.get("units"), str) and (value := bonus(spec.get("value"))):  # since version 14
        return f"for {value} {spec['units']}"
    count = {unit: bonus(spec.get(unit)) or 0 for unit in ("rounds", "turns", "seconds")}
    if not count["rounds"] and not count["turns"]:
        longer = {unit: divmod(count["seconds"], length) for unit, length in (("hours", 3600), ("minutes", 60))}
        count = {unit: number for unit, (number, left) in longer.items() if not left} | count
    return next((f"for {number} {unit if number != 1 else unit[:-1]}" for unit, number in count.items() if number), "")
