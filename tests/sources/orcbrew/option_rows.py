"""Rows of the schema for classes, races, backgrounds, feats and other options."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from tests.sources.orcbrew.shared_rows import ANYWHERE, TRAITS

BY_LEVEL = [
    (":level-modifiers [{:type :weapon-prof :level 3 :value :martial}]", "- 3rd level: Weapon Proficiency: Martial"),
    (":level-modifiers [{:type :skill-prof :value :athletics}]", "- 1st level: Skill Proficiency: Athletics"),
    (":level-modifiers [{:type :num-attacks :level 5 :value 2}]", "- 5th level: Num Attacks: 2"),
    (
        ":level-modifiers [{:type :spell :level 3 :value {:key :guidance :level 0 :ability :orcpub.dnd.e5.character/wis}}]",
        "- 3rd level: Spell: Guidance (cantrip, Wisdom)",
    ),
    (":level-selections [{:type :zq-tricks :level 3 :num 2}]", "- 3rd level: Zq Tricks: choose 2"),
    (":level-selections [{:type :zq-tricks}]", "- 1st level: Zq Tricks"),
    (':traits [{:name "Zq" :level 7 :description "zp"}]', "zp"),
    (
        ":profs {:skill-options {:choose 2 :options {:history true :insight true :medicine false}}}",
        "Skill Options: choose 2 of History, Insight",
    ),
    (
        ":profs {:skill-expertise-options {:choose 1 :options {:survival true}}}",
        "Skill Expertise Options: choose 1 of Survival",
    ),
]
PROPS = [
    (":props {:speed 10 :tool-prof {:thieves-tools true}}", "***Props.*** speed: 10; tool prof: Thieves' Tools"),
    (":props {:lizardfolk-ac false :speed nil}", "— it is off"),
]
OF_A_RACE = [
    (':help "zq"', "zq"),
    (":size :small", "**Size** Small"),
    (":speed 25", "**Speed** 25 feet"),
    (":darkvision 60", "***Darkvision.*** 60 feet"),
    (":darkvision 0", "— it has none"),
    (
        ":abilities {:orcpub.dnd.e5.character/dex 2 :orcpub.dnd.e5.character/str 0 :orcpub.dnd.e5.character/con -1}",
        "***Ability Score Increase.*** Dexterity +2, Constitution -1",
    ),
    (":ability-increases [[2 :dex] [1 :any]]", "***Ability Score Increase.*** Dexterity +2, Any +1"),
    (":ability-increases #{:str :dex}", "***Ability Score Increase.*** Dexterity or Strength +1"),
    (":save-proficiencies #{:dex}", "***Save Proficiencies.*** Dexterity"),
    (
        ":spells [{:level 3 :value {:key :light :level 0 :ability :orcpub.dnd.e5.character/cha}}]",
        "***Spells.*** From level 3: Light (cantrip, Charisma)",
    ),
    (
        ":profs {:skill-options {:choose 1 :options {:arcana true :history true}}}",
        "***Proficiencies.*** Skill Options: choose 1 of Arcana, History",
    ),
    (":profs {:tool {:lute true}}", "***Proficiencies.*** Tool: Lute"),
    (
        ":profs {:weapon-proficiency-options {:choose 2 :options {:dart true :club true}}}",
        "***Proficiencies.*** Weapon Proficiency Options: choose 2 of Dart, Club",
    ),
    (":profs {:tool-options {:artisans-tool 1}}", "***Proficiencies.*** Tool Options: Artisan's Tool"),
    (
        ":profs {:language-options {:choose 1 :options {:elvish true :any true}}}",
        "***Proficiencies.*** Language Options: choose 1 of Elvish, Any",
    ),
    (":profs {:weapon {:dart true} :armor {:light true} :skill {:stealth true}}", "***Proficiencies.*** Weapon: Dart"),
    *TRAITS,
    *PROPS,
]
OPTION_ROWS: dict[str, list[tuple[str, str]]] = {
    "classes": [
        (':help "zq"', "zq"),
        (":hit-die 10", "**Hit Dice** 1d10 per level"),
        (':subclass-level 3 :subclass-title "Zq Guild"', "**Subclass** Zq Guild"),
        (':subclass-help "zq"', "## Subclass"),
        (
            ":profs {:save {:orcpub.dnd.e5.character/con true :orcpub.dnd.e5.character/wis true}}",
            "**Saving Throws** Constitution, Wisdom",
        ),
        (":ability-increase-levels [4 8 12 16 19]", "## Levels 4, 8, 12, 16, 19: Ability Score Improvement"),
        (
            ":spellcasting {:level-factor 1 :ability :orcpub.dnd.e5.character/cha :known-mode :all}",
            "**Spellcasting** full spellcaster",
        ),
        (":spellcasting {:level-factor 2}", "**Spellcasting** half spellcaster"),
        (
            ":spellcasting {:level-factor 3 :known-mode :schedule :spells-known {3 3 4 1 7 1}}",
            "**Spellcasting** third spellcaster",
        ),
        (":spellcasting {:known-mode :acquire}", "Known Mode: Acquire"),
        (":spellcasting {:spell-list-kw :bard}", "Spell List: Bard"),
        (":spellcasting {:cantrips? true :cantrips-known {1 2 4 1}}", "Cantrips Known: 1st level: 2; 4th level: 1"),
        (":spellcasting {:prepares-spells? true}", "Prepares Spells: yes"),
        (
            ":spellcasting {:spell-list {0 #{:light} 1 #{:sleep :bane}}}",
            "Spell List: cantrip: Light; 1st level: Bane, Sleep",
        ),
        (":profs {:armor {:light true :shields true}}", "Armor: Light, Shields"),
        (":profs {:weapon {:simple true :longsword true}}", "Weapon: Simple, Longsword"),
        (":profs {:tool {:thieves-tools true}}", "Tool: Thieves' Tools"),
        (":profs {:tool-options {:musical-instrument 3}}", "Tool Options: 3 Musical Instrument"),
        (
            ":profs {:tool-options {:choose 1 :options {:herbalism-kit true}}}",
            "Tool Options: choose 1 of Herbalism Kit",
        ),
        (":profs {:skill {:arcana true}}", "Skill: Arcana"),
        (":profs {:multiclass-weapon {:simple true} :multiclass-armor {:light true}}", "Multiclass Weapon: Simple"),
        (":multiclass-prereqs {:str 13}", "***Multiclass Prereqs.*** Strength: 13"),
        (
            ':armor-choices [{:name "Zq" :options {:leather 1 :chain-mail 1}}]',
            "Armor Choices: Zq: Leather or Chain Mail",
        ),
        (':weapon-choices [{:name "Zq" :options {:martial 1 :handaxe 2}}]', "Weapon Choices: Zq: Martial or 2 Handaxe"),
        (
            ':equipment-choices [{:name "Zq" :options {:explorers-pack 1 :dungeoneers-pack 1}}]',
            "Equipment Choices: Zq: Explorer's Pack or Dungeoneer's Pack",
        ),
        (":weapons {:javelin 4}", "Weapons: 4 Javelin"),
        (":armor {:leather 1}", "Armor: Leather"),
        (":equipment {:explorers-pack 1}", "Equipment: Explorer's Pack"),
        (":treasure {:gp 10}", "Treasure: 10 gp"),
        (":starting-equipment {:base :fighter}", "Starting Equipment: base: Fighter"),
        *BY_LEVEL,
        *TRAITS,
        *PROPS,
        (
            ":grants [{:pool :armor :key :light} {:pool :languages :count 2 :filter #{:elvish}}]",
            "***Grants.*** (pool: Armor; key: Light); (pool: Languages; count: 2; filter: Elvish)",
        ),
        *ANYWHERE,
    ],
    "subclasses": [
        (':help "zq"', "zq"),
        (":class :bard", "*Subclass of Bard*"),
        (":spellcasting {:level-factor 3 :ability :orcpub.dnd.e5.character/int}", "**Spellcasting** third spellcaster"),
        (":paladin-spells {1 {0 :bless 1 :bane}}", "***Paladin Spells.*** 1st level: Bless, Bane"),
        (":cleric-spells {1 {0 :bless} 2 {0 :hush}}", "***Cleric Spells.*** 1st level: Bless; 2nd level: Hush"),
        (":warlock-spells {1 {0 :bane}}", "***Warlock Spells.*** 1st level: Bane"),
        (":ability-increases [[1 :con]]", "***Ability Score Increase.*** Constitution +1"),
        *BY_LEVEL,
        *TRAITS,
        *PROPS,
        *ANYWHERE,
    ],
    "races": [
        (':languages #{"Common" "Elvish"}', "***Languages.*** Common, Elvish"),
        (':subraces ["Zq"]', "***Subraces.*** Zq"),
        *OF_A_RACE,
        *ANYWHERE,
    ],
    "subraces": [(":race :dwarf", "*Lineage of Dwarf*"), *OF_A_RACE, *ANYWHERE],
    "backgrounds": [
        (':help "zq"', "zq"),
        (':description "zq"', "zq"),
        (":profs {:skill {:nature true :survival true}}", "***Skill Proficiencies.*** Nature, Survival"),
        (":profs {:language-options {:choose 1 :options {:any true}}}", "***Languages.*** choose 1 of Any"),
        (":profs {:language-options {:choose 2}}", "***Languages.*** choose 2"),
        (":profs {:tool {:disguise-kit true}}", "***Tool Proficiencies.*** Disguise Kit"),
        (
            ":profs {:tool-options {:gaming-set 2 :musical-instrument 1}}",
            "***Proficiencies.*** Tool Options: 2 Gaming Set, Musical Instrument",
        ),
        (":equipment {:clothes-common 1 :abacus 2}", "***Equipment.*** Equipment: Clothes Common, 2 Abacus"),
        (
            ':equipment-choices [{:name "Keepsake" :options {:signet-ring 1 :pouch 1}}]',
            "***Equipment.*** Equipment Choices: Keepsake: Signet Ring or Pouch",
        ),
        (':custom-equipment {"A moth" 1}', "***Equipment.*** Custom Equipment: A moth"),
        (":treasure {:gp 10 :sp 5}", "***Equipment.*** Treasure: 10 gp, 5 sp"),
        (":weapons {:dagger 1} :armor {:leather 1}", "***Equipment.*** Weapons: Dagger\nArmor: Leather"),
        (":ability-increases [[2 :str] [1 :any]]", "***Ability Score Increase.*** Strength +2, Any +1"),
        (":save-proficiencies #{:dex}", "***Save Proficiencies.*** Dexterity"),
        *TRAITS,
        *ANYWHERE,
    ],
    "feats": [
        (':description "zq"', "zq"),
        (":prereqs #{:str :spellcasting}", "**Prerequisite** Spellcasting, Strength"),
        (":prereqs #{:medium :heavy}", "**Prerequisite** proficiency with heavy armor, proficiency with medium armor"),
        (":path-prereqs {:race {:elf true :half-orc true :human false}}", "**Prerequisite** Race: Elf, Half-Orc"),
        (":ability-increases #{:str :con}", "- Ability Score Increase: Constitution or Strength +1"),
        (
            ":ability-increases #{:str :saves?}",
            "- Ability Score Increase: Strength +1 and proficiency in its saving throws",
        ),
        (":ability-increases [[1 :con] [1 :any]]", "- Ability Score Increase: Constitution +1, Any +1"),
        (":save-proficiencies #{:dex}", "***Save Proficiencies.*** Dexterity"),
        *PROPS,
        (":grants [{:pool :invocations :key :zq-sight}]", "***Grants.*** (pool: Invocations; key: Zq Sight)"),
        *ANYWHERE,
    ],
    "invocations": [(':description "zq"', "zq"), (":prereqs {:level 5}", "**Prerequisite** Level 5"), *ANYWHERE],
    "boons": [(':description "zq"', "zq"), *ANYWHERE],
    "selections": [(':options [{:name "Zq" :description "zp"} {:name "Zr" :description ""}]', "- Zq. zp"), *ANYWHERE],
}
