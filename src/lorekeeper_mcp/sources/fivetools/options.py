"""Races and subraces, backgrounds, feats and optional features."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models import Background, Feat, Ref, Reference, Section, Species
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION as ABILITIES
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.common import SIZES, Context, prerequisite
from lorekeeper_mcp.sources.fivetools.fields import Fields, mapping, texts, whole
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import block_text, inline, markdown
from lorekeeper_mcp.sources.fivetools.texts.leaves import listed
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text
from lorekeeper_mcp.sources.imported import slug

FEATS = {
    "G": "General",
    "O": "Origin",
    "FS": "Fighting Style",
    "FS:P": "Fighting Style",
    "FS:R": "Fighting Style",
    "EB": "Epic Boon",
}
FEATURES = {
    "AI": "Artificer Infusion", "AS": "Arcane Shot", "ED": "Elemental Discipline", "EI": "Eldritch Invocation",
    "FS:B": "Fighting Style (Bard)", "FS:F": "Fighting Style (Fighter)", "FS:P": "Fighting Style (Paladin)",
    "FS:R": "Fighting Style (Ranger)", "MM": "Metamagic", "MV": "Maneuver", "MV:B": "Maneuver",
    "OR": "Onomancy Resonant",
    "OTH": "Other", "PB": "Pact Boon", "RN": "Rune Knight Rune", "RP": "Replicate Magic Item", "TT": "Traveler's Trick",
}  # fmt: skip


_ANY = {"any": "", "anyStandard": "standard language", "anyExotic": "exotic language", "anyRare": "rare language"}
_CHOICE = "of your choice"
_OFTEN = {"daily": "per day:", "rest": "per rest:", "resource": "for", "ritual": "ritual", "will": "at will"}


def race(head: CommonFields, fields: Fields, context: Context) -> Species:
    """A race (species), or a subrace of one."""
    parent, parent_source = str(fields.take("raceName") or ""), str(fields.take("raceSource") or "")
    blocks = fields.entries("entries")
    traits = [
        Section(name=plain_text(str(one["name"])), text=block_text(one))
        for one in map(mapping, blocks)
        if one.get("name")
    ]
    loose = [one for one in blocks if not mapping(one).get("name")]
    head["text"] = "\n\n".join(filter(None, (head["text"], markdown(loose))))
    given = {
        "Ability Score Increase": chosen(fields.take("ability")),
        "Age": _age(fields.take("age")),
        "Darkvision": f"{feet} ft." if (feet := fields.line("darkvision")) else "",
        "Languages": chosen(fields.take("languageProficiencies")),
        "Skills": chosen(fields.take("skillProficiencies")),
        "Tools": chosen(fields.take("toolProficiencies")),
        "Resistances": chosen(fields.take("resist")),
    }
    printed = {trait.name.lower() for trait in traits}
    traits += [Section(name=name, text=text) for name, text in given.items() if text and name.lower() not in printed]
    sizes = [SIZES.get(str(one), str(one).lower()) for one in fields.entries("size")]
    return Species(
        **head,
        subspecies_of=Ref(name=parent, key=context.race_key(parent, parent_source)) if parent else None,
        is_subspecies=bool(parent),
        size=" or ".join(size.capitalize() for size in sizes),
        speed=_speed(fields.take("speed")),
        traits=(*traits, *additional_spells(fields)),
        other=fields.other(),
    )


def _age(value: object) -> str:
    spec = mapping(value)
    if not spec:
        return inline(value)
    return ", ".join(
        filter(
            None,
            (
                f"adult at {spec['mature']}" if "mature" in spec else "",
                f"up to {spec['max']} years" if "max" in spec else "",
            ),
        )
    )


def _speed(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(
            f"{mode} {f'{feet} ft.' if feet is not True else 'equal to its walking speed'}".removeprefix("walk ")
            for mode, feet in value.items()
        )
    return f"{value} ft." if isinstance(value, int | float) else inline(value)


def background(head: CommonFields, fields: Fields, _: Context) -> Background:
    """A background: what it gives, then the blocks of its text."""
    blocks = fields.entries("entries")
    named = [one for one in map(mapping, blocks) if one.get("name")]
    unnamed = markdown([one for one in blocks if not mapping(one).get("name")])
    head["text"] = "\n\n".join(filter(None, (head["text"], unnamed)))
    benefits = [Section(name=plain_text(str(one["name"])).removesuffix(":"), text=block_text(one)) for one in named]
    given = {
        "Skill Proficiencies": chosen(fields.take("skillProficiencies")),
        "Tool Proficiencies": chosen(fields.take("toolProficiencies")),
        "Languages": chosen(fields.take("languageProficiencies")),
        "Ability Scores": chosen(fields.take("ability")),
        "Feat": ", ".join(_feat(*pair) for one in fields.entries("feats") for pair in mapping(one).items()),
        "Equipment": starting_things(fields.take("startingEquipment")),
    }
    fields.drop("fromFeature")  # which of the others its feature gives
    benefits = [*(Section(name=name, text=text) for name, text in given.items() if text), *benefits]
    return Background(**head, benefits=tuple(benefits), other=fields.other())


def _feat(name: str, value: object) -> str:
    """A feat that is given, or from which ones one may choose."""
    named = plain_text(name).partition("|")[0].title()
    return named if value is True else f"{named}: {chosen(value)}"


def feat(head: CommonFields, fields: Fields, _: Context) -> Feat:
    """A feat."""
    kind = str(fields.take("category") or "").partition("|")[0]
    increase = chosen(fields.take("ability"))
    required = prerequisite(fields)
    extra = [Section(name="Ability Score Increase", text=increase)] if increase else []
    return Feat(
        **head,
        type=FEATS.get(kind, kind),
        prerequisite=required,
        other=(*extra, *additional_spells(fields), *fields.other()),
    )


def optional_feature(head: CommonFields, fields: Fields, context: Context) -> Feat:
    """An invocation, a maneuver, a fighting style: what a feature of a class lets one choose."""
    kinds = texts(fields.entries("featureType"))
    named = dict.fromkeys(context.feature_types.get(kind, FEATURES.get(kind, kind)) for kind in kinds)
    required = prerequisite(fields)
    return Feat(
        **head, type=", ".join(named), prerequisite=required, other=(*additional_spells(fields), *fields.other())
    )


def reference(head: CommonFields, fields: Fields, _: Context) -> Reference:
    """A condition or a language."""
    script = fields.line("script")
    speakers = ", ".join(texts(fields.entries("typicalSpeakers")))
    kind = fields.line("type")
    return Reference(**head, type=kind, script=slug(script) if script else "", speakers=speakers, other=fields.other())


def chosen(value: object) -> str:
    """What is given or may be chosen: ``choose 2 from Arcana, History``."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(chosen, value)))
    spec = mapping(value)
    if not spec:
        return plain_text(str(value)) if value not in (None, True) else ""
    parts = []
    for name, one in spec.items():
        if name == "choose" and isinstance(one, Mapping):
            parts.append(_choice(one))
        elif name == "full":
            return plain_text(str(one))
        elif name in ("proficiency", "optional") or one is False:
            continue
        elif one is True:
            parts.append(titled(name))
        elif isinstance(one, int) and name.startswith("any"):
            what = _ANY.get(name, " ".join(re.findall(r"[A-Z][a-z]+", name)).lower())
            parts.append(
                " ".join(filter(None, (str(one), f"{what}{'s' if one != 1 else ''}" if what else "", _CHOICE)))
            )
        elif isinstance(one, int):
            parts.append(f"{ABILITIES.get(name, name).capitalize()} {one:+d}" if name in ABILITIES else f"{one} {name}")
        else:
            parts.append(f"{name}: {chosen(one)}")
    return ", ".join(parts)


def titled(name: str) -> str:
    """A skill, a tool or a language as a book prints it: ``sleight of hand`` as Sleight of Hand."""
    small = ("of", "the", "and", "or")
    words = plain_text(name).split(" ")
    return " ".join(word if word in small else f"{word[:1].upper()}{word[1:]}" for word in words)


def _choice(spec: Mapping[str, object]) -> str:
    """``choose 2 from Arcana, History``; with weights ``choose +2, +1 among Strength, Dexterity``."""
    weighted = mapping(spec.get("weighted"))
    count = spec.get("count", spec.get("amount", 1))
    options = weighted.get("from", spec.get("from"))
    listed_ = ", ".join(titled(ABILITIES.get(told, told)) for one in listed(options) if (told := chosen(one)))
    given = ", ".join(f"{by:+d}" if isinstance(by, int) else str(by) for by in listed(weighted.get("weights")))
    rest = [
        f"{name}: {told}"
        for name, value in spec.items()
        if name not in ("from", "count", "amount", "weighted") and (told := chosen(value))
    ]
    return "; ".join(filter(None, (f"choose {given or count}{f' from {listed_}' if listed_ else ''}", *rest)))


def additional_spells(fields: Fields) -> tuple[Section, ...]:
    """Spells that an option gives, by how they are had and from which level."""
    found = []
    for one in map(mapping, fields.entries("additionalSpells")):
        lines = [
            f"{kind}, {level}: {told}"
            for kind in ("innate", "known", "prepared", "expanded")
            for level, spells in mapping(one.get(kind)).items()
            if (told := ", ".join(_spell_names(spells)))
        ]
        by, resource = one.get("ability"), one.get("resourceName")
        lines += [f"ability: {chosen(by)}"] if by else []
        lines += [f"cast with: {plain_text(str(resource))}"] if resource else []
        name = str(one.get("name") or "Spells")
        if lines or one.get("name"):
            found.append(Section(name=name, text="\n".join(lines) or "no spells"))
    return tuple(found)


def _spell_names(value: object, often: str = "") -> list[str]:
    """Names of spells, each with how often it may be cast; a choice in words."""
    if isinstance(value, str):
        name = plain_text(value).partition("|")[0].partition("#")[0]
        return [f"{name} ({often})" if often else name]
    spec = mapping(value)
    if "choose" in spec or "all" in spec:
        which = spec.get("choose", spec.get("all"))
        told = chosen(which) if isinstance(which, Mapping) else str(which).replace("|", ", ")
        return [f"choose {spec.get('count', 1)} ({told})" if "choose" in spec else f"all ({told})"]
    found = []
    for per, inner in spec.items() if spec else (("", one) for one in listed(value)):
        named = f"{often} {_OFTEN.get(per, per.removesuffix('e'))}".strip() if per not in ("", "_") else often
        found += _spell_names(inner, named)
    return found


def starting_things(value: object) -> str:
    """Equipment to begin with: ``10 torches, a cloak; (a) a staff``."""
    parts = []
    for one in value if isinstance(value, list) else []:
        for choice, things in mapping(one).items():
            names = [_thing(thing) for thing in (things if isinstance(things, list) else [things])]
            parts.append(f"{'' if choice == '_' else f'({choice}) '}{', '.join(filter(None, names))}")
    return "; ".join(parts)


def _thing(value: object) -> str:
    spec = mapping(value)
    if not spec:
        return plain_text(str(value)).partition("|")[0]
    name = spec.get("displayName") or spec.get("item") or spec.get("special") or spec.get("equipmentType")
    worth = whole(spec.get("value", spec.get("containsValue")))
    told = plain_text(str(name or "")).partition("|")[0]
    count = f"{spec['quantity']} " if spec.get("quantity") else ""
    return f"{count}{told}{f' ({worth / 100:g} gp)' if worth and told else f'{worth / 100:g} gp' if worth else ''}"


def with_subraces(one: object) -> list[object]:
    """A race, and each of the subraces that stand inside it as an item of its own."""
    if not isinstance(one, dict) or not isinstance(one.get("subraces"), list):
        return [one]
    race = {key: value for key, value in one.items() if key != "subraces"}
    of = {"source": one.get("source"), "raceName": one.get("name"), "raceSource": one.get("source"), "_subrace": True}
    parts = [of | part for part in one["subraces"] if isinstance(part, dict) and part.get("name")]
    return [race, *parts]


def subrace_name(item: Mapping[str, object]) -> str:
    """A subrace with its race: ``Elf (Fen)``."""
    name, race = plain_text(str(item.get("name") or "")), str(item.get("raceName") or "")
    return f"{race} ({name})" if name and race else name or race
