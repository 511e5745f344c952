/**
 * The exchanges whose pages `npm run screenshots` shows, with their users: one with a simulated market, and one
 * whose coins are deposited and withdrawn. Both are empty until they are filled.
 */
import type { Browser, BrowserContext } from "playwright-core";
import { beginServerProcess } from "../support/running-server.ts";
import type { Role } from "./screenshot-views.ts";

const PASSWORD = "correct-horse-battery-9";
const ADMIN_EMAIL = "grace.hopper@example.com";

export type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

export interface Exchange {
  readonly url: string;
  readonly cookies: Readonly<Record<Role, Cookies>>;
  /** The path of a view, with what was placed by {@link fill} in it. */
  pathOf(path: string): string;
  /** Fills it with what a busy exchange has. */
  fill(): Promise<void>;
  remove(): Promise<void>;
}

type Call = (
  path: string,
  args: object,
  kind?: "query" | "mutation" | "action",
) => Promise<unknown>;

/** Names in paths, such as $orderId, and what stands for them. */
type Places = Record<string, string>;

async function begin(
  browser: Browser,
  settings: Readonly<Record<string, string>>,
  fill: (trader: Call, admin: Call) => Promise<Places>,
): Promise<Exchange> {
  const server = await beginServerProcess({ ADMIN_EMAIL, AUTH_RATE_LIMIT: "off", ...settings });
  const signUp = async (email: string, name: string, lastname: string): Promise<Cookies> => {
    const context = await browser.newContext();
    const answer = await context.request.post(`${server.url}/api/auth/sign-up/email`, {
      headers: { origin: server.url },
      data: { name, lastname, email, password: PASSWORD },
    });
    if (!answer.ok()) throw new Error(`${email} was not signed up: ${await answer.text()}`);
    const cookies = await context.cookies();
    await context.close();
    return cookies;
  };
  const long = "maximiliana.featherstonehaugh-smythe@a-long-name-of-a-company.example.com";
  const cookies = {
    visitor: [],
    admin: await signUp(ADMIN_EMAIL, "Grace", "Hopper"),
    newcomer: await signUp("ada.lovelace@example.com", "Ada", "Lovelace"),
    trader: await signUp(long, "Maximiliana", "Featherstonehaugh-Smythe"),
  };
  let places: Places = {};
  return {
    url: server.url,
    cookies,
    pathOf: (path) => path.replaceAll(/\$\w+/g, (name) => places[name] ?? "0"),
    async fill() {
      const trader = await callerOf(server.url, cookies.trader);
      places = await fill(trader, await callerOf(server.url, cookies.admin));
      const { id } = (await trader("users:current", {}, "query")) as { id: string };
      places = { ...places, $userId: id };
    },
    remove: () => server.remove(),
  };
}

/** Sends a user's requests; each must succeed. */
async function callerOf(url: string, cookies: Cookies): Promise<Call> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const token = await fetch(`${url}/api/auth/token`, { headers: { cookie } });
  const { token: bearer } = (await token.json()) as { token: string };
  return async (path, args, kind = "mutation") => {
    const answer = await fetch(`${url}/api/${kind}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ path, args, format: "json" }),
    });
    const { status, value, errorMessage } = (await answer.json()) as Record<string, unknown>;
    if (status !== "success") throw new Error(`${path} was refused: ${String(errorMessage)}`);
    return value;
  };
}

export function beginSimulated(browser: Browser): Promise<Exchange> {
  return begin(browser, {}, async (trader, admin) => {
    const places = await trade(trader);
    await stopMarkets(admin);
    const { id } = (await trader("users:current", {}, "query")) as { id: string };
    const reason = "A deposit that was credited twice by a payment provider, found in the audit";
    await admin("adjustments:propose", { userId: id, coin: "USD", amount: "-12.5", reason });
    return places;
  });
}

/** Markets in states that their pages say. */
async function stopMarkets(call: Call): Promise<void> {
  const reason = "Maintenance of the price source";
  const forSeconds = 86_400;
  await call("markets:setStatus", { market: "DOT-USD", status: "halted", reason, forSeconds });
  await call("markets:setStatus", { market: "ADA-USD", status: "auction", reason, forSeconds });
}

/** Fills, orders of every kind that wait, alerts and keys, with big numbers and small ones. */
async function trade(call: Call): Promise<Places> {
  await call("accounts:takePracticeFunds", {});
  const place = async (order: object) =>
    ((await call("orders:place", order)) as { order: { orderId: string } }).order;
  const bitcoin = { market: "BTC-USD", type: "limit" };
  const ether = { market: "ETH-USD", side: "sell", type: "market" };
  const bought = await place({ ...bitcoin, side: "buy", type: "market", quoteAmount: "30000" });
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
  })) as { orders: { orderId: string }[] };
  await call("orders:placeList", {
    market: "BTC-USD",
    kind: "oco",
    orders: [
      { side: "sell", type: "limit", price: "98500.00", quantity: "0.02" },
      {
        side: "sell",
        type: "market",
        quantity: "0.02",
        trigger: { type: "stop", price: "28000.00" },
      },
    ],
  });
  const orderId = bracket.orders[0]?.orderId ?? "";
  await call("orders:amend", { orderId, quantity: "0.25" });
  await call("watchlist:add", { markets: ["BTC-USD", "XLM-USD", "DOGE-USD"] });
  const change = { kind: "change", percent: "2.5", windowMinutes: 60 };
  await call("alerts:create", { market: "ETH-USD", condition: change, repeats: true });
  const crossing = { kind: "price", price: "99999.99" };
  await call("alerts:create", { market: "BTC-USD", condition: crossing });
  const name = "Market maker of the first desk, Friday to Sunday";
  const addressRanges = ["203.0.113.0/24", "198.51.100.7"];
  const terms = { name, kind: "hmac", permissions: ["read", "trade"], addressRanges };
  const { key } = (await call("apiKeys:create", terms, "action")) as { key: { keyId: string } };
  const faults = { latencyMs: 1_500, rateLimitPercent: 5 };
  await call("apiKeys:setFaults", { keyId: key.keyId, faults, seconds: 3_600 });
  const fills = (await call("fills:recent", {}, "query")) as { orderId: string; tradeId: number }[];
  const fill = fills.find((each) => each.orderId === bought.orderId);
  return { $orderId: orderId, $fillOrderId: bought.orderId, $tradeId: String(fill?.tradeId) };
}

/** Deposits and withdrawals in every state of their review. */
export function beginFunded(browser: Browser): Promise<Exchange> {
  const settings = {
    CATALOGUE: "catalogues/funded.yaml",
    FUNDED_MODE: "manual",
    SIMULATION: "off",
    WITHDRAWAL_ADDRESS_HOURS: "0",
  };
  return begin(browser, settings, async (trader, admin) => {
    const announce = async (amount: string) => {
      const args = { coin: "EUR", amount, network: "SEPA" };
      const { transferId } = (await trader("transfers:requestDeposit", args)) as Transfer;
      return transferId;
    };
    const record = async (transferId: number, amount: string) => {
      const [receipt, reason] = [`2026-11-S${transferId}`, "On the statement of November"];
      await admin("transfers:record", { transferId, amount, receipt, reason });
    };
    // Together with the withdrawals below less than one administrator decides alone.
    const credited = [await announce("99.99"), await announce("45")];
    for (const transferId of credited) await record(transferId, "49.99");
    await record(await announce("123456789.01"), "123456789.01");
    await announce("500");
    const reason = "The payment came from another person's account; it was sent back to its payer";
    await admin("transfers:decide", { transferId: await announce("75"), step: "reject", reason });
    const address = { coin: "EUR", network: "SEPA", address: "DE02120300000000202051" };
    const label = "Account of the family at the savings bank in the old town";
    const kept = (await trader(
      "transfers:addAddress",
      { ...address, label },
      "action",
    )) as WithdrawalAddress;
    const withdraw = async (amount: string) => {
      const args = { addressId: kept.addressId, amount, requestId: crypto.randomUUID() };
      const { transferId } = (await trader(
        "transfers:requestWithdrawal",
        args,
        "action",
      )) as Transfer;
      return transferId;
    };
    const steps = ["approve", "pay", "send", "settle"] as const;
    for (const [amount, taken] of [
      ["10", 4],
      ["20.5", 0],
      ["15", 1],
      ["20", 2],
    ] as const) {
      const transferId = await withdraw(amount);
      for (const step of steps.slice(0, taken)) {
        const decision = { transferId, reason: "The address is known" };
        if (step === "send") await admin("transfers:send", { ...decision, receipt: "P-2026-1" });
        else await admin("transfers:decide", { ...decision, step });
      }
    }
    return {};
  });
}

interface Transfer {
  readonly transferId: number;
}

interface WithdrawalAddress {
  readonly addressId: string;
}
