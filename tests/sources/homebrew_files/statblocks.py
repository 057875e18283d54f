"""Notes with Fantasy Statblocks: YAML of creatures in fences and in front matter."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import strategies as st

from tests.sources.homebrew_files.words import MARK, fields, flags, names, prose, short_list, small, words

entry = st.one_of(
    fields({"name": names, "desc": prose}, {"attack_bonus": small, "damage_dice": words, "spells": short_list(words)}),
    fields({"name": names}, {"desc": short_list(prose), "traits": short_list(fields({"name": names, "desc": prose}))}),
    st.tuples(names, prose).map(list),
    prose,
)
bonuses = st.one_of(
    short_list(
        st.dictionaries(st.one_of(st.sampled_from(["dexterity", "wis"]), words), st.one_of(small, words), max_size=2)
    ),
    words,
)
line = st.one_of(
    words,
    small,
    short_list(words),
    st.sampled_from([f"30 ft., fly 60 ft. ({MARK})", f"12 ({MARK})", f"cold, {MARK} from {MARK}"]),
)
FIELDS: dict[str, Any] = {
    "source": words, "size": st.one_of(st.sampled_from(["Small", "Large or Huge", f"{MARK} Tiny"]), words), "type": line, "subtype": words,
    "alignment": words, "ac": line, "ac_class": words, "hp": line, "hit_dice": st.one_of(st.just("5d10 + 10"), words), "speed": line,
    "stats": st.one_of(st.lists(small, min_size=6, max_size=6), short_list(st.one_of(small, words), 8)), "saves": bonuses, "skillsaves": bonuses,
    **dict.fromkeys(("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities", "senses", "languages"), line),
    "cr": st.one_of(st.sampled_from(["1/4", 0.5, 12, "5 (1,800 XP)", f"3 {MARK}"]), words), "xp": st.one_of(small, words),
    **dict.fromkeys(("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "mythic_actions", "lair_actions"), short_list(entry)),
    "regional_effects": short_list(entry), "legendary_description": prose, "desc": prose, "description": prose, "habitat": words, "gear": short_list(words),
    "spells": short_list(st.one_of(prose, st.dictionaries(st.sampled_from(["1/day", f"Cantrips ({MARK})"]), st.one_of(words, short_list(words).filter(bool)), max_size=2))),
    "modifier": small, "layout": st.just("Basic 5e Layout"), "columns": small, "image": st.just("x.png"), "bestiary": flags, "note": words,
    "nested": st.dictionaries(words, words, max_size=2),
}  # fmt: skip
block = fields({"name": names}, FIELDS)
extending = fields(
    {"name": names, "extends": st.just("Fen Toad")},
    {**FIELDS, "traits+": short_list(entry), "actions-": st.just(["Bite"])},
)


def written(blocks: list[dict[str, Any]], *, front: bool) -> str:
    """A note with the blocks, the first of them perhaps as its front matter."""
    texts = [yaml.safe_dump(block, allow_unicode=True, sort_keys=False, width=1000) for block in blocks]
    head = f"---\nstatblock: true\n{texts.pop(0)}---\n" if front and texts else ""
    fences = "\n\n".join(f"```statblock\n{block}```" for block in texts)
    base = "\n\n```statblock\nname: Fen Toad\ntraits:\n  - name: Croak\n    desc: It croaks.\nactions:\n  - [Bite, It bites.]\n```\n\n"
    return f"{head}{base}{fences}\n"


files = st.builds(written, short_list(st.one_of(block, block, extending)), front=flags)
