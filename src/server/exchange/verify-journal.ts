/**
 * Replays a journal from its beginning through a new engine, keeps a second ledger from the postings
 * of the events in BigInt, and holds the two equal, balance by balance. It changes nothing.
 *
 *   node src/server/exchange/verify-journal.ts [data directory]
 */
import { existsSync } from "node:fs";
import { decodeEvents } from "#engine/event-buffer.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { EXTERNAL_ACCOUNT, FEES_ACCOUNT, type MarketAssets, postingsOf } from "#engine/postings.ts";
import { lockDirectory } from "#journal/directory-lock.ts";
import { type JournalLog, openFileJournal } from "#journal/file-journal.ts";
import type { EventListener } from "./exchange.ts";
import { journalDirectoryOf } from "./open-exchange.ts";
import { replayJournal } from "./replay.ts";

/** Totals of one asset in its smallest unit. */
export interface AssetTotals {
  readonly assetId: number;
  readonly symbol: string;
  readonly available: bigint;
  readonly held: bigint;
  readonly fees: bigint;
  /** What came from outside, negative. */
  readonly external: bigint;
  /** All of the above; anything but zero is a fault. */
  readonly sum: bigint;
}

export interface JournalReport {
  readonly sequence: number;
  readonly timestampMs: number;
  readonly stateHash: string;
  readonly rejected: number;
  readonly trades: number;
  readonly assets: readonly AssetTotals[];
  /** What must not be, one sentence each; empty in a sound journal. */
  readonly faults: readonly string[];
}

export interface VerifyOptions {
  readonly dataDir: string;
  readonly log: JournalLog;
  /** Also receives every event, in bounded batches. */
  readonly onEvents?: EventListener;
}

/**
 * @throws DirectoryLockedError where an exchange is running on the directory, JournalDamagedError
 * where the journal cannot be trusted.
 */
export async function verifyJournal(options: VerifyOptions): Promise<JournalReport> {
  const { dataDir, log, onEvents } = options;
  const directory = journalDirectoryOf(dataDir);
  if (!existsSync(directory)) throw new Error(`there is no journal in ${dataDir}`);
  const lock = lockDirectory(dataDir);
  try {
    const journal = await openFileJournal({ directory, log, readOnly: true });
    const engine = createEngine();
    const audit = new LedgerAudit();
    for await (const slice of replayJournal(journal, engine)) {
      const events = decodeEvents(slice.batch);
      for (const event of events) audit.take(event);
      onEvents?.(events);
    }
    await journal.close();
    audit.compareWith(engine);
    return {
      sequence: engine.sequence,
      timestampMs: engine.timestampMs,
      stateHash: engine.stateHash(),
      rejected: audit.rejected,
      trades: audit.trades,
      ...audit.totals(),
    };
  } finally {
    lock.release();
  }
}

interface Balance {
  available: bigint;
  held: bigint;
}

/** A ledger of its own, folded from the postings of events. */
class LedgerAudit {
  rejected = 0;
  trades = 0;
  readonly #markets = new Map<number, MarketAssets>();
  readonly #symbols = new Map<number, string>();
  /** By asset, then account. */
  readonly #balances = new Map<number, Map<number, Balance>>();
  readonly #faults: string[] = [];

  take(event: ExchangeEvent): void {
    if (event.type === "commandRejected") this.rejected += 1;
    if (event.type === "traded") this.trades += 1;
    if (event.type === "coinListed") this.#symbols.set(event.assetId, event.coin.symbol);
    if (event.type === "marketListed") this.#markets.set(event.marketId, event);
    for (const posting of postingsOf(event, (marketId) => this.#assetsOf(marketId))) {
      const amount = BigInt(posting.amount);
      const debited = this.#balance(posting.assetId, posting.debitAccount);
      debited[posting.debitBalance] -= amount;
      this.#balance(posting.assetId, posting.creditAccount)[posting.creditBalance] += amount;
      if (debited[posting.debitBalance] < 0n && posting.debitAccount !== EXTERNAL_ACCOUNT) {
        this.#faults.push(
          `Sequence ${event.sequence} took account ${posting.debitAccount}'s ` +
            `${posting.debitBalance} of asset ${posting.assetId} below zero.`,
        );
      }
    }
  }

  /** Every balance in the engine's ledger is the one that the postings add up to. */
  compareWith({ read }: Engine): void {
    for (let assetId = 1; assetId <= read.assetCount; assetId++) {
      if (read.assetSum(assetId) !== 0) {
        this.#faults.push(`The engine's ledger of asset ${assetId} does not add up to zero.`);
      }
      for (let account = 1; account < read.accountEnd; account++) {
        const { available, held } = read.balance(account, assetId);
        const own = this.#balances.get(assetId)?.get(account) ?? { available: 0n, held: 0n };
        if (BigInt(available) !== own.available || BigInt(held) !== own.held) {
          this.#faults.push(
            `The engine says that account ${account} has ${available} available and ${held} held ` +
              `of asset ${assetId}; its postings add up to ${own.available} and ${own.held}.`,
          );
        }
      }
    }
  }

  totals(): { assets: AssetTotals[]; faults: string[] } {
    const faults = [...this.#faults];
    const assets = [...this.#symbols].map(([assetId, symbol]) => {
      const totals = { assetId, symbol, available: 0n, held: 0n, fees: 0n, external: 0n, sum: 0n };
      for (const [account, { available, held }] of this.#balances.get(assetId) ?? []) {
        if (account === EXTERNAL_ACCOUNT) totals.external += available + held;
        else if (account === FEES_ACCOUNT) totals.fees += available + held;
        else {
          totals.available += available;
          totals.held += held;
        }
        totals.sum += available + held;
      }
      if (totals.sum !== 0n) faults.push(`${symbol} adds up to ${totals.sum}, not to zero.`);
      return totals;
    });
    return { assets, faults };
  }

  #assetsOf(marketId: number): MarketAssets {
    const assets = this.#markets.get(marketId);
    if (assets === undefined)
      throw new Error(`an event names market ${marketId} before it is listed`);
    return assets;
  }

  #balance(assetId: number, account: number): Balance {
    let accounts = this.#balances.get(assetId);
    if (accounts === undefined) this.#balances.set(assetId, (accounts = new Map()));
    let balance = accounts.get(account);
    if (balance === undefined) accounts.set(account, (balance = { available: 0n, held: 0n }));
    return balance;
  }
}

/** The report as lines for a terminal. */
export function describeReport(report: JournalReport): string {
  const lines = [
    `sequence    ${report.sequence}`,
    `time        ${report.sequence === 0 ? "-" : new Date(report.timestampMs).toISOString()}`,
    `state hash  ${report.stateHash}`,
    `trades      ${report.trades}`,
    `rejected    ${report.rejected}`,
    "",
    "Totals in smallest units: available + held + fees + external = 0",
  ];
  for (const { symbol, available, held, fees, external, sum } of report.assets) {
    lines.push(`  ${symbol}: ${available} + ${held} + ${fees} + ${external} = ${sum}`);
  }
  lines.push(
    "",
    ...report.faults,
    report.faults.length === 0 ? "The journal is sound." : "NOT SOUND",
  );
  return lines.join("\n");
}

if (import.meta.main) {
  const dataDir = process.argv[2] ?? process.env.DATA_DIR ?? "data";
  const warn = (fields: object, message: string) =>
    process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
  try {
    const report = await verifyJournal({ dataDir, log: { info: () => undefined, warn } });
    process.stdout.write(`${describeReport(report)}\n`);
    process.exitCode = report.faults.length === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
