"""A host of MCP apps in a real browser: it shows the card in a sandboxed frame and speaks the extension's protocol."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.async_api import Browser, FrameLocator, Page, Request, async_playwright

from lorekeeper_mcp.cards import card_page

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian's package chromium)")

_HOST = """<!doctype html><body style="margin:0">
<iframe sandbox="allow-scripts" style="border:0;width:100%;height:900px"></iframe><script>
const frame = document.querySelector("iframe"), log = [];
let settings, ready;
const initialized = new Promise((resolve) => (ready = resolve));
const post = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
window.addEventListener("message", async ({ data, source }) => {
  if (source !== frame.contentWindow) return;
  log.push(data);
  if (data.method === "ui/initialize") post({ id: data.id, result: {
    protocolVersion: data.params.protocolVersion, hostInfo: { name: "host", version: "1" },
    hostCapabilities: settings.tools ? { serverTools: {} } : {}, hostContext: { theme: settings.theme } } });
  if (data.method === "ui/notifications/initialized") ready();
  if (data.method === "tools/call") post({ id: data.id, ...settings.answer });
});
window.show = async (html, given) => { settings = given; frame.srcdoc = html; await initialized; };
window.send = (method, params) => post({ method, params });
window.log = log;
</script></body>"""


@dataclass
class Host:
    """A page that shows the card. ``requests`` are those that anything in it has sent to the network."""

    page: Page
    requests: list[str] = field(default_factory=list)

    @property
    def card(self) -> FrameLocator:
        """The frame of the card."""
        return self.page.frame_locator("iframe")

    async def send(self, answer: dict[str, Any]) -> None:
        """Give the card the answer of a tool."""
        await self.page.evaluate("answer => send('ui/notifications/tool-result', answer)", answer)
        await self.page.wait_for_timeout(50)

    async def tree(self) -> str:
        """What a screen reader is told, as an outline."""
        return await self.card.locator("body").aria_snapshot()

    async def messages(self, method: str) -> list[dict[str, Any]]:
        """The parameters of the messages that the card has sent with a method."""
        log: list[dict[str, Any]] = await self.page.evaluate("log")
        return [message["params"] for message in log if message.get("method") == method]

    async def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """The tools that the card has called, each with its arguments."""
        return [(call["name"], call["arguments"]) for call in await self.messages("tools/call")]


@contextlib.asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """Run a browser without a window."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield chromium
        finally:
            await chromium.close()


async def host(
    chromium: Browser,
    *,
    theme: str = "light",
    width: int = 800,
    tools: bool = True,
    answer: dict[str, Any] | None = None,
) -> Host:
    """Show the card, connected. ``tools`` if it may call tools, each of which then returns ``answer``."""
    page = await chromium.new_page(viewport={"width": width, "height": 900})
    shown = Host(page)

    def note(request: Request) -> None:
        if not request.url.startswith(("about:", "data:")):
            shown.requests.append(request.url)

    page.on("request", note)
    await page.set_content(_HOST)
    given = {"theme": theme, "tools": tools, "answer": {"result": answer or {"content": []}}}
    await page.evaluate(f"given => show({json.dumps(card_page())}, given)", given)
    return shown
