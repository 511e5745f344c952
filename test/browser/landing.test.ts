/** The landing page shows the market as it is now, and tells machines and devices what it is. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { openPage } from "./people.ts";

let server: RunningServer;
let browser: Browser;
beforeAll(async () => {
  server = await startServerProcess({ PRODUCT_NAME: "Harbour" });
  browser = await sharedChromium();
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

test("the head of the liveliest book moves, and its panel and the strip lead to the markets", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const { page, complaints } = await openPage(context);
  await page.goto(`${server.url}/`);
  const panel = page.getByRole("region", { name: "BTC-USD now" });
  const bids = panel.getByRole("list", { name: "Bids" });
  expect(await bids.getByRole("listitem").count()).toBe(5);
  const before = await bids.innerText();
  await expect.poll(() => bids.innerText(), { timeout: 20_000 }).not.toBe(before);
  // Said once, however many markets are.
  expect(await page.getByText("SIMULATED", { exact: true }).count()).toBe(1);
  const strip = page.getByRole("list", { name: "Liveliest markets" });
  await strip.getByRole("link", { name: "ETH-USD" }).click();
  await page.waitForURL("**/trade?market=ETH-USD");
  await page.goBack();
  await panel.getByRole("link", { name: "BTC-USD" }).click();
  await page.waitForURL("**/trade?market=BTC-USD");
  expect(complaints).toEqual([]);
  await context.close();
});

test("robots, previews and devices read what they look for", async () => {
  const read = (path: string) => fetch(`${server.url}${path}`);
  expect(await (await read("/robots.txt")).text()).toContain("Disallow: /admin");
  const manifest = (await (await read("/site.webmanifest")).json()) as {
    name: string;
    icons: { src: string }[];
  };
  expect(manifest.name).toBe("Harbour");
  const landing = await (await read("/")).text();
  expect(landing).toContain('name="description"');
  const image = /property="og:image" content="([^"]+)"/.exec(landing)?.[1] ?? "";
  const paths = [...manifest.icons.map(({ src }) => src), "/icons/apple-touch-icon.png"];
  for (const path of [...paths, new URL(image).pathname]) {
    expect((await read(path)).headers.get("content-type"), path).toBe("image/png");
  }
});

test("a page that does not exist keeps the way to the others", async () => {
  const context = await browser.newContext();
  const { page } = await openPage(context);
  await page.goto(`${server.url}/nowhere`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("navigation", { name: "Sections" }).getByText("Plans").click();
  await page.waitForURL(`${server.url}/#plans`);
  await page.goto(`${server.url}/login`);
  await page.getByRole("navigation", { name: "Sections" }).getByText("Trade").waitFor();
  await page.goto(`${server.url}/outbox`);
  await page.getByRole("navigation", { name: "Site" }).getByText("Trade").click();
  await page.waitForURL("**/trade**");
  await context.close();
});
