from __future__ import annotations

from fastmcp import Client, FastMCP

from lorekeeper_mcp.cards import CARD, card_page, page_with_answers, register_card


def test_the_built_page_is_small_and_may_load_nothing() -> None:
    assert len(card_page().encode()) <= 150_000
    assert "default-src 'none'" in card_page()


def test_an_answer_cannot_leave_its_place_in_the_page() -> None:
    page = page_with_answers([{"structuredContent": {"results": [{"name": "</script><script>"}]}}])
    assert page.count("<script>") == card_page().count("<script>")


async def test_a_client_reads_the_page_as_an_app() -> None:
    server = FastMCP("test")
    register_card(server)
    async with Client(server) as client:
        (content,) = await client.read_resource(CARD)
    assert content.mime_type == "text/html;profile=mcp-app"
    assert content.meta is not None and content.meta["ui"]["csp"] == {}
