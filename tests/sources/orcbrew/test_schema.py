"""Every field that OrcBrew's forms write and its readers take is on the page as a book would print it, or has a reason.

The names are from the application's builders, its fork's hand-written forms, and the code that compiles them.
"""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.sources.imported_items import read_pages

BASES = {
    "spells": ':level 2 :school "evocation"',
    "monsters": ":hit-points {:die 8 :die-count 1}",
    "subclasses": ":class :wizard",
    "subraces": ":race :elf",
}
# Fields in EDN, and the line of the page; one that begins with a dash is the reason why there is none.
ROWS: dict[str, list[tuple[str, str]]] = {
    "spells": [
        (':casting-time "1 reaction, when zq"', '**Casting Time** 1 reaction, when zq'),
        (':range "Self (15-foot cone)"', '**Range** Self (15-foot cone)'),
        (':duration "Concentration up to 6 rounds"', '**Duration** Concentration, up to 6 rounds'),
        (':components {:verbal true :somatic true :material true :material-component "zq"}', '**Components** V, S, M (zq)'),
        (':description "zq\\n\\nzp"', 'zq'),
        (':description "zq\\n\\nAt Higher Levels. zp"', 'zq'),
        (':option-pack "Fens"', '— the name of the book'),
        (':edit-event [:x]', '— an event of the application'),
        (':nonsense "zq"', '***Nonsense.*** zq'),
    ],
    "monsters": [
        (':type :humanoid :subtypes #{:elf :any-race}', '*humanoid (any race, elf)*'),
        (':hit-points {:die 8 :die-count 3 :modifier -2}', '**Hit Points** 11 (3d8-2)'),
        (':speed "30 ft., zq in mud"', '**Speed** 30 ft.'),
        (':props {:language {:elvish true :deep-speech true}}', '**Languages** Elvish, Deep Speech'),
        (':challenge ##NaN', '— no number'),
        (':legendary-actions {:description "zl"}', 'zl'),
        (':traits [{:name "Zq" :type :reaction :description "zp"}]', '## Reactions\n\n***Zq.*** zp'),
        (':traits [{:name "Zq" :type :other :description "zp"}]', '***Zq.*** zp\n\n*Source'),
        (':actions [{:name "Zq" :description "zp"}]', '***Actions.*** Zq. zp'),
    ],
    "classes": [
        (':subclass-level 3 :subclass-title "Zq Guild"', '**Subclass** Zq Guild'),
        (':subclass-help "zq"', '## Subclass'),
        (':profs {:save {:orcpub.dnd.e5.character/con true :orcpub.dnd.e5.character/wis true}}', '**Saving Throws** Constitution, Wisdom'),
        (':ability-increase-levels [4 8 12 16 19]', '## Level 4, 8, 12, 16, 19: Ability Score Improvement'),
        (':spellcasting {:level-factor 1 :ability :orcpub.dnd.e5.character/cha :known-mode :all}', '**Spellcasting** full spellcaster'),
        (':spellcasting {:cantrips? true :cantrips-known {1 2 4 1}}', 'Cantrips Known: 1: 2; 4: 1'),
        (':profs {:tool {:thieves-tools true}}', "Tool: Thieves' Tools"),
        (':multiclass-prereqs {:str 13}', '***Multiclass Prereqs.*** Strength: 13'),
        (':level-modifiers [{:type :weapon-prof :level 3 :value :martial}]', '***Level Modifiers.*** (Martial (type: Weapon Prof; level: 3))'),
        (':traits [{:name "Zq" :level 7 :description "zp"}]', 'zp'),
        (':profs {:skill-options {:choose 2 :options {:history true :insight true :medicine false}}}', 'Skill Options: choose: 2; options: History, Insight'),
    ],
    "subclasses": [
        (':paladin-spells {1 {0 :bless 1 :bane}}', '***Paladin Spells.*** 1st level: Bless, Bane'),
        (':ability-increases [[1 :con]]', '***Ability Score Increase.*** Constitution +1'),
    ],
    "races": [
        (':darkvision 60', '***Darkvision.*** 60 feet'),
        (':abilities {:orcpub.dnd.e5.character/dex 2 :orcpub.dnd.e5.character/str 0 :orcpub.dnd.e5.character/con -1}', '***Ability Score Increase.*** Dexterity +2, Constitution -1'),
        (':ability-increases [[2 :dex] [1 :any]]', '***Ability Score Increase.*** Dexterity +2, Any +1'),
        (':ability-increases #{:str :dex}', '***Ability Score Increase.*** Dexterity or Strength +1'),
        (':spells [{:level 3 :value {:key :light :level 0 :ability :orcpub.dnd.e5.character/cha}}]', '***Spells.*** (key: Light; level: 0; ability: Charisma (level: 3))'),
        (':profs {:tool {:lute true}}', '***Proficiencies.*** Tool: Lute'),
        (':traits [{:name "Zq" :description "zp"}]', 'Zq'),
        (':traits [{:name "Zq" :type :reaction :description "zp"}]', 'Zq (reaction)'),
        (':traits [{:name "Zq" :description "zp" :page 12 :summary "zs" :source :phb}]', 'zp\nzs\npage: 12\nsource: Phb'),
        (':props {:speed 10 :tool-prof {:thieves-tools true}}', "***Props.*** speed: 10; tool prof: Thieves' Tools"),
        (':props {:lizardfolk-ac false :speed nil}', '— it is off'),
    ],
    "backgrounds": [
        (':profs {:skill {:nature true :survival true}}', '***Skill Proficiencies.*** Nature, Survival'),
        (':profs {:tool {:disguise-kit true}}', '***Tool Proficiencies.*** Disguise Kit'),
        (':ability-increases [[2 :str] [1 :any]]', '***Ability Score Increase.*** Strength +2, Any +1'),
    ],
    "feats": [
        (':prereqs #{:str :spellcasting}', '**Prerequisite** Spellcasting, Strength'),
        (':prereqs #{:medium :heavy}', '**Prerequisite** proficiency with heavy armor, proficiency with medium armor'),
        (':path-prereqs {:race {:elf true :half-orc true :human false}}', '**Prerequisite** Race: Elf, Half-Orc'),
        (':ability-increases #{:str :con}', '- Ability Score Increase: Constitution or Strength +1'),
        (':ability-increases #{:str :saves?}', '- Ability Score Increase: Strength +1 and proficiency in its saving throws'),
        (':ability-increases [[1 :con] [1 :any]]', '- Ability Score Increase: Constitution +1, Any +1'),
    ],
    "selections": [
        (':options [{:name "Zq" :description "zp"} {:name "Zr" :description ""}]', '- Zq. zp'),
    ],
}  # fmt: skip

DASH = "— "
_FIELD = re.compile(r"(?:^| ):([\w?-]+) ")


def item(section: str, fields: str) -> str:
    """The fields of an item, with those that its section needs and the item lacks."""
    present = set(_FIELD.findall(f" {fields}"))
    needed = re.findall(r":([\w?-]+) (\{[^}]*\}|\"[^\"]*\"|\S+)", BASES.get(section, ""))
    return " ".join([*(f":{name} {value}" for name, value in needed if name not in present), fields])


@cache
def page(section: str, fields: str) -> str:
    """The page of a book with one item."""
    text = f'{{"Fens" {{:orcpub.dnd.e5/{section} {{:base {{:name "Base" {fields}}}}}}}}}'
    return read_pages(text)


@pytest.mark.parametrize("section", ROWS)
def test_each_field_of_a_section_is_on_the_page_or_has_a_reason(section: str) -> None:
    base = page(section, item(section, "")).splitlines()
    wrong = []
    for fields, line in ROWS[section]:
        text = page(section, item(section, fields))
        adds_nothing = set(text.splitlines()) <= set(base)
        is_right = adds_nothing if line.startswith(DASH) else line in text and line not in base
        wrong += [] if is_right else [(fields, line)]
    assert wrong == []
