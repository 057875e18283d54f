// The page's side of MCP Apps: JSON-RPC over postMessage, as the extension specifies it. The types are the official
// ones; the official client is not bundled, since it would make the page five times as large as a page may be.
import type { McpUiHostContext, McpUiInitializeResult } from "@modelcontextprotocol/ext-apps";

export type Content = { type: string; text?: string };
export type Answer = { content?: Content[]; structuredContent?: unknown; isError?: boolean };
export type Listener = { answer: (answer: Answer) => void; context: (context: McpUiHostContext) => void };
type Message = { id?: number; method?: string; params?: unknown; result?: unknown; error?: { message?: string } };

const VERSION = "2026-01-26";
const SECONDS = 30; // that a call of a tool may take
const pending = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
let lastId = 0;

const post = (message: object) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

function request(method: string, params: object): Promise<unknown> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    setTimeout(() => pending.delete(id) && reject(new Error("The host did not answer.")), SECONDS * 1000);
    post({ id, method, params });
  });
}

/** Connect to the host that shows this page. Return how to call a tool, or undefined where the host forbids it. */
export async function connect(listener: Listener): Promise<((name: string, args: object) => Promise<Answer>) | undefined> {
  window.addEventListener("message", (event) => {
    const message = event.data as Message | null;
    if (event.source !== window.parent || typeof message !== "object" || message === null) return;
    if (message.method === "ui/notifications/tool-result") listener.answer((message.params ?? {}) as Answer);
    else if (message.method === "ui/notifications/host-context-changed") listener.context((message.params ?? {}) as McpUiHostContext);
    else if (message.method && message.id !== undefined) post({ id: message.id, result: {} }); // ping, teardown
    else if (message.id !== undefined) {
      const waiting = pending.get(message.id);
      pending.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message ?? "The host refused."));
      else waiting?.resolve(message.result);
    }
  });
  const host = (await request("ui/initialize", {
    appInfo: { name: "lorekeeper-card", version: "1" },
    appCapabilities: {},
    protocolVersion: VERSION,
  })) as McpUiInitializeResult;
  listener.context(host.hostContext ?? {});
  post({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    post({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
  }).observe(document.documentElement);
  if (!host.hostCapabilities?.serverTools) return undefined;
  return async (name, args) => (await request("tools/call", { name, arguments: args })) as Answer;
}
