"""Fields of creatures that only version 1 has: descriptions, subtypes, lost lines and actions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lorekeeper_mcp.models import Action, ActionType, Creature, Defenses, Senses
from lorekeeper_mcp.models.vocabulary import SKILLS
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.creatures import DEFENSES, modes, traits
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields
from lorekeeper_mcp.sources.open5e.stat_blocks.spell_lists import with_commas

_LISTS = {
    "actions": ActionType.ACTION,
    "bonus_actions": ActionType.BONUS_ACTION,
    "reactions": ActionType.REACTION,
    "legendary_actions": ActionType.LEGENDARY_ACTION,
}

# Some creatures of this book list actions after their traits, which are in alphabetical order.
_WITH_ACTIONS_AMONG_TRAITS = frozenset({"tob3"})
_ATTACK = re.compile(r"(?:Melee|Ranged)(?: or Ranged)? (?:Weapon|Spell) Attack\b")
_ALWAYS_ACTIONS = frozenset({"Multiattack", "Spellcasting"})
_RECHARGED = re.compile(r"\([^()]*\bRecharge \d")

# 138 descriptions of two books stop in mid-sentence at these words, the first of the next page's footer.
_FOOT = "Open Game License"
_CUT_OFF = "*The source's text ends here.*"
_SWARM = "Swarm"
_NO_TEXT = "False"  # 500 creatures of one book
_SKILLS = frozenset({*SKILLS, "culture", "engineering"})  # the last two are of Level Up
_FEET = re.compile(r"(?<=\d)(?:'| ?ft\b\.?)")
_LAST_SENTENCE = re.compile(r"^.*[.!?…][_*\"”’)]*(?=\s|$)", re.DOTALL)
_TWICE = re.compile(r"\b(\w+(?: \w+){2,5}) \1\b")
_LIST_MARK = re.compile(r"^\\# ?", re.MULTILINE)
_NAME_WITHIN = re.compile(r"(\b(?:of|the|the [A-Z][a-z]+))[ ]*\n\*\*([A-Z][^*\n]*)\*\* ")
_NAME_AS_OF_TRAIT = re.compile(r"^(?:_\*\*|\*\*[*_])([^*_\n]+)(?:\*\*_|[*_]\*\*)(?=\s)", re.MULTILINE)
_BARE_LEAD_IN = re.compile(r"\s*[*_]{2,}[^*_\n]+[*_]{2,}\s*$")


def archived_creature(head: Open5eFields, served: Served, _: Context) -> Creature:
    """Adapt a record of ``v1/monsters`` under its key in version 2, with only the fields that complete that record."""
    head["key"] = coercion.text(served.get("v2_converted_path")).strip("/").rpartition("/")[2] or head["key"]
    type_, subtype = coercion.text(served.get("type")).strip(), coercion.text(served.get("subtype")).strip()
    subtype = subtype or (_SWARM if type_ == _SWARM else "")  # version 2 has the type of its members
    head["text"] = "" if head["text"].strip() == _NO_TEXT else _description(head["text"])
    return Creature(
        **head,
        type_text=f"{type_} ({subtype})" if type_ and subtype else "",
        alignment=coercion.text(served.get("alignment")),
        legendary_text=coercion.prose(served.get("legendary_desc")),
        armor_text=coercion.text(served.get("armor_desc")),
        speed={mode: feet for mode, feet in modes(served.get("speed")).items() if mode.isalpha()},
        skills=_skills(served),
        senses=Senses(
            text=_FEET.sub(" ft.", _line(served, "senses")),
            passive_perception=coercion.integer(served.get("perception")),
        ),
        defenses=Defenses.model_validate({f"{name}_text": _line(served, name) for name in DEFENSES}),
        traits=traits(served.get("special_abilities")),
        actions=tuple(
            Action(name=name, text=_action_text(name, coercion.prose(one.get("desc"))), type=action_type)
            for action_type, served_actions in _actions(served, head["document_key"])
            for one in served_actions
            if (name := coercion.text(one.get("name")).strip())
        ),
    )


def _actions(served: Served, document: str) -> Iterator[tuple[ActionType, Sequence[Served]]]:
    """Yield the actions by type, and those among the traits: the first one and all after it."""
    for field, action_type in _LISTS.items():
        yield action_type, coercion.objects(served.get(field))
    if document in _WITH_ACTIONS_AMONG_TRAITS:
        traits = coercion.objects(served.get("special_abilities"))
        first = next((n for n, one in enumerate(traits) if _is_action(one, traits[:n])), len(traits))
        yield ActionType.ACTION, traits[first:]


def _is_action(trait: Served, before: Sequence[Served]) -> bool:
    """Whether it is an attack, or recharges and breaks the alphabetical order of the traits."""
    name = coercion.text(trait.get("name"))
    if name in _ALWAYS_ACTIONS or _ATTACK.match(coercion.prose(trait.get("desc"))):
        return True
    return bool(_RECHARGED.search(name) and before and name < coercion.text(before[-1].get("name")))


def _line(served: Served, field: str) -> str:
    line = coercion.text(served.get(field)).strip()
    return "" if line.lower() == _NO_TEXT.lower() else line


def _skills(served: Served) -> dict[str, int]:
    """Bonuses by the keys of the skills, without Perception, which is a plain modifier on all creatures of one book."""
    named = {name.lower().replace(" ", "-"): bonus for name, bonus in coercion.integers(served.get("skills")).items()}
    return {name: bonus for name, bonus in named.items() if bonus and name in _SKILLS and name != "perception"}


def _action_text(name: str, text: str) -> str:
    return with_commas(text) if name.startswith("Spellcasting") else text


def _description(text: str) -> str:
    """The text without what version 1 sets wrongly.

    That is words twice, marks of a list, a name in bold within a sentence, and names in italics as those of traits.
    """
    text = _whole_sentences(_NAME_WITHIN.sub(r"\1 \2 ", text))
    return _NAME_AS_OF_TRAIT.sub(r"**\1**", _LIST_MARK.sub("* ", _TWICE.sub(r"\1", text)))


def _whole_sentences(text: str) -> str:
    """The text without a cut-off last sentence or the name of a paragraph that is then empty, and a note on the cut."""
    kept, foot, _ = text.partition(_FOOT)
    if not foot:
        return text
    match = _LAST_SENTENCE.match(kept)
    return f"{_BARE_LEAD_IN.sub('', match[0]).strip()}\n\n{_CUT_OFF}" if match else ""
