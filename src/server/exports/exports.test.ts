import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addDecimals, trimDecimal } from "#contract/decimal.ts";
import type { Balance, Fill, Page } from "#contract/types.ts";
import {
  type FunctionScene,
  type PlaceForParticipant,
  openFunctionScene,
} from "#test/support/function-scene.ts";
import { placeOrderCommand, type SceneOrder } from "#test/support/market-scene.ts";
import type { Services } from "../functions/services.ts";
import { HistoryUnavailableError } from "../history/history.ts";
import { HttpError, sendJson } from "../http/json-answer.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import { WorkShares } from "../limits/work-shares.ts";
import { createExports } from "./exports.ts";

let scene: FunctionScene;
let maker: PlaceForParticipant;
let server: Server;
/** The server's answers, with a cookie that contains the id of the signed-in user. */
let services: Services;
let isLive = true;
let shares: WorkShares;

beforeAll(async () => {
  scene = await openFunctionScene({ settings: { PRACTICE_FUNDS: "USD:100000,ETH:10" } });
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000, ETH: 1_000 });
  services = {
    ...scene.services,
    accounts: {
      ...scene.services.accounts,
      isSessionLive: () => isLive,
      pageSession: ({ cookie }) =>
        Promise.resolve(
          cookie === undefined ? null : { userId: cookie, token: cookie, impersonation: null },
        ),
    },
  };
  await serve(services);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await scene.close();
});

async function serve(served: Services): Promise<void> {
  server?.closeAllConnections();
  server?.close();
  shares = new WorkShares();
  const handle = createExports(served, shares);
  server = createServer((request, response) => {
    (async () => {
      if (!(await handle(request, response))) sendJson(response, 404, {});
    })().catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof HttpError) sendJson(response, error.status, error.data);
      else sendJson(response, 500, {});
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
}

function ask(
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const options = { port, path: `/api/exports/${path}`, headers, method, agent: false };
  return new Promise((answered, failed) => {
    get(options, answered).on("error", failed);
  });
}

function cellsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    (quoted ?? plain ?? "").replaceAll('""', '"'),
  );
}

/** The rows of a table by the titles of its columns. */
async function rowsOf(path: string, userId: string): Promise<Record<string, string>[]> {
  const answer = await ask(path, { cookie: userId });
  const lines = (await text(answer)).trimEnd().split("\r\n");
  expect(answer.statusCode, lines[0]).toBe(200);
  const [titles = [], ...rows] = lines.map(cellsOf);
  return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at] ?? ""])));
}

async function trade(userId: string): Promise<void> {
  const person = scene.as(userId);
  await maker({ market: "BTC-USD", side: "sell", price: "64000.00", quantity: "1" });
  await maker({ market: "BTC-USD", side: "buy", price: "63000.00", quantity: "1" });
  await person.done("accounts:takePracticeFunds");
  const order = { market: "BTC-USD", type: "market" };
  await person.done("orders:place", { ...order, side: "buy", quantity: "0.0123" });
  await person.done("orders:place", { ...order, side: "sell", quantity: "0.0023" });
}

test("formatting is charged to the user, and waits until the user has rested", async () => {
  await scene.as("thrifty").done("accounts:takePracticeFunds");
  const client = clientKeyOf("thrifty", "");
  const charged = vi.spyOn(shares, "charge");
  await rowsOf("activity.csv", "thrifty");
  expect(charged.mock.calls.filter(([to, ms]) => to === client && ms > 0).length).toBeGreaterThan(
    0,
  );
  shares.charge(client, 200);
  let isServed = false;
  shares.whenUnthrottled(client, () => (isServed = true));
  expect(isServed).toBe(false);
  await rowsOf("activity.csv", "thrifty");
  expect(isServed).toBe(true);
  charged.mockRestore();
});

test("every row is sent, however many pages they are", async () => {
  await scene.as("many").done("accounts:takePracticeFunds");
  const { views, exchange } = scene.services;
  const account = views.accounts.ofUser("many")?.account ?? 0;
  const order = { account, market: "BTC-USD", side: "buy", price: "30000.00", quantity: "0.0001" };
  for (let count = 0; count < 520; count += 1) {
    const { events } = await exchange.submit(placeOrderCommand(views, order as SceneOrder));
    const placed = events.find((event) => event.type === "orderPlaced");
    await exchange.submit({ type: "cancelOrder", account, orderId: placed?.orderId ?? 0 });
  }
  const rows = await rowsOf("orders.csv", "many");
  expect(new Set(rows.map((row) => row["order id"])).size).toBe(520);
  expect(rows.every((row) => row.status === "cancelled")).toBe(true);
  // Each was held and released, each with two entries; and two coins were given.
  expect(await rowsOf("ledger.csv", "many")).toHaveLength(520 * 4 + 2);
});

test("a file of orders has those of one kind only, however few they are among the others", async () => {
  const many = scene.as("many");
  const iceberg = { market: "BTC-USD", side: "buy", type: "limit", price: "20000.00" };
  await many.done("orders:place", { ...iceberg, quantity: "0.0100", display: "0.0010" });
  const rows = await rowsOf("orders.csv?kind=iceberg&side=buy", "many");
  expect(rows.map(({ kind, conditions }) => [kind, conditions])).toEqual([
    ["Iceberg", "Iceberg 0.001"],
  ]);
  const [placed, earlier] = await rowsOf("activity.csv?kind=order", "many");
  expect([placed?.conditions, placed?.["why it ended"]]).toEqual(["Iceberg 0.001", ""]);
  expect([earlier?.conditions, earlier?.["why it ended"]]).toEqual(["", "Cancelled by you."]);
  expect(await rowsOf("orders.csv?side=sell", "many")).toEqual([]);
  expect((await ask("orders.csv?kind=Iceberg", { cookie: "many" })).statusCode).toBe(400);
});

test("the ledger adds up to the balances, and the tax report to the same", async () => {
  await trade("anna");
  const anna = scene.as("anna");
  const ledger = new Map<string, string>();
  for (const { coin = "", amount = "" } of await rowsOf("ledger.csv", "anna")) {
    ledger.set(coin, addDecimals(ledger.get(coin) ?? "0", amount));
  }
  const taxed = new Map<string, string>();
  const add = (coin = "", amount = "", sign: "" | "-" = "") => {
    if (coin !== "") taxed.set(coin, addDecimals(taxed.get(coin) ?? "0", `${sign}${amount}`));
  };
  const rows = await rowsOf("tax.csv", "anna");
  for (const row of rows) {
    add(row["asset in"], row["amount in"]);
    add(row["asset out"], row["amount out"], "-");
    add(row["fee asset"], row["fee amount"], "-");
  }
  for (const { coin, total } of anna.value<Balance[]>("accounts:balances")) {
    expect(trimDecimal(ledger.get(coin) ?? "0"), coin).toBe(trimDecimal(total));
    expect(trimDecimal(taxed.get(coin) ?? "0"), coin).toBe(trimDecimal(total));
  }
  const { items } = await anna.answer<Page<Fill>>("fills:history");
  const buy = rows.find((row) => row.type === "buy");
  const fill = items.find(({ side }) => side === "buy");
  expect(buy).toMatchObject({
    date: new Date(fill?.time ?? 0).toISOString(),
    "asset in": "BTC",
    "amount in": "0.01230000",
    "asset out": "USD",
    "amount out": fill?.quoteAmount,
    "fee asset": "BTC",
    "fee amount": fill?.fee,
    value: fill?.quoteAmount,
    "value coin": "USD",
    "order id": fill?.orderId,
  });
});

test("what is not priced in the settlement coin is valued at the last price before", async () => {
  const order = { market: "ETH-USD", quantity: "1" } as const;
  const taker = await scene.participant("taker", { USD: 100_000 });
  for (const price of ["3000.00", "3100.00", "3200.00"]) {
    await maker({ ...order, side: "sell", price });
    await taker({ ...order, side: "buy", price });
  }
  const early = scene.as("early");
  await early.done("accounts:takePracticeFunds");
  for (const price of ["3300.00", "3400.00"]) {
    await maker({ ...order, side: "sell", price });
    await taker({ ...order, side: "buy", price });
  }
  const rows = await rowsOf("tax.csv", "early");
  const ether = rows.find((row) => row["asset in"] === "ETH");
  expect(ether?.value).toBe("32000.000000");
});

test("statements open where the month before closed, and close at the balances", async () => {
  const rows = await rowsOf("statements.csv", "anna");
  const dollars = rows.filter((row) => row.coin === "USD");
  expect(dollars[0]).toMatchObject({ line: "opening", amount: "0.000000" });
  const changes = dollars.slice(1, -1).map((row) => row.amount ?? "");
  expect(changes.reduce(addDecimals, "0")).toBe(dollars.at(-1)?.amount);
  const balances = scene.as("anna").value<Balance[]>("accounts:balances");
  expect(dollars.at(-1)?.amount).toBe(balances.find(({ coin }) => coin === "USD")?.total);
  const month = dollars[0]?.month ?? "";
  expect(await rowsOf(`statements.csv?month=${month}`, "anna")).toEqual(rows);
  expect(await rowsOf("statements.csv?month=1999-01", "anna")).toEqual([]);
});

test("each of successive statements opens where the one before closed", async () => {
  const { views, history } = services;
  const account = views.accounts.ofUser("anna")?.account ?? 0;
  const times = (await rowsOf("ledger.csv", "anna")).map((row) => Date.parse(row.time ?? ""));
  const newest = Math.max(...times);
  const oldest = Math.min(...times);
  expect(newest).toBeGreaterThan(oldest);
  const boundsMs = [0, oldest, newest, newest + 1, newest + 2];
  const periods = await history.read.statements({ account, boundsMs });
  expect(periods).toHaveLength(4);
  const dollars = periods.map((sums) => sums.find(({ assetId }) => assetId === 1));
  for (let period = 1; period < periods.length; period += 1) {
    const [before, after] = [dollars[period - 1], dollars[period]];
    expect(after?.opening).toBe(before?.closing ?? 0n);
    const changes = [...(after?.reasons.values() ?? [])].map(({ amount }) => amount);
    expect(changes.reduce((sum, amount) => sum + amount, after?.opening ?? 0n)).toBe(
      after?.closing,
    );
  }
  expect(dollars[3]?.reasons.size).toBe(0);
  expect(dollars[3]?.closing).toBe(BigInt(views.accounts.total(account, 1)));
});

test("no one reads another's rows, and visitors none", async () => {
  expect(await rowsOf("fills.csv", "stranger")).toEqual([]);
  expect(await rowsOf("ledger.csv", "stranger")).toEqual([]);
  expect((await ask("fills.csv", {})).statusCode).toBe(401);
  expect((await ask("audit.csv", { cookie: "anna" })).statusCode).toBe(403);
  expect((await ask("secrets.csv", { cookie: "anna" })).statusCode).toBe(404);
  const foreign = { cookie: "anna", "sec-fetch-site": "cross-site" };
  expect((await ask("fills.csv", foreign)).statusCode).toBe(403);
});

test.each([
  "activity.csv",
  "orders.csv",
  "fills.csv",
  "ledger.csv",
  "statements.csv",
  "tax.csv",
  "my-data.jsonl",
])("while the history is behind %s is refused, not sent without its newest rows", async (file) => {
  const behind = new HistoryUnavailableError("The history is behind; try again shortly.");
  const reading = vi.spyOn(services.history, "readsCaughtUpTo").mockRejectedValue(behind);
  try {
    const answer = await ask(file, { cookie: "anna" });
    expect(answer.statusCode).toBe(503);
    expect(JSON.parse(await text(answer))).toMatchObject({ code: "unavailable" });
    expect((await ask(file, { cookie: "anna" }, "HEAD")).statusCode).toBe(503);
  } finally {
    reading.mockRestore();
  }
  const asked = await ask(file, { cookie: "anna" }, "HEAD");
  expect(asked.statusCode).toBe(200);
  expect(await text(asked)).toBe("");
  expect((await ask(file, { cookie: "anna" })).statusCode).toBe(200);
});

test("wrong filters are refused by name", async () => {
  const answer = await ask("activity.csv?side=both", { cookie: "anna" });
  expect(answer.statusCode).toBe(400);
  expect(JSON.parse(await text(answer))).toMatchObject({ code: "invalidArgument", field: "side" });
  expect((await ask("activity.csv?market=X-Y", { cookie: "anna" })).statusCode).toBe(400);
  expect((await ask("fills.csv?account=1", { cookie: "anna" })).statusCode).toBe(400);
});

test("filters of the address choose rows", async () => {
  const sides = async (query: string) =>
    (await rowsOf(`activity.csv?${query}`, "anna")).map((row) => `${row.kind} ${row.status}`);
  expect(await sides("side=sell&market=BTC-USD")).toEqual(["fill filled", "order filled"]);
  expect(await sides("side=sell&grouped=true")).toEqual(["order filled"]);
  expect(await sides("to=1")).toEqual([]);
  expect(await sides("kind=transfer")).toEqual(["transfer completed", "transfer completed"]);
});

test("a file of everything names its kinds", async () => {
  const answer = await ask("my-data.jsonl", { cookie: "anna" });
  const kinds = (await text(answer))
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { what: string }).what);
  expect([...new Set(kinds)]).toEqual(["user", "balance", "order", "fill", "activity"]);
});

/** An endless history, and the number of its pages that were read. */
function endless(): { readonly services: Services; readonly reads: () => number } {
  let reads = 0;
  const entry = {
    sequence: 7,
    position: 0,
    account: 1,
    assetId: 1,
    amount: 5,
    balance: "available",
    reason: "trade",
    orderId: 1,
    timestampMs: 0,
  };
  const ledger = () => {
    reads += 1;
    return Promise.resolve({ items: Array.from({ length: 500 }, () => entry), cursor: "more" });
  };
  const whenFresh = () => Promise.resolve();
  const history = { whenFresh, readsCaughtUpTo: whenFresh, read: { ledger } };
  return {
    services: { ...services, history: history as unknown as Services["history"] },
    reads: () => reads,
  };
}

/** Resolves to the number once it no longer grows. */
async function settled(count: () => number): Promise<number> {
  for (let before = -1; ;) {
    const now = count();
    if (now === before) return now;
    before = now;
    await delay(200);
  }
}

test("no more is read than the reader takes, and nothing after they have left", async () => {
  const { services: unlimited, reads } = endless();
  await serve(unlimited);
  const answer = await ask("ledger.csv", { cookie: "anna" });
  answer.pause();
  const read = await settled(reads);
  expect(read).toBeLessThan(1_000);
  answer.destroy();
  expect((await settled(reads)) - read).toBeLessThan(3);
});

test("a third download at once is refused, and an ended session cuts a download off", async () => {
  await serve(endless().services);
  const first = await ask("ledger.csv", { cookie: "anna" });
  const second = await ask("ledger.csv", { cookie: "anna" });
  expect((await ask("ledger.csv", { cookie: "anna" })).statusCode).toBe(429);
  const other = await ask("ledger.csv", { cookie: "many" });
  expect(other.statusCode).toBe(200);
  other.destroy();
  first.destroy();
  isLive = false;
  await expect(text(second)).rejects.toThrow(/aborted/);
  isLive = true;
  await expect
    .poll(async () => {
      const again = await ask("ledger.csv", { cookie: "anna" });
      again.destroy();
      return again.statusCode;
    })
    .toBe(200);
});
