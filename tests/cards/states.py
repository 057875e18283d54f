"""The states of the card: answers about invented entries, and what a screen reader is told about each.

python -m tests.cards.states [FOLDER] writes the outlines that the test compares, and pictures into a folder.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

from tests.cards.host import Host, browser, host

TREES = Path(__file__).with_name("trees")
THEMES, WIDTHS = ("light", "dark"), (320, 800)
BOOK = {"document_key": "fens", "document_name": "Book of the Fens", "edition": "2024", "license": "CC0-1.0"}
EEL = (
    "# Marsh Eel\n\n*Large beast, unaligned*\n\n**Armor Class** 13  \n**Hit Points** 22 (4d10)\n\n"
    "|  | STR | DEX | CON | INT | WIS | CHA |\n|---|---|---|---|---|---|---|\n"
    "| Score | 16 (+3) | 14 (+2) | 11 (+0) | 2 (-4) | 10 (+0) | 4 (-3) |\n\n"
    "***Slick.*** It cannot be held.\n\n## Actions\n\n***Bite.*** It bites.\n\n"
    "**Gives spells** fen-light, Mire (fens_mire; also 2014, a5e), 2 on its list"
)
OLDER = "\n\n## 2014, where it differs [fens-old_marsh-eel]\n\n- **Hit Points:** 18 (4d8)"


def result(name: str, kind: str = "creature", **more: Any) -> dict[str, Any]:
    key = f"fens_{name.lower().replace(' ', '-')}"
    return {"kind": kind, "key": key, "name": name, "document_key": "fens", "edition": "2024", **more}


def answer(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    found = {
        "results": list(results),
        "documents": [BOOK],
        "total": len(results),
        "complete": True,
        "hint": None,
        **more,
    }
    return {"content": [{"type": "text", "text": "as text"}], "structuredContent": found}


def text_alone(text: str, *, is_error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


SCRIPT = "top.postMessage({method: 'hostile'}, '*'); document.title = 'hostile'"
HOSTILE = [
    f"<script>{SCRIPT}</script>",
    f"<img src=x onerror=\"{SCRIPT}\">",
    "<img src='http://127.0.0.1:9/a.png'>",
    "![picture](http://127.0.0.1:9/b.png)",
    f"[link](javascript:{SCRIPT.replace(' ', '%20')})",
    "[link](http://127.0.0.1:9/c)",
    f"<a href=\"javascript:{SCRIPT}\">x</a>",
    f"<svg onload=\"{SCRIPT}\"></svg>",
    f"<svg><script>{SCRIPT}</script></svg>",
    "<svg><image href='http://127.0.0.1:9/d'/></svg>",
    "<iframe src='http://127.0.0.1:9/e'></iframe>",
    f"<iframe srcdoc=\"<script>{SCRIPT}</script>\"></iframe>",
    "<link rel=stylesheet href='http://127.0.0.1:9/f.css'>",
    "<style>body { background: url(http://127.0.0.1:9/g) }</style>",
    "<p style=\"background: url('http://127.0.0.1:9/h')\">x</p>",
    "<object data='http://127.0.0.1:9/i'></object>",
    "<embed src='http://127.0.0.1:9/j'>",
    "<video src='http://127.0.0.1:9/k' autoplay></video>",
    "<audio src='http://127.0.0.1:9/l' autoplay></audio>",
    "<form action='http://127.0.0.1:9/m'><button>Go</button></form>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/n'>",
    "<base href='http://127.0.0.1:9/'>",
    f"<details open ontoggle=\"{SCRIPT}\">x</details>",
    f"<body onload=\"{SCRIPT}\">",
    f"<input autofocus onfocus=\"{SCRIPT}\">",
    f"<math><mtext></mtext><script>{SCRIPT}</script></math>",
    f"<noscript><p title=\"</noscript><img src=x onerror={SCRIPT!r}>\">",
    f"<table><td background='http://127.0.0.1:9/o' onmouseover=\"{SCRIPT}\">x",
    "<template><img src='http://127.0.0.1:9/p'></template>",
    f"</script><script>{SCRIPT}</script>",
    "<!--<img src='http://127.0.0.1:9/q'>-->",
    "<a href='data:text/html;base64,PHNjcmlwdD48L3NjcmlwdD4='>x</a>",
    f"<img src='data:image/svg+xml,<svg onload=\"{SCRIPT}\"/>'>",
    "<img srcset='http://127.0.0.1:9/r 1x'>",
    "<picture><source srcset='http://127.0.0.1:9/s'><img></picture>",
]  # fmt: skip
MIRE = "# Mire\n\n*Level 2 transmutation*\n\n**Range** 60 feet\n\nMud rises around a creature: it is restrained."
EELS = [
    result(f"Eel {number}", cr=cr, challenge_rating=value, size="Large", type="beast", armor_class=number)
    for number, (cr, value) in enumerate([("1/2", 0.5), ("10", 10.0), ("2", 2.0)] * 17)
][:50]
PASSAGES = [{"heading": "Mud", "text": "Mud slows you."}]
STATES = {
    "stat-block": answer(result("Marsh Eel", text=EEL), result("Giant Eel")),
    "two-editions": answer(result("Mire", "spell", text=MIRE + OLDER)),
    "list": answer(*EELS, total=51),
    "question": answer(
        result("Wading", "rule", passages=PASSAGES), result("Mire", "spell", passages=PASSAGES), result("Bog", "rule")
    ),
    "nothing": answer(hint='No entry is called "zzz".'),
    "incomplete": answer(
        result("Marsh Eel", text=EEL), complete=False, hint="Open5e did not respond: ask again later."
    ),
    "error": text_alone("level cannot be 12: allowed are 0 to 9.", is_error=True),
    "hostile": answer(result(HOSTILE[0], text="\n\n".join(HOSTILE)), hint=HOSTILE[1]),
    "text-alone": text_alone("# Marsh Eel\n\nIt **bites**."),
}


async def shown(chromium: Browser, state: str, theme: str, width: int) -> Host:
    """Show the card in a state; an answer to a question is opened, and a list has its first rows on the screen."""
    card = await host(chromium, theme=theme, width=width)
    await card.send(STATES[state])
    if state == "question":
        await card.card.locator("summary").click()
    return card


async def main() -> None:
    """Write the outlines, and the pictures if a folder is given."""
    TREES.mkdir(exist_ok=True)
    async with browser() as chromium:
        for state, theme, width in itertools.product(STATES, THEMES, WIDTHS):
            card = await shown(chromium, state, theme, width)
            (TREES / f"{state}.txt").write_text(await card.tree() + "\n", encoding="utf-8")
            if len(sys.argv) > 1:
                await card.page.screenshot(path=Path(sys.argv[1], f"{state}-{theme}-{width}.png"))
            await card.page.close()


if __name__ == "__main__":
    asyncio.run(main())
