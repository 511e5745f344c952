/** What programs read and compute, compared with the ledger to the last unit. */
import { expect } from "vitest";
import { functions } from "#contract/functions.ts";
import type { TestExchange } from "./accounts-exchange.ts";
import { type Program, programOf } from "./trading-programs.ts";

/** What each starts with. */
export const PRACTICE_FUNDS = "USD:100000,BTC:1";

/** Two users with money, each with a program of their own. */
export async function twoPrograms(
  exchange: TestExchange,
): Promise<{ readonly maker: Program; readonly taker: Program }> {
  const maker = await programOf(exchange, "maker@example.com");
  const taker = await programOf(exchange, "taker@example.com");
  return { maker, taker };
}

/** Whatever the client calls its type; some declare decimals as numbers, too. */
export interface Balance {
  readonly asset: string;
  readonly free: string | number;
  readonly locked: string | number;
}

/** The balances that a client read are those that the owner's pages show. */
export async function expectLedger(
  { trader }: Program,
  balances: readonly Partial<Balance>[],
): Promise<void> {
  const ledger = await trader.http.query(functions.accounts.balances, {});
  expect(ledger.length).toBeGreaterThan(1);
  const read = balances.map(({ asset, free, locked }) => [asset, [plain(free), plain(locked)]]);
  const kept = ledger.map(({ coin, available, held }) => [coin, [plain(available), plain(held)]]);
  expect(read).toHaveLength(kept.length);
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(kept));
}

/** An item of `myTrades`, whatever the client calls its type. */
export interface OwnTrade {
  readonly qty?: string | number;
  readonly quoteQty?: string | number;
  readonly commission?: string | number;
  readonly commissionAsset?: string;
  readonly isBuyer?: boolean;
}

/** The balances of someone who began with the practice funds are what their trades make of these. */
export function expectTradesExplain(
  trades: readonly OwnTrade[],
  balances: readonly Partial<Balance>[],
): void {
  expect(trades.length).toBeGreaterThan(0);
  const totals = new Map([
    ["USD", units("100000")],
    ["BTC", units("1")],
  ]);
  const add = (coin: string, amount: bigint) => totals.set(coin, (totals.get(coin) ?? 0n) + amount);
  for (const { qty, quoteQty, commission, commissionAsset, isBuyer } of trades) {
    const sign = isBuyer === true ? 1n : -1n;
    add("BTC", sign * units(qty));
    add("USD", -sign * units(quoteQty));
    add(String(commissionAsset), -units(commission));
  }
  const read = balances
    .filter(({ asset }) => totals.has(String(asset)))
    .map(({ asset, free, locked }) => [asset, units(free) + units(locked)]);
  expect(new Map(read as [string, bigint][])).toEqual(totals);
}

type Position = Readonly<Record<string, readonly [free: string, locked: string]>>;

/** What a client that follows its account knows of each coin that has changed. */
export function lastPositions(events: readonly unknown[]): Position {
  const changes = events
    .map((event) => event as { e?: string; B?: { a: string; f: string; l: string }[] })
    .filter(({ e }) => e === "outboundAccountPosition")
    .flatMap(({ B = [] }) => B);
  return Object.fromEntries(changes.map(({ a, f, l }) => [a, [f, l]]));
}

export function positionsIn(
  balances: readonly Partial<Balance>[],
  ...coins: readonly string[]
): Position {
  return Object.fromEntries(
    balances
      .filter(({ asset }) => coins.includes(String(asset)))
      .map(({ asset, free, locked }) => [String(asset), [String(free), String(locked)]]),
  );
}

const SCALE = 12;

/** A decimal as a whole number of its smallest part; one that is no decimal is refused. */
function units(decimal: string | number | undefined): bigint {
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d{1,12}))?$/.exec(String(decimal)) ?? [];
  if (whole === undefined) throw new Error(`${decimal} is no decimal`);
  return BigInt(whole + fraction.padEnd(SCALE, "0"));
}

function plain(decimal: string | number | undefined): string {
  return String(units(decimal));
}
