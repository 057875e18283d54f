"""Takes the pictures of the README: the card with the answers about invented entries that the tests keep.

uv run python scripts/take_pictures.py

Needs Chromium (Debian's package ``chromium``).
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from lorekeeper_mcp.cards import page_with_answers

ROOT = Path(__file__).parents[1]
ANSWERS = ROOT / "tests" / "snapshots" / "answers"
PICTURES = ROOT / "docs" / "pictures"


def answer(kind: str, form: str) -> dict[str, object]:
    """The answer about an invented entry; the tests keep texts as lists of lines."""
    found = json.loads((ANSWERS / f"{kind}.json").read_text(encoding="utf-8"))[form]["structured"]
    for result in found["results"]:
        if "text" in result:
            result["text"] = "\n".join(result["text"])
    return {"structuredContent": found}


PAGES = {
    "stat-block": ([answer("creature", "name")], 640),
    "list": ([answer(kind, "list") for kind in ("weapon", "armor", "item", "magic-item")], 900),
}


def main() -> None:
    """Write each picture."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (answers, width) in PAGES.items():
            file = Path(folder, f"{name}.html")
            file.write_text(page_with_answers(answers), encoding="utf-8")
            page = browser.new_page(viewport={"width": width, "height": 100})
            page.goto(file.as_uri())
            page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
