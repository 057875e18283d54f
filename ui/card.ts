// Draws an answer of LoreKeeper: an entry, a list or the passages that answer a question. What it draws is what the
// answer holds, its structured half or else its text. Texts of entries are data: they pass a sanitizer and load nothing.
import { App, applyDocumentTheme, applyHostStyleVariables, type McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import DOMPurify from "dompurify";
import { marked } from "marked";

type Answer = Partial<CallToolResult>; // a page for a browser holds only the structured half
type Passage = { heading?: string; text: string };
type Result = Record<string, unknown> & { kind: string; key: string; name: string; text?: string; passages?: Passage[] };
type Book = { document_key: string; document_name: string; edition?: string; publisher?: string; license?: string; author?: string };
type Envelope = { results: Result[]; documents: Book[]; total: number; complete?: boolean; hint?: string | null };

const card = document.getElementById("card") as HTMLElement;
const earlier: Answer[] = []; // answers to go back to
let shown: Answer | undefined;
let call: ((name: string, args: Record<string, unknown>) => Promise<Answer>) | undefined; // where the host allows it

const TOOLS: Record<string, string[]> = {
  search_spell: ["spell"],
  search_creature: ["creature"],
  search_equipment: ["weapon", "armor", "item", "magic-item", "service"],
  search_character_option: ["class", "subclass", "species", "background", "feat", "feature"],
};
const IDENTITY = new Set(["kind", "key", "name", "document_key", "document_name", "document_source", "edition", "page",
  "similarity_score", "also_in", "variants", "variant_count", "text", "passages", "summary", "corrections"]);
const NUMBER_OF: Record<string, string> = { cr: "challenge_rating", xp: "challenge_rating" }; // what a column sorts by
const LABELS: Record<string, string> = { cr: "CR", xp: "XP" }; // heads of columns that are no words
const CALL = /: search_\w+\([^)]*\)/g; // what an assistant calls for the rest of a list
const EDITION = /^## (?=(?:2014|2024|A5E|a5e)\b)/m; // the heading of what another edition says
const PURE = {
  ALLOWED_TAGS: ["p", "br", "strong", "em", "del", "code", "pre", "hr", "blockquote", "ul", "ol", "li", "h1", "h2", "h3",
    "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"],
  ALLOWED_ATTR: [],
  RETURN_DOM_FRAGMENT: true as const,
};

function element(tag: string, text = "", attributes: Record<string, string> = {}, ...children: Node[]): HTMLElement {
  const made = document.createElement(tag);
  made.append(text, ...children);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function markdown(text: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(marked.parse(text.replace(CALL, ""), { async: false, gfm: true }), PURE);
  for (const table of fragment.querySelectorAll("table")) {
    const holder = element("div", "", { class: "wide", tabindex: "0", role: "region", "aria-label": "Table" });
    table.replaceWith(holder);
    holder.append(table);
    for (const head of table.querySelectorAll("th")) head.setAttribute("scope", "col");
  }
  for (const paragraph of fragment.querySelectorAll("p")) linkSpells(paragraph);
  return fragment;
}

/** Let the reader open the spells that an entry grants: their keys, or names and keys, behind "Gives spells". */
function linkSpells(paragraph: Element): void {
  const [label, list] = [paragraph.firstElementChild, paragraph.lastChild];
  if (label?.textContent !== "Gives spells" || !(list instanceof Text)) return;
  const spells = list.data.trim().split(/,\s*(?![^(]*\))/).map((spell) => {
    const [, name, key = name] = /^([\w-]+|.+(?= \())(?: \(([\w-]+)(?:;.*)?\))?$/.exec(spell) ?? [];
    return name && key ? opener("spell", key, name) : spell;
  });
  list.replaceWith(...spells.flatMap((spell, place) => [place ? ", " : " ", spell]));
}

/** The name of an entry; a button that opens it where the host lets us call tools. */
function opener(kind: string, key: string, name: string): HTMLElement {
  if (!call) return element("span", name);
  const button = element("button", name, { type: "button", class: "entry" });
  button.addEventListener("click", () => void open(kind, key));
  return button;
}

async function open(kind: string, key: string): Promise<void> {
  const tool = Object.keys(TOOLS).find((name) => TOOLS[name]?.includes(kind)) ?? "search_rule";
  card.setAttribute("aria-busy", "true");
  try {
    const answer = await call!(tool, { search: key });
    if (shown) earlier.push(shown);
    draw(answer);
  } catch (error) {
    card.prepend(element("p", `${key} could not be opened: ${(error as Error).message}`, { role: "alert" }));
  }
  card.removeAttribute("aria-busy");
}

function entry(result: Result): HTMLElement {
  const [own = "", ...others] = (result.text ?? "").split(EDITION);
  const article = element("article", "", { class: `entry ${result.kind}`, "aria-label": result.name });
  if (!others.length) {
    article.append(markdown(own));
    return article;
  }
  const titles = [String(result.edition ?? "This edition"), ...others.map((text) => /^\w+/.exec(text)![0])];
  const headed = others.map((text) => text.replace(/^(.*?)(?: \[.*)?$/m, "*$1*")); // "2014, where it differs [key]"
  const panels = [own, ...headed].map((text, place) =>
    element("div", "", { role: "tabpanel", id: `${result.key}-${place}`, "aria-label": titles[place]!, tabindex: "0" }, markdown(text)));
  const tabs = titles.map((title, place) =>
    element("button", title, { type: "button", role: "tab", "aria-controls": panels[place]!.id }));
  const choose = (chosen: number) => {
    panels.forEach((panel, place) => (panel.hidden = place !== chosen));
    tabs.forEach((tab, place) => tab.setAttribute("aria-selected", String(place === chosen)));
  };
  tabs.forEach((tab, place) => tab.addEventListener("click", () => choose(place)));
  article.append(element("div", "", { role: "tablist", "aria-label": "Editions" }, ...tabs), ...panels);
  choose(0);
  return article;
}

function passages(results: Result[], books: Book[]): HTMLElement {
  const named = new Set(results.map((result) => result.document_key));
  const sources = books.filter((book) => named.has(book.document_key)).map((book) => book.document_name);
  const details = element("details", "", { class: "question" });
  const names = [...new Set(results.map((result) => result.name))].join(" · ");
  details.append(element("summary", [names, ...sources].join(", ")));
  for (const result of results) {
    const section = element("section", "", {}, element("h2", "", {}, opener(result.kind, result.key, result.name)));
    for (const passage of result.passages ?? []) {
      if (passage.heading) section.append(element("h3", passage.heading));
      section.append(markdown(passage.text));
    }
    details.append(section);
  }
  return details;
}

const printed = (value: unknown): string =>
  value === true ? "yes" : value === false ? "no" : Array.isArray(value) ? value.join(", ") : String(value ?? "");

const headOf = (fact: string): string => LABELS[fact] ?? fact.replaceAll("_", " ");

function list(results: Result[], caption: string): HTMLElement {
  const facts = [...new Set(results.flatMap((result) => Object.keys(result)))].filter(
    (fact) => !IDENTITY.has(fact) && !Object.entries(NUMBER_OF).some(([text, number]) => number === fact && results.some((one) => text in one)));
  const columns = ["name", ...facts];
  const body = element("tbody", "", { role: "rowgroup" }); // roles, since a narrow frame lays tables out as blocks
  const fill = (rows: Result[]) =>
    body.replaceChildren(...rows.map((row) => element("tr", "", { role: "row" },
      element("th", "", { scope: "row", role: "rowheader" }, opener(row.kind, row.key, row.name)),
      ...facts.map((fact) => element("td", printed(row[fact]), { role: "cell", "data-head": headOf(fact) })))));
  const heads = columns.map((column) => {
    const button = element("button", headOf(column), { type: "button" });
    const head = element("th", "", { scope: "col", role: "columnheader", "aria-sort": "none" }, button);
    button.addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", other === head ? (falling ? "descending" : "ascending") : "none"));
      fill([...results].sort((a, b) => (falling ? -1 : 1) * compare(a, b, column)));
    });
    return head;
  });
  fill(results);
  const top = element("thead", "", { role: "rowgroup" }, element("tr", "", { role: "row" }, ...heads));
  const table = element("table", "", { role: "table" }, element("caption", caption), top, body);
  return element("div", "", { class: "wide list", tabindex: "0", role: "region", "aria-label": caption }, table);
}

function compare(a: Result, b: Result, column: string): number {
  const [left, right] = [a, b].map((row) => row[NUMBER_OF[column] ?? column] ?? row[column]);
  const numbers = [left, right].map((value) => (typeof value === "number" ? value : parseFloat(printed(value).replaceAll(",", ""))));
  const difference = numbers[0]! - numbers[1]!;
  return Number.isNaN(difference) ? printed(left).localeCompare(printed(right)) : difference;
}

function envelope(answer: Answer): Envelope | undefined {
  const found = answer.structuredContent as Partial<Envelope> | undefined;
  return Array.isArray(found?.results) ? { documents: [], total: found.results.length, ...found } as Envelope : undefined;
}

function draw(answer: Answer): void {
  shown = answer;
  const back = element("button", "Back", { type: "button", class: "back" });
  back.addEventListener("click", () => draw(earlier.pop()!));
  card.replaceChildren(...(earlier.length ? [back] : []), ...drawn(answer));
}

function drawn(answer: Answer): Node[] {
  const page = answer.isError ? undefined : envelope(answer);
  if (page) return structured(page);
  const text = (answer.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("\n\n");
  return [answer.isError ? element("p", text, { role: "alert" }) : element("article", "", { class: "entry" }, markdown(text.replaceAll("\n", "  \n")))];
}

function structured(page: Envelope): Node[] {
  const whole = page.results.filter((result) => result.text);
  const answering = page.results.filter((result) => result.passages?.length);
  const names = page.results.filter((result) => !result.text && !result.passages?.length);
  const parts: Node[] = [];
  if (page.hint || page.complete === false)
    parts.push(element("p", page.hint || "This answer is not complete.", { role: "status", class: "hint" }));
  if (!page.results.length) parts.push(element("p", "No entry matches."));
  parts.push(...whole.map(entry));
  if (answering.length) parts.push(passages(answering, page.documents));
  if (names.length && (whole.length || answering.length)) {
    const items = names.map((name) => element("li", "", {}, opener(name.kind, name.key, name.name)));
    parts.push(element("nav", "", { "aria-label": "Related" }, element("ul", "", {}, ...items)));
  } else if (names.length) parts.push(list(names, `${names.length} of ${page.total} entries`));
  const books = page.documents.map((book) =>
    element("li", [book.document_name, book.edition, book.publisher, book.author, book.license].filter(Boolean).join(" · ")));
  if (books.length) parts.push(element("footer", "", {}, element("ul", "", { "aria-label": "Sources" }, ...books)));
  return parts;
}

/** Several answers as one, so that their spells share a sheet and each book is named once. */
function joined(answers: Answer[]): Answer[] {
  const pages = answers.map(envelope);
  if (answers.length < 2 || !pages.every((page) => page !== undefined)) return answers;
  const books = new Map(pages.flatMap((page) => page.documents).map((book) => [book.document_key, book]));
  const results = pages.flatMap((page) => page.results);
  const hint = pages.map((page) => page.hint ?? "").find(Boolean);
  const complete = pages.every((page) => page.complete !== false);
  return [{ structuredContent: { results, documents: [...books.values()], total: results.length, complete, hint } }];
}

/** Lay out spells as cards of 63 × 88 mm, nine to a sheet; a longer one takes the place of several. */
function fit({ matches }: { matches: boolean }): void {
  if (!matches) return;
  for (const one of document.querySelectorAll<HTMLElement>("article.spell")) {
    for (const columns of [1, 2, 3]) {
      one.style.gridColumn = `span ${columns}`;
      if (one.scrollHeight <= one.clientHeight) break;
    }
    one.classList.toggle("long", one.scrollHeight > one.clientHeight);
  }
}

function context(given: Partial<McpUiHostContext>): void {
  if (given.theme) applyDocumentTheme(given.theme);
  if (given.styles?.variables) applyHostStyleVariables(given.styles.variables);
}

async function connect(): Promise<void> {
  const app = new App({ name: "lorekeeper-card", version: "1" }, {});
  app.ontoolresult = (answer) => { earlier.length = 0; draw(answer); };
  app.onhostcontextchanged = context;
  app.onteardown = () => ({});
  await app.connect();
  context(app.getHostContext() ?? {});
  if (!app.getHostCapabilities()?.serverTools) return;
  call = (name, args) => app.callServerTool({ name, arguments: args });
  if (shown) draw(shown);
}

const stored = document.getElementById("answers");
if (stored) {
  card.append(...joined(JSON.parse(stored.textContent ?? "[]") as Answer[]).flatMap(drawn));
  window.matchMedia("print").addEventListener("change", fit);
} else void connect();
