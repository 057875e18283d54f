from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "lorekeeper_mcp"
PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "docs/decisions.md"]
# Each room may import those on its line and below. ARCHITECTURE.md prints this order.
ROOMS = [
    {"cli", "__main__"},
    {"server"},
    {"sharing"},
    {"tools", "resources", "prompts", "cards"},
    {"repository"},
    {"homebrew", "sync"},
    {"search"},
    {"render"},
    {"store"},
    {"embedding", "sources"},
    {"corrections"},
    {"query", "answer"},
    {"filters", "passages", "runtime", "settings"},
    {"models"},
    {"plurals", "text"},
]


def level(room: str) -> int:
    return next(number for number, rooms in enumerate(ROOMS) if room in rooms)


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """The rooms that a module imports from, including late imports."""
    return set(re.findall(r"^ *from lorekeeper_mcp\.(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))


def test_imports_go_one_way() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {room}"
        for path in PACKAGE.rglob("*.py")
        for room in imports(path)
        if level(room) < level(room_of(path))
    ]
    assert not wrong


def test_modules_share_a_name_only_where_the_architecture_says_so() -> None:
    names = Counter(path.name for path in PACKAGE.rglob("*.py") if path.stem not in ("__init__", "__main__"))
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    (rule,) = re.findall(r"^Modules share a name only .*?\n\n", page, re.MULTILINE | re.DOTALL)
    assert {name for name, count in names.items() if count > 1} == set(re.findall(r"`(\w+\.py)`", rule))


@pytest.mark.parametrize("page", PAGES)
def test_every_path_in_the_documentation_exists(page: str) -> None:
    paths = re.findall(r"`((?:[\w.]+/)+[\w.]*|\w+\.(?:py|md))`", (ROOT / page).read_text(encoding="utf-8"))
    folders = [ROOT, PACKAGE, PACKAGE / "search", PACKAGE / "filters", PACKAGE / "sources/open5e"]
    folders += [PACKAGE / "sources/open5e/adapters", PACKAGE / "sources/fivetools", PACKAGE / "tools"]
    missing = [
        name
        for name in paths
        if not any((place / name).exists() for place in folders)
        and not name.startswith(("homebrew/", "sources/srd/records"))
    ]
    assert not missing


def test_the_architecture_names_every_room() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = {folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists()}
    assert not {room for room in rooms if f"`{room}/`" not in page}
