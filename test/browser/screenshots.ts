/**
 * `npm run screenshots`: every page in the states loading, empty, full and error, at 1440, 1024, 768 and
 * 390 px, beside each other on one page, to be looked at. Needs the built pages (`npm run build`).
 *
 *   --out=.build/screenshots --pages=/trade,/portfolio --widths=1440,390 --states=full,empty
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

type Role = "visitor" | "newcomer" | "trader" | "admin";
type State = "loading" | "empty" | "full" | "error";

/** Who looks at a page that is full of what there is to see, by its address. */
const PAGES: Readonly<Record<string, Exclude<Role, "newcomer">>> = {
  "/": "visitor",
  "/documents": "visitor",
  "/solvency": "trader",
  "/login": "visitor",
  "/signup": "visitor",
  "/forgot-password": "visitor",
  "/nothing-here": "visitor",
  "/outbox": "visitor",
  "/dashboard": "trader",
  "/trade": "trader",
  "/orders/$orderId": "trader",
  "/portfolio": "trader",
  "/activity": "trader",
  "/statements": "trader",
  "/settings": "trader",
  "/admin": "admin",
  "/admin/markets": "admin",
  "/admin/users": "admin",
  "/admin/adjustments": "admin",
  "/admin/audit": "admin",
  "/admin/mail": "admin",
};
const STATES: readonly State[] = ["loading", "empty", "full", "error"];
const HEIGHTS: Readonly<Record<string, number>> = { 390: 844 };
const PASSWORD = "correct-horse-battery-9";
const SETTLED_MS = 2_500;
const SYNC = /\/api\/[^/]+\/sync/;

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: ".build/screenshots" },
    pages: { type: "string", default: Object.keys(PAGES).join(",") },
    widths: { type: "string", default: "1440,1024,768,390" },
    states: { type: "string", default: STATES.join(",") },
  },
});
const folder = resolve(options.out);
const paths = options.pages.split(",");
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
    for (const path of paths) {
      for (const state of states) await take(path, state, width, signedIn);
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

/** Fills, and orders of every kind that wait, with big numbers and small ones. */
async function trade(cookies: Cookies): Promise<void> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const token = await fetch(`${server.url}/api/auth/token`, { headers: { cookie } });
  const { token: bearer } = (await token.json()) as { token: string };
  const call = async (path: string, args: object): Promise<unknown> => {
    const answer = await fetch(`${server.url}/api/mutation`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ path, args }),
    });
    if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`);
    return await answer.json();
  };
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
}

async function take(
  path: string,
  state: State,
  width: number,
  signedIn: Record<Role, Cookies>,
): Promise<void> {
  const fullRole = PAGES[path] ?? "trader";
  const role = state === "empty" && fullRole === "trader" ? "newcomer" : fullRole;
  const context = await browser.newContext({ viewport: { width, height: HEIGHTS[width] ?? 900 } });
  await context.addCookies(signedIn[role]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await hold(page, state);
  await page.goto(server.url + path.replace("$orderId", orderId), { waitUntil: "load" });
  await delay(SETTLED_MS);
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  await page.screenshot({ path: join(folder, nameOf(path, state, width)) });
  const wide = isTooWide ? ["is wider than the window"] : [];
  // Without its server a page is meant to complain.
  for (const line of [...wide, ...(state === "error" ? [] : complaints)]) {
    process.stdout.write(`${path} ${state} ${width}: ${line}\n`);
  }
  await context.close();
}

/** A connection that says nothing shows what loads, one that always breaks what is wrong. */
async function hold(page: Page, state: State): Promise<void> {
  if (state === "loading") await page.routeWebSocket(SYNC, () => {});
  if (state === "error") await page.routeWebSocket(SYNC, (socket) => void socket.close());
}

function nameOf(path: string, state: State, width: number): string {
  return `${width}${path === "/" ? "-landing" : path.replaceAll("/", "-").replace("$", "")}-${state}.png`;
}

function sheet(): string {
  const rows = widths.flatMap((width) =>
    paths.map((path) => {
      const cells = states.map((state) => {
        const name = nameOf(path, state, width);
        return `<a href="${name}"><img loading="lazy" alt="${path}, ${state}, ${width} px" src="${name}"></a>`;
      });
      return `<h2>${path} · ${width} px</h2><div>${cells.join("")}</div>`;
    }),
  );
  return (
    `<!doctype html><meta charset="utf-8"><title>Screenshots</title>` +
    `<style>body{background:#222;color:#eee;font:14px sans-serif}` +
    `div{display:grid;grid-template-columns:repeat(${states.length},1fr);gap:8px}img{width:100%}</style>` +
    `<h1>${states.join(" · ")}</h1>${rows.join("")}`
  );
}
