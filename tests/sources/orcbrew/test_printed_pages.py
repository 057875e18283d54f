"""Pages print an item's constructs as a book does."""

# ruff: noqa: E501 - a row of a table is one line
from __future__ import annotations

import pytest

from tests.record_pages import markdown
from tests.sources.orcbrew.fixture_files import adapted

# construct -> its text on the page
PRINTED: list[tuple[str, str, str, str]] = [
    ("subclass-title", "classes", '{:subclass-title "Guild" :subclass-level 3}', "## Level 3: Guild"),
    ("subclass-title alone", "classes", '{:subclass-title "Guild"}', "## Guild\n"),
    ("trait type", "classes", '{:traits [{:name "Kindle" :level 2 :type :bonus-action}]}', "## Level 2: Kindle (bonus action)"),
    ("trait type of a race", "races", '{:traits [{:name "Dust" :type :reaction :description "It puffs."}]}', "***Dust (reaction).*** It puffs."),
    ("trait type not known", "races", '{:traits [{:name "Dust" :type :whim :description "It puffs."}]}', "type: Whim"),
    ("choice", "classes", "{:profs {:skill-options {:choose 2 :options {:arcana true :history false}}}}", "Skills: choose 2 of Arcana"),
    ("choice of nothing", "classes", "{:profs {:skill-options {:choose 2 :options {:acrobatics false}}}}", "Skills: choose 2\n"),
    ("spellcasting", "classes", "{:spellcasting {:ability :wis :cantrips-known {1 3 4 1} :prepares-spells? true}}",
     "Spellcasting Ability: Wisdom  \nCantrips Known: 3 (1st level), 1 (4th level)  \nPrepares Spells: yes"),
    ("spell of a level", "subclasses", "{:class :bard :level-modifiers [{:type :spell :level 3 :value {:key :light :level 0 :ability :wis}}]}", "Spell: Light (cantrip, Wisdom)"),
    ("proficiency of a level", "subclasses", "{:class :bard :level-modifiers [{:type :armor-prof :value :heavy}]}", "Armor Proficiency: Heavy"),
    ("selection of a level", "subclasses", "{:class :bard :level-selections [{:type :fighting-style :level 2 :num 1}]}", "Fighting Style: choose 1"),
    ("equipment choices", "classes", '{:equipment-choices [{:name "Tools" :options {:lantern 1 :oil 2}}]}', "Tools: Lantern or 2 Oil"),
    ("abilities in two places", "races",
     '{:abilities {:con 2} :traits [{:name "Ability Score Increase" :description "Your Constitution grows by 2."}]}', "***Ability Score Increase.*** Your Constitution grows by 2."),
    ("spells of a race", "races", "{:spells [{:level 3 :value {:key :daylight :level 3 :ability :cha}}]}", "From level 3: Daylight (3rd level, Charisma)"),
    ("flags", "feats", "{:props {:two-weapon-ac-1 true :saves? true}}", "***Props.*** Two Weapon Ac 1, Saves"),
    ("coins and counts", "backgrounds", "{:equipment {:torch 2 :pouch 1} :treasure {:gp 15}}", "***Equipment.*** 2 Torch, Pouch; 15 gp"),
]  # fmt: skip


@pytest.mark.parametrize(("construct", "section", "fields", "printed"), PRINTED, ids=[row[0] for row in PRINTED])
def test_a_page_prints_a_construct_as_a_book_does(construct: str, section: str, fields: str, printed: str) -> None:
    page = markdown(adapted(section, fields))
    assert printed in page, construct
    assert ": no" not in page
    assert page.count("Ability Score Increase") <= 1


def test_flags_that_are_off_and_unknown_fields_are_shown() -> None:
    page = markdown(adapted("monsters", '{:speed "30 ft., glides when it likes" :challenge "deadly"}'))
    for text in ("glides when it likes", "***Challenge.*** deadly"):
        assert text in page
