"""Sixty hostile homebrew files: patterns, growth, depth, size, archives, encodings, names, copies and odd files."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_S = "HOST"
_META = {"sources": [{"json": _S, "full": "Hostile Book"}]}
_LONG = "a" * 45
_PATTERNS = (
    "a?" * 45 + _LONG, "(a|aa)" * 25 + "$", "(a+)+$", "(a*)*b", "([a-z]+)*\\d", "(.*){1,32000}x", "(?:x+x+)+y",
    "(a|a)*$", "(\\w+\\s?)*$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?=(a+))a*b\\1", "(a{1,1000}){1,1000}",
)  # fmt: skip


def write(folder: Path) -> list[str]:
    """Write the files; return their names."""
    for name, data in {**dict(_fivetools()), **dict(_other_formats()), **dict(_broken())}.items():
        (folder / name).write_bytes(data)
    _archives(folder)
    os.mkfifo(folder / "fifo.json")
    for name, target in {"zero.json": "/dev/zero", "loop.json": "loop.json", "gone.json": "nowhere.json"}.items():
        (folder / name).symlink_to(target)
    (folder / "up").symlink_to(folder)
    return sorted(path.name for path in folder.iterdir() if path.name != "up")


def _file(**lists: Any) -> bytes:
    return json.dumps({"_meta": _META, **lists}).encode("utf-8", "surrogatepass")


def _monster(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "source": _S, **fields}


def _copy(name: str, original: str, **changes: Any) -> dict[str, Any]:
    return _monster(name, _copy={"name": original, "source": _S, **changes})


def _replacing(pattern: str, new: str = "x", text: str = _LONG, times: int = 1) -> bytes:
    change = {"mode": "replaceTxt", "replace": pattern, "with": new}
    original = _monster("Original", trait=[{"name": "Long", "entries": [text]}])
    return _file(monster=[original, _copy("Copied", "Original", _mod={"trait": [change] * times})])


def _fivetools() -> Iterator[tuple[str, bytes]]:
    for number, pattern in enumerate(_PATTERNS):
        yield f"pattern-{number}.json", _replacing(pattern)
    yield "growth-replace.json", _replacing("a", "a" * 10, "a", 12)
    yield "growth-groups.json", _replacing("(a+)", "$1$1$1$1", "a", 30)
    big = _monster("Original", trait=[{"name": "Long", "entries": ["word " * 1_000_000]}])
    yield "growth-copies.json", _file(monster=[big, *(_copy(f"Copy {n}", "Original") for n in range(1000))])
    array = [{"name": str(n), "entries": ["x"]} for n in range(30_000)]
    removed = {"mode": "removeArr", "names": [str(n) for n in range(30_000, 60_000)]}
    yield (
        "remove.json",
        _file(monster=[_monster("Original", trait=array), _copy("C", "Original", _mod={"trait": removed})]),
    )
    versions = [{"name": f"V{n}", "_mod": {"trait": {"mode": "appendArr", "items": array[:50]}}} for n in range(2000)]
    yield "versions.json", _file(monster=[_monster("Original", trait=array[:200], _versions=versions)])
    yield "cycle.json", _file(monster=[_copy("A", "B"), _copy("B", "C"), _copy("C", "A"), _copy("D", "D")])
    yield (
        "chain.json",
        _file(monster=[_monster("M0", hp={"average": 1}), *(_copy(f"M{n}", f"M{n - 1}") for n in range(1, 3000))]),
    )
    shared = [
        {"name": f"S{n}", "source": _S, "entriesTemplate": [f"{{#itemEntry S{n + 1}|{_S}}}"] * 9} for n in range(30)
    ]
    yield (
        "shared.json",
        _file(itemEntry=shared, item=[_monster("I", rarity="rare", entries=[f"{{#itemEntry S0|{_S}}}"])]),
    )
    features = [
        {"name": f"F{n}", "source": _S, "className": "C", "classSource": _S, "level": 1,
         "entries": [{"type": "refClassFeature", "classFeature": f"F{n + 1}|C|{_S}|1"}] * 9} for n in range(30)
    ]  # fmt: skip
    yield "features.json", _file(**{"class": [_monster("C", classFeatures=[f"F0|C|{_S}|1"])], "classFeature": features})
    nested: Any = "end"
    for _ in range(200):
        nested = {"type": "entries", "entries": [nested]}
    yield "nested-entries.json", _file(spell=[_monster("N", level=1, school="V", entries=[nested])])
    yield (
        "digits.json",
        _file(spell=[_monster("Digits", level=1, school="V", entries=["1" * 40_000, "1d" * 20_000, "9," * 20_000])]),
    )
    yield "digit-level.json", b'{"spell": [{"name": "L", "source": "H", "level": ' + b"9" * 4000 + b"}]}"
    yield "tags.json", _file(spell=[_monster("Tags", level=1, school="V", entries=["{@b " * 100_000, "{@" * 100_000])])
    yield (
        "braces.json",
        _file(
            spell=[_monster("Braces", level=1, school="V", entries=["{=a" * 50_000 + "<" * 100_000 + "[" * 100_000])]
        ),
    )
    yield "long-text.json", _file(spell=[_monster("Long", level=1, school="V", entries=["word " * 4_500_000])])
    yield (
        "long-line.json",
        _file(spell=[_monster("Line", level=1, school="V", entries=["a" * 3_000_000, "DC " * 500_000])]),
    )
    yield "table.json", _file(table=[_monster("T", colLabels=["x"] * 5000, rows=[["y"] * 5000, *([["z"]] * 5000)])])
    yield "many-items.json", _file(feat=[_monster(f"F{n}", entries=["x"]) for n in range(60_000)])
    yield "many-books.json", _file(feat=[{"name": "F", "source": f"B{n}", "entries": ["x"]} for n in range(3000)])
    yield "one-name.json", _file(feat=[_monster("Same", entries=[str(n)]) for n in range(5000)])
    odd = ("a" * 92, "x" * 100_000, "\x1b[2J", "../../etc/passwd", "*" * 500, "'; --", "\u202eevil", "\ud800", "")
    yield "names.json", _file(feat=[_monster(name, entries=["x"]) for name in odd])
    yield "surrogates.json", _file(feat=[_monster("Lone \ud800", entries=["\udfff \ud83d"])])
    wrong = _monster("T", ac="x", hp=[], speed=1e308, cr={}, trait=5, action={"a": 1}, size=9, type=[])
    yield "types.json", _file(monster=[wrong], spell=[5, None, "x", []])


def _other_formats() -> Iterator[tuple[str, bytes]]:
    aliases = "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    yield "aliases.md", f"```statblock\na0: &a0 [x]\n{aliases}```\n".encode()
    yield "tags.md", b"```statblock\nname: !!python/object/apply:os.system ['true']\n```\n"
    yield (
        "extends.md",
        "".join(f"```statblock\nname: C{n}\nextends: [C{n + 1}, C{n + 1}]\n```\n" for n in range(300)).encode(),
    )
    yield "fences.md", b"```statblock\n" * 50_000
    item: dict[str, Any] = {"type": "feat", "name": "A", "system": {"description": {"value": "<p>" * 200_000}}}
    yield "html.json", json.dumps([item]).encode()
    text = "@UUID[" * 50_000 + "[[" * 100_000 + "@Embed[x " * 10_000
    yield "enrichers.json", json.dumps([{**item, "system": {"description": {"value": text}}}]).encode()
    yield "packs.db", b"\n".join(json.dumps({**item, "name": f"A{n}", "system": {}}).encode() for n in range(70_000))
    yield "deep.orcbrew", b"[" * 1_000_000
    yield "sets.orcbrew", b"#{" * 500_000
    yield "regex.orcbrew", b'{"B" {:orcpub.dnd.e5/feats {:a {:name #"((a+)+)+$" :description "' + b"a" * 5000 + b'"}}}}'
    yield "comments.orcbrew", b"#_ " * 500_000 + b'{"B" {}}'
    yield (
        "initiative.json",
        json.dumps([{"Name": "A" * 50_000, "HP": {"Value": 10**30}, "AC": {"Value": "9" * 5000}}]).encode(),
    )


def _broken() -> Iterator[tuple[str, bytes]]:
    yield "empty.json", b""
    yield "null.json", b"\0" * 1_000_000
    yield "deep.json", b'{"a": ' * 1_000_000
    yield "cut.json", _file(feat=[_monster("F", entries=["x"])])[:-20]
    yield "utf16.json", _file(feat=[_monster("F", entries=["x"])]).decode().encode("utf-16")
    yield "latin.json", '{"feat": [{"name": "Fée", "source": "H", "entries": ["é"]}]}'.encode("latin-1")
    yield "nan.json", b'{"monster": [{"name": "N", "source": "H", "hp": {"average": NaN}, "cr": Infinity}]}'
    yield (
        "keys.json",
        b'{"feat": [{"name": "K", "source": "H", ' + b",".join(b'"k%d": 1' % n for n in range(100_000)) + b"}]}",
    )
    yield "large.json", b'{"a": "' + b"x" * 70_000_000 + b'"}'


def _archives(folder: Path) -> None:
    contents: Mapping[str, Mapping[str, bytes]] = {
        "bomb.zip": {f"{n}.json": b'{"a": 1' + b" " * 60_000_000 + b"}" for n in range(5)},
        "slip.zip": {"../../../tmp/evil.json": _file(feat=[_monster("Evil", entries=["x"])])},
        "inner.zip": {"inner.zip": b"PK\5\6" + b"\0" * 18},
        "many.zip": {f"{n}.json": b"{}" for n in range(12_000)},
    }
    for name, members in contents.items():
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for member, data in members.items():
                archive.writestr(member, data)
    (folder / "cut.zip").write_bytes((folder / "many.zip").read_bytes()[:50_000])
