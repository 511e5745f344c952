/**
 * What a golden journal must lead to for ever: its events, the balances that they add up to, the
 * books, and the state hash. They stand beside the journal in files of their own, so that a hash
 * that had to change is judged by what must not change: the money and the orders.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandDecoder } from "#engine/formats/command-codec.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { RECORD_PREFIX_BYTES } from "#journal/journal.ts";
import { replayJournal } from "#server/exchange/replay.ts";

/** A state hash, and the decision record that gave the reason for it to differ from the one before. */
export interface RecordedHash {
  readonly hash: string;
  readonly decision: string;
}

export interface GoldenState {
  readonly sequence: number;
  readonly timestampMs: number;
  /** Commands in the journal by type. */
  readonly commands: Readonly<Record<string, number>>;
  /** [account, asset id, available, held] where not both are 0. */
  readonly balances: readonly (readonly [number, number, number, number])[];
  /** By market id: [order id, account, price in ticks, remaining lots] as they would trade. */
  readonly books: Readonly<Record<string, { readonly buy: number[][]; readonly sell: number[][] }>>;
  /** By account: [user id, kind, plan id, ids of its open orders in order of placement]. */
  readonly accounts: Readonly<Record<string, readonly [string, string, number, number[]]>>;
}

export interface Replayed {
  readonly state: GoldenState;
  readonly events: readonly ExchangeEvent[];
  readonly stateHash: string;
  readonly engine: Engine;
}

const silent = { info: () => undefined, warn: () => undefined };

export function expectedState(directory: string): GoldenState {
  return JSON.parse(readFileSync(join(directory, "state.json"), "utf8")) as GoldenState;
}

export function expectedEvents(directory: string): ExchangeEvent[] {
  const lines = readFileSync(join(directory, "events.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as ExchangeEvent);
}

/** Oldest first: the last one is what a replay leads to today. */
export function expectedHashes(directory: string): RecordedHash[] {
  return JSON.parse(readFileSync(join(directory, "hashes.json"), "utf8")) as RecordedHash[];
}

export async function replayGolden(directory: string): Promise<Replayed> {
  const journal = await openFileJournal({
    directory: join(directory, "journal"),
    log: silent,
    readOnly: true,
  });
  const engine = createEngine();
  const events: ExchangeEvent[] = [];
  for await (const slice of replayJournal(journal, engine)) {
    for (const event of decodeEvents(slice.batch)) events.push(event);
  }
  const commands: Record<string, number> = {};
  const decoder = new CommandDecoder();
  for await (const { records } of journal.read(1)) {
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    for (let offset = 0; offset < records.length;) {
      const length = view.getUint32(offset, true);
      const { type } = decoder.decode(records, view, offset + RECORD_PREFIX_BYTES, length);
      commands[type] = (commands[type] ?? 0) + 1;
      offset += RECORD_PREFIX_BYTES + length;
    }
  }
  await journal.close();
  return { state: stateOf(engine, commands), events, stateHash: engine.stateHash(), engine };
}

function stateOf(engine: Engine, commands: Record<string, number>): GoldenState {
  const { read } = engine;
  const balances: [number, number, number, number][] = [];
  const accounts: Record<string, [string, string, number, number[]]> = {};
  for (let account = 1; account < read.accountEnd; account++) {
    for (let assetId = 1; assetId <= read.assetCount; assetId++) {
      const { available, held } = read.balance(account, assetId);
      if (available !== 0 || held !== 0) balances.push([account, assetId, available, held]);
    }
    const summary = read.account(account);
    if (summary === undefined) continue;
    const orderIds = read.openOrdersOf(account).map(({ orderId }) => orderId);
    accounts[account] = [summary.userId, summary.kind, summary.planId, orderIds];
  }
  const books: Record<string, { buy: number[][]; sell: number[][] }> = {};
  for (let marketId = 1; marketId <= read.marketCount; marketId++) {
    const side = (name: "buy" | "sell") =>
      read
        .bookOrders(marketId, name)
        .map(({ orderId, account, priceTicks, remainingLots }) => [
          orderId,
          account,
          priceTicks,
          remainingLots,
        ]);
    books[marketId] = { buy: side("buy"), sell: side("sell") };
  }
  const { sequence, timestampMs } = engine;
  return { sequence, timestampMs, commands, balances, books, accounts };
}
