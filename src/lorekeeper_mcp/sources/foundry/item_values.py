"""Values of Foundry's documents, whatever stands where one is expected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Section
from lorekeeper_mcp.sources.foundry.html import markdown
from lorekeeper_mcp.sources.stat_block import bonus, shown

# What has no words for a reader: ids and paths of the application, what a character does with a thing at the moment,
# and what this package reads by name (``described``, ``uses``, ``mechanics``).
_IGNORED_FIELDS = frozenset(
    {
        "description", "source", "sourceItem", "sourceClass", "identifier", "container", "equipped", "attuned",
        "identified", "proficient", "prepared", "preparation", "method", "hitDiceUsed", "cptooltipmode", "schema",
        "activities", "uses", "recharge", "consume", "properties", "components", "quantity",
        "activation", "duration", "target", "range", "attack", "attackBonus", "actionType", "ability", "critical",
        "damage", "formula", "save", "scaling",
    }
)  # fmt: skip
# Inside any value: ids, pictures, the order in lists, and switches of the application's windows.
_OF_THE_APPLICATION = frozenset(
    {
        "_id",
        "uuid",
        "img",
        "icon",
        "sort",
        "group",
        "flags",
        "prompt",
        "override",
        "contiguous",
        "visible",
        "allowReplacements",
    }
)
_ID = re.compile(r"[A-Za-z0-9]{16}|(?:Compendium|Actor|Item|JournalEntry|RollTable)\.[\w.-]+")
_PERIODS = {
    "sr": "short rest", "lr": "long rest", "recharge": "recharge", "dawn": "dawn", "dusk": "dusk",
    "initiative": "initiative", "turnStart": "start of each turn", "turnEnd": "end of each turn", "turn": "turn",
}  # fmt: skip
_DEEPEST = 6
_MOST = 1_000_000


def part(values: Mapping[str, object], name: str) -> Mapping[str, object]:
    """An object inside an object; empty where there is something else."""
    value = values.get(name)
    return value if isinstance(value, dict) else {}  # as JSON has them; to ask for a Mapping takes longer


def text(values: Mapping[str, object], name: str) -> str:
    """A text inside an object; empty where there is something else."""
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""


def texts(value: object) -> list[str]:
    """The texts of a list; a single text counts as a list of one."""
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str) and one]


def described(system: Mapping[str, object], told: Mapping[str, str] | None = None) -> str:
    """The description of a document as Markdown; ``told`` are its own rolls, see ``mechanics.own_rolls``."""
    return markdown(part(system, "description").get("value", system.get("description")), told)


def further_texts(one: Mapping[str, object], system: Mapping[str, object]) -> Iterator[Section]:
    """What a document says beside its description: to the chat, to who has not identified it, by its effects."""
    spec, told = part(system, "description"), described(system)
    for name, field in (("Chat", "chat"), ("Unidentified", "unidentified")):
        if (said := markdown(spec.get(field))) and said != told:
            yield Section(name=name, text=said)
    yield from effects(one)


def number(value: object) -> float | None:
    """A number, also from a text such as ``0.5``."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{1,6}(?:\.\d{1,3})?\s*", value):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) >= _MOST:
        return None
    return float(value)


def activities(system: Mapping[str, object]) -> list[Mapping[str, object]]:
    """What can be done with an item, since version 4."""
    return [one for one in part(system, "activities").values() if isinstance(one, Mapping)]


def marks(system: Mapping[str, object]) -> frozenset[str]:
    """Components and properties: a list since version 3, flags before."""
    names = texts(system.get("properties"))
    flags = {**part(system, "components"), **part(system, "properties")}
    return frozenset(names) | {name for name, on in flags.items() if on is True}


def damages(spec: Mapping[str, object]) -> list[tuple[str, str]]:
    """Dice and type of each part: pairs before version 4, objects since."""
    found = []
    parts = spec.get("parts")
    listed = parts if isinstance(parts, list) else []
    for one in [*([spec["base"]] if isinstance(spec.get("base"), Mapping) else []), *listed]:
        if isinstance(one, list) and one:
            found.append((str(one[0]), str(one[1]) if len(one) > 1 else ""))
        elif isinstance(one, Mapping):
            count, faces, more = bonus(one.get("number")), bonus(one.get("denomination")), shown(one.get("bonus"))
            dice = f"{count}d{faces}{f' + {more}' if more else ''}" if count and faces else more
            dice = shown(part(one, "custom").get("formula")) or dice
            found += [(dice, kind) for kind in texts(one.get("types")) or [""]]
    return found


def versatile(spec: Mapping[str, object]) -> str:
    """Damage with two hands: dice in a text before version 4, an object since."""
    value = spec.get("versatile")
    dice = value if isinstance(value, str) else next((one for one, _ in damages({"base": value}) if one), "")
    return dice.replace(" + @mod", "").strip()


def uses(system: Mapping[str, object]) -> str:
    """How often something can be used: ``3/long rest``, or ``Recharge 5–6``."""
    spec = part(system, "uses")
    back = spec.get("recovery")
    recoveries = [one for one in (back if isinstance(back, list) else []) if isinstance(one, Mapping)]
    rolled = [one for one in recoveries if one.get("period") == "recharge"]
    low = bonus(part(system, "recharge").get("value")) or next((bonus(one.get("formula")) for one in rolled), None)
    often = f"Recharge {low}–6" if low and low != 6 else "Recharge 6" if low or rolled else ""
    others = [one for one in recoveries if one not in rolled]
    per = shown(spec.get("per")) or ", ".join(shown(one.get("period")) for one in others)
    formulas = [
        shown(one.get("formula")) for one in recoveries if one not in rolled or bonus(one.get("formula")) is None
    ]
    again = ", ".join(filter(None, formulas)) or (shown(back) if isinstance(back, str) else "")
    most = shown(spec["max"]) if spec.get("max") else ""
    times = f"{most}{f'/{_PERIODS.get(per, per)}' if per else ''}" if most else ""
    if often and most in ("", "1"):
        times = ""
    return ", ".join(filter(None, (often, f"{times} (regains {again})".strip() if again else times)))


def rest(system: Mapping[str, object], known: frozenset[str]) -> tuple[Section, ...]:
    """What no field is for, under its own name: whatever is not empty, zero or switched off."""
    found = (
        (name, words(value)) for name, value in system.items() if name not in known and name not in _IGNORED_FIELDS
    )
    return tuple(Section(name=str(name), text=text) for name, text in found if text)


def is_id(value: str) -> bool:
    """Whether a text names a document of the application: sixteen random signs, or a path that ends in them."""
    if not _ID.fullmatch(value):
        return False
    return "." in value or not (value.isalpha() and value.lower()[1:] == value[1:])  # "Incomprehensible" is a word


def words(value: object, depth: int = 0) -> str:
    """A value in words, without what only the application needs."""
    if isinstance(value, str):
        return "" if is_id(value) else markdown(value)
    if isinstance(value, bool) or value in (None, 0):
        return "yes" if value is True else ""
    if depth < _DEEPEST and isinstance(value, Mapping):
        pairs = ((name, words(one, depth + 1)) for name, one in value.items() if name not in _OF_THE_APPLICATION)
        return _pairs({str(name): text for name, text in pairs if text})
    if depth < _DEEPEST and isinstance(value, list):
        return ", ".join(filter(None, (words(one, depth + 1) for one in value)))
    return shown(value)


def _pairs(told: dict[str, str]) -> str:
    """Values by name; a number with its unit, dice, and a lone value are told without names."""
    if told.keys() <= {"value", "units", "denomination"}:
        return " ".join(told[name] for name in ("value", "units", "denomination") if name in told and "value" in told)
    if told.keys() == {"number", "faces"}:
        return f"{told['number']}d{told['faces']}"
    return "; ".join(f"{name}: {text}" for name, text in told.items())


def effects(one: Mapping[str, object]) -> Iterator[Section]:
    """What a document does to who has it: the names and texts of its effects, and what they change."""
    listed = one.get("effects")
    for effect in listed if isinstance(listed, list) else []:
        if not isinstance(effect, Mapping):
            continue
        name = text(effect, "name") or text(effect, "label")
        changes = effect.get("changes")
        told = [
            f"{text(change, 'key').removeprefix('system.')} {shown(change.get('value'))}".strip()
            for change in (changes if isinstance(changes, list) else [])
            if isinstance(change, Mapping)
        ]
        body = "\n\n".join(filter(None, (markdown(effect.get("description")), "; ".join(filter(None, told)))))
        if name or body:
            yield Section(name="Effect", text=f"{name}: {body}" if name and body else name or body)
