/**
 * The hooks of the official React clients, unmodified, newest and 1.27, in a page of the test's own at
 * the exchange's address.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { build, type Plugin } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { fund, register } from "./people.ts";

let server: SharedServer;
let browser: Browser;
beforeAll(async () => {
  server = await sharedServer("quiet");
  browser = await sharedChromium();
});
afterAll(() => browser.close());

/** Shows the user's orders by the hooks of a client, and places more. */
const pageSource = (client: string) => `
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import { Authenticated, ConvexProviderWithAuth, ConvexReactClient, Unauthenticated, useAction, useMutation,
  usePaginatedQuery, useQuery } from "${client}/react";
import { anyApi as api } from "${client}/server";

const client = new ConvexReactClient(location.origin, {
  skipConvexDeploymentUrlCheck: true, logger: false, unsavedChangesWarning: false,
});
const fetchAccessToken = async () => {
  const answer = await fetch("/api/auth/token");
  return answer.ok ? (await answer.json()).token : null;
};
const auth = { isLoading: false, isAuthenticated: !location.search.includes("visitor"), fetchAccessToken };
const useAuth = () => auth;
const pricesOf = (orders) => orders?.map(({ price }) => Number(price)).join(" ") ?? "loading";
const order = { market: "BTC-USD", side: "buy", type: "limit", quantity: "0.01" };
let price = 20000;

function Orders() {
  const open = useQuery(api.orders.open, {});
  const pages = usePaginatedQuery(api.orders.list, {}, { initialNumItems: 2 });
  const place = useMutation(api.orders.place).withOptimisticUpdate((store, args) => {
    const shown = store.getQuery(api.orders.open, {});
    if (shown !== undefined) store.setQuery(api.orders.open, {}, [{ ...args, orderId: "new" }, ...shown]);
    document.title = "optimistic " + shown?.length;
  });
  const read = useAction(api.activity.page);
  const button = (text, onClick) => h("button", { onClick }, text);
  return h("div", null,
    h("p", { id: "open" }, pricesOf(open)),
    h("p", { id: "pages" }, pricesOf(pages.results)),
    h("p", { id: "status" }, pages.status),
    button("place", () => void place({ ...order, price: String(price++) })),
    button("more", () => pages.loadMore(2)),
    button("read", async () => {
      const { items } = await read({ kind: "order" });
      document.title = "read " + items.length;
    }));
}
function Markets() {
  return h("p", { id: "markets" }, String(useQuery(api.markets.list, {})?.length ?? "loading"));
}
createRoot(document.getElementById("root")).render(
  h(ConvexProviderWithAuth, { client, useAuth },
    h(Markets), h(Authenticated, null, h(Orders)), h(Unauthenticated, null, h("p", { id: "who" }, "a visitor"))));
`;

async function scriptOf(client: string): Promise<string> {
  const entry: Plugin = {
    name: "page-source",
    resolveId: (id) => (id === "page-source" ? "\0page-source" : undefined),
    load: (id) => (id === "\0page-source" ? pageSource(client) : undefined),
  };
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [entry],
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: { write: false, minify: false, rollupOptions: { input: "page-source" } },
  });
  if (Array.isArray(built) || !("output" in built)) throw new Error("one build was expected");
  return built.output[0].code;
}

describe.each([
  ["the newest", "convex"],
  ["1.27", "convex-1.27"],
])("%s", (_version, client) => {
  let context: BrowserContext;
  let script: string;
  beforeAll(async () => {
    context = await browser.newContext({ bypassCSP: true });
    await register(context, server.url);
    await fund(context, server.url);
    script = await scriptOf(client);
  });
  afterAll(() => context.close());

  async function openPage(search = ""): Promise<Page> {
    const page = await context.newPage();
    // Any address of the server: a page that the test answers itself may not open sockets to it.
    await page.goto(`${server.url}/api/health${search}`);
    await page.setContent('<div id="root"></div>');
    await page.addScriptTag({ content: script, type: "module" });
    return page;
  }

  test("hooks show queries, pages and own writes, and act", async () => {
    let page = await openPage();
    const text = (id: string) => page.locator(`#${id}`).textContent();
    const press = (name: string) => page.getByRole("button", { name }).click();
    await expect.poll(() => text("status")).toBe("Exhausted");
    for (const prices of ["20000", "20001 20000", "20002 20001 20000"]) {
      await press("place");
      await expect.poll(() => text("open")).toBe(prices);
      await expect.poll(() => text("pages")).toBe(prices);
    }
    expect(await page.title()).toBe("optimistic 2");
    await page.close();
    page = await openPage();
    await expect.poll(() => text("pages")).toBe("20002 20001");
    expect(await text("status")).toBe("CanLoadMore");
    await press("more");
    await expect.poll(() => text("pages")).toBe("20002 20001 20000");
    expect(await text("status")).toBe("Exhausted");
    await press("place");
    // The first page has grown by one, and the second has lost and repeated nothing.
    await expect.poll(() => text("pages")).toBe("20000 20002 20001 20000");
    await press("read");
    await expect.poll(() => page.title()).toBe("read 4");
    await page.close();
  });

  test("a visitor is shown what is public", async () => {
    const page = await openPage("?visitor");
    await expect.poll(() => page.locator("#who").textContent()).toBe("a visitor");
    await expect
      .poll(async () => Number(await page.locator("#markets").textContent()))
      .toBeGreaterThan(0);
    await page.close();
  });
});
