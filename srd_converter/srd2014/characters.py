"""Species, backgrounds and feats."""

from __future__ import annotations

from lorekeeper_mcp.models import Feat, Kind, Section, Species
from srd_converter.srd2014.document import COMMON, key_of, ref
from srd_converter.srd2014.entries import Entry, listed, paragraphs, read
from srd_converter.srd2014.names import ability_name

# Open5e uses the name that the book has within its halfling.
_SPECIES = {"lightfoot-halfling": "Lightfoot"}


def species() -> list[Species]:
    """Every species, followed by the lineages."""
    traits = read("Traits")
    return [
        *(_species(entry, traits) for entry in read("Races")),
        *(_lineage(entry, traits) for entry in read("Subraces")),
    ]


def _species(entry: Entry, traits: tuple[Entry, ...]) -> Species:
    own = [one for one in traits if entry.index in {race.index for race in one.entries("races")}]
    return Species(
        kind=Kind.SPECIES,
        key=key_of(entry.name),
        name=entry.name,
        size=entry.text("size"),
        speed=f"{entry.text('speed')} feet",
        traits=(
            Section(name="Ability Score Increase", text=_increases(entry)),
            Section(name="Age", text=entry.text("age")),
            Section(name="Alignment", text=entry.text("alignment")),
            Section(name="Size", text=entry.text("size_description")),
            Section(name="Speed", text=f"{entry.text('speed')} feet"),
            Section(name="Languages", text=entry.text("language_desc")),
            *(_trait(one) for one in own),
        ),
        **COMMON,
    )


def _lineage(entry: Entry, traits: tuple[Entry, ...]) -> Species:
    name = _SPECIES.get(entry.index, entry.name)
    own = [one for one in traits if entry.index in {race.index for race in one.entries("subraces")}]
    base = entry.entry("race")
    return Species(
        kind=Kind.SPECIES,
        key=key_of(name),
        name=name,
        text=entry.description,
        subspecies_of=ref(base.name),
        is_subspecies=True,
        traits=(Section(name="Ability Score Increase", text=_increases(entry)), *(_trait(one) for one in own)),
        **COMMON,
    )


def _increases(entry: Entry) -> str:
    """``Charisma +2; 2 of Strength, Dexterity or Wisdom +1``."""
    fixed = [f"{_ability(one)} +{one.text('bonus')}" for one in entry.entries("ability_bonuses")]
    choice = entry.entry("ability_bonus_options")
    options = choice.entry("from").entries("options")
    if options:
        names = listed([_ability(one) for one in options])
        fixed.append(f"{choice.text('choose')} of {names} +{options[0].text('bonus')}")
    return "; ".join(fixed)


def _ability(entry: Entry) -> str:
    return ability_name(entry.entry("ability_score"))


def _trait(entry: Entry) -> Section:
    """A trait. A single draconic ancestry has its row of the table, since its text is that of all of them."""
    details = entry.entry("trait_specific")
    breath = details.entry("breath_weapon")
    area, save = breath.entry("area_of_effect"), breath.entry("dc").entry("dc_type")
    facts = (
        f"Damage type: {details.entry('damage_type').name}. Breath weapon: {area.text('size')}-foot "
        f"{area.text('type')} ({ability_name(save)} saving throw)."
    )
    text = facts if breath.fields else entry.description
    return Section(name=entry.name, text=text, type="option" if entry.has("parent") else "")


def feats() -> list[Feat]:
    """Every feat."""
    return [_feat(entry) for entry in read("Feats")]


def _feat(entry: Entry) -> Feat:
    lines = entry.strings("desc")
    return Feat(
        kind=Kind.FEAT,
        key=key_of(entry.name),
        name=entry.name,
        text=paragraphs(line for line in lines if not line.startswith("- ")),
        benefits=tuple(line.removeprefix("- ") for line in lines if line.startswith("- ")),
        prerequisite=", ".join(
            f"{_ability(one)} {one.text('minimum_score')} or higher" for one in entry.entries("prerequisites")
        ),
        **COMMON,
    )
