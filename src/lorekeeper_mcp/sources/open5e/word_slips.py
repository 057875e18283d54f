"""Misspelled words of Open5e's texts, and glued ones: their hyphen or space was lost at the end of a line, mostly."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Za-z]{3,}")
_RIGHT = dict(
    pair.replace("_", " ").split("=")
    for pair in """
Aadvantage=Advantage ahunixta=ahu-nixta airbreathing=air-breathing ambphibolt=amphibolt asasonbosam=asanbosam
beetleshaped=beetle-shaped Biteks=Bites castcharm=cast_charm centuriespast=centuries-past cheiftain=chieftain
closeknit=close-knit coldweather=cold-weather damag=damage damagesplits=damage_splits deepset=deep-set delow=below
dessicated=desiccated diety=deity dmage=damage dmg=damage dopplerat=doppelrat earpiercing=ear-piercing
enforers=enforcers eyewatering=eye-watering firebal=fireball flamescourged=flame-scourged fleshand=flesh-and
frogheaded=frog-headed Fuit=Fruit gaints=giants GCan=Can goblinking=goblin_king goblinkings=goblin_king's
goblinsare=goblins_are goodaligned=good-aligned grapping=grappling grouo=group hangbui=haugbui heirophant=hierophant
hesitantto=hesitant_to hig=high highpitched=high-pitched hitpoints=hit_points Ifit=If_it illtempered=ill-tempered
impressivelooking=impressive-looking incapactitated=incapacitated instinctivelyknow=instinctively_know
Inteligence=Intelligence isthe=is_the jimenju=jinmenju kneelength=knee-length knightsergeant=knight-sergeant
lifesapping=life-sapping longlasting=long-lasting longlimbed=long-limbed longlived=long-lived longterm=long-term
manaencrusted=mana-encrusted mases=masses meleeweapon=melee_weapon nearestmagic=nearest_magic nearestto=nearest_to
nilbogfor=nilbog_for noctini=noctiny nomagical=nonmagical nothnorren=noth-norren onecreature=one_creature
onemelee=one_melee onthem=on_them otherforms=other_forms partlyworked=partly_worked permenant=permanent
pessurized=pressurized piericing=piercing pointsinstead=points_instead Poision=Poison porcillina=porcellina
prety=prey rainbowcolored=rainbow-colored ravenelas=ravenalas razorsharp=razor-sharp rebezahls=rubezahls
saltencrusted=salt-encrusted sameway=same_way savesucceeds=save_succeeds selfdestruction=self-destruction
shadown=shadow sheild=shield shortlived=short-lived silouetted=silhouetted skullboom=skullbloom slighty=slithy
snowwhite=snow-white sovereigh=sovereign spellcomponents=spell_components stewardshipare=stewardship_are
stike=strike stoneshape=stone_shape Succcess=Success succesful=successful symetrical=symmetrical theullai=thuellai
theullali=thuellai theydbeen=they'd_been theyuse=they_use thier=their threequarters=three-quarters toa=to_a
tocharm=to_charm trinketsalikewhen=trinkets_alike_when tstart=start TThis=This whythe=why_the Wisdon=Wisdom
Wispers=Whispers wouldnormally=would_normally yakiran=yakirian yellowishgreen=yellowish-green
yelloworange=yellow-orange
""".split()
)


def spelled(text: str) -> str:
    """Return the text with these words as the rest of the book has them."""
    for word in _RIGHT.keys() & set(_WORD.findall(text)):
        text = re.sub(rf"\b{word}\b", _RIGHT[word], text)
    return text
