"""The conditions that a spell's text imposes, judged by the words before each mention, one clause at a time."""

from __future__ import annotations

import re

CONDITIONS = (
    *("blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated", "invisible"),
    *("paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious"),
)
NAMES = "|".join(CONDITIONS)
ENDS = re.compile(r"\b(remov|cure|suppress|restor|end (one|any|all)|ends? (the|any)|free of)\w*", re.IGNORECASE)
AGAINST = re.compile(
    r"\b(immun\w*|cannot|can.t|not|never|no longer|neither|nor|\w+n.t|would|already|whether|against|avoid\w*|resist"
    r"|unless|able to|advantage|automatically succe\w+|condition can|normal form and|treated as if)\b",
    re.IGNORECASE,
)
WHEN = re.compile(r"\b(if|when|whenever|while|as you|before you)\b", re.IGNORECASE)
# The beginning of another clause: a comma, or a conjunction with a verb or a subject after it.
JOINT = re.compile(
    r"[,;:()]\s|(?<! by )\b(?:and|or|but)\s+(?=(?:\w+ly |instead |also )*(?:it |they |you |the \w+ |a \w+ |an \w+ )?"
    r"(?:is|are|be|becomes?|becoming|has|have|gains?|suffers?|falls?|falling|drops?|lands?|takes?)\b)"
    r"|\b(?:which|that|who) (?=takes? )"
)
STATE = (
    r"is|are|be|become|becomes|becoming|being|fall|falls|falling|drops|knocked|rendered|land|lands|landing|turn|turns"
)
MADE = r"(?:make|makes|making|render|renders|rendering|turn|turns|knock|knocks|knocking)(?: (?!any )\w+){1,2}"
GIVEN = (
    r"(?:has|have|having|gain|gains|with|inflicts?|imposes?|suffers?|gives?|giving|gets?|subjected to)(?: both)? the"
)
LEVEL = r"(?:suffers?|gains?|takes?)(?: from)?(?: all)?(?: (?:a|one|two|three|\d\w*))?(?: levels? of)?"
LED_BY = re.compile(
    rf"(?:\b(?:{STATE}|{MADE}|{GIVEN})(?: also| magically| instead| either| both| effectively)*"
    r"|(?:less|fewer|hp|points):|\|(?: target)?)\s*$",
    re.IGNORECASE,
)
VERBS = {"blinded": "blind", "charmed": "charm", "frightened": "frighten", "grappled": "grapple", "stunned": "stun"}
VERBS |= {"deafened": "deafen", "paralyzed": "paralyze", "petrified": "petrify", "restrained": "restrain"}


def imposes(text: str, wanted: str) -> bool:
    """Whether a sentence imposes a condition on somebody, instead of only mentioning who has it."""
    plain = re.sub(r"[*_\[\]]", "", text)
    return any(in_sentence(one, wanted) for one in re.split(r"(?<=[.!?])\s+|(?<=;) |\n", plain))


def in_sentence(sentence: str, wanted: str) -> bool:
    verb = VERBS.get(wanted, "-")
    by_verb = re.search(
        rf"\b(?:attempts? to|effectively|that|can) {verb}s? (?:an?|the|each)\b", sentence, re.IGNORECASE
    )
    if by_verb and not AGAINST.search(sentence[: by_verb.start()]):
        return True
    return any(
        is_imposed(sentence[: found.start()], sentence[found.end() :], wanted)
        for found in re.finditer(rf"\b{wanted}\b", sentence, re.IGNORECASE)
    )


def is_imposed(before: str, behind: str, wanted: str) -> bool:
    listed = re.search(rf"(?:\b(?:{NAMES})\b(?:, (?:and|or) |, | and | or )(?:is |has )?)+$", before, re.IGNORECASE)
    led = before[: listed.start()] if listed else before
    if ENDS.search(led) or re.search(r"^[^.]{0,40} conditions? removed", behind):
        return False
    clause = JOINT.split(f"{led} ")[-1].rstrip() or led.rstrip()
    if re.search(r"\b(?:aura|entrance|glyph|portal)\s+is$", clause) or AGAINST.search(clause):
        return False
    if WHEN.search(clause) and not begins_anew(clause):
        return False
    presupposed = r"\b(?:that|who|which|sees?|reveals?)(?: \w+ly)?(?: is \w+ by or)?"
    if re.search(rf"{presupposed}(?: is| are| has the| have the| becomes)?$", clause):
        return False
    if wanted == "exhaustion":
        return re.search(rf"\b{LEVEL}$", clause, re.IGNORECASE) is not None
    return LED_BY.search(clause) is not None or is_joined(clause, behind)


def begins_anew(clause: str) -> bool:
    """Whether the main clause follows without a comma: "if it is a creature it is", "while inside a creature is"."""
    subject = r"(?: is a \w+| (?:while|when)? ?in \w.*) (?:it|they|an? \w+) (?:is|are)$"
    behind_verb = r" when (?:it|the \w+) \w+s (?:is|are|becomes?)$"
    return re.search(rf"{subject}|{behind_verb}", clause, re.IGNORECASE) is not None


def is_joined(clause: str, behind: str) -> bool:
    """Whether a second condition follows a first: "pulled in and restrained", "stunned and blinded for two turns"."""
    lasts = re.match(r" (?:for|until|\()", behind)
    passive = re.search(r"\b(?:is|are|be) (?:also )?\w+ed\b[^,;:]* and (?:knocked )?$", f"{clause} ")
    return bool(passive or (lasts and re.search(r"\band$", clause)))
