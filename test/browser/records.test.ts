/**
 * What pages, statements and downloads say of a busy user is what the journal says, computed from its
 * events alone.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDecimals } from "#contract/decimal.ts";
import { sharedChromium } from "../support/chromium.ts";
import { decimal, type JournalFill, readJournalLedger } from "../support/journal-ledger.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { seriousOn } from "./axe.ts";
import { type Call, callerOf, newPerson, type Person, plainNumber } from "./people.ts";

const USD_SCALE = 6;
const BTC_SCALE = 8;
const ORDERS = 30;

let server: RunningServer;
let browser: Browser;
let busy: Person;

beforeAll(async () => {
  server = await startServerProcess({
    SIMULATION: "off",
    PRACTICE_FUNDS: "USD:100000,BTC:2",
    AUTH_RATE_LIMIT: "off",
  });
  browser = await sharedChromium();
  busy = await newPerson(browser, server.url);
  const other = await newPerson(browser, server.url);
  await trade(await callerOf(busy.context, server.url), await callerOf(other.context, server.url));
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

/** Buys and sells at prices that move, as maker and as taker, and leaves an order open. */
async function trade(mine: Call, others: Call): Promise<void> {
  const random = seededRandom(11);
  await mine("accounts:takePracticeFunds", {});
  await others("accounts:takePracticeFunds", {});
  let cents = 6_400_000;
  for (let count = 0; count < ORDERS; count += 1) {
    cents += Math.floor((random() - 0.5) * 100_000);
    const price = (cents / 100).toFixed(2);
    const quantity = (Math.ceil(random() * 300) / 10_000).toFixed(4);
    const isBuy = random() < 0.6;
    const order = { market: "BTC-USD", type: "limit", price, quantity };
    const [first, second] = random() < 0.5 ? [mine, others] : [others, mine];
    const side = (call: Call) => ((call === mine) === isBuy ? "buy" : "sell");
    await first("orders:place", { ...order, side: side(first) });
    await second("orders:place", { ...order, side: side(second) });
  }
  const order = { market: "BTC-USD", type: "limit", side: "buy" };
  await mine("orders:place", { ...order, price: "30000.01", quantity: "0.0123" });
}

async function download(page: Page, name: string | RegExp): Promise<Record<string, string>[]> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name, exact: true }).click(),
  ]);
  const [titles = [], ...rows] = (await readFile(await file.path(), "utf8"))
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
        (quoted ?? plain ?? "").replaceAll('""', '"'),
      ),
    );
  return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at] ?? ""])));
}

/** The cells of a table's rows, with all digits: where a page cuts them, the title has them. */
async function exactTable(page: Page, name: string | RegExp): Promise<string[][]> {
  const table = page.getByRole("table", { name });
  await table.first().waitFor();
  const rows = await table
    .first()
    .evaluate((element) =>
      [...element.querySelectorAll("tr")].map((row) =>
        [...row.children].map(
          (cell) => cell.querySelector("[title]")?.getAttribute("title") ?? cell.textContent ?? "",
        ),
      ),
    );
  return rows.map((row) => row.map((cell) => plainNumber(cell.replace("+", ""))));
}

/** The realised profit and the cost of what is left, in USD units, by the plainest means. */
function profitOf(fills: readonly JournalFill[], method: "average" | "fifo") {
  // The practice funds came before the first trade, when a bitcoin had no price.
  let lots = [{ units: 2n * 10n ** BigInt(BTC_SCALE), cost: 0n }];
  let realised = 0n;
  for (const { side, units, notional, fee } of fills) {
    if (side === "buy") {
      lots.push({ units: units - fee, cost: notional });
    } else {
      let left = units;
      realised += notional - fee;
      for (const lot of lots) {
        const taken = left < lot.units ? left : lot.units;
        const cost = taken === 0n ? 0n : (lot.cost * taken) / lot.units;
        lot.units -= taken;
        lot.cost -= cost;
        realised -= cost;
        left -= taken;
      }
    }
    const whole = lots.reduce((sum, lot) => sum + lot.units, 0n);
    const cost = lots.reduce((sum, lot) => sum + lot.cost, 0n);
    // By average cost all that is owned is one lot.
    if (method === "average") lots = [{ units: whole, cost }];
  }
  return { realised, cost: lots.reduce((sum, lot) => sum + lot.cost, 0n) };
}

test("the portfolio, statements and downloads of a busy user equal the journal", async () => {
  const { page, complaints } = busy;
  await page.goto(`${server.url}/portfolio`);
  const holdings = await exactTable(page, /^Holdings/);
  const method = page.getByLabel("Cost of what is sold");
  const profitRows = () => exactTable(page, /^Profit by coin/);
  const average = (await profitRows()).find(([coin]) => coin === "BTC") ?? [];
  await method.selectOption("fifo");
  await expect
    .poll(async () => (await profitRows()).find(([coin]) => coin === "BTC"))
    .not.toEqual(average);
  const fifo = (await profitRows()).find(([coin]) => coin === "BTC") ?? [];
  await page.getByText(/^Had you only held .* at the prices of \d\d:\d\d:\d\d/).waitFor();
  expect(await seriousOn(page)).toEqual([]);

  await page.getByRole("link", { name: "Statements" }).click();
  await page.waitForURL("**/statements");
  const statement = await exactTable(page, "Statement");
  expect(await seriousOn(page)).toEqual([]);
  const months = await download(page, "All months (CSV)");

  await page.goto(`${server.url}/activity`);
  await page.getByText("That is everything.").waitFor();
  const ledger = await download(page, "Ledger");
  const tax = await download(page, "Tax report");
  const fills = await download(page, "Fills");
  expect(complaints).toEqual([]);

  await server.kill();
  const journal = await readJournalLedger(server.dataDir, 0);
  expect(journal.faults).toEqual([]);
  expect(journal.fills).toHaveLength(ORDERS);

  expect(ledger.toReversed()).toMatchObject(
    journal.entries.map(({ coin, balance, reason, amount, sequence }) => ({
      posting: expect.stringMatching(`^${sequence}-`) as string,
      coin,
      balance,
      reason,
      amount,
    })),
  );
  expect(fills.toReversed().map((row) => [row.side, row["trade id"], row["quote amount"]])).toEqual(
    journal.fills.map(({ side, tradeId, notional }) => [
      side,
      String(tradeId),
      decimal(notional, USD_SCALE),
    ]),
  );
  expect(tax.filter((row) => row.type === "deposit")).toHaveLength(2);
  expect(tax.filter((row) => row.type === "buy" || row.type === "sell")).toHaveLength(ORDERS);

  for (const coin of ["USD", "BTC"]) {
    const owned = journal.entries.filter((entry) => entry.coin === coin);
    const total = owned.map(({ amount }) => amount).reduce(addDecimals);
    const held = owned
      .filter(({ balance }) => balance === "held")
      .map(({ amount }) => amount)
      .reduce(addDecimals, "0");
    const row = holdings.find(([name]) => name?.startsWith(coin));
    expect(row?.[1], coin).toBe(plainNumber(total));
    expect(row?.[2]?.replace("–", "0"), coin).toBe(plainNumber(held));
    const taxed = tax.reduce((sum, line) => {
      const add = (asset: string, amount: string, sign: string, before: string) =>
        line[asset] === coin ? addDecimals(before, `${sign}${line[amount]}`) : before;
      const withIn = add("asset in", "amount in", "", sum);
      return add("fee asset", "fee amount", "-", add("asset out", "amount out", "-", withIn));
    }, "0");
    expect(plainNumber(taxed), coin).toBe(plainNumber(total));

    const reasons = new Map<string, string>();
    for (const { reason, amount } of owned) {
      if (reason === "hold" || reason === "release") continue;
      reasons.set(reason, addDecimals(reasons.get(reason) ?? "0", amount));
    }
    const lines = months.filter((line) => line.coin === coin);
    expect(lines[0]).toMatchObject({ line: "opening" });
    expect(plainNumber(lines[0]?.amount ?? "")).toBe("0");
    expect(lines.at(-1)).toMatchObject({ line: "closing", amount: total });
    expect(
      new Map(lines.slice(1, -1).map((line) => [line.line, plainNumber(line.amount ?? "")])),
    ).toEqual(new Map(Array.from(reasons, ([reason, sum]) => [reason, plainNumber(sum)])));
    expect(statement.flat()).toContain(plainNumber(total));
    for (const sum of reasons.values()) expect(statement.flat()).toContain(plainNumber(sum));
  }

  for (const [how, row] of [
    ["average", average],
    ["fifo", fifo],
  ] as const) {
    const { realised, cost } = profitOf(journal.fills, how);
    expect(row[2], how).toBe(plainNumber(decimal(cost, USD_SCALE)));
    expect(row[6], how).toBe(plainNumber(decimal(realised, USD_SCALE)));
  }
  await server.restart();
});

test("the activity is filtered by side, market, kind and days, in the address", async () => {
  const { page } = busy;
  await page.goto(`${server.url}/activity`);
  const rows = page.getByRole("main").getByRole("listitem");
  await page.getByText("That is everything.").waitFor();
  const all = await rows.count();
  // The page's script may not be here yet.
  await expect
    .poll(async () => {
      await page.getByLabel("Side").selectOption("sell");
      return new URL(page.url()).searchParams.get("side");
    })
    .toBe("sell");
  await expect.poll(() => rows.count()).toBeLessThan(all);
  expect(await rows.filter({ hasText: /Buy/ }).count()).toBe(0);
  const grouped = await rows.count();
  await page.getByLabel("Fills below their orders").uncheck();
  await expect.poll(() => rows.count()).toBeGreaterThan(grouped);
  await rows.filter({ hasText: "Sold" }).first().waitFor();
  await page.getByLabel("Market").selectOption("ETH-USD");
  await page.getByText("Nothing matches").waitFor();
  await page.reload();
  await page.getByText("Nothing matches").waitFor();
  await expect
    .poll(async () => {
      await page.getByLabel("Fills below their orders").check();
      await page.getByRole("button", { name: "Clear" }).click();
      return new URL(page.url()).search;
    })
    .toBe("");
  await rows.filter({ hasText: "Signed up" }).waitFor();
  await page.getByLabel("To").fill("2020-01-01");
  await page.getByText("Nothing matches").waitFor();
  expect(new URL(page.url()).searchParams.get("to")).toBe("2020-01-01");
  await page.getByLabel("To").fill("");
  await page.getByLabel("Kind").selectOption("transfer");
  await expect.poll(() => rows.count()).toBe(2);
  const exported = await download(page, "These rows");
  expect(exported.map((row) => row.kind)).toEqual(["transfer", "transfer"]);
});

test("everything that is stored of a user is downloaded by its owner alone", async () => {
  const { page } = busy;
  await page.goto(`${server.url}/settings`);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download everything (JSON)" }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\n");
  const kinds = lines.map((line) => (JSON.parse(line) as { what: string }).what);
  expect(new Set(kinds)).toEqual(new Set(["user", "balance", "order", "fill", "activity"]));
  expect(kinds.filter((kind) => kind === "fill")).toHaveLength(ORDERS);
  const stranger = await browser.newContext();
  const refused = await stranger.request.get(`${server.url}/api/exports/my-data.jsonl`);
  expect(refused.status()).toBe(401);
  await stranger.close();
});

/** Changes the server's database beside it. */
function alterDatabase(statement: string): void {
  const database = new DatabaseSync(join(server.dataDir, "openbell.sqlite"), { timeout: 5_000 });
  database.exec(statement);
  database.close();
}

test("while the history is behind, statements and downloads say so, and a statement follows by itself", async () => {
  const { page } = busy;
  const call = await callerOf(busy.context, server.url);
  const order = { market: "BTC-USD", type: "limit", side: "buy", price: "20000.01" };
  const { order: placed } = (await call("orders:place", { ...order, quantity: "0.0101" })) as {
    order: { orderId: string };
  };
  // The history cannot write the change of the order; everything can be read.
  alterDatabase(
    "create trigger away before insert on order_changes begin select raise(abort, 'away'); end",
  );
  try {
    await call("orders:amend", { orderId: placed.orderId, price: "20000.02" });
    await page.goto(`${server.url}/statements`);
    await page.getByText("The newest entries are not in the history yet").waitFor();
    expect(await page.getByRole("table", { name: "Statement" }).count()).toBe(0);
    await page.getByRole("link", { name: "CSV", exact: true }).click();
    await page.getByText("The file was not downloaded").waitFor();
    expect(await seriousOn(page)).toEqual([]);
  } finally {
    alterDatabase("drop trigger away");
  }
  await page.getByRole("table", { name: "Statement" }).waitFor();
  expect((await download(page, "CSV")).length).toBeGreaterThan(0);
});
