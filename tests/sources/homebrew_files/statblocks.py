"""Notes with Fantasy Statblocks: YAML of creatures in fences and in front matter."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import strategies as st

from tests.sources.homebrew_files.words import MARK, fields, flags, names, prose, small, some, words

entry = st.one_of(
    fields({"name": names, "desc": prose}, {"attack_bonus": small, "damage_dice": words, "spells": some(words)}),
    fields({"name": names}, {"desc": some(prose), "traits": some(fields({"name": names, "desc": prose}))}),
    st.tuples(names, prose).map(list),
    prose,
)
bonuses = st.one_of(
    some(st.dictionaries(st.one_of(st.sampled_from(["dexterity", "wis"]), words), st.one_of(small, words), max_size=2)),
    words,
)
line = st.one_of(
    words,
    small,
    some(words),
    st.sampled_from([f"30 ft., fly 60 ft. ({MARK})", f"12 ({MARK})", f"cold, {MARK} from {MARK}"]),
)
FIELDS: dict[str, Any] = {
    "source": words, "size": st.one_of(st.sampled_from(["Small", "Large or Huge", f"{MARK} Tiny"]), words), "type": line, "subtype": words,
    "alignment": words, "ac": line, "ac_class": words, "hp": line, "hit_dice": st.one_of(st.just("5d10 + 10"), words), "speed": line,
    "stats": st.one_of(st.lists(small, min_size=6, max_size=6), some(st.one_of(small, words), 8)), "saves": bonuses, "skillsaves": bonuses,
    **dict.fromkeys(("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities", "senses", "languages"), line),
    "cr": st.one_of(st.sampled_from(["1/4", 0.5, 12, "5 (1,800 XP)", f"3 {MARK}"]), words), "xp": st.one_of(small, words),
    **dict.fromkeys(("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "mythic_actions", "lair_actions"), some(entry)),
    "regional_effects": some(entry), "legendary_description": prose, "desc": prose, "description": prose, "habitat": words, "gear": some(words),
    "spells": some(st.one_of(prose, st.dictionaries(st.sampled_from(["1/day", f"Cantrips ({MARK})"]), st.one_of(words, some(words).filter(bool)), max_size=2))),
    "modifier": small, "layout": st.just("Basic 5e Layout"), "columns": small, "image": st.just("x.png"), "bestiary": flags, "note": words,
    "nested": st.dictionaries(words, words, max_size=2),
}  # fmt: skip
block = fields({"name": names}, FIELDS)
extending = fields(
    {"name": names, "extends": st.just("Fen Toad")}, {**FIELDS, "traits+": some(entry), "actions-": st.just(["Bite"])}
)


def written(blocks: list[dict[str, Any]], *, front: bool) -> str:
    """A note with the blocks, the first of them perhaps as its front matter."""
    told = [yaml.safe_dump(one, allow_unicode=True, sort_keys=False, width=1000) for one in blocks]
    head = f"---\nstatblock: true\n{told.pop(0)}---\n" if front and told else ""
    fences = "\n\n".join(f"```statblock\n{one}```" for one in told)
    base = "\n\n```statblock\nname: Fen Toad\ntraits:\n  - name: Croak\n    desc: It croaks.\nactions:\n  - [Bite, It bites.]\n```\n\n"
    return f"{head}{base}{fences}\n"


files = st.builds(written, some(st.one_of(block, block, extending)), front=flags)
