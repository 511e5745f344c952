/**
 * `npm run screenshots`: every page (screenshot-views.ts) in the states loading, empty, full, error and offline,
 * and every panel and dialog that can be opened on one when it is empty and full, at 1440, 1024, 768 and 390 px,
 * beside each other on one page, to be looked at. Needs the built pages (`npm run build`).
 *
 *   --out=.build/screenshots --views=/trade,palette --widths=1440,390 --states=full,empty
 *
 * Prints what the browser complains about and which pages are wider than the window.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { launchChromium } from "../support/chromium.ts";
import { beginFunded, beginSimulated, type Exchange } from "./screenshot-exchanges.ts";
import { standBetween, type State, STATES } from "./screenshot-states.ts";
import { type View, VIEWS } from "./screenshot-views.ts";

const HEIGHTS: Readonly<Record<string, number>> = { 390: 844 };
const SETTLED_MS = 2_500;
/** A query that was refused is tried three times more. */
const REFUSED_MS = 10_000;
const RESIZED_MS = 500;
const OPENED_MS = 1_000;
const OPEN_MS_MAX = 5_000;
/** Long enough for a busy machine. */
const PAGE_MS_MAX = 60_000;

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: ".build/screenshots" },
    views: { type: "string", default: Object.keys(VIEWS).join(",") },
    widths: { type: "string", default: "1440,1024,768,390" },
    states: { type: "string", default: STATES.join(",") },
  },
});
const folder = resolve(options.out);
const views = options.views.split(",").filter((name) => name in VIEWS);
const widths = options.widths.split(",").map(Number);
const states = STATES.filter((state) => options.states.split(",").includes(state));
mkdirSync(folder, { recursive: true });

const browser = await launchChromium();
const begun = new Map<string, Exchange>();
try {
  for (const name of new Set(views.map((view) => VIEWS[view]?.exchange ?? "simulated"))) {
    begun.set(name, await (name === "funded" ? beginFunded : beginSimulated)(browser));
  }
  // Before anything is there, so that administrators have nothing to do either.
  if (states.includes("empty")) await takeAll("empty");
  for (const exchange of begun.values()) await exchange.fill();
  for (const state of states) if (state !== "empty") await takeAll(state);
  writeFileSync(join(folder, "index.html"), sheet());
  process.stdout.write(`${join(folder, "index.html")}\n`);
} finally {
  await browser.close();
  for (const exchange of begun.values()) await exchange.remove();
}

async function takeAll(state: State): Promise<void> {
  for (const name of views) {
    const view = VIEWS[name];
    if (view === undefined || !hasState(view, state)) continue;
    const shown = widths.filter((width) => width >= (view.widthMin ?? 0));
    // What is opened differs between widths, so each opens it on a page of its own.
    for (const group of view.open === undefined ? [shown] : shown.map((width) => [width])) {
      await take(name, view, state, group);
    }
  }
}

/** Panels and dialogs wait and fail as their pages do. */
function hasState({ open }: View, state: State): boolean {
  return open === undefined || state === "empty" || state === "full";
}

async function take(
  name: string,
  view: View,
  state: State,
  sizes: readonly number[],
): Promise<void> {
  const exchange = begun.get(view.exchange ?? "simulated");
  const [first] = sizes;
  if (exchange === undefined || first === undefined) return;
  const role = state === "empty" && view.role === "trader" ? "newcomer" : view.role;
  const context = await browser.newContext({ viewport: sizeOf(first) });
  await context.addCookies(exchange.cookies[role]);
  const page = await context.newPage();
  page.setDefaultTimeout(OPEN_MS_MAX);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await show(page, exchange, view, state);
  if (view.open !== undefined) {
    // An empty page may not have what would be opened.
    await view.open(page).catch((error: unknown) => {
      if (state === "full") complaints.push(String(error).split("\n", 1)[0] ?? "");
    });
    await delay(OPENED_MS);
  }
  for (const width of sizes) {
    await page.setViewportSize(sizeOf(width));
    if (width !== first) await delay(RESIZED_MS);
    await page.screenshot({
      path: join(folder, nameOf(name, state, width)),
      timeout: PAGE_MS_MAX,
    });
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (isTooWide) complaints.push(`is wider than ${width} px`);
  }
  // Without its server a page is meant to complain.
  if (state === "empty" || state === "full") {
    for (const line of complaints) process.stdout.write(`${name} ${state}: ${line}\n`);
  }
  await context.close();
}

/** Opens the page: from another one where its data is held back, since the server renders it complete. */
async function show(page: Page, exchange: Exchange, view: View, state: State): Promise<void> {
  const path = exchange.pathOf(view.path);
  const goto = (to: string) =>
    page.goto(exchange.url + to, { waitUntil: "load", timeout: PAGE_MS_MAX });
  const between = await standBetween(page);
  if (state === "loading" || state === "error") {
    await goto(view.role === "visitor" ? "/forgot-password" : "/orders/0");
    await delay(SETTLED_MS);
    between.begin(state);
    await page.evaluate((to) => history.pushState({}, "", to), path);
  } else {
    await goto(path);
  }
  await delay(state === "error" ? REFUSED_MS : SETTLED_MS);
  if (state !== "offline") return;
  between.begin(state);
  await delay(2 * SETTLED_MS);
}

function sizeOf(width: number): { readonly width: number; readonly height: number } {
  return { width, height: HEIGHTS[width] ?? 900 };
}

function nameOf(name: string, state: State, width: number): string {
  const place =
    name === "/" ? "landing" : name.replaceAll("$", "").replaceAll("/", "-").replace(/^-/, "page-");
  return `${width}-${place}-${state}.png`;
}

function sheet(): string {
  const rows = widths.flatMap((width) =>
    views.map((view) => {
      const shown = states.filter((state) =>
        hasState(VIEWS[view] ?? { path: "", role: "visitor" }, state),
      );
      const cells = shown.map((state) => {
        const name = nameOf(view, state, width);
        return `<a href="${name}"><img loading="lazy" alt="${view}, ${state}, ${width} px" src="${name}"></a>`;
      });
      return `<h2>${view} · ${width} px · ${shown.join(" · ")}</h2><div>${cells.join("")}</div>`;
    }),
  );
  return (
    `<!doctype html><meta charset="utf-8"><title>Screenshots</title>` +
    `<style>body{background:#222;color:#eee;font:14px sans-serif}` +
    `div{display:grid;grid-template-columns:repeat(${states.length},1fr);gap:8px}img{width:100%}</style>` +
    rows.join("")
  );
}
