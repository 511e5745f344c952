/**
 * A user's balance movements and fills, computed from a journal's events alone and as simply as
 * possible: tests compare pages and downloads with them. The server must be stopped.
 */
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import { type MarketAssets, postingsOf } from "#engine/accounts/postings.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";

export interface JournalEntry {
  readonly sequence: number;
  readonly coin: string;
  readonly balance: string;
  readonly reason: string;
  /** Signed decimal, in coins: "-12.500000". */
  readonly amount: string;
}

export interface JournalFill {
  readonly side: "buy" | "sell";
  readonly tradeId: number;
  /** Base units before the fee. */
  readonly units: bigint;
  /** Quote units. */
  readonly notional: bigint;
  /** Base units for a purchase, quote units for a sale. */
  readonly fee: bigint;
}

export interface JournalLedger {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Fills of the one market that was traded, oldest first. */
  readonly fills: readonly JournalFill[];
  /** Faults that the journal's verification found; empty if there are none. */
  readonly faults: readonly unknown[];
}

/** @param person index of the user among all users, from 0 */
export async function readJournalLedger(dataDir: string, person: number): Promise<JournalLedger> {
  const markets = new Map<number, MarketAssets>();
  const coins = new Map<number, { readonly symbol: string; readonly scale: number }>();
  const people: number[] = [];
  const entries: JournalEntry[] = [];
  const fills: JournalFill[] = [];
  const fold = (event: ExchangeEvent): void => {
    if (event.type === "coinListed") coins.set(event.assetId, event.coin);
    if (event.type === "marketListed") markets.set(event.marketId, event);
    if (event.type === "accountOpened" && event.kind === "person") people.push(event.account);
    const account = people[person];
    if (account === undefined) return;
    for (const posting of postingsOf(event, (id) => markets.get(id) as MarketAssets)) {
      const { symbol, scale } = coins.get(posting.assetId) ?? { symbol: "", scale: 0 };
      const { reason } = posting;
      const { sequence } = event;
      const enter = (balance: string, units: number) =>
        entries.push({ sequence, coin: symbol, balance, reason, amount: decimal(units, scale) });
      if (posting.debitAccount === account) enter(posting.debitBalance, 0 - posting.amount);
      if (posting.creditAccount === account) enter(posting.creditBalance, posting.amount);
    }
    if (event.type === "traded") fills.push(...fillsOf(event, account));
  };
  const report = await verifyJournal({ dataDir, onEvents: (events) => events.forEach(fold) });
  return { entries, fills, faults: report.faults };
}

function fillsOf(event: EventOf<"traded">, account: number): JournalFill[] {
  const { takerSide, tradeId, makerAccount, takerAccount } = event;
  const common = { tradeId, units: BigInt(event.baseAmount), notional: BigInt(event.notional) };
  const fills: JournalFill[] = [];
  if (takerAccount === account) {
    fills.push({ ...common, side: takerSide, fee: BigInt(event.takerFee) });
  }
  if (makerAccount === account) {
    const side = takerSide === "buy" ? "sell" : "buy";
    fills.push({ ...common, side, fee: BigInt(event.makerFee) });
  }
  return fills;
}

/** Formats an integer with a scale: -5 with scale 2 is "-0.05". */
export function decimal(units: number | bigint, scale: number): string {
  const digits = String(units)
    .replace("-", "")
    .padStart(scale + 1, "0");
  const sign = units < 0 ? "-" : "";
  return `${sign}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
}
