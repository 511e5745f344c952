/**
 * `npm run screenshots`: every page and panel (screenshot-views.ts) in the states loading, empty, full and
 * error, at 1440, 1024, 768 and 390 px, beside each other on one page, to be looked at. Needs the built
 * pages (`npm run build`).
 *
 *   --out=.build/screenshots --views=/trade,palette --widths=1440,390 --states=full,empty
 *
 * Prints what the browser complains about and which pages are wider than the window.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchChromium } from "../support/chromium.ts";
import { beginServerProcess } from "../support/running-server.ts";
import { type Role, VIEWS } from "./screenshot-views.ts";

type State = "loading" | "empty" | "full" | "error";

const STATES: readonly State[] = ["loading", "empty", "full", "error"];
const HEIGHTS: Readonly<Record<string, number>> = { 390: 844 };
const PASSWORD = "correct-horse-battery-9";
const SETTLED_MS = 2_500;
const OPENED_MS = 1_000;
const OPEN_MS_MAX = 5_000;
/** Long enough for a busy machine. */
const PAGE_MS_MAX = 60_000;
const SYNC = /\/api\/[^/]+\/sync/;

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
/** The order whose page is shown: amended, and linked with others. */
let orderId = "";

const server = await beginServerProcess({
  ADMIN_EMAIL: "grace.hopper@example.com",
  AUTH_RATE_LIMIT: "off",
});
const browser = await launchChromium();
try {
  const signedIn = await people(browser);
  for (const width of widths) {
    for (const view of views) {
      for (const state of states) await take(view, state, width, signedIn);
    }
  }
  writeFileSync(join(folder, "index.html"), sheet());
  process.stdout.write(`${join(folder, "index.html")}\n`);
} finally {
  await browser.close();
  await server.remove();
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

async function people(opened: Browser): Promise<Record<Role, Cookies>> {
  const admin = await signUp(opened, "grace.hopper@example.com", "Grace", "Hopper");
  const newcomer = await signUp(opened, "ada.lovelace@example.com", "Ada", "Lovelace");
  const email = "maximiliana.featherstonehaugh-smythe@a-long-name-of-a-company.example.com";
  const trader = await signUp(opened, email, "Maximiliana", "Featherstonehaugh-Smythe");
  await trade(trader);
  await stopMarkets(admin);
  return { visitor: [], newcomer, trader, admin };
}

async function signUp(
  opened: Browser,
  email: string,
  name: string,
  lastname: string,
): Promise<Cookies> {
  const context = await opened.newContext();
  const answer = await context.request.post(`${server.url}/api/auth/sign-up/email`, {
    headers: { origin: server.url },
    data: { name, lastname, email, password: PASSWORD },
  });
  if (!answer.ok()) throw new Error(`${email} was not signed up: ${await answer.text()}`);
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

type Call = (path: string, args: object, kind?: "mutation" | "action") => Promise<unknown>;

async function caller(cookies: Cookies): Promise<Call> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const token = await fetch(`${server.url}/api/auth/token`, { headers: { cookie } });
  const { token: bearer } = (await token.json()) as { token: string };
  return async (path, args, kind = "mutation") => {
    const answer = await fetch(`${server.url}/api/${kind}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ path, args }),
    });
    if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`);
    return await answer.json();
  };
}

/** Markets in states that their pages say. */
async function stopMarkets(cookies: Cookies): Promise<void> {
  const call = await caller(cookies);
  const reason = "Maintenance of the price source";
  const forSeconds = 86_400;
  await call("markets:setStatus", { market: "DOT-USD", status: "halted", reason, forSeconds });
  await call("markets:setStatus", { market: "ADA-USD", status: "auction", reason, forSeconds });
}

/** Fills, orders of every kind that wait, alerts and keys, with big numbers and small ones. */
async function trade(cookies: Cookies): Promise<void> {
  const call = await caller(cookies);
  await call("accounts:takePracticeFunds", {});
  const place = (order: object) => call("orders:place", order);
  const bitcoin = { market: "BTC-USD", type: "limit" };
  const ether = { market: "ETH-USD", side: "sell", type: "market" };
  await place({ ...bitcoin, side: "buy", type: "market", quoteAmount: "30000" });
  await place({ ...ether, side: "buy", quoteAmount: "12345.67" });
  await place({ ...ether, market: "XLM-USD", side: "buy", quoteAmount: "250" });
  await place({ ...ether, quantity: "0.5" });
  await place({ ...bitcoin, side: "buy", price: "30000.00", quantity: "0.0123" });
  await place({ ...bitcoin, side: "sell", price: "99000.00", quantity: "0.1", display: "0.01" });
  await place({
    ...bitcoin,
    side: "sell",
    price: "95000.00",
    quantity: "0.01",
    postOnly: true,
    expiresAt: Date.now() + 86_400_000,
  });
  await place({ ...ether, quantity: "0.1", trigger: { type: "stop", price: "1000.00" } });
  await place({ ...ether, quantity: "0.1", trigger: { type: "trailingStop", trailBps: 250 } });
  const bracket = (await call("orders:placeList", {
    market: "BTC-USD",
    kind: "otoco",
    orders: [
      { side: "buy", type: "limit", price: "31000.00", quantity: "0.2" },
      { side: "sell", type: "limit", price: "99500.00" },
      { side: "sell", type: "market", trigger: { type: "stop", price: "29000.00" } },
    ],
  })) as { value: { orders: { orderId: string }[] } };
  orderId = bracket.value.orders[0]?.orderId ?? "";
  await call("orders:amend", { orderId, quantity: "0.25" });
  await call("watchlist:add", { markets: ["BTC-USD", "XLM-USD", "DOGE-USD"] });
  const change = { kind: "change", percent: "2.5", windowMinutes: 60 };
  await call("alerts:create", { market: "ETH-USD", condition: change, repeats: true });
  const crossing = { kind: "price", price: "99999.99" };
  await call("alerts:create", { market: "BTC-USD", condition: crossing });
  const name = "Market maker of the first desk, Friday to Sunday";
  const addressRanges = ["203.0.113.0/24", "198.51.100.7"];
  const terms = { name, kind: "hmac", permissions: ["read", "trade"], addressRanges };
  const key = (await call("apiKeys:create", terms, "action")) as {
    value: { key: { keyId: string } };
  };
  const faults = { latencyMs: 1_500, rateLimitPercent: 5 };
  await call("apiKeys:setFaults", { keyId: key.value.key.keyId, faults, seconds: 3_600 });
}

async function take(
  name: string,
  state: State,
  width: number,
  signedIn: Record<Role, Cookies>,
): Promise<void> {
  const view = VIEWS[name];
  if (view === undefined || width < (view.widthMin ?? 0)) return;
  const role = state === "empty" && view.role === "trader" ? "newcomer" : view.role;
  const context = await browser.newContext({ viewport: { width, height: HEIGHTS[width] ?? 900 } });
  await context.addCookies(signedIn[role]);
  const page = await context.newPage();
  page.setDefaultTimeout(OPEN_MS_MAX);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await hold(page, state);
  await page.goto(server.url + view.path.replace("$orderId", orderId), {
    waitUntil: "load",
    timeout: PAGE_MS_MAX,
  });
  await delay(SETTLED_MS);
  if (view.open !== undefined) {
    // Without its data a page may not have what would be opened.
    await view.open(page).catch((error: unknown) => {
      if (state === "full") complaints.push(String(error).split("\n", 1)[0] ?? "");
    });
    await delay(OPENED_MS);
  }
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  await page.screenshot({
    path: join(folder, nameOf(name, state, width)),
    timeout: PAGE_MS_MAX,
  });
  const wide = isTooWide ? ["is wider than the window"] : [];
  // Without its server a page is meant to complain.
  for (const line of [...wide, ...(state === "error" ? [] : complaints)]) {
    process.stdout.write(`${name} ${state} ${width}: ${line}\n`);
  }
  await context.close();
}

/** A connection that says nothing shows what loads, one that always breaks what is wrong. */
async function hold(page: Page, state: State): Promise<void> {
  if (state === "loading") await page.routeWebSocket(SYNC, () => {});
  if (state === "error") await page.routeWebSocket(SYNC, (socket) => void socket.close());
}

function nameOf(name: string, state: State, width: number): string {
  const place =
    name === "/" ? "landing" : name.replace("$", "").replaceAll("/", "-").replace(/^-/, "page-");
  return `${width}-${place}-${state}.png`;
}

function sheet(): string {
  const rows = widths.flatMap((width) =>
    views.map((view) => {
      const cells = states.map((state) => {
        const name = nameOf(view, state, width);
        return `<a href="${name}"><img loading="lazy" alt="${view}, ${state}, ${width} px" src="${name}"></a>`;
      });
      return `<h2>${view} · ${width} px</h2><div>${cells.join("")}</div>`;
    }),
  );
  return (
    `<!doctype html><meta charset="utf-8"><title>Screenshots</title>` +
    `<style>body{background:#222;color:#eee;font:14px sans-serif}` +
    `div{display:grid;grid-template-columns:repeat(${states.length},1fr);gap:8px}img{width:100%}</style>` +
    `<h1>${states.join(" · ")}</h1>${rows.join("")}`
  );
}
