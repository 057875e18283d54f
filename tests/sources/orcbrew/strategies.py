"""Random OrcBrew files: valid EDN in both shapes with the irregularities of real files, and their content."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

SECTIONS = (
    "spells monsters classes subclasses races subraces backgrounds feats languages invocations selections encounters"
    " boons items weapons armor magic-items vehicles".split()
)
FIELDS = (
    "level school casting-time range duration components spell-lists ritual type size armor-class hit-points speed str"
    " dex saving-throws skills challenge props traits legendary-actions class race level-modifiers cleric-spells"
    " hit-die profs spellcasting ability-increase-levels abilities languages darkvision spells equipment treasure"
    " prereqs path-prereqs ability-increases options creatures rarity attunement cost weight damage-die base-ac key"
    " option-pack disabled? die die-count modifier name description senses choose value verbal material-component"
    " monster num x"
).split()


@dataclass(frozen=True)
class File:
    """A file's text and its number of items."""

    text: str
    items: int


def quoted(text: str) -> str:
    """A text as EDN writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(quoted)
keywords = st.from_regex(r"[a-z][a-z0-9'?-]{0,8}", fullmatch=True)
scalars = st.one_of(
    st.sampled_from(
        ["nil", "true", "false", "##NaN", "##Inf", "1/4", "0.25", "-3", "17", "4.5e300", "007", "9N", "\\a"]
    ),
    st.sampled_from(
        ['"30 ft., fly 60 ft."', '"1 action"', '"Concentration, up to 1 hour"', '"15 gp"', '"1/2"', '"3rd"']
    ),
    st.sampled_from(['#inst "2020-01-01"', '#uuid "x"', "#my/tag 3", "#_ :gone nil", "^:meta 4"]),
    st.integers(-(10**20), 10**20).map(str),
    texts,
    keywords.map(":{}".format),
)


def _map(pairs: list[tuple[str, str]]) -> str:
    return "{" + " ".join(f":{key} {value}" for key, value in pairs) + "}"


def _containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(inner, max_size=4)
    return st.one_of(
        several.map(lambda members: f"[{' '.join(members)}]"),
        several.map(lambda members: f"({', '.join(members)})"),
        several.map(lambda members: f"#{{{' '.join(members)}}}"),
        st.lists(st.tuples(st.one_of(st.sampled_from(FIELDS), keywords), inner), max_size=4).map(_map),
        several.map(lambda members: "{" + " ".join(f"{i} {member}" for i, member in enumerate(members)) + "}"),
    )


values = st.recursive(scalars, _containers, max_leaves=8)
maps = st.lists(st.tuples(st.sampled_from(FIELDS), values), max_size=8).map(_map)
items = st.one_of(maps, maps, maps, values)
blanks = st.sampled_from([" ", "\n", ", ", " ; a remark\n", "\r\n", "\u00a0", " nil nil "])


@st.composite
def sections(draw: st.DrawFn) -> File:
    """The content of a book: sections with items, some of them empty."""
    parts, count = [], 0
    for section in draw(st.lists(st.sampled_from(SECTIONS), max_size=3, unique=True)):
        entries = draw(st.lists(st.tuples(keywords, items), max_size=3))
        count += len(entries)
        blank = draw(blanks)
        inside = blank.join(f":{key} {value}" for key, value in entries)
        parts.append(f":orcpub.dnd.e5/{section}{draw(blanks).replace('nil nil', '')}{{{inside}}}")
    return File(draw(blanks).join(parts), count)


@st.composite
def files(draw: st.DrawFn) -> File:
    """A whole file in either shape, sometimes of several forms."""
    forms, count = [], 0
    for _ in range(draw(st.integers(1, 2))):
        if draw(st.booleans()):
            book = draw(sections())
            forms.append(f"{{{book.text}}}")
            count += book.items
        else:
            books = draw(st.dictionaries(names, sections(), max_size=3))
            forms.append("{" + " ".join(f"{quoted(name)} {{{book.text}}}" for name, book in books.items()) + "}")
            count += sum(book.items for book in books.values())
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return File(mark + "\n".join(forms), count)
