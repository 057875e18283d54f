"""Takes the pictures of the README: card and terminal with the answers about invented entries that the tests keep.

uv run python scripts/take_pictures.py

Needs Chromium (Debian's package ``chromium``).
"""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI

from lorekeeper_mcp.cards import page_with_answers
from lorekeeper_mcp.cli import terminal

ROOT = Path(__file__).parents[1]
ANSWERS = ROOT / "tests" / "snapshots" / "answers"
PICTURES = ROOT / "docs" / "pictures"


def terminal_page() -> str:
    """A terminal of 90 columns with a question, as a web page."""
    screen = Console(record=True, width=90, file=io.StringIO(), force_terminal=True)
    kept = json.loads((ANSWERS / "spell.json").read_text(encoding="utf-8"))["name"]
    screen.print(f"[bold]$ lorekeeper-mcp search {kept['structured']['results'][0]['name'].lower()}[/]")
    screen.print(terminal.page("\n".join(kept["text"])))
    return screen.export_html(theme=DIMMED_MONOKAI, inline_styles=True)


def answer(kind: str, form: str) -> dict[str, object]:
    """The answer about an invented entry; the tests keep texts as lists of lines."""
    found = json.loads((ANSWERS / f"{kind}.json").read_text(encoding="utf-8"))[form]["structured"]
    for result in found["results"]:
        if "text" in result:
            result["text"] = "\n".join(result["text"])
    return {"structuredContent": found}


PAGES = {
    "stat-block": (page_with_answers([answer("creature", "name")]), 640),
    "list": (page_with_answers([answer(kind, "list") for kind in ("weapon", "armor", "item", "magic-item")]), 900),
    "terminal": (terminal_page(), 760),
}


def main() -> None:
    """Write each picture."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (html, width) in PAGES.items():
            file = Path(folder, f"{name}.html")
            file.write_text(html, encoding="utf-8")
            page = browser.new_page(viewport={"width": width, "height": 100})
            page.goto(file.as_uri())
            page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
