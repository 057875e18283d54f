"""Says what a record rules in another edition: facts and sentences that differ, in both directions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.answer import ScoredPassage
from lorekeeper_mcp.models import Abilities, CharacterFeature, Creature, Equipment, Record, Spell
from lorekeeper_mcp.models.printed_values import ability_modifier, components, title
from lorekeeper_mcp.passages import Passage, PassageKind
from lorekeeper_mcp.passages.facts import texts_by_label
from lorekeeper_mcp.passages.sentences import cut_at_word
from lorekeeper_mcp.passages.statements import Rulings, Statement, is_same_block, likeness, statement, statements
from lorekeeper_mcp.render.pages import record_page
from lorekeeper_mcp.render.parts import Part, PartKind, parts_of, print_parts
from lorekeeper_mcp.text import fold

_WHOLE_SHARE = 0.5  # of the other edition's text; if more differs, it is printed whole
_MAX_HEADINGS = 160  # characters of the headings of what does not fit
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])|(?<=\.)\n")
_UNNAMED = "more of its text"
_QUOTE = 170  # characters of a sentence that only the shown edition has, which the answer prints in full above
# Facts that sources fill in differently, that repeat the text, or that only one edition prints at all.
_NOT_COMPARED = frozenset({
    "Targets", "Subclasses", "Damage", "Healing", "Saving Throw", "Area", "Variants", "Contents", "Image", "Image by",
    "Initiative", "Proficiency Bonus", "Environments", "Group", "Weapon", "Armor", "Worth", "Attack Roll", "Sets",
    "Sight", "Forms", "Abilities", "Subclass", "Spellcasting", "Size", "Credit",
})  # fmt: skip
_OTHER_LABELS = {"Challenge": "CR"}
_DEFENSES = ("**Damage Vuln", "**Damage Res", "**Damage Imm", "**Condition Imm")  # they decide most questions
_LEFT_OUT = re.compile(r"\*Rule in |See also: |\*[^*\n]+\*$|- [^\n`]+ \(`")  # a rule's chapter and its subsections
_ITEM = re.compile(r"^\s*[-*•]\s+")
_NAME = re.compile(r"^\*{2,3}_?[^*_]+?\.?_?\*{2,3}\.?\s*")
_NUMBERS = frozenset({PassageKind.FACTS, PassageKind.TABLE_ROW})
_NO_FACTS = frozenset("or and any a none feat 1 ft feet but not except armor".split())  # words of facts
_MIN_LIKENESS = 0.3  # of two passages that are about the same
_MAX_LACKING = 2  # quoted sentences that only the shown edition has
_NO_RULES = frozenset({"gear", "multiattack"})  # parts whose absence in the other edition says nothing


@dataclass(frozen=True)
class EditionNote:
    """What another edition says of an entry, in Markdown; "" if it rules the same. ``is_whole`` if it is all of it."""

    text: str = ""
    is_whole: bool = False


def compare_editions(shown: Record, other: Record, room: int) -> EditionNote:
    """Return what the record of another edition rules otherwise, has besides, or lacks, in at most ``room`` characters.

    The text is whole if most of it differs. Parts that do not fit are named.
    """
    shown_parts, other_parts = _parts(shown), _parts(other)
    facts = list(_fact_differences(shown, other))
    edition = " and ".join(other.editions)
    if isinstance(other, Creature):
        differing, lacking = _stat_block_differences(shown_parts, other_parts)
        length = 0
    else:
        differing, lacking = _text_differences(shown_parts, other_parts)
        length = sum(len(part.markdown) for part in other_parts)
    if length and sum(map(len, differing)) > _WHOLE_SHARE * length:
        whole = "\n\n".join(filter(None, ["\n".join(facts), print_parts(other_parts, _as_title)]))
        if len(whole) <= room:
            return EditionNote(whole, is_whole=True)
    return EditionNote(_fit([*facts, *differing], lacking, edition, room))


def _parts(record: Record) -> list[Part]:
    """The parts of a page with rules: texts and tables, without facts."""
    return [
        part
        for part in parts_of(record_page(record))
        if part.kind is not PartKind.FACT
        and not _LEFT_OUT.match(part.markdown)
        and not (isinstance(record, Creature) and part.kind is PartKind.TABLE and not part.section)
    ]


def _as_title(heading: str) -> str:
    return f"**{heading.lstrip('# ')}**"


# -- facts


def _fact_differences(shown: Record, other: Record) -> Iterator[str]:
    """One list item for each fact that is another, or that only one of the editions has."""
    ours, theirs = _facts(shown), _facts(other)
    for label in dict.fromkeys((*theirs, *ours)):
        mine, text = ours.get(label, ""), theirs.get(label, "")
        if not label and isinstance(other, Creature):  # the tags of a type rule nothing
            mine, text = (re.sub(r" \([^()]*\)", "", fact) for fact in (mine, text))
        if _comparable(label, mine) != _comparable(label, text):
            yield f"- **{label}:** {text or 'none'}" if label else f"- {text}"


def _facts(record: Record) -> dict[str, str]:
    facts = {
        _OTHER_LABELS.get(label, label): text
        for label, text in texts_by_label(record).items()
        if label not in _NOT_COMPARED or (label == "Damage" and isinstance(record, Equipment))
    }
    match record:
        case Creature():
            facts |= _numbers_of(record)
        case Spell():
            facts["Components"] = facts.get("Components", components(record))
        case Equipment() if record.requires_attunement is None:
            facts.pop("Attunement", None)
        case CharacterFeature():
            facts.pop("", None)  # its owner
            facts["Level"] = ", ".join(map(str, record.levels))
    return facts


def _numbers_of(creature: Creature) -> dict[str, str]:
    """The ability scores and saving throws. A stat block of 2014 lists only the saves with a proficiency."""
    scores = {name: getattr(creature.abilities, name) for name in Abilities.model_fields}
    numbers = {title(name): str(score) for name, score in scores.items() if score is not None}
    saves = {
        name: bonus
        for name, bonus in creature.saving_throws.items()
        if scores.get(name) is None or bonus != ability_modifier(scores[name])
    }
    return {**numbers, "Saving Throws": ", ".join(f"{title(name)} {bonus:+d}" for name, bonus in sorted(saves.items()))}


def _comparable(label: str, text: str) -> object:
    """What of a fact matters to the rules: letters and prices of components, the number of an armor class."""
    if label in ("CR", "Armor Class"):
        return text.partition(" (")[0].partition(" ")[0]
    if label == "Components":
        letters, _, materials = text.partition("(")
        return letters.strip(), tuple(re.findall(r"\d[\d,]*", materials)), "consume" in text
    words = fold(text.replace("+", " ")).split()
    words = ["level" if word == "level" else re.sub(r"(\d)(?:st|nd|rd|th)$", r"\1", word) for word in words]
    return sorted(word for word in words if word not in _NO_FACTS)


# -- texts


def _text_differences(shown: Sequence[Part], other: Sequence[Part]) -> tuple[list[str], list[str]]:
    """What the other edition rules otherwise, and quotations of what only the shown edition rules.

    If a sentence of the shown edition has a rule more than the other edition's, that one is printed, too.
    """
    ours, theirs = Rulings(part.markdown for part in shown), Rulings(part.markdown for part in other)
    sentences = (one for part in shown if part.kind is PartKind.TEXT for one in _sentences(part))
    changed, lacking = _compare_sentences(sentences, ours, theirs)
    return [text for part in other if (text := _differing_text(part, ours, changed))], lacking


def _compare_sentences(
    sentences: Iterable[Statement], ours: Rulings, theirs: Rulings
) -> tuple[set[Statement], list[str]]:
    """The other edition's sentences about what some of ours rule otherwise, and quotations of ours that it lacks."""
    nearest = {one: theirs.nearest(one) for one in sentences if not theirs.have(one)}
    lacking = [one for one, found in nearest.items() if found is None or ours.have(found)]
    return set(filter(None, nearest.values())), [f'"{cut_at_word(one.text, _QUOTE)}"' for one in lacking]


def _sentences(part: Part) -> list[Statement]:
    """The sentences of a part, without its name; each item of a list is one."""
    if part.markdown.lstrip().startswith("- "):
        return [statement(_ITEM.sub("", line).strip()) for line in part.markdown.splitlines() if line.strip()]
    return statements(_NAME.sub("", part.markdown, count=1) if part.name else part.markdown)


def _differing_text(part: Part, ours: Rulings, changed: Collection[Statement]) -> str:
    """What of a part differs, as list items, or a table; "" if nothing does."""
    if part.kind is PartKind.TABLE:
        rows = part.markdown.splitlines()[2:]
        is_known = all(ours.have(one) for row in rows for one in statements(row))
        return "" if is_known else f"\n{part.markdown}\n"
    new = [one.text for one in _sentences(part) if one in changed or not ours.have(one)]
    if part.markdown.lstrip().startswith("- "):
        return "\n".join(f"- {item}" for item in new)
    heading = f"**{part.heading.rstrip(':')}:** " if part.heading else ""
    return f"- {heading}{' '.join(new)}" if new else ""


def _stat_block_differences(shown: Sequence[Part], other: Sequence[Part]) -> tuple[list[str], list[str]]:
    """The traits and actions of another edition whose numbers differ, whole, and the names of those that it lacks."""
    ours, theirs = _by_name(shown), _by_name(other)
    differing = []
    for (section, name), text in theirs.items():
        heading, _, rule = text.partition("\n")
        same = ours.get((section, name)) or ours.get((section, name.removesuffix("s")))
        if same is None or not is_same_block(text, same):
            differing.append(f"- **{heading}:** {rule}")
    lacking = [
        text.partition("\n")[0].rpartition(" › ")[2]
        for (section, name), text in ours.items()
        if (section, name) not in theirs and (section, f"{name}s") not in theirs and name not in _NO_RULES
    ]
    return differing, lacking


def _by_name(parts: Sequence[Part]) -> Mapping[tuple[str, str], str]:
    """The heading and text of each trait and action, by its section and its name without uses."""
    by_name: dict[tuple[str, str], str] = {}
    for part in parts:
        name = fold(re.sub(r"\([^()]*\)", "", part.name))
        if name:  # others are descriptions
            text = _NAME.sub("", part.markdown, count=1)
            before = by_name.get((part.section, name), f"{part.heading}")
            by_name[part.section, name] = f"{before}\n{text}"
    return by_name


def _fit(lines: Sequence[str], lacking: Sequence[str], edition: str, room: int) -> str:
    """The list items in order, then what the other edition lacks, in at most ``room`` characters.

    If space is short, sentences with numbers go first, and short ones before long ones, so that most rules are printed.
    The headings of what is left out follow.
    """
    missing = f"- Not in {edition}: {' … '.join(lacking)}" if lacking else ""
    if len("\n".join([*lines, missing])) <= room:
        return "\n".join(filter(None, [*lines, missing]))
    missing = cut_at_word(missing, room // 8)
    printed, omitted = _choose_sentences(lines, room - _MAX_HEADINGS - len(missing) - 2)
    names = dict.fromkeys(_heading(line).strip("-*: ").rpartition(" › ")[2] or _UNNAMED for line in omitted)
    also = cut_at_word(f"- Also different: {', '.join(names)}", _MAX_HEADINGS) if names else ""
    return "\n".join(filter(None, [*printed, missing, also])) if printed else ""


def _choose_sentences(lines: Sequence[str], room: int) -> tuple[list[str], list[str]]:
    """The list items with the sentences of theirs that fit, and those that are not whole. Tables are not divided."""
    items = [_SENTENCES.split(line) if "|" not in line else [line] for line in lines]
    units = [(item, number) for item, sentences in enumerate(items) for number in range(len(sentences))]
    chosen: dict[int, set[int]] = {}
    for item, number in sorted(units, key=lambda unit: _priority(items[unit[0]][unit[1]])):
        heading = 0 if item in chosen or number == 0 else len(_heading(items[item][0]))
        if (cost := len(items[item][number]) + heading + 3) <= room:
            chosen.setdefault(item, set()).add(number)
            room -= cost
    printed = [_join_sentences(items[item], chosen[item]) for item in sorted(chosen)]
    return printed, [lines[item] for item in range(len(lines)) if len(chosen.get(item, ())) < len(items[item])]


def _priority(sentence: str) -> tuple[bool, int]:
    """A sort key: sentences with numbers, in digits or words, then the others, short ones first."""
    return not any(character.isdigit() for term in statement(sentence).terms for character in term), len(sentence)


def _heading(line: str) -> str:
    """The start of a list item with its heading: "- **Bite:** ", or "- "."""
    match = re.match(r"- (?:\*\*.+?\*\* )?", line)
    return match[0] if match else ""


def _join_sentences(sentences: Sequence[str], chosen: Collection[int]) -> str:
    """The chosen sentences of a list item after its heading, with "…" for others."""
    shown = [sentence if number in chosen else "…" for number, sentence in enumerate(sentences)]
    joined = re.sub(r"…(?: …)+", "…", " ".join(shown))
    return joined if 0 in chosen else f"{_heading(sentences[0])}{joined}"


# -- passages


def compare_passages(
    editions: Sequence[Record],
    shown: Sequence[Passage],
    own: Sequence[ScoredPassage],
    other: Sequence[ScoredPassage],
    room: int,
) -> str:
    """Return what the passages of another edition rule otherwise than the ``shown`` ones, which are some of ``own``.

    ``editions`` are the records of both, and both passages are scored by the same question, best first. The text is
    empty if what is about the same does not differ.
    """
    ours = Rulings(scored.passage.markdown for scored in own)
    theirs = [scored.passage for scored in other]
    pairs = [(passage, partner) for passage in shown if (partner := _partner(passage, theirs))]
    compared = _compared({partner for _, partner in pairs}, own, other)
    sentences = [one for passage, _ in pairs if passage.kind not in _NUMBERS for one in _sentences_of(passage)]
    changed, lacking = _compare_sentences(sentences, ours, Rulings(passage.markdown for passage in theirs))
    has_facts = any(passage.kind is PassageKind.FACTS for passage in (*shown, *compared))
    texts = [" · ".join(_differing_facts(editions, of_defenses=True)) if has_facts else ""]
    texts += [_differing_passage(one, ours, changed, own, editions) for one in compared]
    lines = _lines_that_fit(filter(None, texts), room, is_divisible=not isinstance(editions[0], Creature))
    quoted = " … ".join(lacking[:_MAX_LACKING])
    return "\n".join(lines) or (f"without {quoted}" if quoted else "")


def _compared(
    partners: Collection[Passage], own: Sequence[ScoredPassage], other: Sequence[ScoredPassage]
) -> list[Passage]:
    """The passages of another edition to compare: partners of the shown ones, and what answers better.

    The latter may be a rule that was dropped.
    """
    compared = set(partners)
    if other and own and other[0].score >= own[0].score:
        compared.add(other[0].passage)
    return [scored.passage for scored in other if scored.passage in compared]


def _lines_that_fit(texts: Iterable[str], room: int, *, is_divisible: bool) -> list[str]:
    """The texts that fit, and sentences of the others if these may be divided: a part of an action misleads."""
    lines: list[str] = []
    for text in texts:
        left = room - sum(map(len, lines))
        if len(text) <= left:
            lines.append(text)
        elif is_divisible:
            lines += _choose_sentences([text], left)[0]
    return lines


def _partner(passage: Passage, others: Sequence[Passage]) -> Passage | None:
    """The passage of another edition that is about the same: one line of facts, name or first cell, or similar."""
    if passage.kind is PassageKind.FACTS:
        return next((one for one in others if one.kind is PassageKind.FACTS and one.index == passage.index), None)
    of_kind = [one for one in others if (one.kind in _NUMBERS) == (passage.kind in _NUMBERS)]
    key = _passage_name(passage)
    if named := [one for one in of_kind if key and _passage_name(one) == key]:
        return named[0]
    if passage.kind is PassageKind.TABLE_ROW:
        return None
    whole = _whole(passage)
    best = max(of_kind, key=lambda one: likeness(whole, _whole(one)), default=None)
    return best if best is not None and likeness(whole, _whole(best)) >= _MIN_LIKENESS else None


def _passage_name(passage: Passage) -> str:
    """The name of a trait or action without its uses, or the first cell of a row; "" if it has neither."""
    if passage.kind is PassageKind.TABLE_ROW:
        return fold(passage.text.split("|")[1])
    name = _NAME.match(passage.markdown)
    return fold(name[0].partition(" (")[0]) if name else ""


def _whole(passage: Passage) -> Statement:
    return statement(" ".join((*passage.heading, passage.markdown)))


def _sentences_of(passage: Passage) -> list[Statement]:
    return statements(_NAME.sub("", passage.markdown, count=1))


def _differing_facts(editions: Sequence[Record], *, of_defenses: bool) -> list[str]:
    """The facts of another edition that differ: a creature's immunities and the like, or all others."""
    facts = (line.removeprefix("- ") for line in _fact_differences(editions[0], editions[1]))
    return [fact for fact in facts if fact.startswith(_DEFENSES) == of_defenses]


def _differing_passage(
    partner: Passage,
    ours: Rulings,
    changed: Collection[Statement],
    own: Sequence[ScoredPassage],
    editions: Sequence[Record],
) -> str:
    """What of a passage differs from the shown edition: facts and rows that are others, or sentences."""
    if partner.kind is PassageKind.FACTS:
        facts = _differing_facts(editions, of_defenses=False)
        return " · ".join(fact for fact in facts if fact.rpartition(":** ")[2] in partner.text)
    if partner.kind is PassageKind.TABLE_ROW:
        return "" if _has_words_of_row(own, partner) else f"\n{partner.markdown}"
    if partner.kind in (PassageKind.TRAIT, PassageKind.ACTION) and _NAME.match(partner.markdown):
        return "" if any(is_same_block(one.passage.markdown, partner.markdown) for one in own) else partner.markdown
    new = " ".join(one.text for one in _sentences_of(partner) if one in changed or not ours.have(one))
    return f"{partner.heading[-1]}: {new}" if partner.heading and new else new


def _has_words_of_row(own: Sequence[ScoredPassage], row: Passage) -> bool:
    words = set(fold(row.text).split())
    return any(words <= set(fold(one.passage.text).split()) for one in own)
