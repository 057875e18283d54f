"""OrcBrew files: fields that the application's forms write and its readers take, in EDN, and the expected page lines.

A row that begins with a dash has the reason for a field without words on the page.
"""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from tests.sources.orcbrew.option_rows import OPTION_ROWS
from tests.sources.orcbrew.shared_rows import ANYWHERE

BASES = {
    "spells": ':level 2 :school "evocation"',
    "monsters": ":hit-points {:die 8 :die-count 1}",
    "subclasses": ":class :wizard",
    "subraces": ":race :elf",
    **dict.fromkeys(
        ("classes", "races", "backgrounds", "feats", "languages", "invocations", "boons", "selections", "encounters"),
        "",
    ),
}
ACTIONS = [
    (':traits [{:name "Zq" :type :action :description "zp"}]', "## Actions\n\n***Zq.*** zp"),
    (':traits [{:name "Zq" :type :b-action :description "zp"}]', "## Bonus Actions\n\n***Zq.*** zp"),
    (':traits [{:name "Zq" :type :reaction :description "zp"}]', "## Reactions\n\n***Zq.*** zp"),
    (':traits [{:name "Zq" :type :other :description "zp"}]', "***Zq.*** zp\n\n*Source"),
]
ROWS: dict[str, list[tuple[str, str]]] = {
    "spells": [
        (":level 0", "*Evocation cantrip*"),
        (':school "Necromancy"', "*2nd-level necromancy*"),
        (":ritual true", "*2nd-level evocation (ritual)*"),
        (":ritual false", "— it is none"),
        (":attack-roll? true", "**Attack Roll** yes"),
        (':casting-time "1 bonus action"', "**Casting Time** 1 bonus action"),
        (':casting-time "1 reaction, when zq"', "**Casting Time** 1 reaction, when zq"),
        (':casting-time "10 minute"', "**Casting Time** 10 minutes"),
        (':range "60 feet"', "**Range** 60 feet"),
        (':range "touch"', "**Range** Touch"),
        (':range "Self (15-foot cone)"', "**Range** Self (15-foot cone)"),
        (':range "500 ft."', "**Range** 500 ft."),
        (':duration "Instantaneous"', "**Duration** Instantaneous"),
        (':duration "Concentration, up to 1 minute"', "**Duration** Concentration, up to 1 minute"),
        (':duration "Concentration up to 6 rounds"', "**Duration** Concentration, up to 6 rounds"),
        (
            ':components {:verbal true :somatic true :material true :material-component "zq"}',
            "**Components** V, S, M (zq)",
        ),
        (':components {:verbal true :material-component "zq worth 50 gp"}', "**Components** V, M (zq worth 50 gp)"),
        (":spell-lists {:wizard true :bard false}", "**Classes** Wizard"),
        (':description "zq\\n\\nzp"', "zq"),
        (':description "zq\\n\\nAt Higher Levels. zp"', "zq"),
        (":page 12", "***Page.*** 12"),
        (':summary "zq"', "***Summary.*** zq"),
        *ANYWHERE,
    ],
    "monsters": [
        (":size :huge", "*Huge*"),
        (":type :aberration", "*aberration*"),
        (":type :swarm-of-tiny-beasts", "*swarm of tiny beasts*"),
        (":type :humanoid :subtypes #{:elf :any-race}", "*humanoid (any race, elf)*"),
        (':alignment "lawful evil"', "*lawful evil*"),
        (":armor-class 17", "**Armor Class** 17"),
        (':armor-class 17 :armor-notes "natural armor"', "**Armor Class** 17 (natural armor)"),
        (":hit-points {:die 8 :die-count 3 :modifier 6}", "**Hit Points** 19 (3d8+6)"),
        (":hit-points {:die 8 :die-count 3 :modifier -2}", "**Hit Points** 11 (3d8-2)"),
        (':speed "30 ft., fly 60 ft. (hover)"', "**Speed** 30 ft., fly 60 ft. (hover)"),
        (':speed "30 ft., zq in mud"', "**Speed** 30 ft."),
        (":str 18 :dex 7 :con 10 :int 3 :wis 12 :cha 9", "| 18 (+4) | 7 (-2) | 10 (+0) | 3 (-4) | 12 (+1) | 9 (-1) |"),
        (":saving-throws {:con 6 :wis 3 :str nil}", "**Saving Throws** Constitution +6, Wisdom +3"),
        (":skills {:history 4 :sleight-of-hand 5}", "**Skills** History +4, Sleight of Hand +5"),
        (":props {:damage-vulnerability {:fire true}}", "**Damage Vulnerabilities** fire"),
        (":props {:damage-resistance {:cold true :slashing false}}", "**Damage Resistances** cold"),
        (":props {:damage-immunity {:acid true}}", "**Damage Immunities** acid"),
        (":props {:condition-immunity {:blinded true}}", "**Condition Immunities** blinded"),
        (":props {:language {:elvish true :deep-speech true}}", "**Languages** Elvish, Deep Speech"),
        (':senses "darkvision 60 ft., passive Perception 14"', "**Senses** darkvision 60 ft., passive Perception 14"),
        (":challenge 5", "**Challenge** 5"),
        (":challenge 1/4", "**Challenge** 1/4"),
        (":challenge 0.5", "**Challenge** 1/2"),
        (":challenge ##NaN", "— no number"),
        (':description "zq"', "zq"),
        (':traits [{:name "Zq" :type nil :description "zp"}]', "***Zq.*** zp"),
        (
            ':traits [{:name "Zq" :type :legendary-action :description "zp"}] :legendary-actions {:description "zl"}',
            "***Zq.*** zp",
        ),
        (':legendary-actions {:description "zl"}', "zl"),
        *ACTIONS,
        (':languages "zq"', "**Languages** Zq"),
        (":page 12", "***Page.*** 12"),
        (':actions [{:name "Zq" :description "zp"}]', "***Actions.*** Zq. zp"),
        *ANYWHERE,
    ],
    "languages": [(':description "zq"', "zq"), *ANYWHERE],
    "encounters": [
        (
            ":creatures [{:type :monster :creature {:num 3 :monster :goblin}} {:type :character :creature {:character 17592186}}]",
            "- 3 Goblin",
        ),
        (":creatures [{:creature {:monster :orc}}]", "- Orc"),
        *ANYWHERE,
    ],
    **OPTION_ROWS,
}
