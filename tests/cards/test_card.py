"""The card in a real Chromium, shown by a host that keeps the protocol; the entries are invented."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from lorekeeper_mcp.cards import page_with_answers
from tests.cards.host import browser, host, needs_chromium

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module"), pytest.mark.process]
BOOK = {"document_key": "fens", "document_name": "Book of the Fens", "edition": "2024", "license": "CC0-1.0"}
EEL = (
    "# Marsh Eel\n\n*Large beast, unaligned*\n\n**Armor Class** 13  \n**Hit Points** 22 (4d10)\n\n"
    "|  | STR | DEX | CON | INT | WIS | CHA |\n|---|---|---|---|---|---|---|\n"
    "| Score | 16 (+3) | 14 (+2) | 11 (+0) | 2 (-4) | 10 (+0) | 4 (-3) |\n\n"
    "***Slick.*** It cannot be held.\n\n## Actions\n\n***Bite.*** It bites.\n\n**Gives spells** fen-light, mire"
)
OLDER = "\n\n## 2014 edition, where it differs [fens-old_marsh-eel]\n\n- **Hit Points:** 18 (4d8)"


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


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Browser]:
    async with browser() as running:
        yield running


async def test_a_stat_block_has_its_abilities_actions_and_source(chromium: Browser) -> None:
    shown = await host(chromium)
    await shown.send(answer(result("Marsh Eel", text=EEL), result("Giant Eel")))
    tree = await shown.tree()
    assert 'article "Marsh Eel"' in tree
    assert (
        'row "STR DEX CON INT WIS CHA"' in tree and 'row "Score 16 (+3) 14 (+2) 11 (+0) 2 (-4) 10 (+0) 4 (-3)"' in tree
    )
    assert 'heading "Actions" [level=2]' in tree
    assert 'navigation "Related"' in tree and 'button "Giant Eel"' in tree
    assert "Book of the Fens · 2024 · CC0-1.0" in tree
    assert (await shown.messages("ui/notifications/size-changed"))[-1]["height"] > 300


async def test_the_other_edition_is_behind_a_tab(chromium: Browser) -> None:
    shown = await host(chromium)
    await shown.send(answer(result("Marsh Eel", text=EEL + OLDER)))
    older = shown.card.get_by_text("18 (4d8)")
    assert not await older.is_visible()
    await shown.card.get_by_role("tab", name="2014").click()
    assert await older.is_visible() and not await shown.card.get_by_text("22 (4d10)").is_visible()


async def test_a_list_sorts_by_number_and_opens_its_entries(chromium: Browser) -> None:
    eels = [
        result(f"Eel {number}", cr=cr, challenge_rating=value, armor_class=number)
        for number, (cr, value) in enumerate([("1/2", 0.5), ("10", 10.0), ("2", 2.0)] * 17)
    ][:50]
    shown = await host(chromium, answer=answer(result("Marsh Eel", text=EEL)))
    await shown.send(answer(*eels, total=51))
    tree = await shown.tree()
    assert "caption: 50 of 51 entries" in tree and tree.count("rowheader") == 50 and "challenge rating" not in tree
    await shown.card.get_by_role("button", name="cr").click()
    assert (
        await shown.card.locator("tbody td:nth-of-type(1)").all_inner_texts() == ["1/2"] * 17 + ["2"] * 16 + ["10"] * 17
    )
    await shown.card.get_by_role("button", name="Eel 0", exact=True).click()
    await shown.card.get_by_role("heading", name="Marsh Eel").wait_for()
    assert await shown.messages("tools/call") == [{"name": "search_creature", "arguments": {"search": "fens_eel-0"}}]
    await shown.card.get_by_role("button", name="Back").click()
    assert "50 of 51 entries" in await shown.tree()


async def test_a_spell_in_a_stat_block_opens(chromium: Browser) -> None:
    shown = await host(chromium, answer=answer(result("Mire", "spell", text="# Mire\n\nMud.")))
    await shown.send(answer(result("Marsh Eel", text=EEL)))
    await shown.card.get_by_role("button", name="mire").click()
    await shown.card.get_by_role("heading", name="Mire").wait_for()
    assert (await shown.messages("tools/call"))[0] == {"name": "search_spell", "arguments": {"search": "mire"}}


async def test_names_are_plain_text_where_the_host_calls_no_tools(chromium: Browser) -> None:
    shown = await host(chromium, tools=False)
    await shown.send(answer(result("Marsh Eel", text=EEL), result("Giant Eel")))
    assert await shown.card.get_by_role("button").count() == 0
    assert "listitem: Giant Eel" in await shown.tree()


async def test_the_answer_to_a_question_is_one_closed_line(chromium: Browser) -> None:
    shown = await host(chromium)
    passages = [{"heading": "Mud", "text": "Mud slows you."}]
    await shown.send(answer(result("Wading", "rule", passages=passages), result("Mire", "spell", passages=passages)))
    line = shown.card.get_by_text("Wading · Mire, Book of the Fens")
    text = shown.card.get_by_text("Mud slows you.").first
    assert await line.is_visible() and not await text.is_visible()
    await line.focus()
    await shown.page.keyboard.press("Enter")
    assert await text.is_visible()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            answer(hint='No entry is called "zzz".'),
            ['status: No entry is called "zzz".', "paragraph: No entry matches."],
        ),
        (answer(result("Eel"), complete=False), ["status: This answer is not complete."]),
        (
            {"content": [{"type": "text", "text": "level cannot be 12."}], "isError": True},
            ["alert: level cannot be 12."],
        ),
        (
            {"content": [{"type": "text", "text": "# Marsh Eel\n\nIt **bites**."}]},
            ['heading "Marsh Eel"', "strong: bites"],
        ),
        ({}, ["article"]),
    ],
    ids=["nothing", "incomplete", "error", "text-alone", "empty"],
)
async def test_other_answers_are_shown_as_they_are(
    chromium: Browser, given: dict[str, Any], expected: list[str]
) -> None:
    shown = await host(chromium)
    await shown.send(given)
    tree = await shown.tree()
    assert [part for part in expected if part not in tree] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_it_fits_a_narrow_frame_in_both_themes(chromium: Browser, theme: str) -> None:
    shown = await host(chromium, theme=theme, width=320)
    await shown.send(answer(result("Marsh Eel", text=EEL + OLDER), result("Giant Eel")))
    body = shown.card.locator("body")
    assert await body.evaluate("body => body.scrollWidth <= window.innerWidth")
    red, *_ = await body.evaluate("body => getComputedStyle(body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (red < 60) == (theme == "dark")


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


DANGEROUS = "script, img, svg, iframe, style, link, object, embed, video, audio, form, input, base, a, [style]"


async def test_hostile_texts_do_nothing_and_ask_nobody(chromium: Browser, tmp_path: Path) -> None:
    shown = await host(chromium)
    for text in HOSTILE:
        hostile = result(text, text=f"# {text}\n\n{text}\n\n| {text} |\n|---|\n| {text} |")
        passages = [{"heading": text, "text": text}]
        for given in (
            answer(hostile, result(text)),
            answer(result(text, passages=passages), hint=text),
            answer(result(text, armor_class=text)),
            text_alone(text),
            text_alone(text, is_error=True),
        ):
            await shown.send(given)
            dangerous = (
                "script, img, svg, iframe, style, link, object, embed, video, audio, form, input, base, a, [style]"
            )
            assert await shown.card.locator("main").locator(dangerous).count() == 0, text
    assert await shown.messages("hostile") == []
    file = tmp_path / "page.html"
    file.write_text(page_with_answers([answer(result(text, text=text)) for text in HOSTILE]), encoding="utf-8")
    await shown.page.goto(file.as_uri())
    assert await shown.page.title() == "LoreKeeper"
    assert [url for url in shown.requests if not url.startswith("file:")] == []


async def test_a_page_for_paper_has_nine_spells_on_a_sheet(chromium: Browser, tmp_path: Path) -> None:
    long = "# Long\n\n" + "Mud rises and falls and rises again in the fens. " * 60
    spells = [result(f"Mire {number}", "spell", text=f"# Mire {number}\n\nMud.") for number in range(9)]
    file = tmp_path / "page.html"
    file.write_text(
        page_with_answers([answer(*spells, documents=[]), answer(result("Long", "spell", text=long))]), "utf-8"
    )
    page = await chromium.new_page(viewport={"width": 720, "height": 1000})
    await page.goto(file.as_uri())
    await page.emulate_media(media="print")
    boxes = [await spell.bounding_box() for spell in await page.locator("article.spell").all()]
    sizes = [(round(box["width"]), round(box["height"])) for box in boxes if box]
    assert set(sizes[:9]) == {(238, 333)}  # 63 by 88 mm
    assert len({round(box["x"]) for box in boxes[:9] if box}) == 3
    assert sizes[9][0] > 238
    assert await page.locator("article.spell").last.evaluate("card => card.scrollHeight <= card.clientHeight")
