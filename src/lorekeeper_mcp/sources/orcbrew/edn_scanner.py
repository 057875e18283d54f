"""One pass over an OrcBrew file's characters: faults with line and column, and text that the EDN parser reads right.

Real files are written by hand and by tools that know EDN only roughly, and ``edn-format`` stops at some of what
they hold (apostrophes in keywords, unknown tags, no-break spaces, carriage returns) and silently misreads other
things (``007``, ``:a/b/c``, a key given twice). Each is rewritten here into what cannot be misread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

DEEPEST = 100  # brackets within brackets; files of the application reach about 12
_TOKEN = re.compile(
    r"""
      (?P<string>"[^"\\]*(?:\\.[^"\\]*)*")
    | (?P<blank>[\s,\ufeff\u200b\u2060]+)
    | (?P<comment>;[^\n]*)
    | (?P<discard>\#_)
    | (?P<open>\#\s*\{ | \#:{1,2}[^\s,;"()\[\]{}#]*\s*\{ | [(\[{])
    | (?P<close>[)\]}])
    | (?P<symbolic>\#\#[A-Za-z-]+)
    | (?P<tag>\#[^\W\d_][^\s,;"()\[\]{}\\^@`~]*)
    | (?P<character>\\(?:u[0-9A-Fa-f]{4}|[A-Za-z]+|[^\s]))
    | (?P<metadata>\^)
    | (?P<atom>[^\s,;"()\[\]{}\\^@`~\#][^\s,;"()\[\]{}\\^@`~]*)
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,300})(?:N|(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?M?)?", re.ASCII)
_RATIO = re.compile(r"-?\d{1,300}/0*[1-9]\d{0,300}", re.ASCII)
_KEYWORD = re.compile(r":[A-Za-z*!_?$%&=<>.+-][\w.*+!?$%&=<>-]*(?:/[A-Za-z*!_?$%&=<>.+-][\w.*+!?$%&=<>-]*)?", re.ASCII)
_BAD_ESCAPE = re.compile(r"""(\\(?:["\\nrtbf]|u[0-9A-Fa-f]{4}))|\\(/?)""")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CHARACTERS = {"newline": "\\n", "return": "\\r", "space": " ", "tab": "\\t", "formfeed": "", "backspace": ""}
_STAND_IN = "lorekeeper-"


class OrcbrewFileError(ValueError):
    """The file cannot be read; the message is one sentence, with line and column where there is a place."""


@dataclass(frozen=True)
class Scanned:
    """Clean EDN. ``names`` are the real names of keywords that stand in it as ``lorekeeper-0``, ``lorekeeper-1`` …"""

    text: str
    names: list[str]

    def name(self, keyword: str) -> str:
        """The name of a keyword as the file has it, a namespace before ``/``."""
        space, _, last = keyword.rpartition("/")
        if not last.startswith(_STAND_IN):
            return keyword
        real = self.names[int(last.removeprefix(_STAND_IN))]
        return real if "/" in real or not space else f"{space}/{real}"


@dataclass
class _Frame:
    """A bracket that is open. ``terms`` counts what a map holds so far, ``skipped`` what ``#_`` still drops."""

    closing: str
    at: int
    is_map: bool
    terms: int = 0
    skipped: int = 0
    keys: set[str] = field(default_factory=set)


def line_and_column(text: str, at: int) -> str:
    """``line 3, column 14`` of an offset."""
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def scan(text: str) -> Scanned:
    """The file's text made clean. Raises FileFault at brackets that do not match and at what is no EDN at all."""
    scanner = _Scanner(text)
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise OrcbrewFileError(_unreadable(text, at))
        scanner.take(found.lastgroup or "", found[0], at)
        at = found.end()
    return scanner.finish()


def _unreadable(text: str, at: int) -> str:
    if text[at] == '"':
        return f"The text that begins at {line_and_column(text, at)} has no closing quote: the file may be cut off."
    return f"There is a stray {text[at]!r} at {line_and_column(text, at)}."


class _Scanner:
    """The state of a pass: what is open, what is written, which names stand-ins have."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._out: list[str] = []
        self._names: list[str] = []
        self._open = [_Frame("", 0, False)]

    def take(self, kind: str, token: str, at: int) -> None:
        """Write one token, mended."""
        match kind:
            case "blank":
                self._out.append("\n" if "\n" in token else " ")
            case "comment" | "tag":  # a tag says of which type a value is; the value itself is what counts
                self._out.append(" ")
            case "discard" | "metadata":  # metadata is no part of the value that follows
                self._open[-1].skipped += 1
                self._out.append("#_ ")
            case "open":
                self._begin(token, at)
            case "close":
                self._end(token, at)
            case "string":
                self._term(_string(token), token)
            case "character":
                name = token[1:]
                self._term(f'"{_character(name)}" ', token)
            case "symbolic":
                self._term("##NaN " if token == "##NaN" else "nil ", token)  # noqa: S105 - a token of EDN
            case _:
                self._atom(token)

    def _begin(self, token: str, at: int) -> None:
        if len(self._open) > DEEPEST:
            raise OrcbrewFileError(
                f"Brackets are nested more than {DEEPEST} deep at {line_and_column(self._text, at)}."
            )
        is_map = token[-1] == "{" and not (token[0] == "#" and ":" not in token)
        # "# {" and "#:: ns {" are what other programs make of "#{" and "#:ns{" when they reflow a file.
        space = re.sub(r"[^\w.*+!?$%&=<>-]", "", token.rstrip("{ \t\r\n").lstrip("#:")) if ":" in token else ""
        self._out.append(f"#:{space}{{" if space else "#{" if token[0] == "#" and not is_map else token[-1])
        self._open.append(_Frame(_PAIRS[token[-1]], at, is_map))

    def _end(self, token: str, at: int) -> None:
        frame = self._open[-1]
        if len(self._open) == 1:
            raise OrcbrewFileError(f"There is a {token} at {line_and_column(self._text, at)} that closes nothing.")
        if token != frame.closing:
            opened = f"the {self._text[frame.at]} of {line_and_column(self._text, frame.at)}"
            raise OrcbrewFileError(
                f"There is a {token} at {line_and_column(self._text, at)} where {opened} needs a {frame.closing}."
            )
        self._complete(frame, at)
        self._open.pop()
        self._out.append(token)
        self._count()

    def _complete(self, frame: _Frame, at: int) -> None:
        if frame.skipped:
            raise OrcbrewFileError(f"A #_ or ^ before {line_and_column(self._text, at)} has nothing behind it.")
        if frame.is_map and frame.terms % 2:
            raise OrcbrewFileError(
                f"The map that begins at {line_and_column(self._text, frame.at)} has a key without a value "
                f"(it ends at {line_and_column(self._text, at)})."
            )

    def _count(self) -> bool:
        """Count a term of the innermost bracket; whether it is a key of a map."""
        frame = self._open[-1]
        if frame.skipped:
            frame.skipped -= 1
            return False
        frame.terms += 1
        return frame.is_map and frame.terms % 2 == 1

    def _term(self, clean: str, raw: str) -> None:
        """A term that may be a key; a key that comes again gets a stand-in, so that neither value is lost.

        So do keys that are numbers or flags: for Python 1, 1.0 and true are the same key.
        """
        is_key = self._count()
        keys = self._open[-1].keys
        if is_key and (raw in keys or raw[0] in "+-0123456789" or raw in ("true", "false")):
            clean = f"{self._stand_in(raw.strip(':').strip(chr(34)))} "
        elif is_key:
            keys.add(raw)
        self._out.append(clean)

    def _atom(self, token: str) -> None:
        if token[0] == ":":
            clean = token if _KEYWORD.fullmatch(token) and _STAND_IN not in token else self._stand_in(token.lstrip(":"))
        elif token in ("nil", "true", "false") or _NUMBER.fullmatch(token) or _RATIO.fullmatch(token):
            clean = token.rstrip("N") if token[0] in "+-0123456789" else token
        else:  # 007, 3d6, a bare word: the parser would split some of these in two
            clean = f'"{token}"'
        self._term(f"{clean} ", token)

    def _stand_in(self, name: str) -> str:
        self._names.append(name)
        # Behind a namespace a stand-in must not get that of a namespaced map around it.
        return f":{'_x/' if '/' in name else ''}{_STAND_IN}{len(self._names) - 1}"

    def finish(self) -> Scanned:
        """What was written. Raises FileFault where a bracket is still open."""
        if len(self._open) > 1:
            frame = self._open[-1]
            opened = f"{self._text[frame.at]} of {line_and_column(self._text, frame.at)}"
            raise OrcbrewFileError(
                f"The file ends at {line_and_column(self._text, len(self._text))} while the {opened} is still open: "
                "it may be cut off."
            )
        self._complete(self._open[0], len(self._text))
        return Scanned("".join(self._out), self._names)


def _string(token: str) -> str:
    """Only the escapes that EDN has; the parser would take ``C:\\Users`` for a broken one."""
    if "\\" not in token:
        return token
    return '"' + _BAD_ESCAPE.sub(lambda found: found[1] or (found[2] or "\\\\"), token[1:-1]) + '"'


def _character(name: str) -> str:
    if len(name) == 5 and name[0] == "u":
        return f"\\{name}"
    plain = _CHARACTERS.get(name, name)
    return plain.replace("\\", "\\\\").replace('"', '\\"') if name not in _CHARACTERS else plain
