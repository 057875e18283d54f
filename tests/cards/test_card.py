"""The card in a real Chromium, shown by a host that keeps the protocol; the entries are invented."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from lorekeeper_mcp.cards import page_with_answers
from tests.cards.host import browser, host, needs_chromium
from tests.cards.states import EEL, HOSTILE, OLDER, STATES, THEMES, TREES, WIDTHS, answer, result, shown, text_alone

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module"), pytest.mark.process]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Browser]:
    async with browser() as running:
        yield running


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("width", WIDTHS)
async def test_a_screen_reader_is_told_the_same_as_before(chromium: Browser, state: str, width: int) -> None:
    expected = (TREES / f"{state}.txt").read_text(encoding="utf-8")
    for theme in THEMES:
        card = await shown(chromium, state, theme, width)
        assert await card.tree() + "\n" == expected, "if it is right: python -m tests.cards.states"
        body = card.card.locator("body")
        assert await body.evaluate("body => body.scrollWidth <= window.innerWidth"), "no scrolling sideways"
        assert await body.evaluate(
            "body => [...body.querySelectorAll('.list')].every(list => list.scrollWidth <= list.clientWidth)"
        )
        red, *_ = await body.evaluate("body => getComputedStyle(body).backgroundColor.match(/\\d+/g).map(Number)")
        assert (red < 60) == (theme == "dark")
        assert card.requests == []
        assert (await card.messages("ui/notifications/size-changed"))[-1]["height"] > 0
        await card.page.close()


async def test_the_other_edition_is_behind_a_tab(chromium: Browser) -> None:
    opened = await host(chromium)
    await opened.send(answer(result("Marsh Eel", text=EEL + OLDER)))
    older = opened.card.get_by_text("18 (4d8)")
    assert not await older.is_visible()
    await opened.card.get_by_role("tab", name="2014").click()
    assert await older.is_visible() and not await opened.card.get_by_text("22 (4d10)").is_visible()


async def test_a_list_sorts_by_number_and_opens_its_entries(chromium: Browser) -> None:
    opened = await host(chromium, answer=answer(result("Marsh Eel", text=EEL)))
    await opened.send(STATES["list"])
    tree = await opened.tree()
    assert "caption: 50 of 51 entries" in tree and tree.count("rowheader") == 50 and "challenge rating" not in tree
    await opened.card.get_by_role("button", name="cr").click()
    assert (
        await opened.card.locator("tbody td:nth-of-type(1)").all_inner_texts()
        == ["1/2"] * 17 + ["2"] * 16 + ["10"] * 17
    )
    await opened.card.get_by_role("button", name="Eel 0", exact=True).click()
    await opened.card.get_by_role("heading", name="Marsh Eel").wait_for()
    assert await opened.calls() == [("search_creature", {"search": "fens_eel-0"})]
    await opened.card.get_by_role("button", name="Back").click()
    assert "50 of 51 entries" in await opened.tree()


async def test_a_spell_in_a_stat_block_opens(chromium: Browser) -> None:
    opened = await host(chromium, answer=answer(result("Mire", "spell", text="# Mire\n\nMud.")))
    await opened.send(answer(result("Marsh Eel", text=EEL)))
    await opened.card.get_by_role("button", name="Mire").click()
    await opened.card.get_by_role("heading", name="Mire").wait_for()
    assert await opened.calls() == [("search_spell", {"search": "fens_mire"})]


async def test_names_are_plain_text_where_the_host_calls_no_tools(chromium: Browser) -> None:
    opened = await host(chromium, tools=False)
    await opened.send(answer(result("Marsh Eel", text=EEL), result("Giant Eel")))
    assert await opened.card.get_by_role("button").count() == 0
    assert "listitem: Giant Eel" in await opened.tree()


async def test_the_answer_to_a_question_is_one_closed_line(chromium: Browser) -> None:
    opened = await host(chromium)
    passages = [{"heading": "Mud", "text": "Mud slows you."}]
    await opened.send(answer(result("Wading", "rule", passages=passages), result("Mire", "spell", passages=passages)))
    line = opened.card.get_by_text("Wading · Mire, Book of the Fens")
    text = opened.card.get_by_text("Mud slows you.").first
    assert await line.is_visible() and not await text.is_visible()
    await line.focus()
    await opened.page.keyboard.press("Enter")
    assert await text.is_visible()


DANGEROUS = "script, img, svg, iframe, style, link, object, embed, video, audio, form, input, base, a, [style]"


async def test_hostile_texts_do_nothing_and_ask_nobody(chromium: Browser, tmp_path: Path) -> None:
    opened = await host(chromium)
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
            await opened.send(given)
            assert await opened.card.locator("main").locator(DANGEROUS).count() == 0, text
    assert await opened.messages("hostile") == []
    file = tmp_path / "page.html"
    file.write_text(page_with_answers([answer(result(text, text=text)) for text in HOSTILE]), encoding="utf-8")
    await opened.page.goto(file.as_uri())
    await opened.page.locator("article").last.wait_for(state="attached")
    assert await opened.page.title() == "LoreKeeper"
    assert [url for url in opened.requests if not url.startswith("file:")] == []


async def test_a_page_for_paper_has_nine_spells_on_a_sheet(chromium: Browser, tmp_path: Path) -> None:
    long = "# Long\n\n" + "Mud rises and falls and rises again in the fens. " * 60
    spells = [result(f"Mire {number}", "spell", text=f"# Mire {number}\n\nMud.") for number in range(9)]
    file = tmp_path / "page.html"
    file.write_text(
        page_with_answers([answer(*spells, documents=[]), answer(result("Long", "spell", text=long))]), "utf-8"
    )
    page = await chromium.new_page(viewport={"width": 720, "height": 1000})
    await page.goto(file.as_uri())
    await page.locator("article.spell").last.wait_for()
    await page.emulate_media(media="print")
    boxes = [await spell.bounding_box() for spell in await page.locator("article.spell").all()]
    sizes = [(round(box["width"]), round(box["height"])) for box in boxes if box]
    assert set(sizes[:9]) == {(238, 333)}  # 63 by 88 mm
    assert len({round(box["x"]) for box in boxes[:9] if box}) == 3
    assert sizes[9][0] > 238
    assert await page.locator("article.spell").last.evaluate("card => card.scrollHeight <= card.clientHeight")
