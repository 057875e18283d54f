"""No creature has meaningless or duplicate content."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Abilities, Action, ActionType, Defenses, Edition, Ref, Section, Senses
from tests.sources.open5e.cleaned_records import moth


def test_texts_of_traits_and_actions_are_cleaned() -> None:
    record = moth(
        "a5e-mm",
        traits=(Section(name="Dusty", text="On a hit  it coughs."),),
        actions=(Action(name="Bite", text="A\\nB"),),
    )
    assert (record.traits[0].text, record.actions[0].text) == ("On a hit, it coughs.", "A\nB")


def test_an_introduction_to_legendary_actions_is_no_action() -> None:
    flap = Action(name="Flap", text="It flaps.", type=ActionType.LEGENDARY_ACTION)
    intro = Action(
        name="The moth can take 2 legendary actions",
        text="Only one at the end of another creatures turn.",
        type=ActionType.LEGENDARY_ACTION,
    )
    record = moth("a5e-mm", actions=(flap, intro))
    assert record.actions == (flap,)
    assert record.legendary_text == (
        "The moth can take 2 legendary actions. Only one at the end of another creature's turn."
    )


def test_an_alignment_served_for_a_whole_book_is_dropped() -> None:
    assert moth("bfrd", alignment="chaotic evil").alignment == ""
    assert moth("tob", alignment="chaotic evil").alignment == "chaotic evil"


def test_an_alignment_is_in_small_letters_in_every_book() -> None:
    assert moth("tob-2023", alignment="Any Non-Lawful Alignment").alignment == "any non-lawful alignment"


def test_a_creature_of_all_environments_has_no_environment() -> None:
    places = tuple(Ref(name=str(number), key=str(number)) for number in range(31))
    assert moth(environments=places).environments == ()
    assert len(moth(environments=places[:13]).environments) == 13


def test_a_legendary_action_is_not_also_an_ordinary_action() -> None:
    actions = tuple(
        Action(name="Dust", text="It dusts.", type=type_) for type_ in (ActionType.ACTION, ActionType.LEGENDARY_ACTION)
    )
    assert [action.type for action in moth(actions=actions).actions] == [ActionType.LEGENDARY_ACTION]


def test_an_armor_class_is_printed_once() -> None:
    assert (
        moth(armor_class=14, armor_text="14 (natural armor), 11 while prone").armor_text
        == "natural armor, 11 while prone"
    )


def test_an_armor_class_by_form_is_whole() -> None:
    served = "n humanoid form, 11 (natural armor) in moth and hybrid for"
    assert moth("bfrd", armor_text=served).armor_text == f"i{served}m"
    assert moth(armor_text="natural armor), 18 while dim").armor_text == "natural armor, 18 while dim"


@pytest.mark.parametrize(("rating", "bonus"), [(0.25, 2), (4, 2), (5, 3), (17, 6), (30, 9)])
def test_the_challenge_rating_gives_the_proficiency_bonus(rating: float, bonus: int) -> None:
    assert moth(challenge_rating=rating, editions=(Edition.E2024,)).proficiency_bonus == bonus
    assert moth(challenge_rating=rating, editions=(Edition.E2014,)).proficiency_bonus == bonus
    assert moth(challenge_rating=None).proficiency_bonus is None


def test_a_limit_of_use_is_shown_once() -> None:
    creature = moth(actions=(Action(name="Glow (Recharge 4-6)", text="It glows.", uses="Recharge 4–6"),))
    assert [(action.name, action.uses) for action in creature.actions] == [("Glow", "Recharge 4–6")]


def test_the_srd_of_2024_prints_no_kind_of_armor() -> None:
    assert moth("srd-2024", armor_text="natural armor").armor_text == ""
    assert moth("own", armor_text="natural armor").armor_text == "natural armor"


def test_lost_apostrophes_are_restored() -> None:
    trait = Section(name="Devils Sight", text="The moths wings glow while the moths are near. The lamps light dims.")
    song = Section(name="Song", text="It is immune to any moths song, and the targets Speed is halved.")
    [sight, repaired_song] = moth("a5e-mm", traits=(trait, song)).traits
    assert sight.name == "Devil's Sight"
    assert sight.text == "The moth's wings glow while the moths are near. The lamps light dims."
    assert repaired_song.text == "It is immune to any moth's song, and the target's Speed is halved."


def test_possessives_get_their_apostrophes() -> None:
    text = "The moths wings, a lamp moths glow, an enemys reach, draconic masters breath; it can cast Heroes Feast."
    [trait] = moth("a5e-mm", "Lamp Moth", traits=(Section(name="Dragons Blood", text=text),)).traits
    assert trait.name == "Dragon's Blood"
    hum = Section(name="Hum", text="The mothcan hum.")
    immune = Section(name="Hum", text="It is immune to this moths Hum. The lamp-moths AC is 9. The moths for it.")
    [repaired_hum] = moth("a5e-mm", "Lamp Moth", traits=(immune,)).traits
    assert repaired_hum.text == "It is immune to this moth's Hum. The lamp-moth's AC is 9. The moths for it."
    assert moth("a5e-mm", traits=(hum,)).traits[0].text == "The moth can hum."
    assert trait.text == (
        "The moth's wings, a lamp moth's glow, an enemy's reach, draconic masters breath; it can cast Heroes' Feast."
    )
    names = "A target of the trolls Dim Glow trait or of any angels Hum-Stilling Gaze. The troll uses Dim Glow."
    [trait] = moth("a5e-mm", traits=(Section(name="Names", text=names),)).traits
    assert trait.text == names.replace("trolls", "troll's").replace("angels", "angel's")
    lamps = "The lamp mens eyes see lamps. The cube spells trouble, and of creatures turn few."
    [trait] = moth("a5e-mm", "Lamp Men's Eyes", traits=(Section(name="Eyes", text=lamps),)).traits
    assert trait.text == lamps.replace("lamp mens eyes", "lamp men's eyes")


def test_a_lost_second_digit_of_a_saving_throw_is_restored() -> None:
    scores = Abilities(strength=22, dexterity=14)
    record = moth(challenge_rating=13.0, abilities=scores, saving_throws={"strength": 1, "dexterity": 2})
    assert record.saving_throws == {"strength": 11, "dexterity": 2}
    assert [(note.field, note.was) for note in record.corrections] == [("saving_throws", "strength +1, dexterity +2")]


@pytest.mark.parametrize(("passive", "skills"), [(14, {"perception": 4}), (17, {"perception": 7}), (11, {}), (16, {})])
def test_lost_perception_follows_from_the_passive_score(passive: int, skills: dict[str, int]) -> None:
    fields = {"challenge_rating": 5.0, "abilities": Abilities(wisdom=12), "skills": {"perception": 1}}
    senses = Senses(passive_perception=passive)
    assert moth("tob3", senses=senses, **fields).skills == skills
    assert moth("own", senses=senses, **fields).skills == {"perception": 1}


def test_a_fragment_of_a_type_is_no_alignment() -> None:
    assert moth(alignment="Shapechanger)").alignment == ""
    assert moth(alignment="good (50%) or evil (50%)").alignment == "good (50%) or evil (50%)"


def test_contractions_with_lost_apostrophes_are_restored() -> None:
    trait = Section(name="Dim", text="It doesnt glow and hasnt burned.")
    assert moth("a5e-mm", traits=(trait,)).traits[0].text == "It doesn't glow and hasn't burned."
    assert moth(languages="Thieves' cant, but cant speak").languages == "Thieves' cant, but can't speak"


def test_a_text_of_a_stat_block_begins_with_a_capital() -> None:
    record = moth(
        traits=(Section(name="Light", text="the moth's light is dim."), Section(name="Dice", text="1d6 moths"))
    )
    assert [trait.text for trait in record.traits] == ["The moth's light is dim.", "1d6 moths"]


def test_an_action_ends_before_the_next_one() -> None:
    dim = Action(name="Dim", text="It dims every lamp that it can see.", uses="1/Day")
    light = Action(name="Light", text=f"It casts light.\nDim (1/Day){dim.text}")
    glow = Action(name="Glow", text=dim.text)
    assert moth(actions=(light, dim, glow)).actions == (light.model_copy(update={"text": "It casts light."}), dim, glow)


def test_the_beginning_of_a_trait_within_another_one_is_moved() -> None:
    traits = (Section(name="Glow", text="It glows. Dust. It has:"), Section(name="Dust", text="1. A lamp."))
    assert [trait.text for trait in moth(traits=traits).traits] == ["It glows.", "It has:\n\n1. A lamp."]


def test_a_line_of_defenses_has_no_other_line_in_it() -> None:
    defenses = Defenses(damage_immunities_text="fire Condition Immunities prone", damage_resistances_text="cold from")
    assert moth(defenses=defenses).defenses == Defenses(
        damage_immunities_text="fire",
        condition_immunities_text="prone",
        damage_resistances_text="cold from (the source's text ends here)",
    )


def test_the_name_of_a_line_in_an_action_is_bold() -> None:
    breath = Action(
        name="Breath", text="It has two breaths:\nDust Breath. It breathes dust.\nLight of Lamps. It glows."
    )
    [action] = moth(actions=(breath,)).actions
    assert action.text == "It has two breaths:\n\n**Dust Breath.** It breathes dust.\n\n**Light of Lamps.** It glows."


@pytest.mark.parametrize(
    ("served", "printed"),
    [
        ({"walk": 60.0, "fly": 20.0}, {"walk": 20.0, "fly": 60.0}),
        ({"walk": 30.0, "fly": 5.0, "burrow": 20.0}, {"walk": 20.0, "burrow": 5.0, "fly": 30.0}),
        ({"walk": 30.0}, {"walk": 30.0}),
    ],
)
def test_speeds_that_are_one_mode_too_early_are_moved(served: dict[str, float], printed: dict[str, float]) -> None:
    assert moth("tob-2023", speed=served).speed == printed
    assert moth("tob", speed=served).speed == served
