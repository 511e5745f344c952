/**
 * Replays a journal from its beginning through a new engine, or from a snapshot if its beginning is in
 * an archive that is not here; keeps a second ledger in BigInt from the postings of the events, and
 * compares the two balance by balance; each snapshot on the way must equal the state of its sequence.
 * It changes nothing and may run beside the exchange, in which case it checks up to the last command
 * that was on disk when it began.
 */
import { existsSync } from "node:fs";
import { decodeEvents } from "#engine/event-buffer.ts";
import { createEngine, type Engine, restoreEngine } from "#engine/engine.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import {
  ADJUSTMENTS_ACCOUNT,
  EXTERNAL_ACCOUNT,
  FEES_ACCOUNT,
  type MarketAssets,
  postingsOf,
} from "#engine/accounts/postings.ts";
import { SnapshotFormatError } from "#engine/formats/snapshot.ts";
import { SnapshotDamagedError, SnapshotFiles } from "#journal/snapshot-files.ts";
import { type JournalSource, openJournalToRead } from "./journal-events.ts";
import { engineOptions } from "../exchange/engine-options.ts";
import type { EventListener } from "../exchange/exchange.ts";
import { snapshotDirectoryOf } from "../exchange/open-exchange.ts";
import { replayJournal } from "../exchange/replay.ts";
import { findProvenState } from "./proven-state.ts";

/** Totals of one asset in its smallest unit. */
export interface AssetTotals {
  readonly assetId: number;
  readonly symbol: string;
  readonly available: bigint;
  readonly held: bigint;
  readonly fees: bigint;
  /** Deposits from outside, negative. */
  readonly external: bigint;
  /** The sum of all above; anything but zero is an error. */
  readonly sum: bigint;
}

export interface JournalReport {
  /** The state from which the journal was replayed; undefined if from its beginning. */
  readonly from: { readonly sequence: number; readonly place: string } | undefined;
  readonly sequence: number;
  readonly timestampMs: number;
  readonly stateHash: string;
  readonly rejected: number;
  readonly trades: number;
  readonly assets: readonly AssetTotals[];
  /** The sequences of the snapshots that match the replay. */
  readonly snapshots: readonly number[];
  /** The violations found, one sentence each; empty for a sound journal. */
  readonly faults: readonly string[];
}

export interface VerifyOptions extends JournalSource {
  /** Also receives every event, in bounded batches. */
  readonly onEvents?: EventListener;
}

/** @throws JournalDamagedError if the journal cannot be trusted */
export async function verifyJournal(options: VerifyOptions): Promise<JournalReport> {
  const { dataDir, onEvents } = options;
  const journal = await openJournalToRead(options);
  try {
    const proven =
      journal.firstSequence === 1 ? undefined : await findProvenState(journal, options);
    const engine = proven?.engine ?? createEngine(engineOptions);
    const from = proven && { sequence: engine.sequence, place: proven.place };
    const audit = new LedgerAudit(engine);
    const replay = async (until: number) => {
      for await (const slice of replayJournal(journal, engine, until)) {
        const events = decodeEvents(slice.batch);
        for (const event of events) audit.take(event);
        onEvents?.(events);
      }
    };
    const agreeing: number[] = [];
    const faults: string[] = [];
    const files = snapshotFilesOf(dataDir);
    for (const sequence of files?.sequences().reverse() ?? []) {
      // Those before the beginning cannot be compared with anything.
      if (sequence < engine.sequence) continue;
      await replay(sequence);
      const fault = files && snapshotFault(files, sequence, journal.identity, engine);
      if (fault === undefined) agreeing.push(sequence);
      else faults.push(fault);
    }
    await replay(Number.POSITIVE_INFINITY);
    audit.compareWith(engine);
    const totals = audit.totals();
    return {
      from,
      sequence: engine.sequence,
      timestampMs: engine.timestampMs,
      stateHash: engine.stateHash(),
      rejected: audit.rejected,
      trades: audit.trades,
      assets: totals.assets,
      snapshots: agreeing,
      faults: [...totals.faults, ...faults],
    };
  } finally {
    await journal.close();
  }
}

function snapshotFilesOf(dataDir: string): SnapshotFiles | undefined {
  const directory = snapshotDirectoryOf(dataDir);
  return existsSync(directory) ? new SnapshotFiles(directory) : undefined;
}

/** The faults of a snapshot, compared with an engine that has replayed the journal up to its sequence. */
function snapshotFault(
  files: SnapshotFiles,
  sequence: number,
  journal: number,
  engine: Engine,
): string | undefined {
  const path = files.pathOf(sequence);
  try {
    const snapshot = files.read(sequence);
    if (snapshot.journal !== journal) return `The snapshot ${path} is of another journal.`;
    if (engine.sequence !== sequence) return `The snapshot ${path} is ahead of the journal.`;
    const isSame = restoreEngine(snapshot.engine, engineOptions).stateHash() === engine.stateHash();
    return isSame
      ? undefined
      : `The snapshot ${path} holds another state than the journal leads to.`;
  } catch (error) {
    if (error instanceof SnapshotDamagedError) return error.message;
    if (error instanceof SnapshotFormatError) return `The snapshot ${path}: ${error.message}.`;
    throw error;
  }
}

/** The accounts that may be negative, because money comes from outside and from adjustments. */
const MAY_BE_NEGATIVE: ReadonlySet<number> = new Set([EXTERNAL_ACCOUNT, ADJUSTMENTS_ACCOUNT]);

interface Balance {
  available: bigint;
  held: bigint;
}

/** A separate ledger, folded from the postings of events. */
class LedgerAudit {
  rejected = 0;
  trades = 0;
  readonly #markets = new Map<number, MarketAssets>();
  readonly #symbols = new Map<number, string>();
  /** By asset, then account. */
  readonly #balances = new Map<number, Map<number, Balance>>();
  readonly #faults: string[] = [];

  /** Begins with the balances of an engine that has applied commands already. */
  constructor({ read }: Engine) {
    for (let marketId = 1; marketId <= read.marketCount; marketId++) {
      this.#markets.set(marketId, read.marketAssets(marketId));
    }
    for (let assetId = 1; assetId <= read.assetCount; assetId++) {
      this.#symbols.set(assetId, read.symbolOf(assetId));
      for (let account = 1; account < read.accountEnd; account++) {
        Object.assign(this.#balance(assetId, account), read.exactBalance(account, assetId));
      }
    }
  }

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
      if (debited[posting.debitBalance] < 0n && !MAY_BE_NEGATIVE.has(posting.debitAccount)) {
        this.#faults.push(
          `Sequence ${event.sequence} took account ${posting.debitAccount}'s ` +
            `${posting.debitBalance} of asset ${posting.assetId} below zero.`,
        );
      }
    }
  }

  /** Every balance in the engine's ledger must equal the sum of its postings. */
  compareWith({ read }: Engine): void {
    for (let assetId = 1; assetId <= read.assetCount; assetId++) {
      if (read.assetSum(assetId) !== 0n) {
        this.#faults.push(`The engine's ledger of asset ${assetId} does not add up to zero.`);
      }
      for (let account = 1; account < read.accountEnd; account++) {
        const { available, held } = read.exactBalance(account, assetId);
        const own = this.#balances.get(assetId)?.get(account) ?? { available: 0n, held: 0n };
        if (available !== own.available || held !== own.held) {
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
  const { from } = report;
  const lines = [
    ...(from === undefined
      ? []
      : [
          `begins      after sequence ${from.sequence}, with the state of a snapshot (${from.place}),`,
          "            as the archive with the commands before is not here",
        ]),
    `sequence    ${report.sequence}`,
    `time        ${report.sequence === 0 ? "-" : new Date(report.timestampMs).toISOString()}`,
    `state hash  ${report.stateHash}`,
    `trades      ${report.trades}`,
    `rejected    ${report.rejected}`,
    `snapshots   ${report.snapshots.length === 0 ? "none" : report.snapshots.join(", ")}`,
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
